"""How a query finds the piece of a map that a score lies in."""

from collections.abc import Sequence

import numpy as np

from plumbline.recalibration.export.dialects import Dialect
from plumbline.recalibration.export.pieces import MOST, Pieces
from plumbline.recalibration.export.query import Script

FEW = 64  # pieces that are told apart by CASE; more are looked up in rows
A_BUCKET = 32  # pieces


def at_pieces(script: Script, pieces: Pieces, x: str) -> str:
    """Put the value of the piece a score lies in: by CASE, or from rows where they are many."""
    count, number = len(pieces.start), script.dialect.number
    if count <= FEW:
        leaves = [
            _polynomial(x, number(start), [number(c) for c in _trimmed(row)])
            for start, row in zip(pieces.start.tolist(), pieces.coefficients.tolist(), strict=True)
        ]
        tree = _tree(script.dialect, pieces, x=x, leaves=leaves)
        return script.put(f"CASE WHEN {x} IS NOT NULL THEN {tree} END")
    cuts = np.arange(A_BUCKET - 1, count - 1, A_BUCKET)  # a bucket ends with its last piece
    coarse = Pieces(pieces.breaks[cuts], pieces.right, np.empty(0), np.empty((0, 1)))
    bucket = script.put(
        _tree(script.dialect, coarse, x=x, leaves=list(map(str, range(len(cuts) + 1))))
    )
    bounds = pieces.breaks.tolist()
    low, high = [-MOST, *bounds], [*bounds, MOST]
    columns = {"low": low, "high": high}
    if pieces.degree and pieces.start.tolist() != low:
        columns["start"] = pieces.start.tolist()
    names = [f"c{j}" for j in range(pieces.degree + 1)]
    columns |= dict(zip(names, pieces.coefficients.T.tolist(), strict=True))
    rows = [
        ", ".join([str(j // A_BUCKET), *map(number, row)])
        for j, row in enumerate(zip(*columns.values(), strict=True))
    ]
    above, below = (">", "<=") if pieces.right else (">=", "<")
    condition = f"{{}}.bucket = {bucket} AND {x} {above} {{}}.low AND {x} {below} {{}}.high"
    found = script.look_up(["bucket", *columns], rows, condition)
    start = f"{found}.{'start' if 'start' in columns else 'low'}"
    return script.put(_polynomial(x, start, [f"{found}.{name}" for name in names]), join=found)


def _tree(dialect: Dialect, pieces: Pieces, *, x: str, leaves: Sequence[str]) -> str:
    """Return the leaf of a score by halving, so that m pieces take log2(m) comparisons."""
    sign, breaks = "<=" if pieces.right else "<", pieces.breaks.tolist()

    def between(low: int, high: int) -> str:
        if low == high:
            return leaves[low]
        middle = (low + high) // 2
        return (
            f"CASE WHEN {x} {sign} {dialect.number(breaks[middle])} THEN {between(low, middle)} "
            f"ELSE {between(middle + 1, high)} END"
        )

    return between(0, len(leaves) - 1)


def _polynomial(x: str, start: str, coefficients: Sequence[str]) -> str:
    text = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        text = f"({c} + ({x} - {start}) * {text})"
    return text


def _trimmed(row: list[float]) -> list[float]:
    last = max((j for j, c in enumerate(row) if c), default=0)
    return row[: last + 1]
