"""`check`: does a model keep the rules, does it break one, or do the rows not tell?"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from plumbline._checks import shorten, shown, whole_number
from plumbline.calibration_errors import EquivalenceTest
from plumbline.comparison import Pair, aligned, design_of, tables_by_model
from plumbline.comparison.design import grouped
from plumbline.curves.recipe import numbers_where
from plumbline.dependence import RowGroups, row_groups_in
from plumbline.errors import InputError, ParameterError, PlumblineError, warn
from plumbline.formatting import quoted
from plumbline.gate.numbers import (
    Ends,
    Number,
    difference_of,
    equivalence_of,
    number_of,
    scale_that_decides,
    takes_equivalence,
)
from plumbline.gate.results import FAIL, NOT_ENOUGH, PASS, Gate, RuleResult
from plumbline.gate.rules import LEVEL, RULES_FILE, Rule, Rules, need_model, placed, read_rules
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, seed_of

# Codes of errors that say that there is nothing to measure: the group is not in the table.
NO_ROWS = ("no-rows-left", "too-few-rows", "weights-all-zero", "unknown-category")
NO_BASELINE = "give a `baseline`: a file, or the name of a model of the table"


def check(
    data: Predictions | None,
    rules: Any = RULES_FILE,
    *,
    baseline: Any = None,
    level: float | None = None,
    familywise: bool | None = None,
    on_not_enough: str | None = None,
    read: Callable[[Path], Predictions] | None = None,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Gate:
    """Check whether a model keeps rules on its numbers: pass, fail, or not enough rows to tell.

    A rule asks that a metric is at least or at most a number, that it is within a tolerance of its
    best value, or that the model is not worse than a baseline by more than a margin. It passes if
    the one-sided bound of the metric meets what is asked, and fails if the bound on the other side
    does not. Else the rows do not tell, and the answer says about how many would. So a model that
    breaks a rule passes it with a probability of at most 1 - level.

    Parameters
    ----------
    data : Predictions
        The predictions of one model or several; each model must keep the rules.
    rules : str, Path, mapping or sequence of mappings, default "rules.toml"
        A TOML file whose tables `[[rule]]` are rules, the same as a dictionary, or a list of rules.
    baseline : Predictions, str or Path, optional
        What differences are to: a table of one model for the same rows, its file, or the name of a
        model of `data`. By default what the rules say.
    level : float, optional
        Of each one-sided bound, above 0.5 and below 1. By default what the rules say, else 0.95.
    familywise : bool, optional
        Share the level of passes among the rules (Bonferroni). By default what the rules say.
    on_not_enough : {"fail", "warn"}, optional
        Whether a rule that is not decided fails the gate or only warns. By default what the rules
        say, else "fail".
    read : callable, optional
        What reads the file of a baseline, whose path it gets. By default `Predictions.read`, for
        files whose columns have their usual names.
    resamples : int, default 999
        Number of draws, at least 39, for bounds that have no formula; tolerances of calibration
        take ten times as many.
    rng : int, Generator or None, default 0
        Random seed or generator.
    workers : int, optional
        Number of threads; results do not depend on it.
    progress : callable, optional
        Called with (rules done, rules in all).

    Returns
    -------
    Gate
        The state of every rule, and of all of them.

    Raises
    ------
    ParameterError
        For rules that cannot be understood or contradict each other, with the line of the file.
    InputError
        For a table that lacks what a rule needs.

    References
    ----------
    Clopper and Pearson (1934), "The use of confidence or fiducial limits".
    Hall (1992), "On the removal of skewness by transformation".

    Examples
    --------
    >>> data = Predictions.from_arrays([1] * 90 + [0] * 90, [0.9] * 84 + [0.1] * 96)
    >>> answer = check(data, [{"metric": "recall", "at_least": 0.85}])
    >>> answer.state, answer.rules[0].n_needed
    ('pass', None)
    >>> check(data.select(where=range(60, 150)), [{"metric": "recall", "at_least": 0.85}]).state
    'not enough rows'
    """
    wanted = read_rules(rules, level=level, familywise=familywise, on_not_enough=on_not_enough)
    whole_number("resamples", resamples, least=39)
    reads = Predictions.read if read is None else read
    answers = _Answers(data, wanted, baseline, reads, resamples, entropy_of(rng), workers)
    if data is not None:
        for rule in wanted.rules:
            need_model(rule, data)
    asked = [(rule, model) for rule in wanted.rules for model in _models(rule, data, baseline)]
    _warn_of_unused(baseline, wanted, data)
    found = []
    for turn, (rule, model) in enumerate(asked, 1):
        with placed(rule.place):
            found.append(answers.of(rule, model, among=len(asked)))
        if progress is not None:
            progress(turn, len(asked))
    states = {one.state for one in found}
    state = next(one for one in (FAIL, NOT_ENOUGH, PASS) if one in states)
    levels = {rule.level for rule in wanted.rules}
    grouped = {one.row_groups.count: one.row_groups for one in found if one.row_groups is not None}
    alike = len(grouped) == 1 and all(one.row_groups is not None for one in found)
    return Gate(
        state=state,
        level=levels.pop() if len(levels) == 1 else LEVEL,
        familywise=wanted.familywise,
        on_not_enough=wanted.on_not_enough,
        rules=tuple(found),
        n=0 if data is None else data.n,
        seed=seed_of(rng),
        row_groups=next(iter(grouped.values())) if alike else None,
    )


def _warn_of_unused(baseline: Any, rules: Rules, data: Predictions | None) -> None:
    """Warn of a baseline that no rule is compared with; a model of the table is left out by it."""
    left_out = data is not None and isinstance(baseline, str) and baseline in data.models
    if baseline is not None and not left_out and not any(rule.against for rule in rules.rules):
        warn(
            "`baseline` has no effect here: no rule is a difference",
            code="argument-says-nothing",
            remedy="leave it out, or give a rule 'not_worse_by' or 'better_by'",
        )


def _models(rule: Rule, data: Predictions | None, baseline: Any) -> Sequence[str | None]:
    """Return the models that a rule is about: the one it names, else all but the baseline."""
    if data is None or rule.model is not None:
        return (rule.model,)
    named = rule.baseline if baseline is None else baseline
    apart = named if isinstance(named, str) and named in data.models else None
    return [name for name in data.by_model() if name is None or name != apart] or (None,)


@dataclass(slots=True)
class _Answers:
    """The numbers of a table, each computed once, and what rules make of them."""

    data: Predictions | None
    rules: Rules
    baseline: Any
    read: Callable[[Path], Predictions]
    resamples: int
    entropy: int
    workers: int | None
    parts: dict[Any, Predictions | str] = field(default_factory=dict)
    numbers: dict[Any, Number] = field(default_factory=dict)
    tests: dict[Any, EquivalenceTest] = field(default_factory=dict)
    pairs: dict[Any, tuple[Pair, str]] = field(default_factory=dict)
    tables: dict[str, Predictions] = field(default_factory=dict)
    groups: dict[Any, RowGroups | None] = field(default_factory=dict)

    def of(self, rule: Rule, model: str | None, *, among: int) -> RuleResult:
        """Return the answer to one rule about one model, and how its rows belong together."""
        found = self._of(rule, model, among)
        part, key = self._part(rule, model), (model, rule.where, rule.groups)
        if isinstance(part, str):
            return found
        if key not in self.groups:
            self.groups[key] = row_groups_in(part)
        return replace(found, row_groups=self.groups[key])

    def _of(self, rule: Rule, model: str | None, among: int) -> RuleResult:
        levels = {"pass": rule.level, "fail": rule.level}
        if self.rules.familywise:
            levels["pass"] = 1 - (1 - rule.level) / among
        part = self._part(rule, model)
        if isinstance(part, str):
            return _answer(rule, model, levels, None, reason=part)
        if rule.against:
            return self._against(rule, model, part, levels)
        if takes_equivalence(part, rule.metric, rule.params):
            return self._within(rule, model, part, levels)
        key = (model, rule.where, rule.groups, rule.threshold, rule.metric.name, rule.params_key)
        if key not in self.numbers:
            self.numbers[key] = number_of(
                part,
                rule.metric,
                rule.params,
                threshold=rule.threshold,
                resamples=self.resamples,
                rng=self.entropy,
                workers=self.workers,
            )
        return _answer(rule, model, levels, part, number=self.numbers[key])

    def _part(self, rule: Rule, model: str | None) -> Predictions | str:
        """Return the rows that a rule is about, or why there are none."""
        key = (model, rule.where, rule.groups)
        if key not in self.parts:
            try:
                self.parts[key] = self._rows(*key)
            except PlumblineError as error:
                if error.code not in NO_ROWS:
                    raise
                self.parts[key] = error.text
        return self.parts[key]

    def _rows(self, model: str | None, where: str | None, groups: str | None) -> Predictions:
        if self.data is None:
            raise InputError("the table has no rows", code="too-few-rows")
        whole = (model, None, groups)
        if where is not None:
            part = self.parts.get(whole) or self._rows(*whole)
            assert isinstance(part, Predictions)  # noqa: S101  # a table has rows
            self.parts[whole] = part
            numbers = numbers_where(part, where)
            return part if numbers is None else part.select(where=numbers)
        part = self.data if model is None else self.data.by_model()[model]
        return part if groups is None else part.in_groups(groups)

    # ------------------------------------------------------------ tolerance of calibration

    def _within(
        self, rule: Rule, model: str | None, part: Predictions, levels: Mapping[str, float]
    ) -> RuleResult:
        """Return the answer to a bound on the calibration error, by two one-sided tests."""
        bound = rule.at_most if rule.at_most is not None else rule.at_least
        if bound is None or not 0 < bound < 1:
            raise ParameterError(
                f"a bound on {quoted(rule.metric.name)} must be above 0 and below 1, got "
                f"{shorten(bound)}",
                code="no-fraction",
            )
        by_level = {}
        for level in {*levels.values()}:
            key = (model, rule.where, rule.groups, rule.params_key, bound, level)
            if key not in self.tests:
                self.tests[key] = equivalence_of(
                    part,
                    rule.params,
                    tolerance=bound,
                    level=level,
                    resamples=10 * self.resamples + 9,
                    rng=self.entropy,
                )
            by_level[level] = self.tests[key]
        number = _Tolerated(by_level[levels["fail"]].value, by_level)
        return _answer(rule, model, levels, part, number=number)

    # ------------------------------------------------------------ difference to a baseline

    def _against(
        self, rule: Rule, model: str | None, part: Predictions, levels: Mapping[str, float]
    ) -> RuleResult:
        """Return the answer to a bound on the difference to a baseline."""
        pair, called = self._pair(rule, model, part)
        which = ("against", model, called, rule.where, rule.groups, rule.threshold)
        key = (*which, rule.metric.name, rule.params_key)
        if key not in self.numbers:
            self.numbers[key] = difference_of(
                pair,
                rule.metric,
                rule.params,
                threshold=rule.threshold,
                resamples=max(self.resamples, 1999),
                rng=self.entropy,
                workers=self.workers,
            )
        return _answer(rule, model, levels, part, number=self.numbers[key], baseline=called)

    def _pair(self, rule: Rule, model: str | None, part: Predictions) -> tuple[Pair, str]:
        table, called = self._baseline(rule)
        key = (model, called, rule.where, rule.groups)
        if key in self.pairs:
            return self.pairs[key]
        whole = self._rows(model, None, rule.groups)
        tables, example = aligned(tables_by_model({"model": whole, "baseline": table}, None, None))
        first, second = tables.values()
        if rule.where is not None:
            numbers = numbers_where(whole, rule.where)
            if numbers is not None:
                first, second = (one.select(where=numbers) for one in (first, second))
                example = np.unique(example[numbers], return_inverse=True)[1]
        if first.groups is not None:
            _, example = grouped(design_of(first, over=None), first, example, None)
        self.pairs[key] = Pair(first, second, np.asarray(example, np.intp)), called
        return self.pairs[key]

    def _baseline(self, rule: Rule) -> tuple[Predictions, str]:
        """Return the table of the baseline, and what it is called."""
        named = rule.baseline if self.baseline is None else self.baseline
        if named is None:
            raise ParameterError(
                f"{quoted(rule.name)} is a difference to a baseline, and there is none",
                code="baseline-missing",
                remedy=NO_BASELINE,
            )
        if isinstance(named, Predictions):
            return _of_one_model(named, "baseline"), "baseline"
        assert self.data is not None  # noqa: S101  # there are rows
        if named in self.data.models:
            return self.data.by_model()[str(named)], str(named)
        key = str(named)
        if key not in self.tables:
            self.tables[key] = self._read(named)
        return self.tables[key], key

    def _read(self, named: Any) -> Predictions:
        data, folder = self.data, self.rules.folder
        models = f" and no model of the table ({shown(data.models)})" if data.models else ""  # type: ignore[union-attr]
        if folder is None and self.baseline is None:
            raise ParameterError(
                f"the baseline {quoted(str(named))} would be a file, which rules that are typed "
                f"may not name{models}",
                code="baseline-missing",
                remedy="name a model of the table, or use plumbline check",
            )
        path = Path(named) if folder is None or self.baseline is not None else folder / named
        if not path.exists():
            raise ParameterError(
                f"the baseline {quoted(str(path))} is no file{models}",
                code="baseline-missing",
                remedy=NO_BASELINE,
            )
        return _of_one_model(self.read(path), str(path))


def _of_one_model(table: Predictions, called: str) -> Predictions:
    if len(table.models) > 1:
        raise InputError(
            f"the baseline {quoted(called)} holds {len(table.models)} models "
            f"({shown(table.models)}); give a table of one",
            code="baseline-of-several-models",
        )
    return table


@dataclass(slots=True)
class _Tolerated:
    """A calibration error with its bounds, as `calibration_within` has them at each level."""

    value: float
    tests: Mapping[float, EquivalenceTest]
    reason: str | None = None

    def ends(self, level: float) -> Ends:
        """Return the bounds of a level."""
        low, high = self.tests[level].interval_range
        return Ends(low, high, "test within a tolerance, inverted")

    def wider(self, level: float, scale: float) -> tuple[float, float]:
        """Return the bounds of more rows by the square root."""
        low, high = self.tests[level].interval_range
        root = math.sqrt(scale)
        return self.value - (self.value - low) / root, self.value + (high - self.value) / root


def _answer(
    rule: Rule,
    model: str | None,
    levels: Mapping[str, float],
    part: Predictions | None,
    *,
    number: Number | None = None,
    baseline: str | None = None,
    reason: str | None = None,
) -> RuleResult:
    """Return the state of a rule by the bounds of its number."""
    value, own = math.nan, Ends(math.nan, math.nan)
    state, needed = NOT_ENOUGH, None
    if number is not None:
        value, reason = number.value, number.reason
        to_pass, own = number.ends(levels["pass"]), number.ends(levels["fail"])
        state = state_of(rule.at_least, rule.at_most, to_pass, own)
        reason = reason or own.reason
        if state == NOT_ENOUGH and part is not None and np.isfinite([own.low, own.high]).all():
            scale = scale_that_decides(
                number, least=rule.at_least, most=rule.at_most, levels=levels
            )
            needed = None if scale is None else _rounded(part.total * scale)
        own = own if state == FAIL else to_pass
    return RuleResult(
        rule=rule.name,
        place=rule.place,
        model=model,
        metric=rule.metric.name,
        view=rule.params.view,
        bins=None if rule.params.bins is None else str(rule.params.bins),
        where=rule.where,
        baseline=baseline if number is not None else (rule.baseline if rule.against else None),
        value=value,
        low=own.low,
        high=own.high,
        at_least=rule.at_least,
        at_most=rule.at_most,
        level=rule.level,
        pass_level=levels["pass"],
        state=state,
        n=0 if part is None else part.total,
        n_needed=needed,
        method=own.method,
        reason=reason,
    )


def state_of(least: float | None, most: float | None, to_pass: Ends, to_fail: Ends) -> str:
    """Return what bounds say of a rule; NaN, which meets nothing, decides nothing.

    >>> state_of(0.8, None, Ends(0.82, 0.9), Ends(0.82, 0.9))
    'pass'
    >>> state_of(0.8, None, Ends(math.nan, math.nan), Ends(math.nan, math.nan))
    'not enough rows'
    """
    if (least is not None and to_fail.high < least) or (most is not None and to_fail.low > most):
        return FAIL
    low, high = to_pass.low, to_pass.high
    if (least is None or low >= least) and (most is None or high <= most):
        return PASS
    return NOT_ENOUGH


def _rounded(rows: float) -> int:
    """Return a number of rows with two digits, rounded up."""
    digits = 10 ** max(0, int(math.log10(max(rows, 1.0))) - 1)
    return int(math.ceil(rows / digits) * digits)
