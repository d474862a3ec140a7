"""Reliability diagrams, binned and CORP: predicted against observed, with bands under the null."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from plumbline import formatting
from plumbline.calibration_errors import CorpCurve, ReliabilityCurve
from plumbline.plots import style
from plumbline.plots.diagram_axes import (
    DiagramAxes,
    DiagramCurve,
    axes_of_each,
    diagram_axes,
)
from plumbline.plots.display import Display, axes_or_new, display_of, displayed, next_color
from plumbline.verdicts import p_value_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


FAINT = 0.16  # opacity of the bands of several models, which lie over each other
THINNEST = 0.03  # a bin narrower than this share of the axis is drawn this wide, beside its gap
FEW = 20  # of so many bins the gaps can be drawn thick
LEFT, RIGHT, BOTTOM, GAP = 0.74, 0.12, 0.46, 0.14  # inches around a diagram and above its counts
SIDE, TITLE, LEGEND, LABEL = 2.75, 0.32, 0.62, 0.56  # of its axes, above, below, to its label
DIAGONAL = "expected if calibrated"
_DIAGONAL_PROPS: dict[str, Any] = {"color": style.MUTED, "lw": 0.9, "ls": (0, (4, 3)), "zorder": 2}
TINY = 1e-9  # closest to 0 and 1 that the diagonal reaches on an axis of log-odds
SLACK = 1e-9  # a share on the edge of its band is inside, whatever the last digit says


def draw_reliability(
    curve: ReliabilityCurve,
    ax: "Axes | None" = None,
    *,
    name: str | None = None,
    color: str | None = None,
    title: bool = True,
    axis: "str | DiagramAxes" = "probability",
) -> Display:
    """Draw a reliability diagram: diagonal, consistency band, gap bars, one marker a bin.

    The marker of a bin is at (mean prediction, observed frequency), filled outside the bin's band.
    The gap bar runs upright from the diagonal at the bin's own mean to the marker. The band
    of a bin is where its share lies with probability `curve.level` under calibration, as wide as
    the scores in the bin. Both axis labels come from the curve.

    With a `name` the markers are joined by a line and gaps are left out, so that several models
    can be drawn on the same axes, each with its band; the legend has names and errors.

    Parameters
    ----------
    curve : ReliabilityCurve
        What `reliability_curve` returned.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default those of a figure of their own.
    name : str, optional
        Name of the model for the legend.
    color : color of matplotlib, optional
        Colour of the model; by default the next one that the axes do not have.
    title : bool, default True
        Write the error and n above, unless there is a name.
    axis : {"probability", "log-odds"} or DiagramAxes, default "probability"
        What both axes stand for, as in `diagram_axes`.

    Returns
    -------
    Display
        The axes as `ax_`, on which another model can be drawn.

    Examples
    --------
    >>> from plumbline import Predictions, reliability_curve
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> curve = reliability_curve(data, bins="equal-width:2", resamples=99)
    >>> display = draw_reliability(curve, name="forest")
    >>> display = draw_reliability(curve, display.ax_, name="bayes")
    >>> display.ax_.get_ylabel(), [text.get_text() for text in display.ax_.get_legend().texts][1:]
    ('observed frequency', ['forest: ECE 0.3', 'bayes: ECE 0.3'])
    """
    ax, bins, axes = axes_or_new(ax), curve.bins, _axes_of(curve, axis)
    if name is not None or color is not None:
        _draw_model(curve, ax, axes, name=name, color=color or next_color(ax))
        return display_of(ax, name=name)
    axes.set_on(ax)
    mean = axes.placed("x", [row["mean_probability"] for row in bins])
    share = axes.placed("y", [row["outcome_share"] for row in bins])
    foot = axes.placed("y", [row["mean_probability"] for row in bins])
    _draw_bands(bins, ax, axes, label=f"{100 * curve.level:g} % band if calibrated")
    _draw_diagonal(ax, axes)
    ax.vlines(mean, foot, share, colors=style.GAP, lw=3.2, zorder=3, label="gap of a bin")
    for outside, label in ((True, "bin outside its band"), (False, "bin inside its band")):
        rows = [row for row in bins if _is_outside(row) == outside]
        _draw_markers(rows, ax, axes, fill=style.POINT if outside else style.PAPER, label=label)
    ax.set_xlabel(style.short_name(curve.x_label, 42), **style.PLAIN)
    ax.set_ylabel(style.short_name(curve.y_label, 42), **style.PLAIN)
    style.quiet_axes(ax)
    if title:
        error = formatting.printed(curve.value)
        heading = f"{_view(curve.view)}: ECE {error}, {formatting.counted(curve.n, 'row')}"
        ax.set_title(heading, **style.PLAIN)
    return display_of(ax)


def _draw_model(
    curve: ReliabilityCurve, ax: "Axes", axes: DiagramAxes, *, name: str | None, color: str
) -> None:
    """Draw one of several models: its band, markers joined by a line, and its name."""
    bins = curve.bins
    _set_for_several(ax, axes)
    _draw_bands(bins, ax, axes, label="_", color=color)
    x = axes.placed("x", [row["mean_probability"] for row in bins])
    y = axes.placed("y", [row["outcome_share"] for row in bins])
    error = f"ECE {formatting.printed(curve.value)}"
    label = error if name is None else f"{style.legend_name(name)}: {error}"
    line: dict[str, Any] = {"lw": 1.2, "zorder": 3, "scalex": False, "scaley": False}
    ax.plot(x, y, color=color, label=label, **line)
    for outside in (True, False):
        rows = [row for row in bins if _is_outside(row) == outside]
        fill = color if outside else style.PAPER
        _draw_markers(rows, ax, axes, fill=fill, label="_", edge=color)
    _finish_several(curve, ax)


def _set_for_several(ax: "Axes", axes: DiagramAxes) -> None:
    """Set axes for a model beside those that are drawn on them already, and the diagonal once."""
    first = not any(line.get_label() == DIAGONAL for line in ax.lines)
    before = None if first else (ax.get_xlim(), ax.get_ylim())
    axes.set_on(ax)
    if before is not None:
        for side, (low, high) in zip("xy", before, strict=True):
            least, most = getattr(ax, f"get_{side}lim")()
            getattr(ax, f"set_{side}lim")(min(low, least), max(high, most))
        ax.set_aspect("equal" if ax.get_xlim() == ax.get_ylim() and not axes.log_odds else "auto")
        return
    ends = [TINY, 1 - TINY] if axes.log_odds else [0.0, 1.0]  # the limits may become wider
    ax.plot(ends, ends, **_DIAGONAL_PROPS, label=DIAGONAL, scalex=False, scaley=False)


def _finish_several(curve: DiagramCurve, ax: "Axes") -> None:
    """Name the axes, and all models in a legend."""
    ax.set_xlabel(style.short_name(curve.x_label, 42), **style.PLAIN)
    ax.set_ylabel(style.short_name(curve.y_label, 42), **style.PLAIN)
    style.quiet_axes(ax)
    legend = ax.legend(frameon=False, handlelength=1.4)
    for text in legend.get_texts():  # names are no mathematics
        text.set(**style.PLAIN)


@displayed
def draw_counts(
    curve: ReliabilityCurve, ax: "Axes", *, axis: "str | DiagramAxes" = "probability"
) -> None:
    """Draw the number of rows in every bin: how much each marker of the diagram rests on.

    Parameters
    ----------
    curve : ReliabilityCurve
        What `reliability_curve` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    axis : {"probability", "log-odds"} or DiagramAxes, default "probability"
        What both axes stand for, as in `diagram_axes`.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions, reliability_curve
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> ax = Figure().subplots()
    >>> display = draw_counts(reliability_curve(data, bins="equal-width:2", resamples=99), ax)
    >>> [int(bar.get_height()) for bar in ax.patches]
    [2, 2]
    """
    axes = _axes_of(curve, axis)
    lo, width = _places(curve.bins, axes)
    counts = [row["count"] for row in curve.bins]
    ax.bar(lo, counts, width, align="edge", color=style.DRAWS, edgecolor=style.PAPER, linewidth=0.5)
    most = max(counts)
    axes.set_on(ax, sides="x")
    ax.set(ylim=(0, most * 1.06), yticks=[0, most])
    ax.set_yticklabels(["0", formatting.short_count(most)])
    ax.set_xlabel(style.short_name(curve.x_label, 42), **style.PLAIN)
    ax.set_ylabel("rows", **style.PLAIN)
    style.quiet_axes(ax)
    _name_what_runs_off(curve.bins, ax, axes)


@displayed
def draw_outcomes(
    curve: ReliabilityCurve, ax: "Axes", *, axis: "str | DiagramAxes" = "probability"
) -> None:
    """Draw the distribution of the predictions per outcome: events upwards, the rest downwards.

    Parameters
    ----------
    curve : ReliabilityCurve
        What `reliability_curve` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    axis : {"probability", "log-odds"} or DiagramAxes, default "probability"
        What both axes stand for, as in `diagram_axes`.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions, reliability_curve
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> ax = Figure().subplots()
    >>> display = draw_outcomes(reliability_curve(data, bins="equal-width:2", resamples=99), ax)
    >>> [round(bar.get_height()) for bar in ax.patches]
    [1, 2, -1, 0]
    """
    axes = _axes_of(curve, axis)
    lo, width = _places(curve.bins, axes)
    events = [row["weight"] * row["outcome_share"] for row in curve.bins]
    rest = [event - row["weight"] for event, row in zip(events, curve.bins, strict=True)]
    props: dict[str, Any] = {"align": "edge", "edgecolor": style.PAPER, "linewidth": 0.5}
    ax.bar(lo, events, width, color=style.POINT, label="observed", **props)
    ax.bar(lo, rest, width, color=style.DRAWS, label="not observed", **props)
    ax.axhline(0, color=style.MUTED, lw=0.7)
    ends = [min(rest), max(events)]
    axes.set_on(ax, sides="x")
    ax.set_ylim(1.08 * ends[0] - 1e-9, 1.08 * ends[1] + 1e-9)
    ax.set_yticks(ends, [formatting.short_count(abs(end)) for end in ends])
    ax.set_xlabel(style.short_name(curve.x_label, 42), **style.PLAIN)
    ax.set_ylabel("rows", **style.PLAIN)
    style.quiet_axes(ax)
    _name_what_runs_off(curve.bins, ax, axes)


def reliability_figure(
    curve: ReliabilityCurve,
    *,
    title: bool = True,
    legend: bool = True,
    outcomes: bool = False,
    axis: "str | DiagramAxes" = "probability",
) -> "Figure":
    """Return the reliability diagram with the counts of its bins below, in one picture.

    Parameters
    ----------
    curve : ReliabilityCurve
        What `reliability_curve` returned.
    title : bool, default True
        Write the error and n above.
    legend : bool, default True
        Say what line, band and bars are.
    outcomes : bool, default False
        Split the rows of every bin by outcome, in a larger panel below.
    axis : {"probability", "log-odds"} or DiagramAxes, default "probability"
        What both axes stand for, as in `diagram_axes`.

    Returns
    -------
    matplotlib.figure.Figure
        The diagram, and the counts below.

    Examples
    --------
    >>> from plumbline import Predictions, reliability_curve
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> figure = reliability_figure(reliability_curve(data, resamples=99))
    >>> [ax.get_ylabel() for ax in figure.axes]
    ['observed frequency', 'rows']
    """
    with style.figure_style():
        top = TITLE if title else 0.08
        figure, ((main, counts),) = diagram_grid(
            1, counts=0.85 if outcomes else 0.5, top=top, legend=legend
        )
        axes = _axes_of(curve, axis)
        draw_reliability(curve, main, title=title, axis=axes)
        (draw_outcomes if outcomes else draw_counts)(curve, counts, axis=axes)
        main.tick_params(labelbottom=False)
        if legend:
            legend_below(figure)
    return figure


def diagram_grid(
    number: int,
    *,
    columns: int = 1,
    side: float = SIDE,
    counts: float = 0.0,
    top: float = TITLE,
    legend: bool = True,
) -> "tuple[Figure, list[list[Axes]]]":
    """Return a picture with the axes of some diagrams, and below each those of its counts, if any.

    Lengths are in inches: the side of a diagram, the height of its counts, the distance above it.
    """
    columns = min(columns, number)
    tall = top + side + (GAP + counts if counts else 0) + BOTTOM
    height = -(-number // columns) * tall + (LEGEND if legend else 0)
    width = columns * (LEFT + side) + RIGHT
    figure = style.new_figure(width, height)
    places: list[list[Axes]] = []
    for place in range(number):
        start = (place % columns) * (LEFT + side) + LEFT
        high = height - (place // columns) * tall - top - side
        axes = [figure.add_axes((start / width, high / height, side / width, side / height))]
        axes[0].grid(color=style.GRID)
        if counts:
            low = high - GAP - counts
            box = (start / width, low / height, side / width, counts / height)
            axes.append(figure.add_axes(box))
            axes[0].tick_params(labelbottom=False)
            axes[0].xaxis.label.set_visible(False)
        for ax in axes:
            ax.yaxis.set_label_coords(-LABEL / side, 0.5)
        places.append(axes)
    return figure, places


def legend_below(figure: "Figure", columns: int = 2) -> None:
    """Write below all diagrams what is drawn in the first."""
    handles = figure.axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="lower center", ncols=columns, handlelength=1.4)


def reliability_panels(
    curves: "Mapping[str | None, ReliabilityCurve]", *, axis: str = "probability"
) -> "Figure":
    """Return the reliability diagrams of several models, three a line, with one legend below.

    All have the same axes, unless the points of a model would be too close together on them.

    Parameters
    ----------
    curves : dict of ReliabilityCurve
        What `reliability_curve` returned, by the name of the model.
    axis : {"probability", "log-odds"}, default "probability"
        What both axes stand for, as in `diagram_axes`.

    Returns
    -------
    matplotlib.figure.Figure
        A diagram a model; of a single one that of `reliability_figure`.

    Examples
    --------
    >>> from plumbline import Predictions, reliability_curve
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> curve = reliability_curve(data, resamples=99)
    >>> len(reliability_panels({"forest": curve, "bayes": curve}).axes)
    4
    """
    if len(curves) == 1:
        (curve,) = curves.values()
        return reliability_figure(curve, axis=axis)
    every = axes_of_each(list(curves.values()), axis=axis)
    with style.figure_style():
        figure, places = diagram_grid(len(curves), columns=3, counts=0.4)
        shown = zip(places, every, curves.items(), strict=True)
        for (ax, counts), axes, (name, curve) in shown:
            draw_reliability(curve, ax, title=False, axis=axes)
            draw_counts(curve, counts, axis=axes)
            ax.tick_params(labelbottom=False)
            error = formatting.printed(curve.value)
            heading = f"{style.short_name(str(name), 20)}: ECE {error}, {curve.n:,} rows"
            ax.set_title(heading, **style.PLAIN)
        legend_below(figure)
    return figure


@displayed
def draw_reliability_bars(
    curve: ReliabilityCurve,
    ax: "Axes",
    *,
    title: bool = True,
    axis: "str | DiagramAxes" = "probability",
) -> None:
    """Draw a reliability diagram of plain bars: the observed frequency of each bin, and its gap.

    The bar of a bin is as wide as the bin, up to the largest score of all, and as high as the
    observed frequency. Its gap is the
    red bar at the bin's mean prediction, from the diagonal to the share; the calibration
    error is the mean length of the gaps, weighted by the points of the bins.

    Parameters
    ----------
    curve : ReliabilityCurve
        What `reliability_curve` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    title : bool, default True
        Write the bins and the error above.
    axis : {"probability", "log-odds"} or DiagramAxes, default "probability"
        What both axes stand for, as in `diagram_axes`.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions, reliability_curve
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> ax = Figure().subplots()
    >>> display = draw_reliability_bars(
    ...     reliability_curve(data, bins="equal-width:2", resamples=99), ax
    ... )
    >>> ax.get_title()
    '2 equal-width bins, ECE 0.3'
    """
    bins, axes = curve.bins, _axes_of(curve, axis)
    axes.set_on(ax)
    mean = axes.placed("x", [row["mean_probability"] for row in bins])
    share = axes.placed("y", [row["outcome_share"] for row in bins])
    foot = axes.placed("y", [row["mean_probability"] for row in bins])
    lowest, highest = min(row["lowest"] for row in bins), max(row["highest"] for row in bins)
    spans = [(max(row["lo"], lowest), min(row["hi"], highest)) for row in bins]
    left, width = axes.boxes(spans, THINNEST)
    props: dict[str, Any] = {"color": style.BAND, "edgecolor": style.DRAWS, "lw": 0.5}
    ax.bar(left, share, width, align="edge", **props, label="observed frequency")
    _draw_diagonal(ax, axes)
    thick = 3.2 if len(bins) <= FEW else 1.6
    ax.vlines(mean, foot, share, colors=style.GAP, lw=thick, zorder=3, label="gap of a bin")
    ax.set_ylim(axes.limits("y"))
    ax.set_xlabel(style.short_name(curve.x_label, 42), **style.PLAIN)
    ax.set_ylabel(style.short_name(curve.y_label, 42), **style.PLAIN)
    style.quiet_axes(ax)
    if title:
        heading = f"{formatting.bins_words(curve.scheme)}, ECE {formatting.printed(curve.value)}"
        ax.set_title(style.short_name(heading, 42), **style.PLAIN)


def reliability_bars_figure(curves: Sequence[ReliabilityCurve]) -> "Figure":
    """Return several diagrams of plain bars, two a line, with one legend below.

    Parameters
    ----------
    curves : sequence of ReliabilityCurve
        What `reliability_curve` returned, a diagram each.

    Returns
    -------
    matplotlib.figure.Figure
        The diagrams, two a line.

    Examples
    --------
    >>> from plumbline import Predictions, reliability_curve
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> len(reliability_bars_figure([reliability_curve(data, resamples=99)] * 3).axes)
    3
    """
    with style.figure_style():
        figure, places = diagram_grid(len(curves), columns=2)
        for (ax,), curve in zip(places, curves, strict=True):
            draw_reliability_bars(curve, ax)
            ax.grid(visible=False)
        legend_below(figure, 3 if len(curves) > 1 else 2)
    return figure


def _view(view: str) -> str:
    return formatting.capital(style.short_name(formatting.view_words(view), 24))


def _axes_of(curve: DiagramCurve, axis: "str | DiagramAxes") -> DiagramAxes:
    return axis if isinstance(axis, DiagramAxes) else diagram_axes([curve], axis=axis)


def _places(bins: Any, axes: DiagramAxes) -> tuple[list[float], list[float]]:
    """Return left end and width of every bin's scores, widened where hardly visible."""
    return axes.boxes([(row["lowest"], row["highest"]) for row in bins], THINNEST)


