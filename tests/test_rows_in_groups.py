"""Intervals, curves, rates, recalibration, plans and monitoring of rows that belong together."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtri, stdtr

import plumbline as pb
from grouped_rows import in_groups
from laws import law, some
from plumbline.advisor.trials import cut_of, examples_of
from plumbline.advisor.verdict_test import miscalibrated, verdict_test
from plumbline.calibration import define_error, point_statistic
from plumbline.calibration import statistic as binned
from plumbline.calibration_errors import OutcomeShares
from plumbline.curves import Area, average_precision_of, placements
from plumbline.curves.area_intervals import RatedGroups, precision_ends, precision_parts
from plumbline.curves.bands import units_of
from plumbline.curves.target_rows import rows_of
from plumbline.dependence import Partition, Strength
from plumbline.monitoring import EProcess, log_e_values
from plumbline.nulls import resampled
from plumbline.power import World
from plumbline.power.simulation import PoolGroups
from plumbline.predictions import as_drawn, sets_of_rows
from plumbline.predictions.counted import LARGE
from plumbline.predictions.rows_in_groups import GROUPED, PLAIN
from plumbline.requests import REQUESTS
from request_cases import CASES, two_models

pytestmark = pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")


@pytest.fixture(scope="module")
def data():
    """Return 40 groups of 8 rows whose labels depend."""
    return in_groups(np.random.default_rng(1), 40, 8, latent=0.5)


@pytest.fixture(scope="module")
def alone(data):
    """Return the same rows, each a group of its own."""
    return data.in_groups(np.arange(data.n))


def test_groups_of_one_row_give_the_intervals_of_independent_rows(data, alone):
    """Areas and rates are the very same; Student's t of hundreds of rows is all but the normal."""
    free = data.in_groups(None)
    areas = [pb.roc_auc_interval(one).interval_range for one in (free, alone)]
    assert areas[0] == pytest.approx(areas[1], abs=1e-12)
    rates = [
        pb.confusion_matrix(one).rates(["TPR", "PPV"], interval="auto") for one in (free, alone)
    ]
    for name in ("TPR", "PPV"):
        one, other = (rate.entry(name) for rate in rates)
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=2e-3)
    bias = [
        pb.measure(one, "mean-bias", interval=True, resamples=99).measures[0].interval_range
        for one in (free, alone)
    ]
    assert bias[0] == pytest.approx(bias[1], abs=2e-3)


def test_dependent_rows_tell_less(data):
    """Every interval is wider in groups, but that of a rate whose rows hardly go together."""
    free = data.in_groups(None)
    metrics = ["mean-bias", "log-loss", "ece", "precision"]
    widths = []
    for one in (free, data):
        found = pb.measure(one, metrics, interval=True, resamples=199)
        ends = [part.interval_range for part in found.measures]
        widths.append([high - low for low, high in ends])
    assert (np.array(widths[1]) > np.array(widths[0])).all()


def test_an_interval_leaves_out_what_its_test_rejects():
    """The interval of the bias and its p-value are of one test, in groups too."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        groups, rows = int(rng.integers(5, 30)), int(rng.integers(2, 9))
        prob = rng.beta(2, 3, groups * rows)
        observed = rng.random(len(prob)) < np.clip(prob + rng.normal() * 0.1, 0, 1)
        together = np.repeat(np.arange(groups), rows)
        home = rng.integers(2, size=len(prob))
        of = OutcomeShares.of(prob, observed, np.ones(len(prob)), home, 2, together=together)
        low, high = of.interval(0.9)
        outside = (of.mean < low) | (of.mean > high)
        assert np.array_equal(outside, of.p_value <= 0.1)


def test_the_variance_of_an_area_is_that_of_sums_over_groups():
    """Obuchowski's (1997), with both classes in a group, by a literal loop."""
    rng = np.random.default_rng(4)
    data = in_groups(rng, 25, 6, latent=0.6)
    event, score, code = data.actual == 1, data.prob[:, 1], data.group_codes
    place = placements(event, score)
    found = Area.of(event, place, None, code)
    total = 0.0
    for one in np.unique(code):
        inside = code == one
        sums = 0.0
        for part in (event, ~event):
            mean = place[part].mean()
            sums += ((place[inside & part] - mean) / part.sum()).sum()
        total += sums**2
    assert found.std_error == pytest.approx(np.sqrt(total), rel=0.05)  # but for G / (G - 1)


