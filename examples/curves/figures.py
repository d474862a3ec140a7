"""Draw the figures of Biček (2009), the thesis on user-defined curves, and read them off.

python examples/curves/figures.py                       # those of its table and of loans
python examples/curves/figures.py --openml              # those of heart disease too, fetched
python examples/curves/figures.py --data FOLDER         # the same from a file
python examples/curves/figures.py 16 31 --out . --format png

Prints a line for every reading: figure, formulas, what the thesis reads, what came out. FOLDER
holds heart_disease/heart_disease.parquet, the 303 patients of Cleveland with the names that Orange
gives their columns; OpenML has the same patients as "heart-c". The thesis' loans are not
public; they are drawn by loans.py, whose readings need not be the thesis'. Everything
comes from fixed seeds. Figures 7 to 9 are pictures of a program; 32 is the rule on the last page,
which the thesis could not draw: who is expected to bring most is accepted first.
"""

import argparse
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from loans import loans as applications
from matplotlib.figure import Figure

import plumbline as pb
from plumbline import plots
from plumbline.curves import Curve, class_counts, curve

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "curves"
HEART = Path("heart_disease") / "heart_disease.parquet"
TARGET = "diameter narrowing"
FOLDS = 10
PAINS = {
    "typ_angina": "typical ang",
    "atyp_angina": "atypical ang",
    "asympt": "asymptomatic",
    "non_anginal": "non-anginal",
}  # OpenML's names -> Orange's

# Table 2 of the thesis, from Fawcett: twenty examples in falling order of their probability.
TABLE_ACTUAL = list("ppnpppnnpnpnpnnnpnpn")
TABLE_PROB = [
    *(0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505),
    *(0.505, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.30, 0.1),
]
RIGHT = (
    "1 if (probability >= {0} and actualClass == targetClass) "
    "or (probability < {0} and actualClass != targetClass) else 0"
)
MISSED = "1 if targetClass == actualClass and probability <= {} else 0"
PROFIT = "cumm((amount_requested ** 2 / 30) * eP - amount_requested * eN)"
EXPECTED = "probability * amount_requested ** 2 / 30 - (1 - probability) * amount_requested"

Read = Callable[[Curve], float]


@dataclass(frozen=True)
class Reading:
    """One number read off a figure: what it is, what the thesis reads, how to find it."""

    what: str
    thesis: str
    find: Read


@dataclass(frozen=True)
class Asked:
    """A figure: the rows it is of, its settings, what is read off it, further lines by name."""

    of: str  # "table", "heart" or "loans"
    settings: Mapping[str, Any]
    readings: Sequence[Reading] = ()
    beside: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


# ---------------------------------------------------------------- reading a curve


def highest(found: Curve) -> float:
    """Return the largest y."""
    return float(found.lines[0].y.max())


def where_highest(found: Curve) -> float:
    """Return x of the largest y, the first of equal ones."""
    line = found.lines[0]
    return float(line.x[line.y.argmax()])


def of_category(name: str) -> Read:
    """Return how to read y of a category."""
    return lambda found: float(
        found.lines[0].y[found.lines[0].x == found.x_names.index(name)].item()
    )


def near(value: float) -> Read:
    """Return how to read y at x, between the two nearest points."""
    return lambda found: float(np.interp(value, found.lines[0].x, found.lines[0].y))


def x_where(y: float) -> Read:
    """Return how to read the first x at which a rising curve has come up to y."""
    return lambda found: float(found.lines[0].x[(found.lines[0].y >= y).argmax()])


def threshold_where_x(x: float) -> Read:
    """Return how to read the threshold at which x first comes up to a value."""
    return lambda found: float(found.lines[0].threshold[(found.lines[0].x >= x).argmax()])


def met(threshold: float, *, line: int = 0, axis: str = "y") -> Read:
    """Return how to read an axis where every row of at least this sort value has been met."""
    return lambda found: float(
        getattr(found.lines[line], axis)[
            (found.lines[line].threshold >= threshold).nonzero()[0][-1]
        ]
    )


def y_where_x(x: float) -> Read:
    """Return how to read y at the first point whose x has come up to a value."""
    return lambda found: float(found.lines[0].y[(found.lines[0].x >= x).argmax()])


