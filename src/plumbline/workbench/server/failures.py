"""Why there is no answer, as the front end is told it: a kind and a sentence."""

import json
import sys
import traceback
from typing import Any

from plumbline.errors import FormulaError, InputError, MissingExtraError, PlumblineError
from plumbline.workbench.server.limits import GB, Limits
from plumbline.workbench.wording import message_of

GONE = "This table is closed. Open it again."
CRASHED = (
    "This is an error in Plumbline, not in your data. The terminal where the server "
    "runs shows the details."
)


class RefusedError(Exception):
    """The server will not do what was asked.

    Attributes
    ----------
    kind : one of the kinds that the front end knows
    status : status of the response where no stream has begun
    """

    def __init__(self, kind: str, message: str, *, status: int = 422) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status


class Cancelled(BaseException):
    """Nobody waits for the answer any more; no `except Exception` may keep it from arriving."""


def failure(kind: str, message: str) -> dict[str, Any]:
    """Return a failure as the front end reads it."""
    return {"kind": kind, "message": message}


def failure_bytes(kind: str, message: str) -> bytes:
    """Return a failure as the payload of a frame."""
    return json.dumps(failure(kind, message)).encode()


def failure_of(error: BaseException, limits: Limits) -> dict[str, Any]:
    """Say an exception as a failure; what nobody raised on purpose is shown on the terminal."""
    if isinstance(error, FormulaError):
        marked = {"formula": error.formula, "start": error.start, "end": error.end}
        return {**failure("formula", message_of(error)), **_cause(error), **marked}
    if isinstance(error, RefusedError):
        return failure(error.kind, str(error))
    if isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError):
        return failure("limit", too_much_memory(limits))
    if isinstance(error, PlumblineError):
        extra = "extra" if isinstance(error, MissingExtraError) else "parameter"
        kind = "input" if isinstance(error, InputError) else extra
        kind = "unclear" if _is_unclear(error) else kind
        return {**failure(kind, message_of(error)), **_cause(error)}
    if isinstance(error, Cancelled):
        return failure("cancelled", "Cancelled.")
    traceback.print_exception(error, file=sys.stderr)
    return failure("crash", CRASHED)


def _is_unclear(error: PlumblineError) -> bool:
    """Tell whether somebody only has to say what the columns of a table are."""
    from plumbline.roles import UnclearColumns  # loads numpy, as reading a table has already

    return isinstance(error, UnclearColumns)


def _cause(error: PlumblineError) -> dict[str, str]:
    """Return what is wrong, and with which argument, where the error says so."""
    parts = {"code": error.code, "argument": error.argument}
    return {name: value for name, value in parts.items() if value}


def too_much_memory(limits: Limits) -> str:
    """Say that the memory did not suffice, and what to do."""
    return (
        f"This needs more than the {limits.memory_bytes / GB:.3g} GB of memory of one "
        "table. Choose fewer rows, models or resamples, or restart with a larger "
        "--max-memory-gb."
    )


def too_long(limits: Limits) -> str:
    """Say that the time did not suffice, and what to do."""
    return (
        f"Stopped after {limits.seconds:.3g} seconds, the time limit. Choose fewer "
        "rows, models or resamples, or restart with a larger --max-seconds."
    )


def too_many_rows(rows: int, limits: Limits) -> str:
    """Say that a table has too many rows, and what to do."""
    return (
        f"The table has {rows:,} rows, this server accepts {limits.rows:,}. Take a "
        "sample, or restart with a larger --max-rows."
    )
