"""Is the classifier calibrated enough? A three-way answer about the size of the error."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np

from plumbline._checks import open_fraction, whole_number
from plumbline._result import Detail, Presentation, Result
from plumbline.binning import Bins, BinsLike, OnePerPoint, binning_of
from plumbline.calibration import Wide, binary_table, define_error
from plumbline.calibration_tests.next_steps import RECALIBRATE
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import (
    bins_words,
    capital,
    error_name,
    interval,
    number,
    percentage,
    view_words,
)
from plumbline.predictions import Predictions
from plumbline.random_streams import Seed, entropy_of, stream

DEFAULT_BINS = "equal-size:10"
DRAWS_AT_ONCE = 2**21
FOREVER = 1e9
FOR_RATES = 0.2  # share of the level that is spent on not knowing the bins' rates
FEW_BINS, FEW_ROWS = 2, 10
ANSWERS = {
    "within": "Calibrated within",
    "beyond": "Miscalibrated beyond",
    "undecided": "Undecided for",
}
TONES = {"within": "good", "beyond": "bad", "undecided": "open"}
CI = (
    "CI: for the population value of these bins, by simulation; its coverage is at least the level."
)


@dataclass(frozen=True, repr=False, eq=False)
class EquivalenceTest(Result):
    """Is the calibration error smaller than a tolerance, larger, or undecided?

    Attributes
    ----------
    view, scheme : what was binned; n : rows; effective_n : the same, because weights are refused
    tolerance : the largest acceptable error
    level : 1 - level is the coverage of the interval
    value : the observed error, absolute distance
    interval_range : confidence interval of the population value for these bins
    p_within : bound of the p-value against a population error of the tolerance or more
    p_beyond : bound of the p-value against a population error of the tolerance or less
    answer : "within", "beyond" or "undecided"
    n_needed : about how many rows would decide, where these do not; None where no number would
    verdict : the answer in one sentence
    """

    statistic: str
    view: str
    scheme: str
    n: int
    effective_n: float
    tolerance: float
    level: float
    value: float
    interval_range: tuple[float, float]
    p_within: float
    p_beyond: float
    answer: str
    n_needed: int | None
    resamples: int
    verdict: str

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the population value."""
        return self.interval_range

    def present(self) -> Presentation:
        """Return the answer, the observed error with its interval, and how many rows decide."""
        name, percent = error_name(self.view), percentage(1 - self.level)
        details = [
            Detail("value", name, number(self.value)),
            Detail("interval_range", f"{percent} CI", interval(self.interval_range), joined=True),
        ]
        if self.answer == "undecided":
            needed = "no number decides" if self.n_needed is None else f"{self.n_needed:,}"
            details.append(Detail("n_needed", "rows needed, about", needed))
        return Presentation(
            subject=f"{capital(view_words(self.view))}, {bins_words(self.scheme)}",
            summary=self.verdict,
            tone=TONES[self.answer],
            details=tuple(details),
            next_step=RECALIBRATE if self.answer == "beyond" else None,
            legend=(CI,),
        )


