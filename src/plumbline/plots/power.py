"""Studies of power: by rows, by bins, p-values of many data sets, and synthetic classifiers."""

from collections.abc import Collection, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline import formatting
from plumbline._checks import one_of, shown
from plumbline.errors import ParameterError
from plumbline.formatting import quoted
from plumbline.plots import style
from plumbline.plots.display import displayed
from plumbline.power import OnePointExcess, Plan, PowerTable, PValues
from plumbline.synthetic import DirichletVectors

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage


PowerRows: TypeAlias = PowerTable | Sequence[Mapping[str, Any]]
POWER_COLUMNS = {"upper": "power", "lower": "power_lower"}
ALL_MARKED = 5  # so many numbers of bins are all marked on their axis; of more, round ones
ROUND = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
WIDE_RANGE = 50  # numbers of bins that differ by more than this factor stand on a logarithmic axis
DISTANCE_STYLES: dict[str, dict[str, Any]] = {
    "absolute": {"color": style.POINT, "marker": "o", "mfc": style.PAPER, "zorder": 4},
    "square": {"color": style.INK, "marker": "s", "ls": (0, (3, 2)), "zorder": 3},
    "log": {"color": style.GAP, "marker": "^", "zorder": 2},
}
BARS = 20  # of a histogram; a convention
ROUNDING = 1e-9  # of a bar: a value this near to an edge lies on it
TAILS = ("upper", "lower")
VIEWS = {"cw": "classwise", "cf": "top-label"}
# Middles of the four fields that the diagonal and p = 1/2 cut out.
FIELDS = {
    (0.7, 0.93): "underconfident",
    (0.3, 0.07): "underconfident",
    (0.77, 0.3): "overconfident",
    (0.23, 0.7): "overconfident",
}
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, sqrt(3) / 2]])


@displayed
def draw_plan(plan: Plan, ax: "Axes") -> None:
    """Draw a plan: simulated power with 95 % error bars, the fitted line, and the rows needed.

    The dotted line is the power that is wanted; where the fitted line meets it stands the number of
    rows that are needed. The hollow mark is the number of rows in question.

    Parameters
    ----------
    plan : Plan
        What `plan` returned, with simulated points.
    ax : matplotlib.axes.Axes
        The axes to draw on.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Raises
    ------
    ParameterError
        For a plan without a simulated point.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import plan
    >>> quick = {"statistic": "brier-score", "datasets": 50, "resamples": 39}
    >>> result = plan(effect="random-labels:0.3", classes=2, dirichlet=0.2, **quick)
    >>> ax = Figure().subplots()
    >>> display = draw_plan(result, ax)
    >>> ax.get_xlabel()
    'number of rows'
    """
    if not plan.curve:
        raise ParameterError(
            "the plan holds no simulated point to draw; plan for an effect", code="nothing-given"
        )
    rows, power = ([row[name] for row in plan.curve] for name in ("n", "power"))
    if plan.fitted:
        ax.plot(*zip(*plan.fitted, strict=True), color=style.DRAWS, lw=1.4, zorder=2)
    ax.axhline(plan.power, color=style.MUTED, lw=0.8, ls=":", zorder=1)
    ax.errorbar(
        rows,
        power,
        yerr=[
            [at - ends["low"] for at, ends in zip(power, plan.ranges(), strict=True)],
            [ends["high"] - at for at, ends in zip(power, plan.ranges(), strict=True)],
        ],
        fmt="o",
        ms=4.5,
        color=style.POINT,
        elinewidth=1.0,
        capsize=2.0,
        zorder=3,
    )
    if plan.n is not None and plan.power_at_n is not None and plan.n in rows:
        props: dict[str, Any] = {"mfc": style.PAPER, "mec": style.POINT, "ms": 7.0, "mew": 1.4}
        ax.plot([plan.n], [plan.power_at_n], "o", **props, zorder=4)
    if plan.n_needed is not None:
        _mark(plan.n_needed, plan.power, ax)
    far = max([*rows, plan.n_needed or 0])
    ax.set(xlim=(0, 1.08 * far), ylim=(0, 1.03))
    ax.set_xlabel("number of rows", **style.PLAIN)
    ax.set_ylabel(f"power at level {plan.level:g}", **style.PLAIN)
    ax.set_title(f"{plan.test}, {style.short_name(plan.effect)}", **style.PLAIN)
    style.quiet_axes(ax)


