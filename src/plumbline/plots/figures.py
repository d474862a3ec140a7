"""The picture of every result, by its class: what `result.figure()` draws."""

from typing import TYPE_CHECKING, Any

from plumbline.advisor import RecalibrationAdvice, RecalibrationEffect
from plumbline.calibration_errors import (
    BinSensitivity,
    CalibrationError,
    CalibrationTest,
    CorpCurve,
    ErrorSteps,
    ReliabilityCurve,
)
from plumbline.calibration_tests import CountTest, Diagnosis
from plumbline.comparison import Comparison, RankAnswer
from plumbline.confusion import ConfusionMatrix
from plumbline.curves import ClassCounts, Curve, CurveDifference
from plumbline.errors import ParameterError
from plumbline.gate import Gate
from plumbline.group_calibration import (
    CalibrationHeterogeneity,
    ClassHeatMap,
    ConditionalBias,
    GroupCalibration,
)
from plumbline.monitoring import Monitoring
from plumbline.plots.calibration_errors import sensitivity_figure, steps_figure
from plumbline.plots.class_counts import class_counts_figure
from plumbline.plots.comparison import comparison_figure, ranks_figure
from plumbline.plots.confusion import confusion_figure
from plumbline.plots.curves import curve_figure, difference_figure
from plumbline.plots.diagnosis import diagnosis_figure
from plumbline.plots.gate import gate_figure
from plumbline.plots.groups import conditional_bias_figure, group_figure, heat_map_figure
from plumbline.plots.monitoring import monitoring_figure
from plumbline.plots.null_distributions import count_null_figure, null_figure
from plumbline.plots.power import plan_figure, power_figure
from plumbline.plots.recalibration import before_after_figure, map_figure, methods_figure
from plumbline.plots.reliability import corp_figure, reliability_figure
from plumbline.plots.sites import sites_figure
from plumbline.power import Plan, PowerTable
from plumbline.recalibration import RecalibrationMap

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from plumbline._result import Result


def _comparison_figure(result: Comparison) -> "Figure":
    """Return the pairs, or the ranks where there are some of one metric."""
    if len(result.ranks) == 1:
        ((metric, ranks),) = result.ranks.items()
        return ranks_figure(ranks, metric=metric)
    return comparison_figure(result.pairs, level=result.level)


FIGURES: dict[type, Any] = {
    BinSensitivity: sensitivity_figure,
    CalibrationError: null_figure,
    CalibrationHeterogeneity: sites_figure,
    CalibrationTest: null_figure,
    ClassCounts: class_counts_figure,
    ClassHeatMap: heat_map_figure,
    Comparison: _comparison_figure,
    ConditionalBias: conditional_bias_figure,
    ConfusionMatrix: confusion_figure,
    CorpCurve: corp_figure,
    CountTest: count_null_figure,
    Curve: curve_figure,
    CurveDifference: difference_figure,
    Diagnosis: diagnosis_figure,
    ErrorSteps: steps_figure,
    Gate: gate_figure,
    GroupCalibration: group_figure,
    Monitoring: monitoring_figure,
    Plan: plan_figure,
    PowerTable: power_figure,
    RankAnswer: ranks_figure,
    RecalibrationAdvice: methods_figure,
    RecalibrationEffect: before_after_figure,
    RecalibrationMap: map_figure,
    ReliabilityCurve: reliability_figure,
}


def has_picture(result: str) -> bool:
    """Tell whether results of a class of this name have a picture.

    >>> has_picture("CalibrationTest"), has_picture("SliceSearch")
    (True, False)
    """
    return any(known.__name__ == result for known in FIGURES)


def figure_of(result: "Result") -> "Figure":
    """Return the usual picture of a result.

    Parameters
    ----------
    result : Result
        What a function of Plumbline returned.

    Returns
    -------
    matplotlib.figure.Figure
        A picture of its own, which `save_figure` writes.

    Raises
    ------
    MissingExtraError
        Without matplotlib.
    ParameterError
        For a result that has no picture.

    Examples
    --------
    >>> import plumbline as pb
    >>> data = pb.Predictions.from_arrays([0, 1, 1, 0] * 9, [0.1, 0.8, 0.7, 0.4] * 9)
    >>> figure = figure_of(pb.reliability_curve(data, resamples=99))
    >>> len(figure.axes) > 0
    True
    """
    draw = FIGURES.get(type(result))
    if draw is None:
        names = ", ".join(sorted(known.__name__ for known in FIGURES))
        raise ParameterError(
            f"a {type(result).__name__} has no picture; results with one: {names}",
            code="no-picture",
        )
    figure: Figure = draw(result)
    return figure
