"""Rules of a gate: each number with its bounds, beside what the rule asks."""

import math
from typing import TYPE_CHECKING

from plumbline import formatting
from plumbline.plots import style
from plumbline.plots.display import displayed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from plumbline.gate import Gate, RuleResult

ROW, TALLEST = 0.42, 14.0  # inches of a rule where there are few, and of all of them
LETTER, SIDE = 0.075, 4.5  # inches of a letter of a rule's name, and of the axes
LONGEST = 44  # letters of a rule's name that are written


@displayed
def draw_gate(result: "Gate", ax: "Axes") -> None:
    """Draw a line a rule: the value, its one-sided bounds, and what the rule asks of it.

    Each line has a scale of its own, from the asked bound (0) by the width of the bounds, so that
    rules on different metrics stand below each other; right of the grey line the rule is kept.

    Parameters
    ----------
    result : Gate
        What `check` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions, check
    >>> data = Predictions.from_arrays([0, 1, 1, 0] * 9, [0.1, 0.8, 0.7, 0.4] * 9)
    >>> ax = Figure().subplots()
    >>> display = draw_gate(check(data, [{"metric": "recall", "at_least": 0.5}]), ax)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['recall >= 0.5']
    """
    colours = {"pass": style.POINT, "fail": style.GAP, "not enough rows": style.MUTED}
    for place, one in enumerate(result.rules):
        found = scaled(one)
        if found is None:
            ax.annotate(one.state, (0.0, place), va="center", fontsize="small", **style.PLAIN)
            continue
        low, value, high = found
        colour = colours[one.state]
        ax.plot([low, high], [place, place], color=colour, lw=2.0, solid_capstyle="butt")
        ax.plot([value], [place], "o", color=colour, ms=5)
        asked = one.asked.removeprefix("difference ")
        text = f"{formatting.number(one.value)} ({asked}): {one.state}"
        ax.annotate(
            text,
            (high, place),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize="small",
            **style.PLAIN,
        )
    ax.axvline(0.0, color=style.MUTED, lw=1.0, zorder=0)
    ax.set_yticks(range(len(result.rules)), [_shortened(one) for one in result.rules])
    ax.set_ylim(len(result.rules) - 0.4, -0.6)
    ax.set_xlim(-FAR, FAR + TEXT)
    ax.set_xticks([0.0], ["asked"])
    ax.set_xlabel("broken | kept, in widths of the bounds")


FAR = 2.5  # widths of the bounds from the asked one, beyond which a line is at the edge
TEXT = 4.5  # as many beside that, for the text of a line


def scaled(one: "RuleResult") -> tuple[float, float, float] | None:
    """Return low bound, value and high bound, by their width, from the bound that is asked.

    Positive is the side on which the rule is kept. None where there are no bounds.
    """
    if not all(map(math.isfinite, (one.low, one.value, one.high))):
        return None
    least, most = one.at_least, one.at_most
    below = least is None or (most is not None and most - one.value < one.value - least)
    asked = one.at_most if below else one.at_least
    assert asked is not None  # noqa: S101  # a rule has a bound
    width = max(one.high - one.low, 1e-12)
    places = [(end - asked) / width for end in (one.low, one.value, one.high)]
    if below:
        places = [-place for place in reversed(places)]
    shift = min(0.0, FAR - places[2]) + max(0.0, -FAR - places[0])
    low, value, high = (place + shift for place in places)
    return low, value, high


def _shortened(one: "RuleResult") -> str:
    name = one.rule if one.model is None else f"{one.rule} ({one.model})"
    text = formatting.printable(name)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def gate_figure(result: "Gate") -> "Figure":
    """Return the rules below each other, with the answer above.

    Parameters
    ----------
    result : Gate
        What `check` returned.

    Returns
    -------
    matplotlib.figure.Figure
        The picture.

    Examples
    --------
    >>> from plumbline import Predictions, check
    >>> data = Predictions.from_arrays([0, 1, 1, 0] * 9, [0.1, 0.8, 0.7, 0.4] * 9)
    >>> figure = gate_figure(check(data, [{"metric": "recall", "at_least": 0.5}]))
    >>> figure.axes[0].get_title(loc="left")
    'Pass: the rule is kept.'
    """
    names = LETTER * max(len(_shortened(one)) for one in result.rules) + 0.2
    width, height = SIDE + names, min(1.0 + ROW * len(result.rules), TALLEST)
    with style.figure_style():
        figure = style.new_figure(width, height)
        foot, head = 0.55 / height, 0.35 / height
        ax = figure.add_axes((names / width, foot, (SIDE - 0.15) / width, 1 - foot - head))
        draw_gate(result, ax)
        ax.set_title(result.summary, loc="left", **style.PLAIN)
    return figure
