"""`like=`: the numbers of other packages, as they gave them."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.calibration import calibration_curve

import plumbline as pb
from plumbline import EqualSize, EqualWidth, ParameterError
from plumbline.binning import Bins, guo_width, netcal_size, tfp_size, tfp_width, torchmetrics_width
from plumbline.calibration import PRESETS, define_error, statistic, value_of
from plumbline.calibration_errors import compare_presets
from reference.peers import recorded
from reference.peers.inputs import fingerprint, table
from refusals import refused, warned

NORMS = {"l1": 1, "l2": 2, "max": "max"}


def predictions(y, p):
    """Return the table of labels and probabilities, all classes of which are known."""
    k = 2 if p.ndim == 1 else p.shape[1]
    return pb.Predictions.from_arrays(y, p, classes=list(range(k)))


def ours(case, like, bins="equal-width", **more):
    """Return the error of a recorded case by a preset: P(y = 1) for k = 2, else the top label."""
    y, p = table(**case["input"])
    assert fingerprint(y, p) == pytest.approx(case["fingerprint"], rel=1e-14)
    data = predictions(y, p)
    params = {"view": None, "bins": f"{bins}:{case['bins']}", "like": like} | more
    return value_of(statistic(data, define_error(data, **params)))


def exact(case):
    """Tell how near a recorded value must be: float64 packages to rounding, the others to theirs.

    float32 packages add up to 1000 rows in float32; netcal moves 0 and 1 by 1.2e-7 in float32.
    """
    return {"abs": 3e-7} if case["input"].get("single") else {"abs": 1e-12}


class TestNetcal:
    """ECE, MCE and ACE, in equal intervals and in quantiles."""

    @pytest.mark.parametrize("kind", ["ece", "mce", "ace"])
    def test_the_value_is_netcals(self, kind):
        """For one class and the top label, in float64 with decimals on edges, and in float32."""
        params = {"ece": {}, "mce": {"norm": "max"}, "ace": {"counting": "bins"}}[kind]
        cases = [case for case in recorded("netcal")["cases"] if kind in case]
        assert len(cases) > 100
        for case in cases:
            bins = "equal-width" if case["equal_intervals"] else "equal-size"
            single = case["input"].get("single") and case["input"]["ties"]
            if not (single and case["bins"] == 10 and bins == "equal-width"):  # tested below
                assert ours(case, "netcal", bins, **params) == pytest.approx(
                    case[kind], **exact(case)
                )

    def test_float32_scores_on_edges_have_no_sensible_value_there(self):
        """Counts and means of different rows: netcal's value is neither side's; this refuses."""
        case = next(
            case
            for case in recorded("netcal")["cases"]
            if case["input"] == {"seed": 0, "n": 100, "ties": True, "single": True}
            and case.get("bins") == 10
        )
        y, p = table(**case["input"])
        for closed in ("left", "right"):  # the bins that either choice of edges would give
            home = np.searchsorted(np.arange(1, 10, dtype=np.float32) / 10, p, side=closed)
            gaps = [abs((y[home == b] - p[home == b]).sum()) / 100 for b in range(10)]
            assert abs(sum(gaps) - case["ece"]) > 0.01
        with refused(pb.InputError, "scores-on-edges"):
            ours(case, "netcal")

    def test_quantiles_that_coincide_have_no_value_there(self):
        """A ValueError there, an InputError that says why here."""
        cases = [case for case in recorded("netcal")["cases"] if "raises" in case]
        assert len(cases) > 10
        for case in cases:
            assert "numerically 0" in case["raises"]
            with refused(pb.InputError, "quantiles-coincide"):
                ours(case, "netcal", "equal-size")


class TestTorchmetrics:
    """Edges by torch's linspace, p = 1 in a bin of its own, the top label in float32."""

    @pytest.mark.parametrize("norm", sorted(NORMS))
    def test_the_value_is_torchmetricss(self, norm):
        """All three norms, also where decimals are edges; in float32 its own sums are rounded."""
        cases = [case for case in recorded("torchmetrics")["cases"] if case.get("norm") == norm]
        assert len(cases) == 72
        for case in cases:
            single = "k" in case["input"] or case["input"].get("single")
            near = 3e-6 if single else 1e-12
            assert ours(case, "torchmetrics", norm=NORMS[norm]) == pytest.approx(
                case["value"], abs=near
            )

    def test_the_edges_are_torchs_to_the_last_bit(self):
        """A score that is an edge j / b, and its neighbours, fall where torch's edges say."""
        cases = [case for case in recorded("torchmetrics")["cases"] if "edges" in case]
        assert len(cases) == 16
        for case in cases:
            edges = np.asarray(case["edges"], case["dtype"])
            zero, one = edges[[0, -1]]
            near = [edges, np.nextafter(edges[1:], zero), np.nextafter(edges[:-1], one)]
            score = np.concatenate(near)
            expected = np.searchsorted(edges, score, side="right") - 1
            assert torchmetrics_width(score, case["bins"]).tolist() == expected.tolist()

    def test_one_is_alone(self):
        """Of 15 bins, p = 1 is in a sixteenth: the error differs from that of bins (lo, hi]."""
        score = np.array([0.95, 0.96, 1.0])
        assert torchmetrics_width(score, 15).tolist() == [14, 14, 15]
        data = pb.Predictions.from_arrays([0, 0, 1], [0.95, 0.95, 1.0])
        with warned("other-conventions", "0.633333 on"):
            error = pb.calibration_error(data, like="torchmetrics", norm="max", resamples=0)
        assert error.value == pytest.approx(0.95)


