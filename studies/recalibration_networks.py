"""Every recalibration method on held-out predictions, beside other packages'.

Fitted on the first half of the rows, measured on the second. `--network FILE` names .npz files of
`probs` and `labels`; without one, naive Bayes on scikit-learn's digits, whose rows are shuffled.
Other packages' numbers were recorded by scripts/record_recalibrators.py on the same halves. Writes
`results/recalibration_networks.md`.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

import plumbline as pb
from plumbline.recalibration import METHODS, fit_map

RESULTS = Path(__file__).parent / "results" / "recalibration_networks.md"
PEERS = Path(__file__).parents[1] / "tests" / "reference" / "peers" / "recalibrators.json"
COLUMNS = ("package", "method", "log loss", "Brier score", "ECE", "test p", "seconds")


def digits() -> pb.Predictions:
    """Return cross-validated predictions of naive Bayes on the digits, shuffled."""
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    p = cross_val_predict(GaussianNB(), X[order], y[order], cv=5, method="predict_proba")
    return pb.Predictions.from_arrays(y[order], p)


def network(file: Path) -> pb.Predictions:
    """Return the predictions of an .npz file."""
    found = np.load(file)
    return pb.Predictions.from_arrays(found["labels"], found["probs"], normalize=True)


def row_of(package: str, method: str, data: pb.Predictions, seconds: float) -> tuple[Any, ...]:
    """Return the numbers of a table as cells."""
    error = pb.calibration_error(data, view="top-label", bins="equal-width:15", resamples=0)
    p_value = pb.calibration_test(data).p_value
    scores = pb.log_loss(data), pb.brier_score(data)
    return (package, method, *scores, error.value, p_value, seconds)


def ours(data: pb.Predictions) -> Iterator[tuple[Any, ...]]:
    """Yield what every method of the table does, the advisor's choice last."""
    half = data.n // 2
    fit, test = data.select(where=np.arange(half)), data.select(where=np.arange(half, data.n))
    yield row_of("", "as it is", test, 0.0)
    for name in METHODS:
        start = time.process_time()
        fitted = fit_map(fit, name)
        spent = time.process_time() - start
        yield row_of("plumbline", name, fitted.applied(test), spent)
    start = time.process_time()
    chosen = pb.recalibrate(fit, "auto")
    spent = time.process_time() - start
    yield row_of("plumbline", f"auto ({chosen.method})", chosen.applied(test), spent)


def theirs(name: str) -> Iterator[tuple[Any, ...]]:
    """Yield what was recorded of other packages."""
    for case in json.loads(PEERS.read_text("utf-8")):
        if case["network"] == name:
            label = f"{case['method']} ({case['ours']})"
            if "error" in case:
                yield (f"{case['package']} {case['version']}", label, *["fails"] * 3, "", "")
                continue
            loss = np.inf if case["never"] else case["log_loss"]
            yield (
                f"{case['package']} {case['version']}",
                label,
                loss,
                case["brier_score"],
                case["ece"],
                "",
                "",
            )


def cell(value: Any) -> str:
    """Return a cell of the table."""
    return value if isinstance(value, str) else f"{value:.4g}" if value < 1e-3 else f"{value:.4f}"


def table(rows: Sequence[Sequence[Any]]) -> str:
    """Return a table in Markdown."""
    lines = [COLUMNS, ["---"] * len(COLUMNS), *([cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """Measure, and write the results."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--network", type=Path, action="append", default=[])
    files = asked.parse_args().network
    sources = {file.stem: network(file) for file in files} or {"digits, naive Bayes": digits()}
    command = " ".join(
        ["python studies/recalibration_networks.py", *(f"--network {file.name}" for file in files)]
    )
    parts = [
        f"# Recalibration methods side by side\n\n`{command}`: maps fitted on the first half of the"
        " rows, measured on the second. Seconds of processor time to fit; an infinite log loss: "
        "some true class had probability 0."
    ]
    for name, data in sources.items():
        rows = [*ours(data), *theirs(name)]
        parts.append(f"## {name}\n\n{data.n:,} rows, {data.k} classes\n\n{table(rows)}")
        print(parts[-1], flush=True)
    RESULTS.write_text("\n\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main()
