"""The question `rows`: how many examples the data panel leaves."""

from typing import Any

from plumbline.predictions import count_examples, group_count
from plumbline.workbench.questions.inquiry import Inquiry


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Count the examples of the table, of the models and folds chosen, and those the filter keeps.

    `rows` are the rows that the filter keeps, of all chosen models together; `groups`, in how many
    groups they are, None where they are in none.
    """
    whole = inquiry.memory.once("examples", lambda: count_examples(inquiry.table))
    kept = inquiry.filtered()
    examples = count_examples(kept)
    return {
        "table": whole.n,
        "chosen": count_examples(inquiry.chosen()).n,
        "kept": examples.n,
        "rows": kept.total,
        "effective_n": examples.effective_n,
        "positive": kept.classes[kept.positive],
        "groups": group_count(kept),
        "positives": int(examples.by_class[kept.positive]),
    }