# ---------------------------------------------------------------- the figures


def by_age(threshold: float, *read: Reading) -> Asked:
    """Return the figure of the ill patients whom a threshold misses, by age."""
    title = f"share of patients missed at {threshold:g}"
    return Asked(
        "heart",
        {"x": "age", "y": MISSED.format(threshold), "average": "smooth", "y_title": title},
        read,
    )


def right(x: str, threshold: float, *read: Reading) -> Asked:
    """Return the figure of the right answers that a threshold gives."""
    titles = {
        "x_title": "all patients" if x == "1" else x,
        "y_title": f"share of right answers at {threshold:g}",
    }
    settings = {"x": x, "y": RIGHT.format(threshold), "average": "smooth", **titles}
    return Asked("heart", settings, read)


TYPICAL = of_category("typical ang")
MONEY = {"y_title": "profit in thousands"}
EXAMINED = {"x": "cum(1) / NN", "sort_by": "probability", "x_title": "share of patients examined"}
ACCEPTED = {"x": "cumm(1) / NN", "x_title": "share of applicants accepted"}
REALISED = {"x": "probability", "y": PROFIT, "sort_by": "probability", "merge": "none", **MONEY}
FIGURES: Mapping[str, Asked] = {
    "1": Asked(
        "table",
        {"x": "FPR", "y": "TPR"},
        [
            Reading("TPR where FPR comes to .4", "0.7", y_where_x(0.4)),
            Reading("points", "20", lambda found: float(len(found.lines[0]))),
        ],
    ),
    "2": Asked(
        "heart",
        {"preset": "precision-recall"},
        [
            Reading("precision at recall .5", "high", y_where_x(0.5)),
            Reading("precision at recall .95", "low", y_where_x(0.95)),
        ],
    ),
    "3": Asked(
        "heart",
        {"preset": "accuracy-by-probability"},
        [
            Reading("near probability .02", "best", near(0.02)),
            Reading("near .5", "worst", near(0.5)),
            Reading("near .98", "good", near(0.98)),
        ],
    ),
    "4": Asked(
        "loans",
        {"x": "probability", "y": f"cumm({EXPECTED})", **MONEY},
        [Reading("threshold of most profit", "0.35", where_highest)],
    ),
    "5": Asked(
        "heart",
        {"x": "FPR", "y": "TPR", "average": "vertical", "points": 21},
        [Reading("mean TPR at FPR .2", "-", near(0.2))],
    ),
    "6": Asked("heart", {"x": "FPR", "y": "TPR", "average": "threshold", "thresholds": 10}),
    "10": Asked(
        "heart",
        {"x": "chest_pain", "y": "eCA", "y_title": "share of right answers"},
        [Reading("typical ang", "0.58", TYPICAL)],
    ),
    "12": right("chest_pain", 0.99, Reading("typical ang", "0.65", TYPICAL)),
    "13": right(
        "chest_pain",
        1.0,
        Reading("typical ang", "0.70", TYPICAL),
        Reading("asymptomatic", "worse", of_category("asymptomatic")),
    ),
    "14": right("1", 1.0, Reading("all patients", "-", highest)),
    "15": right("1", 0.5, Reading("all patients", "far better", highest)),
    "16": Asked(
        "heart",
        {"x": "probability", "y": "CA"},
        [
            Reading("highest", "0.84", highest),
            Reading("threshold of it", "0.40", where_highest),
            Reading("at .50", "0.83", met(0.5)),
            Reading("at .99", "0.74", met(0.99)),
        ],
    ),
    "17": Asked("heart", {"preset": "roc"}),
    "18": Asked("heart", {"x": "probability", "y": "TPR"}, [Reading("at .30", "0.85", met(0.3))]),
    "19": Asked(
        "heart", {**EXAMINED, "y": "TPR"}, [Reading("examined for TPR .85", "half", x_where(0.85))]
    ),
    "20": Asked(
        "heart",
        {**EXAMINED, "y": "FN / P"},
        [Reading("examined at threshold .05", "0.68", met(0.05, axis="x"))],
    ),
    "21": Asked(
        "heart",
        {"x": "age", "y": "eCA", "average": "smooth"},
        [
            Reading("at age 40", "good", near(40)),
            Reading("at age 60", "worse", near(60)),
            Reading("at age 70", "good", near(70)),
        ],
    ),
    "23": by_age(0.5, Reading("highest", "0.12", highest)),
    "24": by_age(0.4, Reading("at age 60", "0.097", near(60))),
    "25": by_age(0.3, Reading("at age 60", "0.092", near(60))),
    "26": by_age(0.05, Reading("highest", "up to 0.05", highest)),
    "27": Asked(
        "loans",
        {"preset": "roc"},
        [
            Reading("threshold where FPR is .28", "0.50", threshold_where_x(0.28)),
            Reading("threshold where FPR is .63", "0.30", threshold_where_x(0.63)),
        ],
    ),
    "28": Asked(
        "loans",
        {"preset": "precision-recall"},
        [
            Reading("precision at recall .1", "good", y_where_x(0.1)),
            Reading("precision at recall .9", "worse", y_where_x(0.9)),
        ],
    ),
    "29": Asked(
        "loans",
        {"x": "probability", "y": "FPR"},
        [Reading("at .50", "0.28", met(0.5)), Reading("at .30", "0.63", met(0.3))],
    ),
    "30": Asked(
        "loans",
        {"x": "probability", "y": "TP + TN"},
        [Reading("threshold of most right", "0.54 or 0.48", where_highest)],
    ),
    "31": Asked(
        "loans",
        REALISED,
        [
            Reading("threshold of most profit", "0.30", where_highest),
            Reading("most profit", "-", highest),
        ],
        beside={"expected": {**REALISED, "y": f"cumm({EXPECTED})"}},
    ),
    "32": Asked(
        "loans",
        {**REALISED, **ACCEPTED, "sort_by": EXPECTED},
        [
            Reading("profit of p > 30 / (a + 30)", "better", met(0.0)),
            Reading("profit of p >= .3", "-", met(0.3, line=1)),
        ],
        beside={"by probability": {**REALISED, **ACCEPTED}},
    ),
}
FIRST_LINE = {"31": "realised", "32": "by expected profit"}
COUNTS = {"11": "chest pain", "22": "age"}


