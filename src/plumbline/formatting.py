"""How numbers, counts and names are written, the same everywhere."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

SCORE_NAMES = {"log_loss": "log loss", "brier_score": "Brier score", "accuracy": "accuracy"}

RESUBSTITUTED = " (measured on its training data)"  # how the names of such models end
FITTED_ON_THESE = " (recalibrated on these very rows)"  # or that were recalibrated so
DISHONEST = (RESUBSTITUTED, FITTED_ON_THESE)

INFINITY = "∞"  # in tables, axes and cells; sentences say "infinite"
NOISE = 1e-12  # of the scale of the numbers beside it: sums of 1e4 rows round by less
LEAST_DIGITS, MOST_DIGITS = 3, 9  # significant ones of a number beside others
MOST_SPELT = 1e15  # from here on a float does not hold every whole number to the digit

SYMBOL = re.compile(r"[b-z]\b")  # p, n, x: one letter that no sentence capitalises
_MINUS = re.compile(r"-(?=[\d∞])")
_POWER = re.compile(r"e([+-])0*(\d+)")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


PAGE = 96  # characters in a line of text


def printable(text: object) -> str:
    r"""Return a name as text without line breaks and terminal control characters.

    >>> print(printable("rain"), printable("light\nrain"))
    rain light\nrain
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(text))


def one_line(error: BaseException) -> str:
    """Return the text of another library's error as one line of bearable length."""
    text = "".join(c if c.isprintable() else "?" for c in " ".join(str(error).split()))
    return text if len(text) <= 200 else f"{text[:200]} ..."


def quoted(value: object) -> str:
    r"""Return a name in quotes, for a sentence; what is not a text as Python writes it.

    Nothing in the name is escaped but what cannot be printed, so it reads as it does in the data.

    >>> print(quoted("rain"), quoted("it's"), quoted("a\"q'"), quoted("C:\\data"), quoted(3))
    'rain' "it's" ‘a"q'’ 'C:\data' 3
    """
    if not isinstance(value, str):
        return repr(value)
    name = printable(str(value))
    if "'" not in name:
        return f"'{name}'"
    return f'"{name}"' if '"' not in name else f"‘{name}’"


def named(name: object) -> str:
    """Return a class as a sentence names it: in quotes where it would read as a number.

    >>> print(named("rain"), named("1"), named("nan"))
    rain '1' 'nan'
    """
    return quoted(str(name)) if reads_as_number(name) else printable(name)


def folded(name: object) -> str:
    """Return a name without case, spaces, "-", "_", apostrophes and brackets."""
    return re.sub(r"[-_ '’()]", "", str(name)).casefold()


def titles_in(title: str) -> tuple[str, ...]:
    """Return a title, and the two that one with brackets holds.

    >>> titles_in("Informedness (Youden's J)")
    ("Informedness (Youden's J)", 'Informedness', "Youden's J")
    """
    first, _, more = title.removesuffix(")").partition(" (")
    return (title, first, more) if more else (title,)


def number(value: float | None) -> str:
    """Return an error or a share with three significant digits, "-" where there is none.

    What is rounding noise beside a share of 1 is 0; a p-value, which can be as small, is written
    by `p_number`.

    >>> number(0.05416), number(0.11), number(1e-16), number(1.234e-6), number(None)
    ('0.0542', '0.11', '0', '1.23e-06', '-')

    Cells and axes show infinity as one sign; a sentence says "infinite", as `said` does.

    >>> number(math.inf), number(-math.inf)
    ('∞', '-∞')
    """
    return however_small(value if value is None else without_noise(value, 1.0))


def however_small(value: float | None) -> str:
    """Return a number as `number`, but as small as it is: a p-value, the bound of an error.

    >>> however_small(4.36e-13), however_small(0.05416)
    ('4.36e-13', '0.0542')
    """
    if value is None or math.isnan(value):
        return "-"
    return f"{value:.{LEAST_DIGITS}g}".replace("inf", INFINITY)


def said(value: float | None) -> str:
    """Return a number for a sentence: as `number`, "infinite" where it is that.

    >>> said(0.05416), said(math.inf)
    ('0.0542', 'infinite')
    """
    return "infinite" if value == math.inf else number(value)


def without_noise(value: float, scale: float) -> float:
    """Return 0 where a value is rounding noise beside others of a scale, else the value.

    >>> without_noise(7.8e-16, 0.05), without_noise(7.8e-16, 2e-15)
    (0.0, 7.8e-16)
    """
    return 0.0 if abs(value) < NOISE * abs(scale) < math.inf else value


