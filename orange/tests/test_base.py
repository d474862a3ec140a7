import numpy as np
from Orange.classification import NaiveBayesLearner
from Orange.data import Table
from Orange.evaluation import CrossValidation
from Orange.widgets.tests import base

from plumbline_orange.base import EvaluationWidget
from plumbline_orange.tables import predictions_table


class Plain(EvaluationWidget):
    name = "Plain"

    def __init__(self):
        super().__init__()
        self.target_box(self.controlArea)
        self.models_box(self.controlArea)
        self.seen = []

    def data_changed(self):
        self.seen.append(None if self.data is None else self.data.n)


class TestBase(base.WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.heart = Table("heart_disease")
        split = CrossValidation(k=3, random_state=0, store_data=True)
        cls.results = split(cls.heart, [NaiveBayesLearner()])

    def setUp(self):
        self.widget = self.create_widget(Plain)

    def test_results_come_before_a_table_and_the_table_after_them(self):
        widget = self.widget
        self.send_signal(widget.Inputs.evaluation_results, self.results)
        assert (widget.data.n, widget.source) == (len(self.heart), self.results)
        table = predictions_table(widget.data)[:100]
        self.send_signal(widget.Inputs.predictions, table)
        assert widget.results is self.results
        self.send_signal(widget.Inputs.evaluation_results, None)
        assert (widget.data.n, widget.results) == (100, None)
        assert widget.source is table
        self.send_signal(widget.Inputs.predictions, None)
        assert (widget.data, widget.source, widget.classifier_names) == (None, None, [])

    def test_refusals_are_errors_and_rows_left_out_are_warnings(self):
        widget = self.widget
        self.send_signal(widget.Inputs.predictions, self.heart)
        assert widget.Error.input_refused.is_shown()
        assert widget.data is None
        self.send_signal(widget.Inputs.predictions, None)
        assert not widget.Error.input_refused.is_shown()
        holed = CrossValidation(k=3, random_state=0)(self.heart, [NaiveBayesLearner()])
        holed.actual = np.r_[np.nan, np.nan, holed.actual[2:]]
        self.send_signal(widget.Inputs.evaluation_results, holed)
        assert widget.Warning.input_notes.is_shown()
        assert "2 rows" in str(widget.Warning.input_notes)
        self.send_signal(widget.Inputs.evaluation_results, self.results)
        assert not widget.Warning.input_notes.is_shown()
