"""The calibration error against the number of bins."""

from typing import TYPE_CHECKING, Any

from plumbline.calibration_tests import BinSensitivity
from plumbline.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_sensitivity(found: BinSensitivity, scheme: str, ax: "Axes") -> None:
    """Draw the error of one scheme against its number of bins, over the range of the null.

    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline.calibration_tests import bin_sensitivity
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    >>> ax = Figure().subplots()
    >>> draw_sensitivity(bin_sensitivity(data, resamples=39), "equal-size", ax)
    >>> ax.get_title()
    'equal-size'
    """
    rows = [row for row in found.settings if row["scheme"] == scheme]
    x = [row["bins"] for row in rows]
    low, high = ([row[end] for row in rows] for end in ("null_low", "null_high"))
    ax.fill_between(
        x, low, high, color=style.BAND, lw=0, label="95 % if the probabilities are true"
    )
    ax.plot(x, [row["null_mean"] for row in rows], color=style.DRAWS, lw=1.4, label="mean if true")
    ax.plot(x, [row["value"] for row in rows], color=style.POINT, lw=1.2)
    for outside in (False, True):
        some = [row for row in rows if row["outside"] is outside]
        look: dict[str, Any] = {
            "mfc": style.POINT if outside else style.PAPER,
            "mec": style.POINT,
            "ls": "none",
            "ms": 5,
        }
        label = f"observed, {'outside' if outside else 'inside'} the range"
        ax.plot([r["bins"] for r in some], [r["value"] for r in some], "o", label=label, **look)
    ax.set_xscale("log")
    ticks = [b for b in (2, 5, 10, 20, 50, 100, 200, 500, 1000) if x[0] <= b <= x[-1]] or x
    ax.set_xticks(ticks, [str(b) for b in ticks])
    ax.xaxis.minorticks_off()
    ax.set_xlabel("number of bins")
    ax.set_title(scheme, **style.PLAIN)
    style.quiet_axes(ax)


def sensitivity_figure(found: BinSensitivity, *, legend: bool = True) -> "Figure":
    """Return `draw_sensitivity` of every scheme side by side, on one scale."""
    schemes = list(dict.fromkeys(row["scheme"] for row in found.settings))
    with style.house_style():
        width, height = 3.2 * len(schemes) + 0.4, 2.9 + 0.35 * legend
        figure = style.new_figure(width, height)
        axes = figure.subplots(1, len(schemes), sharey=True, squeeze=False)[0]
        for ax, scheme in zip(axes, schemes, strict=True):
            draw_sensitivity(found, scheme, ax)
        top = max(max(r["value"], r["null_high"]) for r in found.settings)
        axes[0].set_ylim(0, 1.06 * top or 1.0)
        axes[0].set_ylabel(f"calibration error ({found.distance})", **style.PLAIN)
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
