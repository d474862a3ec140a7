"""Which recalibration is advised, whether it is said to help, and what it changed."""

import dataclasses
import re
import sys
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from laws import ALL, examples, some
from plumbline import (
    InputError,
    ParameterError,
    Predictions,
    brier_score,
    log_loss,
    read,
    recalibrate,
    recalibration_advice,
    recalibration_effect,
)
from plumbline._result import NextStep
from plumbline.advisor import TableFacts, effect_between
from plumbline.advisor.advice_text import _at_most, _gain, next_step
from plumbline.advisor.choice import (
    Change,
    Judged,
    RowMasses,
    choice_of,
    paired_change,
)
from plumbline.advisor.recalibration_effect import _next_step, _reconciled
from plumbline.advisor.trials import (
    Losses,
    Trial,
    cut_counts,
    cut_of,
    methods_to_try,
    more_flexible,
    order_scores,
    tied,
    why_not,
    with_shares,
)
from plumbline.advisor.verdict_test import miscalibrated
from plumbline.calibration_errors import reliability_curve
from plumbline.calibration_tests import calibration_test
from plumbline.formatting import number, p_equals
from plumbline.recalibration import METHODS, fit_map
from plumbline.scores import brier_convention
from refusals import refused

QUICK = ["temperature", "platt", "isotonic"]
ADVICE = sys.modules["plumbline.advisor.recalibration_advice"]  # its name is the function's too


def drawn(n, k=2, *, bold=1.0, seed=0, **more):
    """Return rows whose log probabilities are `bold` times the true ones."""
    rng = np.random.default_rng([seed, n, k])
    true = rng.dirichlet(np.ones(k), n)
    actual = (true.cumsum(axis=1) < rng.uniform(size=(n, 1))).sum(axis=1)
    shifted = true**bold
    return Predictions.from_arrays(
        np.minimum(actual, k - 1),
        shifted / shifted.sum(axis=1, keepdims=True),
        classes=range(k),
        **more,
    )


@pytest.fixture(scope="module")
def bold():
    """Return overconfident rows of two classes."""
    return drawn(600, bold=2.0)


def wider_p(test):
    """Return the p-value of scipy's t-test with sqrt(2) times its standard error."""
    return 2 * stats.t.sf(abs(test.statistic) / np.sqrt(2), test.df)


class TestPairedChange:
    """The paired t-test of row losses."""

    def test_plain_rows(self):
        """On rows that count alike it is scipy's paired t-test of a sqrt(2) times larger error."""
        rng = np.random.default_rng(0)
        before, after = rng.exponential(size=(2, 40))
        result = paired_change(before, after, RowMasses(np.ones(40), np.arange(40)), level=0.9)
        wanted = stats.ttest_rel(after, before)
        span, mean = wanted.confidence_interval(0.9), (after - before).mean()
        assert result.p_value == pytest.approx(wider_p(wanted), rel=1e-9)
        ends = [mean + np.sqrt(2) * (end - mean) for end in (span.low, span.high)]
        assert result.interval_range == pytest.approx(ends, rel=1e-9)

    def test_examples_of_several_rows(self):
        """Rows of one example count once: their sums are tested, not they."""
        rng = np.random.default_rng(1)
        before, after = rng.exponential(size=(2, 60))
        result = paired_change(
            before, after, RowMasses(np.ones(60), np.repeat(np.arange(20), 3)), level=0.95
        )
        means = (after - before).reshape(20, 3).mean(axis=1)
        wanted = stats.ttest_1samp(means, 0.0)
        assert result.p_value == pytest.approx(wider_p(wanted), rel=1e-9)

    @given(st.integers(0, 10**6))
    @settings(max_examples=examples(20), deadline=None)
    def test_weights(self, seed):
        """The scale of weights does not matter, and rows of weight 0 are absent."""
        rng = np.random.default_rng(seed)
        before, after, mass = rng.exponential(size=(3, 12))
        mass[:3], before[0] = 0.0, np.inf
        rows = np.arange(12)
        result = paired_change(before, after, RowMasses(mass, rows), level=0.95)
        wanted = paired_change(before[3:], after[3:], RowMasses(7 * mass[3:], rows[3:]), level=0.95)
        assert result.difference == pytest.approx(wanted.difference, rel=1e-9)
        assert result.p_value == pytest.approx(wanted.p_value, rel=1e-6)
        mean = np.average((after - before)[3:], weights=mass[3:])
        assert result.difference == pytest.approx(mean, rel=1e-9)

    def test_infinite(self):
        """A class of probability 0 that came true: mending helps infinitely, or harms so."""
        one, rows = np.array([1.0, 2.0, np.inf]), RowMasses(np.ones(3), np.arange(3))
        fine = np.ones(3)
        assert paired_change(one, fine, rows, level=0.95).difference == -np.inf
        assert paired_change(fine, one, rows, level=0.95).difference == np.inf
        both = paired_change(one, one, rows, level=0.95)
        assert np.isnan(both.p_value)
        assert both.reason is not None

    def test_nothing_changed(self):
        """Equal losses have p = 1."""
        result = paired_change(
            np.ones(5), np.ones(5), RowMasses(np.ones(5), np.arange(5)), level=0.95
        )
        assert (result.difference, result.p_value) == (0.0, 1.0)

    def test_differences_without_a_spread(self):
        """No change is none for sure; the same change of every row has no known variance."""
        before, masses = np.full(30, 0.4), RowMasses(np.ones(30), np.arange(30))
        none = paired_change(before, before, masses, level=0.95)
        assert (none.difference, none.interval_range, none.p_value) == (0.0, (0.0, 0.0), 1.0)
        same = paired_change(before, before + 0.25, masses, level=0.95)
        assert same.difference == pytest.approx(0.25)
        assert np.isnan([*same.interval_range, same.p_value]).all()
        assert same.reason is not None