def test_what_a_row_adds_to_an_average_precision_is_its_derivative():
    """By the weight of each row, with ties, rows of weight 0 and several weights."""
    rng = np.random.default_rng(0)
    event, rating = rng.random(40) < 0.4, rng.integers(0, 9, 40).astype(float)
    weight = rng.integers(0, 4, 40).astype(float)
    parts = precision_parts(event, rating, weight)
    value = average_precision_of(event, rating, weight)
    step = 1e-6 * np.eye(40)
    more = [average_precision_of(event, rating, weight + one) for one in step]
    assert parts == pytest.approx(weight * (np.array(more) - value) / 1e-6, abs=1e-7)
    assert parts.sum() == pytest.approx(0, abs=1e-12)


def test_the_interval_of_an_average_precision_allows_for_groups(data, alone):
    """Wider than of independent rows, narrower than of one row a group, and the same in a curve."""
    ends = []
    for one in (data.in_groups(None), alone, data):
        found = pb.measure(one, "average-precision", interval=True, resamples=39).measures[0]
        ends.append(found.interval_range)
        line = pb.curve(one, "precision-recall").lines[0]
        assert line.area_range == pytest.approx(found.interval_range, abs=1e-12)
    assert ends[1] == pytest.approx(ends[0], abs=2e-3)
    event = data.actual == 1
    value = average_precision_of(event, data.prob[:, 1])
    single, _ = precision_ends(value, event, example=data.group_codes, level=0.95)
    widths = [high - low for low, high in (ends[0], ends[2], single)]
    assert widths == sorted(widths)
    assert widths[2] > 1.3 * widths[1] > 1.3 * 1.05 * widths[0]


def test_intervals_of_an_average_precision_cover_in_groups():
    """Two hundred tables of groups that all but share their outcome; the population has .501."""
    rng = np.random.default_rng(7)
    covered = np.zeros(2)
    for _ in range(200):
        table = in_groups(rng, 30, 10, latent=0.8)
        event, rating = table.actual == 1, table.prob[:, 1]
        value = average_precision_of(event, rating)
        for place, groups in enumerate((None, RatedGroups(rating, table.group_codes))):
            low, high = precision_ends(value, event, groups=groups, level=0.95)[0]
            covered[place] += low <= 0.501 <= high
    assert covered[1] >= 200 * 0.93 - 3 * np.sqrt(200 * 0.95 * 0.05)
    assert covered[0] < 180


def test_every_resampling_takes_whole_groups(data):
    """Curves, plateaus and folds know a row by its group, which wins over its example."""
    units = units_of(rows_of(data, 1))
    assert units.count == 40
    assert np.array_equal(np.unique(units.of_row, return_inverse=True)[1], data.group_codes)
    assert np.array_equal(sets_of_rows(data), data.group_codes)
    cut = cut_of(data, 5, 0)
    parts = {code: {*cut.part[data.group_codes == code]} for code in range(40)}
    assert all(len(one) == 1 for one in parts.values())


def test_advice_on_calibrated_groups_is_to_leave_them():
    """As independent rows some of these tables are recalibrated, in their groups none."""
    rng = np.random.default_rng(5)
    tables = [in_groups(rng, 60, 8, latent=0.6) for _ in range(12)]
    before, after = (
        [verdict_test(change(one), examples_of(one), resamples=99) for one in tables]
        for change in (lambda one: one.in_groups(None).in_groups(np.arange(one.n)), lambda one: one)
    )
    rejected = [sum(map(miscalibrated, some)) for some in (before, after)]
    assert rejected[1] <= 12 * 0.05 + 3 * np.sqrt(12 * 0.05 * 0.95)
    assert rejected[0] > rejected[1]
    kept = next(one for one, test in zip(tables, after, strict=True) if not miscalibrated(test))
    advice = pb.recalibration_advice(kept, resamples=99)
    assert advice.chosen == "none"
    assert "rows-in-groups" in advice.remark_codes


def test_a_plan_draws_whole_groups_whose_labels_depend(data):
    """Of n rows, in groups of the table's sizes, and of five groups at least."""
    world = World(data, 0.05, 99, 3, 1)
    rng = np.random.default_rng(0)
    for n in (12, 40, 100, 333):
        rows, code = world.groups.drawn(n, rng)
        assert len(rows) == len(code) == n
        assert len(np.unique(code)) >= 5
        for one in np.unique(code):
            inside = rows[code == one]
            assert len({*data.group_codes[inside]}) == 1
            assert len({*inside}) == len(inside)
    assert PoolGroups.of(data).dependence > 0.2
    truth = data.prob.astype(float)
    drawn, other = world.data_sets(truth, 320, 2, rng)
    assert drawn.groups is not None
    assert drawn.prob.tolist() != other.prob.tolist()  # whole groups are drawn anew
    told = {"effect": "shift:0.1", "statistic": "log-loss", "datasets": 30, "resamples": 39}
    assert pb.plan(data, **told).group_size == 8


