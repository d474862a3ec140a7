"""Platt scaling, beta calibration and splines: their optima, laws, and what they do at the ends."""

from itertools import pairwise

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad_vec
from scipy.interpolate import CubicSpline
from scipy.optimize import minimize
from scipy.special import expit, logit
from sklearn.calibration import _SigmoidCalibration
from sklearn.linear_model import LogisticRegression

import plumbline as pb
from laws import examples
from plumbline.recalibration.inputs import Event
from plumbline.recalibration.methods import logistic
from plumbline.recalibration.methods import spline as splines
from plumbline.recalibration.methods.logistic import (
    CONSTANT,
    KINDS,
    ONE_SLOPE,
    SEPARATED,
    TURNED,
    beta,
    platt_on_probability,
)
from plumbline.recalibration.methods.spline import spline
from strategies import binary_tables

METHODS = {
    "platt": logistic.platt,
    "platt-on-probability": platt_on_probability,
    "beta": beta,
    "spline": spline,
}


def drawn(seed, n=300, slope=0.6, shift=0.3):
    """Log-odds, whether it happened by a logistic curve of them, and weights."""
    rng = np.random.default_rng(seed)
    x = rng.normal(scale=2, size=n)
    return x, rng.random(n) < expit(slope * x + shift), rng.uniform(0.1, 3, n)


def of(x):
    """Probabilities with these log-odds, read without loss."""
    return Event("probability", expit(x), expit(-x))


def entropy(z, target, weight):
    """The weighted cross entropy of log-odds z, word by word."""
    return weight @ (target * np.logaddexp(0, -z) + (1 - target) * np.logaddexp(0, z))


def answers(fit, event):
    """The probabilities that a fit gives."""
    return fit.form(event).prob[:, 1]


# Platt


@pytest.mark.parametrize(("seed", "n"), [(0, 40), (1, 2000)])
def test_platt_is_the_optimum_of_its_paper_by_scipy(seed, n):
    """The slope and intercept of Platt's loss with his targets, weights counted as rows."""
    x, hit, weight = drawn(seed, n)
    happened, missed = weight[hit].sum(), weight[~hit].sum()
    target = np.where(hit, (happened + 1) / (happened + 2), 1 / (missed + 2))
    for method, feature in ((logistic.platt, x), (platt_on_probability, expit(x))):
        best = minimize(
            lambda c, f=feature: entropy(c[0] + c[1] * f, target, weight), np.zeros(2), tol=1e-10
        )
        fit = method(of(x), hit, weight)
        result = fit.form.intercept, fit.form.value or fit.form.log_odds
        np.testing.assert_allclose(result, best.x, rtol=1e-5, atol=1e-6)
        assert (fit.parameters, fit.notes) == (2, ())


@pytest.mark.parametrize("seed", [0, 1])
def test_platt_of_ratings_is_the_sigmoid_of_scikit_learn(seed):
    """The same curve as scikit-learn's, which has the same targets and weights."""
    x, hit, weight = drawn(seed, 500)
    theirs = _SigmoidCalibration().fit(3 * x + 1, hit, weight)
    ours = answers(
        logistic.platt(Event("score", 3 * x + 1), hit, weight), Event("score", 3 * x + 1)
    )
    np.testing.assert_allclose(ours, theirs.predict(3 * x + 1), atol=1e-6)


@pytest.mark.parametrize("scale", [1e-200, 1e-3, 1e8, 1e305])
def test_ratings_of_any_size_give_the_same_probabilities(scale):
    """Rescaled ratings change only the coefficients; nothing overflows."""
    x, hit, weight = drawn(2)
    small, large = Event("score", x), Event("score", x * scale)
    for method in (logistic.platt, spline):
        if method is logistic.platt or 1e-60 < scale < 1e60:
            np.testing.assert_allclose(
                answers(method(large, hit, weight), large),
                answers(method(small, hit, weight), small),
                rtol=1e-7,
            )


def test_rows_of_next_to_no_weight_bend_no_spline():
    """They are knots where they are the first and the last score, and move the others little."""
    x, hit, _ = drawn(2, 500)
    known = Event("score", x)
    far = np.array([x.min() - 1.0, x.max() + 1.0])
    more = Event("score", np.append(x, far))
    weight = np.append(np.ones(len(x)), [1e-200, 1e-200])
    fit = spline(more, np.append(hit, [True, False]), weight)
    alone = answers(spline(known, hit, np.ones(len(x))), known)
    np.testing.assert_allclose(answers(fit, known), alone, atol=0.02)


