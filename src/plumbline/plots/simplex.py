"""Probability vectors of three classes as points of a triangle."""

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from plumbline.errors import ParameterError
from plumbline.plots import style
from plumbline.synthetic.experiments import DirichletVectors

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, sqrt(3) / 2]])


def draw_simplex(result: DirichletVectors, ax: "Axes") -> None:
    """Draw vectors of three probabilities as dots of a triangle with a corner a class.

    A dot's distance from a side is the probability of the class in the corner opposite. Raises
    ParameterError for another number of classes.

    >>> from matplotlib.figure import Figure
    >>> from plumbline.synthetic import dirichlet_vectors
    >>> ax = Figure().subplots()
    >>> draw_simplex(dirichlet_vectors((0.2, 0.2, 0.2)), ax)
    >>> ax.get_title()
    'Dir(0.2, 0.2, 0.2)'
    """
    if len(result.dirichlet) != 3:
        raise ParameterError(
            f"a triangle shows three classes, got vectors of {len(result.dirichlet)}"
        )
    x, y = (result.vectors @ CORNERS).T
    outline = np.vstack([CORNERS, CORNERS[:1]])
    ax.plot(*outline.T, color=style.MUTED, lw=0.9, zorder=1)
    ax.scatter(x, y, s=5, color=style.POINT, alpha=0.35, lw=0, zorder=2, rasterized=True)
    for number, ((left, low), up) in enumerate(zip(CORNERS, (-9, -9, 5), strict=True), start=1):
        ax.annotate(
            f"class {number}",
            (left, low),
            (0, up),
            textcoords="offset points",
            ha="center",
            va="bottom" if up > 0 else "top",
            color=style.INK,
            annotation_clip=False,
        )
    ax.set(xlim=(-0.06, 1.06), ylim=(-0.06, sqrt(3) / 2 + 0.06), aspect="equal")
    ax.set_axis_off()
    parameters = ", ".join(f"{alpha:g}" for alpha in result.dirichlet)
    ax.set_title(f"Dir({parameters})", **style.PLAIN)


def simplex_figure(results: Sequence[DirichletVectors]) -> "Figure":
    """Return several triangles, two a line.

    >>> from plumbline.synthetic import dirichlet_vectors
    >>> len(simplex_figure([dirichlet_vectors((0.2, 0.2, 0.2))] * 3).axes)
    3
    """
    columns, each, tall = min(2, len(results)), 2.9, 2.95
    lines = -(-len(results) // columns)
    width, height = columns * each, lines * tall
    with style.house_style():
        figure = style.new_figure(width, height)
        for place, result in enumerate(results):
            left, top = each * (place % columns), tall * (place // columns)
            low = height - top - tall
            box = ((left + 0.3) / width, (low + 0.3) / height, 2.3 / width, 2.1 / height)
            ax = figure.add_axes(box)
            draw_simplex(result, ax)
            ax.set_title(ax.get_title(loc="left"), pad=16, **style.PLAIN)
    return figure
