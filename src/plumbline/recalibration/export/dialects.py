"""How dialects of SQL differ, as data: names, types, a few functions, and how columns are added."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from plumbline.errors import ParameterError

CHAIN, LATERAL, ROWID = "chain", "lateral", "rowid"
SMALL, LARGE = 1e-10, 1e15  # between them SQLite reads 17 digits to the last bit
MOST_ARGUMENTS = 50  # of a function; sqlite takes 100 and more


def literal(value: float) -> str:
    """Return a number as every dialect reads it, to the last bit, as float64.

    The exponent says that it is no exact decimal; brackets keep two minus signs apart, which
    would begin a comment.

    >>> literal(0.1), literal(-2.0), literal(5e-324)
    ('0.1e0', '(-2.0e0)', '5e-324')
    """
    if not math.isfinite(value):
        raise ParameterError(
            f"a map with the number {value} cannot be written as SQL", code="map-not-finite"
        )
    text = repr(float(value))
    text = text if "e" in text else f"{text}e0"
    return f"({text})" if text.startswith("-") else text


def literal_of_sqlite(value: float) -> str:
    """Return a number as SQLite reads it to the last bit.

    It goes by way of 64 bits and powers of ten up to 10^27, which is not exact for the shortest
    digits of a number, but is for 17 of them; what is very small or large is a whole number over
    or times powers of two, which is exact.

    >>> literal_of_sqlite(0.1), literal_of_sqlite(2.0**-60)
    ('0.10000000000000001e0', '(4503599627370496.0/1152921504606846976.0/4503599627370496.0)')
    """
    if value == 0 or not SMALL <= abs(value) <= LARGE:
        return _by_powers_of_two(value) if value and math.isfinite(value) else literal(value)
    text = f"{value:.17g}"
    text = text if "e" in text else f"{text}e0"
    return f"({text})" if value < 0 else text


def _by_powers_of_two(value: float) -> str:
    fraction, exponent = math.frexp(value)
    left = exponent - 53
    text = f"{int(math.ldexp(fraction, 53))}.0"
    while left:
        power = min(abs(left), 60)
        text += f"{'/' if left < 0 else '*'}{2**power}.0"
        left += power if left < 0 else -power
    return f"({text})"


def quoted_by(opening: str, closing: str) -> Callable[[str], str]:
    """Return how names are quoted between two signs; the closing one is doubled in a name."""
    return lambda name: f"{opening}{name.replace(closing, closing * 2)}{closing}"


def _quoted_with_codes(name: str) -> str:
    """Quote a name where a backslash begins a code, as in a string of Python."""
    signs = {"\\": "\\\\", "`": "\\`", "\n": "\\n", "\r": "\\r"}
    return f"`{''.join(signs.get(sign, sign) for sign in name)}`"


ANSI_QUOTED = quoted_by('"', '"')


def _rows(name: str, columns: Sequence[str], rows: Sequence[str]) -> str:
    return f"{name}({', '.join(columns)}) AS (VALUES\n{_lines(rows, '({})')})"


def _rows_of_mysql(name: str, columns: Sequence[str], rows: Sequence[str]) -> str:
    return f"{name}({', '.join(columns)}) AS (VALUES\n{_lines(rows, 'ROW({})')})"


def _rows_selected(name: str, columns: Sequence[str], rows: Sequence[str]) -> str:
    inner = _lines(rows, "({})")
    return f"{name} AS (SELECT * FROM (VALUES\n{inner}) AS v({', '.join(columns)}))"


def _rows_of_bigquery(name: str, columns: Sequence[str], rows: Sequence[str]) -> str:
    types = ["INT64", *["FLOAT64"] * (len(columns) - 1)]
    fields = ", ".join(f"{c} {t}" for c, t in zip(columns, types, strict=True))
    array = f"ARRAY<STRUCT<{fields}>>[\n{_lines(rows, '({})')}]"
    return f"{name} AS (SELECT * FROM UNNEST({array}))"


def _lines(rows: Sequence[str], frame: str) -> str:
    return ",\n".join(map(frame.format, rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlDialect:
    """One dialect.

    Attributes
    ----------
    number : a number of float64, to the last bit
    quoted : a name as it stands in a query
    double : name of the type of float64
    carrier : how a query adds columns to all that are there: a chain of subqueries whose own
        columns are left out by `without`; lateral subqueries; or a join by the number of the row
    without : word that leaves columns out of a star
    apply : the words before a lateral subquery
    fence : what keeps the database from copying the text of a subquery into all that use it
    log : name of the natural logarithm
    least, greatest : names of the functions; empty where a subquery must do
    rows : a common table expression of rows of numbers
    """

    number: Callable[[float], str] = literal
    quoted: Callable[[str], str] = ANSI_QUOTED
    double: str = "DOUBLE PRECISION"
    carrier: str = LATERAL
    without: str = ""
    apply: str = "CROSS JOIN LATERAL"
    fence: str = ""
    log: str = "LN"
    least: str = "LEAST"
    greatest: str = "GREATEST"
    rows: Callable[[str, Sequence[str], Sequence[str]], str] = _rows

    def extreme(self, texts: Sequence[str], *, least: bool) -> str:
        """Return the least or greatest of several expressions."""
        if len(texts) > MOST_ARGUMENTS:
            parts = [texts[j : j + MOST_ARGUMENTS] for j in range(0, len(texts), MOST_ARGUMENTS)]
            return self.extreme([self.extreme(p, least=least) for p in parts], least=least)
        if len(texts) == 1:
            return texts[0]
        name = self.least if least else self.greatest
        if name:
            return f"{name}({', '.join(texts)})"
        rows = ", ".join(f"({text})" for text in texts)
        return f"(SELECT {'MIN' if least else 'MAX'}(v) FROM (VALUES {rows}) AS u(v))"


DIALECTS: Mapping[str, SqlDialect] = {
    "ansi": SqlDialect(),
    "bigquery": SqlDialect(
        quoted=_quoted_with_codes,
        double="FLOAT64",
        carrier=CHAIN,
        without="EXCEPT",
        rows=_rows_of_bigquery,
    ),
    "duckdb": SqlDialect(double="DOUBLE", carrier=CHAIN, without="EXCLUDE"),
    "mysql": SqlDialect(
        quoted=quoted_by("`", "`"), double="DOUBLE", fence=" LIMIT 1", rows=_rows_of_mysql
    ),
    "postgres": SqlDialect(fence=" OFFSET 0"),
    "snowflake": SqlDialect(double="DOUBLE", carrier=CHAIN, without="EXCLUDE", rows=_rows_selected),
    "spark": SqlDialect(quoted=quoted_by("`", "`"), double="DOUBLE", rows=_rows_selected),
    "sqlite": SqlDialect(
        number=literal_of_sqlite, double="REAL", carrier=ROWID, least="MIN", greatest="MAX"
    ),
    "sqlserver": SqlDialect(
        quoted=quoted_by("[", "]"),
        double="FLOAT",
        apply="CROSS APPLY",
        log="LOG",
        least="",
        greatest="",
        rows=_rows_selected,
    ),
}
