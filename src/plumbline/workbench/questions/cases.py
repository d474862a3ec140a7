"""The question `cases`: the rows between two thresholds, and how they differ from the rest."""

import math
from typing import Any

from plumbline.curves import Cases, CurveSettings, cases_of_settings
from plumbline.workbench.questions.curve import curve_of
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.request_answers import presentation_of
from plumbline.workbench.wire import threshold_json

LISTED = 200  # rows of a list; the export has all


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """List the first rows of a band, and compare every attribute inside and outside it."""
    cases = cases_of(inquiry, most=inquiry.values("cases").get("most", LISTED))
    return {
        "model": model_of(inquiry),
        **cases.to_dict(),
        "notes": list(cases.present().notes),
        "presentation": presentation_of(cases.present()),
        "low": threshold_json(cases.low),
        "high": threshold_json(cases.high),
        "rows_inside": dict(cases.rows_inside),
        "rows_outside": dict(cases.rows_outside),
        "weighted": inquiry.chosen().weight is not None,
        "columns": list(cases.cases[0]) if cases.cases else [],
        "listed": len(cases.cases),
    }


def cases_of(inquiry: Inquiry, *, most: int | None) -> Cases:
    """Return the rows that a question asks for, at most so many of them listed (None: all)."""
    data, model = inquiry.chosen(), model_of(inquiry)
    settings, values = _settings(inquiry), inquiry.values("cases")
    low, high = values.get("low", -math.inf), values.get("high", math.inf)
    key = ("cases", inquiry.selection, repr(settings), model, low, high, most)
    return inquiry.memory.once(
        key,
        lambda: cases_of_settings(
            data if model is None else data.select(model=model), settings, (low, high), most=most
        ),
    )


def model_of(inquiry: Inquiry) -> str | None:
    """Return the model that is asked for, else the first of those that were chosen."""
    models = inquiry.chosen().models
    return inquiry.model or (models[0] if models else None)


def _settings(inquiry: Inquiry) -> CurveSettings:
    """Return how the curve sorts and filters; without a curve, as every curve does by itself."""
    if inquiry.fields.get("curve") is not None:
        return curve_of(inquiry).settings
    selection = inquiry.selection
    return CurveSettings("threshold", "threshold", where=selection.where, target=selection.target)
