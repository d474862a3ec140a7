"""What the page says first: a conclusion in a few sentences, and what it cannot say."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from plumbline.calibration_tests import CalibrationError, CalibrationTest, ReliabilityCurve
from plumbline.formatting import counted, number, p_equals
from plumbline.metrics import ModelScores
from plumbline.reporting.group_chapter import GroupChapter
from plumbline.reporting.model_details import ModelDetails
from plumbline.reporting.page_formats import listed
from plumbline.verdicts import CONSTANT, LEVEL, p_value_text

# `plumbline recalibrate` chooses the map by what the data show; a second choice here could differ.
FREE = "plumbline recalibrate FILE, on held-out rows, which finds the map that helps"
SHIFT = f"{FREE}; for this shape often a shift of the log-odds"
STRETCH = f"{FREE}; for this shape often a temperature"
FEW_ROWS = 50  # below, only gross faults show
MENDS = {
    "over-estimation": SHIFT,
    "under-estimation": SHIFT,
    "overconfident": STRETCH,
    "underconfident": STRETCH,
    "few-bad-points": (
        "look at the rows where something happened that had been given almost no chance, for wrong "
        "labels, broken features or cases unlike all others"
    ),
    "one-bad-class": (
        "ask whether this class was as frequent where the classifier was fitted; then plumbline "
        "recalibrate FILE, on held-out rows, which finds the map that helps"
    ),
    "other": FREE,
    "none": FREE,
}


def conclusion(
    model: ModelScores, curve: ReliabilityCurve, closer: ModelDetails
) -> tuple[str, ...]:
    """Return a few sentences: whether they are true, how far off, in which way, where, what next.

    Empty where there is no test, for want of probabilities.
    """
    test = model.test
    if test is None:
        return ()
    if not _could_reject(test):
        return (f"These {counted(test.n, 'row')} cannot tell: {test.verdict.partition('; ')[2]}",)
    off = test.p_value <= LEVEL or test.impossible_rows > 0
    texts = [_true(test), _far(model.calibration[0], off=off), test.finding or ""]
    texts += [_where(curve) if off else "", _groups(closer.groups)]
    return (*filter(None, texts), _next(test, closer, off=off))


def _could_reject(test: CalibrationTest) -> bool:
    """Whether the test could have rejected anything."""
    return CONSTANT not in test.verdict and 1 / (test.resamples + 1) <= LEVEL


def _true(test: CalibrationTest) -> str:
    if test.p_value <= LEVEL:
        return test.verdict
    rows = counted(test.n, "row")
    p_text = p_value_text(test.p_value, test.resamples, "greater")
    never = f"in {counted(test.impossible_rows, 'row')} something happened that had been given "
    if test.impossible_rows:
        return f"No: {never}probability 0, which true probabilities never do."
    return (
        f"Perhaps: nothing in these {rows} speaks against them ({p_text}), which does not prove "
        "that they are true."
    )


def _far(error: CalibrationError, *, off: bool) -> str:
    """Say how large the first error is, and how much of it is chance."""
    distance = "" if error.distance == "absolute" else f", {error.distance} distance"
    size = (
        f"On average over the bins they are off by {number(error.value)} ({error.view}{distance})"
    )
    low, high = error.null_range
    if not (isfinite(error.value) and isfinite(low)):
        return f"{size}."
    text = f"{size}; by chance alone true ones would be off by {number(error.null_mean)}"
    if error.value > high:
        return f"{text}, which leaves {number(error.value - error.null_mean)}."
    if error.value < low:
        return f"{text}, at least {number(low)}: that is too close to be true."
    return f"{text}{', so that their fault shows elsewhere' if off else ''}."


def _where(curve: ReliabilityCurve) -> str:
    """Name the bin outside its band that weighs most."""
    worst = curve.largest_gap()
    if worst is None:
        return ""
    return (
        f"It shows most where {number(worst['lo'])} to {number(worst['hi'])} was predicted "
        f"({curve.view}): {number(worst['outcome_share'])} happened, not "
        f"{number(worst['mean_probability'])} ({counted(worst['count'], 'row')})."
    )


def _groups(groups: GroupChapter | None) -> str:
    """Say whether a group of rows stands out."""
    if groups is None or groups.slices is None:
        return ""
    rejected = [f"{name} ({one.by})" for one in groups.categories for name in one.rejected]
    verb = "is" if len(rejected) == 1 else "are"
    rejected_text = (
        f"; tested one by one, {listed(rejected, 3)} {verb} rejected" if rejected else ""
    )
    worst = groups.slices.slices[0]
    of = (
        f"{counted(groups.slices.searched, 'slice')} of the rows, {p_equals(groups.slices.p_value)}"
    )
    if not worst["rejected"]:
        return f"No group stands out among {of}{rejected_text}."
    if worst["n"] == groups.slices.n:
        return f"Among {of}, none is worse off than all rows together{rejected_text}."
    return (
        f"Worst off among {of}: {worst['slice']}, where {number(worst['outcome_share'])} happened, "
        f"not {number(worst['mean_probability'])} ({counted(worst['n'], 'row')}){rejected_text}."
    )


def _next(test: CalibrationTest, closer: ModelDetails, *, off: bool) -> str:
    """Say what to do."""
    if test.p_value > LEVEL and test.impossible_rows:
        return "Next: never predict exactly 0; find out what made the classifier so sure."
    if off:
        return f"Next: {MENDS[test.shape or 'other']}; then measure again, on rows not used for it."
    slices = closer.groups.slices if closer.groups is not None else None
    if slices is not None and slices.slices[0]["rejected"]:
        return "Next: look into that group; on the whole rows its fault is averaged away."
    if test.n < FEW_ROWS:
        return f"Next: get more rows; {counted(test.n, 'row')} show gross faults only."
    return (
        "Next: use them as they are, as far as calibration goes; plumbline plan says how large a "
        "fault these rows would have shown, the scores say whether they are of use."
    )


def limits(
    n: Sequence[int],
    details: Sequence[ModelDetails],
    *,
    p_values: int,
    attributes: Sequence[str],
    dishonest: Sequence[str],
) -> tuple[str, ...]:
    """Return what these rows cannot tell; `n` are the rows of every model.

    `dishonest` are the names of the models that were measured on the rows they were fitted on.
    """
    texts = _limits(n, details, p_values, attributes)
    return (*texts, _which_rows(dishonest))


def _which_rows(dishonest: Sequence[str]) -> str:
    if dishonest:
        return (
            f"Which rows: {listed(dishonest)}, that is on rows it was fitted on, which flatter it: "
            "nothing here says how it does on others."
        )
    return (
        "Which rows: all of it is about rows the classifier is taken not to have seen; on those "
        "it was fitted on, probabilities look truer than they are."
    )


def _limits(
    n: Sequence[int], details: Sequence[ModelDetails], p_values: int, attributes: Sequence[str]
) -> Iterator[str]:
    sizes = sorted(set(n))
    rows = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
    yield (
        f"Number of rows: a fault that moves these numbers less than chance does on {rows} rows "
        "would not show. Rows count as independent; copies and several rows of one person promise "
        "more than there is."
    )
    yield (
        "Ranges and intervals: a 95 % range or band is where one number falls if the probabilities "
        "are true, an interval of a bias or of a shape is about what endless labels of these rows "
        "would give. Neither says what another sample or a newly fitted model would give."
    )
    yield (
        f"Multiplicity: this page looks at about {p_values:,} p-values. Those called adjusted or "
        "corrected know of their own table alone, the others of nothing but themselves: of twenty "
        "on true probabilities, expect one below 0.05."
    )
    groups = [part.groups for part in details if part.groups is not None]
    if not attributes:
        yield (
            "Groups: none were looked at, for the table holds no attributes. Probabilities that "
            "are true on the whole can be wrong for every group."
        )
    else:
        searched = dict.fromkeys(a for g in groups if g.slices is not None for a in g.slices.by)
        known = {a for g in groups for a in g.attributes} | set(searched)
        never = [name for name in attributes if name not in known]
        looked = [name for name in attributes if name in known]
        text = f"Groups: looked at by {listed(looked, 8)}" if looked else "Groups: none looked at"
        text += f"; not by {listed(never, 8)}" if never else ""
        yield f"{text}. What is no column of the table was not looked at."


def counted_p_values(value: Any) -> int:
    """Return how many p-values a result holds, as plain Python.

    >>> counted_p_values({"p_value": 0.1, "parts": [{"p_value": 0.2}, {"p_value": None}]})
    2
    """
    if isinstance(value, dict):
        own = int(value.get("p_value") is not None or value.get("adjusted_p_value") is not None)
        return own + sum(map(counted_p_values, value.values()))
    return sum(map(counted_p_values, value)) if isinstance(value, list) else 0
