"""The scikit-learn twins: same numbers, usable in cross_validate and GridSearchCV."""

import inspect
import re

import numpy as np
import pytest
from sklearn import config_context
from sklearn.calibration import calibration_curve
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, precision_score
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import plumbline as pb
from plumbline.sklearn import (
    MetricScorer,
    ProbabilityScorer,
    adaptive_calibration_error,
    debiased_calibration_error,
    expected_calibration_error,
    maximum_calibration_error,
    neg_expected_calibration_error,
    neg_static_calibration_error,
    reliability_curve,
    root_mean_square_calibration_error,
    smooth_calibration_error,
    static_calibration_error,
    sweep_calibration_error,
)
from refusals import refused


@pytest.mark.parametrize(
    ("strategy", "bins"), [("uniform", pb.EqualWidth), ("quantile", pb.EqualSize)]
)
def test_twins_give_the_librarys_numbers(rng, strategy, bins):
    """The twins are the same measures under scikit-learn's argument names."""
    prob = rng.dirichlet(np.ones(4), 200)
    y, weight = rng.integers(4, size=200), rng.uniform(size=200)
    data = pb.Predictions.from_arrays(y, prob, weight=weight)
    settings = {"n_bins": 7, "strategy": strategy, "sample_weight": weight}
    for twin, view in ((expected_calibration_error, None), (static_calibration_error, "classwise")):
        value = pb.calibration_error(data, view=view, bins=bins(7), resamples=0).value
        assert twin(y, prob, **settings) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("twin", "metric", "bins", "settings"),
    [
        (adaptive_calibration_error, "ace", "equal-size:7", {"n_bins": 7}),
        (maximum_calibration_error, "mce", "equal-size:7", {"n_bins": 7, "strategy": "quantile"}),
        (root_mean_square_calibration_error, "rmsce", "equal-width:7", {"n_bins": 7}),
        (debiased_calibration_error, "debiased-l2", "equal-width:7", {"n_bins": 7}),
        (sweep_calibration_error, "sweep-ece", None, {}),
        (smooth_calibration_error, "smooth-ece", None, {}),
    ],
)
@pytest.mark.parametrize("k", [2, 4])
def test_the_other_twins_are_metrics_of_the_catalogue(rng, k, twin, metric, bins, settings):
    """The same numbers as `measure`, with weights, of two classes and of several."""
    prob = rng.dirichlet(np.ones(k), 200)
    y, weight = rng.integers(k, size=200), rng.uniform(size=200)
    data = pb.Predictions.from_arrays(y, prob, weight=weight)
    value = pb.measure(data, metric, bins=bins, resamples=0)[metric].value
    assert twin(y, prob, sample_weight=weight, **settings) == value


def test_any_metric_scores_a_model():
    """Less is better: negated; more is better: as it is; a target: minus the distance to it."""
    X, y = load_breast_cancer(return_X_y=True)
    model = GaussianNB().fit(X[:300], y[:300])
    data = pb.Predictions.from_estimator(model, X[300:], y[300:])
    for name, expected in {
        "smooth-ece": lambda value: -value,
        "brier-skill-score": lambda value: value,
        "calibration-slope": lambda value: -abs(value - 1),
        "calibration-in-the-large": lambda value: -abs(value),
    }.items():
        value = pb.measure(data, name, resamples=0)[name].value
        assert MetricScorer(name)(model, X[300:], y[300:]) == expected(value)
    with refused(pb.ParameterError, "metric-ranks-no-models", argument="metric"):
        MetricScorer("uncertainty")
    with refused(pb.ParameterError, "unknown-metric"):
        MetricScorer("bogus")
    with refused(pb.ParameterError, "argument-says-nothing"):
        MetricScorer("log-loss", bins=10)
    with refused(pb.ParameterError, "unknown-name", argument="view"):
        ProbabilityScorer(view="bogus")


@pytest.mark.parametrize("make", [lambda: MetricScorer("ece"), lambda: ProbabilityScorer(None)])
def test_weights_reach_a_scorer_as_scikit_learn_routes_them(make):
    """Requested weights count, declined ones do not; weights nobody spoke for are an error."""
    X, y = load_breast_cancer(return_X_y=True)
    weight = np.where(y == 1, 5.0, 0.1)
    model = LogisticRegression(max_iter=10_000)

    def scores(scorer):
        return cross_validate(
            model.set_fit_request(sample_weight=False),
            X[:, :3],
            y,
            scoring=scorer,
            params={"sample_weight": weight},
            cv=KFold(2),
        )

    with config_context(enable_metadata_routing=False):
        with pytest.raises(RuntimeError, match="enable_metadata_routing"):
            model.set_fit_request(sample_weight=False)
        with refused(pb.ParameterError, "routing-disabled"):
            make().set_score_request(sample_weight=True)
    with config_context(enable_metadata_routing=True):
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            scores(make())
        requests = {"yes": True, "no": False}
        each = {name: make().set_score_request(sample_weight=one) for name, one in requests.items()}
        result = scores(each)
    weighted, plain = result["test_yes"], result["test_no"]
    for part, (train, test) in enumerate(KFold(2).split(X)):
        fitted = LogisticRegression(max_iter=10_000).fit(X[train, :3], y[train])
        given = fitted, X[test, :3], y[test]
        assert weighted[part] == pytest.approx(make()(*given, sample_weight=weight[test]))
        assert plain[part] == pytest.approx(make()(*given))
        assert weighted[part] != pytest.approx(plain[part])


