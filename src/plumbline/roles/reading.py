"""A reading: which column of a table plays which part. It prints itself as options and keywords."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from plumbline.command_words import command_line, option_words, options_words
from plumbline.errors import InputError
from plumbline.formatting import printable, quoted
from plumbline.roles.positive import REASONS

OWN_PARTS = ("model", "row", "fold", "repeat", "weight", "predicted", "score")
PARTS = (*OWN_PARTS, "groups", "class")
GROUPS = "groups:rows"  # the column of a file; a plain "groups" is an attribute
ATTRIBUTE = "attribute"  # a part that is none: the column keeps its name
DROP = "drop"  # rows without a value are left out
ALONE = "alone"  # rows without a group are groups of their own


class RepeatedID(NamedTuple):
    """A column whose values recur: so many of them, in so many rows (examples)."""

    column: str
    values: int
    rows: int

    @property
    def text(self) -> str:
        """What recurs and what follows, as the beginning of a sentence."""
        return (
            f"column {quoted(self.column)} recurs: {self.rows:,} rows of {self.values:,}, and "
            "p-values and intervals take every row as independent"
        )


@dataclass(frozen=True)
class Reading:
    """The parts that the columns of a table play, each named as the table names it.

    Attributes
    ----------
    actual : column of the observed labels
    prob : columns of probabilities with the class of each; None of the positive one of two
    shape : "single" or "classes" (a column, or one a class), "lists", "models" (one column each),
        "long" (one row a class), "labels" (no probabilities) or "ratings"
    positive : the positive class of two, None where the last one is
    implied : whether the names of the classes tell which one that is
    parts : column of each other part, by `PARTS`
    attributes : columns of which the user said that they play no part
    settled : columns with the name of their part of which that must be said all the same
    recurs : an ID that recurs, though no model explains it
    explained : whether folds and repeats explain it: in each of them it has one row
    own : whether all columns have the names of the prediction table, so that nothing was guessed
    missing, logits, scale : as in `plumbline.read`
    left_out : number of rows that were left out as a value is missing
    score : weight of the evidence
    why : what tells the positive class, a key of `plumbline.roles.positive.REASONS`
    form : how a file holds its rows, such as "CSV, separated by a semicolon"
    program : the program whose form that is, where it has one of its own
    joined : by which ID labels of a second table were joined
    """

    actual: str
    prob: tuple[tuple[str, str | None], ...] = ()
    shape: str = "single"
    positive: str | None = None
    implied: bool = False
    parts: Mapping[str, str] = field(default_factory=dict)
    attributes: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    recurs: str | None = None
    explained: bool = False
    own: bool = False
    missing: str | None = None
    logits: bool = False
    scale: float | None = None
    left_out: int = 0
    score: float = field(default=0, compare=False)
    why: str = field(default="", compare=False)
    form: str = field(default="", compare=False)
    program: str = field(default="", compare=False)
    joined: str = field(default="", compare=False)

    @property
    def is_plain(self) -> bool:
        """Whether nothing was guessed: names of the prediction table, in no other form."""
        return self.own and not self.program and not self.joined

    @property
    def unexplained(self) -> str | None:
        """The ID that recurs within a fold and repeat of a model, so that its rows may depend."""
        return None if self.explained else self.recurs

    @property
    def reason(self) -> str:
        """What tells the positive class of two, in words."""
        columns = {"predicted": self.parts.get("predicted", "")}
        columns |= {"prob": self.prob[0][0]} if self.prob else {}
        return REASONS[self.why or "last"].format(columns.get(self.why, self.actual))

    @property
    def has_part_names(self) -> bool:
        """Whether every column has the name of its part in the prediction table, all rows kept."""
        named = all(column in (part, GROUPS) for part, column in self.parts.items())
        prob = all(c.lstrip().startswith("p:") or c == "y_prob" for c, _ in self.prob)
        values = not (self.left_out or self.logits or self.scale or self.attributes)
        return self.actual in ("actual", "y_true") and prob and named and values

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `plumbline.read` that read a table in this way.

        Own names need none.

        >>> Reading("bad", (("p", None),), positive="1", parts={"row": "id"}).arguments()
        {'actual': 'bad', 'prob': ['p'], 'rename': {'id': 'row'}, 'positive': '1'}
        """
        found: dict[str, Any] = {} if self.own else {"actual": self.actual}
        if self.prob and not self.own:
            named = all(target is not None for _, target in self.prob)
            found["prob"] = dict(self.prob) if named else [column for column, _ in self.prob]
        said = (pair for pair in self.parts.items() if len({*pair}) > 1 or pair[1] in self.settled)
        rename = {column: part for part, column in said}
        rename |= dict.fromkeys(self.attributes, ATTRIBUTE)
        told = self.own or self.implied or self.positive in dict(self.prob).values()
        more: dict[str, Any] = {"rename": rename, "positive": None if told else self.positive}
        more |= {"missing": self.missing, "logits": self.logits, "scale": self.scale}
        return found | {name: value for name, value in more.items() if value}

    def options(self, said: Iterable[str] = ()) -> list[str]:
        """Return the words of a command that read a table in this way, without what was `said`.

        >>> command_line(Reading("bad", (("p", "no"),), parts={"model": "algo"}).options())
        '--actual bad --prob p=no --rename algo=model'
        """
        given = {name: value for name, value in self.arguments().items() if name not in {*said}}
        return options_words(given)

    def keywords(self) -> str:
        """Return the same as keywords of a call.

        >>> Reading("bad", (("p", "no"),)).keywords()
        "actual='bad', prob={'p': 'no'}"
        """
        return ", ".join(f"{name}={value!r}" for name, value in self.arguments().items())

    def to_dict(self) -> dict[str, Any]:
        """Return the arguments, and the options as one text to paste."""
        form = {"program": self.program} if self.program else {}
        return {**form, **self.arguments(), "options": command_line(self.options())}

    def __str__(self) -> str:
        """Say how a table was read.

        >>> print(Reading("default", (("score", None),), positive="1", parts={"row": "loan_id"}))
        Read: actual = default (1 is positive), probability = score, row = loan_id
        """
        known = "" if self.positive is None else f" ({self.positive} is positive)"
        parts = [self.program] if self.program else []
        parts.append(f"actual = {self.actual}{known}")
        columns = ", ".join(column for column, _ in self.prob)
        if self.prob:
            parts.append(f"{'models' if self.shape == 'models' else 'probability'} = {columns}")
        parts += [f"{part} = {self.parts[part]}" for part in PARTS if part in self.parts]
        parts += [f"{self.recurs} recurs"] if self.recurs and "groups" not in self.parts else []
        parts += [f"labels joined by {self.joined}"] if self.joined else []
        parts += [f"{self.left_out:,} rows left out, without a value"] if self.left_out else []
        parts += ["probabilities from logits"] if self.logits else []
        parts += [f"probabilities in parts of {self.scale:g}"] if self.scale else []
        return printable(f"Read: {', '.join(parts)}")