# ---------------------------------------------------------------- their rows


def table() -> pb.Predictions:
    """Return table 2 of the thesis."""
    return pb.Predictions.from_arrays(TABLE_ACTUAL, TABLE_PROB, classes=["n", "p"])


def loans(n: int = 5000, seed: int = 0) -> pb.Predictions:
    """Return loans whose most profitable threshold is 0.3."""
    return applications(n, rng=seed)


def patients_in(file: Path) -> Any:
    """Return the patients of a file."""
    from pyarrow import parquet

    return parquet.read_table(file).to_pandas()


def patients_of_openml() -> Any:
    """Return the patients that scikit-learn fetches from OpenML, under the names of the figures."""
    from sklearn.datasets import fetch_openml

    frame = fetch_openml("heart-c", version=1, as_frame=True, parser="liac-arff").frame
    ill = frame.pop("num").astype(str).str.contains(">").astype(int)
    frame = frame.rename(columns={"cp": "chest pain"})
    frame["chest pain"] = frame["chest pain"].astype(str).map(PAINS)
    few = [name for name in frame if frame[name].nunique() <= 5]
    frame[few] = frame[few].astype(object).where(frame[few].notna(), "?").astype(str)
    return frame.assign(**{TARGET: ill})


def heart(frame: Any, seed: int = 0) -> pb.Predictions:
    """Return naive Bayes' cross-validated predictions of heart disease, target "1".

    Numbers are cut into four groups of equal size, a missing value is a category of its own, and
    P(value | class) is the Laplace estimate (n_vc + 1) / (n_c + values). Orange, which the thesis
    used, takes (n_vc + 1) / (n_v + classes) for P(class | value) instead and leaves missing
    values out.
    """
    from sklearn.model_selection import StratifiedKFold

    y, X = frame[TARGET].to_numpy(), frame.drop(columns=TARGET)
    prob, fold = np.empty((len(y), 2)), np.empty(len(y), int)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    for number, (train, test) in enumerate(folds.split(X, y)):
        with warnings.catch_warnings():  # a third of the ST depressions are 0: two groups are one
            warnings.filterwarnings("ignore", "Bins whose width are too small", UserWarning)
            model = naive_bayes(X).fit(X.iloc[train], y[train])
        prob[test], fold[test] = model.predict_proba(X.iloc[test]), number
    attributes = {str(name): X[name].to_numpy() for name in X}
    return pb.Predictions.from_arrays(
        y, prob, classes=["0", "1"], fold=fold, row=np.arange(len(y)), attributes=attributes
    )


