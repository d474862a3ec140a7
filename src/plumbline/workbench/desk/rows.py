"""The question `rows`: how many rows the data panel leaves."""

from typing import Any

import numpy as np

from plumbline.workbench.desk.inquiry import Inquiry


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Count the rows of the table, of the models and folds chosen, and those the filter keeps."""
    chosen, kept = inquiry.chosen(), inquiry.filtered()
    of_class = np.bincount(kept.actual, minlength=kept.k)
    return {
        "table": inquiry.table.n,
        "chosen": chosen.n,
        "kept": kept.n,
        "effective_n": kept.effective_n,
        "positive": kept.classes[kept.positive],
        "positives": int(of_class[kept.positive]),
    }
