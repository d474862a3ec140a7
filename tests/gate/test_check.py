"""`check`: pass, fail or not enough rows, of any number of the catalogue."""

import re
import tomllib
from importlib import import_module

import numpy as np
import pyarrow as pa
import pytest

import plumbline as pb
from plumbline.confusion import exact_interval
from plumbline.errors import InputError, ParameterError
from plumbline.gate import numbers as gate_numbers
from plumbline.gate import proposed_rules
from plumbline.gate.means import Moments, unseen
from plumbline.metrics import METRICS
from refusals import refused, warned

RECALL = {"metric": "recall", "at_least": 0.85}


def positives(hits, n, others=2):
    """Return labels alone: n positives, of which so many are right."""
    y = np.r_[np.ones(n, int), np.zeros(others, int)]
    label = np.r_[np.ones(hits, int), np.zeros(n - hits + others, int)]
    return pb.Predictions.from_arrays(y, predicted=label)


@pytest.fixture(scope="module")
def data():
    """Return 600 rows of a calibrated model, with a site and patients."""
    rng = np.random.default_rng(5)
    p = rng.uniform(0.02, 0.98, 600)
    y = (rng.random(600) < p).astype(int)
    columns = {"site": rng.choice(["a", "b"], 600), "patient": rng.integers(0, 150, 600)}
    return pb.Predictions.from_arrays(y, p, attributes=columns)


@pytest.fixture(scope="module")
def blurred(data):
    """Return the same rows of a worse model."""
    rng = np.random.default_rng(6)
    logit = np.log(data.prob[:, 1] / data.prob[:, 0]) + rng.normal(0, 0.8, 600)
    return pb.Predictions.from_arrays(data.actual, 1 / (1 + np.exp(-logit)))


@pytest.mark.parametrize(
    ("n", "truth", "states"),
    [(50, 0.85, (0.046, 0.030)), (200, 0.80, (0.0, 0.598)), (200, 0.90, (0.648, 0.0))],
)
def test_the_states_of_a_recall_are_those_of_clopper_and_pearson(n, truth, states):
    """Enumerated over the number of hits, as the published table has them."""
    from scipy.stats import binom

    hits = np.arange(n + 1)
    chance = binom.pmf(hits, n, truth)
    kept = chance > 1e-5
    codes = np.array([pb.check(positives(h, n), [RECALL]).exit_code for h in hits[kept]])
    found = [float(chance[kept][codes == code].sum()) for code in (0, 1)]
    assert found == pytest.approx(states, abs=0.001)


def test_the_bounds_of_a_share_are_exact():
    """The one-sided bounds of 0.95 are the ends of Clopper and Pearson's 90 % interval."""
    (one,) = pb.check(positives(46, 50), [RECALL]).rules
    assert (one.low, one.high) == exact_interval(0.92, 50, level=0.9)
    assert one.state == "not enough rows"


def test_as_many_rows_as_are_said_decide():
    """The number is rounded up; with it and the same value the rule is decided, below it is not."""
    (one,) = pb.check(positives(46, 50), [RECALL]).rules
    scale = one.n_needed / one.n
    low, high = exact_interval(0.92, 50 * scale, level=0.9)
    assert low >= 0.85 or high < 0.85
    less = exact_interval(0.92, 50 * scale * 0.9, level=0.9)
    assert less[0] < 0.85 <= less[1]


@pytest.mark.parametrize("side", ["pass", "fail"])
def test_as_many_rows_as_are_said_decide_a_tolerance(blurred, side):
    """Distances of both bounds to the value shrink with the root of the number of rows."""
    (one,) = pb.check(blurred, [{"within": 0.4}], resamples=99).rules
    bound = (one.value + (one.high if side == "pass" else one.low)) / 2
    (one,) = pb.check(blurred, [{"within": bound}], resamples=99).rules
    assert one.state == "not enough rows"
    far = one.high if side == "pass" else one.low
    times = ((far - one.value) / (bound - one.value)) ** 2  # about half the distance
    assert 1.0 <= one.n_needed / (one.n * times) <= 1.1


