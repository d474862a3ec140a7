"""One wording for every verdict: what the numbers say, and what they cannot say."""

from math import isfinite

from plumbline.formatting import counted, number, p_equals

LEVEL = 0.05
TAILS = {"two-sided": 2, "greater": 1, "less": 1}
ONE_SIDED = {
    "two-sided": "",
    "greater": " (asked only whether it is larger than that)",
    "less": " (asked only whether it is smaller than that)",
}

CONSTANT = (
    "That says nothing: true probabilities would give this very number whatever they drew, so no "
    "test can be built on it here; ask for another view, other bins, another distance or another "
    "statistic. Where every probability is 0 or 1, a single surprise would refute them."
)


def p_value_text(p_value: float, resamples: int, alternative: str = "two-sided") -> str:
    """Return the p-value as text, saying so when it is the smallest the draws can show.

    >>> p_value_text(0.002, 999), p_value_text(0.002, 999, "greater")
    ('p = 0.002, the smallest 999 resamples can show', 'p = 0.002')

    Without draws there is no such limit.

    >>> p_value_text(1.2e-9, 0)
    'p = 1.2e-09'
    >>> p_value_text(0.0, 0)
    'p < 0.001'
    """
    text = p_equals(p_value)
    if resamples and p_value <= TAILS[alternative] / (resamples + 1):
        return f"{text}, the smallest {resamples} resamples can show"
    return text


def verdict_of(
    *,
    name: str,
    value: float,
    larger: bool,
    null_mean: float,
    null_range: tuple[float, float],
    p_value: float,
    alternative: str,
    resamples: int,
    n: int,
    effective_n: float,
    impossible_rows: int,
    constant: bool = False,
) -> str:
    """Say in plain words whether the probabilities could be true, with n and the limits.

    >>> print(verdict_of(name="top-label ECE", value=0.08, larger=True, null_mean=0.03,
    ...     null_range=(0.02, 0.05), p_value=0.002, alternative="two-sided", resamples=999, n=500,
    ...     effective_n=500.0, impossible_rows=0))
    Miscalibrated: top-label ECE is 0.08, but true probabilities would give about 0.03 (95 % range \
0.02 to 0.05) on these 500 rows; p = 0.002, the smallest 999 resamples can show.
    """
    numbers = f"{name} is {number(value)}" if isfinite(value) else f"{name} is infinite"
    rows = f"on these {n:,} rows{_weighted(n, effective_n)}"
    p_text = f"{p_value_text(p_value, resamples, alternative)}{ONE_SIDED[alternative]}"
    impossible = _impossible(impossible_rows, n)
    rejected = p_value <= LEVEL
    null = f"{_expected(null_mean, null_range, rejected)} {rows}; {p_text}."
    if not rejected:
        limits = CONSTANT if constant else _limits(n, resamples, alternative)
        text = f"Not rejected: {numbers}, and {null} {limits}"
        return (
            f"Refuted: {impossible} Otherwise {text[0].lower()}{text[1:]}" if impossible else text
        )
    if larger:
        return f"Miscalibrated: {numbers}, but {null} {impossible}".strip()
    return (
        f"Too close to be true: {numbers}, but {null} The outcomes follow the probabilities more "
        "closely than chance allows, as with probabilities that are underconfident, or that were "
        f"fitted on these very rows. {impossible}"
    ).strip()


def _expected(mean: float, central: tuple[float, float], rejected: bool) -> str:
    """Say what true probabilities would give, where the method knows it."""
    if not isfinite(mean):
        return (
            f"true probabilities {'hardly ever' if rejected else 'often'} give as extreme a value"
        )
    spread = f" (95 % range {number(central[0])} to {number(central[1])})"
    return f"true probabilities would give about {number(mean)}" + spread * isfinite(central[0])


def omnibus_verdict(
    *,
    p_value: float,
    fault: str | None,
    constant: bool,
    resamples: int,
    n: int,
    effective_n: float,
    impossible_rows: int,
) -> str:
    """Say in plain words what the omnibus found; `fault` is what is wrong in a few words.

    >>> print(omnibus_verdict(p_value=0.001, fault="overconfident", constant=False, resamples=999,
    ...     n=2227, effective_n=2227.0, impossible_rows=0))
    Miscalibrated: overconfident (p ≤ 0.001, n = 2,227).
    >>> print(omnibus_verdict(p_value=0.4, fault=None, constant=False, resamples=999, n=500,
    ...     effective_n=500.0, impossible_rows=0))
    Not rejected: true probabilities could well give outcomes like these on 500 rows; p = 0.4. \
    That is no proof of calibration: a miscalibration too small for 500 rows would not show; \
    plumbline plan says how small.
    """
    impossible = _impossible(impossible_rows, n)
    if p_value <= LEVEL:
        least = p_value <= 1 / (resamples + 1)
        p_text = f"p {'≤' if least else '='} {number(p_value)}, n = {n:,}"
        if effective_n < n:
            p_text += f", effective n = {effective_n:,.0f}"
        return f"Miscalibrated: {fault or 'in no simple shape'} ({p_text}). {impossible}".strip()
    p_text = p_value_text(p_value, resamples, "greater")
    these = f"give outcomes like these on {n:,} rows{_weighted(n, effective_n)}; {p_text}."
    limits = CONSTANT if constant else _omnibus_limits(n, resamples)
    text = f"true probabilities could well {these} {limits}"
    return f"Refuted: {impossible} Otherwise {text}" if impossible else f"Not rejected: {text}"


def _omnibus_limits(n: int, resamples: int) -> str:
    if 1 / (resamples + 1) > LEVEL:
        draws = counted(resamples, "resample")
        return f"{draws} cannot reject anything at the level {LEVEL}: draw more."
    return (
        f"That is no proof of calibration: a miscalibration too small for {n:,} rows would not "
        "show; plumbline plan says how small."
    )


def _limits(n: int, resamples: int, alternative: str) -> str:
    """Say what a test that did not reject cannot say."""
    if resamples and TAILS[alternative] / (resamples + 1) > LEVEL:
        draws = counted(resamples, "resample")
        return f"{draws} cannot reject anything at the level {LEVEL}: draw more."
    return (
        f"That is no proof of calibration: on {n:,} rows chance alone moves this number, so a "
        "miscalibration that moves it less would not show."
    )


def _weighted(n: int, effective_n: float) -> str:
    if effective_n >= n:
        return ""
    return f" (each weighted row is one draw; effective n = {effective_n:,.0f})"


def _impossible(rows: int, n: int) -> str:
    if not rows:
        return ""
    return (
        f"In {rows:,} of {n:,} rows the true class had been given probability 0, which true "
        "probabilities never do."
    )
