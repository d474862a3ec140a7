"""What exactly is measured: view, bins, distance and outcome; which events a view asks about."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, one_of, shorten
from plumbline.binning import (
    Binning,
    BinsLike,
    Convention,
    EqualSize,
    EqualWidth,
    OutcomeBinning,
    PresetBinning,
    binning_of,
)
from plumbline.calibration.conventions import (
    AGGREGATION_NAMES,
    CONVENTIONS,
    PRESETS,
    SMOOTH_NAMES,
    ErrorPreset,
)
from plumbline.calibration.distances import (
    DISTANCES,
    AsInThesis,
    Distance,
    OwnDistance,
    adds_up,
    distance_of,
    infinite_if_impossible,
)
from plumbline.calibration.drawable import Floats, Ints, Wide
from plumbline.errors import InputError, ParameterError, warn
from plumbline.formatting import quoted
from plumbline.predictions import Predictions, need_single_rows, only_predictions
from plumbline.predictions.probabilities import against_rest, rest_sum

VIEWS = ("top-label", "classwise", "one-vs-rest", "top-k", "joint")
BINARY_VIEWS = ("one-vs-rest", "top-label", "top-k")  # one event a row
DEFAULT_BINS = EqualWidth(15)  # a convention, that of Guo et al. 2017
REPRESENTATIVES = ("mean", "midpoint")
COUNTINGS = ("weight", "bins")


@dataclass(frozen=True, slots=True)
class ErrorDefinition:
    """What exactly is measured; every default is filled in and every name checked.

    Attributes
    ----------
    view, distance, outcome, target : as in `calibration_error`; the distance by its name
    bins : how the scores are placed; None for groups of equal vectors
    like : whose conventions of binning and of infinity these are; None for this project's own
    own : the distance of the user's own that `distance` names, if it is one
    top : the K of the view "top-k", else None
    norm : the p of (sum of share x distance^p)^(1/p), from 1 to infinity, which is the largest
    representative : what stands for the probability of a bin: its "mean" score or its "midpoint"
    threshold : rows whose probability of an event is not above this are left out of that event,
        whose shares are those of the weight it kept; a class that keeps no row adds 0 to the mean
    counting : what a bin counts: its "weight", or one, as all other filled "bins" do
    """

    view: str
    bins: Binning | None
    distance: str
    outcome: str
    target: str | None = None
    like: str | None = None
    own: Distance | None = field(default=None, repr=False)
    top: int | None = None
    norm: float = 1.0
    representative: str = "mean"
    threshold: float | None = None
    counting: str = "weight"

    def __str__(self) -> str:
        bins = "distinct vectors" if self.bins is None else str(self.bins)
        parts = [self.name, bins, self.distance]
        parts += ["outcome: correct"] * self.mixed
        parts += [f"norm: {self.norm_name}"] * (self.norm != 1)
        parts += ["midpoints of bins"] * (self.representative == "midpoint")
        parts += [] if self.threshold is None else [f"only above {self.threshold:g}"]
        parts += ["every filled bin counts alike"] * (self.counting == "bins")
        parts += [] if self.like is None else [f"like: {self.like}"]
        return ", ".join(parts)

    @property
    def norm_name(self) -> str:
        """The norm as parameters have it: a number, or "max"."""
        return "max" if math.isinf(self.norm) else f"{self.norm:g}"

    @property
    def plain(self) -> bool:
        """Tell whether the error is the sum over bins of share of weight x distance."""
        return self.norm == 1 and self.counting == "weight"

    @property
    def rule(self) -> Distance:
        """The distance of a share and a mean probability, as a function."""
        known = DISTANCES.get(self.distance, self.own)
        if known is None:
            raise ParameterError(
                f"`distance` {quoted(self.distance)} has no function",
                code="distance-without-function",
            )
        return AsInThesis(known) if self.like == "thesis" else known

    @property
    def ours(self) -> "ErrorDefinition":
        """The same definition by this project's own conventions."""
        bins = self.bins.ours if isinstance(self.bins, Convention) else self.bins
        return replace(self, bins=bins, like=None)

    @property
    def name(self) -> str:
        """The view as the command line spells it: "one-vs-rest:CLASS" with its class."""
        more = self.target if self.top is None else self.top
        return self.view if more is None else f"{self.view}:{more}"

    @property
    def mixed(self) -> bool:
        """Tell whether the score is P(class) but the outcome whether the answer is right."""
        return self.view == "one-vs-rest" and self.outcome == "correct"


