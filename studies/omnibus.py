"""The omnibus test: size, power, the limits of any test, and how often its direction is right.

python studies/omnibus.py [size] [power] [faults] [words] [reach] [cost]

Without a word all parts run, about a quarter of an hour on one core. Every part writes its
section of studies/results/omnibus.md.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
from known_faults import CASES, Case, limit_rejections
from numpy.typing import NDArray
from scipy.stats import norm

import plumbline as pb
from plumbline.calibration import (
    SameLabels,
    Statistic,
    binned_statistic,
    define_error,
    point_statistic,
)
from plumbline.calibration.hosmer_lemeshow import standardised
from plumbline.calibration_tests.omnibus import ranks, strongest
from plumbline.nulls import observed, resampled
from plumbline.power import tempered
from plumbline.random_streams import stream
from plumbline.synthetic.experiments import draw

RESULTS = Path(__file__).parent / "results"
LEVEL, DRAWS = 0.05, 999
SIZE_SETS, SIZE_DRAWS = 1000, 199
POWER_SETS, FAULT_SETS = 1000, 200
SIZES = (
    (20, 2, 0.1),
    (50, 2, 1.0),
    (1000, 2, 1.0),
    (100, 3, 1.0),
    (100, 5, 0.1),
    (100, 10, 10.0),
    (200, 10, 1.0),
    (500, 20, 0.3),
    (500, 20, 10.0),
)
EXPERIMENTS = ("1", "2", "3", "4", "5", "6", "9")
Floats = NDArray[np.float64]
Right = Callable[[str, str | None, str | None], bool]


# The omnibus of the first version: eight statistics, their weights, the share of the level that
# looks to large values.
OLD = (
    ("log-loss", None, None, 1.0, 0.75),
    ("brier-score", None, None, 2.5, 0.7),
    ("chi-square", None, None, 2.0, 0.95),
    ("ece", "top-label", "equal-width:10", 0.25, 1.0),
    ("hosmer-lemeshow", "top-label", "equal-width:5", 0.25, 1.0),
    ("hosmer-lemeshow", "classwise", "equal-size:10", 0.25, 1.0),
    ("hosmer-lemeshow", "classwise", "equal-width:5", 0.25, 1.0),
    ("hosmer-lemeshow", "classwise", "equal-width:1", 0.25, 1.0),
)


def old_statistic(data: pb.Predictions, name: str, view: str | None, bins: str | None) -> Statistic:
    """Return a part of the old omnibus."""
    if view is None or bins is None:
        return point_statistic(data, name)
    if view == "classwise":
        return standardised(data, binned_statistic(data, define_error(data, view, bins)))
    seen = binned_statistic(data, define_error(data, view, bins))
    return through_lens(data, data.most_likely, seen if name == "ece" else standardised(data, seen))


def through_lens(data: pb.Predictions, column: NDArray[np.int64], seen: Statistic) -> Statistic:
    """Return a binned statistic of a binary view as a function of the labels of all classes.

    `column` is the class of every row that the view asks about: the most likely one for the top
    label.
    """
    cells = seen.cells
    if cells is None:
        raise TypeError("only a binned statistic is carried over to all classes")
    number = np.repeat(cells.number[:, :1], data.k, axis=1)
    np.put_along_axis(number, column[:, None], cells.number[:, 1:], axis=1)
    prob = data.need_prob("a test of all classes")
    return Statistic(
        prob, data.actual, data.weight, replace(cells, number=number), None, groups=None
    )


def old_p_value(data: pb.Predictions, seed: int) -> float:
    """Return the p-value of the old omnibus."""
    several = SameLabels(tuple(old_statistic(data, *part[:3]) for part in OLD))
    values = np.column_stack([observed(several), resampled(several, DRAWS, seed, workers=1)])
    upper, lower = (np.stack([ranks(side * row) for row in values]) for side in (1.0, -1.0))
    weight, split = (np.array([part[i] for part in OLD])[:, None] for i in (3, 4))
    with np.errstate(divide="ignore"):
        p = np.minimum(np.minimum(upper / split, lower / (1.0 - split)), 1.0)
    speaks = np.minimum(upper, lower).min(axis=1) < 1.0
    return float(ranks((weight / p)[speaks].sum(axis=0))[0])


def table_of(prob: Floats, labels: NDArray[np.int32]) -> pb.Predictions:
    """Return one data set as a prediction table."""
    return pb.Predictions.from_arrays(labels, prob, classes=range(prob.shape[1]))


def error(share: float, sets: int) -> float:
    """Return the standard error of a share."""
    return sqrt(max(share * (1 - share), 1e-12) / sets)


# Size -----------------------------------------------------------------------------------------


def size_lines() -> Iterator[str]:
    """Yield the share of data sets with calibrated probabilities that are rejected."""
    yield "## Size"
    yield ""
    yield (
        f"Calibrated probabilities ~ Dirichlet(alpha), {SIZE_SETS:,} data sets each, {SIZE_DRAWS} "
        f"resamples: share rejected at {LEVEL} (standard error {error(LEVEL, SIZE_SETS):.4f})."
    )
    yield from ("", "| n | k | alpha | size |", "|---|---|---|---|")
    for n, k, alpha in SIZES:
        source = stream(0, n, k, int(10 * alpha))
        rejected = 0
        for seed in range(SIZE_SETS):
            prob = source.dirichlet(np.full(k, alpha), n)
            found = pb.calibration_test(
                table_of(prob, draw(prob, source)), resamples=SIZE_DRAWS, rng=seed, workers=1
            )
            rejected += found.p_value <= LEVEL
        yield f"| {n:,} | {k} | {alpha:g} | {rejected / SIZE_SETS:.3f} |"


# Power ----------------------------------------------------------------------------------------


def power_lines() -> Iterator[str]:
    """Yield the power on the experiments of the thesis."""
    yield "## Power on the experiments"
    yield ""
    yield (
        f"100 points, {POWER_SETS:,} data sets, {DRAWS} resamples, level {LEVEL}. Limit: the "
        "likelihood ratio that knows the fault, on the same data sets."
    )
    yield ""
    yield "| experiment | limit | before | now | standard error |"
    yield "|---|---|---|---|---|"
    for name in EXPERIMENTS:
        case, number = CASES[name], int(name)
        prob, labels = case.draws(100, POWER_SETS, stream(1, number))
        truth = case.truth(prob)
        limit = limit_rejections((prob, labels), truth, DRAWS, LEVEL, stream(4, number))
        before = now = 0
        for seed, (p, y) in enumerate(zip(prob, labels, strict=True)):
            data = table_of(p, y)
            before += old_p_value(data, seed) <= LEVEL
            now += pb.calibration_test(data, resamples=DRAWS, rng=seed, workers=1).p_value <= LEVEL
        shares = [count / POWER_SETS for count in (int(limit), before, now)]
        shown = " | ".join(f"{share:.3f}" for share in shares)
        yield f"| {name} | {shown} | {error(shares[-1], POWER_SETS):.3f} |"


def _direction(*wanted: str) -> Right:
    return lambda _, __, direction: direction in wanted


def _of_class(name: str, direction: str) -> Right:
    return lambda _, member, found: (
        bool(member) and str(member).split()[0] == name and (found == direction)
    )


def _range(low: float, high: float, direction: str) -> Right:
    def right(family: str, member: str | None, found: str | None) -> bool:
        if family != "range of scores" or member is None or found != direction:
            return False
        start, end = float(member.split()[-3]), float(member.split()[-1])
        return min(end, high) - max(start, low) > 0.5 * (min(end - start, high - low))

    return right


def _tempered(name: str, spoken: str, points: int, k: int, temperature: float) -> Case:
    def draws(n: int, sets: int, source: np.random.Generator) -> tuple[Floats, NDArray[np.int32]]:
        prob = source.dirichlet(np.ones(k), size=(sets, n))
        return prob, draw(truth(prob), source)

    def truth(prob: Floats) -> Floats:
        return tempered(prob.reshape(-1, k), temperature).reshape(prob.shape)

    return Case(name, spoken, points, draws, truth)


MORE = (
    _tempered("temperature 1.3", "2 classes: the truth is at temperature 1.3", 400, 2, 1.3),
    _tempered("temperature 0.8", "3 classes: the truth is at temperature 0.8", 400, 3, 0.8),
)
# What is right to say of a fault where one family fits it: family, member, direction.
RIGHT: dict[str, Right | None] = {
    "class share": _of_class("0", "too low"),
    "one of ten": _of_class("0", "too low"),
    "one of twenty": _of_class("0", "too high"),
    "shift": _of_class("1", "too low"),
    "range": _range(0.6, 0.75, "too high"),
    "sure positives": None,
    "pair": None,
    "where likely": None,
    "temperature 1.3": _direction("too extreme", "top class too high"),
    "temperature 0.8": _direction("not extreme enough"),
    "underconfident": _direction("not extreme enough"),
    "overconfident": _direction("too extreme"),
    "rare and bad": _direction("too extreme"),
    "wave": None,
}


def fault_lines() -> Iterator[str]:
    """Yield the power on the faults, beside the old omnibus and the limit."""
    yield "## Faults"
    yield ""
    yield (
        f"{FAULT_SETS} data sets each, {DRAWS} resamples, level {LEVEL}; all columns share their "
        "data sets, standard error at most 0.035. Limit: the likelihood ratio that knows the "
        "fault. Right: the strongest family names the fault's class or range and its direction, "
        "among the rejections; a dash where no family fits."
    )
    yield ""
    yield "| fault | n | limit | before | now | best family | right |"
    yield "|---|---|---|---|---|---|---|"
    places = {case.name: case for case in (*CASES.values(), *MORE)}
    for number, (name, right) in enumerate(RIGHT.items()):
        yield fault_line(places[name], right, number)


def fault_line(case: Case, right: Right | None, number: int) -> str:
    """Return the row of one fault."""
    data = case.draws(case.points, FAULT_SETS, stream(2, number))
    limit = limit_rejections(data, case.truth(data[0]), DRAWS, LEVEL, stream(3, number))
    before, now, named = 0, 0, 0
    single: dict[str, int] = {}
    for seed, (p, y) in enumerate(zip(*data, strict=True)):
        table = table_of(p, y)
        before += old_p_value(table, seed) <= LEVEL
        found = pb.calibration_test(table, resamples=DRAWS, rng=seed, workers=1)
        for part in found.parts:
            single[part["name"]] = single.get(part["name"], 0) + (part["p_value"] <= LEVEL)
        if found.p_value <= LEVEL:
            now += 1
            best = strongest(found.parts)
            named += right is not None and right(best["name"], best["member"], best["direction"])
    share = "-" if right is None else f"{named} of {now}"
    best_name = max(single, key=lambda name: single[name])
    cells = [x / FAULT_SETS for x in (int(limit), before, now)]
    shown = " | ".join(f"{x:.3f}" for x in cells)
    return (
        f"| {case.spoken} | {case.points:,} | {shown} | {single[best_name] / FAULT_SETS:.2f} "
        f"({best_name}) | {share} |"
    )


# Words of the verdict --------------------------------------------------------------------------

WORD_SETS, WORD_DRAWS = 100, 199
# What the verdict may say, any of these; the last three have no shape that fits throughout.
SAID = {
    "class share": ("'0' predicted too rarely",),
    "one of ten": ("'0' predicted too rarely",),
    "one of twenty": ("'0' predicted too often",),
    "shift": ("probability of '1' too low",),
    "temperature 1.3": ("overconfident",),
    "temperature 0.8": ("underconfident",),
    "underconfident": ("underconfident",),
    "overconfident": ("overconfident",),
    "rare and bad": ("overconfident",),
    "range": ("probability of '1' too high",),
    "pair": ("'1' predicted too rarely", "'2' predicted too often"),
    "where likely": ("'0' predicted too rarely",),
}


def word_lines() -> Iterator[str]:
    """Yield how often the verdict's words, those of the fitted shapes, are right."""
    yield "## Words of the verdict"
    yield ""
    yield (
        f"{WORD_SETS} data sets each, {WORD_DRAWS} resamples, level {LEVEL}: of the rejections, "
        "those whose verdict names the direction of the fault alone, as one of two, a wrong one "
        "alone, or neither."
    )
    head = ("fault", "the direction", "rejected", "right", "one of two", "wrong", "other")
    yield from ("", f"| {' | '.join(head)} |", "|---" * len(head) + "|")
    places = {case.name: case for case in (*CASES.values(), *MORE)}
    for number, (name, words) in enumerate(SAID.items()):
        case = places[name]
        rejected = right = either = wrong = 0
        pairs = zip(*case.draws(case.points, WORD_SETS, stream(9, number)), strict=True)
        for seed, (p, y) in enumerate(pairs):
            found = pb.calibration_test(table_of(p, y), resamples=WORD_DRAWS, rng=seed, workers=1)
            if found.fault is None:
                continue
            rejected += 1
            hit = any(one in found.fault for one in words)
            two = ", or " in found.fault
            right += hit and not two
            either += hit and two
            wrong += not hit and not two and found.shape != "other"
        yield (
            f"| {case.spoken} | {' or '.join(words)} | {rejected} | {right} | {either} | {wrong} | "
            f"{rejected - right - either - wrong} |"
        )


