"""Variables of a formula and their levels."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Level: TypeAlias = Literal["set", "row", "state"]
Kind: TypeAlias = Literal["number", "truth", "category"]
Floats: TypeAlias = NDArray[np.float64]
LEVELS: tuple[Level, ...] = ("set", "row", "state")  # a formula has the highest of its parts


@dataclass(frozen=True, slots=True)
class Variable:
    """A name with its meaning, its level and the kind of its values.

    Attributes
    ----------
    level : "set" has one value in a curve, "row" one per row, "state" one after every row passed
    kind : "number"; "truth", 0 or 1; "category", one of `categories`
    meaning : half a sentence for the documentation, completion and errors
    threshold : whether it depends on the threshold and so needs rows sorted by a rating
    formula : where it is short for a formula in other names, that formula ("TP / P")
    categories : the names a category can take, in the order of their codes
    attribute : whether it is a column of the table, not a built-in name
    date : whether its numbers are days since the beginning of 1970
    """

    level: Level
    kind: Kind
    meaning: str
    threshold: bool = False
    formula: str | None = None
    categories: tuple[str, ...] = ()
    attribute: bool = False
    date: bool = False


class Scope(Protocol):
    """The values of a formula's variables, and the states that rows become.

    There are n rows, in the order of the table, and s states of a sweep over them. `memo` keeps
    what does not change when only the weights do.
    """

    memo: dict[Any, Any]

    @property
    def n(self) -> int:
        """Number of rows."""

    @property
    def params(self) -> Mapping[str, float]:
        """Values given to `param("name", default)`."""

    def value(self, name: str) -> Any:
        """Return a set's float (a category: its code), a row's (n,) or a state's (s,) array.

        Numbers are float64, truths are bool, categories are codes (missing: -1).
        """

    def weights(self) -> Floats | None:
        """Return the (n,) weights of the rows, None where all are 1."""

    def at_states(self, rows: NDArray[Any]) -> Floats:
        """Return the (s,) values at the row met last in every state; NaN before the first row."""

    def cumulate(self, rows: Any, key: object = None) -> Floats:
        """Return the (s,) weighted sums of the values of the rows met so far, 0 before the first.

        `key`, where given, identifies values that do not depend on the weights.
        """