def calibration_within(
    data: Predictions,
    *,
    tolerance: float = 0.02,
    view: str | None = None,
    bins: BinsLike | None = None,
    level: float = 0.05,
    resamples: int = 9999,
    rng: Seed = 0,
) -> EquivalenceTest:
    """Say whether the calibration error is within a tolerance, beyond it, or undecided.

    A test that does not reject is no proof of calibration; this test can give one. It is about the
    population value of the error of these bins, theta = sum_b (n_b / n) abs(pi_b - p_b), pi_b the
    true outcome rate of a bin and p_b its mean probability. With T the observed error and e_b = y_b
    - pi_b,

        theta <= T - sum_b (n_b / n) s_b e_b,  s_b the sign of pi_b - p_b,
        theta >= T - sum_b (n_b / n) abs(e_b),

    so that a quantile of each sum bounds theta. Upwards one linear combination of the errors is
    enough, whichever its signs are. Both are drawn from binomial counts, of the rates within each
    bin's Clopper-Pearson interval (coverage 1 - level / 5) that spread the most, and the signs that
    make the combination most skewed; the quantiles leave 2/5 of the level on each side. So the
    probability of a wrong "within" or "beyond" is level / 2 at most, by simulation (two one-sided
    tests, applied to a calibration error). With one or two bins, or bins of fewer than 10 rows, all
    bins' Clopper-Pearson intervals at once give the bounds (Bonferroni).

    Parameters
    ----------
    data : Predictions
        The predictions of one model, with probabilities and without unequal weights.
    tolerance : float, default 0.02
        The largest acceptable error, between 0 and 1.
    view : str, optional
        "top-label", "one-vs-rest:CLASS" or "top-k:K"; the default as in `calibration_error`.
    bins : int, str or Binning, default "equal-size:10"
        A number means so many bins of equal width.
    level : float, default 0.05
        Of both one-sided tests together, between 0 and 1.
    resamples : int, default 9999
        Draws of the binomial counts.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.

    Returns
    -------
    EquivalenceTest
        Whether the error is within the tolerance, with bounds of the p-value.

    Raises
    ------
    ParameterError
        For a view that is not binary, or one bin per point.
    InputError
        For unequal weights, whose counts have no binomial distribution, and without probabilities.

    References
    ----------
    Schuirmann (1987), "A comparison of the two one-sided tests procedure and the power approach".

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> p = rng.uniform(size=20_000)
    >>> data = Predictions.from_arrays(rng.uniform(size=20_000) < p, p)
    >>> calibration_within(data, tolerance=0.03).answer
    'within'
    >>> calibration_within(data.select(where=range(200)), tolerance=0.03).answer
    'undecided'
    """
    open_fraction("tolerance", tolerance)
    open_fraction("level", level)
    whole_number("resamples", resamples, least=1)
    name, scheme, part = _bins_of(data, view, bins)
    gap = (part.outcome - part.prob) / np.where(part.filled, part.weight, 1.0)
    value = float(np.sum(part.weight * np.abs(gap)) / part.weight.sum())
    if _few(part):
        low, high, p_within, p_beyond = _boxed(part, tolerance, level)
        noise, down, up = 0.0, value - low, high - value
    else:
        spread, slant = _noise(part, level, resamples, rng)
        half = (1.0 - FOR_RATES) * level / 2
        down, up = _bound(spread, half), max(_bound(s, half) for s in (slant, -slant))
        low, high, noise = max(0.0, value - down), min(1.0, value + up), float(spread.mean())
        p_within = max(_share_at_least(s, tolerance - value) for s in (slant, -slant))
        p_beyond = _share_at_least(spread, value - tolerance)
    answer = "within" if high <= tolerance else "beyond" if low > tolerance else "undecided"
    needed = _rows_needed(data.total, value, tolerance, noise, down, up)
    needed = needed if answer == "undecided" else None
    return EquivalenceTest(
        statistic="equivalence",
        view=name,
        scheme=scheme,
        n=data.total,
        effective_n=data.effective_n,
        tolerance=float(tolerance),
        level=float(level),
        value=value,
        interval_range=(low, high),
        p_within=p_within,
        p_beyond=p_beyond,
        answer=answer,
        n_needed=needed,
        resamples=resamples,
        verdict=_verdict(name, answer, data.total, value, (low, high), tolerance, level),
    )


def _bins_of(data: Predictions, view: str | None, bins: BinsLike | None) -> tuple[str, str, Bins]:
    """Return the view's name, the scheme's, and the bins that hold rows."""
    scheme = binning_of(DEFAULT_BINS if bins is None else bins)
    if isinstance(scheme, OnePerPoint):
        raise ParameterError(
            "`bins` must hold several rows each, got 'one-per-point'; use equal-size:10",
            code="bins-of-one-score",
        )
    definition = define_error(data, view, scheme)
    binary_data = binary_table(data, definition, "a test within a tolerance")
    kept = data.mass[data.mass > 0]
    if not len(kept) or (np.ptp(kept) > 0 and not data.counted):
        raise InputError(
            "weights that differ (or are all 0) give no binomial counts; repeat rows that stand "
            "for several examples, or leave the weights out",
            code="weights-not-possible",
        )
    rows = data.mass > 0
    prob = binary_data.need_prob("a calibration error")[rows]
    count = kept if data.counted else None
    scores = prob[:, 1], prob[:, 0], binary_data.actual[rows] == 1
    part = Bins.of_scores(*scores, count, scheme, counted=data.counted)
    return definition.name, str(scheme), part


