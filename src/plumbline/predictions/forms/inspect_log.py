"""Logs of Inspect AI in JSON: one row a sample, with the names of a prediction table."""

from collections.abc import Iterator, Mapping
from typing import Any

NAME = "Inspect AI log"
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