def test_a_tolerance_is_a_share():
    """Errors of 0 and of 1 and more leave nothing to show."""
    for bound in (0.0, 1.0, 1.5):
        with refused(ParameterError, "no-fraction", "'ece'"):
            pb.check(positives_with_scores(), [{"within": bound}])
    assert pb.check(positives_with_scores(), [{"within": 0.99}], resamples=99).state == "pass"


def positives_with_scores():
    """Return twenty rows, half of them positives, with a probability of one half."""
    return pb.Predictions.from_arrays([0, 1] * 10, [0.5] * 20)


def test_no_number_of_rows_decides_a_value_on_its_bound():
    """A value that is the bound itself never leaves it."""
    (one,) = pb.check(positives(170, 200), [RECALL]).rules
    assert (one.state, one.n_needed) == ("not enough rows", None)


STATES = [
    ({"metric": "recall", "at_least": 0.5}, "pass"),
    ({"metric": "recall", "at_least": 0.99}, "fail"),
    ({"metric": "recall", "at_most": 0.5}, "fail"),
    ({"metric": "recall", "at_least": 0.05, "threshold": 0.9}, "pass"),
    ({"metric": "recall", "at_least": 0.5, "threshold": 0.95}, "fail"),
    ({"metric": "recall", "class": 0, "at_least": 0.5}, "pass"),
    ({"metric": "f1", "at_least": 0.5}, "pass"),
    ({"metric": "mcc", "at_most": 0.0}, "fail"),
    ({"metric": "accuracy", "at_least": 0.6}, "pass"),
    ({"metric": "roc-auc", "at_least": 0.7}, "pass"),
    ({"metric": "roc-auc", "at_least": 0.97}, "fail"),
    ({"metric": "average-precision", "at_least": 0.5}, "pass"),
    ({"metric": "log-loss", "at_most": 0.6}, "pass"),
    ({"metric": "log-loss", "at_most": 0.3}, "fail"),
    ({"metric": "brier-score", "at_most": 0.2}, "pass"),
    ({"metric": "brier-skill-score", "at_least": 0.2}, "pass"),
    ({"metric": "log-loss-skill-score", "at_least": 0.1}, "pass"),
    ({"metric": "calibration-in-the-large", "within": 0.1}, "pass"),
    ({"within": 0.12}, "pass"),
    ({"within": 0.001}, "not enough rows"),
    ({"metric": "smooth-ece", "at_most": 0.2}, "pass"),
    ({"metric": "log-loss", "at_most": 0.6, "where": "site == 'a'"}, "pass"),
    ({"metric": "log-loss", "at_most": 0.6, "where": "site == 'c'"}, "not enough rows"),
    ({"metric": "log-loss", "at_most": 0.6, "where": "probability > 2"}, "not enough rows"),
    ({"metric": "log-loss", "at_most": 0.6, "groups": "patient"}, "pass"),
    ({"metric": "ece", "at_most": 0.2, "groups": "patient"}, "pass"),
    ({"metric": "log-loss", "not_worse_by": 0.01}, "pass"),
    ({"metric": "brier-score", "not_worse_by": 0.01}, "pass"),
    ({"metric": "roc-auc", "not_worse_by": 0.01}, "pass"),
    ({"metric": "accuracy", "not_worse_by": 0.05}, "pass"),
    ({"metric": "accuracy", "better_by": 0.3}, "fail"),
    ({"metric": "recall", "better_by": 0.5}, "fail"),
    ({"metric": "log-loss", "not_worse_by": 0.01, "where": "site == 'a'"}, "pass"),
    ({"metric": "log-loss", "not_worse_by": 0.01, "groups": "patient"}, "pass"),
]


@pytest.mark.parametrize(("rule", "state"), STATES)
def test_rules_of_every_kind_are_decided(data, blurred, rule, state):
    """A bound that the number is far from is kept or broken; an empty group decides nothing."""
    other = blurred if {"not_worse_by", "better_by"} & {*rule} else None
    answer = pb.check(data, [rule], baseline=other, resamples=99)
    (one,) = answer.rules
    assert (one.state, answer.state) == (state, state)
    assert one.low <= one.value <= one.high or np.isnan(one.value)


