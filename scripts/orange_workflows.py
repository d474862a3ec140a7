"""Writes the example workflows of the Orange add-on, and the loans that one of them reads.

    .venv-orange/bin/python scripts/orange_workflows.py

They go to orange/plumbline_orange/workflows. What a workflow holds is a row of WORKFLOWS; channels
are checked by Orange itself. The loans are those of examples/curves/loans.py.
"""

import importlib
import sys
from pathlib import Path
from typing import Any, NamedTuple

from Orange.canvas.config import Config
from orangecanvas.registry import WidgetRegistry
from orangecanvas.scheme import Scheme, SchemeLink, SchemeNode, SchemeTextAnnotation
from orangewidget.utils.filedialogs import RecentPath
from orangewidget.workflow.discovery import WidgetDiscovery

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "orange" / "plumbline_orange" / "workflows"
LOANS = 1500  # rows
CURVE, DIAGRAM = "Classification Curve", "Reliability Diagram"
RESULTS = "Evaluation Results"
TEN_FOLDS = {"n_folds": 3}  # the place of 10 in the widget's list
MISSED = "1 if targetClass == actualClass and probability <= 0.5 else 0"
PROFIT = "cumm(amount_requested ** 2 / 30 if eP else -amount_requested)"


class Node(NamedTuple):
    """A widget: its name in Orange, its place, its title and settings."""

    widget: str
    place: tuple[float, float]
    title: str = ""
    settings: dict[str, Any] = {}  # noqa: RUF012 - a default that nobody changes


def file(prefix: str, name: str) -> dict[str, Any]:
    """Return the settings of a File widget: a data set of Orange, or a file beside the workflow."""
    return {"recent_paths": [RecentPath("", prefix, name)]}


def by_formula(x: str, y: str, *, x_title: str, y_title: str, **more: Any) -> dict[str, Any]:
    """Return the settings of a Classification Curve with formulas of its own."""
    order = {key: more.pop(key) for key in ("sort_by", "direction", "merge") if key in more}
    formulas = {"x": x, "y": y, "x_title": x_title, "y_title": y_title, **order}
    return {"preset": "user", "formulas": formulas, **more}


class Workflow(NamedTuple):
    """Nodes by a short name, links (from, output, to, input), and notes with their places."""

    title: str
    description: str
    nodes: dict[str, Node]
    links: list[tuple[str, str, str, str]]
    notes: list[tuple[tuple[float, float, float, float], str]]


def tested(names: list[str]) -> list[tuple[str, str, str, str]]:
    """Return the links of learners, data and Test and Score."""
    learners = [(name, "Learner", "test", "Learner") for name in names]
    return [("file", "Data", "test", "Data"), *learners]


