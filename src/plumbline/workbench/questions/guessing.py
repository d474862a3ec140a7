"""What the columns of a stranger's table seem to mean: a guess to be shown, never to be trusted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plumbline.predictions.arrays import CODED, MARKS, RESERVED
from plumbline.predictions.columns import class_marked
from plumbline.workbench.questions.column_facts import ColumnFacts
from plumbline.workbench.questions.outcomes import classes_of, outcome, plain_name

PROB, SCORE = MARKS
LABELS = ("predicted", *CODED)
TRUTH = (
    "actual",
    "y_true",
    "true_class",
    "true_label",
    "ground_truth",
    "truth",
    "gold",
    "label",
    "labels",
    "target",
    "class",
    "outcome",
    "observed",
    "response",
    "y_test",
    "true",
    "y",
    "gt",
)
PROBABILITY_NAMES = (
    "y_prob",
    "prob",
    "proba",
    "probability",
    "y_proba",
    "y_pred_proba",
    "prob_positive",
    "probability_positive",
    "predicted_probability",
    "pred_proba",
    "pred_prob",
    "y_score",
    "p",
    "score",
    "scores",
    "confidence",
    "prediction",
    "predictions",
    "pred",
    "y_pred",
    "y_hat",
    "risk",
)
OTHERS: Mapping[str, tuple[str, ...]] = {
    "predicted": (
        "predicted",
        "predicted_class",
        "predicted_label",
        "pred_label",
        "pred_class",
        "y_pred",
        "pred",
        "prediction",
        "y_hat",
    ),
    "score": ("score", "decision_function", "decision", "logit", "margin", "rating"),
    "model": ("model", "modell", "classifier", "algorithm", "estimator", "method"),
    "fold": ("fold", "folds", "cv_fold", "test_fold", "outer_fold", "split"),
    "repeat": ("repeat", "repetition", "rep"),
    "row": (
        "row",
        "id",
        "index",
        "example",
        "example_id",
        "sample_id",
        "case_id",
        "record_id",
        "uid",
        "zeile",
    ),
    "weight": ("weight", "weights", "sample_weight", "case_weight", "gewicht"),
}
COUNTED = ("model", "fold", "repeat", "row")  # parts whose names may end in one of these:
ENDINGS = ("", "nr", "no", "num", "number", "nummer", "name", "id", "idx", "index")
BEFORE = ("", "p_", "p", "prob_", "proba_", "prob", "proba", "probability_", "score_", "pred_")


@dataclass(slots=True)
class Roles:
    """What columns mean, in the words of `plumbline.read`."""

    actual: str | None = None
    prob: dict[str, str] = field(default_factory=dict)
    rename: dict[str, str] = field(default_factory=dict)
    positive: str | None = None
    positive_why: str | None = None
    kinds: dict[str, str] = field(default_factory=dict)
    kept: tuple[str, ...] = ()  # columns whose own name tells

    def plays(self, *parts: str) -> bool:
        """Tell whether a column has one of some parts; `score` also as a score a class."""
        names = (*self.rename.values(), *self.kept)
        return any(name in parts or (name.startswith(SCORE) and "score" in parts) for name in names)

    def has_number_labels(self) -> bool:
        """Tell whether columns that are labels were read as numbers."""
        labels = [self.actual, *(c for c, part in self.rename.items() if part in LABELS)]
        return any(self.kinds.get(str(name), "text") != "text" for name in labels)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that `opened` takes."""
        return {
            "actual": self.actual,
            "prob": dict(self.prob),
            "rename": dict(self.rename),
            "positive": self.positive,
            "normalize": False,
        }


def guessed(facts: Sequence[ColumnFacts]) -> Roles:
    """Guess what columns mean: by the names of the prediction table, by common names, by values.

    >>> import pyarrow as pa
    >>> from plumbline.workbench.questions.column_facts import facts_of
    >>> table = pa.table({"label": [0, 1, 1], "prob_1": [0.2, 0.7, 0.4], "age": [31, 54, 40]})
    >>> roles = guessed(facts_of(table))
    >>> roles.actual, roles.prob, roles.positive
    ('label', {'prob_1': '1'}, '1')
    """
    roles = Roles(kinds={fact.name: fact.kind for fact in facts})
    roles.kept = tuple(f.name for f in facts if f.name.startswith(SCORE) or f.name in RESERVED)
    truth = _truth(facts)
    roles.actual = None if truth is None else truth.name
    free = [fact for fact in facts if fact is not truth]
    classes = classes_of(truth, free)
    roles.positive, roles.positive_why = outcome(truth, classes)
    roles.prob = _probabilities(free, classes, roles.positive)
    if len(roles.prob) == 1 and roles.positive not in (None, *roles.prob.values()):
        ((column, roles.positive),) = roles.prob.items()
        roles.positive_why = f"{column} holds the probability of {roles.positive}."
    rest = [fact for fact in free if fact.name not in roles.prob]
    roles.rename = _others(rest, classes, roles)
    return roles


