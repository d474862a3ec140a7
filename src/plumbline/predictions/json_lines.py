"""Tables of JSON lines: one object per line."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from plumbline._checks import shorten
from plumbline.errors import InputError
from plumbline.formatting import one_line, quoted
from plumbline.predictions.forms import harness_samples, token_probabilities
from plumbline.predictions.json_columns import table_of_objects
from plumbline.predictions.labels import repeated
from plumbline.predictions.sources import TableSource

if TYPE_CHECKING:
    import pyarrow as pa

DEEPEST = 200  # brackets in each other that other readers of the table can follow


def read_json_lines(source: TableSource, most_columns: int) -> "tuple[pa.Table, str | None]":
    """Read one JSON object per line; return the form too, where that of a neighbour is known.

    Python's reader is used, not pyarrow's: that ends the process where brackets nest deeply, takes
    texts for times, and tells no line.
    """
    with source.lines() as lines:
        rows = objects_of(source, lines)
        first = next(rows, None)
        if first is None:
            return table_of_objects(source, (), most_columns), None
        every = chain([first], rows)
        if harness_samples.is_sample(first[1]):
            questions = ((n, harness_samples.row_of_sample(row)) for n, row in every)
            return table_of_objects(source, questions, most_columns), harness_samples.NAME
        if token_probabilities.is_response(first[1]):
            numbers, responses = zip(*every, strict=True)
            answers = zip(numbers, token_probabilities.rows_of_responses(responses), strict=True)
            return table_of_objects(source, answers, most_columns), token_probabilities.NAME
        return table_of_objects(source, every, most_columns), None


def objects_of(source: TableSource, lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the object of every line that is not empty, and the number of the line, from 1."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield number, _object(source, number, line)


def _object(source: TableSource, number: int, line: str) -> dict[str, Any]:
    """Return the object of a line; refuse what is none, and a name that it has twice."""
    try:
        row = parsed(line)
    except ValueError as error:
        why = "an array begins there" if line.lstrip().startswith("[") else one_line(error)
        raise InputError(
            f"line {number} of {source.name} is not a JSON object: {why}; write one object per "
            'line, such as {"actual": "yes", "p:yes": 0.8}',
            code="no-json-object",
        ) from error
    if not isinstance(row, dict):
        what = "an array" if isinstance(row, list) else shorten(row)
        raise InputError(
            f"line {number} of {source.name} is not a JSON object but {what}; write one object "
            'per line, such as {"actual": "yes", "p:yes": 0.8}',
            code="no-json-object",
        )
    return row


def parsed(text: str) -> Any:
    """Return the value that a text of JSON holds; ValueError where it holds none that is plain."""
    try:
        value = json.loads(text, object_pairs_hook=_pairs)
    except RecursionError as error:
        raise ValueError("brackets nest too deeply") from error
    if text.count("[") + text.count("{") > DEEPEST and _depth(value) > DEEPEST:
        raise ValueError("brackets nest too deeply")
    return value


def _pairs(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        raise ValueError(f"the name {quoted(repeated(name for name, _ in pairs)[0])} appears twice")
    return row


def _depth(value: Any) -> int:
    """Return how many brackets stand in each other."""
    depth, level = 0, [value]
    while level and depth <= DEEPEST:
        inner = (one.values() if isinstance(one, dict) else one for one in level)
        level = [one for values in inner for one in values if isinstance(one, (dict, list))]
        depth += 1
    return depth


def lines_of_rows(source: TableSource) -> Iterator[int]:
    """Yield the line, from 1, in which each row stands; empty lines hold none."""
    with source.lines() as lines:
        yield from (number for number, line in enumerate(lines, start=1) if line.strip())
