"""The widget Reliability Diagram: its numbers are the library's, its inputs are all kinds."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import QPointF, Qt
from AnyQt.QtTest import QTest
from Orange.classification import NaiveBayesLearner, TreeLearner
from Orange.data import Table
from Orange.evaluation import CrossValidation, LeaveOneOut, ShuffleSplit
from Orange.widgets.tests.base import WidgetTest

import plumbline as pb
from plumbline_orange.base import heard
from plumbline_orange.tables import predictions_table
from plumbline_orange.widgets.owreliabilitydiagram import OWReliabilityDiagram

NAMES = ["Naive Bayes", "Tree"]
WAIT = 60_000


@cache
def evaluated(name="heart_disease", *, models=1, stored=True, kind=CrossValidation):
    """Return results of Orange's own learners on one of its data sets."""
    learners = [NaiveBayesLearner(), TreeLearner()][:models]
    params = {"k": 10, "random_state": 0} if kind is CrossValidation else {}
    if kind is ShuffleSplit:
        params = {"n_resamples": 5, "random_state": 0}
    results = kind(store_data=stored, **params)(Table(name), learners)
    results.learner_names = NAMES[:models]
    return results


class DiagramTest(WidgetTest):
    """A widget, and what its tests do with it."""

    def setUp(self):
        """Make the widget."""
        self.widget = self.create_widget(OWReliabilityDiagram)

    def show_results(self, results):
        """Send results and wait for what is said of them; return their predictions."""
        self.send_signal(self.widget.Inputs.evaluation_results, results)
        self.wait_until_finished(timeout=WAIT)
        return heard(lambda: pb.Predictions.from_orange(results))[0]

    def change(self, **settings):
        """Change controls, and wait."""
        for name, value in settings.items():
            setattr(self.widget, name, value)
        self.widget._changed()
        self.wait_until_finished(timeout=WAIT)

    def output(self, name):
        """Return an output as one dictionary a row."""
        table = self.get_output(getattr(self.widget.Outputs, name))
        if table is None:
            return None
        names = [one.name for one in (*table.domain.variables, *table.domain.metas)]
        return [{name: row[name] for name in names} for row in table]


def numbers(rows, name):
    """Return a column of an output."""
    return np.array([float(row[name]) for row in rows])


