"""Which columns of a large table are counted, and which classes they mean."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from plumbline._checks import nearest, shorten, shown
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import quoted
from plumbline.frames.arrow_values import number_column, text_column
from plumbline.predictions import Predictions, label_text
from plumbline.predictions.arrays import COUNT, SPLITS
from plumbline.predictions.columns import SCORE, class_marked, classes_of_list
from plumbline.predictions.labels import TOP_LABEL, against_others, class_names
from plumbline.predictions.shapes import NUMBERS
from plumbline.predictions.told import named_columns, plain_renames, reading_of
from plumbline.roles import Column, Reading, UnclearColumns
from plumbline.roles.facts import ABSENT, NOT_AVAILABLE
from plumbline.roles.reading import DROP

ALL_CLASSES = "all-classes"
COUNTED_VIEWS = ("top-label", "one-vs-rest", ALL_CLASSES)
MOST_CLASSES = 1_000  # of which every pair is counted
WHOLE = re.compile(r"-?[0-9]+\.0")
PREDICTED = "predicted"
LEFT_OUT = ("score", "weight")  # columns that change what a table means


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
    predicted : column of predicted labels, None where there is none
    attributes : the attributes that are counted, and own_attributes, what the table calls them
    positive : the positive class that the user named
    text : whether labels were read from text, where 1.0 may stand for 1
    view : "top-label" or "one-vs-rest:CLASS": the two classes that are counted instead
    lists : whether `prob` is one column of lists, of which `targets` are the classes in order, or
        empty until the first row tells how many there are
    ids : columns that number or name the rows, by which a file is recognised when it returns
    no_label : texts, in small letters, that stand for a missing label
    reading : how the table was read, where it is known
    drop : where rows without a value are left out: further columns of which each row needs one
    """

    actual: str
    prob: tuple[str, ...]
    targets: tuple[Any, ...]
    groups: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    predicted: str | None = None
    attributes: tuple[str, ...] = ()
    own_attributes: tuple[str, ...] = ()
    positive: Any = None
    text: bool = False
    view: str | None = None
    lists: bool = False
    ids: tuple[str, ...] = ()
    no_label: tuple[str, ...] = ("",)
    reading: Reading | None = field(default=None, compare=False)
    drop: tuple[str, ...] | None = None

    @property
    def many(self) -> bool:
        """Whether there are more than two classes, which are counted under a view."""
        return self.lists or len(self.prob) > 2

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes of the columns."""
        return tuple(map(_class_name, self.targets))

    @property
    def target(self) -> str | None:
        """The class against the rest of the view, None where it is the top label."""
        return (self.view or "").partition(":")[2] or None

    @property
    def target_number(self) -> int | None:
        """Number of that class."""
        return None if self.target is None else self.classes.index(self.target)

    @property
    def events(self) -> tuple[str, str]:
        """The two classes that are counted instead of more."""
        return TOP_LABEL if self.target is None else against_others(self.target)

    @property
    def numbers(self) -> dict[str, int]:
        """Numbers of the classes by what a label may be called."""
        named = {name: j for j, name in enumerate(self.classes)}
        whole = {f"{name}.0": j for name, j in named.items() if self.text and name.isdecimal()}
        return whole | named | {str(target): j for j, target in enumerate(self.targets)}

    @property
    def names(self) -> list[str]:
        """The columns to read."""
        needed = self.drop or ()
        return list(dict.fromkeys([self.actual, *self.prob, *self.key_columns, *needed]))

    @property
    def recognised_by(self) -> tuple[str, ...]:
        """The columns by which a file is recognised though its labels have changed."""
        return tuple(dict.fromkeys([*self.prob, *self.key_columns, *self.ids]))

    @property
    def keys(self) -> tuple[str, ...]:
        """What parts the rows into groups: the columns of labels, then the attributes."""
        return (*self.labels, *self.attributes)

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns of names that part the rows, of which none may be empty."""
        return self.groups if self.predicted is None else (*self.groups, PREDICTED)

    @property
    def key_columns(self) -> tuple[str, ...]:
        """What the table calls each of `keys`."""
        predicted = () if self.predicted is None else (self.predicted,)
        return (*self.own, *predicted, *self.own_attributes)

    def counted_class(self, labels: Sequence[str]) -> str:
        """Return the class of two whose probability is counted."""
        if self.targets[-1] is not None:
            return _class_name(self.targets[-1])
        data = self.pilot(labels)
        return data.classes[data.positive]

    def pilot(self, labels: Sequence[str]) -> Predictions:
        """Return two rows of each label, read as any table: its classes are those of the whole.

        The counted column has the larger probability in them.
        """
        import pyarrow as pa

        rows = [label for label in labels for _ in range(2)]
        n = len(rows)
        if self.many:
            return Predictions.from_arrays(
                rows, [[0.1, 0.9]] * n, classes=self.events, positive=self.events[1]
            )
        values = [0.9] if len(self.prob) == 1 else [0.1, 0.9]
        unnamed = self.targets == (None,)
        prob = ("y_prob",) if unnamed else self.prob
        columns = [text_column(rows), *(number_column(np.full(n, p)) for p in values)]
        table = pa.Table.from_arrays(columns, names=[self.actual, *prob])
        named = None if unnamed else dict(zip(prob, self.targets, strict=True))
        return Predictions.from_frame(table, actual=self.actual, prob=named, positive=self.positive)