def _noise(part: Bins, level: float, draws: int, rng: Seed) -> tuple[Wide, Wide]:
    """Draw sum_b share_b |e_b| and the most skewed sum_b share_b s_b e_b, (draws,) each."""
    count = part.weight[part.filled].astype(np.int64)
    rate = _widest_rates(part.outcome[part.filled], part.weight[part.filled], level)
    sign = np.where(rate <= 0.5, 1.0, -1.0)  # e_b leans upwards where hits are rare
    source = stream(entropy_of(rng), 1)
    spread, slant = np.empty(draws), np.empty(draws)
    size = max(1, DRAWS_AT_ONCE // len(count))
    for start in range(0, draws, size):
        stop = min(start + size, draws)
        hits = source.binomial(count, rate, (stop - start, len(count)))
        error = (hits - count * rate) / count.sum()
        spread[start:stop] = np.abs(error).sum(axis=1)
        slant[start:stop] = error @ sign
    return spread, slant


def _widest_rates(hits: Wide, count: Wide, level: float) -> Wide:
    """Return, of the Clopper-Pearson interval of every bin's rate, the point nearest to 1/2."""
    low, high = _rates(hits, count, FOR_RATES * level / 2)
    return cast(Wide, np.clip(0.5, low, high))


def _few(part: Bins) -> bool:
    """Tell whether errors cannot average out: few bins, or bins of few rows."""
    count = part.count[part.filled]
    return len(count) <= FEW_BINS or int(count.min()) < FEW_ROWS


def _boxed(part: Bins, tolerance: float, level: float) -> tuple[float, float, float, float]:
    """Return low and high ends of the error, and both p-values, from all bins' rates at once.

    Each rate is in its Clopper-Pearson interval, with the level shared out among the bins
    (Bonferroni); the error is between the smallest and the largest that such rates have.
    """
    filled = part.filled
    hits, count = part.outcome[filled], part.weight[filled]
    mean, share = part.prob[filled] / count, count / count.sum()

    def ends(half: float) -> tuple[float, float]:
        low, high = _rates(hits, count, half / len(count))
        nearest = np.abs(np.clip(mean, low, high) - mean)
        furthest = np.maximum(np.abs(low - mean), np.abs(high - mean))
        return float(share @ nearest), float(share @ furthest)

    def smallest(shown: Callable[[float], bool]) -> float:
        small, large = -40.0, 0.0  # powers of e
        for _ in range(50):
            middle = (small + large) / 2
            small, large = (small, middle) if shown(np.exp(middle)) else (middle, large)
        return float(np.exp(large))

    low, high = ends(level / 2)
    within = smallest(lambda half: ends(half)[1] <= tolerance)
    return low, high, within, smallest(lambda half: ends(half)[0] > tolerance)


def _rates(hits: Wide, count: Wide, half: float) -> tuple[Wide, Wide]:
    """Return the ends of the Clopper-Pearson intervals, each missed with probability `half`."""
    from scipy.special import betaincinv

    inside = np.maximum(hits, 0.5), np.maximum(count - hits, 0.5)  # only where they do not count
    low = np.where(hits > 0, betaincinv(inside[0], count - hits + 1, half), 0.0)
    high = np.where(hits < count, betaincinv(hits + 1, inside[1], 1 - half), 1.0)
    return low, high


def _bound(draws: Wide, level: float) -> float:
    """Return the smallest bound that at most `level` of (1 + draws) reach beyond; else infinite."""
    rank = int(np.ceil((1 - level) * (len(draws) + 1) - 1e-9))
    return float(np.sort(draws)[rank - 1]) if rank <= len(draws) else np.inf


def _share_at_least(draws: Wide, value: float) -> float:
    return float((1 + np.count_nonzero(draws >= value - 1e-12)) / (len(draws) + 1))


def _rows_needed(
    n: int, value: float, tolerance: float, noise: float, down: float, up: float
) -> int | None:
    """Guess the n that decides: all noise shrinks as 1 / sqrt(n), the error below it stays."""
    error = max(0.0, value - noise)
    room = abs(tolerance - error)
    whole = noise + up if error <= tolerance else down - noise
    needed = n * (whole / room) ** 2 if room > 0 else np.inf
    if not needed < FOREVER:
        return None
    digits = 10 ** max(0, int(np.log10(max(needed, 1.0))) - 1)
    return int(np.ceil(max(needed, 1.2 * n) / digits) * digits)


def _verdict(
    view: str,
    answer: str,
    n: int,
    value: float,
    ends: tuple[float, float],
    tolerance: float,
    level: float,
) -> str:
    return (
        f"{ANSWERS[answer]} the tolerance {number(tolerance)}: {error_name(view)} {number(value)}, "
        f"{percentage(1 - level)} CI {interval(ends)} (n = {n:,})."
    )
