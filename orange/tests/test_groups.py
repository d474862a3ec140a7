"""A choice of the attribute that says which rows belong together, in every widget."""

from functools import cache

import numpy as np
from Orange.classification import NaiveBayesLearner, TreeLearner
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.evaluation import CrossValidation
from Orange.widgets.tests.base import WidgetTest

import plumbline as pb
from plumbline_orange.base import NONE, heard
from plumbline_orange.widgets.owclassificationcurve import OWClassificationCurve
from plumbline_orange.widgets.owrecalibrate import OWRecalibrate
from plumbline_orange.widgets.owreliabilitydiagram import OWReliabilityDiagram

WAIT = 60_000


@cache
def visits():
    """Return 240 rows of 60 patients; the ward of one row is missing."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(240, 2))
    sick = (x[:, 0] + rng.normal(size=240) > 0).astype(float)
    patient = DiscreteVariable("patient", values=tuple(f"P{i}" for i in range(60)))
    ward = DiscreteVariable("ward", values=("a", "b"))
    of = np.column_stack([np.repeat(np.arange(60), 4), np.arange(240) % 2]).astype(float)
    of[0, 1] = np.nan
    features = [ContinuousVariable("age"), ContinuousVariable("dose")]
    domain = Domain(features, DiscreteVariable("sick", values=("no", "yes")), [patient, ward])
    return Table.from_numpy(domain, x, sick, of)


@cache
def evaluated():
    """Return cross-validated predictions of two learners."""
    learners = [NaiveBayesLearner(), TreeLearner()]
    return CrossValidation(k=5, random_state=0, store_data=True)(visits(), learners)


def predictions():
    """Return these predictions in groups of patients."""
    return heard(lambda: pb.Predictions.from_orange(evaluated()))[0].in_groups("patient")


def offered(widget):
    """Return the attributes that the control offers."""
    combo = widget.controls.together
    return [combo.itemText(place) for place in range(combo.count())]


class Chosen:
    """A widget that has evaluation results."""

    kind: type

    def setUp(self):
        """Make the widget, and wait for what it shows of the results."""
        self.widget = self.create_widget(self.kind)
        self.send_signal(self.widget.Inputs.evaluation_results, evaluated())
        self.wait_until_finished(timeout=WAIT)

    def choose(self, name):
        """Choose an attribute as a user does, and wait."""
        combo = self.widget.controls.together
        combo.setCurrentIndex(combo.findText(name))
        combo.textActivated.emit(name)
        self.wait_until_finished(timeout=WAIT)


class TestReliabilityDiagram(Chosen, WidgetTest):
    """Tests and errors of rows in groups."""

    kind = OWReliabilityDiagram

    def test_the_reliability_diagram_tests_rows_in_groups(self):
        """Verdict and error of every model are those of the table in groups, and say how many."""
        widget = self.widget
        assert offered(widget)[0] == NONE
        assert "patient" in offered(widget)
        assert "ward" not in offered(widget)  # of one row it is not known
        before = widget.found[0].test.p_value
        self.choose("patient")
        for one, part in zip(widget.found, predictions().by_model().values(), strict=True):
            test = pb.calibration_test(part)
            assert one.test.p_value == test.p_value
            assert "60 groups" in test.present().summary
        assert "60 groups" in widget.text.toPlainText()
        self.choose(NONE)
        assert widget.found[0].test.p_value == before

    def test_the_choice_is_kept_with_the_models_and_classes(self):
        """A workflow that is opened again has it; other data without the attribute have not."""
        widget = self.widget
        self.choose("patient")
        settings = widget.settingsHandler.pack_data(widget)
        again = self.create_widget(OWReliabilityDiagram, stored_settings=settings)
        self.send_signal(again.Inputs.evaluation_results, evaluated(), widget=again)
        self.wait_until_finished(widget=again, timeout=WAIT)
        assert again.together == "patient"
        self.send_signal(again.Inputs.evaluation_results, None, widget=again)
        assert again.together == ""


class TestClassificationCurve(Chosen, WidgetTest):
    """Intervals and bands of whole groups."""

    kind = OWClassificationCurve

    def test_a_curve_draws_whole_groups(self):
        """The interval of the area is that of the table in groups."""
        widget = self.widget
        self.choose("patient")
        expected = pb.curve(predictions(), "roc", target=widget.target)
        ends = [line.area_range for line in widget.drawn.curve.lines]
        assert ends == [line.area_range for line in expected.lines]


class TestRecalibrate(Chosen, WidgetTest):
    """Maps and advice of whole groups."""

    kind = OWRecalibrate

    def test_recalibrate_keeps_groups_whole(self):
        """Advice on results, and on a model with data, is that of the rows in groups."""
        widget = self.widget
        self.choose("patient")
        first = next(iter(predictions().by_model().values()))
        assert widget.answer.advice.verdict == pb.recalibration_advice(first).verdict
        assert len(widget.answer.data.groups.names) == 60
        self.send_signal(widget.Inputs.evaluation_results, None)
        self.send_signal(widget.Inputs.data, visits())
        self.send_signal(widget.Inputs.model, NaiveBayesLearner()(visits()[::2]))
        self.wait_until_finished(timeout=WAIT)
        assert "patient" in offered(widget)
        self.choose("patient")
        assert len(widget.answer.data.groups.names) == 60