class TestShapes:
    """What a map does to the order of the rows."""

    @pytest.mark.parametrize("k", [2, 3])
    def test_parts_of_the_brier_score(self, k):
        """Miscalibration less discrimination is the Brier score less the shares' own."""
        data = drawn(200, k, bold=2.0)
        shape = order_scores(data)
        share = np.bincount(data.actual, minlength=k) / data.n
        uncertainty = float((share * (1 - share)).sum()) / (2 if k == 2 else 1)
        total = shape.miscalibration - shape.discrimination + uncertainty
        assert total == pytest.approx(brier_score(data), rel=1e-9)

    def test_area(self):
        """The ROC area is scikit-learn's; of several classes the mean over those there are."""
        data = drawn(100, 3)
        wanted = roc_auc_score(data.actual, data.prob, multi_class="ovr")
        assert order_scores(data).roc_auc == pytest.approx(wanted, rel=1e-9)
        two = data.select(where=data.actual < 2)
        areas = [roc_auc_score(two.actual == c, two.prob[:, c]) for c in (0, 1)]
        assert order_scores(two).roc_auc == pytest.approx(np.mean(areas), rel=1e-9)

    def test_ties_of_several_classes(self):
        """Rows tie by their largest probability."""
        data = Predictions.from_arrays([0, 1, 2], [[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0, 0, 1]])
        assert tied(data).tolist() == [True, True, False]


class TestParts:
    """In which parts rows are mended."""

    def test_examples_stay_together(self):
        """All rows of an example are in one part, and classes are dealt out evenly."""
        row = np.tile(np.arange(50), 2)
        actual = np.tile(np.arange(50) % 2, 2)
        data = Predictions.from_arrays(
            actual, np.full(100, 0.5), row=row, repeat=np.repeat([0, 1], 50)
        )
        cut = cut_of(data, 5, 0)
        assert all(len(np.unique(cut.part[row == one])) == 1 for one in range(50))
        assert set(np.bincount(cut.part * 2 + actual)) == {10}

    @given(st.integers(0, 10**6))
    @settings(max_examples=examples(20), deadline=None)
    def test_only_row_declares_examples(self, seed):
        """Equal predictions and equal classes are no duplicates, however unlikely they agree."""
        rng = np.random.default_rng(seed)
        p = np.repeat(rng.uniform(0.05, 0.95, size=50), 3)
        actual = np.repeat(rng.uniform(size=50) < 0.5, 3)
        alone = Predictions.from_arrays(actual, p)
        assert np.array_equal(cut_of(alone, 5, 0).example, np.arange(150))
        declared = Predictions.from_arrays(
            actual, p, row=np.repeat(np.arange(50), 3), repeat=np.tile([0, 1, 2], 50)
        )
        cut = cut_of(declared, 5, 0)
        assert np.array_equal(cut.example, np.repeat(np.arange(50), 3))
        assert (np.ptp(cut.part.reshape(50, 3), axis=1) == 0).all()

    def test_folds_serve(self):
        """The folds of one cross-validation are the parts; those of leave-one-out are not."""
        fold = np.arange(30) % 3
        data = drawn(30, fold=fold, row=np.arange(30))
        assert np.array_equal(cut_of(data, 5, 0).part, fold)
        each = drawn(30, fold=np.arange(30))
        assert cut_of(each, 5, 0).parts == 5

    @pytest.mark.parametrize("moved", [0, 1])
    def test_folds_serve_only_where_no_example_stands_in_two(self, moved):
        """A map would be fitted on the very examples that it is tried on."""
        row = np.tile(np.arange(50), 2)
        repeat = np.repeat([0, 1], 50)
        data = Predictions.from_arrays(
            row % 3 == 0,
            np.linspace(0.1, 0.9, 100),
            row=row,
            repeat=repeat,
            fold=(row + moved * repeat) % 5,
        )
        cut = cut_of(data, 4, 0)
        assert cut.shape == ("4 random parts" if moved else "the 5 folds of the table")
        assert all(len(set(cut.part[row == one])) == 1 for one in range(50))

    @pytest.mark.parametrize(
        ("folds", "shape"),
        [(1, "4 random parts"), (2, "the 2 folds of the table"), (11, "4 random parts")],
    )
    def test_folds_of_a_counted_table(self, tmp_path, folds, shape):
        """Two to ten serve; of one, and of many, each row is dealt out."""
        n = 660
        prob = np.random.default_rng(0).random(n)
        held = Predictions.from_arrays(np.arange(n) % 3 == 0, prob, fold=np.arange(n) % folds)
        held.write(tmp_path / "t.parquet")
        data = read(tmp_path / "t.parquet", engine="counts")
        table, cut = cut_counts(data, 4, 0)
        assert cut.shape == shape
        assert len(cut.part) == table.stored
        assert table.total == n

    @pytest.mark.parametrize("folds", [1, 3])
    def test_many_probabilities_of_a_counted_table_are_merged(self, folds, monkeypatch):
        """The cut holds how many there are then; of few probabilities none are merged."""
        n = 300
        prob, fold = np.linspace(0.01, 0.99, n), np.arange(n) % folds
        data = Predictions.from_arrays(np.arange(n) % 2, prob, fold=fold, count=np.ones(n))
        assert cut_counts(data, 4, 0)[1].merged == 0
        monkeypatch.setattr("plumbline.advisor.trials.CELLS", 50)
        table, cut = cut_counts(data, 4, 0)
        assert cut.merged == len(np.unique(table.prob[:, 1])) < n

    def test_shares_are_those_of_the_other_parts(self):
        """Of each class one row more than the other parts have."""
        data = Predictions.from_arrays([0, 0, 1, 1, 1], np.full(5, 0.5), weight=[1, 2, 3, 4, 5])
        shares = with_shares(data, np.array([0, 1, 2, 1, 1])).prob[:, 1]
        assert shares == pytest.approx([13 / 16, 4 / 6, 10 / 14, 4 / 6, 4 / 6])

    def test_fewer_examples_than_parts(self):
        """Every example is then a part; one alone cannot be judged."""
        assert cut_of(drawn(3), 5, 0).parts == 3
        same = drawn(4, row=[7] * 4, repeat=range(4))
        with pytest.raises(InputError, match="2 examples, got 1"):
            cut_of(same, 5, 0)


