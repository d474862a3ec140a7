"""Logs of Inspect AI, as JSON or packed: one row a sample, with the names of a prediction table."""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from plumbline.errors import InputError
from plumbline.predictions.json_columns import table_of_objects
from plumbline.predictions.sources import TableSource, damaged

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "Inspect AI log"
HEADERS = ("header.json", "start.json", "_journal/start.json")  # of finished and other logs
MOST_BYTES = 1 << 30  # unpacked: a small archive can hold very much
RIGHT = {"C": "right", "I": "wrong"}  # the letters of its scorers for correct and incorrect


def is_log(value: Any) -> bool:
    """Tell whether a JSON value is a log with samples."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("eval"), dict)
        and "task" in value["eval"]
        and isinstance(value.get("samples"), list)
        and all(isinstance(one, dict) and "id" in one for one in value["samples"])
    )


def rows_of_log(log: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the samples: `row` and `repeat` (its epoch), `model`, and what each scorer says.

    Where a sample has one score, and its value is C or I, that is `actual`: right or wrong. A
    number called `confidence` in the score's metadata is the probability of being right.
    """
    for sample in log["samples"]:
        row = {"row": sample["id"], "repeat": sample.get("epoch", 1)}
        row |= {"model": log["eval"].get("model"), "target": sample.get("target")}
        scores = sample.get("scores")
        scores = scores if isinstance(scores, dict) else {}
        for name, score in scores.items():
            score = score if isinstance(score, dict) else {"value": score}
            row |= {f"scores.{name}.{part}": score.get(part) for part in ("value", "answer")}
            if len(scores) == 1:
                row |= _answer(score)
        yield row


def _answer(score: Mapping[str, Any]) -> dict[str, Any]:
    value, metadata = score.get("value"), score.get("metadata")
    known: dict[str, Any] = (
        {"actual": RIGHT[value]} if isinstance(value, str) and value in RIGHT else {}
    )
    confidence = metadata.get("confidence") if isinstance(metadata, dict) else None
    if isinstance(confidence, (int, float)) and not isinstance(confidence, bool):
        known["p:right"] = confidence
    return known


def read_archive(source: TableSource, most_columns: int) -> "tuple[pa.Table, str]":
    """Return the samples of a packed log (.eval), in which each is a JSON file of its own."""
    with source.stream() as stream:
        content = io.BytesIO(bytes(stream.read()))
    try:
        with zipfile.ZipFile(content) as archive:
            if sum(one.file_size for one in archive.infolist()) > MOST_BYTES:
                raise InputError(
                    f"{source.name} holds more than {MOST_BYTES >> 30} GB",
                    code="file-too-large",
                    remedy="keep the samples that are needed",
                )
            names = archive.namelist()
            header = next((name for name in HEADERS if name in names), None)
            packed = [n for n in names if n.startswith("samples/") and n.endswith(".json")]
            about = {} if header is None else json.loads(archive.read(header))
            log = {**about, "samples": [json.loads(archive.read(name)) for name in packed]}
    except (zipfile.BadZipFile, NotImplementedError, ValueError, RecursionError) as error:
        raise damaged(source, error) from error
    if not is_log(log):
        raise InputError(f"{source.name} holds no log of Inspect AI", code="no-table")
    if not packed:
        raise InputError(f"{source.name} holds no samples", code="empty-file")
    log["samples"].sort(key=lambda one: one.get("epoch", 1))
    rows = enumerate(rows_of_log(log))
    return table_of_objects(source, rows, most_columns, "sample"), NAME