def plan_figure(plan: Plan) -> "Figure":
    """Return `draw_plan` as a picture of its own.

    Parameters
    ----------
    plan : Plan
        What `plan` returned, with simulated points.

    Returns
    -------
    matplotlib.figure.Figure
        The plan.

    Raises
    ------
    ParameterError
        For a plan without a simulated point.

    Examples
    --------
    >>> from plumbline import plan
    >>> quick = {"statistic": "brier-score", "datasets": 50, "resamples": 39}
    >>> result = plan(effect="random-labels:0.3", classes=2, dirichlet=0.2, **quick)
    >>> plan_figure(result).axes[0].get_ylabel()
    'power at level 0.05'
    """
    with style.figure_style():
        figure = style.new_figure(5.4, 3.4)
        ax = figure.add_axes((0.11, 0.14, 0.86, 0.76))
        draw_plan(plan, ax)
        ax.grid(color=style.GRID)
    return figure


def _mark(rows: int, power: float, ax: "Axes") -> None:
    """Drop a line from the wanted power to the number of rows, and say it."""
    ax.plot([rows, rows], [0, power], color=style.GAP, lw=1.2, zorder=2)
    ax.annotate(
        f"{formatting.counted(rows, 'row')}",
        (rows, 0),
        (5, 5),
        textcoords="offset points",
        color=style.GAP,
        fontsize="small",
        zorder=5,
        **style.PLAIN,
    )


def _grid_rows(rows: PowerRows) -> Sequence[Mapping[str, Any]]:
    """Return the rows of a grid of bins, or say what else arrived."""
    grid = rows.rows() if isinstance(rows, PowerTable) else rows
    if not all("bins" in row for row in grid):
        raise ParameterError(
            "`rows` must be the power of a grid of bins, got that of a named test, "
            "which has no bins; leave `statistic` out of the power study",
            code="power-without-bins",
        )
    return grid


@displayed
def draw_power(
    rows: PowerRows,
    ax: "Axes",
    *,
    experiment: int,
    view: str = "cw",
    placement: str = "equal-size",
    tail: str = "upper",
) -> None:
    """Draw the power of one experiment against the number of bins, one line a distance.

    Parameters
    ----------
    rows : PowerTable or sequence of mappings
        What `power_study` returned, or the rows of the CSV that `plumbline power` writes.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    experiment : int
        Number of the experiment, 1 to 9.
    view : str, default "cw"
        View of the error, as in the rows.
    placement : str, default "equal-size"
        How the bins are placed, as in the rows.
    tail : {"upper", "lower"}, default "upper"
        Draw `power`, or `power_lower`.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Raises
    ------
    ParameterError
        Where there are no such rows.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import power_study
    >>> table = power_study([1], bins="equal-size:5,equal-size:10", datasets=50)
    >>> ax = Figure().subplots()
    >>> display = draw_power(table.rows(), ax, experiment=1)
    >>> [line.get_label() for line in ax.get_lines()]
    ['absolute', 'square', 'log']
    """
    column = POWER_COLUMNS[one_of("tail", tail, POWER_COLUMNS)]
    rows = _grid_rows(rows)
    panel = (experiment, view, placement)
    own = [row for row in rows if _panel(row) == panel]
    if not own:
        known = shown(sorted({_panel(row) for row in rows}))
        raise ParameterError(
            f"`rows` hold no power of {panel}; they hold {known}", code="unknown-panel"
        )
    for distance in dict.fromkeys(row["distance"] for row in own):
        line = sorted((row["bins"], row[column]) for row in own if row["distance"] == distance)
        props = DISTANCE_STYLES.get(distance, {"color": style.DRAWS})
        ax.plot(*zip(*line, strict=True), lw=1.2, ms=3.2, clip_on=False, label=distance, **props)
    counts = sorted({row["bins"] for row in own})
    _number_axis(counts, ax)
    ax.set_ylim(0, 1.12 * max(row[column] for row in own) or 1)
    ax.set_xlabel("bins")
    ax.set_ylabel("power" if tail == "upper" else "power, lower tail")
    style.quiet_axes(ax)


