"""The test that decides whether to recalibrate: the default one, with every example once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration_errors import CalibrationTest
from plumbline.calibration_tests import calibration_test
from plumbline.predictions import Predictions
from plumbline.verdicts import LEVEL

Ints = NDArray[np.intp]


def verdict_test(data: Predictions, example: Ints, **params: Any) -> CalibrationTest | None:
    """Return the default calibration test of the first rows of all examples; None of ratings.

    Of rows in groups all count, as the test allows for them.

    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> verdict_test(data, np.arange(4), resamples=99).n
    4
    >>> verdict_test(data, np.array([0, 0, 1, 1]), resamples=99).n
    2
    """
    if data.prob is None:
        return None
    if data.groups is not None:
        return calibration_test(data, **params)
    first = np.sort(np.unique(example, return_index=True)[1])
    return calibration_test(
        data if len(first) == data.stored else data.select(where=first), **params
    )


def p_value_of(test: CalibrationTest | None) -> float:
    """Return the p-value, NaN without a test."""
    return float("nan") if test is None else test.p_value


def miscalibrated(test: CalibrationTest) -> bool:
    """Tell whether the verdict is that the probabilities are miscalibrated.

    Rows whose observed class had probability 0 show it however few labels are drawn.
    """
    return test.p_value <= LEVEL or test.impossible_rows > 0
