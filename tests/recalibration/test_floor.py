"""What small probabilities count as where a map takes logarithms: the option `floor`."""

import sqlite3

import numpy as np
import pyarrow as pa
import pytest
from onnx.reference import ReferenceEvaluator
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

import plumbline as pb
from laws import law
from plumbline.errors import ParameterError
from plumbline.recalibration import METHODS, fit_map
from refusals import refused

EPSILON = 2.0**-52
FLOORED = [name for name, row in METHODS.items() if "floor" in row.options]
THREE = ("a", "b", "c")


@pytest.fixture(scope="module")
def saturated():
    """Naive Bayes on digits: rows to fit on and rows to measure, half of p exactly 0."""
    X, y = load_digits(return_X_y=True)
    own, rest, labels, others = train_test_split(X, y, train_size=0.15, random_state=2)
    prob = GaussianNB().fit(own, labels).predict_proba(rest)
    half = len(others) // 2
    return [
        pb.Predictions.from_arrays(others[rows], prob[rows])
        for rows in (slice(half), slice(half, None))
    ]


@pytest.fixture(scope="module")
def nearly_separated():
    """Naive Bayes on half of the digits: but for a few rows every class is told apart."""
    X, y = load_digits(return_X_y=True)
    own, rest, labels, others = train_test_split(X, y, train_size=0.5, random_state=0)
    model = GaussianNB().fit(own, labels)
    halves = train_test_split(rest, others, train_size=0.5, random_state=0)
    return [
        pb.Predictions.from_arrays(truth, model.predict_proba(rows))
        for rows, truth in ((halves[0], halves[2]), (halves[1], halves[3]))
    ]


@pytest.mark.parametrize(
    ("method", "most", "least"),
    [
        ("beta", 0.48, 1e-6),
        ("vector", 0.58, 1e-30),
        ("matrix", 0.45, 1e-6),
        ("dirichlet", 0.45, 1e-6),
        ("dirichlet-odir", 0.5, 1e-8),
    ],
)
def test_nearly_separated_classes_never_get_nearly_zero(nearly_separated, method, most, least):
    """One more row keeps the slopes sensible; without it beta answered 0 in 389 rows."""
    fit, test = nearly_separated
    result = fit_map(fit, method).applied(test)
    assert result.prob.min() > least
    assert pb.log_loss(result) < most


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("method", ["beta", "vector", "matrix"])
def test_one_more_row_moves_ordinary_maps_by_less_than_a_thousandth(method, seed):
    """On 1,000 rows of 2 to 10 classes; weights of a million leave nothing of that row."""
    rng = np.random.default_rng(seed)
    for k in (2, 3, 10)[: 2 if method == "matrix" else 3]:
        logits = 1.5 * rng.normal(size=(1_000, k))
        actual = (0.6 * logits + rng.gumbel(size=(1_000, k))).argmax(axis=1)
        usual, plain = (
            pb.Predictions.from_logits(actual, logits, classes=range(k), weight=weight)
            for weight in (None, np.full(1_000, 1e6))
        )
        options = {} if method != "matrix" else {"regularisation": 0.01}
        result, bare = (
            fit_map(data, method, options=options).applied(usual) for data in (usual, plain)
        )
        assert 1e-6 < np.abs(result.prob - bare.prob).max() < 1e-3
        assert abs(pb.log_loss(result) - pb.log_loss(bare)) < 1e-4


def test_a_probability_too_small_for_float64_keeps_its_logarithm():
    """One against the rest is divided as logarithms, also where float64 has 0 of every class."""
    rng = np.random.default_rng(5)
    ratings = rng.normal(size=(300, 3))
    actual = (2 * ratings + rng.gumbel(size=(300, 3))).argmax(axis=1)
    fitted = fit_map(pb.Predictions.from_arrays(actual, score=ratings, classes=range(3)), "platt")
    far = np.array([[-900.0, 900.0, 0.0], [-900.0, -901.0, -902.0]])
    result = fitted.applied(pb.Predictions.from_arrays([0, 0], score=far, classes=range(3)))
    z = np.array(
        [
            [f.intercept + f.value * r for f, r in zip(fitted.form.forms, row, strict=True)]
            for row in far
        ]
    )
    logs = -np.logaddexp(0, -z)
    wanted = logs - np.logaddexp.reduce(logs, axis=1, keepdims=True)
    assert result.prob[0, 0] == 0
    np.testing.assert_allclose(result.log_prob, wanted, rtol=1e-12)
    assert np.isfinite(pb.log_loss(result))


@law(
    ("method", "most"),
    [
        ("temperature", 0.73),
        ("vector", 0.68),
        ("matrix", 0.59),
        ("dirichlet", 0.58),
        ("platt", 0.69),
        ("beta", 0.66),
    ],
    number=3,
)
def test_a_saturated_model_is_recalibrated_as_with_a_floor(saturated, method, most):
    """The least probability above 0 is 5e-324: half of it is no evidence, the epsilon is."""
    fit, test = saturated
    assert (fit.prob == 0).mean() > 0.45
    assert fit.prob[fit.prob > 0].min() < 1e-300
    fitted = fit_map(fit, method)
    assert fitted.least == EPSILON
    result = pb.log_loss(fitted.applied(test))
    assert result < most
    assert result < 0.85 * pb.log_loss(fit_map(fit, method, options={"floor": 0}).applied(test))