class TestSuitable:
    """Which methods are tried."""

    def test_every_method_has_its_answer(self):
        """On many rows of three classes everything is tried; each refusal has a reason."""
        assert set(methods_to_try(None, TableFacts("probability", 3, 5000, 900)).values()) == {None}
        few = methods_to_try(None, TableFacts("probability", 2, 60, 8))
        assert few["temperature"] is None
        assert "rarest has 8" in few["isotonic"]
        ratings = methods_to_try(None, TableFacts("score", 2, 5000, 900))
        assert ratings["platt"] is None
        assert "ratings" in ratings["beta"]

    @pytest.mark.parametrize(
        ("method", "enough", "short"),
        [
            ("temperature", {"rarest": 5}, {"rarest": 4}),
            ("isotonic", {"rarest": 20}, {"rarest": 19}),
            ("histogram-equal-size", {"rarest": 50}, {"rarest": 49}),
            ("dirichlet", {"n": 120}, {"n": 119}),
            ("matrix", {"n": 60}, {"n": 59}),
            ("matrix", {"k": 100, "n": 6_000}, {"k": 100, "n": 6_001}),
            ("beta", {"k": 200}, {"k": 201}),
        ],
    )
    def test_a_rule_begins_where_it_says(self, method, enough, short):
        """One row fewer is too few, one row or class more too much work."""
        facts = {"read": "probability", "k": 3, "n": 9_000, "rarest": 900}
        assert why_not(METHODS[method], TableFacts(**facts | enough)) is None
        assert why_not(METHODS[method], TableFacts(**facts | short)) is not None

    def test_named_methods(self):
        """A method by name is tried whatever the rules say, unless it cannot read the table."""
        facts = TableFacts("score", 2, 20, 2)
        assert methods_to_try(["isotonic"], facts) == {"isotonic": None}
        with pytest.raises(ParameterError, match="'beta'"):
            methods_to_try(["beta"], facts)
        with refused(ParameterError, "unknown-name", "'isotonik'", "'isotonic'"):
            methods_to_try(["isotonik"], facts)


def judged(method, log_loss, *, parameters, span=(-0.2, -0.1), gain=0.15):
    """Return a method that has these row losses."""
    change = Change(-gain, span, 0.001)
    return Judged(
        Trial(method, parameters=parameters),
        Losses(log_loss, log_loss),
        change,
        change,
        mean=float(log_loss.mean()),
    )


def fails_nothing(_):
    """Tell of every map that its rows pass the calibration test."""
    return True


class TestChoice:
    """Which map is taken."""

    def test_fewest_numbers(self):
        """Of those that cannot be told apart it is the one of fewest numbers, not one far off."""
        rng = np.random.default_rng(0)
        rows = RowMasses(np.ones(400), np.arange(400))
        choose = partial(choice_of, rows=rows, level=0.95, passes=fails_nothing)
        loss = rng.exponential(size=400)
        best = judged("isotonic", loss, parameters=20)
        same = judged("temperature", loss + 0.002 + 0.1 * (-1) ** np.arange(400), parameters=1)
        apart = judged("platt", loss + 0.05 + rng.normal(0, 0.01, size=400), parameters=1)
        blown = judged("beta", loss + np.where(np.arange(400) == 7, 600.0, 0), parameters=1)
        result = choose([best, same, apart, blown], ratings=False)
        assert result.best is best
        assert result.near == (same,)
        assert result.taken is same
        never = [
            judged(o.trial.method, o.losses.log_loss, parameters=1, gain=-0.1) for o in (same, best)
        ]
        assert choose(never, ratings=False) is None
        assert choose(never, ratings=True).taken.trial.method == "isotonic"
        end = (-np.inf, -np.inf)
        forest = judged("isotonic", loss, parameters=20, span=end)
        assert choose([forest, same, blown], ratings=False).near == (same,)

    def test_the_interval_is_no_condition(self):
        """A map whose interval includes 0 is taken too."""
        loss = np.random.default_rng(0).exponential(size=100)
        one = judged("spline", loss, parameters=6, span=(-0.3, 0.1))
        rows = RowMasses(np.ones(100), np.arange(100))
        result = choice_of([one], rows, level=0.95, ratings=False, passes=fails_nothing)
        assert result.taken is one

    @pytest.mark.parametrize(
        ("passing", "taken", "tested"),
        [
            (["temperature", "spline"], "temperature", ["temperature"]),
            (["spline", "isotonic"], "spline", ["temperature", "platt", "spline"]),
            (["isotonic"], "isotonic", ["temperature", "platt", "spline", "isotonic"]),
            ([], "platt", ["temperature", "platt", "spline", "isotonic"]),
        ],
    )
    def test_a_map_that_passes_wins(self, passing, taken, tested):
        """The simplest whose rows pass, else the simplest that is as good as the best."""
        loss, turn = np.random.default_rng(0).exponential(size=400), (-1.0) ** np.arange(400)
        maps = [
            judged("isotonic", loss, parameters=20),
            judged("temperature", loss + 0.01 + 0.1 * turn, parameters=1),
            judged("spline", loss + 0.001 + 0.1 * turn, parameters=6),
            judged("platt", loss + 0.001 + 0.1 * turn, parameters=2),
        ]
        asked = []

        def passes(one):
            asked.append(one.trial.method)
            return one.trial.method in passing

        rows = RowMasses(np.ones(400), np.arange(400))
        result = choice_of(maps, rows, level=0.95, ratings=False, passes=passes)
        assert (result.taken.trial.method, result.passes) == (taken, bool(passing))
        assert asked == tested

    def test_passing_is_no_reason_to_lose_more(self):
        """A map whose log loss is more than a standard error above the least wins by no test."""
        loss, turn = np.random.default_rng(0).exponential(size=400), (-1.0) ** np.arange(400)
        best = judged("isotonic", loss, parameters=20)
        simplest = judged("temperature", loss + 0.001 + 0.1 * turn, parameters=1)
        worse = judged("spline", loss + 0.008 + 0.1 * turn, parameters=6)  # 1.6 standard errors
        rows = RowMasses(np.ones(400), np.arange(400))
        result = choice_of(
            [best, simplest, worse],
            rows,
            level=0.95,
            ratings=False,
            passes=lambda one: one is worse,
        )
        assert worse in result.near
        assert (result.taken, result.passes) == (simplest, False)


