"""How often intervals of sites cover, and how often the test of tau rejects sites that are alike.

python studies/sites.py [coverage|size|tiny] [--datasets 400] [--draws 199] [--groups]

Sites of 50 to 300 rows, whose log-odds have another mean each; at site j the true log-odds are a_j
+ b_j x, a_j and b_j with standard deviation tau about 0 and 1. `coverage`: share of new sites whose
true value lies in the prediction interval, and share of tables whose interval of the mean holds the
mean of all sites. `size`: share of tables where tau is rejected at 0.05. `tiny`: mean log O/E of 60
sites that expect one to three events each, so that many have none. `--groups`: rows in groups of
five, whose labels depend. Prints shares; `coverage` takes two minutes on one core, `size` ten.
"""

import argparse
import warnings

import numpy as np
from scipy.special import expit, ndtri

import plumbline as pb
from plumbline.errors import PlumblineWarning

SITES, TAUS = (5, 10, 20), (0.0, 0.1, 0.3, 0.6)
SIZE_TAUS = (0.0, 0.3)
TINY, TINY_ROWS = 60, (10, 20, 30)  # sites, and rows of each, of which a tenth is expected
LEAST, MOST = 50, 300  # rows of a site
CENTRE, APART, WIDE = -1.0, 0.4, 1.2  # of the log-odds: mean, of site means, within a site
NODES = 61
NEW_SITES = 2000
MEASURES = ("shift", "slope", "log_oe", "logit_auc")
IN_GROUP, LATENT = 5, 0.3


def parameters(rng: np.random.Generator, count: int, tau: float) -> np.ndarray:
    """Return (3, sites): a, b, and the mean of the log-odds of sites."""
    return np.stack(
        [
            tau * rng.normal(size=count),
            1.0 + tau * rng.normal(size=count),
            CENTRE + APART * rng.normal(size=count),
        ]
    )