def test_monitoring_of_calibrated_groups_raises_no_alarm():
    """Twelve windows of twenty patients: the evidence of a group is the mean over its rows."""
    alarms = np.zeros(2)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        processes, reached = [EProcess(), EProcess()], [False, False]
        for _ in range(6):
            window = in_groups(rng, 20, 10, latent=0.8)
            for place, one in enumerate((window.in_groups(None), window)):
                processes[place].add(log_e_values(one, -1.0))
                reached[place] |= processes[place].log_e() >= np.log(20)
        alarms += reached
    assert alarms[1] == 0
    assert alarms[0] >= 1


def test_the_evidence_of_groups_of_one_row_is_that_of_rows(data, alone):
    """And a group's is the mean of its rows' ratios, by a literal loop."""
    free = log_e_values(data.in_groups(None), -1.0)
    assert log_e_values(alone, -1.0) == pytest.approx(free, abs=1e-9)
    ratios = np.array(
        [log_e_values(data.select(where=[i]).in_groups(None), -1.0) for i in range(16)]
    )
    two = data.select(where=np.arange(16))
    wanted = sum(np.log(np.exp(part).mean(axis=0)) for part in (ratios[:8], ratios[8:]))
    assert log_e_values(two, -1.0) == pytest.approx(wanted, abs=1e-9)


def test_groups_that_come_again_are_refused_by_monitoring(data):
    """Windows must be independent, and so must a reference."""
    later = data.in_groups(data.group_codes + 40)
    assert len(pb.monitor({"one": data, "two": later}, resamples=39).windows) == 2
    with pytest.raises(pb.InputError) as refused:
        pb.monitor({"one": data, "two": data}, resamples=39)
    assert refused.value.code == "groups-cross-windows"
    with pytest.raises(pb.InputError) as refused:
        pb.monitor({"one": data, "two": later}, reference=1, resamples=39)
    assert refused.value.code == "rows-in-groups"


def test_two_models_are_compared_with_whole_groups(data):
    """The table's groups count as those that are named."""
    rng = np.random.default_rng(2)
    other = np.clip(data.prob[:, 1] + rng.normal(0, 0.05, data.n), 0.01, 0.99)
    kept = {"classes": [0, 1], "attributes": {"who": data.group_codes}}
    models = {
        name: pb.Predictions.from_arrays(data.actual, prob, **kept)
        for name, prob in (("a", data.prob[:, 1]), ("b", other))
    }
    named = pb.compare(models, metrics="brier-score", groups="who", resamples=99)
    carried = pb.compare(
        {name: one.in_groups("who") for name, one in models.items()},
        metrics="brier-score",
        resamples=99,
    )
    assert named.pairs[0].p_value == carried.pairs[0].p_value
    actual = np.concatenate([one.actual for one in models.values()])
    prob = np.concatenate([one.prob[:, 1] for one in models.values()])
    long = pb.Predictions.from_arrays(
        actual,
        prob,
        model=["a"] * data.n + ["b"] * data.n,
        row=[*range(data.n)] * 2,
        groups=[*data.group_codes] * 2,
    )
    counts = [
        pb.curve_difference(one, "roc", resamples=99).n for one in (long.in_groups(None), long)
    ]
    assert counts == [data.n, 40]


