import math

import numpy as np
import pytest
from sklearn.metrics import det_curve, f1_score, matthews_corrcoef, roc_curve

from plumbline import InputError, ParameterError, Predictions
from plumbline.curves import PRESETS, CurveSettings, class_counts, curve, preset_of, preset_settings
from refusals import refused

ATTRIBUTE = [name for name, preset in PRESETS.items() if preset.needs == "x"]


@pytest.fixture
def data(rng) -> Predictions:
    """Return predictions with ties, and an attribute of each kind."""
    n = 200
    score = np.round(rng.random(n), 2)
    event = (rng.random(n) < score).astype(int)
    age = np.where(rng.random(n) < 0.1, np.nan, np.round(rng.normal(50, 9, n)))
    pain = rng.choice(np.array(["typical", "none"], object), n)
    attributes = {"age": age, "pain": pain, "old": age > 50}
    return Predictions.from_arrays(event, score, attributes=attributes)


def by_threshold(data, measure) -> dict[float, float]:
    """Return a measure of (truth, answer) at every distinct probability, the slow way."""
    p, truth = data.prob[:, 1], data.actual
    return {float(t): measure(truth, (p >= t).astype(int)) for t in np.unique(p)}


def points(result) -> dict[float, float]:
    """Return threshold -> y of a curve's only line, finite thresholds only."""
    (line,) = result.lines
    pairs = zip(line.threshold.tolist(), line.y.tolist(), strict=True)
    return {t: y for t, y in pairs if math.isfinite(t)}


# ------------------------------------------------------------------ the table


def test_the_promised_presets_are_there():
    """The names are promises."""
    assert set(PRESETS) == {
        *("roc", "precision-recall", "lift", "gains", "calibration", "accuracy", "f1", "mcc"),
        *("informedness", "det", "cost", "net-benefit", "profit", "accuracy-by-probability"),
        *("error-by-attribute", "class-counts", "ks", "queue-rate", "precision-recall-gain"),
    }


def test_a_square_is_where_both_axes_are_shares():
    """From 0 to 1; a diagonal is one at 45 degrees."""
    square = {name for name, preset in PRESETS.items() if preset.square}
    assert square == {"roc", "precision-recall", "precision-recall-gain", "gains", "calibration"}


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_draws_a_curve(data, name):
    """All formulas can be read and computed, and give points."""
    attribute = {"x": "age"} if name in ATTRIBUTE else {}
    (line,) = curve(data, name, **attribute).lines
    assert len(line) > 5
    assert np.isfinite(line.y).all()


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_says_how_to_read_it_and_what_it_does_not_show(name):
    """The explanation has several sentences of at most 25 words."""
    sentences = PRESETS[name].explanation.split(". ")
    assert len(sentences) >= 2
    assert sentences[-1].endswith(".")
    assert max(len(one.split()) for one in sentences) <= 25


@pytest.mark.parametrize("name", PRESETS)
def test_the_parameters_listed_are_those_of_the_formula(name):
    """`params` names every `param("name", default)` of the formulas, with its default."""
    preset = PRESETS[name]
    used = {f'param("{key}", {value:g})' for key, value in preset.params.items()}
    assert all(text in preset.y for text in used)
    assert preset.y.count("param(") == len(used)


# ------------------------------------------------------------------ against other computations


def test_roc_and_det_are_those_of_scikit_learn(data):
    """FPR against TPR, and FPR against FNR, at every distinct probability."""
    fpr, tpr, _ = roc_curve(data.actual, data.prob[:, 1], drop_intermediate=False)
    (line,) = curve(data, "roc").lines
    np.testing.assert_allclose([line.x, line.y], [fpr, tpr], atol=1e-12)
    fpr, fnr, threshold = det_curve(data.actual, data.prob[:, 1])
    (line,) = curve(data, "det").lines
    ours = {t: (x, y) for t, x, y in zip(line.threshold, line.x, line.y, strict=True)}
    theirs = [*zip(fpr, fnr, strict=True)]
    finite = np.isfinite(threshold)
    np.testing.assert_allclose(
        [ours[t] for t in threshold[finite]], [p for p, f in zip(theirs, finite, strict=True) if f]
    )


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("accuracy", lambda truth, answer: (truth == answer).mean()),
        ("f1", f1_score),
        ("queue-rate", lambda truth, answer: answer.mean()),
        ("ks", lambda t, a: a[t == 1].mean() - a[t == 0].mean()),
        ("informedness", lambda t, a: a[t == 1].mean() + (1 - a)[t == 0].mean() - 1),
        ("cost", lambda t, a: (5 * ((t == 1) & (a == 0)) + ((t == 0) & (a == 1))).mean()),
        ("profit", lambda t, a: float((a * np.where(t == 1, 1, -1)).sum())),
    ],
)
def test_a_measure_at_every_threshold_is_the_measure_of_its_answers(data, name, measure):
    """At each probability t, the rows with p >= t are answered positive and the rest negative."""
    ours, expected = points(curve(data, name)), by_threshold(data, measure)
    assert ours.keys() == expected.keys()
    np.testing.assert_allclose([ours[t] for t in expected], list(expected.values()), atol=1e-12)


