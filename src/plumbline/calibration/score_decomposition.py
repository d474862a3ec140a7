"""CORP: a proper score as miscalibration - discrimination + uncertainty."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from plumbline._checks import one_of
from plumbline.calibration.distances import checked_values, function_name
from plumbline.calibration.drawable import Wide
from plumbline.calibration.isotonic import Pieces, isotonic_starts
from plumbline.calibration.profiles import ErrorOfHits, Profile, ProfileRule

# p and 1 - p of the event: what is lost where it happens, and where it does not.
Losses: TypeAlias = Callable[[Wide, Wide], tuple[Wide, Wide]]
OwnScore: TypeAlias = Callable[[Any, Any], Any]
Score: TypeAlias = str | OwnScore

ROUNDING = 1e-12  # relative: a gain below it is the rounding of the mean score


def brier(p: Wide, _q: Wide) -> tuple[Wide, Wide]:
    """Return (1 - p)^2 and p^2 (Brier 1950), one of its two classes: from 0 to 1."""
    return np.square(1.0 - p), np.square(p)


def logarithmic(p: Wide, q: Wide) -> tuple[Wide, Wide]:
    """Return -ln p and -ln q (Good 1952); infinite at 0."""
    with np.errstate(divide="ignore"):
        return 0.0 - np.log(p), 0.0 - np.log(q)


def spherical(p: Wide, q: Wide) -> tuple[Wide, Wide]:
    """Return 1 - p / |(p, q)| and 1 - q / |(p, q)| (Good 1971): from 0 to 1."""
    length = np.hypot(p, q)
    return 1.0 - p / length, 1.0 - q / length


SCORES: dict[str, Losses] = {
    "brier-score": brier,
    "log-loss": logarithmic,
    "spherical-score": spherical,
}


@dataclass(frozen=True, slots=True)
class ScoreFunction:
    """A score S(p, y) of the user's own, the smaller the better, whose every answer is checked."""

    function: OwnScore

    @property
    def name(self) -> str:
        """What the function is called, as results say it."""
        return function_name(self.function)

    def __call__(self, p: Wide, _q: Wide) -> tuple[Wide, Wide]:
        """Return S(p, 1) and S(p, 0)."""
        return self._loss(p, np.ones_like(p)), self._loss(p, np.zeros_like(p))

    def _loss(self, p: Wide, y: Wide) -> Wide:
        return checked_values("score", self.function, p=p, y=y)


def score_of(score: Score) -> tuple[str, Losses]:
    """Return a score's name and its losses; a function S(p, y) of the user's own is tried out.

    >>> name, losses = score_of(lambda p, y: abs(y - p) ** 3)
    >>> [float(loss[0]) for loss in losses(np.array([0.5]), np.array([0.5]))]
    [0.125, 0.125]
    """
    if callable(score):
        own = ScoreFunction(score)
        own(np.linspace(0.0, 1.0, 5), np.linspace(1.0, 0.0, 5))
        return own.name, own
    return one_of("score", score, SCORES), SCORES[score]


def mean_score(score: Score = "brier-score") -> ProfileRule:
    """Return the mean score of an event's probabilities: MCB - DSC + UNC of CORP.

    (1/W) sum_i w_i S(p_i, y_i); a score's name or function as in `miscalibration`.
    """
    losses = score_of(score)[1]
    return lambda profile: _as_they_are(profile, losses)


def miscalibration(score: Score = "brier-score") -> ProfileRule:
    """Return CORP's miscalibration: what a proper score would gain by recalibration.

    MCB = mean S(p, y) - mean S(c, y), with c the isotonic regression of the outcomes on the scores
    (Dimitriadis, Gneiting and Jordan 2021): at least 0, and 0 exactly where c = p.

    score : "brier-score", (y - p)^2 from 0 to 1 (half the sum over both classes); "log-loss", in
        nats, infinite where probability 0 is observed; "spherical-score", 1 - p_y / sqrt(p^2 +
        q^2); or a proper score S(p, y) of arrays, the smaller the better

    Raises ParameterError for an unknown name, and for a function that does not answer numbers.

    >>> from plumbline import Predictions
    >>> from plumbline.calibration import define_error, profile_statistic
    >>> from plumbline.nulls import observed
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9])
    >>> float(observed(profile_statistic(data, define_error(data), miscalibration()))).__round__(6)
    0.06
    """
    losses = score_of(score)[1]

    def rule(profile: Profile) -> ErrorOfHits:
        as_they_are = _as_they_are(profile, losses)
        return lambda hits: _gain(as_they_are(hits), best_mean(profile, hits, losses))

    return rule