def ends(low: float, high: float) -> tuple[str, str]:
    """Return the ends of a range with the digits of `number`, or as many as its width needs.

    A tenth of the width is seen, so that a narrow range does not seem to touch a number that it
    leaves out. An end that is rounding noise beside the other, or beside a share of 1, is 0.

    >>> ends(0.1234, 0.5), ends(0.79496, 0.79504), ends(0.2, 0.2), ends(7.8e-16, 0.0475)
    (('0.123', '0.5'), ('0.79496', '0.79504'), ('0.2', '0.2'), ('0', '0.0475'))
    >>> ends(1.0004, 1.0061), ends(0.90476, 1.0)
    (('1.0004', '1.0061'), ('0.905', '1'))
    """
    scale = max(1.0, abs(low), abs(high))
    pair = without_noise(low, scale), without_noise(high, scale)
    return beside(pair[0], pair), beside(pair[1], pair)


def beside(value: float | None, pair: tuple[float, float] | None) -> str:
    """Return a number as `number`, or with decimals for a tenth of the range beside it.

    >>> beside(1.0047, (1.0035, 1.0059)), beside(0.1, (0.0, 0.8)), beside(0.25, None)
    ('1.0047', '0.1', '0.25')
    """
    if value is None or pair is None:
        return number(value)
    value, width = without_noise(value, 1.0), abs(pair[1] - pair[0])
    if not (0 < abs(value) < math.inf and 0 < width < math.inf):
        return number(value)
    needed = math.floor(math.log10(abs(value))) - math.floor(math.log10(width / 10)) + 1
    return f"{value:.{min(max(LEAST_DIGITS, needed), MOST_DIGITS)}g}"


def interval(pair: tuple[float, float]) -> str:
    """Return a range; "-" where it is undefined.

    >>> interval((0.1234, 0.5)), interval((float("nan"), float("nan")))
    ('0.123 to 0.5', '-')
    """
    return "-" if pair[0] != pair[0] else " to ".join(ends(*pair))


def p_number(value: float | None) -> str:
    """Return a p-value: three significant digits, "< 0.001" for 0.

    >>> p_number(0.05416), p_number(1.2e-9), p_number(-0.0), p_number(None)
    ('0.0542', '1.2e-09', '< 0.001', '-')
    """
    return "< 0.001" if value is not None and value <= 0 else however_small(value)


def p_equals(value: float | None) -> str:
    """Return a p-value for a sentence.

    >>> p_equals(0.05416), p_equals(0.0)
    ('p = 0.0542', 'p < 0.001')
    """
    sign = "" if value is not None and value <= 0 else "= "
    return f"p {sign}{p_number(value)}"


def view_words(view: str) -> str:
    """Return a view in words.

    >>> view_words("one-vs-rest:rain"), view_words("top-k:3"), view_words("top-label")
    ("'rain'", 'top-3', 'top-label')
    """
    kind, _, which = view.partition(":")
    if kind == "one-vs-rest":
        return quoted(which)
    if kind == "all-classes":
        return "all classes"
    return f"top-{which}" if kind == "top-k" else view


def bins_words(scheme: str) -> str:
    """Return a binning scheme in words.

    >>> bins_words("equal-width:15"), bins_words("equal-size:10"), bins_words("edges:0.0,0.5,1.0")
    ('15 equal-width bins', '10 equal-size bins', '2 given bins')
    >>> bins_words("distinct-vectors")
    'one bin per distinct prediction'
    """
    kind, _, rest = scheme.partition(":")
    if scheme in ("distinct-vectors", "one-per-point"):
        return "one bin per distinct prediction" if kind[0] == "d" else "one bin per row"
    if kind == "edges":
        return counted(rest.count(","), "given bin")
    count, _, more = rest.partition(",")
    if not count.isdigit():
        return f"bins {scheme}"
    bins = f"{int(count):,} {kind} {'bin' if count == '1' else 'bins'}"
    return f"{bins} ({more})" if more else bins


def error_name(view: str, distance: str = "absolute", norm: float | str = 1) -> str:
    """Return the name of a calibration error.

    >>> error_name("top-label"), error_name("one-vs-rest:rain"), error_name("classwise", norm=2)
    ('top-label ECE', "ECE of 'rain'", 'classwise RMSCE')
    """
    short = {1: "ECE", 2: "RMSCE", "max": "MCE"}.get(norm, f"L{norm} calibration error")
    words = view_words(view)
    name = f"{short} of {words}" if view.startswith("one-") else f"{words} {short}"
    return name if distance == "absolute" else f"{name} ({distance} distance)"


def amount(value: float | None, *, scale: float = 1.0) -> str:
    """Return a value of a formula: three significant digits, or all digits before the point.

    `scale`: the largest of the numbers beside it, where that is below 1: weights and units of money
    may be tiny, and only what is rounding noise beside the others is 0.

    >>> amount(0.83828), amount(999.6), amount(37158.31), amount(-4.0), amount(2e15)
    ('0.838', '1,000', '37,158', '-4', '2e+15')
    >>> amount(3e-15), amount(3e-15, scale=2e-14)
    ('0', '3e-15')
    """
    if value is None or not 999.5 <= abs(value) < MOST_SPELT:
        return however_small(value if value is None else without_noise(value, min(1.0, scale)))
    return f"{value:,.0f}"


