"""The calibration error beside its null distribution, and its computation step by step."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from plumbline._checks import checked_draws
from plumbline._result import Detail, Presentation, Result, Table
from plumbline.binning import Bins, BinsLike, OutcomeBinning
from plumbline.calibration import (
    Cells,
    Drawable,
    ErrorDefinition,
    OwnDistance,
    ProfileStatistic,
    Statistic,
    Wide,
    binary_table,
    binned_statistic,
    bins_of,
    define_error,
    statistic,
    value_of,
    warn_of_preset,
)
from plumbline.calibration_errors.p_values import (
    compare_with_draws,
    warn_of_repeated_examples,
    why_missing,
)
from plumbline.calibration_errors.results import CalibrationError
from plumbline.dependence import RowGroups, row_groups_of
from plumbline.errors import ParameterError
from plumbline.formatting import error_name, intervals, number
from plumbline.nulls import Resampling, by_bins, observed
from plumbline.predictions import Predictions, as_drawn
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of
from plumbline.scores import impossible_rows

CONVENTION = "plumbline: bins (lo, hi], mean score of the bin, predictions held fixed"


def calibration_error(
    data: Predictions,
    *,
    view: str | None = None,
    bins: BinsLike | None = None,
    distance: str | OwnDistance = "absolute",
    norm: float | str | None = None,
    representative: str | None = None,
    threshold: float | None = None,
    outcome: str | None = None,
    interval: bool = False,
    level: float = 0.95,
    resamples: int = 999,
    like: str | None = None,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> CalibrationError:
    """Measure the calibration error, with its mean and 95 % range if calibrated.

    Of a binary view it is (sum over bins of (W_b / W) d(outcome share, mean probability)^norm)^(1 /
    norm). The null distribution holds the predictions fixed and draws every label from its own
    probability vector (Vaicenavicius et al. 2019).

    Parameters
    ----------
    data : Predictions
        The predictions of one model, with probabilities.
    view : str, optional
        "top-label" (is the most likely class right; the default of several classes),
        "one-vs-rest:CLASS" (is it that class; the default of two, with the positive class),
        "top-k:K" (is it among the K most likely), "classwise" (the mean over the classes), or
        "joint" (the share of every class among rows with the same probability vector).
    bins : int, str or Binning, default "equal-width:15"
        Such as "equal-size:10"; a number means that many bins of equal width.
    distance : str or callable, default "absolute"
        "absolute", "square", "log", "chi-square", "hellinger", "overestimation", "underestimation",
        or a function d(y, p) of arrays.
    norm : float or "max", default 1
        Any number of at least 1; "max" is the largest distance.
    representative : {"mean", "midpoint"}, default "mean"
        The score of a bin: its mean probability, or the middle of the bin.
    threshold : float, optional
        Leave out rows whose probability is not above it.
    outcome : {"class", "correct"}, optional
        The event of "one-vs-rest" views: the row has the class, or the prediction is correct.
    interval : bool, default False
        Add a confidence interval for the population value given these predictions.
    level : float, default 0.95
        Coverage of that interval.
    resamples : int, default 999
        Draws of the labels from the predictions; 0 leaves out the null distribution.
    like : str, optional
        Use the conventions of another program: "thesis" is "Increasing the Power of a Classifier's
        Calibration Test" (Tartu, 2020); `compare_presets` lists them.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    CalibrationError
        The error, its mean and 95 % range expected if calibrated, p-value and interval.

    Raises
    ------
    InputError
        For a table without probabilities.
    ParameterError
        For an unknown name.

    References
    ----------
    Naeini, Cooper and Hauskrecht (2015), "Obtaining well calibrated probabilities using Bayesian
    binning"; Vaicenavicius et al. (2019), "Evaluating model calibration in classification".

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 1, 1, 1], [0.55, 0.45, 0.91, 0.86, 0.96])
    >>> error = calibration_error(data, bins=5, resamples=99)
    >>> round(error.value, 3)
    0.054
    """
    definition = define_error(
        data,
        view,
        bins,
        distance,
        outcome,
        like=like,
        norm=1 if norm is None else norm,
        representative="mean" if representative is None else representative,
        threshold=threshold,
    )
    checked_draws(resamples, level, interval=interval)
    resampling = Resampling(resamples, entropy_of(rng), workers, progress)
    return error_of(data, definition, resampling, level=level if interval else None)


def error_of(
    data: Predictions,
    definition: ErrorDefinition,
    resampling: Resampling,
    *,
    level: float | None = None,
) -> CalibrationError:
    """Return the error of a definition, with an interval where a level is given."""
    if resampling.resamples:
        warn_of_repeated_examples(data)
    what = statistic(data, definition)
    merges = data.counted or isinstance(definition.bins, OutcomeBinning)
    few = as_drawn(data) if merges and resampling.resamples and not by_bins(what) else data
    drawn = what if few is data else statistic(few, definition)
    if data.counted:
        data, what = few, drawn
    draws = resampling.draw(drawn) if resampling.resamples else np.empty(0)
    error = error_beside_draws(data, definition, what, draws, drawn, resampling=resampling)
    warn_of_preset(data, definition, error.value)
    if level is None:
        return error
    from plumbline.intervals import interval_of

    ends = interval_of(
        drawn,
        weight=few.weight,
        kind="error",
        level=level,
        resamples=resampling.resamples,
        rng=resampling.rng,
        null_values=draws,
        workers=resampling.workers,
        pooled=resampling.pooled,
    )
    reason = "; ".join(filter(None, [error.reason, ends.reason])) or None
    return replace(error, interval_range=(ends.low, ends.high), level=level, reason=reason)


def worst_classes(
    data: Predictions,
    *,
    bins: BinsLike | None = None,
    distance: str | OwnDistance = "absolute",
) -> list[str]:
    """Return the classes by their calibration error against the rest, the largest first.

    >>> data = Predictions.from_arrays(
    ...     ["a", "b", "c"], [[0.8, 0.1, 0.1], [0.6, 0.3, 0.1], [0.3, 0.3, 0.4]]
    ... )
    >>> worst_classes(data)
    ['a', 'c', 'b']
    """
    how: dict[str, Any] = {"bins": bins, "distance": distance, "resamples": 0}
    errors = {
        name: calibration_error(data, view=f"one-vs-rest:{name}", **how).value
        for name in data.classes
    }
    return sorted(data.classes, key=lambda name: -errors[name])


def error_beside_draws(
    data: Predictions,
    definition: ErrorDefinition,
    what: Statistic | ProfileStatistic,
    draws: Wide,
    drawn: Statistic | ProfileStatistic | None = None,
    *,
    resampling: Resampling | None = None,
) -> CalibrationError:
    """Return the calibration error of the observed labels beside those of drawn labels.

    `drawn` is what was drawn, of a large table its cells, whose own value the p-value is about;
    `resampling` is how, of rows in groups.
    """
    null = compare_with_draws(float(observed(drawn or what)), draws, definition.like)
    null = null if drawn in (None, what) else replace(null, value=float(observed(what)))
    method = "resample" if len(draws) else "none"
    reasons = [why_missing(null.value, what, data.mass, null.range, method)]
    if not len(draws):
        reasons.append("no p-value and no expected error: no labels were drawn (`resamples=0`)")
    parts = bins_of(data, definition, what)
    return CalibrationError(
        view=definition.name,
        scheme="distinct-vectors" if definition.bins is None else str(definition.bins),
        distance=definition.distance,
        outcome=definition.outcome,
        norm="max" if np.isinf(definition.norm) else definition.norm,
        representative=definition.representative,
        threshold=definition.threshold,
        n=data.total,
        effective_n=data.effective_n,
        value=null.value,
        null_mean=null.mean,
        null_range=null.range,
        excess=null.excess,
        p_value=null.p_value(),
        interval_range=None,
        level=None,
        resamples=len(draws),
        bins=bin_rows(definition, data, parts) if parts else None,
        convention=definition.like or CONVENTION,
        impossible_rows=impossible_rows(data),
        reason="; ".join(filter(None, reasons)) or None,
        groups=_worth_in_groups(definition, drawn or what, draws, resampling)
        if len(draws)
        else None,
        null_values=null.values,
    )


def _worth_in_groups(
    definition: ErrorDefinition, what: Drawable, draws: Wide, resampling: Resampling | None
) -> RowGroups | None:
    """Return how much the rows of groups depend, and what they are worth for the error."""
    if resampling is None:
        return row_groups_of(what)
    groups = row_groups_of(what, resampling.pooled)
    if groups is None or groups.dependence == 0:
        return groups
    norm = "max" if np.isinf(definition.norm) else definition.norm
    name = error_name(definition.name, definition.distance, norm)
    squared = definition.distance != "absolute"
    alone = resampling.draw_alone(what)
    return groups.about(name, len(what.actual), draws, alone, squared=squared)


def bin_rows(
    definition: ErrorDefinition, data: Predictions, parts: Sequence[Bins]
) -> list[dict[str, Any]]:
    """Return one row for every bin that holds weight."""
    names: Sequence[str | None] = data.classes if len(parts) > 1 else (definition.target,)
    rows = []
    for name, part in zip(names, parts, strict=True):
        limits = part.limits
        if limits is None:
            continue
        for j in np.flatnonzero(part.filled):
            row: dict[str, Any] = {} if name is None else {"class": name}
            row |= {
                "lo": float(limits[j, 0]),
                "hi": float(limits[j, 1]),
                "closed": "both" if j == 0 or part.span is not None else "right",
                "count": int(part.count[j]),
                "weight": float(part.weight[j]),
                "mean_probability": float(part.mean_probability[j]),
                "outcome_share": float(part.outcome_share[j]),
            }
            rows.append(row)
    return rows


@dataclass(frozen=True, repr=False, eq=False)
class ErrorSteps(Result):
    """How a calibration error is computed.

    Attributes
    ----------
    view, scheme, distance, n : what was measured, on how many rows
    classes : their names, in the order of the probabilities
    value : the error, the sum of all parts
    points : one row per point (point, prediction, actual, score, `happened`, bin): the probability
        of the event of the view, whether it was observed, and the number of its bin in `bins`, from
        1
    bins : one row per bin (lo, hi, count, weight, mean_probability, outcome_share, distance, share,
        part): part = share of all weight x distance
    """

    view: str
    scheme: str
    distance: str
    n: int
    classes: tuple[str, ...]
    value: float
    points: Sequence[dict[str, Any]] = field(repr=False)
    bins: Sequence[dict[str, Any]]

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the bins."""
        return self.bins

    def present(self) -> Presentation:
        """Return the error, and the part of every bin."""
        rows = self.bins
        columns = {
            "bin": list(intervals(rows)),
            "rows": [f"{row['count']:,}" for row in rows],
            "predicted": [number(row["mean_probability"]) for row in rows],
            "observed": [number(row["outcome_share"]) for row in rows],
            "distance": [number(row["distance"]) for row in rows],
            "share": [number(row["share"]) for row in rows],
            "part": [number(row["part"]) for row in rows],
        }
        return Presentation(
            subject=f"{self.view}, {self.scheme}, {self.distance} distance",
            details=(
                Detail("n", "rows", f"{self.n:,}"),
                Detail("value", "error", number(self.value)),
            ),
            tables=(Table(columns, left=("bin",)),),
        )


