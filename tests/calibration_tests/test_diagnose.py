import json
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from scipy.stats import binom

from duality import disagreement
from laws import examples, law
from plumbline.calibration_tests import (
    Contamination,
    Shift,
    Temperature,
    WeightedRows,
    calibration_test,
    class_shift,
    diagnose,
)
from plumbline.calibration_tests.shape_fits import candidates, drop_of, fitted, worst_class
from plumbline.calibration_tests.shape_names import direction_of
from plumbline.errors import InputError, ParameterError
from plumbline.plots import diagnosis_figure, draw_evidence
from plumbline.power import shifted, tempered
from plumbline.predictions import Predictions
from refusals import refused


def labels(rng, prob):
    """Draw a label of every row."""
    above = rng.random((len(prob), 1)) >= prob.cumsum(axis=1)
    return np.minimum(above.sum(axis=1), prob.shape[1] - 1)


def table(rng, prob, true=None, **columns):
    """Return predictions whose labels come from `true`."""
    actual = labels(rng, prob if true is None else true)
    k = prob.shape[1]
    return Predictions.from_arrays(actual, prob, classes=range(k), normalize=True, **columns)


def top_shifted(prob, by):
    """Return the most likely class changed by an amount, the others in proportion."""
    out, top = prob.copy(), prob.argmax(axis=1)
    for column in range(prob.shape[1]):
        out[top == column] = shifted(prob[top == column], by, column)
    return out


def wave(rng, n=2000):
    """Return scores that are too low and too high in turn."""
    p = rng.random(n)
    return Predictions.from_arrays(rng.random(n) < p + 0.12 * np.sin(4 * np.pi * p), p)


# From Dirichlet(1) vectors to what is reported and what is true, and the name of that fault.
FAULTS = {
    "sharp": ("overconfident", 2, lambda p: (p, tempered(p, 1.5))),
    "sharp, three": ("overconfident", 3, lambda p: (p, tempered(p, 1.5))),
    "blunt": ("underconfident", 2, lambda p: (p, tempered(p, 1 / 1.5))),
    "blunt, ten": ("underconfident", 10, lambda p: (p, tempered(p, 1 / 1.5))),
    "too high": ("over-estimation", 2, lambda q: (shifted(q, 0.05, 1), q)),
    "too low": ("under-estimation", 2, lambda q: (shifted(q, -0.05, 1), q)),
    "top too high": ("over-estimation", 10, lambda p: (p, top_shifted(p, -0.05))),
    "top too low": ("under-estimation", 3, lambda p: (p, top_shifted(p, 0.05))),
    "class too high": ("one-bad-class", 3, lambda q: (shifted(q, 0.1, 2), q)),
    "class too low": ("one-bad-class", 10, lambda q: (shifted(q, -0.1, 9), q)),
    "random, sharp": ("few-bad-points", 3, lambda p: (p**4, 0.95 * p**4 + 0.05 / 3)),
}
EACH = 3


@law("name", FAULTS, number=6)
def test_a_known_fault_is_named(name, rng):
    """At 2000 rows the right shape is named as often as 95 % allows."""
    shape, k, make = FAULTS[name]
    right = 0
    for seed in range(EACH):
        prob = rng.dirichlet(np.ones(k), 2000)
        if name == "random, sharp":
            prob = prob**4 / (prob**4).sum(axis=1, keepdims=True)
            pair = prob, 0.95 * prob + 0.05 / k
        else:
            pair = make(prob)
        right += diagnose(table(rng, *pair), resamples=39, rng=seed).shape == shape
    assert right >= binom.ppf(1e-3, EACH, 0.95)


def test_a_wave_is_none_of_the_shapes(rng):
    """What no shape explains is called other, and has no fitted line."""
    result = diagnose(wave(rng), resamples=199)
    assert result.shape == "other"
    assert result.speaks
    assert result.fitted == ()


