"""The columns beside truth and probabilities, such as model, row and fold: by names and values."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from plumbline.roles import names as nm
from plumbline.roles.evidence import FEW_ROWS, KNOWN, is_marked, weigh_truth
from plumbline.roles.facts import Column
from plumbline.roles.names import is_model, plain, words_of
from plumbline.roles.reading import ATTRIBUTE, GROUPS, OWN_PARTS, Said

RECURS = "recurs"  # an ID that recurs, which no other part explains
# Weights are usually divided by their mean; bodies of a mean that near to 1 kg or t are rare.
MEAN_OF_WEIGHTS = 0.01
PARTED = ("model", "fold", "repeat")  # that predict the rows of an example, or some of them
MOST_KINDS = 20  # a `device` or `client` of fewer values may be of a kind, not a single one


@dataclass(frozen=True)
class Question:
    """What a column may mean, so that a table is not read before somebody says.

    `parts` are those that it may play.
    """

    column: str
    text: str
    parts: tuple[str, ...]


@dataclass
class Sides:
    """Columns by part, an ID that recurs among them as `recurs`, and what must be asked.

    `explained` tells that the ID has one row in each fold and repeat of a model.
    """

    columns: dict[str, str] = field(default_factory=dict)
    explained: bool = False
    questions: list[Question] = field(default_factory=list)

    def put(self, part: str, column: Column) -> None:
        """Give a column a part that no other has."""
        self.columns.setdefault(part, column.name)

    def ask(self, column: Column, text: str, *parts: str) -> None:
        """Ask what a column means."""
        self.questions.append(Question(column.name, text, parts))


def sides_of(
    columns: Sequence[Column],
    said: Said,
    *,
    own: bool,
    strict: bool = False,
    truth: Column | None = None,
) -> Sides:
    """Return the parts of the columns beside truth and probabilities.

    `own` tells that truth and probabilities are named as the prediction table names them, or by
    the user: then columns with the table's own names are what they say, but for a weight beside
    bodies and goods, which is one only in a `strict` table. Without `truth` the column that the
    user named as such is meant, or the likeliest.
    """
    sides = Sides(dict(said.parts))
    told = said.columns
    truth = truth or next((one for one in columns if one.name == said.actual), None)
    truth = truth or _likeliest_truth(columns)
    every, columns = columns, [column for column in columns if column.name not in told]
    ids = [column for column in columns if is_id(column)]
    body = any({*column.words} & nm.BODY for column in columns)
    for column in columns:
        name = column.squeezed
        if own and column.name in OWN_PARTS and (strict or not body or name != "weight"):
            sides.put(column.name, column)
        elif own and column.name == GROUPS:
            sides.put("groups", column)
        elif _is_predicted(column):
            sides.put("predicted", column)
        elif name in nm.MODEL | nm.RUN and column.labels and not column.distinct:
            _model(sides, column, ids)
        elif _is_fold(column):
            sides.put("fold", column)
        elif nm.part_of_round(column.words) == "repeat" and column.labels and not column.distinct:
            if not _has_own_truths(column, columns, truth):
                sides.put("fold" if _parts_rows(column, columns, ids) else "repeat", column)
        elif name in nm.SPLIT | nm.HALVES:
            _split(sides, column)
        elif name in nm.COUNTS | nm.WEIGHT or nm.is_weight(column.words) or _has_mean_1(column):
            _weight(sides, column, own=own, body=body)
    _rows(sides, columns, ids)
    sides.explained = _is_explained(sides, every)
    return sides


def is_id(column: Column) -> bool:
    """Tell whether a column is named as an ID."""
    if column.squeezed in nm.ROW or not column.words:
        return True
    words = column.words
    named = words[-1] in nm.ID_LAST or words[0] in nm.ID_FIRST or words[-1].endswith("nummer")
    drawn = column.squeezed in nm.REPEAT and column.distinct  # as `sample`, the number of a row
    return (named or drawn) and column.kind in ("whole", "text")


def is_unit(column: Column) -> bool:
    """Tell whether a column is named as that of which there are rows, as `patient` or `item`."""
    named = column.squeezed in nm.UNIT and column.kind in ("whole", "text")
    return named and len(np.unique(column.keys)) > MOST_KINDS


def _is_fold(column: Column) -> bool:
    """Tell whether a column holds folds, by its name or as all its values are such as Fold01."""
    if nm.part_of_round(column.words) == "fold":
        return bool(column.labels)
    named = is_marked(column) or column.name in OWN_PARTS
    labels = column.labels if column.kind == "text" and not named else ()
    return len(labels) > 1 and all(map(nm.FOLD_VALUE.fullmatch, labels))


def _parts_rows(column: Column, columns: Sequence[Column], ids: Sequence[Column]) -> bool:
    """Tell whether the values of a column hold other rows each, as the iterations of mlr3 do.

    In repeats all rows come again: then an ID recurs, or there are as many rows of each label.
    """
    models = [c for c in columns if c.squeezed in nm.MODEL and c.labels and not c.distinct]
    once = (
        len(np.unique(np.column_stack([i.keys, *(m.keys for m in models)]), axis=0)) for i in ids
    )
    if column.n not in once:
        return False
    truths = [c for c in columns if weigh_truth(c) >= KNOWN]
    pairs = np.column_stack([c.keys for c in (column, *models, *truths[:1])])
    rows = np.unique(pairs, axis=0, return_counts=True)
    of_value = [
        sorted(rows[1][rows[0][:, 0] == value].tolist()) for value in np.unique(column.keys)
    ]
    return any(one != of_value[0] for one in of_value)


def _likeliest_truth(columns: Sequence[Column]) -> Column | None:
    likeliest = max(columns, key=weigh_truth, default=None)
    return likeliest if likeliest is not None and weigh_truth(likeliest) >= KNOWN else None


def _has_own_truths(column: Column, columns: Sequence[Column], truth: Column | None) -> bool:
    """Tell whether rows of one ID have a truth each, as several answers to a question have.

    A repeat predicts the same rows again, whose truth stays as it is.
    """
    if truth is None:
        return False
    models = [c.keys for c in columns if c.squeezed in nm.MODEL and c.labels and not c.distinct]
    for one in columns:
        if one is not column and (is_id(one) or is_unit(one)):
            home = np.column_stack([one.keys, *models])
            whole = len(np.unique(np.column_stack([home, column.keys]), axis=0)) == column.n
            rows = len(np.unique(home, axis=0))
            if whole and rows < len(np.unique(np.column_stack([home, truth.keys]), axis=0)):
                return True
    return False


def _is_predicted(column: Column) -> bool:
    named = (
        column.squeezed in nm.PREDICTED
        or {*column.words[:1]} & {"pred", "predicted"}
        or {*column.words[-1:]} & {"pred", "prediction"}
    )
    return bool(named and column.labels and not column.distinct and not is_marked(column))


def _model(sides: Sides, column: Column, ids: Sequence[Column]) -> None:
    """Read a column as models if rows are paired by it, or its values are known models."""
    paired = any(_pairs(one, column) == one.n > len(np.unique(one.keys)) for one in ids)
    known = 2 * sum(is_model(words_of(value)) for value in column.labels) >= len(column.labels)
    equal = len(column.counts) > 1 and len({*column.counts.tolist()}) == 1
    named = column.squeezed in nm.MODEL
    if paired or (named and (known or equal or column.squeezed not in nm.PLAIN_MODEL)):
        sides.put("model", column)
    elif named and len(column.counts) > 1:
        sides.ask(column, "models, or an attribute", "model", ATTRIBUTE)


def _split(sides: Sides, column: Column) -> None:
    if column.squeezed in nm.SPLIT:
        training = {*map(plain, column.labels)} & nm.TRAINING
    else:
        training = {"train"} if len(column.labels) == 2 else set()
    if training:
        sides.ask(column, "rows of training among them", "fold", ATTRIBUTE)


def _weight(sides: Sides, column: Column, *, own: bool, body: bool) -> None:
    if not column.is_number or column.ends[0] < 0:
        return
    if column.squeezed in nm.COUNTS:
        if not own:
            sides.ask(column, "numbers of rows, or an attribute", "count:rows", ATTRIBUTE)
    elif nm.is_weight(column.words) or (own and not body):
        sides.put("weight", column)
    else:
        sides.ask(column, "weights of rows, or an attribute", "weight", ATTRIBUTE)


def _has_mean_1(column: Column) -> bool:
    """Tell whether a column is called some weight, and has the mean of weights of rows."""
    numbers = column.numbers if {*column.words[-1:]} & nm.WEIGHT_LAST else None
    if numbers is None or len(column.words) < 2 or column.n < FEW_ROWS or column.ends[0] < 0:
        return False
    return abs(float(np.mean(numbers)) - 1) < MEAN_OF_WEIGHTS and column.ends[0] < column.ends[1]


def _rows(sides: Sides, columns: Sequence[Column], ids: Sequence[Column]) -> None:
    several = [one for one in columns if one.name in map(sides.columns.get, ("model", "repeat"))]
    for column in ids:
        if column.name in sides.columns.values():
            continue
        pairs = np.column_stack([one.keys for one in (column, *several)])
        whole = column.distinct or (several and len(np.unique(pairs, axis=0)) == column.n)
        sides.put("row" if whole else RECURS, column)
    for column in columns:
        if is_unit(column) and column.name not in sides.columns.values():
            pairs = np.column_stack([one.keys for one in (column, *several)])
            whole = len(np.unique(pairs, axis=0)) == column.n
            if not whole:
                sides.put(RECURS, column)
            elif several:
                sides.put("row", column)


def _is_explained(sides: Sides, columns: Sequence[Column]) -> bool:
    """Tell whether the ID that recurs has one row in each fold and repeat of a model."""
    apart = [one.keys for one in columns if one.name in map(sides.columns.get, PARTED)]
    again = next((one for one in columns if one.name == sides.columns.get(RECURS)), None)
    if again is None or not apart:
        return False
    return len(np.unique(np.column_stack([again.keys, *apart]), axis=0)) == again.n


def _pairs(one: Column, other: Column) -> int:
    """Return the number of different pairs of values."""
    return len(np.unique((one.keys + 1) * (other.keys.max(initial=0) + 2) + other.keys + 1))