def test_every_metric_of_the_catalogue_can_be_a_rule(data):
    """None is refused, and a bound that every number meets is never broken."""
    few = data.select(where=range(60))
    for name, row in METRICS.items():
        bound = {"at_least": row.least} if row.least > -np.inf else {"at_most": row.most}
        if not np.isfinite(next(iter(bound.values()))):
            continue
        bound = bound if name != "ece" else {"at_most": 0.9}
        (one,) = pb.check(few, [{"metric": name, **bound}], resamples=39).rules
        assert one.state != "fail", name


def test_the_worst_state_is_the_state_of_all(data):
    """Any fail goes before any that is not decided, and that before a pass."""
    kept, broken = {"metric": "recall", "at_least": 0.5}, {"metric": "recall", "at_least": 0.99}
    unknown = {"metric": "recall", "at_least": 0.5, "where": "site == 'none'"}
    codes = {
        (pb.check(data, rules).state, pb.check(data, rules).exit_code)
        for rules in ([kept], [kept, unknown], [unknown, broken, kept])
    }
    assert codes == {("pass", 0), ("not enough rows", 3), ("fail", 1)}


def test_what_is_not_decided_may_only_warn(data):
    """The exit status is then 0; the state stays what it is, and a broken rule still fails."""
    unknown = {"metric": "recall", "at_least": 0.5, "where": "site == 'none'"}
    answer = pb.check(data, [unknown], on_not_enough="warn")
    assert (answer.state, answer.exit_code) == ("not enough rows", 0)
    assert answer.to_dict()["on_not_enough"] == "warn"
    broken = {"metric": "recall", "at_least": 0.99}
    assert pb.check(data, [unknown, broken], on_not_enough="warn").exit_code == 1


def test_no_table_passes_without_rows():
    """A table that could not be read for having no rows decides nothing."""
    answer = pb.check(None, [RECALL, {"metric": "log-loss", "not_worse_by": 0.1}])
    assert {one.state for one in answer.rules} == {"not enough rows"}
    assert answer.exit_code == 3


def test_an_undefined_number_is_never_a_pass():
    """A recall without positives, and an area without pairs, say why they have no value."""
    data = pb.Predictions.from_arrays([0] * 50, [0.2] * 50, classes=[0, 1])
    rules = [RECALL, {"metric": "roc-auc", "at_least": 0.0}, {"metric": "bss", "at_least": -9}]
    for one in pb.check(data, rules).rules:
        assert one.state == "not enough rows"
        assert one.reason


def test_an_infinite_loss_is_broken_for_certain():
    """One row whose class had probability 0 makes the population's log loss infinite."""
    data = pb.Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.9, 0.0, 0.2])
    (one,) = pb.check(data, [{"metric": "log-loss", "at_most": 5}]).rules
    assert (one.state, one.value) == ("fail", np.inf)


def test_a_model_that_is_always_right_has_not_shown_it():
    """Losses that do not vary still bound what a row that was not seen could cost."""
    y = np.r_[np.zeros(10, int), np.ones(10, int)]
    data = pb.Predictions.from_arrays(y, y.astype(float))
    (one,) = pb.check(data, [{"metric": "brier-score", "at_most": 0.01}]).rules
    assert (one.value, one.high) == (0.0, pytest.approx(unseen(20, 0.95)))
    assert one.state == "not enough rows"


def test_all_rules_together_share_the_level_of_a_pass(data):
    """With `familywise` the bound of a pass is that of Bonferroni, the bound of a fail is not."""
    rules = [{"metric": "recall", "at_least": 0.1}, {"metric": "recall", "at_least": 0.99}]
    passed, broken = pb.check(data, rules, familywise=True).rules
    alone = pb.check(data, rules[:1], level=0.975).rules[0]
    assert (passed.low, passed.pass_level) == (alone.low, 0.975)
    assert broken.high == pb.check(data, rules[1:]).rules[0].high


