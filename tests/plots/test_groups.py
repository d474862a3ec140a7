"""Pictures of groups: what is drawn where, and that names from data are only text."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import plumbline as pb
from plumbline.group_calibration import calibration_by, class_heat_map, conditional_bias
from plumbline.plots import (
    conditional_bias_figure,
    draw_conditional_bias,
    draw_groups,
    draw_heat_map,
    figure_svg,
    group_figure,
    heat_map_figure,
    save_figure,
    style,
)
from plumbline.plots.groups import MANY, TALLEST

NASTY = ["<b>", "$x_1^{$", "50 % a_b & \\frac"]


@pytest.fixture(scope="module")
def data():
    """Return a table of two classes whose second group is off."""
    rng = np.random.default_rng(6)
    p = rng.uniform(0.05, 0.95, 300)
    site = np.array(NASTY)[np.arange(300) % 3]
    y = rng.random(300) < np.where(site == NASTY[1], p * 0.3, p)
    return pb.Predictions.from_arrays(
        y, p, attributes={"site": site, "age": np.r_[rng.integers(20, 80, 290), [np.nan] * 10]}
    )


@pytest.fixture(scope="module")
def by_site(data):
    """Return its groups, measured and tested."""
    return calibration_by(data, "site")


@pytest.fixture
def ax():
    """Return empty axes that pyplot knows nothing of."""
    return Figure().subplots()


def points(ax):
    """Return x, y and whether it is filled of every drawn point."""
    return [
        (line.get_xdata()[0], line.get_ydata()[0], line.get_markerfacecolor() != style.PAPER)
        for line in ax.get_lines()
        if line.get_marker() == "o" and len(line.get_xdata()) == 1
    ]


def test_a_group_stands_at_its_bias_and_is_filled_where_it_is_rejected(by_site, ax):
    """One line a group, from the interval's one end to the other."""
    draw_groups(by_site, ax)
    rows = by_site.rows()
    assert sum(row["rejected"] for row in rows) == 1
    expected = [(row["bias"], place, row["rejected"]) for place, row in enumerate(rows)]
    assert points(ax) == expected
    ends = [list(line.get_xdata()) for line in ax.get_lines() if len(line.get_xdata()) == 2]
    assert ends[1:] == [[row["bias_low"], row["bias_high"]] for row in rows]
    assert [text.get_text() for text in ax.get_yticklabels()] == sorted(NASTY)


def test_a_forest_has_its_numbers_beside_it(by_site, tmp_path):
    """n, shares and p-values of every group are written; the picture can be saved."""
    figure = group_figure(by_site)
    texts = [text.get_text() for text in figure.axes[0].texts]
    for row in by_site.rows():
        for cell in (f"{row['n']:,}", f"{row['outcome_share']:.3f}"):
            assert cell in texts
    assert any("Filled" in text.get_text() for text in figure.texts)
    save_figure(figure, tmp_path / "groups.png")
    assert "<b>" not in figure_svg(figure, label="groups", prefix="g")


def test_the_bias_of_every_bin_is_drawn_over_its_band(data, ax):
    """Points, intervals and band of every bin; filled outside the band; missing values last."""
    result = conditional_bias(data, "age", cuts="equal-size:4", resamples=99)
    draw_conditional_bias(result, ax)
    rows = result.rows()
    expected = [
        (place, row["bias"], not row["band_low"] <= row["bias"] <= row["band_high"])
        for place, row in enumerate(rows)
    ]
    assert points(ax) == expected
    bars = [(bar.get_y(), bar.get_y() + bar.get_height()) for bar in ax.patches]
    assert bars == pytest.approx(np.array([(row["band_low"], row["band_high"]) for row in rows]))
    assert [text.get_text() for text in ax.get_xticklabels()][-1] == "missing"


def test_every_model_has_its_colour(data):
    """Two models make two points a bin, and a legend names both."""
    site = np.tile(data.attributes["site"], 2)
    two = pb.Predictions.from_arrays(
        np.tile(data.actual, 2),
        np.tile(data.prob[:, 1], 2),
        model=["a"] * 300 + ["_b"] * 300,
        row=np.tile(np.arange(300), 2),
        attributes={"site": site},
    )
    figure = conditional_bias_figure(conditional_bias(two, "site", resamples=99))
    assert len(points(figure.axes[0])) == 6
    (legend,) = figure.legends
    names = [text.get_text() for text in legend.get_texts()]
    assert [name for name in names if "band" not in name] == ["a", " _b"]


def heat(k, n, *, resamples=99):
    """Return the heat map of predictions of k classes that are right but for the first two."""
    rng = np.random.default_rng(k)
    prob = rng.dirichlet(np.full(k, 0.1), n)
    y = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
    shifted = prob.copy()
    shifted[:, :2] = prob[:, 1::-1]
    data = pb.Predictions.from_arrays(y, shifted, classes=range(k), normalize=True)
    return class_heat_map(data, resamples=resamples)


def test_cells_have_the_gaps_and_few_rows_are_narrow(ax):
    """The wide mesh leaves out cells of fewer than 10 rows, the narrow one draws only these."""
    result = heat(12, 400, resamples=999)
    mesh = draw_heat_map(result, ax).drawn_
    wide = np.ma.filled(mesh.get_array(), np.nan)
    narrow = np.ma.filled(ax.collections[-1].get_array(), np.nan)[:, ::2]
    few = result.count < 10
    np.testing.assert_array_equal(wide, np.where(few, np.nan, result.gap))
    np.testing.assert_array_equal(narrow, np.where(few, result.gap, np.nan))
    low, high = mesh.get_clim()
    assert -low == high == np.abs(result.gap[~few]).max()
    weights = {text.get_text(): text.get_fontweight() for text in ax.get_yticklabels()}
    assert {name for name, weight in weights.items() if weight == "bold"} == set(result.rejected)
    assert set(result.rejected) >= {"0", "1"}


def test_of_many_classes_the_worst_are_drawn():
    """A hundred by default, the rest counted; a thousand fit on one page with fewer names."""
    result = heat(150, 300)
    figure = heat_map_figure(result)
    ax = figure.axes[0]
    assert [text.get_text() for text in ax.get_yticklabels()] == [
        row["class"] for row in result.classes[:100]
    ]
    assert any("50 classes" in text.get_text() for text in figure.texts)
    whole = heat_map_figure(result, most=1000, show="z")
    assert len(result.classes) > MANY
    assert whole.get_size_inches()[1] < TALLEST + 4
    assert 2 <= len(whole.axes[0].get_yticklabels()) <= TALLEST / 0.11
    with pytest.raises(pb.ParameterError, check=lambda e: e.argument == "show"):
        heat_map_figure(result, show="error")
