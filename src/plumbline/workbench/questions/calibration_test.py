"""The question `calibration-test`: could the probabilities be true?"""

from typing import Any

from plumbline.calibration_tests import TESTS, CalibrationTest, calibration_test
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry

NULLS = ("auto", "resample")


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Test every chosen model; `model` names the one that is shown large."""
    shown, _ = parts.model_param(inquiry)
    test = TESTS[calibration_test_params(inquiry)["statistic"]]
    return {
        "shown": shown,
        "title": test.title,
        "formula": test.formula,
        "source": test.reference,
        "models": [
            {**one.to_dict(), "model": name, "histogram": parts.null_bars(one), "notes": notes}
            for name, (one, notes) in judged(inquiry)
        ],
    }


def calibration_test_params(inquiry: Inquiry) -> dict[str, Any]:
    """Return the arguments of `calibration_test`."""
    params = inquiry.params
    return {
        "statistic": params.choice("statistic", tuple(TESTS), "omnibus"),
        "view": params.text("view"),
        "bins": parts.bins_param(params),
        "distance": params.text("distance"),
        "null": params.choice("null", NULLS, "auto"),
        "resamples": parts.draws_param(params),
    }


def judged(inquiry: Inquiry) -> list[tuple[str | None, tuple[CalibrationTest, list[str]]]]:
    """Return the test of every chosen model with its notes, remembered from the last time."""
    question = calibration_test_params(inquiry)
    key = ("calibration-test", inquiry.selection, *question.values())

    def ask(part: Predictions, bar: Progress | None) -> tuple[CalibrationTest, list[str]]:
        return calibration_test(part, progress=bar, **question), parts.notes_on(part)

    return inquiry.memory.once(key, lambda: parts.of_each_model(inquiry, ask))
