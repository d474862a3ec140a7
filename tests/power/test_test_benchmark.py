from math import sqrt

import numpy as np
import pytest
from known_faults import CASES, FAULTS, Case, limit_rejections, truth_given, unpushed
from test_benchmark import LIMIT, Benchmark, benchmark

import plumbline as pb
from plumbline.power import Sizes, log_ratio, usual_draws
from plumbline.synthetic import EXPERIMENTS
from plumbline.synthetic.experiments import draw, push_largest
from refusals import refused

# Power of the likelihood ratio at 100 points, level 0.05, computed apart from this project.
LIMITS = {"1": 0.867, "2": 0.718, "3": 0.177, "4": 0.96, "5": 0.905, "6": 0.387}
QUICK = ["omnibus", "log-loss", "brier-score", "chi-square", "hosmer-lemeshow", "kuiper"]


def literal_unpushed(p, dirichlet, beta):
    """Return E[t | p] of one vector: try every class as the one that was pushed."""
    result = []
    for c in range(len(p)):
        t = [(1 + beta) * p[j] - (beta if j == c else 0) for j in range(len(p))]
        if t[c] >= 0 and all(t[j] <= t[c] for j in range(len(p))):
            density = np.prod([x ** (a - 1) for x, a in zip(t, dirichlet, strict=True)])
            result.append((density, t))
    weight = np.array([w for w, _ in result])
    return weight @ np.array([t for _, t in result]) / weight.sum()


class TestTruth:
    """What the true probabilities are, given the predictions."""

    @pytest.mark.parametrize("beta", [0.3, -0.1, -0.25, 0.0])
    def test_against_a_literal_version(self, beta, rng):
        """Every class tried in turn, one vector at a time."""
        alpha = (0.5, 1.5, 2.0, 0.9)
        p = push_largest(rng.dirichlet(alpha, 300), beta)
        expected = [literal_unpushed(row, alpha, beta) for row in p]
        assert unpushed(p, alpha, beta) == pytest.approx(np.array(expected), abs=1e-9)

    def test_a_push_up_is_undone_exactly(self, rng):
        """For beta > 0 only one t leads to each prediction."""
        t = rng.dirichlet(np.full(5, 0.1), 500)
        assert unpushed(push_largest(t, 0.3), (0.1,) * 5, 0.3) == pytest.approx(t, abs=1e-12)

    @pytest.mark.parametrize("number", [1, 9])
    def test_labels_follow_it(self, number):
        """The mean of (1[y = c] - q_c) h(p) is 0 for h = 1[p_c in a range]: within 4 errors."""
        prob, labels = CASES[str(number)].draws(100, 700, np.random.default_rng(3))
        if number == 1:  # which labels are random is fixed there, and a mixture here
            prob, labels = prob[:, ::-1], labels[:, ::-1]
        q = truth_given(EXPERIMENTS[number], prob)
        gap = (labels[..., None] == np.arange(prob.shape[-1])) - q
        for low, high in ((0, 0.3), (0.3, 0.45), (0.45, 0.5), (0.5, 0.6), (0.6, 1.01)):
            seen = (prob >= low) & (prob < high)
            error = sqrt((q * (1 - q))[seen].mean() / seen.sum())
            assert abs(gap[seen].mean()) < 4 * error + 1e-12, (low, high)


class TestLimit:
    """The likelihood ratio, which no test of the same level beats."""

    @pytest.mark.parametrize("case", LIMITS)
    def test_the_known_limits(self, case):
        """At 100 points: within four standard errors of 300 data sets."""
        source = np.random.default_rng(11)
        data = CASES[case].draws(100, 300, source)
        result = limit_rejections(data, CASES[case].truth(data[0]), 199, 0.05, source) / 300
        p = LIMITS[case]
        assert abs(result - p) < 4 * sqrt(p * (1 - p) / 300)

    def test_experiment_9_depends_on_whether_the_pushed_class_is_known(self):
        """Known t: 0.238; a test sees predictions alone, so that its limit is clearly lower."""
        source = np.random.default_rng(12)
        t = source.dirichlet(np.full(10, 0.1), (600, 100))
        data = push_largest(t, -0.1), draw(t, source)
        known = limit_rejections(data, t, 99, 0.05, source) / 600
        seen = limit_rejections(data, CASES["9"].truth(data[0]), 99, 0.05, source) / 600
        assert abs(known - 0.238) < 4 * sqrt(0.238 * 0.762 / 600)
        assert seen < known - 0.03

    def test_it_keeps_its_level(self):
        """Labels drawn from the predictions: 5 %."""
        source = np.random.default_rng(13)
        prob, _ = CASES["4"].draws(50, 1000, source)
        labels = draw(prob, source)
        result = limit_rejections((prob, labels), CASES["4"].truth(prob), 99, 0.05, source) / 1000
        assert abs(result - 0.05) < 4 * sqrt(0.05 * 0.95 / 1000)

    def test_the_impossible_counts_without_end(self):
        """Said to be impossible and true: infinite; impossible either way: never seen, 0."""
        ratio = log_ratio(np.array([0.0, 0.5, 0.5, 0.0]), np.array([0.2, 0.8, 0.0, 0.0]))
        assert ratio == pytest.approx([np.inf, np.log(1.6), -np.inf, 0.0])