ARGUMENT = re.compile(r"`(\w+)(?:=[^`]*)?`")


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_bins": 0},
        {"strategy": "bogus"},
        {"sample_weight": [1, -1, 1]},
        {"sample_weight": [1, 1]},
        {"labels": ["a"]},
        {"pos_label": "bogus"},
        {"y_prob": [[0.2, 0.7], [0.3, 0.3], [0.4, 0.9]]},
        {"y_prob": [0.2, 7, 0.3]},
        {"y_true": ["a", "b", "c"]},
        {"bins": 10},
        {"weight": [1, 1, 1]},
        {"positive": 1},
        {"classes": [0, 1]},
    ],
    ids=str,
)
def test_an_error_names_only_arguments_that_the_function_has(wrong):
    """Whatever is wrong, rule and remedy speak of the function that was called."""
    for twin in (*TWINS, reliability_curve):
        takes = set(inspect.signature(twin).parameters)
        if not set(wrong) <= takes | {"bins", "weight", "positive", "classes"}:
            continue
        with pytest.raises(pb.PlumblineError) as caught:
            twin(**{"y_true": [0, 1, 1], "y_prob": [0.2, 0.6, 0.7]} | wrong)
        assert set(ARGUMENT.findall(str(caught.value))) <= takes | set(wrong), twin.__name__


def test_the_curve_equals_scikit_learns_and_carries_the_error(rng):
    """prob_true and prob_pred equal calibration_curve's; the error is that of the same bins."""
    p = rng.uniform(size=500)
    y = (rng.random(500) < p).astype(int)
    curve = reliability_curve(y, p, n_bins=10)
    prob_true, prob_pred = curve
    weight, error = curve.weight, curve.error
    expected_true, expected_pred = calibration_curve(y, p, n_bins=10)
    assert prob_true == pytest.approx(expected_true, rel=1e-12)
    assert prob_pred == pytest.approx(expected_pred, rel=1e-12)
    assert weight.sum() == 500
    assert error == pytest.approx(float(np.abs(prob_true - prob_pred) @ weight / 500), rel=1e-12)
    assert error == pytest.approx(expected_calibration_error(y, p, n_bins=10), rel=1e-12)


def test_pos_label_and_labels_name_what_the_data_do_not():
    """pos_label chooses whose probability it is; labels names the columns, absent classes too."""
    p = [0.9, 0.6, 0.3]
    first = expected_calibration_error(["a", "a", "b"], p, pos_label="a", n_bins=3)
    assert first == pytest.approx(expected_calibration_error([1, 1, 0], p, n_bins=3))
    prob = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1]]
    assert static_calibration_error(["x", "y"], prob, labels=["x", "y", "z"]) > 0
    with pytest.raises(pb.InputError, match="labels="):
        static_calibration_error(["x", "y"], prob)


TWINS = [
    expected_calibration_error,
    static_calibration_error,
    adaptive_calibration_error,
    maximum_calibration_error,
    root_mean_square_calibration_error,
    debiased_calibration_error,
    sweep_calibration_error,
    smooth_calibration_error,
]


@pytest.mark.parametrize("twin", [*TWINS, reliability_curve])
def test_text_labels_with_one_column_need_pos_label_as_in_scikit_learn(twin, rng):
    """`pos_label` says whose probability it is; 0/1 and -1/1 need none, nor do usual pairs."""
    p = rng.random(200)
    y = (rng.random(200) < p).astype(int)

    def found(labels, **options):
        value = twin(labels, p, **options)
        return value if isinstance(value, float) else np.hstack(list(value))

    value = found(y)
    for names in (["-1", "1"], ["no", "yes"]):
        assert found(np.array(names)[y]) == pytest.approx(value)
    text = np.array(["legit", "fraud"])[y]
    assert found(text, pos_label="fraud") == pytest.approx(value)
    assert found(text, pos_label="legit") != pytest.approx(value)
    with pytest.raises(pb.InputError, check=lambda e: e.argument == "pos_label"):
        twin(text, p)
    with pytest.raises(ValueError, match="pos_label"):
        brier_score_loss(text, p)