def _draw_diagonal(ax: "Axes", axes: DiagramAxes) -> None:
    (x_low, x_high), (y_low, y_high) = axes.limits("x"), axes.limits("y")
    ends = [max(min(x_low, y_low), 0.0), min(max(x_high, y_high), 1.0)]
    ax.plot(ends, ends, **_DIAGONAL_PROPS, label=DIAGONAL, scalex=False, scaley=False)


def _name_what_runs_off(bins: Any, ax: "Axes", axes: DiagramAxes) -> None:
    """Write at the edge how far the scores go on, where the axis ends before."""
    low, high = axes.limits("x")
    at_low, at_high = axes.ends[0] if axes.log_odds else (False, False)
    lowest, highest = min(row["lowest"] for row in bins), max(row["highest"] for row in bins)
    props: dict[str, Any] = {"va": "bottom", "color": style.MUTED, "fontsize": 7.2, **style.PLAIN}
    props["transform"] = ax.transAxes
    if highest > high and not (at_high and highest >= 1):
        ax.text(1.0, 1.0, f"to {formatting.printed(highest)} →", ha="right", **props)
    if lowest < low and not (at_low and lowest <= 0):
        ax.text(0.0, 1.0, f"← from {formatting.printed(lowest)}", ha="left", **props)


def _draw_bands(
    bins: Any, ax: "Axes", axes: DiagramAxes, *, label: str, color: str | None = None
) -> None:
    """Draw the band of every bin, of one of several models in its colour."""
    from matplotlib.collections import PolyCollection

    corners = []
    for row, lo, width in zip(bins, *_places(bins, axes), strict=True):
        low, high = axes.placed("y", (row["band_low"], row["band_high"]))
        corners.append([(lo, low), (lo, high), (lo + width, high), (lo + width, low)])
    look: dict[str, Any] = {"facecolor": style.BAND, "edgecolor": style.BAND, "lw": 0.8}
    if color is not None:
        look = {"facecolor": color, "alpha": FAINT, "lw": 0}
    bands = PolyCollection(corners, **look, zorder=1, label=label)
    ax.add_collection(bands, autolim=False)


