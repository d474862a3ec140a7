"""Every control and output of the widget Classification Curve."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QDoubleSpinBox, QPushButton
from Orange.classification import MajorityLearner, NaiveBayesLearner, TreeLearner
from Orange.data import Table
from Orange.evaluation import CrossValidation, LeaveOneOut, TestOnTestData
from Orange.widgets.tests.base import WidgetTest
from Orange.widgets.tests.utils import simulate

import plumbline as pb
from plumbline.curves import PRESETS
from plumbline.formatting import capital
from plumbline_orange.curve_controls import AVERAGES, DIRECTIONS, MERGES, USER
from plumbline_orange.saving import ChartSvg
from plumbline_orange.widgets.owclassificationcurve import OWClassificationCurve


@cache
def heart(learners=(NaiveBayesLearner, TreeLearner), *, separate=False):
    """Return results on heart disease: of 10 folds with the data, or of models on test data."""
    table, made = Table("heart_disease"), [learner() for learner in learners]
    if separate:
        results = TestOnTestData(store_models=True)(table[::2], table[1::2], made)
    else:
        results = CrossValidation(k=10, store_data=True, random_state=0)(table, made)
    results.learner_names = [type(one).__name__.removesuffix("Learner") for one in made]
    return results


@cache
def iris():
    """Return results of three classes."""
    results = CrossValidation(k=3, random_state=0)(Table("iris"), [NaiveBayesLearner()])
    results.learner_names = ["Bayes"]
    return results


class CurveTest(WidgetTest):
    """A widget with the results of two classifiers."""

    test_image_export = test_minimum_size = test_msg_base_class = None  # in `TestAnyWidget`

    def setUp(self):
        self.widget = self.create_widget(OWClassificationCurve)
        self.send(heart())

    def send(self, results):
        self.send_signal(self.widget.Inputs.evaluation_results, results)
        self.wait_until_finished()

    @property
    def data(self):
        return self.widget.data

    @property
    def lines(self):
        return self.widget.drawn.curve.lines

    def choose(self, combo, key):
        simulate.combobox_activate_index(combo, combo.findData(key))
        self.wait_until_finished()

    def write(self, x=None, y=None, *, compute=True):
        """Choose the user defined formula, and write it."""
        widget = self.widget
        if widget.preset != USER:
            self.choose(widget.presets, USER)
        for box, text in ((widget.x_box, x), (widget.y_box, y)):
            if text is not None:
                box.edit.setPlainText(text)
        if compute:
            widget.compute_button.click()
            self.wait_until_finished()

    def assert_curve(self, **settings):
        """The widget's lines are those of the library."""
        expected = pb.curve(self.data, **settings).lines
        assert len(self.lines) == len(expected)
        for own, other in zip(self.lines, expected, strict=True):
            assert own.model == other.model
            np.testing.assert_array_equal(own.x, other.x)
            np.testing.assert_array_equal(own.y, other.y)
            for name, values in other.more.items():
                np.testing.assert_array_equal(own.more[name], values)


class TestAnyWidget(CurveTest):
    test_image_export = WidgetTest.test_image_export
    test_minimum_size = WidgetTest.test_minimum_size
    test_msg_base_class = WidgetTest.test_msg_base_class


