"""`Predictions.from_cross_validation`: several models on the same folds, in one table."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import plumbline as pb
from plumbline.errors import InputError, ParameterError
from refusals import refused, warned

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = np.where(X[:, 0] + RNG.normal(size=60) > 0, "ill", "well")
MODELS = {"bayes": GaussianNB(), "logistic": LogisticRegression()}
cross_validated = pb.Predictions.from_cross_validation


def test_every_model_predicts_every_row_once_on_the_same_folds():
    """The table has one row a model and example, and both models the same fold of an example."""
    data = cross_validated(MODELS, X, Y, cv=4)
    assert (data.models, data.folds) == (("bayes", "logistic"), ("0", "1", "2", "3"))
    bayes, logistic = data.by_model().values()
    assert sorted(bayes.row.tolist()) == list(range(60))
    assert bayes.row.tolist() == logistic.row.tolist()
    assert bayes.fold.codes.tolist() == logistic.fold.codes.tolist()


@pytest.mark.parametrize("as_list", [False, True])
def test_a_splitter_gives_what_cross_val_predict_would(as_list):
    """Each test part is predicted by a model of its training part, and of nothing else."""
    splitter = StratifiedKFold(3)
    splits = list(splitter.split(X, Y))
    data = cross_validated(MODELS, X, Y, cv=splits if as_list else splitter)
    for fold, (train, test) in enumerate(splits):
        part = data.select(model="bayes", fold=str(fold))
        by_hand = GaussianNB().fit(X[train], Y[train]).predict_proba(X[test])
        assert part.row.tolist() == test.tolist()
        assert np.allclose(part.prob, by_hand)


def test_a_row_that_is_tested_twice_has_a_repeat():
    """Repeated folds fill the column `repeat`, so that the key of a row stays unique."""
    splitter = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    data = cross_validated(MODELS, X, Y, cv=splitter)
    assert (data.n, data.repeat.names, data.folds) == (240, ("0", "1"), ("0", "1", "2"))


def test_what_belongs_to_the_rows_goes_with_them():
    """IDs, attributes as a frame, the positive class; groups stay whole; a seed gives folds."""
    pd = pytest.importorskip("pandas")
    names = [f"p{i}" for i in range(60)]
    data = cross_validated(
        GaussianNB(),
        X,
        Y,
        cv=3,
        row=names,
        attributes=pd.DataFrame({"age": range(60)}),
        positive="ill",
        groups=np.arange(60) // 4,
    )
    assert data.models == ("GaussianNB",)
    assert [f"p{age}" for age in data.attributes["age"]] == data.row.tolist()
    assert data.classes[data.positive] == "ill"
    folds = data.fold.codes[np.argsort(data.attributes["age"])].reshape(-1, 4)
    assert (folds == folds[:, :1]).all()
    one, two = (cross_validated(GaussianNB(), X, Y, rng=seed).row for seed in (1, 2))
    assert one.tolist() != two.tolist()


def test_wrong_arguments_are_named_as_this_function_calls_them():
    """The work is that of `estimate`, the words of its errors are ours."""
    for cv in (1, 2.5, "bogus:3", object(), "resubstitution", None):
        with pytest.raises(ParameterError) as caught:
            cross_validated(MODELS, X, Y, cv=cv)
        assert "`cv`" in str(caught.value)
        assert "scheme" not in str(caught.value).replace("the scheme", "")
    with refused(ParameterError, "search-missing", "GridSearchCV", "`cv`"):
        cross_validated(MODELS, X, Y, cv="nested:3x3")
    with refused(ParameterError, "nothing-named", "`estimators`"):
        cross_validated({}, X, Y)
    with refused(InputError, "not-unique", "row"):
        cross_validated(MODELS, X, Y, row=[1] * 60)
    with refused(InputError, "wrong-shape", "50"):
        cross_validated(MODELS, X, Y[:50])


def test_models_that_answer_otherwise_have_in_common_what_all_give():
    """Beside a classifier without probabilities the table holds labels, and a warning says so."""
    with warned("different-answers", "estimate("):
        data = cross_validated({"ridge": RidgeClassifier(), **MODELS}, X, Y, cv=KFold(3))
    assert data.prob is None
    assert data.label is not None