def test_the_correlation_is_undefined_where_all_answers_are_alike(data):
    """Where scikit-learn says 0 for 0/0, there is no point; elsewhere the values are equal."""
    ours, expected = points(curve(data, "mcc")), by_threshold(data, matthews_corrcoef)
    assert expected.keys() - ours.keys() == {min(expected)}
    np.testing.assert_allclose([expected[t] for t in ours], list(ours.values()), atol=1e-12)


def test_net_benefit_is_that_of_vickers_and_elkin(data):
    """TP / n - FP / n * odds; no point where the odds are infinite."""
    p, truth = data.prob[:, 1], data.actual
    for t, y in points(curve(data, "net-benefit")).items():
        hit, alarm = ((p >= t) & (truth == 1)).mean(), ((p >= t) & (truth == 0)).mean()
        assert y == pytest.approx(hit - alarm * t / (1 - t), abs=1e-12)
        assert t < 1


def test_precision_recall_gain_is_that_of_flach_and_kull(data):
    """(v - pi) / ((1 - pi) v) of precision and of recall, in which the formulas are short."""
    (gain,) = curve(data, "precision-recall-gain").lines
    (plain,) = curve(data, "precision-recall").lines
    prevalence = data.actual.mean()
    at = {t: (x, y) for t, x, y in zip(plain.threshold, plain.x, plain.y, strict=True)}
    assert len(gain) > 10
    for t, *ours in zip(gain.threshold, gain.x, gain.y, strict=True):
        theirs = [(v - prevalence) / ((1 - prevalence) * v) for v in at[t]]
        assert ours == pytest.approx(theirs, abs=1e-12)


def test_lift_is_gains_per_row_accepted(data):
    """Lift = share of positives found / share of rows accepted; both end at all rows."""
    (lift,), (gains,) = curve(data, "lift").lines, curve(data, "gains").lines
    np.testing.assert_allclose(lift.y, (gains.y[1:] / gains.x[1:]), atol=1e-12)
    assert (gains.x[0], gains.y[0]) == (0, 0)
    assert (lift.x[-1], lift.y[-1]) == (1, 1)


def test_parameters_change_the_cost_and_the_profit(data):
    """A price of the user's own takes the place of the default."""
    dear = points(curve(data, "cost", params={"fn_cost": 0.0, "fp_cost": 1.0}))
    assert dear[max(dear)] <= dear[min(dear)]
    assert dear[min(dear)] == pytest.approx(1 - data.actual.mean())
    rich = points(curve(data, "profit", params={"gain": 3.0}))
    assert rich[min(rich)] == 3 * data.actual.sum() - (1 - data.actual).sum()


# ------------------------------------------------------------------ settings


def test_settings_of_a_preset_make_curve_settings():
    """What is returned can be handed to CurveSettings, and names the preset."""
    settings = CurveSettings(**preset_settings("calibration"))
    assert (settings.preset, settings.x, settings.y) == ("calibration", "probability", "eP")
    assert (settings.merge, settings.average) == ("none", "smooth")
    assert settings.x_title == "predicted probability"


def test_overrides_win_and_none_is_not_given():
    """A given setting wins; None leaves the preset's; the title of a changed axis goes."""
    changed = preset_settings("calibration", average="merge", merge=None, y="eCA", where="eP")
    assert changed["average"] == "merge"
    assert changed["merge"] == "none"
    assert changed["where"] == "eP"
    assert "y_title" not in changed
    assert changed["x_title"] == "predicted probability"
    assert preset_settings("roc", y="TPR ** 2", y_title="square")["y_title"] == "square"