class TestData(CurveTest):
    def test_a_roc_curve_of_all_rows_is_drawn_first(self):
        self.assert_curve(preset="roc")
        areas = [pb.roc_auc(rows) for rows in self.data.by_model().values()]
        np.testing.assert_allclose([line.area for line in self.lines], areas, rtol=1e-12)
        assert self.widget.chart.curve is self.widget.drawn.curve

    def test_test_sets(self):
        self.widget.controls.selected_folds.setCurrentRow(-1)
        items = self.widget.controls.selected_folds
        items.clearSelection()
        items.item(2).setSelected(True)
        items.item(5).setSelected(True)
        self.wait_until_finished()
        some = self.data.select(fold=["2", "5"])
        expected = pb.curve(some, "roc").lines
        assert [line.n for line in self.lines] == [line.n for line in expected]
        np.testing.assert_array_equal(self.lines[0].y, expected[0].y)

    def test_unselect_all_and_select_all(self):
        self.widget.every_fold.click()
        assert self.widget.selected_folds == []
        assert self.widget.Warning.nothing_selected.is_shown()
        assert self.get_output(self.widget.Outputs.curve_points) is None
        self.widget.every_fold.click()
        self.wait_until_finished()
        assert len(self.widget.selected_folds) == 10
        assert not self.widget.Warning.nothing_selected.is_shown()
        self.assert_curve(preset="roc")

    def test_classifiers(self):
        models = self.widget.controls.selected_classifiers
        models.clearSelection()
        models.item(1).setSelected(True)
        self.wait_until_finished()
        assert [line.model for line in self.lines] == ["Tree"]
        tree = self.data.select(model=self.data.models[1])
        np.testing.assert_array_equal(self.lines[0].y, pb.curve(tree, "roc").lines[0].y)

    def test_no_classifier(self):
        self.widget.controls.selected_classifiers.clearSelection()
        assert self.widget.Warning.nothing_selected.is_shown()
        assert self.widget.chart.curve is None

    def test_every_way_of_averaging(self):
        for average in AVERAGES:
            self.choose(self.widget.averages, average)
            self.assert_curve(preset="roc", average=average)
        assert len(AVERAGES) == 5

    def test_points(self):
        self.choose(self.widget.averages, "vertical")
        assert self.widget.points_spin.isEnabled()
        assert not self.widget.thresholds_spin.isEnabled()
        self.widget.points_spin.setValue(11)
        self.wait_until_finished()
        self.assert_curve(preset="roc", average="vertical", points=11)

    def test_thresholds(self):
        self.choose(self.widget.averages, "threshold")
        assert not self.widget.points_spin.isEnabled()
        self.widget.thresholds_spin.setValue(7)
        self.wait_until_finished()
        self.assert_curve(preset="roc", average="threshold", thresholds=7)

    def test_span(self):
        self.choose(self.widget.presets, "calibration")
        assert self.widget.averaging == "smooth"
        self.widget.span_spin.setValue(30)
        self.wait_until_finished()
        self.assert_curve(preset="calibration", span=0.3)
        self.choose(self.widget.presets, "roc")
        assert self.widget.averaging == "merge"

    def test_what_changes_nothing_is_grey(self):
        widget = self.widget
        assert widget.level_spin.box.isEnabled()  # of the interval of the area
        assert not widget.resamples_spin.box.isEnabled()
        self.choose(widget.bands, "bootstrap")
        assert widget.resamples_spin.box.isEnabled()
        self.choose(widget.bands, "none")
        self.write("`chest pain`", "eCA")
        self.choose(widget.averages, "smooth")
        assert not widget.bands.isEnabled()  # means have intervals
        assert not widget.points_spin.box.isEnabled()
        self.write("age", "eCA", compute=False)
        assert widget.direction.isEnabled()  # until it is computed
        assert widget.sort_by.isEnabled()
        widget.compute_button.click()
        self.wait_until_finished()
        assert widget.bands.isEnabled()
        assert widget.span_spin.box.isEnabled()
        assert not widget.direction.isEnabled()
        assert not widget.sort_by.isEnabled()
        assert not widget.Error.active

    def test_without_folds_curves_are_merged(self):
        self.choose(self.widget.averages, "vertical")
        self.send(heart(separate=True))
        assert not self.widget.averages.model().item(3 - 1).isEnabled()
        self.assert_curve(preset="roc", average="merge")
        assert not self.widget.Error.failed.is_shown()


