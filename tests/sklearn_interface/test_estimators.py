"""scikit-learn's own checks, its conventions, and that nothing else than the map is done."""

import pickle
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import check_estimator

import plumbline as pb
from plumbline.recalibration import fit_map
from plumbline.sklearn import RecalibratedClassifier, RecalibrationTransformer
from refusals import refused, warned

X, Y = make_classification(300, 6, n_informative=4, n_classes=2, random_state=0)
X3, Y3 = make_classification(300, 8, n_informative=6, n_classes=3, random_state=1)
NAMES = np.array(["ash", "birch", "cedar"])[Y3]
# Of a transformer most checks hand over features, which are no answers about the classes of y.
NO_ANSWERS = ("one column per class", "must sum to 1")


class OnFeatures(RecalibrationTransformer):
    """The transformer behind a fixed softmax of any features, so that every check has answers."""

    def fit(self, X, y=None, sample_weight=None):
        """Remember the number of classes for the softmax."""
        self._k = max(2, len(np.unique(np.asarray(y)))) if y is not None else 2
        return super().fit(X, y, sample_weight)

    def _values(self, X, *, reset):
        values = super()._values(X, reset=reset)
        scale = 1 + np.arange(self._k)
        logits = np.tanh(values.mean(axis=1, keepdims=True)) * scale
        answers = np.exp(logits)
        return answers / answers.sum(axis=1, keepdims=True)


