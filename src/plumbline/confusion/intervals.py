"""Intervals of rates: Wilson's interval, Dirichlet draws, resampled rows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from plumbline.confusion.multiclass import scaled
from plumbline.random_streams import bootstrap_counts, stream

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

KEY = 41  # first number of the key of these streams
BATCH = 2_000_000  # numbers of cells that are drawn together
DIRICHLET = 42  # likewise of Dirichlet draws
SMOOTHED = 43  # likewise of draws from smoothed counts
ROWS_OF_TABLE = 2.0  # rows with the shares of the whole table that every class is smoothed with
JEFFREYS = 0.5  # what a cell of a table of two classes holds before any row is seen
EVERY_CELL = 50  # classes up to which every cell can be drawn, else those that hold rows
LEAST_DEFINED = 0.5  # share of the resamples that must have a value


@dataclass(frozen=True, slots=True, eq=False)
class ConfusionCells:
    """The cell of every row, for tables whose rows count differently or belong together.

    Attributes
    ----------
    code : (n,) k * actual + predicted
    weight : (n,) weights, or None
    example : (n,) number of the example or group of every row, None where each is its own
    unknown : whether rows stand for examples that come again, and nothing says which
    grouped : whether these are groups, whose rows differ, and not examples that come again
    """

    code: Ints
    weight: Floats | None
    example: Ints | None = None
    unknown: bool = False
    grouped: bool = False


def wilson_interval(share: float, n: float, *, level: float) -> tuple[float, float]:
    """Return the interval of a share of n rows (Wilson 1927), from 0 to 1 without rows.

    (p + z^2 / 2n -+ z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n), with z the normal
    quantile of (1 + level) / 2. Where rows have weights n is Kish's effective number.

    >>> low, high = wilson_interval(0.75, 8, level=0.95)
    >>> round(low, 3), round(high, 3)
    (0.409, 0.929)
    """
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if share == 0 else float(middle - half)
    return low, 1.0 if share == 1 else float(middle + half)


def exact_interval(share: float, n: float, *, level: float) -> tuple[float, float]:
    """Return the exact interval of a share of n rows (Clopper and Pearson 1934).

    Each end is missed with a probability of at most (1 - level) / 2, whatever the share is. Where
    rows have weights or are in groups, n is an effective number, as Korn and Graubard (1998) do.

    >>> low, high = exact_interval(0.75, 8, level=0.95)
    >>> round(low, 3), round(high, 3)
    (0.349, 0.968)
    """
    from scipy.special import betaincinv

    if n == 0:
        return 0.0, 1.0
    hits, half = share * n, (1 - level) / 2
    low = 0.0 if share == 0 else float(betaincinv(hits, n - hits + 1, half))
    high = 1.0 if share == 1 else float(betaincinv(hits + 1, n - hits, 1 - half))
    return low, high


def resampled_counts(
    counts: Floats, cells: ConfusionCells | None, *, resamples: int, entropy: int
) -> Iterator[Floats]:
    """Yield batches (b, k, k) of the counts of rows drawn with replacement, resamples in all.

    Without `cells` the counts are of rows alike, and the cells are drawn as one multinomial,
    which is the same law. With them rows are drawn, or examples with all their rows; huge and tiny
    weights are scaled by a power of 2.
    """
    if cells is not None and cells.weight is not None:
        cells = replace(cells, weight=scaled(cells.weight, like=counts))
    batch = max(1, min(resamples, BATCH // counts.size))
    for number, start in enumerate(range(0, resamples, batch)):
        size = min(batch, resamples - start)
        rng = stream(entropy, KEY, number)
        if cells is None:
            yield _multinomial(rng, counts, size)
        else:
            drawn = [_rows_again(rng, cells, counts.size) for _ in range(size)]
            yield np.reshape(drawn, (size, *counts.shape))


def _multinomial(rng: np.random.Generator, counts: Floats, size: int) -> Floats:
    filled = np.flatnonzero(counts)
    n = counts.flat[filled]
    drawn = np.zeros((size, counts.size))
    drawn[:, filled] = rng.multinomial(round(n.sum()), n / n.sum(), size=size)
    return drawn.reshape(size, *counts.shape)


def _rows_again(rng: np.random.Generator, cells: ConfusionCells, size: int) -> Floats:
    """Return the (size,) sums of weights of one resample."""
    if cells.example is None:
        times = bootstrap_counts(rng, len(cells.code))
    else:
        times = bootstrap_counts(rng, int(cells.example.max()) + 1)[cells.example]
    weight = times if cells.weight is None else times * cells.weight
    return np.asarray(np.bincount(cells.code, weights=weight, minlength=size), np.float64)


def dirichlet_tables(counts: Floats, *, resamples: int, entropy: int, turn: int) -> Floats:
    """Return (resamples, 2, 2) tables drawn from Dirichlet(counts + 1/2), as shares.

    This is the posterior of the four shares under Jeffreys' prior. `turn` tells tables apart that
    are drawn in one answer.
    """
    rng = stream(entropy, DIRICHLET, turn)
    drawn = rng.standard_gamma(counts + JEFFREYS, (resamples, 2, 2))
    return np.asarray(drawn / drawn.sum(axis=(1, 2), keepdims=True), np.float64)


def dirichlet_counts(counts: Floats, *, resamples: int, entropy: int) -> Iterator[Floats]:
    """Yield batches (b, k, k) of shares drawn from Dirichlet(counts + a), resamples in all.

    The prior a has the mass of a table of two classes, 2, whatever k is: 1 on the diagonal and 1
    beside it, in equal parts; more would shrink a table of many classes towards random predictions.
    Classes that have neither actual nor predicted rows hold nothing, and of more than 50 classes
    the mass beside the diagonal is on cells that hold rows.
    """
    prior = _prior(counts)
    filled = np.flatnonzero(counts + prior)
    alpha = (counts + prior).flat[filled]
    batch = max(1, min(resamples, BATCH // counts.size))
    for number, start in enumerate(range(0, resamples, batch)):
        rng = stream(entropy, DIRICHLET, 0, number)
        size = min(batch, resamples - start)
        drawn = np.zeros((size, counts.size))
        drawn[:, filled] = rng.standard_gamma(alpha, (size, len(filled)))
        drawn /= drawn.sum(axis=1, keepdims=True)
        yield drawn.reshape(size, *counts.shape)


def _prior(counts: Floats) -> Floats:
    """Return the (k, k) mass of the prior."""
    occurs = (counts.sum(axis=1) > 0) | (counts.sum(axis=0) > 0)
    open_cells = occurs[:, None] & occurs
    right = np.eye(len(counts), dtype=bool)
    wrong = open_cells & ~right
    if len(counts) > EVERY_CELL and (counts[wrong] > 0).any():
        wrong &= counts > 0
    prior = np.zeros(counts.shape)
    for part in (open_cells & right, wrong):
        prior[part] = 1.0 / max(1, int(part.sum()))
    return prior


def smoothed_shares(counts: Floats) -> Floats:
    """Return (k, k) shares in which a class with few rows errs somewhat as the whole table does.

    Two rows are added to every actual class: right as often as all rows are, else predicted as
    often as each class is. Without them a class of a single row would never vary. The classes keep
    their shares of the rows; one that is only predicted has half a row.

    >>> smoothed_shares(np.array([[1.0, 0.0], [1.0, 6.0]])).round(3).tolist()
    [[0.111, 0.014], [0.13, 0.745]]
    """
    actual, predicted = counts.sum(axis=1), counts.sum(axis=0)
    occurs = (actual > 0) | (predicted > 0)
    own = (np.trace(counts) + JEFFREYS) / (counts.sum() + 2 * JEFFREYS)
    others = _prior(counts) * (predicted + JEFFREYS)
    np.fill_diagonal(others, 0.0)
    total = others.sum(axis=1, keepdims=True)
    usual = (1 - own) * others / np.where(total > 0, total, 1.0)
    np.fill_diagonal(usual, np.where(total[:, 0] > 0, own, 1.0))
    rows = (counts + ROWS_OF_TABLE * usual) / (actual[:, None] + ROWS_OF_TABLE)
    share = np.where(occurs, np.maximum(actual, JEFFREYS), 0.0)
    return np.asarray(rows * (share / share.sum())[:, None], np.float64)


def tables_like(shares: Floats, n: float, *, resamples: int, entropy: int) -> Iterator[Floats]:
    """Yield batches (b, k, k) of the counts of n rows drawn from these shares, resamples in all."""
    batch = max(1, min(resamples, BATCH // shares.size))
    for number, start in enumerate(range(0, resamples, batch)):
        rng = stream(entropy, SMOOTHED, number)
        yield _multinomial(rng, shares * max(1.0, n), min(batch, resamples - start))


def error_interval(
    value: float, drawn: Floats, true: float, *, limits: tuple[float, float], level: float
) -> tuple[float, float]:
    """Return the interval of a value whose errors are like those of (m,) draws of a known one.

    The middle of the errors drawn - true is taken off the value, and with it the bias that they
    show. Errors are measured in arcsin(sqrt(x)), x being the place between the limits (v / (1 + v)
    where the upper one is infinite), so that the ends stay between them and few errors are told
    from none.

    >>> ends = error_interval(0.5, np.linspace(0.4, 0.5, 99), 0.5, limits=(0, 1), level=0.9)
    >>> [round(end, 3) for end in ends]  # the draws are too low, so the value was too
    [0.505, 0.595]
    """
    least, most = limits

    def angle(values: Floats) -> Floats:
        if np.isinf(most):
            share = (values - least) / (1 + values - least)
        else:
            share = (values - least) / (most - least)
        return np.asarray(np.arcsin(np.sqrt(np.clip(share, 0.0, 1.0))), np.float64)

    errors = angle(drawn[np.isfinite(drawn)]) - angle(np.array(true))
    far = np.quantile(errors, [(1 + level) / 2, (1 - level) / 2])
    ends = np.sin(np.clip(angle(np.array(value)) - far, 0.0, np.pi / 2)) ** 2
    with np.errstate(divide="ignore"):
        low, high = ends / (1 - ends) if np.isinf(most) else ends * (most - least)
    return float(least + low), float(least + high)


def held(low: float, high: float, value: float) -> tuple[float, float]:
    """Return the ends of an interval moved out to the value itself, as at a rate of 0 or 1."""
    return min(low, value), max(high, value)


LOST = "undefined in"


def left_out(lost: int, draws: int, what: str = "resamples") -> str | None:
    """Return in how many draws a rate has no value, None where it always has one.

    >>> left_out(3, 999)
    'undefined in 3 of 999 resamples'
    """
    return f"{LOST} {lost:,} of {draws:,} {what}" if lost else None


def percentile_interval(drawn: Floats, *, level: float) -> tuple[float, float, str | None]:
    """Return the middle of the (m,) resampled values, and why there is none or which it leaves out.

    Resamples in which the rate is undefined are left out, if they are fewer than half.
    """
    defined = drawn[~np.isnan(drawn)]
    lost = left_out(len(drawn) - len(defined), len(drawn))
    if len(defined) <= LEAST_DEFINED * len(drawn):
        return np.nan, np.nan, lost
    if np.ptp(defined) <= 1e-12 * np.abs(defined).max():
        return np.nan, np.nan, "every resample gives the same value"
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high), lost
