"""Every method tried on a table: which are worth trying, in which parts, and what each did.

Every part of the rows is recalibrated by maps that have not seen its examples.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shown
from plumbline.calibration import (
    Profile,
    ProfileStatistic,
    define_error,
    discrimination,
    miscalibration,
    profile_statistic,
)
from plumbline.calibration_errors import StatisticParams
from plumbline.calibration_errors.next_steps import FEWEST_TO_RECALIBRATE
from plumbline.dependence import RowGroups, row_groups_in
from plumbline.errors import InputError, ParameterError, PlumblineError
from plumbline.metrics import metric_named, metric_value
from plumbline.metrics.rankings import concordant_share
from plumbline.metrics.rates import usual_class
from plumbline.predictions import Predictions, coarsened, dealt_counts, sets_of_rows
from plumbline.predictions.labels import rows_of_codes
from plumbline.progress import Progress
from plumbline.random_streams import stream
from plumbline.recalibration import (
    METHODS,
    PROBABILITY,
    SCORE,
    CrossFitted,
    Method,
    RecalibrationMap,
    cross_fitted,
    dealt_parts,
    fit_map,
    method_named,
)
from plumbline.recalibration.methods import ONE_VS_REST
from plumbline.scores import brier_losses, own_log_probability
from plumbline.workers import map_pieces

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Truths = NDArray[np.bool_]

KEY = 41  # first number of the key of this stream
MOST_FOLDS = 10  # more of them would be fitted as often, and hold fewer rows each
CELLS = 2_000  # probabilities of a counted table on which methods are compared


A_SECOND = 7_500  # rows times classes squared


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """How the rows are cut.

    Attributes
    ----------
    part : (n,) number of every row's part, all rows of an example in one part
    example : (n,) number of every row's example, 0 .. e - 1
    shape : what the parts are, in words
    merged : to how many probabilities those of a counted table were merged; 0 if they were not
    """

    part: Ints
    example: Ints
    shape: str
    merged: int = 0

    @property
    def parts(self) -> int:
        """Number of parts."""
        return len(np.unique(self.part))


def cut_of(data: Predictions, parts: int, entropy: int) -> Cut:
    """Return the folds of one cross-validation, else random parts of the examples.

    Folds serve where there are 2 to 10 and no example is in several; then a map for the rows of
    one fold is fitted on those of the others. Examples are dealt out class by class, so that the
    parts hold nearly equally many of each; all rows of an example, which several repeats may have
    predicted, stay together. Only `row` says which rows are of one example: equal predictions and
    equal classes do not, for a model that is wrong gives them to different examples too. Raises
    InputError for fewer than two examples.
    """
    example = examples_of(data)
    count = int(example.max()) + 1
    if count < 2:
        raise InputError(
            f"cross-fitting needs at least 2 examples, got {count}; give more rows",
            code="too-few-rows",
        )
    if data.fold is not None and _serve(data.fold.codes, example):
        folds = np.asarray(np.unique(data.fold.codes, return_inverse=True)[1], np.intp)
        return Cut(folds, example, f"the {len(np.unique(folds))} folds of the table")
    kinds = np.zeros(count, np.intp)
    kinds[example] = data.actual
    part = dealt_parts(kinds, min(parts, count), stream(entropy, KEY))
    return Cut(part[example], example, f"{min(parts, count)} random parts")


def cut_counts(data: Predictions, parts: int, entropy: int) -> tuple[Predictions, Cut]:
    """Return a counted table whose rows are each in one part, and the parts.

    A row becomes one for each part that some of its rows are in: the parts are random parts of
    the repeated rows, or the 2 to 10 folds of the table. Above `CELLS` probabilities are merged
    before. Raises InputError for fewer than two rows.
    """
    if data.total < 2:
        raise InputError(
            f"cross-fitting needs at least 2 rows, got {data.total}; give more rows",
            code="too-few-rows",
        )
    folds = data.fold is not None and 2 <= len(np.unique(data.fold.codes)) <= MOST_FOLDS
    few = data if data.score is not None else coarsened(data, CELLS, by_fold=folds)
    merged = 0 if few is data else len(np.unique(few.need_prob("merging")[:, few.positive]))
    few = few.select(where=few.mass > 0)
    if folds and few.fold is not None:
        part = np.asarray(np.unique(few.fold.codes, return_inverse=True)[1], np.intp)
        return few, Cut(
            part, np.arange(few.stored), f"the {part.max() + 1} folds of the table", merged
        )
    count = min(parts, data.total)
    dealt = [*dealt_counts(few.mass, few.actual, count, stream(entropy, KEY))]
    rows = [np.flatnonzero(held) for held in dealt]
    table = few.select(where=np.concatenate(rows))
    weight = np.concatenate([held[own] for held, own in zip(dealt, rows, strict=True)])
    part = np.repeat(np.arange(count), [len(own) for own in rows])
    return replace(table, weight=weight), Cut(
        part, np.arange(table.stored), f"{count} random parts", merged
    )


def seconds_to_try(data: Predictions) -> float:
    """Return about how many seconds trying all methods on a table takes, on one core."""
    return data.stored * data.k**2 / A_SECOND


def examples_of(data: Predictions) -> Ints:
    """Return the (n,) number of every row's group or example; else every row is one."""
    sets = sets_of_rows(data)
    return np.arange(data.stored) if sets is None else sets


