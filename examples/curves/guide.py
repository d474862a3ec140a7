"""Draw the pictures of the guide to curves, docs/curves.md.

python examples/curves/guide.py
"""

from pathlib import Path

from loans import loans

from plumbline.curves import best_threshold, curve, curve_difference
from plumbline.plots import curve_figure, difference_figure, save_figure

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "curves"
PROFIT = "cumm(amount_requested ** 2 / 30 if eP else -amount_requested)"
MODELS = ("careful", "hasty")


def main() -> None:
    """Draw every picture from the table that the guide makes."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    data = loans(1000, models=MODELS)
    careful = data.select(model="careful")
    profit = curve(careful, x="threshold", y=PROFIT, y_title="profit")
    best = best_threshold(careful, PROFIT)
    apart = curve_difference(data, "precision-recall", models=MODELS[::-1])
    pictures = {
        "guide-roc": curve_figure(curve(data, "roc", band="bootstrap")),
        "guide-profit": curve_figure(profit, best=best),
        "guide-difference": difference_figure(apart),
    }
    for name, figure in pictures.items():
        save_figure(figure, PICTURES / f"{name}.svg")
    print(f"Drew {', '.join(pictures)} in {PICTURES}")


if __name__ == "__main__":
    main()
