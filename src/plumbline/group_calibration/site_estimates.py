"""What the rows of every site say of shift, slope, O/E ratio and AUC, given any labels."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Floats, Ints, Wide
from plumbline.calibration.slope import derivatives, few_points, freedom_of, lines_of_sums
from plumbline.calibration_errors import Events
from plumbline.dependence import sums_over_groups
from plumbline.group_calibration.random_effects import LEAST_SITES, spread_of
from plumbline.jit import compiled

MEASURES = ("shift", "slope", "oe", "auc")  # O/E on the log scale, the AUC on that of log-odds
# Sums of the labels of a site: events; events times p; on rows with a logit: events, events times
# logit, least and largest logit of an event, of another outcome; outcomes of probability 0; pairs
# of an event above another outcome, by event: sum, sum of squares; by other outcome: the same.
EVENTS, PREDICTED, LOGITS, MOMENT, LOW, HIGH, LOW_OTHER, HIGH_OTHER = range(8)
IMPOSSIBLE, ABOVE, ABOVE_SQUARED, BELOW, BELOW_SQUARED, SUMS = range(8, 14)
MANY = 1000  # distinct logits of a site, above which it is fitted on two points a cell
CELL = 1 / 32  # of so many logits: estimates differ by 1e-7 standard errors, in a tenth of the time
LEAST_IN_CLASS = 2  # rows of either class, of which an AUC has a variance
# Shrunken values are taken so often. With tau 0.3 two more change no value by 0.001 of its standard
# error, with tau 2 by 0.1 (python studies/sites.py tiny has the bias of means).
ROUNDS = 5
FARTHEST = 6.0  # log-odds or logs from the common value, beyond which no site is shrunken to


@dataclass(frozen=True, slots=True, eq=False)
class SiteRows:
    """Rows with one event each, by site and within it by probability.

    Attributes
    ----------
    sites : number of sites
    prob : (n, 2) probabilities the labels are drawn from
    actual : (n,) 1 where the event was observed
    groups : (n,) number of the group of every row, None where rows are independent
    own : (n,) predicted probability of the event; logit : (n,) its logit, infinite at 0 and 1
    site : (n,) number of the site; tied : (n,) whether the row before has the same site and
        probability
    widening : (measures, sites) by how much groups widen the variance of independent rows; NaN for
        a site of too few groups
    """

    sites: int
    prob: Floats
    actual: Ints
    groups: Ints | None
    own: Wide
    logit: Wide
    site: NDArray[np.int64]
    tied: NDArray[np.bool_]
    widening: Wide

    @classmethod
    def of(cls, events: Events, home: NDArray[Any], sites: int) -> "SiteRows":
        """Return the events of `sites` sites; row i is in site home[i]."""
        own = events.prob[:, 1]
        order = np.lexsort((own, home))
        own, site = own[order], home[order].astype(np.int64)
        with np.errstate(divide="ignore"):
            logit = np.log(own) - np.log(events.prob[order, 0])
        tied = np.append(False, (own[1:] == own[:-1]) & (site[1:] == site[:-1]))
        return cls(
            sites=sites,
            prob=events.prob[order],
            actual=events.observed[order].astype(np.int32),
            groups=None if events.groups is None else events.groups[order],
            own=own,
            logit=logit,
            site=site,
            tied=tied,
            widening=np.ones((len(MEASURES), sites)),
        )

    @property
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        return SUMS * self.sites

    def tally(self, width: int) -> "SiteTally":
        """Return an empty tally for `width` sets of labels."""
        sums = np.zeros((self.sites, SUMS, width))
        sums[:, [LOW, LOW_OTHER]], sums[:, [HIGH, HIGH_OTHER]] = np.inf, -np.inf
        return SiteTally(self, sums, np.zeros((4, width)))

    def between(self, values: Wide) -> Wide:
        """Return (measures, draws) tau^2 of drawn estimates; NaN for fewer than three."""
        estimate, variance = values.reshape(2, len(MEASURES), self.sites, -1)
        return np.stack([spread_of(*pair) for pair in zip(estimate, variance, strict=True)])

    def part(self, site: int) -> "SiteFacts":
        """Return what is fixed of a site."""
        rows = slice(*np.searchsorted(self.site, [site, site + 1]))
        own, logit = self.own[rows], self.logit[rows]
        level, count = np.unique(logit[np.isfinite(logit)], return_counts=True)
        mass = count.astype(np.float64)
        return SiteFacts(
            rows, own, *(few_points(level, mass, CELL) if len(level) > MANY else (level, mass))
        )

    def estimates(self) -> tuple[Wide, Wide]:
        """Return (measures, sites) estimates of the observed labels, and their variances."""
        estimate, variance = self._observed().estimates()
        return estimate[..., 0], variance[..., 0]

    def shrunken(self) -> tuple[Wide, Wide]:
        """Return what mean and spread are taken of: as `SiteTally.shrunken`, of observed labels."""
        estimate, variance = self._observed().shrunken()
        return estimate[..., 0], variance[..., 0]

    def _observed(self) -> "SiteTally":
        tally = self.tally(1)
        tally.add(slice(0, len(self.actual)), self.actual.astype(np.int32)[:, None])
        return tally

    @property
    def short(self) -> NDArray[np.bool_]:
        """(sites,) whether a site has too few groups."""
        return np.asarray(np.isnan(self.widening).all(axis=0))

    def widened(self, *, least: int) -> "SiteRows":
        """Return the rows with the variances that sums over groups show; never smaller ones.

        They are wider by the ratio of the variance that sums over groups show to the one of single
        rows; a site whose outcomes are all the same has the mean ratio of the
        others. Sites of fewer than `least` groups have none.
        """
        if self.groups is None:
            return self
        estimate, _ = self.estimates()
        widening, alike = np.ones_like(estimate), np.zeros(self.sites, bool)
        for site in range(self.sites):
            facts = self.part(site)
            groups = np.unique(self.groups[facts.rows], return_inverse=True)[1]
            count, n = int(groups.max()) + 1, len(groups)
            if count < least:
                widening[:, site] = np.nan
            if not least <= count < n:  # of groups of one row the ratio is 1 but for rounding
                continue
            actual = self.actual[facts.rows]
            alike[site] = np.ptp(actual) == 0
            for place, one in enumerate(influence(facts, self.logit, actual, estimate[:, site])):
                alone = np.square(one).sum() * n / (n - 1)
                sums = sums_over_groups(one, groups, telling=np.ones(n, bool))
                if sums is not None and np.isfinite(estimate[place, site]):
                    widening[place, site] = max(float(sums.variance[0]) / alone, 1.0)
        for own in widening:
            others = own[~alike & ~np.isnan(own)]
            own[alike] = others.mean() if len(others) else 1.0
        return replace(self, widening=widening)


@dataclass(frozen=True, eq=False)
class SiteFacts:
    """What is fixed of a site: its rows, predictions, and distinct logits with their counts."""

    rows: slice
    own: Wide
    level: Wide
    count: Wide

    @cached_property
    def freedom(self) -> int:
        """How many of intercept and slope the logits can tell."""
        return freedom_of(self.level)


def influence(facts: SiteFacts, logits: Wide, actual: Ints, estimate: Wide) -> tuple[Wide, ...]:
    """Return the influence of every row of a site on shift, slope, log O/E and logit of the AUC."""
    from scipy.special import expit

    logit = logits[facts.rows]
    known = np.isfinite(logit)
    x, y = np.where(known, logit, 0.0), actual.astype(np.float64)
    out = []
    shift = estimate[0] if np.isfinite(estimate[0]) else 0.0
    mean = np.where(known, expit(x + shift), y)
    out.append((y - mean) / max(np.sum((mean * (1.0 - mean))[known]), 1e-300))
    slope = np.zeros(len(y))
    if np.isfinite(estimate[1]):
        sums = np.array([[y[known].sum()], [(y * x)[known].sum()]])
        a, b = lines_of_sums(sums, facts.level, facts.count, 2)[:, 0]
        mean = np.where(known, expit(a + b * x), y)
        v = np.where(known, mean * (1.0 - mean), 0.0)
        centre = (v @ x) / v.sum()
        slope = (x - centre) * (y - mean) / (v @ np.square(x - centre))
    out.append(slope)
    total = max(y.sum(), 1.0)
    out.append((y - y.sum() / facts.own.sum() * facts.own) / total)
    auc = np.zeros(len(y))
    if np.isfinite(estimate[3]):
        value, home = np.unique(facts.own, return_inverse=True)
        hits, misses = (np.bincount(home, part, len(value)) for part in (y, 1.0 - y))
        below = (np.cumsum(misses) - misses / 2.0) / misses.sum()
        above = 1.0 - (np.cumsum(hits) - hits / 2.0) / hits.sum()
        area = float(expit(estimate[3]))
        auc = np.where(
            y == 1, (below[home] - area) / y.sum(), (above[home] - area) / (1.0 - y).sum()
        ) / (area * (1.0 - area))
    out.append(auc)
    return tuple(out)


@dataclass(frozen=True, slots=True, eq=False)
class SiteTally:
    """Sums of the labels of every site.

    Attributes
    ----------
    rows : of which labels come, in their order
    sums : (sites, sums, draws); held : (4, draws) events and other outcomes of the site so far, and
        those of them that have the probability of the last row
    """

    rows: SiteRows
    sums: Wide
    held: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        own = self.rows
        add_sites(rows.start, labels, own.site, own.tied, own.own, own.logit, self.sums, self.held)

    def values(self) -> Wide:
        """Return (2 measures sites, draws) estimates and variances, for `between`."""
        return np.stack(self.shrunken()).reshape(-1, self.sums.shape[2])

    def estimates(self) -> tuple[Wide, Wide]:
        """Return (measures, sites, draws) estimates and variances; NaN where there is none.

        The variances of shift and slope are those of the likelihood, that of log O/E is sum (y - p
        O/E)^2 / O^2, and that of the AUC DeLong's.
        """
        rows, sums, held = self.rows, self.sums.copy(), self.held.copy()
        close_ties(sums[rows.site[-1]], held)
        estimate = np.full((len(MEASURES), rows.sites, sums.shape[2]), np.nan)
        variance = estimate.copy()
        with np.errstate(divide="ignore", invalid="ignore"):
            for site in range(rows.sites):
                facts = rows.part(site)
                found = (*_line(facts, sums[site]), _ratio(facts, sums[site]))
                for place, (one, noise) in enumerate((*found, _area(facts, sums[site]))):
                    known = np.isfinite(one) & np.isfinite(noise) & (noise > 0)
                    estimate[place, site] = np.where(known, one, np.nan)
                    variance[place, site] = np.where(known, noise, np.nan)
        variance *= rows.widening[:, :, None]
        return np.where(np.isnan(variance), np.nan, estimate), variance

    def shrunken(self) -> tuple[Wide, Wide]:
        """Return (measures, sites, draws) estimates and variances, of which a mean is to be taken.

        Slope and AUC are those of each site. Shift and log O/E are one step of Newton's method from
        the site's value as the random effects shrink it, with the variance there. So a site without
        events counts, and no site weighs more because its outcomes came out high (penalised
        quasi-likelihood: Breslow and Clayton 1993). Of large sites they are their own estimates.
        """
        estimate, variance = self.estimates()
        rows = self.rows
        parts = [rows.part(site) for site in range(rows.sites)]
        expected = np.array([[facts.own.sum()] for facts in parts])
        told = np.array([[facts.freedom > 0] for facts in parts]) & (self.sums[:, IMPOSSIBLE] == 0)
        for place, sums in ((0, LOGITS), (2, EVENTS)):
            enough = np.isfinite(estimate[place]).sum(axis=0) >= LEAST_SITES
            widening = rows.widening[place][:, None]
            known = np.isfinite(widening) & (told if place == 0 else expected > 0) & enough
            pair = _shrunken(
                parts, self.sums[:, sums], None if place == 0 else expected, known, widening
            )
            estimate[place], variance[place] = pair
        return estimate, variance


def _shrunken(
    parts: list[SiteFacts],
    hits: Wide,
    expected: Wide | None,
    known: NDArray[np.bool_],
    widening: Wide,
) -> tuple[Wide, Wide]:
    """Return (sites, draws) shifts, or log O/E of (sites, 1) expected events, and variances."""
    mean, spread = np.zeros_like(hits), np.zeros_like(hits)
    at = np.zeros_like(hits)

    def fit() -> None:
        for site, facts in enumerate(parts):
            add_shifted(facts.count, facts.level, at[site], mean[site], spread[site])

    fit()
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = np.where(known, hits, 0.0).sum(axis=0)
        if expected is None:
            rows = np.where(known, [[facts.count.sum()] for facts in parts], 0.0).sum(axis=0)
            wanted = np.where(known, mean, 0.0).sum(axis=0)
            common = np.log(found / (rows - found)) - np.log(wanted / (rows - wanted))
        else:
            common = np.log(found / np.where(known, expected, 0.0).sum(axis=0))
        at[:] = common
        for turn in range(ROUNDS):
            fit()
            if expected is None:
                value, noise = at + (hits - mean) / spread, 1.0 / spread
            else:
                events = expected * np.exp(at)
                value, noise = at + (hits - events) / events, spread / mean / events
            noise = noise * widening
            known = known & np.isfinite(value) & np.isfinite(noise) & (noise > 0)
            value, noise = np.where(known, value, np.nan), np.where(known, noise, np.nan)
            if turn + 1 < ROUNDS:
                tau2 = spread_of(value, noise)
                weight = np.where(known, 1.0 / (noise + tau2), 0.0)
                centre = np.where(known, weight * value, 0.0).sum(axis=0) / weight.sum(axis=0)
                moved = centre + tau2 / (tau2 + noise) * (value - centre)
                at[:] = np.clip(np.where(known, moved, 0.0), common - FARTHEST, common + FARTHEST)
    return value, noise


def _line(facts: SiteFacts, sums: Wide) -> tuple[tuple[Wide, Wide], ...]:
    """Return shift and slope, each with its variance; NaN where an outcome had probability 0."""
    nothing = np.full(sums.shape[1], np.nan)
    if not facts.freedom:
        return (nothing, nothing), (nothing, nothing)
    hits = sums[LOGITS]
    one_class = (hits == 0) | (hits == facts.count.sum())
    impossible = sums[IMPOSSIBLE] > 0
    fits = []
    for freedom in (1, 2):
        if freedom > facts.freedom:
            fits.append((nothing, nothing))
            continue
        fit = lines_of_sums(sums[[LOGITS, MOMENT]], facts.level, facts.count, freedom)
        spread = np.empty_like(fit)
        add_variances(facts.count, facts.level, fit, spread)
        out = one_class | impossible
        if freedom == 2:
            out |= (sums[LOW] >= sums[HIGH_OTHER]) | (sums[HIGH] <= sums[LOW_OTHER])
        fits.append(
            (np.where(out, np.nan, fit[freedom - 1]), np.where(out, np.nan, spread[freedom - 1]))
        )
    return tuple(fits)


def _ratio(facts: SiteFacts, sums: Wide) -> tuple[Wide, Wide]:
    """Return log O/E and its variance; NaN where all outcomes are the same."""
    hits, expected = sums[EVENTS], facts.own.sum()
    ratio = hits / expected
    squares = hits - 2.0 * ratio * sums[PREDICTED] + ratio**2 * np.square(facts.own).sum()
    one_class = (hits == 0) | (hits == len(facts.own))
    return np.where(one_class, np.nan, np.log(ratio)), squares / np.square(hits)


def _area(facts: SiteFacts, sums: Wide) -> tuple[Wide, Wide]:
    """Return the log-odds of the AUC and DeLong's variance of it; NaN at an AUC of 0 or 1."""
    hits = sums[EVENTS]
    misses = len(facts.own) - hits
    area = sums[ABOVE] / (hits * misses)
    of_hits = (sums[ABOVE_SQUARED] / misses**2 - hits * area**2) / ((hits - 1.0) * hits)
    of_misses = (sums[BELOW_SQUARED] / hits**2 - misses * (1.0 - area) ** 2) / (
        (misses - 1.0) * misses
    )
    few = (hits < LEAST_IN_CLASS) | (misses < LEAST_IN_CLASS) | (area <= 0) | (area >= 1)
    noise = (of_hits + of_misses) / np.square(area * (1.0 - area))
    return np.where(few, np.nan, np.log(area / (1.0 - area))), noise