def checked(estimator):
    """Return the errors of scikit-learn's checks by name, and how many passed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = check_estimator(estimator, on_fail=None, on_skip=None)
    errors = {row["check_name"]: row["exception"] for row in result if row["status"] == "failed"}
    return errors, sum(row["status"] == "passed" for row in result)


def is_about_columns(error):
    """Tell whether an error, or the one it came from, is the refusal of other columns."""
    return error is not None and (
        any(words in str(error) for words in NO_ANSWERS) or is_about_columns(error.__cause__)
    )


@pytest.mark.parametrize(
    "estimator",
    [RecalibratedClassifier(cv=2), RecalibratedClassifier(GaussianNB(), cv=3, ensemble=False)],
    ids=["decision-function", "probabilities-together"],
)
def test_the_classifier_passes_every_check_of_scikit_learn(estimator):
    """Weights as repetitions, sparse rows, data frames, pickles, refusals: nothing is exempted."""
    errors, passed = checked(estimator)
    assert not errors
    assert passed > 50


def test_the_transformer_passes_every_check_of_scikit_learn():
    """As it is it refuses features, and nothing else is wrong; given answers it passes them all."""
    errors, passed = checked(RecalibrationTransformer())
    assert [name for name, error in errors.items() if not is_about_columns(error)] == []
    assert passed > 25
    errors, passed = checked(OnFeatures("isotonic"))
    assert set(errors) == {"check_fit1d"}, "one column is an answer about two classes"
    assert passed > 45


def test_platt_and_isotonic_are_those_of_calibrated_classifier_cv():
    """The same folds, the same ratings, the same mean of pairs."""
    for ours, theirs, options in (
        ("platt", "sigmoid", None),
        ("isotonic", "isotonic", {"bounded": False}),
    ):
        for ensemble, X_, y in ((True, X3, NAMES), (False, X3, NAMES), (True, X, Y)):
            base = RidgeClassifier()
            their = CalibratedClassifierCV(base, method=theirs, ensemble=ensemble, cv=3)
            our = RecalibratedClassifier(
                base, method=ours, ensemble=ensemble, cv=3, options=options
            )
            expected = their.fit(X_, y).predict_proba(X_)
            result = our.fit(X_, y)
            assert result.classes_.tolist() == their.classes_.tolist()
            assert result.predict_proba(X_) == pytest.approx(expected, abs=3e-5)


def test_a_pair_is_the_map_of_the_answers_on_its_test_part():
    """Split by split the map is what `fit_map` makes of the rows the copy has not seen."""
    cv = StratifiedKFold(3)
    result = RecalibratedClassifier(GaussianNB(), method="isotonic", cv=cv).fit(X3, NAMES)
    for pair, (train, test) in zip(
        result.calibrated_classifiers_, cv.split(X3, NAMES), strict=True
    ):
        alone = GaussianNB().fit(X3[train], NAMES[train])
        held = pb.Predictions.from_estimator(alone, X3[test], NAMES[test])
        expected = fit_map(held, "isotonic").applied(held)
        assert np.array_equal(pair.predict_proba(X3[test]), expected.prob)


def test_any_number_of_threads_gives_the_same_probabilities():
    """The copies are fitted side by side, the answer is the same to the last bit."""
    alone, together = (
        RecalibratedClassifier(RandomForestClassifier(5, random_state=0), cv=4, n_jobs=jobs)
        .fit(X, Y)
        .predict_proba(X)
        for jobs in (1, 4)
    )
    assert np.array_equal(alone, together)


@pytest.mark.parametrize("ready", ["prefit", "frozen"])
def test_a_fitted_classifier_is_left_as_it_is_and_one_map_fitted(ready):
    """All rows are held out, so the one map is that of all of them."""
    model = GaussianNB().fit(X3[:150], NAMES[:150])
    before = model.theta_.copy()
    classifier = (
        RecalibratedClassifier(model, method="isotonic", cv="prefit")
        if ready == "prefit"
        else RecalibratedClassifier(FrozenEstimator(model), method="isotonic")
    )
    result = classifier.fit(X3[150:], NAMES[150:])
    data = pb.Predictions.from_estimator(model, X3[150:], NAMES[150:])
    assert np.array_equal(result.predict_proba(X3), mended_by(data, model))
    assert np.array_equal(model.theta_, before)
    assert len(result.calibrated_classifiers_) == 1


def mended_by(data, model):
    """Return all rows mended by the map of these."""
    return fit_map(data, "isotonic").transform(model.predict_proba(X3))


def test_a_fitted_map_goes_with_a_fitted_classifier_whatever_the_order_of_its_classes():
    """Probabilities and the one rating of two classes find their class by name."""
    svm, bayes = LinearSVC(random_state=0).fit(X, Y), GaussianNB().fit(X, Y)
    rows = {"1": svm.decision_function(X), "0": -svm.decision_function(X)}
    for positive in ("0", "1"):
        rated = pb.Predictions.from_arrays(Y, score=rows[positive], positive=positive)
        p = bayes.predict_proba(X)[:, ::-1]
        named = pb.Predictions.from_arrays(Y, p, classes=["1", "0"], positive=positive)
        for model, data in ((svm, rated), (bayes, named)):
            ready = fit_map(data, "platt")
            classifier = RecalibratedClassifier(model, method=ready, cv="prefit").fit(X, Y)
            given = ready.applied(data)
            expected = given.prob[:, [given.classes.index(name) for name in ("0", "1")]]
            assert classifier.predict_proba(X) == pytest.approx(expected, abs=1e-15)
            assert classifier.calibrated_classifiers_[0].recalibration is ready
    with refused(pb.ParameterError, "map-already-fitted", argument="method"):
        RecalibratedClassifier(bayes, method=ready).fit(X, Y)
    with refused(pb.InputError, "classes-differ"):
        RecalibratedClassifier(GaussianNB().fit(X3, Y3), method=ready, cv="prefit").fit(X3, Y3)


def test_the_response_of_the_classifier_suits_it_and_the_method():
    """The decision function first, probabilities for methods that read only these, as told."""
    logistic = LogisticRegression()

    def read(estimator, method, **more):
        fitted = RecalibratedClassifier(estimator, method=method, cv=2, **more).fit(X, Y)
        return fitted.calibrated_classifiers_[0].recalibration.on

    assert read(logistic, "platt") == "score"
    assert read(logistic, "platt", on="probability") == "probability"
    assert read(logistic, "beta") == "probability"
    assert read(GaussianNB(), "platt") == "probability"
    assert read(RidgeClassifier(), "isotonic") == "score"
    for estimator, method, on, words in (
        (RidgeClassifier(), "beta", None, ("method-without-answers", "'beta'")),
        (GaussianNB(), "platt", "score", ("method-without-answers", "`on`", "decision_function")),
        (NearestCentroid(), "platt", "wrong", ("unknown-name", "`on`")),
        (Perceptron(), "plat", None, ("unknown-name", "`method`", "platt")),
    ):
        with refused(pb.ParameterError, *words):
            read(estimator, method, on=on)
    several = RecalibratedClassifier(SVC(decision_function_shape="ovo"), cv=2)
    with refused(pb.InputError, "wrong-shape", "'ovr'"):
        several.fit(X, np.arange(len(X)) % 4)


def test_auto_asks_the_advisor_and_may_leave_the_probabilities_as_they_are():
    """Honest probabilities stay, those of naive Bayes on copied columns do not."""
    rng = np.random.default_rng(0)
    wide = rng.standard_normal((400, 1))
    y = (rng.random(400) < 1 / (1 + np.exp(-1.5 * wide[:, 0]))).astype(int)
    params = {"method": "auto", "cv": 2, "ensemble": False}
    honest = RecalibratedClassifier(LogisticRegression(), **params).fit(wide, y)
    assert honest.calibrated_classifiers_[0].recalibration.method == "none"
    bold = RecalibratedClassifier(GaussianNB(), **params).fit(np.repeat(wide, 8, axis=1), y)
    best = bold.calibrated_classifiers_[0].recalibration
    assert best.method != "none"
    assert best.advice.chosen == best.method


def test_fitting_and_predicting_on_the_same_rows_is_never_refused():
    """An estimator is asked for any rows, as all of scikit-learn's; its maps do not ask which."""
    result = RecalibratedClassifier(GaussianNB(), method="platt", cv=2).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result.predict_proba(X)
        assert pb.Predictions.from_estimator(result, X, Y).n == len(Y)


