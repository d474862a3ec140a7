"""Draw the pictures of the README and of the first page of the documentation.

plumbline demo && python examples/readme_pictures.py
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import plumbline as pb
from plumbline import plots

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
sys.path.append(str(ROOT / "examples" / "curves"))

from loans import loans  # noqa: E402


def perfect(rows: int = 1000) -> pb.Predictions:
    """Return predictions of a calibrated model: labels are drawn from the predictions."""
    rng = np.random.default_rng(0)
    predicted = rng.beta(2, 5, rows)
    return pb.Predictions.from_arrays(rng.random(rows) < predicted, predicted)


def reliability(data: pb.Predictions) -> Figure:
    """Return the reliability diagrams of all models side by side."""
    figure = Figure(figsize=(10.5, 4.1))
    places = {"left": 0.06, "right": 0.99, "bottom": 0.22, "top": 0.92, "wspace": 0.25}
    axes = figure.subplots(1, len(data.models), gridspec_kw=places)
    for model, ax in zip(data.models, axes, strict=True):
        curve = pb.reliability_curve(data.select(model=model), bins="equal-width:10")
        plots.draw_reliability(curve, ax, title=False)
        ax.set_title(model)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=len(labels), frameon=False)
    return figure


def thumbnail(draw: Callable[[Axes], None], label: str) -> Figure:
    """Return a small picture without title and legend."""
    figure = Figure(figsize=(3.2, 2.4), layout="constrained")
    ax = figure.subplots()
    draw(ax)
    ax.set_title("")
    if (legend := ax.get_legend()) is not None:
        legend.remove()
    ax.set_xlabel(label, fontsize=9)
    ax.yaxis.label.set_fontsize(9)
    ax.tick_params(labelsize=7)
    return figure


def thumbnails(digits: pb.Predictions, tumours: pb.Predictions) -> dict[str, Figure]:
    """Return one small picture for each question of the README, by the name of its file."""
    forest, bayes = digits.select(model="random forest"), tumours.select(model="naive Bayes")
    pairs = pb.compare(tumours).pairs
    methods = ["temperature", "beta", "isotonic", "histogram-equal-size", "prior-shift"]
    advice = pb.recalibration_advice(bayes, methods=methods)
    applications = loans(1000)
    profit = pb.curve(
        applications,
        x="threshold",
        y="cumm(amount_requested ** 2 / 30 if eP else -amount_requested)",
    )
    groups = pb.calibration_by(bayes, "mean texture")
    error = pb.calibration_error(tumours.select(model="random forest"))
    curve = pb.reliability_curve(forest, bins="equal-width:10")
    draw: dict[str, tuple[str, Callable[[Axes], None]]] = {
        "calibrated": (
            "mean prediction",
            lambda ax: plots.draw_reliability(curve, ax, title=False),
        ),
        "error": ("ECE", lambda ax: plots.draw_null(error, ax, title=False)),
        "better": (
            "difference of Brier scores",
            lambda ax: plots.draw_comparisons(pairs, ax, title=False),
        ),
        "recalibrate": (
            "change of the log loss",
            lambda ax: plots.draw_methods(advice, ax, title=False),
        ),
        "threshold": ("threshold", lambda ax: plots.draw_curve(profit, ax, title=False)),
        "groups": (
            "observed - predicted, by texture",
            lambda ax: plots.draw_groups(groups, ax),
        ),
    }
    figures = {name: thumbnail(one, label) for name, (label, one) in draw.items()}
    figures["threshold"].axes[0].set_ylabel("profit", fontsize=9)
    return figures


if __name__ == "__main__":
    digits = pb.read(ROOT / "demo" / "digits" / "predictions.parquet")
    tumours = pb.read(ROOT / "demo" / "breast-cancer" / "predictions.parquet")
    plots.save_figure(reliability(digits), PICTURES / "reliability.svg")
    null = plots.null_figure(pb.calibration_error(perfect()))
    null.axes[0].set_xlabel("ECE on 1,000 rows")
    plots.save_figure(null, PICTURES / "null.svg")
    for name, figure in thumbnails(digits, tumours).items():
        plots.save_figure(figure, PICTURES / "questions" / f"{name}.svg")
    print(f"Drew the pictures in {PICTURES}")
