"""Where does the power pass a wanted value? Bracketing, then a probit fit of the rejections.

Along u (the square root of the number of rows, or the distance from calibration) the power of a
test is nearly Phi(a + b u): exactly so in the limit for statistics that are sums over rows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

BRACKET_SETS = 30  # few, as a bracket needs the side of the wanted power alone
MOST_STEPS = 8  # numbers of rows that are tried for the bracket; bounds the time
NEAR = 0.6  # standard normal units from the wanted power: the line is fitted from there
SPREAD = (0.65, 0.85, 1.0, 1.2)  # where it is fitted, in units of the guess
FLATTEST = 0.05  # of the wanted rise: less than that is no rise
SURE = 2.0  # standard errors
TELLING = 2.0  # standard normal units: beyond, nearly all or none reject
FEW_PLACES = 4  # through so few, no parabola is fitted

Wide = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shot:
    """How often a test rejected at one place."""

    u: float
    hits: int
    sets: int

    @property
    def share(self) -> float:
        """The power."""
        return self.hits / self.sets

    @property
    def error(self) -> float:
        """Standard error of the power; of (hits + 1) / (sets + 2), so that it is never 0."""
        share = (self.hits + 1) / (self.sets + 2)
        return sqrt(share * (1 - share) / self.sets)


@dataclass(frozen=True, slots=True, eq=False)
class PowerLine:
    """Power = Phi(a + b u + c u^2), fitted: (a, b, c) and their covariance; c is 0 for a line."""

    a: float
    b: float
    c: float
    covariance: Wide

    @property
    def rises(self) -> bool:
        """Tell whether more of u surely gives more power; a parabola is fitted only if so."""
        return self.c != 0.0 or self.b > SURE * sqrt(self.covariance[1, 1])

    def crossing(self, z: float) -> tuple[float, float]:
        """Return where a + b u + c u^2 = z on the rising side, and its standard error (delta)."""
        u = (z - self.a) / self.b
        if self.c:
            u = (sqrt(max(0.0, self.b**2 - 4 * self.c * (self.a - z))) - self.b) / (2 * self.c)
        steep = self.b + 2 * self.c * u
        if steep <= 0:  # the top of a parabola, which does not pass z
            return u, inf
        slope = np.array([1.0, u, u * u]) / steep
        return u, sqrt(slope @ self.covariance @ slope)

    def power(self, u: float) -> tuple[float, float]:
        """Return the power at u and its standard error."""
        from scipy.special import ndtr

        x = np.array([1.0, u, u * u])
        z = float(x @ [self.a, self.b, self.c])
        density = float(np.exp(-0.5 * z * z)) / sqrt(2 * np.pi)
        return float(ndtr(z)), density * sqrt(x @ self.covariance @ x)


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
    """Where the power passes the wanted value.

    Attributes
    ----------
    u, error : the place and its standard error; None where it is not passed up to `most`
    most : the largest place that was looked at
    line : the fit, or None where nothing rose
    shots : all that was simulated
    """

    u: float | None
    error: float | None
    most: float
    line: PowerLine | None
    shots: tuple[Shot, ...]


def probit_line(shots: Sequence[Shot], *, bent: bool = False) -> PowerLine:
    """Fit power = Phi(a + b u) by maximum likelihood (Bliss 1934), with Fisher's covariance.

    With `bent` a square of u is added. A quarter of a rejection and a quarter of none are added to
    every place, so that there is a maximum where all or none rejected; that moves a share of 200
    data sets by 0.001 at most.
    """
    from scipy.special import ndtr, ndtri

    u = np.array([shot.u for shot in shots])
    sets = np.array([shot.sets for shot in shots]) + 0.5
    share = (np.array([shot.hits for shot in shots]) + 0.25) / sets
    design = np.column_stack([u**power for power in range(3 if bent else 2)])
    z = ndtri(share)
    for _ in range(50):  # iteratively reweighted least squares
        fitted = np.clip(ndtr(z), 1e-9, 1 - 1e-9)
        density = np.maximum(np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi), 1e-9)
        weight = sets * density**2 / (fitted * (1 - fitted))
        information = design.T @ (design * weight[:, None])
        target = z + (share - fitted) / density
        beta = np.linalg.lstsq(information, design.T @ (weight * target), rcond=None)[0]
        new = design @ beta
        if np.abs(new - z).max() < 1e-10:
            break
        z = np.clip(new, -6.0, 6.0)
    covariance = np.zeros((3, 3))
    covariance[: len(beta), : len(beta)] = np.linalg.pinv(information)
    a, b, c = (*map(float, beta), 0.0)[:3]
    return PowerLine(a, b, c, covariance)


def find_crossing(
    shoot: Callable[[float, int], Shot],
    *,
    start: float,
    most: float,
    power: float,
    level: float,
    sets: Callable[[float], int],
    also: Sequence[float] = (),
    known: Sequence[Shot] = (),
) -> Crossing:
    """Return where the power passes `power`, between 0 and `most`, from one curve through all.

    `shoot(u, sets)` simulates, and may round u; `sets(u)` says how many data sets are worth it.
    `also` are places that are simulated in any case, `known` what was simulated before.
    """
    from scipy.special import ndtri

    z_level, z_power = float(ndtri(level)), float(ndtri(power))
    near = _bracket(shoot, start, most, z_level=z_level, z_power=z_power, sets=sets)
    guess = _guess(near[-1], z_level, z_power)
    if guess is None or guess > most:
        places = [most * part for part in (0.5, 0.7, 0.85, 1.0)]
    else:
        places = [min(most, guess * part) for part in SPREAD]
    close = [shoot(u, sets(u)) for u in places]
    others = [*known, *near, *(shoot(u, sets(u)) for u in also)]
    line = _line(close, others, level, z_power)
    if line.rises and 0 < line.crossing(z_power)[0] < places[0]:  # the guess was too high
        where = line.crossing(z_power)[0]
        close += [shoot(where * part, sets(where)) for part in SPREAD]
        line = _line(close, others, level, z_power)
    shots = (*others, *close)
    if not line.rises or line.crossing(z_power)[0] <= 0:
        return Crossing(None, None, most, None, shots)
    return Crossing(*line.crossing(z_power), most, line, shots)


def _line(close: Sequence[Shot], others: Sequence[Shot], level: float, z_power: float) -> PowerLine:
    """Fit a line through all places, or a parabola where they bend and it rises between them.

    Of the others only those take part whose power is neither nearly 0 nor nearly 1 on the line
    through the close ones: they would tell nothing and pull at it. Where few data sets leave the
    slope unsure, the line is tied to the level at u = 0.
    """
    line = probit_line(close)
    if not line.rises:
        sets = max(shot.sets for shot in close)
        return probit_line([Shot(0.0, round(level * sets), sets), *close, *others])
    shots = [*close, *(shot for shot in others if abs(line.a + line.b * shot.u) <= TELLING)]
    line = probit_line(shots)
    if not line.rises or len({shot.u for shot in shots}) <= FEW_PLACES:
        return line
    bent = probit_line(shots, bent=True)
    low, high = min(shot.u for shot in shots), max(shot.u for shot in shots)
    steep = [bent.b + 2 * bent.c * u for u in (low, high)]
    if abs(bent.c) <= SURE * sqrt(bent.covariance[2, 2]) or min(steep) <= 0:
        return line
    return bent if low <= bent.crossing(z_power)[0] <= high else line


def _bracket(
    shoot: Callable[[float, int], Shot],
    start: float,
    most: float,
    *,
    z_level: float,
    z_power: float,
    sets: Callable[[float], int],
) -> tuple[Shot, ...]:
    """Come near by few data sets: from each place to where a line through the level would pass."""
    from scipy.special import ndtri

    u = min(max(start, 1e-6), most)
    shots: list[Shot] = []
    for _ in range(MOST_STEPS):
        shot = shoot(u, min(BRACKET_SETS, sets(u)))
        shots.append(shot)
        z = float(ndtri((shot.hits + 0.5) / (shot.sets + 1)))
        if abs(z - z_power) < NEAR or (shot.u >= most and z < z_power):
            break
        guess = _guess(shot, z_level, z_power)
        u = min(most, max(shot.u / 3, min(3 * shot.u, 3 * shot.u if guess is None else guess)))
    return tuple(shots)


def _guess(shot: Shot, z_level: float, z_power: float) -> float | None:
    """Return where the line through (0, level) and the shot passes the wanted power, if it does."""
    from scipy.special import ndtri

    z = float(ndtri((shot.hits + 0.5) / (shot.sets + 1)))
    rise = (z - z_level) / (z_power - z_level)
    return shot.u / rise if rise > FLATTEST else None
