"""Responses of a chat or completion service with log-probabilities of tokens, one a line."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plumbline.roles import names as nm
from plumbline.roles.names import squeezed

NAME = "responses with log-probabilities"
MOST_OPTIONS = 26  # answers of one token, such as A to Z; more are words of a text
TRUTHS = (nm.OWN_TRUTH | nm.SURE_TRUTH | nm.TRUTH | {"answer", "ideal", "expected"}) - {
    "response",
    "status",
    "result",
}
OURS = ("id", "custom_id", "object", "created", "model", "choices", "response", "usage", "error")
Option = dict[str, float]  # probability of each token that may stand first


def is_response(row: Mapping[str, Any]) -> bool:
    """Tell whether a line is a response whose first token has log-probabilities."""
    return _tokens(row) is not None


def rows_of_responses(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield `row`, `model`, the answer, and the probability of each answer or of this one.

    Where all answers are one token, and there are few, these are the options: their probabilities
    are those of the tokens, divided by their sum. Else `confidence` is that of the whole answer;
    beside a true answer it is that of being right.
    """
    read = [(row, _tokens(row)) for row in rows]
    answers = {_answer(tokens) for _, tokens in read if tokens}
    single = all(tokens is None or len(tokens) == 1 for _, tokens in read)
    truths = {str(one).strip() for row, _ in read if (one := _truth(row)) is not None}
    options = sorted(answers | truths)
    few = single and 2 <= len(options) <= MOST_OPTIONS
    for row, tokens in read:
        yield _row(row, tokens, options if few else ())


def _row(
    row: Mapping[str, Any],
    tokens: Sequence[tuple[str, float, Option]] | None,
    options: Sequence[str],
) -> dict[str, Any]:
    body, truth = _body(row), _truth(row)
    found: dict[str, Any] = {"row": row.get("custom_id", row.get("id", body.get("id")))}
    found["model"] = row.get("model", body.get("model"))
    plain = (str, int, float, bool)
    found |= {
        name: value
        for name, value in row.items()
        if name not in OURS and isinstance(value, plain) and squeezed(name) not in TRUTHS
    }
    if tokens is None:
        return found | ({} if truth is None else {"actual": str(truth).strip()})
    answer = _answer(tokens)
    if options:
        known = tokens[0][2]
        shares = [known.get(option, 0.0) for option in options]
        total = math.fsum(shares) or math.nan
        found |= {f"p:{name}": one / total for name, one in zip(options, shares, strict=True)}
        return found | ({} if truth is None else {"actual": str(truth).strip()})
    sure = math.exp(math.fsum(logprob for _, logprob, _ in tokens))
    if truth is None:
        return found | {"answer": answer, "confidence": sure}
    right = answer == str(truth).strip()
    return found | {"answer": answer, "actual": "right" if right else "wrong", "p:right": sure}


def _truth(row: Mapping[str, Any]) -> Any:
    """Return the true answer that stands in the line, None where none or several do."""
    inner = row.get("metadata")
    parts = {**(inner if isinstance(inner, dict) else {}), **row}
    found = [
        value
        for name, value in parts.items()
        if isinstance(value, (str, int)) and name not in OURS and squeezed(name) in TRUTHS
    ]
    return found[0] if len(found) == 1 else None


def _answer(tokens: Sequence[tuple[str, float, Option]]) -> str:
    return "".join(token for token, _, _ in tokens).strip()


def _body(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the response itself, which results of a batch have in `response`."""
    inner = row.get("response")
    if not isinstance(inner, dict):
        return row
    body = inner.get("body")
    return body if isinstance(body, dict) else inner


def _tokens(row: Mapping[str, Any]) -> list[tuple[str, float, Option]] | None:
    """Return token, log-probability and the options of each token; None where there are none."""
    choices = _body(row).get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    logs = first.get("logprobs") if isinstance(first, dict) else None
    if not isinstance(logs, dict):
        return None
    content = logs.get("content")
    if isinstance(content, list):
        parts = [_of_chat(one) for one in content]
    else:
        tokens, logprobs = logs.get("tokens"), logs.get("token_logprobs")
        if not isinstance(tokens, list) or not isinstance(logprobs, list):
            return None
        tops = logs.get("top_logprobs")
        tops = tops if isinstance(tops, list) else [None] * len(tokens)
        parts = [_of_completion(*one) for one in zip(tokens, logprobs, tops, strict=False)]
    known = [one for one in parts if one is not None]
    return known if known and len(known) == len(parts) else None


def _of_chat(one: Any) -> tuple[str, float, Option] | None:
    if not isinstance(one, dict) or not isinstance(one.get("top_logprobs"), list):
        return None
    pairs = [
        (top.get("token"), top.get("logprob"))
        for top in one["top_logprobs"]
        if isinstance(top, dict)
    ]
    return _checked(one.get("token"), one.get("logprob"), pairs)


def _of_completion(token: Any, logprob: Any, top: Any) -> tuple[str, float, Option] | None:
    return _checked(token, logprob, [*top.items()] if isinstance(top, dict) else [])


def _checked(
    token: Any, logprob: Any, pairs: Sequence[tuple[Any, Any]]
) -> tuple[str, float, Option] | None:
    """Return a token with its options, without blanks; None of what is no log-probability."""
    every = [*pairs, (token, logprob)]
    if not all(isinstance(name, str) and _is_log(value) for name, value in every):
        return None
    different = dict(every)  # the token itself stands among its options, or not
    options: Option = {}
    for name, value in different.items():
        options[name.strip()] = options.get(name.strip(), 0.0) + math.exp(value)
    return token, float(logprob), options


def _is_log(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value <= 0
