"""The paired permutation test: the predictions of two models are exchanged example by example."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import whole_number
from plumbline.comparison.paired_rows import (
    Exchanged,
    Observed,
    Pair,
    Sums,
    area_parts,
    difference_of_exchanged,
    in_blocks,
    observed_of,
    warn_of_long,
)
from plumbline.comparison.quantity import Floats, Quantity, Truths
from plumbline.comparison.results import TestAnswer
from plumbline.jit import compiled
from plumbline.nulls import TIE
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, stream

KEY = 8  # first number of the key of these streams
SIZE = 256  # draws of one stream
NOTHING = -1  # number of the stream that exchanges no answers
MOST_LISTED = 16  # examples whose differences are exchanged in every way there is
MOSTLY_UNDEFINED = "the {} is undefined after most exchanges"

Bits = NDArray[np.uint8]


def paired_permutation(
    pair: Pair,
    quantity: Quantity,
    *,
    resamples: int = 9999,
    level: float = 0.95,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> TestAnswer:
    """Test whether two models' answers may be exchanged, by the difference T of a quantity.

    If no example tells which model an answer is of, T is one of the 2^e equally probable
    differences T* that exchanging both models' answers to each of e examples, or leaving them,
    gives (Fisher 1935; Good 2000). All rows of an example are exchanged together; true classes and
    weights stay. Exchanging all turns T* into -T*, so both tails are equal, and p is the share of
    |T*| >= |T|: of all of them where they are few (a mean over rows: at most 16 examples that
    differ; else at most as many exchanges as `resamples`), otherwise (1 + #) / (m + 1) of m =
    `resamples` random ones.

    For a mean over rows (Brier score, log loss, accuracy, profit) exchanging flips the signs of
    the examples' differences, which also tests, with many examples, whether the means are equal.
    Of other quantities the test is of exchangeable answers: two models that err differently may
    be told apart though their values agree. For areas under ROC curves ranks are exchanged, so
    that scales do not matter (Bandos, Rockette and Gur 2005); an exchange then turns the sign of
    what an example adds to the difference, as with means. There is no interval: it is NaN, and
    `paired_bootstrap` has one. `more["reach"]` of areas: the least |T*| that only a share 1 -
    `level` of the exchanges exceed.

    Raises InputError where the models' weights differ or only one of them has probabilities,
    ParameterError for less than one resample.

    >>> from plumbline import Predictions
    >>> from plumbline.comparison.quantity import quantity_of
    >>> y = [0, 1, 1, 0, 1]
    >>> first, second = (
    ...     Predictions.from_arrays(y, p)
    ...     for p in ([0.2, 0.9, 0.8, 0.1, 0.7], [0.4, 0.6, 0.7, 0.3, 0.6])
    ... )
    >>> pair = Pair(first, second, np.arange(5))
    >>> paired_permutation(pair, quantity_of("log-loss", first)).p_value  # 2 of 2^5
    0.0625
    """
    whole_number("resamples", resamples, least=1)
    pair, observed = observed_of(pair, quantity)
    if observed.reason is not None:
        return _answer(pair, observed, np.nan, {}, "no exchanges", observed.reason)
    adds = _adds(pair, quantity, observed.sums)
    few = _all_exchanges(pair, quantity, adds, resamples)
    if few is not None:
        p_value, reason = _share(few[0], few, 0, quantity)
        method = f"all {len(few):,} exchanges of the examples"
        more = {"exchanges": len(few), **_reach(quantity, few, 0, level)}
        return _answer(pair, observed, p_value, more, method, reason)
    warn_of_long(pair, quantity, resamples)
    block = _block(pair, quantity, adds, entropy_of(rng))
    values = in_blocks(block, resamples, size=SIZE, workers=workers, progress=progress)
    p_value, reason = _share(block(NOTHING, 1)[0], values, 1, quantity)
    more = {"exchanges": resamples, "undefined_draws": int((~np.isfinite(values)).sum())}
    more |= _reach(quantity, values, 1, level)
    return _answer(pair, observed, p_value, more, f"{resamples:,} random exchanges", reason)


def _answer(
    pair: Pair,
    observed: Observed,
    p_value: float,
    more: dict[str, Any],
    method: str,
    reason: str | None,
) -> TestAnswer:
    effect, size = observed.effect
    return TestAnswer(
        test="permutation",
        units=pair.examples,
        difference=observed.difference,
        interval_range=(np.nan, np.nan),
        statistic=observed.difference,
        p_value=p_value,
        effect=effect,
        effect_size=size,
        method=method,
        more={"values": observed.values, **more},
        reason=reason,
    )


def _share(
    value: float, values: Floats, itself: int, quantity: Quantity
) -> tuple[float, str | None]:
    """Return the share of exchanges at least as far from 0, and why there is none."""
    defined = values[np.isfinite(values)]
    if 2 * len(defined) < len(values):
        return np.nan, MOSTLY_UNDEFINED.format(quantity.title)
    far = np.abs(defined) >= abs(value) - TIE * (1 + abs(value))
    return float((itself + far.sum()) / (itself + len(defined))), None


def _reach(quantity: Quantity, values: Floats, itself: int, level: float) -> dict[str, float]:
    """Return how far from 0 a difference of areas must be for p <= 1 - level; inf: never."""
    if quantity.ratings is None:
        return {}
    far = np.sort(np.abs(values[np.isfinite(values)]))[::-1]
    allowed = int((1 - level) * (itself + len(far)) + TIE) - itself
    return {"reach": float(far[allowed]) if 0 <= allowed < len(far) else np.inf}


def _adds(pair: Pair, quantity: Quantity, sums: Sums | None) -> Floats | None:
    """Return (e,) what examples add to the difference, whose signs an exchange turns."""
    if sums is not None:
        return sums.part / sums.total
    return None if quantity.ratings is None else area_parts(pair, quantity.ratings)


# ---------------------------------------------------------------- all exchanges


def _all_exchanges(
    pair: Pair, quantity: Quantity, adds: Floats | None, resamples: int
) -> Floats | None:
    """Return the differences of all exchanges, the observed one first; None where too many."""
    if adds is not None:
        part = adds[adds != 0]
        return None if len(part) > MOST_LISTED else (1 - 2.0 * _flips(len(part))) @ part
    if pair.examples > MOST_LISTED or 2**pair.examples > resamples + 1:
        return None
    difference_of = difference_of_exchanged(pair, quantity)
    return np.array([difference_of(flip) for flip in _flips(pair.examples)])


def _flips(examples: int) -> Truths:
    """Return (2^e, e) all ways to exchange, none first."""
    number = np.arange(2**examples)[:, None]
    return np.asarray((number >> np.arange(examples)) % 2, np.bool_)


# ---------------------------------------------------------------- random exchanges


def _block(
    pair: Pair, quantity: Quantity, adds: Floats | None, entropy: int
) -> Callable[[int, int], Floats]:
    """Return what makes the differences of so many exchanges of one stream, of which one has none.

    Every example has one random bit a draw, eight of them in a byte.
    """
    many = pair.examples
    groups = -(-many // 8)

    def bits(number: int, width: int) -> Bits:
        if number == NOTHING:
            return np.zeros((groups, width), np.uint8)
        drawn = stream(entropy, KEY, number).bytes(groups * SIZE)
        return np.frombuffer(drawn, np.uint8).reshape(groups, SIZE)[:, :width].copy()

    if adds is not None:
        part = np.zeros(8 * groups)
        part[:many] = adds
        return lambda number, width: _means(part, bits(number, width))
    difference_of: Exchanged = difference_of_exchanged(pair, quantity)

    def anew(number: int, width: int) -> Floats:
        columns = (np.unpackbits(byte, bitorder="little") for byte in bits(number, width).T)
        return np.array([difference_of(flips[:many].astype(np.bool_)) for flips in columns])

    return anew


def _means(part: Floats, bits: Bits) -> Floats:
    total = np.zeros(bits.shape[1])
    add_flipped(part, bits, np.empty(256), total)
    return total


@compiled
def add_flipped(part: Floats, bits: Bits, table: Floats, total: Floats) -> None:
    """Add the parts, eight at a time, with the sign that a bit of every draw gives each.

    The 2^8 sums of eight parts are found once for all draws, which then look theirs up.
    """
    for g in range(len(bits)):
        table[0] = 0.0
        for j in range(8):
            table[0] += part[8 * g + j]
        for j in range(8):
            for b in range(1 << j):
                table[b + (1 << j)] = table[b] - 2.0 * part[8 * g + j]
        for r in range(len(total)):
            total[r] += table[bits[g, r]]