def test_one_of_many_classes_is_not_off_by_being_chosen(rng):
    """In calibrated tables of 10 classes p is at most .05 in at most .15 of 60 (.48 were)."""
    wrong = 0
    for _ in range(60):
        rows = WeightedRows.of(table(rng, rng.dirichlet(np.full(10, 0.5), 300)))
        (one,) = (one for one in candidates(rows) if one.shape == "one-bad-class")
        assert one.fit.choices == 20
        wrong += one.fit.p_value <= 0.05
    assert wrong <= 9


@given(st.integers(0, 10_000), st.integers(2, 4), st.sampled_from([0.6, 1.0, 1.3, 2.0]))
@settings(max_examples=examples(20), deadline=None)
def test_an_amount_has_an_interval_and_a_p_value_that_agree(seed, k, heat):
    """The interval leaves out no effect exactly where p is at most .05; both are there or none."""
    rng = np.random.default_rng(seed)
    prob = rng.dirichlet(np.full(k, 0.5), 120)
    for row in diagnosed(table(rng, prob, tempered(prob, heat))).values():
        null = 1.0 if row["kind"] == "temperature" else 0.0
        told = disagreement(row["low"], row["high"], row["p_value"], level=0.95, null=null)
        assert told is None, row


@settings(max_examples=examples(25))
@given(st.integers(0, 10_000), st.integers(2, 5), st.floats(-1, 1))
def test_a_form_is_a_truth_and_at_zero_it_is_the_prediction(seed, k, by):
    """The truths of all forms sum to 1; at 0 nothing changes; own is a column of every."""
    rng = np.random.default_rng(seed)
    prob = rng.dirichlet(np.ones(k), 7)
    prob[0] = np.eye(k)[0]
    rows = WeightedRows.of(table(rng, prob))
    shifts = [Shift.of(rows, rows.event, odds=odds) for odds in (False, True)]
    for form in (Temperature(rows), Contamination(rows), *shifts, class_shift(rows, 0, odds=False)):
        at = max(form.low, by * min(form.high, 2.0))
        own = form.every(at)[np.arange(rows.n), rows.actual]
        assert form.own(at) == pytest.approx(own, rel=1e-9, abs=1e-9)
        assert form.own(0.0) == pytest.approx(0, abs=1e-12)
        with np.errstate(under="ignore"):
            total = np.exp(rows.log_prob + form.every(at)).sum(axis=1)
        assert total == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("choices", [1, 5])
@pytest.mark.parametrize("kind", ["temperature", "share", "shift", "odds", "class"])
def test_an_estimate_has_the_largest_likelihood_and_its_interval(kind, choices, rng):
    """The estimate beats a fine grid; at the ends the log likelihood falls by the drop."""
    prob = rng.dirichlet(np.ones(3), 800)
    rows = WeightedRows.of(table(rng, prob, 0.8 * tempered(prob, 1.4) + 0.2 / 3))
    form = {
        "temperature": Temperature(rows),
        "share": Contamination(rows),
        "shift": Shift.of(rows, rows.event, odds=False),
        "odds": Shift.of(rows, rows.event, odds=True),
        "class": class_shift(rows, 1, odds=True),
    }[kind]
    fit = fitted(rows, form, choices)
    grid = np.linspace(max(form.low, -1), min(form.high, 1), 401)
    gains = [form.own(by).sum() for by in grid]
    assert fit.gain >= max(gains) - 1e-6
    assert fit.gain == pytest.approx(form.own(fit.by).sum())
    for end, far in ((fit.low, form.low), (fit.high, form.high)):
        fallen = fit.gain - form.own(end).sum()
        short = end == far and fallen < drop_of(choices)  # a share of 0 is one of the amounts
        assert short or fallen == pytest.approx(drop_of(choices), rel=0.05)


