"""Record how other packages' recalibrators do on two networks' published predictions.

Run in the environment of `make peers`, which holds netcal, scikit-learn and betacal:

    .venv-peers/bin/python scripts/record_recalibrators.py FOLDER [PACKAGE ...]

FOLDER holds the .npz files (`probs`, `labels`). Named packages alone are recorded anew. Maps
are fitted on the first half of the rows and measured on the second. Writes
tests/reference/peers/recalibrators.json.
"""

import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

NETWORKS = ("wideresnet-16-4-cifar-10", "densenet-bc-100-cifar-100")
FILE = Path(__file__).parent.parent / "tests" / "reference" / "peers" / "recalibrators.json"
LEAST = 2.0**-52  # what a probability of 0 counts as in the clipped log loss
BINS = 15
Fit = Callable[[Any, Any], Callable[[Any], Any]]


def scikit_learn(method: str) -> Fit:
    """Return `CalibratedClassifierCV`, which finds a classifier that is fitted already."""
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.frozen import FrozenEstimator

    class AsGiven(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
        """A classifier whose features are its probabilities."""

        def fit(self, X: Any, y: Any) -> Any:
            self.classes_ = np.arange(X.shape[1])
            return self

        def predict_proba(self, X: Any) -> Any:
            return X

        def predict(self, X: Any) -> Any:
            return X.argmax(axis=1)

    def fit(p: Any, y: Any) -> Callable[[Any], Any]:
        given = FrozenEstimator(AsGiven().fit(p, y))
        return CalibratedClassifierCV(given, method=method).fit(p, y).predict_proba  # type: ignore[no-any-return]

    return fit


def netcal(name: str, **options: Any) -> Fit:
    """Return a method of netcal."""

    def fit(p: Any, y: Any) -> Callable[[Any], Any]:
        import netcal.binning
        import netcal.scaling

        kind = getattr(netcal.scaling, name, None) or getattr(netcal.binning, name)
        return kind(**options).fit(p, y).transform  # type: ignore[no-any-return]

    return fit


def betacal(p: Any, y: Any) -> Callable[[Any], Any]:
    """Return betacal's maps of every class against the rest, divided by their sum."""
    from betacal import BetaCalibration

    maps = [BetaCalibration("abm").fit(p[:, c : c + 1], y == c) for c in range(p.shape[1])]

    def mend(q: Any) -> Any:
        each = np.column_stack([one.predict(q[:, c : c + 1]) for c, one in enumerate(maps)])
        return each / each.sum(axis=1, keepdims=True)

    return mend


def methods() -> Iterator[tuple[str, str, str, Fit]]:
    """Yield package, its method, our name of the same method, and how it is fitted."""
    yield "scikit-learn", "isotonic", "isotonic", scikit_learn("isotonic")
    yield "scikit-learn", "sigmoid", "platt-on-probability", scikit_learn("sigmoid")
    yield "scikit-learn", "temperature", "temperature", scikit_learn("temperature")
    yield "netcal", "TemperatureScaling", "temperature", netcal("TemperatureScaling")
    yield "netcal", "LogisticCalibration", "vector", netcal("LogisticCalibration")
    yield "netcal", "IsotonicRegression", "isotonic", netcal("IsotonicRegression")
    histogram = netcal("HistogramBinning", bins=BINS)
    yield "netcal", "HistogramBinning", "histogram-equal-width", histogram
    yield "netcal", "BBQ", "bbq", netcal("BBQ")
    yield "netcal", "BetaCalibration", "beta", netcal("BetaCalibration")
    yield "betacal", "BetaCalibration abm", "beta", betacal


def measured(q: Any, y: Any) -> dict[str, Any]:
    """Return log loss (also with 0 counted as 2^-52), Brier score summed over classes, ECE."""
    q = np.asarray(q, np.float64)
    own = q[np.arange(len(y)), y]
    hot = np.zeros_like(q)
    hot[np.arange(len(y)), y] = 1.0
    top, right = q.max(axis=1), q.argmax(axis=1) == y
    home = np.clip(np.ceil(top * BINS).astype(int) - 1, 0, BINS - 1)
    gap = np.bincount(home, right - top, BINS)
    return {
        "never": int((own <= 0).sum()),
        "log_loss": float(-np.log(np.maximum(own, LEAST)).mean()),
        "brier_score": float(np.square(q - hot).sum(axis=1).mean()),
        "ece": float(np.abs(gap).sum() / len(y)),
        "accuracy": float(right.mean()),
    }


def record(folder: Path, packages: list[str]) -> Iterator[dict[str, Any]]:
    """Yield one case a network and method."""
    for network in NETWORKS:
        file = np.load(folder / f"{network}.npz")
        p, y = np.asarray(file["probs"], np.float64), np.asarray(file["labels"]).astype(int)
        p /= p.sum(axis=1, keepdims=True)
        half = len(y) // 2
        for package, method, ours, fit in methods():
            if packages and package not in packages:
                continue
            start = time.process_time()
            case = {
                "network": network,
                "package": package,
                "version": version(package),
                "method": method,
                "ours": ours,
            }
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    mended = fit(p[:half], y[:half])(p[half:])
                yield case | measured(mended, y[half:])
            except Exception as error:  # noqa: BLE001 - what fails there is recorded, too
                yield case | {"error": f"{type(error).__name__}: {error}"[:200]}
            print(network, package, method, f"{time.process_time() - start:.1f} s", flush=True)


if __name__ == "__main__":
    wanted = sys.argv[2:]
    kept = [] if not wanted else json.loads(FILE.read_text("utf-8"))
    kept = [case for case in kept if case["package"] not in wanted]
    FILE.write_text(
        json.dumps([*record(Path(sys.argv[1]), wanted), *kept], indent=1) + "\n", "utf-8"
    )
