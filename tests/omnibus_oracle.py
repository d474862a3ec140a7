"""The families of faults of the omnibus, spelled out for one set of labels: slow, and literal."""

import numpy as np
from scipy.optimize import brentq

SIZE, BINS = 4.0, 32


def amount(divergence, most):
    """Return the amount at which a divergence is 4, or the most."""
    if divergence(most) <= SIZE:
        return most
    return brentq(lambda a: divergence(a) - SIZE, 1e-9, most, xtol=1e-13, rtol=1e-13)


def kl(q, p, w):
    """Return the weighted divergence of the rows of q from those of p."""
    ratio = np.where(q > 0, np.log(np.maximum(q, 1e-300) / np.maximum(p, 1e-300)), 0.0)
    return float(w @ (q * ratio).sum(axis=1))


def mean(terms, weight):
    """Return the logarithm of the weighted mean of exp(L)."""
    terms, weight = np.array(terms), np.array(weight)
    top = terms.max()
    return top + np.log((weight * np.exp(terms - top)).sum() / weight.sum())


def factor(gap, variance, spread):
    """Return the log Bayes factor of a gap whose mean is normal with `spread` times its error."""
    z2 = gap**2 / (variance + 0.25)
    return -np.log1p(spread) / 2 + z2 * spread / (2 * (1 + spread))


def surprising(o, e, v):
    """Return the log Bayes factor of a binomial number of mean e and variance v, by deviance."""
    q = np.clip(1 - v / e, 1e-9, 1.0)
    hits, misses = (e, o), (e / q - e, e / q - o)
    deviance = 0.0
    for mean, count in (hits, misses):
        count = max(count, 1e-300)
        deviance += 2 * (count * np.log(count / max(mean, 1e-300)))
    return -np.log1p(9) / 2 + deviance * 9 / 20


def bins(score, value):
    """Return bins of equal information; rows of one score lie where their middle lies."""
    score = score.round(12)
    total = value.sum()
    result = np.zeros(len(score), int)
    for s in np.unique(score):
        here = score == s
        before = value[score < s].sum()
        middle = before + value[here].sum() / 2
        result[here] = int(BINS * (middle / total * (1 - 1e-12))) if total > 0 else 0
    return result


def cosine(j):
    """Return the wave of j half periods over the bins."""
    return (
        np.ones(BINS) if j == 0 else np.sqrt(2) * np.cos(np.pi * j * (np.arange(BINS) + 0.5) / BINS)
    )


def curve(hit, q, w):
    """Return observed, expected and variance of an event in its bins."""
    home = bins(q, w * q * (1 - q))
    sums = (w * hit, w * q, w**2 * q * (1 - q))
    return [np.bincount(home, x, BINS) for x in sums]


def slices(o, e, v):
    """Return terms and weights of the ranges of scores of one class."""
    terms, weight = [], []
    for length, step in ((2, 1), (4, 1), (6, 1), (8, 2), (12, 3), (16, 4)):
        starts = range(0, BINS - length + 1, step)
        for start in starts:
            run = slice(start, start + length)
            var = v[run].sum()
            terms.append(factor((o - e)[run].sum(), var, 9))
            weight.append(var / (var + 1) / len(starts))
    return terms, weight


def wave(o, e, v):
    """Return L of waves over the bins of one event."""
    mixes = []
    for low, high, spread in ((0, 1, 4), (0, 2, 4), (1, 4, 3), (1, 8, 2)):
        mixes.append(
            sum(
                factor(cosine(j) @ (o - e), cosine(j) ** 2 @ v, spread)
                for j in range(low, high + 1)
            )
        )
    return mean(mixes, np.ones(4))


