import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loans import loans, loans_optimum, loans_profit
from scipy.special import ndtr

from laws import examples, some
from plumbline.curves import best_threshold, best_thresholds, curve
from plumbline.curves.bands import replicates
from plumbline.curves.plateau import MOST_TESTED, States, _filled, _spread, _unseen
from plumbline.errors import FormulaError, InputError, ParameterError
from plumbline.predictions import Predictions
from plumbline.random_streams import stream
from refusals import refused
from strategies import binary_tables

PROFIT = "cumm(amount_requested**2 / 30 if eP else -amount_requested) / NN"


def codes(result):
    """Return the codes of the notes on a result."""
    return [note.code for note in result.notes]


def accuracy(event, accepted, weight):
    """Return CA of decisions, by hand."""
    return sum(w for e, a, w in zip(event, accepted, weight, strict=True) if e == a) / sum(weight)


def f1(event, accepted, weight):
    """Return F1 of decisions, by hand; undefined where there is no positive either way."""
    tp = sum(w for e, a, w in zip(event, accepted, weight, strict=True) if e and a)
    both = sum(w * (int(e) + int(a)) for e, a, w in zip(event, accepted, weight, strict=True))
    return 2 * tp / both if both else math.nan


def earned(event, accepted, weight):
    """Return 3 for every accepted positive less 2 for every accepted negative."""
    rows = zip(event, accepted, weight, strict=True)
    return float(sum(w * (3 if e else -2) for e, a, w in rows if a))


def precision(event, accepted, weight):
    """Return precision of decisions, by hand."""
    pp = sum(w for a, w in zip(accepted, weight, strict=True) if a)
    tp = sum(w for e, a, w in zip(event, accepted, weight, strict=True) if a and e)
    return tp / pp if pp else math.nan


BY_HAND = {"CA": accuracy, "F1": f1, "cumm(3 if eP else -2)": earned, "PPV": precision}


def curve_by_hand(value, event, score, weight):
    """Return thresholds from inf down and the value at each, counting anew at every one."""
    at = [math.inf, *sorted(set(score), reverse=True)]
    return at, [value(event, [s >= t for s in score], weight) for t in at]