def test_a_spline_of_ratings_that_cannot_be_cubed_is_a_line_and_says_so():
    """At either end of what float64 holds the line of Platt stands."""
    x, hit, weight = drawn(2)
    for scale in (1e-100, 1e100):
        event = Event("score", x * scale)
        fit = spline(event, hit, weight)
        assert fit.notes == (splines.EXTREME,)
        assert fit.form == pytest.approx(logistic.platt(event, hit, weight).form) or np.array_equal(
            answers(fit, event), answers(logistic.platt(event, hit, weight), event)
        )


def test_separated_classes_give_a_finite_curve_and_a_note():
    """The targets bound every probability by those of one more row."""
    x = np.array([-2.0, -1.0, 0.5, 1.0, 3.0])
    hit = x > 0
    for name, method in METHODS.items():
        fit = method(of(x), hit, np.ones(5))
        q = answers(fit, of(x))
        assert (np.diff(q) > 0).all(), name
        assert 0.01 < q.min() < q.max() < 0.99
        assert SEPARATED in fit.notes


def test_a_curve_that_turns_the_order_round_says_so():
    """Where high ratings go with failure, Platt's slope is negative."""
    x, hit, weight = drawn(3, slope=-1.0)
    fit = logistic.platt(Event("score", x), hit, weight)
    assert fit.form.value < 0
    assert fit.notes == (TURNED,)


def test_equal_values_get_the_share_of_the_class():
    """Without anything to tell rows apart the curve is its intercept, by Platt's targets or not."""
    hit, weight = np.arange(10) < 3, np.ones(10)
    smoothed = (3 * 4 / 5 + 7 / 9) / 10
    for value in (0.0, 0.4, 1.0):
        event = Event("probability", np.full(10, value))
        for method in (logistic.platt, platt_on_probability, spline):
            fit = method(event, hit, weight)
            assert CONSTANT in fit.notes
            np.testing.assert_allclose(answers(fit, event), smoothed)
        assert CONSTANT in beta(event, hit, weight).notes


# The solver


def test_it_is_the_logistic_regression_of_statsmodels_and_scikit_learn():
    """Two features with an intercept and without, weighted, against both packages."""
    x, hit, weight = drawn(4)
    features = (x, np.sin(x))
    target = hit.astype(float)
    ours = logistic.logistic(features, target, weight=weight)
    design = sm.add_constant(np.column_stack(features))
    theirs = sm.GLM(target, design, family=sm.families.Binomial(), freq_weights=weight).fit(
        tol=1e-12
    )
    np.testing.assert_allclose([ours.intercept, *ours.slopes], theirs.params, rtol=1e-8)
    bare = logistic.logistic(features, target, weight=weight, intercept=False)
    peer = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, max_iter=1000).fit(
        np.column_stack(features), hit, weight
    )
    np.testing.assert_allclose(bare.slopes, peer.coef_[0], rtol=1e-5)
    assert (
        ours.loss
        < bare.loss
        == pytest.approx(entropy(np.column_stack(features) @ bare.slopes, target, weight))
    )


def test_very_many_rows_that_start_from_a_sample_end_at_the_same_place(monkeypatch):
    """More rows than SAMPLE give the optimum of all, as a start at 0 does; chunks add up."""
    monkeypatch.setattr(logistic, "SAMPLE", 3000)
    monkeypatch.setattr(logistic, "CHUNK", 1000)
    x, hit, weight = drawn(5, 8001)
    design = np.column_stack([np.ones_like(x), x])
    none = np.zeros((2, 2))
    start = np.zeros(2)
    result = logistic.newton(design, hit + 0.0, weight=weight, penalty=none, start=start)
    monkeypatch.undo()
    slow = logistic.newton(design, hit + 0.0, weight=weight, penalty=none, start=start)
    np.testing.assert_allclose(result.coefficients, slow.coefficients, rtol=1e-9)
    share = expit(design @ result.coefficients)
    np.testing.assert_allclose(design.T @ (weight * (share - hit)), 0, atol=1e-6)
    bend = weight * share * (1 - share)
    np.testing.assert_allclose(result.curvature, design.T @ (bend[:, None] * design), rtol=1e-5)


