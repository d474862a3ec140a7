"""Random effects: what estimates of several sites say of their mean, their spread and a new site.

The estimate of a site is its own value plus noise of known variance, and the values of sites are
normal with variance tau^2 about their mean. An array holds a column a set of estimates; a site
without an estimate is NaN there.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Wide

LEAST_SITES = 3  # Student's t of the prediction interval has k - 2 degrees of freedom
STEPS = 24  # variances tried between none and the largest possible, evenly on a log scale
SMALLEST = 1e-6  # of the largest, below which the next variance tried is 0
TINY = 1e-300  # in the place of the weight of no site at all
HALVINGS = 45  # of the range between two of them: the root is found to 1e-13 of it
NODES = 200  # of the distribution of tau^2: where all noise is 0, t quantiles are right to 1e-4


@dataclass(frozen=True, slots=True)
class RandomEffects:
    """Mean and spread of the values of sites.

    Attributes
    ----------
    sites : number of estimates
    mean, se : weighted mean, and its standard error as Hartung and Knapp (2001) have it
    tau2 : variance between sites, by restricted maximum likelihood
    i2 : share of the variance of an estimate that is between sites (Higgins and Thompson 2002)
    low, high : confidence interval of the mean
    new_low, new_high : prediction interval of the value of a new site, not symmetric about the mean
    """

    sites: int
    mean: float
    se: float
    tau2: float
    i2: float
    low: float
    high: float
    new_low: float
    new_high: float


def random_effects(estimate: Wide, variance: Wide, *, level: float = 0.95) -> RandomEffects:
    """Return mean and spread of (k,) estimates of three sites or more, whose variances are known.

    The interval of the mean is that of Hartung and Knapp (2001) with k - 1 degrees of freedom. Its
    se is at least the one of known tau^2, 1 / sqrt(sum w): the other is too small where estimates
    lie closer to each other than their noise does. The prediction interval is that of `new_site`,
    and never narrower than that of the mean.

    The vaccine trials of Colditz et al. (1994), tau^2 as in R's metafor:

    >>> treated = np.array([4, 6, 3, 62, 33, 180, 8, 505, 29, 17, 186, 5, 27])
    >>> others = np.array([11, 29, 11, 248, 47, 372, 10, 499, 45, 65, 141, 3, 29])
    >>> n = np.array(
    ...     [123, 306, 231, 13598, 5069, 1541, 2545, 88391, 7499, 1716, 50634, 2498, 16913]
    ... )
    >>> m = np.array([139, 303, 220, 12867, 5808, 1451, 629, 88391, 7277, 1665, 27338, 2341, 17854])
    >>> effects = random_effects(
    ...     np.log(treated / n / (others / m)), 1 / treated - 1 / n + 1 / others - 1 / m
    ... )
    >>> round(effects.tau2, 4), round(effects.mean, 4), round(effects.i2, 4)
    (0.3132, -0.7145, 0.9222)
    """
    from scipy.special import stdtrit

    k = len(estimate)
    tau2 = float(spread_of(estimate[:, None], variance[:, None])[0])
    weight = 1.0 / (variance + tau2)
    total = weight.sum()
    mean = float(weight @ estimate / total)
    scale = weight @ np.square(estimate - mean) / (k - 1)
    se = float(np.sqrt(max(scale, 1.0) / total))
    share = (1.0 + level) / 2.0
    half = float(stdtrit(k - 1, share)) * se
    new_low, new_high = new_site(estimate, variance, level=level)
    fixed = 1.0 / variance
    typical = (k - 1) * fixed.sum() / (fixed.sum() ** 2 - np.square(fixed).sum())
    return RandomEffects(
        sites=k,
        mean=mean,
        se=se,
        tau2=tau2,
        i2=float(tau2 / (tau2 + typical)),
        low=mean - half,
        high=mean + half,
        new_low=min(new_low, mean - half),
        new_high=max(new_high, mean + half),
    )


def new_site(estimate: Wide, variance: Wide, *, level: float = 0.95) -> tuple[float, float]:
    """Return where the value of a new site lies, given (k,) estimates of known variance.

    At the true tau^2 the sum of squares Q = sum w (y - mean)^2, w = 1 / (variance + tau^2), is
    chi-squared with k - 1 degrees of freedom. So each quantile of that distribution is reached at a
    tau^2 (0 where Q is below it at 0), and these are the confidence distribution of tau^2 that
    Viechtbauer (2007) takes intervals from. Given tau^2, a new site is normal about the mean with
    variance tau^2 + 1 / sum w; the interval takes quantiles of the mixture, as Nagashima, Noma and
    Furukawa (2019) do with another distribution of tau^2. Where the variances are 0 it is
    mean +- t(k - 1) s sqrt(1 + 1 / k).

    >>> exact = 4.302653 * np.sqrt(1 + 1 / 3)
    >>> low, high = new_site(np.array([-1.0, 0.0, 1.0]), np.zeros(3))
    >>> round(float(low / exact), 3), round(float(high / exact), 3)
    (-1.0, 1.0)
    """
    from scipy.special import chdtri, ndtr

    # Nodes lie close at both ends, where few tau^2 are large or small.
    node = (np.arange(NODES) + 0.5) / NODES
    wanted = chdtri(len(estimate) - 1, 1.0 - node**2 * (3.0 - 2.0 * node))
    mass = node * (1.0 - node)
    mass /= mass.sum()
    value, noise = estimate[:, None], variance[:, None]

    def mean_of(tau2: Wide) -> tuple[Wide, Wide, Wide]:
        weight = 1.0 / np.maximum(noise + tau2, TINY)
        total = weight.sum(axis=0)
        mean = (weight * value).sum(axis=0) / total
        return mean, 1.0 / total, (weight * np.square(value - mean)).sum(axis=0)

    low = np.zeros(NODES)
    high = np.square(estimate - estimate.mean()).sum() / wanted
    none = mean_of(low)[2] <= wanted
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        above = mean_of(middle)[2] > wanted
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    tau2 = np.where(none, 0.0, (low + high) / 2.0)
    mean, uncertain, _ = mean_of(tau2)
    spread = np.maximum(np.sqrt(tau2 + uncertain), TINY)

    def quantile(share: float) -> float:
        least, most = (mean - 40.0 * spread).min(), (mean + 40.0 * spread).max()
        for _ in range(2 * HALVINGS):
            middle = (least + most) / 2.0
            if mass @ ndtr((middle - mean) / spread) < share:
                least = middle
            else:
                most = middle
        return float((least + most) / 2.0)

    return quantile((1.0 - level) / 2.0), quantile((1.0 + level) / 2.0)


def spread_of(estimate: Wide, variance: Wide) -> Wide:
    """Return (sets,) tau^2 of (k, sets) estimates by restricted maximum likelihood.

    NaN for fewer than three estimates. The likelihood is tried at several variances, and its
    derivative is followed to 0 around the best of them, so that a second peak does not mislead.

    >>> spread_of(np.array([[0.0, 1.0], [0.1, 2.0], [0.0, 4.0]]), np.full((3, 2), 0.25)).round(3)
    array([0.   , 2.083])
    """
    known = np.isfinite(estimate) & np.isfinite(variance)
    value, noise = np.where(known, estimate, 0.0), np.where(known, variance, 1.0)
    least = np.where(known, estimate, np.inf).min(axis=0)
    most = np.where(known, estimate, -np.inf).max(axis=0)
    enough = known.sum(axis=0) >= LEAST_SITES
    largest = np.where(enough, 2.0 * np.square(np.where(enough, most - least, 0.0)), 0.0)
    shares = np.concatenate([[0.0], np.geomspace(SMALLEST, 1.0, STEPS)])
    tried = np.stack([_likelihood(value, noise, known, share * largest)[0] for share in shares])
    best = tried.argmax(axis=0)
    low = shares[np.maximum(best - 1, 0)] * largest
    high = shares[np.minimum(best + 1, STEPS)] * largest
    none = (best == 0) & (_likelihood(value, noise, known, low)[1] <= 0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        rising = _likelihood(value, noise, known, middle)[1] > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    return np.where(enough, np.where(none, 0.0, (low + high) / 2.0), np.nan)


def _likelihood(
    value: Wide, noise: Wide, known: NDArray[np.bool_], tau2: Wide
) -> tuple[Wide, Wide]:
    """Return (sets,) restricted log likelihood of a variance between sites, and its derivative."""
    whole = noise + tau2
    weight = np.where(known, 1.0 / whole, 0.0)
    total = np.maximum(weight.sum(axis=0), TINY)
    away = np.square(value - (weight * value).sum(axis=0) / total)
    logs = np.where(known, np.log(whole), 0.0).sum(axis=0) + np.log(total)
    squares = np.square(weight)
    slope = squares.sum(axis=0) / total - weight.sum(axis=0) + (squares * away).sum(axis=0)
    return -(logs + (weight * away).sum(axis=0)) / 2.0, slope / 2.0
