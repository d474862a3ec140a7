"""Vector, matrix and Dirichlet maps and prior shift: their optimum, their laws, their ends."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

import plumbline as pb
from laws import examples
from plumbline.recalibration import fit_map
from plumbline.recalibration.methods import softmax_regression
from plumbline.recalibration.methods.softmax_regression import (
    BIAS,
    DIAGONAL,
    FULL,
    SEPARATED,
    Pull,
    SoftmaxRows,
    dealt_by_value,
    minimised,
)
from refusals import refused

REGULARISED = ("matrix", "dirichlet", "dirichlet-odir")
ALL = ("vector", *REGULARISED, "prior-shift")


def drawn(seed, n=200, k=3, mixing=0.3):
    """Logits, and labels drawn from the softmax of a matrix times them plus shifts."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(scale=1.5, size=(n, k))
    weights = 0.6 * np.eye(k) + mixing * rng.normal(size=(k, k))
    z = logits @ weights.T + rng.normal(scale=0.5, size=k)
    return logits, (z + rng.gumbel(size=(n, k))).argmax(axis=1)


def table(logits, actual, **columns):
    """Predictions of the softmax of logits."""
    return pb.Predictions.from_logits(actual, logits, classes=range(logits.shape[1]), **columns)


def slow_optimum(objective, start):
    """Where scipy's BFGS ends, with numerical gradients."""
    result = minimize(objective, start.ravel(), method="BFGS", options={"gtol": 1e-9})
    return result.x.reshape(start.shape)


def slow_loss(z, actual, weight):
    """The log loss summed by weight, one more row of the shares spread over all, by scipy."""
    logs, total = log_softmax(z, axis=1), weight.sum()
    shares = np.bincount(actual, weights=weight, minlength=z.shape[1]) / total
    own = weight @ logs[np.arange(len(actual)), actual]
    return -(total * own + weight @ (logs @ shares)) / (total + 1)


@pytest.mark.parametrize(("design", "f"), [(BIAS, 1), (DIAGONAL, 2), (FULL, 4)])
def test_the_solver_finds_the_optimum_of_scipy(design, f):
    """Of the literal penalised likelihood, weighted, from a start far away."""
    logits, actual = drawn(1, n=60)
    rng = np.random.default_rng(2)
    weight = rng.uniform(0.2, 3, 60)
    pull = Pull(rng.normal(size=(3, f)), rng.uniform(0.5, 2, (3, f)))
    z = {
        1: lambda b: logits + b[:, 0],
        2: lambda b: logits * b[:, 0] + b[:, 1],
        4: lambda b: logits @ b[:, :3].T + b[:, 3],
    }[f]

    def literal(flat):
        b = flat.reshape(3, f)
        penalty = 0.5 * (((b - pull.target) / pull.spread) ** 2).sum()
        return slow_loss(z(b), actual, weight) + penalty

    result = minimised(
        design, SoftmaxRows(logits, actual, weight), pull, start=np.full((3, f), 4.0)
    )
    np.testing.assert_allclose(result, slow_optimum(literal, pull.target), atol=2e-5)


@pytest.mark.parametrize(
    ("name", "penalised"),
    [
        ("matrix", np.eye(3, 4) == 0),
        ("dirichlet", np.ones((3, 4))),
        ("dirichlet-odir", np.eye(3, 4) == 0),
    ],
)
def test_a_given_regularisation_is_the_documented_one(name, penalised):
    """The map's loss plus lambda times the mean square of what is penalised is scipy's least."""
    logits, actual = drawn(3, n=80)
    data, strength = table(logits, actual), 0.7
    recalibration = fit_map(data, name, options={"regularisation": strength})
    slope = 1 / fit_map(data, "temperature").details["temperature"]
    x = data.log_prob - (data.log_prob.mean(axis=1, keepdims=True) if name == "matrix" else 0)

    def literal(flat):
        b = flat.reshape(3, 4)
        off = ((b - slope * np.eye(3, 4)) ** 2)[np.asarray(penalised, bool)]
        z = x @ b[:, :3].T + b[:, 3]
        return slow_loss(z, actual, np.ones(80)) / 80 + strength * off.mean()

    best = slow_optimum(literal, np.eye(3, 4))
    expected = softmax(x @ best[:, :3].T + best[:, 3], axis=1)
    np.testing.assert_allclose(recalibration.applied(data).prob, expected, atol=2e-5)
    assert recalibration.details == {"regularisation": strength}


