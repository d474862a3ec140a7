"""The most that any test could find: the likelihood ratio of the truth against the predictions.

The predictions are held fixed, as in every test here, so the null is the labels drawn from them. By
the lemma of Neyman and Pearson (1933) no test of the same level finds this one truth more often, if
the rows' labels are independent given the predictions. In the thesis' method 1 they nearly are: the
number of random labels is fixed there, and the limit is that of the mixture.
"""

from math import inf

import numpy as np
from numpy.typing import NDArray

from plumbline.nulls import TIE
from plumbline.nulls.drawing import draw_labels
from plumbline.power.power_study import Counts
from plumbline.synthetic import DataSets, Experiment
from plumbline.synthetic.experiments import Floats


def truth_given(experiment: Experiment, prob: Floats) -> Floats:
    """Return the (..., k) class probabilities given the (..., k) predictions of an experiment.

    Method 1 replaces the labels of a share 1 - beta: beta p + (1 - beta) / k. Method 2 pushes t to
    p: every t that is pushed to p counts by its Dirichlet density (the Jacobian is the same for
    all of them). Source of the methods: Increasing the Power of a Classifier's Calibration Test
    (Tartu, 2020).
    """
    if experiment.method == "method 1":
        return experiment.beta * prob + (1.0 - experiment.beta) / experiment.k
    return unpushed(prob, experiment.dirichlet, experiment.beta)


def unpushed(prob: Floats, dirichlet: tuple[float, ...], beta: float) -> Floats:
    """Return the mean of the t ~ Dir(alpha) that `push_largest(t, beta)` turns into `prob`.

    If class c was the largest, t = (1 + beta) p - beta e_c; that is a candidate where it is no
    vector with a negative entry and c is its largest one.
    """
    k = prob.shape[-1]
    power = np.asarray(dirichlet) - 1.0
    candidates, logs = [], []
    for c in range(k):
        t = (1.0 + beta) * prob
        t[..., c] -= beta
        sound = (t[..., c] >= 0.0) & (t.argmax(axis=-1) == c)
        with np.errstate(divide="ignore"):
            density = (power * np.log(np.maximum(t, np.finfo(float).tiny))).sum(axis=-1)
        candidates.append(t)
        logs.append(np.where(sound, density, -inf))
    weight = np.stack(logs, axis=-1)
    weight = np.exp(weight - weight.max(axis=-1, keepdims=True))
    weight /= weight.sum(axis=-1, keepdims=True)
    mean = np.einsum("...c,...ck->...k", weight, np.stack(candidates, axis=-2))
    return np.asarray(mean)


def log_ratio(prob: Floats, truth: Floats) -> Floats:
    """Return log(truth / prob) of every class: infinite where it was said to be impossible."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(truth) - np.log(prob)
    return np.where((truth <= 0.0) & (prob <= 0.0), 0.0, ratio)


def limit_rejections(
    data: DataSets, truth: Floats, resamples: int, level: float, source: np.random.Generator
) -> Counts:
    """Count the data sets on which the likelihood ratio rejects, p = (1 + #) / (m + 1) <= level."""
    prob, labels = data
    ratio = log_ratio(prob, truth)
    rows = np.arange(prob.shape[1])[:, None]
    drawn: NDArray[np.int32] = np.empty((prob.shape[1], resamples), np.int32)
    count = 0
    for p, y, values in zip(prob, labels, ratio, strict=True):
        draw_labels(p, source.random(drawn.shape), drawn)
        null = values[rows, drawn].sum(axis=0)
        own = values[rows[:, 0], y].sum()
        slack = TIE * (1.0 + abs(own)) if np.isfinite(own) else 0.0
        count += 1 + int((null >= own - slack).sum()) <= level * (resamples + 1) + 1e-9
    return np.array(count)


def rows_at_the_limit(
    prob: Floats, truth: Floats, mass: Floats, power: float, level: float
) -> float:
    """Return roughly how many rows the likelihood ratio needs, from the first two moments.

    n = ((z_level s0 + z_power s1) / shift)^2, per row: s0^2 the variance of log(truth / prob) if
    the predictions are true, s1^2 if they are not, and the shift of its mean between the two.
    Where an event that was said to be impossible happens with a chance c, one is enough: n =
    log(1 - power) / log(1 - c) if that is fewer. Infinite where there is no effect.
    """
    from scipy.special import ndtri

    share = mass / mass.sum()
    chance = np.where(prob <= 0.0, truth, 0.0).sum(axis=1)  # of what was said to be impossible
    surprise = float(share @ chance)
    certain = np.log1p(-power) / np.log1p(-surprise) if 0.0 < surprise < 1.0 else inf
    truth = np.where(prob <= 0.0, 0.0, truth) / np.maximum(1.0 - chance, 1e-300)[:, None]
    ratio = log_ratio(prob, truth)
    ratio = np.where(np.isfinite(ratio), ratio, 0.0)
    mean0, mean1 = (prob * ratio).sum(axis=1), (truth * ratio).sum(axis=1)
    variance0 = (prob * ratio**2).sum(axis=1) - mean0**2
    variance1 = (truth * ratio**2).sum(axis=1) - mean1**2
    gap = mean1 - mean0
    shift = float(share @ gap)
    if shift <= 0.0:
        return float(certain)
    s0 = np.sqrt(share @ variance0)
    s1 = np.sqrt(share @ variance1 + max(0.0, float(share @ gap**2) - shift**2))
    reach = max(0.0, -float(ndtri(level)) * s0 + float(ndtri(power)) * s1)
    return float(min(certain, max(1.0, (reach / shift) ** 2)))
