"""Squared calibration errors without the bias that bins of few rows give them."""

from dataclasses import dataclass, fields, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from plumbline.binning import Binning, place
from plumbline.calibration.definition import ErrorDefinition, ScoredEvent
from plumbline.calibration.drawable import Floats, Ints, Wide
from plumbline.calibration.profiles import Profile
from plumbline.calibration.statistics import (
    ProfileStatistic,
    profile_of,
    profile_statistic,
)
from plumbline.errors import ParameterError
from plumbline.formatting import quoted
from plumbline.predictions import Predictions
from plumbline.predictions.ascending import Places


@dataclass(frozen=True, slots=True, eq=False)
class Debiased:
    """A squared error over the bins of a profile, less what sampling noise adds to it.

    Attributes
    ----------
    profile : the distinct scores
    first : (b,) first score of every bin that holds any
    whole, prob : (b,) sum of the weights of a bin, and of weight times score
    factor : (b,) what the sum over the pairs of a bin is divided by: 1 / weight, or 1 / (weight -
        1), divided by the weight of all rows; 0 where there is no pair, the weight being at most 1
    of_rates : whether the noise is judged by the bin's share alone
    """

    profile: Profile
    first: NDArray[np.intp]
    whole: Wide
    prob: Wide
    factor: Wide
    of_rates: bool

    @classmethod
    def of(cls, profile: Profile, bins: Binning, of_rates: bool) -> "Debiased":
        """Bin the scores of a profile."""
        first = np.flatnonzero(np.diff(_homes(profile, bins), prepend=-1))
        whole = np.add.reduceat(profile.weight, first)
        prob = np.add.reduceat(profile.weight * profile.score, first)
        factor = np.zeros_like(whole)
        np.divide(1.0, whole - 1.0 if of_rates else whole, out=factor, where=whole > 1)
        factor /= whole.sum()
        return cls(profile, first, whole, prob, factor, of_rates)

    def __call__(self, hits: Wide) -> Wide:
        """Return the error for (g, draws) hits: (draws,); NaN where no bin holds a pair."""
        if not self.factor.any():
            return np.full(hits.shape[1], np.nan)
        events = np.add.reduceat(hits, self.first, axis=0)
        gap = np.square(events - self.prob[:, None])
        if self.of_rates:
            share = events / self.whole[:, None]
            noise = gap / self.whole[:, None] + events * (1.0 - share)
        else:
            p = self.profile.score
            if_not = np.add.reduceat(self.profile.weight * p * p, self.first)
            more = (1.0 - 2.0 * p)[:, None]  # (1 - p)^2 - p^2
            noise = if_not[:, None] + np.add.reduceat(hits * more, self.first, axis=0)
        return np.asarray(self.factor @ (gap - noise))

    @property
    def per_variance(self) -> Wide:
        """(g,) what a row adds to the expected error, in units of weight times its variance."""
        length = np.diff(np.append(self.first, len(self.profile.score)))
        return np.repeat(self.factor, length)


@dataclass(frozen=True, slots=True, eq=False)
class GroupedProfile(Profile):
    """A profile that tells rows of different groups apart, of one score too.

    Attributes
    ----------
    group : (g,) of the rows of each entry; the others as in `Profile`
    """

    group: Ints