def labels_by_name(names: Sequence[str]) -> dict[str, str]:
    """Return {column: part} of those that hold labels, as far as common names tell.

    >>> labels_by_name(["Label", "prob_1", "cv_fold"])
    {'Label': 'actual', 'cv_fold': 'fold'}
    """
    known = dict.fromkeys(map(_squeezed, TRUTH), "actual")
    known |= {_squeezed(name): part for part in CODED for name in _spellings(part)}
    return {name: known[_squeezed(name)] for name in names if _squeezed(name) in known}


def _squeezed(name: str) -> str:
    """Return a name without what parts its words: `Row Id`, `row_id` and `rowid` are the same."""
    return plain_name(name).replace("_", "")


def _spellings(part: str) -> Sequence[str]:
    """Return the common names of a part, the plainest first."""
    endings = ENDINGS if part in COUNTED else ("",)
    return [name + ending for ending in endings for name in OTHERS[part]]


def _named(
    facts: Sequence[ColumnFacts], names: Sequence[str], fits: Callable[[ColumnFacts], bool]
) -> ColumnFacts | None:
    """Return the column with the first of some names that fits; its exact name goes first."""
    for wanted in names:
        for fact in sorted(facts, key=lambda fact: fact.name != wanted):
            if _squeezed(fact.name) == _squeezed(wanted) and fits(fact):
                return fact
    return None


def _truth(facts: Sequence[ColumnFacts]) -> ColumnFacts | None:
    """Return the column of true classes: by its name, else the one column of two values."""
    by_name = _named(facts, TRUTH, lambda fact: fact.values is not None and not fact.in_unit)
    if by_name is not None:
        return by_name
    known = {_squeezed(name) for part in OTHERS for name in _spellings(part)}
    two = [f for f in facts if len(f.names) == 2 and _squeezed(f.name) not in known]
    binary = [f for f in two if set(f.names) == {"0", "1"} or f.kind == "true or false"]
    for names in (two, binary):
        if len(names) == 1:
            return names[0]
    return None


def _probabilities(
    facts: Sequence[ColumnFacts], classes: Sequence[str], positive: str | None
) -> dict[str, str]:
    """Return {column: class} by marks, by names that hold a class, by a common name, by sums."""
    targets = {fact.name: class_marked(fact.name, PROB) for fact in facts}
    marked = {name: target for name, target in targets.items() if target and target.strip()}
    if marked:
        return marked
    inside = [fact for fact in facts if fact.in_unit or _is_constant(fact)]
    by_class = _by_class(inside, classes)
    if by_class and len(by_class) == len(classes):
        return by_class
    ends = [fact for fact in facts if fact.is_number and set(fact.names) <= {"0", "1"}]
    all_sure = _by_class([*inside, *ends], classes)  # as of a tree that is never in doubt
    if len(all_sure) == len(classes) and not all_sure.keys().isdisjoint(f.name for f in inside):
        return all_sure
    if by_class and len(classes) == 2:
        return by_class
    if positive is None:
        return {}
    single = _named(inside, PROBABILITY_NAMES, lambda fact: fact.in_unit)
    if single is not None:
        return {single.name: positive}
    alone = [fact for fact in inside if fact.in_unit and fact.kind == "number"]
    return {alone[0].name: positive} if len(alone) == 1 else {}


def _is_constant(fact: ColumnFacts) -> bool:
    """Tell whether it holds 0 or 1 alone, as the probabilities of a class that never comes may."""
    return fact.is_number and fact.names in (("0",), ("1",))


def _by_class(facts: Sequence[ColumnFacts], classes: Sequence[str]) -> dict[str, str]:
    """Return the columns whose names end in a class: prob_yes, P(yes), yes.

    A number alone names a class where every class has such a column, as in a frame of
    `predict_proba`.
    """
    names = {plain_name(fact.name) for fact in facts}
    bare = len(classes) > 1 and names.issuperset(map(plain_name, classes))
    by_class: dict[str, str] = {}
    for name in classes:
        wanted = {before + plain_name(name) for before in BEFORE}
        if plain_name(name).isdigit() and not bare:
            wanted.discard(plain_name(name))
        for fact in facts:
            if plain_name(fact.name) in wanted and fact.name not in by_class:
                by_class[fact.name] = name
                break
    return by_class


def _others(facts: Sequence[ColumnFacts], classes: Sequence[str], roles: Roles) -> dict[str, str]:
    """Return {column: part} of the columns with common names; an own name needs no other."""
    parts: dict[str, str] = {}
    for part in OTHERS:
        if any(fact.name == part for fact in facts):
            continue
        free = [fact for fact in facts if fact.name not in parts and fact.name not in RESERVED]
        column = _named(free, _spellings(part), lambda fact, part=part: _fits(part, fact, classes))  # type: ignore[misc]
        if column is not None and not (part == "score" and roles.prob):
            parts[column.name] = part
    return parts


def _fits(part: str, fact: ColumnFacts, classes: Sequence[str]) -> bool:
    if part == "predicted":
        return bool(fact.names) and set(fact.names) <= set(classes)
    if part in ("score", "weight"):
        return fact.is_number and fact.low is not None and (part == "score" or fact.low >= 0)
    if part == "row":
        rows = {rows for _, rows in fact.values or ()}  # the same of each: a row of every model
        return fact.distinct or fact.values is None or len(fact.values) > max(rows) == min(rows)
    return fact.values is not None