class TestGraphType(CurveTest):
    def test_every_preset(self):
        widget = self.widget
        assert widget.presets.count() == len(PRESETS) + 1
        assert widget.presets.itemText(widget.presets.count() - 1) == "User defined formula"
        for name, preset in PRESETS.items():
            self.choose(widget.presets, name)
            assert not widget.Error.active, (name, widget.Error.active)
            x = {} if preset.x else {"x": widget.preset_x}
            self.assert_curve(preset=name, **x, average=widget.averaging)
            assert not widget.definition.isEnabled()
            assert widget.x_box.text() == (preset.x or widget.preset_x)
            assert widget.y_box.text() == preset.y
            assert widget.preset_attribute.isHidden() == (preset.x is not None)

    def test_the_attribute_of_a_preset(self):
        self.choose(self.widget.presets, "error-by-attribute")
        self.choose(self.widget.preset_attribute, "`chest pain`")
        assert self.widget.x_box.text() == "`chest pain`"
        assert self.widget.drawn.curve.x_names == (
            "asymptomatic",
            "atypical ang",
            "non-anginal",
            "typical ang",
        )

    def test_target_class(self):
        simulate.combobox_activate_item(self.widget.controls.target_index, "0")
        self.wait_until_finished()
        self.assert_curve(preset="roc", target="0")
        assert self.lines[0].target == "0"

    def test_a_formula_waits_for_compute(self):
        self.write("probability", "CA", compute=False)
        assert self.widget.definition.isEnabled()
        assert self.widget.Warning.not_computed.is_shown()
        assert self.widget.drawn.curve.settings.y == "TPR"
        self.widget.compute_button.click()
        self.wait_until_finished()
        assert not self.widget.Warning.not_computed.is_shown()
        self.assert_curve(x="probability", y="CA")

    def test_enter_computes(self):
        self.write("FPR", "FNR", compute=False)
        QTest.keyClick(self.widget.y_box.edit, Qt.Key_Return)
        self.wait_until_finished()
        self.assert_curve(x="FPR", y="FNR")
        assert self.widget.y_box.text() == "FNR"

    def test_a_preset_is_copied(self):
        self.choose(self.widget.presets, "lift")
        self.widget.copy_button.click()
        self.wait_until_finished()
        assert self.widget.preset == USER
        assert self.widget.definition.isEnabled()
        assert self.widget.y_box.text() == "precision / (P / NN)"
        self.assert_curve(preset="lift")
        assert self.widget.drawn.curve.y_title == "lift"

    def test_parameters_of_the_formulas(self):
        assert self.widget.params_box.isHidden()
        self.choose(self.widget.presets, "cost")
        spins = self.widget.params_box.findChildren(QDoubleSpinBox)
        assert [spin.value() for spin in spins] == [5, 1]
        spins[0].setValue(2)
        self.wait_until_finished()
        self.assert_curve(preset="cost", params={"fn_cost": 2, "fp_cost": 1})
        self.write("threshold", "TP * param('gain', 30)")
        (spin,) = self.widget.params_box.findChildren(QDoubleSpinBox)
        assert spin.value() == 30
        spin.setValue(7)
        self.wait_until_finished()
        self.assert_curve(x="threshold", y="TP * 7")

    def test_the_title_of_a_preset_goes_with_its_formula(self):
        self.write("FPR", "CA")
        assert self.widget.drawn.curve.x_title == "false positive rate"
        assert self.widget.drawn.curve.y_title == "CA"

    def test_formulas_are_kept_while_a_preset_is_shown(self):
        self.write("FPR", "CA * 2")
        self.choose(self.widget.presets, "roc")
        assert self.widget.y_box.text() == "TPR"
        self.choose(self.widget.presets, USER)
        assert self.widget.y_box.text() == "CA * 2"
        self.assert_curve(x="FPR", y="CA * 2")

    def test_errors_stand_under_the_box_in_the_words_of_the_library(self):
        self.write("FPR", "precison + 1")
        with pytest.raises(pb.FormulaError) as refused:
            pb.curve(self.data, x="FPR", y="precison + 1")
        box = self.widget.y_box
        assert box.message.text() == capital(refused.value.message)
        assert not box.message.isHidden()
        (marked,) = box.edit.extraSelections()
        assert marked.cursor.selectedText() == "precison"
        assert self.widget.x_box.message.isHidden()
        self.write(y="precision + 1")
        assert box.message.isHidden()
        assert box.edit.extraSelections() == []

    def test_errors_show_while_typing(self):
        self.write("TPR +", compute=False)
        self.process_events(until=self.widget.x_box.message.text, timeout=3000)
        assert not self.widget.x_box.message.isHidden()

    def test_an_empty_formula_is_refused(self):
        self.write("FPR", "")
        assert "formula" in self.widget.y_box.message.text()

    def test_titles_of_axes(self):
        self.write("FPR", "CA")
        for axis in ("x", "y"):
            box = getattr(self.widget, f"{axis}_box")
            with patch(
                "plumbline_orange.curve_controls.QInputDialog.getText",
                return_value=(f"my {axis}", True),
            ):
                box.title_button.click()
            self.wait_until_finished()
        curve = self.widget.drawn.curve
        assert (curve.x_title, curve.y_title) == ("my x", "my y")

    def test_insert_attribute_and_value(self):
        self.write("probability", "", compute=False)
        names, values = self.widget.insert_name, self.widget.insert_value
        self.widget.y_box.edit.setFocus()
        self.widget._last_box = self.widget.y_box
        simulate.combobox_activate_index(names, names.findData("`chest pain`"))
        self.widget.y_box.edit.insertPlainText(" ==")
        simulate.combobox_activate_index(values, values.findData("'typical ang'"))
        assert self.widget.y_box.text() == "`chest pain` =='typical ang'"
        assert names.currentIndex() == 0
        self.widget.compute_button.click()
        self.wait_until_finished()
        self.assert_curve(x="probability", y="`chest pain` == 'typical ang'")

    def test_every_name_of_the_library_can_be_inserted(self):
        combo = self.widget.insert_name
        offered = {combo.itemData(i) for i in range(combo.count())} - {None}
        assert offered == {one["name"] for one in self.widget.words["variables"]}

    def test_completion(self):
        self.write("FPR", "", compute=False)
        edit = self.widget.y_box.edit
        QTest.keyClicks(edit, "prec")
        assert edit.completer.completionPrefix() == "prec"
        assert edit.completer.currentCompletion() == "precision"
        edit.complete("precision")
        assert edit.toPlainText() == "precision"
        QTest.keyClicks(edit, " + `ch")
        assert edit.completer.currentCompletion() == "`chest pain`"

    def test_sort_by_and_its_direction(self):
        self.write("cumm(1)", "cumm(eP)")
        for direction in DIRECTIONS:
            for key in ("age", "1 - probability"):
                self.widget.sort_by.setEditText(key)
                self.choose(self.widget.direction, direction)
                assert self.widget.Warning.not_computed.is_shown()
                self.widget.compute_button.click()
                self.wait_until_finished()
                order = {} if direction == "unsorted" else {"sort_by": key}
                self.assert_curve(x="cumm(1)", y="cumm(eP)", direction=direction, **order)
                self.widget.sort_by.setEditText("probability")

    def test_a_wrong_sort_key_is_told(self):
        self.write("cumm(1)", "cumm(eP)", compute=False)
        self.widget.sort_by.setEditText("agee")
        self.widget.compute_button.click()
        assert "agee" in self.widget.sort_message.text()
        assert not self.widget.sort_message.isHidden()

    def test_counts_without_sorting_are_refused_under_the_box(self):
        self.write("FPR", "TPR", compute=False)
        self.choose(self.widget.direction, "unsorted")
        self.widget.compute_button.click()
        assert "`FPR`" in self.widget.x_box.message.text()

    def test_every_way_of_merging(self):
        self.write("FPR", "TPR")
        for merge in MERGES:
            self.choose(self.widget.merge, merge)
            self.widget.compute_button.click()
            self.wait_until_finished()
            self.assert_curve(x="FPR", y="TPR", merge=merge)
        assert len(MERGES) == 3

    def test_the_mean_of_every_category(self):
        """Merging by the average makes one point a category, whatever averages the folds."""
        self.write("gender", "eCA")
        self.choose(self.widget.merge, "average")
        self.widget.compute_button.click()
        self.wait_until_finished()
        means = pb.curve(self.data, x="gender", y="eCA", average="smooth")
        for line, mean in zip(self.lines, means.lines, strict=True):
            assert line.x.tolist() == mean.x.tolist()
            assert line.y.tolist() == mean.y.tolist()
            assert len(line) == 2

    def test_smoothing_merges_no_rows_unless_asked(self):
        self.write("age", "eCA")
        self.choose(self.widget.averages, "smooth")
        assert self.widget.merge.currentData() == "none"
        self.assert_curve(x="age", y="eCA", average="smooth")


