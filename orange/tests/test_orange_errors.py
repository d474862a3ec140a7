"""Errors of Orange's own widgets of curves, which ours do not have.

Each test draws a case by the widget and compares it with a count made here. Where the version of
Orange is the one that was examined, its own function is called too, so that the case is known to be
one that tells the two apart.
"""

import numpy as np
import Orange
from AnyQt.QtCore import QPointF
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.evaluation import Results
from Orange.evaluation.performance_curves import Curves
from Orange.widgets.evaluate.owliftcurve import (
    compute_area,
    cumulative_gains,
    precision_recall_from_results,
)
from Orange.widgets.evaluate.owrocanalysis import roc_curve_threshold_average
from Orange.widgets.tests import base
from Orange.widgets.tests.utils import simulate

from plumbline_orange.curve_controls import USER
from plumbline_orange.widgets.owclassificationcurve import OWClassificationCurve

EXAMINED = Orange.__version__.startswith("3.40.")
DOMAIN = Domain([ContinuousVariable("x")], DiscreteVariable("ill", values=("no", "yes")))


def results_of(actual, prob, folds=1):
    """Return evaluation results of one model: probabilities of "yes", in folds of equal size."""
    actual, prob = np.asarray(actual, float), np.asarray(prob, float)
    n = len(actual)
    probs = np.stack([1 - prob, prob], axis=1)
    results = Results(
        Table.from_numpy(DOMAIN, np.arange(n, dtype=float)[:, None], actual),
        row_indices=np.arange(n),
        actual=actual,
        predicted=(prob >= 0.5).astype(float)[None],
        probabilities=probs[None],
    )
    size = n // folds
    results.folds = [slice(size * fold, size * (fold + 1)) for fold in range(folds)]
    results.learner_names = ["model"]
    return results


def rows(n=300, seed=4):
    """Return labels and scores of a model that ranks them rather well."""
    rng = np.random.default_rng(seed)
    logit = rng.normal(size=n) - 0.5
    actual = (rng.random(n) < 1 / (1 + np.exp(-2 * logit))).astype(int)
    return actual, 1 / (1 + np.exp(-(logit + 0.5 * rng.normal(size=n))))