def counted_columns(
    columns: Sequence[Column],
    *,
    attributes: Sequence[str] = (),
    text: bool = False,
    view: str | None = None,
    usual_view: str | None = None,
    lists: Mapping[str, int | None] | None = None,
    rename: Mapping[str, str] | None = None,
    positive: Any = None,
    like: CountedColumns | None = None,
    **told: Any,
) -> CountedColumns:
    """Return the parts that columns play; InputError where their rows cannot be counted.

    `columns` hold the first rows. More than two classes are counted under `view`, else under
    `usual_view`. `lists` are the columns that hold lists, with the number of values of each where
    it is known. `like` tells the parts of a table without any label yet, if it has the same
    columns. Other arguments are those of `plumbline.predictions.told.said_of`.
    """
    names = [column.name for column in columns]
    if like is not None and _has_no_label(columns, like, rename, told):
        return replace(like, text=text, reading=None)
    own = {(plain_renames(names, rename)).get(name, name): name for name in names}
    reading = reading_of(columns, rename, positive=positive, **told)
    if not reading.prob:
        raise InputError(
            f"the table has no column of probabilities, p:CLASS or y_prob; it has {shown(names)}",
            code="not-countable",
            remedy="name it with `prob`, or what it is called with `rename`",
        )
    _refuse_uncounted(reading, own, lists or {})
    prob_names = tuple(own[name] for name, _ in reading.prob)
    targets = tuple(target for _, target in reading.prob)
    listed = len(prob_names) == 1 and prob_names[0] in (lists or {})
    if listed:
        targets = classes_of_list(targets[0], (lists or {})[prob_names[0]])
    if listed or len(prob_names) > 2:
        view = _view_to_count(view or usual_view, tuple(map(_class_name, targets)))
        class_names("prob", targets or ("0", "1"))
        if view == ALL_CLASSES and attributes:
            raise not_counted("attributes are not counted beside all classes")
    groups = tuple(name for name in SPLITS if name in reading.parts)
    check_attributes(attributes, attributes_of(own, reading))
    predicted = reading.parts.get(PREDICTED)
    return CountedColumns(
        actual=own[reading.actual],
        prob=prob_names,
        targets=targets,
        groups=groups,
        own=tuple(own[reading.parts[name]] for name in groups),
        predicted=None if predicted is None else own[predicted],
        attributes=tuple(attributes),
        own_attributes=tuple(own[name] for name in attributes),
        positive=positive if positive is not None or reading.implied else reading.positive,
        text=text,
        view=view,
        lists=listed,
        ids=tuple(own[one] for one in (reading.parts.get("row"), reading.recurs) if one in own),
        no_label=_no_label(reading, columns, own[reading.actual]),
        reading=reading,
        drop=_ids_of(reading, own) if reading.missing == DROP else None,
    )


def _ids_of(reading: Reading, own: Mapping[str, str]) -> tuple[str, ...]:
    """Return the column that numbers the rows, of which a row in memory needs a value too."""
    return tuple(own[name] for part, name in reading.parts.items() if part == "row")


def _has_no_label(
    columns: Sequence[Column],
    like: CountedColumns,
    rename: Mapping[str, str] | None,
    told: Mapping[str, Any],
) -> bool:
    """Tell whether no row has its label yet, in a table with the columns of another one."""
    actual = next((column for column in columns if column.name == like.actual), None)
    if actual is None or actual.kind != "empty" or not actual.n:
        return False
    named = {*(rename or {}), *named_columns(told)}
    return {*like.names} <= {column.name for column in columns} and named <= {*like.names}


def _no_label(reading: Reading, columns: Sequence[Column], actual: str) -> tuple[str, ...]:
    """Return the texts that stand for a missing label, as in a table that is held in memory."""
    if any(one.name == actual and one.kind in NUMBERS for one in columns):
        return ABSENT + NOT_AVAILABLE
    return ("",) if reading.own else ABSENT


def _refuse_uncounted(
    reading: Reading, own: Mapping[str, str], lists: Mapping[str, int | None]
) -> None:
    """Refuse a table of which single rows are needed."""
    if reading.shape not in ("single", "classes", "lists"):
        shapes = {"models": "a column a model", "long": "one row a class"}
        raise not_counted(f"it has {shapes.get(reading.shape, 'ratings')}")
    if reading.logits or reading.scale is not None:
        raise not_counted("its values become probabilities first")
    if "groups" in reading.parts:
        raise groups_not_counted()
    many = len(reading.prob) > 2 or any(own[name] in lists for name, _ in reading.prob)
    parts = (*LEFT_OUT, COUNT, PREDICTED) if many else (*LEFT_OUT, COUNT)
    free = {*own} - {*reading.attributes}
    odd = [name for part, name in reading.parts.items() if part in parts]
    odd += [name for name in free if class_marked(name, SCORE) is not None or name == COUNT]
    if odd:
        raise not_counted(f"it has the column{'s' * (len(odd) > 1)} {shown(odd)}")


