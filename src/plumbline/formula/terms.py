"""A checked part of a formula: its names are known, its level and kind settled."""

from typing import Any, NamedTuple

from plumbline.formula.variables import Kind, Level


class Term(NamedTuple):
    """A part of a formula that can be computed.

    Attributes
    ----------
    op : "constant", "name", "param", "call", "code" (is a category the one of a code), "same"
        (are two categories the same), "if", "and", "or", "not", the sign of an operation or
        comparison, "cumm", "total", "mean", "rank", "quantile", or "at_states", which takes the
        value of the row met last
    parts : what it is made of
    value : what else it takes: a constant, a name, a code, a function's name, a table of codes
    level, kind, categories : as those of a variable
    weighted : whether it changes with the weights of the rows
    text : the words it came from
    key : equal for equal terms
    depth : levels of the tree from here down
    date : as that of a variable
    """

    op: str
    parts: tuple["Term", ...]
    value: Any
    level: Level
    kind: Kind
    categories: tuple[str, ...]
    weighted: bool
    text: str
    key: str
    depth: int
    date: bool = False

    @property
    def said(self) -> str:
        """The words in back-ticks, for errors and reasons."""
        return self.text if self.text.startswith("`") else f"`{self.text}`"