def test_estimates_find_the_amount(rng):
    """The temperature, and the class with its shift, come out within their intervals."""
    prob = rng.dirichlet(np.ones(3), 3000)
    result = diagnose(table(rng, prob, tempered(prob, 1.5)), resamples=19)
    row = result.evidence[0]
    assert row["low"] < 1.5 < row["high"]
    assert row["explained"] > 0.8
    assert f"temperature {row['estimate']:.3g}" in result.statement
    result = diagnose(table(rng, shifted(prob, 0.1, 1), prob), resamples=19)
    row = result.evidence[0]
    assert row["class"] == "1"
    assert row["low"] < 0.1 < row["high"] + 0.01
    assert result.curve.view == "one-vs-rest:1"


def test_the_order_of_rows_and_the_names_of_classes_do_not_matter(rng):
    """Estimates are the same for rows in another order and for classes in another."""
    prob = rng.dirichlet(np.ones(3), 300)
    data = table(rng, prob, tempered(prob, 2.0))
    order, turn = rng.permutation(300), np.array([2, 0, 1])
    actual = np.argsort(turn)[data.actual]
    others = [
        Predictions.from_arrays(data.actual[order], data.prob[order], classes=range(3)),
        Predictions.from_arrays(actual, data.prob[:, turn], classes=range(3)),
    ]
    own = [(one.shape, one.worth, one.explained) for one in candidates(WeightedRows.of(data))]
    for other in others:
        for mine, theirs in zip(own, candidates(WeightedRows.of(other)), strict=True):
            assert mine[0] == theirs.shape
            assert mine[1:] == pytest.approx((theirs.worth, theirs.explained), rel=1e-4, abs=1e-4)


def test_weights_count_by_their_ratio_and_rows_without_weight_not_at_all(rng):
    """Other units of weight change nothing; weight 0 is as good as absent."""
    prob = rng.dirichlet(np.ones(3), 400)
    plain = table(rng, prob, tempered(prob, 1.5))
    kept = np.arange(400) < 300
    columns = {"classes": range(3), "normalize": True}
    heavy = Predictions.from_arrays(plain.actual, prob, weight=7.0 * kept, **columns)
    short = Predictions.from_arrays(plain.actual[kept], prob[kept], **columns)
    own, other = (candidates(WeightedRows.of(data)) for data in (heavy, short))
    for mine, theirs in zip(own, other, strict=True):
        assert mine.worth == pytest.approx(theirs.worth, abs=1e-9)
        assert mine.explained == pytest.approx(theirs.explained, abs=1e-9)


def test_a_view_is_the_diagnosis_of_its_binary_table(rng):
    """Asking for the top label is asking about right and wrong."""
    prob = rng.dirichlet(np.ones(4), 500)
    data = table(rng, prob, tempered(prob, 1.6))
    result = diagnose(data, view="top-label", resamples=99)
    binary = diagnose(data.top_label(), resamples=99)
    assert result.view == "top-label"
    assert result.p_value == binary.p_value
    assert [row["gain"] for row in result.evidence] == [row["gain"] for row in binary.evidence]


def test_the_answer_depends_on_the_seed_alone(rng):
    """One worker or three, the p-value is the same."""
    data = table(rng, rng.dirichlet(np.ones(3), 1500))
    one, three = (diagnose(data, resamples=199, rng=5, workers=w) for w in (1, 3))
    assert one.p_value == three.p_value
    assert one.to_dict() == three.to_dict()


def test_what_was_impossible_is_a_few_bad_points():
    """Answers of 0 and 1 that are wrong in a tenth of the rows: no temperature mends a 0."""
    actual = np.arange(200) % 2
    score = np.where(np.arange(200) % 20 < 2, 1 - actual, actual).astype(float)
    result = diagnose(Predictions.from_arrays(actual, score), resamples=99)
    assert result.shape == "few-bad-points"
    assert result.impossible_rows == 20
    assert result.evidence[0]["estimate"] == pytest.approx(0.2, abs=0.001)
    assert "20 of" in result.present().notes[0]


