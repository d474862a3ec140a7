"""The question `calibration-test`: could the probabilities be true?"""

from typing import Any

from plumbline.calibration_tests import TESTS, CalibrationTest, calibration_test
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.requests import REQUESTS
from plumbline.requests.table import of_each_model
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Test every chosen model; `model` names the one that is shown large."""
    shown, _ = parts.model_param(inquiry)
    by_model = judged(inquiry)
    test = TESTS[by_model[0][1][0].statistic]
    return {
        "shown": shown,
        "title": test.title,
        "formula": test.formula,
        "source": test.reference,
        "models": [
            {**one.to_dict(), "model": name, "histogram": parts.null_bars(one), "notes": notes}
            for name, (one, notes) in by_model
        ],
    }


def calibration_test_params(inquiry: Inquiry) -> dict[str, Any]:
    """Return the arguments of `calibration_test` that the question gives."""
    return REQUESTS["test"].served_values(inquiry.params.fields)


def judged(inquiry: Inquiry) -> list[tuple[str | None, tuple[CalibrationTest, list[str]]]]:
    """Return the test of every chosen model with its notes, remembered from the last time."""
    question = calibration_test_params(inquiry)
    key = ("calibration-test", inquiry.selection, repr(sorted(question.items())))

    def ask(part: Predictions, bar: Progress | None) -> tuple[CalibrationTest, list[str]]:
        return calibration_test(part, progress=bar, **question), parts.notes_on(part)

    return inquiry.memory.once(
        key, lambda: of_each_model(parts.some_rows(inquiry), ask, inquiry.progress)
    )