def checked_view(view: Any, classes: Sequence[str] = ()) -> str | None:
    """Return a view that makes two classes of more; `classes` are empty where they are unknown."""
    if view is None or view in ("top-label", ALL_CLASSES):
        return None if view is None else str(view)
    kind, _, name = view.partition(":") if isinstance(view, str) else ("", "", "")
    if kind != "one-vs-rest" or not name:
        raise ParameterError(
            argument="view",
            rule="'top-label', 'one-vs-rest:CLASS' or 'all-classes'",
            arrived=shorten(view),
            near=None if kind == "one-vs-rest" else nearest(view, COUNTED_VIEWS),
            code="view-not-possible",
        )
    target = _class_name(name)
    if classes and target not in classes:
        raise ParameterError(
            f"`view` names no class: {quoted(name)} is none of {shown(classes)}",
            code="unknown-class",
            arrived=quoted(name),
            near=nearest(name, classes),
        )
    return f"{kind}:{target}"


def _view_to_count(view: str | None, classes: Sequence[str]) -> str | None:
    """Return the view under which more than two classes are counted; refuse what needs them all."""
    size = f"{len(classes)} classes" if classes else "lists of probabilities"
    if 0 < len(classes) < 3:
        raise not_counted(f"it has lists of {len(classes)} numbers")
    if view is None or view.partition(":")[0] not in COUNTED_VIEWS:
        views = "" if view is None else "name `view='top-label'` or `view='one-vs-rest:CLASS'`; "
        raise not_counted(
            f"it has {size}, which are counted as two: 'right' and 'wrong', or one against the "
            "rest",
            f"{views}read it with `engine='memory'`",
        )
    if view == ALL_CLASSES and len(classes) > MOST_CLASSES:
        raise not_counted(f"it has more than {MOST_CLASSES:,} classes")
    return checked_view(view, classes)


def viewed(data: Predictions, view: str | None) -> Predictions:
    """Return the two classes of a table under a view; the table itself without one."""
    kind, _, target = (checked_view(view) or "").partition(":")
    if kind in ("", ALL_CLASSES):
        return data
    return data.one_vs_rest(target) if target else data.top_label()


def plain_name(name: str) -> str:
    """Return a label as 1 and not 1.0, as a table may have it as text or as a number."""
    return name.removesuffix(".0") if WHOLE.fullmatch(name) else name


def _class_name(target: Any) -> str:
    """Return a class as a column names it: 1 and not 1.0, without blanks around it."""
    return plain_name(label_text(target).strip())


def attributes_among(
    columns: Sequence[Column], rename: Mapping[str, str] | None = None, **told: Any
) -> list[str]:
    """Return the columns of a table that play no part."""
    names = [column.name for column in columns]
    own = {(plain_renames(names, rename)).get(name, name): name for name in names}
    return attributes_of(own, reading_of(columns, rename, **told))


def attributes_of(own: Mapping[str, str], reading: Reading) -> list[str]:
    """Return the columns that play no part; `own` has the names of all, after renames."""
    roles = {reading.actual, *dict(reading.prob), *reading.parts.values(), *LEFT_OUT, COUNT}
    return [name for name in own if name not in roles and class_marked(name, SCORE) is None]


def check_attributes(attributes: Sequence[str], known: Sequence[str]) -> None:
    """Refuse attributes that a table does not have, or that are named twice."""
    for name in attributes:
        if name not in known:
            raise InputError(
                f"there is no attribute {quoted(name)}; the attributes are "
                f"{shown(known) or 'none'}",
                code="no-such-column",
                near=nearest(name, known),
            )
    if len(set(attributes)) < len(attributes):
        raise ParameterError(
            f"`attributes` must name each column once, got {shown(attributes)}",
            code="named-twice",
        )


def groups_not_counted() -> InputError:
    """Return the refusal of rows in groups, whose counts would forget which belong together."""
    return UnclearColumns(
        "the rows of this table cannot be counted: counts by probability do not say which rows "
        "belong to one group",
        code="groups-not-counted",
        choices=[{"engine": "memory"}],
    )


def not_counted(why: str, remedy: str = "") -> InputError:
    """Return the refusal of a table whose rows cannot be counted; without a remedy, hold them."""
    text = f"the rows of this table cannot be counted: {why}"
    if remedy:
        return InputError(text, code="not-countable", remedy=remedy)
    return UnclearColumns(text, code="not-countable", choices=[{"engine": "memory"}])
