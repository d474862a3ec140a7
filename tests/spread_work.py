"""Analyses whose work is spread, as digests that must not depend on who does it.

They stand in a module of their own, because worker processes import it by its name.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import plumbline as pb
from plumbline.curves.bands import replicates
from plumbline.power import power_study
from spread_blocks import digest


def tables(n: int = 300) -> dict[str, pb.Predictions]:
    """Return the tables of two models for the same rows."""
    rng = np.random.default_rng(2)
    p = rng.random(n)
    actual = (rng.random(n) < p).astype(int)
    other = np.clip(p + rng.normal(0, 0.1, n), 0.01, 0.99)
    made = pb.Predictions.from_arrays
    return {"a": made(actual, p), "b": made(actual, other)}


def study(**more: Any) -> str:
    """Return the digest of a study of power."""
    asked = {"bins": "equal-size:10", "datasets": 200, "resamples": 50}
    return digest(power_study([1, 2], **asked, **more).rows())


def named_study(**more: Any) -> str:
    """Return the digest of a study of a test by its name."""
    asked: dict[str, Any] = {"statistic": "omnibus", "datasets": 150, "resamples": 49}
    return digest(power_study([1], **asked, **more).rows())


def sample_size(**more: Any) -> str:
    """Return the digest of a plan."""
    asked: dict[str, Any] = {"classes": 2, "dirichlet": 0.2, "datasets": 50, "resamples": 39}
    return digest(pb.plan(effect="random-labels:0.3", statistic="brier-score", **asked, **more))


def comparison(test: str, metric: str, **more: Any) -> str:
    """Return the digest of a comparison of two models."""
    answer = pb.compare(tables(), metrics=metric, test=test, resamples=999, **more)
    return digest(answer.to_dict())


def band(workers: int | None = None) -> str:
    """Return the digest of drawings as for the band of a curve."""
    order = np.random.default_rng(1).permutation(500)
    made = replicates(
        lambda counts: np.cumsum(counts[order] * 0.1),
        units=500,
        resamples=205,
        entropy=3,
        workers=workers,
    )
    return digest(made)


def error_estimate(**more: Any) -> str:
    """Return the digest of predictions of cross-validated models."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(0)
    features = rng.normal(size=(200, 4))
    labels = (features[:, 0] + rng.normal(size=200) > 0).astype(int)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    answer = pb.estimate(
        model, features, labels, scheme="repeated-stratified:3x4", metrics="log-loss", **more
    )
    return digest(answer.predictions.prob, answer.to_dict()["models"])


def advice(**more: Any) -> str:
    """Return the digest of the choice of a recalibration."""
    methods = ["platt", "temperature", "isotonic"]
    return digest(pb.recalibration_advice(tables()["a"], methods=methods, **more).to_dict())


ANALYSES: dict[str, Callable[..., str]] = {
    "power study": study,
    "study of a named test": named_study,
    "plan": sample_size,
    "permutation test": partial(comparison, "permutation", "brier"),
    "bootstrap": partial(comparison, "bootstrap", "roc-auc"),
    "band": band,
    "error estimate": error_estimate,
    "recalibration advice": advice,
}
