"""The kernel density calibration error: the event's share at a score from the scores around it."""

import numpy as np

from plumbline.calibration.drawable import Ints, Wide
from plumbline.calibration.merging import merged
from plumbline.calibration.profiles import Error, Profile

BANDWIDTHS = np.geomspace(1e-4, 1.0, 17)
CELLS = 1024  # on the scale where every kernel is about equally wide
FLOOR = 1e-6  # far below the smallest bandwidth, where every kernel has become flat


def kde_ece(profile: Profile) -> Error:
    """Make the kernel density calibration error (KDE-ECE) of a profile.

    The event's share at a score p is estimated by a ratio of densities, with a Beta kernel of
    bandwidth b around every other row,

        share(p) = sum_j w_j y_j K(p, p_j) / sum_j w_j K(p, p_j),
        K(p, q) = density at p of Beta(q / b + 1, (1 - q) / b + 1),

    and the error is the mean over rows of |share(p_i) - p_i|. Row i itself is left out of both
    sums (leave-one-out), its equals are not. A row weighs 1, or as little as the lightest score;
    one without any other is its own neighbour. Kernels are looked at no nearer than 1e-6 to 0 and
    1.

    The bandwidth is the one of 17 from 1e-4 to 1, four a decade, under which the scores are most
    likely, each by the kernels around the others (leave-one-out likelihood), so it depends on the
    scores alone. Scores in the same of 1,024 equal cells of arcsin(sqrt(p)), the scale on which
    every kernel has the standard deviation sqrt(b) / 2 (3 cells at least), count as one, their
    mean, which moves the error by a few 1e-3 on tens of rows, by less than 1e-3 on hundreds.

    Leaving a row out removes its pull towards its own outcome; what is left is the smoother's bias
    and noise, so the error is above 0 where the probabilities are true.

    Source: Popordanoska, Sayer and Blaschko (2022), A consistent and differentiable Lp canonical
    calibration error estimator; the kernel is Chen's (1999), Beta kernel estimators for density
    functions.

    >>> two = Profile(np.array([0.25, 0.75]), np.array([0.75, 0.25]), np.array([10.0, 10.0]))
    >>> kde_ece(two)(np.array([[2.5, 5.0], [7.5, 10.0]])).round(6).tolist()
    [0.041667, 0.25]
    """
    own = min(1.0, float(profile.weight.min()))
    cell = np.arcsin(np.sqrt(np.clip(profile.score, 0.0, 1.0))) * (2.0 * CELLS / np.pi)
    joined = merged(profile, cell.astype(np.int64))
    few = joined.profile
    smoother, pull = _smoother(few, own)
    weight, score = few.weight[:, None], few.score[:, None]

    def error(hits: Wide) -> Wide:
        events = joined.hits(hits)
        mean = events / weight
        share = smoother @ events - score  # with one row left out, of mean outcome
        hit = np.abs(share - pull[:, None] * (1.0 - mean))
        miss = np.abs(share + pull[:, None] * mean)
        out: Wide = (events * hit + (weight - events) * miss).sum(axis=0) / few.weight.sum()
        return out

    return error


def bandwidth(profile: Profile, own: float) -> float:
    """Return the bandwidth under which scores are most likely, each by those left without it."""
    tilt, scale = _tilt(profile), profile.weight.sum() - own
    if scale <= 0:
        return float(BANDWIDTHS[0])
    likely = [profile.weight @ _log_density(profile, tilt, b, own) for b in BANDWIDTHS]
    return float(BANDWIDTHS[int(np.argmax(likely))])


def _smoother(profile: Profile, own: float) -> tuple[Wide, Wide]:
    """Return (m, m) what a hit at a score adds to the share at every score, and (m,) a row's pull.

    The pull is what a row would add to the share at its own score if it were a hit.
    """
    if profile.weight.sum() <= own:
        return np.ones((1, 1)) / profile.weight, np.zeros(1)
    kernel, _ = _kernel(profile, _tilt(profile), bandwidth(profile, own), own)
    whole = kernel @ profile.weight
    left = profile.weight - own
    pull = np.zeros(len(left))  # a row alone with its score has been left out as it is
    some = left > 1e-12 * profile.weight
    pull[some] = own * profile.weight[some] / left[some] * np.diagonal(kernel)[some] / whole[some]
    return kernel / whole[:, None], pull


def _log_density(profile: Profile, tilt: Wide, b: float, own: float) -> Wide:
    """Return log of sum_j w_j K(p, p_j) without a row's own part, but for a constant."""
    kernel, most = _kernel(profile, tilt, b, own)
    out: Wide = np.log(kernel @ profile.weight) + most
    return out


def _kernel(profile: Profile, tilt: Wide, b: float, own: float) -> tuple[Wide, Wide]:
    """Return (m, m) kernels, a row's own part taken off, and the logarithm of each row's unit."""
    from scipy.special import betaln

    kernel = tilt / b - betaln(profile.score / b + 1.0, profile.rest / b + 1.0)
    left = 1.0 - own / profile.weight
    left[left < 1e-12] = 0.0
    places: Ints = np.arange(len(left))
    with np.errstate(divide="ignore"):  # a row alone with its score leaves nothing there
        kernel[places, places] += np.log(left)
    most = kernel.max(axis=1)
    kernel -= most[:, None]
    return np.exp(kernel, out=kernel), most


def _tilt(profile: Profile) -> Wide:
    """Return (m, m) q log p + (1 - q) log(1 - p), p down and q across."""
    up, down = (np.log(np.maximum(part, FLOOR)) for part in (profile.score, profile.rest))
    out: Wide = np.outer(up, profile.score) + np.outer(down, profile.rest)
    return out
