"""The worked example: three classifiers on two data sets, cross-validated, evaluated, reported."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline import Predictions, report
from plumbline._checks import need_extra
from plumbline.atomic_files import write_whole
from plumbline.errors import InputError
from plumbline.formatting import quoted
from plumbline.progress import Progress, share_of
from plumbline.random_streams import entropy_of
from plumbline.reporting import Evaluation

FOLDS = 10  # the usual number, for models and for draws
RESAMPLES = 999
HOSPITALS, PATIENTS = 12, 120  # of the invented example of sites
SETS = {
    "breast-cancer": ("load_breast_cancer", "Breast cancer: is a tumour malignant?"),
    "digits": ("load_digits", "Digits: which of ten was written?"),
}
GRID = """\
search = "grid"            # or "random" (with candidates = 20), or "halving"
scoring = "brier-score"
[params]
C = [0.01, 0.1, 1, 10]     # random: C = {distribution = "loguniform", low = 0.01, high = 10}
"""
PURPOSE = "the worked example"


@dataclass(frozen=True)
class Example:
    """One data set of the worked example: its files and its results."""

    title: str
    table: Path
    report: Path
    evaluation: Evaluation


def worked_examples(
    folder: str | Path, *, rng: int = 0, progress: Progress | None = None
) -> tuple[Example, ...]:
    """Run the worked example and write a prediction table and a report for each data set.

    Naive Bayes, a decision tree and a random forest under the same stratified 10-fold
    cross-validation, and the files that examples of `--help` read; needs the extras `sklearn` and
    `report`. Files already in `folder` are replaced, each whole or not at all. Raises InputError if
    the folder cannot be created.
    """
    need_extra("sklearn", "sklearn,report", PURPOSE)
    need_extra("jinja2", "sklearn,report", PURPOSE)
    need_extra("matplotlib", "sklearn,report", PURPOSE)
    seed = entropy_of(rng) % 2**32  # scikit-learn's seeds are 32 bits wide
    examples = []
    for place, (name, (loader, title)) in enumerate(SETS.items()):
        home = _folder(Path(folder) / name)
        start, stop = place / len(SETS), (place + 1) / len(SETS)
        middle = start + 0.6 * (stop - start)
        data = cross_validated(loader, seed, share_of(progress, start, middle))
        write_tables(data, home)
        answer = report(
            data,
            home / "report.html",
            title=title,
            file="predictions.parquet",
            resamples=RESAMPLES,
            rng=seed,
            progress=share_of(progress, middle, stop),
        )
        paths = home / "predictions.parquet", home / "report.html"
        examples.append(Example(title, *paths, answer.evaluation))
    return tuple(examples)


def write_tables(data: Predictions, folder: Path) -> None:
    """Write the predictions, and of two classes the other files that examples of `--help` read.

    `measurements.csv` holds features and class. `bayes.csv` and `forest.csv` hold the predictions
    of one model under column names of their own, and the size of the tumour. `holdout.csv` and
    `new.csv` hold those of naive Bayes for every other row, `grid.toml` hyper-parameters of a
    logistic regression, `stays.csv` invented predictions of patients in twelve hospitals.
    """
    data.write(folder / "predictions.parquet")
    if data.k > 2 or len(data.models) < 3:
        return
    write_whole(folder / "grid.toml", lambda part: part.write_text(GRID, "utf-8"))
    parts = data.by_model()
    bayes = parts["naive Bayes"]
    diagnosis = [data.classes[code] for code in bayes.actual]

    def write(name: str, columns: Mapping[str, Any]) -> None:
        lines = [columns, *zip(*columns.values(), strict=True)]
        text = "".join(",".join(map(str, line)) + "\n" for line in lines)
        write_whole(folder / name, lambda part: part.write_text(text, "utf-8"))

    write("measurements.csv", {**bayes.attributes, "diagnosis": diagnosis})
    rows = range(bayes.stored)
    radius = np.asarray(bayes.attributes["mean radius"])
    size = np.where(radius > np.median(radius), "large", "small").tolist()
    for name, model in (("bayes.csv", "naive Bayes"), ("forest.csv", "random forest")):
        risk = parts[model].need_prob("the example")[:, 1].tolist()
        write(name, {"row": rows, "diagnosis": diagnosis, "risk": risk, "size": size})
    write("stays.csv", _stays())
    prob = bayes.need_prob("the example")
    for name, some in (("holdout.csv", slice(0, None, 2)), ("new.csv", slice(1, None, 2))):
        columns = dict(
            zip((f"p:{one}" for one in data.classes), prob[some].T.tolist(), strict=True)
        )
        write(name, {"row": rows[some], "actual": diagnosis[some], **columns})


def _stays() -> dict[str, Any]:
    """Return invented predictions in hospitals where the event is more or less frequent."""
    rng = np.random.default_rng(0)
    hospital = np.repeat(np.arange(1, HOSPITALS + 1), PATIENTS)
    risk = rng.beta(2, 4, size=len(hospital)).round(3).clip(0.001, 0.999)
    odds = np.exp(rng.normal(0, 0.4, size=HOSPITALS + 1))[hospital] * risk / (1 - risk)
    died = np.where(rng.random(len(hospital)) < odds / (1 + odds), "yes", "no")
    names = [f"hospital {number:02}" for number in hospital]
    return {"hospital": names, "died": died.tolist(), "risk": risk.tolist()}


def cross_validated(loader: str, seed: int, progress: Progress | None = None) -> Predictions:
    """Return every model's predictions for rows it was not fitted on, with fold and attributes."""
    from sklearn import datasets

    bunch = getattr(datasets, loader)()
    actual = np.asarray(bunch.target_names).astype(str)[bunch.target]
    folds = list(_folds(bunch.data, actual))
    models = _models(seed)
    blocks = []
    for place, model in enumerate(models.values()):
        prob = np.empty((len(actual), len(bunch.target_names)))
        for number, (train, test) in enumerate(folds):
            fitted = model.fit(bunch.data[train], actual[train])
            prob[test] = fitted.predict_proba(bunch.data[test])
            if progress is not None:
                progress(place * FOLDS + number + 1, len(models) * FOLDS)
        blocks.append(prob)
    return _stacked(bunch, actual, folds, dict(zip(models, blocks, strict=True)))