def test_weights_count_in_the_map_and_where_the_classifier_takes_them():
    """A weight is a repetition; a classifier that takes none is told of."""
    weight = np.random.default_rng(0).integers(0, 3, len(Y))
    rows = np.repeat(np.arange(len(Y)), weight)
    model = GaussianNB().fit(X, Y)
    classifier = RecalibratedClassifier(FrozenEstimator(model), method="platt")
    weighted = clone(classifier).fit(X, Y, sample_weight=weight).predict_proba(X)
    assert weighted == pytest.approx(
        clone(classifier).fit(X[rows], Y[rows]).predict_proba(X), abs=1e-9
    )
    neighbours = RecalibratedClassifier(KNeighborsClassifier(5), cv=2)
    with warned("weights-in-the-map-alone", "KNeighborsClassifier"):
        neighbours.fit(X, Y, sample_weight=weight)


def test_metadata_goes_where_it_is_asked_for():
    """With scikit-learn's routing groups reach the splitter and weights the classifier."""
    import sklearn

    groups = np.arange(len(Y)) % 6
    with sklearn.config_context(enable_metadata_routing=True):
        base = GaussianNB().set_fit_request(sample_weight=True)
        classifier = RecalibratedClassifier(base, method="platt", cv=GroupKFold(3))
        result = classifier.fit(X, Y, groups=groups, sample_weight=np.ones(len(Y)))
        train, _ = next(GroupKFold(3).split(X, Y, groups))
        expected = GaussianNB().fit(X[train], Y[train]).theta_
        assert np.array_equal(result.calibrated_classifiers_[0].estimator.theta_, expected)
        assert RecalibratedClassifier(cv=2).fit(X, Y, sample_weight=np.ones(len(Y))) is not None


def test_a_class_that_one_copy_never_saw():
    """Its probability there is 0; a decision function has none for it, which is said."""
    order = np.argsort(Y3, kind="stable")
    cv = [(order[:190], order[5::7]), (np.arange(300), order[::3])]
    result = RecalibratedClassifier(GaussianNB(), method="isotonic", cv=cv).fit(X3, Y3)
    assert result.calibrated_classifiers_[0].estimator.classes_.tolist() == [0, 1]
    prob = result.predict_proba(X3)
    assert prob.shape == (300, 3)
    assert prob.sum(axis=1) == pytest.approx(1)
    with refused(pb.InputError, "class-not-learnt"):
        RecalibratedClassifier(RidgeClassifier(), cv=cv).fit(X3, Y3)


