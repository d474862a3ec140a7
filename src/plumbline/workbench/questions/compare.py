"""The question `compare`: which of several models is better, and how far that can be told."""

from typing import Any

from plumbline.comparison import Comparison
from plumbline.comparison import compare as compared
from plumbline.comparison.advice import TESTS, advice_on
from plumbline.predictions import Predictions
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.params import MOST_RESAMPLES

# Fields of the question, and the parameters of `compare` that they are.
TEXTS = {"metric": "metrics"} | {
    name: name for name in ("test", "after", "over", "groups", "target")
}
NUMBERS = ("rope", "test_share", "level")


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return every pair, with the keys of `plumbline compare --json`, and why it was tested so."""
    comparison = comparison_of(inquiry)
    tests = dict.fromkeys(pair.test for pair in comparison.pairs)
    return {
        **comparison.to_dict(),
        "tests": [
            {
                "name": name,
                "title": TESTS[name],
                "answer": advice_on(name, comparison.design).answer,
                "why": advice_on(name, comparison.design).why,
            }
            for name in tests
        ],
    }


def comparison_of(inquiry: Inquiry) -> Comparison:
    """Return the comparison that a question asks for, remembered from the last time."""
    params, data = inquiry.params, inquiry.filtered()
    question: dict[str, Any] = {parameter: params.text(field) for field, parameter in TEXTS.items()}
    question |= {name: params.number(name) for name in NUMBERS}
    question = {name: value for name, value in question.items() if value not in (None, "")}
    question["adjust"] = _adjustment(params.text("adjust"))
    question["models"] = params.names("models")
    if params.has("resamples"):
        question["resamples"] = params.whole("resamples", 1, least=1, most=MOST_RESAMPLES)
    key = ("compare", inquiry.selection, repr(sorted(question.items())))
    return inquiry.memory.once(
        key, lambda: compared(_tables(data, inquiry.name), progress=inquiry.progress, **question)
    )


def _tables(data: Predictions, name: str) -> dict[str, Predictions]:
    return {model or name: part for model, part in data.by_model().items()}


def _adjustment(text: str | None) -> str | None:
    return None if text == "none" else "holm" if text is None else text
