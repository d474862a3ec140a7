"""Figures 10 to 31 of Biček (2009), drawn by the widget and read off its chart.

The thesis' own readings come from an older Orange and a random split. Pinned are those of Orange
3.40's naive Bayes on heart disease (target "1", stratified 10-fold cross-validation, seed 0), first
read by a program of its own, then by the widget. Its loans are not public: here they are the
library's example, whose profit is highest at 0.3 for infinitely many loans.

python orange/tests/test_thesis_figures.py prints the table.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from Orange.classification import NaiveBayesLearner
from Orange.data import Table
from Orange.evaluation import CrossValidation
from Orange.widgets.tests import base
from Orange.widgets.tests.utils import simulate

from plumbline.synthetic.example_tables import example
from plumbline_orange.curve_controls import USER
from plumbline_orange.tables import predictions_table
from plumbline_orange.widgets.owclassificationcurve import OWClassificationCurve

RIGHT = (
    "1 if ( ( probability >= {0} and actualClass == targetClass ) or "
    "( probability < {0} and actualClass != targetClass ) ) else 0"
)
MISSED = "1 if ( targetClass == actualClass and probability <= {} ) else 0"
PROFIT = "cumm( ( amount_requested **2 / 30 ) * eP - ( amount_requested * eN ) )"
EXPECTED = "cumm( probability * amount_requested **2 / 30 - (1 - probability) * amount_requested )"


@cache
def heart() -> Any:
    """Return naive Bayes' results on heart disease."""
    validated = CrossValidation(k=10, store_data=True, random_state=0)
    results = validated(Table("heart_disease"), [NaiveBayesLearner()])
    results.learner_names = ["Naive Bayes"]
    return results


@cache
def loans() -> Table:
    """Return the loans of one lender, who knows the probability that each is repaid."""
    return predictions_table(example("loans").select(model="careful"))


# ------------------------------------------------------------------ reading a chart

Points = Any  # the line as the chart draws it, with `threshold`, `x`, `y` and `names`


def highest(line: Points) -> float:
    """Return the largest y."""
    return float(line.y.max())


def where_highest(line: Points) -> float:
    """Return x of the largest y, the first of equal ones."""
    return float(line.x[line.y.argmax()])


def at(x: float) -> Callable[[Points], float]:
    """Return how to read y at x, between the two nearest points."""

    def read(line: Points) -> float:
        order = np.argsort(line.x, kind="stable")
        return float(np.interp(x, line.x[order], line.y[order]))

    return read


def at_threshold(threshold: float, axis: str = "y") -> Callable[[Points], float]:
    """Return how to read an axis where every row of at least this probability is met."""
    return lambda line: float(getattr(line, axis)[line.place_at(threshold)])


def x_where(y: float) -> Callable[[Points], float]:
    """Return how to read the first x at which a rising line has come up to y."""
    return lambda line: float(line.x[(line.y >= y).argmax()])


def threshold_at(x: float) -> Callable[[Points], float]:
    """Return how to read the threshold at which x first comes up to a value."""
    return lambda line: float(line.threshold[(line.x >= x).argmax()])


LOESS = 0.025  # between two smoothers of 0 and 1, over half of the rows each
ASYMPTOMATIC, TYPICAL = 0.0, 3.0  # places of chest pains along the axis, in alphabetical order


@dataclass(frozen=True)
class Reading:
    """One number: what it is, what the thesis reads, what the specification has, what we have."""

    what: str
    thesis: str
    spec: tuple[float, float] | None  # of seeds 0 to 2, or of seed 0 alone
    value: float
    find: Callable[[Points], float]
    tolerance: float = 0.0006  # of the specification, which has three digits


@dataclass(frozen=True)
class Figure:
    """A figure: its rows, its formulas or preset, how folds are averaged, and its readings."""

    of: str
    x: str
    y: str = ""
    averaging: str = "merge"
    readings: Sequence[Reading] = ()
    merge: str | None = None


def right(x: str, threshold: float, *readings: Reading) -> Figure:
    """Return a figure of the right answers that a threshold gives."""
    return Figure("heart", x, RIGHT.format(threshold), "smooth", readings)


def missed(threshold: float, *readings: Reading) -> Figure:
    """Return a figure of the ill patients whom a threshold misses, by age."""
    return Figure("heart", "age", MISSED.format(threshold), "smooth", readings)