class TestAnalysis(CurveTest):
    def test_a_bootstrap_band_and_its_level(self):
        self.widget.controls.resamples.setValue(50)
        self.choose(self.widget.bands, "bootstrap")
        self.widget.controls.level.setValue(80)
        self.wait_until_finished()
        self.assert_curve(preset="roc", band="bootstrap", level=0.8, resamples=50)
        assert "y_low" in self.lines[0].more

    def test_a_band_of_folds(self):
        assert not self.widget.bands.model().item(1).isEnabled()
        self.choose(self.widget.averages, "vertical")
        self.choose(self.widget.bands, "folds")
        self.assert_curve(preset="roc", average="vertical", band="folds")
        self.choose(self.widget.averages, "merge")
        assert self.widget.band == "none"

    def test_convex_hull(self):
        self.widget.controls.hull.click()
        self.wait_until_finished()
        expected = [pb.convex_hull(line) for line in pb.curve(self.data, "roc").lines]
        for own, other in zip(self.widget.drawn.hulls, expected, strict=True):
            np.testing.assert_array_equal(own.y, other.y)

    def test_the_optimum_with_its_plateau(self):
        self.choose(self.widget.presets, "accuracy")
        self.choose(self.widget.goals, "max")
        for (model, own), rows in zip(
            self.widget.drawn.optima.items(), self.data.by_model().values(), strict=True
        ):
            best = pb.best_threshold(rows, "CA")
            assert (own.threshold, own.value) == (best.threshold, best.value)
            assert own.plateau == best.plateau
            assert f"{model}: {best.verdict}"[:40] in self.widget.text.toPlainText()

    def test_the_lowest_value_of_another_formula_under_a_condition(self):
        self.choose(self.widget.goals, "min")
        self.widget.goal_edit.setText("FP + 2 * FN")
        self.widget.goal_edit.editingFinished.emit()
        self.widget.subject_edit.setText("recall >= 0.9")
        self.widget.subject_edit.editingFinished.emit()
        self.widget.redraw()
        self.wait_until_finished()
        best = pb.best_threshold(
            next(iter(self.data.by_model().values())),
            "FP + 2 * FN",
            goal="min",
            subject_to="recall >= 0.9",
        )
        assert next(iter(self.widget.drawn.optima.values())).threshold == best.threshold

    def test_an_optimum_that_cannot_be_leaves_the_curve(self):
        self.choose(self.widget.presets, "calibration")
        self.choose(self.widget.goals, "max")
        assert self.widget.Warning.refused.is_shown()
        assert self.widget.chart.curve is not None

    def test_the_difference_of_two_models(self):
        self.widget.difference_check.click()
        self.wait_until_finished()
        own, expected = self.widget.drawn.difference, pb.curve_difference(self.data, "roc")
        np.testing.assert_array_equal(own.difference, expected.difference)
        np.testing.assert_array_equal(own.low, expected.low)
        assert own.verdict in self.widget.text.toPlainText()
        (low, high), least = self.widget.chart.plot.viewRange()[1], np.nanmin(own.low)
        assert low <= least < 0 < np.nanmax(own.high) <= high
        points = self.get_output(self.widget.Outputs.curve_points)
        assert "difference" in [one.name for one in points.domain.attributes]

    def test_a_long_computation_is_stopped(self):
        widget, before = self.widget, self.widget.drawn
        assert not widget.stop_button.isEnabled()
        widget.controls.resamples.setValue(100_000)
        simulate.combobox_activate_index(widget.bands, widget.bands.findData("bootstrap"))
        assert widget.stop_button.isEnabled()
        widget.stop_button.click()
        self.wait_until_finished()
        assert widget.Warning.stopped.is_shown()
        assert widget.drawn is before
        widget.controls.resamples.setValue(20)
        self.wait_until_finished()
        assert not widget.Warning.stopped.is_shown()
        self.assert_curve(preset="roc", band="bootstrap", resamples=20)

    def test_the_last_choice_wins(self):
        for name in ("lift", "gains", "accuracy"):
            simulate.combobox_activate_index(
                self.widget.presets, self.widget.presets.findData(name)
            )
        self.wait_until_finished()
        self.assert_curve(preset="accuracy")

    def test_one_model_has_no_difference(self):
        self.send(heart(learners=(NaiveBayesLearner,)))
        assert not self.widget.difference_check.isEnabled()

    def test_the_threshold_is_read(self):
        self.widget.threshold_spin.setValue(0.3)
        text = self.widget.text.toPlainText()
        assert "Threshold 0.3" in text
        counts = self.widget.drawn.reading(0.3).lines[0].counts
        assert f"{counts['PP']:.0f} of {counts['NN']:.0f}" in text
        assert self.widget.chart.threshold == 0.3

    def test_the_threshold_is_dragged(self):
        before = self.get_output(self.widget.Outputs.selected_data)
        self.widget.chart.threshold_moved.emit(0.7)
        assert self.widget.threshold == 0.7
        assert "Threshold 0.7" in self.widget.text.toPlainText()
        assert self.get_output(self.widget.Outputs.selected_data) is before
        self.widget.chart.threshold_set.emit(0.8)
        assert len(self.get_output(self.widget.Outputs.selected_data)) < len(before)

    def test_the_threshold_is_hidden(self):
        self.widget.controls.show_threshold.click()
        assert self.widget.chart.threshold is None
        assert self.get_output(self.widget.Outputs.selected_data) is None

    def test_a_threshold_of_an_attribute_begins_within_its_range(self):
        self.write("cumm(1)", "cumm(eP)", compute=False)
        self.widget.sort_by.setEditText("age")
        self.widget.compute_button.click()
        self.wait_until_finished()
        assert 29 <= self.widget.threshold <= 77


