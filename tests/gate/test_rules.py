"""Rules as they are written: what is read, and what is refused with the line of the file."""

import pytest

from plumbline.errors import ParameterError
from plumbline.gate.rules import KEYS, read_rules
from refusals import refused


@pytest.fixture
def file(tmp_path):
    """Return what writes a file of rules."""

    def write(text):
        path = tmp_path / "rules.toml"
        path.write_text(text, "utf-8")
        return path

    return write


GOOD = """\
level = 0.9
familywise = true
on_not_enough = "warn"
groups = "patient"

[[rule]]
metric = "recall"
class = "fraud"
at_least = 0.85
level = 0.99

[[rule]] # of women alone
"metric" = "AUC"
at_least = 0.8
where = "sex == 'f'"
name = "women"
"""


def test_a_file_is_read_with_its_settings(file):
    """What holds for all stands above; a rule's own level goes before it."""
    rules = read_rules(file(GOOD))
    assert (rules.familywise, rules.on_not_enough) == (True, "warn")
    first, second = rules.rules
    assert (first.metric.name, first.params.view) == ("recall", "one-vs-rest:fraud")
    assert (first.at_least, first.at_most, first.level) == (0.85, None, 0.99)
    assert (second.name, second.metric.name, second.level) == ("women", "roc-auc", 0.9)
    assert {one.groups for one in rules.rules} == {"patient"}
    ends = ("rules.toml, line 6", "rules.toml, line 12")
    assert all(one.place.endswith(end) for one, end in zip(rules.rules, ends, strict=True))


def test_a_call_goes_before_the_file(file):
    """The arguments of `check` replace the settings of the file."""
    rules = read_rules(file(GOOD), level=0.8, familywise=False, on_not_enough="fail")
    assert [one.level for one in rules.rules] == [0.99, 0.8]
    assert (rules.familywise, rules.on_not_enough) == (False, "fail")


def test_bounds_become_a_least_and_a_most():
    """A tolerance, a margin and a gain are bounds of the metric or of the difference."""
    cases = [
        ({"metric": "recall", "at_least": 0.5, "at_most": 0.9}, (0.5, 0.9)),
        ({"within": 0.02}, (None, 0.02)),
        ({"metric": "calibration-slope", "within": 0.2}, (0.8, 1.2)),
        ({"metric": "log-loss", "not_worse_by": 0.01}, (None, 0.01)),
        ({"metric": "recall", "not_worse_by": 0.01}, (-0.01, None)),
        ({"metric": "log-loss", "better_by": 0.01}, (None, -0.01)),
        ({"metric": "recall", "better_by": 0.01}, (0.01, None)),
    ]
    for entry, bounds in cases:
        (rule,) = read_rules([entry]).rules
        assert (rule.at_least, rule.at_most) == bounds


def test_a_rule_is_called_by_its_bound_and_its_rows():
    """Threshold, condition and model tell rules on one metric apart."""
    bound = {"metric": "f1", "at_least": 0.5}
    more = {"threshold": 0.3}, {"where": "age > 60"}, {"model": "b"}
    names = [one.name for one in read_rules([bound, *(bound | one for one in more)]).rules]
    assert names == [
        "f1 >= 0.5",
        "f1 >= 0.5, threshold 0.3",
        "f1 >= 0.5, age > 60",
        "f1 >= 0.5, b",
    ]


def test_rules_that_would_be_called_alike_are_numbered():
    """Every line of an answer names one rule."""
    rules = read_rules([{"metric": "f1", "at_least": 0.5}] * 2).rules
    assert [one.name for one in rules] == ["f1 >= 0.5 (1)", "f1 >= 0.5 (2)"]