class TestTensorFlowProbability:
    """Whole parts of b p in float32, and buckets between scores of the nearest rank."""

    def test_the_value_is_tfps(self):
        """Of logits ln(p), both errors, to the rounding of float32."""
        cases = [case for case in recorded("tfp")["cases"] if "value" in case]
        assert len(cases) == 24
        for case in cases:
            assert ours(case, "tfp") == pytest.approx(case["value"], abs=1e-6)
            assert ours(case, "tfp", "equal-size") == pytest.approx(case["quantiles"], abs=1e-6)

    def test_the_buckets_are_tfps(self):
        """Every bucket has as many rows as there."""
        for case in recorded("tfp")["cases"]:
            if "sizes" in case:
                _, p = table(**case["input"])
                score = (p if p.ndim == 1 else p.max(axis=1)).astype(np.float32)
                homes = tfp_size(score, case["bins"])
                assert np.bincount(homes, minlength=case["bins"]).tolist() == case["sizes"]

    def test_edges_fall_where_they_fall_there(self):
        """Every j / b in float32, for b from 3 to 100."""
        cases = [case for case in recorded("tfp")["cases"] if "homes_of_edges" in case]
        assert len(cases) == 8
        for case in cases:
            score = (np.arange(case["bins"] + 1) / case["bins"]).astype(np.float32)
            assert tfp_width(score, case["bins"]).tolist() == case["homes_of_edges"]


class TestMapieAndTheBlog:
    """b edges where b bins were meant, and a bin for p = 0 or the scores equal to the least."""

    @pytest.mark.parametrize("strategy", ["uniform", "quantile"])
    def test_the_value_is_mapies(self, strategy):
        """For one class, the top label and classwise."""
        bins = {"uniform": "equal-width", "quantile": "equal-size"}[strategy]
        cases = [case for case in recorded("mapie")["cases"] if case["strategy"] == strategy]
        assert len(cases) == 72
        for case in cases:
            assert ours(case, "mapie", bins) == pytest.approx(case["value"], **exact(case))
            if "classwise" in case:
                error = ours(case, "mapie", bins, view="classwise")
                assert error == pytest.approx(case["classwise"], **exact(case))

    @pytest.mark.parametrize("adaptive", [False, True])
    @pytest.mark.parametrize("ties", [False, True])
    def test_the_blog_written_out(self, adaptive, ties):
        """digitize(right=True) over b edges; those of quantiles without repetition."""
        for bins in (2, 3, 10, 15):
            y, p = table(5, 300, k=3, ties=ties)
            right, score = p.argmax(axis=1) == y, p.max(axis=1)
            edges = np.linspace(0, 1, num=bins)
            if adaptive:
                edges = np.unique(np.quantile(score, edges))
            home = np.digitize(score, edges, right=True)
            gaps = [abs((right[home == b] - score[home == b]).sum()) for b in range(bins)]
            data = predictions(y, p)
            name = f"equal-{'size' if adaptive else 'width'}:{bins}"
            value = value_of(statistic(data, define_error(data, None, name, like="blog")))
            assert value == pytest.approx(sum(gaps) / 300, abs=1e-14)

    def test_fifteen_are_fourteen_and_one(self):
        """The blog's 15 bins of width are ours with 14, but that p = 0 is apart."""
        y, p = table(3, 500)
        data = predictions(y, p)
        blog = value_of(statistic(data, define_error(data, None, "equal-width:15", like="blog")))
        own = value_of(statistic(data, define_error(data, None, "equal-width:14")))
        assert blog == pytest.approx(own, abs=1e-12)

    @pytest.mark.parametrize("like", ["blog", "mapie"])
    def test_one_edge_makes_no_bin(self, like):
        """One bin is refused: there it gives 0 or nothing at all."""
        data = pb.Predictions.from_arrays([0, 1], [0.2, 0.7])
        with refused(ParameterError, "too-few-bins", "`bins`", "least 2", "got 1", argument="like"):
            define_error(data, None, "equal-width:1", like=like)