class TestNumbers(DiagramTest):
    """Every number is the library's."""

    def test_bins_and_scores(self):
        """The diagram, the error with its interval and the test, of every model."""
        data = self.show_results(evaluated(models=2))
        bins, scores = self.output("bins"), self.output("scores")
        for model, one in data.by_model().items():
            own = [row for row in bins if row["model"] == model]
            curve = pb.reliability_curve(one, view="one-vs-rest:1")
            for name in ("mean_probability", "outcome_share", "band_low", "band_high", "count"):
                assert numbers(own, name).tolist() == [row[name] for row in curve.bins]
            (row,) = (row for row in scores if row["model"] == model)
            error = pb.calibration_error(one, view="one-vs-rest:1", interval=True)
            test = pb.calibration_test(one)
            assert float(row["value"]) == error.value
            assert float(row["null_mean"]) == error.null_mean
            assert float(row["interval_high"]) == error.interval_range[1]
            assert float(row["test_p_value"]) == test.p_value
            assert test.verdict in self.widget.text.toPlainText()

    def test_three_classes(self):
        """The most likely class by default, else the target class."""
        data = self.show_results(evaluated("iris"))
        curve = pb.reliability_curve(data)
        found = numbers(self.output("bins"), "mean_probability")
        assert found.tolist() == [row["mean_probability"] for row in curve.bins]
        view = f"one-vs-rest:{data.classes[0]}"
        assert self.widget.view_combo.findData(view) == -1
        self.widget.target_index = 0
        self.widget.selection_changed()
        assert self.widget.view_combo.findData(view) > 0
        self.change(view=view)
        found = numbers(self.output("bins"), "outcome_share")
        curve = pb.reliability_curve(data, view=view)
        assert found.tolist() == [row["outcome_share"] for row in curve.bins]
        whole = pb.calibration_test(data)  # one verdict a model, whatever view is drawn
        text = self.widget.text.toPlainText()
        assert whole.verdict in text
        assert whole.step.text in text

    def test_another_target(self):
        """The view goes with the target class; of two classes it stays the default."""
        data = self.show_results(evaluated("iris"))
        self.change(view=f"one-vs-rest:{data.classes[2]}")
        self.widget.target_index = 1
        self.widget.selection_changed()
        self.wait_until_finished(timeout=WAIT)
        assert self.widget.question.view == f"one-vs-rest:{data.classes[1]}"
        assert self.widget.view_combo.currentData() == self.widget.view
        self.show_results(evaluated())
        assert self.widget.question.view == "one-vs-rest:1"
        self.widget.target_index = 0
        self.widget.selection_changed()
        self.wait_until_finished(timeout=WAIT)
        assert self.widget.question.view == "one-vs-rest:0"
        assert "ECE of '0'" in self.widget.text.toPlainText()

    def test_every_view(self):
        """Every view on offer has its diagram, its test and its error."""
        self.show_results(evaluated("iris"))
        combo = self.widget.view_combo
        for place in range(combo.count()):
            self.change(view=combo.itemData(place))
            assert not self.widget.Warning.active
            (row,) = self.output("scores")
            assert np.isfinite(float(row["test_p_value"]))

    def test_every_kind_of_bins(self):
        """All bins on offer can be drawn."""
        self.show_results(evaluated())
        combo = self.widget.bins_combo
        for place in range(combo.count()):
            self.change(bins=combo.itemData(place))
            assert not self.widget.Warning.active
            assert len(self.output("bins")) > 1

    def test_isotonic(self):
        """Isotonic bins are the CORP curve."""
        data = self.show_results(evaluated())
        self.change(bins="isotonic")
        curve = pb.corp_curve(data, view="one-vs-rest:1")
        found = numbers(self.output("bins"), "probability")
        assert found.tolist() == [row["probability"] for row in curve.steps]
        assert not self.widget.count_spin.isEnabled()
        assert "miscalibration" in self.widget.text.toPlainText()

    def test_groups(self):
        """Groups have adjusted p-values."""
        data = self.show_results(evaluated())
        self.change(by="gender")
        groups = pb.calibration_by(data, "gender", view="one-vs-rest:1")
        found = self.output("groups")
        assert numbers(found, "adjusted_p_value").tolist() == [
            row["adjusted_p_value"] for row in groups.groups
        ]
        assert groups.verdict in self.widget.text.toPlainText()

    def test_a_diagram_for_each_group(self):
        """Each group has its panel, with its own rows to choose."""
        data = self.show_results(evaluated())
        self.change(by="gender", apart=True)
        panels = self.widget.chart.panels
        groups = pb.binning.group_rows(data, "gender")
        assert [one.title for one in panels[1:]] == [f"gender: {name}" for name, _ in groups]
        for panel, (name, rows) in zip(panels[1:], groups, strict=True):
            curve = pb.reliability_curve(data.select(where=rows), view="one-vs-rest:1")
            assert list(panel.diagrams[0].bins) == list(curve.bins)
            own = [row for row in self.output("bins") if row["group"] == name]
            assert numbers(own, "count").sum() == len(rows)
        self.widget.chart.select([(2, 0, 0)])
        chosen = self.get_output(self.widget.Outputs.selected_data)
        assert len(chosen) == panels[2].diagrams[0].bins[0]["count"]
        assert {str(row["gender"]) for row in chosen} == {groups[1][0]}
        self.change(apart=False)
        assert len(self.widget.chart.panels) == 1

    def test_recalibrated(self):
        """Before and after stand side by side; after is cross-fitted."""
        data = self.show_results(evaluated())
        self.change(recalibrated=True, method="temperature")
        effect = pb.recalibration_effect("temperature", data)
        after = pb.reliability_curve(effect.after, view="one-vs-rest:1")
        rows = [row for row in self.output("bins") if row["recalibration"] == "temperature"]
        assert numbers(rows, "outcome_share").tolist() == [r["outcome_share"] for r in after.bins]
        assert len(self.widget.chart.panels) == 2
        assert effect.verdict in self.widget.text.toPlainText()
        self.change(recalibrated=False)
        assert len(self.widget.chart.panels) == 1

    def test_power(self):
        """The power at this number of rows, and the rows needed."""
        data = self.show_results(evaluated("iris"))
        widget = self.widget
        widget.effect_combo.setCurrentIndex(widget.effect_combo.findData("random-labels"))
        widget.effect_combo.activated.emit(widget.effect_combo.currentIndex())
        assert widget.effect_size == 0.05
        self.change(planning=True, effect_size=0.4, statistic="brier-score")
        plan = pb.plan(data, "random-labels:0.4", statistic="brier-score")
        assert plan.verdict in widget.text.toPlainText()

    def test_auto(self):
        """The best method for these rows is that of the advice."""
        data = self.show_results(evaluated())
        self.change(recalibrated=True)
        advice = pb.recalibration_advice(data, parts=5)
        scores = self.output("scores")
        assert [str(row["recalibration"]) for row in scores] == ["none", advice.chosen]
        loss = pb.log_loss(self.widget.found[1].data)
        assert loss == pb.log_loss(advice.recalibrated)
        assert advice.present().summary in self.widget.text.toPlainText()

    def test_auto_changes_nothing(self):
        """Where nothing is to be recalibrated there is no diagram after it."""
        rng = np.random.default_rng(0)
        p = rng.uniform(size=400)
        data = pb.Predictions.from_arrays(rng.uniform(size=400) < p, p)
        self.send_signal(self.widget.Inputs.predictions, predictions_table(data))
        self.change(recalibrated=True)
        advice = pb.recalibration_advice(data, parts=5)
        assert advice.chosen == "none"
        assert len(self.widget.chart.panels) == 1
        assert advice.present().summary in self.widget.text.toPlainText()