def _draw_markers(
    rows: Any, ax: "Axes", axes: DiagramAxes, *, fill: str, label: str, edge: str = style.POINT
) -> None:
    x = axes.placed("x", [row["mean_probability"] for row in rows])
    y = axes.placed("y", [row["outcome_share"] for row in rows])
    props: dict[str, Any] = {
        "mfc": fill,
        "mec": edge,
        "ms": 5.2,
        "mew": 1.2,
        "clip_on": False,
    }
    ax.plot(x, y, "o", **props, zorder=4, label=label, scalex=False, scaley=False)


def _is_outside(row: Mapping[str, Any]) -> bool:
    share = row["outcome_share"]
    return bool(share < row["band_low"] - SLACK or share > row["band_high"] + SLACK)


def draw_corp(
    curve: CorpCurve,
    ax: "Axes | None" = None,
    *,
    name: str | None = None,
    color: str | None = None,
    axis: "str | DiagramAxes" = "probability",
) -> Display:
    """Draw a CORP curve: diagonal, consistency band, confidence limits, constant pieces.

    The thick lines are the pieces of the isotonic fit, from their lowest to their highest score.
    The filled band is where the curve lies, score by score, under calibration; between the dotted
    lines lies the conditional event probability if it rises with the score.

    With a `name` the dotted lines are left out, so that several models can be drawn on the same
    axes; the legend has names and miscalibration.

    Parameters
    ----------
    curve : CorpCurve
        What `corp_curve` returned.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default those of a figure of their own.
    name : str, optional
        Name of the model for the legend.
    color : color of matplotlib, optional
        Colour of the model; by default the next one that the axes do not have.
    axis : {"probability", "log-odds"} or DiagramAxes, default "probability"
        What both axes stand for, as in `diagram_axes`.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline.calibration_errors.corp_curve import corp_curve
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9])
    >>> ax = Figure().subplots()
    >>> draw_corp(corp_curve(data, resamples=99), ax).ax_.get_ylabel()
    'observed frequency'
    """
    ax, axes = axes_or_new(ax), _axes_of(curve, axis)
    if name is not None or color is not None:
        color = color or next_color(ax)
        value = f"miscalibration {formatting.printed(curve.miscalibration)}"
        label = value if name is None else f"{style.legend_name(name)}: {value}"
        _set_for_several(ax, axes)
        _draw_corp_bands(curve, ax, axes, color=color)
        _draw_pieces(curve, ax, axes, color=color, label=label)
        _finish_several(curve, ax)
        return display_of(ax, name=name)
    axes.set_on(ax)
    _draw_corp_bands(curve, ax, axes)
    _draw_diagonal(ax, axes)
    _draw_pieces(curve, ax, axes)
    ax.set_xlabel(style.short_name(curve.x_label, 42), **style.PLAIN)
    ax.set_ylabel(style.short_name(curve.y_label, 42), **style.PLAIN)
    style.quiet_axes(ax)
    return display_of(ax)


