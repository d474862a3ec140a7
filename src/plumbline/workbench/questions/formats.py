"""The question `formats`: what every kind of question can be downloaded as."""

from typing import Any

from plumbline.workbench.questions.exporting.kinds import EXPORTED
from plumbline.workbench.questions.inquiry import Inquiry


def answer(_: Inquiry) -> dict[str, Any]:
    """Return the formats by kind."""
    return {"formats": {name: list(kind.formats) for name, kind in EXPORTED.items()}}
