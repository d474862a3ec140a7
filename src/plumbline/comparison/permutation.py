"""The paired permutation test: the predictions of two models are exchanged example by example."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import checked_draws
from plumbline.comparison.inversion import Inverted, inverted_distance, inverted_shift
from plumbline.comparison.paired_rows import (
    Exchanged,
    Pair,
    Sums,
    area_masses,
    area_parts,
    difference_of_exchanged,
    in_blocks,
    mostly_undefined,
    observed_of,
    warn_of_long,
    without_undefined,
)
from plumbline.comparison.quantity import Floats, Quantity, Truths
from plumbline.comparison.results import TestAnswer
from plumbline.jit import compiled
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, stream

NAME = "permutation"
KEY = 8  # first number of the key of these streams
SIZE = 256  # draws of one stream
NOTHING = -1  # number of the stream that exchanges no answers
MOST_LISTED = 16  # examples whose differences are exchanged in every way there is
OF_ERRORS = 10  # draws beyond the two ends of the interval of an error, at the least
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
    what an example adds to the difference, as with means.

    The interval inverts the test: the differences that the same exchanges do not reject. Of means
    and areas a difference theta is taken off what the examples add (`inverted_shift`; of areas in
    the part of each class that a shift of ranks has). Other quantities do not say what theta would
    add: their interval leaves 0 out as T* must be far from 0 for that, and away from 0 it is as
    wide as the intervals of both errors say (`inverted_distance`); where an example has several
    rows, as T* must be far. `more["null_range"]` is that range of T*, and `more["null_mean"]` 0.

    Raises InputError where the models' weights differ or only one of them has probabilities,
    ParameterError for less than one resample or a level
    that is no fraction.

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
    checked_draws(resamples, level, interval=True)
    pair, observed = observed_of(pair, quantity)
    if observed.reason is not None:
        return observed.answer(
            "permutation", pair, Inverted(np.nan), {}, "no exchanges", observed.reason
        )
    entropy = entropy_of(rng)
    adds = _adds(pair, quantity, observed.sums)
    if adds is not None:
        part, mass, method = adds.exchanged(resamples, entropy, workers=workers, progress=progress)
        result = inverted_shift(float(adds.part.sum()), part, mass, level=level)
        return observed.answer(
            "permutation", pair, result, {"exchanges": len(part)}, method, result.reason
        )
    few = _all_exchanges(pair, quantity, resamples)
    if few is not None:
        values, value, method = few[1:], few[0], ALL.format(len(few))
    else:
        warn_of_long(pair, quantity, resamples)
        block = _block(pair, quantity, entropy)
        values = in_blocks(block, resamples, size=SIZE, workers=workers, progress=progress)
        value, method = block(NOTHING, 1)[0], RANDOM.format(resamples)
    defined = values[np.isfinite(values)]
    more: dict[str, Any] = {"exchanges": len(values) + (few is not None)}
    more["undefined_draws"] = len(values) - len(defined)
    method = without_undefined(method, len(values) - len(defined))
    if mostly_undefined(len(defined), len(values)):
        why = MOSTLY_UNDEFINED.format(quantity.title)
        return observed.answer(NAME, pair, Inverted(np.nan), more, method, why)
    below, above = _widths(pair, quantity, level, resamples, entropy, workers)
    result = inverted_distance(float(value), defined, level=level, below=below, above=above)
    more |= {"null_mean": 0.0, "null_range": (-result.reach, result.reach)}
    return observed.answer(NAME, pair, result, more, method, result.reason)


def _widths(
    pair: Pair,
    quantity: Quantity,
    level: float,
    resamples: int,
    entropy: int,
    workers: int | None,
) -> tuple[float, float]:
    """Return how far below and above its value a difference of two errors may lie, else NaN.

    An error is estimated too high, of calibrated probabilities by its mean under calibration, so
    that a difference of two comes out too small. So far as the interval of an error allows for
    that, it is added; what is left of both intervals is noise, put together as if independent (Zou
    and Donner 2008), which errors on the same rows are not: that is cautious.
    """
    if quantity.interval is None or pair.repeated:
        return np.nan, np.nan
    draws = min(resamples, max(199, round(OF_ERRORS / (1 - level)) - 1))
    below, above = [], []
    bias = []
    for table in (pair.first, pair.second):
        value = quantity.value(table)
        low, high, mean = quantity.interval(table, level, draws, entropy, workers)
        bias.append(max(min(value, mean) - low, 0.0))
        below.append(max(value - low - bias[-1], 0.0))
        above.append(max(high - value, 0.0))
    return (
        float(bias[0] + np.hypot(below[0], above[1])),
        float(bias[1] + np.hypot(below[1], above[0])),
    )


# ---------------------------------------------------------------- sums whose terms turn their signs


@dataclass(frozen=True, slots=True, eq=False)
class Adds:
    """What examples add to a difference, and what they would add to a shift of it by 1.

    Attributes
    ----------
    part : (e,) terms of the difference, whose signs an exchange turns
    mass : (e,) parts of 1
    even : whether all masses are equal
    """

    part: Floats
    mass: Floats
    even: bool

    def exchanged(
        self, resamples: int, entropy: int, *, workers: int | None, progress: Progress | None
    ) -> tuple[Floats, Floats, str]:
        """Return (r,) signed sums of parts and of masses, the observed among them, and how made.

        Where at most 16 terms are not 0, these have all signs there are, as often each, so that the
        p-value of no difference is exact; the signs of the others count for shifts alone, and are
        drawn where there are too many.
        """
        moved = self.part != 0
        few, rest = int(moved.sum()), int((~moved).sum())
        if few + rest <= MOST_LISTED:
            signs = 1 - 2.0 * _flips(few + rest)
            return signs @ self.part, signs @ self.mass, ALL.format(len(signs))
        if few <= MOST_LISTED:
            signs = 1 - 2.0 * _flips(few)
            often = -(-(resamples + 1) // len(signs))
            others = self._mass_of_others(~moved, len(signs) * often, resamples, entropy)
            part, mass = (np.repeat(signs @ each[moved], often) for each in (self.part, self.mass))
            others[0] = self.mass[~moved].sum()
            return part, mass + others, ALL.format(len(signs))
        sums = in_blocks(
            _signed_sums((self.part, self.mass), entropy),
            resamples,
            size=SIZE,
            workers=workers,
            progress=progress,
        )
        own = [[self.part.sum(), self.mass.sum()]]
        part, mass = np.concatenate([own, sums]).T
        return part, mass, RANDOM.format(resamples)

    def _mass_of_others(self, others: Truths, draws: int, resamples: int, entropy: int) -> Floats:
        """Return (draws,) signed masses of the terms that are 0."""
        many = int(others.sum())
        if self.even:
            turned = stream(entropy, KEY, 0, 1).binomial(many, 0.5, size=draws)
            return np.asarray(self.mass[others][:1].sum() * (many - 2.0 * turned), np.float64)
        block = _signed_sums((self.mass[others],), entropy)
        drawn = in_blocks(block, min(draws, resamples), size=SIZE, workers=1)[:, 0]
        return np.asarray(np.resize(drawn, draws), np.float64)


ALL = "all {:,} exchanges of the examples that differ"
RANDOM = "{:,} random exchanges"


def _adds(pair: Pair, quantity: Quantity, sums: Sums | None) -> Adds | None:
    """Return what examples add to the difference, None where it is no sum over them."""
    if sums is not None:
        even = sums.mass is None
        mass = np.ones(len(sums.part)) if sums.mass is None else sums.mass
        return Adds(sums.part / sums.total, mass / sums.total, even)
    if quantity.ratings is None:
        return None
    parts, mass = area_parts(pair, quantity.ratings), area_masses(pair, quantity.ratings)
    return Adds(parts, mass, False)


# ---------------------------------------------------------------- all exchanges


def _all_exchanges(pair: Pair, quantity: Quantity, resamples: int) -> Floats | None:
    """Return the differences of all exchanges, the observed one first; None where too many."""
    if pair.examples > MOST_LISTED or 2**pair.examples > resamples + 1:
        return None
    difference_of = difference_of_exchanged(pair, quantity)
    return np.array([difference_of(flip) for flip in _flips(pair.examples)])


def _flips(examples: int) -> Truths:
    """Return (2^e, e) all ways to exchange, none first."""
    number = np.arange(2**examples)[:, None]
    return np.asarray((number >> np.arange(examples)) % 2, np.bool_)


# ---------------------------------------------------------------- random exchanges


def _bits(many: int, entropy: int) -> Callable[[int, int], Bits]:
    """Return what draws the bits of so many examples for the exchanges of one stream.

    Every example has one random bit a draw, eight of them in a byte; one stream exchanges none.
    """
    groups = -(-many // 8)

    def bits(number: int, width: int) -> Bits:
        if number == NOTHING:
            return np.zeros((groups, width), np.uint8)
        drawn = stream(entropy, KEY, number).bytes(groups * SIZE)
        return np.frombuffer(drawn, np.uint8).reshape(groups, SIZE)[:, :width].copy()

    return bits


def _signed_sums(terms: Sequence[Floats], entropy: int) -> Callable[[int, int], Floats]:
    """Return what makes (width, terms) sums whose terms have the signs of one stream."""
    many = len(terms[0])
    bits = _bits(many, entropy)
    padded = [np.zeros(-(-many // 8) * 8) for _ in terms]
    for own, term in zip(padded, terms, strict=True):
        own[:many] = term

    def sums(number: int, width: int) -> Floats:
        drawn, result = bits(number, width), np.zeros((len(padded), width))
        for own, total in zip(padded, result, strict=True):
            add_flipped(own, drawn, np.empty(256), total)
        return np.ascontiguousarray(result.T)

    return sums


def _block(pair: Pair, quantity: Quantity, entropy: int) -> Callable[[int, int], Floats]:
    """Return what makes the differences of so many exchanges of one stream, of which one has none.

    Each is computed anew of the exchanged answers.
    """
    many = pair.examples
    bits = _bits(many, entropy)
    difference_of: Exchanged = difference_of_exchanged(pair, quantity)

    def anew(number: int, width: int) -> Floats:
        columns = (np.unpackbits(byte, bitorder="little") for byte in bits(number, width).T)
        return np.array([difference_of(flips[:many].astype(np.bool_)) for flips in columns])

    return anew


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
