"""Logistic fits of many sets of labels: the likelihood as a power series around one of them.

Labels drawn for the same rows have fits close to each other. The sums over all rows that Newton's
method needs are taken once, at one place; each fit then solves two polynomials in its distance.
"""

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration.drawable import Wide
from plumbline.jit import compiled

ORDER = 12  # of the series of a probability in its log odds; fewer reach fewer fits
CLOSE = 1e-9  # standard errors of the sums that the last term may come to; those left out are less
MOST_STEPS = 12  # of Newton's method on the series, which doubles its digits; others are not near
SETTLED = 1e-20  # of log likelihood that the last step may gain: it moves 1e-10 standard errors


def fits_near(
    sums: Wide, mass: Wide, z: Wide, a: float, b: float, freedom: int
) -> tuple[Wide, NDArray[np.bool_]]:
    """Return (2, draws): how far the fits are from `a` and `b`; and (draws,) which are right.

    The log odds are a + b z. Labels enter through `sums`, (2, draws) sums of w y and of w y z; with
    `freedom` 1 `b` stays. The largest weight w is 1.

    >>> z = np.linspace(-2.0, 2.0, 9)
    >>> hits = 100.0 / (1.0 + np.exp(0.1 - 1.1 * z))
    >>> sums = np.array([[hits.sum()], [hits @ z]])
    >>> away, right = fits_near(sums, np.full(9, 100.0), z, 0.0, 1.0, 2)
    >>> away[:, 0].round(9).tolist(), right.tolist()
    ([-0.1, 0.1], [True])
    """
    series, last = np.empty((ORDER, ORDER + 1)), np.empty(ORDER + 1)
    add_series(mass, z, a, b, series, last)
    away = np.empty(sums.shape)
    right = solve_series(sums, series, last, freedom, away)
    return away, right


@compiled
def add_series(mass: Wide, z: Wide, a: float, b: float, out: Wide, last: Wide) -> None:
    """Fill in (terms, terms + 1) sums w c_k z^m, c_k being the Taylor coefficients of p at a + b z.

    p is the logistic function, whose derivative is p (1 - p). `last` gets the sums of w |c_k z^m|
    for the last k.
    """
    terms = out.shape[0]
    part = np.empty(terms)
    out[:] = 0.0
    last[:] = 0.0
    for i in range(len(z)):
        eta = a + b * z[i]
        e = np.exp(-abs(eta))
        part[0] = (1.0 if eta >= 0 else e) / (1.0 + e)
        part[1] = e / ((1.0 + e) * (1.0 + e))
        turn = (1.0 if eta < 0 else -1.0) * (1.0 - e) / (1.0 + e)  # 1 - 2 p
        for k in range(1, terms - 1):
            total = turn * part[k]
            for j in range(1, k):
                total -= part[j] * part[k - j]
            part[k + 1] = total / (k + 1)
        power = mass[i]
        for m in range(terms + 1):
            for k in range(max(m - 1, 0), terms):
                out[k, m] += part[k] * power
            last[m] += abs(part[terms - 1] * power)
            power *= z[i]


@compiled
def solve_series(
    sums: Wide, series: Wide, last: Wide, freedom: int, out: Wide
) -> NDArray[np.bool_]:
    """Fill (2, draws) with the distances of the fits; tell which are right.

    `series` and `last` are those of `add_series`, whose place the distances are from.
    """
    terms = series.shape[0]
    right = np.zeros(sums.shape[1], np.bool_)
    row, power = np.empty(terms), np.empty(terms)
    for d in range(sums.shape[1]):
        da, db = 0.0, 0.0
        for _ in range(MOST_STEPS):
            ga, gb, haa, hab, hbb = sums[0, d], sums[1, d], 0.0, 0.0, 0.0
            # Of the terms (da + db z)^k, k = 0, 1, ...: row[m] = C(k, m) da^(k - m) db^m
            row[:] = 0.0
            row[0] = 1.0
            for k in range(terms):
                for m in range(k + 1):
                    ga -= row[m] * series[k, m]
                    gb -= row[m] * series[k, m + 1]
                    if k + 1 < terms:
                        haa += (k + 1) * row[m] * series[k + 1, m]
                        hab += (k + 1) * row[m] * series[k + 1, m + 1]
                        hbb += (k + 1) * row[m] * series[k + 1, m + 2]
                for m in range(min(k + 1, terms - 1), 0, -1):
                    row[m] = da * row[m] + db * row[m - 1]
                row[0] *= da
            det = haa * hbb - hab * hab if freedom == 2 else haa
            if not det > 0.0:
                break
            if freedom == 2:
                step_a, step_b = (hbb * ga - hab * gb) / det, (haa * gb - hab * ga) / det
            else:
                step_a, step_b = ga / det, 0.0
            da, db = da + step_a, db + step_b
            gain = step_a * ga + step_b * gb
            if not abs(gain) > SETTLED:
                right[d] = np.isfinite(gain)
                break
        left = 0.0  # of the last term, with absolute values
        power[:] = 0.0
        power[0] = 1.0
        for _ in range(terms - 1):
            for m in range(terms - 1, 0, -1):
                power[m] = abs(da) * power[m] + abs(db) * power[m - 1]
            power[0] *= abs(da)
        for m in range(terms):
            left += power[m] * max(last[m], last[m + 1])
        right[d] &= left <= CLOSE * np.sqrt(series[1, 0])
        out[0, d], out[1, d] = da, db
    return right
