"""The Bayesian correlated t-test: how probable it is that two models differ in practice."""

from collections.abc import Mapping
from math import lgamma, log, nan, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike

from plumbline.comparison.answers import TestAnswer
from plumbline.comparison.folds import (
    Floats,
    checked_differences,
    checked_level,
    checked_rope,
    checked_test_share,
    spread_of,
)
from plumbline.errors import InputError
from plumbline.formatting import number


def bayesian_t(d: ArrayLike, *, test_share: float, rope: float, level: float = 0.95) -> TestAnswer:
    """Bayesian correlated t-test: the posterior of the mean difference, cut by a region.

    With the matching prior the posterior is Student's t with J - 1 degrees of freedom, about the
    mean, with scale deviation sqrt(1 / J + share / (1 - share)), which `corrected_t` divides by.
    `more` has its parts below -rope, within +-rope (practically equal) and above rope, which sum
    to 1. Nothing is sampled.

    Parameters
    ----------
    d : (J,) first model's value - second model's, one a fold of every repeat, J at least 2
    test_share : share of the rows in each test part, in (0, 1); 1 / k for k folds
    rope : largest difference that makes no difference in practice, at least 0, the measure's unit
    level : of the interval that holds the middle of the posterior, in (0, 1)

    Raises
    ------
    InputError
        A difference is NaN or infinite, or there are fewer than two
    ParameterError
        `level` or `test_share` is outside (0, 1), or `rope` is negative

    References
    ----------
    Corani and Benavoli (2015). A Bayesian approach for comparing cross-validated algorithms
    on multiple data sets. Machine Learning 100. Benavoli, Corani, Demsar and Zaffalon (2017). Time
    for a change. JMLR 18.

    Examples
    --------
    >>> answer = bayesian_t([0.02, 0.05, -0.01, 0.03], test_share=0.25, rope=0.01)
    >>> {name: round(answer.more[name], 3) for name in ("below", "within", "above")}
    {'below': 0.094, 'within': 0.186, 'above': 0.72}
    """
    from scipy.special import stdtr, stdtrit

    d = checked_differences(d, least=2)
    share, width = checked_test_share(test_share), checked_rope(rope)
    spread = spread_of(d)
    scale = spread.deviation * sqrt(1 / d.size + share / (1 - share))
    tail = float(stdtrit(d.size - 1, (1 + checked_level(level)) / 2))
    below = above = half = nan
    if spread.constant is None:
        below = float(stdtr(d.size - 1, (-width - spread.mean) / scale))
        above = float(stdtr(d.size - 1, (spread.mean - width) / scale))
        half = tail * scale
    posterior = {"location": spread.mean, "scale": scale, "df": d.size - 1, "rope": width}
    parts = {"below": below, "within": 1 - below - above, "above": above}
    return TestAnswer(
        test="bayesian-t",
        units=d.size,
        difference=spread.mean,
        interval_range=(spread.mean - half, spread.mean + half),
        statistic=nan,
        p_value=nan,
        effect="Cohen's d of paired differences",
        effect_size=spread.effect,
        method=f"exact posterior, Student's t with {d.size - 1} degrees of freedom; practically "
        f"equal within ±{number(width)}",
        more={**posterior, **parts, "test_share": share},
        reason=spread.constant or "a posterior has probabilities of the difference, no p-value",
    )


def posterior_curve(posterior: Mapping[str, float], *, points: int = 401) -> tuple[Floats, Floats]:
    """Return sorted differences and the posterior density at each, for a picture.

    `posterior` is `more` of `bayesian_t`'s answer. The differences are `points` within 4.5 scales
    to both sides, and the ends of the region of practical equivalence with a little beyond. Raises
    InputError where all folds have one difference, so that there is no density.

    >>> answer = bayesian_t([0.02, 0.05, -0.01, 0.03], test_share=0.25, rope=0.01)
    >>> x, density = posterior_curve(answer.more, points=3)
    >>> x.round(3)
    array([-0.063, -0.012, -0.01 ,  0.01 ,  0.012,  0.022,  0.108])
    >>> density.round(1)
    array([ 0.3,  4.4,  5. , 14.7, 15.9, 19.2,  0.3])
    """
    location, scale, df, rope = (posterior[name] for name in ("location", "scale", "df", "rope"))
    if not scale > 0:
        raise InputError(
            f"the difference is {number(location)} in every fold, so its posterior has no density "
            "to draw"
        )
    reach = 4.5 * scale
    ends = [-1.2 * rope, -rope, rope, 1.2 * rope]
    x = np.union1d(np.linspace(location - reach, location + reach, points), ends)
    top = lgamma((df + 1) / 2) - lgamma(df / 2) - log(df * pi) / 2 - log(scale)
    return x, np.exp(top - (df + 1) / 2 * np.log1p(((x - location) / scale) ** 2 / df))
