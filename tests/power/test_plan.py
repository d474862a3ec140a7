from dataclasses import replace
from importlib import import_module
from inspect import signature
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from known_faults import limit_rejections
from scipy.optimize import minimize
from scipy.special import ndtr, softmax
from scipy.stats import binom

import plumbline as pb
from laws import law
from plumbline.plots import plan_figure
from plumbline.power import World, effect_of, shifted, simulation, tempered, usual_draws
from plumbline.power.effects import KINDS, largest_ece, normalised, rows_at_the_limit, true_ece
from plumbline.power.power_curve import Crossing, Shot, find_crossing, probit_line
from plumbline.random_streams import stream
from plumbline.synthetic.experiments import draw
from refusals import refused

planning = import_module("plumbline.power.plan")
NEUTRAL = ("overconfident:1", "underconfident:1", "shift:0", "random-labels:0", "ece:0")
SMALL = {"datasets": 50, "resamples": 59, "workers": 1}
SMALLEST = {"statistic": "brier-score", "n": 40, "datasets": 50, "resamples": 39, "workers": 1}


def table(k: int = 2, n: int = 300, seed: int = 1, alpha: float = 0.7) -> pb.Predictions:
    """Return predictions from a Dirichlet, with labels that play no part."""
    prob = np.random.default_rng(seed).dirichlet(np.full(k, alpha), n)
    return pb.Predictions.from_arrays(np.arange(n) % k, prob, classes=list(range(k)))


def world(data: pb.Predictions, seed: int = 77, resamples: int | None = 99) -> World:
    """Return the world of a table, with streams unlike those of the plans here."""
    return World(data, 0.05, resamples, seed, workers=1)


