"""Groups of rows: the bias of each as a forest plot, and the bias along a feature."""

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from plumbline import formatting
from plumbline.plots import style
from plumbline.plots.layout import lay_out, legend_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from plumbline.calibration_tests import ConditionalBias, GroupCalibration

WIDE, TALL = 5.4, 2.5  # inches of the axes of a conditional bias
FOREST, COLUMNS = (
    2.7,
    (0.7, 1.5, 2.3, 2.95),
)  # inches of a forest's axes; of its columns' right ends
HEADS = ("n", "predicted", "observed", "adj. p")
LETTER = 0.07  # inches of a letter


def draw_groups(result: "GroupCalibration", ax: "Axes") -> None:
    """Draw one line a group: its bias with the interval; filled where its test rejects.

    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline.calibration_tests import calibration_by
    >>> data = Predictions.from_arrays(
    ...     [0, 1] * 20, [0.5] * 40, attributes={"site": list("ab") * 20}
    ... )
    >>> ax = Figure().subplots()
    >>> draw_groups(calibration_by(data, "site", resamples=19), ax)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b']
    """
    rows = result.groups
    ax.axvline(0, color=style.MUTED, lw=0.9, ls=(0, (4, 3)), zorder=1)
    for place, row in enumerate(rows):
        colour = style.GAP if row["rejected"] else style.POINT
        fill = colour if row["rejected"] else style.PAPER
        ax.plot([row["bias_low"], row["bias_high"]], [place, place], color=colour, lw=1.6, zorder=2)
        ax.plot([row["bias"]], [place], "o", mfc=fill, mec=colour, ms=5.5, mew=1.3, zorder=3)
    names = [style.short_name(row["group"], 34) for row in rows]
    ax.set_yticks(range(len(rows)), names, **style.PLAIN)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(f"observed share − mean probability, {100 * result.level:g} % interval")
    ax.locator_params(axis="x", nbins=5, steps=[1, 2, 5, 10])
    style.quiet_axes(ax)
    ax.spines["left"].set_visible(False)


def group_figure(
    result: "GroupCalibration", *, title: bool = True, verdict: bool = True
) -> "Figure":
    """Return the forest plot with its numbers beside it and the verdict below.

    >>> from plumbline import Predictions
    >>> from plumbline.calibration_tests import calibration_by
    >>> data = Predictions.from_arrays(
    ...     [0, 1] * 20, [0.5] * 40, attributes={"site": list("ab") * 20}
    ... )
    >>> group_figure(calibration_by(data, "site", resamples=19)).axes[0].get_title(loc="left")
    'calibration by site'
    """
    rows = result.groups
    left = 0.2 + LETTER * max(len(style.short_name(row["group"], 34)) for row in rows)
    width = left + FOREST + COLUMNS[-1] + 0.15
    filled = f"Filled: rejected by the test {result.statistic!r}, which sees more than the bias."
    notes = (filled, *([result.tests.verdict] if verdict else []))
    lines = [
        line
        for note in notes
        for line in textwrap.wrap(note, int(15.5 * width), max_lines=5, placeholder=" …")
    ]
    foot = 0.55 + 0.16 * len(lines)
    tall = 0.27 * len(rows)
    height = foot + tall + 0.5
    with style.house_style():
        figure = style.new_figure(width, height)
        ax = figure.add_axes((left / width, foot / height, FOREST / width, tall / height))
        draw_groups(result, ax)
        ax.grid(axis="x", color=style.GRID)
        name = f"calibration by {style.short_name(result.by, 50)}" if title else ""
        ax.set_title(name, pad=22, **style.PLAIN)
        for head, right in zip(HEADS, COLUMNS, strict=True):
            _column(ax, -0.75, head, right, style.MUTED)
        for place, row in enumerate(rows):
            cells = (f"{row['n']:,}", *(f"{row[c]:.3f}" for c in _SHARES), _p(row))
            for text, right in zip(cells, COLUMNS, strict=True):
                _column(ax, place, text, right, style.INK)
        for number, text in enumerate(reversed(lines)):
            figure.text(
                0.08 / width,
                (0.08 + 0.16 * number) / height,
                text,
                color=style.MUTED,
                fontsize=7.2,
                **style.PLAIN,
            )
    return figure


_SHARES = ("mean_probability", "outcome_share")


def _p(row: Mapping[str, Any]) -> str:
    return formatting.typeset(formatting.p_number(row["adjusted_p_value"]))


def _column(ax: "Axes", place: float, text: str, right: float, colour: str) -> None:
    """Write a cell beside the axes, `right` inches from their edge."""
    ax.annotate(
        text,
        (1.0, place),
        (72 * right, 0),
        xycoords=("axes fraction", "data"),
        ha="right",
        textcoords="offset points",
        va="center",
        color=colour,
        fontsize=8.5,
        annotation_clip=False,
        **style.PLAIN,
    )