def choice_by_hand(values, sign=1):
    """Return the middle of the longest run of best values, of equal runs the middle one."""
    known = [sign * v for v in values if not math.isnan(v)]
    if not known:
        return None
    top = max(known)
    result, run = [], []
    for place, v in enumerate(values):
        if not math.isnan(v) and sign * v >= top - 1e-12 * (1 + abs(top)):
            run.append(place)
        elif run:
            result, run = [*result, run], []
    result = [*result, run] if run else result
    longest = [r for r in result if len(r) == max(map(len, result))]
    best = longest[(len(longest) - 1) // 2]
    return (best[0] + best[-1]) // 2


def binormal(n, rng, *, shift=1.0, share=0.3):
    """Draw events and their true probabilities: ratings normal, positives shifted."""
    event = rng.random(n) < share
    x = rng.normal(size=n) + shift * event
    odds = share / (1 - share) * np.exp(shift * x - shift**2 / 2)
    return event, odds / (1 + odds)


# ------------------------------------------------------------------ the best one


@settings(max_examples=examples(60))
@given(binary_tables(), st.sampled_from(sorted(BY_HAND)), st.sampled_from(["max", "min"]))
def test_the_best_threshold_is_that_of_a_count_by_hand(table, formula, goal):
    """Threshold, value, counts and the whole curve equal those of deciding every row anew."""
    result = best_threshold(table.predictions(), formula, goal=goal, resamples=20)
    event, score = table.event.tolist(), table.score.tolist()
    at, values = curve_by_hand(BY_HAND[formula], event, score, table.weight.tolist())
    place = choice_by_hand(values, 1 if goal == "max" else -1)
    np.testing.assert_allclose(result.values, values, rtol=1e-12, atol=1e-12)
    if place is None:
        assert math.isnan(result.threshold)
        assert result.reason
        return
    assert result.threshold == at[place]
    accepted = table.score >= at[place]
    assert table.weight[accepted & (table.event == 1)].sum() == result.TP
    assert table.weight[accepted & (table.event == 0)].sum() == result.FP
    assert table.weight[~accepted & (table.event == 0)].sum() == result.TN
    assert table.weight[~accepted & (table.event == 1)].sum() == result.FN
    assert result.accepted_share == pytest.approx(result.accepted / table.weight.sum())


def test_of_equally_good_thresholds_it_is_the_middle_of_the_longest_run():
    """Runs of 1, 3 and 2 equal values: the second of the three."""
    value = np.array([5.0, 1, 5, 5, 5, 0, 5, 5])
    states = States(np.arange(8.0)[::-1], value, np.ones(8, bool), 1.0)
    assert states.best == 3
    alike = np.array([5.0, 1, 5, 1, 5, 0, 0, 0])
    assert States(np.arange(8.0)[::-1], alike, np.ones(8, bool), 1.0).best == 2


def test_rows_that_no_threshold_accepts_have_no_sort_value():
    """Missing sort values come last, and the state that holds them is never chosen."""
    data = Predictions.from_arrays(
        [1, 0, 1, 1], [0.9, 0.2, 0.4, 0.6], attributes={"age": [50.0, 30.0, np.nan, np.nan]}
    )
    result = best_threshold(data, "cumm(1 if eP else -1)", sort_by="age", resamples=20)
    assert result.threshold == 50
    assert result.value == 1
    assert "rows-without-sort-value" in {note.code for note in result.notes}


def test_value_at_half_is_that_of_threshold_one_half():
    """The gain is over accepting p >= 0.5, and there is none for other sort values."""
    data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.4, 0.5, 0.6])
    result = best_threshold(data, resamples=20)
    assert (result.value, result.value_at_half, result.gain) == (1.0, 0.75, 0.25)
    worst = best_threshold(data, goal="min", resamples=20)
    assert worst.gain == 0.75 - worst.value
    assert best_threshold(data, sort_by="probability * 2", resamples=20).gain is None


@settings(max_examples=examples(30))
@given(binary_tables())
def test_the_least_is_the_most_of_the_negative(table):
    """goal="min" of y and goal="max" of -y are one question."""
    data = table.predictions()
    low = best_threshold(data, "FP + 2 * FN", goal="min", resamples=39)
    high = best_threshold(data, "-(FP + 2 * FN)", resamples=39)
    assert low.threshold == high.threshold
    assert low.plateau == high.plateau
    assert low.value == -high.value
    assert low.optimism == high.optimism


@settings(max_examples=examples(40))
@given(binary_tables(least=3), st.randoms(use_true_random=False))
def test_weight_is_repetition_and_the_order_of_rows_is_nothing(table, shuffle):
    """Value, threshold and cross-validated value: those of the table with each row w times."""
    order = list(range(table.n))
    shuffle.shuffle(order)
    folds = np.arange(table.n) % 3
    weighted = Predictions.from_arrays(
        table.event[order], table.score[order], weight=table.weight[order], fold=folds[order]
    )
    again = np.repeat(np.arange(table.n), table.weight)
    repeated = Predictions.from_arrays(table.event[again], table.score[again], fold=folds[again])
    a, b = (best_threshold(d, "cumm(3 if eP else -2)", resamples=20) for d in (weighted, repeated))
    assert (a.threshold, a.value, a.TP, a.FN) == (b.threshold, b.value, b.TP, b.FN)
    assert a.honest_value == b.honest_value


def test_other_arguments_reach_the_curve():
    """`where`, `target` and `params` mean what they mean to a curve."""
    data = loans(300)
    result = best_threshold(
        data,
        "cumm(param('gain', 1) if eP else -1)",
        where="purpose == 'car'",
        target="no",
        params={"gain": 2},
        resamples=20,
    )
    cars = data.attributes["purpose"] == "car"
    negative = data.actual[cars] == 0
    at, values = curve_by_hand(
        lambda e, a, w: float(sum(2 if x else -1 for x, y in zip(e, a, strict=True) if y)),
        negative.tolist(),
        data.prob[cars, 0].tolist(),
        [1] * int(cars.sum()),
    )
    assert result.n == cars.sum()
    assert result.target == "no"
    assert result.threshold == at[choice_by_hand(values)]
    assert result.value == max(values)


