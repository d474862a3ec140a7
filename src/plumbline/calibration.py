"""How far probabilities are from what happened: views, distances, and the error as a statistic.

A statistic is a function of the class labels with the predictions held fixed, because binning
depends on the predictions alone. `Statistic` holds all that the function needs, so that the
observed labels and labels drawn from the predictions go through the same arithmetic.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, one_of, shorten
from plumbline.binning import Binning, Bins, OnePerPoint, binning_of, distinct_rows
from plumbline.errors import ParameterError, PlumblineWarning
from plumbline.predictions import Predictions

Floats: TypeAlias = NDArray[np.floating[Any]]
Ints: TypeAlias = NDArray[np.signedinteger[Any]]
Wide: TypeAlias = NDArray[np.float64]
Distance: TypeAlias = Callable[[Any, Any, Any], Any]


# y: observed share of the outcome; p: its mean probability; q: that of the other outcome.
def absolute(y: Any, p: Any, _q: Any) -> Any:
    """Return |y - p|."""
    return np.abs(y - p)


def square(y: Any, p: Any, _q: Any) -> Any:
    """Return (y - p)^2."""
    return np.square(y - p)


def log(y: Any, p: Any, q: Any) -> Any:
    """Return y ln(y / p) + (1 - y) ln((1 - y) / q); infinite where the impossible happened."""
    return surprise(y, p) + surprise(1.0 - y, q)


def surprise(y: Any, p: Any) -> Any:
    """Return y ln(y / p), 0 where y = 0, infinite where y > 0 = p."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(y > 0, y * np.log(np.divide(y, p)), 0.0)


DISTANCES: dict[str, Distance] = {"absolute": absolute, "square": square, "log": log}

# The joint view compares whole vectors; these shares of a class add up, over classes, to the total
# variation distance, half the squared Euclidean distance, and the Kullback-Leibler divergence:
# with two classes each is the binary distance above.
VECTOR_DISTANCES: dict[str, Distance] = {
    "absolute": lambda y, p, _: 0.5 * np.abs(y - p),
    "square": lambda y, p, _: 0.5 * np.square(y - p),
    "log": lambda y, p, _: surprise(y, p),
}

