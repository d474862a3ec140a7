import csv
import json
import re
from types import MappingProxyType
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline as pb
from plumbline.binning import EqualSize, EqualWidth, place
from plumbline.calibration import define_error, statistic, value_of
from plumbline.dependence import Partition, strength_of
from plumbline.power import Grid, Placements, Sizes, placements_of
from plumbline.power.grid import THESIS_INFINITY, count_tails
from plumbline.power.power_study import DATA, DATA_SETS_PER_BLOCK, DRAWS, Study
from plumbline.power.power_study import TestByName as ByName
from plumbline.random_streams import stream
from plumbline.synthetic import EXPERIMENTS, data_sets, method_1
from plumbline.synthetic.experiments import checked_experiments, predictions_and_truth
from refusals import refused

VIEWS = {"cw": "classwise", "cf": "top-label"}
DISTANCES = ("absolute", "square", "log")


def grid(bins="plumbline", *, resamples=20, level=0.05, like=None, views=("cw", "cf")) -> Grid:
    """Return a grid of all distances."""
    return Grid(views, placements_of(bins), DISTANCES, resamples, level, like)


def some_data(experiment: int, *, datasets: int = 2, points: int = 40, rng=0):
    """Return data sets in which some scores are equal and some exactly 0 or 1."""
    prob, labels = data_sets(experiment, points=points, datasets=datasets, rng=rng)
    rounded = prob.round(2)
    rounded[..., 0] += 1.0 - rounded.sum(axis=2)
    rounded = np.where(np.all(rounded >= 0, axis=2, keepdims=True), rounded, prob)
    return rounded / rounded.sum(axis=2, keepdims=True), labels


def literal_draws(prob, resamples, source):
    """Draw labels as the grid must, one comparison at a time."""
    n, k = prob.shape
    uniform = source.random((n, resamples))
    labels = np.empty((n, resamples), int)
    for i in range(n):
        mass = np.cumsum(prob[i])
        for d in range(resamples):
            reached = [c for c in range(k) if mass[c] > uniform[i, d] * mass[-1]]
            labels[i, d] = reached[0]
    return labels


def literal_distance(name, y, p, q):
    """Return the distance of a share from a mean, as the thesis writes it."""
    if name == "absolute":
        return abs(p - y)
    if name == "square":
        return (p - y) ** 2
    total = 0.0
    for a, b in ((y, p), (1 - y, q)):
        if a > 0 and b == 0:
            return THESIS_INFINITY
        total += a * np.log(a / b) if a > 0 else 0.0
    return total


