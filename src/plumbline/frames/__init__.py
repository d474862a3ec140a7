"""Tables of any size: small ones are read row by row, large ones counted at levels."""

from plumbline.frames.columns import counted_columns
from plumbline.frames.engines import count_batches, count_parts, merge_states, merged
from plumbline.frames.level_counts import LevelCounts
from plumbline.frames.levels import Levels
from plumbline.frames.precision import CountingErrors, counting_errors
from plumbline.frames.read import count, read, read_or_count
from plumbline.frames.sql import sql
from plumbline.frames.sql_result import counts_of_results
from plumbline.frames.state_file import read_state, write_state
from plumbline.frames.states import go_on, join_states, read_states

__all__ = [
    "CountingErrors",
    "LevelCounts",
    "Levels",
    "count",
    "count_batches",
    "count_parts",
    "counted_columns",
    "counting_errors",
    "counts_of_results",
    "go_on",
    "join_states",
    "merge_states",
    "merged",
    "read",
    "read_or_count",
    "read_state",
    "read_states",
    "sql",
    "write_state",
]