def table(
    rng: np.random.Generator, count: int, tau: float, *, groups: bool = False
) -> pb.Predictions:
    """Return the rows of sites that are drawn at random."""
    a, b, centre = parameters(rng, count, tau)
    sizes = rng.integers(LEAST, MOST + 1, count)
    site = np.repeat(np.arange(count), sizes)
    x = centre[site] + WIDE * rng.normal(size=len(site))
    truth = expit(a[site] + b[site] * x)
    group = 1000 * site + np.concatenate([np.arange(size) // IN_GROUP for size in sizes])
    latent = rng.normal(size=1000 * count)[group]
    part = LATENT if groups else 0.0
    own = np.sqrt(part) * latent + np.sqrt(1.0 - part) * rng.normal(size=len(site))
    return pb.Predictions.from_arrays(
        (own < ndtri(truth)).astype(int),
        expit(x),
        classes=[0, 1],
        attributes={"site": site},
        groups=group if groups else None,
    )


def true_values(a: np.ndarray, b: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Return (4, sites) the measures of infinitely many rows, by Gauss-Hermite quadrature."""
    nodes, weight = np.polynomial.hermite_e.hermegauss(NODES)
    weight /= weight.sum()
    x = centre[:, None] + WIDE * nodes
    mean = expit(a[:, None] + b[:, None] * x)
    shift = np.zeros(len(a))
    for _ in range(50):
        fitted = expit(shift[:, None] + x)
        shift += ((mean - fitted) @ weight) / ((fitted * (1.0 - fitted)) @ weight)
    events, others = mean * weight, (1.0 - mean) * weight
    below = np.cumsum(others, axis=1) - others / 2.0
    area = (events * below).sum(axis=1) / (events.sum(axis=1) * others.sum(axis=1))
    ratio = np.log((mean @ weight) / (expit(x) @ weight))
    return np.stack([shift, b, ratio, np.log(area / (1.0 - area))])


def coverage(datasets: int, draws: int, groups: bool) -> None:
    """Print how often both intervals cover, for every number of sites and spread."""
    del draws
    print(
        f"{'sites, tau':14}" + "".join(f"{name:>18}" for name in MEASURES) + "   (new site / mean)"
    )
    for count in SITES:
        for tau in TAUS:
            rng = np.random.default_rng(11)
            truth = true_values(*parameters(np.random.default_rng(1), NEW_SITES, tau))
            shares = np.zeros((datasets, 2, len(MEASURES)))
            for one in shares:
                data = table(rng, count, tau, groups=groups)
                found = pb.calibration_heterogeneity(data, "site", resamples=0)
                for place, row in enumerate(found.measures):
                    low, high = row["prediction_range"]
                    one[0, place] = np.mean((low <= truth[place]) & (truth[place] <= high))
                    middle = truth[place].mean()
                    one[1, place] = row["mean_low"] <= middle <= row["mean_high"]
            _print(f"{count}, {tau}", shares.mean(axis=0), shares.std(axis=0) / np.sqrt(datasets))


def size(datasets: int, draws: int, groups: bool) -> None:
    """Print how often each tau is rejected, and one of them all."""
    print(f"{'sites, tau':14}" + "".join(f"{name:>10}" for name in (*MEASURES, "all")))
    for count in SITES:
        for tau in SIZE_TAUS:
            rng = np.random.default_rng(12)
            rejected = np.zeros((datasets, len(MEASURES) + 1))
            for seed, one in enumerate(rejected):
                found = pb.calibration_heterogeneity(
                    table(rng, count, tau, groups=groups), "site", resamples=draws, rng=seed
                )
                p_values = [row["tau_p_value"] for row in found.measures]
                one[:] = np.array([*p_values, found.p_value]) <= 0.05
            cells = "".join(f"{share:>10.3f}" for share in rejected.mean(axis=0))
            print(f"{f'{count}, {tau}':14}{cells}", flush=True)


def tiny(datasets: int, draws: int, groups: bool) -> None:
    """Print the mean log O/E, of which 0 is true, and how often its interval holds 0."""
    del draws, groups
    print(f"{'expected, tau':14}{'sites without':>16}{'mean':>16}{'tau':>16}{'holds 0':>16}")
    for rows in TINY_ROWS:
        for tau in SIZE_TAUS:
            rng = np.random.default_rng(13)
            values = np.zeros((datasets, 4))
            site = np.repeat(np.arange(TINY), rows)
            for one in values:
                p = rng.beta(1, 9, len(site))
                share = np.minimum(p * np.exp(tau * rng.normal(size=TINY))[site], 1.0)
                events = (rng.random(len(p)) < share).astype(int)
                data = pb.Predictions.from_arrays(
                    events, p, classes=[0, 1], attributes={"site": site}
                )
                found = pb.calibration_heterogeneity(data, "site", resamples=0).measures[2]
                holds = found["mean_low"] <= 0 <= found["mean_high"]
                none = np.mean(np.bincount(site, events) == 0)
                one[:] = none, found["mean"], found["tau"], holds
            means, errors = values.mean(axis=0), values.std(axis=0) / np.sqrt(datasets)
            cells = "".join(
                f"{mean:.3f} ({error:.3f})".rjust(16)
                for mean, error in zip(means, errors, strict=True)
            )
            print(f"{rows / 10:.0f}, {tau:<11}{cells}", flush=True)


def _print(name: str, shares: np.ndarray, errors: np.ndarray) -> None:
    cells = (f"{new:.3f} / {mean:.3f}" for new, mean in shares.T)
    print(f"{name:14}" + "".join(f"{cell:>18}" for cell in cells), end="")
    print(f"   (se up to {errors.max():.3f})", flush=True)


def main() -> None:
    """Run the studies that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="*", default=["coverage", "size"])
    parser.add_argument("--datasets", type=int, default=400)
    parser.add_argument("--draws", type=int, default=199)
    parser.add_argument("--groups", action="store_true")
    asked = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PlumblineWarning)
        for name in asked.what:
            run = {"coverage": coverage, "size": size, "tiny": tiny}[name]
            run(asked.datasets, asked.draws, asked.groups)


if __name__ == "__main__":
    main()
