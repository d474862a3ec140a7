"""Titles, axes, legends and notes of pictures, word by word."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from plumbline import (
    Predictions,
    calibration_error,
    compare,
    confusion_matrix,
    curve,
    reliability_curve,
)
from plumbline.calibration_tests import count_test
from plumbline.comparison import friedman
from plumbline.curves import class_counts, curve_difference
from plumbline.plots import (
    comparison_figure,
    confusion_figure,
    curve_figure,
    draw_class_counts,
    draw_count_null,
    draw_difference,
    draw_null,
    map_figure,
    ranks_figure,
    reliability_figure,
)
from plumbline.recalibration import fit_map
from snapshots import same_words

N = 150
RNG = np.random.default_rng(5)
PROB = RNG.random(N).round(2)
EVENT = RNG.random(N) < PROB
AGE = np.where(np.arange(N) % 50 == 0, np.nan, np.arange(N) % 60 + 18.0)
ONE = Predictions.from_arrays(EVENT.astype(int), PROB, attributes={"age": AGE})
TWO = Predictions.from_arrays(
    np.tile(EVENT.astype(int), 2),
    np.concatenate([PROB, PROB**2]),
    model=["A"] * N + ["B"] * N,
    row=np.tile(np.arange(N), 2),
)


def words_of(figure):
    """Return all that is written in a figure but the numbers at the ticks."""
    words = []
    for ax in figure.axes:
        titles = {ax.get_title(loc=place) for place in ("left", "center", "right")} - {""}
        words += [f"title: {title}" for title in sorted(titles)]
        across = ax.xaxis.label
        words += [
            f"across: {across.get_text() if across.get_visible() else ''}",
            f"upright: {ax.get_ylabel()}",
        ]
        words += [f"legend: {label}" for label in ax.get_legend_handles_labels()[1]]
        words += [f"text: {text.get_text()}" for text in ax.texts]
    for legend in figure.legends:
        words += [f"legend: {text.get_text()}" for text in legend.get_texts()]
    note = " ".join(text.get_text() for text in reversed(figure.texts))
    return list(dict.fromkeys(words)) + [f"note: {note}"] * bool(note)


def drawn(draw, *values, **options):
    """Return a figure with one pair of axes, drawn by a function."""
    figure = Figure()
    draw(*values, figure.subplots(), **options)
    return figure


def test_pictures_say_what_the_snapshot_holds():
    """One picture of each kind, of small tables."""
    three = RNG.dirichlet([1, 1, 1], 60)
    classes = Predictions.from_arrays(three.argmax(axis=1), three, classes=[0, 1, 2])
    figures = {
        "ROC curves": curve_figure(curve(TWO, "roc")),
        "points left out": curve_figure(curve(ONE, x="threshold", y="age")),
        "no point": curve_figure(curve(ONE, x="threshold", y="age / 0")),
        "difference": drawn(draw_difference, curve_difference(TWO, "roc", resamples=39)),
        "reliability": reliability_figure(reliability_curve(ONE, resamples=39)),
        "top label": reliability_figure(reliability_curve(classes, resamples=39)),
        "null": drawn(draw_null, calibration_error(ONE, resamples=99)),
        "comparison": comparison_figure(compare(TWO, metrics=["accuracy", "log-loss"]).pairs),
        "ranks": ranks_figure(friedman(RNG.random((8, 3)), ["a", "b", "c"], better="higher")),
        "confusion": confusion_figure(confusion_matrix(classes)),
        "map": map_figure(fit_map(ONE, "platt")),
        "maps": map_figure(fit_map(classes, "isotonic")),
        "classes": drawn(draw_class_counts, class_counts(ONE, "age", bins=4), show="shares"),
        "count": drawn(draw_count_null, count_test(8, 10, probability=1 / 6)),
    }
    words = {title: words_of(figure) for title, figure in figures.items()}
    same_words(Path(__file__).with_name("snapshots") / "pictures.txt", words)
