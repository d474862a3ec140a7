"""The law that interval and p-value of one line agree: one is the inversion of the other.

The interval of level 1 - a excludes the value of the null if and only if p <= a. Ends that are
closer to it than rounding lie on it, and so does a p-value that is closer to a.
"""

from math import isinf, isnan

TIE = 1e-9  # of a p-value at 1 - level, whose rounding may go either way
ROUNDING = 1e-13  # of an end at the null value


def excludes(low: float, high: float, null: float = 0.0) -> bool:
    """Tell whether the null value lies outside the interval, by more than rounding."""
    slack = ROUNDING * (1 + abs(null))
    return low > null + slack or high < null - slack


def disagreement(
    low: float,
    high: float,
    p_value: float,
    *,
    level: float,
    null: float = 0.0,
    reason: str | None = None,
) -> str | None:
    """Return how an interval and the p-value beside it contradict each other, None if they do not.

    Both are defined or neither is, unless the line gives a `reason` why one is missing; an interval
    is in order; it leaves the null value out if and only if p <= 1 - level. An interval that ends
    at the null value holds it; a p-value that is 1 - level but for rounding may go either way.

    >>> disagreement(0.1, 0.4, 0.03, level=0.95), disagreement(-0.1, 0.4, 0.2, level=0.95)
    (None, None)
    >>> disagreement(-0.1, 0.4, 0.03, level=0.95)
    'p = 0.03, and the 0.95 interval -0.1 to 0.4 holds 0.0'
    """
    known = [not isnan(value) for value in (low, high, p_value)]
    text = f"the {level} interval {low} to {high}"
    if not any(known):
        return None
    if not all(known):
        if reason and known[0] == known[1]:
            return None
        return f"p = {p_value}, and {text}: one of them is undefined"
    if low > high or (isinf(low) and low > 0) or (isinf(high) and high < 0):
        return f"{text} is not in order"
    if not 0 <= p_value <= 1:
        return f"p = {p_value} is no probability"
    if abs(p_value - (1 - level)) <= TIE:
        return None
    rejects = p_value <= 1 - level
    if excludes(low, high, null) == rejects:
        return None
    return f"p = {p_value}, and {text} {'holds' if rejects else 'leaves out'} {null}"


def dual(
    low: float,
    high: float,
    p_value: float,
    *,
    level: float,
    null: float = 0.0,
    reason: str | None = None,
    where: object = "",
) -> None:
    """Assert that an interval and the p-value beside it are dual; `where` is told if not."""
    told = disagreement(low, high, p_value, level=level, null=null, reason=reason)
    assert told is None, f"{where}: {told}"