# ------------------------------------------------------------------ the constraint


def test_a_constraint_keeps_its_thresholds_only():
    """The best is the best of those allowed, and no other is in the plateau."""
    data = loans(400)
    result = best_threshold(data, "precision", subject_to="recall >= 0.8", resamples=99)
    event = data.actual == 1
    recall = np.array([event[data.prob[:, 1] >= t].sum() / event.sum() for t in result.thresholds])
    np.testing.assert_array_equal(result.allowed, recall >= 0.8)
    allowed = np.where(result.allowed, result.values, -1)
    assert result.value == allowed.max()
    assert not (result.in_plateau & ~result.allowed).any()
    assert "constraint-on-these-rows" in codes(result)


@pytest.mark.parametrize(
    ("constraint", "ending"),
    [
        ("recall >= 1.2", "the most that `recall` reaches is 1"),
        ("2 < recall", "the most that `recall` reaches is 1"),
        ("PP + 5 <= 4", "the least that `PP + 5` reaches is 5"),
        ("recall >= 2 or FPR > 3", "`recall >= 2 or FPR > 3`"),
        ("recall >= FPR + 2", "`recall >= FPR + 2`"),
    ],
)
def test_where_nothing_satisfies_it_the_reason_says_how_near_it_comes(constraint, ending):
    """No exception, no number: NaN and a reason."""
    result = best_threshold(loans(50), subject_to=constraint, resamples=20)
    assert math.isnan(result.threshold)
    assert math.isnan(result.honest_value)
    assert result.plateau == ()
    assert result.reason.endswith(ending)
    assert result.verdict == f"{result.reason[0].upper()}{result.reason[1:]}."


def test_a_constraint_that_fails_on_held_out_rows_is_said_to():
    """Thresholds at the edge of a constraint break it on rows that had no part in the choice."""
    message = []
    for seed in range(4):
        data = loans(300, rng=seed)
        result = best_threshold(data, "precision", subject_to="recall >= 0.97", resamples=20)
        message.append(any("`recall >= 0.97` does not hold" in note for note in result.notes))
        assert message[-1] == (_cross_validated_recall(data) < 0.97)
    assert {*message} == {True, False}


def _cross_validated_recall(data):
    """Return the recall of decisions by thresholds chosen on the other folds, by hand."""
    event, prob = data.actual == 1, data.prob[:, 1]
    accepted = np.zeros(data.n, bool)
    for fold in range(len(data.folds)):
        held = data.fold.codes == fold
        at = [math.inf, *sorted(set(prob[~held]), reverse=True)]
        value = [
            precision(event[~held], prob[~held] >= t, np.ones(data.n)[~held])
            if event[~held & (prob >= t)].sum() >= 0.97 * event[~held].sum()
            else math.nan
            for t in at
        ]
        accepted[held] = prob[held] >= at[choice_by_hand(value)]
    return event[accepted].sum() / event.sum()


# ------------------------------------------------------------------ the plateau


def smoothed_by_hand(value, met):
    """Return a weighted least-squares parabola of the nearest three quarters, place by place."""
    share, m = np.array(met) / met[-1], len(met)
    places = np.linspace(share[0], share[-1], m)
    result = []
    for place in places:
        gap = share - place
        width = 1.001 * sorted(abs(gap))[math.ceil(0.75 * m) - 1]
        weight = [(1 - min(abs(g) / width, 1) ** 3) ** 3 for g in gap]
        result.append(np.polyfit(gap, value, 2, w=np.sqrt(weight))[-1])
    return np.interp(share, places, result)