def test_each_model_must_keep_the_rules_but_the_baseline(data, blurred):
    """Rules that name no model are about all; a model that is the baseline is not compared."""
    both = pb.Predictions.from_arrays(
        np.tile(data.actual, 2),
        np.r_[data.prob[:, 1], blurred.prob[:, 1]],
        model=["new"] * 600 + ["old"] * 600,
        row=np.tile(np.arange(600), 2),
    )
    rule = {"metric": "log-loss", "at_most": 0.6}
    assert [one.model for one in pb.check(both, [rule]).rules] == ["new", "old"]
    assert [one.model for one in pb.check(both, [{**rule, "model": "new"}]).rules] == ["new"]
    against = {"metric": "log-loss", "not_worse_by": 0.01, "baseline": "old"}
    (one,) = pb.check(both, [against]).rules
    apart = pb.check(data, [against], baseline=blurred).rules[0]
    assert (one.model, one.baseline, one.value) == ("new", "old", pytest.approx(apart.value))
    with refused(ParameterError, "unknown-name", "rule 1", "nwe", "new"):
        pb.check(both, [{**rule, "model": "nwe"}])


def test_a_baseline_is_read_beside_the_rules(data, blurred, tmp_path):
    """A name is a file in the folder of the file of rules; of the call, in the working folder."""
    blurred.write(tmp_path / "old.csv")
    path = tmp_path / "rules.toml"
    path.write_text('baseline = "old.csv"\n[[rule]]\nmetric = "brier"\nnot_worse_by = 0.01\n')
    assert pb.check(data, path).state == "pass"
    assert pb.check(data, path, baseline=tmp_path / "old.csv").state == "pass"
    with refused(ParameterError, "baseline-missing", "other.csv"):
        pb.check(data, path, baseline="other.csv")
    with refused(ParameterError, "baseline-missing", "rule 1"):
        pb.check(data, [{"metric": "brier", "not_worse_by": 0.01}])
    with pytest.raises(InputError, match=r"rules\.toml, line 2: "):
        pb.check(data, path, baseline=blurred.select(where=range(50)))


def test_errors_of_rows_name_the_rule(data):
    """A class or a column that the table lacks is an error of the rule, with its place."""
    for rule in ({**RECALL, "class": "fraud"}, {**RECALL, "where": "age > 3"}):
        with pytest.raises(ParameterError, match=r"^rule 1: "):
            pb.check(data, [rule])
    with pytest.raises(InputError, match=r"^rule 1: "):
        pb.check(positives(4, 5), [{"metric": "log-loss", "at_most": 1}])


def test_each_number_is_computed_once(data, blurred, monkeypatch):
    """Twenty rules on three numbers compute three numbers."""
    asked = []
    for name in ("number_of", "difference_of", "equivalence_of"):
        real = getattr(gate_numbers, name)

        def counted(*args, real=real, name=name, **named):
            asked.append(name)
            return real(*args, **named)

        monkeypatch.setattr(import_module("plumbline.gate.check"), name, counted)
    bounds = np.linspace(0.1, 0.6, 10)
    rules = [{"metric": "recall", "at_least": bound} for bound in bounds]
    rules += [{"metric": "log-loss", "not_worse_by": bound} for bound in bounds]
    rules += [{"metric": "log-loss", "at_most": 0.6, "groups": "patient"}]
    pb.check(data, rules, baseline=blurred)
    assert sorted(asked) == ["difference_of", "number_of", "number_of"]


