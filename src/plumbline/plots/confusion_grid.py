"""Confusion matrices of several models, side by side."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from plumbline.plots import style
from plumbline.plots.confusion import confusion_figure, confusion_notes, draw_confusion, side_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from plumbline.confusion.matrix import By, ConfusionMatrix

ACROSS = 3  # matrices beside each other
WIDE, TALL = 1.4, 1.1  # inches of names and titles around the cells of one
FOOT, LETTER = 0.35, 0.065  # inches of the note below all; of one of its letters


def confusions_figure(
    matrices: "Sequence[ConfusionMatrix]", *, normalize: "By | None" = None
) -> "Figure":
    """Return the matrices of several models as one picture, which says how to read them.

    >>> from plumbline.confusion.matrix import ConfusionMatrix
    >>> from dataclasses import replace
    >>> one = ConfusionMatrix.from_counts([[13, 2], [2, 6]], classes=["no", "yes"], rows="actual")
    >>> figure = confusions_figure([replace(one, model="old"), replace(one, model="new")])
    >>> [ax.get_title(loc="left") for ax in figure.axes]
    ['old', 'new']
    """
    if len(matrices) == 1:
        return confusion_figure(matrices[0], normalize=normalize)
    columns = min(ACROSS, len(matrices))
    rows = -(-len(matrices) // columns)
    side = side_of(matrices[0])
    width, height = columns * (side + WIDE), rows * (side + TALL) + FOOT
    meaning: dict[str, Any] = {}
    with style.house_style():
        figure = style.new_figure(width, height)
        for place, matrix in enumerate(matrices):
            ax = figure.add_subplot(rows, columns, place + 1)
            meaning = draw_confusion(matrix, ax, normalize=normalize)
            ax.set_title(style.short_name(matrix.model or "all rows"), **style.PLAIN)
        (note,) = confusion_notes(matrices[0], meaning, normalize)
        figure.text(
            0.01,
            0.08 / height,
            style.short_name(note, int(width / LETTER)),
            color=style.MUTED,
            fontsize=7.2,
            **style.PLAIN,
        )
        figure.tight_layout(rect=(0, FOOT / height, 1, 1))
    return figure
