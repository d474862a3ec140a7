"""The guard against rows a map was fitted on holds for tables that went through few digits."""

import json

import numpy as np
import pytest

import plumbline as pb
from changed_maps import sealed
from plumbline.recalibration import PROBABILITY, SCORE, Remembered, fit_map
from plumbline.recalibration.inputs import Reading
from plumbline.recalibration.remembered import SURE, Rounded
from refusals import refused


def softmax_rows(k, spread):
    """A maker of rows of k classes."""

    def rows(rng, n):
        z = rng.normal(size=(n, k)) * spread
        prob = np.exp(z - z.max(axis=1, keepdims=True))
        return prob / prob.sum(axis=1, keepdims=True)

    return rows


DRAWS = {
    "uniform": lambda rng, n: rng.random(n),
    "rare event": lambda rng, n: rng.beta(1, 500, n),
    "saturated": lambda rng, n: rng.beta(0.2, 0.2, n),
    "four decimals": lambda rng, n: np.round(rng.random(n), 4),
    "three classes": softmax_rows(3, 2.0),
    "ten classes": softmax_rows(10, 3.0),
    "ratings": lambda rng, n: rng.normal(size=n) * 300,
}
SHIFTED = {
    "uniform": lambda rng, n: rng.beta(60, 1, n),
    "rare event": lambda rng, n: rng.beta(1, 50, n),
    "saturated": lambda rng, n: rng.beta(60, 0.5, n),
    "four decimals": lambda rng, n: np.round(rng.beta(60, 1, n), 4),
    "three classes": softmax_rows(3, 12.0),
    "ten classes": softmax_rows(10, 20.0),
    "ratings": lambda rng, n: rng.normal(size=n) * 20 + 900,
}
TIED = {
    "tree": lambda rng, n: rng.choice(np.arange(1, 40) / 41, n),
    "forest": lambda rng, n: rng.binomial(100, rng.beta(0.5, 3, n)) / 100,
    "large forest": lambda rng, n: rng.binomial(1000, rng.beta(0.5, 3, n)) / 1000,
}


def reading(values):
    """Rows as a map reads them; of one number a row a rating."""
    if values.ndim == 1:
        return Reading(SCORE, values, None, 1, ("a", "b"))
    names = tuple(map(str, range(values.shape[1])))
    return Reading(PROBABILITY, values, None, 0, names)


def written(values, digits):
    """The numbers as a file of few digits has them."""
    return np.array([float(f"{v:{digits}}") for v in values.ravel()]).reshape(values.shape)


@pytest.mark.parametrize("kind", DRAWS)
@pytest.mark.parametrize("digits", [".6g", ".7g"])
def test_fitting_rows_are_refused_after_rounding(kind, digits):
    """All of them in another order, a half, and all beside half as many new ones."""
    rng = np.random.default_rng(1)
    values = DRAWS[kind](rng, 800)
    kept = Remembered.of(reading(values))
    again = written(rng.permutation(values), digits)
    mixed = np.concatenate([again, DRAWS[kind](rng, 400)])
    for rows in (again, again[:400], mixed):
        with refused(pb.InputError, "rows-of-the-fit", argument="resubstitution"):
            kept.refuse(reading(rows), "the map")


@pytest.mark.parametrize("kind", ["uniform", "three classes", "ten classes"])
def test_fitting_rows_are_refused_after_four_decimals(kind):
    """As few decimals are remembered as tell the rows apart."""
    rng = np.random.default_rng(2)
    values = DRAWS[kind](rng, 800)
    with refused(pb.InputError, "rows-of-the-fit", argument="resubstitution"):
        Remembered.of(reading(values)).refuse(reading(np.round(values, 4)), "the map")


@pytest.mark.parametrize("kind", [*DRAWS, *TIED])
def test_new_rows_are_not_refused(kind):
    """No chance comes near 1e-6, also where all new rows lie where few old ones did."""
    rng = np.random.default_rng(3)
    makers = {**DRAWS, **TIED}[kind], {**SHIFTED, **TIED}[kind]
    for n, m in ((100, 100), (1000, 1000), (1000, 5000)):
        for new in makers:
            for _ in range(5):
                kept = Rounded.of(makers[0](rng, n), equal=False)
                if kept is not None:
                    assert kept.meetings(new(rng, m))[2] > 1e4 * SURE


def test_ties_alone_are_not_remembered_by_rounded_numbers():
    """Scores of trees and forests say nothing of a row."""
    rng = np.random.default_rng(4)
    for make in TIED.values():
        assert Remembered.of(reading(make(rng, 2000))).rounded is None


@pytest.mark.parametrize("values", [np.zeros(50), np.full(50, 5e-324), np.r_[1e308, -1e308, 3.0]])
def test_numbers_that_cannot_be_rounded_do_no_harm(values):
    """Nothing overflows, and the same table is known by its sums."""
    kept = Remembered.of(reading(values))
    assert kept.rounded is None or kept.rounded.meetings(values)[1] == len(values)


def test_a_file_of_six_digits_is_refused(tmp_path):
    """As it is written by pandas, R or a service; the file of the map knows it too."""
    rng = np.random.default_rng(5)
    p = rng.beta(0.5, 0.8, 600)
    data = pb.Predictions.from_arrays(
        np.where(rng.random(600) < p, "left", "kept"), p, classes=["kept", "left"]
    )
    fitted = fit_map(data, "platt")
    lines = [f"{data.classes[c]},{value:.6g}" for c, value in zip(data.actual, p, strict=True)]
    (tmp_path / "again.csv").write_text("\n".join(["actual,p:left", *lines]) + "\n")
    again = pb.read(tmp_path / "again.csv")
    fitted.save(tmp_path / "map.json")
    for one in (fitted, pb.RecalibrationMap.load(tmp_path / "map.json")):
        with refused(pb.InputError, "rows-of-the-fit", "600 rows", argument="resubstitution"):
            one(again)
        assert one(again, resubstitution=True).n == 600


def test_a_file_of_version_1_is_read(tmp_path):
    """It has no rounded rows, and knows its own rows as it did."""
    rng = np.random.default_rng(6)
    data = pb.Predictions.from_arrays(rng.random(300) < 0.5, rng.random(300))
    fit_map(data, "isotonic").save(tmp_path / "map.json")
    content = json.loads((tmp_path / "map.json").read_text("utf-8"))
    content["version"] = 1
    del content["remembered"]["rounded"]
    (tmp_path / "old.json").write_text(sealed(content), "utf-8")
    old = pb.RecalibrationMap.load(tmp_path / "old.json")
    assert old.remembered.rounded is None
    with refused(pb.InputError, "rows-of-the-fit", argument="resubstitution"):
        old(data)