class TestGuo2017:
    """The published code of temperature scaling: edges in float32, p = 0 in no bin."""

    def test_the_value_is_that_of_the_code(self):
        """For one class and the top label, in float64 and float32; the sum there is in float32."""
        cases = recorded("guo2017")["cases"]
        assert len(cases) == 72
        for case in cases:
            assert ours(case, "guo2017") == pytest.approx(case["value"], abs=1e-6)

    def test_zero_is_in_no_bin_but_counted(self):
        """Two rows of p = 0 add nothing, though one was wrong; the others keep their share of 4."""
        data = pb.Predictions.from_arrays([0, 1, 0, 1], [0.0, 0.0, 0.6, 0.6])
        what = statistic(data, define_error(data, None, "equal-width:2", like="guo2017"))
        assert value_of(what) == pytest.approx(0.5 * 0.1)
        assert what.at(data.prob) == pytest.approx(0.0, abs=1e-15)

    def test_without_a_probability_above_0_guo2017_has_no_bin(self):
        """The message names the convention, for nobody asked for a threshold."""
        data = pb.Predictions.from_arrays(np.zeros(10, int), np.zeros(10))
        with refused(pb.InputError, "no-row-in-bins", "'guo2017'", "of 0"):
            pb.calibration_error(data, like="guo2017", resamples=0)
        with refused(pb.InputError, "no-row-above-threshold", "`threshold`", "0.5"):
            pb.calibration_error(data, threshold=0.5, resamples=0)

    def test_edges_are_in_float32(self):
        """0.7 in float64 is above the edge 0.7 in float32, which is not so in float32."""
        assert guo_width(np.array([0.7, 0.69]), 10).tolist() == [7, 6]
        assert guo_width(np.array([0.7], np.float32), 10).tolist() == [6]


class TestScikitLearn:
    """`calibration_curve`, live, its points weighted by counts."""

    @pytest.mark.parametrize("ties", [False, True])
    @pytest.mark.parametrize("single", [False, True])
    @pytest.mark.parametrize("strategy", ["uniform", "quantile"])
    def test_the_value_is_that_of_the_curve(self, strategy, ties, single):
        """Sums over the curve's points, whose counts come from the same search."""
        kind = {"uniform": "equal-width", "quantile": "equal-size"}[strategy]
        for bins in (2, 7, 10, 15, 100):
            y, p = table(7, 400, ties=ties, single=single)
            share, mean = calibration_curve(y, p, n_bins=bins, strategy=strategy)
            data = predictions(y, p)
            definition = define_error(data, None, f"{kind}:{bins}", like="sklearn")
            part = statistic(data, definition).cells.bins[0]
            kept = part.filled
            assert part.outcome_share[kept] == pytest.approx(share, abs=1e-14)
            assert part.mean_probability[kept] == pytest.approx(mean, abs=1e-14)
            gap = np.abs(share - mean)
            assert value_of(statistic(data, definition)) == pytest.approx(
                gap @ part.weight[kept] / 400
            )
            average = define_error(data, None, f"{kind}:{bins}", like="sklearn", counting="bins")
            assert value_of(statistic(data, average)) == pytest.approx(gap.mean())

    def test_float32_against_edges_in_float64(self):
        """0.1 in float32 is above the edge 0.1; in float64, and by our own rule, it is not."""
        data = pb.Predictions.from_arrays([0, 1], np.array([0.1, 0.9], np.float32))
        part = statistic(
            data, define_error(data, None, "equal-width:10", like="sklearn")
        ).cells.bins[0]
        assert np.flatnonzero(part.filled).tolist() == [1, 8]


