"""One wording for every verdict: what the numbers say, and what they cannot say."""

from math import isfinite

LEVEL = 0.05


def spoken_p(p_value: float, resamples: int) -> str:
    """Return the p-value as text, saying so when it is the smallest the draws can show.

    >>> spoken_p(0.001, 999), spoken_p(0.25, 999)
    ('p = 0.001, the smallest 999 resamples can show', 'p = 0.25')
    """
    text = f"p = {p_value:.3g}"
    if p_value <= 2 / (resamples + 1):
        return f"{text}, the smallest {resamples} resamples can show"
    return text


def verdict_of(
    *,
    name: str,
    value: float,
    null_mean: float,
    null_range: tuple[float, float],
    p_value: float,
    resamples: int,
    n: int,
    impossible_rows: int,
) -> str:
    """Say in plain words whether the probabilities could be true, with n and the limits.

    >>> print(verdict_of(name="top-label ECE", value=0.08, null_mean=0.03, null_range=(0.02, 0.05),
    ...     p_value=0.002, resamples=999, n=500, impossible_rows=0))
    Miscalibrated: top-label ECE is 0.08, but true probabilities would give about 0.03 (95 % range \
0.02 to 0.05) on these 500 rows; p = 0.002, the smallest 999 resamples can show.
    """
    numbers = f"{name} is {value:.3g}" if isfinite(value) else f"{name} is infinite"
    null = (
        f"true probabilities would give about {null_mean:.3g} (95 % range {null_range[0]:.3g} to "
        f"{null_range[1]:.3g}) on these {n:,} rows; {spoken_p(p_value, resamples)}"
    )
    impossible = _impossible(impossible_rows, n)
    if p_value > LEVEL:
        text = (
            f"Not rejected: {numbers}, and {null}. That is no proof of calibration: on {n:,} rows "
            f"chance alone puts this number anywhere in that range, so a small miscalibration would"
            " not show."
        )
        return (
            f"Refuted: {impossible} Otherwise {text[0].lower()}{text[1:]}" if impossible else text
        )
    if value > null_mean:
        return f"Miscalibrated: {numbers}, but {null}. {impossible}".strip()
    return (
        f"Too close to be true: {numbers}, but {null}. The outcomes follow the probabilities more "
        "closely than chance allows, as with underconfident probabilities or with probabilities "
        f"fitted on these very rows. {impossible}"
    ).strip()


def _impossible(rows: int, n: int) -> str:
    if not rows:
        return ""
    return (
        f"In {rows:,} of {n:,} rows the true class had been given probability 0, which true "
        "probabilities never do."
    )
