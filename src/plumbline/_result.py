"""What every answer can do: become a dictionary, a frame, a text, a table in a notebook."""

import dataclasses
import html
import importlib
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import date
from types import MappingProxyType
from typing import Any

import numpy as np

from plumbline.formatting import INFINITY, printable, without_noise

# Fields that are left out of plain values while None.
UNLESS_NONE = ("reason", "row_groups", "of_model", "independent_n")
_TICKED = re.compile(r"`([^`]+)`")


def jsonable(value: Any, *, infinite: bool = False) -> Any:
    """Return `value` as plain Python that `json.dumps` takes.

    NaN becomes None, dates their text; infinity too becomes None, unless `infinite` keeps it for
    tables, which can hold it.

    >>> jsonable({"day": np.datetime64("2024-01-31"), "x": np.inf})
    {'day': '2024-01-31', 'x': None}
    """
    if isinstance(value, Result):
        return value.for_tables() if infinite else value.to_dict()
    if isinstance(value, np.ndarray):
        return [jsonable(item, infinite=infinite) for item in value.tolist()]
    if isinstance(value, Mapping):
        return {str(key): jsonable(item, infinite=infinite) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(item, infinite=infinite) for item in value]
    if isinstance(value, np.datetime64):
        return None if np.isnat(value) else str(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return value if infinite and math.isinf(value) else None
    return value


class Note(str):
    """A sentence that the reader should know, with a stable code.

    With `fact` and `own` the notes of several models become one: the fact, then each model's own
    part.

    >>> note = Note("One row gave its class probability 0.", code="impossible-rows")
    >>> note, note.code
    ('One row gave its class probability 0.', 'impossible-rows')
    """

    __slots__ = ("code", "fact", "own")
    code: str
    fact: str
    own: str

    def __new__(cls, text: str, code: str, *, fact: str = "", own: str = "") -> "Note":
        """Make a text with a code."""
        note = super().__new__(cls, text)
        note.code, note.fact, note.own = code, fact, own
        return note

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, str]]:
        return (str(self), self.code), {"fact": self.fact, "own": self.own}


def joined_note(notes: Mapping[str, Note]) -> Note:
    """Return one note for the members whose notes are about the same fact.

    >>> own = {"tree": "23 of 569", "forest": "4 of 569"}
    >>> notes = {name: Note("...", "few", fact="Rows", own=text) for name, text in own.items()}
    >>> joined_note(notes)
    'Rows: tree 23 of 569; forest 4 of 569.'
    """
    first = next(iter(notes.values()))
    parts = "; ".join(f"{name} {note.own}" for name, note in notes.items())
    return Note(f"{first.fact}: {parts}.", first.code)


def notes_together(
    names: Sequence[str | None], notes: Sequence[Sequence[Note]]
) -> list[tuple[tuple[str, ...], Note]]:
    """Return the notes of several models, each once, with the models that it is about.

    No model stands beside what is about all of them, or tells of each model itself.

    >>> odd, few = Note("Odd.", "odd"), Note("Few.", "few")
    >>> notes_together(["a", "b", "c"], [[odd, few], [odd], [odd, few]])
    [(('a', 'c'), 'Few.'), ((), 'Odd.')]
    """
    models = ["" if name is None else printable(name) for name in names]
    known = notes[0] if len(notes) > 1 else ()
    shared = [note for note in dict.fromkeys(known) if all(note in own for own in notes)]
    facts: dict[str, dict[str, Note]] = {}
    for model, own in zip(models, notes, strict=True):
        for note in own:
            if note not in shared and note.fact:
                facts.setdefault(note.fact, {})[model] = note
    several = {fact: own for fact, own in facts.items() if len(own) > 1}
    about: dict[Note, dict[str, None]] = {}
    for model, own in zip(models, notes, strict=True):
        for note in own:
            if note not in shared and note.fact not in several:
                about.setdefault(note, {})[model if len(notes) > 1 else ""] = None
    apart = [(tuple(filter(None, own)), note) for note, own in about.items()]
    whole = [*shared, *(joined_note(own) for own in several.values())]
    return [*apart, *(((), note) for note in whole)]


