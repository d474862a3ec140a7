"""Samples of lm-evaluation-harness, JSON lines of questions with several choices."""

import math
from collections.abc import Mapping
from typing import Any

NAME = "lm-evaluation-harness samples"
PARTS = {"doc_id", "target", "resps", "filtered_resps"}


def is_sample(row: Mapping[str, Any]) -> bool:
    """Tell whether a row is a sample that holds a log-likelihood of every choice."""
    if not {*row} >= PARTS or _whole(row["target"]) is None:
        return False
    chances = _log_likelihoods(row["filtered_resps"])
    return chances is not None and len(chances) > 1


def row_of_sample(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the question as `row`, the number of the right choice, and the probabilities of all.

    These are the likelihoods of the choices, divided by their sum; numbers such as `acc` stay.
    """
    others = {
        name: value
        for name, value in row.items()
        if isinstance(value, (int, float)) and name != "doc_id"
    }
    logs = _log_likelihoods(row.get("filtered_resps"))
    return others | {
        "row": row.get("doc_id"),
        "y_true": _whole(row.get("target")),
        "y_prob": None if logs is None else _softmax(logs),
    }


def _whole(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else None


def _log_likelihoods(value: Any) -> list[float] | None:
    """Return the first number of every pair (log-likelihood, greedy); texts stand for numbers."""
    if not isinstance(value, list) or not value:
        return None
    pairs = [one for one in value if isinstance(one, list) and len(one) == 2]
    try:
        numbers = [float(one[0]) for one in pairs if not isinstance(one[0], bool)]
    except (TypeError, ValueError, OverflowError):
        return None
    fits = len(numbers) == len(value) and all(number <= 0 for number in numbers)
    return numbers if fits and max(numbers) > -math.inf else None


def _softmax(logs: list[float]) -> list[float]:
    top = max(logs)
    shares = [math.exp(one - top) for one in logs]
    return [share / math.fsum(shares) for share in shares]