# What not knowing the direction costs ---------------------------------------------------------

DIRECTIONS, LIMITS = (1, 2, 4, 8, 16, 40), (0.8, 0.9, 0.99)
NORMAL_SETS = 100_000


def reach_lines() -> Iterator[str]:
    """Yield the power of the best test of a fault in one of K directions, of unknown sign."""
    yield "## What not knowing the direction costs"
    yield ""
    yield (
        "The power of the Bayes test of a fault in one of K orthogonal directions, of unknown "
        "sign, where the test that knows both has the power in the first column (level 0.05, "
        f"normal statistics, {NORMAL_SETS:,} draws, standard error at most 0.002)."
    )
    yield ""
    yield f"| limit | {' | '.join(f'K = {k}' for k in DIRECTIONS)} |"
    yield "|---" * (1 + len(DIRECTIONS)) + "|"
    for limit in LIMITS:
        far = norm.ppf(1 - LEVEL) + norm.ppf(limit)
        cells = [f"{_mixture_power(far, k, stream(4, k)):.2f}" for k in DIRECTIONS]
        yield f"| {limit:.2f} | {' | '.join(cells)} |"


def _mixture_power(far: float, k: int, source: np.random.Generator) -> float:
    null = source.normal(size=(NORMAL_SETS, k))
    fault = source.normal(size=(NORMAL_SETS, k))
    fault[:, 0] += far
    mixture = [np.cosh(far * z).mean(axis=1) for z in (null, fault)]
    return float(np.mean(mixture[1] >= np.quantile(mixture[0], 1 - LEVEL)))