def test_what_cannot_be_fitted_is_refused_with_the_remedy():
    """Too many folds, parts that overlap or hold one class, strange settings."""
    few = np.r_[np.zeros(20, int), np.ones(3, int)]
    thin = X[:23]
    for params, error, words in (
        ({"cv": 4}, pb.InputError, ("class-smaller-than-folds", "`cv`", "for 4", "only 3")),
        ({"cv": LeaveOneOut()}, pb.InputError, ("too-few-rows", "least 2")),
        ({"cv": KFold(10)}, pb.InputError, ("one-class-to-fit",)),
        (
            {"cv": StratifiedShuffleSplit(2, random_state=0), "ensemble": False},
            pb.InputError,
            ("splits-no-partition",),
        ),
        ({"cv": "five"}, pb.ParameterError, ("wrong-kind", "`cv`")),
        ({"ensemble": "maybe"}, pb.ParameterError, ("unknown-name", "`ensemble`")),
        (
            {"cv": "prefit", "ensemble": True},
            pb.ParameterError,
            ("ensemble-without-splits", "`ensemble`", "makes none"),
        ),
        ({"options": {"bins": 3}}, pb.ParameterError, ("unknown-option", "'bins'")),
    ):
        with refused(error, *words):
            RecalibratedClassifier(GaussianNB(), **params).fit(thin, few)
    result = RecalibratedClassifier(GaussianNB()).fit(thin, few)
    assert len(result.calibrated_classifiers_) == 3, "as many folds as the rarest class has rows"
    with pytest.raises(pb.InputError, match="one class"):
        RecalibratedClassifier(GaussianNB()).fit(X, np.zeros(len(X)))
    model = GaussianNB().fit(X, Y)
    with refused(pb.InputError, "unknown-label", "[7, 8]"):
        RecalibratedClassifier(model, cv="prefit").fit(X, Y + 7 * Y[::-1])


def test_leaving_one_out_works_together():
    """Every row's answer comes from a copy fitted on all others, and one map is fitted on all."""
    classifier = RecalibratedClassifier(
        GaussianNB(), cv=LeaveOneOut(), ensemble=False, method="platt"
    )
    result = classifier.fit(X[:40], Y[:40])
    answers = cross_val_predict(
        GaussianNB(), X[:40], Y[:40], cv=LeaveOneOut(), method="predict_proba"
    )
    expected = fit_map(pb.Predictions.from_arrays(Y[:40], answers), "platt")
    form = result.calibrated_classifiers_[0].recalibration.form.forms[0]
    assert form.intercept == pytest.approx(expected.form.forms[0].intercept, rel=1e-12)


def test_it_can_be_searched_cloned_and_pickled():
    """Its method is a parameter like any other."""
    search = GridSearchCV(
        RecalibratedClassifier(GaussianNB(), cv=2),
        {"method": ["platt", "isotonic"]},
        scoring="neg_log_loss",
        cv=2,
    ).fit(X, Y)
    assert search.best_params_["method"] == "isotonic"
    again = pickle.loads(pickle.dumps(search.best_estimator_))  # noqa: S301
    assert np.array_equal(again.predict_proba(X), search.predict_proba(X))
    assert clone(again).get_params()["method"] == "isotonic"


def test_the_transformer_recalibrates_what_a_function_transformer_gets_from_a_classifier():
    """In a pipeline behind `predict_proba`, the same as the map itself, in named columns."""
    model = GaussianNB().fit(X3[:100], NAMES[:100])
    mender = make_pipeline(
        FunctionTransformer(model.predict_proba), RecalibrationTransformer("isotonic")
    ).fit(X3[100:], NAMES[100:])
    data = pb.Predictions.from_estimator(model, X3[100:], NAMES[100:])
    assert np.array_equal(mender.transform(X3[100:]), fit_map(data, "isotonic").applied(data).prob)
    last = mender[-1]
    assert last.get_feature_names_out().tolist() == ["p:ash", "p:birch", "p:cedar"]
    frame = last.set_output(transform="pandas").transform(model.predict_proba(X3))
    assert list(frame.columns) == ["p:ash", "p:birch", "p:cedar"]


