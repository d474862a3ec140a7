"""How often intervals and tests are right with few positives.

python studies/few_positives.py [areas] [precision] [tests] [ratios]

Writes studies/results/few_positives.md: coverage of the intervals of the area under the ROC curve
and of the average precision, size and power of the tests of two areas, and coverage of the
intervals of F1, MCC and other ratios of counts. All parts take about fifteen minutes on one core;
those that are not asked for stay as they are.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from pages import write_parts
from scipy import special, stats

from plumbline.confusion import wilson_interval
from plumbline.curves import area_intervals
from plumbline.curves.area_intervals import normal_quantile, own_share, reach_at
from plumbline.random_streams import stream
from plumbline.results import ConfusionMatrix

Floats: TypeAlias = NDArray[np.float64]

KEY = 90
LEVEL = 0.95
WORK = 20_000_000  # pairs of a positive and a negative that are compared at once

# ---------------------------------------------------------------- ratings of known area

AREAS = (0.6, 0.75, 0.9, 0.97, 0.99)
SIZES = ((5, 95), (5, 245), (8, 92), (10, 90), (20, 180), (50, 450), (50, 150), (10, 10), (30, 30))
# First parameter of the positives' beta ratings; parameters of calibrated scores, by area.
BETA = {0.6: 0.35, 0.75: 0.6, 0.9: 1.2, 0.97: 2.5, 0.99: 5.0}
CALIBRATED = {
    0.6: (8, 72),
    0.75: (1.2, 10),
    0.9: (0.25, 2.2),
    0.97: (0.08, 0.7),
    0.99: (0.04, 0.36),
}
MODELS = ((0.05, 1.0), (0.2, 1.0), (0.2, 1.6), (0.7, 1.6))  # other weights and ratios of the model
BIG = 2_000_000  # ratings of either class by which an area without a formula is found


def binormal(deviation: float) -> Callable[..., tuple[Floats, Floats]]:
    """Return normal ratings, the positives' of another deviation."""

    def draw(rng: np.random.Generator, area: float, r: int, m: int, n: int):
        shift = special.ndtri(area) * np.hypot(1, deviation)
        return rng.normal(shift, deviation, (r, m)), rng.standard_normal((r, n))

    return draw


def exponential(sign: int) -> Callable[..., tuple[Floats, Floats]]:
    """Return exponential ratings: the positives have the long tail, or the negatives."""

    def draw(rng: np.random.Generator, area: float, r: int, m: int, n: int):
        ratio = area / (1 - area)
        if sign > 0:
            return rng.exponential(ratio, (r, m)), rng.exponential(1.0, (r, n))
        return -rng.exponential(1.0, (r, m)), -rng.exponential(ratio, (r, n))

    return draw


def beta(rng: np.random.Generator, area: float, r: int, m: int, n: int):
    """Return skewed scores between 0 and 1."""
    return rng.beta(BETA[area], 2, (r, m)), rng.beta(0.5, 8, (r, n))


def calibrated(rng: np.random.Generator, area: float, r: int, m: int, n: int):
    """Return the scores that positives and negatives have where a rare class is calibrated."""
    a, b = CALIBRATED[area]
    return rng.beta(a + 1, b, (r, m)), rng.beta(a, b + 1, (r, n))


def tied(steps: int) -> Callable[..., tuple[Floats, Floats]]:
    """Return normal ratings rounded to a few steps."""

    def draw(rng: np.random.Generator, area: float, r: int, m: int, n: int):
        shift = special.ndtri(area) * np.sqrt(2)
        edges = np.linspace(-1.0, shift + 1.0, steps - 1)
        both = rng.normal(shift, 1, (r, m)), rng.standard_normal((r, n))
        x, y = (np.searchsorted(edges, one).astype(np.float64) for one in both)
        return x, y

    return draw


