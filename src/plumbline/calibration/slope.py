"""Calibration slope and intercept, their likelihood ratio, and other estimates of a shift."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration.definition import (
    ErrorDefinition,
    ScoredEvent,
    need_weight,
    view_events,
)
from plumbline.calibration.drawable import Floats, Ints, Wide
from plumbline.calibration.logistic_series import fits_near
from plumbline.calibration.profiles import ErrorOfHits, Profile, ProfileRule
from plumbline.calibration.statistics import ProfileStatistic, profile_statistic
from plumbline.jit import compiled
from plumbline.predictions import Predictions, distinct_scores
from plumbline.predictions.ascending import Places

ALIKE = 1e-9  # relative: logits that differ by less are one, and tell no slope
ROUNDING = 1e-12  # less of a weight than this share is the rounding of its sum
MOST_STEPS = 200  # of Newton's method, with halved steps; a convention, more than it needs
SMALLEST_GAIN = 1e-13  # of log likelihood that a step may hope for; below it is rounding
MANY = 20_000  # distinct logits, above which drawn labels are fitted on the points of `few_points`
CELL = 1 / 128  # logits: the sums over its two points are off by 5e-10 sqrt(n) standard errors
FEW = 32  # draws, or logits, that are fitted one by one, which takes no longer; a convention
QUADRATIC = 1e-6  # gains below it cannot be told from the rounding of the likelihood


@dataclass(frozen=True, slots=True, eq=False)
class CoxStatistic:
    """The likelihood ratio of a logistic recalibration, as a function of the labels.

    The likelihood depends on the labels through two sums only, S0 = sum w y and S1 = sum w y x, so
    a tally is two sums and a flag.

    Attributes
    ----------
    prob, actual, weight : the two-class table
    x : (n,) logit of the outcome's probability; infinite where it is 0 or 1
    logit, mass : (g,) distinct finite logits, and their weights
    counted : whether the weights count identical rows
    groups : (n,) number of the group of every row, None where rows are independent
    """

    prob: Floats
    actual: Ints
    weight: Wide | None
    x: Wide
    logit: Wide
    mass: Wide
    counted: bool = False
    groups: Ints | None = field(kw_only=True)

    @property
    def count(self) -> Wide | None:
        """(n,) how many identical rows each row stands for, or None."""
        return self.weight if self.counted else None

    @property
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        return 3

    @property
    def freedom(self) -> int:
        """Number of parameters the data can tell: 2, or 1 where all logits are one."""
        return freedom_of(self.logit)

    @property
    def estimates(self) -> dict[str, float]:
        """Intercept and slope of largest likelihood for the observed labels.

        As `estimates_of` has them.
        """
        counted = np.isfinite(self.x) & (self.actual == 1)
        mass = np.ones(len(self.x)) if self.weight is None else self.weight
        counted &= mass > 0
        home = np.searchsorted(self.logit, self.x[counted])
        hits = np.bincount(home, mass[counted], len(self.logit)).astype(np.float64)
        fit = estimates_of(hits[:, None], self.logit, self.mass, self.freedom)[:, 0]
        if self.impossible:
            fit[:] = np.nan
        return {
            "intercept": float(fit[0]),
            "slope": float(fit[1]) if self.freedom == 2 else np.nan,
        }

    @property
    def sure(self) -> NDArray[np.bool_]:
        """(n,) rows of probability 0 or 1, which have no logit."""
        mass = np.ones(len(self.x)) if self.weight is None else self.weight
        return np.asarray(~np.isfinite(self.x) & (mass > 0))

    @property
    def left_out(self) -> int:
        """Number of rows without a logit, with those that are counted."""
        sure = self.sure
        return int(
            self.weight[sure].sum() if self.counted and self.weight is not None else sure.sum()
        )

    @property
    def impossible(self) -> bool:
        """Tell whether an outcome of probability 0 is observed."""
        return bool(((self.x > 0) != (self.actual == 1))[self.sure].any())

    def tally(self, width: int) -> "CoxTally":
        """Return an empty tally for `width` sets of labels."""
        return CoxTally(self, np.zeros((self.size, width)))

    def at(self, shares: Wide) -> float:
        """Return the ratio of labels that came in these `shares`, (n, 2)."""
        mass = np.ones(len(self.x)) if self.weight is None else self.weight
        known, hits = np.isfinite(self.x), mass * shares[:, 1]
        wrong = np.where(self.x > 0, shares[:, 0], shares[:, 1])
        impossible = (mass * wrong)[~known].sum()
        sums = np.array([hits[known].sum(), hits[known] @ self.x[known], impossible])
        return float(CoxTally(self, sums[:, None]).values()[0])


@dataclass(frozen=True, slots=True, eq=False)
class CoxTally:
    """The sums S0 and S1 of every draw, and whether an outcome of probability 0 is observed."""

    statistic: CoxStatistic
    sums: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        what = self.statistic
        x = what.x[rows]
        weight = np.ones(len(x)) if what.weight is None else what.weight[rows]
        add_logits(x, weight, labels, self.sums)

    def add_shares(self, rows: slice, shares: Wide) -> None:
        """Add counted rows, of which `shares`, (rows, draws), have the second class."""
        what = self.statistic
        if what.weight is None:
            raise TypeError("only counted rows have shares")
        x, count = what.x[rows], what.weight[rows]
        known = np.isfinite(x)
        self.sums[0] += count[known] @ shares[known]
        self.sums[1] += (count[known] * x[known]) @ shares[known]
        wrong = np.where(x[~known, None] > 0, 1.0 - shares[~known], shares[~known])
        self.sums[2] += count[~known] @ wrong

    def fitted(self) -> Wide:
        """Return (3, draws): intercept, slope, and twice the log likelihood ratio."""
        what = self.statistic
        return fit_of_sums(self.sums[:2], what.logit, what.mass, what.freedom)

    def values(self) -> Wide:
        """Return the likelihood ratio statistic of every draw."""
        ratio = np.maximum(self.fitted()[2], 0.0)
        return np.where(self.sums[2] > 0, np.inf, ratio)


def cox_statistic(binary: Predictions) -> CoxStatistic:
    """Return the test of calibration intercept 0 and slope 1 as a function of the labels.

    logit P(y = 1) = a + b logit(p) is fitted by maximum likelihood (Cox 1958); the statistic is
    twice the log likelihood ratio of (a, b) against (0, 1), chi-square with 2 degrees of freedom
    for many rows. Where labels are separated it is the supremum. Rows of probability 0 or 1 are
    ignored, or make it infinite where probability 0 is observed; with one distinct logit only the
    intercept is fitted. Weights multiply the log likelihood.

    Raises InputError without probabilities.

    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.25, 0.25, 0.75, 0.75]).one_vs_rest("1")
    >>> fit = cox_statistic(data).estimates
    >>> round(abs(fit["intercept"]), 6), round(abs(fit["slope"]), 6)
    (0.0, 0.0)
    """
    prob = binary.need_prob("the calibration slope")
    mass = binary.mass.astype(np.float64)
    need_weight(mass)
    with np.errstate(divide="ignore"):
        parts = np.log(prob.astype(np.float64)) if binary.log_prob is None else binary.log_prob
    x = parts[:, 1].astype(np.float64) - parts[:, 0]
    known = np.isfinite(x) & (mass > 0)
    logit, group = np.unique(x[known], return_inverse=True)
    shared = np.bincount(group, mass[known], len(logit)).astype(np.float64)
    rows = prob, binary.actual, binary.weight, x, logit, shared
    return CoxStatistic(*rows, binary.counted, groups=binary.group_codes)


def freedom_of(logit: Wide) -> int:
    """Return how many of intercept and slope distinct logits can tell: 0, 1 or 2."""
    if not len(logit):
        return 0
    return 1 if np.ptp(logit) <= ALIKE * (1.0 + np.abs(logit).max()) else 2


def estimates_of(hits: Wide, logit: Wide, mass: Wide, freedom: int) -> Wide:
    """Return (2, draws): intercept and slope of largest likelihood.

    An end of the likelihood that is never reached is infinite, and what it leaves open is NaN:
    where all outcomes are the same, the intercept is infinite, and a free slope open; where the
    logits separate the outcomes, a free slope is infinite, and the intercept open. Without a logit
    both are NaN.

    hits : (g, draws) weight of the observed events at every logit
    logit, mass : (g,) distinct logits, rising, and their weights
    freedom : 2 fits both, 1 holds the slope at 1, as one distinct logit makes it
    """
    if not freedom:
        return np.full((2, hits.shape[1]), np.nan)
    events = hits > ROUNDING * mass[:, None]
    others = hits < (1.0 - ROUNDING) * mass[:, None]
    every, none = ~others.any(axis=0), ~events.any(axis=0)
    fit = lines_of_sums(np.stack([hits.sum(axis=0), logit @ hits]), logit, mass, freedom)
    ends = [every, none]
    if freedom == 1:
        return np.stack([np.select(ends, [np.inf, -np.inf], fit[0]), fit[1]])
    ends += [_lowest(events) >= _highest(others), _highest(events) <= _lowest(others)]
    return np.stack(
        [
            np.select(ends, [np.inf, -np.inf, np.nan, np.nan], fit[0]),
            np.select(ends, [np.nan, np.nan, np.inf, -np.inf], fit[1]),
        ]
    )


def _lowest(there: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return (draws,) the first logit where something is."""
    return np.asarray(np.argmax(there, axis=0))


