"""Infinite numbers stay in frames and files, and no text shows rounding noise or the word inf."""

import dataclasses
import math
import re
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline as pb
import plumbline._result
from laws import examples
from plumbline import formatting
from plumbline.metrics import model_scores
from plumbline.reporting import Evaluation
from plumbline.requests import REQUESTS
from plumbline.validation import FoldEstimate
from plumbline.workbench.questions.exporting.picture_bytes import csv_bytes
from request_cases import CASES, alone, of_the_library, two_models

ASKED = sorted(set(CASES) - {"plan"})  # which reads no rows
VARIANTS = (
    {},
    {"norm": 2},
    {"view": "classwise"},
    {"distance": "logarithm"},
    {"statistic": "spiegelhalter"},
    {"statistic": "log-loss"},
    {"statistic": "brier-score"},
    {"metrics": "roc-auc"},
)
TINY = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?e-(\d+)")
RAW = re.compile(r"(?<![\w'])(?:inf|nan)(?![\w'])")
OF_P_VALUES = {"p", "adjusted p", "p of test", "p_value", "adjusted_p_value", "p_bounds"}


@pytest.fixture
def no_infinity_lost(monkeypatch):
    """Refuse that an infinite number becomes None."""
    original = plumbline._result.jsonable

    def strict(value, *, infinite=False):
        lost = isinstance(value, float) and math.isinf(value) and not infinite
        assert not lost, "an infinite number would be lost"
        return original(value, infinite=infinite)

    for name, module in list(sys.modules.items()):
        if name.startswith("plumbline") and getattr(module, "jsonable", None) is original:
            monkeypatch.setattr(module, "jsonable", strict)


def impossible_table():
    """Return two models, some of whose rows gave what is observed the probability 0."""
    data = two_models()
    prob = data.prob[:, 1].round(1)
    return pb.Predictions.from_arrays(
        data.actual,
        prob,
        model=["new"] * 200 + ["old"] * 200,
        row=np.tile(np.arange(200), 2),
        attributes={"site": np.tile(["a", "b"], 200)},
    )


@pytest.mark.usefixtures("no_infinity_lost")
@pytest.mark.parametrize("name", ASKED)
def test_no_frame_loses_infinity(name):
    """The rows and the frame of every answer hold the infinite numbers of the answer."""
    data = alone(name, impossible_table())
    for more in VARIANTS:
        if not more.keys() <= REQUESTS[name].signature.parameters.keys():
            continue
        values = {**CASES[name][0], **more}
        if "statistic" in more:
            values.pop("bins", None)
        try:
            answer = of_the_library(name, data, values)
        except pb.PlumblineError:  # a distance or a view that this request does not take
            continue
        for one in answer if isinstance(answer, (list, tuple)) else [answer]:
            one.to_frame()


@pytest.mark.usefixtures("no_infinity_lost")
def test_frames_of_scores_curves_and_folds_hold_infinity():
    """Scores, a difference of curves, folds and exported rows keep infinity."""
    data = impossible_table()
    scores = [model_scores(part, name) for name, part in data.by_model().items()]
    assert [row["log_loss"] for row in Evaluation(scores).rows()] == [
        math.inf,
        pytest.approx(0.546904, abs=1e-6),
    ]
    difference = pb.curve_difference(data, "roc")
    difference = dataclasses.replace(difference, y_first=np.full(len(difference.x), math.inf))
    assert math.inf in difference.to_frame("pandas")["y_first"].to_list()
    fold = FoldEstimate(repeat=0, fold=1, n_train=9, n_test=5, values={"log-loss": math.inf})
    assert fold.for_tables()["log-loss"] == math.inf
    assert b"inf" in csv_bytes([{"value": math.inf}])


def texts_of(shown):
    """Yield every text of a presentation under the name of its kind."""
    yield "summary", shown.summary
    yield from (("note", note) for note in (*shown.notes, *shown.legend))
    yield from ((one.key, f"{one.label} {one.text}") for one in shown.details)
    for table in shown.tables:
        yield "title", table.title
        yield from ((name, cell) for name, cells in table.columns.items() for cell in cells)


def assert_readable(kind, text):
    """Check that a text shows no rounding noise but in p-values, and no infinity of Python."""
    assert not RAW.search(text), (kind, text)
    for match in TINY.finditer(text):
        p_value = kind in OF_P_VALUES or re.search(r"p [=≤] $", text[: match.start()])
        assert p_value or int(match[1]) <= 12, (kind, text)


@st.composite
def tables(draw):
    """Return small tables of two models: rounded, constant, certain or equal predictions."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(20, 70))
    kind = draw(st.sampled_from(["tenths", "constant", "certain", "inner", "any"]))
    p = {
        "tenths": rng.integers(0, 11, n) / 10,
        "constant": np.full(n, 0.3),
        "certain": rng.integers(0, 2, n).astype(float),
        "inner": rng.integers(1, 10, n) / 10,
        "any": rng.uniform(size=n),
    }[kind]
    y = np.where(rng.uniform(size=n) < p, "yes", "no")
    y[:2] = "no", "yes"
    other = p if draw(st.booleans()) else 1 - p[::-1]
    return pb.Predictions.from_arrays(
        np.tile(y, 2),
        np.r_[p, other],
        model=["new"] * n + ["old"] * n,
        row=np.tile(np.arange(n), 2),
        attributes={"site": np.tile(np.resize(["a", "b"], n), 2)},
    )


@pytest.mark.parametrize("name", ASKED)
@settings(max_examples=examples(6), deadline=None)
@given(data=tables(), more=st.sampled_from(VARIANTS))
def test_no_text_shows_rounding_noise(name, data, more):
    """No answer shows a number below 1e-12 that is no p-value, nor infinity as Python writes it."""
    if not more.keys() <= REQUESTS[name].signature.parameters.keys():
        more = {}
    values = {**CASES[name][0], **more}
    if "statistic" in more:
        values.pop("bins", None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pb.PlumblineWarning)
        try:
            answer = of_the_library(name, alone(name, data), values)
        except pb.PlumblineError:
            return
    for one in answer if isinstance(answer, (list, tuple)) else [answer]:
        for kind, text in texts_of(one.present()):
            assert_readable(kind, text)


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_numbers_of_texts_are_readable(value):
    """Whatever the number is, its text has no noise and no infinity of Python."""
    for write in (formatting.number, formatting.said, formatting.amount, formatting.score):
        assert_readable("number", write(value))
    assert_readable("number", formatting.interval((value, 0.5)))
    assert not RAW.search(plumbline._result.shown(value))