def test_what_the_data_decide_is_left_to_them():
    """A preset that asks for no merging or averaging of its own does not fix the defaults."""
    assert preset_settings("roc").keys() == {"preset", "x", "y", "x_title", "y_title"}


@pytest.mark.parametrize("name", ATTRIBUTE)
def test_a_curve_over_an_attribute_needs_one(name):
    """Without `x` the error says what to name."""
    with refused(ParameterError, "formula-missing", "`x`", repr(name)):
        preset_settings(name)
    assert preset_settings(name, x="age")["x"] == "age"


def test_unknown_presets_and_settings_are_refused_with_near_names():
    """Slips are told from what exists."""
    with refused(ParameterError, "unknown-name") as preset:
        preset_settings("gain")
    with refused(ParameterError, "unknown-setting") as setting:
        preset_settings("roc", spam=0.3)
    assert (preset.value.near, setting.value.near) == ("gains", "span")
    with refused(ParameterError, "unknown-setting", "'preset'"):
        preset_settings("roc", preset="det")


def test_a_formula_typed_by_hand_is_known_for_what_it_is():
    """The same formulas are drawn alike, whoever wrote them; changed ones are not."""
    assert preset_of(CurveSettings("PP/NN", "TPR")) is PRESETS["gains"]
    assert preset_of(CurveSettings("age", "1 - eCA")) is None
    named = CurveSettings("age", "1 - eCA", preset="error-by-attribute")
    assert preset_of(named) is PRESETS["error-by-attribute"]
    assert preset_of(CurveSettings("FPR", "TPR ** 2", preset="roc")) is None


# ------------------------------------------------------------------ class_counts


@pytest.mark.parametrize(
    ("x", "y", "shape"),
    [
        ("threshold", "TP / NN", "step"),
        ("threshold", "cumm(1 if eP else -1)", "step"),
        ("threshold", "TP * threshold", "line"),
        ("threshold", "probability", "line"),
        ("FPR", "TP / NN", "line"),
        ("recall", "precision", "pr"),
    ],
)
def test_what_stands_still_between_thresholds_is_a_step(data, x, y, shape):
    """Counts, rates and sums against the threshold, whether a preset has them or not."""
    assert curve(data, x=x, y=y).shape == shape


def test_categories_are_counted_by_class(data):
    """Every cell is the number of its rows, and all of them together n."""
    result = class_counts(data, "pain")
    assert result.groups == ("none", "typical")
    for g, group in enumerate(result.groups):
        for c in range(2):
            mine = (data.attributes["pain"] == group) & (data.actual == c)
            assert result.count[g, c] == mine.sum()
    assert result.n == data.n


def test_bins_hold_their_upper_edge_and_the_first_its_lower(data):
    """Bins are (lo, hi], and what has no value or lies outside is counted apart."""
    age = data.attributes["age"]
    edges = [40.0, 50.0, 60.0]
    result = class_counts(data, "age", bins=edges)
    inside = [(age >= 40) & (age <= 50), (age > 50) & (age <= 60)]
    assert result.count.sum(axis=1).tolist() == [rows.sum() for rows in inside]
    assert result.missing.sum() == np.isnan(age).sum()
    assert result.outside.sum() == ((age < 40) | (age > 60)).sum()
    assert result.n == data.n
    assert result.groups == ("[40, 50]", "(50, 60]")


def test_without_bins_a_number_has_bins_of_round_width(data):
    """Every row with a value is in a bin, and the edges are round."""
    result = class_counts(data, "age")
    widths = np.diff(result.edges)
    assert 6 <= len(result.groups) <= 16
    assert set(widths) == {5.0}
    assert not result.outside.any()
    assert result.count.sum() == np.isfinite(data.attributes["age"]).sum()
    assert len(class_counts(data, "age", bins=4).groups) == 4


@pytest.mark.parametrize("scale", [1e-9, 0.001, 0.37, 1.0, 12345.0, 1e12])
def test_round_edges_are_exact_decimals_and_hold_everything(rng, scale):
    """Whatever the size of the numbers, edges are multiples of 1, 2 or 5 powers of ten."""
    values = rng.normal(3, 1, 100) * scale
    data = Predictions.from_arrays([0, 1] * 50, [0.5] * 100, attributes={"v": values})
    result = class_counts(data, "v")
    assert result.count.sum() == 100
    assert 5 <= len(result.groups) <= 16
    assert all(float(f"{edge:.3g}") == pytest.approx(edge, rel=1e-12) for edge in result.edges)