def discrimination(score: Score = "brier-score") -> ProfileRule:
    """Return CORP's discrimination: what telling rows apart gains over the base rate.

    DSC = mean S(r, y) - mean S(c, y), r the base rate, c the isotonic regression of the outcomes on
    the scores (Dimitriadis, Gneiting and Jordan 2021): at least 0, and 0 where c does not rise.
    `score` and errors as in `miscalibration`.
    """
    losses = score_of(score)[1]

    def rule(profile: Profile) -> ErrorOfHits:
        return lambda hits: _gain(
            _of_base_rate(profile, hits, losses), best_mean(profile, hits, losses)
        )

    return rule


def uncertainty(score: Score = "brier-score") -> ProfileRule:
    """Return CORP's uncertainty: the mean score of a forecast that is always the base rate.

    UNC = mean S(r, y), r the base rate (Dimitriadis, Gneiting and Jordan 2021); r (1 - r) for the
    Brier score, the entropy of r for the log loss. `score` and errors as in `miscalibration`.
    """
    losses = score_of(score)[1]
    return lambda profile: lambda hits: _of_base_rate(profile, hits, losses)


def best_mean(profile: Profile, hits: Wide, losses: Losses) -> Wide:
    """Return (draws,) mean scores of the isotonic fits to the draws' own outcomes."""
    pieces = Pieces.at(isotonic_starts(profile.weight, hits))
    weight, events = pieces.sums(profile.weight), pieces.sums(hits.T)
    events = np.minimum(events, weight)
    lost = _lost(events, weight - events, losses)
    return pieces.added(lost / profile.weight.sum())


def _of_base_rate(profile: Profile, hits: Wide, losses: Losses) -> Wide:
    weight = profile.weight.sum()
    events = np.minimum(hits.sum(axis=0), weight)
    return _lost(events / weight, 1.0 - events / weight, losses)


def _lost(events: Wide, others: Wide, losses: Losses) -> Wide:
    """Return what groups lose together where each is forecast its own share of events."""
    weight = events + others
    if_event, if_not = losses(events / weight, others / weight)
    return _times(events, if_event) + _times(others, if_not)


def _times(mass: Wide, loss: Wide) -> Wide:
    """Return the product; what never happens costs nothing, even if it would cost infinity."""
    return np.multiply(mass, loss, out=np.zeros(mass.shape), where=mass > 0)


def _as_they_are(profile: Profile, losses: Losses) -> ErrorOfHits:
    """Return the mean score of the probabilities themselves."""
    if_event, if_not = losses(profile.score, profile.rest)
    fatal, fatal_not = np.isinf(if_event), np.isinf(if_not)
    gain = np.where(fatal, 0.0, if_event) - np.where(fatal_not, 0.0, if_not)
    none = float(profile.weight @ np.where(fatal_not, 0.0, if_not))
    weight = profile.weight[:, None]

    def error(hits: Wide) -> Wide:
        mean = (none + gain @ hits) / profile.weight.sum()
        refuted = (hits[fatal] > 0).any(axis=0) | (hits < weight)[fatal_not].any(axis=0)
        return np.where(refuted, np.inf, mean)

    return error


def _gain(worse: Wide, better: Wide) -> Wide:
    """Return the difference, 0 where the two differ by the rounding of their sums."""
    gain = worse - better
    return np.where(np.abs(gain) <= ROUNDING * (1.0 + np.abs(better)), 0.0, gain)