class TestOutputs(CurveTest):
    def test_curve_points(self):
        table = self.get_output(self.widget.Outputs.curve_points)
        frame = self.widget.drawn.curve.to_frame("pandas")
        assert len(table) == len(frame)
        np.testing.assert_array_equal(table.get_column("y"), frame["y"])
        assert np.isnan(table.get_column("threshold")[0])

    def test_the_evaluation_table_can_be_read_back(self):
        table = self.get_output(self.widget.Outputs.evaluation_table)
        assert len(table) == self.data.n
        again = pb.Predictions.from_orange(table)
        np.testing.assert_array_equal(again.prob, self.data.prob)

    def test_scores(self):
        table = self.get_output(self.widget.Outputs.scores)
        lines = pb.curve(self.data, "roc").lines
        np.testing.assert_array_equal(table.get_column("AUC"), [one.area for one in lines])
        ends = np.column_stack([table.get_column("AUC low"), table.get_column("AUC high")])
        np.testing.assert_array_equal(ends, [one.area_range for one in lines])

    def test_scores_tell_of_the_threshold_and_the_optimum(self):
        self.choose(self.widget.presets, "accuracy")
        self.choose(self.widget.goals, "usual")
        self.widget.threshold_spin.setValue(0.4)
        table = self.get_output(self.widget.Outputs.scores)
        for place, rows in enumerate(self.data.by_model().values()):
            best, accepted = pb.best_threshold(rows, "CA"), rows.prob[:, 1] >= 0.4
            assert table.get_column("best threshold")[place] == best.threshold
            assert table.get_column("plateau low")[place] == best.plateau[0][0]
            assert table.get_column("cross-validated value")[place] == best.honest_value
            assert table.get_column("TP")[place] == (accepted & (rows.actual == 1)).sum()
            accuracy = (accepted == (rows.actual == 1)).mean()
            assert abs(table.get_column("y")[place] - accuracy) < 1e-12

    def test_selected_rows_are_those_of_the_first_classifier_at_or_above_the_threshold(self):
        rows = next(iter(self.data.by_model().values()))
        table = self.get_output(self.widget.Outputs.selected_data)
        chosen = np.sort(np.asarray(rows.row)[rows.prob[:, 1] >= 0.5])
        np.testing.assert_array_equal(table.ids, heart().data[chosen].ids)
        assert table.domain == heart().data.domain

    def test_selected_rows_between_two_thresholds(self):
        self.widget.controls.rows_wanted.buttons[1].click()
        assert self.widget.upper_spin.isEnabled()
        self.widget.threshold_spin.setValue(0.3)
        self.widget.upper_spin.setValue(0.6)
        rows = next(iter(self.data.by_model().values()))
        prob = rows.prob[:, 1]
        table = self.get_output(self.widget.Outputs.selected_data)
        assert len(table) == ((prob >= 0.3) & (prob < 0.6)).sum()
        self.widget.upper_spin.setValue(0.2)
        assert self.get_output(self.widget.Outputs.selected_data) is None

    def test_a_threshold_classifier_of_one_stored_model(self):
        assert self.get_output(self.widget.Outputs.threshold_classifier) is None
        assert not self.widget.Information.no_classifier.is_shown()
        self.widget.controls.selected_classifiers.item(1).setSelected(False)
        self.wait_until_finished()
        assert self.get_output(self.widget.Outputs.threshold_classifier) is None
        assert self.widget.Information.no_classifier.is_shown()
        results = heart(learners=(NaiveBayesLearner,), separate=True)
        self.send(results)
        self.widget.threshold_spin.setValue(0.3)
        model = self.get_output(self.widget.Outputs.threshold_classifier)
        assert not self.widget.Information.no_classifier.is_shown()
        test = Table("heart_disease")[1::2]
        np.testing.assert_array_equal(model(test), results.probabilities[0][:, 1] >= 0.3)

    def test_three_classes_have_no_threshold_classifier(self):
        self.send(iris())
        assert self.get_output(self.widget.Outputs.threshold_classifier) is None
        self.assert_curve(preset="roc", target=self.widget.target)

    def test_nothing_without_input(self):
        self.send(None)
        for output in ("curve_points", "evaluation_table", "selected_data", "scores"):
            assert self.get_output(getattr(self.widget.Outputs, output)) is None
        assert self.widget.chart.curve is None
        self.choose(self.widget.presets, "lift")
        self.write("FPR", "TPR")

    def test_a_table_with_probabilities(self):
        table = self.get_output(self.widget.Outputs.evaluation_table)
        self.send(None)
        self.send_signal(self.widget.Inputs.predictions, table)
        self.wait_until_finished()
        self.assert_curve(preset="roc")
        assert self.get_output(self.widget.Outputs.selected_data).domain == table.domain


