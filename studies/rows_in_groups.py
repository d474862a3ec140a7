"""How often tests reject calibrated rows that belong together, and how often they find a fault.

python studies/rows_in_groups.py [size|power|subsets] [--datasets 200] [--draws 199] [--only 30]

`size`: calibrated probabilities, labels that depend within groups (a Gaussian copula, or `shared`:
one number for the rows of a group); each test as if rows were independent, and in their groups.
`power`: a fault in rows that do not depend, once without groups and once with.
`subsets`: calibrated sites of a few groups each; the dependence is that of the site's own rows, or
of all rows of the table. Prints shares of rejections at level 0.05; `size` takes about ten minutes
on one core.
"""

import argparse
import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.special import expit, logit, ndtri

import plumbline as pb
from plumbline.calibration_tests import omnibus_p_value
from plumbline.errors import PlumblineWarning
from plumbline.nulls import Dependence, Partition, Resampling
from plumbline.nulls.strength import LEAST_GROUPS

TESTS = ("omnibus", "ece", "kuiper", "cox", "log-loss")
# Name, number of rows of each group, shape of the beta distribution of p, dependence.
DESIGNS: dict[str, tuple[np.ndarray, tuple[float, float], float, str]] = {
    "100 x 10": (np.full(100, 10), (2, 5), 0.4, "copula"),
    "30 x 10": (np.full(30, 10), (2, 5), 0.5, "copula"),
    "30 x 10, rare": (np.full(30, 10), (1, 19), 0.4, "copula"),
    "100 x 10, rare": (np.full(100, 10), (1, 19), 0.4, "copula"),
    "10 x 30": (np.full(10, 30), (2, 5), 0.4, "copula"),
    "10 x 30, strong": (np.full(10, 30), (2, 5), 0.7, "copula"),
    "15 x 20, rare": (np.full(15, 20), (1, 19), 0.4, "copula"),
    "40 unequal, 2 to 40": (np.arange(2, 42), (2, 5), 0.4, "copula"),
    "8 x 20": (np.full(8, 20), (2, 5), 0.4, "copula"),
    "150 x 8, all but equal": (np.full(150, 8), (2, 2), 0.95, "copula"),
    "30 x 10, rare, shared": (np.full(30, 10), (1, 19), 0.4, "shared"),
    "100 x 10, shared": (np.full(100, 10), (2, 5), 0.4, "shared"),
    "60 x 8, three classes": (np.full(60, 8), (1, 1), 0.4, "classes 3"),
    "60 x 8, five classes": (np.full(60, 8), (1, 1), 0.4, "classes 5"),
    "30 x 10, independent": (np.full(30, 10), (2, 5), 0.0, "copula"),
}


def table(
    rng: np.random.Generator,
    sizes: np.ndarray,
    shape: tuple[float, float],
    strength: float,
    kind: str,
    fault: Callable[[np.ndarray], np.ndarray] | None = None,
) -> pb.Predictions:
    """Return one table, calibrated unless a fault turns its log-odds into the true ones."""
    code = np.repeat(np.arange(len(sizes)), sizes)
    n = len(code)
    if kind.startswith("classes"):
        k = int(kind.split()[1])
        prob = rng.dirichlet(np.ones(k), n)
        dependence = Dependence.of(Partition.of(code), strength, prob)
        labels = dependence.once(int(rng.integers(2**32)))
        return pb.Predictions.from_arrays(labels, prob, classes=range(k), groups=code)
    p = rng.beta(*shape, n)
    truth = p if fault is None else expit(fault(logit(p)))
    if kind == "copula":
        latent = rng.normal(size=len(sizes))[code]
        own = np.sqrt(1 - strength) * rng.normal(size=n)
        labels = (np.sqrt(strength) * latent + own < ndtri(truth)).astype(int)
    else:
        use = rng.random(n) < np.sqrt(strength)
        number = np.where(use, rng.random(len(sizes))[code], rng.random(n))
        labels = (number < truth).astype(int)
    return pb.Predictions.from_arrays(labels, p, classes=[0, 1], groups=code)


def p_values(data: pb.Predictions, draws: int, seed: int) -> list[float]:
    """Return the p-value of every test; 1 where the labels allow none."""
    result = []
    for name in TESTS:
        if name == "omnibus":
            result.append(omnibus_p_value(data, Resampling(draws, seed, 1)))
            continue
        top = name in ("kuiper", "cox") and data.k > 2
        view = {"view": "top-label"} if top else {}
        test = pb.calibration_test(
            data, statistic=name, resamples=draws, rng=seed, workers=1, null="resample", **view
        )
        result.append(test.p_value)
    return result