def define_error(
    data: Predictions,
    view: str | None = None,
    bins: BinsLike | None = None,
    distance: str | OwnDistance = "absolute",
    outcome: str | None = None,
    *,
    like: str | None = None,
    norm: float | str = 1,
    representative: str = "mean",
    threshold: float | None = None,
    counting: str = "weight",
) -> ErrorDefinition:
    """Fill in the defaults for this data and check every name.

    Parameters
    ----------
    data : Predictions
        Of one model.
    view : str, optional
        "top-label", "classwise", "one-vs-rest", "one-vs-rest:CLASS", "top-k:K" or "joint";
        default: "one-vs-rest" of the positive class for two classes, else "top-label".
    bins : int, str or Binning, optional
        As in `plumbline.binning.binning_of`; default: 15 bins of equal width, or in the view
        "joint" the groups of equal probability vectors.
    distance : str or callable, default "absolute"
        One of `DISTANCES`, or a function d(y, p) of observed share and mean probability.
    outcome : {"class", "correct"}, optional
        Whether an event is that the row has the class, or that the predicted class is right.
    like : str, optional
        One of `PRESETS`: the conventions of another project.
    norm : float or "max", default 1
        The p of (sum of share x distance^p)^(1/p).
    representative : {"mean", "midpoint"}, default "mean"
        What stands for the probability of a bin.
    threshold : float, optional
        Rows whose probability of an event is not above it are left out of that event.
    counting : {"weight", "bins"}, default "weight"
        Whether a bin counts by its weight, or every filled bin alike.

    Returns
    -------
    ErrorDefinition
        View, bins, distance and the rest, checked.

    Raises
    ------
    ParameterError
        For an unknown name, or parameters that do not go together.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 1], [0.2, 0.6, 0.9])
    >>> print(define_error(data, bins=10))
    one-vs-rest:1, equal-width:10, absolute
    """
    only_predictions(data).need_one_model("a calibration error")
    kind, target, top = _view(data, view)
    name, rule = distance_of(distance)
    if kind == "joint":
        adds_up(name)
    wanted = _outcome(kind, outcome)
    if wanted == "correct" and kind == "one-vs-rest" and infinite_if_impossible(rule):
        raise ParameterError(
            f"`distance` {quoted(name)} with `outcome` 'correct' is infinite where a prediction "
            "is correct and the class has probability 0",
            code="always-infinite",
            remedy="use 'absolute' or 'square', or `view='top-label'`",
        )
    usual = None if kind == "joint" else DEFAULT_BINS
    definition = ErrorDefinition(
        kind,
        usual if bins is None else binning_of(bins),
        name,
        wanted,
        target,
        own=None if name in DISTANCES else rule,
        top=top,
        norm=_norm(norm),
        representative=one_of("representative", representative, REPRESENTATIVES),
        threshold=None if threshold is None else _threshold(threshold),
        counting=one_of("counting", counting, COUNTINGS),
    )
    _check_together(definition)
    return definition if like is None else _as_in(data, definition, like)


def _norm(norm: float | str) -> float:
    """Return the norm as a number; the largest distance is the infinite norm."""
    if norm == "max":
        return math.inf
    try:
        number = float(norm)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(norm, bool) or not number >= 1:
        raise ParameterError(
            argument="norm",
            rule="a number of at least 1, or 'max'",
            arrived=shorten(norm),
            remedy="1 adds distances up, 2 their squares, 'max' takes the largest",
            code="out-of-range",
        )
    return number


def _threshold(threshold: float) -> float:
    try:
        number = float(threshold)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(threshold, bool) or not 0 <= number < 1:
        raise ParameterError(
            argument="threshold",
            rule="a probability from 0 to below 1",
            arrived=shorten(threshold),
            remedy="for instance 0.001",
            code="out-of-range",
        )
    return number