def mixed(rng: np.random.Generator, area: float, r: int, m: int, n: int):
    """Return positives of which some are found for sure and the others rated like negatives."""
    sure = rng.random((r, m)) < 2 * area - 1
    return np.where(sure, 20.0, 0.0) + rng.standard_normal((r, m)), rng.standard_normal((r, n))


RATINGS: dict[str, Callable[..., tuple[Floats, Floats]]] = {
    "binormal": binormal(1.0),
    "binormal, positives' deviation 1.5": binormal(1.5),
    "binormal, positives' deviation 2": binormal(2.0),
    "binormal, positives' deviation 0.5": binormal(0.5),
    "exponential, positives' tail long": exponential(1),
    "exponential, negatives' tail long": exponential(-1),
    "beta": beta,
    "calibrated, rare class": calibrated,
    "5 tied steps": tied(5),
    "10 tied steps": tied(10),
    "some positives sure, others like negatives": mixed,
}


def true_area(draw: Callable[..., tuple[Floats, Floats]], area: float) -> float:
    """Return the area of two million ratings of either class."""
    x, y = (one[0] for one in draw(stream(0, KEY), area, 1, BIG, BIG))
    y = np.sort(y)
    return float((np.searchsorted(y, x, "left") + np.searchsorted(y, x, "right")).mean() / 2 / BIG)


def higher(x: Floats, y: Floats) -> Floats:
    """Return (r, m, n) whether a positive is rated above a negative, half where they tie."""
    a, b = x[:, :, None], y[:, None, :]
    return (a > b) + 0.5 * (a == b)


