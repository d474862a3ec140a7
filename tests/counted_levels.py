"""Rows counted at levels of the probability, without the table that they come from."""

from typing import Any

from plumbline.frames import Levels
from plumbline.frames.levels import NO_REST, add_rows


def counts_of(prob: Any, hit: Any, levels: Levels, into: Any = None) -> Any:
    """Count rows, among those that are counted already."""
    result = levels.empty() if into is None else into
    add_rows(prob, NO_REST, hit, levels.linear, levels.each, result)
    return result
