"""How often tests reject calibrated rows that belong together, and how often they find a fault.

python studies/rows_in_groups.py [size|power|bound|subsets|tolerance|pairs] [--datasets 200]
    [--draws 199] [--only 30]

`size`: calibrated probabilities, labels that depend within groups (a Gaussian copula, or `shared`:
one number for the rows of a group); each test as if rows were independent, and in their groups.
`power`: a fault in rows that do not depend, once without groups and once with.
`bound`: the most power that any test of few groups can have if it is valid at every correlation.
`subsets`: calibrated sites of a few groups each; the dependence is that of the site's own rows, or
of all rows of the table.
`tolerance`: an error that is the tolerance, which "within" and "beyond" both deny, and none.
`pairs`: means of errors over pairs of rows, of calibrated rows. The others print shares of
rejections at level 0.05; `size` takes about ten minutes on one core.
"""

import argparse
import itertools
import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy import stats
from scipy.optimize import brentq, linprog
from scipy.special import expit, logit, ndtri

import plumbline as pb
from plumbline.calibration_tests import omnibus_p_value
from plumbline.dependence import LEAST_GROUPS, Dependence, Partition
from plumbline.errors import PlumblineWarning
from plumbline.nulls import Resampling

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


GROUPS = (8, 10, 15, 20, 30)
FOUND = (0.95, 0.84)  # power of a test that knows the rows to be independent
RATIOS = np.r_[1.0, 1.0 + np.geomspace(0.02, 8.0, 24)]  # of the variance of groups to such rows'


def most_power(groups: int, alone: float, level: float = 0.05) -> tuple[float, float]:
    """Return the power of Student's t, and the most that a valid test of sums of groups can have.

    Sums over equal groups are nearly normal; the null allows any variance of at least that of
    independent rows, the fault shifts the sums of independent ones. All that matters is the mean
    of the sums and their sum of squares about it. The bound is the largest mean of a test under
    the fault, with at most `level` at each variance: a linear program over cells of both numbers.
    """
    quantile = stats.norm.isf(level / 2)
    shift = brentq(
        lambda d: stats.norm.sf(quantile - d) + stats.norm.cdf(-quantile - d) - alone, 0.5, 6.0
    )
    at = stats.t.isf(level / 2, groups - 1)
    student = stats.nct.sf(at, groups - 1, shift) + stats.nct.cdf(-at, groups - 1, shift)
    means = np.r_[np.linspace(0.0, 10.0, 161), np.inf]
    chi2 = stats.chi2(groups - 1)
    last = chi2.ppf(139 / 140)
    squares = np.r_[0.0, chi2.ppf(np.arange(1, 140) / 140), np.linspace(1.02, 9, 60) * last, np.inf]

    def cells(mean: float, ratio: float) -> np.ndarray:
        spread = np.sqrt(ratio)
        within = stats.norm.cdf(means, mean, spread) - stats.norm.cdf(-means, mean, spread)
        return np.outer(np.diff(within), np.diff(chi2.cdf(squares / ratio))).ravel()

    sizes = np.array([cells(0.0, ratio) for ratio in RATIOS])
    best = linprog(-cells(shift, 1.0), sizes, np.full(len(RATIOS), level), bounds=(0, 1))
    return float(student), float(-best.fun)


def bound(datasets: int, draws: int, only: str) -> None:
    """Print the most power of few groups, beside that of Student's t and of independent rows."""
    del datasets, draws
    print("| groups | power as independent rows | Student's t | no valid test has more |")
    print("|---|---|---|---|")
    for groups in GROUPS:
        for alone in FOUND:
            if only in str(groups):
                student, most = most_power(groups, alone)
                print(f"| {groups} | {alone:.2f} | {student:.3f} | {most:.3f} |", flush=True)


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


# Gaps between true rates and probabilities, by number of the bin, from the lowest probabilities up.
BIN = np.arange(10)
FORMS = {
    "upwards": np.ones(10),
    "downwards": -np.ones(10),
    "both signs": np.where(BIN % 2, 1.0, -1.0),
    "as a slope": (BIN - 4.5) / 2.5,
    "upper bins": np.where(BIN > 6, 10 / 3, 0.0),
}


