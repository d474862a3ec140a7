"""Are real classifiers calibrated, and which test notices? Rejection rates on held-out points.

Six kinds of classifier on scikit-learn's digits and on the files that are given: held-out
predictions of five folds, shuffled and cut into blocks. `--covertype FILE` and `--credit FILE` are
tables (CSV or Parquet) with the class in the column `Cover_Type` or `Status`; `--network FILE` is
an .npz file of `probs` and `labels`. Writes `results/real_classifiers.md`.
"""

import argparse
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from plumbline import Predictions
from plumbline.calibration_errors import TESTS
from plumbline.power import Grid, GridTest, Sizes, placements_of, rejections, usual_draws
from plumbline.power.grid import DISTANCES, VIEWS
from plumbline.random_streams import stream

RESULTS = Path(__file__).parent / "results"
MOST_ROWS = 6_000
LEVEL, GRID_RESAMPLES = 0.05, 100
IDENTITIES = ("rownames",)  # numbers of rows, which say nothing
TARGETS = {"covertype": "Cover_Type", "credit": "Status"}
MODELS: Mapping[str, Any] = {
    "naive Bayes": GaussianNB(),
    "15 nearest neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(15)),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
    "tree, 50 a leaf": DecisionTreeClassifier(min_samples_leaf=50, random_state=0),
    "forest, 100 trees": RandomForestClassifier(100, random_state=0),
    "boosting": HistGradientBoostingClassifier(max_iter=40, random_state=0),
}
Held = tuple[str, str, np.ndarray, np.ndarray]  # data, classifier, (n, k) prob, (n,) labels


def held_out(data: str, X: np.ndarray, y: np.ndarray) -> Iterator[Held]:
    """Yield the predictions of every classifier for rows it was not fitted on."""
    order = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
    labels = np.unique(y[order], return_inverse=True)[1].astype(np.int32)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    for name, model in MODELS.items():
        whole = make_pipeline(SimpleImputer(strategy="median"), model)
        prob = cross_val_predict(whole, X[order], labels, cv=folds, method="predict_proba")
        yield data, name, prob, labels


def sources(asked: argparse.Namespace) -> Iterator[Held]:
    """Yield the held-out predictions of all classifiers on all data."""
    yield from held_out("digits", *load_digits(return_X_y=True))
    for name, target in TARGETS.items():
        file = getattr(asked, name)
        if file is not None:
            frame = pd.read_csv(file) if file.suffix == ".csv" else pd.read_parquet(file)
            X = pd.get_dummies(frame.drop(columns=[target, *IDENTITIES], errors="ignore")).to_numpy(
                np.float64
            )
            yield from held_out(name, X, frame[target].to_numpy())
    for file in asked.network:
        with np.load(file) as arrays:
            order = np.random.default_rng(0).permutation(len(arrays["labels"]))
            prob = arrays["probs"][order].astype(np.float64)
            labels = arrays["labels"].ravel()[order].astype(np.int32)
        yield file.stem, "network", prob / prob.sum(axis=1, keepdims=True), labels


def rates(held: Held, points: int, most: int) -> list[dict[str, Any]]:
    """Return the share of blocks on which each named test and each setting of the grid rejects."""
    data, classifier, prob, labels = held
    blocks = min(most, len(labels) // points)
    if blocks == 0:
        return []
    k = prob.shape[1]
    cut = prob[: blocks * points].reshape(blocks, points, k)
    own = labels[: blocks * points].reshape(blocks, points)
    accuracy = float((prob.argmax(axis=1) == labels).mean())
    about = {
        "data": data,
        "classifier": classifier,
        "classes": k,
        "accuracy": round(accuracy, 3),
        "points": points,
        "blocks": blocks,
    }
    names = [str(c) for c in range(k)]
    found = []
    for test in TESTS:
        hits = [
            rejections(
                [Predictions.from_arrays(np.asarray(names)[y], p, classes=names)],
                test,
                level=LEVEL,
                resamples=usual_draws(test, LEVEL),
                seed=j,
            )[0]
            for j, (p, y) in enumerate(zip(cut, own, strict=True))
        ]
        found.append({**about, "test": test, "rate": float(np.mean(hits))})
    sizes = Sizes(points, blocks, GRID_RESAMPLES, LEVEL)
    grid = Grid(VIEWS, placements_of("thesis"), DISTANCES, GRID_RESAMPLES, LEVEL, None)
    asked = GridTest(grid, "thesis")
    for row in asked.rows(0, asked.rejections((cut, own), stream(0, points)), sizes.datasets):
        name = f"{row['view']} ECE {row['distance']} {row['placement']}:{row['bins']}"
        found.append({**about, "test": name, "rate": row["power"]})
        found.append({**about, "test": name + ", lower tail", "rate": row["power_lower"]})
    return found


def text(rows: list[dict[str, Any]], points: int) -> Iterator[str]:
    """Yield the table of the named tests, and of the best and the usual settings of the grid."""
    here = [row for row in rows if row["points"] == points]
    if not here:
        return
    usual = [
        "cw ECE absolute equal-size:100",
        "cw ECE absolute equal-size:100, lower tail",
        "cw ECE log equal-size:100",
        "cf ECE absolute equal-width:10",
    ]
    columns = [*TESTS, *usual]
    yield f"## Blocks of {points} points\n"
    yield line("data", "classifier", "k", "accuracy", "blocks", *columns, "best of the grid")
    yield line(*["---"] * (6 + len(columns)))
    for key in dict.fromkeys((row["data"], row["classifier"]) for row in here):
        own = {row["test"]: row for row in here if (row["data"], row["classifier"]) == key}
        first = next(iter(own.values()))
        best = max((r for r in own.values() if " ECE " in r["test"]), key=lambda r: r["rate"])
        yield line(
            *key,
            first["classes"],
            first["accuracy"],
            first["blocks"],
            *(f"{own[name]['rate']:.2f}" for name in columns),
            f"{best['rate']:.2f} ({best['test']})",
        )
    yield ""


def line(*cells: object) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Fit, test and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--covertype", type=Path)
    parser.add_argument("--credit", type=Path)
    parser.add_argument("--network", type=Path, action="append", default=[])
    parser.add_argument("--blocks", type=int, default=40, help="at most, of each size")
    asked = parser.parse_args()
    rows = []
    for held in sources(asked):
        start = time.perf_counter()
        for points in (100, 400):
            rows += rates(held, points, asked.blocks * 100 // points)
        print(*held[:2], f"{time.perf_counter() - start:.0f} s", flush=True)
    head = [
        "# Real classifiers",
        "",
        f"By `python studies/real_classifiers.py` with its data files, at most {asked.blocks} "
        f"blocks, on {time.strftime('%Y-%m-%d')}. Share of blocks that a test rejects at level "
        f"{LEVEL}; {usual_draws('omnibus', LEVEL)} resamples for the omnibus, "
        f"{usual_draws('ece', LEVEL)} for the other tests, {GRID_RESAMPLES} for the grid of "
        "calibration errors. The best of the grid is the largest of its 408 shares, so it "
        "flatters. A share of 40 blocks has a standard error of up to 0.08.",
        "",
    ]
    tables = [*text(rows, 100), *text(rows, 400)]
    (RESULTS / "real_classifiers.md").write_text("\n".join([*head, *tables]), "utf-8")


if __name__ == "__main__":
    main()