class ErrorsTest(base.WidgetTest):
    """A widget that is given results and told what to draw."""

    test_image_export = test_minimum_size = test_msg_base_class = None

    def setUp(self):
        self.widget = self.create_widget(OWClassificationCurve)

    def choose(self, combo, key):
        simulate.combobox_activate_index(combo, combo.findData(key))
        self.wait_until_finished()

    def draw(self, results, *, target="yes", preset=None, x="", y="", averaging="merge"):
        """Return the lines that the chart draws."""
        self.send_signal(self.widget.Inputs.evaluation_results, results)
        self.wait_until_finished()
        simulate.combobox_activate_item(self.widget.controls.target_index, target)
        self.choose(self.widget.presets, preset or USER)
        self.choose(self.widget.averages, averaging)
        if preset is None:
            self.widget.x_box.edit.setPlainText(x)
            self.widget.y_box.edit.setPlainText(y)
            self.widget.compute_button.click()
            self.wait_until_finished()
        return self.widget.chart.curve.lines

    def test_the_mean_at_a_threshold_is_of_the_points_at_that_threshold(self):
        """Orange searches the thresholds backwards and returns the rates of others."""
        actual, prob = rows()
        self.widget.controls.thresholds.setValue(11)
        (line,) = self.draw(results_of(actual, prob, 5), preset="roc", averaging="threshold")
        inside = np.flatnonzero(np.isfinite(line.threshold))
        assert len(inside) == 11
        for place in inside:
            rates = []
            for part in np.split(np.arange(len(prob)), 5):
                distances = np.abs(prob[part] - line.threshold[place])
                accepted = prob[part] >= prob[part][distances.argmin()]
                rates.append([accepted[actual[part] == event].mean() for event in (0, 1)])
            np.testing.assert_allclose([line.x[place], line.y[place]], np.mean(rates, axis=0))
            own = [line.more["x_sd"][place], line.more["y_sd"][place]]
            np.testing.assert_allclose(own, np.std(rates, axis=0, ddof=1), atol=1e-12)
        if EXAMINED:
            self.assert_orange_reads_other_rates(actual, prob)

    def assert_orange_reads_other_rates(self, actual, prob):
        """Orange's mean of one curve is not that curve."""
        scores = np.unique(prob)[::-1]
        fpr, tpr = (
            np.array([(prob[actual == event] >= score).mean() for score in scores])
            for event in (0, 1)
        )
        samples = np.array([0.8, 0.5, 0.2])
        (_, _), (mean, _) = roc_curve_threshold_average([(fpr, tpr, scores)], samples)
        truth = np.array([(prob[actual == 1] >= sample).mean() for sample in samples])
        assert np.abs(mean - truth).max() > 0.1

    def test_precision_of_the_first_class_is_of_its_own_rows(self):
        """Orange takes the labels of the second class beside the scores of the first."""
        actual, prob = rows()
        results = results_of(actual, prob)
        (line,) = self.draw(results, target="no", preset="precision-recall")
        assert line.positives == (actual == 0).sum()
        for threshold, recall, precision in zip(line.threshold, line.x, line.y, strict=True):
            if np.isfinite(threshold):
                accepted = 1 - prob >= threshold
                assert recall == np.mean(accepted[actual == 0])
                assert precision == np.mean(actual[accepted] == 0)
        half = line.y[(line.x >= 0.5).argmax()]
        if EXAMINED:
            recall, precision, _ = precision_recall_from_results(results, 0, 0)
            assert precision[::-1][(recall[::-1] >= 0.5).argmax()] < half - 0.2

    def test_a_constant_classifier_has_one_accuracy(self):
        """Orange counts tied rows one by one, so accuracy depends on their order."""
        actual, prob = [1, 1, 1, 0, 0, 0], [0.4] * 6
        for order in (actual, actual[::-1]):
            (line,) = self.draw(results_of(order, prob), x="threshold", y="CA")
            assert line.y.tolist() == [0.5, 0.5]
        if EXAMINED:
            accuracies = Curves(np.array(actual[::-1]), np.array(prob)).ca()
            assert accuracies.max() == 1.0

    def test_the_area_under_gains_begins_at_the_origin(self):
        """A perfect model finds all positives in the first half: the area is 0.75."""
        actual, prob = np.array([1, 1, 0, 0]), np.array([0.9, 0.8, 0.2, 0.1])
        (line,) = self.draw(results_of(actual, prob), preset="gains")
        assert line.area == 0.75
        assert (line.x[0], line.y[0]) == (0, 0)
        if EXAMINED:
            share, found, _ = cumulative_gains(actual, prob)
            assert compute_area(share, found) == 0.625

    def test_the_negative_predictive_value_has_its_name(self):
        """Orange calls it TPV; here the axis has the variable, and its values are NPV's."""
        actual, prob = rows()
        (line,) = self.draw(results_of(actual, prob), x="threshold", y="NPV")
        assert "NPV" in self.widget.chart.plot.getAxis("left").label.toPlainText()
        place = line.place_at(0.5)
        rejected = prob < line.threshold[place]
        assert line.y[place] == np.mean(actual[rejected] == 0)

    def test_the_width_of_smoothing_can_be_chosen(self):
        """Orange's kernel is 15 % of the range."""
        actual, prob = rows()
        results = results_of(actual, prob)
        lines = {}
        for span in (20, 90):
            self.widget.controls.span.setValue(span)
            (lines[span],) = self.draw(results, x="probability", y="eCA", averaging="smooth")
        bends = [np.abs(np.diff(line.y, 2)).sum() for line in lines.values()]
        assert bends[0] > bends[1]

    def test_each_fold_is_read_out_under_the_mouse(self):
        """Orange has no read-out of single folds."""
        actual, prob = rows()
        lines = self.draw(results_of(actual, prob, 3), preset="roc", averaging="none")
        chart = self.widget.chart
        chart.resize(700, 600)
        for line in lines:
            middle = len(line) // 2
            at = chart.plot.vb.mapViewToScene(QPointF(line.x[middle], line.y[middle]))
            chart._read_out(at)
            assert chart._read.toPlainText().count("\n") == 3  # whose, x, y and threshold
            assert "fold" in chart._read.toPlainText()