def test_no_weights_or_tails_keep_it_from_the_optimum():
    """On few rows, heavy tails and weights over eight powers of ten scipy finds nothing better."""
    rng = np.random.default_rng(0)
    for _ in range(15):
        x, weight = rng.standard_t(0.7, size=5), 10 ** rng.uniform(-4, 4, 5)
        target = logistic.platt_targets(np.arange(5) < 2, weight)
        result = logistic.logistic((x,), target, weight=weight)
        wide = np.abs(x).max()

        def loss(c, x=x / wide, target=target, weight=weight):
            z = c[0] + c[1] * x
            pull = weight * (expit(z) - target)
            return entropy(z, target, weight), np.array([pull.sum(), pull @ x])

        starts = np.zeros(2), np.array([result.intercept, result.slopes[0] * wide])
        best = min(minimize(loss, start, jac=True, tol=1e-10).fun for start in starts)
        assert result.loss == pytest.approx(loss(starts[1])[0], rel=1e-9)
        assert result.loss <= best * (1 + 1e-9)


# Beta


def beta_log_odds(kind, c, p):
    """The log-odds of the paper's beta map: c holds a, b, and the intercept where it is free."""
    if kind == "am":
        return c[0] * logit(p) + c[1]
    middle = np.log(2) * (c[0] - c[1]) if kind == "ab" else c[2]
    return c[0] * np.log(p) - c[1] * np.log1p(-p) + middle


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("seed", "slope"), [(6, 0.5), (7, 2.0), (8, 0.02), (9, -0.7)])
def test_beta_is_the_best_rising_map_by_scipy(kind, seed, slope):
    """Among all a, b >= 0, found by a bounded search of the literal loss, weighted.

    One more row, of either class in their shares, is spread over all.
    """
    x, hit, weight = drawn(seed, 150, slope=slope)
    p, total, share = expit(x), weight.sum(), weight @ hit / weight.sum()

    def loss(z):
        more = share * entropy(z, hit | True, weight) + (1 - share) * entropy(
            z, hit & False, weight
        )
        return (total * entropy(z, hit, weight) + more) / (total + 1)

    free = 2 if kind == "am" else 1 if kind == "abm" else 0
    bounds = [(0, None)] * (1 if kind == "am" else 2) + [(None, None)] * (free > 0)
    best = minimize(
        lambda c: loss(beta_log_odds(kind, c, p)),
        np.full(len(bounds), 0.5),
        bounds=bounds,
        method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-9},
    )
    fit = beta(of(x), hit, weight, parameters=kind)
    np.testing.assert_allclose(
        answers(fit, of(x)), expit(beta_log_odds(kind, best.x, p)), atol=2e-4
    )
    assert loss(logit(answers(fit, of(x)))) <= best.fun + 1e-9
    assert fit.parameters == (np.array(best.x[: len(bounds) - (free > 0)]) > 1e-6).sum() + (
        kind != "ab"
    )
    assert bool(fit.notes) == (fit.parameters < len(bounds))


# a, b and m of the package betacal 1.1.0 (BetaCalibration("abm").fit on the rows of the test), by
# seed: one with both slopes, one whose b alone stays.
BETACAL = {2: (2.209887, 1.737666, 0.374528), 0: (0.0, 1.636248, 0.667718)}


@pytest.mark.parametrize(("seed", "n", "slope", "shift"), [(2, 3000, 2.0, -1), (0, 60, 1.0, 0)])
def test_beta_is_that_of_its_authors_package(seed, n, slope, shift):
    """The recorded a, b and m of betacal, whose optimiser stops about 1e-3 before the optimum.

    Weights of a million leave nothing of the one row more, which betacal does not have.
    """
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n) * 1.5
    hit = rng.random(n) < 1 / (1 + np.exp(-slope * x + shift))
    fit = beta(of(x), hit, np.full(n, 1e6))
    a, b, m = BETACAL[seed]
    assert (fit.form.log, -fit.form.log_rest) == pytest.approx((a, b), abs=2e-3)
    assert fit.form.intercept == pytest.approx(b * np.log(1 - m) - a * np.log(m), abs=4e-3)
    assert fit.notes == ((ONE_SLOPE.format("a"),) if a == 0 else ())


@pytest.mark.parametrize("truth", [(1.0, 1.0, 0.0), (0.4, 2.5, -0.3)])
def test_beta_finds_the_curve_that_the_rows_lie_on(truth):
    """Rows that hit and miss with exactly the shares of a beta map give back that map."""
    p = np.linspace(0.01, 0.99, 50)
    q = expit(beta_log_odds("abm", truth, p))
    hit = np.repeat([True, False], len(p))
    fit = beta(Event("probability", np.tile(p, 2)), hit, 1e12 * np.concatenate([q, 1 - q]))
    result = fit.form.log, -fit.form.log_rest, fit.form.intercept
    np.testing.assert_allclose(result, truth, atol=1e-8)


