"""The question `about`: what the table holds."""

from typing import Any

from plumbline.binning import unasked_attributes
from plumbline.curves.target_rows import Attributes
from plumbline.errors import InputError
from plumbline.formatting import counted
from plumbline.frames import counting_errors
from plumbline.frames.precision import counting_sentence
from plumbline.predictions import count_examples, group_count
from plumbline.predictions.counted import DRAWN_CELLS
from plumbline.requests.kinds import MOST_NAMES
from plumbline.workbench.questions.inquiry import Inquiry

MOST_VALUES = 50  # that a list of values shows; a convention
LONGEST_VALUE = 200  # characters that a list shows
MOST_ATTRIBUTES = 2000  # as many columns as the start page takes


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Say what there is to choose from; `n` counts examples, `rows` those of every model.

    Of counted rows `rows` are the cells to which they are merged where they are drawn.
    """
    data = inquiry.table
    for what, names in (("classes", data.classes), ("models", data.models), ("folds", data.folds)):
        if len(names) > MOST_NAMES:
            raise InputError(
                f"the table has {len(names):,} {what}, and the workbench shows at most "
                f"{MOST_NAMES:,}; is it the right column?",
                code="too-many-names",
            )
    # What identifies rows, and time, come last: charts and groups open with the first.
    opened = inquiry.memory.once("opened", lambda: unasked_attributes(data))
    last = [name for name in data.attributes if name not in opened]
    shown = [*opened, *last][:MOST_ATTRIBUTES]
    examples = inquiry.memory.once("examples", lambda: count_examples(data))
    fit = Attributes(data.attributes)
    return {
        "name": inquiry.name,
        "read": None if data.reading is None or data.reading.has_part_names else str(data.reading),
        "n": examples.n,
        "rows": min(data.stored, DRAWN_CELLS) if data.counted else data.stored,
        "k": data.k,
        "classes": [
            {"name": name, "n": int(count)}
            for name, count in zip(data.classes, examples.by_class, strict=True)
        ],
        "positive": data.classes[data.positive],
        "models": list(data.models),
        "folds": list(data.folds),
        "has_weight": data.weight is not None and not data.counted,
        "effective_n": examples.effective_n,
        "has_prob": data.prob is not None,
        "has_score": data.score is not None,
        "attributes": [_attribute(fit, name) for name in shown],
        # What identifies rows may recur, and then it names rows that belong together: it is first.
        "groupable": [] if data.counted else [*last, *opened][:MOST_ATTRIBUTES],
        "groups": group_count(data),
        **_warnings(inquiry, len(data.attributes) - len(shown)),
    }


def _warnings(inquiry: Inquiry, left_out: int) -> dict[str, list[str]]:
    """Say that attributes are not listed, and how far numbers of counted rows can be off."""
    texts = []
    if left_out:
        texts.append(f"Not listed, but known to formulas: {counted(left_out, 'more attribute')}.")
    if inquiry.table.levels is not None:
        parts = inquiry.table.by_model().values()
        texts.append(
            inquiry.memory.once(
                "counting errors",
                lambda: counting_sentence([counting_errors(part) for part in parts]),
            ).partition(": ")[2]
        )
    return {"warnings": texts} if texts else {}


def _attribute(fit: Attributes, name: str) -> dict[str, Any]:
    names = fit.names(name)
    if names:
        short = [value for value in names[:MOST_VALUES] if len(value) <= LONGEST_VALUE]
        return {"name": name, "kind": "category", "values": short, "distinct": len(names)}
    low, high = fit.ends(name) or (None, None)
    kind = "truth" if fit.values(name).dtype == bool else "number"
    kind = "date" if fit.is_date(name) else kind  # low and high are days since 1970
    return {"name": name, "kind": kind, "low": low, "high": high}
