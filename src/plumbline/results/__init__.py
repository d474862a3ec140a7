"""What every result can do, how numbers are written, and the verdicts of tests."""

from plumbline.results.protocol import (
    Facts,
    Result,
    html_table,
    jsonable,
    lock,
    shown,
    text_table,
)

__all__ = ["Facts", "Result", "html_table", "jsonable", "lock", "shown", "text_table"]