def _check_together(definition: ErrorDefinition) -> None:
    """Refuse what says nothing about the view or the bins that it came with."""
    midpoint, bins = definition.representative == "midpoint", definition.bins
    if isinstance(bins, OutcomeBinning):
        _check_outcome_bins(definition, str(bins))
    if definition.view == "joint" and (midpoint or definition.threshold is not None):
        what = (
            "`representative` 'midpoint'" if midpoint else f"`threshold` {definition.threshold:g}"
        )
        raise ParameterError(
            f"{what} does not apply to the `view` 'joint', which compares whole vectors; use "
            "'top-label', 'classwise' or 'one-vs-rest:CLASS'",
            code="view-not-possible",
        )
    if midpoint and str(bins) in ("one-per-point", "one-per-value"):
        raise ParameterError(
            f"`representative` 'midpoint' needs bins that hold several scores, got "
            f"{quoted(str(bins))}; use for instance `bins='equal-width:15'`",
            code="bins-of-one-score",
        )


def _check_outcome_bins(definition: ErrorDefinition, bins: str) -> None:
    """Bins that depend on the outcomes know the norm and the distance, and nothing else."""
    given = [
        ("view", "joint", definition.view == "joint"),
        ("representative", "midpoint", definition.representative == "midpoint"),
        ("threshold", definition.threshold, definition.threshold is not None),
        ("counting", "bins", definition.counting == "bins"),
    ]
    for argument, value, refused in given:
        if refused:
            raise ParameterError(
                f"`bins` {quoted(bins)} depend on the outcomes and cannot be combined with "
                f"`{argument}` {quoted(value)}; use for instance `bins='equal-size:15'`",
                code="bins-of-outcomes",
            )


def _view(data: Predictions, view: Any) -> tuple[str, str | None, int | None]:
    """Return the view, its class and its K; None is the default for this data."""
    usual = "one-vs-rest" if data.k == 2 else "top-label"
    if data.levels is not None and data.levels.view is not None:
        usual = data.levels.view
    kind, colon, rest = (usual if view is None else str(view)).partition(":")
    one_of("view", kind, VIEWS)
    if data.levels is not None:
        data.levels.need_view(usual if view is None else str(view))
    if kind == "top-k":
        return kind, None, _top(data, view, rest)
    if colon and (kind != "one-vs-rest" or not rest):
        need = "takes no class" if rest else "needs a class after its colon"
        raise ParameterError(
            f"`view` {quoted(kind)} {need}, got {quoted(view)}", code="view-not-possible"
        )
    if kind != "one-vs-rest":
        return kind, None, None
    if not rest and data.k > 2:
        raise ParameterError(
            f"`view` 'one-vs-rest' needs its class where there are {data.k}: write "
            f"'one-vs-rest:{data.classes[0]}', or use 'classwise' for all of them",
            code="class-missing",
        )
    target = rest or data.classes[data.positive]
    data.class_number(target)
    return kind, target, None


def _top(data: Predictions, view: Any, rest: str) -> int:
    if not rest.strip().isdecimal():
        raise ParameterError(
            "`view` 'top-k' needs a number of classes after a colon, such as 'top-k:1', got "
            f"{quoted(view)}",
            code="view-incomplete",
        )
    k = int(rest)
    if not 1 <= k < data.k:
        raise ParameterError(
            code="out-of-range",
            argument="view",
            rule=f"'top-k:K' with K from 1 to {data.k - 1}, one less than the classes",
            arrived=quoted(view),
        )
    return k


def _outcome(kind: str, outcome: str | None) -> str:
    usual = "correct" if kind in ("top-label", "top-k") else "class"
    if outcome is None:
        return usual
    one_of("outcome", outcome, ("class", "correct"))
    if outcome == usual:
        return outcome
    if kind != "one-vs-rest":
        raise ParameterError(
            f"`view` {quoted(kind)} has `outcome` {quoted(usual)}, got {quoted(outcome)}",
            code="outcome-not-of-view",
        )
    warn(
        "the score is the probability of one class, but the outcome is whether the prediction was "
        "correct. A low score with a correct prediction then counts as an error",
        code="score-of-another-event",
        remedy="for P(correct) use `view='top-label'`",
    )
    return outcome


