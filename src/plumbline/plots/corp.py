"""The CORP diagram: the isotonic curve, its bands, and what the score is made of."""

from typing import TYPE_CHECKING, Any

from plumbline import formatting
from plumbline.calibration_tests.corp_curve import CorpCurve
from plumbline.plots import style
from plumbline.verdicts import spoken_p

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_corp(curve: CorpCurve, ax: "Axes") -> None:
    """Draw a CORP curve: diagonal, consistency band, confidence limits, constant pieces.

    The thick lines are the pieces of the isotonic fit, from their lowest to their highest score.
    The filled band is where the curve lies, score by score, if the probabilities are true; between
    the dotted lines lies the true probability if it rises with the score.

    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline.calibration_tests.corp_curve import corp_curve
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9])
    >>> ax = Figure().subplots()
    >>> draw_corp(corp_curve(data, resamples=99), ax)
    >>> ax.get_ylabel()
    'observed relative frequency'
    """
    _draw_bands(curve, ax)
    ax.plot(
        [0, 1],
        [0, 1],
        color=style.MUTED,
        lw=0.9,
        ls=(0, (4, 3)),
        zorder=2,
        label="true probabilities",
    )
    _draw_pieces(curve, ax)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    ax.set_xlabel(style.short_name(curve.x_label, 42), **style.PLAIN)
    ax.set_ylabel(style.short_name(curve.y_label, 42), **style.PLAIN)
    style.quiet_axes(ax)


def corp_figure(curve: CorpCurve) -> "Figure":
    """Return the CORP diagram, its score's parts above, the histogram of the scores below.

    >>> from plumbline import Predictions
    >>> from plumbline.calibration_tests.corp_curve import corp_curve
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9])
    >>> figure = corp_figure(corp_curve(data, resamples=99))
    >>> [ax.get_ylabel() for ax in figure.axes]
    ['observed relative frequency', 'rows']
    """
    left, side, low, below, top = 0.72, 2.95, 0.5, 1.08, 0.82  # inches
    width, height = left + side + 0.12, below + low + 0.14 + side + top
    with style.house_style():
        figure = style.new_figure(width, height)
        start = below + low + 0.14
        main = figure.add_axes((left / width, start / height, side / width, side / height))
        counts = figure.add_axes((left / width, below / height, side / width, low / height))
        draw_corp(curve, main)
        _draw_counts(curve, counts)
        main.grid(color=style.GRID)
        main.set_xlabel("")
        main.set_xticklabels([])
        for ax in (main, counts):
            ax.yaxis.set_label_coords(-0.19, 0.5)
        _draw_heading(curve, figure)
        handles = main.get_legend_handles_labels()
        figure.legend(*handles, loc="lower center", ncols=2, handlelength=1.4)
    return figure


def _draw_heading(curve: CorpCurve, figure: "Figure") -> None:
    """Say what the score is, what it is made of, and what chance alone would make of its first."""
    width, height = figure.get_size_inches()
    known = formatting.SCORE_NAMES.get(curve.score.replace("-", "_"), curve.score.replace("-", " "))
    score, lost, gained, spread, chance = (
        formatting.printed(value)
        for value in (
            *(curve.score_mean, curve.miscalibration, curve.discrimination),
            *(curve.uncertainty, curve.null_mean),
        )
    )
    name = f"{style.short_name(known, 24)} {score}, {formatting.counted(curve.n, 'row')}"
    lines = [
        f"= miscalibration {lost} ({chance} if true)",
        f"− discrimination {gained} + uncertainty {spread}",
        spoken_p(curve.p_value, curve.resamples),
    ]
    at: dict[str, Any] = {"x": 0.14 / width, "va": "top", **style.PLAIN}
    figure.text(
        y=1 - 0.09 / height, s=f"{style.short_name(curve.view, 24)}: {name}", fontsize=9.5, **at
    )
    figure.text(y=1 - 0.28 / height, s="\n".join(lines), fontsize=8.5, linespacing=1.35, **at)


def _draw_bands(curve: CorpCurve, ax: "Axes") -> None:
    score, low, high, least, most = (
        [row[name] for row in curve.bands]
        for name in (
            "score",
            *("consistency_low", "consistency_high"),
            *("confidence_low", "confidence_high"),
        )
    )
    label = f"{100 * curve.level:g} % band if true"
    ax.fill_between(
        score, low, high, facecolor=style.BAND, edgecolor=style.BAND, lw=0.8, zorder=1, label=label
    )
    look: dict[str, Any] = {"color": style.POINT, "lw": 0.9, "ls": (0, (1, 1.6)), "zorder": 2.5}
    ax.plot(score, least, **look, label=f"{100 * curve.level:g} % limits of the truth")
    ax.plot(score, most, **look)


def _draw_pieces(curve: CorpCurve, ax: "Axes") -> None:
    ends = [(row[end], row["probability"]) for row in curve.steps for end in ("lo", "hi")]
    ax.plot(*zip(*ends, strict=True), color=style.POINT, lw=1.0, zorder=3)
    share = [row["probability"] for row in curve.steps]
    lo, hi = ([row[end] for row in curve.steps] for end in ("lo", "hi"))
    lines = ax.hlines(share, lo, hi, colors=style.POINT, lw=2.8, zorder=4, label="isotonic fit")
    lines.set_capstyle("projecting")  # a piece of a single score is a square
    lines.set_clip_on(False)


def _draw_counts(curve: CorpCurve, ax: "Axes") -> None:
    lo = [row["lo"] for row in curve.counts]
    width = [row["hi"] - row["lo"] for row in curve.counts]
    counts = [row["count"] for row in curve.counts]
    look: dict[str, Any] = {"color": style.DRAWS, "edgecolor": style.PAPER, "linewidth": 0.5}
    ax.bar(lo, counts, width, align="edge", **look)
    most = max(counts)
    ax.set(xlim=(-0.02, 1.02), ylim=(0, most * 1.06), yticks=[0, most])
    ax.set_yticklabels(["0", f"{most:,.0f}" if most < 1e6 else f"{most:.3g}"])
    ax.set_xlabel(style.short_name(curve.x_label, 42), **style.PLAIN)
    ax.set_ylabel("rows", **style.PLAIN)
    style.quiet_axes(ax)
