"""One wording for every verdict: what a test shows, and what is odd about it."""

from collections.abc import Sequence
from math import isfinite

from plumbline._result import Note
from plumbline.formatting import (
    NOISE,
    beside,
    capital,
    counted,
    interval,
    number,
    p_equals,
    p_number,
    quoted,
    said,
    without_noise,
)

LEVEL = 0.05  # the usual level of a test
TAILS = {"two-sided": 2, "greater": 1, "less": 1}
UNTESTABLE = "No test possible"
IMPOSSIBLE = "rows whose observed class had predicted probability 0"
NAMED = 6  # of many groups so many are named


def p_value_text(p_value: float, resamples: int, alternative: str = "two-sided") -> str:
    """Return the p-value as text, with "≤" where it is the smallest that the draws can give.

    >>> p_value_text(0.002, 999), p_value_text(0.002, 999, "greater")
    ('p ≤ 0.002', 'p = 0.002')

    Without draws there is no such limit.

    >>> p_value_text(1.2e-9, 0)
    'p = 1.2e-09'
    >>> p_value_text(0.0, 0)
    'p < 0.001'
    """
    bound = p_or_bound(p_value, resamples, alternative)
    return f"p {bound}" if bound.startswith("≤") else p_equals(p_value)


def p_or_bound(p_value: float, resamples: int, alternative: str = "two-sided") -> str:
    """Return the p-value as a number, after "≤" where it is the smallest that the draws can give.

    >>> p_or_bound(0.002, 999), p_or_bound(0.002, 999, "greater")
    ('≤ 0.002', '0.002')
    """
    least = resamples and p_value <= TAILS[alternative] / (resamples + 1)
    return f"{'≤ ' if least else ''}{p_number(p_value)}"


def rows_text(n: int, groups: int | None = None) -> str:
    """Return a number of rows, and of the groups that they are in.

    >>> rows_text(2227), rows_text(2227, 80)
    ('n = 2,227', 'n = 2,227 in 80 groups')
    """
    return f"n = {n:,}" + ("" if groups is None else f" in {counted(groups, 'group')}")


def evidence(
    p_value: float,
    resamples: int,
    alternative: str,
    n: int,
    effective_n: float | None = None,
    groups: int | None = None,
) -> str:
    """Return the p-value and the rows it is of.

    >>> evidence(0.002, 999, "two-sided", 2227, 2227.0)
    'p ≤ 0.002, n = 2,227'
    >>> evidence(0.002, 999, "two-sided", 2227, 2227.0, 80)
    'p ≤ 0.002, n = 2,227 in 80 groups'
    """
    side = ["one-sided: smaller only"] if alternative == "less" else []
    parts = [p_value_text(p_value, resamples, alternative), *side, rows_text(n, groups)]
    if effective_n is not None and effective_n < n:
        parts.append(f"effective n = {effective_n:,.0f}")
    return ", ".join(parts)


def beside_expected(value: float, mean: float, central: tuple[float, float]) -> str:
    """Return a number beside what is expected of it if the probabilities are calibrated.

    >>> beside_expected(0.08, 0.03, (0.02, 0.05))
    '0.08, expected if calibrated 0.03 (95 % range 0.02 to 0.05)'
    """
    text = said(value)
    return f"{text}, expected if calibrated {expected(mean, central)}" if isfinite(mean) else text


def expected(mean: float, central: tuple[float, float], label: str = "95 % range ") -> str:
    """Return mean and central range of a number if the probabilities are calibrated.

    >>> expected(0.03, (0.02, 0.05)), expected(0.0, (0.0, 0.0))
    ('0.03 (95 % range 0.02 to 0.05)', 'exactly 0')

    A few very large draws can lift the mean above the range; the text then says so.

    >>> expected(0.06, (0.02, 0.05))
    '0.06 on average through rare large values (95 % range 0.02 to 0.05)'
    """
    low, high = central
    if not isfinite(low):
        return said(mean)
    scale = max(abs(low), abs(high))
    mean, slack = without_noise(mean, scale), NOISE * scale
    if high - low <= slack and low - slack <= mean <= high + slack:
        return f"exactly {number(without_noise(mean, scale))}"
    inside = low - slack <= mean <= high + slack
    size = "large" if mean > high else "small"
    text = beside(mean, central) + ("" if inside else f" on average through rare {size} values")
    return f"{text} ({label}{interval(central)})"


