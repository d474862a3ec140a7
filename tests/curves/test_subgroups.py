"""The curve of every group of an attribute."""

import numpy as np
import pytest

from plumbline import FormulaError, InputError, ParameterError, Predictions, curve
from plumbline.binning import group_rows
from plumbline.curves import both_conditions, curves_by_group, rows_where


def people(rng, n=120, **others):
    """Return rows with an age and a city."""
    attributes = {"age": rng.integers(18, 70, n), "city": rng.choice(["Graz", "Linz", "Wien"], n)}
    prob = rng.random(n)
    y = (rng.random(n) < prob).astype(int)
    return Predictions.from_arrays(y, prob, attributes=attributes, **others)


@pytest.mark.parametrize("by", ["age", "city"])
def test_every_group_is_drawn_by_its_own_formula(rng, by):
    """Groups and rows are those of `group_rows`; each formula keeps exactly its rows."""
    data = people(rng)
    settings = curve(data, "roc", where="age > 20").settings
    curves = curves_by_group(data, settings, by=by)
    kept = rows_where(data, "age > 20")
    assert [group.n for group in curves.groups] == [len(rows) for _, rows in group_rows(kept, by)]
    for group in curves.groups:
        own = curve(data, "roc", where=both_conditions("age > 20", group))
        assert group.curve.areas == own.areas
        assert group.reason is None


def test_bands_are_not_drawn_in_groups(rng):
    """A bootstrap of every group would take long; other settings stay."""
    data = people(rng)
    settings = curve(data, "accuracy", band="bootstrap", resamples=20).settings
    drawn = curves_by_group(data, settings, by="city").settings
    assert (drawn.band, drawn.y) == ("none", settings.y)


def test_rarer_values_are_left_out_and_counted(rng):
    """The most frequent ones are drawn, in the order of all."""
    city = np.array(["Graz"] * 70 + ["Linz"] * 20 + ["Wien"] * 30)
    data = people(rng).select(where=np.arange(120))
    data = Predictions.from_arrays(data.actual, data.prob[:, 1], attributes={"city": city})
    curves = curves_by_group(data, curve(data, "roc").settings, by="city", most=2)
    assert [(group.name, group.n) for group in curves.groups] == [("Graz", 70), ("Wien", 30)]
    assert len(curves.notes) == 1


def test_what_cannot_be_drawn_is_refused_or_has_a_reason(rng):
    """Unknown attributes, filters that keep nothing or are none, one class alone."""
    data = people(rng)
    settings = curve(data, "roc").settings
    with pytest.raises(ParameterError, match="city"):
        curves_by_group(data, settings, by="citty")
    with pytest.raises(InputError, match="no row"):
        rows_where(data, "age > 99")
    with pytest.raises(FormulaError):
        rows_where(data, "age >")
    alone = Predictions.from_arrays(
        [0, 1, 0, 1, 1], [0.1, 0.6, 0.4, 0.7, 0.8], attributes={"ward": list("aaaab")}
    )
    drawn, empty = curves_by_group(alone, settings, by="ward").groups
    assert drawn.reason is None
    assert empty.reason
