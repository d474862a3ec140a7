"""Which column of a table plays which part: one pure function of names, first rows and the user.

What has one reading is read; what has several is refused with all of them, each ready to paste.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations, product

import numpy as np

from plumbline._checks import nearest, shown
from plumbline.formatting import quoted
from plumbline.roles import names as nm
from plumbline.roles.evidence import (
    AHEAD,
    CAN,
    KNOWN,
    LIKE,
    OWN,
    is_decided,
    weigh_probability,
    weigh_truth,
)
from plumbline.roles.facts import NEAR_ONE, Column
from plumbline.roles.names import plain, words_of
from plumbline.roles.own import TRUTHS, own_reading
from plumbline.roles.positive import both_classes, named_after_column, usual_pair
from plumbline.roles.probabilities import readings_beside
from plumbline.roles.reading import ATTRIBUTE, Reading, Said, UnclearColumns
from plumbline.roles.sides import RECURS, Question, Sides, sides_of

NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?", re.IGNORECASE)
MOST_SHOWN = 6  # readings that a refusal prints: more are not compared by eye
TIMES_REPEATED = 8  # rows of each value from which equal sequences of labels are no chance
MOST_RUNS = 20  # values of a column that may hold models under another name


def decide(columns: Sequence[Column], said: Said | None = None) -> Reading:
    """Return the one reading of the columns of a table.

    Raises UnclearColumns, with the readings to choose from, where there is none or several.

    >>> import pyarrow as pa
    >>> from plumbline.roles import columns_of
    >>> table = pa.table({"default": [0, 1, 1], "pd": [0.2, 0.7, 0.4], "age": [31, 54, 40]})
    >>> print(decide(columns_of(table)))
    Read: actual = default (1 is positive), probability = pd
    """
    said = said or Said()
    _refuse_no_header(columns, said)
    apart = {*said.attributes}
    used = [one.scaled(said) for one in columns if one.name not in apart]
    own = own_reading(used, said)
    reading, questions = own or _guessed(used, said)
    reading = said.noted(_asked(reading, questions))
    return replace(reading, why=_why(reading, used, said))


def _why(reading: Reading, columns: Sequence[Column], said: Said) -> str:
    """Return what tells the positive class of two; empty of more."""
    truth = next((column for column in columns if column.name == reading.actual), None)
    labels = () if truth is None else both_classes(truth.labels)
    if len(labels) != 2:
        return ""
    if said.positive is not None:
        return "said"
    if len(reading.prob) == 1 and reading.prob[0][1] is not None:
        return "prob"
    pair = usual_pair(labels)
    if pair is not None and reading.positive in (None, pair[1]):
        return "pair"
    if reading.positive == named_after_column(reading.actual, labels):
        return "truth" if reading.positive else "last"
    return "predicted" if "predicted" in reading.parts and len(reading.prob) == 1 else "last"


def _refuse_no_header(columns: Sequence[Column], said: Said) -> None:
    names = [column.name for column in columns]
    texts = [one for one in columns if not NUMBER.fullmatch(one.name.strip())]
    if said.actual is not None or len(texts) > 1 or (texts and not _is_a_row(columns, texts[0])):
        return
    if {*names} == {*map(str, range(len(names)))}:  # as frames without names have them
        return
    parts = [f"column_{place}" for place in range(1, len(names) + 1)]
    pairs = [j for j, one in enumerate(columns) if len(one.labels) == 2 and usual_pair(one.labels)]
    truths = [j for j in pairs if texts or set(columns[j].values) == {"0", "1"}]
    units = [j for j, one in enumerate(columns) if one.in_unit]
    readings = []
    if len(truths) == len(units) == 1:
        parts[truths[0]], parts[units[0]] = "y_true", "y_prob"
        readings = [Reading("y_true", (("y_prob", None),))]
    raise UnclearColumns(
        f"the first row holds numbers, {shown(names)}, where the names of the columns should be",
        code="no-header",
        readings=readings,
        extra=[("names", parts)],
    )


def _is_a_row(columns: Sequence[Column], text: Column) -> bool:
    """Tell whether a header of numbers and one text is a row: the text is a label of its column."""
    fractions = any("." in column.name for column in columns if column is not text)
    return fractions and len(columns) > 1 and text.name.strip() in text.labels


# ---------------------------------------------------------------- truth


def _guessed(columns: Sequence[Column], said: Said) -> tuple[Reading, list[Question]]:
    sides = sides_of(columns, said, own=False)
    truths = _truths(columns, sides, said)
    long = _one_row_a_class(columns, truths, sides, said)
    if long is not None:
        return long, []
    found: list[Reading] = []
    refusals: list[tuple[Column, UnclearColumns]] = []
    for truth in truths:
        try:
            found += readings_beside(truth, _without_others(truth, truths, columns), sides, said)
        except UnclearColumns as refusal:
            refusals.append((truth, refusal))
    first = _best(columns, truths, sides, found, refusals, said)
    return first, _questions(first, columns, sides, said)


def _without_others(
    truth: Column, truths: Sequence[Column], columns: Sequence[Column]
) -> Sequence[Column]:
    """Return columns without those that belong to another truth: of `b_correct`, `b_confidence`."""
    own = {*truth.words}
    others = [{*one.words} - own for one in truths if one is not truth]
    if not any(own & {*column.words} for column in columns if column not in truths):
        return columns
    return [
        column
        for column in columns
        if column in truths
        or own & {*column.words}
        or not any(other & {*column.words} for other in others)
    ]


def likeliest_truths(columns: Sequence[Column]) -> list[Column]:
    """Return the columns that may be the truth and of which none is clearly likelier than another.

    >>> import pyarrow as pa
    >>> from plumbline.roles import columns_of
    >>> table = pa.table({"default": [0, 1, 1], "sex": ["f", "m", "f"], "age": [31, 54, 40]})
    >>> [column.name for column in likeliest_truths(columns_of(table))]
    ['default']
    """
    weights = {column.name: weigh_truth(column) for column in columns}
    best = max(weights.values(), default=0)
    return [one for one in columns if weights[one.name] > max(0, best - AHEAD)]


def _weight(truth: Column, said: Said) -> int:
    return OWN if truth.name == said.actual else weigh_truth(truth)


def _truths(columns: Sequence[Column], sides: Sides, said: Said) -> list[Column]:
    """Return the columns that may be the truth, the likeliest first."""
    if said.actual is not None:
        return [column for column in columns if column.name == said.actual]
    taken = {*sides.columns.values(), *said.prob}
    truths = [
        column
        for column in columns
        if weigh_truth(column)
        and column.name not in taken
        and weigh_probability(column, None) < KNOWN
    ]
    truths.sort(key=lambda column: (-weigh_truth(column), plain(column.name)))
    for one, other in combinations(tuple(truths), 2):  # the same labels twice are one truth
        if one in truths and other in truths and one.same_as(other):
            truths.remove(other)
    followed = {t.name for t in truths if weigh_truth(t) <= KNOWN and is_decided(t, columns)}

    def kept(truth: Column) -> bool:
        rivals = (t for t in truths if t.name not in followed)
        return truth.name not in followed or not any(
            weigh_truth(t) >= LIKE or {*t.labels} == {*truth.labels} for t in rivals
        )

    return [truth for truth in truths if kept(truth)]


def _one_row_a_class(
    columns: Sequence[Column], truths: Sequence[Column], sides: Sides, said: Said
) -> Reading | None:
    """Return the reading of a table in which every ID has one row a class, if it is one."""
    told = said.parts.get("class")
    known = {sides.columns.get(RECURS), sides.columns.get("row")}
    ids = next((column for column in columns if column.name in known), None)
    if ids is None:
        return None
    parts = {part: name for part, name in sides.columns.items() if part not in (RECURS, "row")}
    classes = [column for column in columns if column.name == told]
    free = [c for c in columns if c.labels and c is not ids and c.name not in parts.values()]
    for truth, klass in product(truths, classes if told else free):
        prob = next((c for c in columns if _may_be_probability(c, truth, said)), None)
        if prob is None or klass is truth or not _is_complete(ids, klass):
            continue
        named = bool(told) or min(weigh_truth(truth), weigh_truth(klass)) > CAN
        same = {*klass.labels} >= {*truth.labels} and (bool(told) or _is_constant(ids, truth))
        if (named and same) or _marks_one_row(ids, truth, prob):
            return Reading(
                truth.name,
                ((prob.name, None),),
                shape="long",
                parts={**parts, "row": ids.name, "class": klass.name},
            )
    return None


def _may_be_probability(column: Column, truth: Column, said: Said) -> bool:
    return column.name in said.prob or weigh_probability(column, truth) >= KNOWN


def _is_complete(ids: Column, klass: Column) -> bool:
    """Tell whether every ID has every class once."""
    pairs = np.unique(np.column_stack([ids.keys, klass.keys]), axis=0)
    return len(pairs) == ids.n == len(np.unique(ids.keys)) * len(klass.labels)


def _is_constant(ids: Column, column: Column) -> bool:
    """Tell whether a column has one value for each ID."""
    pairs = np.unique(np.column_stack([ids.keys, column.keys]), axis=0)
    return len(pairs) == len(np.unique(ids.keys))


def _marks_one_row(ids: Column, truth: Column, prob: Column) -> bool:
    """Tell whether one row of each ID is marked 1 or yes, and its probabilities sum to 1."""
    pair = usual_pair(truth.labels) if len(truth.labels) == 2 else None
    if pair is None or prob.numbers is None or truth.has_missing:
        return False
    home = np.unique(ids.keys, return_inverse=True)[1]
    marked = np.bincount(home, weights=truth.codes == truth.values.index(pair[1]))
    total = np.bincount(home, weights=prob.numbers)
    return bool((marked == 1).all() and (np.abs(total - 1) < NEAR_ONE).all())


# ---------------------------------------------------------------- choice


def _best(
    columns: Sequence[Column],
    truths: Sequence[Column],
    sides: Sides,
    found: Iterable[Reading],
    refusals: Sequence[tuple[Column, UnclearColumns]],
    said: Said,
) -> Reading:
    """Return the reading that is ahead of all others; raise what must be asked instead."""
    by_name = {column.name: column for column in columns}
    readings = sorted(found, key=lambda reading: -reading.score)
    top = _weight(truths[0], said) if truths else 0
    first_refused = bool(refusals) and refusals[0][0] is truths[0]
    if not readings or (first_refused and not _outweighs(readings[0], top, by_name, said)):
        raise _no_reading(columns, sides, refusals, said)
    first = readings[0]
    rivals = [one for one in readings[1:] if one.score > first.score - AHEAD]
    if not rivals and _is_one_of_unknown(first, truths, by_name, said):
        rivals = readings[1:]
    if rivals:
        raise UnclearColumns(
            "the table has more than one reading",
            code="several-readings",
            readings=_distinct([first, *rivals]),
        )
    return first


def _distinct(readings: Sequence[Reading]) -> list[Reading]:
    kept: list[Reading] = []
    for one in readings:
        if all(one.options() != other.options() for other in kept):
            kept.append(one)
    return kept[:MOST_SHOWN]


def _outweighs(reading: Reading, top: int, by_name: dict[str, Column], said: Said) -> bool:
    """Tell whether a reading says enough although the likeliest truth has none."""
    own = _weight(by_name[reading.actual], said)
    truth = by_name[reading.actual]
    right = bool({truth.squeezed, *truth.words[-1:]} & nm.CORRECT)  # says it beside gold, answer
    return right or reading.score >= top + KNOWN or reading.score >= own + KNOWN + 1


def _is_one_of_unknown(
    reading: Reading, truths: Sequence[Column], by_name: dict[str, Column], said: Said
) -> bool:
    """Tell whether nothing but two values makes a column the truth, as others have them too."""
    weight = _weight(by_name[reading.actual], said)
    alike = sum(_weight(t, said) == CAN and len(t.labels) == 2 for t in truths)
    return (
        weight <= CAN
        and alike > 1
        and reading.score > weight
        and reading.shape != "classes"
        and reading.score < KNOWN + LIKE + CAN
    )


def _no_reading(
    columns: Sequence[Column],
    sides: Sides,
    refusals: Sequence[tuple[Column, UnclearColumns]],
    said: Said,
) -> UnclearColumns:
    """Return why a table has no reading: what was found, what is missing, what would work."""
    known = nm.OWN_TRUTH | nm.SURE_TRUTH | nm.TRUTH
    likely = any(weigh_truth(column) >= KNOWN for column in columns)
    taken = {*sides.columns.values()}
    odd = next(
        (c for c in columns if c.squeezed in known and c.name not in taken and not weigh_truth(c)),
        None,
    )
    if said.actual is None and odd is not None and not likely:
        swapped = [c for c in columns if odd.in_unit and {*c.values} == {"0", "1"}]
        more = "; are the columns swapped?" if swapped else ""
        return UnclearColumns(
            f"column {quoted(odd.name)} is named as the true classes and holds {_held(odd)}{more}",
            code="truth-unlike",
            readings=[Reading(one.name, ((odd.name, None),)) for one in swapped],
        )
    if refusals:  # rather one that says what would work
        return next((one for _, one in refusals if one.readings), refusals[0][1])
    told = next((column for column in columns if column.name == said.actual), None)
    if told is not None and not told.labels:
        return UnclearColumns(
            f"column {quoted(told.name)} is named as the true classes and holds {_held(told)}",
            code="truth-unlike",
        )
    names = [column.name for column in columns]
    return UnclearColumns(
        f"no column is known to hold the true classes; the columns are {shown(names)}. Name it "
        "with `actual`, or the file that holds them with `labels`",
        code="columns-unknown",
        readings=_of_only_two_values(columns, sides, said),
        near=next(filter(None, (nearest(name, names) for name in TRUTHS)), None),
    )


def _of_only_two_values(columns: Sequence[Column], sides: Sides, said: Said) -> Sequence[Reading]:
    """Return the readings of a table in which one column alone has two values, as the truth."""
    taken = {*sides.columns.values()}
    pairs = [one for one in columns if len(one.labels) == 2 and one.name not in taken]
    if said.actual is not None or len(pairs) != 1:
        return []
    try:
        return readings_beside(pairs[0], columns, sides, replace(said, actual=pairs[0].name))
    except UnclearColumns as refusal:
        return refusal.readings


def _held(column: Column) -> str:
    kinds = {"whole": "whole numbers", "bool": "true and false", "text": "texts", "date": "dates"}
    kinds |= {"list": "lists", "empty": "nothing", "nested": "nested values"}
    if column.kind in ("number", "percent"):
        return "numbers with fractions, no classes"
    return f"{kinds[column.kind]}, {len(column.values):,} different ones, no classes"


# ---------------------------------------------------------------- what must be asked


def _questions(
    first: Reading, columns: Sequence[Column], sides: Sides, said: Said
) -> list[Question]:
    """Return the columns that must be understood before a table is read."""
    by_name = {column.name: column for column in columns}
    questions = list(sides.questions)
    again = _repeats(first, columns, by_name)
    if again is not None:
        text = "models, as the same rows come again under each of its values"
        questions.append(Question(again, text, ("model", ATTRIBUTE)))
    times = (c for c in columns if c.squeezed in nm.TIMES and c.is_number and c.ends[0] >= 0)
    timed = next((column for column in times if column.name not in said.columns), None)
    if timed is not None and {*words_of(first.actual)} & nm.CENSORED:
        text = "the time to an event that had not come yet in other rows"
        questions.append(Question(timed.name, text, (ATTRIBUTE,)))
    return questions


def _asked(first: Reading, questions: Sequence[Question]) -> Reading:
    """Return a reading unless another column must be understood before it."""
    if not questions:
        return first
    raise UnclearColumns(
        "; ".join(f"column {quoted(one.column)} may hold {one.text}" for one in questions),
        code="column-unclear",
        readings=[
            reduce(_with_part, zip((one.column for one in questions), parts, strict=True), first)
            for parts in product(*(one.parts for one in questions))
        ][:MOST_SHOWN],
    )


def _with_part(reading: Reading, told: tuple[str, str]) -> Reading:
    column, part = told
    if part == ATTRIBUTE:
        return replace(
            reading, attributes=tuple({**dict.fromkeys(reading.attributes), column: None})
        )
    return replace(
        reading,
        parts={**reading.parts, part: column},
        attributes=tuple(name for name in reading.attributes if name != column),
        settled=(*reading.settled, column),
    )


def _repeats(first: Reading, columns: Sequence[Column], by_name: dict[str, Column]) -> str | None:
    """Return a column under each of whose values the same rows come again, as of models."""
    truth = by_name[first.actual]
    if "model" in first.parts or first.shape not in ("single", "classes", "lists"):
        return None
    if len(truth.labels) < 2:
        return None
    playing = {first.actual, *first.parts.values(), *(c for c, _ in first.prob)}
    for column in columns:
        if column.name in playing or column.kind in ("list", "nested", "empty"):
            continue
        if nm.part_of_round(column.words) is not None:  # the number of a draw, as its name says
            continue
        if not column.has_few(MOST_RUNS) or not 2 <= len(np.unique(column.keys)) <= MOST_RUNS:
            continue
        ids = None if column.name == first.recurs else by_name.get(first.recurs or "")
        if _comes_again(truth, column, ids):
            return column.name
    return None


def _comes_again(truth: Column, column: Column, ids: Column | None) -> bool:
    k = len(np.unique(column.keys))
    if ids is not None:
        pairs = np.unique(np.column_stack([ids.keys, column.keys]), axis=0)
        if len(pairs) == column.n:
            each = np.unique(ids.keys, return_counts=True)[1]
            complete = column.n == len(each) * k and len({*each.tolist()}) == 1
            return complete and (truth.squeezed in nm.CORRECT or _is_constant(ids, truth))
    if column.n < TIMES_REPEATED * k:
        return False
    return len({truth.codes[column.keys == key].tobytes() for key in np.unique(column.keys)}) == 1
