"""What the best threshold says in words."""

import math
from collections.abc import Sequence

from plumbline.confusion import RATES
from plumbline.curves.presets import PRESETS
from plumbline.formula import Formula
from plumbline.results.formatting import amount, capital, counted

SHOWN = 3  # intervals that a sentence names
GAP = 0.03  # share of the whole extent that lies between intervals said as one


def title_of(formula: Formula) -> str:
    """Return what a formula is called at the beginning of a sentence.

    >>> from plumbline.confusion import variables
    >>> from plumbline.formula import read_formula
    >>> title_of(read_formula("CA", variables())), title_of(read_formula("TP - FP", variables()))
    ('Classification accuracy', '`TP - FP`')
    >>> title_of(read_formula("PP/NN", variables()))
    'Share of rows accepted'
    """
    for name, rate in RATES.items():
        if formula.is_name in (name, *rate.aliases):
            return rate.title
    for preset in PRESETS.values():
        if preset.y_title and preset.average == "merge" and _bare(preset.y) == _bare(formula.text):
            return capital(preset.y_title)
    return f"`{' '.join(formula.text.split())}`"


def _bare(text: str) -> str:
    """Return a formula without spaces, which tell none from another; quoted texts lose them too."""
    return "".join(text.split())


def spoken_intervals(intervals: Sequence[tuple[float, float]], lowest: float) -> str:
    """Return intervals of thresholds as words; `lowest` is the sort value that accepts every row.

    Intervals with little between them are said as one.

    >>> spoken_intervals([(0.32, 0.88)], 0.01)
    'every threshold from 0.32 to 0.88'
    >>> spoken_intervals([(0.01, 0.2), (0.6, math.inf)], 0.01)
    'every threshold up to 0.2 and from 0.6 up'
    >>> spoken_intervals([(0.3, 0.48), (0.485, 0.6)], 0.01)
    'almost every threshold from 0.3 to 0.6'
    """
    joined = _without_gaps(intervals)
    parts = [_spoken(low, high, lowest) for low, high in joined[:SHOWN]]
    if len(joined) > SHOWN:
        parts.append(f"in {counted(len(joined) - SHOWN, 'interval')} more")
    every = "every threshold" if len(joined) == len(intervals) else "almost every threshold"
    return f"{every} {_listed(parts)}".strip()


def _without_gaps(intervals: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Join intervals whose gap is a small part of the way from the lowest to the highest."""
    ends = [end for pair in intervals for end in pair if math.isfinite(end)]
    gap = GAP * (max(ends) - min(ends)) if ends else 0.0
    joined = [intervals[0]]
    for low, high in intervals[1:]:
        if low - joined[-1][1] <= gap:
            joined[-1] = (joined[-1][0], high)
        else:
            joined.append((low, high))
    return joined


def _spoken(low: float, high: float, lowest: float) -> str:
    if low <= lowest and math.isinf(high):
        return ""
    if math.isinf(high):
        return f"from {amount(low)} up" if math.isfinite(low) else "that accepts no row"
    if low <= lowest:
        return f"up to {amount(high)}"
    if amount(low) == amount(high):
        return f"of {amount(low)}"
    return f"from {amount(low)} to {amount(high)}"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def at_threshold(threshold: float) -> str:
    """Return where the best value lies."""
    return "where no row is accepted" if math.isinf(threshold) else f"at {amount(threshold)}"


def verdict(
    *,
    title: str,
    goal: str,
    value: float,
    threshold: float,
    intervals: Sequence[tuple[float, float]],
    lowest: float,
    n: int,
    units: int,
    effective_n: float,
    level: float,
    subject_to: str | None,
    honest: float,
) -> str:
    """Say where the best threshold lies, what cannot be told from it, and what it is worth.

    `units` are what the plateau drew anew: the n rows, or fewer examples that have several.

    >>> verdict(title="Classification accuracy", goal="max", value=0.842, threshold=0.583,
    ...     intervals=[(0.32, 0.88)], lowest=0.01, n=303, units=303, effective_n=303.0,
    ...     level=0.95, subject_to=None, honest=0.82)
    'Classification accuracy is highest, 0.842, at 0.583; every threshold from 0.32 to 0.88 is as \
good, as far as 303 rows can tell (level 95 %). Chosen on other rows than it decides, it comes to \
0.82.'
    """
    extreme = "highest" if goal == "max" else "lowest"
    among = f", where `{subject_to.strip()}`," if subject_to else ""
    rows = counted(n, "row") if units == n else f"{counted(units, 'example')} ({n:,} rows)"
    if effective_n < 0.995 * n:
        rows += f" (as informative as {effective_n:,.0f} of equal weight)"
    text = f"{title}{among} is {extreme}, {amount(value)}, {at_threshold(threshold)}"
    if intervals:
        text += (
            f"; {spoken_intervals(intervals, lowest)} is as good, as far as {rows} can "
            f"tell (level {100 * level:g} %)"
        )
    text += "."
    if math.isfinite(honest):
        text += f" Chosen on other rows than it decides, it comes to {amount(honest)}."
    return text
