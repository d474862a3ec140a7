"""Calibration errors: of several models, by number of bins, and step by step as a sum."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plumbline import formatting
from plumbline.calibration_errors import BinSensitivity, CalibrationError, ErrorSteps
from plumbline.errors import ParameterError
from plumbline.plots import style
from plumbline.plots.display import displayed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 40  # points or bins that a picture has room for
LINE, LETTER, SPACE = 0.24, 0.075, 0.26  # inches: a line, a letter, the space between columns
MARGIN = 0.12
HEAD = 2.9  # lines that stand above the first row of a table
AFTER = "The classwise error is the mean of such errors over all classes."


@displayed
def draw_errors(errors: Mapping[str, CalibrationError], ax: "Axes") -> None:
    """Draw one line a name: the error as a point beside its 95 % range under calibration.

    The tick in the range is the mean under calibration. A point is filled where it leaves the
    range. An infinite error is an arrow at the right edge.

    Parameters
    ----------
    errors : mapping of str to CalibrationError
        Errors by the name that stands beside them.
    ax : matplotlib.axes.Axes
        The axes to draw on.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Raises
    ------
    ParameterError
        Where there is no error.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions, calibration_error
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    >>> ax = Figure().subplots()
    >>> display = draw_errors({"a model": calibration_error(data, resamples=99)}, ax)
    >>> ax.get_yticklabels()[0].get_text()
    'a model'
    """
    if not errors:
        raise ParameterError(
            "`errors` must hold at least one calibration error, got none", code="nothing-given"
        )
    shown = list(errors.values())
    finite = [v for e in shown for v in (e.value, *e.null_range) if math.isfinite(v)]
    right = 1.14 * max(finite, default=0.0) or 1.0
    ax.set(xlim=(-0.012 * right, right), ylim=(len(shown) - 0.4, -0.6))
    for place, error in enumerate(shown):
        _draw_line(error, place, right, ax)
    ax.set_yticks(range(len(shown)), [style.short_name(name) for name in errors], **style.PLAIN)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(f"calibration error ({shown[0].distance})", **style.PLAIN)
    ax.locator_params(axis="x", nbins=6, steps=[1, 2, 5, 10])
    style.quiet_axes(ax)
    ax.spines["left"].set_visible(False)


def errors_figure(errors: Mapping[str, CalibrationError]) -> "Figure":
    """Return `draw_errors` as a picture of its own, as tall as it has lines.

    Parameters
    ----------
    errors : mapping of str to CalibrationError
        Errors by the name that stands beside them.

    Returns
    -------
    matplotlib.figure.Figure
        One line an error.

    Raises
    ------
    ParameterError
        Where there is no error.

    Examples
    --------
    >>> from plumbline import Predictions, calibration_error
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    >>> figure = errors_figure({"a model": calibration_error(data, resamples=99)})
    >>> figure.axes[0].get_yticklabels()[0].get_text()
    'a model'
    """
    width, height = 5.6, 0.62 + 0.3 * len(errors)
    left = 0.2 + 0.075 * max((len(style.short_name(name)) for name in errors), default=0)
    with style.figure_style():
        figure = style.new_figure(width, height)
        size = (width - left - 0.15) / width, (height - 0.54) / height
        ax = figure.add_axes((left / width, 0.46 / height, *size))
        draw_errors(errors, ax)
        ax.grid(axis="x", color=style.GRID)
    return figure


def _draw_line(error: CalibrationError, place: int, right: float, ax: "Axes") -> None:
    low, high = error.null_range
    if math.isfinite(low) and math.isfinite(high):
        ax.barh(
            place,
            high - low,
            0.5,
            left=low,
            color=style.BAND,
            edgecolor=style.BAND,
            lw=1.5,
            zorder=2,
        )
        tick: dict[str, Any] = {"mec": style.DRAWS, "ms": 11, "mew": 1.4}
        ax.plot([error.null_mean], [place], "|", **tick, zorder=3)
    infinite = not math.isfinite(error.value)
    outside = infinite or not low <= error.value <= high
    x = right if infinite else error.value
    fill = style.POINT if outside else style.PAPER
    props: dict[str, Any] = {
        "mfc": fill,
        "mec": style.POINT,
        "ms": 6.5,
        "mew": 1.3,
        "clip_on": False,
    }
    ax.plot([x], [place], ">" if infinite else "o", **props, zorder=4)
    beside = x if infinite or not high > x else high
    ax.annotate(
        formatting.printed(error.value),
        (beside, place),
        (-9, 0) if infinite else (7, 0),
        va="center",
        ha="right" if infinite else "left",
        textcoords="offset points",
        color=style.INK,
        fontsize="small",
        zorder=5,
        **style.PLAIN,
    )


@displayed
def draw_sensitivity(result: BinSensitivity, scheme: str, ax: "Axes") -> None:
    """Draw the error of one scheme against its number of bins, over the range of the null.

    Parameters
    ----------
    result : BinSensitivity
        What `bin_sensitivity` returned.
    scheme : str
        One of its schemes, such as "equal-size".
    ax : matplotlib.axes.Axes
        The axes to draw on.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline import bin_sensitivity
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    >>> ax = Figure().subplots()
    >>> display = draw_sensitivity(bin_sensitivity(data, resamples=39), "equal-size", ax)
    >>> ax.get_title()
    'equal-size'
    """
    rows = [row for row in result.settings if row["scheme"] == scheme]
    x = [row["bins"] for row in rows]
    low, high = ([row[end] for row in rows] for end in ("null_low", "null_high"))
    ax.fill_between(x, low, high, color=style.BAND, lw=0, label="95 % range if calibrated")
    ax.plot(
        x,
        [row["null_mean"] for row in rows],
        color=style.DRAWS,
        lw=1.4,
        label="expected if calibrated",
    )
    ax.plot(x, [row["value"] for row in rows], color=style.POINT, lw=1.2)
    for outside in (False, True):
        some = [row for row in rows if row["outside"] is outside]
        props: dict[str, Any] = {
            "mfc": style.POINT if outside else style.PAPER,
            "mec": style.POINT,
            "ls": "none",
            "ms": 5,
        }
        label = f"observed, {'outside' if outside else 'inside'} the range"
        ax.plot([r["bins"] for r in some], [r["value"] for r in some], "o", label=label, **props)
    ax.set_xscale("log")
    ticks = [b for b in (2, 5, 10, 20, 50, 100, 200, 500, 1000) if x[0] <= b <= x[-1]] or x
    ax.set_xticks(ticks, [str(b) for b in ticks])
    ax.xaxis.minorticks_off()
    ax.set_xlabel("number of bins")
    ax.set_title(scheme, **style.PLAIN)
    style.quiet_axes(ax)


def sensitivity_figure(result: BinSensitivity, *, legend: bool = True) -> "Figure":
    """Return `draw_sensitivity` of every scheme side by side, on one scale.

    Parameters
    ----------
    result : BinSensitivity
        What `bin_sensitivity` returned.
    legend : bool, default True
        Say below what line and band are.

    Returns
    -------
    matplotlib.figure.Figure
        A panel a scheme.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline import bin_sensitivity
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    >>> figure = sensitivity_figure(bin_sensitivity(data, resamples=39))
    >>> len(figure.axes)
    2
    """
    schemes = list(dict.fromkeys(row["scheme"] for row in result.settings))
    with style.figure_style():
        width, height = 3.2 * len(schemes) + 0.4, 2.9 + 0.35 * legend
        figure = style.new_figure(width, height)
        axes = figure.subplots(1, len(schemes), sharey=True, squeeze=False)[0]
        for ax, scheme in zip(axes, schemes, strict=True):
            draw_sensitivity(result, scheme, ax)
        top = max(max(r["value"], r["null_high"]) for r in result.settings)
        axes[0].set_ylim(0, 1.06 * top or 1.0)
        axes[0].set_ylabel(f"calibration error ({result.distance})", **style.PLAIN)
        figure.subplots_adjust(
            left=0.68 / width,
            right=1 - 0.1 / width,
            bottom=(0.48 + 0.45 * legend) / height,
            top=1 - 0.3 / height,
            wspace=0.08,
        )
        if legend:
            figure.legend(*axes[0].get_legend_handles_labels(), loc="lower center", ncols=2)
    return figure


@dataclass(frozen=True, slots=True)
class TableColumn:
    """One column of a table: its heading, which may have two lines, and its texts."""

    heading: str
    texts: tuple[str, ...]

    @property
    def width(self) -> float:
        """Inches that the longest of its texts takes."""
        longest = max(len(text) for text in (*self.heading.split("\n"), *self.texts))
        return longest * LETTER + SPACE


@displayed
def draw_steps(steps: ErrorSteps, ax: "Axes") -> None:
    """Draw how a calibration error comes about: a table of points, one of bins, and the sum.

    Every second bin is shaded, in both tables. The axes become a sheet measured in inches, whose
    size `steps_figure` knows.

    Parameters
    ----------
    steps : ErrorSteps
        What `error_steps` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Raises
    ------
    ParameterError
        For more than 40 points or bins.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline.calibration_tests import error_steps
    >>> data = Predictions.from_arrays([0, 1, 1, 1, 1], [0.55, 0.45, 0.91, 0.86, 0.96])
    >>> ax = steps_figure(error_steps(data, bins="equal-width:5")).axes[0]
    >>> ax.texts[-1].get_text()
    'The classwise error is the mean of such errors over all classes.'
    """
    width, height = _size(steps)
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.set_axis_off()
    points = sorted(steps.points, key=lambda row: (row["bin"], row["point"]))
    low = _draw_table(
        "1–3  Take one probability of every point, and put the points into bins",
        _point_columns(steps),
        ax,
        top=MARGIN,
        bins=[row["bin"] for row in points],
    )
    low = _draw_table(
        "4–5  Compare mean prediction and observed frequency of every bin",
        _bin_columns(steps),
        ax,
        top=low + LINE,
        bins=range(1, len(steps.bins) + 1),
    )
    _write("6  Sum the parts of all bins", ax, MARGIN, low + 1.5 * LINE, weight="bold")
    for line, text in enumerate(_sums(steps), start=2):
        _write(text, ax, MARGIN, low + (line + 0.5) * LINE)


def steps_figure(steps: ErrorSteps) -> "Figure":
    """Return `draw_steps` as a picture of its own, as large as it needs.

    Parameters
    ----------
    steps : ErrorSteps
        What `error_steps` returned.

    Returns
    -------
    matplotlib.figure.Figure
        The two tables and the sum.

    Raises
    ------
    ParameterError
        For more than 40 points or bins.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline.calibration_tests import error_steps
    >>> data = Predictions.from_arrays([0, 1, 1, 1, 1], [0.55, 0.45, 0.91, 0.86, 0.96])
    >>> len(steps_figure(error_steps(data, bins="equal-width:5")).axes)
    1
    """
    for name, rows in (("points", steps.points), ("bins", steps.bins)):
        if len(rows) > MOST:
            raise ParameterError(
                f"a picture of steps holds at most {MOST} {name}, got {len(rows):,}",
                code="too-many-to-draw",
                remedy="take fewer rows",
            )
    with style.figure_style():
        figure = style.new_figure(*_size(steps))
        draw_steps(steps, figure.add_axes((0, 0, 1, 1)))
    return figure


def _point_columns(steps: ErrorSteps) -> list[TableColumn]:
    points = sorted(steps.points, key=lambda row: (row["bin"], row["point"]))
    names = list(formatting.intervals(steps.bins))
    top = steps.view == "top-label"
    target = _target(steps)
    vectors = ["(" + ", ".join(f"{p:.2f}" for p in row["prediction"]) + ")" for row in points]
    return [
        TableColumn("point", tuple(str(row["point"]) for row in points)),
        TableColumn("predicted\nprobabilities", tuple(vectors)),
        TableColumn(
            "true\nclass", tuple(style.short_name(row["actual"], 16, tail=4) for row in points)
        ),
        TableColumn(
            "largest\nprobability" if top else f"probability\nof {target}",
            tuple(f"{row['score']:.2f}" for row in points),
        ),
        TableColumn(
            "its class is\nthe true one" if top else f"true class\nis {target}",
            tuple("1" if row["happened"] else "0" for row in points),
        ),
        TableColumn("bin", tuple(names[row["bin"] - 1] for row in points)),
    ]


def _bin_columns(steps: ErrorSteps) -> list[TableColumn]:
    bins = steps.bins

    def numbers(name: str) -> tuple[str, ...]:
        return tuple(formatting.printed(_rounded(row[name])) for row in bins)

    def product(row: Sequence[str]) -> str:
        return f"{row[0]} × {row[1]} = {row[2]}"

    parts = zip(numbers("share"), numbers("distance"), numbers("part"), strict=True)
    return [
        TableColumn("bin", tuple(formatting.intervals(bins))),
        TableColumn("points", tuple(str(row["count"]) for row in bins)),
        TableColumn("mean\nprobability", numbers("mean_probability")),
        TableColumn("observed\nshare", numbers("outcome_share")),
        TableColumn(f"distance\n({style.short_name(steps.distance, 14)})", numbers("distance")),
        TableColumn("share of points\n× distance", tuple(map(product, parts))),
    ]


def _rounded(value: float) -> float:
    """Return a value without the last digits' rounding, which would show as 5.55e-17."""
    return round(value, 12) + 0.0