def test_other_parameters_are_refused():
    """An unknown kind of beta map, or a number of knots that makes no spline."""
    x, hit, weight = drawn(0)
    with pytest.raises(pb.ParameterError, check=lambda e: e.argument == "parameters"):
        beta(of(x), hit, weight, parameters="a")
    for knots in (-1, 1, 2, 201, 3.5, True):
        with pytest.raises(
            pb.ParameterError, check=lambda e: (e.argument, e.code) == ("knots", "no-whole-number")
        ):
            spline(of(x), hit, weight, knots=knots)


# Splines


def natural(places, values):
    """The natural cubic spline of scipy, straight outside."""
    inner = CubicSpline(places, values, bc_type="natural")

    def at(x):
        inside = np.clip(x, places[0], places[-1])
        return inner(inside) + (x - inside) * inner(inside, 1)

    return at, inner


def test_the_basis_is_the_natural_spline_of_scipy():
    """Values, second derivatives and the integral of their square, at uneven knots."""
    rng = np.random.default_rng(0)
    places, values = np.sort(rng.normal(size=7)), rng.normal(size=7)
    x = np.sort(np.concatenate([rng.uniform(places[0], places[-1], 40), places]))
    basis = splines._basis(x, places)
    at, inner = natural(places, values)
    np.testing.assert_allclose(basis.design @ values, at(x), atol=1e-12)
    np.testing.assert_allclose(basis.bends @ values, inner(places, 2), atol=1e-9)
    pairs = pairwise(places)
    rough = sum(quad_vec(lambda u: inner(u, 2) ** 2, low, high)[0] for low, high in pairs)
    assert values @ basis.roughness @ values == pytest.approx(rough)


def test_the_form_is_the_natural_spline_through_its_knots():
    """The frozen pieces give scipy's natural spline inside and its tangents outside."""
    x, hit, weight = drawn(10, slope=1.2)
    form = spline(Event("score", x), hit, weight).form
    values = np.append(
        form.coefficients[:, 0], form(Event("score", form.knots[-1:])).log_prob[0] @ [-1, 1]
    )
    far = np.linspace(-12, 12, 301)
    np.testing.assert_allclose(
        answers(spline(Event("score", x), hit, weight), Event("score", far)),
        expit(natural(form.knots, values)[0](far)),
        atol=1e-12,
    )
    assert (form.knots[0], form.knots[-1]) == (x.min(), x.max())


def test_the_chosen_curve_is_the_optimum_of_the_penalised_loss(monkeypatch):
    """Of all penalties tried, the one of largest marginal likelihood, each with its own optimum."""
    monkeypatch.setattr(splines, "TRIALS", 6)
    x, hit, weight = drawn(11, 120, slope=1.0)
    cells = splines._cells(x, hit, weight)
    places = splines._places(cells, 6)
    basis = splines._basis(cells.x, places)
    turned, roughness = splines._directions(cells, basis)

    def literal(penalty):
        def loss(g):
            z, rough = basis.design @ g, g @ basis.roughness @ g
            slope = basis.design.T @ (cells.weight * (expit(z) - cells.target))
            return (
                entropy(z, cells.target, cells.weight) + penalty * rough / 2,
                slope + penalty * basis.roughness @ g,
            )

        best = minimize(loss, np.zeros(6), jac=True, tol=1e-12)
        share = expit(basis.design @ best.x)
        bend = cells.weight * share * (1 - share)
        curved = basis.design.T @ (bend[:, None] * basis.design) + penalty * basis.roughness
        return best.x, best.fun + (np.linalg.slogdet(curved)[1] - 4 * np.log(penalty)) / 2

    trials = np.geomspace(splines.STRAIGHTEST, splines.ROUGHEST, splines.TRIALS)
    slow = [literal(penalty) for penalty in trials / roughness[2:].min()]
    chosen = splines._smoothed(cells, basis).values
    best = slow[int(np.argmin([evidence for _, evidence in slow]))][0]
    np.testing.assert_allclose(basis.design @ chosen, basis.design @ best, atol=1e-4)
    assert np.ptp([evidence for _, evidence in slow]) > 0.1
    spread = turned.T @ basis.roughness @ turned
    np.testing.assert_allclose(spread, np.diag(roughness), atol=1e-6 * roughness.max())


