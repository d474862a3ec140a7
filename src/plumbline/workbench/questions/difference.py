"""The question `difference`: by how much the curve of one model lies above that of another."""

from dataclasses import replace
from typing import Any

from plumbline.curves import CurveDifference, difference_of_settings, kept_places
from plumbline.curves.curve_difference import COLUMNS
from plumbline.curves.lines import curve_title
from plumbline.workbench.questions.curve import WIDTH, curve_of
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.request_answers import presentation_of


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Compare the curves of two models on the same rows; see `curve_difference`."""
    difference = difference_of(inquiry)
    width = inquiry.values("difference").get("width", WIDTH)
    kept = kept_places(difference.x, difference.difference, width=width)
    return {
        "title": curve_title(difference.settings),
        **difference.to_dict(),
        "notes": list(difference.present().notes),
        "presentation": presentation_of(difference.present()),
        **{name: getattr(difference, name)[kept] for name in COLUMNS},
    }


def difference_of(inquiry: Inquiry) -> CurveDifference:
    """Return the difference with all its points, remembered from the last time it was asked for."""
    models, settings = inquiry.values("difference").get("models"), curve_of(inquiry).settings
    key = ("difference", inquiry.selection, repr(settings), repr(models))
    own = replace(settings, band="none")  # it has a band of its own
    return inquiry.memory.once(
        key,
        lambda: difference_of_settings(
            inquiry.chosen(), own, models, settings.seed or 0, inquiry.progress
        ),
    )