def largest(values: Iterable[Any]) -> float:
    """Return the size of the largest finite number among some values: the scale of a column.

    >>> largest([1e-15, -3e-15, math.inf, None, "none"]), largest([])
    (3e-15, 0.0)
    """
    sizes = (abs(value) for value in values if isinstance(value, int | float))
    return max((size for size in sizes if size < math.inf), default=0.0)


def amounts(values: Iterable[float | None]) -> list[str]:
    """Return the cells of a column of values of formulas, each beside the largest of them.

    >>> amounts([3e-15, 1e-30, None]), amounts([0.3, 1e-16])
    (['3e-15', '0', '-'], ['0.3', '0'])
    """
    column = list(values)
    scale = largest(column)
    return [amount(value, scale=scale) for value in column]


def score(value: float | None) -> str:
    """Return a score with four decimals, which columns line up by, or three digits if it is tiny.

    >>> score(0.75), score(0.0), score(0.0000123), score(float("inf")), score(None)
    ('0.7500', '0.0000', '1.23e-05', '∞', '-')
    """
    if value is None or not math.isfinite(value) or 0 < abs(value) < 0.001:
        return number(value)
    return f"{value:.4f}"


def typeset(text: str) -> str:
    """Return a number as text in the signs of a printed page.

    >>> typeset("1.23e-06"), typeset("-0.5"), typeset("-∞"), typeset("-")
    ('1.23 × 10⁻⁶', '−0.5', '−∞', '–')
    """
    if text == "-":
        return "–"
    text = _POWER.sub(lambda m: f" × 10{(m[1].strip('+') + m[2]).translate(_RAISED)}", text)
    return _MINUS.sub("−", text)


def printed(value: float | None) -> str:
    """Return a number as pages and pictures show it.

    >>> printed(0.05349), printed(float("inf"))
    ('0.0535', '∞')
    """
    return typeset(number(value))


def reads_as_number(value: Any) -> bool:
    """Tell whether a value is a number, or a text that reads as one.

    >>> reads_as_number("1e-3"), reads_as_number(2), reads_as_number("1,5"), reads_as_number(True)
    (True, True, False, False)
    """
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return not isinstance(value, bool)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun.

    >>> counted(1, "row"), counted(2000, "class"), counted(0, "fold")
    ('1 row', '2,000 classes', '0 folds')
    """
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{count:,} {noun if count == 1 else plural}"


def waiting_text(rows: int) -> str:
    """Say how many rows wait for their label.

    >>> waiting_text(1_200)
    '1,200 rows wait for their label'
    """
    return f"{counted(rows, 'row')} {'waits for its' if rows == 1 else 'wait for their'} label"


def short_count(count: float) -> str:
    """Return a number of rows for the axis of a picture, that of millions in short.

    >>> short_count(12_345), short_count(1_460_000), short_count(3e9)
    ('12,345', '1.46 M', '3 B')
    """
    if count < 1e6:
        return f"{count:,.0f}"
    return f"{count / 1e6:.3g} M" if count < 1e9 else f"{count / 1e9:.3g} B"


def percentage(share: float) -> str:
    """Return a level or a share that somebody gave in percent, with all its digits.

    >>> percentage(0.95), percentage(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * share:g} %"


def and_list(names: Sequence[str]) -> str:
    """Return names as a sentence lists them.

    >>> and_list(["a"]), and_list(["a", "b"]), and_list(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def capital(text: str) -> str:
    """Return a text as a sentence begins; a symbol of one letter stays as it is.

    >>> capital("log loss"), capital("p (omnibus)"), capital("")
    ('Log loss', 'p (omnibus)', '')
    """
    if SYMBOL.match(text):
        return text
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text as a sentence.

    >>> sentence("no row is left"), sentence("No row is left.")
    ('No row is left.', 'No row is left.')
    """
    return f"{capital(text).rstrip('.')}."


def intervals(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the bins of a table: (lo, hi], or [lo, hi] where the row has it.

    Where no row says which ends belong to the bin, the first of each class also holds 0.

    >>> list(intervals([{"lo": 0.0, "hi": 0.0}, {"lo": 0.0, "hi": 0.25}, {"lo": 0.25, "hi": 1.0}]))
    ['[0, 0]', '(0, 0.25]', '(0.25, 1]']
    """
    begun: set[Any] = set()
    for row in rows:
        first = row.get("class") not in begun and row["lo"] == 0
        begun.add(row.get("class"))
        both = row["closed"] == "both" if "closed" in row else first
        yield f"{'[' if both else '('}{row['lo']:.4g}, {row['hi']:.4g}]"