class TestEffects:
    """What the truth is where predictions are off by an effect."""

    @given(
        logits=st.lists(st.floats(-30, 30), min_size=2, max_size=6),
        temperature=st.floats(0.05, 20),
    )
    def test_a_temperature_divides_the_logits(self, logits, temperature):
        """p^(1/T), renormalised, is softmax(logits / T)."""
        z = np.array([logits])
        expected = softmax(z / temperature, axis=1)
        assert tempered(softmax(z, axis=1), temperature) == pytest.approx(expected, abs=1e-9)

    def test_a_probability_of_zero_stays_zero(self):
        """At any temperature, hot or cold."""
        for temperature in (0.01, 0.5, 2.0, 1e6):
            truth = tempered(np.array([[0.0, 0.3, 0.7], [0.0, 0.0, 1.0]]), temperature)
            assert truth[:, 0].tolist() == [0.0, 0.0]
            assert truth[1].tolist() == [0.0, 0.0, 1.0]

    @pytest.mark.parametrize("text", [row.example for row in KINDS.values()])
    @pytest.mark.parametrize("k", [2, 4])
    def test_the_truth_is_a_table_of_probabilities(self, text, k):
        """Rows sum to 1, nothing is negative, and something differs from the predictions."""
        data = table(k)
        truth = effect_of(text).truth(data)
        assert truth.sum(axis=1) == pytest.approx(np.ones(data.n))
        assert truth.min() >= 0
        assert np.abs(truth - data.prob).max() > 0.01

    @pytest.mark.parametrize("text", NEUTRAL)
    def test_no_effect_is_the_predictions_themselves(self, text):
        """Temperature 1, shift 0, share 0, ECE 0."""
        data = table(3)
        assert effect_of(text).truth(data) == pytest.approx(data.prob, abs=1e-12)
        assert effect_of(text).x == 0

    @pytest.mark.parametrize("text", [row.example for row in KINDS.values()] + ["shift:-0.1"])
    def test_size_and_distance_are_the_same_thing(self, text):
        """`at(x)` gives back the effect, and a larger x a larger error."""
        effect, data = effect_of(text), table(3)
        assert effect.at(effect.x).size == pytest.approx(effect.size)
        errors = [true_ece(data, effect.at(x).truth(data)) for x in (0.01, 0.05, 0.1)]
        assert errors == sorted(errors)

    def test_a_shift_moves_one_class_and_keeps_the_others_in_proportion(self):
        """Within [0, 1]; a row with nothing else is shared out in equal parts."""
        truth = shifted(np.array([[0.2, 0.3, 0.5], [0.0, 0.02, 0.98]]), 0.1, 2)
        assert truth == pytest.approx(np.array([[0.16, 0.24, 0.6], [0, 0, 1]]))
        alone = shifted(np.array([[0.0, 0.0, 1.0]]), -0.2, 2)
        assert alone == pytest.approx(np.array([[0.1, 0.1, 0.8]]))

    def test_a_shift_is_of_the_positive_class_unless_it_names_one(self):
        """`shift:0.05:CLASS`; an unknown class is refused with the near ones."""
        data = pb.Predictions.from_arrays(["dry", "rain"] * 9, [0.3, 0.6] * 9, positive="rain")
        assert effect_of("shift:0.1").truth(data)[:2, 1] == pytest.approx([0.4, 0.7])
        assert effect_of("shift:0.1:dry").truth(data)[:2, 1] == pytest.approx([0.2, 0.5])
        with refused(pb.ParameterError, "unknown-class", "'rian'", "'rain'"):
            effect_of("shift:0.1:rian").truth(data)

    @pytest.mark.parametrize("k", [2, 3])
    def test_an_ece_is_reached_exactly(self, k):
        """The mean |true - predicted| of the viewed event is what was asked for."""
        data = table(k)
        for wanted in (0.001, 0.03, 0.9 * largest_ece(data)):
            truth = effect_of(f"ece:{wanted}").truth(data)
            assert true_ece(data, truth) == pytest.approx(wanted, abs=1e-8)

    def test_an_ece_out_of_reach_says_the_largest(self):
        """The limit is where the truth is uniform."""
        data = table(2)
        most = np.abs(data.prob[:, 1] - 0.5).mean()
        assert largest_ece(data) == pytest.approx(most, abs=1e-5)
        with refused(pb.InputError, "effect-impossible", 0.45, f"{most:.3f}"):
            effect_of("ece:0.45").truth(data)

    def test_random_labels_are_what_their_name_says(self, rng):
        """Drawing from the truth is: draw from the prediction, then replace a share at random."""
        p = np.array([[0.7, 0.2, 0.1]]).repeat(60_000, axis=0)
        labels = draw(p, rng)
        replaced = rng.random(len(p)) < 0.2
        labels[replaced] = rng.integers(3, size=replaced.sum())
        data = pb.Predictions.from_arrays([0, 1, 2], p[:3], classes=[0, 1, 2])
        truth = effect_of("random-labels:0.2").truth(data)[0]
        share = np.bincount(labels, minlength=3) / len(p)
        assert np.abs(share - truth).max() < 4 * 0.5 / sqrt(len(p))

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("overconfidant:1.2", "Did you mean 'overconfident'"),
            ("overconfident", "needs a temperature of at least 1, like overconfident:1.2"),
            ("overconfident:0.8", "got 'overconfident:0.8'"),
            ("underconfident:0", "above 0 and at most 1"),
            ("underconfident:1.2", "above 0 and at most 1"),
            ("random-labels:5", "a share from 0 to 1"),
            ("shift:nan", "from -1 to 1"),
            ("ece:0.03:rain", "takes one size"),
            ("overconfident:inf", "at least 1"),
        ],
    )
    def test_refusals(self, text, says):
        """Kind, rule, what arrived, and near names."""
        with pytest.raises(pb.ParameterError, match=says):
            effect_of(text)


