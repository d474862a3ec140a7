import pickle
from unittest.mock import Mock, patch

import numpy as np
from Orange.base import Model
from Orange.classification import (
    LinearSVMLearner,
    MajorityLearner,
    NaiveBayesLearner,
    TreeLearner,
)
from Orange.data import Table
from Orange.evaluation import CrossValidation, TestOnTestData
from Orange.regression import LinearRegressionLearner
from Orange.widgets.evaluate.owpredictions import OWPredictions
from Orange.widgets.evaluate.owtestandscore import OWTestAndScore
from Orange.widgets.tests import base

import plumbline as pb
from plumbline_orange.models import RecalibratedModel, held_out_predictions
from plumbline_orange.widgets import owrecalibrate
from plumbline_orange.widgets.owrecalibrate import OWRecalibrate


class TestRecalibrate(base.WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.heart, cls.iris, cls.housing = map(Table, ("heart_disease", "iris", "housing"))
        cls.train, cls.held_out, cls.test = (cls.heart[start::3] for start in range(3))
        cls.bayes = NaiveBayesLearner()(cls.train)

    def setUp(self):
        self.widget = self.create_widget(OWRecalibrate)

    def give(self, **inputs):
        signals = [(getattr(self.widget.Inputs, name), value) for name, value in inputs.items()]
        self.send_signals(signals)
        self.wait_until_finished(timeout=60000)

    def choose(self, method):
        self.widget.choose_method(method)
        self.wait_until_finished(timeout=60000)

    def output(self, name="model"):
        return self.get_output(getattr(self.widget.Outputs, name))

    def test_the_advised_map_is_fitted_and_its_model_sent(self):
        self.give(model=self.bayes, data=self.held_out)
        data = held_out_predictions(self.bayes, self.held_out)
        advice = pb.recalibration_advice(data)
        assert self.widget.answer.fitted.method == advice.chosen == "temperature"
        expected = pb.recalibrate(data, advice.chosen)
        before = self.bayes(self.test, Model.Probs)
        model = self.output()
        assert np.array_equal(model(self.test, Model.Probs), expected.transform(before))
        assert model.name == "naive bayes (recalibrated)"
        assert advice.verdict in self.widget.summary.text()
        table = self.output("advice")
        assert np.allclose(
            table.get_column("log_loss_difference"),
            np.array([row["log_loss_difference"] for row in advice.rows()], float),
            equal_nan=True,
        )

    def test_a_chosen_method_reuses_the_advice(self):
        self.give(model=self.bayes, data=self.held_out)
        with patch.object(owrecalibrate.pb, "recalibration_advice", Mock(side_effect=KeyError)):
            self.choose("platt")
        assert self.output().recalibration.method == "platt"
        assert self.widget.methods_table.selectedItems()[0].text() == "platt"
        row = next(one for one in self.widget.answer.advice.methods if one.method == "platt")
        assert f"log loss {row.log_loss_difference:.3g} (95 % CI" in self.widget.summary.text()
        lines = self.widget.answer.fitted.lines()
        drawn = self.widget.chart.map_plot.listDataItems()[-1]
        assert np.array_equal(drawn.yData, lines.y["1"])

    def test_the_table_leads_with_differences_and_a_row_fits_its_method(self):
        self.give(model=self.bayes, data=self.held_out)
        table = self.widget.methods_table
        heads = [table.horizontalHeaderItem(place).text() for place in range(table.columnCount())]
        assert heads[:6] == [
            "method",
            "log loss difference",
            "95 % CI",
            "Brier difference",
            "Brier 95 % CI",
            "helps",
        ]
        names = [table.item(row, 0).text() for row in range(table.rowCount())]
        table.itemActivated.emit(table.item(names.index("isotonic"), 3))
        self.wait_until_finished(timeout=60000)
        assert self.output().recalibration.method == "isotonic"
        table.itemActivated.emit(table.item(names.index("as it is"), 0))
        assert self.widget.method == "isotonic"

    def test_test_data_measure_the_change_on_other_rows(self):
        self.give(model=self.bayes, data=self.held_out, test_data=self.test)
        effect = pb.recalibration_effect(
            self.output().recalibration, held_out_predictions(self.bayes, self.test)
        )
        assert effect.honest
        assert effect.verdict.replace("<", "&lt;") in self.widget.summary.text()
        shown = [self.widget.effect_table.item(row, 3).text() for row in range(2)]
        assert shown == effect.present().tables[0].columns["difference"][:2]

    def test_rows_of_the_map_are_no_test_data(self):
        self.give(model=self.bayes, data=self.held_out, test_data=self.held_out)
        assert "Use other rows." in str(self.widget.Warning.missing)
        assert "resubstitution" not in str(self.widget.Warning.missing)
        assert self.widget.answer.effect is None
        assert self.output() is not None

    def test_three_classes_have_a_line_each(self):
        model = NaiveBayesLearner()(self.iris[::2])
        self.widget.choose_method("vector")
        self.give(model=model, data=self.iris[1::2])
        names = [entry.text for entry in self.widget.chart.legend.entries]
        assert names == [*self.iris.domain.class_var.values, "unchanged"]
        assert self.output()(self.iris, Model.Probs).shape == (150, 3)

    def test_a_class_without_rows(self):
        model = NaiveBayesLearner()(self.iris[::2])
        self.widget.choose_method("temperature")
        self.give(model=model, data=self.iris[:100:2])
        assert self.output()(self.iris, Model.Probs).shape == (150, 3)

    def test_advice_against_a_map_leaves_the_model_as_it_is(self):
        model = NaiveBayesLearner()(self.iris[::2])
        self.give(model=model, data=self.iris[1::2])
        assert self.widget.answer.advice.chosen == "none"
        assert self.widget.Information.unchanged.is_shown()
        assert self.output() is model

    def test_models_of_numbers_and_other_data_are_refused(self):
        self.give(model=LinearRegressionLearner()(self.housing), data=self.housing)
        assert self.widget.Error.failed.is_shown()
        assert self.output() is None
        self.give(model=self.bayes, data=self.iris)
        assert "diameter narrowing" in str(self.widget.Error.failed)
        self.give(model=self.bayes, data=self.held_out)
        assert not self.widget.Error.failed.is_shown()

    def test_a_model_without_probabilities_gets_observed_frequencies(self):
        model = LinearSVMLearner()(self.train)
        self.give(model=model, data=self.held_out)
        before, after = (one(self.test, Model.Probs) for one in (model, self.output()))
        assert set(before.ravel()) == {0, 1}
        assert 0 < after.min() < after.max() < 1

    def test_few_rows_get_a_map_without_advice(self):
        rows = self.held_out[:3]
        self.give(model=self.bayes, data=rows)
        assert "every method needs 5 rows of every class" in str(self.widget.Error.failed)
        assert self.output() is None
        self.choose("temperature")
        assert not self.widget.Error.failed.is_shown()
        assert "every method needs 5 rows of every class" in str(self.widget.Warning.missing)
        assert self.output().recalibration.n == 3
        assert self.output("advice") is None
        self.give(data=self.held_out[self.held_out.Y == 1])
        assert "use rows of every class" in str(self.widget.Error.failed)

    def test_rows_that_the_model_was_fitted_on_are_warned_of(self):
        self.give(model=self.bayes, data=self.train[:20])
        assert "Data: the model was fitted on 20 of 20 rows" in str(self.widget.Warning.fitted_rows)
        self.give(data=self.held_out, test_data=self.heart)
        assert "Test Data: the model was fitted on 101 of 303" in str(
            self.widget.Warning.fitted_rows
        )
        self.give(test_data=self.test)
        assert not self.widget.Warning.fitted_rows.is_shown()

    def test_repeated_rows_are_one_example(self):
        drawn = np.random.default_rng(0).integers(0, len(self.held_out), 100)
        self.give(model=self.bayes, data=self.held_out[drawn])
        assert f"100 rows of {len(set(drawn))} examples" in str(self.widget.Warning.notes)

    def test_evaluation_results_serve_as_held_out_rows(self):
        learners = [MajorityLearner(), NaiveBayesLearner()]
        results = CrossValidation(k=5, store_data=True)(self.heart, learners)
        results.learner_names = ["majority", "naive bayes"]
        model = NaiveBayesLearner()(self.heart)
        self.widget.choose_method("platt")
        self.give(evaluation_results=results, model=model)
        data = pb.Predictions.from_orange(results).select(model="naive bayes")
        expected = pb.recalibrate(data, "platt").transform(model(self.heart, Model.Probs))
        assert np.array_equal(self.output()(self.heart, Model.Probs), expected)
        self.give(model=None)
        assert "Each of the 5 folds" in str(self.widget.Information.no_model)
        assert self.output() is None
        assert self.output("advice") is not None

    def test_results_with_one_model_need_no_model(self):
        results = TestOnTestData(store_models=True, store_data=True)(
            self.train, self.held_out, [MajorityLearner(), NaiveBayesLearner()]
        )
        results.learner_names = ["majority", "naive bayes"]
        self.widget.choose_method("platt")
        self.give(evaluation_results=results)
        assert self.output().base_model is results.models[0, 0]
        self.widget.selected_classifiers = [1]
        self.widget.selection_changed()
        self.wait_until_finished(timeout=60000)
        assert self.output().base_model is results.models[0, 1]
        self.give(evaluation_results=None)
        assert self.output() is None
        self.give(evaluation_results=results)
        assert self.widget.selected_classifiers == [1]

    def test_results_and_model_of_other_classes(self):
        results = CrossValidation(k=3)(self.iris, [NaiveBayesLearner()])
        self.give(evaluation_results=results, model=self.bayes)
        assert "the results are of Iris-setosa" in str(self.widget.Error.failed)

    def test_a_learner_is_compared_in_a_cross_validation(self):
        self.widget.choose_method("platt")
        self.give(learner=NaiveBayesLearner())
        learner = self.output("learner")
        results = CrossValidation(k=3)(self.heart, [NaiveBayesLearner(), learner])
        assert not any(results.failed)
        data = pb.Predictions.from_orange(results)
        before, after = (pb.log_loss(data.select(model=name)) for name in data.models)
        assert after < before
        self.give(learner=None)
        assert self.output("learner") is None

    def test_the_learner_works_in_test_and_score(self):
        self.widget.choose_method("platt")
        self.give(learner=NaiveBayesLearner())
        scores = self.create_widget(OWTestAndScore)
        self.send_signal(scores.Inputs.train_data, self.heart, widget=scores)
        learners = [NaiveBayesLearner(), self.output("learner")]
        for place, learner in enumerate(learners):
            self.send_signal(scores.Inputs.learner, learner, place, widget=scores)
        results = self.get_output(scores.Outputs.evaluations_results, widget=scores, wait=60000)
        assert results.learner_names == ["naive bayes", "naive bayes (recalibrated)"]
        assert not np.isnan(results.probabilities).any()

    def test_the_model_works_in_predictions_and_pickles(self):
        self.widget.choose_method("isotonic")
        self.give(model=TreeLearner()(self.train), data=self.held_out)
        model = pickle.loads(pickle.dumps(self.output()))  # noqa: S301
        assert isinstance(model, RecalibratedModel)
        predictions = self.create_widget(OWPredictions)
        self.send_signal(predictions.Inputs.predictors, model, 1, widget=predictions)
        self.send_signal(predictions.Inputs.data, self.test, widget=predictions)
        results = self.get_output(predictions.Outputs.evaluation_results, widget=predictions)
        assert np.allclose(results.probabilities[0], model(self.test, Model.Probs))

    def test_work_is_cancelled(self):
        self.send_signals(
            [(self.widget.Inputs.model, self.bayes), (self.widget.Inputs.data, self.held_out)]
        )
        assert self.widget.cancel_button.isEnabled()
        self.widget.cancel_button.click()
        assert self.widget.task is None
        assert not self.widget.cancel_button.isEnabled()
        assert self.output() is None
        self.choose("platt")
        assert self.output().recalibration.method == "platt"

    def test_without_auto_apply_a_choice_waits(self):
        self.give(model=self.bayes, data=self.held_out)
        self.widget.controls.auto_apply.click()
        self.widget.choose_method("beta")
        assert self.output().recalibration.method == "temperature"
        self.widget.commit.now()
        self.wait_until_finished(timeout=60000)
        assert self.output().recalibration.method == "beta"

    def test_settings_are_kept_and_migrated(self):
        self.widget.choose_method("beta")
        saved = self.widget.settingsHandler.pack_data(self.widget)
        again = self.create_widget(OWRecalibrate, stored_settings=saved)
        assert again.method_combo.currentText() == "Beta calibration"
        for method in (7, "forgotten"):
            other = self.create_widget(OWRecalibrate, stored_settings={"method": method})
            assert other.method == "auto"
        context = Mock(values={"selected_classifiers": [2, 1]})
        OWRecalibrate.migrate_context(context, None)
        assert context.values == {"selected_classifiers": [2]}

    def test_report_and_picture(self):
        self.widget.send_report()
        self.give(model=self.bayes, data=self.held_out, test_data=self.test)
        self.widget.send_report()
        report = self.widget.report_html
        assert "Recalibrate with temperature scaling" in report
        assert "log loss difference" in report
        assert "<img" in report or "<svg" in report
        self.widget.chart.setPalette(self.widget.palette())
        assert self.widget.chart.score == "log loss"
