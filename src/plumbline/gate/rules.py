"""The rules of a gate as they are written: read, checked, and refused with the line of the file."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from plumbline._checks import near_names, nearest, real_number, shorten, shown
from plumbline.calibration_errors import TESTS, StatisticParams
from plumbline.calibration_errors.equivalence import DEFAULT_BINS
from plumbline.errors import FormulaError, ParameterError, PlumblineError
from plumbline.formatting import quoted
from plumbline.metrics import ARGUMENTS, METRICS, Metric, metric_named
from plumbline.metrics.names import ALIASES
from plumbline.predictions import Predictions

RULE = "rule"  # the name of the array of tables
RULES_FILE = "rules.toml"  # what is read where no file is named
BOUNDS = ("at_least", "at_most", "within")
AGAINST = ("not_worse_by", "better_by")
TEXTS = ("name", "metric", "view", "class", "where", "model", "groups", "baseline", "outcome")
NUMBERS = (*BOUNDS, *AGAINST, "threshold", "level")
OTHERS = ("bins", "distance", "norm", "representative", "like", "score")
KEYS = (*TEXTS, *NUMBERS, *OTHERS)
ON_NOT_ENOUGH = ("fail", "warn")
LEVEL = 0.95  # of a bound: one wrong pass in 20; a convention
SETTINGS = ("level", "familywise", "on_not_enough", "baseline", "groups")
OF_P_VALUES = ("p", "pvalue", "p-value", "alpha", "significance")
IDEALS = {"zero": 0.0, "one": 1.0}
MOST_RULES = 1000  # of a gate; bounds what a question from a browser costs
NO_P_VALUE = (
    "a rule on a p-value says how many rows there are, not how good the model is, and a test that "
    "does not reject proves nothing; use a metric with 'at_least', 'at_most' or 'within'"
)


@dataclass(frozen=True, slots=True)
class RulesText:
    """Rules as the text of a file, which may name no other file: where a server is asked."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rule:
    """One rule: a number of some rows, and the bounds that it must keep.

    Attributes
    ----------
    name : what it is called; metric : the row of the catalogue
    params : view, bins and the like, as the metric takes them
    where : formula of the rows it is about, None for all; model : None for every model
    threshold : of the decisions that rates are of, None for the table's own
    at_least, at_most : bounds of the metric, or of the difference to the baseline
    against : whether the number is the difference to a baseline
    baseline : name of a model of the table, or a file; None for that of the call
    level : of each one-sided bound; groups : attribute of the rows that belong together
    place : where it stands, such as "rules.toml, line 4"
    """

    name: str
    metric: Metric
    params: StatisticParams
    where: str | None = None
    model: str | None = None
    threshold: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    against: bool = False
    baseline: str | None = None
    level: float = LEVEL
    groups: str | None = None
    place: str = ""

    @property
    def params_key(self) -> tuple[str, ...]:
        """What the metric is asked with, to look it up by."""
        return tuple(str(getattr(self.params, name)) for name in ARGUMENTS)

    @property
    def subject(self) -> tuple[object, ...]:
        """What the bounds are about; two rules of one subject can contradict each other."""
        which = self.metric.name, self.where, self.model, self.threshold
        return (*which, self.against, self.baseline, *self.params_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """All rules of a gate, and what holds for them together.

    Attributes
    ----------
    rules : in their order; familywise : whether wrong passes are bounded for all rules together
    on_not_enough : "fail" or "warn", what a rule that is not decided does to the exit status
    folder : that relative names of baseline files start from; None where none may be named
    """

    rules: tuple[Rule, ...]
    familywise: bool = False
    on_not_enough: str = "fail"
    folder: Path | None = field(default_factory=Path)


def read_rules(
    rules: Any,
    *,
    level: float | None = None,
    familywise: bool | None = None,
    on_not_enough: str | None = None,
) -> Rules:
    """Return the rules of a TOML file, of its text's contents as a mapping, or of a list of rules.

    What is given here goes before what the file says. Raises ParameterError, with the line of the
    file, for keys and names that are not known, values outside their rule and contradictions.

    >>> read_rules([{"metric": "recall", "at_least": 0.85}]).rules[0].name
    'recall >= 0.85'
    """
    source = _Source.of(rules)
    table = source.table
    for key in table:
        if key not in (*SETTINGS, RULE):
            raise source.refused(
                f"{quoted(key)} is no setting of a gate; the settings are {shown(SETTINGS)}, and "
                f"rules begin with [[{RULE}]]",
                code="unknown-key",
                line=source.line_of(key),
                near=nearest(key, (*SETTINGS, RULE)),
            )
    whole = _Settings.of(table, source, level, familywise, on_not_enough)
    entries = table.get(RULE, ())
    if not isinstance(entries, Sequence) or isinstance(entries, str) or not entries:
        raise source.refused(
            f"there is no rule; each begins with [[{RULE}]], and names a 'metric' and a bound such "
            "as 'at_least'",
            code="rules-missing",
        )
    if len(entries) > MOST_RULES:
        raise source.refused(f"more than {MOST_RULES:,} rules", code="out-of-range")
    found = tuple(_rule(entry, place, whole, source) for place, entry in enumerate(entries))
    _need_no_contradiction(found)
    return Rules(
        rules=_with_names_apart(found),
        familywise=whole.familywise,
        on_not_enough=whole.on_not_enough,
        folder=source.folder,
    )


@dataclass(frozen=True, slots=True)
class _Source:
    """Where rules come from: the table, the lines of its file, and the file's name."""

    table: Mapping[str, Any]
    lines: tuple[str, ...] = ()
    called: str = ""
    folder: Path | None = field(default_factory=Path)

    @classmethod
    def of(cls, rules: Any) -> "_Source":
        if isinstance(rules, Mapping):
            return cls(rules)
        if isinstance(rules, RulesText):
            return cls._read(rules.text, "the rules", None)
        if isinstance(rules, (str, os.PathLike)):
            path = Path(rules)
            return cls._read(_text_of(path), str(path), path.parent)
        if isinstance(rules, Sequence):
            return cls({RULE: list(rules)})
        raise ParameterError(
            argument="rules",
            rule="a TOML file, a list of rules, or a dictionary",
            arrived=shorten(rules),
            code="wrong-kind",
        )

    @classmethod
    def _read(cls, text: str, called: str, folder: Path | None) -> "_Source":
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise _not_toml(called, text, str(error)) from None
        return cls(table, tuple(text.splitlines()), called, folder)

    def line_of(self, key: str, rule: int | None = None) -> int | None:
        """Return the line of a key, of a rule by its number; None where there is no file.

        tomllib keeps no places, so the key is looked for in the text between the headers.
        """
        own = re.escape(key)
        pattern = re.compile(rf"""\s*(?:{own}|"{own}"|'{own}')\s*=""")
        number = self.header_of(rule)
        if number is None and rule is not None:
            return None
        start = 0 if number is None else number
        for place, line in enumerate(self.lines[start:], start + 1):
            if line.lstrip().startswith("["):
                return number
            if pattern.match(line):
                return place
        return number

    def header_of(self, rule: int | None) -> int | None:
        """Return the line on which a rule begins."""
        if rule is None:
            return None
        heads = (
            place
            for place, line in enumerate(self.lines, 1)
            if re.match(rf"\s*\[\[\s*{RULE}\s*\]\]", line)
        )
        return next((place for turn, place in enumerate(heads) if turn == rule), None)

    def place_of(self, line: int | None, rule: int | None = None) -> str:
        """Return where something stands, in words."""
        if line is not None and self.called:
            return f"{self.called}, line {line}"
        number = "" if rule is None else f"rule {rule + 1}"
        return ", ".join(filter(None, [self.called or ("" if number else "`rules`"), number]))

    def refused(
        self,
        text: str,
        *,
        code: str,
        line: int | None = None,
        rule: int | None = None,
        near: str | None = None,
    ) -> ParameterError:
        """Return the error of a text, with its place."""
        place = self.place_of(line, rule)
        return ParameterError(f"{place}: {text}", code=code, argument="rules", near=near)


_TOML_PLACE = re.compile(r" \(at line (\d+), column \d+\)$")


def _not_toml(called: str, text: str, why: str) -> ParameterError:
    """Return the error of a file that is no TOML, with the line that is wrong."""
    found = _TOML_PLACE.search(why)
    number = len(text.splitlines()) if found is None else int(found[1])
    line = text.splitlines()[number - 1].strip() if text.strip() else ""
    rule = _TOML_PLACE.sub("", why).partition(" (at ")[0]
    return ParameterError(
        f"{called}, line {number}: this is not TOML: {rule[:1].lower()}{rule[1:]}, got "
        f"{shorten(line)}",
        code="rules-unreadable",
        argument="rules",
    )


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise ParameterError(
            f"the file of rules {quoted(str(path))} does not exist",
            code="rules-file-missing",
            argument="rules",
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(
            f"the file of rules {quoted(str(path))} cannot be read: {error}",
            code="rules-unreadable",
            argument="rules",
        ) from None


@dataclass(frozen=True, slots=True)
class _Settings:
    """What holds for all rules."""

    level: float
    familywise: bool
    on_not_enough: str
    baseline: str | None
    groups: str | None

    @classmethod
    def of(
        cls,
        table: Mapping[str, Any],
        source: _Source,
        level: float | None,
        familywise: bool | None,
        on_not_enough: str | None,
    ) -> "_Settings":
        for key in ("baseline", "groups"):
            if key in table and not isinstance(table[key], str):
                raise source.refused(
                    f"'{key}' must be a text, got {shorten(table[key])}",
                    code="wrong-kind",
                    line=source.line_of(key),
                )
        both = table.get("familywise", False) if familywise is None else familywise
        if not isinstance(both, bool):
            raise source.refused(
                f"'familywise' must be true or false, got {shorten(both)}",
                code="wrong-kind",
                line=source.line_of("familywise"),
            )
        then = table.get("on_not_enough", "fail") if on_not_enough is None else on_not_enough
        if then not in ON_NOT_ENOUGH:
            raise source.refused(
                f"'on_not_enough' must be 'fail' or 'warn', got {shorten(then)}",
                code="unknown-name",
                line=source.line_of("on_not_enough"),
                near=nearest(then, ON_NOT_ENOUGH),
            )
        own = table.get("level", LEVEL) if level is None else level
        if not _is_level(own):
            raise source.refused(
                f"{LEVEL_RULE}, got {shorten(own)}",
                code="no-fraction",
                line=source.line_of("level"),
            )
        return cls(float(own), both, then, table.get("baseline"), table.get("groups"))


LEVEL_RULE = "'level' must be between 0.5 and 1, as 0.95 for one wrong pass in 20"


def _is_level(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, (int, float)) and 0.5 < value < 1


def _rule(entry: Any, turn: int, whole: _Settings, source: _Source) -> Rule:
    """Return one rule; everything about it that needs no rows is checked."""
    head = source.header_of(turn)

    def refused(
        text: str, code: str, key: str | None = None, near: str | None = None
    ) -> ParameterError:
        line = head if key is None else source.line_of(key, turn)
        return source.refused(text, code=code, line=line, rule=turn, near=near)

    given = _given(entry, refused)
    metric = _metric(given, refused)
    against = [key for key in AGAINST if key in given]
    bounds = [key for key in BOUNDS if key in given]
    _need_one_bound(metric, bounds, against, refused)
    low, high = _bounds(given, metric, refused)
    level = given.get("level", whole.level)
    if not _is_level(level):
        raise refused(f"{LEVEL_RULE}, got {shorten(level)}", "no-fraction", "level")
    if "baseline" in given and not against:
        raise refused(
            f"'baseline' belongs to {' or '.join(AGAINST)}", "argument-needs-another", "baseline"
        )
    place = source.place_of(head, turn)
    params, threshold = _params(given, metric, bool(against), refused)
    with placed(place):
        metric.check(params)
    rule = Rule(
        name="",
        metric=metric,
        params=params,
        where=given.get("where"),
        model=None if "model" not in given else str(given["model"]),
        threshold=threshold,
        at_least=low,
        at_most=high,
        against=bool(against),
        baseline=given.get("baseline", whole.baseline) if against else None,
        level=float(level),
        groups=given.get("groups", whole.groups),
        place=place,
    )
    return replace(rule, name=str(given.get("name") or _name_of(rule, given)))


def _given(entry: Any, refused: Any) -> dict[str, Any]:
    """Return the keys of a rule with their values: known keys, texts that are texts, numbers."""
    if not isinstance(entry, Mapping):
        raise refused(f"a rule must be a table of keys, got {shorten(entry)}", "wrong-kind")
    for key in entry:
        if str(key).replace("_", "-") in OF_P_VALUES:
            raise refused(NO_P_VALUE, "rule-of-p-value", key)
        if key not in KEYS:
            raise refused(
                f"{quoted(key)} is no key of a rule; the keys are {', '.join(KEYS)}",
                "unknown-key",
                key,
                nearest(key, KEYS),
            )
    given: dict[str, Any] = {key: value for key, value in entry.items() if value is not None}
    for key in TEXTS:
        if key in given and not isinstance(given[key], (str, int)):
            raise refused(f"'{key}' must be a text, got {shorten(given[key])}", "wrong-kind", key)
    for key in NUMBERS:
        if key in given:
            value = real_number(given[key])
            if value != value or isinstance(given[key], (bool, str)):
                raise refused(
                    f"'{key}' must be a number, got {shorten(given[key])}", "no-number", key
                )
            given[key] = value
    return given


def _need_one_bound(
    metric: Metric, bounds: Sequence[str], against: Sequence[str], refused: Any
) -> None:
    """Refuse a rule without a bound, and one of several bounds that are rules of their own."""
    if not against and not bounds:
        raise refused(
            f"the rule on {quoted(metric.name)} has no bound; give {', '.join(BOUNDS)}, or of a "
            f"difference to a baseline {' or '.join(AGAINST)}",
            "bound-missing",
        )
    if len(against) + bool(bounds) > 1 or ("within" in bounds and len(bounds) > 1):
        raise refused(
            f"the rule has {' and '.join([*bounds, *against])}, of which each is a rule of its own",
            "bounds-together",
        )


def _metric(given: Mapping[str, Any], refused: Any) -> Metric:
    """Return the metric of a rule; that of a tolerance alone is the calibration error."""
    if "metric" not in given:
        if "within" in given:
            return METRICS["ece"]
        raise refused("the rule names no 'metric'", "metric-missing")
    name = given["metric"]
    try:
        return metric_named(name)
    except ParameterError:
        if str(name).replace("_", "-").casefold() in (*OF_P_VALUES, *TESTS):
            raise refused(NO_P_VALUE, "rule-of-p-value", "metric") from None
        raise refused(
            f"there is no metric {quoted(name)}; plumbline.list_names() lists them",
            "unknown-metric",
            "metric",
            nearest(name, (*METRICS, *ALIASES)),
        ) from None


def _bounds(
    given: Mapping[str, Any], metric: Metric, refused: Any
) -> tuple[float | None, float | None]:
    """Return the least and the largest value that a rule allows."""
    for key in (*AGAINST, "within"):
        if given.get(key, 0.0) < 0:
            raise refused(f"'{key}' must be at least 0, got {given[key]:g}", "out-of-range", key)
    if any(key in given for key in AGAINST):
        key = next(key for key in AGAINST if key in given)
        if metric.better not in ("higher", "lower"):
            raise refused(
                f"neither more nor less of {quoted(metric.name)} is better, so no model is worse "
                "by it",
                "nothing-is-better",
                key,
            )
        gain = given[key] if key == "better_by" else -given[key]
        return (gain, None) if metric.better == "higher" else (None, -gain)
    if "within" in given:
        tolerance = given["within"]
        if metric.interval == "error":
            return None, tolerance
        ideal = IDEALS.get(metric.better)
        if ideal is None:
            raise refused(
                f"{quoted(metric.name)} has no best value to be within {tolerance:g} of; use "
                "'at_least' and 'at_most'",
                "tolerance-not-possible",
                "within",
            )
        return ideal - tolerance, ideal + tolerance
    low, high = given.get("at_least"), given.get("at_most")
    if low is not None and high is not None and low > high:
        raise refused(
            f"no number is at least {low:g} and at most {high:g}", "rules-contradict", "at_most"
        )
    if low is not None and low > metric.most:
        raise refused(
            f"{quoted(metric.name)} is at most {metric.most:g}, so it is never at least {low:g}",
            "out-of-range",
            "at_least",
        )
    if high is not None and high < metric.least:
        raise refused(
            f"{quoted(metric.name)} is at least {metric.least:g}, so it is never at most {high:g}",
            "out-of-range",
            "at_most",
        )
    return low, high


def _params(
    given: Mapping[str, Any], metric: Metric, against: bool, refused: Any
) -> tuple[StatisticParams, float | None]:
    """Return what the metric is asked with, and the threshold of decisions that rates are of."""
    view = given.get("view")
    if "class" in given:
        if view is not None:
            raise refused("'class' and 'view' both say what is looked at", "view-twice", "class")
        view = f"one-vs-rest:{given['class']}"
    threshold = given.get("threshold")
    said = {name: given[name] for name in (*OTHERS, "outcome") if name in given}
    if "within" in given and metric.name == "ece":
        said.setdefault("bins", DEFAULT_BINS)
    if metric.needs != "labels" and threshold is not None:
        said["threshold"], threshold = threshold, None
    if against and (said or not str(view or "one-vs-rest").startswith("one-vs-rest")):
        raise refused(
            "a difference to a baseline takes a 'class', no other view and no bins",
            "argument-says-nothing",
        )
    return StatisticParams(view=view, **said), threshold


def _name_of(rule: Rule, given: Mapping[str, Any]) -> str:
    """Return what a rule is called: its metric, its bound and its rows."""
    signs = {"at_least": ">=", "at_most": "<="}
    if rule.against:
        key = next(key for key in AGAINST if key in given)
        words = "not worse than the baseline by" if key == "not_worse_by" else "better by"
        bound = f"{words} {given[key]:g}"
    elif "within" in given:
        bound = f"within {given['within']:g}"
    else:
        bound = " and ".join(
            f"{sign} {given[key]:g}" for key, sign in signs.items() if key in given
        )
    view = rule.params.view
    parts = [
        f"{rule.metric.name} {bound}",
        "" if view is None else view.removeprefix("one-vs-rest:"),
    ]
    parts += [f"threshold {rule.threshold:g}"] if rule.threshold is not None else []
    parts += [rule.where or "", rule.model or ""]
    return ", ".join(filter(None, parts))


def _need_no_contradiction(rules: Sequence[Rule]) -> None:
    """Refuse two rules of which no model meets both."""
    for turn, rule in enumerate(rules):
        for other in rules[:turn]:
            if rule.subject != other.subject:
                continue
            for low, high in ((rule, other), (other, rule)):
                least, most = low.at_least, high.at_most
                if least is not None and most is not None and least > most:
                    raise ParameterError(
                        f"{rule.place}: {quoted(rule.name)} contradicts {quoted(other.name)} "
                        f"({other.place}): no number is at least {least:g} and at most {most:g}",
                        code="rules-contradict",
                        argument="rules",
                    )


def _with_names_apart(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return the rules with names that differ, by their number where two are called alike."""
    names = [rule.name for rule in rules]
    return tuple(
        replace(rule, name=f"{rule.name} ({turn + 1})") if names.count(rule.name) > 1 else rule
        for turn, rule in enumerate(rules)
    )


@contextmanager
def placed(place: str) -> Iterator[None]:
    """Put the place of a rule before what is refused about it."""
    try:
        yield
    except PlumblineError as error:
        if error.text.startswith(place):
            raise
        text = f"{place}: {error.text}"
        if isinstance(error, FormulaError):  # which shows its formula; the rule has it
            raise ParameterError(text, code=error.code, argument="rules") from error
        twin = error.placed(text)
        twin.argument = "rules"
        raise twin from error


def need_model(rule: Rule, data: Predictions) -> None:
    """Refuse a rule on a model that the table does not hold."""
    if rule.model is not None and rule.model not in data.models:
        have = shown(data.models) if data.models else "no column `model`"
        raise ParameterError(
            f"{rule.place}: there is no model {quoted(rule.model)}, only {have}"
            f"{near_names(rule.model, data.models)}",
            code="unknown-name",
            argument="rules",
        )