class TestWorld:
    """Data sets drawn from a table."""

    def test_labels_follow_the_truth_and_rows_their_weights(self, rng):
        """Shares of rows and of labels within four standard errors; weight 0 is never drawn."""
        prob = np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        data = pb.Predictions.from_arrays([0, 1, 1], prob, classes=[0, 1], weight=[3, 1, 0])
        truth = effect_of("shift:-0.05").truth(data)
        result, other = world(data).data_sets(truth, 40_000, 2, rng)
        assert result.prob is other.prob
        assert (result.actual != other.actual).any()
        first = result.prob[:, 0] == 0.9
        assert abs(first.mean() - 0.75) < 4 * 0.5 / 200
        assert (result.prob[:, 0] != 0.2).all()
        assert abs(result.actual[first].mean() - 0.05) < 4 * 0.22 / sqrt(30_000)

    def test_data_sets_are_functions_of_seed_step_and_number(self):
        """Not of the workers; and tests asked together answer as if asked alone."""
        data = table(n=50)
        truth = effect_of("overconfident:2").truth(data)
        tests = ["log-loss", "brier-score"]
        params = {"n": 30, "sets": 25, "step": 3}
        both = world(data).rejected(truth, tests, **params)
        threads = World(data, 0.05, 99, 77, workers=2).rejected(truth, tests, **params)
        alone = world(data).rejected(truth, tests[1:], **params)
        assert both.tolist() == threads.tolist()
        assert both[1].tolist() == alone[0].tolist()

    def test_the_omnibus_is_asked_as_its_users_ask_it(self):
        """A rejection is one of `calibration_test` without a single option but the seed.

        Data sets of 300 rows share their predictions by threes, those of 40 rows do not.
        """
        for n, effect, together in ((40, "overconfident:2", 1), (300, "overconfident:1.4", 3)):
            data = table(n=50)
            truth = effect_of(effect).truth(data)
            usual = world(data, resamples=None)
            result = usual.rejected(truth, ["omnibus"], n=n, sets=10, step=0)[0]
            source = stream(usual.entropy, 0, 0)
            expected = []
            while len(expected) < 10:
                tables = usual.data_sets(truth, n, min(together, 10 - len(expected)), source)
                seed = int(source.integers(2**63))
                answers = [pb.calibration_test(drawn, rng=seed) for drawn in tables]
                expected += [answer.p_value <= 0.05 for answer in answers]
            assert result.tolist() == expected
            assert 0 < sum(expected) < 10

    def test_the_usual_draws(self):
        """The default of `calibration_test` for the omnibus, and never fewer than 10 / level."""
        default = signature(pb.calibration_test).parameters["resamples"].default
        assert usual_draws("omnibus", 0.05) == usual_draws("omnibus", 0.01) == default
        assert usual_draws("omnibus", 0.001) == usual_draws("ece", 0.001) == 9999
        assert [usual_draws("ece", level) for level in (0.05, 0.1)] == [199, 99]
        assert world(table(), resamples=59).draws("omnibus") == 59


