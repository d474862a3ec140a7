"""Softmax regression: penalised maximum likelihood, and how strong the penalty is.

The numbers of class c stand in row c of a (k, f) array: of `BIAS` its shift alone, of `DIAGONAL`
its slope and shift, of `FULL` its k weights and its shift.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.formatting import counted, named
from plumbline.recalibration.inputs import PROBABILITY, Reading
from plumbline.recalibration.methods.logistic import ONE_MORE
from plumbline.recalibration.methods.temperature import temperature

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Reals = NDArray[np.floating[Any]]

BLOCK = 2**18  # numbers in a block of rows
NAMED = 5  # classes without rows that a note names, at most


@dataclass(frozen=True, slots=True, eq=False)
class SoftmaxRows:
    """What is fitted to: (n, k) inputs, (n,) class numbers, (n,) weights."""

    x: Floats
    actual: Ints
    weight: Floats

    def part(self, rows: Any) -> "SoftmaxRows":
        """Return some of the rows."""
        return SoftmaxRows(self.x[rows], self.actual[rows], self.weight[rows])

    def blocks(self) -> Iterator["SoftmaxRows"]:
        """Yield the rows in pieces that fit a processor's cache."""
        step = max(1, BLOCK // self.x.shape[1])
        return (self.part(slice(i, i + step)) for i in range(0, len(self.x), step))


class Prepared(NamedTuple):
    """Rows ready to be fitted to, with the columns of the classes they are of alone.

    Attributes
    ----------
    rows : inputs in units of their own, so that their scale makes no difference
    present : (s,) numbers of the classes there are rows of
    unit : what the inputs were divided by
    slope : of the inputs, by temperature scaling: where to begin
    usual : the same where there is a best temperature, else that of unchanged inputs
    notes : which classes have no rows
    """

    rows: SoftmaxRows
    present: Ints
    unit: float
    slope: float
    usual: float
    notes: tuple[str, ...]


def prepared(reading: Reading, actual: Ints, weight: Floats, *, centred: bool) -> Prepared:
    """Return the rows to fit to; log probabilities have the unit 1, ratings their spread."""
    present = np.unique(actual)
    x = reading.logits(centred=centred)
    unit = 1.0
    if reading.on != PROBABILITY:
        unit = float(np.sqrt(np.average(np.square(x).mean(axis=1), weights=weight))) or 1.0
        x /= unit
    alone = temperature(reading, actual, weight)
    slope = unit / alone.details["temperature"]
    usual = unit if alone.notes else slope
    rows = SoftmaxRows(
        x if len(present) == reading.k else np.ascontiguousarray(x[:, present]),
        np.searchsorted(present, actual),
        weight,
    )
    return Prepared(rows, present, unit, slope, usual, _missing(reading, present))


def _missing(reading: Reading, present: Ints) -> tuple[str, ...]:
    names = [named(name) for number, name in enumerate(reading.classes) if number not in present]
    if not names:
        return ()
    missing = ", ".join(names) if len(names) <= NAMED else counted(len(names), "class")
    return (f"no row is of {missing}, so it gets the common slope",)


def for_all(numbers: Floats, present: Ints, k: int) -> tuple[Floats, Floats]:
    """Return weights and bias of all k classes, where one without rows has the usual slope.

    Shifts are known up to a constant: their mean is 0, as is the shift of a class without rows.
    """
    bias = np.zeros(k)
    bias[present] = numbers[:, -1] - numbers[:, -1].mean()
    if numbers.shape[1] == 1:
        return np.array(1.0), bias
    if numbers.shape[1] == 2:  # one slope a class; whole rows of weights are three or more
        slope = np.full(k, numbers[:, 0].mean())
        slope[present] = numbers[:, 0]
        return slope, bias
    weights = np.eye(k) * np.trace(numbers[:, :-1]) / len(present)
    weights[np.ix_(present, present)] = numbers[:, :-1]
    return weights, bias


# ------------------------------------------------------------------ the regression

LOOSE = 1e3  # spread of the numbers that nothing else holds, so that there is one optimum
SPREADS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)  # of penalised numbers, the tightest first
PARTS, FEWER, MANY = 5, 3, 20  # fewer for more than so many classes
CHOOSING = 1_000_000  # numbers in the rows that choose the spread, at most
ROUNDS, STEPS, MEMORY = 40, 100, 20  # of one curvature each; steps that are remembered
TRIAL_STEPS = 30  # of a round while choosing; then the other rows tell whether to go on
HOPELESS = 4.0  # standard errors by which a spread is worse on other rows than the best one
SHORTEST = 1e-9  # part of a step
EXACT, ROUGH = 1e-16, 1e-5  # fall of the mean loss that is left, and while choosing
MEASURED = 1_000  # rows that measure the curvature