class TestWork(DiagramTest):
    """Work in the background."""

    def test_stopped(self):
        """What was known when it was stopped stays; nothing else comes."""
        self.show_results(evaluated())
        self.widget.planning = True
        self.widget._changed()
        assert self.widget.stop_button.isEnabled()
        self.widget.stop_button.click()
        assert not self.widget.stop_button.isEnabled()
        assert self.widget.task is None

    def test_known_results_are_kept(self):
        """Another view is computed once; what is known is not computed again."""
        self.show_results(evaluated())
        before = dict(self.widget._known)
        self.change(bins="equal-size")
        self.change(bins="equal-width")
        now = self.widget._known
        assert all(now[key] is value for key, value in before.items())
        assert len(now) == len(before) + 2

    def test_apply(self):
        """Without automatic computation controls wait for Apply."""
        self.show_results(evaluated())
        widget = self.widget
        widget.controls.auto_apply.click()
        widget.bin_count = 4
        widget._changed()
        self.wait_until_finished(timeout=WAIT)
        assert len(self.output("bins")) > 4
        widget.commit.now()
        self.wait_until_finished(timeout=WAIT)
        assert len(self.output("bins")) == 4

    def test_refused(self):
        """What the library refuses for some is a warning; the rest is shown."""
        data = Table("heart_disease")[:40]
        results = CrossValidation(k=5, store_data=True)(data, [NaiveBayesLearner()])
        self.show_results(results)
        self.widget.by_combo.addItem("no such", "no such")
        self.change(by="no such")
        assert self.widget.Warning.notes.is_shown()
        assert len(self.output("scores")) == 1