def test_large_tables_in_groups_are_not_merged():
    """Rows of one cell are of many groups, so that every row is drawn."""
    rng = np.random.default_rng(3)
    large = in_groups(rng, LARGE // 40 + 1, 40, latent=0.3)
    assert as_drawn(large) is large
    assert as_drawn(large.in_groups(None)).stored < large.stored
    error = pb.calibration_error(large, resamples=39)
    assert error.groups.count == LARGE // 40 + 1
    assert error.p_value > 0.02
    assert pb.calibration_error(large.in_groups(None), resamples=39).null_mean < error.null_mean


SITES = np.repeat(list("abcd"), (20, 12, 5, 3))  # of 40 groups; the last site has few of them


@pytest.fixture(scope="module")
def sited(data):
    """Return the rows with a site for each group."""
    return replace(data, attributes={"site": SITES[data.group_codes]})


@pytest.mark.parametrize("statistic", ["omnibus", "ece", "log-loss", "cox"])
def test_parts_of_a_table_depend_as_all_its_rows_do(sited, statistic):
    """A site of three groups says little of how much rows of a group depend, all 40 do."""
    how = {"statistic": statistic, "resamples": 39}
    whole = pb.calibration_test(sited, **how).groups
    tests = pb.calibration_test_by(sited, by="site", adjust=None, **how).tests
    for name, groups in zip("abcd", (20, 12, 5, 3), strict=True):
        found = tests[name]
        assert (found.groups.count, found.groups.estimated_from) == (groups, 40)
        assert found.groups.dependence == whole.dependence
        assert "few-groups" not in found.remark_codes
    assert tests["a"].groups.effective_n < whole.effective_n


def test_errors_and_metrics_of_parts_are_drawn_with_that_dependence(sited):
    """They are those of a statistic of the part, with the strength that the table tells."""
    part = sited.select(where=SITES[sited.group_codes] == "d")
    made = {
        "ece": lambda one: binned(one, define_error(one)),
        "log-loss": lambda one: point_statistic(one, "log-loss"),
    }
    found = pb.measure(sited, [*made], by="site", resamples=59, interval=True)
    for one in (entry for entry in found.measures if entry.group == "d"):
        strength = Strength.of(made[one.metric](sited))
        drawn = resampled(made[one.metric](part), 59, pooled=strength)
        assert one.null_mean == pytest.approx(drawn.mean(), rel=1e-9)
    errors = pb.calibration_by(sited, "site", statistic="ece", resamples=59).errors
    assert (
        errors["d"].groups.dependence == pb.calibration_error(sited, resamples=9).groups.dependence
    )


def test_calibrated_parts_of_few_groups_are_not_rejected_more_often_than_promised():
    """Forty tables: sites of three groups, as independent rows a quarter of them is rejected."""
    rng = np.random.default_rng(3)
    rejected = np.zeros(2)
    for _ in range(40):
        table = in_groups(rng, 40, 8, latent=0.6)
        table = replace(table, attributes={"site": SITES[table.group_codes]})
        how = {"by": "site", "statistic": "kuiper", "resamples": 59}
        for place, one in enumerate((table.in_groups(None), table)):
            rejected[place] += pb.calibration_test_by(one, **how).tests["d"].p_value <= 0.05
    assert rejected[0] >= 40 * 0.1
    assert rejected[1] <= 40 * 0.05 + 3 * np.sqrt(40 * 0.05 * 0.95)


NUMBERS = ["class-counts", "doctor", "model-scores"]  # without p-values, intervals and draws
OF_ALL = {"compare", "doctor", "model-scores"}  # requests that see several models at once
DEPENDENT = {"calibration", "test", "heterogeneity", "within"}  # which say how much rows depend
APART = {"monitor": "site", "heterogeneity": "place"}  # windows and sites, which share no group


def asked(name, codes):
    """Return every model's answer to a request about rows in these groups."""
    table = two_models().in_groups(np.tile(codes, 2))
    if name in APART:
        parts = zip(table.attributes[APART[name]], table.group_codes, strict=True)
        table = table.in_groups([f"{part}{code}" for part, code in parts])
    values = {key: one for key, one in CASES[name][0].items() if key not in ("reference", "adjust")}
    values |= {"datasets": 30, "resamples": 39} if name == "plan" else {}
    values.pop("between", None)  # which chooses the request
    rows = table if name in OF_ALL or REQUESTS[name].per_model else table.select(model="old")
    return [result for _, result in REQUESTS[name].answer(rows, values)]


# Requests whose functions take rows in groups; others are refused.
TAKING = [name for name in CASES if REQUESTS[name].function.partition(":")[2] in GROUPED | PLAIN]


@law("name", TAKING, number=9)
def test_every_answer_says_in_how_many_groups_its_rows_are(name):
    """In its text and its plain values."""
    for result in asked(name, np.arange(200) % 37):
        count = {"monitor": 71, "heterogeneity": 102}.get(name, 37)  # most at several of these
        plain = result.to_dict()
        of_rows = plain["groups"] if name in DEPENDENT else {}
        assert plain.get("row_groups", of_rows.get("count")) == count
        details = {one.key: one.text for one in result.present().details}
        told = [details[key] for key in ("row_groups", "group_size", "groups") if key in details]
        assert told[0].split()[0] == str(count)
        assert str(result)


@law("name", TAKING, number=5)
def test_names_of_groups_do_not_matter(name):
    """The same plain values, where groups come in the same order."""
    codes = np.arange(200) % 37
    first, second = (asked(name, one) for one in (codes, np.array([f"z{99 - c}" for c in codes])))
    assert [str(one.to_dict()) for one in first] == [str(one.to_dict()) for one in second]


@law("name", sorted({*TAKING} - {*APART, "plan", *NUMBERS}), number=7)
def test_p_values_and_intervals_of_few_groups_are_called_approximate(name):
    """With 19 groups and not with 20; plain numbers have nothing that is approximate."""
    for count in (19, 20):
        for result in asked(name, np.arange(200) % count):
            codes = [note.code for note in result.present().notes]
            assert codes.count("few-groups") == (count < 20)


@pytest.mark.parametrize("name", NUMBERS)
def test_plain_numbers_of_few_groups_are_not_approximate(name):
    """Nothing in them rests on how much rows depend."""
    for result in asked(name, np.arange(200) % 12):
        assert "few-groups" not in [note.code for note in result.present().notes]


def test_curves_say_in_how_many_groups_their_rows_are(data):
    """Beside a line, a band, a difference and an interval; approximate where rows were drawn."""
    few = data.in_groups(np.arange(data.n) % 12)
    for result, drawn in (
        (pb.curve(few, "gains"), False),
        (pb.curve(few, "roc", band="bootstrap", resamples=39), True),
        (pb.roc_auc_interval(few), True),
        (pb.reliability_curve(few, resamples=39), True),
        (pb.corp_curve(few, resamples=39), True),
        (pb.class_heat_map(few, resamples=39), True),
        (pb.confusion_matrix(few), False),
        (pb.compare_presets(few), False),
        (pb.recalibration_advice(few, resamples=99, methods=["temperature"]), True),
    ):
        assert result.to_dict()["row_groups"] == 12
        shown = result.present()
        assert "row_groups" in [one.key for one in shown.details]
        assert ("few-groups" in [note.code for note in shown.notes]) == drawn
    assert "row_groups" not in pb.curve(data.in_groups(None), "roc").to_dict()


@pytest.mark.laws
def test_intervals_cover_in_groups():
    """Of sixty tables the bias is covered in nearly all, as independent rows in too few."""
    rng = np.random.default_rng(7)
    covered, tables = np.zeros(2), some(range(60), 30)
    for _ in tables:
        p = rng.beta(2, 5, (30, 10))
        y = np.sqrt(0.4) * rng.normal(size=(30, 1)) + np.sqrt(0.6) * rng.normal(size=p.shape)
        data = pb.Predictions.from_arrays(
            (y < ndtri(p)).ravel().astype(int), p.ravel(), groups=np.arange(300) // 10
        )
        for place, one in enumerate((data.in_groups(None), data)):
            (found,) = pb.measure(one, "mean-bias", interval=True, resamples=39).measures
            covered[place] += found.interval_range[0] <= 0 <= found.interval_range[1]
    assert covered[1] >= len(tables) * 0.95 - 3 * np.sqrt(len(tables) * 0.95 * 0.05)
    assert covered[0] < len(tables) * 55 / 60


def test_errors_of_sums_over_groups_are_the_published_ones():
    """Clustered standard errors of two models' accuracy, as errorbars and Inspect AI give them.

    Their t-test of the difference has 4 degrees of freedom; ours exchanges the models in whole
    groups, all 32 ways, and rests on no distribution: 10 of them are as far apart.
    """
    first = np.array([*"11010011111100101110"], int)
    second = np.array([*"10010001101101100100"], int)
    groups = Partition.of(np.repeat(np.arange(5), (4, 3, 5, 2, 6)))

    def clustered(values):
        squares = groups.squares(values - values.mean())
        return np.sqrt(groups.count / (groups.count - 1) * squares) / len(values)

    assert first.mean() == 0.65
    assert np.std(first, ddof=1) / np.sqrt(20) == pytest.approx(0.109424, abs=5e-7)
    assert clustered(first) == pytest.approx(0.134919, abs=5e-7)
    apart = first - second
    assert apart.mean() == pytest.approx(0.2)
    assert np.std(apart, ddof=1) / np.sqrt(20) == pytest.approx(0.116980, abs=5e-7)
    assert clustered(apart) == pytest.approx(0.0935414, abs=5e-8)
    t = apart.mean() / clustered(apart)
    assert (t, 2 * stdtr(4, -t)) == pytest.approx((2.1381, 0.0993), abs=5e-5)
    models = {
        name: pb.Predictions.from_arrays(
            np.ones(20, int), predicted=answers, classes=[0, 1], groups=groups.code
        )
        for name, answers in (("A", first), ("B", second))
    }
    (exact,) = pb.compare(models, metrics="accuracy").pairs
    assert exact.difference == pytest.approx(0.2)
    assert exact.p_value == 10 / 32
    (drawn,) = pb.compare(models, metrics="accuracy", test="bootstrap").pairs
    assert drawn.more["std_error"] == pytest.approx(clustered(apart), rel=0.1)
