"""What a gate answers: a state for every rule, and one for all of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline._result import Detail, Note, Presentation, Result, Table
from plumbline.dependence import RowGroups, group_details, group_notes
from plumbline.formatting import capital, counted, ends, number, percentage, quoted
from plumbline.gate import formats

PASS, FAIL, NOT_ENOUGH = "pass", "fail", "not enough rows"
TONES = {PASS: "good", FAIL: "bad", NOT_ENOUGH: "open"}
EXIT_CODES = {PASS: 0, FAIL: 1, NOT_ENOUGH: 3}
BOUNDED = (
    "Bounds: each one-sided, so that a rule that the model breaks passes in at most 1 - level of "
    "such tables. Rows needed: about, if the value stays."
)
OF_ALL = "Levels of a pass are shared among the rules (familywise, Bonferroni)."
WARNED = "Rules that are not decided do not fail the gate here (on_not_enough = 'warn')."


@dataclass(frozen=True, repr=False, eq=False)
class RuleResult(Result):
    """One rule of a gate, for one model: kept, broken, or not decided by these rows.

    Attributes
    ----------
    rule, place : what the rule is called, and where it stands
    model, metric, view, bins, where : what was measured, of which rows; None where all, and where
        the metric has its usual view or bins
    baseline : what the value is the difference to; None where it is the metric itself
    value : the metric, or its difference to the baseline; NaN where there is none
    low, high : one-sided bounds of the population value: of the level where the rule fails, else
        of the pass level
    at_least, at_most : what the rule asks
    level : of each bound; pass_level : the one that a pass has to meet, higher where it is shared
        among several rules
    state : "pass", "fail" or "not enough rows"
    n : rows; n_needed : about how many decide, if the value stays; None where these do, or no
        number would
    row_groups : groups that the rows are in
    method : how the bounds were computed
    reason : why a number is missing
    """

    rule: str
    place: str
    model: str | None
    metric: str
    view: str | None
    bins: str | None
    where: str | None
    baseline: str | None
    value: float
    low: float
    high: float
    at_least: float | None
    at_most: float | None
    level: float
    pass_level: float
    state: str
    n: int
    n_needed: int | None
    method: str | None
    reason: str | None = None
    row_groups: RowGroups | None = None

    @property
    def asked(self) -> str:
        """The bounds as text."""
        pairs = ((">=", self.at_least), ("<=", self.at_most))
        signs = " and ".join(f"{sign} {bound:g}" for sign, bound in pairs if bound is not None)
        return signs if self.baseline is None else f"difference {signs}"

    @property
    def bounds(self) -> str:
        """Both one-sided bounds as text, "-" where there are none."""
        if self.low != self.low or self.high != self.high:
            return "-"
        return " to ".join(ends(self.low, self.high))

    @property
    def message(self) -> str:
        """What the rule found, in one sentence without its name."""
        if self.value != self.value:
            return f"{capital(self.state)}: {self.reason or 'the value is undefined'}."
        found = f"value {number(self.value)}, bounds {self.bounds}, asked {self.asked}"
        text = f"{capital(self.state)}: {found} (n = {self.n:,})."
        return text if self.state != NOT_ENOUGH else f"{text} {self.needed}"

    @property
    def needed(self) -> str:
        """How many rows would decide, as a sentence."""
        if self.n_needed is None:
            return "No number of rows decides it at this value."
        return f"About {self.n_needed:,} rows decide it, if the value stays."

    def present(self) -> Presentation:
        """Return the state, the number and its bounds."""
        return Presentation(
            subject=self.rule,
            summary=self.message,
            tone=TONES[self.state],
            details=(
                *((Detail("model", "model", self.model),) if self.model is not None else ()),
                Detail("value", "value", number(self.value)),
                Detail("bounds", "one-sided bounds", self.bounds, joined=True),
                Detail("asked", "asked", self.asked),
                Detail("n", "rows", f"{self.n:,}"),
                *group_details(self.row_groups),
            ),
        )


@dataclass(frozen=True, repr=False, eq=False)
class Gate(Result):
    """Whether a model keeps every rule: pass, fail, or not enough rows to tell.

    Attributes
    ----------
    state : "fail" where a rule is broken, else "not enough rows" where one is not decided, else
        "pass"
    level : of each one-sided bound, where a rule has no own
    familywise : whether the levels of passes are shared among the rules
    on_not_enough : "fail" or "warn": what undecided rules do to the exit status
    rules : one result a rule and model
    n : rows of the table
    row_groups : groups that they are in, where these are the same in all rules
    seed : of what was drawn
    """

    state: str
    level: float
    familywise: bool
    on_not_enough: str
    rules: Sequence[RuleResult]
    n: int
    seed: int | None
    row_groups: RowGroups | None = None

    @property
    def exit_code(self) -> int:
        """The exit status of the command: 0 pass, 1 fail, 3 not enough rows (0 if "warn")."""
        if self.state == NOT_ENOUGH and self.on_not_enough == "warn":
            return 0
        return EXIT_CODES[self.state]

    def texts(self) -> Mapping[str, Callable[[], str]]:
        """Return JUnit XML, a Markdown summary, and annotations for GitHub."""
        return {
            ".xml": lambda: formats.junit(self),
            ".md": lambda: formats.markdown(self),
            "github": lambda: formats.annotations(self),
        }

    def count(self, state: str) -> int:
        """Return how many rules are in a state."""
        return sum(one.state == state for one in self.rules)

    @property
    def summary(self) -> str:
        """The answer in one sentence."""
        many = len(self.rules)
        if self.state == PASS:
            kept = "the rule is kept" if many == 1 else f"all {many} rules are kept"
            return f"Pass: {kept}."
        parts = []
        if self.count(FAIL):
            parts.append(f"{self.count(FAIL)} of {counted(many, 'rule')} broken")
        if self.count(NOT_ENOUGH):
            of = "" if parts else f" of {counted(many, 'rule')}"
            parts.append(f"{self.count(NOT_ENOUGH)}{of} not decided by these rows")
        return f"{capital(self.state)}: {', '.join(parts)}."

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row a rule."""
        return [{"reason": None, **one.for_tables()} for one in self.rules]

    def json_entries(self) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]:
        """Return an entry a rule; beside them the state of all and what was decided for all."""
        own = {key: value for key, value in self.to_dict().items() if key != "rules"}
        return [one.to_dict() for one in self.rules], {**own, "exit_code": self.exit_code}

    def present(self) -> Presentation:
        """Return the answer, and a line a rule."""
        rows = self.rules
        columns: dict[str, list[str]] = {"rule": [one.rule for one in rows]}
        if any(one.model is not None for one in rows):
            columns["model"] = [one.model or "-" for one in rows]
        columns |= {
            "state": [one.state for one in rows],
            "value": [number(one.value) for one in rows],
            "bounds": [one.bounds for one in rows],
            "asked": [one.asked for one in rows],
            "rows": [f"{one.n:,}" for one in rows],
        }
        if self.count(NOT_ENOUGH):
            columns["rows needed"] = [
                "-" if one.n_needed is None else f"{one.n_needed:,}" for one in rows
            ]
        levels = {one.level for one in rows}
        legend = [f"Level: {percentage(self.level)}."] if levels == {self.level} else []
        legend += [BOUNDED, *([OF_ALL] if self.familywise else [])]
        legend += [WARNED] if self.on_not_enough == "warn" else []
        reasons: dict[str, list[str]] = {}
        for one in rows:
            if one.reason and one.state == NOT_ENOUGH:
                reasons.setdefault(one.reason, []).append(one.rule)
        notes = [
            Note(f"{', '.join(map(quoted, names))}: {reason}.", "undefined")
            for reason, names in reasons.items()
        ]
        grouped = [one.row_groups for one in rows if one.row_groups is not None]
        return Presentation(
            summary=self.summary,
            tone=TONES[self.state],
            details=group_details(self.row_groups),
            notes=(*notes, *group_notes(min(grouped, key=lambda one: one.count, default=None))),
            tables=(Table(columns, left=("rule", "model", "state")),),
            tables_first=True,
            legend=tuple(legend),
        )


@dataclass(frozen=True, repr=False, eq=False)
class ProposedRules(Result):
    """Rules that today's numbers keep, as a file to be edited.

    Attributes
    ----------
    toml : the text of the file
    rules : number of rules in it
    """

    toml: str
    rules: int

    def texts(self) -> Mapping[str, Callable[[], str]]:
        """Return the file of rules."""
        return {".toml": lambda: self.toml}

    def present(self) -> Presentation:
        """Return the text, line by line."""
        return Presentation(
            summary=f"{counted(self.rules, 'rule')}, from today's numbers; edit them.",
            tables=(
                Table({"rules.toml": self.toml.rstrip("\n").split("\n")}, left=("rules.toml",)),
            ),
            tables_first=True,
        )