class TestWhatAPresetHas:
    """An unknown combination is refused with a remedy."""

    @pytest.mark.parametrize("like", sorted(PRESETS))
    def test_a_null_is_drawn_through_the_same_bins(self, like):
        """The observed value is that of its kernel; the true value of sure labels is the value."""
        y, p = table(11, 200, ties=True)
        data = predictions(y, p)
        definition = define_error(data, None, "equal-width:10", like=like)
        what = statistic(data, definition)
        assert what.at(np.eye(2)[y]) == pytest.approx(value_of(what), abs=1e-14)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pb.PlumblineWarning)  # by how much ours differs, if so
            error = pb.calibration_error(data, bins="equal-width:10", like=like, resamples=99)
        assert error.value == pytest.approx(value_of(what), abs=1e-14)
        assert error.null_range[0] <= error.null_mean <= error.null_range[1]

    @pytest.mark.parametrize("like", sorted(set(PRESETS) - {"thesis"}))
    def test_the_exact_null_is_the_enumeration(self, like):
        """Every label vector with its probability, rows in no bin and bins beyond the last too."""
        y, p = np.array([0, 0, 1, 1, 0, 1]), np.array([0.0, 0.1, 0.5, 0.5, 0.95, 1.0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pb.PlumblineWarning)
            params = {"statistic": "ece", "bins": "equal-width:3", "alternative": "greater"}
            test = pb.calibration_test(predictions(y, p), like=like, **params)
        probability = 0.0
        for labels in np.ndindex(*(2,) * 6):
            row = np.array(labels)
            data = predictions(row, p)
            value = value_of(statistic(data, define_error(data, None, "equal-width:3", like=like)))
            probability += np.prod(np.where(row == 1, p, 1 - p)) * (value >= test.value - 1e-12)
        assert test.null == "exact"
        assert test.p_value == pytest.approx(probability, abs=1e-9)

    @pytest.mark.parametrize("like", sorted(PRESETS))
    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"view": "joint"}, ("view-not-possible", "`like`", "'joint'", "'one-vs-rest:CLASS'")),
            ({"view": "top-k:1"}, ("view-not-possible", "`like`", "'top-k'")),
            ({"bins": "edges:0,0.5,1"}, ("preset-without-bins", "`like`", "'equal-width:b'")),
            ({"bins": "equal-width:5,data"}, ("preset-without-bins", "`like`", "'equal-width:b'")),
            ({"norm": 3}, ("preset-without-norm", "`like`", "norm 3")),
            (
                {"norm": 2, "counting": "bins"},
                ("preset-without-norm", "`like`", "norm 2", "counted alike"),
            ),
            ({"representative": "midpoint"}, ("preset-without-midpoint", "`like`", "midpoint")),
            ({"threshold": 0.1}, ("preset-without-threshold", "`like`", "0.1")),
        ],
    )
    def test_what_it_lacks_is_refused(self, like, settings, message):
        """The refusal says what there is instead."""
        data = predictions(*table(0, 100, k=3))
        with refused(ParameterError, *message):
            define_error(data, **({"view": "top-label"} | settings), like=like)

    @pytest.mark.parametrize("like", sorted(set(PRESETS) - {"thesis"}))
    def test_another_distance_is_refused(self, like):
        """Only the thesis has more than the absolute one."""
        data = predictions(*table(0, 100))
        with refused(ParameterError, "preset-without-distance", "'absolute'", argument="like"):
            define_error(data, distance="square", like=like)

    @pytest.mark.parametrize("like", sorted(PRESETS))
    def test_weights_are_refused(self, like):
        """None of them knows weights here."""
        data = pb.Predictions.from_arrays([0, 1], [0.2, 0.7], weight=[1, 2])
        with refused(ParameterError, "preset-without-weights", like, argument="like"):
            define_error(data, like=like)

    @pytest.mark.parametrize("like", ["netcal", "guo2017", "sklearn", "tfp", "torchmetrics"])
    def test_classwise_is_asked_class_by_class(self, like):
        """The remedy is the view of one class."""
        data = predictions(*table(0, 100, k=3))
        with refused(ParameterError, "view-not-possible", argument="like"):
            define_error(data, "classwise", like=like)

    def test_an_unknown_name_has_its_neighbours(self):
        """The refusal lists the names."""
        data = pb.Predictions.from_arrays([0, 1], [0.2, 0.7])
        with refused(ParameterError, "unknown-name", argument="like"):
            define_error(data, like="torchmetric")

    @pytest.mark.parametrize("like", sorted(PRESETS))
    def test_the_table_says_what_is_meant(self, like):
        """Source, closed side, and a meaning for every scheme it has."""
        preset = PRESETS[like]
        assert preset.closed in ("(lo, hi]", "[lo, hi)")
        assert preset.source
        assert preset.width in preset.meaning(EqualWidth(5))
        assert bool(preset.size) == (preset.size_rule is not None)
        if preset.size:
            assert preset.size in preset.meaning(EqualSize(5))

    def test_the_conventions_page_has_this_table(self):
        """Row by row, as the code has it."""
        page = Path(__file__).parents[2] / "docs" / "conventions.md"
        lines = page.read_text("utf-8").splitlines()
        for name, one in PRESETS.items():
            cells = f"`{name}`", one.source, one.closed, one.width, one.size or "not there"
            assert f"| {' | '.join(cells)} |" in lines

    def test_netcal_has_quantiles_apart(self):
        """Where they do not coincide, the outer edges are 0 and 1."""
        assert netcal_size(np.array([0.4, 0.5, 0.6, 0.7]), 2).tolist() == [0, 0, 1, 1]


