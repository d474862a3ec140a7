"""What the command `confusion` says: in words for people, in entries for `--json`."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plumbline.cli.messages import typed
from plumbline.cli.output import WIDTH, entry, paragraph, span, table
from plumbline.confusion.multiclass import OVERALL
from plumbline.confusion.rates import folded, titles_in
from plumbline.formatting import amount, counted, number, printable

if TYPE_CHECKING:
    from plumbline.confusion.matrix import By, ConfusionMatrix
    from plumbline.confusion.matrix_rates import Rates, RateValue
    from plumbline.confusion.multiclass import Kind

MATRIX = "actual \\ predicted"
SHARES = {
    "actual": "shares of the actual class, each line adds up to 1",
    "predicted": "shares of the predicted class, each column adds up to 1",
    "all": "shares of the whole table",
}
CONFUSED = 10  # pairs of classes that are told where the matrix is too wide
GROUPS = 24  # lines of classes and averages
AGAINST_THE_REST = "In the lines of classes and averages, a class stands against all the others."
REASONS = 6


@dataclass(frozen=True, slots=True)
class Answer:
    """A matrix, its rates, and the names by which they were asked for."""

    matrix: "ConfusionMatrix"
    rates: "Rates"
    called: Mapping[str, str]


def matrix_entry(answer: Answer, shares: "By | None") -> dict[str, Any]:
    """Return the entry of a matrix: its cells, the table of every class, and its rates."""
    return entry(answer.matrix.model, answer.matrix.entry(answer.rates, shares=shares))


def matrix_text(answer: Answer, shares: "By | None") -> str:
    """Return the matrix, what its rows were decided by, its rates, and why some are missing."""
    matrix, rates = answer.matrix, answer.rates
    blocks = [_matrix(matrix), f"decision: {printable(matrix.decision)}"]
    if shares is not None:
        blocks += _shares(matrix, shares)
    whole = [rate for rate in rates.entries if rate.kind == "all"]
    groups = [rate for rate in rates.entries if rate.kind != "all"]
    if groups:
        blocks += _of_groups(groups, answer)
    if whole:
        blocks.append("whole table\n" + _lines(whole, answer))
    if any(rate.name in OVERALL for rate in groups):
        blocks.append(AGAINST_THE_REST)
    return "\n\n".join([*blocks, *_notes(rates)])


# ------------------------------------------------------------------ the cells


def _matrix(matrix: "ConfusionMatrix") -> str:
    """Return the counts with their sums, or the commonest mistakes where they are too many."""
    text = _cells(MATRIX, [*matrix.classes, "sum"], matrix.with_sums(), amount)
    return _mistakes(matrix) if text is None else text


def _cells(
    corner: str, names: Sequence[str], values: Any, write: Callable[[float], str]
) -> str | None:
    """Return lines of numbers under and behind names, None where they are wider than a page."""
    names = [printable(name) for name in names]
    lines = [[corner, *names[: values.shape[1]]]]
    lines += [[name, *map(write, row)] for name, row in zip(names, values.tolist(), strict=False)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    if sum(widths) + 2 * (len(widths) - 1) > WIDTH:
        return None
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip()
        for line in lines
    )


def _mistakes(matrix: "ConfusionMatrix") -> str:
    """Return which classes are taken for which others most often."""
    most = matrix.most_confused(CONFUSED)
    k = counted(len(matrix.classes), "class")
    head = f"The {k} are too many to show here (--json, --out). "
    if not most.pairs:
        return f"{head}No class is ever taken for another."
    columns = {
        "actual": [pair.actual for pair in most.pairs],
        "predicted": [pair.predicted for pair in most.pairs],
        "count": [amount(pair.count) for pair in most.pairs],
        "share of actual": [number(pair.share) for pair in most.pairs],
    }
    more = [f"... and {counted(most.left_out, 'more pair')}"] if most.left_out else []
    return "\n".join([f"{head}Most often confused:", "", table(columns), *more])


def _shares(matrix: "ConfusionMatrix", by: "By") -> list[str]:
    text = _cells(MATRIX, matrix.classes, matrix.normalized(by), number)
    return [] if text is None else [f"{SHARES[by]}\n{text}"]


# ------------------------------------------------------------------ the rates


def _of_groups(entries: Sequence["RateValue"], answer: Answer) -> list[str]:
    """Return the rates of one group as lines, those of several as a line a group."""
    rates, called = answer.rates, answer.called
    groups = dict.fromkeys((rate.kind, rate.group) for rate in entries)
    if len(groups) == 1:
        ((_, name),) = groups
        return [f"positive class: {printable(name)}\n" + _lines(entries, answer)]
    names = dict.fromkeys(rate.name for rate in entries)
    cell = {(rate.kind, rate.group, rate.name): _value(rate, rates) for rate in entries}
    classes = [group for group in groups if group[0] == "class"]
    averages = [group for group in groups if group[0] != "class"]
    left = len(classes) - (GROUPS - len(averages))
    kept = [*(classes[:-left] if left > 0 else classes), *averages]
    columns = {called.get(name, name): [cell.get((*g, name), "-") for g in kept] for name in names}
    labels = rates.labels()
    lines = [labels[group] for group in kept]
    blocks = [table({"class": lines, **part}) for part in _parts(lines, columns)]
    if left > 0:
        blocks.append(f"{counted(left, 'more class')}: see --json.")
    return blocks


def _parts(lines: Sequence[str], columns: dict[str, list[str]]) -> list[dict[str, list[str]]]:
    """Return the columns in parts that are no wider than a page."""
    room = WIDTH - max(len("class"), *(len(printable(line)) for line in lines))
    parts: list[dict[str, list[str]]] = [{}]
    used = 0
    for name, cells in columns.items():
        width = 2 + max(map(len, [name, *cells]))
        if parts[-1] and used + width > room:
            parts.append({})
            used = 0
        parts[-1][name] = cells
        used += width
    return parts


def _lines(entries: Sequence["RateValue"], answer: Answer) -> str:
    """Return a line a rate, with its other names."""
    rates = answer.rates
    names = [_names(rate, answer.called.get(rate.name)) for rate in entries]
    columns = {"rate": [first for first, *_ in names]}
    columns["value"] = [number(rate.value) for rate in entries]
    if rates.interval is not None:
        columns[_interval(rates)] = [_span(rate) for rate in entries]
    columns["rows"] = [amount(rate.n) for rate in entries]
    columns["also called"] = [", ".join(others) for _, *others in names]
    return table(columns)


def _names(rate: "RateValue", called: str | None) -> list[str]:
    """Return the names of a rate, each once: the one it was asked by, or its title, first."""
    _, *parts = titles_in(rate.title)
    params = [] if called is None else [called.replace("_", " ")]
    names = [*params, *(parts or [rate.title]), rate.name, *rate.aliases]
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(folded(name), name)
    return list(first.values())


def _value(rate: "RateValue", rates: "Rates") -> str:
    """Return a value with its interval behind it."""
    has = rates.interval is not None and rate.low == rate.low
    return number(rate.value) + (f" ({_span(rate)})" if has else "")


def _span(rate: "RateValue") -> str:
    return "-" if rate.low != rate.low else span(rate.low, rate.high)


def _interval(rates: "Rates") -> str:
    return f"{100 * (rates.level or 0):g} % interval"


def _notes(rates: "Rates") -> list[str]:
    """Return what intervals are, and why values or ends are missing, each reason once."""
    labels = {group: label for group, label in rates.labels().items() if group[0] != "all"}
    of: dict[str, set[tuple[str, str]]] = {}
    for rate in rates.entries:
        if rate.reason:
            of.setdefault(rate.reason, set()).add((rate.kind, rate.group))
    notes = [
        paragraph(f"note: {_of(groups, labels)}{typed(reason)}", "")
        for reason, groups in of.items()
    ][:REASONS]
    if len(of) > REASONS:
        notes.append(f"{counted(len(of) - REASONS, 'more note')}: see --json.")
    notes += [paragraph(f"note: {printable(remark)}", "") for remark in rates.remarks]
    if rates.interval is not None:
        notes.insert(0, paragraph(f"{_interval(rates)}: {rates.interval_text}", ""))
    return ["\n".join(notes)] if notes else []


def _of(groups: Set[tuple[str, str]], labels: Mapping[tuple["Kind", str], str]) -> str:
    """Return which classes or averages a reason is about, where that is in question."""
    named = [printable(label) for group, label in labels.items() if group in groups]
    if len(labels) < 2 or not named:
        return ""
    more = f" and {len(named) - REASONS} more" if len(named) > REASONS else ""
    return f"{', '.join(named[:REASONS])}{more}: "
