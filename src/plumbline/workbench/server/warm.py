"""Imported once by the process that all workers are copied from, so that none of them is cold.

Whatever a first question would have to load or compile is loaded and compiled here. Importing this
module has that effect and no other use.
"""

import gc
from importlib import import_module, util
from typing import Any

import numpy as np

from plumbline.predictions import Predictions
from plumbline.workbench.questions import TableQuestions
from plumbline.workbench.questions.table_questions import KINDS

LIBRARIES = ("pyarrow.csv", "pyarrow.parquet", "narwhals")
ROWS = 4000  # enough for every path that long tables take
QUESTIONS: tuple[dict[str, Any], ...] = (
    {"kind": "about"},
    {"kind": "requests", "data": {}},
    {"kind": "curve", "width": 100, "curve": {"x": "FPR", "y": "TPR"}},
    {"kind": "curve", "width": 100, "curve": {"x": "threshold", "y": "cumm(amount if eP else -1)"}},
    {"kind": "curve", "width": 100, "curve": {"preset": "roc", "average": "vertical"}},
    {"kind": "reading", "curve": {"x": "FPR", "y": "TPR"}, "threshold": 0.5},
    {"kind": "confusion", "threshold": 0.5},
)


def _load() -> None:
    for name in LIBRARIES:
        import_module(name)
    for name in KINDS.values():
        module = f"plumbline.workbench.questions.{name}"
        if util.find_spec(module) is not None:
            import_module(module)


def _ask() -> None:
    rows = np.arange(ROWS)
    prob = (rows * 37 % ROWS + 0.5) / ROWS
    # Not from a frame: Arrow loads pandas to take arrays, and no question needs it.
    table = Predictions.from_arrays(
        rows % 3 % 2, prob, fold=rows % 2, attributes={"amount": rows.astype(float)}
    )
    questions = TableQuestions(table)
    for question in QUESTIONS:
        questions.answer(question)


_load()
_ask()
gc.freeze()  # what is here stays, so that the workers' memory is shared with it