def test_the_order_of_rows_does_not_matter(data, blurred):
    """Shuffled rows, with those of the baseline, give the same bounds."""
    order = np.random.default_rng(0).permutation(600)
    rules = [{"metric": name, "at_least": 0.1} for name in ("recall", "roc-auc", "accuracy")]
    rules += [{"metric": "log-loss", "at_most": 1}, {"metric": "roc-auc", "not_worse_by": 0.1}]
    whole = pb.check(data, rules, baseline=blurred)
    again = pb.check(data.select(where=order), rules, baseline=blurred.select(where=order))
    for one, other in zip(whole.rules, again.rules, strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_counted_rows_are_as_many_single_rows():
    """A table of counts has the bounds of the table with its rows repeated."""
    y, p, count = [0, 1, 1, 0], [0.2, 0.7, 0.4, 0.6], [30, 40, 10, 9]
    rows = {"y_true": y, "y_prob": p, "count:rows": count}
    few = pb.Predictions.from_frame(pa.table(rows))
    many = pb.Predictions.from_arrays(np.repeat(y, count), np.repeat(p, count))
    rules = [
        {"metric": name, "at_least": -9 if "skill" in name else 0.0}
        for name in ("recall", "accuracy", "roc-auc", "log-loss", "brier-skill-score")
    ]
    for one, other in zip(pb.check(few, rules).rules, pb.check(many, rules).rules, strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high)), one.metric


def test_rows_in_groups_widen_the_bounds(data):
    """Rows of a patient that agree tell less than as many independent ones."""
    twice = data.select(where=np.repeat(np.arange(600), 2))
    twice = pb.Predictions.from_arrays(
        twice.actual, twice.prob[:, 1], attributes={"patient": np.repeat(np.arange(600), 2)}
    )
    for metric in ("recall", "log-loss", "brier-score", "accuracy"):
        rule = {"metric": metric, "at_most": 1.0}
        once = pb.check(data, [rule]).rules[0]
        grouped = pb.check(twice, [{**rule, "groups": "patient"}]).rules[0]
        assert grouped.high - grouped.low == pytest.approx(once.high - once.low, rel=0.02)
        assert grouped.row_groups.count == 600


def test_a_large_difference_of_rates_is_that_of_the_bootstrap(data, blurred, monkeypatch):
    """Influence values and drawn rows agree about the width, and cost a fraction."""
    rule = [{"metric": "precision", "not_worse_by": 0.1}]
    (drawn,) = pb.check(data, rule, baseline=blurred).rules
    monkeypatch.setattr(gate_numbers, "MOST_REDRAWN", 0)
    (quick,) = pb.check(data, rule, baseline=blurred).rules
    assert quick.value == drawn.value
    assert quick.high - quick.low == pytest.approx(drawn.high - drawn.low, rel=0.15)


def test_shares_of_the_same_rows_differ_by_their_disagreements(data, blurred):
    """Recall and specificity have McNemar's bounds on their rows, and mirrored rates theirs."""
    rules = [
        {"metric": name, "not_worse_by": 0.5, "threshold": 0.4}
        for name in ("recall", "fnr", "specificity", "fpr", "accuracy", "error-rate", "precision")
    ]
    found = {one.metric: one for one in pb.check(data, rules, baseline=blurred).rules}
    for name, other in (("recall", "fnr"), ("specificity", "fpr"), ("accuracy", "error-rate")):
        assert found[name].method == found[other].method != found["precision"].method
        assert (found[name].low, found[name].high) == (-found[other].high, -found[other].low)
    own = data.actual == 1
    hits = [(table.prob[own, 1] >= 0.4).mean() for table in (data, blurred)]
    assert found["recall"].value == pytest.approx(hits[0] - hits[1])


def test_bounds_of_skewed_means_reach_further_to_the_long_tail():
    """Hall's correction moves the bound to the side where values are rare and large."""
    values = np.r_[np.zeros(95), np.full(5, 10.0)]
    low, high = Moments.of(0.5, values - 0.5).ends(0.95)
    t = 1.6604 * values.std(ddof=1) / 10
    assert high - 0.5 > 1.2 * t
    assert 0.5 - low == pytest.approx(t, rel=0.1)


