"""How shares, counts and lists stand on the page; `words` has the rest."""

from collections.abc import Iterable

from plumbline.formatting import however_small


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
    """Return a number of things with its thousands apart; a weight keeps one decimal, or digits.

    >>> count(1797), count(250.25), count(2.5e-15)
    ('1,797', '250.2', '2.5e-15')
    """
    if float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= 10 else however_small(value)


def listed(names: Iterable[str], most: int = 12) -> str:
    """Return names as a list in a sentence that stays short.

    >>> listed("abc"), listed("abcdef", 4)
    ('a, b, c', 'a, b, c, d and 2 more')
    """
    every = [str(name) for name in names]
    more = f" and {len(every) - most:,} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more