def facts_of(advice):
    """Return the text of every fact of an advice by its key."""
    return {one.key: one.text for one in advice.details}


class TestAdvice:
    """What is advised."""

    def test_overconfident(self, bold):
        """Overconfident probabilities are to be mended, and by how much is told."""
        result = recalibration_advice(bold, methods=QUICK)
        best = next(one for one in result.methods if one.method == result.chosen)
        assert best.helps
        assert best.log_loss == pytest.approx(log_loss(result.recalibrated), rel=1e-12)
        assert result.log_loss_before == log_loss(bold)
        change = best.log_loss - result.log_loss_before
        assert best.log_loss_difference == pytest.approx(change, rel=1e-9)
        assert best.log_loss_range[0] < change < best.log_loss_range[1] < 0
        assert result.next_step.values["method"] == result.chosen
        assert result.gain_range[0] < result.gain < result.gain_range[1]
        assert result.p_value == calibration_test(bold, rng=0).p_value

    @pytest.mark.parametrize(
        ("p_value", "impossible", "wanted"),
        [(0.05, 0, True), (0.051, 0, False), (0.9, 1, True), (np.nan, 0, False)],
    )
    def test_rows_are_miscalibrated_at_005_and_by_one_impossible_row(
        self, p_value, impossible, wanted
    ):
        """A class that occurs though it had probability 0 needs no test."""
        assert miscalibrated(SimpleNamespace(p_value=p_value, impossible_rows=impossible)) is wanted

    @pytest.mark.parametrize(
        ("ends", "certain"),
        [((-0.2, -0.1), True), ((-0.2, 0.0), False), ((0.0, 0.2), False), ((0.1, 0.2), True)],
    )
    def test_an_interval_that_touches_0_includes_it(self, ends, certain):
        """So the gain is not certain on these rows."""
        facts = SimpleNamespace(gain=Change(-0.1, ends, 0.05), level=0.95)
        assert ("not certain" not in _gain(facts)) == certain

    @pytest.mark.parametrize(
        ("ends", "never", "says"),
        [
            ((-0.2, -0.1), 0, "decides"),
            ((-0.2, 0.0), 0, "above 0.2"),
            ((-0.2, 0.0), 1, ""),
            ((0.0, 0.1), 1, "none"),
            ((-0.5, 0.1), 0, "unknown"),
            ((-0.49, 0.1), 0, "above 0.49"),
            ((-np.inf, 0.1), 0, ""),
        ],
    )
    def test_how_much_could_be_gained_at_most(self, ends, never, says):
        """The low end, unless that is all of the log loss, 0, or hidden by impossible rows."""
        facts = SimpleNamespace(never=never, log_loss_before=0.5)
        text = _at_most(facts, SimpleNamespace(log_loss_range=ends))
        assert says in text
        assert bool(says) == bool(text)

    @pytest.mark.parametrize(
        ("facts", "wanted"),
        [
            ({"chosen": "platt"}, "recalibrate"),
            ({"chosen": None, "miscalibrated": True}, "test"),
            ({"chosen": None, "miscalibrated": False}, "plan"),
        ],
    )
    def test_every_next_step_is_of_one_model(self, facts, wanted):
        """A table of several models has one command for each."""
        step = next_step(SimpleNamespace(**facts, after_leaving=NextStep("plan", "Plan.")))
        assert (step.request, step.per_model) == (wanted, True)

    @pytest.mark.parametrize("k", [2, 3])
    def test_gained_and_lost(self, k):
        """The Brier score falls by the calibration gained less the refinement lost."""
        result = recalibration_advice(drawn(300, k, bold=2.0), methods=QUICK)
        for one in result.methods:
            wanted = one.refinement_lost - one.calibration_gained
            assert one.brier_difference == pytest.approx(wanted, abs=1e-9)
        kept = next(one for one in result.methods if one.method == "temperature")
        assert k > 2 or (kept.refinement_lost, kept.ties_created) == (0.0, 0.0)
        assert k > 2 or kept.roc_auc_after == kept.roc_auc_before

    def test_true_probabilities(self):
        """True probabilities are to be left as they are: in 24 tables nearly always."""
        chosen = [
            recalibration_advice(
                drawn(150, 2 + seed % 2, seed=seed), methods=["platt", "isotonic"], workers=1
            ).chosen
            for seed in range(24)
        ]
        assert chosen.count("none") >= 20  # binomial of .95: fewer with a chance below .01
        result = recalibration_advice(drawn(150, model=["m"] * 150), methods=["temperature"])
        assert (result.recalibrated.n, result.model) == (150, "m")
        assert (result.chosen, np.isnan(result.gain)) == ("none", True)
        assert p_equals(result.p_value) in result.verdict

    def test_workers(self, bold):
        """Threads do not change the answer."""
        one, two = (
            recalibration_advice(bold, methods=QUICK, workers=workers) for workers in (1, 2)
        )
        assert one.to_dict() == two.to_dict()

    def test_copies_of_examples(self):
        """Examples predicted in two repeats tell no more than once."""
        data = drawn(200, bold=1.5, row=np.arange(200))
        twice = data.select(where=np.tile(np.arange(200), 2))
        twice = dataclasses.replace(
            Predictions.from_arrays(
                twice.actual, twice.prob, row=twice.row, repeat=np.repeat([0, 1], 200)
            ),
            classes=data.classes,
        )
        one, two = (
            recalibration_advice(rows, methods=["temperature"]).methods[0] for rows in (data, twice)
        )
        assert two.p_value == pytest.approx(one.p_value, rel=1e-6)
        assert two.log_loss_range == pytest.approx(one.log_loss_range, rel=1e-6)

    def test_far_too_high_with_ties(self):
        """Tied scores 200 times too high are recalibrated, as with a `row` column that tells so.

        Rows of one class with equal scores are improbable here because the model is wrong.
        """
        rng = np.random.default_rng(0)
        size = rng.integers(1, 16, size=500)
        p = np.repeat(np.linspace(0.3, 0.95, 500), size)
        actual = rng.uniform(size=len(p)) < p / 200
        alone = Predictions.from_arrays(actual, p)
        shifted = Predictions.from_arrays(actual, p, row=np.arange(len(p)))
        methods = ["prior-shift", "platt"]
        one, two = (recalibration_advice(rows, methods=methods) for rows in (alone, shifted))
        assert one.chosen != "none"
        assert one.chosen == two.chosen
        assert one.p_value == two.p_value < 0.01
        assert "shared-predictions" in one.remark_codes
        assert "several-rows-of-an-example" not in one.remark_codes
        assert "shared-predictions" not in two.remark_codes

    def test_ratings(self):
        """Ratings get the map of the least log loss, held against the shares of the classes."""
        rng = np.random.default_rng(0)
        rating = rng.normal(size=300)
        actual = rng.uniform(size=300) < 1 / (1 + np.exp(-3 * rating))
        result = recalibration_advice(Predictions.from_arrays(actual, score=rating), methods=QUICK)
        assert result.on == "score"
        assert np.isnan(result.log_loss_before)
        assert result.chosen == "temperature"  # the fewest numbers
        assert all(one.helps for one in result.methods)
        blind = Predictions.from_arrays(rng.permutation(actual), score=rating)
        poor = recalibration_advice(blind, methods=QUICK)
        assert poor.chosen == poor.methods[0].method
        assert not any(one.helps for one in poor.methods)

    def test_impossible_rows(self):
        """A true class of probability 0 makes any map help infinitely, and that is said."""
        base = drawn(200)
        prob = base.prob[:, 1].copy()
        prob[np.flatnonzero(base.actual == 1)[:2]] = 0.0
        result = recalibration_advice(
            Predictions.from_arrays(base.actual, prob), methods=["temperature"]
        )
        assert result.methods[0].log_loss_difference == -np.inf
        assert result.chosen == "temperature"
        assert "infinite" in result.verdict
        assert "2" in result.methods[0].notes[-1].split()

    def test_refusals(self):
        """One class, several models and too few rows are refused with what to do."""
        with refused(InputError, "one-class-to-fit", "4", "'1'"):
            recalibration_advice(Predictions.from_arrays([1] * 4, [0.5] * 4))
        with refused(InputError, "no-method-applies", "6", "2"):
            recalibration_advice(drawn(6))
        two = Predictions.from_arrays([0, 1] * 2, [0.5] * 4, model=["a", "a", "b", "b"])
        with refused(InputError, "several-models", "recalibration", "'a'", "'b'"):
            recalibration_advice(two)
        with refused(ParameterError, "wrong-kind", "list"):
            recalibration_advice([0.2, 0.4])

    def test_zeros_that_did_not_happen(self):
        """Where some p is 0 no gain is unlikely, and that is said; few rows tell nothing either."""
        base = drawn(200)
        prob = base.prob[:, 1].copy()
        prob[np.argsort(np.where(base.actual == 0, prob, 1.0))[:3]] = 0.0
        rows = Predictions.from_arrays(base.actual, prob)
        true = recalibration_advice(base, methods=["isotonic"])
        assert number(-true.methods[0].log_loss_range[0]) in facts_of(true)["most"]
        zero = recalibration_advice(rows, methods=["isotonic"])
        assert zero.chosen == "none"
        assert "most" not in facts_of(zero)
        said = dict(zip(zero.remark_codes, zero.remarks, strict=True))
        assert "3" in said["zero-probabilities"].split()

    def test_few_rows(self):
        """A gain of more than there is to lose is not called unlikely."""
        result = recalibration_advice(drawn(11, seed=1), methods=["platt"])
        assert result.chosen == "none"
        assert -result.methods[0].log_loss_range[0] >= result.log_loss_before
        assert not re.search(r"\d", facts_of(result)["most"])

    def test_nothing_gained(self):
        """Where nothing is chosen there is no gain, and the tests say why."""
        result = recalibration_advice(drawn(150), methods=["histogram-equal-size"])
        assert result.methods[0].log_loss_difference > 0
        assert (result.chosen, result.methods[0].helps) == ("none", False)
        assert result.p_value > 0.05
        assert np.isnan(result.gain)

    def test_input_that_is_not_there(self):
        """What maps cannot read is said once, not by every method."""
        with refused(InputError, "nothing-to-read", "ratings", "probabilities"):
            recalibration_advice(drawn(50), on="score")

    def test_miscalibrated_but_not_recalibrated(self):
        """Where no map that was tried lowers the log loss, none is chosen, and both are said."""
        result = recalibration_advice(drawn(400, bold=2.0, seed=1), methods=["prior-shift"])
        assert result.p_value <= 0.05
        assert result.methods[0].log_loss_difference > 0
        assert (result.chosen, np.isnan(result.gain)) == ("none", True)
        assert number(result.methods[0].log_loss) in result.verdict
        assert result.next_step.request == "test"

    @pytest.mark.laws
    def test_power(self):
        """Log-odds 1.4 times too extreme are recalibrated in most tables of 400 rows."""
        chosen = []
        for seed in some(range(30), 15):
            rng = np.random.default_rng([seed, 3])
            z = rng.normal(size=400)
            data = Predictions.from_arrays(
                rng.uniform(size=400) < 1 / (1 + np.exp(-z)), 1 / (1 + np.exp(-1.4 * z))
            )
            chosen.append(recalibration_advice(data, methods=["temperature"], workers=1).chosen)
        # Of 30 with a chance of .75 fewer than 16 in .003, of 15 fewer than 7 in .004.
        assert chosen.count("temperature") >= (16 if ALL else 7)

    def test_the_gain_is_that_of_the_row(self, bold):
        """Sentence and table of methods have one gain, one interval, one pair of log losses."""
        result = recalibration_advice(bold, methods=QUICK)
        row = next(one for one in result.methods if one.method == result.chosen)
        assert result.gain == -row.log_loss_difference
        assert result.gain_range == (-row.log_loss_range[1], -row.log_loss_range[0])
        before, after = re.search(r"([\d.]+) → ([\d.]+)", result.verdict).groups()
        assert float(before) == pytest.approx(result.log_loss_before, rel=0.01)
        assert float(after) == pytest.approx(row.log_loss, rel=0.01)

    def test_only_few_numbers_without_evidence(self):
        """Free maps are not tried where the verdict shows no miscalibration."""
        data = drawn(300)
        result = recalibration_advice(data)
        assert result.p_value > 0.05
        tried = {one.method for one in result.methods if one.reason is None}
        assert tried == {"temperature", "platt", "beta", "prior-shift"}
        named = recalibration_advice(data, methods=["isotonic"])
        assert named.methods[0].reason is None

    def test_shown(self, bold):
        """The answer is a table with the verdict below it, and a row a method."""
        result = recalibration_advice(bold, methods=QUICK)
        assert result.verdict in repr(result)
        assert "temperature" in result._repr_html_()
        assert result.to_frame()["method"].to_pylist() == [one.method for one in result.methods]