class TestInputs(DiagramTest):
    """All kinds of results."""

    def test_leave_one_out(self):
        """Folds of one row, of which each lacks a class."""
        self.show_results(evaluated("iris", kind=LeaveOneOut))
        assert sum(numbers(self.output("bins"), "count")) == 150

    def test_no_stored_data(self):
        """Without data the chosen rows are predictions."""
        self.show_results(evaluated(stored=False))
        assert self.widget.by_combo.count() == 1
        self.widget.chart.select([(0, 0, 0)])
        table = self.get_output(self.widget.Outputs.selected_data)
        assert len(table) == self.output("bins")[0]["count"]

    def test_repeated_rows(self):
        """Rows that were drawn several times are chosen once, and warned of."""
        self.show_results(evaluated(kind=ShuffleSplit))
        assert "examples" in str(self.widget.Warning.notes)
        self.widget.chart.select([(0, 0, b) for b in range(15)])
        table = self.get_output(self.widget.Outputs.selected_data)
        assert len(table) == len(set(table.ids))

    def test_one_class(self):
        """Rows of one class have a diagram, too."""
        heart = Table("heart_disease")
        sick = heart[heart.Y == 1]
        results = CrossValidation(k=5, store_data=True)(sick, [NaiveBayesLearner()])
        self.show_results(results)
        assert not self.widget.Error.active
        assert len(self.output("bins")) > 0

    def test_everything_at_once(self):
        """Groups, recalibration and power of three classes, left out one by one."""
        self.show_results(evaluated("iris", kind=LeaveOneOut))
        self.change(
            by="petal width",
            apart=True,
            recalibrated=True,
            method="temperature",
            planning=True,
            effect="random-labels",
            effect_size=0.4,
            statistic="brier-score",
            bins="isotonic",
        )
        assert not self.widget.Warning.notes.is_shown()
        assert len(self.widget.chart.panels) == 2 + len(self.output("groups"))
        assert len(self.output("scores")) == 2

    def test_one_class_is_not_recalibrated(self):
        """Why there is no recalibration is a warning; the diagram stays."""
        heart = Table("heart_disease")
        sick = heart[heart.Y == 1]
        self.show_results(CrossValidation(k=5, store_data=True)(sick, [NaiveBayesLearner()]))
        self.change(recalibrated=True, method="isotonic")
        assert self.widget.Warning.notes.is_shown()
        assert len(self.widget.chart.panels) == 1

    def test_weights(self):
        """Weights of rows count in bins and errors."""
        heart = Table("heart_disease")
        with heart.unlocked():
            heart.set_weights(2.0)
            heart.W[: len(heart) // 2] = 0.5
        results = CrossValidation(k=5, store_data=True, random_state=0)(
            heart, [NaiveBayesLearner()]
        )
        data = self.show_results(results)
        assert data.weight is not None
        curve = pb.reliability_curve(data, view="one-vs-rest:1")
        found = numbers(self.output("bins"), "outcome_share")
        assert found.tolist() == [row["outcome_share"] for row in curve.bins]
        assert "effective rows" in self.widget.text.toPlainText()

    def test_missing(self):
        """Missing classes and probabilities are left out."""
        results = CrossValidation(k=5, store_data=True)(
            Table("heart_disease"), [NaiveBayesLearner()]
        )
        results.actual = results.actual.copy()
        results.actual[:3] = np.nan
        results.probabilities = results.probabilities.copy()
        results.probabilities[0, 3:5] = np.nan
        self.show_results(results)
        assert sum(numbers(self.output("bins"), "count")) == 298
        assert self.widget.Warning.input_notes.is_shown()

    def test_table(self):
        """A plain table of predictions shows what the results show; chosen rows are its own."""
        results = evaluated()
        data = self.show_results(results)
        bins = self.output("bins")
        table = predictions_table(data)
        self.send_signal(self.widget.Inputs.evaluation_results, None)
        self.send_signal(self.widget.Inputs.predictions, table)
        self.wait_until_finished(timeout=WAIT)
        again = self.output("bins")
        assert numbers(again, "outcome_share").tolist() == numbers(bins, "outcome_share").tolist()
        self.widget.chart.select([(0, 0, 1)])
        chosen = self.get_output(self.widget.Outputs.selected_data)
        assert len(chosen) == bins[1]["count"]
        assert set(chosen.ids) <= set(table.ids)

    def test_nothing(self):
        """What is taken away is shown no more."""
        self.show_results(evaluated())
        self.send_signal(self.widget.Inputs.evaluation_results, None)
        assert self.widget.chart.panels == []
        assert self.output("bins") is self.output("scores") is None
        assert self.widget.text.toPlainText() == ""

    def test_no_model_chosen(self):
        """Without a model nothing is shown."""
        self.show_results(evaluated(models=2))
        self.change(selected_classifiers=[])
        assert self.output("bins") is None


class TestBins(DiagramTest):
    """Bins are chosen by mouse and keys."""

    def test_chosen_rows_are_those_of_the_bin(self):
        """The rows of a bin have its probabilities."""
        data = self.show_results(evaluated())
        chart = self.widget.chart
        chart.select([(0, 0, 2), (0, 0, 4)])
        curve = pb.reliability_curve(data, view="one-vs-rest:1")
        rows = np.sort(data.row[curve.rows_in(data, [2, 4])])
        table = self.get_output(self.widget.Outputs.selected_data)
        assert table.ids.tolist() == self.widget.results.data[rows].ids.tolist()
        chart.select([])
        assert self.get_output(self.widget.Outputs.selected_data) is None

    def test_kept_without_the_band(self):
        """Hiding the band keeps the chosen bins; other bins choose none."""
        self.show_results(evaluated())
        self.widget.chart.select([(0, 0, 2)])
        self.widget.band_check.click()
        assert self.widget.chart.selected == {(0, 0, 2)}
        assert not self.widget.chart.band
        assert self.get_output(self.widget.Outputs.selected_data) is not None
        self.change(bin_count=5)
        assert self.widget.chart.selected == set()
        assert self.widget.selected_bins == []
        assert self.get_output(self.widget.Outputs.selected_data) is None

    def test_after_recalibration(self):
        """Bins after recalibration are those of the recalibrated probabilities."""
        data = self.show_results(evaluated())
        self.change(recalibrated=True, method="temperature")
        self.widget.chart.select([(1, 0, 2)])
        after = pb.recalibration_effect("temperature", data).after
        curve = pb.reliability_curve(after, view="one-vs-rest:1")
        rows = np.sort(data.row[curve.rows_in(after, [2])])
        table = self.get_output(self.widget.Outputs.selected_data)
        assert table.ids.tolist() == self.widget.results.data[rows].ids.tolist()

    def test_mouse_and_keys(self):
        """The nearest bin is found; arrows go on; Escape chooses none."""
        self.show_results(evaluated())
        chart = self.widget.chart
        self.widget.resize(1000, 700)
        self.widget.grab()
        main, below = chart._plots[0]
        row = chart.panels[0].diagrams[0].bins[3]
        at = main.vb.mapViewToScene(QPointF(row["mean_probability"], row["outcome_share"]))
        assert chart.bin_at(at) == (0, 0, 3)
        text = chart.read_out((0, 0, 3))
        assert f"rows: {row['count']}" in text
        assert "if calibrated" in text
        at = below.vb.mapViewToScene(QPointF((row["lowest"] + row["highest"]) / 2, 0))
        assert chart.bin_at(at) == (0, 0, 3)
        chart.select([(0, 0, 3)])
        QTest.keyClick(chart, Qt.Key_Right)
        assert chart.selected == {(0, 0, 4)}
        QTest.keyClick(chart, Qt.Key_Left, Qt.ShiftModifier)
        assert chart.selected == {(0, 0, 4), (0, 0, 3)}
        QTest.keyClick(chart, Qt.Key_Escape)
        assert chart.selected == set()

    def test_axes_and_bars_are_those_of_the_data(self):
        """Axes show what the points need, bars end at their scores, bands have their colours."""
        self.show_results(evaluated(models=2))
        chart = self.widget.chart
        (main, below), panel = chart._plots[0], chart.panels[0]
        for plot, side in ((main, 0), (below, 0)):
            np.testing.assert_allclose(plot.vb.viewRange()[side], panel.limits[0], atol=1e-6)
        for place, diagram in enumerate(panel.diagrams):
            left, right = chart._slots(diagram.bins, 0, place)
            rows = diagram.bins
            assert (right <= np.array([row["highest"] for row in rows]) + 0.01).all()
            assert (left >= np.array([row["lowest"] for row in rows]) - 0.01).all()
        bands = [one for one in chart._entries() if one.kind == "area"]
        assert len({one.color.name() for one in bands}) == len(panel.diagrams)


class TestSettings(DiagramTest):
    """Settings, contexts, reports."""

    def test_kept(self):
        """Settings and the view come back with the data."""
        results = evaluated()
        self.show_results(results)
        self.change(view="top-label", bins="equal-size", bin_count=7, by="gender")
        self.widget.chart.select([(0, 0, 2)])
        stored = self.widget.settingsHandler.pack_data(self.widget)
        again = self.create_widget(OWReliabilityDiagram, stored_settings=stored)
        self.send_signal(again.Inputs.evaluation_results, results, widget=again)
        self.wait_until_finished(again, timeout=WAIT)
        assert again.question == self.widget.question
        assert again.question.bins == "equal-size:7"
        assert again.view_combo.currentData() == "top-label"
        assert again.chart.selected == {(0, 0, 2)}

    def test_migrated(self):
        """Bins of another version become the usual ones."""
        old = {"bins": "quantiles", "bin_count": 9}
        OWReliabilityDiagram.migrate_settings(old, 0)
        assert old == {"bin_count": 9}
        widget = self.create_widget(OWReliabilityDiagram, stored_settings={"bins": "no-such"})
        assert widget.bins == "equal-width"

    def test_saved(self):
        """The picture is saved in every format."""
        self.show_results(evaluated())
        for writer in self.widget.graph_writers:
            path = Path(self.enterContext(TemporaryDirectory())) / f"chart{writer.EXTENSIONS[0]}"
            with patch(
                "orangewidget.utils.filedialogs.open_filename_dialog_save",
                return_value=(str(path), writer, ""),
            ):
                self.widget.save_graph()
            assert path.stat().st_size > 1000, writer

    def test_report(self):
        """The report has the picture, the verdict and the settings."""
        data = self.show_results(evaluated())
        self.widget.send_report()
        html = self.widget.report_html
        assert "<img" in html
        assert pb.calibration_test(data).verdict.split("(")[0] in html
        assert "Equal width, 15" in html


def test_selected_predictions_are_a_table():
    """The table of predictions can be read back."""
    data = pb.Predictions.from_orange(evaluated(stored=False))
    assert len(predictions_table(data)) == data.n