def error_steps(
    data: Predictions,
    *,
    view: str | None = None,
    bins: BinsLike | None = None,
    distance: str = "absolute",
) -> ErrorSteps:
    """Split the calibration error of one binary view into points, bins, and parts of the sum.

    error = sum over bins of (W_b / W) d(outcome share, mean probability). The classwise error is
    the mean of this over the views "one-vs-rest:CLASS" of all classes.

    Parameters
    ----------
    data : Predictions
        The predictions of one model, with probabilities.
    view : str, optional
        A binary view, as in `calibration_error`.
    bins : int, str or Binning, default "equal-width:15"
        A number means so many bins of equal width.
    distance : str, default "absolute"
        As in `calibration_error`.

    Returns
    -------
    ErrorSteps
        Every step from the bins to the error.

    Raises
    ------
    ParameterError
        For a view that is not binary, and for one point per bin.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 1, 1, 1], [0.55, 0.45, 0.91, 0.86, 0.96])
    >>> steps = error_steps(data, bins="equal-width:5")
    >>> [round(row["part"], 3) for row in steps.bins], round(steps.value, 3)
    ([0.0, 0.054], 0.054)
    """
    definition = define_error(data, view, bins, distance)
    binary = binary_table(data, definition, "the picture of the steps")
    what = binned_statistic(data, definition)
    if what.cells is None:
        raise ParameterError(
            "steps need `bins` that hold several points, got 'one-per-point'",
            code="bins-of-one-score",
        )
    prob = data.need_prob("a calibration error")
    score = binary.need_prob("a calibration error")[:, 1]
    points = [
        {
            "point": i + 1,
            "prediction": tuple(prob[i].tolist()),
            "actual": data.classes[data.actual[i]],
            "score": float(score[i]),
            "happened": bool(binary.actual[i]),
            "bin": int(what.cells.number[i, 1]),
        }
        for i in range(data.stored)
    ]
    return ErrorSteps(
        view=definition.name,
        scheme=str(definition.bins),
        distance=definition.distance,
        n=data.n,
        classes=tuple(data.classes),
        value=value_of(what),
        points=points,
        bins=_bins_with_parts(data, definition, what.cells),
    )


def _bins_with_parts(
    data: Predictions, definition: ErrorDefinition, cells: Cells
) -> list[dict[str, Any]]:
    """Return the rows of the bins with their distance, their share, and the product."""
    rows = bin_rows(definition, data, cells.bins)
    share = np.array([row["outcome_share"] for row in rows])
    distance = np.broadcast_to(cells.distance(share, cells.mean[1:], cells.rest[1:]), share.shape)
    for row, gap, weight in zip(rows, distance, cells.share[1:], strict=True):
        row |= {"distance": float(gap), "share": float(weight), "part": float(weight * gap)}
    return rows