class TestRecalibrate:
    """One call to a map."""

    def test_auto(self):
        """The chosen method is fitted on all rows, and the advice stays with the map."""
        data = drawn(120, bold=3.0)
        result = recalibrate(data)
        assert result.method == result.advice.chosen != "none"
        again = fit_map(data, result.method)
        new = drawn(50, seed=1)
        assert np.array_equal(result(new).prob, again(new).prob)
        assert {one.method for one in result.advice.methods} == set(METHODS)

    def test_names(self):
        """A wrong name gets all that there are, and scikit-learn's the two of that curve."""
        data = drawn(50)
        with refused(ParameterError, "unknown-name", *map(repr, METHODS), argument="method") as one:
            recalibrate(data, "isotonik")
        assert str(one.value).endswith("'isotonic'?")
        with refused(ParameterError, "unknown-name", "'platt-on-probability'") as other:
            recalibrate(data, "sigmoid")
        assert str(other.value).rpartition("The 'sigmoid'")[2].count("'platt") == 2
        spelled = recalibrate(data, "Platt on probability")
        assert spelled.method == "platt-on-probability"

    @pytest.mark.parametrize("k", [2, 4])
    def test_none(self, k):
        """Nothing is changed, not even a logarithm, and no row is refused."""
        rng = np.random.default_rng(0)
        data = Predictions.from_logits(rng.integers(k, size=60), 300 * rng.normal(size=(60, k)))
        same = recalibrate(data, "none")(data)
        assert np.array_equal(same.prob, data.prob)
        assert np.array_equal(same.log_prob, data.log_prob)

    def test_refusals(self):
        """Ratings cannot be left as they are, and options need a method."""
        with refused(InputError, "ratings-not-mapped"):
            recalibrate(Predictions.from_arrays([0, 1], score=[0.1, 2.0]), "none")
        with refused(ParameterError, "argument-needs-another", "'bins'", "`method"):
            recalibrate(drawn(50), bins=5)


