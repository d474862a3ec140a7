"""Errors of profiles: the sums at distinct scores are all that they see of the labels."""

import numpy as np
import pytest

from plumbline import Predictions
from plumbline.calibration import (
    ErrorOfHits,
    Profile,
    Wide,
    define_error,
    profile_statistic,
    statistic,
    value_of,
)
from plumbline.nulls import observed, resampled
from plumbline.random_streams import stream


def per_score_error(profile: Profile) -> ErrorOfHits:
    """The calibration error with one bin a distinct score."""
    share, score, weight = profile.share, profile.score, profile.weight

    def error(hits: Wide) -> Wide:
        gap = np.abs(hits / weight[:, None] - score[:, None])
        return np.asarray((share[:, None] * gap).sum(axis=0))

    return error


def table(k: int, weighted: bool) -> Predictions:
    """Draw 300 rows with ties and with rows of weight 0."""
    source = stream(3)
    prob = source.dirichlet(np.ones(k), 300).round(1)
    prob /= prob.sum(axis=1, keepdims=True)
    weight = source.integers(0, 3, 300).astype(float) if weighted else None
    actual = source.integers(0, k, 300)
    return Predictions.from_arrays(actual, prob, classes=[str(j) for j in range(k)], weight=weight)


def every_score_apart(data: Predictions, view: str) -> float:
    """The same error, row by row."""
    if view == "classwise":
        return float(np.mean([every_score_apart(data, f"one-vs-rest:{c}") for c in data.classes]))
    binary = data.top_label() if view == "top-label" else data.one_vs_rest(view.partition(":")[2])
    score, mass = binary.need_prob("a test")[:, 1], data.mass
    total = 0.0
    for value in set(score.tolist()):
        here = score == value
        if mass[here].sum() > 0:
            share = np.average(binary.actual[here] == 1, weights=mass[here])
            total += mass[here].sum() / mass.sum() * abs(share - value)
    return total


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("view", ["top-label", "one-vs-rest:1", "classwise"])
def test_a_profile_holds_what_a_row_by_row_sum_needs(view: str, weighted: bool) -> None:
    """The error from the sums at distinct scores is the one row by row, whatever the view."""
    data = table(3, weighted)
    what = profile_statistic(data, define_error(data, view), per_score_error)
    assert observed(what) == pytest.approx(every_score_apart(data, view), abs=1e-12)


@pytest.mark.parametrize("view", ["top-label", "one-vs-rest:1", "classwise"])
def test_true_shares_have_no_error_and_sure_ones_the_observed(view: str) -> None:
    """The true error is 0 where shares are the probabilities, the observed where they are sure."""
    data = table(3, weighted=True)
    for what in (
        profile_statistic(data, define_error(data, view), per_score_error),
        statistic(data, define_error(data, view)),
    ):
        wide = what.prob / what.prob.sum(axis=1, keepdims=True)
        assert what.at(wide) == pytest.approx(0.0, abs=1e-12)
        sure = np.eye(what.prob.shape[1])[what.actual]
        assert what.at(sure) == pytest.approx(float(observed(what)), abs=1e-12)


def test_shares_of_single_points_weigh_what_each_label_adds() -> None:
    """The same for single points."""
    data = table(3, weighted=False)
    what = statistic(data, define_error(data, "classwise", "one-per-point"))
    sure = np.eye(3)[what.actual]
    assert what.at(sure) == pytest.approx(value_of(what), abs=1e-12)


def test_draws_go_through_the_error_of_every_event() -> None:
    """The null's mean does not depend on the seed, within 4 standard errors."""
    data = table(2, weighted=False)
    what = profile_statistic(data, define_error(data), per_score_error)
    drawn = resampled(what, 400, 1)
    spread = drawn.std() / np.sqrt(len(drawn))
    again = resampled(what, 400, 2)
    assert drawn.mean() == pytest.approx(again.mean(), abs=4 * np.sqrt(2) * spread)
