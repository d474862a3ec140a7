"""Comparisons of models: differences of pairs, average ranks, and a posterior with its region."""

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from plumbline import formatting
from plumbline.comparison import posterior_curve
from plumbline.comparison.quantity import best_side, title_of
from plumbline.comparison.results import below
from plumbline.errors import ParameterError
from plumbline.plots import style
from plumbline.plots.display import displayed
from plumbline.plots.style import lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from plumbline.comparison import PairComparison, RankAnswer


LETTER, EDGE, NOTE = 0.07, 0.1, 0.16  # inches: of a letter, at the rim, of a line of notes
FOREST, ROW, COLUMNS = 2.9, 0.27, (0.85, 1.72, 1.85)  # of a forest: axes, a line, columns
HEAD, FOOT = 0.45, 0.55  # above and below the lines of a forest
DASHES = (0, (4, 3))
SCALE, LEVELS, NAMES = 3.9, 0.2, 30  # inches of the axis of ranks and of a line of names; letters
WIDE, TALL = 4.4, 2.4  # of the axes of a posterior


@displayed
def draw_comparisons(
    pairs: Sequence["PairComparison"], ax: "Axes", *, level: float = 0.95, title: bool = True
) -> None:
    """Draw one line a pair: the difference of one metric with its interval; filled where shown.

    The band is the region of practical equivalence, where there is one. An infinite difference is
    an arrow at the edge, an undefined one has no point.

    Parameters
    ----------
    pairs : sequence of PairComparison
        The pairs of a `Comparison`, all of one metric.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    level : float, default 0.95
        The level of the comparison, in (0, 1): filled is an adjusted p-value of at most 1 -
        `level`.
    title : bool, default True
        Write the metric above.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Raises
    ------
    ParameterError
        For no pair, or pairs of several metrics.

    Examples
    --------
    >>> from types import SimpleNamespace as Pair
    >>> from matplotlib.figure import Figure
    >>> params = {"metric": "brier-score", "after": None, "rope": 0.01, "adjusted_p_value": 0.2}
    >>> pair = Pair(models=("a", "b"), difference=0.02, interval_range=(-0.01, 0.05), **params)
    >>> ax = Figure().subplots()
    >>> display = draw_comparisons([pair], ax)
    >>> ax.get_title(loc="left"), ax.get_yticklabels()[0].get_text()
    ('Brier score', 'a − b')
    """
    whats = {_what(pair) for pair in pairs}
    if len(whats) != 1:
        raise ParameterError(
            argument="pairs",
            rule="of one metric",
            arrived=f"{sorted(whats) or 'none'}",
            code="several-metrics",
        )
    ropes = [pair.rope for pair in pairs if pair.rope is not None]
    if ropes:
        ax.axvspan(-max(ropes), max(ropes), color=style.BAND, lw=0, zorder=0)
    ax.axvline(0, color=style.MUTED, lw=0.9, ls=DASHES, zorder=1)
    for place, pair in enumerate(pairs):
        shown = below(pair.adjusted_p_value, level)
        colour = style.GAP if shown else style.POINT
        value, ends = pair.difference, pair.interval_range
        style.draw_estimate(value, ends, place, ax, colour=colour, filled=shown)
    ax.set_yticks(range(len(pairs)), [_names(pair) for pair in pairs], **style.PLAIN)
    ax.set_ylim(len(pairs) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    side = best_side(pairs[0].metric)
    ax.set_xlabel(f"first model − second{side and f' ({side})'}, {formatting.percentage(level)} CI")
    ax.locator_params(axis="x", nbins=5, steps=[1, 2, 5, 10])
    style.quiet_axes(ax)
    ax.spines["left"].set_visible(False)
    if title:
        ax.set_title(whats.pop(), loc="left", **style.PLAIN)


def comparison_figure(
    pairs: Sequence["PairComparison"], *, level: float = 0.95, title: bool = True
) -> "Figure":
    """Return the differences of all pairs, one panel a metric, with their numbers beside them.

    Parameters
    ----------
    pairs : sequence of PairComparison
        The pairs of a `Comparison`.
    level : float, default 0.95
        The level of the comparison, in (0, 1): filled is an adjusted p-value of at most 1 -
        `level`.
    title : bool, default True
        Write the metric above each panel.

    Returns
    -------
    matplotlib.figure.Figure
        A panel a metric.

    Raises
    ------
    ParameterError
        For no pair.

    Examples
    --------
    >>> from types import SimpleNamespace as Pair
    >>> params = {"after": None, "rope": None, "p_value": 0.2, "adjusted_p_value": 0.4}
    >>> params |= {"models": ("a", "b"), "difference": 0.02, "interval_range": (-0.01, 0.05)}
    >>> pairs = [Pair(metric=name, **params) for name in ("brier-score", "log-loss")]
    >>> [ax.get_title(loc="left") for ax in comparison_figure(pairs).axes]
    ['Brier score', 'Log loss']
    """
    panels = [[p for p in pairs if _what(p) == what] for what in dict.fromkeys(map(_what, pairs))]
    if not panels:
        raise ParameterError(
            "`pairs` must hold at least one comparison, got none", code="nothing-given"
        )
    left = 2 * EDGE + LETTER * max(len(_names(pair)) for pair in pairs)
    width = left + FOREST + COLUMNS[-1] + EDGE
    lines = textwrap.wrap(_legend(pairs, level), int(15.5 * width))
    foot = EDGE + NOTE * len(lines)
    height = foot + sum(ROW * len(panel) + HEAD + FOOT for panel in panels)
    with style.figure_style():
        figure = style.new_figure(width, height)
        top = height
        for panel in panels:
            tall = ROW * len(panel)
            top -= HEAD + tall
            box = (left / width, top / height, FOREST / width, tall / height)
            ax = figure.add_axes(box)
            draw_comparisons(panel, ax, level=level, title=False)
            ax.grid(axis="x", color=style.GRID)
            if title:
                ax.set_title(_what(panel[0]), loc="left", pad=10, **style.PLAIN)
            _columns(panel, ax)
            top -= FOOT
        style.write_below(figure, lines)
    return figure


def _columns(pairs: Sequence["PairComparison"], ax: "Axes") -> None:
    """Write difference and adjusted p-value of every pair beside its line."""
    heads = ("difference", "adj. p")
    for head, right in zip(heads, COLUMNS, strict=False):
        style.write_cell(ax, -0.75, head, right, style.MUTED)
    for place, pair in enumerate(pairs):
        cells = (
            formatting.printed(pair.difference),
            formatting.typeset(formatting.p_number(pair.adjusted_p_value)),
        )
        for text, right in zip(cells, COLUMNS, strict=False):
            style.write_cell(ax, place, text, right, style.INK)


def _legend(pairs: Sequence["PairComparison"], level: float) -> str:
    text = f"Filled: adjusted p at most {1 - level:.3g}."
    if any(pair.rope is not None for pair in pairs):
        text += " Band: differences that do not matter in practice."
    if any(math.isnan(end) for pair in pairs for end in pair.interval_range):
        text += " No line: the test has no interval there."
    return text


def _what(pair: "PairComparison") -> str:
    name = title_of(pair.metric)
    return formatting.capital(name if pair.after is None else f"{name}, after {pair.after}")


def _names(pair: "PairComparison") -> str:
    first, second = (style.short_name(model, 20, tail=7) for model in pair.models)
    return f"{first} − {second}"


@displayed
def draw_ranks(
    result: "RankAnswer", ax: "Axes", *, metric: str | None = None, title: bool = True
) -> None:
    """Draw a critical difference diagram: models at their average ranks, the best to the right.

    Thick bars join models that Nemenyi's test does not distinguish; the bar above the axis is the
    critical difference.

    Parameters
    ----------
    result : RankAnswer
        What `friedman` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    metric : str, optional
        Its name for the title.
    title : bool, default True
        Write the metric, the number of data sets and the p-value above.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline.comparison.ranks import friedman
    >>> auc = [[0.8, 0.7, 0.6], [0.9, 0.8, 0.7], [0.7, 0.8, 0.6], [0.6, 0.5, 0.4]]
    >>> ax = Figure().subplots()
    >>> display = draw_ranks(friedman(auc, ["a", "b", "c"], better="higher"), ax)
    >>> [text.get_text() for text in ax.texts]
    ['CD 1.66', 'c  3.00', 'b  1.75', 'a  1.25']
    """
    low, high = _rank_limits(result)
    placed = sorted(zip(result.average_ranks, result.models, strict=True), key=lambda one: -one[0])
    layers = _layers(result)
    start = 0.9 + 0.42 * (max(layers, default=-1) + 1)
    half = (len(placed) + 1) // 2
    ax.plot(
        [high, high - result.critical_difference], [-1.5, -1.5], "|-", color=style.INK, lw=1.4, ms=6
    )
    ax.annotate(
        f"CD {result.critical_difference:.2f}",
        (high - result.critical_difference, -1.5),
        (6, 0),
        textcoords="offset points",
        va="center",
        color=style.INK,
        fontsize=8.5,
    )
    for place, (rank, model) in enumerate(placed):
        worse = place < half
        down = start + (place if worse else len(placed) - 1 - place)
        _draw_name(ax, rank, model, down, to=high if worse else low, left=worse)
    for group, layer in zip(result.groups, layers, strict=True):
        ranks = [rank for rank, model in placed if model in group]
        ends = [max(ranks) + 0.008 * (high - low), min(ranks) - 0.008 * (high - low)]
        ax.plot(
            ends,
            [0.55 + 0.42 * layer] * 2,
            color=style.POINT,
            lw=3.6,
            solid_capstyle="round",
            zorder=3,
        )
    _rank_axis(ax, low, high, bottom=start + half - 0.3)
    if title:
        ax.set_title(_ranks_title(result, metric), loc="left", **style.PLAIN)


def _draw_name(ax: "Axes", rank: float, model: str, down: float, *, to: float, left: bool) -> None:
    """Draw the line from a rank down and to the side where the model's name stands."""
    ax.plot([rank, rank, to], [0, down, down], color=style.MUTED, lw=0.9, clip_on=False, zorder=2)
    name = style.short_name(model, NAMES)
    text = f"{name}  {rank:.2f}"
    ax.annotate(
        text,
        (to, down),
        (-4 if left else 4, 0),
        textcoords="offset points",
        va="center",
        ha="right" if left else "left",
        color=style.INK,
        fontsize=8.5,
        annotation_clip=False,
        **style.PLAIN,
    )


def _rank_axis(ax: "Axes", low: float, high: float, *, bottom: float) -> None:
    """Put the axis of ranks on top, the best rank to the right, and nothing else."""
    ax.set(xlim=(high, low), ylim=(bottom, -2.1))
    ax.set_xticks(range(math.ceil(low), math.floor(high) + 1))
    ax.xaxis.set_ticks_position("top")
    for side in ("left", "right", "bottom"):
        ax.spines[side].set_visible(False)
    ax.spines["top"].set(visible=True, position=("data", 0.0))
    ax.tick_params(axis="x", pad=1)
    ax.set_yticks([])


def _rank_limits(result: "RankAnswer") -> tuple[float, float]:
    """Return whole ranks around all averages, far enough apart for the critical difference."""
    low, high = math.floor(min(result.average_ranks)), math.ceil(max(result.average_ranks))
    high = max(high, low + math.ceil(result.critical_difference), low + 1)
    return float(low), float(high)


def _layers(result: "RankAnswer") -> list[int]:
    """Return on which line each group's bar is drawn, so that no two touch."""
    rank_of = dict(zip(result.models, result.average_ranks, strict=True))
    low, high = _rank_limits(result)
    ends: list[float] = []
    layers = []
    for group in result.groups:
        first, last = (edge(rank_of[model] for model in group) for edge in (min, max))
        free = [at for at, end in enumerate(ends) if first > end + 0.05 * (high - low)]
        layer = free[0] if free else len(ends)
        ends[layer : layer + 1] = [last]
        layers.append(layer)
    return layers


def _ranks_title(result: "RankAnswer", metric: str | None) -> str:
    p = formatting.typeset(formatting.p_equals(result.p_value))
    of = "" if metric is None else f"{title_of(metric)}: "
    return f"{of}average ranks over {formatting.counted(result.n, 'data set')}, {p}"


def ranks_figure(
    result: "RankAnswer", *, metric: str | None = None, title: bool = True, notes: bool = True
) -> "Figure":
    """Return the critical difference diagram as a picture of its own, as wide as its names need.

    Parameters
    ----------
    result : RankAnswer
        What `friedman` returned.
    metric : str, optional
        Its name for the title.
    title : bool, default True
        Write the metric, the number of data sets and the p-value above.
    notes : bool, default True
        Write below how to read it.

    Returns
    -------
    matplotlib.figure.Figure
        The critical difference diagram.

    Examples
    --------
    >>> from plumbline.comparison.ranks import friedman
    >>> auc = [[0.8, 0.7, 0.6], [0.9, 0.8, 0.7], [0.7, 0.8, 0.6], [0.6, 0.5, 0.4]]
    >>> figure = ranks_figure(friedman(auc, ["a", "b", "c"], better="higher"))
    >>> figure.axes[0].get_title(loc="left")
    'average ranks over 4 data sets, p = 0.0417'
    """
    left, right = _sides(result)
    if title:
        right = max(right, LETTER * len(_ranks_title(result, metric)) - SCALE + 2 * EDGE)
    width = left + SCALE + right
    lines = textwrap.wrap(_ranks_note(result), int(15.5 * width)) if notes else []
    half = (len(result.models) + 1) // 2
    rows = 2.1 + 0.9 + 0.42 * (max(_layers(result), default=-1) + 1) + half - 0.3
    foot, tall = EDGE + NOTE * len(lines) + 0.08, LEVELS * rows
    height = foot + tall + (0.3 if title else 0.08)
    with style.figure_style():
        figure = style.new_figure(width, height)
        ax = figure.add_axes((left / width, foot / height, SCALE / width, tall / height))
        draw_ranks(result, ax, title=False)
        if title:
            ax.set_title(_ranks_title(result, metric), loc="left", **style.PLAIN)
        style.write_below(figure, lines)
    return figure


def _sides(result: "RankAnswer") -> tuple[float, float]:
    """Return the inches for the worse half's names, at the left, and the better half's."""
    placed = sorted(zip(result.average_ranks, result.models, strict=True), key=lambda one: -one[0])
    half = (len(placed) + 1) // 2
    worse, better = (
        2 * EDGE + LETTER * (6 + max((len(style.short_name(m, NAMES)) for _, m in part), default=0))
        for part in (placed[:half], placed[half:])
    )
    return worse, better


def _ranks_note(result: "RankAnswer") -> str:
    level = f"{100 * (1 - result.level):.3g} %"
    text = (
        f"Rank 1 is best. Bars join models that Nemenyi's test at {level} does not "
        "distinguish; that is no proof of equality. CD: smallest significant "
        "difference of ranks."
    )
    if not below(result.p_value, result.level):
        text += f" Friedman's test at {level} shows no differences."
    return text


@displayed
def draw_posterior(
    posterior: Mapping[str, float],
    ax: "Axes",
    *,
    models: tuple[str, str] = ("first", "second"),
    metric: str | None = None,
    title: bool = True,
) -> None:
    """Draw the posterior density of the difference, and how much of it lies in the region.

    Labels for a legend are set, the legend is not.

    Parameters
    ----------
    posterior : mapping of str to float
        `more` of the answer of `bayesian_t`.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    models : pair of str, default ("first", "second")
        Names of the two models; the difference is the first less the second.
    metric : str, optional
        Its name for the title.
    title : bool, default True
        Write the metric above.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Raises
    ------
    InputError
        Where all folds have one difference.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline.comparison.fold_tests import bayesian_t
    >>> answer = bayesian_t([0.02, 0.05, -0.01, 0.03], test_share=0.25, rope=0.01)
    >>> ax = Figure().subplots()
    >>> display = draw_posterior(answer.more, ax)
    >>> ax.get_legend_handles_labels()[1]
    ['second larger: 9.4 %', 'within ±0.01: 18.6 %', 'first larger: 72.0 %']
    """
    x, density = posterior_curve(posterior)
    first, second = (style.short_name(model, 24) for model in models)
    rope = posterior["rope"]
    parts = (
        (x <= -rope, style.POINT, f"{second} larger", posterior["below"]),
        (abs(x) <= rope, style.DRAWS, f"within ±{formatting.printed(rope)}", posterior["within"]),
        (x >= rope, style.GAP, f"{first} larger", posterior["above"]),
    )
    for where, colour, name, share in parts:
        if rope > 0 or colour != style.DRAWS:
            label = f"{name}: {_percent(share)}"
            ax.fill_between(x, density, where=where, color=colour, alpha=0.75, lw=0, label=label)
    ax.plot(x, density, color=style.INK, lw=1.1)
    ax.axvline(0, color=style.MUTED, lw=0.9, ls=DASHES)
    ax.set(xlim=(x[0], x[-1]), ylim=(0, 1.05 * density.max()), yticks=[])
    ax.set_xlabel(f"{first} − {second}", **style.PLAIN)
    ax.set_ylabel("posterior density")
    ax.locator_params(axis="x", nbins=6, steps=[1, 2, 5, 10])
    style.quiet_axes(ax)
    if title and metric is not None:
        ax.set_title(
            f"difference of {style.short_name(title_of(metric), 40)}", loc="left", **style.PLAIN
        )


def _percent(share: float) -> str:
    """Return a share with one decimal, never 0 or 100 where it is not quite."""
    if 0 < share < 0.0005:
        return "< 0.1 %"
    return "> 99.9 %" if 0.9995 <= share < 1 else f"{100 * share:.1f} %"


def posterior_figure(
    posterior: Mapping[str, float],
    *,
    models: tuple[str, str] = ("first", "second"),
    metric: str | None = None,
    title: bool = True,
) -> "Figure":
    """Return `draw_posterior` as a picture of its own.

    Parameters
    ----------
    posterior : mapping of str to float
        `more` of the answer of `bayesian_t`.
    models : pair of str, default ("first", "second")
        Names of the two models; the difference is the first less the second.
    metric : str, optional
        Its name for the title.
    title : bool, default True
        Write the metric above.

    Returns
    -------
    matplotlib.figure.Figure
        The density, with a legend.

    Raises
    ------
    InputError
        Where all folds have one difference.

    Examples
    --------
    >>> from plumbline.comparison.fold_tests import bayesian_t
    >>> answer = bayesian_t([0.02, 0.05, -0.01, 0.03], test_share=0.25, rope=0.01)
    >>> figure = posterior_figure(answer.more, models=("tree", "bayes"), metric="accuracy")
    >>> figure.axes[0].get_xlabel()
    'tree − bayes'
    """
    with style.figure_style():
        figure = style.new_figure(1, 1)
        ax = figure.add_axes((0, 0, 1, 1))
        draw_posterior(posterior, ax, models=models, metric=metric, title=title)
        lay_out(figure, WIDE, TALL)
    return figure