def in_steps(r: int, pairs: int) -> Iterator[slice]:
    """Yield stretches of data sets that fit into memory."""
    step = max(1, WORK // pairs)
    yield from (slice(start, start + step) for start in range(0, r, step))


def placements(x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    """Return (r,) areas and the variances of both classes' mean placements."""
    (r, m), n = x.shape, y.shape[1]
    found = [np.empty(r) for _ in range(3)]
    for part in in_steps(r, m * n):
        above = higher(x[part], y[part])
        found[0][part] = above.mean(axis=(1, 2))
        found[1][part] = above.mean(axis=2).var(axis=1, ddof=1) / m
        found[2][part] = above.mean(axis=1).var(axis=1, ddof=1) / n
    return found[0], found[1], found[2]


def held(truth: float, area: Floats, m: int, n: int, v: tuple[Floats, Floats]) -> dict[str, float]:
    """Return how often every interval holds the true area."""
    apart = np.abs(area - truth)
    reach = reach_at(truth, area, m, n, *v, level=LEVEL)
    z, error = normal_quantile(LEVEL), np.sqrt(sum(v))
    with np.errstate(divide="ignore", invalid="ignore"):
        logit = np.abs(special.logit(area) - special.logit(truth)) * area * (1 - area)
    others = {}
    for weight, ratio in MODELS:
        with patch.multiple(area_intervals, MODEL_WEIGHT=weight, MODEL_RATIO=ratio):
            others[weight, ratio] = reach_at(truth, area, m, n, *v, level=LEVEL)
    return {
        "score": float((apart <= reach).mean()),
        "below": float((truth - area > reach).mean()),
        "above": float((area - truth > reach).mean()),
        **{f"{w:g} and {r:g}": float((apart <= told).mean()) for (w, r), told in others.items()},
        "newcombe": float((apart <= reach_at(truth, area, m, n, level=LEVEL)).mean()),
        "delong": float(((apart <= z * error) & (error > 0)).mean()),
        "logit": float(((logit <= z * error) & (error > 0)).mean()),
    }


def area_lines(r: int) -> Iterator[str]:
    """Yield the coverage of the intervals of one area."""
    found: dict[tuple[str, tuple[int, int]], list[dict[str, float]]] = {}
    by_area: dict[float, list[dict[str, float]]] = {}
    for turn, (name, draw) in enumerate(RATINGS.items()):
        for area in AREAS:
            truth = true_area(draw, area)
            for m, n in SIZES:
                rng = stream(1, KEY, turn, round(100 * area), m, n)
                seen, *v = placements(*draw(rng, area, r, m, n))
                own = held(truth, seen, m, n, (v[0], v[1]))
                found.setdefault((name, (m, n)), []).append(own)
                by_area.setdefault(area, []).append(own)
    yield from ("## The area under the ROC curve", "")
    yield (
        f"Share of {r:,} data sets whose interval of level {LEVEL} holds the true area (standard "
        f"error at .95: {np.sqrt(0.95 * 0.05 / r):.3f}), lowest and highest over true areas of "
        f"about {', '.join(f'{a:g}' for a in AREAS)}. An interval that does not "
        "exist holds nothing."
    )
    yield from (
        "",
        f"| `score`, positives / negatives | {' | '.join(f'{m} / {n}' for m, n in SIZES)} |",
    )
    yield f"|---|{'---|' * len(SIZES)}"
    for name in RATINGS:
        yield f"| {name} | {' | '.join(span(found[name, size], 'score') for size in SIZES)} |"
    yield from ("", "All ratings together:", "")
    yield f"| method | {' | '.join(f'{m} / {n}' for m, n in SIZES)} |"
    yield f"|---|{'---|' * len(SIZES)}"
    for method in ("score", "newcombe", "logit", "delong"):
        cells = [span([one for name in RATINGS for one in found[name, s]], method) for s in SIZES]
        yield f"| `{method}` | {' | '.join(cells)} |"
    yield from side_lines(by_area)
    yield from model_lines([one for own in by_area.values() for one in own])


def side_lines(by_area: dict[float, list[dict[str, float]]]) -> Iterator[str]:
    """Yield on which side the score interval misses, a row a true area."""
    yield from ("", "Where `score` lies when it misses, all ratings and sizes together:", "")
    yield "| true area | held, mean | held | too low, mean | most | too high, mean | most |"
    yield "|---|---|---|---|---|---|---|"
    for area, own in by_area.items():
        below, above = ([one[side] for one in own] for side in ("below", "above"))
        cells = (
            short(float(np.mean([one["score"] for one in own]))),
            span(own, "score"),
            *(short(float(f(side))) for side in (below, above) for f in (np.mean, np.max)),
        )
        yield f"| {area:g} | {' | '.join(cells)} |"


def model_lines(own: list[dict[str, float]]) -> Iterator[str]:
    """Yield what the score interval would hold if its model counted less or more."""
    yield from ("", "`score` with other settings of its model:", "")
    yield "| weight and ratio of the model | held, mean | held | cells below .93 | above .97 | of |"
    yield "|---|---|---|---|---|---|"
    now = f"{area_intervals.MODEL_WEIGHT:g} and {area_intervals.MODEL_RATIO:.3g} (in use)"
    for told, key in ((now, "score"), *((f"{w:g} and {r:g}",) * 2 for w, r in MODELS)):
        values = np.array([one[key] for one in own])
        yield (
            f"| {told} | {short(float(values.mean()))} | {span(own, key)} | "
            f"{(values < 0.93).sum()} | {(values > 0.97).sum()} | {len(values)} |"
        )
    yield ""


def span(found: list[dict[str, float]], method: str) -> str:
    """Return the lowest and the highest of some shares."""
    values = [one[method] for one in found]
    return f"{short(min(values))} to {short(max(values))}"


def short(share: float) -> str:
    """Return three digits without the 0 before the point."""
    return f"{share:.3f}".removeprefix("0")


def precision_lines(r: int) -> Iterator[str]:
    """Yield the coverage of the interval of the average precision, and where it misses."""
    yield from ("## The average precision", "")
    yield f"The same of {r:,} data sets for the interval of the average precision."
    yield (
        "The mean is too high, as every positive counts itself. *Wilson* is the interval around "
        "it, *corrected* begins at the low end of the corrected mean."
    )
    head = ("positives / negatives", "ratings", "true value", "mean", "corrected mean")
    head += ("Wilson held", "too high", "corrected held", "too high", "too low", "mean width")
    yield from ("", f"| {' | '.join(head)} |", "|---" * len(head) + "|")
    for m, n in ((5, 95), (5, 245), (9, 191), (10, 90), (17, 183), (20, 180), (50, 450), (30, 30)):
        for name in ("binormal", "exponential, positives' tail long", "calibrated, rare class"):
            for area in (0.75, 0.9, 0.97):
                draw = RATINGS[name]
                truth = true_precision(draw, area, m / (m + n))
                x, y = draw(stream(2, KEY, m, n, round(100 * area)), area, r, m, n)
                order = np.argsort(-np.concatenate([x, y], axis=1), axis=1)
                own = order < m
                seen = (own * np.cumsum(own, axis=1) / np.arange(1, m + n + 1)).sum(axis=1) / m
                plain = np.array([wilson_interval(one, m, level=LEVEL) for one in seen])
                right = np.array([one - own_share(one, m) for one in seen])
                low = np.array([wilson_interval(one, m, level=LEVEL)[0] for one in right])
                below, was = low > truth, plain[:, 0] > truth
                above = plain[:, 1] < truth
                shares = (~(was | above), was, ~(below | above), below, above)
                yield (
                    f"| {m} / {n} | {name} | "
                    f"{truth:.3f} | {seen.mean():.3f} | {right.mean():.3f} | "
                    f"{' | '.join(short(float(one.mean())) for one in shares)} | "
                    f"{np.mean(plain[:, 1] - low):.3f} |"
                )
    yield ""


def true_precision(draw: Callable[..., tuple[Floats, Floats]], area: float, share: float) -> float:
    """Return the mean precision at the positives of a population with a share of them."""
    x, y = (np.sort(one[0]) for one in draw(stream(0, KEY), area, 1, BIG // 10, BIG // 10))
    recall = 1 - (np.arange(len(x)) + 0.5) / len(x)
    false = 1 - np.searchsorted(y, x) / len(y)
    return float((share * recall / (share * recall + (1 - share) * false)).mean())


# ---------------------------------------------------------------- two areas

PAIRS = ((5, 245), (6, 94), (8, 392), (10, 90), (10, 190), (15, 185), (30, 170), (60, 30))
EXCHANGES = 499


def two_ratings(
    kind: str,
    rng: np.random.Generator,
    r: int,
    n: int,
    areas: tuple[float, float] | None,
    rho: float,
) -> Floats:
    """Return (r, n, 2) correlated ratings of negatives, or of positives with these areas."""
    mix = np.array([[1.0, 0.0], [rho, np.sqrt(1 - rho * rho)]])
    noise = rng.standard_normal((r, n, 2)) @ mix.T
    if kind == "binormal":
        return noise if areas is None else noise + special.ndtri(areas) * np.sqrt(2)
    if kind == "exponential":
        ratio = 1.0 if areas is None else np.array([a / (1 - a) for a in areas])
        return -np.log1p(-special.ndtr(noise)) * ratio
    deviation = np.array([2.0, 0.5])  # of two models with ROC curves of other shapes
    if areas is None:
        return noise
    return noise * deviation + special.ndtri(areas) * np.hypot(1, deviation)


def rejected(
    kind: str, m: int, n: int, areas: tuple[float, float], rho: float, r: int
) -> tuple[float, float, float]:
    """Return how often DeLong's z, the same with Student's t, and the permutation test reject."""
    rng = stream(3, KEY, m, n, round(100 * rho), round(1000 * areas[0]), round(1000 * areas[1]))
    x, y = two_ratings(kind, rng, r, m, areas, rho), two_ratings(kind, rng, r, n, None, rho)
    ranks = stats.rankdata(np.concatenate([x, y], axis=1), axis=1)
    x, y = ranks[:, :m], ranks[:, m:]
    p = np.empty((3, r))
    for part in in_steps(r, 4 * m * n):
        above = [[higher(x[part, :, i], y[part, :, j]) for j in range(2)] for i in range(2)]
        own, other = above[0][0] - above[1][1], above[1][0] - above[0][1]
        difference = own.mean(axis=(1, 2))
        a, b = own.mean(axis=2).var(axis=1, ddof=1) / m, own.mean(axis=1).var(axis=1, ddof=1) / n
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(difference) / np.sqrt(a + b)
            freedom = (a + b) ** 2 / (a**2 / (m - 1) + b**2 / (n - 1))
        none = ~(a + b > 1e-24)
        p[0, part] = np.where(none, 1.0, 2 * special.ndtr(-t))
        p[1, part] = np.where(none, 1.0, 2 * special.stdtr(np.where(none, 1, freedom), -t))
        # An exchange of ranks turns the sign of what a row adds to the difference.
        adds = [(own - other).sum(axis=2), (own + other).sum(axis=1)]
        parts = np.concatenate(adds, axis=1) / (2 * m * n)
        p[2, part] = [exchanged(rng, own_parts) for own_parts in parts]
    return tuple(float((one <= 1 - LEVEL + 1e-12).mean()) for one in p)  # type: ignore[return-value]


def exchanged(rng: np.random.Generator, parts: Floats) -> float:
    """Return the p-value of random signs of the rows' parts."""
    signs = 2.0 * rng.integers(0, 2, (EXCHANGES, len(parts))) - 1
    far = np.abs(signs @ parts) >= abs(parts.sum()) - 1e-12
    return float((1 + far.sum()) / (EXCHANGES + 1))


def test_lines(r: int) -> Iterator[str]:
    """Yield size and power of the tests of two areas."""
    yield from ("## Two areas", "")
    yield (
        f"Share of {r:,} pairs of models that a test of level .05 tells apart (standard error at "
        f".05: {np.sqrt(0.05 * 0.95 / r):.3f}). Size: equally good models, ratings of correlation "
        "rho. Power: areas .9 and .65. Exchangeable: nothing tells the models apart; of other "
        "shape: the positives' deviation is 2 in one model and 0.5 in the other."
    )
    yield from (
        "",
        "| ratings | positives / negatives | rho | areas | DeLong | `delong-t` | permutation |",
        "|---|---|---|---|---|---|---|",
    )
    for kind in ("binormal", "exponential", "other shape"):
        for m, n in PAIRS:
            for rho in (0.3, 0.8):
                for areas in ((0.8, 0.8), (0.9, 0.65)):
                    cells = [short(v) for v in rejected(kind, m, n, areas, rho, r)]
                    told = " and ".join(f"{a:g}" for a in areas)
                    yield f"| {kind} | {m} / {n} | {rho:g} | {told} | {' | '.join(cells)} |"
    yield ""


# ---------------------------------------------------------------- ratios of counts

# Prevalence, true and false positive rate, rows.
TABLES = (
    (0.06, 0.7, 0.05, 100),
    (0.02, 0.6, 0.01, 250),
    (0.05, 0.9, 0.02, 200),
    (0.1, 0.8, 0.1, 100),
    (0.3, 0.8, 0.1, 60),
)
RATIOS = ("F1", "MCC", "kappa", "balanced_accuracy", "PLR")
# Classes, rows, recall of every class.
CLASSES = (
    (3, 60, 0.7),
    (5, 100, 0.7),
    (5, 500, 0.7),
    (10, 100, 0.7),
    (20, 200, 0.7),
    (20, 200, 0.9),
    (20, 500, 0.7),
)
MEANS = (("F1", "macro"), ("TPR", "macro"), ("F1", "micro"), ("MCC", "all"), ("kappa", "all"))
WAYS = ("dirichlet", "bootstrap")
WAYS_OF_MEANS = ("auto", *WAYS)


def ratio_lines(r: int) -> Iterator[str]:
    """Yield the coverage of the intervals of ratios of counts."""
    yield from ("## Ratios of counts", "")
    yield (
        f"Share of {r:,} tables whose interval of level {LEVEL} holds the true rate, and its mean "
        f"width (standard error at .95: {np.sqrt(0.95 * 0.05 / r):.3f}). A table of which the rate "
        "is undefined does not count; an interval that does not exist holds nothing."
    )
    yield from (
        "",
        "| prevalence, rows | rate | `dirichlet` | width | `bootstrap` | width |",
        "|---|---|---|---|---|---|",
    )
    for turn, (share, tpr, fpr, n) in enumerate(TABLES):
        truth = np.array([[1 - share, 0], [0, share]]) @ [[1 - fpr, fpr], [1 - tpr, tpr]]
        asked = [
            (name, "all" if name in ("MCC", "kappa", "balanced_accuracy") else "class")
            for name in RATIOS
        ]
        for name, cells in coverage_of(truth, n, asked, r, turn):
            yield f"| {share:g} of {n} | {name} | {cells} |"
    yield from ("", "Several classes, of which some are rare:", "")
    yield from (
        "| classes, rows, recall | rate | `auto` | width | `dirichlet` | width | "
        "`bootstrap` | width |",
        "|---|---|---|---|---|---|---|---|",
    )
    for turn, (k, n, recall) in enumerate(CLASSES):
        rng = stream(4, KEY, k)
        shares = rng.dirichlet(np.full(k, 2.0))
        truth = np.zeros((k, k))
        for i in range(k):
            wrong = (1 - recall) * rng.dirichlet(np.full(k - 1, 0.5))
            truth[i] = shares[i] * np.insert(wrong, i, recall)
        for name, cells in coverage_of(truth, n, MEANS, r // 2, 100 + turn, ways=WAYS_OF_MEANS):
            yield f"| {k} of {n}, {recall:g} | {name} | {cells} |"
    yield ""


def coverage_of(
    truth: Floats,
    n: int,
    asked: Iterable[tuple[str, str]],
    r: int,
    turn: int,
    ways: Sequence[str] = WAYS,
) -> Iterator[tuple[str, str]]:
    """Yield the name of every rate, and coverage and width of its intervals."""
    names = list(dict.fromkeys(name for name, _ in asked))
    given = {"undefined": "skip", "classes": ["1"] if len(truth) == 2 else ()}
    classes = [str(c) for c in range(len(truth))]

    def rates(counts: Floats, **interval: Any) -> Any:
        matrix = ConfusionMatrix.from_counts(counts, rows="actual", classes=classes)
        return matrix.rates(names, **given, **interval)

    known = rates(np.round(1e9 * truth))
    rng = stream(5, KEY, turn)
    found: dict[tuple[str, str, str], list[tuple[bool, float]]] = {}
    for number in range(r):
        counts = rng.multinomial(n, truth.ravel()).reshape(truth.shape)
        for way in ways:
            own = rates(counts, interval=way, resamples=299, rng=number)
            for name, kind in asked:
                one, true = own.entry(name, kind=kind), known.entry(name, kind=kind).value
                if not np.isnan(one.value):
                    width = one.high - one.low
                    held = one.low <= true <= one.high
                    found.setdefault((name, kind, way), []).append((held, width))
    for name, kind in asked:
        cells = []
        for way in ways:
            held, width = (np.array(column) for column in zip(*found[name, kind, way], strict=True))
            cells += [short(float(held.mean())), f"{np.nanmean(width):.3f}"]
        yield f"{name}, {kind}" if kind in ("macro", "micro") else name, " | ".join(cells)


if __name__ == "__main__":
    write_parts(
        "few_positives",
        "Few positives",
        {
            "areas": partial(area_lines, 2000),
            "precision": partial(precision_lines, 1000),
            "tests": partial(test_lines, 1000),
            "ratios": partial(ratio_lines, 600),
        },
        sys.argv[1:],
    )