def _sums(steps: ErrorSteps) -> list[str]:
    """Return the sum of the parts, and what is made of the errors of single classes."""
    top = steps.view == "top-label"
    name = "top-label error" if top else f"error of {_target(steps)}"
    parts = [formatting.printed(_rounded(row["part"])) for row in steps.bins]
    listed = " + ".join(parts) if 2 <= len(parts) <= 8 else f"sum of {len(parts)} parts"
    total = f"{name} = {listed} = {formatting.printed(_rounded(steps.value))}"
    return [total] if top else [total, AFTER]


def _target(steps: ErrorSteps) -> str:
    return style.short_name(steps.view.partition(":")[2], 16, tail=4)


def _size(steps: ErrorSteps) -> tuple[float, float]:
    """Return the inches that both tables and the sum take."""
    widths = [sum(c.width for c in cs) for cs in (_point_columns(steps), _bin_columns(steps))]
    sums = _sums(steps)
    lines = len(steps.points) + len(steps.bins) + 2 * HEAD + 1 + 2 + len(sums)
    width = max(*widths, *(len(text) * LETTER for text in sums), 5.4)
    return width + 2 * MARGIN, lines * LINE + 2 * MARGIN


def _draw_table(
    heading: str, columns: Sequence[TableColumn], ax: "Axes", *, top: float, bins: Sequence[int]
) -> float:
    """Write a table with its heading; return how far down it reaches."""
    from matplotlib.patches import Rectangle

    right = ax.get_xlim()[1] - MARGIN
    _write(heading, ax, MARGIN, top + LINE / 2, weight="bold")
    first = top + HEAD * LINE
    for line, number in enumerate(bins):
        if number % 2:
            corner = (MARGIN, first + line * LINE)
            ax.add_patch(Rectangle(corner, right - MARGIN, LINE, fc=style.BAND, lw=0))
    ax.plot([MARGIN, right], [first, first], color=style.MUTED, lw=0.7)
    for left, column in zip(_lefts(columns), columns, strict=True):
        corner = left + SPACE / 2, first - 0.4 * LINE
        _write(column.heading, ax, *corner, color=style.MUTED, at="baseline")
        for line, text in enumerate(column.texts):
            _write(text, ax, left + SPACE / 2, first + (line + 0.5) * LINE)
    return first + len(bins) * LINE


def _lefts(columns: Sequence[TableColumn]) -> Iterator[float]:
    left = MARGIN
    for column in columns:
        yield left
        left += column.width


def _write(
    text: str,
    ax: "Axes",
    x: float,
    y: float,
    *,
    color: str = style.INK,
    weight: str = "normal",
    at: str = "center_baseline",
) -> None:
    ax.text(x, y, text, color=color, weight=weight, va=at, linespacing=1.15, **style.PLAIN)