def bent(seed):
    """Return 2,000 rows of a rare class: another prior, and a bend that one number cannot mend."""
    rng = np.random.default_rng(seed)
    log_odds = rng.normal(-3.0, 1.6, size=2000)
    actual = rng.uniform(size=2000) < 1 / (1 + np.exp(-log_odds))
    reported = log_odds + 2.2 + 0.6 * np.maximum(log_odds + 2, 0)
    return Predictions.from_arrays(actual, 1 / (1 + np.exp(-reported)))


class TestMoreFlexible:
    """Where the calibration test rejects what a map of few numbers gives, another one is named."""

    def test_the_advice(self):
        """A map whose rows fail the test gives way to one whose rows pass; alone it is told so."""
        result = recalibration_advice(bent(0), methods=["prior-shift", "spline"])
        assert result.chosen == "spline"
        assert calibration_test(result.recalibrated, rng=0).p_value > 0.05
        assert "still-miscalibrated" not in result.remark_codes
        alone = recalibration_advice(bent(0), methods=["prior-shift"])
        assert alone.chosen == "prior-shift"
        remark = dict(zip(alone.remark_codes, alone.remarks, strict=True))["still-miscalibrated"]
        test = calibration_test(alone.recalibrated, rng=0)
        assert test.p_value < 0.05
        assert f"{p_equals(test.p_value)}, n = 2,000" in remark
        assert alone.next_step.values["method"] == "prior-shift"

    @pytest.mark.parametrize(("method", "named"), [("prior-shift", True), ("isotonic", False)])
    def test_new_rows(self, method, named):
        """Both maps are still miscalibrated on other rows; of one there is no more flexible one."""
        bold = drawn(1000, bold=2.0)
        other = Predictions.from_arrays(bold.actual == 1, bold.prob)
        result = recalibration_effect(recalibrate(bent(0), method), other, resamples=99)
        assert result.test_after < 0.05
        assert (result.next_step is not None) is named

    def test_nothing_is_named_where_nothing_is_left(self):
        """The map named leaves nothing to correct on other rows."""
        result = recalibration_effect(recalibrate(bent(0), "spline"), bent(10), resamples=99)
        assert result.test_before < 0.05 < result.test_after
        assert result.next_step is None

    def test_a_map_that_miscalibrates_names_no_other_one(self):
        """Rows that showed no miscalibration before are to be left as they are."""
        calm = drawn(1000)
        rows = Predictions.from_arrays(calm.actual == 1, calm.prob)
        result = recalibration_effect(recalibrate(bent(0), "prior-shift"), rows, resamples=99)
        assert result.test_before > 0.05 >= result.test_after
        assert result.next_step is None
        assert "reconciled" in [note.code for note in result.present().notes]

    def test_few_rows_of_a_class_name_nothing(self):
        """A curve needs 20 rows of every class."""
        assert more_flexible("platt", TableFacts("probability", 2, 5000, 19)) is None