def corp_figure(curve: CorpCurve, *, axis: "str | DiagramAxes" = "probability") -> "Figure":
    """Return the CORP diagram, its score's parts above, the histogram of the scores below.

    Parameters
    ----------
    curve : CorpCurve
        What `corp_curve` returned.
    axis : {"probability", "log-odds"} or DiagramAxes, default "probability"
        What both axes stand for, as in `diagram_axes`.

    Returns
    -------
    matplotlib.figure.Figure
        The diagram, and the histogram of the scores below.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline.calibration_errors.corp_curve import corp_curve
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9])
    >>> figure = corp_figure(corp_curve(data, resamples=99))
    >>> [ax.get_ylabel() for ax in figure.axes]
    ['observed frequency', 'rows']
    """
    with style.figure_style():
        figure, ((main, counts),) = diagram_grid(1, side=2.95, counts=0.5, top=0.82)
        axes = _axes_of(curve, axis)
        draw_corp(curve, main, axis=axes)
        _draw_corp_counts(curve, counts, axes)
        main.tick_params(labelbottom=False)
        _draw_corp_heading(curve, figure)
        legend_below(figure)
    return figure


def _draw_corp_heading(curve: CorpCurve, figure: "Figure") -> None:
    """Write the score, its parts, and how large the first part is under calibration."""
    width, height = figure.get_size_inches()
    known = formatting.SCORE_NAMES.get(curve.score.replace("-", "_"), curve.score.replace("-", " "))
    score, lost, gained, spread, expected = (
        formatting.printed(value)
        for value in (
            *(curve.score_mean, curve.miscalibration, curve.discrimination),
            *(curve.uncertainty, curve.null_mean),
        )
    )
    name = f"{style.short_name(known, 24)} {score}, {formatting.counted(curve.n, 'row')}"
    lines = [
        f"= miscalibration {lost} ({expected} if calibrated)",
        f"− discrimination {gained} + uncertainty {spread}",
        p_value_text(curve.p_value, curve.resamples),
    ]
    at: dict[str, Any] = {"x": 0.14 / width, "va": "top", **style.PLAIN}
    figure.text(y=1 - 0.09 / height, s=f"{_view(curve.view)}: {name}", fontsize=9.5, **at)
    figure.text(y=1 - 0.28 / height, s="\n".join(lines), fontsize=8.5, linespacing=1.35, **at)