def own_and_shared(
    names: Sequence[str | None], notes: Sequence[Sequence[Note]]
) -> tuple[list[list[Note]], list[Note]]:
    """Return the notes that stand with one model each, and those that stand once for several.

    >>> odd, few = Note("Odd.", "odd"), Note("Few.", "few")
    >>> own_and_shared(["a", "b", "c"], [[odd], [odd, few], []])
    ([[], ['Few.'], []], ['a, b: Odd.'])
    """
    own: list[list[Note]] = [[] for _ in names]
    shared: list[Note] = []
    places = {"" if name is None else printable(name): place for place, name in enumerate(names)}
    for about, note in notes_together(names, notes):
        if len(names) == 1:
            own[0].append(note)
        elif len(about) == 1:
            own[places[about[0]]].append(note)
        else:
            shared.append(Note(": ".join(filter(None, [", ".join(about), note])), note.code))
    return own, shared


@dataclasses.dataclass(frozen=True, slots=True)
class Detail:
    """One fact of a result.

    Attributes
    ----------
    key : a stable name; label : what it is called; text : its value
    joined : whether it stands in the line of the fact before it, where facts stand in lines
    alone : whether it is too long for a column beside other models
    """

    key: str
    label: str
    text: str
    joined: bool = False
    alone: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class NextStep:
    """What to do next: a request, which each surface writes as its own call.

    Attributes
    ----------
    request : its name
    text : what it gives, in a few words
    values : name of a parameter -> value; True for a switch
    per_model : whether the request takes one model at a time
    """

    request: str
    text: str
    values: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    per_model: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Table:
    """Columns of text under their names.

    Attributes
    ----------
    columns : name -> cells
    left : names of the columns that stand to the left
    title : what stands above; more : what stands below, such as how many rows were left out
    folded : whether the terminal shows it with --verbose only, also where tables are the answer
    """

    columns: Mapping[str, Sequence[str]]
    left: tuple[str, ...] = ()
    title: str = ""
    more: str = ""
    folded: bool = False

    def __str__(self) -> str:
        table = text_table(self.columns, left=self.left) if any(self.columns.values()) else ""
        parts = (printable(self.title), table, printable(self.more))
        return "\n".join(filter(None, parts))

    def html(self) -> str:
        """Return it as a table for a notebook."""
        table = html_table(self.columns, left=self.left, caption=self.title)
        return f"{table}<p>{_escaped(self.more)}</p>" if self.more else table


