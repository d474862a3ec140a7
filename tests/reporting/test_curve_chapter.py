"""What a report holds of long curves until its page is drawn."""

import gc
from types import FunctionType, ModuleType

import numpy as np
import pytest

from plumbline import Predictions, curve
from plumbline.curves import ShownCurve
from plumbline.curves.shown_curve import LONG, rows_of, step_of
from plumbline.reporting.curve_chapter import model_curves
from plumbline.reporting.gallery import MOST_ROWS


def table(n, seed=0):
    """Return rows of so many different probabilities."""
    rng = np.random.default_rng(seed)
    prob = rng.random(n)
    return Predictions.from_arrays((rng.random(n) < prob).astype(int), prob)


def held(result):
    """Return the bytes of all arrays that a value keeps alive, functions' closures among them."""
    known, waiting, arrays = set(), [result], {}
    while waiting:
        one = waiting.pop()
        if id(one) in known or isinstance(one, (type, ModuleType)):
            continue
        known.add(id(one))
        if isinstance(one, np.ndarray):
            while isinstance(one.base, np.ndarray):
                one = one.base
            arrays[id(one)] = one.nbytes
        elif isinstance(one, FunctionType):
            waiting += one.__closure__ or ()
        else:
            waiting += gc.get_referents(one)
    return sum(arrays.values())


@pytest.fixture(scope="module")
def long():
    """Return the curves of a table of many probabilities, and the table."""
    data = table(5 * LONG)
    return model_curves(data, ["1"], rng=0, progress=None), data


def test_long_curves_are_thinned_as_soon_as_they_are_made(long):
    """Neither their points nor the rows behind their areas stay in memory."""
    curves, data = long
    assert held(data) > 1_600_000
    assert held(curve(data, "roc")) > held(data)
    assert held(curves.curves) < held(data)
    for one in curves.curves.values():
        assert sum(one.lengths) > LONG
        assert sum(map(len, one.curve.lines)) <= LONG


def test_what_is_shown_of_a_long_curve_is_its_own(long):
    """The points of picture and table, the ends of both axes, and the area of the legend."""
    curves, data = long
    for name in ("roc", "precision-recall"):
        shown = curves.curves[name]
        (line,), (few,), (some,) = (
            one.lines for one in (curve(data, name), shown.curve, shown.some)
        )
        for part in (few, some):
            assert np.isin(part.x, line.x).all()
            assert np.isin(part.y, line.y).all()
        assert (few.y.min(), few.y.max()) == (line.y.min(), line.y.max())
        assert (few.x[0], few.x[-1]) == (line.x[0], line.x[-1])
        assert few.area == line.area
        step = step_of(len(line), MOST_ROWS)
        assert [row["x"] for row in rows_of([shown], most=MOST_ROWS)] == line.x[::step].tolist()


def test_the_table_of_several_curves_has_one_in_so_many_points():
    """Whether they are long or not, of all curves by their share; short ones exactly."""
    short = [ShownCurve.of(curve(table(n, n), "roc"), most=MOST_ROWS) for n in (700, 900)]
    whole = [*short[0].curve.lines[0].x, *short[1].curve.lines[0].x]
    assert [row["x"] for row in rows_of(short, most=MOST_ROWS)] == whole[
        :: step_of(len(whole), MOST_ROWS)
    ]
    mixed = [
        ShownCurve.of(curve(table(n, n), "roc"), most=MOST_ROWS)
        for n in (LONG + 999, 3 * LONG, 900)
    ]
    lengths = np.array([sum(one.lengths) for one in mixed])
    rows = rows_of(mixed, most=MOST_ROWS)
    assert len(rows) <= MOST_ROWS
    assert len(rows) == -(-lengths.sum() // step_of(int(lengths.sum()), MOST_ROWS))