def _serve(folds: NDArray[np.signedinteger], example: Ints) -> bool:
    """Tell whether folds are few enough, and hold every example once at most."""
    together = np.unique(np.stack([example, folds]), axis=1).shape[1]
    return 2 <= len(np.unique(folds)) <= MOST_FOLDS and together == len(np.unique(example))


def with_shares(data: Predictions, part: Ints) -> Predictions:
    """Return the table with the shares of the classes in the other parts as probabilities.

    A class counts one row more than it has, so that none gets 0.
    """
    prob = np.empty((data.stored, data.k), order="F" if data.k == 2 else "C")
    for one in np.unique(part):
        inside = part == one
        mass = np.bincount(data.actual[~inside], data.mass[~inside], data.k) + 1.0
        prob[inside] = mass / mass.sum()
    return replace(data, prob=prob)


# ------------------------------------------------------------------ which methods are worth trying

FEW_NUMBERS = ("platt", "platt-on-probability", "beta", "temperature", "vector", "prior-shift")
# They can leave probabilities as they are. Platt scaling of the probability changes even calibrated
# ones.
CAREFUL = tuple(name for name in FEW_NUMBERS if name != "platt-on-probability")
SMOOTH = ("spline", "isotonic", "centred-isotonic", "venn-abers", "bbq")
BINNED = ("histogram-equal-width", "histogram-equal-size", "scaling-binning")
HELD_NUMBERS = ("matrix", "dirichlet-odir")  # k x k, all but 2 k held near 0
MANY_NUMBERS = (*HELD_NUMBERS, "dirichlet")