@dataclasses.dataclass(frozen=True, slots=True)
class Presentation:
    """What a result says about itself; terminal, notebook, report and browser show it alike.

    Attributes
    ----------
    subject : what was looked at, in a few words; formulas in lines of their own
    summary : the answer, one sentence of at most 25 words
    details : facts, which of several models stand below each other as the columns of a table
    notes : what is odd here and should be known before believing it
    next_step : what to do next
    tables : rows that belong to the result: bins, parts, pairs
    legend : what the labels of details and tables mean, the same for every model
    tables_first : whether the tables are the answer, so that notes stand below them
    tone : "bad" where the answer is a fault, "good" where it is ruled out, "open" where neither is
        shown, "" where nothing is judged
    formulas : whether back-ticks in notes hold words of formulas, and arguments only with a value
    """

    subject: str = ""
    summary: str = ""
    details: tuple[Detail, ...] = ()
    notes: tuple[Note, ...] = ()
    next_step: NextStep | None = None
    tables: tuple[Table, ...] = ()
    legend: tuple[str, ...] = ()
    tone: str = ""
    formulas: bool = False
    tables_first: bool = False


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Result:
    """Base of all results: frozen, readable, and one step from JSON or a data frame.

    A field is left out of `to_dict` if its metadata says `hidden`; one of
    `UNLESS_NONE` while it is None; `row_groups` is two values. What people read of it, `present`
    says, on every surface.
    """

    def present(self) -> Presentation:
        """Return what people read of the result; every field that is short, unless it says more."""
        return Presentation(
            details=tuple(Detail(name, name, text) for name, text in self.shown_lines())
        )

    def json_entries(self) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]:
        """Return the entries of `results` in the command line's JSON, and what stands beside."""
        return [self.to_dict()], {}

    @property
    def exit_code(self) -> int:
        """The exit status of a command that answers with it: 0, unless its answer is a verdict."""
        return 0

    def texts(self) -> Mapping[str, Callable[[], str]]:
        """Return what makes it a text for other programs, by the ending of a file or by a name."""
        return {}

    def figure(self) -> Any:
        """Return the usual picture of the result, where it has one (needs the extra `plot`)."""
        # Pictures stand above results: this is the one way up, and taken only when asked for.
        return importlib.import_module("plumbline.plots").figure_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python; an undefined or infinite number is None."""
        return self._plain(infinite=False)

    def for_tables(self) -> dict[str, Any]:
        """Return `to_dict()`, in which infinite numbers stay: tables hold them, JSON does not."""
        return self._plain(infinite=True)

    def _plain(self, *, infinite: bool) -> dict[str, Any]:
        fields = (f for f in dataclasses.fields(self) if not f.metadata.get("hidden"))
        plain: dict[str, Any] = {}
        for name, value in ((f.name, getattr(self, f.name)) for f in fields):
            if name in UNLESS_NONE and value is None:
                continue
            if name == "row_groups":  # their number, and all else beside
                plain |= value.beside()
            else:
                plain[name] = jsonable(value, infinite=infinite)
        return plain

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the result as table rows; one row of its plain values unless it holds more.

        A range stands in two columns, `..._low` and `..._high`.
        """
        flat: dict[str, Any] = {}
        for name, value in self.for_tables().items():
            if _is_range(name, value):
                stem = name.removesuffix("_range")
                flat |= {f"{stem}_low": value[0], f"{stem}_high": value[1]}
            elif not isinstance(value, (list, dict)):
                flat[name] = value
        return [flat]

    def column_names(self) -> Sequence[str]:
        """Return the columns of `rows()`, where a result knows them without rows."""
        return ()

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """Return `rows()` as a data frame of `backend`: "pyarrow", "pandas" or "polars"."""
        import narwhals as nw

        from plumbline._checks import frame_library

        library: Any = frame_library(backend)
        rows = self.rows()
        names = self.column_names() or list(dict.fromkeys(name for row in rows for name in row))
        columns = {name: [row.get(name) for row in rows] for name in names}
        return nw.from_dict(columns, backend=library).to_native()

    def shown_lines(self) -> Iterator[tuple[str, str]]:
        """Yield name and text of everything short enough to read at a glance."""
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            left_out = field.name in UNLESS_NONE and value is None
            if not field.metadata.get("hidden") and not left_out:
                yield from _lines(field.name, value)

    def __repr__(self) -> str:
        shown = self.present()
        facts = in_lines(shown.details)
        width = max((len(label) for label, _ in facts), default=0)
        lines = [f"  {label:<{width}}  {printable(text)}" for label, text in facts]
        tables = [str(table) for table in shown.tables]
        head = ": ".join(filter(None, [type(self).__name__, shown.subject]))
        heads = map(printable, head.split("\n"))
        verdict = [printable(shown.summary)] if shown.summary else []
        notes = [printable(note) for note in shown.notes]
        blocks = [*tables, *notes] if shown.tables_first else [*notes, *tables]
        return "\n".join([*heads, *verdict, *lines, *blocks])

    def _repr_html_(self) -> str:
        shown = self.present()
        cells = (
            f"<tr><th scope='row'>{_escaped(label)}</th><td>{_escaped(text)}</td></tr>"
            for label, text in in_lines(shown.details)
        )
        head = ": ".join(filter(None, [type(self).__name__, shown.subject]))
        title = f"<caption>{_escaped(head)}</caption>"
        verdict = f"<p><strong>{_escaped(shown.summary)}</strong></p>" if shown.summary else ""
        notes = "".join(f"<p>{_escaped(note)}</p>" for note in shown.notes)
        tables = "".join(table.html() for table in shown.tables)
        rest = f"{tables}{notes}" if shown.tables_first else f"{notes}{tables}"
        return f"{verdict}<table>{title}<tbody>{''.join(cells)}</tbody></table>{rest}"


def in_lines(details: Iterable[Detail]) -> list[tuple[str, str]]:
    """Return label and text of each line of facts, those that are joined in one line.

    >>> in_lines([Detail("x", "error", "0.1"), Detail("e", "expected", "0.02", joined=True)])
    [('error', '0.1, expected 0.02')]
    """
    lines: list[tuple[str, str]] = []
    for one in details:
        if one.joined and lines:
            label, text = lines[-1]
            lines[-1] = label, f"{text}, {one.label} {one.text}"
        else:
            lines.append((one.label, one.text))
    return lines


def side_by_side(rows: Sequence[Sequence[Detail]]) -> dict[str, list[str]]:
    """Return details as columns under their labels, "-" where a row has none of a label.

    >>> side_by_side([[Detail("n", "rows", "5")], [Detail("n", "rows", "7")]])
    {'rows': ['5', '7']}
    """
    cells = [{one.label: one.text for one in row if not one.alone} for row in rows]
    labels = dict.fromkeys(label for row in cells for label in row)
    return {label: [row.get(label, "-") for row in cells] for label in labels}