def plateau_by_hand(value, event, score, *, level, resamples, entropy):
    """Return which thresholds are kept, drawing rows one by one."""
    n = len(event)
    at, own = curve_by_hand(value, event, score, [1] * n)
    met = [sum(s >= t for s in score) for t in at]
    shrunk = 0.65 * smoothed_by_hand(own, met)
    counts = replicates(lambda c: c, units=n, resamples=resamples, entropy=entropy)
    beyond = []
    for row in counts:
        again = np.repeat(np.arange(n), row.astype(int))
        e, s = [event[i] for i in again], [score[i] for i in again]
        risen = [value(e, [x >= t for x in s], [1] * n) for t in at] - np.array(own) + shrunk
        beyond.append(max(risen) - risen[shrunk.argmax()])
    c = sorted(beyond)[math.ceil(level * (resamples + 1)) - 1]
    steps = [
        abs(b - a) / math.sqrt(q - p)
        for a, b, p, q in zip(own, own[1:], met, met[1:], strict=False)
        if p >= 10 and q <= n - 10
    ]
    rare = sum(step >= max(steps) / 2 for step in steps) < 10
    return at, max(own) - np.array(own) <= max(c, 3 * max(steps) if rare else 0) + 1e-9


@pytest.mark.parametrize("formula", ["CA", "cumm(3 if eP else -2)"])
def test_the_plateau_is_that_of_drawing_rows_by_hand(formula, rng):
    """The same thresholds stay, and the intervals run from the first to the last of each run."""
    event, prob = binormal(60, rng)
    prob = prob.round(2)
    result = best_threshold(
        Predictions.from_arrays(event, prob), formula, resamples=99, level=0.9, rng=7
    )
    at, kept = plateau_by_hand(
        BY_HAND[formula], event.tolist(), prob.tolist(), level=0.9, resamples=99, entropy=7
    )
    np.testing.assert_array_equal(result.in_plateau, kept)
    assert 1 < kept.sum() < len(kept)
    inside = [any(low <= t <= high for low, high in result.plateau) for t in at]
    np.testing.assert_array_equal(inside, kept)
    low, high = min(prob), max(prob)
    ends = [*at, low]
    width = sum(min(a, high) - b for a, b, k in zip(at, ends[1:], kept, strict=True) if k)
    assert result.plateau_share == pytest.approx(width / (high - low))


def test_equal_weights_and_rows_of_no_weight_change_no_plateau(rng):
    """Differences scale with equal weights, and a row of weight 0 is not there."""
    event, prob = binormal(60, rng)
    plain = best_threshold(Predictions.from_arrays(event, prob), resamples=99)
    weight = np.append(np.full(60, 2.0), [0.0, 0.0])
    longer = Predictions.from_arrays(
        np.append(event, [True, False]), np.append(prob, [0.01, 0.99]), weight=weight
    )
    weighted = best_threshold(longer, resamples=99)
    assert weighted.plateau == plain.plateau
    assert (weighted.n, weighted.accepted) == (60, 2 * plain.accepted)
    assert "weights" in codes(weighted)


def test_untested_thresholds_between_tested_ones_stay_with_either():
    """Only where both neighbours are left out is what lies between them."""
    kept = np.array([False, True, False, False])
    tested = np.array([1, 4, 6, 8])
    assert np.flatnonzero(_spread(kept, tested, 10)).tolist() == [2, 3, 4, 5]


def test_gaps_of_few_rows_are_filled():
    """A gap of under a hundredth of the rows is filled, a larger one and one at an end is not."""
    kept = np.array([False, True, False, True, False, True, False])
    met = np.array([0, 500, 509, 700, 710, 900, 1000])
    filled = _filled(kept, np.ones(7, bool), met)
    assert filled.tolist() == [False, True, True, True, False, True, False]
    barred = _filled(kept, np.array([1, 1, 0, 1, 1, 1, 1], bool), met)
    assert barred.tolist() == kept.tolist()