def test_few_different_numbers_and_truth_values_are_groups_of_their_own():
    """A number of stars is not cut into bins; yes and no are categories."""
    attributes = {"stars": [1.0, 2.0, 2.0, 5.0], "new": [True, False, False, True]}
    data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.2, 0.6, 0.8], attributes=attributes)
    stars = class_counts(data, "stars")
    assert (stars.groups, stars.count.tolist()) == (("1", "2", "5"), [[1, 0], [0, 2], [0, 1]])
    assert stars.edges is None
    assert class_counts(data, "new").count.tolist() == [[0, 2], [1, 1]]


def test_a_weight_is_a_repetition():
    """Weights count as so many rows; rows of weight 0 are not there, and shares add up to 1."""
    attributes = {"a": ["x", "x", "y", None]}
    weighted = Predictions.from_arrays(
        [0, 1, 1, 0], [0.2] * 4, weight=[2, 3, 0, 1], attributes=attributes
    )
    index = np.repeat(np.arange(4), [2, 3, 0, 1])
    plain = Predictions.from_arrays(
        np.array([0, 1, 1, 0])[index],
        np.full(6, 0.2),
        attributes={"a": np.array(attributes["a"], object)[index]},
    )
    one, other = class_counts(weighted, "a"), class_counts(plain, "a")
    assert one.weight[0].tolist() == other.weight[0].tolist() == [2, 3]
    assert one.missing_weight.tolist() == other.missing_weight.tolist()
    np.testing.assert_allclose(one.share[0], [0.4, 0.6])
    assert one.count.tolist() == [[1, 1], [0, 0]]


def test_counts_become_rows_of_a_table(data):
    """One row a group and class, shares in either direction, missing values as a last group."""
    rows = class_counts(data, "age", bins=[0, 50, 100]).rows()
    assert [row["group"] for row in rows[::2]] == ["[0, 50]", "(50, 100]", "missing"]
    assert sum(row["rows"] for row in rows) == data.n
    for group in {row["group"] for row in rows}:
        assert sum(row["share"] for row in rows if row["group"] == group) == pytest.approx(1)
    for name in data.classes:
        assert sum(row["share_of_class"] for row in rows if row["class"] == name) == pytest.approx(
            1
        )
    assert class_counts(data, "age").to_frame().num_rows == len(class_counts(data, "age").rows())


def test_dates_are_binned_by_day():
    """Edges of dates are named as dates, and no date is lost."""
    days = np.datetime64("2020-01-01") + np.arange(0, 300, 10)
    data = Predictions.from_arrays([0, 1] * 15, [0.5] * 30, attributes={"day": days})
    result = class_counts(data, "day")
    assert result.dates
    assert result.count.sum() == 30
    assert result.groups[0].startswith("[20")


def test_bins_of_dates_begin_with_months_and_hold_every_date():
    """Of 2.5 years the bins are quarters; an own number of bins stays of equal width."""
    days = np.datetime64("2019-02-11") + np.arange(0, 900, 10)
    data = Predictions.from_arrays([0, 1] * 45, [0.5] * 90, attributes={"day": days})
    result = class_counts(data, "day")
    starts = result.edges.astype("M8[D]")
    assert (starts[0], starts[-1]) == (np.datetime64("2019-01-01"), np.datetime64("2021-10-01"))
    assert np.unique(np.diff(starts.astype("M8[M]").astype(int))).tolist() == [3]
    assert result.count.sum() == 90
    assert len(class_counts(data, "day", bins=4).groups) == 4


@pytest.mark.parametrize("days", [1, 20, 100, 400, 4000, 40000, 300_000])
def test_bins_of_dates_are_few_whatever_they_span(days):
    """Every date is in one of at most 30 bins."""
    data = Predictions.from_arrays(
        [0, 1] * 20,
        [0.5] * 40,
        attributes={"day": np.datetime64("1900-05-17") + np.linspace(0, days, 40).astype(int)},
    )
    result = class_counts(data, "day")
    assert result.count.sum() == 40
    assert len(result.groups) <= 30