@pytest.mark.parametrize("k", [2, 4])
def test_they_are_scikit_learns_logistic_regression(k):
    """Two classes' vector scaling and the matrix without penalty, on the centred logits.

    Weights of a million leave nothing of the one row more.
    """
    linear = pytest.importorskip("sklearn.linear_model")
    logits, actual = drawn(4, n=300, k=k)
    data = table(logits, actual, weight=np.full(300, 1e6))
    x = logits - logits.mean(axis=1, keepdims=True)
    theirs = linear.LogisticRegression(C=np.inf, tol=1e-10, max_iter=5_000).fit(x, actual)
    for name, options in (("matrix", {"regularisation": 0}), *([("vector", {})] * (k == 2))):
        ours = fit_map(data, name, options=options).applied(data)
        np.testing.assert_allclose(ours.prob, theirs.predict_proba(x), atol=2e-5)


def test_vector_scaling_is_the_optimum_of_scipy():
    """One slope and one shift a class on the centred logits, weighted."""
    logits, actual = drawn(5, n=120)
    weight = np.random.default_rng(5).uniform(0.2, 2, 120)
    data = table(logits, actual, weight=weight)
    x = data.log_prob - data.log_prob.mean(axis=1, keepdims=True)

    def literal(flat):
        b = flat.reshape(2, 3)
        return slow_loss(x * b[0] + b[1], actual, weight) / weight.sum()

    best = slow_optimum(literal, np.array([[1.0] * 3, [0.0] * 3]))
    recalibration = fit_map(data, "vector")
    expected = softmax(x * best[0] + best[1], axis=1)
    np.testing.assert_allclose(recalibration.applied(data).prob, expected, atol=1e-5)
    assert recalibration.parameters == 5


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=examples(3), deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4))
@example(458_239, 3)
@example(65, 4)
def test_neither_order_nor_repetition_matter(name, seed, k):
    """Rows in another order, classes numbered anew, weights spelt out: the same probabilities.

    The strength of the penalty is chosen anew each time.
    """
    rng = np.random.default_rng(seed)
    logits, actual = drawn(seed, n=60, k=k)
    actual[:k] = np.arange(k)
    weight = rng.integers(1, 4, 60)
    data = table(logits, actual, weight=weight.astype(float))
    expected = fit_map(data, name).applied(data).prob
    order = rng.permutation(60)
    again = np.repeat(order, weight[order])
    other = table(logits[again], actual[again])
    result = fit_map(other, name).applied(data).prob
    np.testing.assert_allclose(result, expected, atol=1e-6)
    turned = rng.permutation(k)
    new = table(logits[:, turned], np.argsort(turned)[actual], weight=weight.astype(float))
    np.testing.assert_allclose(fit_map(new, name).applied(new).prob, expected[:, turned], atol=1e-6)


@pytest.mark.parametrize("name", ["vector", "matrix"])
@pytest.mark.parametrize("k", [2, 3])
def test_ratings_have_no_unit(name, k):
    """Ratings a million times as large give the same probabilities, and none overflows."""
    logits, actual = drawn(6, k=k)
    ratings = logits if k > 2 else logits[:, 1] - logits[:, 0]
    one, other = (
        pb.Predictions.from_arrays(actual, score=r, classes=range(k))
        for r in (ratings, ratings * 1e6)
    )
    first, second = (fit_map(data, name).applied(data).prob for data in (one, other))
    np.testing.assert_allclose(first, second, atol=1e-7)
    np.testing.assert_allclose(first.sum(axis=1), 1, rtol=1e-12)