def no_evidence(of: str = "miscalibration") -> str:
    """Return how every verdict begins that finds nothing.

    >>> no_evidence()
    'No evidence of miscalibration'
    """
    return f"No evidence of {of}"


def verdict_of(
    *,
    name: str,
    value: float,
    larger: bool,
    null_mean: float,
    p_value: float,
    alternative: str,
    resamples: int,
    n: int,
    effective_n: float,
    impossible_rows: int,
    constant: bool = False,
    groups: int | None = None,
) -> str:
    """Say whether the probabilities are miscalibrated, with the number beside what is expected.

    >>> print(
    ...     verdict_of(
    ...         name="top-label ECE",
    ...         value=0.08,
    ...         larger=True,
    ...         null_mean=0.03,
    ...         p_value=0.002,
    ...         alternative="two-sided",
    ...         resamples=999,
    ...         n=500,
    ...         effective_n=500.0,
    ...         impossible_rows=0,
    ...     )
    ... )
    Miscalibrated: top-label ECE 0.08, expected if calibrated 0.03 (p ≤ 0.002, n = 500).
    """
    if impossible_rows and p_value > LEVEL:
        return f"{_ruled_out(impossible_rows, n)}."
    numbers = f"{name} {beside_expected(value, null_mean, (float('nan'),) * 2)}"
    shown = f"({evidence(p_value, resamples, alternative, n, effective_n, groups)})"
    if constant:
        return f"{UNTESTABLE}: {name} is {number(value)} for all outcomes."
    if p_value > LEVEL and alternative == "less":
        return f"Not smaller than expected if calibrated: {numbers} {shown}."
    if p_value > LEVEL:
        return f"{no_evidence()}: {numbers} {shown}."
    if larger:
        return f"Miscalibrated: {numbers} {shown}."
    return f"Smaller than expected if calibrated: {numbers} {shown}."


def omnibus_verdict(
    *,
    p_value: float,
    fault: str | None,
    constant: bool,
    resamples: int,
    n: int,
    effective_n: float,
    impossible_rows: int,
    groups: int | None = None,
) -> str:
    """Say whether the probabilities are miscalibrated; `fault` is what is wrong in a few words.

    >>> print(
    ...     omnibus_verdict(
    ...         p_value=0.001,
    ...         fault="overconfident",
    ...         constant=False,
    ...         resamples=999,
    ...         n=2227,
    ...         effective_n=2227.0,
    ...         impossible_rows=0,
    ...     )
    ... )
    Miscalibrated: overconfident (p ≤ 0.001, n = 2,227).
    >>> print(
    ...     omnibus_verdict(
    ...         p_value=0.4,
    ...         fault=None,
    ...         constant=False,
    ...         resamples=999,
    ...         n=500,
    ...         effective_n=500.0,
    ...         impossible_rows=0,
    ...     )
    ... )
    No evidence of miscalibration (p = 0.4, n = 500).
    """
    shown = evidence(p_value, resamples, "greater", n, effective_n, groups)
    if p_value <= LEVEL:
        return f"Miscalibrated: {fault or 'in no simple shape'} ({shown})."
    if impossible_rows:
        return f"{_ruled_out(impossible_rows, n)}."
    if constant:
        return f"{UNTESTABLE}: the statistic has the same value for all outcomes (n = {n:,})."
    return f"{no_evidence()} ({shown})."


