"""A question as it came over the wire: every field is read by its kind, and refused by its name."""

import math
from collections.abc import Collection, Mapping
from typing import Any

from plumbline._checks import one_of, shorten
from plumbline.errors import ParameterError
from plumbline.requests import kinds


class Params:
    """The fields of a question that are no parameters of a request; null counts as absent."""

    def __init__(self, fields: Any, name: str = "question") -> None:
        if not isinstance(fields, Mapping):
            raise ParameterError(f"the {name} must be an object, got {shorten(fields)}")
        self.fields = fields

    def has(self, name: str) -> bool:
        """Tell whether a field is there and not null."""
        return self.fields.get(name) is not None

    def text(self, name: str) -> str | None:
        """Return a text, None where there is none."""
        return kinds.text(name, self.fields[name]) if self.has(name) else None

    def needed_text(self, name: str) -> str:
        """Return a text that must be there."""
        value = self.text(name)
        if value is None:
            raise ParameterError(f"`{name}` is missing; it must be a text")
        return value

    def choice(self, name: str, allowed: Collection[str], default: str) -> str:
        """Return one of some texts."""
        return one_of(name, default if not self.has(name) else self.fields[name], allowed)

    def number(self, name: str) -> float | None:
        """Return a number, which may be infinite if written as "inf" or "-inf"; None for none."""
        return kinds.any_number(name, self.fields[name]) if self.has(name) else None

    def whole(self, name: str, default: int, *, least: int, most: int) -> int:
        """Return a whole number within bounds."""
        read = kinds.whole(least, most)
        return int(read(name, self.fields[name])) if self.has(name) else default

    def flag(self, name: str, default: bool = False) -> bool:
        """Return true or false."""
        return kinds.flag(name, self.fields[name]) if self.has(name) else default

    def names(self, name: str) -> list[str] | None:
        """Return a list of texts, None where there is none."""
        return kinds.name_list(name, self.fields[name]) if self.has(name) else None

    def texts(self, name: str) -> dict[str, str]:
        """Return an object of texts, empty where there is none."""
        return kinds.named_texts(name, self.fields[name]) if self.has(name) else {}

    def section(self, name: str) -> "Params":
        """Return a part of the question that is an object itself, empty where it is absent."""
        return Params(self.fields[name] if self.has(name) else {}, f"`{name}` of the question")


def threshold_json(threshold: float) -> float | str | None:
    """Return a threshold as JSON holds it: a number, "inf" or "-inf", as `Params.number` reads."""
    if math.isnan(threshold):
        return None
    return threshold if math.isfinite(threshold) else ("inf" if threshold > 0 else "-inf")