@compiled
def add_variances(count: Wide, level: Wide, fit: Wide, out: Wide) -> None:
    """Fill (2, draws) with the variance of the intercept at slope 1, and of a free slope."""
    here = np.empty(6)
    for d in range(fit.shape[1]):
        derivatives(count, level, fit[0, d], fit[1, d], 0.0, 0.0, here)
        out[0, d] = 1.0 / here[3] if here[3] > 0 else np.nan
        det = here[3] * here[5] - here[4] * here[4]
        out[1, d] = here[3] / det if det > 0 else np.nan


@compiled
def add_shifted(count: Wide, level: Wide, shift: Wide, mean: Wide, spread: Wide) -> None:
    """Fill (draws,) with the expected events of a site at each shift, and their variance."""
    for d in range(len(shift)):
        events, noise = 0.0, 0.0
        for j in range(len(level)):
            p = 1.0 / (1.0 + np.exp(-level[j] - shift[d]))
            events += count[j] * p
            noise += count[j] * p * (1.0 - p)
        mean[d], spread[d] = events, noise


@compiled
def close_ties(sums: Wide, held: Wide) -> None:
    """Count the pairs of the events and other outcomes that have one probability, and go on."""
    for d in range(held.shape[1]):
        hits, misses = held[2, d], held[3, d]
        if hits > 0:
            below = held[1, d] + misses / 2.0
            sums[ABOVE, d] += hits * below
            sums[ABOVE_SQUARED, d] += hits * below * below
        if misses > 0:
            under = held[0, d] + hits / 2.0
            sums[BELOW, d] += misses * under
            sums[BELOW_SQUARED, d] += misses * under * under
        held[0, d] += hits
        held[1, d] += misses
        held[2, d] = 0.0
        held[3, d] = 0.0


