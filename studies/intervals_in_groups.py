"""How often 95 % intervals of rates, areas and the bias hold the true value of rows in groups.

python studies/intervals_in_groups.py [--datasets 1000] [--only "3 x 60"] [--seed 5]

Calibrated probabilities; ratings and labels of a group depend by Gaussian copulas, ratings with
correlation 0.3. Sizes of groups are equal, or some groups have most of the rows. The true values
are those of a million rows. About ten minutes on one core.
"""

import argparse
import warnings

import numpy as np
from scipy import stats
from scipy.special import ndtr, ndtri

import plumbline as pb
from plumbline.errors import PlumblineWarning

RATES = ("TPR", "TNR", "PPV", "CA", "F1", "MCC")
NAMES = (*RATES, "AUC", "AP", "bias")
RATINGS = 0.3  # correlation of the ratings of a group
MANY = 10**6
ONES = np.ones(60, int)
SPREAD = np.maximum(1, np.exp(stats.norm.ppf((np.arange(60) + 0.5) / 60) * 1.2) * 4).astype(int)
# Name, number of rows of each group, correlation of labels, beta distribution, threshold.
DESIGNS: dict[str, tuple[np.ndarray, float, tuple[float, float], float]] = {
    "10 x 20": (np.full(10, 20), 0.3, (2, 5), 0.3),
    "10 x 20, half positive": (np.full(10, 20), 0.3, (3, 3), 0.55),
    "100 x 10, 4 % positive": (np.full(100, 10), 0.3, (1, 24), 0.09),
    "8 x 30, 60 x 1": (np.append(np.full(8, 30), ONES), 0.3, (2, 5), 0.3),
    "3 x 60, 60 x 1": (np.append(np.full(3, 60), ONES), 0.3, (2, 5), 0.3),
    "60 of 1 to 70 rows": (SPREAD, 0.3, (2, 5), 0.3),
    "8 x 30, 60 x 1, independent": (np.append(np.full(8, 30), ONES), 0.0, (2, 5), 0.3),
}


def normals(rng: np.random.Generator, code: np.ndarray, correlation: float) -> np.ndarray:
    """Return a normal number of each row, which depends on those of its group."""
    shared = rng.normal(size=code.max() + 1)[code]
    return np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * rng.normal(size=len(code))


def ends(data: pb.Predictions, threshold: float) -> list[tuple[float, float]]:
    """Return the interval of every number, NaN where it has none."""
    rates = pb.confusion_matrix(data, threshold=threshold).rates(list(RATES), interval="auto")
    found = [(rates.entry(name).low, rates.entry(name).high) for name in RATES]
    area = pb.curve(data, "precision-recall").lines[0].area_range
    ranges = (pb.roc_auc_interval(data).interval_range, area)
    found += [(np.nan, np.nan) if one is None else one for one in ranges]
    bias = pb.measure(data, "calibration-in-the-large", interval=True, resamples=9)
    return [*found, bias.measures[0].interval_range]


def true_values(shape: tuple[float, float], threshold: float) -> np.ndarray:
    """Return the numbers of a population: each row once with its event and once without."""
    p = np.random.default_rng(1).beta(*shape, MANY)
    data = pb.Predictions.from_arrays(
        np.repeat([1, 0], MANY), np.tile(p, 2), classes=[0, 1], weight=np.append(p, 1 - p)
    )
    rates = pb.confusion_matrix(data, threshold=threshold).rates(list(RATES))
    values = [rates.entry(name).value for name in RATES]
    return np.array([*values, pb.roc_auc(data), pb.average_precision(data), 0.0])


def main() -> None:
    """Print for each design how often every interval holds its true value."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", type=int, default=1000)
    parser.add_argument("--only", default="", help="part of the name of the designs to run")
    parser.add_argument("--seed", type=int, default=5, help="of all tables")
    asked = parser.parse_args()
    print("| groups x rows | " + " | ".join(NAMES) + " |")
    for name, (sizes, correlation, shape, threshold) in DESIGNS.items():
        if asked.only not in name:
            continue
        truth = true_values(shape, threshold)
        code = np.repeat(np.arange(len(sizes)), sizes)
        held, known = np.zeros(len(NAMES)), np.zeros(len(NAMES))
        for seed in range(asked.datasets):
            rng = np.random.default_rng([asked.seed, seed])
            p = stats.beta.ppf(ndtr(normals(rng, code, RATINGS)), *shape)
            y = (normals(rng, code, correlation) < ndtri(p)).astype(int)
            if np.ptp(y) == 0:
                continue
            data = pb.Predictions.from_arrays(y, p, classes=[0, 1], groups=code)
            low, high = np.array(ends(data, threshold)).T
            known += ~np.isnan(low)
            held += (low <= truth) & (truth <= high)
        print(f"| {name} | " + " | ".join(f"{one:.3f}" for one in held / known) + " |", flush=True)


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PlumblineWarning)
        main()