class TestEffect:
    """Before and after."""

    def test_a_p_value_of_0_is_bounded(self):
        """Of the accuracy, which a thousand pairs of rows cannot have by chance, p underflows."""
        p = np.tile([0.1, 0.9], 1_000)
        actual = np.tile([False, True], 1_000)
        before, after = (Predictions.from_arrays(actual, one) for one in (1 - p, p))
        result = effect_between(before, after, method="platt", resamples=9)
        assert min(one.p_value for one in result.changes) == 0
        (table,) = result.present().tables
        assert "< 0.001" in table.columns["p"]
        assert "0" not in table.columns["p"]

    def test_new_rows(self, bold):
        """Every number is that of the tables, and the better side is told."""
        fitted, new = recalibrate(bold, "temperature"), drawn(500, bold=2.0, seed=1)
        result = recalibration_effect(fitted, new, resamples=199)
        by_name = {one.metric: one for one in result.changes}
        assert by_name["log-loss"].before == log_loss(new)
        assert by_name["log-loss"].after == log_loss(result.after)
        assert by_name["brier-score"].after == pytest.approx(brier_score(result.after))
        assert result.brier_convention == brier_convention(new)
        assert by_name["brier-score"].better == by_name["log-loss"].better == "after"
        low, high = by_name["log-loss"].interval_range
        assert low < by_name["log-loss"].difference < high < 0
        assert by_name["roc-auc"].difference == 0.0
        assert by_name["roc-auc"].better is None
        assert result.answers_changed == 0.0
        assert result.honest
        assert result.test_before < 0.05 < result.test_after
        assert result.present().tone == "good"
        assert result.verdict in repr(result)
        assert not {"details", "notes", "next_step", "before", "after"} & set(result.to_dict())
        for table, curve in zip((new, result.after), result.curves(resamples=19), strict=True):
            assert curve.to_dict() == reliability_curve(table, resamples=19).to_dict()

    def test_a_method_by_name_is_cross_fitted(self, bold):
        """Every row is recalibrated by a map of other rows, the same parts for every call."""
        result = recalibration_effect("temperature", bold, resamples=39)
        again = recalibration_effect("temperature", bold, resamples=39)
        whole = recalibrate(bold, "temperature")(bold, resubstitution=True)
        assert result.honest
        assert result.method == "temperature"
        assert (result.after.prob == again.after.prob).all()
        assert not np.allclose(result.after.prob, whole.prob, rtol=1e-9)
        assert np.allclose(result.after.prob, whole.prob, atol=0.05)
        assert result.changes[0].after == log_loss(result.after)

    def test_auto_is_the_advice(self, bold):
        """The rows are those that the advice has recalibrated; "none" leaves them."""
        advice = recalibration_advice(bold, parts=5)
        result = recalibration_effect("auto", bold, resamples=39)
        assert result.method == advice.chosen
        assert (result.after.prob == advice.recalibrated.prob).all()
        assert recalibration_effect("none", bold, resamples=39).after is bold

    def test_nothing_changed(self):
        """Of the map that changes nothing every number is told, infinite ones too."""
        data = Predictions.from_arrays([0, 1, 1, 0] * 10, [0.0, 0.0, 0.9, 0.2] * 10)
        result = recalibration_effect(recalibrate(data, "none"), data, resamples=39)
        assert [(one.difference, one.p_value) for one in result.changes] == [(0.0, 1.0)] * 5
        assert {one.better for one in result.changes} == {None}
        assert result.answers_changed == 0
        assert "infinite" in result.verdict

    def test_resubstitution(self, bold):
        """The fitting rows are refused, or named as what they are."""
        fitted = recalibrate(bold, "platt")
        with pytest.raises(InputError, match="resubstitution"):
            recalibration_effect(fitted, bold)
        result = recalibration_effect(fitted, bold, resubstitution=True, resamples=39)
        assert not result.honest
        assert len(result.remarks) == 1

    def test_ratings(self):
        """Ratings have no scores before; what they rank stays."""
        rng = np.random.default_rng(0)
        rating = rng.normal(size=200)
        data = Predictions.from_arrays(
            rng.uniform(size=200) < 1 / (1 + np.exp(-rating)), score=rating
        )
        half = [data.select(where=range(start, start + 100)) for start in (0, 100)]
        result = recalibration_effect(recalibrate(half[0], "platt"), half[1], resamples=39)
        loss, area = result.changes[0], result.changes[-1]
        assert np.isnan(loss.before)
        assert np.isfinite(loss.after)
        assert "ratings" in loss.reason
        assert area.before == area.after
        assert np.isnan(result.test_before)
        assert np.isfinite(result.test_after)
        assert result.curves(resamples=19)[0] is None
        assert np.isnan(result.answers_changed)

    def test_answers_of_ratings_that_changed(self):
        """Where a table of ratings has labels they are compared with those of the map."""
        rating = np.linspace(-3, 3, 40)
        data = Predictions.from_arrays(
            np.arange(40) >= 20, score=rating, predicted=rating > 1, classes=[False, True]
        )
        result = recalibration_effect("platt", data, resamples=19)
        wanted = (result.after.prob[:, 1] > 0.5) != (rating > 1)
        assert result.answers_changed == wanted.mean() > 0

    def test_several_classes(self):
        """Several classes have every number; the mean area has no quick test."""
        data = drawn(150, 3, bold=2.0)
        result = effect_between(data, drawn(150, 3), method="temperature", resamples=39)
        assert [one.metric for one in result.changes] == [
            "log-loss",
            "brier-score",
            "accuracy",
            "ece",
            "roc-auc",
        ]
        assert np.isfinite(result.changes[-1].after)
        assert np.isnan(result.changes[-1].p_value)
        assert np.isfinite(result.changes[3].null_after)

    def test_examples_of_several_rows(self):
        """They are drawn as wholes, and tested by their first rows, without a warning."""
        data = drawn(80, bold=2.0, row=np.arange(80))
        twice = Predictions.from_arrays(
            np.tile(data.actual, 2),
            np.tile(data.prob, (2, 1)),
            classes=data.classes,
            row=np.tile(data.row, 2),
            repeat=np.repeat([0, 1], 80),
        )
        after = dataclasses.replace(twice, prob=np.asfortranarray(twice.prob[:, ::-1]))
        result = effect_between(twice, after, method="platt", resamples=39)
        wanted = effect_between(data, after.select(repeat=0), method="platt", resamples=39)
        assert result.test_before == wanted.test_before
        assert "80 examples" in result.remarks[0]
        assert np.isnan(result.changes[3].null_before)

    @pytest.mark.parametrize(
        ("better", "tests", "wanted"),
        [
            (None, [0.01, 0.5], True),
            (None, [0.5, 0.5], False),
            ("after", [0.01, 0.5], False),
            ("after", [0.01, 0.01], True),
            ("after", [0.5, 0.5], True),
            ("after", [np.nan, 0.5], False),
        ],
    )
    def test_tests_that_differ_are_reconciled(self, better, tests, wanted):
        """The omnibus test and the change of the log loss have a sentence where they differ."""
        result = effect_between(drawn(60), drawn(60), method="platt", resamples=39)
        loss = dataclasses.replace(result.changes[0], better=better)
        assert bool(_reconciled(loss, tests)) == wanted

    @pytest.mark.parametrize(
        ("method", "tests", "wanted"),
        [
            ("temperature", [0.01, 0.05], True),
            ("temperature", [0.05, 0.05], True),
            ("temperature", [np.nan, 0.05], True),
            ("temperature", [0.01, 0.051], False),
            ("temperature", [0.051, 0.01], False),
            ("none", [0.01, 0.01], False),
        ],
    )
    def test_a_more_flexible_map_is_named_where_both_tests_reject(self, method, tests, wanted):
        """At 0.05 a test rejects; where the rows were calibrated before, the map did it."""
        assert (_next_step(tests, method, drawn(300)) is not None) == wanted

    @pytest.mark.parametrize("fitted", ["temperature", "none", "auto", None])
    @pytest.mark.parametrize(
        ("wrong", "code"),
        [
            ({"level": 2}, "no-fraction"),
            ({"level": "x"}, "no-fraction"),
            ({"resamples": -1}, "no-whole-number"),
        ],
    )
    def test_a_wrong_level_is_refused_whatever_the_map(self, fitted, wrong, code):
        """Also where nothing is tested, as nothing is changed."""
        made = fitted or recalibrate(drawn(60, bold=2.0, seed=2), "temperature")
        with refused(ParameterError, code, argument=next(iter(wrong))):
            recalibration_effect(made, drawn(60), **{"resamples": 39} | wrong)

    def test_infinite_before(self):
        """From an infinite log loss to a finite one is better, without a test."""
        data = Predictions.from_arrays([0, 1, 1, 0] * 10, [0.0, 0.0, 0.9, 0.2] * 10)
        after = Predictions.from_arrays(data.actual, [0.1, 0.1, 0.9, 0.2] * 10)
        result = effect_between(data, after, method="platt", resamples=39)
        assert result.changes[0].difference == -np.inf
        assert result.changes[0].better == "after"
