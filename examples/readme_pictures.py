"""Draw the pictures of the README from the worked example.

plumbline demo && python examples/readme_pictures.py
"""

from pathlib import Path

from matplotlib.figure import Figure

import plumbline as pb
from plumbline import plots

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"


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


def null(data: pb.Predictions, model: str) -> Figure:
    """Return what true probabilities would score, beside what the model scored."""
    return plots.null_figure(pb.calibration_error(data.select(model=model)))


if __name__ == "__main__":
    digits = pb.read(ROOT / "demo" / "digits" / "predictions.parquet")
    tumours = pb.read(ROOT / "demo" / "breast-cancer" / "predictions.parquet")
    plots.save_figure(reliability(digits), PICTURES / "reliability.png")
    plots.save_figure(null(tumours, "random forest"), PICTURES / "null.png")
    print(f"Drew the pictures in {PICTURES}")