def test_logits_may_be_as_far_apart_as_they_like(rng):
    """Logits whose probabilities round to 0 and 1 can be cooled, for no logit is minus infinity."""
    logits = rng.normal(size=(400, 3)) * 3
    prob = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    data = Predictions.from_logits(labels(rng, prob), logits * 200)
    result = diagnose(data, resamples=99)
    assert result.shape == "overconfident"
    assert result.evidence[0]["low"] < 200 < result.evidence[0]["high"]


@pytest.mark.parametrize(
    ("actual", "score", "shape"),
    [
        ([0, 1] * 20, [0.5] * 40, "none"),
        ([1, 1, 1, 0] * 20, [0.5] * 80, "under-estimation"),
        ([1] * 60, [0.5] * 60, "under-estimation"),
        ([0] * 40 + [1] * 20, [0.9] * 60, "over-estimation"),
        ([0, 1] * 20, [0.0, 1.0] * 20, "none"),
        ([0, 1, 0, 1, 0], [0.2, 0.7, 0.4, 0.6, 0.1], "none"),
    ],
)
def test_odd_tables_have_sensible_answers(actual, score, shape):
    """One score, one class, sure answers, five rows."""
    result = diagnose(Predictions.from_arrays(actual, score, classes=[0, 1]), resamples=99)
    assert result.shape == shape
    assert result.speaks == (shape != "none")


def test_a_hundred_classes_and_ten_rows(rng):
    """Many classes and hardly any rows give an answer."""
    result = diagnose(table(rng, rng.dirichlet(np.ones(100), 10)), resamples=19)
    assert len(result.evidence) == 6
    assert 0 < result.p_value <= 1


def test_bad_questions_are_answered_with_the_rule(rng):
    """Too few resamples, ratings, several models, and unknown views are refused."""
    data = table(rng, rng.dirichlet(np.ones(3), 20))
    with refused(ParameterError, "out-of-range", "at least 19", argument="resamples"):
        diagnose(data, resamples=18)
    with refused(ParameterError, "no-fraction", argument="level"):
        diagnose(data, level=5)
    with refused(ParameterError, "view-not-possible", argument="view"):
        diagnose(data, view="joint")
    with refused(InputError, "ratings-only"):
        diagnose(Predictions.from_arrays([0, 1], score=[0.1, 3.0]))
    other = calibration_test(data, statistic="log-loss", resamples=19)
    with refused(ParameterError, "test-of-other-kind", "'log-loss'", argument="test"):
        diagnose(data, test=other)
    few = calibration_test(data.select(where=np.arange(20) < 15), resamples=19)
    with refused(ParameterError, "test-of-other-rows", "15", "20", argument="test"):
        diagnose(data, test=few)
    with refused(InputError, "several-models"):
        diagnose(table(rng, rng.dirichlet(np.ones(3), 4), model=["a", "a", "b", "b"]))
    with refused(InputError, "weights-all-zero"):
        diagnose(table(rng, rng.dirichlet(np.ones(3), 4), weight=[0, 0, 0, 0]))


def test_a_diagnosis_is_readable_json_and_a_table(rng):
    """The result becomes JSON without NaN, and one row a shape."""
    result = diagnose(table(rng, rng.dirichlet(np.ones(3), 50)), resamples=19)
    fields = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert fields["shape"] == result.shape
    assert {row["shape"] for row in result.to_frame("pandas").to_dict("records")} == {
        "over-estimation",
        "under-estimation",
        "overconfident",
        "underconfident",
        "few-bad-points",
        "one-bad-class",
    }
    assert result.statement in repr(result)