def log_ratios(prob, y, w=None):
    """Return the log likelihood ratio of every family, by name."""
    n, k = prob.shape
    normal = w is not None and np.ptp(w) > 0
    w = np.ones(n) if w is None else w
    every = np.arange(n)
    log = np.log(np.maximum(prob, 1e-300))
    log = np.maximum(log, -690.0)
    one = np.eye(k)[y]
    top = prob.argmax(axis=1)
    score = prob[every, top]
    best = np.eye(k)[top]
    possible = prob > 0
    result = {}

    def scored(truth, most):
        """Return LL of a truth at the amount that would just show."""
        by = amount(lambda a: kl(truth(a), prob, w), most)
        return float(w @ np.log(truth(by)[every, y] / prob[every, y]))

    def normed(q):
        return q / q.sum(axis=1, keepdims=True)

    def too_high(by):
        kept = np.maximum((1 + by) * score - by, 0.1 * score)
        rest = np.where(score < 1, 1 - score, 1.0)
        return np.where(best > 0, kept[:, None], prob * ((1 - kept) / rest)[:, None])

    even = possible / possible.sum(axis=1, keepdims=True)
    result["overconfident"] = scored(
        lambda a: normed(np.where(possible, prob ** np.exp(-a), 0)), 1.5
    )
    result["underconfident"] = scored(lambda a: normed(prob ** np.exp(a)), 1.5)
    result["too well matched"] = scored(lambda a: normed(prob * np.exp(a * prob)), 4.0)
    result["random labels"] = scored(lambda a: (1 - a) * prob + a * even, 0.5)
    result["top class too high"] = scored(too_high, 0.6)
    result["top class too low"] = scored(lambda a: (1 - a) * prob + a * best, 0.6)

    o, e = w @ one, w @ prob
    v = w**2 @ (prob * (1 - prob))
    each = [
        factor(o[j] - e[j], v[j], 9) if normal else surprising(o[j], e[j], v[j]) for j in range(k)
    ]
    result["class shares"] = mean(each, v / (v + 1))
    result["all class shares"] = (k - 1) / k * sum(factor(o[j] - e[j], v[j], 2) for j in range(k))

    terms = []
    for j in range(k):
        can = possible[:, j]
        p = prob[can, j]

        def divergence(a, p=p, can=can):
            q = (1 - a) * p + a
            return float(w[can] @ (q * np.log(q / p) + (1 - q) * np.log(1 - a)))

        by = amount(divergence, 0.4)
        ratio = np.where(y[can] == j, np.log((1 - by) + by / p), np.log(1 - by))
        terms.append(w[can] @ ratio)
    result["labels lost to one class"] = mean(terms, np.ones(k))

    curves = [curve(one[:, j], prob[:, j], w) for j in range(k)]
    pairs = [slices(*c) for c in curves]
    result["range of scores"] = mean(
        [t for terms, _ in pairs for t in terms], [u for _, weight in pairs for u in weight]
    )
    result["wave over the scores"] = mean([wave(*c) for c in curves], v / (v + 1))
    result["wave over the top scores"] = wave(*curve(y == top, score, w))
    lines = [[(cosine(j) @ (o - e), cosine(j) ** 2 @ v) for j in (0, 1)] for o, e, v in curves]
    result["slope of every class"] = mean(
        [
            sum(factor(*line[1], 2) for line in lines),
            sum(factor(*line[0], 1) + factor(*line[1], 1) for line in lines),
        ],
        np.ones(2),
    )

    terms, weight, sums = [], [], []
    for t in range(k):
        here = top == t
        for c in range(k):
            var = w[here] ** 2 @ (prob[here, c] * (1 - prob[here, c]))
            if var > 0.3:
                sums.append((w[here] @ (one[here, c] - prob[here, c]), var))
    terms = [factor(*s, 9) for s in sums]
    result["predicted and observed class"] = (
        mean(terms, [s[1] / (s[1] + 1) for s in sums]) if sums else 0.0
    )

    terms, weight = [], []
    gaps = np.zeros((k, k))
    for a in range(k):
        for b in range(k):
            gaps[a, b] = w @ (prob[:, b] * (one[:, a] - prob[:, a]))
            var = w**2 @ (prob[:, b] ** 2 * prob[:, a] * (1 - prob[:, a]))
            terms.append(factor(gaps[a, b], var, 9))
            weight.append(var / (var + 0.5))
    result["likely class"] = mean(terms, weight)
    terms, weight = [], []
    for a in range(k):
        for b in range(a + 1, k):
            var = w**2 @ (prob[:, a] * prob[:, b] * (prob[:, a] + prob[:, b]))
            terms.append(factor(gaps[a, b] - gaps[b, a], var, 9))
            weight.append(var / (var + 0.5))
    result["exchanged classes"] = mean(terms, weight)

    surprise = (prob * log**2).sum(axis=1) - (prob * log).sum(axis=1) ** 2
    home = bins(score, w * surprise)
    own = log[every, y]

    def warmer(by):
        """Return LL of the exponents 1 + by of every row."""
        return float(w @ (by * own - np.log((prob * np.exp(by[:, None] * log)).sum(axis=1))))

    terms, weight = [], []
    for j in (1, 2, 3):
        var = (w**2 * surprise) @ (cosine(j)[home] ** 2)
        th = min(np.sqrt(2 * (3 + np.log(6)) / var), 0.6)
        for side in (1, -1):
            terms.append(warmer(side * th * cosine(j)[home]))
            weight.append(1 / j)
    result["temperature by score"] = mean(terms, weight)
    terms, weight = [], []
    for g in range(k):
        var = (w**2 * surprise) @ (top == g)
        th = min(np.sqrt(2 * (3 + np.log(2 * k)) / max(var, 1e-12)), 0.6)
        for side in (1, -1):
            terms.append(warmer(side * th * (top == g)))
            weight.append(var / (var + 1))
    result["temperature by class"] = mean(terms, weight)
    terms, weight = [], []
    for j in range(k):
        level = np.maximum(log[:, j], -12)
        inner = prob[:, j] * (1 - prob[:, j])
        z = level - (w * inner) @ level / (w @ inner)
        var = w**2 @ (inner * z**2)
        terms.append(factor((w * z) @ (one[:, j] - prob[:, j]), var, 9))
        weight.append(var / (var + 1))
    result["slope of one class"] = mean(terms, weight)
    return result
