"""How much the name and the values of a column say that it is the truth, or a probability."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np

from plumbline.roles import names as nm
from plumbline.roles.facts import Column, cut_of
from plumbline.roles.names import is_model, plain, related, rest_of, squeezed, words_of

# Weights of evidence, chosen on tables with a known reading (tests/roles). A reading is taken if it
# is `AHEAD` of the next.
OWN, SURE, KNOWN, NEARLY, LIKE, CAN = 8, 6, 4, 3, 2, 1
# With 1, four invented tables are read that have two readings: pytest tests/roles -k careful
AHEAD = 2
MOST_LABELS = 30  # of whole numbers, or of texts that hardly recur: more are IDs or amounts
PROB = "p:"
FEW_ROWS = 20  # below which values say nothing about where a number comes from
DECIDES = 0.97  # share of rows that a prediction follows from the probabilities


def rest(column: Column) -> tuple[str, ...] | None:
    """Return what is left of a column's name without the words of probability."""
    return rest_of(column.words)


def is_marked(column: Column) -> bool:
    """Tell whether a column is called p:CLASS."""
    return column.name.lstrip().startswith(PROB)


def weigh_probability(column: Column, truth: Column | None) -> int:
    """Weigh that a column is a probability, beside a truth; 0 where name or values tell otherwise.

    >>> import numpy as np
    >>> column = Column("churn_prob", "number", 2, np.array([0.2, 0.7]))
    >>> weigh_probability(column, None), weigh_probability(Column("x", "text", 2), None)
    (2, 0)
    """
    if is_marked(column) and (column.is_number or column.kind == "list"):
        return OWN
    if column.kind == "list":
        if column.squeezed in nm.OWN_PROB:
            return OWN
        return KNOWN if column.squeezed in nm.PROB else CAN
    ends = column.kind == "whole" and {*column.values} <= {"0", "1"}
    if not (column.in_unit or (ends and column.squeezed in nm.SURE_PROB)):
        return 0
    if column.squeezed in nm.OWN_PROB:
        return OWN
    left = rest(column)
    if left is None and column.words[-1:] and column.words[-1] in nm.TENDENCY:
        named = truth is not None and _names_truth(column.words[:-1], truth)
        return KNOWN if named else 0
    if truth is not None and left and _names_truth(left, truth):
        own = {*truth.words} | {word for label in truth.labels for word in words_of(label)}
        if {*left} & nm.NOT_PROB <= own:
            return KNOWN + 1
    return _by_name(column, left)


def _names_truth(left: Sequence[str], truth: Column) -> bool:
    labels = [plain(label) for label in truth.labels if not label.isdigit()]
    return related(tuple(left), truth.words) or "_".join(left) in labels


def _by_name(column: Column, left: tuple[str, ...] | None) -> int:
    vetoed = {*(column.words if left is None else left)} & nm.NOT_PROB
    numbered = left is None and any(
        re.fullmatch(r"[xfv]\d+|var\d+|feature\d*|col\d+", word) for word in column.words
    )
    if vetoed or numbered or column.squeezed == "pvalue":
        return 0
    if column.squeezed in nm.PROB or left == () or (left and is_model(left)):
        return KNOWN
    if left is None:
        return NEARLY if is_model(column.words, bare=True) else CAN
    return LIKE


NEVER_TRUTH = (
    nm.PREDICTED | nm.MODEL | nm.ROW | nm.FOLD | nm.REPEAT | nm.SPLIT | nm.WEIGHT
    | nm.SURE_WEIGHT | nm.RUN | nm.NO_OUTCOME
)  # fmt: skip


def weigh_truth(column: Column) -> int:
    """Weigh that a column holds the observed classes.

    >>> import numpy as np
    >>> weigh_truth(Column("y_true", "number", 2, np.array([0.2, 0.7])))
    0
    """
    k, n = len(column.labels), column.n
    many = k > MOST_LABELS and (n / k < 2 or column.kind == "whole")
    if not k or (column.distinct and n > 3) or many:
        return 0
    if column.squeezed in nm.OWN_TRUTH:
        return OWN
    words = column.words
    ends = {*words[:1], *words[-1:]}
    other = words and (words[-1] in {*nm.ID_LAST, "weight"} or nm.part_of_round(words))
    if column.squeezed in NEVER_TRUTH or other or ends & {"pred", "predicted", "prediction"}:
        return 0
    return _truth_by_name(column, k, ends)