def literal_thesis_bins(score, placement, b):
    """Return the rows of every bin by the thesis' code."""
    if placement == "equal-size":
        return [part for part in np.array_split(np.argsort(score, kind="stable"), b) if len(part)]
    number = [min(int(p // (1 / b)), b - 1) for p in score]
    return [np.flatnonzero(np.equal(number, j)) for j in sorted(set(number))]


def literal_thesis_error(prob, labels, view, placement, b, distance):
    """Return the calibration error by the thesis' code, a loop over classes and bins."""
    n, k = prob.shape
    if view == "cf":
        events = [(prob.max(axis=1), labels == prob.argmax(axis=1))]
    else:
        events = [(prob[:, j], labels == j) for j in range(k)]
    total = 0.0
    for score, hit in events:
        for rows in literal_thesis_bins(score, placement, b):
            p, q, y = score[rows].mean(), (1.0 - score[rows]).mean(), hit[rows].mean()
            total += len(rows) / n * literal_distance(distance, y, p, q)
    return total / len(events)


def errors_of(one: Grid, prob, labels, seed=5):
    """Return the first data set's (views, placements, 3, 1 + m) errors and its label sets."""
    source, twin = stream(seed), stream(seed)
    errors = next(one._errors(prob, labels, source))
    sets = np.column_stack([labels[0], literal_draws(prob[0], one.resamples, twin)])
    return errors, sets


class TestErrors:
    """The kernels compute the same errors as slow, literal code."""

    @pytest.mark.parametrize("experiment", [2, 4])
    def test_the_thesis_conventions_equal_its_literal_code(self, experiment):
        """Every setting, the observed labels and drawn ones, within 1e-9."""
        prob, labels = some_data(experiment, points=25)
        one = grid("thesis", resamples=2, like="thesis")
        errors, sets = errors_of(one, prob, labels)
        for v, view in enumerate(one.views):
            for s, row in enumerate(one.placements.rows):
                for d, distance in enumerate(DISTANCES):
                    for t in (0, 2):
                        expected = literal_thesis_error(
                            prob[0], sets[:, t], view, row.name, row.bins, distance
                        )
                        assert errors[v, s, d, t] == pytest.approx(expected, rel=1e-9, abs=1e-9)

    @pytest.mark.parametrize("experiment", [1, 5, 9])
    def test_our_conventions_equal_calibration_error(self, experiment):
        """Every setting equals what `calibration` says of the same labels, within 1e-9."""
        prob, labels = some_data(experiment)
        one = grid("plumbline", resamples=1)
        errors, sets = errors_of(one, prob, labels)
        classes = [str(c) for c in range(prob.shape[2])]
        for t in range(2):
            names = np.asarray(classes)[sets[:, t]]
            data = pb.Predictions.from_arrays(names, prob[0], classes=classes)
            for v, view in enumerate(one.views):
                for s, row in enumerate(one.placements.rows):
                    for d, distance in enumerate(DISTANCES):
                        definition = define_error(
                            data, VIEWS[view], f"{row.name}:{row.bins}", distance
                        )
                        expected = value_of(statistic(data, definition))
                        assert errors[v, s, d, t] == pytest.approx(expected, rel=1e-9, abs=1e-9)

    def test_an_impossible_label_is_infinite_and_counts_99999_like_the_thesis(self):
        """One of four points got a class of probability 0, in a bin of its own."""
        prob = np.array([[[1.0, 0.0], [0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]])
        labels = np.array([[1, 0, 1, 1]], np.int32)
        ours = next(grid("equal-size:4", resamples=1)._errors(prob, labels, stream(0)))
        theirs = grid("thesis", resamples=1, like="thesis")
        number = [row.bins for row in theirs.placements.rows].index(100)
        like = next(theirs._errors(prob, labels, stream(0)))
        assert np.all(np.isinf(ours[:, 0, 2, 0]))
        assert np.all(ours[:, 0, 2, 1] < 10)
        assert np.all((like[:, number, 2, 0] > 20_000) & (like[:, number, 2, 0] < 30_000))

    def test_few_pieces_or_many_give_the_same(self, monkeypatch):
        """How many data sets are held at a time changes nothing."""
        prob, labels = data_sets(3, datasets=7)
        whole = grid().rejections((prob, labels), stream(1))
        monkeypatch.setattr("plumbline.power.grid.LARGEST_PIECE", 25_000)
        np.testing.assert_array_equal(grid().rejections((prob, labels), stream(1)), whole)


class TestPlacements:
    """Which sorted scores share a bin."""

    @given(
        st.lists(st.integers(0, 20), min_size=1, max_size=60),
        st.integers(1, 70),
        st.sampled_from(["equal-size", "equal-width"]),
    )
    def test_our_bins_are_those_of_binning(self, twentieths, b, name):
        """The twin for many rows cuts where `EqualSize` and `EqualWidth` do, ties and all."""
        score = np.sort(np.array(twentieths) / 20)
        scheme = EqualSize(b) if name == "equal-size" else EqualWidth(b)
        home = placements_of(f"{name}:{b}").homes(score[None])[0, 0]
        expected = place(score, scheme.edges(score, None))
        np.testing.assert_array_equal(np.diff(home) != 0, np.diff(expected) != 0)

    @given(st.integers(1, 120), st.sampled_from(range(5, 101, 5)))
    def test_the_thesis_cuts_by_rank_the_larger_bins_first(self, n, b):
        """The sizes are those of numpy's array_split, even where all scores are equal."""
        placements = placements_of("thesis")
        number = [(row.name, row.bins) for row in placements.rows].index(("equal-size", b))
        home = placements.homes(np.full((1, n), 0.5))[number, 0]
        sizes = [len(part) for part in np.array_split(np.arange(n), b)]
        np.testing.assert_array_equal(np.bincount(home, minlength=b), sizes)

    def test_the_grid_has_the_204_settings_of_the_thesis(self):
        """20 equal sizes, 14 equal widths, 3 distances, 2 views."""
        rows = placements_of("thesis").rows
        assert len(rows) * 6 == 204
        assert [row.bins for row in rows if row.name == "equal-width"][-3:] == [200, 250, 500]

    @pytest.mark.parametrize("bins", ["these", "", "equal-width:0", "edges:0,0.5,1", 7, "a:b"])
    def test_other_bins_are_refused(self, bins):
        """The text says what `bins` may be."""
        with pytest.raises(pb.ParameterError, match="`bins`"):
            placements_of(bins)


class TestRejections:
    """From errors to the share of tests that reject."""

    @given(st.lists(st.sampled_from([0.0, 0.1, 0.1 + 1e-14, 0.2, np.inf]), min_size=2, max_size=30))
    def test_tails_count_ties_on_both_sides(self, values):
        """Equal within 1e-12 (1 + |T|) counts as equal; infinite equals infinite alone."""
        scores = np.array([values])
        counts = np.empty((1, 2), np.int64)
        count_tails(scores, counts)
        observed = scores[0, 0]
        same = [
            v == observed or abs(v - observed) <= 1e-12 * (1 + observed) < np.inf
            for v in values[1:]
        ]
        upper = sum(v > observed or e for v, e in zip(values[1:], same, strict=True))
        lower = sum(v < observed or e for v, e in zip(values[1:], same, strict=True))
        assert counts.tolist() == [[upper, lower]]

    @pytest.mark.parametrize("level", [0.05, 0.3])
    def test_a_test_rejects_where_its_p_value_says_so(self, level):
        """The counts equal those of p = (1 + #) / (m + 1) from the definition of the error."""
        prob, labels = data_sets(1, points=25, datasets=3, rng=4)
        one = grid("equal-size:5,equal-width:7", resamples=19, level=level)
        result = one.rejections((prob, labels), stream(6))
        source = stream(6)
        expected = np.zeros_like(result)
        for number in range(3):
            drawn = literal_draws(prob[number], 19, source)
            sets = np.column_stack([labels[number], drawn])
            for v, s, d in np.ndindex(*one.shape):
                row = one.placements.rows[s]
                values = []
                for t in range(20):
                    data = pb.Predictions.from_arrays(sets[:, t], prob[number], classes=[0, 1])
                    text = f"{row.name}:{row.bins}"
                    definition = define_error(data, VIEWS[one.views[v]], text, DISTANCES[d])
                    values.append(value_of(statistic(data, definition)))
                gaps = np.array(values[1:]) - values[0]
                tie = 1e-12 * (1 + values[0])
                for tail, sign in enumerate((1, -1)):
                    p = (1 + np.sum(sign * gaps >= -tie)) / 20
                    expected[v, s, d, tail] += p <= level
        np.testing.assert_array_equal(result, expected)

    def test_like_the_thesis_p_is_a_share_in_a_closed_range(self):
        """Of 100 draws, 5 as large reject above and 95 as large reject below."""
        counts = np.array([[5, 96], [6, 95], [95, 6], [94, 7]])
        rejects = grid(resamples=100, like="thesis").rejects(counts)
        assert rejects.tolist() == [[True, False], [False, False], [False, True], [False, False]]

    def test_ours_needs_one_more(self):
        """(1 + 4) / 101 <= 0.05 < (1 + 5) / 101; and (1 + 4) / 100 is 0.05 exactly."""
        counts = np.array([[4, 5], [5, 4]])
        assert grid(resamples=100).rejects(counts).tolist() == [[True, False], [False, True]]
        assert grid(resamples=99).rejects(np.array([[4, 5]])).tolist() == [[True, False]]

    def test_true_probabilities_are_rejected_at_the_level(self):
        """Each tail of each setting rejects 5 in 101, or fewer where errors are often equal."""
        data = method_1((0.5, 0.5, 0.5), 1.0, datasets=400, rng=2)
        share = grid(resamples=100).rejections(data, stream(3)) / 400
        expected = 5 / 101
        assert share.max() < expected + 4.5 * np.sqrt(expected * (1 - expected) / 400)
        assert share.mean() == pytest.approx(expected, abs=0.025)


# Power of the thesis' saved results: (experiment, view, equal-size bins) -> absolute, square, log.
PUBLISHED = {
    (1, "cw", 10): (0.397, 0.164, 0.810),
    (1, "cw", 100): (0.521, 0.521, 0.850),
    (1, "cf", 10): (0.419, 0.148, 0.844),
    (1, "cf", 100): (0.546, 0.546, 0.859),
    (4, "cw", 10): (0.329, 0.179, 0.917),
    (4, "cw", 100): (0.410, 0.410, 0.891),
    (4, "cf", 10): (0.178, 0.111, 0.368),
    (4, "cf", 100): (0.384, 0.384, 0.555),
}


@pytest.fixture(scope="module")
def power() -> dict:
    """Return the power of every setting in experiments 1, 4 and 9, upper and lower tail."""
    result = pb.power_study([1, 4, 9], bins="thesis", like="thesis", datasets=300)
    return {
        (r["experiment"], r["view"], r["placement"], r["bins"], r["distance"]): (
            r["power"],
            r["power_lower"],
        )
        for r in result.rows()
    }


class TestPublished:
    """The numbers and findings of the thesis."""

    @pytest.mark.parametrize("row", PUBLISHED)
    def test_the_published_entries_are_reproduced(self, power, row):
        """Within four standard errors of the difference of 300 and 1000 data sets."""
        experiment, view, bins = row
        for distance, published in zip(DISTANCES, PUBLISHED[row], strict=True):
            ours, _ = power[experiment, view, "equal-size", bins, distance]
            error = np.sqrt(published * (1 - published) * (1 / 300 + 1 / 1000))
            assert ours == pytest.approx(published, abs=4 * error)

    @pytest.mark.parametrize("experiment", [1, 4, 9])
    @pytest.mark.parametrize("view", ["cw", "cf"])
    def test_absolute_and_square_agree_at_one_point_a_bin(self, power, experiment, view):
        """Theorems 1 and 2: both decide alike, so the power is the same to the last data set."""
        absolute, square = (
            power[experiment, view, "equal-size", 100, name] for name in ("absolute", "square")
        )
        assert absolute == square

    @pytest.mark.parametrize("view", ["cw", "cf"])
    def test_more_bins_have_more_power_and_log_the_most(self, power, view):
        """Experiment 1: from 10 bins to 100, absolute and square gain; log is ahead everywhere."""
        at = {b: [power[1, view, "equal-size", b, d][0] for d in DISTANCES] for b in (10, 100)}
        assert at[10][0] + 0.05 < at[100][0]
        assert at[10][1] + 0.2 < at[100][1]
        assert at[10][2] > at[10][0] + 0.3
        assert at[100][2] > at[100][0] + 0.2

    def test_underconfidence_shows_in_the_lower_tail(self, power):
        """Experiment 9: at one point a bin the lower tail rejects more than 5 %, the upper less."""
        upper, lower = power[9, "cw", "equal-size", 100, "absolute"]
        assert upper < 0.04
        assert lower > 0.09


class TestPower:
    """The public function."""

    asked = MappingProxyType(
        {"bins": "equal-size:5,equal-width:10", "datasets": 120, "points": 30, "resamples": 30}
    )

    def test_rows_and_their_columns(self):
        """One row a setting, in the order experiment, view, bins, distance."""
        result = pb.power_study([4, 1], views=["cf"], distances=["log", "square"], **self.asked)
        rows = result.rows()
        assert list(rows[0]) == [
            "experiment",
            "view",
            "placement",
            "bins",
            "distance",
            "power",
            "power_lower",
            "std_error",
        ]
        assert [(r["experiment"], r["placement"], r["distance"]) for r in rows] == [
            (e, p, d)
            for e in (4, 1)
            for p in ("equal-size", "equal-width")
            for d in ("log", "square")
        ]
        for row in rows:
            error = np.sqrt(row["power"] * (1 - row["power"]) / 120)
            assert row["std_error"] == pytest.approx(error, abs=1e-12)
        assert result.to_frame("pandas").shape == (8, 8)
        (table,) = result.present().tables
        assert {len(cells) for cells in table.columns.values()} == {4}  # a column a distance

    def test_a_part_of_the_grid_has_the_same_numbers_as_the_whole(self):
        """Settings see the same data sets and draws whatever else is asked."""
        whole = {tuple(row.values())[:5]: row for row in pb.power_study([3], datasets=60).rows()}
        part = pb.power_study(
            [3], views=["cf"], bins="equal-size:10", distances=["log"], datasets=60
        )
        for row in part.rows():
            assert row == whole[tuple(row.values())[:5]]

    def test_blocks_have_streams_of_their_own(self):
        """The counts are those of the blocks' data sets and draws, made one by one."""
        result = pb.power_study([2], rng=11, **self.asked)
        entries, about = result.json_entries()
        assert [row["n"] for row in entries] == [result.points] * len(result.entries)
        assert about == {k: v for k, v in result.to_dict().items() if k != "entries"}
        assert about["datasets"] == result.datasets
        one = grid(self.asked["bins"], resamples=30)
        total = 0
        for block, size in enumerate((DATA_SETS_PER_BLOCK, DATA_SETS_PER_BLOCK, 20)):
            source = stream(11, 2, DATA, block)
            data = data_sets(2, points=30, datasets=size, rng=source)
            total = total + one.rejections(data, stream(11, 2, DRAWS, block))
        expected = total[..., 0].ravel() / 120
        assert [row["power"] for row in result.rows()] == expected.tolist()

    def test_killed_and_continued_writes_the_same_bytes(self, tmp_path):
        """After an interrupt, with another number of workers, the file is the same to the byte."""
        whole, killed = tmp_path / "whole.csv", tmp_path / "killed.csv"
        pb.power_study([1, 9], out=whole, workers=2, **self.asked)

        def interrupt(done, _):
            if done == 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            pb.power_study([1, 9], out=killed, workers=2, progress=interrupt, **self.asked)
        parts = tmp_path / "killed.csv.parts"
        assert parts.is_dir()
        assert not killed.exists()
        calls = []
        table = pb.power_study(
            [1, 9], out=killed, workers=1, progress=lambda *p: calls.append(p), **self.asked
        )
        assert calls[0] == (2, 6)
        assert calls[-1] == (6, 6)
        assert killed.read_bytes() == whole.read_bytes()
        assert not parts.exists()
        with killed.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert [float(row["power"]) for row in rows] == [row["power"] for row in table.rows()]

    def test_a_run_with_other_options_does_not_continue_this_one(self, tmp_path):
        """The error names the option, and the file of parts stays."""

        def interrupt(done, _):
            if done:
                raise KeyboardInterrupt

        out = tmp_path / "power.csv"
        with pytest.raises(KeyboardInterrupt):
            pb.power_study([1], out=out, progress=interrupt, **self.asked)
        with pytest.raises(pb.InputError, match="seed"):
            pb.power_study([1], out=out, rng=1, **self.asked)
        question = json.loads((tmp_path / "power.csv.parts" / "question.json").read_text("utf-8"))
        assert question["seed"] == 0
        assert question["numpy"] == np.__version__

    def test_a_named_test_is_asked_of_the_same_data_sets(self):
        """The share of p <= level of `calibration_test` on every data set, with its own draws."""
        result = pb.power_study([3], statistic="ece", datasets=60, points=40, resamples=39)
        count = 0
        for block, size in enumerate((50, 10)):
            data = data_sets(3, points=40, datasets=size, rng=stream(0, 3, DATA, block))
            draws = stream(0, 3, DRAWS, block)
            for prob, labels in zip(*data, strict=True):
                table = pb.Predictions.from_arrays(labels, prob, classes=[0, 1])
                answer = pb.calibration_test(
                    table, statistic="ece", null="resample", resamples=39, rng=draws
                )
                count += answer.p_value <= 0.05
        (row,) = result.rows()
        assert row["power"] == count / 60
        assert list(row) == ["experiment", "statistic", "power", "std_error"]

    def test_classifiers_are_tested_on_what_their_test_set_holds(self, tmp_path, rng):
        """Experiment 7 on a small file: the note says accuracy and number of data sets."""
        X = rng.integers(0, 1000, (1500, 4))
        y = 1 + (X[:, 0] > 300) * (rng.random(1500) < 0.9)
        path = tmp_path / "cover.csv"
        table = np.column_stack([X, y])
        np.savetxt(path, table, fmt="%d", delimiter=",", header="a,b,c,d,y", comments="")
        result = pb.power_study([7], covertype=path, bins="equal-size:10")
        accuracy, sets, points = re.findall(r"[\d.]+(?=[, ])", result.notes[0].partition(":")[2])
        assert (accuracy[:3], sets, points) == ("0.9", "3", "100")
        assert all(round(row["power"] * 3, 9) in (0, 1, 2, 3) for row in result.rows())
        with refused(pb.InputError, "too-few-rows", "300", "301"):
            pb.power_study([7], covertype=path, points=301)

    @pytest.mark.parametrize(
        ("asked", "words"),
        [
            ({"experiments": [1, 12]}, "`experiments` must be numbers from 1 to 9, got 12"),
            ({"experiments": []}, "got none"),
            ({"views": ["top"]}, "`views` must be one of 'cw', 'cf'"),
            ({"distances": ["logg"]}, "Did you mean 'log'"),
            ({"bins": "thesi"}, "`bins` must be 'plumbline', 'thesis'"),
            ({"like": "blog"}, "`like` must be one of 'thesis'"),
            ({"level": 5}, "`level` must be a fraction"),
            ({"datasets": 0}, "`datasets` must be a whole number"),
            ({"statistic": "ece", "views": ["cw"]}, "`views` applies to the grid"),
            ({"statistic": "nobody"}, "`statistic` must be one of"),
            ({"out": "power.txt"}, "must end in .csv"),
            ({"workers": 0}, "`workers` must be a whole number"),
        ],
    )
    def test_bad_arguments_are_refused_before_the_work(self, asked, words):
        """The text says the argument, its rule and what arrived."""
        with pytest.raises(pb.ParameterError, match=words):
            pb.power_study(**{"experiments": [1], "datasets": 1} | asked)

    def test_an_out_file_in_no_folder_is_refused(self, tmp_path):
        """Before any work."""
        with pytest.raises(pb.InputError, match="no folder"):
            pb.power_study([1], out=tmp_path / "no" / "power.csv")


def test_every_placement_rule_is_one_of_the_two():
    """A list of binnings is by this project's conventions."""
    result = placements_of("equal-size:10,equal-width:4,equal-size:10")
    assert isinstance(result, Placements)
    assert result.convention == "plumbline"
    assert [str(row.bins) for row in result.rows] == ["10", "4"]


class TestGroups:
    """Rows of a data set in groups, whose labels depend."""

    ASKED: ClassVar = {"statistic": "log-loss", "datasets": 60, "resamples": 39, "points": 120}

    def test_groups_of_one_row_are_independent_rows(self):
        """Number by number."""
        assert (
            pb.power_study([1, 6], **self.ASKED, group_size=1).to_dict()
            == pb.power_study([1, 6], **self.ASKED).to_dict()
        )

    @pytest.mark.parametrize("experiment", [1, 4, 6, 9])
    def test_the_truth_is_that_of_the_experiment(self, experiment):
        """Labels of 400 data sets come as often as it says, by a chi-squared statistic."""
        size = {"points": 100, "datasets": 400, "rng": 3}
        prob, truth = predictions_and_truth(EXPERIMENTS[experiment], **size)
        same, labels = data_sets(experiment, **size)
        np.testing.assert_array_equal(prob, same)
        seen = np.eye(truth.shape[2])[labels].sum(axis=0)
        error = np.sqrt((truth * (1 - truth)).sum(axis=0)) + 1e-9
        away = (seen - truth.sum(axis=0)) / error
        assert np.abs(away).max() < 5.5

    def test_labels_of_a_group_depend_as_much_as_is_asked(self):
        """The strength that their residuals show is on average that of the study."""
        sizes = Sizes(200, 40, 39, 0.05, 5, 0.5)
        tests = ByName("log-loss", sizes)
        study = Study(checked_experiments([3]), tests, sizes, 0, {})
        _, truth = predictions_and_truth(
            EXPERIMENTS[3], points=200, datasets=40, rng=stream(0, 3, 0, 0)
        )
        prob, labels = study.data(3, 0)
        assert not np.array_equal(prob, truth)
        groups = Partition.of(sizes.groups)
        found = [strength_of(groups, p, y).value for p, y in zip(truth, labels, strict=True)]
        assert abs(np.mean(found) - 0.5) < 4 * np.std(found) / np.sqrt(len(found))

    def test_a_test_in_groups_finds_less_where_rows_depend(self):
        """And names the groups."""
        asked = {**self.ASKED, "statistic": "cox", "group_size": 10, "datasets": 30}
        alone, together = (
            pb.power_study([6], **asked, dependence=one).rows()[0]["power"] for one in (0.0, 0.9)
        )
        assert together < alone
        text = str(pb.power_study([6], **{**asked, "datasets": 2}, dependence=0.9))
        assert "12 groups of 10 rows (correlation within them 0.9)" in text

    @pytest.mark.parametrize(
        ("asked", "words"),
        [
            ({"group_size": 5}, ("argument-needs-another", "`group_size`", "`statistic`")),
            ({"dependence": 0.3}, ("argument-needs-another", "`dependence`", "`group_size`")),
            ({"group_size": 50, "statistic": "ece"}, ("out-of-range", "`group_size`", "50", "5")),
            ({"group_size": 2, "dependence": 1, "statistic": "ece"}, ("out-of-range", "0.95")),
            (
                {"experiments": [7], "group_size": 2, "statistic": "ece"},
                ("one-data-set-only", "7"),
            ),
        ],
    )
    def test_what_cannot_be_in_groups_is_refused(self, asked, words):
        """The grid, groups that are too few, classifiers with data of their own."""
        with refused(pb.ParameterError, *words):
            pb.power_study(**{"experiments": [1], "datasets": 2, **asked})
