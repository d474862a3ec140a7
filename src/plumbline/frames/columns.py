"""Which columns of a large table are counted, and which classes they mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline._checks import shown
from plumbline.errors import InputError
from plumbline.predictions import Predictions
from plumbline.predictions.arrays import CODED
from plumbline.predictions.columns import (
    SCORE,
    actual_column,
    class_marked,
    probability_columns,
)

LEFT_OUT = ("predicted", "score", "weight")  # columns that change what a table means


@dataclass(frozen=True)
class CountedColumns:
    """The parts that the columns of a table play; names are those of the table itself.

    Attributes
    ----------
    actual : column of the observed labels
    prob : one or two columns of probabilities; the last one is counted
    targets : the class of each, None where it is "the positive one"
    groups : columns of model, fold and repeat that are there
    own : what each of `groups` is called in the table
    positive : the positive class that the user named
    text : whether labels were read from text, where 1.0 may stand for 1
    """

    actual: str
    prob: tuple[str, ...]
    targets: tuple[Any, ...]
    groups: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    positive: Any = None
    text: bool = False

    @property
    def names(self) -> list[str]:
        """The columns to read."""
        return [self.actual, *self.prob, *self.own]

    def pilot(self, labels: Sequence[str]) -> Predictions:
        """Return two rows of each label, read as any table: its classes are those of the whole.

        The counted column has the larger probability in them.
        """
        import pyarrow as pa

        rows = [label for label in labels for _ in range(2)]
        values = [0.9] if len(self.prob) == 1 else [0.1, 0.9]
        unnamed = self.targets == (None,)
        prob = ("y_prob",) if unnamed else self.prob
        columns: dict[str, Any] = {self.actual: rows}
        columns |= {name: [p] * len(rows) for name, p in zip(prob, values, strict=True)}
        named = None if unnamed else dict(zip(prob, self.targets, strict=True))
        return Predictions.from_frame(
            pa.table(columns), actual=self.actual, prob=named, positive=self.positive
        )


def counted_columns(
    names: Sequence[str],
    *,
    actual: str | None = None,
    prob: Mapping[str, Any] | None = None,
    rename: Mapping[str, str] | None = None,
    positive: Any = None,
    text: bool = False,
) -> CountedColumns:
    """Return the parts that columns play; InputError where their rows cannot be counted."""
    own = {(rename or {}).get(name, name): name for name in names}
    called = list(own)
    truth = actual_column(called, actual)
    columns = probability_columns(called, prob)
    odd = [n for n in called if n in LEFT_OUT or class_marked(n, SCORE) is not None]
    if odd:
        raise not_counted(f"it has the column{'s' * (len(odd) > 1)} {shown(odd)}")
    if not columns:
        raise not_counted("it has no column of probabilities")
    if len(columns) > 2:
        raise not_counted(f"it has {len(columns)} classes, and two can be counted")
    groups = tuple(name for name in CODED if name in own and name not in {truth, *columns})
    return CountedColumns(
        actual=own[truth],
        prob=tuple(own[name] for name in columns),
        targets=tuple(columns.values()),
        groups=groups,
        own=tuple(own[name] for name in groups),
        positive=positive,
        text=text,
    )


def not_counted(why: str) -> InputError:
    """Return the refusal of a table whose rows cannot be counted."""
    return InputError(
        f"the rows of this table cannot be counted: {why}",
        code="not-countable",
        remedy="read it with `engine='memory'`, or keep the columns that are needed",
    )