def test_predictions_are_grouped_as_attributes_are(data):
    """The probability of the positive class; an attribute of the same name goes first."""
    result = class_counts(data, "probability", bins=[0, 0.5, 1])
    prob, actual = data.prob[:, data.positive], data.actual
    for group, kept in enumerate((prob <= 0.5, prob > 0.5)):
        assert result.count[group].tolist() == np.bincount(actual[kept], minlength=2).tolist()
    own = Predictions.from_arrays([0, 1], [0.1, 0.9], attributes={"probability": ["low", "high"]})
    assert class_counts(own, "probability").groups == ("high", "low")
    with refused(InputError, "score-missing"):
        class_counts(data, "score")


def test_the_rarest_classes_are_added_up():
    """Of five classes the two largest stay in their order, and no row is lost."""
    actual = list("aabbbbcdde")
    data = Predictions.from_arrays(
        actual, np.full((10, 5), 0.2), classes=list("abcde"), attributes={"v": [1, 2] * 5}
    )
    whole, few = class_counts(data, "v"), class_counts(data, "v").of_largest(3)
    assert few.classes == ("a", "b", "3 other classes")
    assert few.count.sum(axis=1).tolist() == whole.count.sum(axis=1).tolist()
    assert few.count[:, :2].tolist() == whole.count[:, :2].tolist()
    assert whole.of_largest(5) is whole


def test_impossible_questions_are_refused(data):
    """Unknown attributes, bins of categories, falling edges, several models."""
    with refused(ParameterError, "unknown-name", argument="by") as unknown:
        class_counts(data, "agee")
    assert unknown.value.near == "age"
    with refused(ParameterError, "bins-of-categories", "'pain'", argument="bins"):
        class_counts(data, "pain", bins=3)
    for bins in ([3, 2], [1], "five", 0, 5000, [0, math.inf]):
        with pytest.raises(ParameterError, check=lambda e: e.argument == "bins"):
            class_counts(data, "age", bins=bins)
    two = Predictions.from_arrays([0, 1], [0.1, 0.9], model=["a", "b"], attributes={"v": [1, 2]})
    with refused(InputError, "several-models"):
        class_counts(two, "v")
    empty = Predictions.from_arrays([0, 1], [0.1, 0.9], attributes={"v": [math.nan, math.nan]})
    assert class_counts(empty, "v").missing.tolist() == [1, 1]
    with refused(InputError, "nothing-to-bin", argument="bins"):
        class_counts(empty, "v", bins=3)


def test_all_values_equal_or_infinite_need_no_width():
    """A constant attribute makes one bin; infinite values are outside of all bins."""
    data = Predictions.from_arrays(
        [0, 1, 1], [0.1, 0.5, 0.9], attributes={"v": [7.0, 7.0, math.inf]}
    )
    assert class_counts(data, "v", bins=2).count.tolist() == [[1, 1], [0, 0]]
    assert class_counts(data, "v").outside.tolist() == [0, 1]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("ends", [(), (0.0,), (1.0,), (0.0, 1.0)])
def test_a_sound_curve_leaves_out_nothing_but_its_ends(name, ends, rng):
    """With probabilities of 0 and 1, right and wrong ones, no note tells of undefined points."""
    prob = np.concatenate([np.repeat(ends, 5), rng.random(200).round(2)])
    event = rng.random(len(prob)) < prob
    event[[0, -1]] = ~event[[0, -1]]
    event[prob.argmax()] = True  # whoever is rated highest; precision gain is infinite without one
    data = Predictions.from_arrays(event, prob, attributes={"age": rng.integers(20, 60, len(prob))})
    x = {"x": "age"} if PRESETS[name].needs else {}
    result = curve(data, name, **x)
    assert "points-left-out" not in {note.code for note in result.present().notes}
    assert not result.dropped


def test_what_the_rows_leave_undefined_is_still_counted(rng):
    """Of a preset over an attribute the missing values, in the last row too."""
    age = np.array([*rng.integers(20, 60, 59), np.nan])
    prob = np.linspace(1, 0, 60)
    data = Predictions.from_arrays(rng.random(60) < prob, prob, attributes={"age": age})
    result = curve(data, "error-by-attribute", x="age")
    assert result.dropped.total() == 1
    assert "age" in "".join(result.dropped)
