"""Confusion matrices, one or several: actual classes downwards, predicted classes to the right."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline._checks import one_of
from plumbline.formatting import amount, capital, counted
from plumbline.plots import style
from plumbline.plots.display import displayed
from plumbline.plots.fonts import find_fonts
from plumbline.plots.style import lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from plumbline.confusion import ConfusionMatrix
    from plumbline.confusion.matrix import By


CELL, SIDE, LARGEST = 0.95, 5.2, 8.0  # inches of a cell; of all cells; of very many
LEAST = 0.08  # inches of a cell, where there are very many
LETTER = 0.0082  # inches a letter is wide, for each point of its size
POINTS = 72.0  # an inch
SIZES = 4.8, 9.0  # points of the smallest and of the largest numbers in cells
NAME_SIZE = 8.5
FEW = 30  # classes whose cells have room between them
PALE = 0.6  # opacity of the fullest colour where numbers stand on it
SMALLEST = 2.3  # inches of all cells of two classes
WHOLE = {"actual": "actual class", "predicted": "predicted class", "all": "whole table"}

MATRICES_ACROSS = 3  # matrices beside each other
WIDE, TALL = 1.4, 1.1  # inches of names and titles around the cells of one
FOOT, TITLE_LETTER = 0.35, 0.065  # inches of the note below all; of one of its letters


@displayed
def draw_confusion(
    matrix: "ConfusionMatrix", ax: "Axes", *, normalize: "By | None" = None
) -> dict[str, Any]:
    """Draw the cells of a confusion matrix: actual classes downwards, predicted ones to the right.

    Blue cells are right, orange ones wrong; the opacity grows with the square root of the count, or
    of the share, below which the count then stands. Numbers are left out where cells are too small
    for them; a share of nothing is a grey cell.

    Parameters
    ----------
    matrix : ConfusionMatrix
        What `confusion_matrix` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    normalize : {"actual", "predicted", "all"}, optional
        Draw shares of each actual class, of each predicted one, or of all rows, as in
        `ConfusionMatrix.normalized`; by default counts.

    Returns
    -------
    Display
        The axes. Its `drawn_` says what the colours mean: `largest`, the value of the fullest
        colour, and whether cells have `numbers`.

    Raises
    ------
    ParameterError
        For another `normalize`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline.confusion.matrix import ConfusionMatrix
    >>> matrix = ConfusionMatrix.from_counts(
    ...     [[130, 12], [2, 6]], classes=["no", "yes"], rows="actual"
    ... )
    >>> ax = Figure().subplots()
    >>> draw_confusion(matrix, ax).drawn_["largest"]
    130.0
    >>> ax.get_ylabel(), [text.get_text() for text in ax.texts]
    ('actual class', ['130', '12', '2', '6'])
    """
    if normalize is not None:
        one_of("normalize", normalize, WHOLE)
    value = np.asarray(matrix.counts if normalize is None else matrix.normalized(normalize))
    k = len(matrix.classes)
    undefined = np.isnan(value)
    largest = float(np.where(undefined, 0.0, value).max(initial=0.0)) or 1.0
    texts = _texts(matrix.counts, value, shares=normalize is not None)
    size = _size(ax, texts)
    root = np.sqrt(np.maximum(value, 0.0) / largest)
    limit = 1 / (PALE if size else 1.0)
    ax.pcolormesh(
        np.where(np.eye(k, dtype=bool), -root, root),
        cmap=style.diverging(),
        vmin=-limit,
        vmax=limit,
    )
    for row in np.flatnonzero(undefined.all(axis=1)).tolist():
        ax.axhspan(row, row + 1, color=style.GRID, linewidth=0)
    for column in np.flatnonzero(undefined.all(axis=0)).tolist():
        ax.axvspan(column, column + 1, color=style.GRID, linewidth=0)
    label = {axis: f"{axis} class" for axis in ("actual", "predicted")}
    if normalize in label:
        label[normalize] += " (100 % each)"
    ax.set(xlim=(0, k), ylim=(k, 0), xlabel=label["predicted"], ylabel=label["actual"])
    _names(matrix, ax)
    _lines(ax, k)
    if size:
        _write(ax, texts, size)
    return {"largest": largest, "numbers": bool(size)}


def confusion_figure(matrix: "ConfusionMatrix", *, normalize: "By | None" = None) -> "Figure":
    """Return `draw_confusion` as a picture of its own, which says how to read it.

    Parameters
    ----------
    matrix : ConfusionMatrix
        What `confusion_matrix` returned.
    normalize : {"actual", "predicted", "all"}, optional
        Draw shares of each actual class, of each predicted one, or of all rows, as in
        `ConfusionMatrix.normalized`; by default counts.

    Returns
    -------
    matplotlib.figure.Figure
        The cells, with how to read them below.

    Raises
    ------
    ParameterError
        For another `normalize`.

    Examples
    --------
    >>> from plumbline.confusion.matrix import ConfusionMatrix
    >>> matrix = ConfusionMatrix.from_counts(
    ...     [[130, 12], [2, 6]], classes=["no", "yes"], rows="actual"
    ... )
    >>> confusion_figure(matrix, normalize="actual").axes[0].get_ylabel()
    'actual class (100 % each)'
    """
    side = side_of(matrix)
    with style.figure_style():
        figure = style.new_figure(side, side)
        ax = figure.add_axes((0, 0, 1, 1))
        meaning = draw_confusion(matrix, ax, normalize=normalize).drawn_
        title = "Confusion matrix" if matrix.model is None else style.short_name(matrix.model)
        ax.set_title(title, **style.PLAIN)
        if not meaning["numbers"]:
            shares = normalize is not None
            whole = not shares and bool((np.mod(matrix.counts, 1) == 0).all())
            _key(ax, meaning["largest"], shares=shares, whole=whole)
        lay_out(figure, side, side, notes=confusion_notes(matrix, meaning, normalize))
    return figure


def side_of(matrix: "ConfusionMatrix") -> float:
    """Return the inches of a side of all cells."""
    k = len(matrix.classes)
    return min(max(CELL * k, SMALLEST), max(SIDE, min(LARGEST, LEAST * k)))


def _texts(counts: "NDArray[Any]", value: "NDArray[Any]", *, shares: bool) -> list[list[str]]:
    """Return what every cell says: the count, or the share with the count below it."""
    scale = float(counts.sum())
    if not shares:
        return [[amount(cell, scale=scale) for cell in row] for row in counts.tolist()]
    return [
        [
            _share(part) + (f"\n{amount(cell, scale=scale)}" if cell else "")
            for cell, part in zip(*row, strict=True)
        ]
        for row in zip(counts.tolist(), value.tolist(), strict=True)
    ]


def _share(value: float) -> str:
    """Return a share in per cent with a digit after the point where it is small.

    >>> [_share(value) for value in (0.0, 0.00012, 0.0451, 0.4512, 1.0)]
    ['0 %', '<0.1 %', '4.5 %', '45 %', '100 %']
    """
    if math.isnan(value):
        return "–"
    if 0 < value < 0.0005:
        return "<0.1 %"
    return f"{100 * value:.{1 if 0 < value < 0.0995 else 0}f} %"


def _size(ax: "Axes", texts: list[list[str]]) -> float:
    """Return the points of the largest letters that fit into the cells; 0 where none do."""
    box, dpi = ax.get_window_extent(), ax.get_figure(root=True).get_dpi()  # type: ignore[union-attr]
    wide, tall = box.width / dpi / len(texts), box.height / dpi / len(texts)
    lines = [line for row in texts for text in row for line in text.split("\n")]
    deep = max(text.count("\n") for row in texts for text in row) + 1
    size = min(0.9 * wide / (LETTER * max(map(len, lines))), 0.85 * tall * POINTS / (1.2 * deep))
    least, most = SIZES
    return min(size, most) if size >= least else 0.0


def _write(ax: "Axes", texts: list[list[str]], size: float) -> None:
    """Write the numbers into the cells; what is zero steps back."""
    for row, line in enumerate(texts):
        for column, text in enumerate(line):
            colour = style.MUTED if text in ("0", "0 %", "–") else style.INK
            ax.text(
                column + 0.5,
                row + 0.5,
                text,
                ha="center",
                va="center",
                color=colour,
                fontsize=size,
                linespacing=1.2,
                **style.PLAIN,
            )


def _names(matrix: "ConfusionMatrix", ax: "Axes") -> None:
    """Write the names of the classes at both axes, of very many only some."""
    k = len(matrix.classes)
    box, dpi = ax.get_window_extent(), ax.get_figure(root=True).get_dpi()  # type: ignore[union-attr]
    wide, tall = box.width / dpi / k, box.height / dpi / k
    size = max(6.0, min(NAME_SIZE, 0.8 * tall * POINTS))
    every = math.ceil(1.25 * size / POINTS / tall)
    names = [style.short_name(name) for name in matrix.classes]
    upright = max(map(len, names)) * LETTER * size > 0.95 * wide
    props: dict[str, Any] = {"fontsize": size, **style.PLAIN}
    middles = np.arange(k)[::every] + 0.5
    ax.set_yticks(middles, names[::every], **props)
    ax.set_xticks(middles, names[::every], rotation=90 if upright else 0, **props)
    ax.tick_params(length=0)


def _lines(ax: "Axes", k: int) -> None:
    """Part the cells by thin lines, and frame them all."""
    few = k <= FEW
    props: dict[str, Any] = {"color": style.PAPER if few else style.GRID, "zorder": 1.5}
    props["linewidth"] = 0.8 if few else 0.2
    ax.hlines(np.arange(1, k), 0, k, **props)
    ax.vlines(np.arange(1, k), 0, k, **props)
    for spine in ax.spines.values():
        spine.set(visible=True, color=style.GRID, linewidth=0.7)


def _key(ax: "Axes", largest: float, *, shares: bool, whole: bool) -> None:
    """Add squares to the legend that say what the colours are worth."""
    values = [part * largest for part in (0.04, 0.25, 1.0)]
    if whole:  # no cell has half a row
        values = sorted({max(1.0, float(round(value))) for value in values})
    for colour, word in ((style.POINT, "right"), (style.GAP, "wrong")):
        for value in values:
            value_text = _share(value) if shares else amount(value, scale=largest)
            ax.scatter(
                [],
                [],
                marker="s",
                s=50,
                color=colour,
                alpha=math.sqrt(value / largest),
                linewidth=0,
                label=f"{word}, {value_text}",
            )


def confusion_notes(
    matrix: "ConfusionMatrix", meaning: dict[str, Any], normalize: "By | None"
) -> list[str]:
    """Return how to read the picture, of which rows it is, and what decided."""
    weights = float(matrix.counts.sum())
    total = f"weights of {amount(weights, scale=weights)} in all"
    if matrix.n is not None:
        rows = counted(matrix.n, "row")
        total = f"{rows} with {total}" if matrix.weighted else rows
    notes = [
        f"{capital(total)}, decided by {matrix.decision}." if matrix.n else f"{capital(total)}."
    ]
    if normalize is not None:
        notes.append(f"Shares of the {WHOLE[normalize]}.")
    if meaning["numbers"]:
        notes.append("Blue: right. Orange: wrong.")
    return [" ".join(notes)]


def confusions_figure(
    matrices: "Sequence[ConfusionMatrix]", *, normalize: "By | None" = None
) -> "Figure":
    """Return the matrices of several models as one picture, which says how to read them.

    Parameters
    ----------
    matrices : sequence of ConfusionMatrix
        One a model, of the same classes.
    normalize : {"actual", "predicted", "all"}, optional
        Draw shares of each actual class, of each predicted one, or of all rows, as in
        `ConfusionMatrix.normalized`; by default counts.

    Returns
    -------
    matplotlib.figure.Figure
        The matrices, with how to read them below.

    Raises
    ------
    ParameterError
        For another `normalize`.

    Examples
    --------
    >>> from plumbline.confusion.matrix import ConfusionMatrix
    >>> from dataclasses import replace
    >>> one = ConfusionMatrix.from_counts([[13, 2], [2, 6]], classes=["no", "yes"], rows="actual")
    >>> figure = confusions_figure([replace(one, model="old"), replace(one, model="new")])
    >>> [ax.get_title(loc="left") for ax in figure.axes]
    ['old', 'new']
    """
    if len(matrices) == 1:
        return confusion_figure(matrices[0], normalize=normalize)
    columns = min(MATRICES_ACROSS, len(matrices))
    rows = -(-len(matrices) // columns)
    side = side_of(matrices[0])
    width, height = columns * (side + WIDE), rows * (side + TALL) + FOOT
    meaning: dict[str, Any] = {}
    with style.figure_style():
        figure = style.new_figure(width, height)
        for place, matrix in enumerate(matrices):
            ax = figure.add_subplot(rows, columns, place + 1)
            meaning = draw_confusion(matrix, ax, normalize=normalize).drawn_
            ax.set_title(style.short_name(matrix.model or "all rows"), **style.PLAIN)
        (note,) = confusion_notes(matrices[0], meaning, normalize)
        figure.text(
            0.01,
            0.08 / height,
            style.short_name(note, int(width / TITLE_LETTER)),
            color=style.MUTED,
            fontsize=7.2,
            **style.PLAIN,
        )
        find_fonts(figure)
        with style.silent_about_missing_glyphs():
            figure.tight_layout(rect=(0, FOOT / height, 1, 1))
    return figure