SEPARATED = (
    "the most likely class of every row is the true one, so the slope depends only on the number "
    "of rows"
)


class SoftmaxDesign(NamedTuple):
    """How z follows from inputs x (r, k) and numbers (k, f), and what that makes of derivatives.

    Attributes
    ----------
    logits : (x, numbers) -> (r, k)
    gradient : (x, residuals (r, k)) -> (k, f)
    curvature : (x, variances (r, k)) -> (k, f, f), each class by itself
    """

    logits: Callable[[Floats, Floats], Floats]
    gradient: Callable[[Floats, Floats], Floats]
    curvature: Callable[[Floats, Floats], Floats]


def _diagonal_curvature(x: Floats, v: Floats) -> Floats:
    both = np.array(
        [[(v * x * x).sum(axis=0), (v * x).sum(axis=0)], [(v * x).sum(axis=0), v.sum(axis=0)]]
    )
    return np.moveaxis(both, 2, 0)


def _full_curvature(x: Floats, v: Floats) -> Floats:
    with_one = np.column_stack([x, np.ones(len(x))])
    return np.stack([(with_one * v[:, c, None]).T @ with_one for c in range(v.shape[1])])


BIAS = SoftmaxDesign(
    lambda x, numbers: x + numbers[:, 0],
    lambda _, rest: rest.sum(axis=0)[:, None],
    lambda _, v: v.sum(axis=0)[:, None, None],
)
DIAGONAL = SoftmaxDesign(
    lambda x, numbers: x * numbers[:, 0] + numbers[:, 1],
    lambda x, rest: np.column_stack([np.einsum("ij,ij->j", rest, x), rest.sum(axis=0)]),
    _diagonal_curvature,
)
FULL = SoftmaxDesign(
    lambda x, numbers: x @ numbers[:, :-1].T + numbers[:, -1],
    lambda x, rest: np.column_stack([rest.T @ x, rest.sum(axis=0)]),
    _full_curvature,
)


@dataclass(frozen=True, slots=True, eq=False)
class Pull:
    """The penalty: half the sum of squares of (numbers - target) / spread.

    Attributes
    ----------
    target : (k, f) where the numbers are pulled to
    spread : (k, f) how far they are expected from there; infinite ones are held at `LOOSE`
    """

    target: Floats
    spread: Floats

    @property
    def strength(self) -> Floats:
        """(k, f) of the squares."""
        return np.square(1 / np.minimum(self.spread, LOOSE))


def minimised(
    design: SoftmaxDesign,
    rows: SoftmaxRows,
    pull: Pull,
    *,
    start: Floats,
    unit: Floats | None = None,
    enough: float = EXACT,
    hopeless: Callable[[Floats], bool] | None = None,
) -> Floats:
    """Return the (k, f) numbers of least log loss, summed by weight, plus penalty.

    One more row is shared among all, of every class in its share of the rows, as in
    `shared_targets`: the labels count N / (N + 1). So where classes are separated or all but, no
    slope grows until one wrong row costs hundreds; other probabilities move by 1 / (N + 1) at most,
    about. Shifts alone do not move at all.

    Quasi-Newton steps in coordinates in which the curvature of every class, as it was at the start
    of a round, is one: they need few rounds whatever the scales of the inputs. `unit` are those of
    the first round, from `unit_of`. The problem is strictly convex, so the result does not depend
    on the start. Where `hopeless` says so of the numbers so far, they are returned as they are.
    """
    steps = STEPS if hopeless is None else TRIAL_STEPS
    numbers, strength, total = start, pull.strength, rows.weight.sum()
    one_more = _one_more(rows)
    for _ in range(ROUNDS):
        if unit is None:
            unit = unit_of(measured(design, rows, numbers), strength / total)

        def of(u: Floats, first: Floats = numbers, unit: Floats = unit) -> tuple[float, Floats]:
            here = first + _across(u, unit)
            loss, slope = _loss(design, rows, here, one_more)
            off = here - pull.target
            slope += strength * off
            loss += 0.5 * float((strength * off * off).sum())
            return loss / total, np.matmul(unit, slope[:, :, None])[:, :, 0] / total

        u, ended = descended(of, np.zeros(numbers.shape), enough=enough, steps=steps)
        numbers = numbers + _across(u, unit)
        unit = None
        if ended or (hopeless is not None and hopeless(numbers)):
            break
    return numbers