def table(*rows):
    """A table of three classes, each class true once in a while."""
    return pb.Predictions.from_arrays(np.arange(len(rows)) % 3, np.array(rows), classes=range(3))


@pytest.mark.parametrize(
    ("smallest", "floor", "least"),
    [
        ([0.2, 0.3, 0.5], {}, EPSILON),
        ([1 - 1e-20, 1e-20, 1e-30], {}, EPSILON),
        ([1 - 1e-20, 1e-20, 0.0], {}, EPSILON),
        ([1 - 5e-324, 5e-324, 0.0], {"floor": 0}, 5e-324),
        ([0.99, 0.01, 0.0], {}, 0.005),
        ([0.99, 0.01, 0.0], {"floor": 0.02}, 0.02),
        ([0.99, 0.01, 0.0], {"floor": 0}, 0.005),
        ([1 - 1e-20, 1e-20, 1e-30], {"floor": 0}, 0.0),
    ],
)
def test_the_least_is_the_floor_or_half_of_what_zeros_stand_below(smallest, floor, least):
    """Zeros of a model that counts mean half its smallest answer, all others the floor."""
    data = table([0.4, 0.3, 0.3], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7], smallest)
    assert fit_map(data, "temperature", options=floor).least == least


@pytest.mark.parametrize("floor", [-1e-9, 0.1, "much", np.nan])
def test_a_floor_is_a_small_probability(floor):
    """Any other is refused."""
    with pytest.raises(ParameterError, check=lambda e: e.argument == "floor"):
        fit_map(table(*np.eye(3)), "temperature", options={"floor": floor})


def test_ratings_have_no_floor():
    """A rating is no probability, so nothing of it is near 0."""
    data = pb.Predictions.from_frame(
        pa.table({"actual": [0, 1, 0, 1], "score": [-40.0, -50.0, 20.0, 60.0]})
    )
    assert "floor" not in fit_map(data, "platt").options
    with refused(ParameterError, "floor-of-ratings", argument="floor"):
        fit_map(data, "platt", options={"floor": 1e-9})


def test_logarithms_of_logits_are_taken_as_they_are():
    """Logits of -300 are exact, and the temperature is that of scaling them."""
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(300, 3)) * 60
    prob = np.exp(logits / 60) / np.exp(logits / 60).sum(axis=1, keepdims=True)
    actual = (prob.cumsum(axis=1) < rng.random((300, 1))).sum(axis=1)
    data = pb.Predictions.from_logits(actual, logits, classes=range(3))
    fitted = fit_map(data, "temperature")
    assert fitted.least == 0
    assert 45 < fitted.details["temperature"] < 80


@pytest.mark.parametrize("method", FLOORED)
def test_saved_maps_carry_the_floor(method, tmp_path):
    """JSON, SQL, Python and ONNX answer the same for zeros and all that lies below the floor."""
    rng = np.random.default_rng(3)
    prob = rng.dirichlet([0.05] * 3, 400)
    prob[:9, 0] = 0.0
    prob /= prob.sum(axis=1, keepdims=True)
    actual = (prob.cumsum(axis=1) < rng.random((400, 1))).sum(axis=1).clip(max=2)
    data = pb.Predictions.from_arrays(np.array(THREE)[actual], prob, classes=THREE)
    fitted = fit_map(data, method, options={"floor": 1e-9})
    assert fitted.least == 1e-9
    values = np.array([[0.0, 1.0, 0.0], [1e-300, 1 - 1e-12, 1e-12], [0.2, 0.3, 0.5], *prob[9:20]])
    wanted = fitted.transform(values)
    fitted.save(tmp_path / "map.json")
    again = pb.RecalibrationMap.load(tmp_path / "map.json")
    assert np.array_equal(again.transform(values), wanted)
    assert again.options == fitted.options
    near = pytest.approx(wanted, rel=1e-12, abs=1e-15)
    module = {}
    exec(fitted.to_python(), module)  # noqa: S102
    assert np.array([module["calibrate"](row) for row in values]) == near
    model = fitted.to_onnx()
    assert ReferenceEvaluator(model).run(None, {"probabilities": values})[0] == near
    database = sqlite3.connect(":memory:")
    database.execute('CREATE TABLE predictions ("p:a" REAL, "p:b" REAL, "p:c" REAL)')
    database.executemany("INSERT INTO predictions VALUES (?, ?, ?)", values.tolist())
    rows = database.execute(fitted.to_sql("sqlite")).fetchall()
    database.close()
    assert np.array([row[3:] for row in rows]) == near


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("wrong", [0.03, 0.2, 0.4])
def test_a_temperature_above_1_corrects_overconfidence_of_hard_predictions_too(k, wrong):
    """Rows of probability 0 and 1, of which some are wrong, are overconfident on every surface."""
    n = 300
    said = np.arange(n) % k
    y = np.where(np.arange(n) % 100 < 100 * wrong, (said + 1) % k, said)
    data = pb.Predictions.from_arrays(y, np.eye(k)[said], classes=range(k))
    fitted = fit_map(data, "temperature")
    assert fitted.details["temperature"] > 1
    assert fitted(data, resubstitution=True).prob.max() == pytest.approx(1 - wrong, abs=0.02)
