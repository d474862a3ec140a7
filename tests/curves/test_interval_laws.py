"""Intervals of areas and of differences of curves: what one line says, no other line denies."""

import numpy as np
import pytest

import plumbline as pb
from curve_settings import used_only
from duality import excludes
from laws import some
from request_cases import paired_tables

LEVELS = (0.8, 0.95, 0.99)
AREAS = {"roc": "roc-auc", "precision-recall": "average-precision"}
PRESETS = (*AREAS, "precision-recall-gain", "gains", "accuracy", "cost", "net-benefit")
DIFFERENCES = (
    *({"preset": name} for name in ("roc", "precision-recall", "gains", "lift")),
    *({"x": "threshold", "y": y} for y in ("CA", "PPV", "F1", "TPR")),
    {"x": "probability", "y": "eP", "average": "smooth"},
)


@pytest.mark.laws
def test_an_interval_of_an_area_holds_it_and_grows_with_the_level():
    """Of every curve with an area, with a band or without; where it is a metric, it is its own."""
    known, tables = 0, some(paired_tables(), 3)
    for data in tables:
        one = data.select(model="new")
        for preset in PRESETS:
            for band in ("none", "bootstrap"):
                within = [np.inf, -np.inf]
                for level in LEVELS:
                    given = {"preset": preset, "band": band, "level": level, "resamples": 100}
                    (line,) = pb.curve(one, **used_only(one, **given)).lines
                    if line.area_range is None:
                        continue
                    low, high = line.area_range
                    assert low <= line.area <= high
                    assert low <= within[0]
                    assert high >= within[1]
                    within, known = [low, high], known + 1
                    if preset in AREAS:
                        name = AREAS[preset]
                        found = pb.measure(one, name, interval=True, level=level, resamples=0)
                        assert found[name].interval_range == pytest.approx((low, high))
    assert known > 12.5 * len(tables)


@pytest.mark.laws
@pytest.mark.parametrize("case", DIFFERENCES, ids=lambda case: case.get("preset", case.get("y")))
def test_a_band_of_all_differences_claims_nothing_that_its_single_intervals_do_not(case):
    """It holds the difference and its interval at every x; a model is named where it excludes 0."""
    for number, data in enumerate(paired_tables()):
        for level in some(LEVELS[number % 3 :] + LEVELS[: number % 3], 1):
            found = pb.curve_difference(data, **case, level=level, resamples=100, points=31)
            known = found.se > 0
            assert known.any()
            slack = 1e-12 * (1 + np.abs(found.difference[known]).max())
            for low, high in (
                (found.pointwise_low, found.pointwise_high),
                (found.difference, found.difference),
            ):
                assert (found.low[known] <= low[known] + slack).all()
                assert (found.high[known] >= high[known] - slack).all()
            named = np.zeros(len(found.x), bool)
            for run in found.higher:
                place = (found.x >= run["low"]) & (found.x <= run["high"])
                side = 1 if run["model"] == found.models[1] else -1
                assert (side * found.difference[place] > 0).all()
                named |= place
            band = zip(found.low, found.high, known, strict=True)
            outside = [bool(ok and excludes(low, high)) for low, high, ok in band]
            assert named.tolist() == outside
            assert all(
                (f"{model} has higher" in found.verdict)
                == any(run["model"] == model for run in found.higher)
                for model in found.models
            )