def power_figure(rows: PowerRows, *, view: str = "cw", lower: Collection[int] = (8, 9)) -> "Figure":
    """Return a line of panels for each experiment of `rows`, a column for each rule of bins.

    The panels of a line share their upright axis.

    Parameters
    ----------
    rows : PowerTable or sequence of mappings
        What `power_study` returned, or the rows of the CSV that `plumbline power` writes.
    view : str, default "cw"
        View of the error, as in the rows.
    lower : collection of int, default (8, 9)
        The experiments of which the lower tail is shown: their real error lies below that of a
        calibrated classifier.

    Returns
    -------
    matplotlib.figure.Figure
        A panel an experiment and rule of bins.

    Raises
    ------
    ParameterError
        Where `rows` hold nothing of this view.

    Examples
    --------
    >>> from plumbline import power_study
    >>> table = power_study([1, 9], bins="equal-size:5,equal-width:5", datasets=50)
    >>> [ax.get_ylabel() for ax in power_figure(table.rows()).axes]
    ['power', '', 'power, lower tail', '']
    """
    rows = _grid_rows(rows)
    panels = {_panel(row) for row in rows if row["view"] == view}
    if not panels:
        raise ParameterError(
            f"`rows` hold no power of the view {quoted(view)}", code="unknown-panel"
        )
    experiments = sorted({panel[0] for panel in panels})
    rules = sorted({panel[2] for panel in panels})
    side, tall, gap, top = (4.3, 2.2, 0.3, 0.3) if len(panels) == 1 else (2.9, 0.95, 0.3, 0.3)
    left, below, above = 0.62, 0.36, 0.24  # inches
    width = left + len(rules) * (side + gap)
    height = top + len(experiments) * (above + tall + below) + 0.14
    with style.figure_style():
        figure = style.new_figure(width, height)
        for line, experiment in enumerate(experiments):
            low = height - top - (line + 1) * (above + tall + below) + below
            axes = {}
            for column, rule in enumerate(rules):
                if (experiment, view, rule) in panels:
                    start = left + column * (side + gap)
                    box = (start / width, low / height, side / width, tall / height)
                    axes[rule] = figure.add_axes(box)
            tail = "lower" if experiment in lower else "upper"
            _draw_line(rows, axes, experiment, view=view, tail=tail)
        _name_bins(figure)
    return figure


def _draw_line(
    rows: PowerRows, axes: "Mapping[str, Axes]", experiment: int, *, view: str, tail: str
) -> None:
    """Draw the panels of one experiment, with one upright axis."""
    for rule, ax in axes.items():
        draw_power(rows, ax, experiment=experiment, view=view, placement=rule, tail=tail)
        ax.grid(axis="y", color=style.GRID)
        ax.set_title(f"experiment {experiment}, {rule} bins", **style.PLAIN)
    most = max(ax.get_ylim()[1] for ax in axes.values())
    for number, ax in enumerate(axes.values()):
        ax.set_ylim(0, most)
        if number:
            ax.set_ylabel("")
            ax.set_yticklabels([])


def _name_bins(figure: "Figure") -> None:
    """Name the level axis below the lowest panels only, and the lines above all."""
    lowest = min(ax.get_position().y0 for ax in figure.axes)
    for ax in figure.axes:
        if ax.get_position().y0 > lowest:
            ax.set_xlabel("")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper right", ncols=len(labels), borderaxespad=0.1)


def _number_axis(counts: Sequence[int], ax: "Axes") -> None:
    """Mark some of the numbers of bins; those that span much stand on a logarithmic axis."""
    from matplotlib.ticker import NullLocator

    few, many = counts[0], counts[-1]
    wide = many > WIDE_RANGE * few
    if wide:
        ax.set_xscale("log")
    ticks = list(counts)
    if len(counts) > ALL_MARKED and wide:
        ticks = [b for b in ROUND if few <= b <= many]
    elif len(counts) > ALL_MARKED:
        step = next((b for b in ROUND if many - few <= ALL_MARKED * b), many)
        ticks = [b for b in range(step, many + 1, step) if b >= few]
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.xaxis.set_minor_locator(NullLocator())


def _panel(row: Mapping[str, Any]) -> tuple[int, str, str]:
    return row["experiment"], row["view"], row["placement"]