WRONG = [
    ('[[rule]]\nmetric = "recal"\nat_least = 0.8', "unknown-metric", 2, "recall"),
    ('[[rule]]\nmetric = "recall"\natleast = 0.8', "unknown-key", 3, "at_least"),
    ('levle = 0.9\n[[rule]]\nmetric = "recall"\nat_least = 0.8', "unknown-key", 1, "level"),
    ('[[rule]]\nmetric = "recall"\n', "bound-missing", 1, None),
    ("[[rule]]\nat_least = 0.8\n", "metric-missing", 1, None),
    ('[[rule]]\nmetric = "recall"\nat_least = .8', "rules-unreadable", 3, None),
    ('[[rule]]\nmetric = "recall"\nat_least = 1.8', "out-of-range", 3, None),
    ('[[rule]]\nmetric = "recall"\nat_most = -1', "out-of-range", 3, None),
    ('[[rule]]\nmetric = "recall"\nat_least = "high"', "no-number", 3, None),
    ('[[rule]]\nmetric = "recall"\nat_least = true', "no-number", 3, None),
    ('[[rule]]\nmetric = ["recall"]\nat_least = 0.5', "wrong-kind", 2, None),
    ('[[rule]]\nmetric = "f1"\nat_least = 0.9\nat_most = 0.8', "rules-contradict", 4, None),
    ('[[rule]]\nmetric = "ece"\np_value = 0.05', "rule-of-p-value", 3, None),
    ('[[rule]]\nmetric = "omnibus"\nat_least = 0.05', "rule-of-p-value", 2, None),
    ('[[rule]]\nmetric = "recall"\nat_least = 0.8\nlevel = 0.4', "no-fraction", 4, None),
    ('level = 1\n[[rule]]\nmetric = "recall"\nat_least = 0.8', "no-fraction", 1, None),
    ('on_not_enough = "wran"\n[[rule]]\nwithin = 0.1', "unknown-name", 1, "warn"),
    ('familywise = "yes"\n[[rule]]\nwithin = 0.1', "wrong-kind", 1, None),
    ("groups = 3\n[[rule]]\nwithin = 0.1", "wrong-kind", 1, None),
    ('[[rule]]\nmetric = "recall"\nwithin = 0.1', "tolerance-not-possible", 3, None),
    ("[[rule]]\nwithin = -0.1", "out-of-range", 2, None),
    ("[[rule]]\nwithin = 0.1\nat_most = 0.2", "bounds-together", 1, None),
    ('[[rule]]\nmetric = "uncertainty"\nnot_worse_by = 0.1', "nothing-is-better", 3, None),
    ('[[rule]]\nwithin = 0.1\nbaseline = "a.csv"', "argument-needs-another", 3, None),
    ('[[rule]]\nwithin = 0.1\nview = "top-label"\nclass = "a"', "view-twice", 4, None),
    ('[[rule]]\nmetric = "log-loss"\nview = "micro"\nat_most = 1', "view-not-possible", 1, None),
    ('[[rule]]\nmetric = "recall"\nbins = 5\nat_least = 0.5', "argument-says-nothing", 1, None),
    (
        '[[rule]]\nmetric = "f1"\nview = "micro"\nnot_worse_by = 0.1',
        "argument-says-nothing",
        1,
        None,
    ),
    ("# none\n", "rules-missing", None, None),
]


@pytest.mark.parametrize(("text", "code", "line", "near"), WRONG)
def test_what_is_wrong_is_named_by_its_line(file, text, code, line, near):
    """The error names the line of the file and, where there is one, the near name."""
    place = "rules.toml" if line is None else f"rules.toml, line {line}:"
    with refused(ParameterError, code, place, argument="rules") as raised:
        read_rules(file(text))
    assert raised.value.near == near


def test_two_rules_that_contradict_each_other_name_both_lines(file):
    """No model can keep both, wherever they stand."""
    text = "\n".join(
        f'[[rule]]\nmetric = "{metric}"\n{key} = {bound}\nwhere = "a > 1"\n'
        for metric, key, bound in (
            ("recall", "at_least", 0.8),
            ("precision", "at_most", 0.1),
            ("TPR", "at_most", 0.7),
        )
    )
    with refused(ParameterError, "rules-contradict", "line 1)", "line 11:", 0.8, 0.7):
        read_rules(file(text))


@pytest.mark.parametrize("rules", [3, None, [], {}, [3], {"rule": "recall"}])
def test_what_is_no_list_of_rules_is_refused(rules):
    """Nothing is taken for a gate that passes."""
    with pytest.raises(ParameterError):
        read_rules(rules)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    """A gate without its rules never passes."""
    with refused(ParameterError, "rules-file-missing", "no.toml"):
        read_rules(tmp_path / "no.toml")
    with refused(ParameterError, "rules-unreadable"):
        read_rules(tmp_path)


def test_every_misspelt_key_is_refused_with_a_near_one():
    """No key that is written wrong is passed over in silence."""
    for key in KEYS:
        with refused(ParameterError, "unknown-key", key, "rule 1"):
            read_rules([{"metric": "recall", "at_least": 0.5, f"{key}x": 1}])