def naive_bayes(X: Any) -> Any:
    """Return a naive Bayes classifier of numbers in four groups and of categories."""
    from sklearn.compose import make_column_transformer
    from sklearn.naive_bayes import CategoricalNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder

    few = [name for name in X if X[name].nunique() <= 5]
    groups = KBinsDiscretizer(4, encode="ordinal", quantile_method="averaged_inverted_cdf")
    values = [sorted(X[name].unique()) for name in few]  # a fold may lack one
    many = [name for name in X if name not in few]
    columns = make_column_transformer((groups, many), (OrdinalEncoder(categories=values), few))
    return make_pipeline(
        columns, CategoricalNB(min_categories=[*[4] * len(many), *map(len, values)])
    )


# ---------------------------------------------------------------- the program


def drawn(number: str, data: pb.Predictions) -> Curve:
    """Return the curve of a figure."""
    asked = FIGURES[number]
    first = curve(data, **asked.settings)
    if not asked.beside:
        return first
    others = {name: curve(data, **settings) for name, settings in asked.beside.items()}
    parts = {FIRST_LINE[number]: first, **others}
    lines = [replace(part.lines[0], model=name) for name, part in parts.items()]
    return replace(first, lines=lines)


def readings(number: str, found: Curve) -> dict[str, float]:
    """Return what is read off a figure, by name."""
    return {reading.what: reading.find(found) for reading in FIGURES[number].readings}


def picture(number: str, data: pb.Predictions) -> Figure:
    """Return a figure as it is drawn."""
    if number in COUNTS:
        return plots.class_counts_figure(class_counts(data, COUNTS[number]))
    return plots.curve_figure(drawn(number, data))


def lines_of(number: str, found: Curve) -> list[str]:
    """Return the printed lines of a figure: formulas, then thesis and found value by reading."""
    values = readings(number, found)
    head = f"figure {number}: x = {found.settings.x}; y = {found.settings.y}"
    return [
        head,
        *(
            f"    {r.what:<28} thesis {r.thesis:<12} here {values[r.what]:.4g}"
            for r in FIGURES[number].readings
        ),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the figures that are asked for and print what is read off them."""
    parser = argparse.ArgumentParser(description="Draw the figures of Biček (2009).")
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help="numbers (default: all)")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="where heart_disease/ lies")
    parser.add_argument("--openml", action="store_true", help="fetch the patients (network)")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="FOLDER")
    parser.add_argument("--format", choices=["svg", "png", "pdf"], default="svg")
    chosen = parser.parse_args(arguments)
    known = [*FIGURES, *COUNTS]
    if unknown := set(chosen.figures) - set(known):
        parser.error(f"no figure {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    data = {"table": table(), "loans": loans(seed=chosen.seed)}
    if chosen.data is not None:
        data["heart"] = heart(patients_in(chosen.data / HEART), chosen.seed)
    elif chosen.openml:
        data["heart"] = heart(patients_of_openml(), chosen.seed)
    chosen.out.mkdir(parents=True, exist_ok=True)
    for number in chosen.figures or known:
        of = "heart" if number in COUNTS else FIGURES[number].of
        if of not in data:
            print(f"figure {number}: needs --openml or --data")
            continue
        name = f"figure-{number.rjust(2, '0')}.{chosen.format}"
        plots.save_figure(picture(number, data[of]), chosen.out / name)
        if number in FIGURES:
            print("\n".join(lines_of(number, drawn(number, data[of]))))


if __name__ == "__main__":
    main()