def _as_in(data: Predictions, definition: ErrorDefinition, like: str) -> ErrorDefinition:
    """Return the definition by the conventions of a preset.

    Raises ParameterError for what the other project does not have: weights, views, bins, norms,
    representatives, thresholds, distances.
    """
    if like in SMOOTH_NAMES:
        raise ParameterError(
            f"`like` {quoted(like)} has no bins: it smooths a curve, of which it has the metrics "
            "ici, e90 and emax. Measure these (plumbline scores FILE --metrics ici,e90,emax "
            f"--like {like}), or use another `like`",
            code="preset-without-bins",
        )
    preset = PRESETS[one_of("like", like, CONVENTIONS)]
    if isinstance(definition.bins, EqualSize):  # with edges at quantiles of the rows
        need_single_rows(data, f"`like={like!r}` with equal-size bins")
    if data.weight is not None and not data.counted:
        raise ParameterError(
            f"`like` {quoted(like)} has no weights, but these rows do; leave the weights out, or "
            "leave `like` out",
            code="preset-without-weights",
        )
    _check_view(preset, like, definition.view)
    _check_measure(preset, like, definition)
    return replace(definition, bins=_placed(preset, like, definition), like=like)


def _check_view(preset: ErrorPreset, like: str, view: str) -> None:
    if view in preset.views:
        return
    known = [f"{name}:CLASS" if name == "one-vs-rest" else name for name in preset.views]
    remedy = " for each class in turn" if view == "classwise" else ""
    raise ParameterError(
        f"`like` {quoted(like)} has no view {quoted(view)}; use "
        f"{' or '.join(map(quoted, known))}{remedy}",
        code="view-not-possible",
    )


def _check_measure(preset: ErrorPreset, like: str, definition: ErrorDefinition) -> None:
    """Refuse a norm and the like that the other project does not have."""
    if (definition.norm, definition.counting) not in preset.measures:
        known = ", ".join(AGGREGATION_NAMES[measure] for measure in preset.measures)
        alike = " with every filled bin counted alike" * (definition.counting == "bins")
        raise ParameterError(
            f"`like` {quoted(like)} has {known}, got norm {definition.norm_name}{alike}; use "
            "these, or ask without `like`",
            code="preset-without-norm",
        )
    if definition.representative != "mean":
        raise ParameterError(
            f"`like` {quoted(like)} compares with the mean score of a bin, not with its "
            f"{definition.representative}; leave `representative` or `like` out",
            code="preset-without-midpoint",
        )
    if definition.threshold is not None:
        raise ParameterError(
            f"`like` {quoted(like)} has no threshold, got {definition.threshold:g}; leave "
            "`threshold` or `like` out",
            code="preset-without-threshold",
        )
    if definition.distance != "absolute" and not preset.any_distance:
        raise ParameterError(
            f"`like` {quoted(like)} has only the distance 'absolute', got "
            f"{quoted(definition.distance)}; leave `like` out, or use another norm",
            code="preset-without-distance",
        )


def _placed(preset: ErrorPreset, like: str, definition: ErrorDefinition) -> Binning:
    """Return the bins by the rule of the other project."""
    result = preset.placed(definition.bins, definition.view)
    if result is None:
        raise ParameterError(
            f"`like` {quoted(like)} has the bins {' and '.join(map(quoted, preset.bins))}, got "
            f"{quoted(str(definition.bins))}; use these, or ask without `like`",
            code="preset-without-bins",
        )
    if isinstance(result, PresetBinning) and result.ours.bins < preset.least:
        raise ParameterError(
            f"`like` {quoted(like)} needs `bins` of at least {preset.least}, got "
            f"{result.ours.bins}: its b edges make b - 1 bins, and one edge makes none",
            code="too-few-bins",
        )
    return result