def test_a_strong_penalty_leaves_what_it_pulls_to():
    """Dirichlet with L2 is temperature scaling, matrix and ODIR keep slopes alone."""
    logits, actual = drawn(7)
    data = table(3 * logits, actual)
    strong = fit_map(data, "dirichlet", options={"regularisation": 1e9}).applied(data)
    cooled = fit_map(data, "temperature")
    assert cooled.details["temperature"] > 2
    np.testing.assert_allclose(strong.prob, cooled.applied(data).prob, atol=1e-6)
    separated = table(logits, logits.argmax(axis=1))  # no temperature is best: all stays
    same = fit_map(separated, "dirichlet", options={"regularisation": 1e9}).applied(separated)
    np.testing.assert_allclose(same.prob, separated.prob, atol=1e-6)
    for name in ("matrix", "dirichlet-odir"):
        weights = fit_map(data, name, options={"regularisation": 1e9}).form.weights
        assert np.abs(weights - np.diag(np.diag(weights))).max() < 1e-6
        assert np.abs(np.diag(weights) - 1).max() > 0.1


@pytest.mark.parametrize("name", REGULARISED)
def test_the_chosen_strength_pays_on_new_rows(name):
    """True probabilities are left nearly as they are; a strong mixing is found."""
    rng = np.random.default_rng(8)
    logits = rng.normal(scale=1.5, size=(3_300, 4))
    actual = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
    few, new = table(logits[:300], actual[:300]), table(logits[300:], actual[300:])
    assert pb.log_loss(fit_map(few, name).applied(new)) < pb.log_loss(new) + 0.03
    logits, actual = drawn(9, n=4_000, k=4)
    fit, new = table(logits[:1000], actual[:1000]), table(logits[1000:], actual[1000:])
    mixed = pb.log_loss(fit_map(fit, name).applied(new))
    assert mixed < pb.log_loss(fit_map(fit, "vector").applied(new)) - 0.02
    loose = pb.log_loss(fit_map(fit, name, options={"regularisation": 0}).applied(new))
    assert mixed < loose + 0.005


def test_far_too_bold_probabilities_of_many_classes_are_cooled():
    """With hundreds of numbers and few rows Dirichlet is about as good as temperature scaling."""
    logits, actual = drawn(15, n=1_400, k=15, mixing=0.05)
    data = table(4 * logits, actual)
    fit, new = (
        data.select(where=half) for half in (np.arange(1_400) < 500, np.arange(1_400) >= 500)
    )
    cooled, plain = pb.log_loss(fit_map(fit, "temperature").applied(new)), pb.log_loss(new)
    assert pb.log_loss(fit_map(fit, "dirichlet").applied(new)) < cooled + 0.01 < plain - 1