def size(datasets: int, draws: int, only: str) -> None:
    """Print for every design how often each test rejects, without groups and with."""
    print(f"{'':26}" + "".join(f"{name:>16}" for name in TESTS) + "   (alone / in groups)")
    for name, design in DESIGNS.items():
        if only not in name:
            continue
        rng = np.random.default_rng(5)
        rejected = np.zeros((2, len(TESTS)))
        for seed in range(datasets):
            data = table(rng, *design)
            for place, one in enumerate((data.in_groups(None), data)):
                rejected[place] += np.array(p_values(one, draws, seed)) <= 0.05
        shares = rejected / datasets
        cells = (f"{a:.3f} / {b:.3f}" for a, b in shares.T)
        print(f"{name:26}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


FAULTS: dict[str, tuple[str, Callable[[np.ndarray], np.ndarray]]] = {
    "100 x 10, shift 0.3": ("100 x 10", lambda x: x + 0.3),
    "30 x 10 rare, shift 0.6": ("30 x 10, rare", lambda x: x + 0.6),
    "10 x 30, shift 0.5": ("10 x 30", lambda x: x + 0.5),
    "100 x 10, slope 0.7": ("100 x 10", lambda x: 0.7 * x),
}


def power(datasets: int, draws: int, only: str) -> None:
    """Print how often each test finds a fault in rows that do not depend."""
    for name, (design, fault) in FAULTS.items():
        if only not in name:
            continue
        sizes, shape, _, kind = DESIGNS[design]
        rng = np.random.default_rng(5)
        rejected = np.zeros((2, len(TESTS)))
        for seed in range(datasets):
            data = table(rng, sizes, shape, 0.0, kind, fault)
            for place, one in enumerate((data.in_groups(None), data)):
                rejected[place] += np.array(p_values(one, draws, seed)) <= 0.05
        cells = (f"{a:.3f} / {b:.3f}" for a, b in (rejected / datasets).T)
        print(f"{name:26}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


SITES = (12, 8, 5, 3, 2, 1)  # groups of every site


def subsets(datasets: int, draws: int, only: str) -> None:
    """Print how often each test rejects a site, by its number of groups."""
    place = np.repeat(np.arange(len(SITES)), SITES)
    for name, (rows, shape, latent) in {
        "10 rows, p about 0.29": (10, (2, 5), 0.4),
        "10 rows, p about 0.05": (10, (1, 19), 0.4),
        "30 rows, p about 0.29": (30, (2, 5), 0.4),
        "10 rows, independent": (10, (2, 5), 0.0),
    }.items():
        if only not in name:
            continue
        rng = np.random.default_rng(5)
        rejected = np.zeros((2, len(SITES), len(TESTS)))
        for seed in range(datasets):
            sizes = np.full(len(place), rows)
            data = table(rng, sizes, shape, latent, "copula")
            site = np.repeat(place, rows)
            for number, groups in enumerate(SITES):
                if groups >= LEAST_GROUPS:
                    own = p_values(data.select(where=site == number), draws, seed)
                    rejected[0, number] += np.array(own) <= 0.05
            data = replace(data, attributes={"site": site.astype(str)})
            how = {"by": "site", "adjust": None, "resamples": draws, "rng": seed, "workers": 1}
            for turn, test in enumerate(TESTS):
                null = "auto" if test == "omnibus" else "resample"
                found = pb.calibration_test_by(data, statistic=test, null=null, **how)
                for row in found.members:
                    rejected[1, int(row["name"]), turn] += row["p_value"] <= 0.05
        print(f"{name:24}" + "".join(f"{test:>16}" for test in TESTS) + "   (own / of all rows)")
        for number, groups in enumerate(SITES):
            cells = (
                f"{'-' if groups < LEAST_GROUPS else f'{a:.3f}'} / {b:.3f}"
                for a, b in (rejected[:, number] / datasets).T
            )
            print(
                f"{groups:>4} groups{'':13}" + "".join(f"{cell:>16}" for cell in cells), flush=True
            )


def main() -> None:
    """Run the studies that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="*", default=["size", "power"])
    parser.add_argument("--datasets", type=int, default=200)
    parser.add_argument("--draws", type=int, default=199)
    parser.add_argument("--only", default="", help="part of the name of the designs to run")
    asked = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PlumblineWarning)
        for name in asked.what:
            {"size": size, "power": power, "subsets": subsets}[name](
                asked.datasets, asked.draws, asked.only
            )


if __name__ == "__main__":
    main()