def _highest(there: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return (draws,) the last logit where something is."""
    return np.asarray(len(there) - 1 - np.argmax(there[::-1], axis=0))


def fit_of_sums(sums: Wide, logit: Wide, mass: Wide, freedom: int) -> Wide:
    """Return (3, draws): intercept, slope, and twice the log likelihood ratio against (0, 1).

    sums : (2, draws) S0 = sum w y and S1 = sum w y x of the labels
    logit, mass : (g,) distinct logits x, and their weights
    freedom : 2 fits both, 1 holds the slope at 1, 0 leaves all 0
    """
    out = np.zeros((3, sums.shape[1]))
    if len(logit) > MANY and sums.shape[1] > 1:
        logit, mass = few_points(logit, mass)
    if freedom:
        centre, scale = _standard(logit, mass)
        unit = mass.max()  # gains are judged against 1, whatever the weights' unit
        z = (logit - centre) / scale
        fit_logistic(sums / unit, mass / unit, z, centre, scale, freedom, out)
        out[2] *= unit
    return out


def lines_of_sums(sums: Wide, logit: Wide, mass: Wide, freedom: int) -> Wide:
    """Return (2, draws): intercept and slope as `fit_of_sums` has them, of many draws in less time.

    The mean draw is fitted, the others by a series around it (`logistic_series`). Those that it
    does not reach are fitted one by one.
    """
    if not freedom or sums.shape[1] < FEW or len(logit) < FEW:
        return fit_of_sums(sums, logit, mass, freedom)[:2]
    if len(logit) > MANY:
        logit, mass = few_points(logit, mass)
    mean = fit_of_sums(sums.mean(axis=1, keepdims=True), logit, mass, freedom)[:2]
    centre, scale = _standard(logit, mass)
    z, slope = (logit - centre) / scale, mean[1, 0]
    along = (sums[1] - centre * sums[0]) / scale
    place = mean[0, 0] + slope * centre, slope * scale
    unit = mass.max()
    away, right = fits_near(np.stack([sums[0], along]) / unit, mass / unit, z, *place, freedom)
    result: Wide = mean + np.stack([away[0] - away[1] * centre / scale, away[1] / scale])
    if not right.all():
        result[:, ~right] = fit_of_sums(sums[:, ~right], logit, mass, freedom)[:2]
    return result


def few_points(logit: Wide, mass: Wide, cell: float = CELL) -> tuple[Wide, Wide]:
    """Return few logits in the place of many, and their weights: two a cell.

    They have the weight, mean and variance of the logits of the cell, and a logistic curve is all
    but a parabola there.
    """
    starts = np.flatnonzero(np.diff(np.floor(logit / cell), prepend=-np.inf))
    weight = np.add.reduceat(mass, starts)
    whole = np.where(weight > 0, weight, 1.0)
    mean = np.add.reduceat(mass * logit, starts) / whole
    off = logit - np.repeat(mean, np.diff(starts, append=len(logit)))
    spread = np.sqrt(np.add.reduceat(mass * np.square(off), starts) / whole)
    points = np.stack([mean - spread, mean + spread], axis=1).ravel()
    return points, np.repeat(weight / 2, 2)


def _standard(logit: Wide, mass: Wide) -> tuple[float, float]:
    """Return a centre and a scale of the logits that keep the normal equations well conditioned."""
    likely = np.exp(-np.abs(logit))
    weight = mass * likely / np.square(1.0 + likely)
    if weight.sum() <= 0:
        weight = mass
    centre = float(np.average(logit, weights=weight))
    spread = float(np.sqrt(np.average(np.square(logit - centre), weights=weight)))
    return centre, spread if spread > 0 else 1.0


@compiled
def add_logits(x: Wide, weight: Wide, labels: Ints, sums: Wide) -> None:
    """Add w y and w y x of every row to each draw's sums, and w where probability 0 is observed."""
    n, width = labels.shape
    for i in range(n):
        w = weight[i]
        if np.abs(x[i]) < np.inf:
            for d in range(width):
                y = w * labels[i, d]
                sums[0, d] += y
                sums[1, d] += y * x[i]
        else:
            sure = 1 if x[i] > 0 else 0
            for d in range(width):
                if labels[i, d] != sure:
                    sums[2, d] += w


@compiled
def fit_logistic(
    sums: Wide, mass: Wide, z: Wide, centre: float, scale: float, freedom: int, out: Wide
) -> None:
    """Fill (3, draws) with intercept, slope, and twice the log likelihood ratio against (0, 1).

    z are the logits less `centre`, divided by `scale`; with `freedom` 1 the slope stays 1.
    """
    here, there = np.empty(6), np.empty(6)
    for d in range(sums.shape[1]):
        s0, s1 = sums[0, d], (sums[1, d] - centre * sums[0, d]) / scale
        a, b = centre, scale  # the predictions themselves: a + b z = logit
        derivatives(mass, z, a, b, s0, s1, here)
        start = here[0]
        for _ in range(MOST_STEPS):
            det = here[3] * here[5] - here[4] * here[4] if freedom == 2 else here[3]
            if det <= 0.0:
                break
            if freedom == 2:
                da = (here[5] * here[1] - here[4] * here[2]) / det
                db = (here[3] * here[2] - here[4] * here[1]) / det
            else:
                da, db = here[1] / det, 0.0
            hope = da * here[1] + db * here[2]  # twice what a quadratic likelihood would gain
            if not hope > SMALLEST_GAIN:
                if hope > 0.0:  # too small to be looked at; without it a fit is 3e-7 errors off
                    a += da
                    b += db
                break
            step = 1.0
            derivatives(mass, z, a + da, b + db, s0, s1, there)
            while hope > QUADRATIC and not there[0] >= here[0] and step > 1e-10:
                step *= 0.5
                derivatives(mass, z, a + step * da, b + step * db, s0, s1, there)
            a += step * da
            b += step * db
            here, there = there, here
        out[1, d] = b / scale
        out[0, d] = a - b * centre / scale
        out[2, d] = 2.0 * (here[0] - start)


@compiled
def derivatives(mass: Wide, z: Wide, a: float, b: float, s0: float, s1: float, out: Wide) -> None:
    """Fill in the log likelihood at a + b z, its gradient (2), and minus its Hessian (aa, ab, bb).

    Labels enter through s0 = sum w y and s1 = sum w y z alone.
    """
    value, ga, gb, haa, hab, hbb = a * s0 + b * s1, s0, s1, 0.0, 0.0, 0.0
    for i in range(len(z)):
        eta = a + b * z[i]
        e = np.exp(-abs(eta))
        p = (1.0 if eta >= 0 else e) / (1.0 + e)
        w = mass[i]
        value -= w * (max(eta, 0.0) + np.log1p(e))
        ga -= w * p
        gb -= w * p * z[i]
        v = w * e / ((1.0 + e) * (1.0 + e))
        haa += v
        hab += v * z[i]
        hbb += v * z[i] * z[i]
    out[0], out[1], out[2], out[3], out[4], out[5] = value, ga, gb, haa, hab, hbb


def calibration_in_the_large(profile: Profile) -> ErrorOfHits:
    """Return mean y - mean p: observed frequency minus mean prediction (best: 0).

    >>> from plumbline import Predictions
    >>> from plumbline.calibration import define_error, profile_statistic
    >>> from plumbline.nulls import observed
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.25, 0.25, 0.75, 0.75])
    >>> float(observed(profile_statistic(data, define_error(data), calibration_in_the_large)))
    0.25
    """
    expected, total = profile.weight @ profile.score, profile.weight.sum()
    return lambda hits: np.asarray((hits.sum(axis=0) - expected) / total)


def observed_to_expected(profile: Profile) -> ErrorOfHits:
    """Return sum y / sum p, the O/E ratio (best: 1).

    Infinite where sum p is 0 and sum y is not, NaN where both are 0.
    """
    expected = profile.weight @ profile.score

    def error(hits: Wide) -> Wide:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(hits.sum(axis=0) / expected)

    return error


def calibration_intercept(profile: Profile) -> ErrorOfHits:
    """Return a of logit P(y = 1) = a + logit p, by maximum likelihood (best: 0).

    The slope is held at 1 (Cox 1958; Steyerberg 2009 calls it calibration in the large). Rows of
    probability 0 or 1 change nothing, so they are left out. Infinite where all outcomes are the
    same; NaN where no row is left, and where an outcome of probability 0 is observed, which no
    intercept makes possible.
    """
    logits = _Logits.of(profile)
    return lambda hits: logits.intercept(hits)


def calibration_slope(profile: Profile) -> ErrorOfHits:
    """Return b of logit P(y = 1) = a + b logit p, by maximum likelihood (best: 1).

    Below 1 the probabilities are too extreme, above 1 not extreme enough (Cox 1958). Rows of
    probability 0 or 1 change nothing, so they are left out. Infinite where the logits separate the
    outcomes; NaN where all logits or all outcomes are the same, where no row is left, and where an
    outcome of probability 0 is observed.
    """
    logits = _Logits.of(profile)
    return lambda hits: logits.joint(hits)[1]


def cox_intercept(profile: Profile) -> ErrorOfHits:
    """Return a of logit P(y = 1) = a + b logit p, both by maximum likelihood (best: 0).

    The intercept of the joint fit (Cox 1958): the log odds of the event where p is 1/2. Rows of
    probability 0 or 1 change nothing, so they are left out. Infinite where all outcomes are the
    same; NaN where the logits separate the outcomes or are all the same, where no row is left, and
    where an outcome of probability 0 is observed.
    """
    logits = _Logits.of(profile)
    return lambda hits: logits.joint(hits)[0]


def estimate_statistic(
    data: Predictions, definition: ErrorDefinition, rule: ProfileRule
) -> ProfileStatistic:
    """Return a logistic estimate of a view, by the logits of its rows, as a function of the labels.

    `profile_statistic` would take rows whose scores are rounded to 1 for one score; their logits
    differ still, and a slope depends on them. Raises InputError without probabilities or weight.

    >>> from plumbline.calibration import define_error
    >>> from plumbline.nulls import observed
    >>> data = Predictions.from_arrays([0, 1, 0, 1, 1, 0], [0.2, 0.2, 0.2, 0.8, 0.8, 0.8])
    >>> what = estimate_statistic(data, define_error(data), calibration_slope)
    >>> round(float(observed(what)), 6)
    0.5
    """
    return profile_statistic(data, definition, rule, placing=_logit_profile)


def _logit_profile(event: ScoredEvent, weight: Wide | None) -> tuple[Profile, Places]:
    """Return the distinct logits of rows that have weight, and every row's place, -1 for none.

    Its score and rest are those of a row with the logit, whose sums are of all of them.
    """
    with np.errstate(divide="ignore"):
        logit = np.log(np.ascontiguousarray(event.score, np.float64))
        logit -= np.log(np.ascontiguousarray(event.rest, np.float64))
    some = None if weight is None or (weight > 0).all() else np.flatnonzero(weight > 0)
    _, first, place = distinct_scores(logit if some is None else logit[some])
    del logit
    group, mass, home = place, weight, first
    if some is not None:
        group = np.full(len(event.score), -1, np.int64)
        group[some] = place
        mass, home = None if weight is None else weight[some], some[first]
    score, rest = (part[home].astype(np.float64) for part in (event.score, event.rest))
    whole = np.bincount(place, mass, len(first)).astype(np.float64)
    return Profile(score, rest, whole), group


@dataclass(frozen=True, slots=True, eq=False)
class _Logits:
    """The scores of a profile that have a logit.

    Attributes
    ----------
    known : (g,) which scores; logit, weight : theirs
    sure : two of (g,), which scores are 0 and which are 1; whole : (g,) weights of all scores
    freedom : 2, 1 where all logits are one, 0 where there is none
    """

    known: NDArray[np.bool_]
    logit: Wide
    weight: Wide
    freedom: int
    sure: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    whole: Wide

    @classmethod
    def of(cls, profile: Profile) -> "_Logits":
        known = (profile.score > 0) & (profile.rest > 0)
        logit = np.log(profile.score[known]) - np.log(profile.rest[known])
        sure = profile.score <= 0, profile.rest <= 0
        weight = profile.weight
        return cls(known, logit, weight[known], freedom_of(logit), sure, weight)

    def intercept(self, hits: Wide) -> Wide:
        """Return (draws,) intercepts for a slope of 1."""
        return np.asarray(self._fitted(hits, min(self.freedom, 1))[0])

    def joint(self, hits: Wide) -> Wide:
        """Return (2, draws) intercepts and slopes of the joint fit; one logit has none."""
        fit = self._fitted(hits, self.freedom)
        return fit if self.freedom == 2 else np.full(fit.shape, np.nan)

    def _fitted(self, hits: Wide, freedom: int) -> Wide:
        fit = estimates_of(hits[self.known], self.logit, self.weight, freedom)
        never, always = self.sure
        impossible = (hits[never] > ROUNDING * self.whole[never, None]).any(axis=0)
        impossible |= (hits[always] < (1 - ROUNDING) * self.whole[always, None]).any(axis=0)
        return np.where(impossible, np.nan, fit)


@dataclass(frozen=True, slots=True)
class SureRows:
    """What a logistic estimate cannot use.

    Attributes
    ----------
    left_out : rows of probability 0 or 1; impossible : those whose outcome had probability 0
    constant : whether all other rows have one probability
    """

    left_out: int
    impossible: int
    constant: bool


def sure_rows(data: Predictions, definition: ErrorDefinition) -> SureRows:
    """Count the rows of a view that have no logit, in the event of any class.

    >>> from plumbline.calibration import define_error
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.0, 0.0, 0.4, 0.4])
    >>> sure_rows(data, define_error(data))
    SureRows(left_out=2, impossible=1, constant=True)
    """
    mass = data.mass
    sure, impossible = np.zeros(len(mass), bool), np.zeros(len(mass), bool)
    constant = False
    for event in view_events(data, definition).events:
        never, always = event.score <= 0, event.rest <= 0
        sure |= never | always
        impossible |= (never & event.event) | (always & ~event.event)
        known = ~(never | always) & (mass > 0)
        logit = np.log(event.score[known].astype(np.float64, copy=False))
        logit -= np.log(event.rest[known].astype(np.float64, copy=False))
        constant |= freedom_of(logit) == 1

    def rows(which: NDArray[np.bool_]) -> int:
        kept = which & (mass > 0)
        return int(mass[kept].sum() if data.counted else kept.sum())

    return SureRows(rows(sure), rows(impossible), constant)
