"""How often bootstrap bands of curves hold the truth, and how often equal models are told apart.

python studies/curve_bands.py

Writes studies/results/curve_bands.md. It takes about ten minutes on one core.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
from scipy.special import expit
from scipy.stats import norm

from plumbline.curves import Line, curve, curve_difference
from plumbline.predictions import Predictions
from plumbline.random_streams import stream

sys.path.insert(0, str(Path(__file__).parents[1] / "examples" / "curves"))
from loans import loans, loans_profit

RESULT = Path(__file__).parent / "results" / "curve_bands.md"
SIZES = (100, 300, 1000)
DATA_SETS, RESAMPLES, LEVEL = 400, 199, 0.95
SHIFT, SHARE = 1.5, 0.3  # scores N(0, 1) of negatives, N(SHIFT, 1) of positives
PROFIT = "cumm(amount_requested ** 2 / 30 if eP else -amount_requested) / NN"


@dataclass(frozen=True)
class Case:
    """Points of a curve whose true height is known: at values of x, or at thresholds."""

    x: str
    y: str
    truth: Mapping[float, float]
    draw: Callable[[int, int], Predictions]


def binormal(n: int, seed: int) -> Predictions:
    """Return true probabilities of binormal ratings."""
    source = stream(seed, n, 0)
    actual = source.random(n) < SHARE
    rating = source.standard_normal(n) + SHIFT * actual
    return Predictions.from_arrays(actual, expit(SHIFT * rating - SHIFT**2 / 2 + ODDS))


ODDS = float(np.log(SHARE / (1 - SHARE)))


def cut(threshold: float) -> float:
    """Return the rating whose true probability this is."""
    return float((np.log(threshold / (1 - threshold)) - ODDS) / SHIFT + SHIFT / 2)


def tpr(fpr: float) -> float:
    """Return the height of the binormal ROC curve."""
    return float(norm.cdf(SHIFT - norm.isf(fpr)))


def precision(recall: float) -> float:
    """Return the height of the binormal precision-recall curve."""
    found = SHARE * recall
    return float(found / (found + (1 - SHARE) * norm.sf(SHIFT - norm.ppf(recall))))


def accuracy(threshold: float) -> float:
    """Return the share of right answers at a threshold."""
    at = cut(threshold)
    return float(SHARE * norm.sf(at - SHIFT) + (1 - SHARE) * norm.cdf(at))


CASES = [
    Case("FPR", "TPR", {at: tpr(at) for at in (0.02, 0.2, 0.5)}, binormal),
    Case("recall", "precision", {at: precision(at) for at in (0.2, 0.8)}, binormal),
    Case("threshold", "CA", {at: accuracy(at) for at in (0.1, 0.5)}, binormal),
    Case("threshold", PROFIT, {0.3: float(loans_profit(0.3))}, lambda n, seed: loans(n, rng=seed)),
]


def band_at(line: Line, x: str, at: float) -> tuple[float, float]:
    """Return the band of a line at a value of x."""
    low, high = line.more["y_low"], line.more["y_high"]
    if x == "threshold":
        place = np.flatnonzero(line.threshold >= at)[-1]
        return float(low[place]), float(high[place])
    return float(np.interp(at, line.x, low)), float(np.interp(at, line.x, high))


def coverage_lines(case: Case, n: int) -> Iterator[str]:
    """Yield the rows of the table of one case and size."""
    found = {at: [] for at in case.truth}
    for seed in range(DATA_SETS):
        drawn = curve(
            case.draw(n, seed),
            x=case.x,
            y=case.y,
            band="bootstrap",
            level=LEVEL,
            resamples=RESAMPLES,
            rng=seed,
        )
        for at, bands in found.items():
            bands.append(band_at(drawn.lines[0], case.x, at))
    y = "profit" if case.y == PROFIT else case.y
    for at, truth in case.truth.items():
        low, high = np.array(found[at]).T
        below, above = np.mean(truth < low), np.mean(truth > high)
        held = 1 - below - above
        cells = (
            f"{y} at {case.x} {at}",
            f"{truth:.3f}",
            f"{n:,}",
            f"{held:.3f} ± {error_of(held):.3f}",
            f"{below:.3f}",
            f"{above:.3f}",
            f"{np.median(high - low):.3f}",
        )
        yield f"| {' | '.join(cells)} |"


def error_of(share: float) -> float:
    """Return the standard error of a share of the data sets, at least that of the level."""
    return sqrt(max(share * (1 - share), LEVEL * (1 - LEVEL)) / DATA_SETS)


def two_models(n: int, seed: int, noise: float) -> Predictions:
    """Return two models that rate the same rows with independent noise: equally good."""
    source = stream(seed, n, 1)
    actual = source.random(n) < SHARE
    signal = source.standard_normal(n) + 2 * actual
    ratings = [signal + noise * source.standard_normal(n) for _ in range(2)]
    return Predictions.from_arrays(
        np.tile(actual, 2), expit(np.concatenate(ratings) - 1), model=np.repeat(["A", "B"], n)
    )


def size_line(name: str, asked: dict[str, str], noise: float, n: int) -> str:
    """Return the row of the table of how often equal models are told apart."""
    somewhere, pointwise = 0, []
    for seed in range(DATA_SETS):
        found = curve_difference(
            two_models(n, seed, noise), **asked, level=LEVEL, resamples=RESAMPLES, rng=seed
        )
        somewhere += bool(found.higher)
        moving = found.se > 0
        outside = (found.pointwise_low > 0) | (found.pointwise_high < 0)
        pointwise.append(outside[moving].any())
    told = somewhere / DATA_SETS
    cells = name, f"{noise:g}", f"{n:,}", f"{told:.3f} ± {error_of(told):.3f}"
    return f"| {' | '.join(cells)} | {np.mean(pointwise):.3f} |"


def lines() -> Iterator[str]:
    """Yield the page."""
    yield from ("# Bootstrap bands of curves", "", "By `python studies/curve_bands.py`.", "")
    yield from ("## How often a pointwise band holds the truth", "")
    yield (
        f"{DATA_SETS} data sets each, {RESAMPLES} resamples, level {LEVEL} (± standard error, at "
        f"least that of the level). Binormal ratings, {SHARE:.0%} positive, and the synthetic "
        "loans. Too low, too high: the truth lies below, above the band."
    )
    yield from ("", "| point | truth | n | held | too low | too high | median width |")
    yield "|---|---|---|---|---|---|---|"
    for case in CASES:
        for n in SIZES:
            yield from coverage_lines(case, n)
    yield from ("", "## How often equally good models are told apart", "")
    yield (
        "Two models rate the same rows with independent noise of a standard deviation. Told apart: "
        "the simultaneous band of their difference leaves 0 out somewhere. Pointwise: the same of "
        "the pointwise intervals, which are not made for it."
    )
    yield from ("", "| curve | noise | n | told apart | pointwise |", "|---|---|---|---|---|")
    for name, asked in (
        ("CA at thresholds", {"x": "threshold", "y": "CA"}),
        ("ROC curve", {"preset": "roc"}),
    ):
        for noise, n in ((0.3, 300), (1.0, 300), (1.0, 1000)):
            yield size_line(name, asked, noise, n)


if __name__ == "__main__":
    page = []
    for text in lines():
        print(text, flush=True)
        page.append(text)
    RESULT.write_text("\n".join(page) + "\n", encoding="utf-8")