def draw_conditional_bias(result: "ConditionalBias", ax: "Axes", *, title: bool = True) -> None:
    """Draw the bias in every bin of a feature, with its interval, over the consistency band.

    A point is filled where it leaves the band. Labels for a legend are set, the legend is not.

    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline.calibration_tests import conditional_bias
    >>> data = Predictions.from_arrays(
    ...     [0, 1] * 20, [0.5] * 40, attributes={"site": list("ab") * 20}
    ... )
    >>> ax = Figure().subplots()
    >>> draw_conditional_bias(conditional_bias(data, "site", resamples=99), ax)
    >>> ax.get_title(), [label.get_text() for label in ax.get_xticklabels()]
    ('bias along site', ['a', 'b'])
    """
    names = list(dict.fromkeys(row["group"] for row in result.bins))
    models = [row["model"] for row in result.models]
    step = 0.7 / len(models)
    ax.axhline(0, color=style.MUTED, lw=0.9, ls=(0, (4, 3)), zorder=2)
    for number, model in enumerate(models):
        own = [row for row in result.bins if row["model"] == model]
        shift = (number - (len(models) - 1) / 2) * step
        places = [names.index(row["group"]) + shift for row in own]
        label = "bias" if model is None else legend_name(model)
        colour = style.LINES[number % len(style.LINES)]
        band = (
            f"{100 * result.level:g} % band if the probabilities are true" if not number else None
        )
        _draw_model(ax, own, places, colour=colour, label=label, band=band, wide=0.8 * step)
    ax.set_xticks(range(len(names)), [style.short_name(name, 18) for name in names], **style.PLAIN)
    if sum(len(name) + 2 for name in names) * LETTER > WIDE:
        ax.tick_params(axis="x", labelrotation=35)
        for text in ax.get_xticklabels():
            text.set(ha="right", rotation_mode="anchor")
    ax.set_xlim(-0.6, len(names) - 0.4)
    ax.use_sticky_edges = False  # a bar that ends at the frame looks cut off
    ax.autoscale_view(scalex=False)
    ax.set_xlabel(style.short_name(result.feature, 52), **style.PLAIN)
    ax.set_ylabel("observed − predicted")
    style.quiet_axes(ax)
    if title:
        ax.set_title(f"bias along {style.short_name(result.feature, 40)}", **style.PLAIN)


def _draw_model(
    ax: "Axes",
    rows: Sequence[Mapping[str, Any]],
    places: Sequence[float],
    *,
    colour: str,
    label: str,
    band: str | None,
    wide: float,
) -> None:
    """Draw the points, intervals and band of one model."""
    low = [row["band_low"] for row in rows]
    tall = [row["band_high"] - row["band_low"] for row in rows]
    if all(map(math.isfinite, tall)):
        ax.bar(places, tall, wide, bottom=low, color=style.BAND, zorder=1, label=band)
    ends = [row["bias_low"] for row in rows], [row["bias_high"] for row in rows]
    ax.vlines(places, *ends, color=colour, lw=1.4, zorder=3)
    look: dict[str, Any] = {"mec": colour, "ms": 5.5, "mew": 1.3, "zorder": 4}
    ax.plot([], [], "o", mfc=colour, label=label, **look)
    for x, row in zip(places, rows, strict=True):
        inside = row["band_low"] <= row["bias"] <= row["band_high"]
        ax.plot([x], [row["bias"]], "o", mfc=style.PAPER if inside else colour, **look)


def conditional_bias_figure(
    result: "ConditionalBias", *, title: bool = True, verdict: bool = True
) -> "Figure":
    """Return `draw_conditional_bias` as a picture of its own, with what it says below.

    >>> from plumbline import Predictions
    >>> from plumbline.calibration_tests import conditional_bias
    >>> data = Predictions.from_arrays(
    ...     [0, 1] * 20, [0.5] * 40, attributes={"site": list("ab") * 20}
    ... )
    >>> figure = conditional_bias_figure(conditional_bias(data, "site", resamples=99))
    >>> figure.axes[0].get_ylabel()
    'observed − predicted'
    """
    notes = [
        row["verdict"] if row["model"] is None else f"{row['model']}: {row['verdict']}"
        for row in (result.models if verdict else ())
    ]
    level = f"{100 * result.level:g} %"
    notes.append(f"Lines: {level} interval of each bin's bias; filled: outside the band.")
    with style.house_style():
        figure = style.new_figure(1, 1)
        ax = figure.add_axes((0, 0, 1, 1))
        draw_conditional_bias(result, ax, title=title)
        ax.grid(axis="y", color=style.GRID)
        lay_out(figure, WIDE, TALL, notes=notes)
    return figure
