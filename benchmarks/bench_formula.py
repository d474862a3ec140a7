"""Formulas on a million rows, beside the same written in numpy by hand, and numexpr if it is there.

python benchmarks/bench_formula.py
"""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np
from timing import compare, finish, seconds

from plumbline.formula import Variable, read_formula

PROFIT = "amount ** 2 / 30 if eP else -amount"
RIGHT = (
    "1 if ((probability >= 0.5 and actualClass == targetClass) "
    "or (probability < 0.5 and actualClass != targetClass)) else 0"
)
EXPECTED = "probability * amount ** 2 / 30 - (1 - probability) * amount"
CLASSES = ("no", "yes")
VARIABLES = {
    "amount": Variable("row", "number", "money"),
    "probability": Variable("row", "number", "of the target class"),
    "eP": Variable("row", "truth", "whether positive"),
    "actualClass": Variable("row", "category", "true class", categories=CLASSES),
    "targetClass": Variable("set", "category", "positive class", categories=CLASSES),
}


class Rows:
    """Columns alone: a scope for formulas of rows."""

    def __init__(self, n: int) -> None:
        rng = np.random.default_rng(0)
        p = rng.random(n)
        label = (rng.random(n) < p).astype(np.int64)
        self.n = n
        self.memo: dict[Any, Any] = {}
        self.params: Mapping[str, float] = {}
        self.columns = {
            "amount": rng.random(n) * 100,
            "probability": p,
            "actualClass": label,
            "eP": label == 1,
        }

    def value(self, name: str) -> Any:
        """Return a column, or the target class."""
        return 1.0 if name == "targetClass" else self.columns[name]

    def weights(self) -> None:
        """Return no weights."""


def beside_numpy(text: str, by_hand: Callable[[], Any], rows: Rows, other: str | None) -> None:
    """Time one formula: read once, computed again and again."""
    formula = read_formula(text, VARIABLES)
    np.testing.assert_allclose(formula.compute(rows), by_hand())
    reading = seconds(lambda: read_formula(text, VARIABLES), 21)
    ours, theirs = seconds(lambda: formula.compute(rows), 21), seconds(by_hand, 21)
    more = f"read {1e3 * reading:6.3f} ms"
    if other is not None and find_spec("numexpr") is not None:
        import numexpr

        numexpr.set_num_threads(1)
        more += (
            f"   numexpr {1e3 * seconds(lambda: numexpr.evaluate(other, rows.columns), 21):7.2f} ms"
        )
    compare(text[:44], 1e3 * ours, "numpy by hand", 1e3 * theirs, least=0.8, unit="ms", more=more)


if __name__ == "__main__":
    table = Rows(1_000_000)
    a, p, y, e = (table.columns[n] for n in ("amount", "probability", "actualClass", "eP"))
    beside_numpy(
        PROFIT, lambda: np.where(e, a**2 / 30, -a), table, "where(eP, amount ** 2 / 30, -amount)"
    )
    beside_numpy(
        RIGHT,
        lambda: np.where(((p >= 0.5) & (y == 1)) | ((p < 0.5) & (y != 1)), 1.0, 0.0),
        table,
        "where(((probability >= 0.5) & (actualClass == 1)) "
        "| ((probability < 0.5) & (actualClass != 1)), 1.0, 0.0)",
    )
    beside_numpy(EXPECTED, lambda: p * a**2 / 30 - (1 - p) * a, table, EXPECTED)
    finish()