FIGURES = {
    "10": Figure(
        "heart",
        "chest_pain",
        "eCA",
        "smooth",
        [Reading("typical ang", "0.58", (0.565, 0.565), 0.56522, at(TYPICAL))],
    ),
    "10, by formula": right(
        "chest_pain", 0.5, Reading("typical ang", "0.58", (0.565, 0.565), 0.56522, at(TYPICAL))
    ),
    "12": right(
        "chest_pain", 0.99, Reading("typical ang", "0.65", (0.696, 0.696), 0.69565, at(TYPICAL))
    ),
    "13": right(
        "chest_pain",
        1.0,
        Reading("typical ang", "0.70", (0.696, 0.696), 0.69565, at(TYPICAL)),
        Reading("asymptomatic", "worse", (0.271, 0.271), 0.27083, at(ASYMPTOMATIC)),
    ),
    "14": right("1", 1.0, Reading("all patients", "-", (0.541, 0.541), 0.54125, highest)),
    "15": right("1", 0.5, Reading("all patients", "far better", (0.832, 0.832), 0.83168, highest)),
    "16": Figure(
        "heart",
        "probability",
        "CA",
        readings=[
            Reading("highest", "0.84", (0.835, 0.835), 0.83498, highest),
            Reading("threshold of it", "0.40", (0.58, 0.58), 0.58016, where_highest, 0.006),
            Reading("at .50", "0.83", (0.832, 0.832), 0.83168, at_threshold(0.5)),
            Reading("at .99", "0.74", (0.726, 0.746), 0.73927, at_threshold(0.99)),
        ],
    ),
    "17": Figure("heart", "roc", readings=[Reading("TPR at FPR .2", "-", None, 0.84892, at(0.2))]),
    "18": Figure(
        "heart",
        "probability",
        "TPR",
        readings=[Reading("at .30", "0.85", (0.856, 0.856), 0.85612, at_threshold(0.3))],
    ),
    "19": Figure(
        "heart",
        "cum(1) / NN",
        "TPR",
        readings=[Reading("examined for TPR .85", "half", (0.505, 0.505), 0.50495, x_where(0.85))],
    ),
    "20": Figure(
        "heart",
        "cum(1) / NN",
        "FN / P",
        readings=[
            Reading("examined at .05", "0.68", (0.64, 0.657), 0.64026, at_threshold(0.05, "x")),
        ],
    ),
    "21": Figure(
        "heart",
        "age",
        "eCA",
        "smooth",
        [
            Reading("at age 40", "good", None, 0.92478, at(40)),
            Reading("at age 60", "worse", None, 0.75811, at(60)),
            Reading("at age 70", "good", None, 0.85593, at(70)),
        ],
    ),
    "23": Figure(
        "heart",
        "age",
        "eFN",
        "smooth",
        [Reading("highest", "0.12", (0.119, 0.133), 0.10905, highest, LOESS)],
    ),
    "23, by formula": missed(
        0.5, Reading("highest", "0.12", (0.119, 0.133), 0.10905, highest, LOESS)
    ),
    "24": missed(0.4, Reading("at age 60", "0.097", (0.114, 0.119), 0.10521, at(60), LOESS)),
    "25": missed(0.3, Reading("at age 60", "0.092", (0.105, 0.109), 0.08467, at(60), LOESS)),
    "26": missed(0.05, Reading("highest", "up to 0.05", (0.047, 0.056), 0.049451, highest)),
    "27": Figure(
        "loans",
        "roc",
        readings=[
            Reading("threshold at FPR .28", "0.50", None, 0.51449, threshold_at(0.28)),
            Reading("threshold at FPR .63", "0.30", None, 0.30431, threshold_at(0.63)),
        ],
    ),
    "28": Figure(
        "loans",
        "precision-recall",
        readings=[
            Reading("precision at recall .1", "good", None, 0.90314, at(0.1)),
            Reading("precision at recall .9", "worse", None, 0.58874, at(0.9)),
        ],
    ),
    "29": Figure(
        "loans",
        "probability",
        "FPR",
        readings=[
            Reading("at .50", "0.28", None, 0.30371, at_threshold(0.5)),
            Reading("at .30", "0.63", None, 0.63793, at_threshold(0.3)),
        ],
    ),
    "30": Figure(
        "loans",
        "probability",
        "TP + TN",
        readings=[Reading("threshold of most right", "0.54, 0.48", None, 0.51343, where_highest)],
    ),
    "31": Figure(
        "loans",
        "probability",
        PROFIT,
        readings=[
            Reading("threshold of most profit", "0.30", None, 0.23964, where_highest),
            Reading("most profit", "-", None, 47083, highest),
        ],
        merge="none",
    ),
    "31, expected": Figure(
        "loans",
        "probability",
        EXPECTED,
        readings=[Reading("threshold of most profit", "0.35", None, 0.29337, where_highest)],
        merge="none",
    ),
}