class TestBenchmark:
    """All tests on the same data sets."""

    def test_nobody_beats_the_limit(self):
        """Experiment 4: the limit is first up to chance, the omnibus near it, absolute ECE far."""
        rows = benchmark("4", datasets=50, workers=1, resamples=99, tests=QUICK)
        power = {row["test"]: row["power"] for row in rows}
        error = sqrt(0.25 / 50)
        assert max(power.values()) <= power[LIMIT] + 3 * error
        assert power["omnibus"] > 0.8
        weakest = "cf ECE absolute 10 bins"
        assert power[weakest] < 0.4
        assert {(row["points"], row["datasets"]) for row in rows} == {(100, 50)}

    def test_true_probabilities_are_rejected_at_the_level(self):
        """Every test, 60 data sets: at most 5 % and four standard errors."""

        def draws(points, datasets, source):
            prob = source.dirichlet(np.ones(3), size=(datasets, points))
            return prob, draw(prob, source)

        case = Case("true", "nothing", 20, draws, lambda prob: 0.9 * prob + 0.1 / 3)
        run = Benchmark(case, Sizes(20, 60, 39, 0.05), 99, tuple(QUICK), 39, 5)
        count = np.sum([run.rejections((block,)) for block in range(3)], axis=0)
        worst = 60 * 0.05 + 4 * sqrt(60 * 0.05 * 0.95)
        assert dict(zip(run.names, (count <= worst).tolist(), strict=True)) == dict.fromkeys(
            run.names, True
        )

    def test_the_omnibus_and_the_limit_draw_as_often_as_users_do(self):
        """The rest 199 times, which is enough for one statistic; or all as often as is said."""
        sizes = Sizes(20, 1, 199, 0.05)
        run = Benchmark(CASES["1"], sizes, 0, tuple(QUICK), usual_draws("omnibus", 0.05), 5)
        draws = {name: run.draws(name) for name in run.names}
        assert draws.pop("omnibus") == draws.pop(LIMIT) == 999
        assert set(draws.values()) == {199}

    def test_blocks_on_disk_and_workers_change_nothing(self, tmp_path):
        """A killed run goes on, and another question is not mixed in."""
        params = {"points": 20, "datasets": 45, "resamples": 19, "tests": ["brier-score"]}
        whole = benchmark("1", workers=1, **params)
        folder = tmp_path / "parts"
        assert benchmark("1", folder=folder, workers=2, **params) == whole
        (folder / "block-1.npz").unlink()
        assert benchmark("1", folder=folder, **params) == whole
        with refused(pb.InputError, "question-changed", "seed"):
            benchmark("1", folder=folder, rng=1, **params)

    @pytest.mark.parametrize(("case", "says"), [("10", "'1'"), ("wav", "Did you mean 'wave'")])
    def test_refusals(self, case, says):
        """The cases that there are."""
        with pytest.raises(pb.ParameterError, match=says):
            benchmark(case, datasets=20)


class TestFaults:
    """What single tests are blind to, and the omnibus is not."""

    def test_the_truth_of_a_fault_is_what_its_labels_follow(self):
        """Share of each class, within four standard errors."""
        for case in FAULTS:
            prob, labels = case.draws(200, 50, np.random.default_rng(2))
            truth = case.truth(prob)
            assert truth.sum(axis=-1) == pytest.approx(np.ones(labels.shape))
            share = np.bincount(labels.ravel(), minlength=prob.shape[-1]) / labels.size
            gap = np.abs(share - truth.mean(axis=(0, 1)))
            assert gap.max() < 4 * 0.5 / sqrt(labels.size), case.name

    def test_one_point_statistics_cannot_see_a_constant_prediction(self):
        """(0.5, 0.5) where (0.7, 0.3) is true, n = 100: p = 1 for them; omnibus power >= 0.85."""
        rows = benchmark("constant", datasets=40, workers=1, resamples=99, tests=QUICK)
        power = {row["test"]: row["power"] for row in rows}
        blind = {"log-loss", "brier-score", "chi-square"}
        blind |= {name for name in power if "one per point" in name}
        assert {power[name] for name in blind} == {0.0}
        assert power["omnibus"] >= 0.85
        data = pb.Predictions.from_arrays([0, 1, 0, 0, 1] * 20, np.full(100, 0.5))
        for params in ({"statistic": "log-loss"}, {"statistic": "ece", "bins": "one-per-point"}):
            assert pb.calibration_test(data, null="resample", resamples=99, **params).p_value == 1.0

    def test_the_omnibus_sees_a_wave(self):
        """The truth p + 0.08 sin(4 pi p), n = 1000: power >= 0.8."""
        rows = benchmark(
            "wave", datasets=30, workers=1, resamples=99, tests=["omnibus", "brier-score"]
        )
        power = {row["test"]: row["power"] for row in rows}
        assert power["omnibus"] >= 0.8
        assert power["brier-score"] < power["omnibus"]
