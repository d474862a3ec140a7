"""A diagnosis: the reliability diagram with what the named shape would show, and the evidence."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from plumbline import formatting
from plumbline.plots import style
from plumbline.plots.display import displayed
from plumbline.plots.reliability import draw_reliability

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from plumbline.calibration_tests import Diagnosis

SIDE, BARS, LEFT, BETWEEN, RIGHT = 2.75, 1.7, 0.62, 2.0, 1.1  # inches
TOP, BOTTOM, LEGEND = 0.34, 0.46, 0.66


@displayed
def draw_diagnosed_curve(result: "Diagnosis", ax: "Axes", *, title: bool = True) -> None:
    """Draw the reliability diagram, and as a line what the named shape alone would show.

    Parameters
    ----------
    result : Diagnosis
        What `diagnose` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    title : bool, default True
        Write the named shape above.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import diagnose
    >>> from plumbline.predictions import Predictions
    >>> data = Predictions.from_arrays([1] * 90 + [0] * 10, [0.5] * 100)
    >>> ax = Figure().subplots()
    >>> display = draw_diagnosed_curve(diagnose(data, resamples=99), ax)
    >>> ax.get_title()
    'under-estimation'
    """
    draw_reliability(result.curve, ax, title=False)
    if result.fitted:
        x, y = ([row[name] for row in result.fitted] for name in ("score", "share"))
        props: dict[str, Any] = {"marker": "o", "ms": 3.0} if len(x) == 1 else {}
        label = f"{result.shape} only"
        ax.plot(x, y, color=style.LINES[3], lw=1.6, zorder=5, label=label, **props)
    if title:
        ax.set_title(_heading(result), **style.PLAIN)


@displayed
def draw_evidence(result: "Diagnosis", ax: "Axes", *, title: bool = True) -> None:
    """Draw the share of the excess that each shape explains, beside it its estimate and p-value.

    Parameters
    ----------
    result : Diagnosis
        What `diagnose` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    title : bool, default True
        Write the title above.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import diagnose
    >>> from plumbline.predictions import Predictions
    >>> data = Predictions.from_arrays([1] * 90 + [0] * 10, [0.5] * 100)
    >>> ax = Figure().subplots()
    >>> display = draw_evidence(diagnose(data, resamples=99), ax)
    >>> ax.get_xlabel()
    'share of the excess explained'
    """
    rows = result.evidence
    place = range(len(rows))
    known = [row["explained"] == row["explained"] for row in rows]
    length = [row["explained"] if ok else 0.0 for row, ok in zip(rows, known, strict=True)]
    colour = [style.POINT if row["shape"] == result.shape else style.DRAWS for row in rows]
    ax.barh(place, length, height=0.62, color=colour, zorder=2)
    ax.set(xlim=(0, 1), ylim=(len(rows) - 0.5, -0.5), xticks=[0, 0.5, 1])
    ax.set_xticklabels(["0", "0.5", "1"])
    ax.set_yticks(list(place), [_named(row) for row in rows], **style.PLAIN)
    for at, (row, ok) in enumerate(zip(rows, known, strict=True)):
        props: dict[str, Any] = {"va": "center", "fontsize": 7.5, "color": style.MUTED}
        where = {"xycoords": ("axes fraction", "data"), **props, **style.PLAIN}
        if not row["estimable"]:
            ax.annotate("not estimable", (0.03, at), **where)
            continue
        if row["p_value"] == row["p_value"]:
            p_text = formatting.typeset(formatting.p_equals(row["p_value"]))
            ax.annotate(p_text, (1.03, at), **where)
        if not ok:
            ax.annotate("no excess", (0.03, at), **where)
    ax.set_xlabel("share of the excess explained")
    style.quiet_axes(ax)
    if title:
        ax.set_title(f"evidence, {result.n:,} rows", **style.PLAIN)


def diagnosis_figure(result: "Diagnosis", *, title: bool = True) -> "Figure":
    """Return the diagnosed curve and the evidence in one picture.

    Parameters
    ----------
    result : Diagnosis
        What `diagnose` returned.
    title : bool, default True
        Write the title above.

    Returns
    -------
    matplotlib.figure.Figure
        The two side by side.

    Examples
    --------
    >>> from plumbline import diagnose
    >>> from plumbline.predictions import Predictions
    >>> data = Predictions.from_arrays([1] * 90 + [0] * 10, [0.5] * 100)
    >>> [ax.get_xlabel() for ax in diagnosis_figure(diagnose(data, resamples=99)).axes]
    ['predicted probability of 1', 'share of the excess explained']
    """
    width = LEFT + SIDE + BETWEEN + BARS + RIGHT
    below, top = BOTTOM + LEGEND, TOP if title else 0.1
    height = below + SIDE + top
    with style.figure_style():
        figure = style.new_figure(width, height)
        across, up = SIDE / width, SIDE / height
        left = figure.add_axes((LEFT / width, below / height, across, up))
        right = figure.add_axes(
            ((LEFT + SIDE + BETWEEN) / width, below / height, BARS / width, up),
        )
        draw_diagnosed_curve(result, left, title=title)
        left.grid(color=style.GRID)
        draw_evidence(result, right, title=title)
        figure.legend(
            *left.get_legend_handles_labels(),
            loc="lower left",
            ncols=3,
            handlelength=1.4,
            bbox_to_anchor=(0.08 / width, 0.06 / height),
            borderaxespad=0,
        )
    return figure


def _heading(result: "Diagnosis") -> str:
    if not result.speaks:
        return f"nothing to diagnose, {formatting.typeset(formatting.p_equals(result.p_value))}"
    if result.shape == "one-bad-class":
        bad = next(row for row in result.evidence if row["shape"] == result.shape)
        return f"one bad class: {style.short_name(bad['class'], 24)}"
    return result.shape


def _named(row: Mapping[str, Any]) -> str:
    """Return a shape with its estimate."""
    shape = row["shape"] if row["class"] is None else f"class {style.short_name(row['class'], 12)}"
    if not row["estimable"]:
        return shape
    size = formatting.typeset(formatting.amount(row["estimate"]))
    unit = {"temperature": "T = ", "share": "e = ", "probability": "d = ", "log-odds": "logit d = "}
    return f"{shape}\n{unit[row['kind']]}{size}"