def test_many_thresholds_are_thinned_and_the_best_stays():
    """With more thresholds than are tested, the plateau holds the best and is nearly the same."""
    n = 3 * MOST_TESTED
    event, prob = binormal(n, stream(5))
    result = best_threshold(Predictions.from_arrays(event, prob), resamples=99)
    assert result.in_plateau[result.thresholds == result.threshold].all()
    few = best_threshold(Predictions.from_arrays(event, prob.round(3)), resamples=99)
    assert len(few.thresholds) < MOST_TESTED
    assert result.plateau_share == pytest.approx(few.plateau_share, rel=0.2)


def test_a_perfect_separation_and_a_constant_answer():
    """Where all thresholds but two are far off; and where there are only two decisions."""
    data = Predictions.from_arrays([0] * 40 + [1] * 40, np.arange(80) / 80)
    result = best_threshold(data, resamples=199)
    assert result.value == 1
    assert result.threshold == 0.5
    ((low, high),) = result.plateau
    assert low < 0.5 < high
    assert result.plateau_share < 0.4
    same = best_threshold(Predictions.from_arrays([0, 1] * 20, [0.5] * 40), resamples=99)
    assert same.plateau == ((0.5, math.inf),)
    assert math.isnan(same.plateau_share)


def test_repeated_examples_are_drawn_together(rng):
    """An example in ten repeats is one draw: the plateau is about that of a single repeat."""
    event, prob = binormal(150, rng)
    once = best_threshold(Predictions.from_arrays(event, prob), resamples=199)
    ten = Predictions.from_arrays(
        np.tile(event, 10),
        np.tile(prob, 10),
        row=np.tile(np.arange(150), 10),
        repeat=np.repeat(np.arange(10), 150),
    )
    grouped = best_threshold(ten, resamples=199)
    alone = best_threshold(Predictions.from_arrays(ten.actual, ten.prob[:, 1]), resamples=199)
    assert grouped.in_plateau.sum() > 0.8 * once.in_plateau.sum()
    assert alone.in_plateau.sum() < 0.7 * once.in_plateau.sum()
    assert "150 examples, 1,500 rows" in grouped.verdict
    assert "n = 1,500)" in alone.verdict
    assert "examples" not in alone.verdict


def test_an_undefined_best_has_no_plateau():
    """A value that needs exactly one true positive is undefined in most drawings."""
    data = Predictions.from_arrays([1, 0, 0, 0], [0.9, 0.3, 0.2, 0.1])
    result = best_threshold(data, "PPV / (1 if TP == 1 else 0)", resamples=99)
    assert result.plateau == ()
    assert any("no plateau" in note for note in result.notes)


def _covered(make, truth, formula, sets):
    """Return how often the plateau holds the true best threshold's decisions, and its width."""
    hits, widths = 0, []
    for j in range(sets):
        data = make(stream(11, j))
        result = best_threshold(data, formula, resamples=59, folds=2, rng=j)
        hits += bool(result.in_plateau[np.count_nonzero(result.thresholds >= truth) - 1])
        widths.append(result.plateau_share)
    return hits, float(np.median(widths))


@pytest.mark.laws
def test_the_plateau_holds_the_true_best_threshold_often_enough():
    """At least the level, within three standard errors (the study has more), and how wide it is.

    One critical value of all differences, studentised, gave widths of 0.74, 0.56, 0.63 and 0.31;
    half of the smoothed curve, and three steps of a row for every formula, .60, .39, .50 and .20.
    """
    sets = 40
    cases = [
        (lambda r: Predictions.from_arrays(*binormal(150, r)), 0.5, "CA", 0.585),
        (lambda r: Predictions.from_arrays(*binormal(150, r)), 0.28694, "F1", 0.375),
        (lambda r: loans(200, rng=r), loans_optimum().threshold, PROFIT, 0.47),
        # One row pays for nineteen, and the rows around the best threshold may hold none such.
        (
            lambda r: Predictions.from_arrays(*binormal(150, r)),
            0.05,
            "cumm(19 if eP else -1)",
            0.187,
        ),
    ]
    for make, truth, formula, widest in some(cases, 2):
        hits, width = _covered(make, truth, formula, sets)
        assert hits >= sets * (0.95 - 3 * math.sqrt(0.95 * 0.05 / sets))
        assert width < widest