def at_tolerance(p: np.ndarray, tolerance: float, form: np.ndarray) -> np.ndarray:
    """Return probabilities of the event whose error in ten bins of equal size is the tolerance."""
    home = np.empty(len(p), int)
    home[np.argsort(p)] = np.arange(len(p)) * 10 // len(p)
    low, high = 0.0, 10.0 * tolerance
    for _ in range(30):
        truth = np.clip(p + (low + high) / 2 * form[home], 0.0005, 0.9995)
        error = np.abs(np.bincount(home, truth - p)).sum() / len(p)
        low, high = ((low + high) / 2, high) if error < tolerance else (low, (low + high) / 2)
    return truth


def tolerance(datasets: int, draws: int, only: str) -> None:
    """Print how often an error that is the tolerance is called within, and how often beyond.

    And calibrated rows; each as independent rows and in groups.
    """
    print(f"{'':38}{'within':>16}{'beyond':>16}{'interval':>10}   (alone / in groups)")
    designs = [(sizes, (2.0, 5.0)) for sizes in ((100, 10), (40, 5), (30, 30), (10, 30))]
    designs += [((100, 10), (1.0, 19.0))]
    for ((count, rows), shape), strength in itertools.product(designs, (0.0, 0.1, 0.3, 0.6)):
        name = f"{count} x {rows}{', rare' if shape[0] == 1 else ''}, {strength}"
        if only not in name:
            continue
        for form, gaps in {**FORMS, "calibrated": np.zeros(10)}.items():
            rng = np.random.default_rng(5)
            found, width = np.zeros((2, 2)), np.zeros(2)
            for seed in range(datasets):
                code = np.repeat(np.arange(count), rows)
                p = rng.beta(*shape, len(code))
                truth = at_tolerance(p, 0.05, gaps) if gaps.any() else p
                latent = rng.normal(size=count)[code]
                own = np.sqrt(1 - strength) * rng.normal(size=len(code))
                labels = (np.sqrt(strength) * latent + own < ndtri(truth)).astype(int)
                data = pb.Predictions.from_arrays(labels, p, classes=[0, 1], groups=code)
                for place, one in enumerate((data.in_groups(None), data)):
                    answer = pb.calibration_within(one, tolerance=0.05, resamples=draws, rng=seed)
                    found[:, place] += np.array(
                        [answer.answer == "within", answer.answer == "beyond"]
                    )
                    width[place] += np.diff(answer.interval)[0]
            cells = [f"{a:.3f} / {b:.3f}" for a, b in found / datasets]
            cells.append(f"{width[1] / width[0]:.2f}")
            print(f"{name:20}{form:18}{cells[0]:>16}{cells[1]:>16}{cells[2]:>10}", flush=True)


def pairs(datasets: int, draws: int, only: str) -> None:
    """Print means of errors that are 0 on average, with all pairs of rows and of other groups."""
    del draws
    errors = ("debiased-l2", "debiased-l2-kumar", "skce")
    print(f"{'':26}" + "".join(f"{name:>44}" for name in errors) + "   (alone / in groups)")
    for name, design in DESIGNS.items():
        if only not in name:
            continue
        rng = np.random.default_rng(5)
        found = np.empty((datasets, 2, len(errors)))
        for seed in range(datasets):
            data = table(rng, *design)
            for place, one in enumerate((data.in_groups(None), data)):
                measured = pb.measure(one, list(errors)).measures
                found[seed, place] = [each.value for each in measured]
        cells = (
            f"{a:.5f} / {b:.5f} ({e:.5f})"
            for (a, b), e in zip(
                found.mean(axis=0).T, found.std(axis=0)[1] / np.sqrt(datasets), strict=True
            )
        )
        print(f"{name:26}" + "".join(f"{cell:>44}" for cell in cells), flush=True)


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
            studies = {"size": size, "power": power, "subsets": subsets, "tolerance": tolerance}
            studies |= {"pairs": pairs, "bound": bound}
            studies[name](asked.datasets, asked.draws, asked.only)


if __name__ == "__main__":
    main()