def text_table(columns: Mapping[str, Sequence[str]], *, left: Collection[str]) -> str:
    """Return columns of text under their names: those of `left` to the left, others to the right.

    What cannot be printed, such as the end of a line, stands there as its code.

    >>> print(text_table({"model": ["a", "bb"], "n": ["1,000", "20"]}, left=["model"]))
    model      n
    a      1,000
    bb        20
    """
    padded = []
    for name, cells in columns.items():
        texts = [printable(text) for text in (name, *cells)]
        width = max(map(len, texts))
        padded.append([text.ljust(width) if name in left else text.rjust(width) for text in texts])
    return "\n".join("  ".join(line).rstrip() for line in zip(*padded, strict=True))


def html_table(
    columns: Mapping[str, Sequence[str]], *, left: Collection[str], caption: str = ""
) -> str:
    """Return the same as a table for a notebook, to be copied into a document."""
    styles = ["left" if name in left else "right" for name in columns]

    def line(tag: str, cells: Sequence[str]) -> str:
        inner = (
            f"<{tag} style='text-align:{style}'>{_escaped(cell)}</{tag}>"
            for style, cell in zip(styles, cells, strict=True)
        )
        return f"<tr>{''.join(inner)}</tr>"

    head = line("th", list(columns))
    body = "".join(line("td", cells) for cells in zip(*columns.values(), strict=True))
    title = f"<caption>{_escaped(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead>{head}</thead><tbody>{body}</tbody></table>"


def _escaped(text: str) -> str:
    """Return a text that is neither a tag nor a command of a terminal, arguments as code."""
    return _TICKED.sub(r"<code>\1</code>", html.escape(printable(text)))


def _lines(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield a value as one line, or as a line an entry where it holds several results."""
    if isinstance(value, Result):
        yield name, ", ".join(f"{key} {text}" for key, text in value.shown_lines())
    elif _is_range(name, value):
        yield name, f"{shown(value[0])} to {shown(value[1])}"
    elif isinstance(value, Mapping):
        yield name, ", ".join(f"{key} {shown(item)}" for key, item in value.items())
    elif isinstance(value, (list, tuple)):
        if value and isinstance(value[0], (Result, Mapping)):
            yield name, f"{len(value)} (see .to_dict())" if isinstance(value[0], Mapping) else ""
            for item in value:
                if isinstance(item, Result):
                    yield from (("", f"{key}: {text}") for key, text in item.shown_lines())
        else:
            yield name, ", ".join(map(shown, value)) or "none"
    elif isinstance(value, float) and "p_value" not in name:
        yield name, shown(without_noise(value, 1.0))
    else:
        yield name, shown(value)


def _is_range(name: str, value: Any) -> bool:
    return name.endswith("_range") and isinstance(value, (list, tuple)) and len(value) == 2


def shown(value: Any) -> str:
    """Return a number with up to six significant digits, anything else as text."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.6g}".replace("inf", INFINITY)
    return str(value)


class Facts(Mapping[str, Any]):
    """A copy of named facts that nobody can change, nor what they hold; it can be pickled.

    >>> shares = {"rain": 0.3}
    >>> facts = Facts({"bins": 5, "prior": shares, "edges": [0.5]})
    >>> shares["rain"] = 0.9
    >>> facts["prior"]["rain"], facts
    (0.3, {'bins': 5, 'prior': {'rain': 0.3}, 'edges': (0.5,)})
    """

    __slots__ = ("_facts",)

    def __init__(self, facts: Mapping[Any, Any] | Iterable[tuple[str, Any]] = ()) -> None:
        own = dict(facts)
        self._facts = MappingProxyType({name: _kept(value) for name, value in own.items()})

    def __getitem__(self, name: str) -> Any:
        return self._facts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def __repr__(self) -> str:
        return repr(dict(self._facts))

    def __reduce__(self) -> tuple[Any, ...]:
        return Facts, (dict(self._facts),)


def _kept(value: Any) -> Any:
    if isinstance(value, Mapping):
        return value if type(value) is Facts else Facts(value)
    if isinstance(value, (list, tuple)):
        return tuple(map(_kept, value))
    own = deepcopy(value)
    lock(own)
    return own


def lock(held: Any) -> None:
    """Forbid to write to the arrays a value holds, in its tuples and data classes.

    >>> values = np.zeros(3)
    >>> lock((values, 1))
    >>> values.flags.writeable
    False
    """
    if isinstance(held, np.ndarray):
        held.flags.writeable = False
    elif isinstance(held, tuple):
        for one in held:
            lock(one)
    elif dataclasses.is_dataclass(held):
        for field in dataclasses.fields(held):
            lock(getattr(held, field.name))