def test_few_rows_of_the_kind_that_counts_most_widen_the_plateau():
    """Three steps of the largest kind count where fewer than ten rows made such steps."""

    def unseen(gains):
        values = np.concatenate([[0.0], np.cumsum(gains)])
        return _unseen(
            States(-np.arange(len(values), dtype=float), values, np.ones(len(values), bool), 1.0),
            np.arange(len(values)),
        )

    gains = np.full(100, -1.0)
    gains[[20, 35, 50, 60, 70, 75, 80, 82, 84]] = 19.0
    assert unseen(gains) == 57.0
    gains[55] = 10.0
    assert unseen(gains) == 0.0
    assert unseen(np.full(100, 1.0)) == 0.0


def test_the_best_f1_threshold_of_the_binormal_is_half_the_best_f1():
    """The constant of the simulation above: t = F1*/2 for true probabilities (Lipton 2014)."""
    x = np.linspace(-2, 3, 20_001)
    tp, fp = 0.3 * ndtr(1 - x), 0.7 * ndtr(-x)
    value = 2 * tp / (tp + fp + 0.3)
    odds = 3 / 7 * np.exp(x - 0.5)
    best = int(value.argmax())
    assert (odds / (1 + odds))[best] == pytest.approx(0.28694, abs=3e-4)
    assert value[best] / 2 == pytest.approx(0.28694, abs=1e-5)


# ------------------------------------------------------------------ the cross-validated value


def cross_validated_by_hand(value, event, score, groups):
    """Return the value of decisions by thresholds chosen outside each group: (held, others)."""
    accepted = [False] * len(event)
    for held, others in groups:
        e, s = [event[i] for i in others], [score[i] for i in others]
        at, values = curve_by_hand(value, e, s, [1] * len(e))
        best = at[choice_by_hand(values)]
        for i in held:
            accepted[i] = score[i] >= best
    return value(event, accepted, [1] * len(event))


@pytest.mark.parametrize("formula", ["CA", "F1", "cumm(3 if eP else -2)"])
def test_the_cross_validated_value_is_that_of_deciding_fold_by_fold(formula, rng):
    """The table's folds, one after the other, by hand."""
    event, prob = binormal(80, rng)
    prob, fold = prob.round(2), np.arange(80) % 5
    data = Predictions.from_arrays(event, prob, fold=fold)
    result = best_threshold(data, formula, resamples=20)
    groups = [(np.flatnonzero(fold == f), np.flatnonzero(fold != f)) for f in range(5)]
    wanted = cross_validated_by_hand(BY_HAND[formula], event.tolist(), prob.tolist(), groups)
    assert result.honest_value == pytest.approx(wanted, rel=1e-12)
    assert result.optimism == pytest.approx(result.value - wanted, rel=1e-9, abs=1e-12)
    assert result.folds == 5