def members_verdict(
    noun: str,
    names: Sequence[str],
    p_values: Sequence[float],
    *,
    adjusted: bool,
    fault: tuple[str, str] = ("miscalibration", "Miscalibrated"),
) -> str:
    """Say which classes, models or groups are miscalibrated, or have another `fault`.

    >>> print(members_verdict("group", ["coast", "hill"], [0.012, 0.3], adjusted=True))
    Miscalibrated: 1 of 2 groups, 'coast' (adjusted p ≤ 0.05).
    >>> print(members_verdict("group", ["coast", "hill"], [0.12, 0.3], adjusted=True))
    No evidence of miscalibration in any of 2 groups (smallest adjusted p = 0.12).
    """
    p = "adjusted p" if adjusted else "p, not adjusted,"
    rejected = [name for name, one in zip(names, p_values, strict=True) if one <= LEVEL]
    whole = counted(len(names), noun)
    if rejected:
        listed = ", ".join(map(quoted, rejected[:NAMED])) + ", ..." * (len(rejected) > NAMED)
        return f"{fault[1]}: {len(rejected)} of {whole}, {listed} ({p} ≤ {LEVEL})."
    least = p_number(min(p_values))
    return f"{no_evidence(fault[0])} in any of {whole} (smallest {p} = {least})."


def bias_verdict(
    p_value: float, shown: str, *, low: bool, where: str, of: str = "", among: str = ""
) -> str:
    """Say where the mean prediction is off, `shown` being the p-value in words.

    >>> bias_verdict(0.01, "p = 0.01", low=True, where="for 'coast'")
    "Biased: predictions too low for 'coast' (p = 0.01)."
    >>> bias_verdict(0.3, "adjusted p = 0.3", low=True, where="for 'coast'", among="12 slices")
    'No evidence of bias in any of 12 slices (smallest adjusted p = 0.3).'
    """
    if p_value > LEVEL:
        where = f" in any of {among} (smallest {shown})" if among else f" ({shown})"
        return f"{no_evidence('bias')}{where}."
    worst = f"worst of {among}, " if among else ""
    return f"Biased: predictions{of} too {'low' if low else 'high'} {where} ({worst}{shown})."


def tone_of(p_value: float, *, larger: bool = True, impossible_rows: int = 0) -> str:
    """Return whether an answer is a fault, "bad", or leaves it "open"."""
    return "bad" if impossible_rows or (p_value <= LEVEL and larger) else "open"


def _ruled_out(rows: int, n: int) -> str:
    return (
        f"Miscalibrated: in {rows:,} of {counted(n, 'row')} the observed class had predicted "
        "probability 0"
    )


def impossible_note(rows: int, n: int) -> Note:
    """Return the note about rows whose observed class had probability 0."""
    text = f"In {rows:,} of {counted(n, 'row')} the observed class had predicted probability 0."
    return Note(text, "impossible-rows", fact=capital(IMPOSSIBLE), own=f"{rows:,} of {n:,}")


def few_resamples(resamples: int, sides: int, tests: int = 1) -> list[Note]:
    """Say so where so few draws can reject none of some tests of one side or two.

    >>> few_resamples(19, 2), few_resamples(39, 2)
    (['19 resamples cannot reject at level 0.05; use at least 39.'], [])
    """
    needed = round(tests * sides / LEVEL) - 1
    if resamples >= needed:
        return []
    what = f"at level {LEVEL}" if tests == 1 else f"one of {tests}"
    text = f"{counted(resamples, 'resample')} cannot reject {what}; use at least {needed:,}."
    return [Note(text, "few-resamples")]


def odd_notes(
    *,
    p_value: float,
    resamples: int,
    alternative: str,
    larger: bool = True,
    constant: bool = False,
    impossible_rows: int = 0,
    n: int = 0,
) -> tuple[Note, ...]:
    """Return what is odd about the answer of a test."""
    notes = []
    if impossible_rows and p_value <= LEVEL:  # else the verdict says so
        notes.append(impossible_note(impossible_rows, n))
    if constant:
        text = "Another view, other bins or another statistic may allow a test."
        notes.append(Note(text, "constant"))
    elif resamples:
        notes += few_resamples(resamples, TAILS[alternative])
    if p_value <= LEVEL and not larger:
        text = (
            "An error this small suggests underconfidence, duplicate rows, or probabilities fitted "
            "on these rows."
        )
        notes.append(Note(text, "smaller-than-expected"))
    return tuple(notes)
