"""A question as it came over the wire: every field is read by its kind, and refused by its name."""

import math
from collections.abc import Collection, Mapping
from typing import Any

from plumbline._checks import one_of, real_number, shorten, whole_number
from plumbline.errors import ParameterError

LONGEST_TEXT = 10_000  # of a name; formulas have a limit of their own
MOST_NAMES = 10_000


class Params:
    """The fields of a question; null counts as absent."""

    def __init__(self, fields: Any, name: str = "question") -> None:
        if not isinstance(fields, Mapping):
            raise ParameterError(f"the {name} must be an object, got {shorten(fields)}")
        self.fields = fields

    def has(self, name: str) -> bool:
        """Tell whether a field is there and not null."""
        return self.fields.get(name) is not None

    def text(self, name: str) -> str | None:
        """Return a text, None where there is none."""
        value = self.fields.get(name)
        if value is not None and (not isinstance(value, str) or len(value) > LONGEST_TEXT):
            raise ParameterError(
                argument=name,
                rule=f"a text of at most {LONGEST_TEXT:,} characters",
                arrived=shorten(value),
            )
        return value

    def formula(self, name: str) -> str | None:
        """Return a text whose length its own reader limits, None where there is none."""
        value = self.fields.get(name)
        if value is not None and not isinstance(value, str):
            raise ParameterError(argument=name, rule="a text", arrived=shorten(value))
        return value

    def needed_text(self, name: str) -> str:
        """Return a text that must be there."""
        value = self.text(name)
        if value is None:
            raise ParameterError(f"`{name}` is missing; it must be a text")
        return value

    def choice(self, name: str, allowed: Collection[str], default: str) -> str:
        """Return one of some texts."""
        return one_of(name, default if not self.has(name) else self.fields[name], allowed)

    def number(self, name: str, default: float | None = None) -> float | None:
        """Return a number, which may be infinite if written as "inf" or "-inf"."""
        value = self.fields.get(name)
        if value is None:
            return default
        if value in ("inf", "-inf"):
            return float(value)
        number = real_number(value) if isinstance(value, (int, float)) else math.nan
        if isinstance(value, bool) or math.isnan(number):
            raise ParameterError(argument=name, rule="a number", arrived=shorten(value))
        return number

    def whole(self, name: str, default: int, *, least: int, most: int) -> int:
        """Return a whole number within bounds."""
        value = self.fields.get(name)
        return whole_number(name, default if value is None else value, least=least, most=most)

    def flag(self, name: str, default: bool = False) -> bool:
        """Return true or false."""
        value = self.fields.get(name)
        if value is not None and not isinstance(value, bool):
            raise ParameterError(argument=name, rule="true or false", arrived=shorten(value))
        return default if value is None else value

    def names(self, name: str) -> list[str] | None:
        """Return a list of texts, None where there is none."""
        value = self.fields.get(name)
        if value is None:
            return None
        sound = isinstance(value, list) and len(value) <= MOST_NAMES
        if not sound or not all(isinstance(item, str) for item in value):
            raise ParameterError(argument=name, rule="a list of texts", arrived=shorten(value))
        return list(value)

    def mapping(self, name: str) -> dict[str, str]:
        """Return an object of texts, empty where there is none."""
        value = self._given(name, {})
        sound = isinstance(value, Mapping) and len(value) <= MOST_NAMES
        if not sound or not all(isinstance(item, str) for pair in value.items() for item in pair):
            raise ParameterError(argument=name, rule="an object of texts", arrived=shorten(value))
        return dict(value)

    def section(self, name: str) -> "Params":
        """Return a part of the question that is an object itself, empty where it is absent."""
        return Params(self._given(name, {}), f"`{name}` of the question")

    def numbers(self, name: str) -> dict[str, float]:
        """Return an object of numbers, empty where there is none."""
        values = Params(self._given(name, {}), f"`{name}` of the question")
        if len(values.fields) > MOST_NAMES:
            raise ParameterError(f"`{name}` may have {MOST_NAMES:,} numbers at most")
        numbers = {each: values.number(each) for each in values.fields}
        return {each: number for each, number in numbers.items() if number is not None}

    def _given(self, name: str, absent: Any) -> Any:
        """Return a field as it came, `absent` where it is null or missing: 0 and "" are neither."""
        value = self.fields.get(name)
        return absent if value is None else value

    def part(self, names: Collection[str]) -> dict[str, Any]:
        """Return the fields of some names that are there and not null."""
        return {name: self.fields[name] for name in names if self.has(name)}


def threshold_json(threshold: float) -> float | str | None:
    """Return a threshold as JSON holds it: a number, "inf" or "-inf", as `Params.number` reads."""
    if math.isnan(threshold):
        return None
    return threshold if math.isfinite(threshold) else ("inf" if threshold > 0 else "-inf")


MOST_RESAMPLES = 9999  # of whatever is drawn again and again: labels, rows, answers