def _across(u: Floats, unit: Floats) -> Floats:
    moved: Floats = np.matmul(u[:, None, :], unit)[:, 0, :]
    return moved


def descended(
    of: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    *,
    enough: float,
    steps: int = STEPS,
) -> tuple[Floats, bool]:
    """Return where limited-memory BFGS steps end, and whether the value had stopped falling.

    `of` gives a convex function's value and gradient. A step is halved until the value falls as
    it should (Armijo). Source: Nocedal and Wright (2006), algorithm 7.4.
    """
    here, (value, slope) = start, of(start)
    past: list[tuple[Floats, Floats, float]] = []
    for _ in range(steps):
        way = _way(slope, past)
        fall = float(np.vdot(way, slope))
        if not -fall > enough * max(1.0, abs(value)):
            return here, True
        step = 1.0
        while True:
            there = here + step * way
            new, new_slope = of(there)
            if new <= value + 1e-4 * step * fall:
                break
            step /= 2
            if step < SHORTEST:  # rounding is larger than what is left to fall
                return here, True
        change = new_slope - slope
        past = [*past[-MEMORY + 1 :], (there - here, change, float(np.vdot(there - here, change)))]
        past = [one for one in past if one[2] > 0]
        here, value, slope = there, new, new_slope
    return here, False


def _way(slope: Floats, past: list[tuple[Floats, Floats, float]]) -> Floats:
    """Return the direction of the next step from what earlier steps showed of the curvature."""
    way = -slope
    shares = []
    for step, change, both in reversed(past):
        shares.append(float(np.vdot(step, way)) / both)
        way = way - shares[-1] * change
    for (step, change, both), share in zip(past, reversed(shares), strict=True):
        way = way + (share - float(np.vdot(change, way)) / both) * step
    return way


def log_losses(design: SoftmaxDesign, rows: SoftmaxRows, numbers: Floats) -> Floats:
    """Return (n,) log losses, times the weights."""
    return np.concatenate([one.weight * _shares(design, one, numbers)[1] for one in rows.blocks()])


def separation(design: SoftmaxDesign, rows: SoftmaxRows, numbers: Floats) -> tuple[str, ...]:
    """Return the note on rows whose true class is always the only likeliest one, if they are.

    It may be that before the map or by it: a row far out can bend the map of separated rows.
    """
    before = all(_all_right(one, one.x.copy()) for one in rows.blocks())
    if before or all(_all_right(one, design.logits(one.x, numbers)) for one in rows.blocks()):
        return (SEPARATED,)
    return ()


def _all_right(rows: SoftmaxRows, z: Floats) -> bool:
    place = np.arange(len(z))
    own = z[place, rows.actual]
    z[place, rows.actual] = -np.inf
    return bool(np.all(own > z.max(axis=1)))


def _shares(design: SoftmaxDesign, rows: SoftmaxRows, numbers: Floats) -> tuple[Floats, Floats]:
    """Return (r, k) probabilities and (r,) log losses."""
    z = design.logits(rows.x, numbers)
    z -= z.max(axis=1, keepdims=True)
    own = z[np.arange(len(z)), rows.actual]
    share = np.exp(z, out=z)
    total = share.sum(axis=1)
    share /= total[:, None]
    return share, np.log(total) - own


def _one_more(rows: SoftmaxRows) -> Floats:
    """Return (k,) what one more row adds to the targets of each: s times the classes' shares."""
    held = np.bincount(rows.actual, weights=rows.weight, minlength=rows.x.shape[1])
    total = float(held.sum())
    return np.asarray(held / total * (ONE_MORE / (total + ONE_MORE)))


def _loss(
    design: SoftmaxDesign, rows: SoftmaxRows, numbers: Floats, one_more: Floats
) -> tuple[float, Floats]:
    """Return the summed cross entropy towards the targets and its (k, f) gradient."""
    loss, slope = 0.0, np.zeros(numbers.shape)
    labels = 1.0 - float(one_more.sum())
    for one in rows.blocks():
        z = design.logits(one.x, numbers)
        z -= z.max(axis=1, keepdims=True)
        place = np.arange(len(z))
        wanted = labels * z[place, one.actual] + z @ one_more
        rest = np.exp(z, out=z)
        total = rest.sum(axis=1)
        loss += float(one.weight @ (np.log(total) - wanted))
        rest /= total[:, None]
        rest[place, one.actual] -= labels
        rest -= one_more
        rest *= one.weight[:, None]
        slope += design.gradient(one.x, rest)
    return loss, slope