VIEWS = ("top-label", "classwise", "one-vs-rest", "joint")


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The binned part of an error: sum over cells of share * distance(hits / weight, p, q).

    A cell is a bin of one class. Row i whose label is c adds its weight to cell `number[i, c]`;
    cell 0 is nobody's and does not count.

    Attributes
    ----------
    number : (n, k) cell number
    total : (cells,) weight of all rows of a cell, hit or not
    mean, rest : (cells,) mean probability p of the outcome, and q of the other one
    share : (cells,) factor of the cell in the sum
    distance : what is summed
    bins : the bins of every class looked at; none for groups of equal vectors
    """

    number: NDArray[np.int32]
    total: Wide
    mean: Wide
    rest: Wide
    share: Wide
    distance: Distance
    bins: tuple[Bins, ...] = ()

    def error(self, hits: Wide) -> Wide:
        """Return the error for (cells, draws) sums of hits: one value a draw."""
        y = np.minimum(hits[1:] / self.total[1:, None], 1.0)
        d = self.distance(y, self.mean[1:, None], self.rest[1:, None])
        return cast(Wide, (self.share[1:, None] * d).sum(axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class Statistic:
    """A calibration error as a function of the labels, with the predictions held fixed.

    Attributes
    ----------
    prob : (n, k) probabilities the labels are drawn from if they are true
    actual : (n,) observed labels, columns of `prob`
    weight : (n,) weights, or None
    cells : the part that is binned, or None
    value : (n, k) what a row that is a bin of its own adds if its label is that class, or None
    """

    prob: Floats
    actual: Ints
    weight: Wide | None
    cells: Cells | None
    value: Wide | None


@dataclass(frozen=True, slots=True)
class Setting:
    """What exactly is measured; every default is filled in and every name checked."""

    view: str
    bins: Binning | None
    distance: str
    outcome: str
    target: str | None = field(default=None)

    def __str__(self) -> str:
        bins = "distinct vectors" if self.bins is None else str(self.bins)
        outcome = ", outcome: correct" if (self.mixed) else ""
        return f"{self.name}, {bins}, {self.distance}{outcome}"

    @property
    def name(self) -> str:
        """The view as the command line spells it: "one-vs-rest:CLASS" with its class."""
        return self.view if self.target is None else f"{self.view}:{self.target}"

    @property
    def mixed(self) -> bool:
        """Tell whether the score is P(class) but the outcome whether the answer is right."""
        return self.view == "one-vs-rest" and self.outcome == "correct"


def setting(
    data: Predictions,
    view: str | None = None,
    bins: str | Binning | None = None,
    distance: str = "absolute",
    outcome: str | None = None,
) -> Setting:
    """Fill in the defaults for this data and check every name."""
    view = view or ("one-vs-rest" if data.k == 2 else "top-label")
    kind, _, target = view.partition(":")
    one_of("view", kind, VIEWS)
    one_of("distance", distance, DISTANCES)
    if kind != "one-vs-rest" and target:
        raise ParameterError(f"`view` {kind!r} takes no class, got {view!r}")
    if kind == "one-vs-rest" and not target:
        if data.k > 2:
            raise ParameterError(
                f"`view` 'one-vs-rest' needs its class where there are {data.k}: write "
                f"'one-vs-rest:{data.classes[0]}', or use 'classwise' for all of them"
            )
        target = data.classes[data.positive]
    if kind == "joint" and bins is not None:
        raise ParameterError(
            f"`view` 'joint' groups equal probability vectors and takes no `bins`, got "
            f"{shorten(str(bins))}"
        )
    if target:
        data.class_number(target)
    scheme = None if kind == "joint" else binning_of(bins or "equal-width:15")
    return Setting(kind, scheme, distance, _outcome(kind, outcome), target or None)


def _outcome(kind: str, outcome: str | None) -> str:
    usual = "correct" if kind == "top-label" else "class"
    if outcome is None:
        return usual
    one_of("outcome", outcome, ("class", "correct"))
    if outcome == usual:
        return outcome
    if kind != "one-vs-rest":
        raise ParameterError(f"`view` {kind!r} has `outcome` {usual!r}, got {outcome!r}")
    warnings.warn(
        "the score is the probability of a class but the outcome is whether the answer was right: "
        "a low score with a right answer counts as an error. For P(the answer is right) use "
        "view='top-label'",
        PlumblineWarning,
        stacklevel=4,
    )
    return outcome


def statistic(data: Predictions, chosen: Setting) -> Statistic:
    """Return the calibration error as a function of the labels."""
    prob = data.need_prob("a calibration error")
    if chosen.view == "joint":
        return _joint(data, prob, chosen)
    if chosen.view == "classwise":
        lenses = [data.one_vs_rest(name) for name in data.classes]
        return _binned(data, prob, data.actual, chosen, lenses)
    lens = data.top_label() if chosen.view == "top-label" else data.one_vs_rest(chosen.target)
    if not chosen.mixed:
        return _binned(data, lens.need_prob("it"), lens.actual, chosen, [lens])
    return _mixed(data, lens, chosen)


def value_of(what: Statistic) -> float:
    """Return the error of the observed labels, from the sums that the bins already hold.

    The faster twin of `nulls.observed`, which sends the labels through the kernels of the draws.
    """
    error = 0.0
    if what.value is not None:
        own = np.take_along_axis(what.value, what.actual[:, None], axis=1)
        error += float(own.sum())
    if what.cells is not None:
        error += float(what.cells.error(_observed_hits(what, what.cells))[0])
    return error


def _observed_hits(what: Statistic, cells: Cells) -> Wide:
    if cells.bins:
        return np.concatenate([[0.0], *(b.outcome[b.filled] for b in cells.bins)])[:, None]
    own = np.take_along_axis(cells.number, what.actual[:, None], axis=1)[:, 0]
    return np.bincount(own, what.weight, len(cells.total)).astype(np.float64)[:, None]


def binary_lens(data: Predictions, chosen: Setting) -> Predictions:
    """Return the two-class table that a binary view sees."""
    if chosen.view == "top-label":
        return data.top_label()
    if chosen.view == "one-vs-rest":
        return data.one_vs_rest(chosen.target)
    raise ParameterError(
        f"a reliability diagram shows one binary view, 'top-label' or 'one-vs-rest:CLASS', got "
        f"{chosen.name!r}{near_names(chosen.view, VIEWS[:1])}"
    )


def _mixed(data: Predictions, lens: Predictions, chosen: Setting) -> Statistic:
    """Score P(class), outcome "the answer is right": drawn with the answer's own probability."""
    answer = lens.predicted
    prob = np.take_along_axis(lens.need_prob("it"), np.column_stack([1 - answer, answer]), axis=1)
    right = (lens.actual == answer).astype(np.int32)
    return _binned(data, prob, right, chosen, [replace(lens, actual=right)])


