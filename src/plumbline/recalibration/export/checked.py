"""Values out of a file, each of the type and size it must have; ValueError says what is wrong."""

import base64
import binascii
import re
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten

Floats = NDArray[np.float64]

LARGEST = 1e100  # of a number: sums and products of two stay finite
MOST_ROWS = 2**63 - 1
NUMBERS = {int, float}
DEEPEST = 4  # of settings in settings
HALF = re.compile("[\ud800-\udfff]")
SUM = re.compile(r"[0-9a-f]{16}")


def need(holds: bool, rule: str, *got: Any) -> None:
    """Raise ValueError with the rule where it does not hold, and with what came instead."""
    if not holds:
        raise ValueError(f"{rule}, not {shorten(got[0])}" if got else rule)


def held(value: Any, what: str, names: Collection[str]) -> dict[str, Any]:
    """Return an object that has these fields and no others."""
    need(isinstance(value, dict), f"{what} must be an object", value)
    found: dict[str, Any] = value
    for name in names:
        need(name in found, f"{name!r} is missing in {what}")
    for name in found:
        if name not in names:
            raise ValueError(f"{what} has the unknown field {shorten(name)}")
    return found


def text(value: Any, what: str) -> str:
    """Return a text that can be written as UTF-8."""
    if not isinstance(value, str):
        raise ValueError(f"{what}: {shorten(value)} is no text")
    if HALF.search(value):
        raise ValueError(f"{what}: {shorten(value)} holds half a character")
    return value


def texts(value: Any, what: str) -> tuple[str, ...]:
    """Return a list of texts."""
    return tuple(text(one, what) for one in listed(value, what))


def listed(value: Any, what: str) -> list[Any]:
    """Return a list."""
    need(isinstance(value, list), f"{what} must be a list", value)
    return list(value)


def flag(value: Any, what: str) -> bool:
    """Return true or false."""
    need(isinstance(value, bool), f"{what} must be true or false", value)
    return bool(value)


def count(value: Any, what: str) -> int:
    """Return a whole number from 0."""
    need(
        type(value) is int and 0 <= value <= MOST_ROWS,
        f"{what} must be a whole number from 0",
        value,
    )
    return int(value)


def real(value: Any, what: str, *, low: float = -LARGEST, high: float = LARGEST) -> float:
    """Return a number from `low` to `high`."""
    need(
        type(value) in (int, float) and low <= value <= high,
        f"{what} must be a number from {low:g} to {high:g}",
        value,
    )
    return float(value)


def settings(value: Any, what: str, deep: int = 0) -> dict[str, Any]:
    """Return names with what they stand for: numbers, texts, null, lists and objects of these."""
    need(isinstance(value, dict), f"{what} must be an object", value)
    return {text(name, what): _setting(one, what, deep + 1) for name, one in value.items()}


def _setting(value: Any, what: str, deep: int) -> Any:
    need(deep <= DEEPEST, f"{what} holds lists in lists too deep to be settings")
    if isinstance(value, dict):
        return settings(value, what, deep)
    if isinstance(value, list):
        return [_setting(one, what, deep + 1) for one in value]
    return text(value, what) if isinstance(value, str) else value


def numbers(value: Any, what: str, dimensions: Collection[int]) -> Floats:
    """Return an array of finite numbers that is not too large to compute with."""
    need(_plain(value, max(dimensions)), f"{what}: numbers are needed")
    found = np.asarray(value, np.float64)
    need(found.ndim in dimensions, f"{what}: lists of other depth are needed")
    need(
        bool(np.all(np.abs(found) <= LARGEST)),
        f"{what}: numbers must be finite, and none beyond {LARGEST:g}",
    )
    return found


def _plain(value: Any, deep: int) -> bool:
    if not isinstance(value, list):
        return type(value) in NUMBERS
    if set(map(type, value)) <= NUMBERS:
        return deep > 0
    return deep > 1 and all(_plain(one, deep - 1) for one in value)


def rising(value: Any, what: str, *, least: int) -> Floats:
    """Return numbers, each above the one before."""
    found = numbers(value, what, (1,))
    need(len(found) >= least, f"{what}: {least} numbers or more are needed")
    need(bool(np.all(found[1:] > found[:-1])), f"{what} must rise")
    return found


def shares(value: Any, what: str) -> Floats:
    """Return probabilities."""
    found = numbers(value, what, (1,))
    need(bool(np.all((found >= 0) & (found <= 1))), f"{what} must be probabilities")
    return found


def sum_of_hashes(value: Any, what: str) -> int:
    """Return a sum modulo 2^64 out of its 16 digits."""
    need(
        isinstance(value, str) and SUM.fullmatch(value) is not None,
        f"{what} must be 64 bits, as 16 hexadecimal digits",
        value,
    )
    return int(value, 16)


def hashes(value: Any, what: str) -> NDArray[np.uint64]:
    """Return 64-bit hashes that rise."""
    try:
        raw = base64.b64decode(text(value, what), validate=True)
    except binascii.Error as error:
        raise ValueError(f"{what} must be base64") from error
    need(len(raw) % 8 == 0, f"{what} must have 8 bytes each")
    found = np.frombuffer(raw, "<u8").astype(np.uint64)
    need(bool(np.all(found[1:] > found[:-1])), f"{what} must rise")
    return found