WORKFLOWS = {
    "100-heart-disease": Workflow(
        "Classification curves of heart disease",
        "Two classifiers are tested on patients with and without heart disease. Four curves show "
        "where they are wrong: ROC, accuracy by chest pain, ill patients found among those "
        "examined, and ill patients missed by age.",
        {
            "file": Node("File", (120, 260), "File", file("sample-datasets", "heart_disease.tab")),
            "bayes": Node("Naive Bayes", (120, 380)),
            "tree": Node("Tree", (120, 140), "Classification Tree"),
            "test": Node("Test and Score", (320, 260), "Test and Score", TEN_FOLDS),
            "roc": Node(CURVE, (560, 120), "ROC curve"),
            "pain": Node(
                CURVE,
                (560, 220),
                "Accuracy by chest pain",
                by_formula(
                    "chest_pain",
                    "eCA",
                    x_title="chest pain",
                    y_title="share of correct predictions",
                    merge="none",
                    averaging="smooth",
                ),
            ),
            "found": Node(
                CURVE,
                (560, 320),
                "Ill patients found",
                by_formula(
                    "cumm(1) / NN",
                    "TPR",
                    x_title="share of patients examined",
                    y_title="share of ill patients found",
                ),
            ),
            "missed": Node(
                CURVE,
                (560, 420),
                "Ill patients missed by age",
                by_formula(
                    "age",
                    MISSED,
                    x_title="age",
                    y_title="share of patients who are ill and missed",
                    merge="none",
                    averaging="smooth",
                ),
            ),
            "table": Node("Data Table", (780, 120), "Selected patients"),
        },
        [
            *tested(["bayes", "tree"]),
            *[("test", RESULTS, name, RESULTS) for name in ("roc", "pain", "found", "missed")],
            ("roc", "Selected Data", "table", "Data"),
        ],
        [
            ((40, 20, 360, 60), "Ten-fold cross-validation: open a curve to see both classifiers."),
            ((680, 20, 260, 60), "Drag the threshold in the chart: its rows are sent on."),
            ((480, 480, 380, 60), "Each curve is two formulas. Try others in the tab Graph type."),
        ],
    ),
    "110-loans": Workflow(
        "Profit of loans",
        "Synthetic loans: an accepted loan of amount a earns a * a / 30 where it is repaid, and "
        "loses a where it is not. The most profitable threshold on the probability of repayment "
        "is 0.3.",
        {
            "file": Node("File", (120, 260), "Loans", file("basedir", "loans.tab")),
            "bayes": Node("Naive Bayes", (120, 380)),
            "logistic": Node("Logistic Regression", (120, 140)),
            "test": Node("Test and Score", (320, 260), "Test and Score", TEN_FOLDS),
            "roc": Node(CURVE, (560, 100), "ROC curve"),
            "recall": Node(
                CURVE, (560, 200), "Precision and recall", {"preset": "precision-recall"}
            ),
            "rate": Node(
                CURVE,
                (560, 300),
                "False positive rate",
                by_formula(
                    "probability", "FPR", x_title="threshold", y_title="false positive rate"
                ),
            ),
            "profit": Node(
                CURVE,
                (560, 400),
                "Profit",
                by_formula(
                    "probability",
                    PROFIT,
                    x_title="threshold",
                    y_title="profit",
                    merge="none",
                    goal="max",
                    tab=2,
                ),
            ),
            "table": Node("Data Table", (780, 400), "Accepted loans"),
        },
        [
            *tested(["bayes", "logistic"]),
            *[("test", RESULTS, name, RESULTS) for name in ("roc", "recall", "rate", "profit")],
            ("profit", "Selected Data", "table", "Data"),
        ],
        [
            ((40, 20, 380, 60), "1,500 loans with amount, history, purpose, income and age."),
            ((480, 460, 420, 80), "The optimum has a plateau: thresholds not significantly worse."),
        ],
    ),
    "120-comparison": Workflow(
        "Comparison of models",
        "Three classifiers, and naive Bayes recalibrated within each training set. The reliability "
        "diagram says which are calibrated; the curve shows the difference of two in ROC.",
        {
            "file": Node("File", (120, 300), "File", file("sample-datasets", "heart_disease.tab")),
            "bayes": Node("Naive Bayes", (120, 100)),
            "recalibrate": Node("Recalibrate", (320, 100)),
            "logistic": Node("Logistic Regression", (120, 200)),
            "forest": Node("Random Forest", (120, 400)),
            "test": Node("Test and Score", (420, 300), "Test and Score", TEN_FOLDS),
            "diagram": Node(DIAGRAM, (660, 200)),
            "curve": Node(CURVE, (660, 300), "ROC curves", {"band": "folds"}),
            "matrix": Node("Confusion Matrix", (660, 400)),
            "table": Node("Data Table", (860, 300), "Scores"),
        },
        [
            *tested(["bayes", "logistic", "forest"]),
            ("bayes", "Learner", "recalibrate", "Learner"),
            ("recalibrate", "Recalibrated Learner", "test", "Learner"),
            *[("test", RESULTS, name, RESULTS) for name in ("diagram", "curve", "matrix")],
            ("curve", "Scores", "table", "Data"),
        ],
        [
            (
                (200, 20, 420, 60),
                "Recalibrate wraps the learner: its map is fitted on held-out rows.",
            ),
            ((560, 460, 400, 60), "Choose two models in the curve and tick Difference."),
        ],
    ),
}


def write_loans(path: Path) -> None:
    """Write the loans as a table of Orange: names, kinds and roles, then the rows."""
    sys.path.insert(0, str(ROOT / "examples" / "curves"))
    from loans import CLASSES, loans

    data = loans(LOANS)
    columns = {name: list(values) for name, values in data.attributes.items()}
    columns["repaid"] = [CLASSES[code] for code in data.actual]
    kinds = [
        "discrete" if isinstance(values[0], str) else "continuous" for values in columns.values()
    ]
    roles = [""] * (len(columns) - 1) + ["class"]
    rows = zip(*columns.values(), strict=True)
    lines = [list(columns), kinds, roles, *([_cell(value) for value in row] for row in rows)]
    path.write_text("".join("\t".join(line) + "\n" for line in lines), "utf-8")


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else f"{float(value):g}"


def settings_of(widget: Any, settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings with the version of the widget's own, so that nothing old is guessed."""
    if not settings:
        return {}
    module, _, name = widget.qualified_name.rpartition(".")
    kind = getattr(importlib.import_module(module), name)
    return {**settings, "__version__": kind.settings_version}


def write_workflow(path: Path, workflow: Workflow, registry: WidgetRegistry) -> None:
    """Write a workflow as Orange does."""
    known = {widget.name: widget for widget in registry.widgets()}
    scheme = Scheme(title=workflow.title, description=workflow.description)
    nodes = {}
    for name, node in workflow.nodes.items():
        nodes[name] = SchemeNode(
            known[node.widget],
            title=node.title or node.widget,
            position=node.place,
            properties=settings_of(known[node.widget], node.settings),
        )
        scheme.add_node(nodes[name])
    for source, output, sink, entry in workflow.links:
        ends = nodes[source], nodes[sink]
        channels = ends[0].output_channel(output), ends[1].input_channel(entry)
        scheme.add_link(SchemeLink(ends[0], channels[0], ends[1], channels[1]))
    for rect, text in workflow.notes:
        scheme.add_annotation(SchemeTextAnnotation(rect, text))
    with path.open("wb") as stream:
        scheme.save_to(stream, pretty=True, pickle_fallback=True)


def main() -> None:
    """Write all of them."""
    registry = WidgetRegistry()
    WidgetDiscovery(registry).run(Config.widgets_entry_points())
    write_loans(OUT / "loans.tab")
    for name, workflow in WORKFLOWS.items():
        write_workflow(OUT / f"{name}.ows", workflow, registry)
        print(OUT / f"{name}.ows")


if __name__ == "__main__":
    main()