# Rows of the rarest class
LEAST_FEW, LEAST_SMOOTH, LEAST_BINNED = FEWEST_TO_RECALIBRATE, 20, 50
MOST_WORK = 60_000_000  # rows times numbers of the methods that fit k x k: about a minute each
MOST_EVENTS = 200  # classes that are each fitted against the rest


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What the rules look at.

    Attributes
    ----------
    read : "probability" or "score"
    k : classes; n : rows that count; rarest : rows of the rarest class that occurs
    """

    read: str
    k: int
    n: int
    rarest: int

    @classmethod
    def of(cls, data: Predictions, read: str) -> "TableFacts":
        """Count the rows that have weight."""
        kept = data.mass > 0
        times = data.mass[kept] if data.counted else None
        counts = np.bincount(data.actual[kept], times, minlength=data.k)
        return cls(read, data.k, int(counts.sum()), int(counts[counts > 0].min()))


@dataclass(frozen=True, slots=True)
class Rule:
    """Why some methods are not tried: `reason` is filled with the facts where `applies`."""

    methods: Sequence[str]
    applies: Callable[[TableFacts], bool]
    reason: str


RULES = (
    Rule(
        tuple(name for name, row in METHODS.items() if SCORE not in row.on),
        lambda on: on.read == SCORE,
        "reads probabilities, not ratings",
    ),
    Rule(
        ("vector",),
        lambda on: on.k == 2 and on.read == PROBABILITY,
        "the same as beta calibration for two classes",
    ),
    Rule(
        ("dirichlet", "dirichlet-odir"),
        lambda on: on.k == 2,
        "the same as beta calibration for two classes",
    ),
    Rule(("vector", "matrix"), lambda on: on.k == 2, "the same as Platt scaling for two classes"),
    Rule(
        FEW_NUMBERS,
        lambda on: on.rarest < LEAST_FEW,
        f"needs {LEAST_FEW} rows of every class, the rarest has {{rarest}}",
    ),
    Rule(
        SMOOTH,
        lambda on: on.rarest < LEAST_SMOOTH,
        f"needs {LEAST_SMOOTH} rows of every class, the rarest has {{rarest}}",
    ),
    Rule(
        BINNED,
        lambda on: on.rarest < LEAST_BINNED,
        f"needs {LEAST_BINNED} rows of every class, the rarest has {{rarest}}",
    ),
    Rule(
        ("dirichlet",),
        lambda on: on.n < 10 * on.k * (on.k + 1),
        "about {numbers:,} parameters, too many for {n:,} rows",
    ),
    Rule(
        HELD_NUMBERS,
        lambda on: on.n < 20 * on.k,
        "about {numbers:,} parameters, too many for {n:,} rows even with a penalty",
    ),
    Rule(
        MANY_NUMBERS,
        lambda on: on.n * on.k**2 > MOST_WORK,
        "takes minutes with {k} classes and {n:,} rows; name it to try it",
    ),
    Rule(
        tuple(name for name, row in METHODS.items() if row.several == ONE_VS_REST),
        lambda on: on.k > MOST_EVENTS,
        "fits {k} maps, one per class; name it to try it",
    ),
)


def methods_to_try(methods: Sequence[str] | None, facts: TableFacts) -> dict[str, str | None]:
    """Return the methods by name, with the reason why one is not tried, None where it is.

    Methods that the caller names are all tried, as far as they can read the table.
    """
    if methods is None:
        return {name: why_not(row, facts) for name, row in METHODS.items()}
    names = [methods] if isinstance(methods, str) else list(methods)
    if not names:
        raise ParameterError(
            "`methods` must name at least one method, got none", code="nothing-named"
        )
    rows = {row.name: row for row in map(method_named, names)}
    unreadable = [name for name, row in rows.items() if facts.read not in row.on]
    if unreadable:
        able = [name for name, row in METHODS.items() if facts.read in row.on]
        raise ParameterError(
            code="unreadable-method",
            argument="methods",
            rule=f"names of methods that read {facts.read}s",
            arrived=shown(unreadable),
            remedy=f"there are {shown(able, most=len(able))}",
        )
    return dict.fromkeys(rows)


def why_not(row: Method, facts: TableFacts) -> str | None:
    """Return the first rule against a method on such a table, None where there is none.

    >>> why_not(METHODS["isotonic"], TableFacts("probability", 2, 500, 3))
    'needs 20 rows of every class, the rarest has 3'
    """
    for rule in RULES:
        if row.name in rule.methods and rule.applies(facts):
            return rule.reason.format(
                k=facts.k, n=facts.n, numbers=facts.k * (facts.k + 1), rarest=facts.rarest
            )
    return None


FLEXIBLE = "spline"


def more_flexible(method: str, facts: TableFacts) -> str | None:
    """Return the name of a method of more parameters, None where there is none to name.

    >>> more_flexible("prior-shift", TableFacts("probability", 2, 500, 100))
    'spline'
    >>> more_flexible("isotonic", TableFacts("probability", 2, 500, 100)) is None
    True
    """
    if method not in FEW_NUMBERS or why_not(METHODS[FLEXIBLE], facts) is not None:
        return None
    return FLEXIBLE


# ------------------------------------------------------------------ the order of the rows

MOST_CELLS = 20_000_000  # rows times classes whose order is looked at, a few seconds' work
SHAPE_RULES = (miscalibration(), discrimination(), concordant_share)


@dataclass(frozen=True, slots=True)
class OrderScores:
    """Brier score's miscalibration and discrimination, and the ROC area.

    The area is the mean over the classes that some rows are of and some are not. NaN where a
    number is not defined.
    """

    miscalibration: float
    discrimination: float
    roc_auc: float


UNKNOWN = OrderScores(np.nan, np.nan, np.nan)


def order_scores(data: Predictions) -> OrderScores:
    """Return the shape of one table; of ratings only the area is there.

    Brier score = miscalibration - discrimination + uncertainty (Dimitriadis, Gneiting and Jordan
    2021), all of the positive class where there are two, else summed over the classes.

    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9])
    >>> shape = order_scores(data)
    >>> round(shape.miscalibration, 3), round(shape.discrimination, 3), shape.roc_auc
    (0.06, 0.125, 0.75)
    """
    if data.stored * data.k > MOST_CELLS or not data.mass.any():
        return UNKNOWN
    view = usual_class(data)
    if data.prob is None:
        return OrderScores(
            np.nan, np.nan, metric_value(metric_named("roc-auc"), data, StatisticParams(view=view))
        )
    what = profile_statistic(data, define_error(data, view), _all_three)
    values = _values(what)
    areas = values[:, 2][np.isfinite(values[:, 2])]
    miscalibrated, discriminated = values[:, :2].sum(axis=0)
    area = float(areas.mean()) if len(areas) else np.nan
    return OrderScores(float(miscalibrated), float(discriminated), area)


def _all_three(profile: Profile) -> Any:
    ready = [rule(profile) for rule in SHAPE_RULES]
    return lambda hits: np.vstack([error(hits) for error in ready])


def _values(what: ProfileStatistic) -> Floats:
    """Return (classes, 3) numbers."""
    tally = what.tally(1)
    tally.add(slice(0, len(what.actual)), what.actual.astype(np.int32)[:, None])
    values = [part.error(tally.hits[part.start : part.stop])[:, 0] for part in what.parts]
    return np.array(values, np.float64)


def mean_order_scores(shapes: list[OrderScores], mass: list[float]) -> OrderScores:
    """Return the weighted mean of the parts' shapes, each over the parts that have the number."""
    values = np.array([(s.miscalibration, s.discrimination, s.roc_auc) for s in shapes])
    weight = np.where(np.isfinite(values), np.array(mass)[:, None], 0.0)
    total = weight.sum(axis=0)
    sums = (np.where(weight > 0, values, 0.0) * weight).sum(axis=0)
    means = np.divide(sums, total, out=np.full(3, np.nan), where=total > 0)
    return OrderScores(*map(float, means))