@dataclass(frozen=True, slots=True, eq=False)
class DebiasedOfGroups:
    """A squared error of rows in groups, without the pairs of rows of one group.

    Attributes
    ----------
    whole, prob, factor, of_rates : as in `Debiased`
    order : (g,) the entries of the profile, by bin and group
    cell : (cells,) first entry of every bin and group, in that order
    bin : (b,) first cell of every bin; size, expected : (cells,) sums of weights, and of weight
        times score
    """

    whole: Wide
    prob: Wide
    factor: Wide
    of_rates: bool
    order: NDArray[np.intp]
    cell: NDArray[np.intp]
    bin: NDArray[np.intp]
    size: Wide
    expected: Wide

    @classmethod
    def of(cls, profile: GroupedProfile, bins: Binning, of_rates: bool) -> "DebiasedOfGroups":
        """Bin the scores of a profile."""
        home = _homes(profile, bins)
        order = np.lexsort((profile.group, home))
        of_bin, of_group = home[order], profile.group[order]
        new = np.diff(of_bin, prepend=-1) != 0
        cell = np.flatnonzero(new | (np.diff(of_group, prepend=-1) != 0))
        weight = profile.weight[order]
        size = np.add.reduceat(weight, cell)
        expected = np.add.reduceat(weight * profile.score[order], cell)
        start = np.flatnonzero(new[cell])
        whole, prob = np.add.reduceat(size, start), np.add.reduceat(expected, start)
        groups = np.diff(np.append(start, len(cell)))
        factor = np.where(groups > 1, 1.0 / (whole * whole.sum()), 0.0)
        return cls(whole, prob, factor, of_rates, order, cell, start, size, expected)

    def __call__(self, hits: Wide) -> Wide:
        """Return the error for (g, draws) hits: (draws,); NaN where no bin holds a pair."""
        if not self.factor.any():
            return np.full(hits.shape[1], np.nan)
        found = np.add.reduceat(hits[self.order], self.cell, axis=0)
        events = np.add.reduceat(found, self.bin, axis=0)
        if self.of_rates:
            groups = np.diff(np.append(self.bin, len(self.cell)))
            share = np.repeat(events / self.whole[:, None], groups, axis=0)
            apart = found - self.size[:, None] * share
            more = (groups / np.maximum(groups - 1, 1))[:, None]
        else:
            apart, more = found - self.expected[:, None], np.ones(1)
        gap = np.square(events - self.prob[:, None])
        noise = np.add.reduceat(np.square(apart), self.bin, axis=0) * more
        return np.asarray(self.factor @ (gap - noise))

    @property
    def per_variance(self) -> Wide:
        """(g,) zeros: no product of a label with itself is in the error."""
        return np.zeros(len(self.order))


@dataclass(frozen=True, slots=True, eq=False)
class DebiasedStatistic(ProfileStatistic):
    """A debiased error as a function of the labels; its true value is its expected value.

    Attributes
    ----------
    per_variance : (size,) for every sum, what a row that adds to it adds to the expected error, in
        units of its weight times its variance; the others as in `ProfileStatistic`
    """

    per_variance: Wide

    def at(self, shares: Wide) -> float:
        """Return the expected error of labels that come in these `shares`, (n, k).

        Labels that vary within a row are no part of the error, which the arithmetic of certain
        labels would take off: y^2 = y holds for them, not for shares.
        """
        mass = np.ones(len(shares)) if self.weight is None else self.weight
        spread = mass[:, None] * shares * (1.0 - shares) * self.per_variance[self.number]
        return ProfileStatistic.at(self, shares) + float(spread.sum()) / len(self.parts)


