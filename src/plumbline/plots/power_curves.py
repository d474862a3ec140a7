"""Power against the number of rows: what was simulated, the fitted line, and the rows needed."""

from typing import TYPE_CHECKING, Any

from plumbline import formatting
from plumbline.errors import ParameterError
from plumbline.plots import style
from plumbline.power import Plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BARS = 1.96  # standard errors: 95 % of the time the power is within


def draw_plan(found: Plan, ax: "Axes") -> None:
    """Draw a plan: simulated power with 95 % error bars, the fitted line, and the rows needed.

    The dotted line is the power that was asked for; where the fitted line meets it stands the
    number of rows that are needed. The hollow mark is the number of rows that was asked about.
    Raises ParameterError for a plan without a simulated point.

    >>> from matplotlib.figure import Figure
    >>> from plumbline import plan
    >>> quick = {"statistic": "brier-score", "datasets": 50, "resamples": 39}
    >>> found = plan(effect="random-labels:0.3", classes=2, dirichlet=0.2, **quick)
    >>> ax = Figure().subplots()
    >>> draw_plan(found, ax)
    >>> ax.get_xlabel()
    'number of rows'
    """
    if not found.curve:
        raise ParameterError("the plan holds no simulated point to draw; plan for an effect")
    rows = [row["n"] for row in found.curve]
    if found.fitted:
        ax.plot(*zip(*found.fitted, strict=True), color=style.DRAWS, lw=1.4, zorder=2)
    ax.axhline(found.power, color=style.MUTED, lw=0.8, ls=":", zorder=1)
    ax.errorbar(
        rows,
        [row["power"] for row in found.curve],
        yerr=[BARS * row["std_error"] for row in found.curve],
        fmt="o",
        ms=4.5,
        color=style.POINT,
        elinewidth=1.0,
        capsize=2.0,
        zorder=3,
    )
    if found.n is not None and found.power_at_n is not None and found.n in rows:
        look: dict[str, Any] = {"mfc": style.PAPER, "mec": style.POINT, "ms": 7.0, "mew": 1.4}
        ax.plot([found.n], [found.power_at_n], "o", **look, zorder=4)
    if found.n_needed is not None:
        _mark(found.n_needed, found.power, ax)
    far = max([*rows, found.n_needed or 0])
    ax.set(xlim=(0, 1.08 * far), ylim=(0, 1.03))
    ax.set_xlabel("number of rows", **style.PLAIN)
    ax.set_ylabel(f"power at level {found.level:g}", **style.PLAIN)
    ax.set_title(f"{found.test}, {style.short_name(found.effect)}", **style.PLAIN)
    style.quiet_axes(ax)


def plan_figure(found: Plan) -> "Figure":
    """Return `draw_plan` as a picture of its own."""
    with style.house_style():
        figure = style.new_figure(5.4, 3.4)
        ax = figure.add_axes((0.11, 0.14, 0.86, 0.76))
        draw_plan(found, ax)
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