def _folds(X: NDArray[Any], y: NDArray[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the rows to fit on and to predict.

    Unshuffled: the digits are ordered by writer, and a fold should hold writers that the classifier
    was not fitted on.
    """
    from sklearn.model_selection import StratifiedKFold

    yield from StratifiedKFold(FOLDS).split(X, y)


def _models(seed: int) -> dict[str, Any]:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    return {
        "naive Bayes": GaussianNB(),
        "decision tree": DecisionTreeClassifier(random_state=seed),
        "random forest": RandomForestClassifier(random_state=seed),
    }


def _stacked(
    bunch: Any, actual: NDArray[Any], folds: list[Any], prob: Mapping[str, NDArray[Any]]
) -> Predictions:
    """Stack the models' tables below each other; classes in scikit-learn's order, sorted."""
    times = len(prob)
    fold = np.empty(len(actual), np.int64)
    for number, (_, test) in enumerate(folds):
        fold[test] = number
    return Predictions.from_arrays(
        np.tile(actual, times),
        np.concatenate(list(prob.values())),
        classes=sorted(set(actual.tolist())),
        model=np.repeat(list(prob), len(actual)),
        fold=np.tile(fold, times),
        row=np.tile(np.arange(len(actual)), times),
        attributes={
            str(name): np.tile(bunch.data[:, column], times)
            for column, name in enumerate(bunch.feature_names)
        },
    )


def _folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"the folder {quoted(str(path))} cannot be created: {error.strerror}",
            code="not-writable",
        ) from error
    return path