@displayed
def draw_p_values(result: PValues, ax: "Axes", *, tail: str = "upper", title: bool = True) -> None:
    """Draw the p-values of many data sets as a histogram, coloured where the test rejects.

    The p-values are those of the upper tail, in twenty bars. The dashed line is how high the bars
    of a calibrated classifier would be.

    Parameters
    ----------
    result : PValues
        What `p_values` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    tail : {"upper", "lower"}, default "upper"
        Whose rejections are coloured: upper ones are p-values near 0, lower ones near 1.
    title : bool, default True
        Write the power above.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Raises
    ------
    ParameterError
        For an unknown tail.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline.power import p_values
    >>> ax = Figure().subplots()
    >>> display = draw_p_values(p_values(1, datasets=50), ax)
    >>> ax.get_ylabel()
    'data sets of 50'
    """
    which = TAILS.index(one_of("tail", tail, TAILS))
    bar = _bars(result.values, tail)
    rejected = result.rejected[:, which]
    rejecting = np.bincount(bar[rejected], minlength=BARS)
    others = np.bincount(bar[~rejected], minlength=BARS)
    left = np.arange(BARS) / BARS
    props: dict[str, Any] = {"align": "edge", "edgecolor": style.PAPER, "lw": 0.5}
    ax.bar(left, rejecting, 1 / BARS, color=style.GAP, label=_share(result, which), **props)
    ax.bar(
        left,
        others,
        1 / BARS,
        bottom=rejecting,
        color=style.DRAWS,
        label="does not reject",
        **props,
    )
    flat = result.datasets / BARS
    ax.axhline(flat, color=style.INK, lw=0.9, ls=(0, (4, 3)), label="expected if calibrated")
    ax.set(xlim=(0, 1), ylim=(0, 1.08 * max((rejecting + others).max(), flat)))
    ax.set_xlabel("p-value of the upper tail")
    ax.set_ylabel(f"data sets of {result.datasets:,}")
    style.quiet_axes(ax)
    if title:
        ax.set_title(_heading(result), **style.PLAIN)


def p_values_figure(results: Mapping[str, PValues], *, tail: str = "upper") -> "Figure":
    """Return the histograms of several tests side by side; the names stand above.

    Parameters
    ----------
    results : mapping of str to PValues
        What `p_values` returned, by the name that stands above.
    tail : {"upper", "lower"}, default "upper"
        As in `draw_p_values`.

    Returns
    -------
    matplotlib.figure.Figure
        A histogram a test.

    Raises
    ------
    ParameterError
        For an unknown tail.

    Examples
    --------
    >>> from plumbline.power import p_values
    >>> [ax.get_title(loc="left") for ax in p_values_figure({"a": p_values(1, datasets=50)}).axes]
    ['a']
    """
    each, left, height = 4.6, 0.62, 3.1
    width = each * len(results)
    with style.figure_style():
        figure = style.new_figure(width, height)
        for place, (name, result) in enumerate(results.items()):
            corner = ((each * place + left) / width, 0.46 / height)
            ax = figure.add_axes((*corner, (each - left - 0.15) / width, 1.65 / height))
            draw_p_values(result, ax, tail=tail, title=False)
            ax.set_title(name, pad=54, **style.PLAIN)
            ax.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2, handlelength=1.4)
    return figure


def _bars(values: NDArray[np.float64], tail: str) -> NDArray[np.int64]:
    """Return the bar of every p-value; one between two belongs to that nearer to the tail."""
    at = values * BARS
    bar = np.ceil(at - ROUNDING) - 1 if tail == "upper" else np.floor(at + ROUNDING)
    return np.asarray(np.clip(bar, 0, BARS - 1).astype(np.int64))


def _share(result: PValues, tail: int) -> str:
    share = (result.power, result.power_lower)[tail]
    return f"{TAILS[tail]} tail rejects at {result.level:g}: {100 * share:.1f} %"


def _heading(result: PValues) -> str:
    """Return the experiment and the test in a few words."""
    test = f"{VIEWS[result.view]}, {result.distance}, {result.placement}:{result.bins}"
    return f"experiment {result.experiment}: {test}"


@displayed
def draw_one_point(result: OnePointExcess, ax: "Axes") -> "AxesImage":
    """Draw mean real less mean calibrated error of one point as colours, with its zero lines.

    Prediction to the right, actual probability upwards; blue where the real error is
    smaller on average, red where it is larger, white where they are equal: where the prediction is
    true and where it is 1/2. A colour's depth is the square root of the number, for the blue ones
    are small.

    Parameters
    ----------
    result : OnePointExcess
        What `one_point_excess` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.

    Returns
    -------
    Display
        The axes; its `drawn_` is the image, for a colour bar.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline.power import one_point_excess
    >>> ax = Figure().subplots()
    >>> display = draw_one_point(one_point_excess("square", cells=20), ax)
    >>> ax.get_title()
    'square'
    """
    from matplotlib.colors import FuncNorm

    most = float(np.abs(result.excess).max())
    image = ax.imshow(
        result.excess,
        origin="lower",
        extent=(0, 1, 0, 1),
        cmap=style.diverging(),
        norm=FuncNorm((_depth, _number), vmin=-most, vmax=most),
    )
    ax.plot([0, 1], [0, 1], color=style.INK, lw=0.8)
    ax.axvline(0.5, color=style.INK, lw=0.8)
    for (x, y), text in FIELDS.items():
        ax.text(x, y, text, ha="center", va="center", fontsize=7.5, color=style.INK)
    ax.set(xlim=(0, 1), ylim=(0, 1), xticks=np.arange(6) / 5, yticks=np.arange(6) / 5)
    ax.set_xlabel("predicted probability of class 1")
    ax.set_ylabel("actual probability of class 1")
    ax.set_title(result.distance, **style.PLAIN)
    return image


