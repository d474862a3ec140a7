"""Record what other packages answer: `make peers` runs this in an environment of its own.

Writes tests/reference/peers/PACKAGE.json for every package named on the command line, or for all.
Each case holds the keywords of the table it was recorded for (`reference.peers.inputs.table`),
numbers that tell that table from any other, the arguments, and the values.
"""

import json
import sys
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

TESTS = Path(__file__).parent.parent / "tests"
sys.path.insert(0, str(TESTS))

from reference.peers.inputs import fingerprint, table  # noqa: E402

FOLDER = TESTS / "reference" / "peers"
BINARY = [
    {"seed": s, "n": n, "ties": t} for s in (0, 1) for n in (100, 1000) for t in (False, True)
]
SEVERAL = [case | {"k": 4} for case in BINARY]
SINGLE = [case | {"single": True} for case in (*BINARY[:4], *SEVERAL[:4])]
BINS = (2, 10, 15)


def of(asked: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a case: the table it is for, and what was asked and answered."""
    found = fingerprint(*table(**asked))
    return {"input": asked, "fingerprint": found} | more


def plain(value: Any) -> Any:
    """Return a number as the shortest text that says it exactly, and lists of them."""
    flat = np.asarray(value, np.float64)
    return [plain(one) for one in flat] if flat.ndim else float(flat)


def top(p: Any) -> tuple[Any, Any]:
    """Return the answer and its probability."""
    return p.argmax(axis=1), p.max(axis=1)


def relplot() -> Iterator[dict[str, Any]]:
    """Record smECE, its bandwidth, and smECE at fixed bandwidths."""
    from relplot import smECE
    from relplot.metrics import smECE_sigma

    for asked in [case | {"seed": case["seed"] + more} for more in (0, 2) for case in BINARY]:
        y, p = table(**asked)
        value, width = smECE(p, y.astype(float), return_width=True)
        fixed = {str(s): plain(smECE_sigma(p, y.astype(float), s)) for s in (0.02, 0.05, 0.2)}
        yield of(asked, smece=plain(value), sigma=plain(width), smece_sigma=fixed)


def model_diagnostics() -> Iterator[dict[str, Any]]:
    """Record CORP decompositions; the Brier score there is (y - p)^2 of one class."""
    from model_diagnostics.scoring import LogLoss, SquaredError, decompose

    for asked in BINARY:
        y, p = table(**asked)
        inside = np.clip(p, 0.05, 0.95)  # no infinite log loss
        weight = 1.0 + np.arange(len(y)) % 3
        for name, score in (("brier-score", SquaredError()), ("log-loss", LogLoss())):
            for weights in (None, weight):
                found = decompose(y, inside, weights=weights, scoring_function=score).to_dicts()[0]
                more = {"score_name": name, "clip": [0.05, 0.95], "weighted": weights is not None}
                yield of(asked, **more, **{key: plain(value) for key, value in found.items()})


def uncertainty_calibration() -> Iterator[dict[str, Any]]:
    """Record debiased errors: the clipped root, and the signed square with its upper edges."""
    import calibration as uc
    from calibration import utils

    for asked in BINARY:
        y, p = table(**asked)
        pairs = list(zip(p, y, strict=True))
        schemes: dict[str, Any] = {
            "equal-size:15": utils.get_equal_bins(p, 15),
            "equal-width:15": utils.get_equal_prob_bins(p, 15),
            "one-per-value": utils.get_discrete_bins(p),
        }
        square = {
            k: plain(utils.unbiased_square_ce(utils.bin(pairs, b))) for k, b in schemes.items()
        }
        upper = {name: plain(schemes[name]) for name in ("equal-size:15", "equal-width:15")}
        root = plain(uc.get_calibration_error(p, y, p=2, debias=True))
        yield of(asked, root=root, discrete=bool(utils.is_discrete(p)), square=square, upper=upper)
    for asked in SEVERAL:
        y, p = table(**asked)
        modes = {
            m: plain(uc.get_calibration_error(p, y, mode=m)) for m in ("marginal", "top-label")
        }
        yield of(asked, root=modes, discrete=bool(utils.is_discrete(p)))


def netcal() -> Iterator[dict[str, Any]]:
    """Record ECE, ACE, MCE in equal intervals and quantiles, and MMCE."""
    from netcal.metrics import ACE, ECE, MCE, MMCE

    for asked in (*BINARY, *SEVERAL, *SINGLE):
        y, p = table(**asked)
        for bins in BINS:
            for equal in (True, False):
                try:
                    found = {
                        one.__name__.lower(): plain(one(bins, equal_intervals=equal).measure(p, y))
                        for one in (ECE, ACE, MCE)
                    }
                except ValueError as error:
                    found = {"raises": str(error)}
                yield of(asked, bins=bins, equal_intervals=equal, **found)
        if asked["n"] == 100:
            yield of(asked, mmce=plain(MMCE().measure(p, y)))


def torchmetrics() -> Iterator[dict[str, Any]]:
    """Record the three norms; P(y = 1) for two classes, the top label (in float32) for more."""
    import torch
    from torchmetrics.functional.classification import (
        binary_calibration_error,
        multiclass_calibration_error,
    )

    for asked in (*BINARY, *SEVERAL, *SINGLE):
        y, p = map(torch.from_numpy, table(**asked))
        for bins in BINS:
            for norm in ("l1", "l2", "max"):
                if p.ndim == 1:
                    value = binary_calibration_error(p, y, n_bins=bins, norm=norm)
                else:
                    value = multiclass_calibration_error(p, y, p.shape[1], n_bins=bins, norm=norm)
                yield of(asked, bins=bins, norm=norm, value=plain(value))
    for kind in (torch.float32, torch.float64):
        for bins in (1, 3, 7, 10, 15, 49, 50, 100):
            edges = plain(torch.linspace(0, 1, bins + 1, dtype=kind).numpy())
            yield {"edges": edges, "bins": bins, "dtype": str(kind).removeprefix("torch.")}


def tfp() -> Iterator[dict[str, Any]]:
    """Record both errors of logits ln(p) in float32, and where the edges j / b fall."""
    from tensorflow_probability.python.internal.backend import jax as tf
    from tensorflow_probability.substrates import jax as tf_probability

    stats = tf_probability.stats
    for asked in [case for case in (*BINARY, *SEVERAL) if not case["ties"]]:
        y, p = table(**asked)
        both = np.column_stack([1.0 - p, p]) if p.ndim == 1 else p
        answer, _ = (np.ones(len(y), np.int64), p) if p.ndim == 1 else top(p)
        logits = np.log(both).astype(np.float32)
        of_answer = logits[np.arange(len(y)), answer]
        for bins in BINS:
            value = stats.expected_calibration_error(bins, logits, y, labels_predicted=answer)
            buckets = stats.expected_calibration_error_quantiles(
                answer == y, of_answer, bins, log_space_buckets=True
            )
            more = {"quantiles": plain(buckets[0]), "sizes": plain(buckets[3])}
            yield of(asked, bins=bins, value=plain(value), **more)
    for bins in (3, 5, 7, 10, 15, 20, 50, 100):
        score = (np.arange(bins + 1) / bins).astype(np.float32)
        homes = tf.histogram_fixed_width_bins(score, [0.0, 1.0], nbins=bins)
        yield {"bins": bins, "homes_of_edges": plain(homes)}


def mapie() -> Iterator[dict[str, Any]]:
    """Record uniform and quantile errors: of class 1, of the top label, and classwise."""
    from mapie.metrics.calibration import expected_calibration_error

    for asked in (*BINARY, *SEVERAL, *SINGLE):
        y, p = table(**asked)
        right, score = (y, p) if p.ndim == 1 else ((p.argmax(axis=1) == y).astype(int), p)
        for bins in BINS:
            for strategy in ("uniform", "quantile"):
                ask = {"num_bins": bins, "split_strategy": strategy}
                more = {"value": plain(expected_calibration_error(right, score, **ask))}
                if p.ndim == 2:
                    each = expected_calibration_error(
                        right, p, classwise=True, class_labels=y, **ask
                    )
                    more["classwise"] = plain(each)
                yield of(asked, bins=bins, strategy=strategy, **more)


def guo2017() -> Iterator[dict[str, Any]]:
    """Record the formula of Guo et al. (2017) as their code has it, written anew with torch."""
    import torch

    def error(score: Any, right: Any, bins: int) -> float:
        edges = torch.linspace(0, 1, bins + 1)
        total = torch.zeros(1)
        for low, high in pairwise(edges):
            inside = score.gt(low.item()) & score.le(high.item())
            share = inside.float().mean()
            if share > 0:
                gap = score[inside].mean() - right[inside].float().mean()
                total = total + gap.abs() * share
        return plain(total[0])

    for asked in (*BINARY, *SEVERAL, *SINGLE):
        y, p = table(**asked)
        right, score = (y, p) if p.ndim == 1 else (p.argmax(axis=1) == y, p.max(axis=1))
        given = torch.from_numpy(score), torch.from_numpy(right)
        for bins in BINS:
            yield of(asked, bins=bins, value=error(*given, bins))


# Package of the Python Package Index, how its values are made, and what is to be known of them.
PEERS: dict[str, tuple[tuple[str, ...], Callable[[], Iterator[dict[str, Any]]], str]] = {
    "relplot": (
        ("relplot",),
        relplot,
        "default: reflected Gaussian, 200 points",
    ),
    "model_diagnostics": (
        ("model-diagnostics",),
        model_diagnostics,
        "weights 1, 2, 3, 1, 2, ...",
    ),
    "uncertainty_calibration": (
        ("uncertainty-calibration",),
        uncertainty_calibration,
        "root = sqrt(max(square, 0)); a bin of fewer than 2 rows adds 0 to `square`",
    ),
    "netcal": (("netcal", "scipy"), netcal, "`raises` where quantile edges coincide"),
    "torchmetrics": (("torchmetrics", "torch"), torchmetrics, "several classes: always float32"),
    "tfp": (("tfp-nightly", "jax"), tfp, "all in float32; quantiles with log_space_buckets=True"),
    "mapie": (("mapie",), mapie, "`value`: the outcome is y for two classes, else correctness"),
    "guo2017": (("torch",), guo2017, "written anew from the published code, not run from it"),
}


def main(names: list[str]) -> None:
    """Record the packages named, or all."""
    warnings.simplefilter("ignore")  # of the packages: none is about the values
    for name in names or PEERS:
        packages, cases, note = PEERS[name]
        head = {"versions": {one: version(one) for one in packages}, "note": note}
        lines = ",\n".join(json.dumps(case) for case in cases())
        text = json.dumps(head)[:-1] + ', "cases": [\n' + lines + "\n]}\n"
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{FOLDER / name}.json: {lines.count(chr(10)) + 1} cases")


if __name__ == "__main__":
    main(sys.argv[1:])
