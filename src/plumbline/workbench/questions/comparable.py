"""The question `comparable`: by what models can be compared, and which tests fit this table."""

from typing import Any

from plumbline.comparison.advice import DESIGNS, TESTS, advice_on
from plumbline.comparison.compare import usual_metric
from plumbline.comparison.design import design_of
from plumbline.comparison.quantity import best_side
from plumbline.curves.target_rows import Attributes
from plumbline.errors import PlumblineError
from plumbline.metrics import METRICS
from plumbline.predictions import Predictions
from plumbline.workbench.questions.inquiry import Inquiry

MOST_SETS = 1000  # values of an attribute that may tell data sets apart


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return the metrics that the table allows, and the tests with what fits."""
    data, over = inquiry.filtered(), inquiry.params.text("over") or None
    first = next(iter(data.by_model().values()))
    design = design_of(first, over=over).name
    return {
        "metrics": [
            {
                "name": name,
                "title": row.title,
                "kind": row.kind,
                "best": best_side(name),
                "of_one_class": "one-vs-rest" in row.views,
            }
            for name, row in METRICS.items()
            if row.serves(data) and row.better in ("higher", "lower")
        ],
        "usual": usual_metric(list(data.by_model().values())),
        "design": {"name": design, "shape": DESIGNS[design]},
        "tests": [_test(name, design) for name in TESTS],
        "attributes": [name for name in data.attributes if _groups(data, name)],
    }


def _test(name: str, design: str) -> dict[str, Any]:
    advice = advice_on(name, design)
    return {
        "name": name,
        "title": TESTS[name],
        "answer": advice.answer,
        "why": advice.why,
        "instead": advice.instead,
    }


def _groups(data: Predictions, name: str) -> bool:
    """Tell whether an attribute has few enough values to tell data sets or groups apart."""
    try:
        count = Attributes(data.attributes).count_distinct(name)
    except PlumblineError:  # its values cannot be told apart, so they make no groups
        return False
    return 2 <= count <= MOST_SETS
