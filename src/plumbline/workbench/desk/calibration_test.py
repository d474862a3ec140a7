"""The question `calibration-test`: could the probabilities be true?"""

from typing import Any

from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.significance import TESTS, CalibrationTest, calibration_test
from plumbline.workbench.desk import calibration_parts as parts
from plumbline.workbench.desk.inquiry import Inquiry

NULLS = ("auto", "resample")


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Test every chosen model; `model` names the one that is shown large."""
    asked = inquiry.asked
    shown, _ = parts.asked_model(inquiry)
    statistic = asked.choice("statistic", tuple(TESTS), "omnibus")
    question: dict[str, Any] = {
        "statistic": statistic,
        "view": asked.text("view"),
        "bins": parts.asked_bins(asked),
        "distance": asked.text("distance"),
        "null": asked.choice("null", NULLS, "auto"),
        "resamples": parts.asked_draws(asked),
    }
    key = ("calibration-test", inquiry.selection, *question.values())

    def ask(part: Predictions, bar: Progress | None) -> tuple[CalibrationTest, list[str]]:
        return calibration_test(part, progress=bar, **question), parts.notes_on(part)

    found = inquiry.memory.once(key, lambda: parts.of_each_model(inquiry, ask))
    return {
        "shown": shown,
        "title": TESTS[statistic].title,
        "formula": TESTS[statistic].formula,
        "source": TESTS[statistic].reference,
        "models": [
            {**one.to_dict(), "model": name, "histogram": parts.null_bars(one), "notes": notes}
            for name, (one, notes) in found
        ],
    }
