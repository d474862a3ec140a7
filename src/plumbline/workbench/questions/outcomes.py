"""Which outcome an opened file seems to be about, and why: a guess to be shown and changed.

Presentation: the table is read with what the user confirms.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from plumbline.formatting import counted
from plumbline.workbench.questions.column_facts import ColumnFacts

POSITIVE = (
    "1",
    "true",
    "yes",
    "y",
    "ja",
    "j",
    "positive",
    "positiv",
    "pos",
    "t",
    "event",
    "case",
    "malignant",
    "cancer",
    "bad",
    "default",
    "defaulted",
    "fraud",
    "spam",
    "churn",
    "churned",
    "sick",
    "ill",
    "diseased",
    "dead",
    "died",
    "failed",
    "failure",
    "abnormal",
    "anomaly",
)
OPPOSITE = {
    "0": "1",
    "False": "True",
    "false": "true",
    "no": "yes",
    "No": "Yes",
    "nein": "ja",
    "1": "0",
    "True": "False",
    "true": "false",
    "yes": "no",
    "Yes": "No",
    "ja": "nein",
}
PROBABILITY_OF = re.compile(r"(?:p|prob|proba|probability)[\W_]+(\w.*?)\W*", re.IGNORECASE)
NO_CLASS = ("value", "values", "positive", "pos", "class", "pred", "predicted")
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


class Outcome(NamedTuple):
    """The class that is probably meant, and a sentence that says why."""

    name: str | None
    why: str | None = None


def plain_name(name: str) -> str:
    """Return a name as it is compared: `Prob (Yes)` and `prob_yes` are the same.

    >>> plain_name("Prob (Yes)"), plain_name("P(Männlich)")
    ('prob_yes', 'p_maennlich')
    """
    folded = unicodedata.normalize("NFC", name).casefold().translate(UMLAUTS)
    letters = [c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c)]
    return re.sub(r"[\W_]+", "_", "".join(letters)).strip("_")


def classes_of(truth: ColumnFacts | None, others: Sequence[ColumnFacts]) -> tuple[str, ...]:
    """Return the classes that occur; of a single one, also the other, where something tells it."""
    names = () if truth is None else tuple(name for name in truth.names if name)
    if len(names) != 1:
        return names
    matches = (PROBABILITY_OF.fullmatch(fact.name) for fact in others if fact.in_unit)
    heard = [match[1] for match in matches if match and plain_name(match[1]) not in NO_CLASS]
    new = [name for name in heard if plain_name(name) != plain_name(names[0])]
    if heard and not new:
        return names  # the only column is that of the only class
    other = new[0] if len(new) == 1 else OPPOSITE.get(names[0])
    return names if other is None else (*names, other)


def outcome(truth: ColumnFacts | None, classes: Sequence[str]) -> Outcome:
    """Return the class that a question of two classes is usually about.

    By its name; else the rarer one, as what is to be detected mostly is.
    """
    rows = {} if truth is None else dict(truth.values or ())
    if len(classes) == 1:
        return Outcome(classes[0], f"Every row is {classes[0]}: most measures need a second class.")
    if len(classes) != 2:
        return Outcome(None)
    meant = [name for name in classes if plain_name(name) in POSITIVE]
    only = [name for name in classes if name in rows]
    if len(only) == 1:
        name = next((name for name in classes if name in meant and len(meant) == 1), classes[-1])
        return Outcome(name, f"Every row is {only[0]}: most measures need both classes.")
    if len(meant) == 1:
        return Outcome(meant[0], f"{meant[0]} is chosen by its name.")
    first, second = (rows.get(name, 0) for name in classes)
    if first == second:
        return Outcome(classes[-1], "Both classes have the same number of rows. Choose one.")
    rare = classes[0] if first < second else classes[1]
    text = f"{rare} is chosen because it is rarer: {counted(min(first, second), 'row')}."
    return Outcome(rare, text)
