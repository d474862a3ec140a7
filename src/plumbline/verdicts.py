"""One wording for every verdict: what the numbers say, and what they cannot say."""

from math import isfinite

from plumbline.words import number

LEVEL = 0.05
TAILS = {"two-sided": 2, "greater": 1, "less": 1}
ASKED = {
    "two-sided": "",
    "greater": " (asked only whether it is larger than that)",
    "less": " (asked only whether it is smaller than that)",
}

CONSTANT = (
    "That says nothing: this number comes out the same in (nearly) every draw, so no test can be "
    "built on it here; ask for another view, other bins or another distance."
)


def spoken_p(p_value: float, resamples: int, alternative: str = "two-sided") -> str:
    """Return the p-value as text, saying so when it is the smallest the draws can show.

    >>> spoken_p(0.002, 999), spoken_p(0.002, 999, "greater")
    ('p = 0.002, the smallest 999 resamples can show', 'p = 0.002')
    """
    text = f"p = {number(p_value)}"
    if p_value <= TAILS[alternative] / (resamples + 1):
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
) -> str:
    """Say in plain words whether the probabilities could be true, with n and the limits.

    >>> print(verdict_of(name="top-label ECE", value=0.08, larger=True, null_mean=0.03,
    ...     null_range=(0.02, 0.05), p_value=0.002, alternative="two-sided", resamples=999, n=500,
    ...     effective_n=500.0, impossible_rows=0))
    Miscalibrated: top-label ECE is 0.08, but true probabilities would give about 0.03 (95 % range \
0.02 to 0.05) on these 500 rows; p = 0.002, the smallest 999 resamples can show.
    """
    numbers = f"{name} is {number(value)}" if isfinite(value) else f"{name} is infinite"
    spread = f" (95 % range {number(null_range[0])} to {number(null_range[1])})"
    null = (
        f"true probabilities would give about {number(null_mean)}"
        f"{spread if isfinite(null_range[0]) else ''} on these {n:,} rows"
        f"{_weighted(n, effective_n)}; {spoken_p(p_value, resamples, alternative)}"
        f"{ASKED[alternative]}"
    )
    impossible = _impossible(impossible_rows, n)
    if p_value > LEVEL:
        constant = null_range[0] == null_range[1]
        limits = CONSTANT if constant else _limits(n, resamples, alternative)
        text = f"Not rejected: {numbers}, and {null}. {limits}"
        return (
            f"Refuted: {impossible} Otherwise {text[0].lower()}{text[1:]}" if impossible else text
        )
    if larger:
        return f"Miscalibrated: {numbers}, but {null}. {impossible}".strip()
    return (
        f"Too close to be true: {numbers}, but {null}. The outcomes follow the probabilities more "
        "closely than chance allows, as with probabilities fitted on these very rows, or, where "
        f"bins hold few points, with underconfident ones. {impossible}"
    ).strip()


def _limits(n: int, resamples: int, alternative: str) -> str:
    """Say what a test that did not reject cannot say."""
    if TAILS[alternative] / (resamples + 1) > LEVEL:
        return f"{resamples} resamples cannot reject anything at the level {LEVEL}: draw more."
    return (
        f"That is no proof of calibration: on {n:,} rows chance alone moves this number by as much "
        "as that range is wide, so a small miscalibration would not show."
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
