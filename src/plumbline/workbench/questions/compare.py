"""The question `compare`: which of several models is better, and how far that can be told."""

from typing import Any

from plumbline.comparison import TESTS, Comparison, advice_on
from plumbline.comparison import compare as compared
from plumbline.predictions import Predictions
from plumbline.requests import REQUESTS
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.request_answers import presentation_of


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return every pair, with the keys of `plumbline compare --json`, and why it was tested so."""
    comparison = comparison_of(inquiry)
    tests = dict.fromkeys(pair.test for pair in comparison.pairs)
    return {
        **comparison.to_dict(),
        "ranks": {
            name: {**ranks.to_dict(), "presentation": presentation_of(ranks.present())}
            for name, ranks in comparison.ranks.items()
        },
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
    values = compare_values(inquiry)
    tables = _tables(inquiry.filtered(), inquiry.name)
    key = ("compare", inquiry.selection, repr(sorted(values.items())))
    return inquiry.memory.once(key, lambda: compared(tables, progress=inquiry.progress, **values))


def compare_values(inquiry: Inquiry) -> dict[str, Any]:
    """Return the arguments of `compare`; the question has one metric, and "" for what is unset."""
    fields = inquiry.fields
    given = {name: value for name, value in fields.items() if value != ""}
    return REQUESTS["compare"].served_values({**given, "metrics": given.get("metric")})


def _tables(data: Predictions, name: str) -> dict[str, Predictions]:
    return {model or name: part for model, part in data.by_model().items()}