class TestComparison:
    """All presets side by side."""

    def test_every_value_is_the_one_of_its_preset(self):
        """On decimals that are edges they disagree, and each says why."""
        y, p = table(0, 1000, ties=True)
        data = predictions(y, p)
        result = compare_presets(data, bins="equal-width:10")
        assert [row["preset"] for row in result.rows()] == list(PRESETS)
        for row in result.rows():
            definition = define_error(data, None, "equal-width:10", like=row["preset"])
            assert row["value"] == value_of(statistic(data, definition))
            assert row["value"] - result.value == pytest.approx(row["difference"], abs=1e-12)
            assert PRESETS[row["preset"]].width in row["why"]
        assert len({round(row["value"], 6) for row in result.rows()}) > 3

    def test_what_a_preset_lacks_is_said(self):
        """No value, and the reason instead: one has no such bins, the others no such norm."""
        data = predictions(*table(0, 100))
        rows = {row["preset"]: row for row in compare_presets(data, norm="max").rows()}
        assert {name for name in rows if rows[name]["value"] is None} == {
            *("thesis", "tfp", "guo2017", "blog", "mapie")
        }
        assert "norm max" in rows["tfp"]["why"]
        sized = {row["preset"]: row for row in compare_presets(data, bins="equal-size:5").rows()}
        assert sized["torchmetrics"]["value"] is None
        assert "'equal-width:b'" in sized["torchmetrics"]["why"]
        assert compare_presets(data, norm="max").to_dict()["norm"] == "max"


def as_in_thesis(scheme):
    """Return a scheme as the thesis places it."""
    return PRESETS["thesis"].placed(scheme, "one-vs-rest")


def scores(score):
    """Return predictions with these scores, none of whose events happened."""
    return pb.Predictions.from_arrays(np.zeros(len(score), int), score)


class TestLikeTheThesis:
    """Bins without edges, as in "Increasing the Power of a Classifier's Calibration Test"."""

    @pytest.mark.parametrize(("n", "b"), [(12, 4), (7, 3), (3, 5), (1, 1), (200, 15), (100, 100)])
    def test_equal_sizes_are_an_array_split_of_the_sorted_rows(self, rng, n, b):
        """Ties are sorted as they come and may be split; the larger parts come first."""
        score = rng.integers(0, 5, n) / 4
        home = as_in_thesis(EqualSize(b)).bin_numbers(score)
        for number, rows in enumerate(np.array_split(np.argsort(score, kind="stable"), b)):
            assert home[rows].tolist() == [number] * len(rows)

    @pytest.mark.parametrize("b", [1, 2, 3, 10, 15, 49, 500])
    def test_equal_widths_are_a_division_rounded_down(self, rng, b):
        """min(int(p // (1 / b)), b - 1), by Python's own numbers, on edges and beside them."""
        score = np.concatenate([np.arange(b + 1) / b, np.arange(101) / 100, rng.random(100)])
        expected = [min(int(p // (1 / b)), b - 1) for p in score.tolist()]
        assert as_in_thesis(EqualWidth(b)).bin_numbers(score).tolist() == expected

    def test_the_bins_have_the_scores_limits_and_no_edges(self):
        """The lowest and the highest score stand where edges would; empty bins have none."""
        bins = Bins.of(scores([0.3, 0.3, 0.3, 0.9]), as_in_thesis(EqualSize(2)))
        assert bins.edges is None
        assert bins.limits.tolist() == [[0.3, 0.3], [0.3, 0.9]]
        assert bins.count.tolist() == [2, 2]
        empty = Bins.of(scores([0.3, 0.3, 0.9]), as_in_thesis(EqualWidth(4)))
        assert empty.filled.tolist() == [False, True, False, True]
        assert np.isnan(empty.limits[~empty.filled]).all()

    def test_bins_that_split_ties_neither_add_nor_place(self):
        """Without edges nothing says where a further row belongs."""
        bins = Bins.of(scores([0.3, 0.3]), as_in_thesis(EqualSize(2)))
        with refused(ParameterError, "bins-differ"):
            bins + bins
        with refused(ParameterError, "bins-take-no-more"):
            bins.place(np.array([0.3]))