def test_the_transformer_takes_one_column_of_two_classes():
    """(n,), (n, 1) and (n, 2) are one; numbers beyond [0, 1] are ratings; `on` overrules."""
    p = GaussianNB().fit(X, Y).predict_proba(X)
    wide = RecalibrationTransformer("platt").fit(p, Y).transform(p)
    for given in (p[:, 1], p[:, [1]], p[:, 1].tolist()):
        mender = RecalibrationTransformer("platt").fit(given, Y)
        assert mender.recalibration_.on == "probability"
        assert mender.transform(given) == pytest.approx(wide, abs=1e-9)
    rating = LinearSVC(random_state=0).fit(X, Y).decision_function(X)
    rated = RecalibrationTransformer("platt").fit(rating, Y)
    assert rated.recalibration_.on == "score"
    transformer = RecalibrationTransformer("platt", on="score").fit(p[:, 1], Y)
    assert transformer.recalibration_.form.forms[0].value != 0
    with pytest.raises(pb.InputError, match="on='score'"):
        mender.transform(rating)
    with refused(pb.InputError, "wrong-shape"):
        RecalibrationTransformer().fit(p, Y3)


def test_a_fitted_map_is_a_transformer_without_labels():
    """What a file of a map holds goes into a pipeline as it is."""
    p = GaussianNB().fit(X3, NAMES).predict_proba(X3)
    data = pb.Predictions.from_arrays(NAMES, p, classes=["ash", "birch", "cedar"])
    ready = fit_map(data, "isotonic")
    for mender in (RecalibrationTransformer(ready).fit(p), RecalibrationTransformer(ready)):
        assert np.array_equal(mender.transform(p), ready.transform(p))
        assert mender.get_feature_names_out().tolist() == ["p:ash", "p:birch", "p:cedar"]


def test_an_estimate_fits_the_map_anew_and_refuses_one_that_was_fitted():
    """A map that has seen the rows would look better on them than it is."""
    classifier = RecalibratedClassifier(GaussianNB(), cv=2, method="platt")
    result = pb.estimate(classifier, X, Y, scheme="stratified:2", metrics="log-loss")
    assert "log-loss" in {row["metric"] for row in result.rows()}
    ready = fit_map(pb.Predictions.from_arrays(Y, GaussianNB().fit(X, Y).predict_proba(X)), "platt")
    seen = (
        RecalibratedClassifier(GaussianNB(), cv="prefit", method=ready),
        make_pipeline(RecalibrationTransformer(ready), GaussianNB()),
    )
    for estimator in seen:
        with refused(pb.ParameterError, "already-fitted", argument="estimator"):
            pb.estimate(estimator, X, Y, scheme="stratified:2")


def test_the_page_says_what_happens(capsys):
    """Every example of docs/estimators.md runs and prints what stands below it."""
    text = (Path(__file__).parents[2] / "docs" / "estimators.md").read_text("utf-8")
    place = {}
    for kind, block in re.findall(r"```(python|text)\n(.*?)```", text, re.DOTALL):
        if kind == "python":
            exec(block, place)  # noqa: S102
        else:
            assert capsys.readouterr().out == block


def test_labels_of_every_kind_come_back_as_they_are():
    """Booleans, floats, strings: `predict` answers with the very labels."""
    for labels in (Y == 1, Y.astype(float), np.where(Y == 1, "ja", "nein"), Y - 1):
        result = RecalibratedClassifier(GaussianNB(), cv=2, method="platt").fit(X, labels)
        predicted = result.predict(X)
        assert predicted.dtype == labels.dtype
        assert set(predicted.tolist()) == set(labels.tolist())
        assert np.mean(predicted == labels) > 0.7
    scaled = make_pipeline(StandardScaler(), LinearSVC(random_state=0))
    assert RecalibratedClassifier(scaled, cv=2).fit(X, Y).score(X, Y) > 0.7


def test_probabilities_that_rounding_lifted_above_1_are_no_ratings():
    """A softmax in single precision gives 1.0000001; the map still reads probabilities."""
    rng = np.random.default_rng(5)
    p = rng.random((200, 1)).astype(np.float32)
    y = (rng.random(200) < p[:, 0]).astype(int)
    plain = RecalibrationTransformer("temperature").fit(np.minimum(p, 1), y)
    p[0] = np.nextafter(np.float32(1), np.float32(2))
    y[0] = 1
    lifted = RecalibrationTransformer("temperature").fit(p, y)
    assert plain.recalibration_.on == lifted.recalibration_.on == "probability"
    assert np.isfinite(lifted.transform(p)).all()