def _draw_corp_bands(
    curve: CorpCurve, ax: "Axes", axes: DiagramAxes, *, color: str | None = None
) -> None:
    """Draw where the curve lies under calibration, and, of a single model, confidence limits."""
    score, low, high, least, most = (
        axes.placed(side, [row[name] for row in curve.bands])
        for side, name in (
            ("x", "score"),
            *(("y", "consistency_low"), ("y", "consistency_high")),
            *(("y", "confidence_low"), ("y", "confidence_high")),
        )
    )
    if color is not None:
        ax.fill_between(score, low, high, facecolor=color, alpha=FAINT, lw=0, zorder=1)
        return
    label = f"{100 * curve.level:g} % band if calibrated"
    ax.fill_between(
        score, low, high, facecolor=style.BAND, edgecolor=style.BAND, lw=0.8, zorder=1, label=label
    )
    props: dict[str, Any] = {"color": style.POINT, "lw": 0.9, "ls": (0, (1, 1.6)), "zorder": 2.5}
    props |= {"scalex": False, "scaley": False}
    ax.plot(score, least, **props, label=f"{100 * curve.level:g} % confidence limits")
    ax.plot(score, most, **props)


def _draw_pieces(
    curve: CorpCurve,
    ax: "Axes",
    axes: DiagramAxes,
    *,
    color: str = style.POINT,
    label: str = "isotonic fit",
) -> None:
    share = axes.placed("y", [row["probability"] for row in curve.steps])
    lo, hi = (axes.placed("x", [row[end] for row in curve.steps]) for end in ("lo", "hi"))
    x = [end for piece in zip(lo, hi, strict=True) for end in piece]
    y = [height for height in share for _ in range(2)]
    ax.plot(x, y, color=color, lw=1.0, zorder=3, scalex=False, scaley=False)
    lines = ax.hlines(share, lo, hi, colors=color, lw=2.8, zorder=4, label=label)
    lines.set_capstyle("projecting")  # a piece of a single score is a square
    lines.set_clip_on(False)


def _draw_corp_counts(curve: CorpCurve, ax: "Axes", axes: DiagramAxes) -> None:
    scores = [row["score"] for row in curve.bands]
    low, high = min(scores), max(scores)
    ends = [(max(row["lo"], low), min(row["hi"], high)) for row in curve.counts]
    lo, width = axes.boxes(ends, 0.0)
    counts = [row["count"] for row in curve.counts]
    props: dict[str, Any] = {"color": style.DRAWS, "edgecolor": style.PAPER, "linewidth": 0.5}
    ax.bar(lo, counts, width, align="edge", **props)
    most = max(counts)
    axes.set_on(ax, sides="x")
    ax.set(ylim=(0, most * 1.06), yticks=[0, most])
    ax.set_yticklabels(["0", formatting.short_count(most)])
    ax.set_xlabel(style.short_name(curve.x_label, 42), **style.PLAIN)
    ax.set_ylabel("rows", **style.PLAIN)
    style.quiet_axes(ax)
    spans = [{"lowest": low, "highest": high}]
    _name_what_runs_off(spans, ax, axes)