class TestSettings(CurveTest):
    def test_settings_and_formulas_are_restored(self):
        self.write("FPR", "CA * 3")
        self.choose(self.widget.averages, "vertical")
        self.choose(self.widget.bands, "folds")
        self.widget.threshold_spin.setValue(0.4)
        kept = self.widget.settingsHandler.pack_data(self.widget)
        self.widget = self.create_widget(OWClassificationCurve, stored_settings=kept)
        self.send(heart())
        assert self.widget.presets.currentData() == USER
        assert self.widget.y_box.text() == "CA * 3"
        assert self.widget.averages.currentData() == "vertical"
        assert self.widget.bands.currentData() == "folds"
        assert self.widget.threshold_spin.value() == 0.4
        self.assert_curve(x="FPR", y="CA * 3", average="vertical", band="folds")

    def test_own_formulas_begin_with_those_of_a_roc_curve(self):
        """A new widget takes the choices of the last one, and formulas belong to their data."""
        for averaging in ("merge", "smooth"):
            kept = {"preset": USER, "averaging": averaging}
            self.widget = self.create_widget(OWClassificationCurve, stored_settings=kept)
            self.send(heart())
            assert self.widget.y_box.text() == "TPR"
            assert self.widget.drawn is not None

    def test_the_context_of_other_classes_is_its_own(self):
        self.write("age", "eCA")
        self.widget.controls.selected_classifiers.item(1).setSelected(False)
        self.send(iris())
        assert self.widget.selected_classifiers == [0]
        self.send(heart())
        assert self.widget.y_box.text() == "eCA"
        assert self.widget.selected_classifiers == [0]

    def test_test_sets_of_another_sampling_are_all_used(self):
        kept, table = self.data.models, Table("heart_disease")
        for sampling in (LeaveOneOut(), CrossValidation(k=5, random_state=0)):
            results = sampling(table[::6], [MajorityLearner(), MajorityLearner()])
            results.learner_names = list(kept)
            self.send(results)
            assert self.widget.selected_folds == list(range(len(self.data.folds)))
            assert not self.widget.Warning.nothing_selected.is_shown()
        self.widget.controls.selected_folds.item(3).setSelected(False)
        self.wait_until_finished()
        self.send(heart())
        assert self.widget.selected_folds == [0, 1, 2, 4, 5, 6, 7, 8, 9]

    def test_settings_of_another_version_are_migrated(self):
        settings = {"preset": "gone", "averaging": "merge", "band": 3, "rows_wanted": 9}
        OWClassificationCurve.migrate_settings(settings, None)
        assert settings == {"averaging": "merge"}

    def test_contexts_of_another_version_are_migrated(self):
        context = SimpleNamespace(values={"formulas": {"x": "FPR", "colour": "red"}})
        OWClassificationCurve.migrate_context(context, None)
        assert context.values == {"formulas": {"x": "FPR"}}

    def test_a_majority_classifier_has_its_curve(self):
        self.send(heart(learners=(MajorityLearner,), separate=True))
        assert self.lines[0].area == 0.5

    def test_save_graph(self):
        buttons = self.widget.controlArea.findChildren(QPushButton)
        button = next(one for one in buttons if one.text() == "Save Graph")
        assert not self.widget.tabs.isAncestorOf(button)
        for writer in self.widget.graph_writers:
            path = Path(self.enterContext(TemporaryDirectory())) / f"curve{writer.EXTENSIONS[0]}"
            with patch(
                "orangewidget.utils.filedialogs.open_filename_dialog_save",
                return_value=(str(path), writer, ""),
            ):
                button.click()
            assert path.stat().st_size > 1000, writer
            if writer is ChartSvg:
                assert "false positive rate" in path.read_text("utf-8")

    def test_report(self):
        self.widget.send_report()
        assert "ROC curve" in self.widget.report_html