def test_one_rise_of_the_path_does_not_end_the_search(monkeypatch):
    """Looser penalties are tried until the held-out loss has risen twice in a row."""
    losses, tried = [5.0, 6.0, 4.0, 5.0, 4.5, 4.6, 9.0], []
    monkeypatch.setattr(softmax_regression, "minimised", lambda *_, start, **__: start)
    monkeypatch.setattr(
        softmax_regression,
        "log_losses",
        lambda *_: (tried.append(1), np.array([losses[(len(tried) - 1) // 5]]))[1],
    )
    monkeypatch.setattr(softmax_regression, "_much_worse", lambda *_: False)  # all to their end
    logits, actual = drawn(16, n=50)
    rows = SoftmaxRows(logits, actual, np.ones(50))
    for expected, count in ((0.03, 35), (0.003, 15)):
        tried.clear()
        result = softmax_regression.best_spread(
            FULL,
            rows,
            lambda s: Pull(np.eye(3, 4), np.full((3, 4), s)),
            start=np.eye(3, 4),
            key=logits,
        )
        assert (result, len(tried)) == (expected, count)
        losses[:3] = [1.0, 2.0, 3.0]


@pytest.mark.parametrize("name", ["vector", *REGULARISED])
def test_separated_rows_give_a_finite_answer_and_a_note(name):
    """Where the likeliest class is always the true one no number runs away."""
    logits = np.random.default_rng(10).normal(size=(60, 3))
    data = table(logits, logits.argmax(axis=1))
    options = {} if name == "vector" else {"regularisation": 0.001}
    recalibration = fit_map(data, name, options=options)
    assert recalibration.notes == (SEPARATED,)
    assert np.abs(recalibration.form.weights).max() < 20
    assert np.isfinite(pb.log_loss(recalibration.applied(data)))


@pytest.mark.parametrize("name", ALL)
def test_a_class_without_rows_keeps_a_usual_probability(name):
    """It gets the usual slope and no shift, and a note says so; the others are fitted."""
    logits, actual = drawn(11, k=4)
    kept = actual != 2
    recalibration = fit_map(table(logits[kept], actual[kept]), name)
    assert any(" of '2'," in note for note in recalibration.notes)
    result = recalibration.applied(table(logits, actual)).prob
    before = table(logits, actual).prob
    assert 0.3 < result[:, 2].mean() / before[:, 2].mean() < 3
    assert pb.log_loss(recalibration.applied(table(logits[kept], actual[kept]))) < np.inf


@pytest.mark.parametrize("options", [{"regularisation": -1}, {"regularisation": "much"}])
def test_a_wrong_strength_is_refused(options):
    """The argument is named, and what it may be."""
    with pytest.raises(pb.ParameterError, check=lambda e: e.argument == "regularisation"):
        fit_map(table(*drawn(1)), "matrix", options=options)


def test_very_many_classes_are_refused():
    """K * k numbers are too many for thousands of classes; other methods are named."""
    logits, actual = drawn(1, n=10, k=400, mixing=0)
    with refused(pb.ParameterError, "too-many-classes", "vector", "temperature"):
        fit_map(table(logits, actual), "dirichlet")


def test_rows_of_equal_numbers_stay_together():
    """Parts follow the numbers, whatever their order, and are of nearly equal size."""
    key = np.random.default_rng(0).normal(size=(500, 3))
    part, kept = dealt_by_value(key, 5, most=10**6)
    again, _ = dealt_by_value(np.vstack([key[::-1], key])[:, [2, 0, 1]], 5, most=10**6)
    np.testing.assert_array_equal(again, np.concatenate([part[::-1], part]))
    assert np.ptp(np.bincount(part)) <= 1
    assert kept.all()
    assert dealt_by_value(key, 5, most=100)[1].sum() == 100


# ------------------------------------------------------------------ prior shift


def shifted(seed, shares, n=4_000):
    """True probabilities under equal shares, and labels of a population with others."""
    rng = np.random.default_rng(seed)
    k = len(shares)
    actual = rng.choice(k, n, p=shares)
    centres = 1.5 * np.eye(k)
    x = centres[actual] + rng.normal(size=(n, k))
    return x @ centres.T, actual  # equal norms, so that these are logits under equal shares


def test_given_shares_are_the_formula():
    """q_c = p_c new / old over its sum, by name, whatever the order they are given in."""
    prob = np.array([[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]])
    data = pb.Predictions.from_arrays(["a", "c"], prob, classes=["a", "b", "c"])
    recalibration = fit_map(
        data,
        "prior-shift",
        options={
            "prior": {"c": 0.6, "a": 0.1, "b": 0.3},
            "training": {"a": 0.5, "b": 0.3, "c": 0.2},
        },
    )
    expected = prob * [0.2, 1, 3]
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(recalibration.applied(data).prob, expected, rtol=1e-12)
    assert recalibration.parameters == 0
    usual = fit_map(data, "prior-shift", options={"prior": {"c": 0.6, "a": 0.1, "b": 0.3}})
    assert usual.details["training"] == pytest.approx({"a": 0.4, "b": 0.4, "c": 0.2})


def test_labels_and_rows_alone_find_the_shares():
    """The likeliest shares are the true ones, within chance, with labels and without."""
    truth = np.array([0.15, 0.25, 0.6])
    logits, actual = shifted(12, truth)
    data, third = table(logits, actual), dict.fromkeys("012", 1 / 3)
    result = fit_map(data, "prior-shift", options={"prior": "em", "training": third})
    np.testing.assert_allclose(list(result.details["prior"].values()), truth, atol=0.03)
    factors = np.array(list(fit_map(data, "prior-shift").details["factors"].values()))
    np.testing.assert_allclose(factors / factors.sum(), truth, atol=0.05)
    other = table(logits, (actual + 1) % 3)
    blind = fit_map(other, "prior-shift", options={"prior": "em", "training": third})
    assert blind.details == result.details
    loss = pb.log_loss(data)
    assert pb.log_loss(result.applied(data)) < loss - 0.03


def test_em_is_the_greatest_likelihood():
    """No other shares make the rows likelier: scipy finds the same ones, with weights."""
    logits, actual = shifted(13, [0.2, 0.8], n=150)
    weight = np.random.default_rng(1).uniform(size=150)
    data = table(logits, actual, weight=weight)
    old = np.array([0.4, 0.6])

    def unlikely(logit):
        new = np.array([1 / (1 + np.exp(logit[0])), 1 / (1 + np.exp(-logit[0]))])
        return -(weight * np.log((data.prob * new / old).sum(axis=1))).sum()

    share = 1 / (1 + np.exp(-minimize(unlikely, [0.0], method="BFGS").x[0]))
    result = fit_map(data, "prior-shift", options={"prior": "em", "training": {"0": 0.4, "1": 0.6}})
    assert result.details["prior"]["1"] == pytest.approx(share, abs=1e-5)


def test_rows_of_one_class():
    """They do for given shares and for "em", and not for a fit to labels."""
    logits, _ = shifted(14, [0.5, 0.5], n=40)
    data = table(logits, np.zeros(40, int))
    with refused(pb.InputError, "one-class-to-fit", "`prior`"):
        fit_map(data, "prior-shift")
    assert fit_map(data, "prior-shift", options={"prior": {"0": 0.9, "1": 0.1}}).parameters == 0
    sure = pb.Predictions.from_arrays([0, 0], [0.1, 0.2])
    gone = fit_map(sure, "prior-shift", options={"prior": "em", "training": {"0": 0.5, "1": 0.5}})
    assert "share of 1 " in gone.notes[0]
    assert np.isfinite(pb.log_loss(gone.applied(sure)))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"prior": "EMM"}, ("wrong-kind", "`prior`", "'em'")),
        ({"prior": "em"}, ("wrong-kind", "`training`")),
        ({"prior": 0.3}, ("wrong-kind", "`prior`", "0.3")),
        ({"prior": {"0": 0.5, "2": 0.5}}, ("unknown-name", "`prior`", "'2'", "'0'", "'1'")),
        ({"prior": {"0": 1.0}}, ("no-shares", "`prior`", "above 0")),
        ({"prior": {"0": 0.5, "1": 0.6}}, ("no-shares", "`prior`", "sum 1")),
        ({"training": {"0": 0.5, "1": 0.5}}, ("prior-missing", "`training`", "`prior`")),
    ],
)
def test_wrong_shares_are_refused(options, said):
    """Each error names the argument, the rule and what came."""
    data = pb.Predictions.from_arrays([0, 1, 1], [0.2, 0.7, 0.4])
    with refused(pb.ParameterError, *said):
        fit_map(data, "prior-shift", options=options)
