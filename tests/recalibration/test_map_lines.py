"""A map as lines: its probabilities against what it reads."""

import numpy as np
import pytest

from plumbline import Predictions
from plumbline.recalibration import fit_map, map_lines


@pytest.mark.parametrize("method", ["temperature", "platt", "isotonic"])
def test_the_line_of_two_classes_is_the_map(rng, method):
    """At every place, on either side of a jump, and next to 0 and 1."""
    prob = rng.random(200)
    data = Predictions.from_arrays((rng.random(200) < prob**2).astype(int), prob)
    fitted = fit_map(data, method)
    lines = map_lines(fitted)
    assert np.array_equal(fitted.lines().y["1"], lines.y["1"])
    assert list(lines.y) == ["1"]
    np.testing.assert_allclose(lines.y["1"], fitted.transform(lines.x)[:, 1])
    assert (lines.x[0], lines.x[-1], lines.note) == (0.0, 1.0, None)


def test_of_several_classes_each_has_a_line(rng):
    """The first ones where only some are wanted, and a note says what the lines are."""
    data = Predictions.from_arrays(
        rng.choice(list("abcd"), 300), rng.dirichlet(np.ones(4), 300), classes=list("abcd")
    )
    lines = map_lines(fit_map(data, "temperature"), most=3)
    assert list(lines.y) == ["a", "b", "c"]
    assert lines.note != map_lines(fit_map(data, "isotonic")).note


def test_lines_of_ratings_go_over_their_finite_range(rng):
    """Or, without ratings, where the map does what it does."""
    score = rng.normal(size=300)
    actual = (rng.random(300) < 1 / (1 + np.exp(-2 * score))).astype(int)
    fitted = fit_map(Predictions.from_arrays(actual, score=score), "platt")
    lines = map_lines(fitted, ratings=[*score, np.inf])
    assert (lines.x[0], lines.x[-1]) == (score.min(), score.max())
    alone = map_lines(fitted).y["1"]
    assert alone[0] < 0.01 < 0.99 < alone[-1]
