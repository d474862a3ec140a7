"""What advice and effects of a recalibration say, word by word."""

from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from plumbline import Predictions, recalibrate, recalibration_advice, recalibration_effect
from plumbline.advisor import advice_text, effect_between
from plumbline.advisor.recalibration_effect import _next_step
from snapshots import same_words

N = 120
RNG = np.random.default_rng(5)
TRUE = RNG.beta(0.8, 0.8, N)
EVENT = (RNG.random(N) < TRUE).astype(int)
FEW = {"resamples": 39, "rng": 0}
QUICK = {"methods": ["temperature", "platt", "isotonic"], "parts": 3, **FEW}


@cache
def table(power, **columns):
    """Return two classes whose log-odds are `power` times the true ones."""
    return Predictions.from_arrays(EVENT, 1 / (1 + (1 / TRUE - 1) ** power), **columns)


IMPOSSIBLE = Predictions.from_arrays([0, 1, 1, 0] * 10, [0.0, 0.0, 0.9, 0.2] * 10)
POSSIBLE = Predictions.from_arrays(IMPOSSIBLE.actual, [0.1, 0.1, 0.9, 0.2] * 10)
RATINGS = Predictions.from_arrays(EVENT, score=np.log(TRUE / (1 - TRUE)))
COUNTED = Predictions.from_arrays([0, 0, 1, 1], [0.1, 0.6, 0.6, 0.9], count=[40, 30, 20, 30])
THREE = Predictions.from_arrays(np.arange(90) % 3, RNG.dirichlet([1, 1, 1], 90))
EFFECTS = {
    "none": lambda: recalibration_effect("none", table(3.0), **FEW),
    "cross-fitted": lambda: recalibration_effect("platt", table(3.0), **FEW),
    "a saved map": lambda: recalibration_effect(
        recalibrate(table(2.0), "temperature"), table(3.0), level=0.8, **FEW
    ),
    "its own rows": lambda: recalibration_effect(
        recalibrate(table(3.0), "platt"), table(3.0), resubstitution=True, **FEW
    ),
    "worse": lambda: effect_between(table(1.0), table(9.0), method="platt", **FEW),
    "still miscalibrated": lambda: effect_between(
        table(9.0), table(6.0), method="temperature", **FEW
    ),
    "impossible rows": lambda: effect_between(IMPOSSIBLE, POSSIBLE, method="platt", **FEW),
    "ratings": lambda: recalibration_effect(
        recalibrate(RATINGS, "platt"), RATINGS, resubstitution=True, **FEW
    ),
    "three classes": lambda: recalibration_effect("temperature", THREE, **FEW),
}
ADVICE = {
    "overconfident": lambda: recalibration_advice(table(3.0), **QUICK),
    "calibrated": lambda: recalibration_advice(table(1.0), level=0.8, **QUICK),
    "impossible rows": lambda: recalibration_advice(IMPOSSIBLE, **QUICK),
    "ratings": lambda: recalibration_advice(RATINGS, **QUICK | {"methods": ["platt"]}),
    "three classes": lambda: recalibration_advice(THREE, **QUICK),
    "counts": lambda: recalibration_advice(COUNTED, **QUICK | {"methods": ["platt"]}),
}


@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
@pytest.mark.parametrize(("name", "made"), [("effects", EFFECTS), ("advice", ADVICE)])
def test_printed_results_are_what_the_snapshot_holds(name, made):
    """Verdicts, tables, remarks and next steps, of tables of each kind."""
    words = {title: [repr(make()).replace("\n", "\n\n", 1)] for title, make in made.items()}
    same_words(Path(__file__).with_name("snapshots") / f"{name}.txt", words)


@pytest.mark.parametrize(
    ("titles", "wanted"),
    [
        ("A", "A 0.500"),
        ("AB", "A 0.500 and B 0.500"),
        ("ABC", "A 0.500, B 0.500 and C 0.500"),
        ("ABCD", "A 0.500, B 0.500, C 0.500 and 1 other"),
        ("ABCDE", "A 0.500, B 0.500, C 0.500 and 2 others"),
    ],
)
def test_a_sentence_names_three_maps_and_counts_the_others(titles, wanted):
    """One more than three is one other."""
    near = [SimpleNamespace(title=title, log_loss=0.5) for title in titles]
    assert advice_text._named(near) == wanted


def test_a_more_flexible_map_is_proposed_where_rows_stay_miscalibrated():
    """Of ratings nothing was tested before, so they are not still miscalibrated."""
    still = _next_step([0.01, 0.01], "temperature", table(3.0))
    assert still.text.startswith("Still miscalibrated: try ")
    assert _next_step([np.nan, 0.01], "temperature", RATINGS).text.startswith("Miscalibrated: try ")
    assert _next_step([0.2, 0.01], "temperature", table(3.0)) is None
    assert _next_step([0.01, 0.2], "temperature", table(3.0)) is None


def test_a_map_that_is_another_for_two_classes_names_it_by_what_it_reads():
    """Vector scaling of probabilities is beta calibration, of ratings Platt scaling."""
    for data, wanted in ((table(3.0), "beta calibration"), (RATINGS, "Platt scaling")):
        advice = recalibration_advice(data, parts=3, **FEW)
        reasons = {one.method: one.reason for one in advice.methods}
        assert reasons["vector"] == f"the same as {wanted} for two classes"