def _binned(
    data: Predictions, prob: Floats, actual: Ints, chosen: Setting, lenses: list[Predictions]
) -> Statistic:
    """Bin each lens; with several, lens j looks at class j and the error is their mean."""
    distance = DISTANCES[chosen.distance]
    if isinstance(chosen.bins, OnePerPoint):
        value = _point_values(data, [_scores(lens) for lens in lenses], distance)
        return Statistic(prob, actual, data.weight, None, value)
    parts = tuple(Bins.of(lens, chosen.bins or "equal-width:15") for lens in lenses)
    number = np.zeros((data.n, prob.shape[1]), np.int32)
    before = 0
    for j, (lens, part) in enumerate(zip(lenses, parts, strict=True)):
        cell_of_bin = np.where(part.filled, before + np.cumsum(part.filled), 0)
        number[:, j if len(lenses) > 1 else 1] = cell_of_bin[part.place(_scores(lens)[0])]
        before += int(part.filled.sum())
    total, mean, rest = (
        np.concatenate([[1.0], *(getattr(part, name)[part.filled] for part in parts)])
        for name in ("weight", "prob", "rest")
    )
    share = total / (_mass(data) * len(lenses))
    cells = Cells(number, total, mean / total, rest / total, share, distance, parts)
    return Statistic(prob, actual, data.weight, cells, None)


def _scores(lens: Predictions) -> tuple[Floats, Floats]:
    prob = lens.need_prob("it")
    return prob[:, 1], prob[:, 0]


def _point_values(
    data: Predictions, columns: list[tuple[Floats, Floats]], distance: Distance
) -> Wide:
    """Return (n, k): the row's part of the error if its label were each class in turn."""
    pairs = [(p.astype(np.float64), q.astype(np.float64)) for p, q in columns]
    miss = np.column_stack([distance(0.0, p, q) for p, q in pairs])
    hit = np.column_stack([distance(1.0, p, q) for p, q in pairs])
    if len(columns) == 1:
        return _weighted(data, np.column_stack([miss, hit]))
    return _weighted(data, (_sum_of_others(miss) + hit) / len(columns))


def _weighted(data: Predictions, value: Wide) -> Wide:
    """Multiply by the row's share of the weight; a row of weight 0 adds 0 even to infinity."""
    mass = np.ones(data.n) if data.weight is None else data.weight
    share = (mass / mass.sum())[:, None]
    out: Wide = np.zeros_like(value)
    np.multiply(share, value, out=out, where=share > 0)
    return out


def _sum_of_others(value: Wide) -> Wide:
    """Return, for every column, the row's sum over the other columns; infinities count too."""
    infinite = np.isinf(value)
    finite = np.where(infinite, 0.0, value)
    others: Wide = finite.sum(axis=1, keepdims=True) - finite
    elsewhere = infinite.sum(axis=1, keepdims=True) - infinite > 0
    others[elsewhere] = np.inf
    return others


def _joint(data: Predictions, prob: Floats, chosen: Setting) -> Statistic:
    """One bin a distinct vector; the distance is between the vector and the class shares."""
    distance = VECTOR_DISTANCES[chosen.distance]
    wide = prob.astype(np.float64)
    miss, hit = distance(0.0, wide, 1.0 - wide), distance(1.0, wide, 1.0 - wide)
    value = _weighted(data, _sum_of_others(miss) + hit)
    group, groups = distinct_rows(prob)
    shared = np.bincount(group, minlength=groups)[group] > 1
    if not shared.any():
        return Statistic(prob, data.actual, data.weight, None, value)
    value[shared] = 0.0
    cells = _vector_cells(data, wide, np.flatnonzero(shared), distance)
    return Statistic(prob, data.actual, data.weight, cells, value)


def _vector_cells(data: Predictions, prob: Wide, rows: Ints, distance: Distance) -> Cells:
    """Return one cell a class for every vector that several rows share."""
    group, groups = distinct_rows(prob[rows])
    mass = np.ones(data.n) if data.weight is None else data.weight
    weight = np.bincount(group, mass[rows], groups)
    vector = np.empty((groups, data.k))
    vector[group] = prob[rows]
    number = np.zeros((data.n, data.k), np.int32)
    number[rows] = group[:, None] * data.k + np.arange(1, data.k + 1)
    share = np.concatenate([[0.0], np.repeat(weight, data.k)])
    mean = np.concatenate([[0.0], vector.ravel()])
    total = np.where(share > 0, share, 1.0)
    return Cells(number, total, mean, 1.0 - mean, share / mass.sum(), distance)


def _mass(data: Predictions) -> float:
    return float(data.n) if data.weight is None else float(data.weight.sum())
