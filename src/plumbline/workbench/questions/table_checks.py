"""The question `doctor`: what is odd about the rows that were chosen."""

from typing import Any

from plumbline.input_checks import check_input
from plumbline.workbench.questions.inquiry import Inquiry


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Look for what makes an evaluation of these rows misleading."""
    return check_input(inquiry.filtered()).to_dict()
