"""`proposed_rules`: a file of rules that today's numbers keep, to begin with."""

import math
from collections.abc import Iterator
from numbers import Real
from typing import Any

from plumbline._checks import whole_number
from plumbline.binning import unasked_attributes
from plumbline.calibration_errors import StatisticParams
from plumbline.calibration_errors.equivalence import DEFAULT_BINS
from plumbline.formatting import ends, number, printable
from plumbline.gate.numbers import equivalence_of, number_of, takes_equivalence
from plumbline.gate.results import ProposedRules
from plumbline.gate.rules import LEVEL
from plumbline.metrics import METRICS, Metric
from plumbline.predictions import Predictions, repeated_id
from plumbline.random_streams import Seed, entropy_of

# What most gates are about: decisions, ranks, scores, calibration.
USUAL = ("accuracy", "recall", "precision", "roc-auc", "log-loss", "brier-score", "ece")
DIGITS = 2  # of a bound: today's rows keep it, and nobody takes it for a measured number
HEAD = """\
# Rules for `plumbline check`. A rule passes if its one-sided bound meets it, fails if the bound on
# the other side does not, and is not decided in between. The bounds below are what today's rows
# show ({rows:,} rows); put in what the model must keep.

level = {level:g}             # of each bound: a broken rule passes at most 1 time in {times:.0f}
on_not_enough = "fail"   # or "warn": rules that are not decided do not fail the gate
familywise = false       # true: that holds for all rules together (Bonferroni)
"""
TOGETHER = '{out}groups = "{column}"      # {if_so}rows of one value belong together\n'
TAIL = """
# More kinds of rules:
# [[rule]]
# metric = "recall"
# class = "{name}"            # this class against the rest
{where}# at_least = 0.8
#
# [[rule]]
# metric = "log-loss"
# not_worse_by = 0.01     # than the baseline, on the same rows
# baseline = "baseline.csv"
"""


def proposed_rules(data: Predictions, *, resamples: int = 999, rng: Seed = 0) -> ProposedRules:
    """Propose rules for `check` that today's numbers keep, each with a comment that says them.

    Parameters
    ----------
    data : Predictions
        The predictions of one model or several, of which the weakest keeps every rule.
    resamples : int, default 999
        Number of draws, for bounds that have no formula.
    rng : int, Generator or None, default 0
        Random seed or generator.

    Returns
    -------
    ProposedRules
        The text of a TOML file.

    Examples
    --------
    >>> data = Predictions.from_arrays([1] * 90 + [0] * 90, [0.9] * 84 + [0.1] * 96)
    >>> proposed_rules(data).rules
    7
    """
    whole_number("resamples", resamples, least=39)
    entropy = entropy_of(rng)
    rules = [
        text
        for name in USUAL
        if METRICS[name].serves(data)
        for text in _rule_of(data, METRICS[name], resamples, entropy)
    ]
    head = HEAD.format(rows=data.n, level=LEVEL, times=1 / (1 - LEVEL))
    head += _rows_together(data)
    tail = TAIL.format(name=printable(data.classes[data.positive]), where=_some_rows(data))
    return ProposedRules("\n".join([head, *rules]) + tail, len(rules))


def _rows_together(data: Predictions) -> str:
    """Return the line of the column of groups, as a comment where nobody has named it."""
    again, reading = repeated_id(data), data.reading
    if data.groups is not None and reading is not None and "groups" in reading.parts:
        return TOGETHER.format(out="", column=printable(reading.parts["groups"]), if_so="")
    if again is not None:
        return TOGETHER.format(out="# ", column=printable(again.column), if_so="if ")
    return ""


def _some_rows(data: Predictions) -> str:
    """Return the line of a condition as an example, on the first attribute that parts the rows."""
    for name in unasked_attributes(data):
        value: Any = data.attributes[name][0]
        if {*name} & {*'`"\\'}:
            continue
        if isinstance(value, str) and not {*value} & {*"'\"\\"}:
            test = f"== '{printable(value)}'"
        elif not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value):
            test = f">= {value:g}"
        else:
            continue
        column = printable(name) if name.isidentifier() else f"`{printable(name)}`"
        return f'# where = "{column} {test}"    # of these rows only\n'
    return ""


def _rule_of(data: Predictions, metric: Metric, resamples: int, entropy: int) -> Iterator[str]:
    """Yield the text of a rule on a metric, none where a model's number is not defined."""
    tolerated = metric.interval == "error"
    params = StatisticParams(bins=DEFAULT_BINS if tolerated else None)
    found = []
    for part in data.by_model().values():
        if takes_equivalence(part, metric, params):
            test = equivalence_of(
                part, params, tolerance=0.5, level=LEVEL, resamples=9999, rng=entropy
            )
            found.append((test.value, *test.interval_range))
        else:
            one = number_of(part, metric, params, resamples=resamples, rng=entropy)
            bounds = one.ends(LEVEL)
            found.append((one.value, bounds.low, bounds.high))
    if not all(math.isfinite(value) for row in found for value in row):
        return
    higher = metric.better == "higher"
    value, low, high = (min if higher else max)(found, key=lambda row: row[1 if higher else 2])
    step = 10.0**-DIGITS
    bound = math.floor(low / step) * step if higher else math.ceil(high / step) * step
    key = "at_least" if higher else "within" if tolerated else "at_most"
    what = f"{metric.title}: today {number(value)}, bounds {' to '.join(ends(low, high))}"
    bins = f'bins = "{DEFAULT_BINS}"\n' if tolerated else ""
    yield f'[[rule]]  # {what}\nmetric = "{metric.name}"\n{bins}{key} = {bound:.{DIGITS}f}\n'