def test_the_picture_shows_the_fitted_line_and_a_bar_a_shape(rng):
    """The line of the named shape is there, its bar is marked, and names are no mathematics."""
    prob = rng.dirichlet(np.ones(3), 1000)
    names = ["$x_1^{$", "<b>", "50 % a_b"]
    actual = np.array(names)[labels(rng, prob)]
    data = Predictions.from_arrays(actual, shifted(prob, 0.15, 0), classes=names)
    result = diagnose(data, resamples=99)
    figure = diagnosis_figure(result)
    figure.canvas.draw()
    left, right = figure.axes
    assert left.get_title(loc="left").endswith("$x_1^{$")
    (fitted,) = [line for line in left.get_lines() if result.shape in str(line.get_label())]
    assert len(fitted.get_xdata()) == len(result.fitted)
    assert len(right.patches) == len(result.evidence)
    widths = [bar.get_width() for bar in right.patches]
    assert widths == pytest.approx([row["explained"] for row in result.evidence])
    assert len({bar.get_facecolor() for bar in right.patches}) == 2
    ax = Figure().subplots()
    draw_evidence(diagnose(table(rng, prob), resamples=19), ax, title=False)
    assert ax.get_title(loc="left") == ""


def test_a_shape_that_explains_as_much_is_named_beside_it():
    """Exact zeros that happened rule temperatures out; without them temperature is the reading."""
    from plumbline.calibration_tests.shape_names import rival_of

    rows = [
        {"shape": "few-bad-points", "kind": "share", "estimate": 0.3, "explained": 0.97},
        {"shape": "overconfident", "kind": "temperature", "estimate": 6.47, "explained": 0.95},
        {"shape": "under-estimation", "kind": "log-odds", "estimate": 0.0, "explained": None},
    ]
    for impossible, facts in ((0, ("6.47", "95 %")), (4, ("6.47", "95 %", "4 rows"))):
        rival = rival_of(rows[0]["shape"], rows, impossible)
        assert [fact for fact in ("Overconfident", *facts) if fact not in rival] == []
    rows[1]["explained"] = 0.5
    assert rival_of("few-bad-points", rows, 0) is None
    assert rival_of("none", rows, 0) is None


def diagnosed(data):
    """Return the evidence of a table by shape."""
    return {row["shape"]: row for row in diagnose(data, resamples=19, level=0.06).evidence}


HALF = Predictions.from_arrays(np.arange(40) % 2, np.full(40, 0.5))
FLAT = {
    "halves": (HALF, {"overconfident", "underconfident", "few-bad-points"}),
    "three equal classes": (
        Predictions.from_arrays(np.arange(60) % 3, np.full((60, 3), 1 / 3)),
        {"overconfident", "underconfident", "few-bad-points"},
    ),
    "nearly halves": (
        Predictions.from_arrays(np.arange(40) % 2, np.full(40, 0.5 + 1e-12)),
        {"overconfident", "underconfident", "few-bad-points"},
    ),
    "halves and zeros": (
        Predictions.from_arrays(np.r_[np.arange(60) % 2, 1, 1], np.r_[np.full(60, 0.5), 0.0, 0.0]),
        {"overconfident", "underconfident"},
    ),
}


@pytest.mark.parametrize("name", FLAT)
def test_an_amount_whose_likelihood_is_flat_is_not_estimable(name):
    """Rounding noise is no estimate: all its numbers are undefined, and null in JSON."""
    data, flat = FLAT[name]
    evidence = diagnosed(data)
    assert {shape for shape, row in evidence.items() if not row["estimable"]} == flat
    for shape in flat:
        numbers = [evidence[shape][key] for key in ("estimate", "low", "high", "gain", "p_value")]
        assert np.isnan(numbers).all()
    result = diagnose(data, resamples=19, level=0.06)
    rows = {row["shape"]: row for row in result.to_dict()["evidence"]}
    assert all(rows[shape]["estimate"] is None for shape in flat)
    assert repr(result).count("not estimable") == len(flat)
    assert diagnosis_figure(result).axes