def _truth_by_name(column: Column, k: int, ends: set[str]) -> int:
    words = column.words
    if column.squeezed in nm.SURE_TRUTH:
        return SURE
    if column.squeezed in nm.TRUTH:
        return KNOWN
    if len(words) > 1 and (words[-1] in nm.TRUTH_LAST or words[0] in nm.TRUTH_FIRST):
        return LIKE + bool({*words} & nm.TRUTH or words[-1] in nm.SURE_LAST)
    other = {*words} & nm.NOT_TRUTH or {plain(label) for label in column.labels} in nm.SEXES
    if k == 2 and len(words) > 1 and ends & nm.TRUTH and not other:
        return NEARLY
    return CAN if k >= 2 and not other else 0


def class_groups(
    columns: Iterable[Column], labels: Sequence[str], truth: str = ""
) -> dict[str, dict[str, Column]]:
    """Return {prefix: {class: column}} of the columns whose names are labels or end in one.

    Where the name of the truth stands before it, it need not be parted from it.

    >>> groups = class_groups([Column("rf_p_yes", "number", 2)], ["no", "yes"])
    >>> list(groups), list(groups["rf"])
    (['rf'], ['yes'])
    >>> list(class_groups([Column("P_BAD1", "number", 2)], ["0", "1"], "BAD"))
    ['bad']
    """
    stem = squeezed(truth)
    joined = {stem + squeezed(label): label for label in labels} if stem else {}
    marks = [(label, unicodedata.normalize("NFC", label)) for label in labels if label]
    found: dict[str, dict[str, Column]] = {}
    for column in columns:
        name = column.name.lstrip()
        if name.startswith(PROB):
            found.setdefault(PROB, {})[name[len(PROB) :].strip()] = column
            continue
        written = _written_last(name, marks)  # of a class such as an emoji or - no words are left
        hits = [
            (
                len(words_of(label)),
                label in written,
                words[: len(words) - len(words_of(label))],
                label,
            )
            for label in labels
            for words in (column.words, rest(column))
            if words and words_of(label) and words[-len(words_of(label)) :] == words_of(label)
        ]
        hits += [(len(words_of(label)), True, words_of(b), label) for label, b in written.items()]
        whole = {"".join(words) for words in (column.words, rest(column)) if words} & {*joined}
        hits = hits or [(0, False, words_of(truth), joined[one]) for one in whole]
        if hits:
            *_, before, label = max(hits, key=lambda hit: (*hit[:2], -len(hit[2])))
            prefix = "_".join(word for word in before if word not in nm.PROB_WORDS | nm.FILL)
            found.setdefault(prefix, {}).setdefault(label, column)
    return found


def _written_last(name: str, labels: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the classes that a name has as they are written at its end, each with what is before.

    What is before ends in no letter or digit. `labels` are the classes, as they are and composed.
    """
    name = unicodedata.normalize("NFC", name)
    before = {label: name.removesuffix(text) for label, text in labels if name.endswith(text)}
    return {label: text for label, text in before.items() if not text[-1:].isalnum()}


def is_decided(column: Column, columns: Sequence[Column]) -> bool:
    """Tell whether a probability, or the largest of the class columns, decides it.

    Then it is what was predicted, not what was observed. Class columns that are not named after it
    have to decide every row.
    """
    units = [one for one in columns if one.in_unit]
    groups = class_groups(units, column.labels, column.name)
    for prefix, group in groups.items():
        if {*group} != {*column.labels} or len(group) < 2:
            continue
        numbers = [group[label].numbers for label in column.labels]
        matrix = np.column_stack([one for one in numbers if one is not None])
        known = ~np.isnan(matrix).any(axis=1)
        same = matrix[known].argmax(axis=1) == column.codes[known]
        if prefix in (plain(column.name), squeezed(column.name)):
            return bool(len(same) and same.mean() > DECIDES)
        if len(same) >= FEW_ROWS and same.all():
            return True
    if len(column.labels) != 2 or column.n < FEW_ROWS:
        return False
    return any(cut_of(c, column) for c in units if weigh_probability(c, None) >= LIKE)
