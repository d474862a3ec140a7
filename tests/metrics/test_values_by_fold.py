"""Metrics of every fold, and the models that are best by one."""

import numpy as np
import pytest

from plumbline import Predictions, log_loss
from plumbline.metrics import best_models, values_by_fold


def test_every_fold_has_its_own_values(rng):
    """In the order of the table, within repeats."""
    n = 60
    data = Predictions.from_arrays(
        rng.integers(0, 2, n),
        rng.random(n),
        fold=np.arange(n) % 3,
        repeat=np.repeat([0, 1], n // 2),
    )
    rows = values_by_fold(data, ["log-loss", "brier-score"])
    assert [(row["repeat"], row["fold"]) for row in rows] == list(data.by_fold())
    parts = list(data.by_fold().values())
    assert [row["log-loss"] for row in rows] == pytest.approx([log_loss(part) for part in parts])
    assert [row["n"] for row in rows] == [part.n for part in parts]
    assert values_by_fold(Predictions.from_arrays([0, 1], [0.2, 0.7]), ["accuracy"]) == []


@pytest.mark.parametrize("metric", ["brier-score", "roc-auc"])
def test_the_best_models_stand_in_the_order_of_the_table(rng, metric):
    """Whether a metric is better low or high is its own affair."""
    n = 50
    y = rng.integers(0, 2, n)
    noise = {"c": 0.9, "a": 0.1, "d": 0.6, "b": 0.3}
    prob = np.concatenate([np.clip(y + s * rng.normal(size=n), 0.01, 0.99) for s in noise.values()])
    data = Predictions.from_arrays(np.tile(y, 4), prob, model=np.repeat(list(noise), n))
    best = best_models(data, metric, most=2)
    assert set(best) == {"a", "b"}
    assert list(best) == [name for name in data.models if name in best]
    assert best_models(data, metric, most=4) == data.models