@settings(deadline=None, max_examples=examples(40))
@given(
    st.lists(
        st.tuples(
            st.sampled_from([0.0, 1e-320, 1e-9, 0.2, 0.5, 0.5 + 1e-13, 0.8, 1 - 1e-16, 1.0]),
            st.integers(0, 1),
        ),
        min_size=5,
        max_size=40,
    )
)
def test_amounts_and_gains_are_nothing_or_larger_than_rounding(rows):
    """No shape has an estimate or a gain that is rounding noise, whatever the table."""
    prob, actual = zip(*rows, strict=True)
    data = Predictions.from_arrays([*actual, 0, 1], [*prob, 0.3, 0.6])
    for one in candidates(WeightedRows.of(data)):
        if one.fit is not None:
            assert one.fit.by == 0.0 or abs(one.fit.by) > 1e-7
            assert one.fit.gain == 0.0 or one.fit.gain > 1e-5
            assert (one.fit.by == 0.0) == (one.fit.gain == 0.0)


@pytest.mark.parametrize(("share", "few"), [(0.02, True), (0.3, False)])
def test_a_verdict_says_few_rows_only_of_few_rows(share, few):
    """Random labels in less than 5 % of the rows are in few, else the percentage stands there."""
    rng = np.random.default_rng(8)
    p = rng.beta(0.3, 0.3, 6000)
    random = rng.random(6000) < share
    y = np.where(random, rng.random(6000) < 0.5, rng.random(6000) < p)
    result = diagnose(Predictions.from_arrays(y.astype(int), p), resamples=99)
    assert result.shape == "few-bad-points"
    amount = next(row["estimate"] for row in result.evidence if row["shape"] == result.shape)
    assert amount == pytest.approx(share, rel=0.3)
    assert ("few" in result.verdict) == few
    assert (f"{100 * amount:.2g} % of the rows" in result.verdict) != few


def test_the_worst_class_is_furthest_off_in_standard_errors():
    """Neither by rows nor by its own number of them: rare classes vary less."""
    prob = np.tile([0.6, 0.1, 0.3], (1_000, 1))
    actual = np.repeat([0, 1, 2], [620, 89, 291])
    rows = SimpleNamespace(k=3, prob=prob, actual=actual, weight=np.ones(1_000))
    rows.squared = np.square(rows.weight)
    assert worst_class(SimpleNamespace(rows=rows)) == 0
    rows.actual = np.repeat([0, 1, 2], [620, 84, 296])
    assert worst_class(SimpleNamespace(rows=rows)) == 1


@pytest.mark.parametrize(
    ("shape", "k", "wanted"),
    [
        ("over-estimation", 2, ("1", "too high")),
        ("under-estimation", 2, ("1", "too low")),
        ("over-estimation", 3, (None, "too extreme")),
        ("under-estimation", 3, (None, "not extreme enough")),
    ],
)
def test_a_shift_of_the_most_likely_class_makes_a_table_too_extreme(shape, k, wanted):
    """Of two classes it is the positive one that is too probable."""
    data = Predictions.from_arrays(np.arange(k), np.full((k, k), 1 / k))
    assert direction_of(data, SimpleNamespace(shape=shape, number=None, fit=None)) == wanted


@pytest.mark.parametrize(("by", "way"), [(0.3, "too high"), (-0.3, "too low")])
def test_a_class_alone_is_too_probable_where_its_shift_is_positive(by, way):
    """In logits, in which shifts are mostly below 1."""
    data = Predictions.from_arrays(np.arange(3), np.full((3, 3), 1 / 3))
    one = SimpleNamespace(shape="one-bad-class", number=2, fit=SimpleNamespace(by=by))
    assert direction_of(data, one) == ("2", way)


@pytest.mark.parametrize(
    ("actual", "prob", "words"),
    [
        ([1] * 50, np.linspace(0.03, 0.96, 50), "or more (95 % CI 3."),
        (
            np.arange(120) % 2,
            np.repeat(np.linspace(0.01, 0.99, 60), 2),
            "temperature 1,000 or more (95 % CI 4.83 or more)",
        ),
    ],
)
def test_an_interval_that_goes_on_beyond_what_is_looked_for_is_open(actual, prob, words):
    """All rows are of one class, or the predictions tell nothing: no largest amount is known."""
    shown = str(calibration_test(Predictions.from_arrays(actual, prob)))
    assert words in shown
    assert " to 5)" not in shown
    assert "to 1,000)" not in shown
