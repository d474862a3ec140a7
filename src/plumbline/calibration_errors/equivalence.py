"""Is the classifier calibrated enough? A three-way answer about the size of the error."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from plumbline._checks import open_fraction, shorten, whole_number
from plumbline._result import Detail, NextStep, Presentation, Result
from plumbline.binning import BinAssignment, Bins, BinsLike, OnePerPoint, binning_of
from plumbline.calibration import Floats, Ints, Wide, binary_table, define_error
from plumbline.calibration_errors.bin_errors import BinErrors, GroupedErrors, IndependentErrors
from plumbline.calibration_errors.next_steps import RECALIBRATE, after_rejection
from plumbline.calibration_errors.results import effective_rows
from plumbline.dependence import Partition, RowGroups, row_groups_of, strength_of
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import (
    beside,
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
DRAWS_AT_ONCE = 2**21  # numbers held at a time, times bins; bounds memory
FOREVER = 1e9  # rows: a plan beyond it is said to be out of reach
# Share of the level that is spent on not knowing the bins' rates (size and power: python
# studies/equivalence.py)
FOR_RATES = 0.2
# With so few bins, or a bin of so few rows, errors cannot average out; a convention.
FEW_BINS, FEW_ROWS = 2, 10
SIDES = BOTH, BELOW, ABOVE = 0, 1, 2  # where rates may be, seen from the mean probabilities
GRID = 101  # rates of a bin on either side; with 401, and 8 rounds, the quantile of the error
ROUNDS = 3  # falls by 1e-4 at most: test_a_finer_search_finds_no_worse_rates
STEPS = 16  # halvings of the interval in which its upper end lies
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
    level : of each one-sided test; 1 - 2 level is the coverage of the interval
    value : the observed error, absolute distance
    interval_range : confidence interval of the population value for these bins
    p_within : p-value against a population error of the tolerance or more, the largest possible
    p_beyond : bound of the p-value against a population error of the tolerance or less
    answer : "within", "beyond" or "undecided"
    n_needed : about how many rows would decide, where these do not; None where no number would
    verdict : the answer in one sentence
    groups : how much rows of a group depend; None where the table has no groups
    step : what to do where the error is beyond the tolerance
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
    groups: RowGroups | None = None
    step: NextStep = field(default=RECALIBRATE, metadata={"hidden": True})

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the population value."""
        return self.interval_range

    def present(self) -> Presentation:
        """Return the answer, the observed error with its interval, and how many rows decide."""
        percent = percentage(1 - 2 * self.level)
        # Its usual bins are others than those of an error without a tolerance.
        name = f"{error_name(self.view)}, {bins_words(self.scheme)}"
        details = [
            Detail("value", name, beside(self.value, self.interval_range)),
            Detail("interval_range", f"{percent} CI", interval(self.interval_range), joined=True),
        ]
        if self.answer == "undecided":
            needed = "no number decides" if self.n_needed is None else f"{self.n_needed:,}"
            details.append(Detail("n_needed", "rows needed, about", needed))
        details += effective_rows(self.n, self.n, self.groups)
        return Presentation(
            subject=f"{capital(view_words(self.view))}, {bins_words(self.scheme)}",
            summary=self.verdict,
            tone=TONES[self.answer],
            details=tuple(details),
            notes=() if self.groups is None else self.groups.notes(),
            next_step=self.step if self.answer == "beyond" else None,
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
    true outcome rate of a bin and p_b its mean probability. T is the observed error.

    "within" and "beyond" exclude each other, so each is tested one-sided at the whole level (two
    one-sided tests), and the interval that goes with them has coverage 1 - 2 level.

    Within: the p-value of "theta is t" is the probability of an error up to T under those rates of
    error t that make a small T the most probable. They are found with normal errors, where gaps in
    proportion to the bins' standard errors hide best, then drawn from binomial counts. The upper
    end is the smallest t that is rejected, and not below T.

    Beyond: theta >= T - sum_b (n_b / n) abs(e_b), e_b = y_b - pi_b. The quantile of the sum leaves
    4/5 of the level; it is drawn from binomial counts, of the rates within each bin's
    Clopper-Pearson interval (coverage 1 - 2 level / 5) that spread the most.

    With one or two bins, or bins of fewer than 10 rows, all bins' Clopper-Pearson intervals at once
    give both bounds (Bonferroni).

    Rows in groups: bins have an effective number of rows, and depend on each other, as labels of a
    Gaussian copula do whose correlation the residuals show.

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
        Of each one-sided test, between 0 and 0.5. The interval has coverage 1 - 2 level.
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
        For a view that is not binary, one bin per point, or a level of 0.5 or more.
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
    if open_fraction("level", level) >= 0.5:
        raise ParameterError(
            code="no-fraction",
            argument="level",
            rule="below 0.5, because the interval has coverage 1 - 2 level",
            arrived=shorten(level),
        )
    whole_number("resamples", resamples, least=1)
    name, scheme, part, rows = bins_of(data, view, bins)
    found: BinErrors = IndependentErrors(part.weight[part.filled])
    entropy, groups = entropy_of(rng), None
    if rows is not None:
        found, groups = _in_groups(part, rows, error_name(name), resamples, entropy)
    gap = (part.outcome - part.prob) / np.where(part.filled, part.weight, 1.0)
    value = float(np.sum(part.weight * np.abs(gap)) / part.weight.sum())
    if _few(found):
        low, high, p_within, p_beyond = _boxed(part, found, tolerance, level)
        noise, down, up = 0.0, value - low, high - value
    else:
        spread = _spread(part, found, level, resamples, entropy)
        down, noise = _bound(spread, (1.0 - FOR_RATES) * level), float(spread.mean())
        p_beyond = _share_at_least(spread, value - tolerance)
        boundary = Boundary(part, found, level, resamples, entropy)
        p_within = boundary.test(value, tolerance)
        end = boundary.upper_end(value, tolerance, p_within)
        low, high, up = max(0.0, value - down), min(1.0, end), end - value
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
        groups=groups,
        step=after_rejection(data),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _GroupRows:
    """Rows in groups: their probabilities of the event, labels, groups, and bins."""

    prob: Floats
    actual: Ints
    groups: Ints
    home: Ints


def bins_of(
    data: Predictions, view: str | None, bins: BinsLike | None
) -> tuple[str, str, Bins, _GroupRows | None]:
    """Return the view's name, the scheme's, the bins that hold rows, and rows in groups."""
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
    homes = BinAssignment.of(scores[0], count, scheme)
    part = Bins.at(homes, *scores, count, counted=data.counted)
    codes = binary_data.group_codes
    if codes is None:
        return definition.name, str(scheme), part, None
    inside = homes.number >= 0
    place = np.cumsum(part.filled) - 1
    grouped = _GroupRows(
        prob[inside],
        binary_data.actual[rows][inside],
        codes[rows][inside],
        place[homes.number[inside]],
    )
    return definition.name, str(scheme), part, grouped


def _in_groups(
    part: Bins, rows: _GroupRows, error: str, draws: int, entropy: int
) -> tuple[BinErrors, RowGroups | None]:
    """Return how the hits of bins of rows in groups vary, and what the rows tell of the error."""
    alone = IndependentErrors(part.weight[part.filled])
    groups = Partition.of(rows.groups)
    strength = strength_of(groups, rows.prob, rows.actual)
    told = row_groups_of(rows, strength)
    if told is None or not strength.likely.any():
        return alone, told
    expected = part.prob[part.filled]
    rate = np.clip(expected / alone.count, 0.0, 1.0)
    found = GroupedErrors.of(alone.count, rows.home, groups, strength, rate)
    both = (_errors(one, rate, expected, draws, stream(entropy, 3)) for one in (found, alone))
    return found, told.about(error, len(rows.actual), *both, squared=False)


def _spread(part: Bins, found: BinErrors, level: float, draws: int, entropy: int) -> Wide:
    """Draw sum_b share_b |e_b|, (draws,), of the rates that spread the most."""
    share = found.worth / part.weight[part.filled]
    rate = widest_rates(part.outcome[part.filled] * share, found.worth, level)
    return _errors(found, rate, found.count * rate, draws, stream(entropy, 1))


def _errors(
    found: BinErrors, rate: Wide, expected: Wide, draws: int, source: np.random.Generator
) -> Wide:
    """Draw sum_b abs(hits_b - expected_b) / n, (draws,), with hits of these rates."""
    errors = np.empty(draws)
    size = max(1, DRAWS_AT_ONCE // len(rate))
    for start in range(0, draws, size):
        stop = min(start + size, draws)
        hits = found.draw(rate, stop - start, source)
        errors[start:stop] = np.abs(hits - expected).sum(axis=1)
    return cast(Wide, errors / found.count.sum())


class Boundary:
    """The observed error where the population's error is a given theta, at its least favourable.

    Which rates make a small observed error the most probable is found with normal errors; how
    probable it is with these rates is drawn from their binomial counts. The draws of all thetas
    begin with the same state, so that they differ by little but theta.
    """

    def __init__(
        self, part: Bins, found: BinErrors, level: float, draws: int, entropy: int
    ) -> None:
        from scipy.special import ndtri

        self.count = found.count
        self.expected = part.prob[part.filled]
        self.level, self.draws, self.entropy = level, draws, entropy
        self.share = self.count / self.count.sum()
        self.z = float(-ndtri(level))
        mean = np.clip(self.expected / self.count, 0.0, 1.0)[:, None]
        part_way = np.linspace(0.0, 1.0, GRID) ** 2  # dense where the gaps are small
        self.rates = np.hstack([mean - mean * part_way, mean + (1.0 - mean) * part_way])
        self.mean, self.gap = mean[:, 0], np.abs(self.rates - mean)
        self.found = found
        self.moments = moments(self.gap, found.variance(self.rates))
        ends = np.maximum(self.mean, 1.0 - self.mean), self.mean, 1.0 - self.mean
        self.largest = tuple(float(self.share @ end) for end in ends)
        self.side = BOTH

    def rates_at(self, theta: float, side: int = BOTH) -> Wide:
        """Return the rates with error theta whose observed error has the smallest quantile.

        Of all rates, or of those below or above the mean probability of every bin.

        The quantile mean - z sd is a sum over the bins but for the sd, which is linearised at the
        sd of the last round. Then a multiplier on the gaps leaves one choice a bin.
        """
        share, bins = self.share[:, None], np.arange(len(self.count))
        mean, variance = share * self.moments[0], share**2 * self.moments[1]
        chosen = np.argmin(np.abs(self.gap - theta), axis=1)
        for _ in range(ROUNDS):
            sd = np.sqrt(variance[bins, chosen].sum())
            cost = mean - self.z * variance / (2 * max(sd, 1e-12))
            if side != BOTH:
                cost[:, slice(GRID, None) if side == BELOW else slice(GRID)] = np.inf
            small, large = -1.0, 1e3
            for _ in range(30):
                middle = (small + large) / 2
                chosen = np.argmin(cost - middle * share * self.gap, axis=1)
                enough = float(self.share @ self.gap[bins, chosen]) >= theta
                small, large = (small, middle) if enough else (middle, large)
            chosen = np.argmin(cost - large * share * self.gap, axis=1)
        gap = self.rates[bins, chosen] - self.mean
        reached = float(self.share @ np.abs(gap))
        return cast(Wide, np.clip(self.mean + gap * (theta / max(reached, theta)), 0.0, 1.0))

    def test(self, value: float, theta: float) -> float:
        """Return the p-value, and keep the side of the rates that gave it for the other thetas.

        Normal errors have no skewness, so the rates on one side of the probabilities are drawn too.
        """
        found = [self.p_value(value, theta, side) for side in SIDES]
        self.side = SIDES[int(np.argmax(found))]
        return max(found)

    def p_value(self, value: float, theta: float, side: int) -> float:
        """Return the probability of an observed error up to `value` where the error is theta.

        An observed error above theta is never taken for evidence of an error below it.
        """
        if value > theta:
            return 1.0
        if theta >= self.largest[side]:  # no rates on this side have such an error
            if side == BOTH:
                return 1.0 / (self.draws + 1)
            return self.p_value(value, theta, BOTH)
        return _share_at_least(-self.errors_at(theta, side), -value)

    def errors_at(self, theta: float, side: int) -> Wide:
        """Draw the observed error where the error is theta, (draws,)."""
        source, rate = stream(self.entropy, 2), self.rates_at(theta, side)
        return _errors(self.found, rate, self.expected, self.draws, source)

    def upper_end(self, value: float, tolerance: float, p_value: float) -> float:
        """Return the smallest error that is rejected; `p_value` is that of the tolerance."""
        if 1.0 / (self.draws + 1) > self.level:
            return np.inf
        if p_value <= self.level:
            if self.p_value(value, value, self.side) <= self.level:
                return value
            low, high = value, tolerance
        else:
            low, high = max(value, tolerance), max(value, self.largest[BOTH])
        for _ in range(STEPS):
            middle = (low + high) / 2
            rejected = self.p_value(value, middle, self.side) <= self.level
            low, high = (low, middle) if rejected else (middle, high)
        return high


def moments(gap: Wide, variance: Wide) -> tuple[Wide, Wide]:
    """Return mean and variance of abs(gap + error), with a normal error of this variance."""
    from scipy.special import ndtr

    sd = np.sqrt(variance)
    ratio = gap / np.maximum(sd, 1e-12)
    mean = sd * np.sqrt(2 / np.pi) * np.exp(-(ratio**2) / 2) + gap * (2 * ndtr(ratio) - 1)
    return mean, np.maximum(gap**2 + sd**2 - mean**2, 0.0)


def widest_rates(hits: Wide, count: Wide, level: float) -> Wide:
    """Return, of the Clopper-Pearson interval of every bin's rate, the point nearest to 1/2."""
    low, high = _rates(hits, count, FOR_RATES * level)
    return cast(Wide, np.clip(0.5, low, high))


def _few(found: BinErrors) -> bool:
    """Tell whether errors cannot average out: few bins, or bins of few rows."""
    return len(found.count) <= FEW_BINS or float(found.worth.min()) < FEW_ROWS


def _boxed(
    part: Bins, found: BinErrors, tolerance: float, level: float
) -> tuple[float, float, float, float]:
    """Return low and high ends of the error, and both p-values, from all bins' rates at once.

    Each rate is in its Clopper-Pearson interval, with the level shared out among the bins
    (Bonferroni); the error is between the smallest and the largest that such rates have.
    """
    filled = part.filled
    hits, count = part.outcome[filled], part.weight[filled]
    mean, share = part.prob[filled] / count, count / count.sum()
    hits = hits * (found.worth / count)

    def ends(half: float) -> tuple[float, float]:
        low, high = _rates(hits, found.worth, half / len(count))
        nearest = np.abs(np.clip(mean, low, high) - mean)
        furthest = np.maximum(np.abs(low - mean), np.abs(high - mean))
        return float(share @ nearest), float(share @ furthest)

    def smallest(shown: Callable[[float], bool]) -> float:
        small, large = -40.0, 0.0  # powers of e
        for _ in range(50):
            middle = (small + large) / 2
            small, large = (small, middle) if shown(np.exp(middle)) else (middle, large)
        return float(np.exp(large))

    # A gap near 0 is missed from above and from below, a large one from one side only.
    low, high = ends(level / 2)[0], ends(level)[1]
    within = smallest(lambda half: ends(half)[1] <= tolerance)
    return low, high, within, min(1.0, 2 * smallest(lambda half: ends(half)[0] > tolerance))


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
        f"{ANSWERS[answer]} the tolerance {number(tolerance)}: {error_name(view)} "
        f"{beside(value, ends)}, {percentage(1 - 2 * level)} CI {interval(ends)} (n = {n:,})."
    )
