"""How numbers and lists stand on the page: one way for all."""

import math
from collections.abc import Iterable

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float | None) -> str:
    """Return a measure with four decimals, or with two digits where these would hide it.

    >>> number(0.14712), number(0.0), number(0.000241), number(2.41e-6), number(float("inf"))
    ('0.1471', '0', '0.00024', '2.4 × 10⁻⁶', '∞')
    """
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    if abs(value) < 0.00001:
        digits, _, power = f"{value:.1e}".partition("e")
        return f"{digits} × 10{str(int(power)).translate(_RAISED)}".replace("-", "−")
    text = f"{value:.4f}" if abs(value) >= 0.001 else f"{value:.2g}"
    # %g turns to powers from 0.0001 down.
    text = f"{float(text):.6f}".rstrip("0") if "e" in text else text
    return text.replace("-", "−")


def chance(value: float) -> str:
    """Return a p-value with three decimals, or with two digits where these would hide it.

    >>> chance(0.034), chance(0.00002)
    ('0.034', '0.00002')
    """
    return f"{value:.3f}" if value >= 0.001 else number(value)


def percent(value: float) -> str:
    """Return a share in percent; what is not quite none or all never looks so.

    >>> percent(0.3726), percent(0.00001), percent(0), percent(0.99999)
    ('37.3 %', '< 0.1 %', '0 %', '> 99.9 %')
    """
    if value in (0, 1):
        return f"{100 * value:.0f} %"
    if value < 0.0005 or value > 0.9995:
        return "< 0.1 %" if value < 0.5 else "> 99.9 %"
    return f"{100 * value:.1f} %"


def count(value: float) -> str:
    """Return a number of things with its thousands apart; a weight keeps one decimal.

    >>> count(1797), count(250.25)
    ('1,797', '250.2')
    """
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def counted(value: int, noun: str) -> str:
    """Return a count with its noun.

    >>> counted(1, "class"), counted(3, "class"), counted(10, "fold")
    ('1 class', '3 classes', '10 folds')
    """
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{value:,} {noun if value == 1 else plural}"


def listed(names: Iterable[str], most: int = 12) -> str:
    """Return names as a list in a sentence that stays short.

    >>> listed("abc"), listed("abcdef", 4)
    ('a, b, c', 'a, b, c, d and 2 more')
    """
    every = [str(name) for name in names]
    more = f" and {len(every) - most:,} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more