@dataclass(frozen=True)
class Said:
    """What the user says of a table; it wins over every rule. Columns as the table names them.

    Attributes
    ----------
    actual : column of the observed labels
    prob : columns of probabilities with the class of each, None where it is not said
    parts : column of each other part
    attributes : columns that play no part
    positive, missing, logits, scale, normalize : as in `plumbline.read`
    """

    actual: str | None = None
    prob: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    attributes: tuple[str, ...] = ()
    positive: str | None = None
    missing: str | None = None
    logits: bool = False
    scale: float | None = None
    normalize: bool = False

    @property
    def columns(self) -> frozenset[str]:
        """The columns that the user named."""
        named = {*self.prob, *self.parts.values(), *self.attributes}
        return frozenset(named | ({self.actual} if self.actual is not None else set()))

    def noted(self, reading: Reading) -> Reading:
        """Return a reading with what the user said of the values."""
        return replace(
            reading,
            attributes=tuple(dict.fromkeys([*reading.attributes, *self.attributes])),
            settled=tuple(column for part, column in self.parts.items() if part == column),
            missing=self.missing,
            logits=self.logits,
            scale=self.scale,
        )


class UnclearColumns(InputError):  # noqa: N818  # what it says, and what it offers
    """A table whose columns have no reading, or several.

    Attributes
    ----------
    readings : those that a user may choose from; each works when it is named
    extra : words of options that each of them needs besides, such as the names of the columns
    choices : arguments to choose from, where they make no reading yet
    """

    def __init__(
        self,
        text: str,
        *,
        code: str = "",
        readings: Iterable[Reading] = (),
        extra: Iterable[tuple[str, Any]] = (),
        choices: Iterable[Mapping[str, Any]] = (),
        near: str | None = None,
        rows: Any = (),
    ) -> None:
        self.readings = tuple(readings)
        self.extra = tuple(extra)
        choices = tuple(choices)
        remedy = self._remedy(choices)
        super().__init__(text, code=code, near=near, remedy=remedy, rows=rows, choices=choices)

    def _remedy(self, choices: Iterable[Mapping[str, Any]]) -> str | None:
        calls = [
            ", ".join([*(f"{name}={value!r}" for name, value in self.extra), one.keywords()])
            for one in self.readings
        ]
        calls += [", ".join(f"{n}={v!r}" for n, v in one.items()) for one in choices]
        return f"pass {' or '.join(calls)}" if calls else None

    def commands(self, said: Iterable[str] = ()) -> list[list[str]]:
        """Return the options of each reading or choice, without what was `said`."""
        extra = [word for pair in self.extra for word in option_words(*pair)]
        readings = [[*extra, *one.options(said)] for one in self.readings]
        return readings + [options_words(one) for one in self.choices]