def test_pos_label_of_a_scorer_names_the_class_it_is_about():
    """Without it the class is the last of `classes_`; precision is another for each class."""
    X, y = load_breast_cancer(return_X_y=True)
    text = np.array(["malignant", "benign"])[y]
    model = GaussianNB().fit(X, text)
    predicted = model.predict(X)
    for label in ("malignant", "benign"):
        expected = precision_score(text, predicted, pos_label=label)
        assert MetricScorer("precision", pos_label=label)(model, X, text) == pytest.approx(expected)
        data = pb.Predictions.from_estimator(model, X, text, positive=label)
        found = ProbabilityScorer(view=None, pos_label=label)(model, X, text)
        assert found == -pb.calibration_error(data, resamples=0).value
    usual = MetricScorer("precision")
    assert usual(model, X, text) == MetricScorer("precision", pos_label="malignant")(model, X, text)


def test_scorers_work_in_cross_validate_and_grid_search():
    """Both scorers run beside scikit-learn's own and in a search, larger being better."""
    X, y = load_breast_cancer(return_X_y=True)
    scoring = {
        "ece": neg_expected_calibration_error,
        "sce": neg_static_calibration_error,
        "brier": "neg_brier_score",
    }
    result = cross_validate(GaussianNB(), X, y, scoring=scoring, cv=3)
    assert np.all(result["test_ece"] < 0)
    assert result["test_ece"] == pytest.approx(result["test_sce"], rel=0.05)
    search = GridSearchCV(
        GaussianNB(), {"var_smoothing": [1e-9, 1.0]}, scoring=neg_expected_calibration_error, cv=3
    ).fit(X, y)
    assert search.best_score_ == pytest.approx(max(search.cv_results_["mean_test_score"]))


def test_a_test_fold_without_a_class_is_scored():
    """Classes come from the estimator, so a fold that lacks some is no error."""
    X, y = load_digits(return_X_y=True)
    order = np.argsort(y, kind="stable")[:500]  # digits 0, 1, 2 one after the other
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
    folds = KFold(5, shuffle=True, random_state=0)
    result = cross_validate(
        model,
        X[order],
        y[order],
        scoring=neg_static_calibration_error,
        cv=folds,
        error_score="raise",
    )
    fitted = model.fit(X, y)
    one_class = y == 3
    value = neg_static_calibration_error(fitted, X[one_class], y[one_class])
    assert np.isfinite(value)
    assert np.isfinite(result["test_score"]).all()


def test_the_scorer_equals_the_measure_on_the_same_rows():
    """A scorer on given rows is minus the measure of the estimator's predictions there."""
    X, y = load_digits(return_X_y=True)
    model = GaussianNB().fit(X[:900], y[:900])
    data = pb.Predictions.from_estimator(model, X[900:], y[900:])
    expected = pb.calibration_error(data, bins="equal-size:9", resamples=0).value
    scorer = ProbabilityScorer(view=None, bins=pb.EqualSize(9))
    assert scorer(model, X[900:], y[900:]) == pytest.approx(-expected, rel=1e-12)


def test_an_estimator_without_probabilities_is_refused_with_the_remedy():
    """A linear SVM has only ratings: the scorer says what to do."""
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), LinearSVC()).fit(X, y)
    with pytest.raises(pb.InputError, check=lambda e: e.code == "ratings-only"):
        neg_expected_calibration_error(model, X, y)


def test_cross_validated_predictions_go_straight_in():
    """cross_val_predict's matrix is what the twins take."""
    X, y = load_breast_cancer(return_X_y=True)
    prob = cross_val_predict(GaussianNB(), X, y, cv=5, method="predict_proba")
    assert 0 < expected_calibration_error(y, prob) < 0.2
    assert expected_calibration_error(y, prob) == expected_calibration_error(y, prob[:, 1])


def test_an_unknown_strategy_is_refused():
    """The error lists the strategies there are."""
    with pytest.raises(pb.ParameterError, match="'uniform', 'quantile'"):
        expected_calibration_error([0, 1], [0.2, 0.8], strategy="unform")


def test_a_scorer_refuses_bins_that_its_metric_does_not_take():
    """An argument that says nothing to the metric is no silent wish."""
    X, y = load_breast_cancer(return_X_y=True)
    model = GaussianNB().fit(X, y)
    assert MetricScorer("ece", bins="equal-size:5")(model, X, y) < 0
    with refused(pb.ParameterError, "argument-says-nothing", "'brier-score'", argument="bins"):
        MetricScorer("brier-score", bins="equal-size:5")(model, X, y)
