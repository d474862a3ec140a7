"""The question `comparable`: by what models can be compared, and which tests fit this table."""

from typing import Any

from plumbline.comparison import DESIGNS, TESTS, comparable_metrics, design_of, list_tests
from plumbline.comparison.compare import usual_metric
from plumbline.comparison.quantity import best_side
from plumbline.curves.target_rows import Attributes
from plumbline.errors import PlumblineError
from plumbline.metrics import METRICS
from plumbline.predictions import Predictions
from plumbline.workbench.questions.compare import compare_values
from plumbline.workbench.questions.inquiry import Inquiry

MOST_SETS = 1000  # values of an attribute that may tell data sets apart


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return the metrics that the table allows, and the tests with what fits."""
    data, over = inquiry.filtered(), compare_values(inquiry).get("over")
    first = next(iter(data.by_model().values()))
    design = design_of(first, over=over).name
    return {
        "metrics": [
            {
                "name": name,
                "title": METRICS[name].title,
                "kind": METRICS[name].kind,
                "best": best_side(name),
                "of_one_class": "one-vs-rest" in METRICS[name].views,
            }
            for name in comparable_metrics(data)
        ],
        "usual": usual_metric(list(data.by_model().values())),
        "design": {"name": design, "shape": DESIGNS[design]},
        "tests": [
            {"name": row["test"], "title": TESTS[row["test"]]}
            | {part: row[part] for part in ("answer", "why", "instead")}
            for row in list_tests().entries
            if row["design"] == design
        ],
        "attributes": [name for name in data.attributes if _tells_apart(data, name)],
    }


def _tells_apart(data: Predictions, name: str) -> bool:
    """Tell whether an attribute has few enough values to tell data sets or groups apart."""
    try:
        count = Attributes(data.attributes).count_distinct(name)
    except PlumblineError:  # its values cannot be told apart, so they make no groups
        return False
    return 2 <= count <= MOST_SETS
