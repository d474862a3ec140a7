import pickle

import numpy as np
import pytest
from Orange.base import Model
from Orange.classification import (
    LogisticRegressionLearner,
    MajorityLearner,
    NaiveBayesLearner,
    TreeLearner,
)
from Orange.data import Domain, Table
from Orange.data.variable import DiscreteVariable
from Orange.evaluation import CrossValidation, TestOnTestData
from Orange.regression import LinearRegressionLearner

import plumbline as pb
from plumbline_orange.models import (
    RecalibratedLearner,
    RecalibratedModel,
    held_out_predictions,
    threshold_classifier,
)


@pytest.fixture(scope="module")
def heart():
    data = Table("heart_disease")
    return data[::2], data[1::2]


@pytest.fixture(scope="module")
def iris():
    data = Table("iris")
    return data[::2], data[1::2]


def recalibrated(train, held_out, method="platt", learner=NaiveBayesLearner):
    model = learner()(train)
    data = held_out_predictions(model, held_out)
    return RecalibratedModel(model, pb.recalibrate(data, method))


@pytest.mark.parametrize("method", ["platt", "isotonic", "temperature", "none"])
@pytest.mark.parametrize("rows", ["heart", "iris"])
def test_the_probabilities_are_the_maps_of_the_models(request, rows, method):
    train, held_out = request.getfixturevalue(rows)
    model = recalibrated(train, held_out, method)
    before = model.base_model(held_out, Model.Probs)
    values, after = model(held_out, Model.ValueProbs)
    assert np.array_equal(after, model.recalibration.transform(before))
    assert np.array_equal(values, after.argmax(axis=1))
    assert np.array_equal(values, model(held_out))
    assert np.array_equal(model.predict_proba(held_out), after)


def test_the_predictions_are_those_of_orange(heart):
    train, held_out = heart
    results = TestOnTestData()(train, held_out, [NaiveBayesLearner()])
    data = held_out_predictions(NaiveBayesLearner()(train), held_out)
    theirs = pb.Predictions.from_orange(results)
    assert np.array_equal(data.prob, theirs.prob)
    assert pb.log_loss(data) == pb.log_loss(theirs)


def test_a_model_keeps_domain_class_and_name_and_pickles(heart):
    model = recalibrated(*heart)
    again = pickle.loads(pickle.dumps(model))  # noqa: S301
    assert model.name == "naive bayes (recalibrated)"
    assert model.domain is model.base_model.domain
    assert again.domain.class_var.values == heart[0].domain.class_var.values
    assert np.allclose(again(heart[1], Model.Probs), model(heart[1], Model.Probs), atol=1e-14)


def test_one_row_and_rows_without_a_class_are_predicted(heart):
    model = recalibrated(*heart)
    every = model(heart[1], Model.Probs)
    assert np.allclose(model(heart[1][0], Model.Probs), every[0])
    bare = heart[1].transform(Domain(heart[1].domain.attributes))
    assert np.array_equal(model(bare, Model.Probs), every)


def test_classes_in_another_order_are_told_apart_by_name(iris):
    train, held_out = iris
    turned = DiscreteVariable("iris", values=iris[0].domain.class_var.values[::-1])
    other = held_out.transform(Domain(held_out.domain.attributes, turned))
    model = recalibrated(train, held_out)
    same = recalibrated(train, other)
    assert np.array_equal(same(held_out, Model.Probs), model(held_out, Model.Probs))
    assert np.allclose(model(other, Model.Probs), model(held_out, Model.Probs)[:, ::-1])


def test_a_class_without_rows_keeps_its_column(iris):
    train, held_out = iris
    two = held_out[held_out.Y != 2]
    model = recalibrated(train, two, "temperature")
    prob = model(held_out, Model.Probs)
    assert prob.shape == (len(held_out), 3)
    assert np.allclose(prob.sum(axis=1), 1)


def test_rows_without_class_or_weight_do_not_count(heart):
    train, held_out = heart
    model = NaiveBayesLearner()(train)
    missing = held_out.copy()
    with missing.unlocked():
        missing.Y[:10] = np.nan
    assert held_out_predictions(model, missing).n == len(held_out) - 10
    with missing.unlocked():
        missing.set_weights(0.5)
    assert held_out_predictions(model, missing).effective_n == pytest.approx(len(held_out) - 10)


def test_models_of_numbers_and_other_classes_are_refused(heart):
    housing = Table("housing")
    with pytest.raises(pb.InputError, match="does not predict one categorical class"):
        held_out_predictions(LinearRegressionLearner()(housing), housing)
    with pytest.raises(pb.InputError, match="class variable 'diameter narrowing'"):
        held_out_predictions(NaiveBayesLearner()(heart[0]), Table("iris"))
    with pytest.raises(pb.InputError, match="no row"):
        held_out_predictions(NaiveBayesLearner()(heart[0]), heart[1][:0])


def test_a_learner_splits_inside_and_works_in_a_cross_validation():
    data = Table("heart_disease")
    learner = RecalibratedLearner(NaiveBayesLearner(), "platt")
    results = CrossValidation(k=3)(data, [NaiveBayesLearner(), learner])
    assert not any(results.failed)
    assert not np.allclose(*results.probabilities)
    model = learner(data)
    inside = CrossValidation(k=5)(data, [NaiveBayesLearner()])
    expected = pb.recalibrate(pb.Predictions.from_orange(inside), "platt")
    before = NaiveBayesLearner()(data)(data, Model.Probs)
    assert np.array_equal(model(data, Model.Probs), expected.transform(before))
    assert model.name == learner.name == "naive bayes (recalibrated)"
    assert model.original_domain == data.domain


def test_a_learner_chooses_and_passes_refusals_on():
    learner = RecalibratedLearner(MajorityLearner())
    assert learner(Table("heart_disease")).recalibration.method == "none"
    reason = learner.incompatibility_reason(Table("housing").domain)
    assert reason == "Categorical class variable expected."
    broken = RecalibratedLearner(LogisticRegressionLearner(C=-1))
    with pytest.raises(ValueError, match="C"):
        broken(Table("heart_disease"))


@pytest.mark.parametrize("target", [0, 1])
@pytest.mark.parametrize("learner", [NaiveBayesLearner, TreeLearner])
def test_a_threshold_classifier_decides_as_the_curve_does(heart, learner, target):
    results = TestOnTestData(store_models=True)(*heart, [MajorityLearner(), learner()])
    prob = results.probabilities[1][:, target]
    for threshold in np.unique(prob):
        model = threshold_classifier(results, 1, target, threshold)
        assert np.array_equal(model(heart[1]) == target, prob >= threshold)
    again = pickle.loads(pickle.dumps(model))  # noqa: S301
    assert np.array_equal(again(heart[1]), model(heart[1]))
    assert model.name.endswith(f", {target} from {threshold:.3g}")


def test_without_one_model_the_reason_is_given(iris):
    data = Table("heart_disease")
    learners = [NaiveBayesLearner()]
    folds = CrossValidation(k=3, store_models=True)(data, learners)
    assert "Each of the 3 folds" in threshold_classifier(folds, 0, 1, 0.5)
    bare = TestOnTestData()(data, data, learners)
    assert "no models" in threshold_classifier(bare, 0, 1, 0.5)
    three = TestOnTestData(store_models=True)(*iris, learners)
    assert "two classes" in threshold_classifier(three, 0, 1, 0.5)
