"""The law of the advice: it follows the verdict and the gain, and says so alike everywhere."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from duality import TIE, disagreement, dual
from html_pages import undrawn
from laws import law, some
from plumbline.cli import main
from plumbline.reporting import recalibration_chapter

FEW = ["temperature", "platt", "prior-shift", "isotonic"]
DRAWS = 199


def table(kind, seed, k=2):
    """Return 200 rows with a fault of this kind, small enough that tests go either way."""
    rng = np.random.default_rng([seed, k])
    true = rng.dirichlet(np.ones(k), 200)
    if kind == "rare":
        true = np.column_stack([1 - 0.1 * true[:, 0], 0.1 * true[:, 0]])
    if kind == "tied":
        true = np.maximum(true.round(1), 0.05)
    true = true / true.sum(axis=1, keepdims=True)
    actual = (true.cumsum(axis=1) < rng.uniform(size=(200, 1))).sum(axis=1).clip(0, k - 1)
    reported = true ** {"bold": 1.4, "timid": 0.7}.get(kind, 1.0)
    if kind == "shifted":
        reported = reported * np.linspace(1, 1.6, true.shape[1])
    if kind == "stepped":
        reported = np.where(true > 0.5, 0.5 + true / 2, true / 2)
    if kind == "impossible":
        reported[np.arange(2), actual[:2]] = 0.0
    reported = reported / reported.sum(axis=1, keepdims=True)
    return pb.Predictions.from_arrays(actual, reported, classes=range(true.shape[1]))


TABLES = [
    *((kind, seed, 2) for kind in ("calibrated", "bold", "timid", "shifted") for seed in range(5)),
    *((kind, seed, 2) for kind in ("stepped", "rare", "tied", "impossible") for seed in range(2)),
    *((kind, 0, 3) for kind in ("calibrated", "bold", "shifted", "impossible")),
]


def told(command, file, seed):
    """Return the one entry that a command prints with --json."""
    words = [command, str(file), "--seed", str(seed), "--resamples", str(DRAWS), "--json"]
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    (entry,) = json.loads(result.stdout)["results"]
    return entry


@law(("kind", "seed", "k"), TABLES, number=5)
def test_the_advice_follows_the_verdict_and_the_gain(kind, seed, k):
    """It has the p-value of the calibration test; a map is chosen if and only if one gains."""
    data = table(kind, seed, k)
    test = pb.calibration_test(data, resamples=DRAWS, rng=seed)
    advice = pb.recalibration_advice(data, methods=FEW, resamples=DRAWS, rng=seed)
    assert advice.p_value == test.p_value
    off = test.p_value <= 0.05
    assert advice.verdict.startswith("Leave") is not off
    gains = [-one.log_loss_difference for one in advice.methods if one.reason is None]
    assert (advice.chosen != "none") is (off and any(gain > 0 for gain in gains))
    assert (advice.gain > 0) is (advice.chosen != "none")
    if advice.chosen != "none":
        row = next(one for one in advice.methods if one.method == advice.chosen)
        assert advice.gain == -row.log_loss_difference
        assert advice.next_step.values["method"] == advice.chosen


@pytest.mark.laws
@law("level", [0.95, 0.5, 0.9], number=1)
@pytest.mark.parametrize("kind", ["calibrated", "bold", "rare", "tied", "impossible"])
def test_interval_and_p_value_of_a_method_agree(kind, level):
    """The interval excludes 0 if and only if p is at most 1 - level; `helps` is its upper end."""
    for seed in some(range(4), 1):
        data = table(kind, seed)
        for one in pb.recalibration_advice(data, methods=FEW, level=level, resamples=39).methods:
            if np.isinf(one.log_loss_difference):  # no number of rows would make it finite
                assert (one.p_value, one.helps) == (0.0, True)
                continue
            found = dict(zip(("low", "high"), one.log_loss_range, strict=True))
            why = one.reason or "; ".join(one.notes)
            assert disagreement(**found, p_value=one.p_value, level=level, reason=why) is None
            assert one.helps is (one.log_loss_range[1] < 0)


@law("level", [0.95, 0.5, 0.9], number=1)
@pytest.mark.parametrize("kind", ["calibrated", "bold", "rare", "tied", "impossible"])
def test_interval_and_p_value_of_cross_fitted_rows_agree(kind, level):
    """So do those of log loss and Brier score of rows that maps of other rows recalibrated."""
    for seed in range(2):
        data = table(kind, seed)
        effect = pb.recalibration_effect("temperature", data, level=level, resamples=39)
        for one in effect.changes[:2]:
            found = dict(zip(("low", "high"), one.interval_range, strict=True))
            told = disagreement(**found, p_value=one.p_value, level=level, reason=one.reason)
            assert told is None
            assert (one.better is None) is not (one.p_value <= 1 - level) or one.reason


@law("level", [0.95, 0.5, 0.9], number=1)
@pytest.mark.parametrize("kind", ["calibrated", "bold", "rare", "tied", "impossible"])
def test_interval_and_p_value_of_a_saved_map_agree(kind, level):
    """So do those of all five numbers of rows that one map recalibrated, and `better` with them."""
    shown = set()
    for seed, (method, k) in enumerate([("temperature", 2), ("isotonic", 2), ("temperature", 3)]):
        data = table(kind, seed, k)
        fitted = pb.recalibrate(table("bold", 100 + seed, data.k), method)
        effect = pb.recalibration_effect(fitted, data, level=level, resamples=39)
        assert len(effect.changes) == 5
        for one in effect.changes:
            where = (one.metric, kind, seed)
            found = dict(zip(("low", "high"), one.interval_range, strict=True))
            dual(**found, p_value=one.p_value, level=level, reason=one.reason, where=where)
            if not np.isnan(one.p_value):
                decided = one.p_value <= 1 - level + TIE and one.difference != 0
                assert (one.better is not None) is decided, where
            if not np.isnan([*one.interval_range, one.p_value]).any():
                shown.add(one.metric)
    assert shown >= {"ece", "roc-auc", "brier-score"}


@law(("kind", "seed"), [("bold", 0), ("calibrated", 1), ("impossible", 0)], number=2)
def test_every_surface_says_the_same(tmp_path, kind, seed):
    """Library, commands and report have one verdict, one map and one gain."""
    data = table(kind, seed)
    file = tmp_path / "rows.csv"
    data.write(file)
    advice = json.loads(
        json.dumps(pb.recalibration_advice(data, resamples=DRAWS, rng=seed).to_dict())
    )
    assert told("recalibrate", file, seed)["advice"] == advice
    assert told("test", file, seed)["p_value"] == advice["p_value"]
    with undrawn():
        given = {"resamples": DRAWS, "rng": seed, "recalibrate": "auto"}
        page = pb.report(pb.read(file), tmp_path / "a.html", **given).to_dict()
    (chapter,), (model,) = page["chapters"], page["evaluation"]["models"]
    assert chapter["mended"]["advice"] == advice
    assert model["test"]["p_value"] == advice["p_value"]


@law("seed", range(4), number=1)
def test_the_effect_has_the_numbers_of_the_advice(seed):
    """Rows before and after show the gain, the interval and the p-values of the sentence."""
    data = table("bold", seed)
    chapter = recalibration_chapter(
        data, "temperature", quick=True, rng=seed, progress=None, resamples=DRAWS, workers=None
    )
    (row,), loss, brier = chapter.advice.methods, *chapter.effect.changes[:2]
    assert loss.difference == row.log_loss_difference
    assert (loss.interval_range, loss.p_value) == (row.log_loss_range, row.p_value)
    assert (brier.difference, brier.interval_range) == (row.brier_difference, row.brier_range)
    assert chapter.effect.test_before == chapter.advice.p_value