def one_point_figure(results: Sequence[OnePointExcess]) -> "Figure":
    """Return the heat maps of several distances, two a line, each with its own colour bar.

    Parameters
    ----------
    results : sequence of OnePointExcess
        What `one_point_excess` returned, a distance each.

    Returns
    -------
    matplotlib.figure.Figure
        A heat map a distance.

    Examples
    --------
    >>> from plumbline.power import one_point_excess
    >>> len(one_point_figure([one_point_excess(cells=20)]).axes)  # the map and its bar
    2
    """
    each, tall, side, left, top = 3.9, 3.3, 2.5, 0.6, 0.3  # inches
    columns = min(2, len(results))
    width, height = each * columns, tall * -(-len(results) // columns) + top
    with style.figure_style():
        figure = style.new_figure(width, height)
        for place, result in enumerate(results):
            start = each * (place % columns) + left
            low = height - top - tall * (place // columns + 1) + 0.5
            box = (start / width, low / height, side / width, side / height)
            image = draw_one_point(result, figure.add_axes(box)).drawn_
            beside = ((start + side + 0.1) / width, low / height, 0.1 / width, side / height)
            _draw_bar(image, result, figure.add_axes(beside))
        heading = "mean real − mean calibrated error of one point"
        figure.text(0.12 / width, 1 - 0.12 / height, heading, va="top", color=style.INK)
    return figure


def _draw_bar(image: "AxesImage", result: OnePointExcess, ax: "Axes") -> None:
    """Draw the colours that there are, with round numbers beside them."""
    low, high = float(result.excess.min()), float(result.excess.max())
    rounded = [float(f"{share * end:.0e}") for end in (low, high) for share in (0.1, 0.4, 0.9)]
    ticks = [0.0, *rounded[1:2], *rounded[3:]]
    bar = ax.figure.colorbar(image, cax=ax, ticks=ticks, format=lambda x, _: formatting.printed(x))
    bar.outline.set_visible(False)
    ax.set_ylim(low, high)


def _depth(number: Any) -> Any:
    """Return the signed square root."""
    return np.sign(number) * np.sqrt(np.abs(number))


def _number(depth: Any) -> Any:
    """Return the signed square."""
    return np.sign(depth) * np.square(depth)


@displayed
def draw_simplex(result: DirichletVectors, ax: "Axes") -> None:
    """Draw vectors of three probabilities as dots of a triangle with a corner a class.

    A dot's distance from a side is the probability of the class in the corner opposite.

    Parameters
    ----------
    result : DirichletVectors
        What `dirichlet_vectors` returned, of three classes.
    ax : matplotlib.axes.Axes
        The axes to draw on.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Raises
    ------
    ParameterError
        For another number of classes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline.synthetic import dirichlet_vectors
    >>> ax = Figure().subplots()
    >>> display = draw_simplex(dirichlet_vectors((0.2, 0.2, 0.2)), ax)
    >>> ax.get_title()
    'Dir(0.2, 0.2, 0.2)'
    """
    if len(result.dirichlet) != 3:
        raise ParameterError(
            f"a triangle shows three classes, got vectors of {len(result.dirichlet)}",
            code="three-classes-needed",
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

    Parameters
    ----------
    results : sequence of DirichletVectors
        What `dirichlet_vectors` returned, each of three classes.

    Returns
    -------
    matplotlib.figure.Figure
        A triangle a result.

    Raises
    ------
    ParameterError
        For another number of classes.

    Examples
    --------
    >>> from plumbline.synthetic import dirichlet_vectors
    >>> len(simplex_figure([dirichlet_vectors((0.2, 0.2, 0.2))] * 3).axes)
    3
    """
    columns, each, tall = min(2, len(results)), 2.9, 2.95
    lines = -(-len(results) // columns)
    width, height = columns * each, lines * tall
    with style.figure_style():
        figure = style.new_figure(width, height)
        for place, result in enumerate(results):
            left, top = each * (place % columns), tall * (place // columns)
            low = height - top - tall
            box = ((left + 0.3) / width, (low + 0.3) / height, 2.3 / width, 2.1 / height)
            ax = figure.add_axes(box)
            draw_simplex(result, ax)
            ax.set_title(ax.get_title(loc="left"), pad=16, **style.PLAIN)
    return figure