def test_the_straightest_spline_is_platt_scaling(monkeypatch):
    """With a penalty beyond all bounds only the line of Platt is left."""
    monkeypatch.setattr(splines, "ROUGHEST", splines.STRAIGHTEST * 1e3)
    monkeypatch.setattr(splines, "STRAIGHTEST", splines.STRAIGHTEST * 1e3)
    x, hit, weight = drawn(12)
    fit = spline(of(x), hit, weight)
    line = answers(logistic.platt(of(x), hit, weight), of(x))
    np.testing.assert_allclose(answers(fit, of(x)), line, atol=1e-6)
    assert fit.parameters == 2


def expected_gain(curve, n, seeds):
    """What Platt scaling loses more than a spline on new rows, in nats, data set by data set."""
    gains = []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        x, new = rng.normal(scale=2, size=n), rng.normal(scale=2, size=2000)
        hit, truth = rng.random(n) < expit(curve(x)), expit(curve(new))
        losses = [
            entropy(logit(answers(method(of(x), hit, np.ones(n)), of(new))), truth, np.ones(2000))
            for method in (logistic.platt, spline)
        ]
        gains.append((losses[0] - losses[1]) / 2000)
    return np.array(gains)


@pytest.mark.parametrize(
    "curve",
    [lambda x: 0.8 * x + 0.7 * np.sin(1.5 * x), lambda x: 0.1 * x**3 - 0.5],
    ids=["waves", "cubic"],
)
def test_it_beats_platt_scaling_where_the_truth_is_bent(curve):
    """On 1,000 rows of a smooth truth that is no line, by more than five standard errors."""
    gains = expected_gain(curve, 1000, 5)
    assert gains.mean() > 5 * gains.std(ddof=1) / np.sqrt(len(gains))
    assert gains.mean() > 0.005


def test_it_costs_next_to_nothing_where_the_truth_is_straight():
    """On 300 rows of a truth that Platt scaling fits, less than 1 / (2 n) nats a row."""
    gains = expected_gain(lambda x: 0.6 * x - 0.2, 300, 10)
    assert gains.mean() > -1 / (2 * 300) - 2 * gains.std(ddof=1) / np.sqrt(len(gains))


def test_few_distinct_values_make_a_line_and_many_are_summed():
    """Two values leave the line, which is said; cells hold all the weight in rising order."""
    x, hit, weight = drawn(13, 5000)
    assert splines.FEW in spline(of(np.sign(x)), hit, weight).notes
    cells = splines._cells(x, hit, weight)
    assert len(cells.x) <= splines.CELLS
    assert (np.diff(cells.x) > 0).all()
    assert cells.weight.sum() == pytest.approx(weight.sum())
    assert cells.weight @ cells.x == pytest.approx(weight @ x)
    target = logistic.platt_targets(hit, weight)
    assert cells.weight @ cells.target == pytest.approx(weight @ target)


def test_values_as_close_as_floats_can_be_make_a_spline_all_the_same():
    """Neighbouring floats and far outliers among the ratings leave finite coefficients."""
    x, hit, _ = drawn(14, 200)
    close = np.nextafter(x, np.inf)
    event = Event("score", np.concatenate([x, close, [1e9, -1e12]]))
    fit = spline(event, np.concatenate([hit, ~hit, [True, False]]), np.ones(402))
    assert np.isfinite(fit.form.coefficients).all()
    assert (np.diff(fit.form.knots) > 0).all()


# Laws


@settings(max_examples=examples(15), deadline=None)
@given(binary_tables(least=3, most=25), st.sampled_from(sorted(METHODS)))
def test_weight_is_repetition(table, name):
    """A row of weight 3 counts as three rows, and the order of the rows does not matter."""
    hit = table.event == 1
    assume(hit.any() and not hit.all())
    method = METHODS[name]
    event = Event("probability", table.score)
    again = np.repeat(np.arange(table.n), table.weight)[::-1]
    weighted = method(event, hit, table.weight.astype(float))
    repeated = method(Event("probability", table.score[again]), hit[again], np.ones(len(again)))
    np.testing.assert_allclose(answers(weighted, event), answers(repeated, event), atol=1e-6)
    assert np.isfinite(answers(weighted, event)).all()
    assert weighted.notes == repeated.notes