class FiguresTest(base.WidgetTest):
    """A widget that draws figure after figure, as a user would: by its controls."""

    test_image_export = test_minimum_size = test_msg_base_class = None

    def setUp(self):
        self.widget = self.create_widget(OWClassificationCurve)

    def choose(self, combo, key):
        simulate.combobox_activate_index(combo, combo.findData(key))
        self.wait_until_finished()

    def draw(self, figure):
        """Set the controls to a figure, and return the line that the chart draws."""
        inputs = self.widget.Inputs
        of_heart = figure.of == "heart"
        self.send_signal(inputs.evaluation_results, heart() if of_heart else None)
        self.send_signal(inputs.predictions, None if of_heart else loans())
        self.wait_until_finished()
        simulate.combobox_activate_item(
            self.widget.controls.target_index, "1" if of_heart else "yes"
        )
        self.choose(self.widget.averages, figure.averaging)
        if figure.y:
            self.choose(self.widget.presets, USER)
            self.choose(self.widget.averages, figure.averaging)
            for box, text in ((self.widget.x_box, figure.x), (self.widget.y_box, figure.y)):
                box.edit.setPlainText(text)
            if figure.merge is not None:
                self.choose(self.widget.merge, figure.merge)
            self.widget.compute_button.click()
        else:
            self.choose(self.widget.presets, figure.x)
        self.wait_until_finished()
        assert not self.widget.Error.active
        if figure.y:
            titles = [self.widget.chart.curve.x_title, self.widget.chart.curve.y_title]
            assert titles == [figure.x, figure.y]
        (group,) = self.widget.chart.drawing.groups
        (line,) = group.thinned
        assert len(line) == len(self.widget.drawn.curve.lines[0])  # few rows: all points are drawn
        return line

    def check(self, name):
        """Draw a figure, and compare each reading."""
        figure = FIGURES[name]
        line = self.draw(figure)
        for reading in figure.readings:
            value = reading.find(line)
            assert value == pytest.approx(reading.value, abs=6e-5, rel=1e-4), reading.what
            if reading.spec is not None:
                low, high = reading.spec
                assert low - reading.tolerance <= value <= high + reading.tolerance, reading.what

    def test_readings_are_those_of_the_specification(self):
        """Every figure has the values that the thesis' formulas give today."""
        for name in FIGURES:
            with self.subTest(figure=name):
                self.check(name)

    def test_the_chart_draws_the_profit_as_it_is(self):
        """The highest point of figure 31 is a corner of the painted line, at its threshold."""
        line = self.draw(FIGURES["31"])
        painted = max(
            (item for item in self.widget.chart.plot.items if hasattr(item, "getData")),
            key=lambda item: len(item.getData()[0]),
        )
        x, y = painted.getData()
        assert y.max() == line.y.max()
        assert x[y.argmax()] == line.x[line.y.argmax()]

    def test_the_best_threshold_of_figure_16_is_a_plateau(self):
        """The thesis' 0.40 is as good as 0.58: the optimum's plateau holds both."""
        self.draw(FIGURES["16"])
        self.choose(self.widget.goals, "max")
        (best,) = self.widget.drawn.optima.values()
        low, high = best.plateau[0][0], best.plateau[-1][1]
        assert low < 0.40 < 0.58 < high
        assert "best threshold" in [entry.text for entry in self.widget.chart.legend.entries]

    def test_the_best_threshold_of_loans_is_known(self):
        """0.3 is in the plateau of the realised profit, as the loans were made."""
        self.draw(FIGURES["31"])
        self.choose(self.widget.goals, "max")
        (best,) = self.widget.drawn.optima.values()
        assert any(low <= 0.3 <= high for low, high in best.plateau)

    def test_one_threshold_is_read_on_every_figure(self):
        """5 % is 65 % of the patients examined, which the thesis had to guess from two figures."""
        self.draw(FIGURES["20"])
        self.widget.chart.threshold_set.emit(0.05)
        reading = self.widget.drawn.reading(self.widget.threshold)
        assert reading.lines[0].x == pytest.approx(reading.lines[0].accepted_share)
        assert reading.lines[0].y == pytest.approx(
            reading.lines[0].counts["FN"] / reading.lines[0].counts["P"]
        )


def table() -> Iterator[str]:
    """Yield figure, formulas, reading, thesis, specification and widget."""
    test = FiguresTest()
    FiguresTest.setUpClass()
    test.setUp()
    yield "| figure | x ; y | what is read | thesis | other program | widget |"
    yield "|---|---|---|---|---|---|"
    for name, figure in FIGURES.items():
        line = test.draw(figure)
        formulas = f"`{figure.x}` ; `{figure.y}`" if figure.y else f"preset {figure.x}"
        for number, reading in enumerate(figure.readings):
            low, high = reading.spec or (None, None)
            spec = "-" if low is None else f"{low}" if low == high else f"{low} to {high}"
            head = f"| {name} | {formulas}" if number == 0 else "| |"
            value = f"{reading.find(line):.5g}"
            yield f"{head} | {reading.what} | {reading.thesis} | {spec} | {value} |"


if __name__ == "__main__":
    sys.stdout.writelines(f"{row}\n" for row in table())