def test_two_values_have_student_s_bounds_and_one_has_none():
    """By hand: 0.5 and 6.3138 standard errors of 0.5, also of rows that count several times."""
    mean = Moments.of(0.5, np.array([-0.5, 0.5]))
    wanted = (0.5 - 0.5 * 6.313752, 0.5 + 0.5 * 6.313752)
    assert mean.ends(0.95) == pytest.approx(wanted, rel=1e-6)
    counted = Moments.of(0.5, np.array([-0.5, 0.5]), mass=np.ones(2), counted=True)
    assert counted.ends(0.95) == pytest.approx(wanted, rel=1e-6)
    pairs = Moments.of(0.5, np.array([-0.5, -0.5, 0.5, 0.5]), example=[1, 1, 2, 2])
    assert pairs.ends(0.95) == pytest.approx(wanted, rel=1e-6)
    for one in (Moments.of(0.5, np.zeros(1)), Moments.of(0.5, np.zeros(3), example=[1, 1, 1])):
        assert np.isnan(one.ends(0.95)).all()


def test_a_rule_that_is_proposed_is_kept_today(data):
    """Its bound is that of the model rounded outwards, and the table that it is for passes."""
    rules = tomllib.loads(proposed_rules(data).toml)["rule"]
    found = pb.check(data, rules).rules
    assert {"accuracy", "log-loss"} <= {one.metric for one in found}
    for one in found:
        assert one.state == "pass", one.rule
        slack = one.low - one.at_least if one.at_most is None else one.at_most - one.high
        assert -1e-9 <= slack <= 0.01 + 1e-9, one.rule


def test_the_answer_is_a_result(data):
    """Its rows, its JSON and its text hold every rule and the settings."""
    answer = pb.check(data, [RECALL, {"within": 0.2}])
    entries, beside = answer.json_entries()
    assert [one["rule"] for one in entries] == ["recall >= 0.85", "ece within 0.2"]
    assert {"state", "level", "familywise", "on_not_enough", "exit_code"} <= beside.keys()
    assert answer.to_frame().num_rows == 2
    assert "recall >= 0.85" in repr(answer)
    assert all(one.message for one in answer.rules)


def test_a_baseline_that_no_rule_looks_at_is_warned_of(data, blurred):
    """Unless it is a model of the table, which is then not checked itself."""
    with warned("argument-says-nothing", argument=None):
        pb.check(data, [RECALL], baseline=blurred)
    both = pb.Predictions.from_arrays(
        np.tile(data.actual, 2),
        np.r_[data.prob[:, 1], blurred.prob[:, 1]],
        model=np.repeat(["new", "old"], data.n),
        row=np.tile(np.arange(data.n), 2),
    )
    assert [one.model for one in pb.check(both, [RECALL], baseline="old").rules] == ["new"]


@pytest.mark.parametrize(
    ("attributes", "rows"),
    [
        ({}, None),
        ({"flag": [True, False] * 40}, None),
        ({"a`b": ["a", "b"] * 40, "odd name": np.arange(80) % 8 + 0.5}, 80),
        ({"d'x": ["a", "b"] * 40}, 40),
    ],
)
def test_an_example_of_a_condition_is_about_this_table(attributes, rows):
    """A table without an attribute that parts its rows has none."""
    data = pb.Predictions.from_arrays([0, 1] * 40, [0.3, 0.6] * 40, attributes=attributes)
    text = proposed_rules(data, resamples=39).toml
    found = re.findall(r'^# where = "(.*)"  ', text, re.MULTILINE)
    rules = [{"metric": "accuracy", "at_least": 0.1, "where": one} for one in found]
    counts = [one.n for one in pb.check(data, rules).rules] if rules else [None]
    assert counts == [rows]


@pytest.mark.parametrize("n", [3, 4, 6, 12])
@pytest.mark.parametrize("metric", ["brier-score", "log-loss", "accuracy", "roc-auc", "ece", "mcc"])
def test_bounds_of_few_rows_stay_in_the_range_of_their_metric(metric, n):
    """No rows have a Brier score below 0, however far Student's bound reaches."""
    y = np.arange(n) % 3 > 0
    p = np.clip(np.where(y, 0.9, 0.1) + np.linspace(-0.2, 0.05, n), 0.01, 0.99)
    (rule,) = pb.check(
        pb.Predictions.from_arrays(y * 1, p),
        [{"metric": metric, "at_least": 0.5}],
        resamples=39,
    ).rules
    ends = METRICS[metric]
    assert ends.least <= rule.low <= rule.value <= rule.high <= ends.most