class TestSearch:
    """Where the power passes the wanted value."""

    def test_the_line_is_the_maximum_of_the_likelihood(self):
        """Against a general optimiser, with the same quarter counts; SE from its curvature."""
        shots = [Shot(5, 20, 100), Shot(8, 55, 100), Shot(11, 140, 150)]
        u = np.array([s.u for s in shots])
        hits = np.array([s.hits for s in shots]) + 0.25
        misses = np.array([s.sets - s.hits for s in shots]) + 0.25

        def minus_log_likelihood(beta):
            p = ndtr(beta[0] + beta[1] * u)
            return -(hits @ np.log(p) + misses @ np.log1p(-p))

        best = minimize(
            minus_log_likelihood,
            [0.0, 0.1],
            method="Nelder-Mead",
            options={"xatol": 1e-9, "fatol": 1e-12},
        ).x
        line = probit_line(shots)
        assert [line.a, line.b] == pytest.approx(best, abs=1e-5)
        at, error = line.crossing(0.5)
        assert line.power(at)[0] == pytest.approx(ndtr(0.5))
        assert error > 0

    def test_a_bent_curve_is_followed(self):
        """A parabola in standard normal units; through a straight one the line stays."""

        def shots(curve):
            return [Shot(u, round(20_000 * ndtr(curve(u))), 20_000) for u in (6, 8, 10, 12, 14, 16)]

        bent = probit_line(shots(lambda u: -1.6 + 0.05 * u + 0.008 * u * u), bent=True)
        assert [bent.a, bent.b, bent.c] == pytest.approx([-1.6, 0.05, 0.008], abs=0.02)
        at, error = bent.crossing(0.8416)
        assert bent.power(at)[0] == pytest.approx(0.8, abs=1e-4)
        assert 0 < error < 0.1
        straight = probit_line(shots(lambda u: -1.6 + 0.15 * u), bent=True)
        assert abs(straight.c) < 2 * sqrt(straight.covariance[2, 2]) + 1e-3

    def test_all_and_none_still_make_a_line(self):
        """No rejection and every rejection: finite, and rising."""
        line = probit_line([Shot(1, 0, 200), Shot(2, 200, 200)])
        assert np.isfinite([line.a, line.b]).all()
        assert 1 < line.crossing(0.0)[0] < 2

    def test_the_standard_error_is_right(self):
        """Over 200 searches of a known power, about 95 % of intervals hold the true place."""
        source = np.random.default_rng(8)
        true = (0.8416 + 1.645) / 0.12  # Phi(-1.645 + 0.12 u) = 0.8

        def shoot(u: float, sets: int) -> Shot:
            return Shot(u, int(source.binomial(sets, ndtr(-1.645 + 0.12 * u))), sets)

        z = []
        for start in np.tile([2.0, 20.0, 90.0, 400.0], 50):
            result = find_crossing(
                shoot, start=start, most=500.0, power=0.8, level=0.05, sets=lambda u: 300
            )
            z.append((result.u - true) / result.error)
        assert abs(np.mean(z)) < 4 / sqrt(len(z))
        assert abs(np.mean(np.abs(z) < 1.96) - 0.95) < 4 * sqrt(0.05 * 0.95 / len(z))

    def test_a_bent_power_is_passed_where_it_bends(self):
        """Of shares without noise; a line through the same places would pass elsewhere."""

        def shoot(u: float, sets: int) -> Shot:
            return Shot(u, round(sets * ndtr(-1.6 + 0.05 * u + 0.008 * u * u)), sets)

        found = find_crossing(
            shoot, start=14.0, most=40.0, power=0.8, level=0.05, sets=lambda u: 20_000, also=(6, 8)
        )
        (true,) = (u for u in np.roots([0.008, 0.05, -1.6 - 0.841621]).real if u > 0)
        assert found.u == pytest.approx(true, rel=2e-3)
        assert found.line.c > 0

    def test_power_that_does_not_rise_is_found_nowhere(self):
        """A blind test."""
        source = np.random.default_rng(9)

        def shoot(u: float, sets: int) -> Shot:
            return Shot(u, int(source.binomial(sets, 0.05)), sets)

        result = find_crossing(shoot, start=10, most=100, power=0.8, level=0.05, sets=lambda u: 200)
        assert result.u is None
        assert max(shot.u for shot in result.shots) == 100


@pytest.fixture(scope="module")
def small():
    """Return the smallest of plans, and the progress it told."""
    calls = []
    result = pb.plan(
        table(),
        "overconfident:2",
        **SMALLEST,
        progress=lambda done, total: calls.append(done / total),
    )
    return result, calls


def test_a_simulated_power_has_a_range_within_0_and_1(small):
    """1.96 standard errors on either side, cut off where no power is."""
    plan, _ = small
    for row, ends in zip(plan.curve, plan.ranges(), strict=True):
        assert ends["low"] == max(0, row["power"] - 1.96 * row["std_error"])
        assert ends["high"] == min(1, row["power"] + 1.96 * row["std_error"])


