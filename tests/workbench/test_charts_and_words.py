"""A chart and the words beside it are about the same thing, so they hold the same numbers."""

import numpy as np
import pytest

import plumbline as pb
from plumbline.workbench import TableQuestions, decode, encode

DATA = {"where": "age > 40", "folds": ["0", "1", "2"], "target": "c0", "models": ["tree", "bayes"]}
CURVES = [
    {"preset": "roc"},
    {"preset": "precision-recall"},
    {"preset": "cost"},
    {"x": "threshold", "y": "cumm(age if eP else -age)"},
    {"preset": "roc", "average": "none"},
    {"preset": "roc", "average": "threshold"},
    {"preset": "precision-recall", "multiclass": "macro"},
]


@pytest.fixture(scope="module", params=[2, 3], ids=["two classes", "three classes"])
def questions(request):
    """Return a table with weights, folds, attributes and three models, in the workbench."""
    k, n = request.param, 120
    rng = np.random.default_rng(k)
    prob = rng.dirichlet(np.ones(k), n)
    actual = [f"c{rng.choice(k, p=row)}" for row in prob]
    sharper = [prob**power / (prob**power).sum(axis=1, keepdims=True) for power in (1, 2, 0.5)]
    data = pb.Predictions.from_arrays(
        np.tile(actual, 3),
        np.concatenate(sharper),
        classes=[f"c{j}" for j in range(k)],
        model=np.repeat(["forest", "tree", "bayes"], n),
        row=np.tile(np.arange(n), 3),
        fold=np.tile(np.arange(n) % 5, 3),
        weight=np.tile(1 + np.arange(n) % 3 / 2, 3),
        attributes={"age": np.tile(rng.normal(50, 10, n).round(), 3)},
    )
    return TableQuestions(data, name="table.csv"), k


def asked(questions, **question):
    """Ask, and read the answer as a browser does."""
    return decode(encode(questions[0].answer({"data": DATA, **question})))


def lies_on(line, x, y) -> bool:
    """Tell whether a point is one of a line, or lies between two of its points."""
    along = np.asarray([line["x"], line["y"]], float)
    low, high = np.minimum(along[:, :-1], along[:, 1:]), np.maximum(along[:, :-1], along[:, 1:])
    at = np.array([[x], [y]])
    return bool(((low - 1e-9 <= at) & (at <= high + 1e-9)).all(axis=0).any())


@pytest.mark.parametrize("settings", CURVES, ids=lambda one: " ".join(one.values()))
def test_what_is_read_off_a_curve_lies_on_the_line_that_is_drawn(questions, settings):
    """The reading, the best threshold and the cheapest point stand on the line of their model."""
    if settings.get("multiclass") and questions[1] == 2:
        settings = {"preset": settings["preset"]}
    drawn = asked(questions, kind="curve", curve=settings, hull=False, width=4000)
    curve = {**drawn["settings"], "band": "none"}

    def stand(found) -> bool:
        lines = [
            line
            for line in drawn["lines"]
            if line["model"] == found["model"] and line["fold"] == found.get("fold", line["fold"])
        ]
        return any(lies_on(line, found["x"], found["y"]) for line in lines)

    read = asked(questions, kind="reading", curve=curve, threshold=0.4)["lines"]
    found = [line for line in read if line["x"] is not None]
    if settings.get("preset") == "roc":
        costs = asked(questions, kind="iso-cost", curve=curve, fp=1, fn=3)["lines"]
        found += [line for line in costs if line["x"] is not None]
    if settings.get("preset") == "cost":
        best = asked(questions, kind="optimum", curve=curve, goal="max", y=None)["results"]
        found += [{"model": one["model"], **one["point"]} for one in best]
    assert all(stand(one) for one in found if one["x"] is not None)


@pytest.mark.parametrize("view", [None, "one-vs-rest:c0", "top-label"])
def test_errors_in_words_are_those_of_the_diagrams_beside_them(questions, view):
    """The number of a card, of a section and of a table is that of the diagram, with its bins."""
    asking = {"view": view, "bins": "equal-size:7", "resamples": 39}
    diagrams = asked(questions, kind="reliability", model="tree", distance="absolute", **asking)
    scores = asked(questions, kind="scores", level=0.95, **asking)
    measured = {
        line["model"]: one
        for line in scores["results"]
        for one in line["metrics"]
        if one["metric"] == "ece"
    }
    for one in diagrams["models"]:
        assert one["value"] == one["curve"]["value"] == measured[one["model"]]["value"]
        assert one["null_mean"] == measured[one["model"]]["null_mean"]
        assert one["n"] == one["curve"]["n"] == sum(one["curve"]["count"])
    (title,) = [one["title"] for one in scores["metrics"] if one["name"] == "ece"]
    assert "7 equal-size bins" in title
    assert view is None or view.removeprefix("one-vs-rest:") in title


def test_diagrams_before_and_after_have_the_errors_of_the_table(questions):
    """The two diagrams of a recalibration are of the rows, view and bins of the table below."""
    answer = asked(
        questions, kind="recalibration", model="tree", method="temperature", resamples=39
    )
    (ece,) = [row for row in answer["effect"]["changes"] if row["metric"] == "ece"]
    assert (answer["before"]["value"], answer["after"]["value"]) == (ece["before"], ece["after"])
    assert answer["before"]["n"] == answer["after"]["n"] == answer["effect"]["n"]


def test_an_area_says_that_it_is_the_mean_of_several_classes(questions):
    """Beside the ROC curve of one class of three, the area is named for what it is."""
    scores = asked(questions, kind="scores", level=0.95)
    (title,) = [one["title"] for one in scores["metrics"] if one["name"] == "roc-auc"]
    assert title.endswith("mean of the classes") is (questions[1] > 2)