# Cost -----------------------------------------------------------------------------------------


def cost_lines() -> Iterator[str]:
    """Yield the processor time of the old and the new omnibus."""
    yield "## Cost"
    yield ""
    yield f"{DRAWS} resamples, one thread, processor seconds, the best of 3, in one process."
    yield from ("", "| n | k | before | now | ratio |", "|---|---|---|---|---|")
    for n, k in ((1000, 2), (1000, 10), (500, 20), (100_000, 2), (1_000_000, 2)):
        source = stream(5, n, k)
        prob = source.dirichlet(np.ones(k), n)
        data = table_of(prob, draw(prob, source))
        before = _seconds(lambda data=data: old_p_value(data, 0))
        now = _seconds(lambda data=data: pb.calibration_test(data, resamples=DRAWS, workers=1))
        yield f"| {n:,} | {k} | {before:.3f} | {now:.3f} | {now / before:.2f} |"


def _seconds(task: Callable[[], object]) -> float:
    task()
    found = []
    for _ in range(3):
        start = time.process_time()
        task()
        found.append(time.process_time() - start)
    return min(found)


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "size": size_lines,
    "power": power_lines,
    "faults": fault_lines,
    "words": word_lines,
    "reach": reach_lines,
    "cost": cost_lines,
}


def main(chosen: Sequence[str]) -> None:
    """Run the parts and replace their sections."""
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / "omnibus.md"
    kept: dict[str, str] = {}
    text = file.read_text("utf-8") if file.exists() else ""
    for name in PARTS:
        start, stop = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        if start in text and stop in text:
            kept[name] = text.partition(start)[2].partition(stop)[0]
    for name in chosen or PARTS:
        lines = []
        for line in PARTS[name]():
            print(line, flush=True)
            lines.append(line)
        kept[name] = "\n".join(lines) + "\n"
        sections = [f"<!-- {n} -->\n{kept[n]}<!-- end of {n} -->\n" for n in PARTS if n in kept]
        head = "# The omnibus test\n\nBy `python studies/omnibus.py`, a section a part.\n"
        file.write_text("\n".join([head, *sections]), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