def tied(data: Predictions) -> Truths:
    """Return (n,) whether a row shares its probability with another row.

    It is the positive class's of two, else the largest; of ratings the rating itself.

    >>> tied(Predictions.from_arrays([0, 1, 1], [0.2, 0.6, 0.6])).tolist()
    [False, True, True]
    """
    values = data.score if data.prob is None else data.prob
    if values is None:
        return np.zeros(data.stored, np.bool_)
    if values.ndim == 2:
        values = values[:, data.positive] if data.k == 2 else values.max(axis=1)
    _, home, count = np.unique(values, return_inverse=True, return_counts=True)
    if data.counted:
        count = np.bincount(home, data.mass)
    return np.asarray(count[home] > 1, np.bool_)


# ------------------------------------------------------------------ the trials

MOST_KEPT = 2**29  # bytes of recalibrated tables that are kept until one is chosen


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """What every row lost: (n,) log losses, infinite where p was 0, and (n,) Brier scores."""

    log_loss: Floats
    brier_score: Floats

    @classmethod
    def of(cls, data: Predictions) -> "Losses":
        """Return the losses of a table with probabilities."""
        return cls(0.0 - own_log_probability(data), brier_losses(data))


@dataclass(frozen=True, slots=True, eq=False)
class Assessment:
    """A table as it is before or after a map.

    Attributes
    ----------
    losses : of every row; None of ratings
    shape : mean over the parts, within which one map keeps one order
    tied : (n,) whether a row ties with another one of its part
    """

    losses: Losses | None
    shape: OrderScores
    tied: Truths

    @classmethod
    def of(cls, data: Predictions, cut: Cut) -> "Assessment":
        """Look at the table part by part."""
        shapes, masses, ties = [], [], np.zeros(data.stored, np.bool_)
        for rows in rows_of_codes(cut.part).values():
            inside = data.select(where=rows)
            shapes.append(order_scores(inside))
            masses.append(float(inside.mass.sum()))
            ties[rows] = tied(inside)
        losses = None if data.prob is None else Losses.of(data)
        return cls(losses, mean_order_scores(shapes, masses), ties)


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One method tried; `reason` says why it could not be, and all else is None or empty."""

    method: str
    after: Assessment | None = None
    table: Predictions | None = None
    parameters: int = 0
    notes: tuple[str, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TrialSetup:
    """What every method is tried on, and compared with.

    Attributes
    ----------
    data : table of one model; read : what maps read of it
    reference : the same; of ratings every row has the shares of the classes in the other parts
    cut : the parts
    """

    data: Predictions
    read: str
    reference: Predictions
    cut: Cut

    @classmethod
    def of(cls, data: Predictions, read: str, parts: int, entropy: int) -> "TrialSetup":
        """Deal out the rows, and say what every method is compared with."""
        if data.counted:
            data, cut = cut_counts(data, parts, entropy)
        else:
            cut = cut_of(data, parts, entropy)
        reference = with_shares(data, cut.part) if data.prob is None else data
        return cls(data, read, reference, cut)

    def table_after(self, trial: Trial) -> Predictions:
        """Return the table recalibrated in its parts by a method that was tried."""
        return self.recalibrated(trial.method).table if trial.table is None else trial.table

    def recalibrated(self, method: str) -> CrossFitted:
        """Return the table, every part recalibrated by a map of the other parts."""

        def fit(rows: Predictions) -> RecalibrationMap:
            return fit_map(rows, method, on=self.read)

        return cross_fitted(self.data, fit, parts=self.cut.part)


def tried(
    setup: TrialSetup,
    methods: Mapping[str, str | None],
    *,
    workers: int | None,
    progress: Progress | None,
) -> list[Trial]:
    """Try the methods that have no reason against them; the others keep their reason.

    Those of k x k numbers are tried one after another, after all others: matrix products take all
    cores by themselves, and in several threads at once they would wait for each other. A method
    that some part cannot be fitted by says why, and is left out.
    """
    wanted = [name for name, reason in methods.items() if reason is None]
    keep = setup.data.stored * setup.data.k * 16 * len(wanted) <= MOST_KEPT
    quick = [name for name in wanted if name not in MANY_NUMBERS]
    alone = [name for name in wanted if name in MANY_NUMBERS]
    trials_by_method: dict[str, Trial] = {}

    def finished(name: str, trial: Trial) -> None:
        trials_by_method[name] = trial
        if progress is not None:
            progress(len(trials_by_method), len(wanted))

    one = partial(_one, setup, keep=keep)
    map_pieces(one, quick, workers=workers, finished=finished)
    map_pieces(one, alone, workers=1, finished=finished)
    return [
        trials_by_method.get(name) or Trial(name, reason=reason) for name, reason in methods.items()
    ]


def _one(setup: TrialSetup, name: str, *, keep: bool) -> Trial:
    try:
        recalibrated = setup.recalibrated(name)
    except PlumblineError as error:
        return Trial(name, reason=str(error))
    notes = dict.fromkeys(note for one in recalibrated.maps for note in one.notes)
    return Trial(
        method=name,
        after=Assessment.of(recalibrated.table, setup.cut),
        table=recalibrated.table if keep else None,
        parameters=max(one.parameters for one in recalibrated.maps),
        notes=tuple(notes),
    )


def groups_of_gain(before: Predictions, after: Predictions) -> RowGroups | None:
    """Return how much rows of a group depend, and as how many independent ones they tell the gain.

    `after` are the same rows, recalibrated.
    """
    if before.prob is None or before.stored != after.stored:
        return row_groups_in(before)
    with np.errstate(invalid="ignore"):
        gain = own_log_probability(after) - own_log_probability(before)
    return row_groups_in(before, "gain", gain)