def binary_table(data: Predictions, definition: ErrorDefinition, purpose: str) -> Predictions:
    """Return the two-class table that a binary view sees; `purpose` says what needs one."""
    if definition.view == "top-label":
        return data.top_label()
    if definition.top is not None:
        return data.top_k(definition.top)
    if definition.view == "one-vs-rest":
        return data.one_vs_rest(definition.target)
    raise ParameterError(
        f"{purpose} needs one binary view, 'top-label', 'one-vs-rest:CLASS' or 'top-k:K', got "
        f"{quoted(definition.name)}{near_names(definition.view, VIEWS[:1])}",
        code="view-not-possible",
    )


def rows_within(
    data: Predictions, view: str, rows: Sequence[Mapping[str, Any]]
) -> NDArray[np.bool_]:
    """Mark the rows whose probability in a binary view is in one of some intervals.

    Each interval has `lo`, `hi` and `closed`: "both" ends belong to it, or the "right" one alone.

    >>> data = Predictions.from_arrays([0, 1, 1], [0.2, 0.4, 0.6])
    >>> rows_within(data, "one-vs-rest:1", [{"lo": 0.2, "hi": 0.4, "closed": "right"}])
    array([False,  True, False])
    """
    binary = binary_table(data, define_error(data, view), "a choice of rows")
    score = binary.need_prob("a choice of rows")[:, 1]
    inside = np.zeros(data.stored, np.bool_)
    for row in rows:
        above = score >= row["lo"] if row["closed"] == "both" else score > row["lo"]
        inside |= above & (score <= row["hi"])
    return inside


@dataclass(frozen=True, slots=True, eq=False)
class ScoredEvent:
    """One event with its probability: what a bin compares.

    Attributes
    ----------
    score, rest : (n,) probability of the event, and of its opposite
    event : (n,) whether it is observed
    """

    score: Floats
    rest: Floats
    event: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class ViewEvents:
    """A table as a view sees it.

    Attributes
    ----------
    prob : (n, k) probabilities the labels are drawn from if calibrated
    actual : (n,) observed labels, columns of `prob`
    events : the events; with several, event j is at column j
    column : the column of `prob` the first event is about
    groups : (n,) number of the group of every row, None where rows are independent
    """

    prob: Floats
    actual: Ints
    events: Iterator[ScoredEvent]
    column: int = 1
    groups: Ints | None = field(kw_only=True)


def view_events(data: Predictions, definition: ErrorDefinition) -> ViewEvents:
    """Return the events of a view other than "joint"."""
    prob = data.need_prob("a calibration error")
    need_weight(data.mass)
    if definition.view == "classwise":
        each = _each_class(data, prob)
        return ViewEvents(prob, data.actual, each, 0, groups=data.group_codes)
    binary = binary_table(data, definition, "a calibration error")
    own = binary.need_prob("a calibration error")
    if not definition.mixed:
        event = ScoredEvent(own[:, 1], own[:, 0], binary.actual == 1)
        return ViewEvents(own, binary.actual, iter([event]), groups=data.group_codes)
    answer = data.predicted  # drawn as right with the probability of the answer itself
    right = data.actual == answer
    prob = against_rest(prob, answer, rest_sum)
    event = ScoredEvent(own[:, 1], own[:, 0], right)
    return ViewEvents(prob, right.astype(np.int32), iter([event]), groups=data.group_codes)


def need_weight(mass: Wide) -> None:
    """Refuse rows of which none weighs anything."""
    if not (mass > 0).any():
        raise InputError(
            "all weights of these rows are 0, so there is nothing to measure",
            code="weights-all-zero",
        )


def _each_class(data: Predictions, prob: Floats) -> Iterator[ScoredEvent]:
    """Yield every class against the rest; all sums of the others in one pass over the matrix."""
    others = np.minimum(sum_of_others(prob.astype(np.float64)), 1.0)
    for j in range(data.k):
        yield ScoredEvent(prob[:, j], others[:, j].astype(prob.dtype), data.actual == j)


def sum_of_others(value: Wide) -> Wide:
    """Return, for every column, the row's sum over the other columns, without a difference."""
    before, after = np.zeros_like(value), np.zeros_like(value)
    before[:, 1:] = np.cumsum(value[:, :-1], axis=1)
    after[:, :-1] = np.cumsum(value[:, :0:-1], axis=1)[:, ::-1]
    return before + after