class TestPlan:
    """The plan as a whole."""

    def test_power_at_n_needed_and_at_the_smallest_effect_is_what_was_asked(self):
        """Simulated afresh, 300 data sets each, within three standard errors of both sides."""
        data = table(n=500)
        result = pb.plan(
            data,
            "overconfident:1.8",
            statistic="brier-score",
            n=60,
            datasets=80,
            resamples=99,
            workers=1,
        )
        params = {"tests": ["brier-score"], "sets": 300}
        truth = effect_of("overconfident:1.8").truth(data)
        there = world(data).rejected(truth, n=result.n_needed, step=0, **params).mean()
        slope = 0.28 * (1.645 + 0.84) / (2 * result.n_needed)  # of the power where it is 0.8
        error = sqrt(0.16 / 300 + (slope * result.n_needed_std_error) ** 2)
        assert abs(there - 0.8) < 3 * error
        truth = effect_of(f"overconfident:{result.detectable}").truth(data)
        there = world(data).rejected(truth, n=60, step=1, **params).mean()
        slope = 0.28 * (1.645 + 0.84) / (result.detectable * np.log(result.detectable))
        error = sqrt(0.16 / 300 + (slope * result.detectable_std_error) ** 2)
        assert abs(there - 0.8) < 3 * error
        assert result.n_limit <= 1.2 * result.n_needed

    def test_an_effect_that_changes_nothing_is_refused(self):
        """Temperature 1, or any temperature where all predictions are (0.5, 0.5)."""
        half = pb.Predictions.from_arrays([0, 1] * 20, np.full(40, 0.5))
        for data, effect in ((table(n=50), "overconfident:1"), (half, "overconfident:2")):
            with pytest.raises(pb.InputError, match="nothing to detect"):
                pb.plan(data, effect, statistic="brier-score", workers=1)

    def test_without_an_effect_the_power_is_the_level(self):
        """Labels drawn from the predictions themselves: 5 % of data sets are rejected."""
        data = table(n=200)
        result = world(data, resamples=39).rejected(
            normalised(data), ["brier-score"], n=60, sets=200, step=0
        )
        assert abs(result.mean() - 0.05) < 3 * sqrt(0.05 * 0.95 / 200)

    def test_against_the_binomial_distribution(self):
        """Constant predictions: the Brier score counts labels, and its power is a binomial sum."""
        n, p, q = 80, 0.3, 0.45
        data = pb.Predictions.from_arrays([0, 1] * 20, np.full(40, p))
        hits = np.arange(n + 1)
        tails = np.minimum(binom.cdf(hits, n, p), binom.sf(hits - 1, n, p))
        expected = binom.pmf(hits, n, q)[2 * tails <= 0.05].sum()
        truth = effect_of("shift:0.15").truth(data)
        params = {"n": n, "sets": 400, "step": 0}
        share = world(data, resamples=399).rejected(truth, ["brier-score"], **params).mean()
        assert abs(share - expected) < 3 * sqrt(expected * (1 - expected) / 400) + 0.02

    def test_a_test_that_cannot_see_the_effect_says_so(self, monkeypatch):
        """One-point sums are constant where all predictions are (0.5, 0.5)."""
        monkeypatch.setattr(planning, "WORK", 2**20)
        data = pb.Predictions.from_arrays([0, 1] * 20, np.full(40, 0.5))
        result = pb.plan(data, "shift:0.1", **SMALLEST | {"statistic": "log-loss"})
        assert result.n_needed is None
        assert result.detectable is None
        assert "shift of 1" in result.reason
        assert result.power_at_n == 0

    def test_auto_recommends_what_sees_the_effect(self):
        """For underconfidence a proper score."""
        data = table(3, alpha=0.5)
        question = planning.Question(0.8, 0.05, "auto", None, 80)
        case = planning.Planning(
            world(data, resamples=39), effect_of("underconfident:0.7"), question, None
        )
        test, pilot = planning.choose_test(case, 120.0)
        powers = dict(zip(pilot.names, pilot.steps[-1][1].mean(axis=1), strict=True))
        assert test in ("log-loss", "brier-score", "spiegelhalter")
        assert powers[test] > powers["omnibus"]

    @pytest.mark.parametrize("chosen", ["omnibus", "cox"])
    @pytest.mark.parametrize("powers", [(0.6, 0.5, 0.4), (0.4, 0.5, 0.6), (0.5, 0.6, 0.6)])
    def test_one_of_more_power_is_never_shown_without_a_word(self, small, chosen, powers):
        """The best of all stands beside the recommended one, and why it is not that."""
        names = ("omnibus", "cox", "kuiper")
        rows = [
            {"test": name, "n": 60, "power": power, "std_error": 0.05, "simulated": power}
            | {"datasets": 100}
            for name, power in zip(names, powers, strict=True)
        ]
        several = replace(small[0], test=chosen, tests=rows)
        (shown,) = [one.text for one in several.present().details if one.key == "test"]
        most, own = max(powers), powers[names.index(chosen)]
        assert ("not clearly more" in shown) == (most > own)
        if most > own:
            assert f"{most:.2f}" in shown
        why = [line for line in several.present().legend if "omnibus" in line]
        assert len(why) == (chosen == "omnibus")
        assert not any("omnibus" in line for line in small[0].present().legend)

    def test_the_same_seed_is_the_same_plan_whatever_the_workers(self, small):
        """One thread and two."""
        again = pb.plan(table(), "overconfident:2", **SMALLEST | {"workers": 2})
        assert again.to_dict() == small[0].to_dict()

    def test_beyond_what_is_simulated_lines_are_continued(self, monkeypatch):
        """The answers agree with those of the whole simulation, and say what they are."""
        params = {"effect": "overconfident:1.5", "statistic": "brier-score", "n": 400, **SMALL}
        whole = pb.plan(table(), **params)
        monkeypatch.setattr(planning, "WORK", 120 * 59 * planning.FEWEST_SETS // 2)
        short = pb.plan(table(), **params)
        assert max(row["n"] for row in short.curve) <= 120
        assert any("extrapolated" in note for note in short.notes)
        assert not whole.notes
        for name in ("n_needed", "detectable"):
            gap = abs(getattr(whole, name) - getattr(short, name))
            error = sqrt(sum(getattr(p, f"{name}_std_error") ** 2 for p in (whole, short)))
            assert gap < 4 * error, name

    def test_what_is_usual_for_a_test(self):
        """The omnibus draws once for ten data sets, and has larger ones; fewer in groups."""
        question = planning.Question(0.8, 0.05, "auto", None, None)
        case = planning.Planning(
            world(table(), resamples=None), effect_of("overconfident:2"), question, None
        )
        assert [case.sets("omnibus", n) for n in (100, 250, 300)] == [50, 100, 150]
        assert case.sets("ece", 100) == 150
        assert case.sets("omnibus", 9000) == planning.WORK // (900 * 999) < 150
        assert case.sets("ece", 9000) == planning.WORK // (9000 * 199) < case.sets("omnibus", 9000)
        assert case.most_simulated("ece") < case.most_simulated("omnibus") < 50_000
        assert case.sets("omnibus", case.most_simulated("omnibus")) == planning.FEWEST_SETS
        whole = case.continued_from("omnibus")
        assert case.sets("omnibus", whole) == 150 > case.sets("omnibus", 1.1 * whole)
        grouped = replace(case, world=world(table().in_groups(np.arange(300) // 3)))
        assert grouped.wanted_sets("omnibus") == 50

    def test_several_classes_from_a_dirichlet(self):
        """One alpha for all classes, or one each; without n there is nothing about n rows."""
        params = {
            "effect": "random-labels:0.3",
            "statistic": "chi-square",
            "datasets": 50,
            "resamples": 39,
            "workers": 1,
        }
        result = pb.plan(classes=3, dirichlet=0.3, **params)
        assert result.to_dict() == pb.plan(dirichlet=[0.3, 0.3, 0.3], **params).to_dict()
        assert result.n is result.power_at_n is result.detectable is None
        assert result.reason is not None
        assert not result.present().notes
        assert result.n_needed > 1

    def test_sentence_table_and_curve_are_one_estimate(self, small):
        """At the rows needed the table has the wanted power, at n the power that is told."""
        result, _ = small
        rows = {row["n"]: row for row in result.estimates}
        assert set(rows) == {row["n"] for row in result.curve} | {result.n, result.n_needed}
        assert rows[result.n_needed]["power"] == pytest.approx(result.power, abs=0.01)
        assert rows[result.n_needed]["power"] >= result.power - 1e-9
        place = (rows[result.n]["power"], rows[result.n]["std_error"])
        assert place == (result.power_at_n, result.power_at_n_std_error)
        powers = [row["power"] for row in result.estimates]
        assert powers == sorted(powers)
        for row in result.curve:
            error = sqrt(row["std_error"] ** 2 + rows[row["n"]]["std_error"] ** 2)
            assert abs(row["power"] - rows[row["n"]]["power"]) < 4 * error
        assert result.tests == []
        assert "test" not in {one.key for one in result.present().details}

    @law(("effect", "alpha"), [("overconfident:2", 0.5), ("shift:0.15", 1.0)], number=1)
    def test_the_comparison_of_tests_lies_on_the_fitted_curve(self, effect, alpha):
        """Its data sets are part of the curve, and the chosen test has one power at one n."""
        params = {"statistic": "auto", "datasets": 30, "resamples": 39, "workers": 1, "n": 60}
        result = pb.plan(classes=2, dirichlet=alpha, effect=effect, **params)
        rows = {row["test"]: row for row in result.tests}
        n = result.tests[0]["n"]
        line = {row["n"]: row for row in result.estimates}[n]
        one = rows[result.test]
        assert one["power"] == pytest.approx(line["power"], abs=1e-12)
        assert one["std_error"] == pytest.approx(line["std_error"], abs=1e-12)
        shot = {row["n"]: row for row in result.curve}[n]
        assert shot["datasets"] >= one["datasets"]
        assert abs(one["simulated"] - one["power"]) < 4 * shot["std_error"] + 4 * one["std_error"]
        powers = [row["power"] for row in result.tests]
        assert powers == sorted(powers, reverse=True)
        assert all(0 <= row["power"] <= 1 and row["std_error"] >= 0 for row in result.tests)
        assert f"power {one['power']:.2f} ± {one['std_error']:.2f}" in str(
            {one.key: one.text for one in result.present().details}["test"]
        )

    def test_tests_that_reject_the_same_data_sets_move_with_the_chosen_one(self):
        """A control variate moves a twin to the curve, and leaves an unrelated test where it is."""
        hits = np.zeros((3, 100), bool)
        hits[:2, :90] = True
        hits[2, ::2] = True
        pilot = planning.Pilot(("omnibus", "log-loss", "ece"), ((145, hits),))
        line = probit_line([Shot(sqrt(n), h, 100) for n, h in ((60, 45), (145, 78), (200, 88))])
        question = planning.Question(0.8, 0.05, "auto", None, None)
        case = planning.Planning(world(table()), effect_of("overconfident:2"), question, None)
        crossing = Crossing(*line.crossing(0.84), 30.0, line, ())
        rows = {r["test"]: r for r in planning.compared(pilot, "omnibus", case, crossing)}
        power, error = line.power(sqrt(145))
        for twin in ("omnibus", "log-loss"):
            assert rows[twin]["power"] == pytest.approx(power)
            assert rows[twin]["std_error"] == pytest.approx(error)
        assert rows["ece"]["power"] == rows["ece"]["simulated"] == 0.5

    @law("slope", [0.05, 0.1, 0.5], number=2)
    @pytest.mark.parametrize("k", [2, 10])
    def test_only_the_test_asked_for_and_a_bounded_amount_of_work(self, monkeypatch, slope, k):
        """By default the omnibus; what its data sets cost together is bounded."""
        calls, source = [], np.random.default_rng(3)

        def rejections(tables, test, *, resamples, **_):
            n = tables[0].n
            calls.append((test, n * resamples, len(tables)))
            return source.random(len(tables)) < ndtr(-1.645 + slope * sqrt(n))

        monkeypatch.setattr(simulation, "rejections", rejections)
        result = pb.plan(classes=k, dirichlet=0.7, workers=1)
        assert {test for test, _, _ in calls} == {"omnibus"} == {result.test}
        assert sum(sets for _, _, sets in calls) <= 1350
        assert sum(labels for _, labels, _ in calls) < 12 * planning.WORK
        assert abs(result.n_needed - (2.4866 / slope) ** 2) < 4 * result.n_needed_std_error + 1

    def test_progress_only_rises_and_ends(self, small):
        """Whatever the search does."""
        calls = small[1]
        assert calls == sorted(calls)
        assert 0.7 < calls[-1] <= 1

    def test_the_picture_shows_the_simulated_points(self, small):
        """Every simulated point, the wanted power, and the number of rows."""
        result = small[0]
        (ax,) = plan_figure(result).axes
        (points,) = (c[0] for c in ax.containers)
        assert points.get_xdata().tolist() == [row["n"] for row in result.curve]
        assert points.get_ydata().tolist() == [row["power"] for row in result.curve]
        assert [text.get_text() for text in ax.texts] == [f"{result.n_needed:,} rows"]

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            ({"power": 0.04}, "must be above the level 0.05"),
            ({"power": 80}, "fraction between 0 and 1"),
            ({"level": 0}, "fraction between 0 and 1"),
            ({"statistic": "logloss"}, "Did you mean 'log-loss'"),
            ({"n": 1}, "`n` must be a whole number of at least 2"),
            ({"datasets": 10}, "`datasets` must be a whole number of at least 30"),
            ({"resamples": 10}, "`resamples` must be a whole number of at least 39"),
            ({"classes": 3}, "leave them out"),
        ],
    )
    def test_refusals(self, arguments, says):
        """Before anything is simulated."""
        with pytest.raises(pb.ParameterError, match=says):
            pb.plan(table(), **arguments)

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            ({}, "needs `classes`"),
            ({"dirichlet": 0.5}, "needs `classes`"),
            ({"classes": 3, "dirichlet": [1, 2]}, "one for each of the 3 classes"),
            ({"classes": 3, "dirichlet": -1}, "positive number"),
        ],
    )
    def test_refusals_without_a_table(self, arguments, says):
        """What stands for the predictions must be told."""
        with pytest.raises(pb.ParameterError, match=says):
            pb.plan(**arguments)

    def test_a_table_of_two_models_is_refused(self):
        """Their rows together are nobody's predictions."""
        data = pb.Predictions.from_arrays([0, 1] * 4, [0.3, 0.6] * 4, model=list("aabbaabb"))
        with refused(pb.InputError, "several-models"):
            pb.plan(data)