def measured(design: SoftmaxDesign, rows: SoftmaxRows, numbers: Floats) -> Floats:
    """Return every class's curvature of the mean log loss, (k, f, f), from some of the rows."""
    step = max(1, len(rows.x) // max(MEASURED, 4 * numbers.shape[1]))
    few = rows.part(slice(None, None, step))
    share, _ = _shares(design, few, numbers)
    weight = few.weight / few.weight.sum()
    return design.curvature(few.x, share * (1 - share) * weight[:, None])


def unit_of(curvature: Floats, strength: Floats) -> Floats:
    """Return (k, f, f) coordinates, one a line, in which every class's curvature is one."""
    f = np.arange(strength.shape[1])
    whole = curvature.copy()
    # Where all rows are sure the curvature tells nothing, and a first step would have no end.
    whole[:, f, f] += strength + 1e-9 * (1 + whole[:, f, f])
    return np.linalg.inv(np.linalg.cholesky(whole))


# ------------------------------------------------------------------ how strong


def best_spread(
    design: SoftmaxDesign,
    rows: SoftmaxRows,
    pull: Callable[[float], Pull],
    *,
    start: Floats,
    key: Reals,
) -> float:
    """Return the spread with the least cross-validated log loss, from the tightest on.

    `key` are (n, k) numbers by which rows are dealt to parts: rows of equal numbers, in whatever
    order of the classes, stay together, so that neither repeated rows, nor their order, nor the
    order of the classes change the choice.
    """
    count = PARTS if key.shape[1] <= MANY else FEWER
    part, kept = dealt_by_value(key, count, most=CHOOSING // key.shape[1])
    if len(np.unique(part[kept])) < 2:
        return SPREADS[0]
    parts = [
        (rows.part(kept & (part != one)), rows.part(kept & (part == one)))
        for one in np.unique(part[kept])
    ]
    fitted, curvature = [start] * len(parts), measured(design, rows, start)
    best: list[Floats] = []  # losses on every part by the best spread so far
    totals: list[float] = []
    for spread in SPREADS:
        unit = unit_of(curvature, pull(spread).strength / rows.weight.sum())
        losses: list[Floats] = []
        for number, (others, inside) in enumerate(parts):
            hopeless = partial(_hopeless, design, inside, best[number]) if best else None
            fitted[number] = minimised(
                design,
                others,
                pull(spread),
                start=fitted[number],
                unit=unit,
                enough=ROUGH,
                hopeless=hopeless,
            )
            losses.append(log_losses(design, inside, fitted[number]))
            if best and _much_worse(losses[number], best[number], inside.weight):
                break  # the other parts would not save it
        whole = len(losses) == len(parts)
        totals.append(sum(float(loss.sum()) for loss in losses) if whole else np.inf)
        if totals[-1] == min(totals) < np.inf:
            best = losses
        if len(totals) > 2 and totals[-3] < totals[-2] <= totals[-1]:
            break  # looser ones take longest, and would hardly do better; one rise may be a bump
    return SPREADS[int(np.argmin(totals))]


def _hopeless(design: SoftmaxDesign, rows: SoftmaxRows, best: Floats, numbers: Floats) -> bool:
    """Return whether numbers on the way to a looser fit are much worse on rows not fitted to.

    The way leads from a tighter fit to a looser one, and what overfits on it overfits more at its
    end, which takes the most steps of all.
    """
    return _much_worse(log_losses(design, rows, numbers), best, rows.weight)


def _much_worse(losses: Floats, best: Floats, weight: Floats) -> bool:
    """Return whether losses, times weights, are larger by many standard errors."""
    off = losses - best
    mean = off.sum() / weight.sum()
    spread = float(np.sqrt((weight * np.square(off / weight - mean)).sum()))
    return bool(off.sum() > HOPELESS * spread)


def dealt_by_value(key: Reals, parts: int, *, most: int) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the part of every row by a hash of its numbers, and which rows to take of very many.

    >>> part, kept = dealt_by_value(np.array([[1.0, 2.0], [3.0, 4.0], [2.0, 1.0]]), 2, most=9)
    >>> bool(part[0] == part[2] != part[1]), kept.tolist()
    (True, [True, True, True])
    """
    # In single precision, for sums over the classes in another order round in another way; + 0.0
    # makes 0.0 of -0.0.
    bits = (np.ascontiguousarray(key, np.float32) + np.float32(0)).view(np.uint32).astype(np.uint64)
    for shift, times in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        bits = (bits ^ (bits >> np.uint64(shift))) * np.uint64(times)
    _, home, count = np.unique(bits.sum(axis=1), return_inverse=True, return_counts=True)
    reached = np.cumsum(count) - count
    return home % parts, (reached < most)[home]