@pytest.mark.parametrize("formula", ["CA", "F1", "cumm(3 if eP else -2)"])
def test_folds_are_within_repeats(formula, rng):
    """The threshold of a fold is chosen on the other folds of its own repeat."""
    event, prob = binormal(120, rng)
    row, repeat = np.tile(np.arange(60), 2), np.repeat([0, 1], 60)
    fold = np.concatenate([np.arange(60) % 3, (np.arange(60) // 20) % 3])
    event[60:] = event[:60]
    data = Predictions.from_arrays(event, prob, fold=fold, repeat=repeat, row=row)
    groups = [
        (np.flatnonzero((fold == f) & (repeat == r)), np.flatnonzero((fold != f) & (repeat == r)))
        for r in range(2)
        for f in range(3)
    ]
    wanted = cross_validated_by_hand(BY_HAND[formula], event.tolist(), prob.tolist(), groups)
    result = best_threshold(data, formula, resamples=20)
    assert result.honest_value == pytest.approx(wanted)
    assert result.folds == 6


def test_no_example_helps_to_decide_itself(rng):
    """An example that several folds hold has no part in the choice for any of them."""
    event, prob = binormal(40, rng)
    again = np.concatenate([np.arange(40), np.arange(10)])
    fold = np.concatenate([np.zeros(20), np.ones(20), np.ones(10)]).astype(int)
    data = Predictions.from_arrays(event[again], prob[again], fold=fold, row=again)
    groups = []
    for f in range(2):
        held = np.flatnonzero(fold == f)
        others = [i for i in np.flatnonzero(fold != f) if again[i] not in set(again[held])]
        groups.append((held, others))
    wanted = cross_validated_by_hand(accuracy, event[again].tolist(), prob[again].tolist(), groups)
    assert best_threshold(data, resamples=20).honest_value == pytest.approx(wanted)


def test_without_folds_rows_are_dealt_and_examples_stay_together(rng):
    """Random folds, as many as asked; an example predicted twice is decided without itself."""
    event, prob = binormal(100, rng)
    data = Predictions.from_arrays(event, prob)
    result = best_threshold(data, folds=4, resamples=20)
    assert result.folds == 4
    assert result.honest_value == best_threshold(data, folds=4, resamples=20).honest_value
    pairs = Predictions.from_arrays(
        np.tile(event, 2),
        np.tile(prob, 2),
        row=np.tile(np.arange(100), 2),
        repeat=np.repeat([0, 1], 100),
    )
    assert best_threshold(pairs, folds=4, resamples=20).honest_value == result.honest_value
    single = Predictions.from_arrays(event, prob, fold=np.arange(100) // 101)
    assert "random-folds" in codes(best_threshold(single, folds=4, resamples=20))


@pytest.mark.parametrize("formula", ["TP - 10 * threshold", "TP * probability"])
def test_where_there_is_no_cross_validated_value_the_note_says_why(formula):
    """A pooled set of decisions has no threshold and no last row."""
    data = Predictions.from_arrays([0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.7, 0.9])
    result = best_threshold(data, formula, resamples=20, folds=3)
    assert math.isfinite(result.value)
    assert math.isnan(result.honest_value)
    assert "no-cross-validated-value" in codes(result)


def test_one_class_and_too_few_rows_have_no_cross_validated_value():
    """Held-out rows need others of both classes."""
    data = Predictions.from_arrays([0, 1], [0.2, 0.8])
    result = best_threshold(data, "recall - FPR", resamples=20)
    assert result.value == 1
    assert math.isnan(result.honest_value)
    assert "no-cross-validated-value" in codes(result)
    result = best_threshold(
        Predictions.from_arrays([1, 1], [0.2, 0.8]), "recall - FPR", resamples=20
    )
    assert result.reason.startswith("`recall - FPR` ")
    assert "0/0" in result.reason


def test_the_cross_validated_value_is_right_on_average_and_the_other_flatters():
    """Over data sets, it is the true profit of the thresholds chosen on nine tenths of the rows."""
    bias, optimism = [], []
    for seed in range(100):
        data = loans(100, rng=seed)
        result = best_threshold(data, PROFIT, resamples=20, rng=seed)
        true = []
        for fold in range(10):
            part = data.select(where=data.fold.codes != fold)
            amount, event = part.attributes["amount_requested"], part.actual == 1
            order = np.argsort(-part.prob[:, 1])
            sums = np.append(0, np.cumsum(np.where(event, amount**2 / 30, -amount)[order]))
            best = int(sums.argmax())
            true.append(float(loans_profit(np.append(np.inf, part.prob[order, 1])[best])))
        bias.append(result.honest_value - np.mean(true))
        optimism.append(result.optimism)
    error = [np.std(x, ddof=1) / math.sqrt(len(x)) for x in (bias, optimism)]
    assert abs(np.mean(bias)) < 3 * error[0]
    assert np.mean(optimism) > 3 * error[1]


# ------------------------------------------------------------------ refusals and shapes


@pytest.mark.parametrize(
    ("formula", "what"),
    [
        ("eCA", "as in cumm(eCA)"),
        ("probability", "one value per row"),
        ("P / NN", "the same at every threshold"),
        ("CAA", "Did you mean"),
    ],
)
def test_formulas_that_ask_for_no_threshold_are_refused(formula, what):
    """The message says what to write instead, and where."""
    with pytest.raises(FormulaError) as caught:
        best_threshold(loans(20), formula)
    assert what in str(caught.value)


@pytest.mark.parametrize("constraint", ["recall", "eP", "probability > 0.2", "recall > ", ""])
def test_constraints_that_say_nothing_of_thresholds_are_refused(constraint):
    """A number is no condition, and a row's condition is no threshold's."""
    with pytest.raises(FormulaError):
        best_threshold(loans(20), subject_to=constraint)


def test_arguments_outside_their_rules_are_refused():
    """Each by name."""
    data = loans(20)
    for wrong in (
        {"goal": "top"},
        {"level": 95},
        {"folds": 1},
        {"resamples": 3},
        {"level": 0.99, "resamples": 50},
        {"subject_to": 3},
        {"rng": -1},
    ):
        with pytest.raises(ParameterError, match=next(iter(wrong)) if len(wrong) == 1 else "resam"):
            best_threshold(data, **wrong)
    with pytest.raises(FormulaError, match="category"):
        best_threshold(data, "cumm(eP)", sort_by="purpose")
    with pytest.raises(InputError, match="one model"):
        best_threshold(loans(20, models=["careful", "hasty"]))
    with pytest.raises(InputError, match="no row"):
        best_threshold(data, where="income < 0")


def test_the_result_is_plain_python_and_readable():
    """JSON takes it; nothing hidden leaks; the text has the plateau in a line."""
    result = best_threshold(loans(200), subject_to="recall >= 0.5", resamples=39)
    text = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert text["plateau"] == [list(pair) for pair in result.plateau]
    assert not {"thresholds", "values", "allowed", "in_plateau", "reason"} & text.keys()
    assert " to " in repr(result)
    assert result.to_frame().num_rows == 1
    assert "`recall >= 0.5`" in result.verdict


def test_details_write_one_value_as_one_number():
    """And an end that is not there as no number."""
    best = best_threshold(loans())
    for plateau, text in (
        ((0.25, 0.25), "0.25"),
        ((0.25, 0.5), "0.25 to 0.5"),
        ((0.25, math.inf), "from 0.25"),
        ((-math.inf, 0.5), "up to 0.5"),
    ):
        found = replace(best, plateau=(plateau,))
        assert {one.key: one.text for one in found.present().details}["plateau"] == text


def test_progress_is_reported():
    """As many steps as drawings."""
    calls = []
    best_threshold(
        loans(50), resamples=40, progress=lambda done, total: calls.append((done, total))
    )
    assert calls[-1] == (40, 40)


def test_rows_of_their_own_are_taken_where_none_are_tied():
    """Without equal sort values every way of merging draws the same points, so all are taken."""
    rng = np.random.default_rng(2)
    prob = rng.permutation(60) / 60
    untied = Predictions.from_arrays(rng.random(60) < prob, prob)
    tied = Predictions.from_arrays(rng.random(60) < prob, prob.round(1))
    for merge in ("none", "average"):
        drawn = curve(untied, "accuracy", merge=merge).settings
        assert best_thresholds(untied, drawn, goal="max")[None].folds == 10
        with refused(ParameterError, "best-of-other-curve", argument="merge"):
            best_thresholds(tied, drawn, goal="max")


def test_a_goal_that_changes_with_the_threshold_has_no_best_one():
    """Net benefit weighs errors by the odds of the threshold: accepting no row has 0 at all."""
    data = Predictions.from_arrays([0, 0, 0, 1] * 15, [0.5] * 60)
    net_benefit = curve(data, "net-benefit").settings
    with refused(ParameterError, "best-of-other-curve", argument="y"):
        best_thresholds(data, net_benefit, goal="max")
