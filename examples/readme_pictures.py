"""Draw the pictures of the README and of the first page of the documentation.

plumbline demo && python examples/readme_pictures.py
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import plumbline as pb
from plumbline import plots

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"


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


def thumbnail(draw: Callable[[Axes], None]) -> Figure:
    """Return a small picture without title and legend."""
    figure = Figure(figsize=(3.2, 2.4), layout="constrained")
    ax = figure.subplots()
    draw(ax)
    ax.set_title("")
    if (legend := ax.get_legend()) is not None:
        legend.remove()
    for name in (ax.xaxis, ax.yaxis):
        name.label.set_fontsize(8)
    ax.tick_params(labelsize=7)
    return figure


def thumbnails(data: pb.Predictions) -> dict[str, Figure]:
    """Return one small picture for each question of the README, by the name of its file."""
    forest, bayes = data.select(model="random forest"), data.select(model="naive Bayes")
    pairs = pb.compare(data).pairs
    advice = pb.recalibration_advice(bayes)
    profit = pb.curve(bayes, x="threshold", y="cumm(5 if eP else -1)")
    groups = pb.calibration_by(bayes, "mean texture")
    draw: dict[str, Callable[[Axes], None]] = {
        "calibrated": lambda ax: plots.draw_reliability(
            pb.reliability_curve(bayes, bins="equal-size:8"), ax, title=False
        ),
        "error": lambda ax: plots.draw_null(pb.calibration_error(forest), ax, title=False),
        "better": lambda ax: plots.draw_comparisons(pairs, ax, title=False),
        "recalibrate": lambda ax: plots.draw_methods(advice, ax, title=False),
        "threshold": lambda ax: plots.draw_curve(profit, ax, title=False),
        "groups": lambda ax: plots.draw_groups(groups, ax),
    }
    return {name: thumbnail(one) for name, one in draw.items()}


if __name__ == "__main__":
    digits = pb.read(ROOT / "demo" / "digits" / "predictions.parquet")
    tumours = pb.read(ROOT / "demo" / "breast-cancer" / "predictions.parquet")
    plots.save_figure(reliability(digits), PICTURES / "reliability.png")
    plots.save_figure(plots.null_figure(pb.calibration_error(perfect())), PICTURES / "null.svg")
    for name, figure in thumbnails(tumours).items():
        plots.save_figure(figure, PICTURES / "questions" / f"{name}.svg")
    print(f"Drew the pictures in {PICTURES}")