class TestLimit:
    """The rows that the likelihood ratio needs."""

    @pytest.mark.parametrize("text", ["overconfident:1.4", "underconfident:0.7", "shift:0.08"])
    def test_the_likelihood_ratio_has_about_the_power_there(self, text):
        """Two moments against 500 simulated data sets: within 0.07 of 0.8."""
        data = table(n=2000, alpha=2.0)
        prob, truth = normalised(data), effect_of(text).truth(data)
        n = round(rows_at_the_limit(prob, truth, data.mass, 0.8, 0.05))
        source = np.random.default_rng(4)
        index = source.integers(data.n, size=(500, n))
        sets = prob[index], draw(truth[index], source)
        assert abs(limit_rejections(sets, truth[index], 99, 0.05, source) / 500 - 0.8) < 0.07

    def test_an_impossible_event_is_enough(self):
        """Where it happens with chance c, the power is 1 - (1 - c)^n."""
        prob, truth = np.array([[0.0, 1.0]]), np.array([[0.1, 0.9]])
        n = rows_at_the_limit(prob, truth, np.ones(1), 0.8, 0.05)
        assert 1 - 0.9**n == pytest.approx(0.8)

    def test_nothing_to_find_needs_endless_rows(self):
        """No effect: infinite."""
        prob = np.array([[0.3, 0.7]])
        assert rows_at_the_limit(prob, prob, np.ones(1), 0.8, 0.05) == np.inf
