"""One question about one table, as the module that answers it meets it."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from plumbline.errors import ParameterError
from plumbline.predictions import Predictions, need_single_rows
from plumbline.progress import Progress
from plumbline.requests import REQUESTS, fields_of
from plumbline.requests.kinds import text
from plumbline.workbench.questions.selection import Selection, chosen, filtered

Value = TypeVar("Value")
REMEMBERED = 16  # tables after a filter or choice; each may be as large as the whole
OF_TABLES = ("chosen", "filtered", "rows", "by_model")  # keys of parts of the table


class Memory:
    """The last few things that were made for a table, by what they were made of."""

    def __init__(self, most: int = REMEMBERED) -> None:
        self.most = most
        self._values: OrderedDict[Hashable, Any] = OrderedDict()

    def keys(self) -> frozenset[Hashable]:
        """Return what is remembered."""
        return frozenset(self._values)

    def since(self, keys: frozenset[Hashable]) -> dict[Hashable, Any]:
        """Return what was made and was not among some keys; tables, which are cheap to make, not.

        It is what another process that holds the same table takes over by `update`.
        """
        return {
            key: value
            for key, value in self._values.items()
            if key not in keys and not (isinstance(key, tuple) and key[0] in OF_TABLES)
        }

    def update(self, values: Mapping[Hashable, Any]) -> None:
        """Remember what was made elsewhere."""
        self._values.update(values)
        self._forget()

    def once(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return what was made under a key, and make it where that is not remembered."""
        if key not in self._values:
            self._values[key] = make()
        self._values.move_to_end(key)
        self._forget()
        return self._values[key]  # type: ignore[no-any-return]

    def _forget(self) -> None:
        while len(self._values) > self.most:
            self._values.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question, the table it is about, and what is remembered from earlier ones.

    Attributes
    ----------
    table : the whole table
    fields : the fields of the question, as they arrived
    name : what the table is called
    progress : whom to tell how far the work is
    memory : what earlier questions made
    read : the arguments of `plumbline.read` that made the table of its file
    """

    table: Predictions
    fields: Mapping[str, Any]
    name: str = "table"
    progress: Progress | None = None
    memory: Memory = field(default_factory=Memory)
    read: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a data panel that is none, also where the question has no use for it."""
        Selection.of(self.fields)

    @property
    def selection(self) -> Selection:
        """What the data panel says."""
        return Selection.of(self.fields)

    @property
    def kind(self) -> str:
        """What is asked."""
        return str(self.fields["kind"])

    @property
    def model(self) -> str | None:
        """The model that is shown of those that were chosen, None where the question names none."""
        return fields_of(self.fields, {"model": text}).get("model")

    def need_rows(self) -> None:
        """Refuse a counted table where the answer, or a file of it, needs single rows."""
        row = REQUESTS.get(self.kind)
        if row is not None and row.signature.of_data and not row.counts(()):
            need_single_rows(self.table, row.title)

    def values(self, request: str, *needed: str) -> dict[str, Any]:
        """Return the values that the question gives for a request, within a server's limits.

        Raises ParameterError where one that is needed is missing.
        """
        values = REQUESTS[request].served_values(self.fields)
        for name in needed:
            if name not in values:
                raise ParameterError(f"`{name}` is missing", code="argument-missing", argument=name)
        return values

    def chosen(self) -> Predictions:
        """Return the models and folds that were chosen; the filter is left to whoever draws."""
        selection = self.selection
        return self.memory.once(("chosen", selection), lambda: chosen(self.table, selection))

    def filtered(self) -> Predictions:
        """Return the rows that were chosen and that the filter keeps."""
        selection = self.selection
        return self.memory.once(("filtered", selection), lambda: filtered(self.table, selection))
