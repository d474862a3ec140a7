"""How a metric is computed: from data and parameters to a function of the labels."""

from collections.abc import Callable

import numpy as np

from plumbline.binning import binning_of
from plumbline.calibration import (
    SMOOTH_PRESETS,
    Measurable,
    ProfileRule,
    cumulative_statistic,
    debiased_statistic,
    define_error,
    estimate_statistic,
    kernel_statistic,
    mmce_statistic,
    point_statistic,
    profile_statistic,
    skill_statistic,
    smooth_rule,
)
from plumbline.calibration.cumulative import Kind
from plumbline.calibration.kernel import Estimator
from plumbline.calibration.slope import sure_rows
from plumbline.calibration_errors import NamedStatistic, StatisticParams
from plumbline.calibration_errors.named_tests import (
    any_view,
    binary_view,
    calibration_error_statistic,
    score_view,
)
from plumbline.errors import warn
from plumbline.formatting import counted, quoted
from plumbline.metrics.metric import Build
from plumbline.nulls import observed
from plumbline.predictions import Predictions


def binned(data: Predictions, params: StatisticParams) -> NamedStatistic:
    """Return a calibration error of bins."""
    return calibration_error_statistic(data, params.setting(data))


def ruled(title: str, rule: Callable[[StatisticParams], ProfileRule]) -> Build:
    """Return what makes an error that sees the sums of outcomes at every distinct score."""

    def build(data: Predictions, params: StatisticParams) -> NamedStatistic:
        definition = define_error(data, params.view)
        what = profile_statistic(data, definition, rule(params))
        return NamedStatistic(title, definition.name, None, None, definition.outcome, what)

    return build


def smoothed(name: str, title: str, own: ProfileRule) -> Build:
    """Return what makes an error of a smooth curve, by the rule of `like` where it is given."""

    def build(data: Predictions, params: StatisticParams) -> NamedStatistic:
        definition = define_error(data, params.view)
        ours = profile_statistic(data, definition, own)
        names = title, definition.name, None, None, definition.outcome
        if params.like is None:
            return NamedStatistic(*names, ours)
        theirs = smooth_rule(data, definition, name, params.like)
        return NamedStatistic(
            *names,
            profile_statistic(data, definition, theirs),
            ours=ours,
            meaning=f"{quoted(params.like)}: {SMOOTH_PRESETS[params.like].meaning}",
        )

    return build


def warn_of_smoother(subject: NamedStatistic, value: float) -> None:
    """Say how far a smoothed error of another package is from this project's own."""
    if subject.ours is None:
        return
    ours = float(observed(subject.ours))
    if not np.isclose(ours, value, rtol=1e-12, atol=1e-12):
        warn(
            f"the {subject.title} is {value:.6g} with the conventions of {subject.meaning}. "
            f"Plumbline's own, local lines over 3/4 of the rows, gives {ours:.6g} on these rows",
            code="other-conventions",
        )


def estimated(title: str, rule: ProfileRule, *, sloped: bool = True) -> Build:
    """Return what makes a logistic estimate; one that is `sloped` needs several probabilities."""

    def build(data: Predictions, params: StatisticParams) -> NamedStatistic:
        definition = define_error(data, params.view)
        what = estimate_statistic(data, definition, rule)
        rows = sure_rows(data, definition)
        undefined = left_out = None
        if rows.impossible:
            undefined = (
                f"in {counted(rows.impossible, 'row')} of {data.total:,} the observed class had "
                "predicted probability 0, which no logistic curve makes possible"
            )
        elif sloped and rows.constant:
            undefined = "all probabilities are the same, so there is no slope"
        if rows.left_out and not rows.impossible:
            left_out = (
                f"{rows.left_out:,} of {counted(data.total, 'row')} left out: "
                "their probability is 0 or 1"
            )
        return NamedStatistic(
            title,
            definition.name,
            None,
            None,
            definition.outcome,
            what,
            left_out=left_out,
            undefined=undefined,
        )

    return build


def debiased(data: Predictions, params: StatisticParams) -> NamedStatistic:
    """Return the squared error of bins without bias, of T-Cal."""
    return _debiased(data, params, "debiased L2 error", of_rates=False)


def debiased_kumar(data: Predictions, params: StatisticParams) -> NamedStatistic:
    """Return the squared error of bins less the variance of their shares, of Kumar et al."""
    return _debiased(data, params, "debiased L2 error (Kumar et al.)", of_rates=True)


def _debiased(
    data: Predictions, params: StatisticParams, title: str, *, of_rates: bool
) -> NamedStatistic:
    definition = define_error(data, params.view, params.bins)
    scheme = binning_of("equal-width:15" if params.bins is None else params.bins)
    what = debiased_statistic(data, definition, of_rates=of_rates)
    return NamedStatistic(title, definition.name, str(scheme), None, definition.outcome, what)


def scored(title: str, make: Callable[[Predictions, Predictions | None], Measurable]) -> Build:
    """Return what makes a number of all classes, or of a binary view of them."""

    def build(data: Predictions, params: StatisticParams) -> NamedStatistic:
        view, binary = any_view(data, params.view, f"the {title}")
        return NamedStatistic(title, view, None, None, None, make(data, binary))

    return build


def points(name: str, title: str) -> Build:
    """Return what makes a sum over rows."""

    def build(data: Predictions, params: StatisticParams) -> NamedStatistic:
        view, binary = score_view(data, name, params.view, f"the {title}")
        return NamedStatistic(title, view, None, None, None, point_statistic(data, name, binary))

    return build


def skill(name: str, title: str) -> Build:
    """Return what makes a skill score."""
    return scored(title, lambda data, binary: skill_statistic(data, name, binary))


def kernel(estimator: Estimator, title: str) -> Build:
    """Return what makes a squared kernel calibration error."""

    def make(data: Predictions, binary: Predictions | None) -> Measurable:
        return kernel_statistic(data if binary is None else binary, estimator=estimator)

    return scored(title, make)


def of_binary_view(title: str, make: Callable[[Predictions], Measurable]) -> Build:
    """Return what makes a number of one binary view."""

    def build(data: Predictions, params: StatisticParams) -> NamedStatistic:
        view, binary = binary_view(data, params.view, f"the {title}")
        outcome = "correct" if view.startswith("top-") else "class"
        return NamedStatistic(title, view, None, None, outcome, make(binary))

    return build


def cumulative(kind: Kind, title: str) -> Build:
    """Return what makes a number of cumulative differences."""
    return of_binary_view(title, lambda binary: cumulative_statistic(binary, kind))


def mean_map(title: str) -> Build:
    """Return what makes the maximum mean calibration error."""
    return of_binary_view(title, mmce_statistic)