@compiled
def add_sites(
    start: int,
    labels: Ints,
    site: Ints,
    tied: NDArray[np.bool_],
    own: Wide,
    logit: Wide,
    sums: Wide,
    held: Wide,
) -> None:
    """Add rows in their order to the sums of their sites."""
    n, width = labels.shape
    for i in range(n):
        row = start + i
        here = sums[site[row]]
        if row > 0 and not tied[row]:
            close_ties(sums[site[row - 1]], held)
            if site[row] != site[row - 1]:
                held[:] = 0.0
        x, p = logit[row], own[row]
        known = abs(x) < np.inf
        sure = 1 if x > 0 else 0
        for d in range(width):
            y = labels[i, d]
            if y == 1:
                here[EVENTS, d] += 1.0
                here[PREDICTED, d] += p
                held[2, d] += 1.0
                if known:
                    here[LOGITS, d] += 1.0
                    here[MOMENT, d] += x
                    here[LOW, d] = min(here[LOW, d], x)
                    here[HIGH, d] = max(here[HIGH, d], x)
            else:
                held[3, d] += 1.0
                if known:
                    here[LOW_OTHER, d] = min(here[LOW_OTHER, d], x)
                    here[HIGH_OTHER, d] = max(here[HIGH_OTHER, d], x)
            if not known and y != sure:
                here[IMPOSSIBLE, d] += 1.0