def debiased_statistic(
    data: Predictions, definition: ErrorDefinition, *, of_rates: bool = False
) -> DebiasedStatistic:
    """Return the squared calibration error of a view without bias, over the bins of `definition`.

    1 / n sum_b 1 / n_b ((sum_{i in b} r_i)^2 - sum_{i in b} r_i^2), r = y - p: the debiased plug-in
    estimator of T-Cal, with n_b the rows of bin b. What stands in brackets is the sum of r_i r_j
    over the pairs of different rows, so that its mean is exactly 0 if the probabilities are
    calibrated, with the predictions held fixed, whatever the bins. A gap g of a bin counts as g^2
    (n_b - 1) / n_b on average, which is less where bins hold few rows. Its true value is the
    expected one, that is sum_b 1 / (n n_b) sum_{i != j in b} (c_i - p_i)(c_j - p_j) for rows whose
    outcomes have the probabilities c.

    With `of_rates` it is sum_b n_b / n ((y_b - p_b)^2 - y_b (1 - y_b) / (n_b - 1)), y_b and p_b the
    bin's share of the outcome and mean probability: the debiased estimator of Kumar, Liang and Ma,
    which their package uncertainty-calibration gives as `unbiased_square_ce`, and, below 0 clipped,
    under the root as `get_calibration_error`. It is without bias where all rows of a bin have one
    probability, as after a recalibration by bins. Elsewhere it subtracts too much: its mean under
    calibrated probabilities is -sum_b n_b / n Var_b(p) / (n_b - 1).

    A row of whole weight w is w rows; such duplicates share one draw of a label, so that with
    weights only the null shows what sampling noise adds. Weights that are no whole numbers have no
    duplicates to count: they are brought to the sum (sum w)^2 / sum w^2, the effective number of
    rows, whatever their unit. A bin of a single row (weight at most 1) holds no pair and adds 0.

    Of rows in groups only pairs of rows of different groups count, sum_b 1 / (n n_b) ((sum_{i in b}
    r_i)^2 - sum_g (sum_{i in b and g} r_i)^2), whose mean is 0 however rows of a group depend. With
    `of_rates` the noise is that of sums over the groups, G / (G - 1) sum_g (sum_{i in b and g} (y_i
    - y_b))^2 / n_b^2, G the groups of the bin.

    Parameters
    ----------
    data : Predictions
        Rows of one model, with probabilities.
    definition : ErrorDefinition
        View and bins, which must have edges that do not depend on the outcomes.
    of_rates : bool, default False
        Judge the noise of a bin by its share of the outcome alone.

    Returns
    -------
    DebiasedStatistic
        The error as a function of the labels: NaN where no bin holds a pair.

    Raises
    ------
    ParameterError
        For the joint view, and for bins without edges or that depend on the outcomes.

    References
    ----------
    Lee, Huang, Hassani and Dobriban 2023, T-Cal. Kumar, Liang and Ma 2019, Verified uncertainty
    calibration.

    Examples
    --------
    >>> from plumbline.calibration import define_error
    >>> from plumbline.nulls import observed
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> what = debiased_statistic(data, define_error(data, bins="equal-width:2"))
    >>> round(float(observed(what)), 6)  # (2 * -0.1 * 0.7 / 2 + 2 * 0.4 * 0.2 / 2) / 4
    0.0025
    >>> abs(what.at(what.prob)) < 1e-12
    True
    """
    if definition.bins is None:
        raise ParameterError(
            "a debiased error has no view 'joint'; use 'top-label', 'classwise' or 'one-vs-rest'",
            code="view-not-possible",
        )
    scheme = definition.bins

    codes = data.group_codes

    def rule(profile: Profile) -> Debiased | DebiasedOfGroups:
        if isinstance(profile, GroupedProfile):
            return DebiasedOfGroups.of(profile, scheme, of_rates)
        return Debiased.of(profile, scheme, of_rates)

    def placing(event: ScoredEvent, weight: Wide | None) -> tuple[Profile, Places]:
        return profile_of(event, weight) if codes is None else _by_group(event, weight, codes)

    result = profile_statistic(_counted(data), definition, rule, placing=placing)
    per_variance = np.zeros(result.size)
    for part in result.parts:
        per_variance[part.start : part.stop] = cast(
            Debiased | DebiasedOfGroups, part.error
        ).per_variance
    shared = {field.name: getattr(result, field.name) for field in fields(ProfileStatistic)}
    return DebiasedStatistic(**shared, per_variance=per_variance)


def _by_group(
    event: ScoredEvent, weight: Wide | None, codes: Ints
) -> tuple[GroupedProfile, Places]:
    """Return what `profile_of` does, with an entry for each score and group."""
    profile, home = profile_of(event, weight)
    kept = np.flatnonzero(home >= 0)
    most = int(codes.max()) + 1
    key, number = np.unique(home[kept] * most + codes[kept], return_inverse=True)
    mass = np.bincount(number, None if weight is None else weight[kept]).astype(np.float64)
    own = np.full(len(home), -1, np.int64)
    own[kept] = number
    score, group = np.divmod(key, most)
    return GroupedProfile(profile.score[score], profile.rest[score], mass, group), own


def _counted(data: Predictions) -> Predictions:
    """Return the table with weights that can be numbers of rows."""
    weight = data.weight
    if weight is None or not weight.any() or np.array_equal(weight, np.round(weight)):
        return data
    weight = weight / weight.max()  # no square may leave its range
    return replace(data, weight=weight * (weight.sum() / np.square(weight).sum()))


def _homes(profile: Profile, bins: Binning) -> NDArray[np.intp]:
    """Return the number of every score's bin."""
    narrow = profile.score.astype(np.float32)
    single = np.array_equal(narrow, profile.score)  # edges are of the scores' own precision
    score: Floats = narrow if single else profile.score
    edges = bins.edges(score, profile.weight)
    if edges is None:
        raise ParameterError(
            f"`bins` of a debiased error must have edges, got {quoted(str(bins))}; use for "
            "instance 'equal-width:15' or 'equal-size:10'",
            code="bins-without-edges",
        )
    return np.asarray(place(score, edges), np.intp)
