"""Power against the number of bins: one line a distance, one panel an experiment and bin rule."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from plumbline._checks import one_of, shown
from plumbline.errors import ParameterError
from plumbline.plots import style
from plumbline.power import PowerTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Rows: TypeAlias = PowerTable | Sequence[Mapping[str, Any]]

COLUMNS = {"upper": "power", "lower": "power_lower"}
WIDE = 50  # numbers of bins that differ by more than this factor stand on a logarithmic axis
LOOKS: dict[str, dict[str, Any]] = {
    "absolute": {"color": style.POINT, "marker": "o", "mfc": style.PAPER, "zorder": 4},
    "square": {"color": style.INK, "marker": "s", "ls": (0, (3, 2)), "zorder": 3},
    "log": {"color": style.GAP, "marker": "^", "zorder": 2},
}


def _grid_rows(rows: Rows) -> Sequence[Mapping[str, Any]]:
    """Return the rows of a grid of bins, or say what else arrived."""
    found = rows.rows() if isinstance(rows, PowerTable) else rows
    if not all("bins" in row for row in found):
        raise ParameterError(
            "`rows` must be the power of a grid of bins, got that of a test by its name, which has "
            "no bins to draw it against; leave `statistic` out of the power study"
        )
    return found


def draw_power(
    rows: Rows,
    ax: "Axes",
    *,
    experiment: int,
    view: str = "cw",
    placement: str = "equal-size",
    tail: str = "upper",
) -> None:
    """Draw the power of one experiment against the number of bins, one line a distance.

    `rows` are a `PowerTable` or the rows of the CSV that `plumbline power` writes. `tail` says
    whether `power` or `power_lower` is read. Raises ParameterError where there are no such rows.

    >>> from matplotlib.figure import Figure
    >>> from plumbline import power_study
    >>> table = power_study([1], bins="equal-size:5,equal-size:10", datasets=50)
    >>> ax = Figure().subplots()
    >>> draw_power(table.rows(), ax, experiment=1)
    >>> [line.get_label() for line in ax.get_lines()]
    ['absolute', 'square', 'log']
    """
    column = COLUMNS[one_of("tail", tail, COLUMNS)]
    rows = _grid_rows(rows)
    wanted = (experiment, view, placement)
    own = [row for row in rows if _panel(row) == wanted]
    if not own:
        known = shown(sorted({_panel(row) for row in rows}))
        raise ParameterError(f"`rows` hold no power of {wanted}; they hold {known}")
    for distance in dict.fromkeys(row["distance"] for row in own):
        line = sorted((row["bins"], row[column]) for row in own if row["distance"] == distance)
        look = LOOKS.get(distance, {"color": style.DRAWS})
        ax.plot(*zip(*line, strict=True), lw=1.2, ms=3.2, clip_on=False, label=distance, **look)
    counts = sorted({row["bins"] for row in own})
    _number_axis(counts, ax)
    ax.set_ylim(0, 1.12 * max(row[column] for row in own) or 1)
    ax.set_xlabel("bins")
    ax.set_ylabel("power" if tail == "upper" else "power, lower tail")
    style.quiet_axes(ax)


def power_figure(rows: Rows, *, view: str = "cw", lower: Collection[int] = (8, 9)) -> "Figure":
    """Return a line of panels for each experiment of `rows`, a column for each rule of bins.

    Of the experiments in `lower` the lower tail is shown: their real error lies below that of a
    calibrated classifier. The panels of a line share their upright axis. Raises ParameterError
    where `rows` hold nothing of this view.

    >>> from plumbline import power_study
    >>> table = power_study([1, 9], bins="equal-size:5,equal-width:5", datasets=50)
    >>> [ax.get_ylabel() for ax in power_figure(table.rows()).axes]
    ['power', '', 'power, lower tail', '']
    """
    rows = _grid_rows(rows)
    panels = {_panel(row) for row in rows if row["view"] == view}
    if not panels:
        raise ParameterError(f"`rows` hold no power of the view {view!r}")
    experiments = sorted({panel[0] for panel in panels})
    rules = sorted({panel[2] for panel in panels})
    side, tall, gap, top = (4.3, 2.2, 0.3, 0.3) if len(panels) == 1 else (2.9, 0.95, 0.3, 0.3)
    left, below, above = 0.62, 0.36, 0.24  # inches
    width = left + len(rules) * (side + gap)
    height = top + len(experiments) * (above + tall + below) + 0.14
    with style.house_style():
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
    rows: Rows, axes: "Mapping[str, Axes]", experiment: int, *, view: str, tail: str
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
    ticks = [few, many]
    if many > WIDE * few:
        ax.set_xscale("log")
        ticks = [b for b in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if few <= b <= many]
    elif len(counts) > 2:
        ticks = [b for b in range(0, many + 1, 20) if b >= few] or ticks
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.xaxis.set_minor_locator(NullLocator())


def _panel(row: Mapping[str, Any]) -> tuple[int, str, str]:
    return row["experiment"], row["view"], row["placement"]
