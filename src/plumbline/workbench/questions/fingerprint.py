"""The question `fingerprint`: which rows these are, whatever file they came in."""

from typing import Any

from plumbline._distribution import installed_version
from plumbline.predictions import count_examples
from plumbline.workbench.questions.exporting.result_page import fingerprint
from plumbline.workbench.questions.inquiry import Inquiry


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return the SHA-256 of the table's columns, with its name and number of examples."""
    return {
        "plumbline": installed_version(),
        "name": inquiry.name,
        "n": count_examples(inquiry.table).n,
        "fingerprint": fingerprint(inquiry),
    }
