"""Sample size planning: rows needed, effect detected, and the best test."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of, open_fraction, shorten, whole_number
from plumbline._result import Detail, NextStep, Note, Presentation, Result, Table
from plumbline.calibration_errors import TESTS
from plumbline.dependence import RowGroups, group_details, group_notes, row_groups_in
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import counted, sentence
from plumbline.power.effects import Effect, effect_of, normalised, rows_at_the_limit
from plumbline.power.power_curve import Crossing, Shot, find_crossing
from plumbline.power.simulation import World
from plumbline.predictions import Predictions, coarsened, only_predictions
from plumbline.progress import Progress, share_of
from plumbline.random_streams import Seed, entropy_of, stream

DRAWN = 60  # points of the fitted line


ERROR_BAR = 1.96  # standard errors: 95 % of the time the power is within


@dataclass(frozen=True, repr=False, eq=False)
class Plan(Result):
    """How many rows detect a miscalibration, and what a given number of rows detects.

    Attributes
    ----------
    n : the given number of rows, or None
    effect : the miscalibration, as it is typed; level, power : of the test, as given
    test : the test to use; tests : the power of all simulated tests at one n, the best first,
        consistent with the fitted curve of the chosen one; `simulated` is their share of rejected
        data sets
    n_needed, n_needed_std_error : rows at which the test has the power; None with a `reason`
    power_at_n, power_at_n_std_error : the power of n rows for this effect, on the fitted curve
    detectable, detectable_std_error : the smallest effect of the kind that n rows detect with the
        power; None with a `reason`
    n_limit : about the rows a likelihood-ratio test needs; no test needs clearly fewer
    datasets, resamples : data sets for each point at most, draws of labels for the test
    curve : the simulated points: n, power, std_error, datasets
    estimates : n, power, std_error on the fitted curve at these points, at n and at n_needed
    notes : what was extrapolated; verdict : the answer in a sentence
    group_size : mean number of rows of a group; None where rows are independent
    row_groups : number of groups of the table; None where rows are independent
    fitted : n and power along the fitted line, for a picture
    """

    n: int | None
    effect: str
    level: float
    power: float
    test: str
    n_needed: int | None
    n_needed_std_error: float | None
    power_at_n: float | None
    power_at_n_std_error: float | None
    detectable: float | None
    detectable_std_error: float | None
    n_limit: int | None
    datasets: int
    resamples: int
    tests: Sequence[Mapping[str, Any]]
    curve: Sequence[Mapping[str, Any]]
    estimates: Sequence[Mapping[str, Any]]
    verdict: str
    notes: tuple[str, ...] = ()
    reason: str | None = None
    group_size: float | None = None
    row_groups: RowGroups | None = None
    fitted: Sequence[tuple[float, float]] = field(default=(), metadata={"hidden": True})

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the simulated points of the power curve."""
        return self.curve

    def ranges(self) -> list[dict[str, float]]:
        """Return "low" and "high" of the power at every simulated point, with a coverage of 95 %.

        These are 1.96 standard errors on either side, within 0 and 1.
        """
        return [
            {
                "low": max(0.0, row["power"] - ERROR_BAR * row["std_error"]),
                "high": min(1.0, row["power"] + ERROR_BAR * row["std_error"]),
            }
            for row in self.curve
        ]

    def present(self) -> Presentation:
        """Return the power, the rows needed, the smallest effect detected, and power by rows."""
        wanted = f"for power {self.power:g}"
        details = []
        if self.n_needed is not None and self.n is not None:
            text = f"{self.n_needed:,} ± {ceil(self.n_needed_std_error or 0):,}"
            details.append(Detail("n_needed", f"rows needed {wanted}", text))
        if self.group_size is not None:
            rows = self.n_needed or self.n or 0
            text = f"{self.group_size:.3g} rows each, {rows:,} rows are about "
            text += counted(round(rows / self.group_size), "group")
            details.append(Detail("group_size", "size of the groups", text))
            details += group_details(self.row_groups)
        if self.detectable is not None:
            error = self.detectable_std_error or 0.0
            text = f"{effect_of(self.effect).sized(self.detectable, error)} ± {error:.1g}"
            details.append(Detail("detectable", f"smallest effect {wanted}", text))
        if self.tests:
            details.append(Detail("test", "recommended test", _best_test(self), alone=True))
        notes = [Note(sentence(note), "extrapolated") for note in self.notes]
        notes += group_notes(self.row_groups)
        if self.reason and self.reason != NO_ROWS_GIVEN:
            notes.append(Note(sentence(self.reason), "undefined"))
        legend = ["±: standard error of the simulation."]
        if self.tests and self.test == FALLBACK:
            legend.append("The omnibus test is recommended unless another has clearly more power.")
        if self.n_limit is not None:
            limit = f"about {counted(self.n_limit, 'row')}"
            legend.append(
                f"The most powerful test, a likelihood ratio of this effect, needs {limit}."
            )
        enough = self.power_at_n is not None and self.power_at_n >= self.power
        return Presentation(
            subject=f"{words_of_test(self.test)}, {self.effect}, power {self.power:g}, "
            f"level {self.level:g}",
            summary=self.verdict,
            details=tuple(details),
            notes=tuple(notes),
            tables=(_power_table(self), *_tests_table(self.tests)),
            legend=tuple(legend),
            tone="good" if enough else "open",
            next_step=self._next(enough=enough),
        )

    def _next(self, *, enough: bool) -> NextStep | None:
        """Return the test where its power is enough, else the search for a test of more power."""
        if enough:
            return NextStep("test", "Test these rows.")
        if self.tests or self.n is None:
            return None
        usual = {"power": 0.8, "level": 0.05}
        values = {name: getattr(self, name) for name in usual if getattr(self, name) != usual[name]}
        values |= {"effect": self.effect, "statistic": "auto"}
        return NextStep("plan", "See which test has the most power.", values)


TEST_WORDS = {
    "ece": "ECE",
    "log-loss": "log loss",
    "brier-score": "Brier score",
    "spiegelhalter": "Spiegelhalter",
    "hosmer-lemeshow": "Hosmer-Lemeshow",
    "cox": "Cox",
    "kolmogorov-smirnov": "Kolmogorov-Smirnov",
    "kuiper": "Kuiper",
    "skce": "SKCE",
}


def words_of_test(name: str) -> str:
    """Return a test as people say it.

    >>> words_of_test("spiegelhalter"), words_of_test("omnibus")
    ('Spiegelhalter test', 'omnibus test')
    """
    return f"{TEST_WORDS.get(name, name)} test"


def _best_test(result: Plan) -> str:
    """Return the recommended one of several tests beside one of more power, or the omnibus.

    One of more power is not recommended where the difference is within the simulation's error.
    """
    shares = {row["test"]: f"{row['power']:.2f} ± {row['std_error']:.2f}" for row in result.tests}
    power = {row["test"]: row["power"] for row in result.tests}
    best = max(power, key=lambda name: power[name])
    more = power[best] > power[result.test]
    other = best if more or result.test == FALLBACK else FALLBACK
    if other == result.test:  # the omnibus itself is the best: beside the next one
        other = next((name for name in shares if name != result.test), other)
    return (
        f"{words_of_test(result.test)}, power {shares[result.test]} with "
        f"{result.tests[0]['n']:,} rows ({words_of_test(other)}: {shares[other]}"
        f"{', not clearly more' if more else ''})"
    )


def _power_table(result: Plan) -> Table:
    """Return the power by rows: on the fitted curve, as in the verdict, and simulated."""
    fitted = {row["n"]: row for row in result.estimates}
    simulated = {row["n"]: row for row in result.curve}
    rows = sorted({*fitted, *simulated})
    columns = {"rows": [f"{n:,}" for n in rows]}
    if fitted:
        columns["power"] = [f"{fitted[n]['power']:.3f}" for n in rows]
        columns["standard error"] = [f"{fitted[n]['std_error']:.3f}" for n in rows]
    shots = [simulated.get(n) for n in rows]
    columns["simulated"] = [f"{row['power']:.3f}" if row else "-" for row in shots]
    columns["data sets"] = [f"{row['datasets']:,}" if row else "-" for row in shots]
    return Table(columns)


def _tests_table(tests: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    """Yield the power of the tests that were compared, if there were several."""
    if not tests:
        return
    first = tests[0]
    columns = {
        "test": [str(row["test"]) for row in tests],
        "power": [f"{row['power']:.2f}" for row in tests],
        "standard error": [f"{row['std_error']:.2f}" for row in tests],
        "simulated": [f"{row['simulated']:.2f}" for row in tests],
    }
    where = f"{first['n']:,} rows, from the same {first['datasets']} data sets"
    yield Table(columns, left=("test",), title=f"Power of tests with {where}:")


def curve_rows(shots: Sequence[Shot]) -> list[dict[str, Any]]:
    """Return the simulated points by their number of rows; equal numbers are one point."""
    result: dict[int, Shot] = {}
    for shot in shots:
        n = round(shot.u**2)
        old = result.get(n, Shot(shot.u, 0, 0))
        result[n] = Shot(shot.u, old.hits + shot.hits, old.sets + shot.sets)
    return [
        {"n": n, "power": shot.share, "std_error": shot.error, "datasets": shot.sets}
        for n, shot in sorted(result.items())
    ]


def estimates(crossing: Crossing, more: Sequence[int | None]) -> list[dict[str, Any]]:
    """Return the fitted power and its standard error where something was simulated, and at more."""
    if crossing.line is None:
        return []
    rows = {round(shot.u**2) for shot in crossing.shots} | {n for n in more if n is not None}
    values = {n: crossing.line.power(sqrt(n)) for n in sorted(rows)}
    return [{"n": n, "power": power, "std_error": error} for n, (power, error) in values.items()]


def fitted_points(crossing: Crossing) -> list[tuple[float, float]]:
    """Return n and power along the fitted line, from no rows to half as many again as needed."""
    if crossing.line is None or crossing.u is None:
        return []
    far = max(crossing.u, max(shot.u for shot in crossing.shots))
    return [(u * u, crossing.line.power(u)[0]) for u in np.linspace(0.05 * far, 1.15 * far, DRAWN)]


def verdict_of_plan(result: Plan, effect: Effect, pool: Predictions) -> Plan:
    """Return the plan with its verdict."""
    with_test = f"({words_of_test(result.test)}, level {result.level:g})"
    what = f"to detect {effect.text(pool)}"
    if result.power_at_n is not None:
        power = f"{result.power_at_n:.2f} ± {result.power_at_n_std_error:.2f}"
        text = f"Power {power} {what} with {counted(result.n or 0, 'row')} {with_test}."
    elif result.n_needed is not None:
        rows = f"{result.n_needed:,} ± {ceil(result.n_needed_std_error or 0):,} rows"
        text = f"{rows} needed {what} with power {result.power:g} {with_test}."
    else:
        text = f"Number of rows {what} with power {result.power:g}: unknown {with_test}."
    return replace(result, verdict=text)


NO_ROWS_GIVEN = "no number of rows is given"

AUTO, FALLBACK = "auto", "omnibus"
STATISTICS = (AUTO, *TESTS)
MOST_ROWS = 1_000_000  # no plan is for more
WORK = 2**26  # labels that are drawn for one point of a power curve, about
FEW_CLASSES = 4  # with more, a label costs the more
FEWEST_SETS = 30  # below it a power is known to .09 at best, too little to aim by
UNCHANGED = 1e-9  # a difference of probabilities that no test can see
USUAL_SETS = 150  # a power of .8 is then known to .033 at each point; a convention
OMNIBUS_SETS = 50  # for which its labels are drawn, at most: each takes five times as long
PILOT_SETS = 100  # on which tests are compared
SLOW = ("cox", "skce")  # asked by name only: each is as slow as all others together
BETTER = 2.5  # standard errors by which a test must beat the omnibus to be recommended
TELLING = (0.4, 0.95)  # the best power at which tests are compared
MOST_PILOTS = 5  # small trials, each with another number of rows; bounds the time

# Where the streams of each step begin, and which part of the progress bar it has.
PILOT, ROWS, SIZES = 0, 1000, 3000
# Shares of the work of a usual plan; only the progress bar reads them.
PARTS = {PILOT: (0.0, 0.2), ROWS: (0.2, 0.7), SIZES: (0.7, 1.0)}


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, checked."""

    power: float
    level: float
    statistic: str
    n: int | None
    datasets: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Planning:
    """A question about an effect in a world."""

    world: World
    effect: Effect
    question: Question
    progress: Progress | None

    def sets(self, test: str, n: float) -> int:
        """Return how many data sets of n rows one point of a test's curve is worth."""
        most = int(self.work / (n * self.world.draws_a_set(test, int(n))))
        return max(FEWEST_SETS, min(self.wanted_sets(test, int(n)), most))

    def wanted_sets(self, test: str, n: int = MOST_ROWS) -> int:
        """Return how many data sets of n rows one point is worth, whatever their work."""
        usual = USUAL_SETS
        if test == FALLBACK:
            usual = min(usual, OMNIBUS_SETS * self.world.together(n))
        return usual if self.question.datasets is None else self.question.datasets

    def most_simulated(self, test: str) -> int:
        """Return the rows of the largest data sets that are drawn; beyond, lines are continued."""
        return int(2 * self._rows_of(test, FEWEST_SETS))

    def continued_from(self, test: str) -> int:
        """Return the rows of the data sets from which an effect of more rows is continued.

        Its relative standard error depends on the number of data sets alone, so all are drawn.
        """
        return min(self.most_simulated(test), int(self._rows_of(test, self.wanted_sets(test))))

    def _rows_of(self, test: str, sets: int) -> float:
        """Return the rows of so many data sets that are the work of one point, if they are many."""
        return self.work / (self.world.draws_a_set(test, MOST_ROWS) * sets)

    @property
    def work(self) -> float:
        """Labels that are drawn for one point; of many classes fewer, for each costs more."""
        return WORK / max(1.0, self.world.pool.k / FEW_CLASSES)

    def steps(self, first: int) -> Iterator[tuple[int, Progress | None]]:
        """Yield the streams' step numbers, each with a smaller rest of the step's progress."""
        start, stop = PARTS[first]
        step = first
        while True:
            middle = start + 0.2 * (stop - start)
            yield step, share_of(self.progress, start, middle)
            start, step = middle, step + 1

    def shot(
        self,
        effect: Effect,
        test: str,
        n: int,
        *,
        sets: int,
        step: int,
        progress: Progress | None,
        u: float,
    ) -> Shot:
        """Test data sets with an effect and count the rejections."""
        truth = effect.truth(self.world.pool)
        result = self.world.rejected(truth, [test], n=n, sets=sets, step=step, progress=progress)
        return Shot(u, int(result.sum()), sets)


def answer(case: Planning) -> Plan:
    """Return the whole plan."""
    params, pool = case.question, case.world.pool
    prob, truth = normalised(pool), case.effect.truth(pool)
    if np.abs(truth - prob).max() < UNCHANGED:
        raise InputError(
            f"{case.effect.text(pool)} does not change these predictions, so there is nothing to "
            "detect; choose a larger or another effect",
            code="nothing-to-detect",
            choices=[] if case.effect.kind == "shift" else [{"effect": "shift:0.05"}],
        )
    limit = rows_at_the_limit(prob, truth, pool.mass, params.power, params.level)
    test, pilot = choose_test(case, limit)
    notes: list[str] = []
    needed = rows_needed(case, test, limit, known=[] if pilot is None else pilot.shots(test))
    rows, rows_error, why = whole_rows(case, test, needed, notes)
    share, error = power_at_n(case, test, needed, notes)
    smallest, smallest_error, why_not = smallest_effect(case, test, needed, rows, notes)
    reasons = [text for text in (why, why_not) if text]
    result = Plan(
        n=params.n,
        effect=str(case.effect),
        level=params.level,
        power=params.power,
        test=test,
        n_needed=rows,
        n_needed_std_error=rows_error,
        power_at_n=share,
        power_at_n_std_error=error,
        detectable=smallest,
        detectable_std_error=smallest_error,
        n_limit=ceil(limit) if limit <= MOST_ROWS else None,
        datasets=case.wanted_sets(test),
        resamples=case.world.draws(test),
        tests=[] if pilot is None else compared(pilot, test, case, needed),
        curve=curve_rows(needed.shots),
        estimates=estimates(needed, [params.n, rows]),
        verdict="",
        notes=tuple(notes),
        reason="; ".join(dict.fromkeys(reasons)) or None,
        fitted=fitted_points(needed),
        group_size=None if case.world.groups is None else case.world.groups.size,
        row_groups=row_groups_in(pool),
    )
    return verdict_of_plan(result, case.effect, pool)


@dataclass(frozen=True, slots=True, eq=False)
class Pilot:
    """Which tests rejected data sets of n rows that all of them shared, step by step.

    Attributes
    ----------
    names : of the tests
    steps : n and (tests, sets) rejections of every step; the last one compares the tests
    """

    names: tuple[str, ...]
    steps: tuple[tuple[int, NDArray[np.bool_]], ...]

    def shots(self, test: str) -> list[Shot]:
        """Return what is known of one test."""
        row = self.names.index(test)
        return [Shot(sqrt(n), int(hits[row].sum()), hits.shape[1]) for n, hits in self.steps]


def choose_test(case: Planning, limit: float) -> tuple[str, Pilot | None]:
    """Return the test to use, and, where tests were compared, what each of them rejected."""
    question = case.question
    if question.statistic != AUTO:
        return question.statistic, None
    names = tuple(name for name in TESTS if name not in SLOW)
    truth = case.effect.truth(case.world.pool)
    most = min(case.most_simulated(name) for name in names)
    n = min(most, max(10, round(1.5 * limit) if limit < MOST_ROWS else MOST_ROWS))
    steps = case.steps(PILOT)
    tried = []
    for _ in range(MOST_PILOTS):
        affordable = int(case.work / (n * case.world.draws(FALLBACK)))
        sets = max(FEWEST_SETS, min(PILOT_SETS, affordable))
        step, progress = next(steps)
        result = case.world.rejected(truth, names, n=n, sets=sets, step=step, progress=progress)
        tried.append((n, result))
        best = result.mean(axis=1).max()
        if TELLING[0] <= best <= TELLING[1] or (best < TELLING[0] and n == most):
            break
        n = min(most, max(5, n // 2 if best > TELLING[1] else 2 * n))
    first = int(result.mean(axis=1).argmax())
    gain = result[first].astype(float) - result[names.index(FALLBACK)]
    sure = gain.mean() > BETTER * max(gain.std(), 1 / sets) / sqrt(sets)
    return (names[first] if sure else FALLBACK), Pilot(names, tuple(tried))


def compared(pilot: Pilot, test: str, case: Planning, needed: Crossing) -> list[dict[str, Any]]:
    """Return the power of every test that was compared, the best first.

    That of the chosen test is its fitted curve's. What its data sets rejected more or less often
    than the curve says is taken from the other tests as well, as far as they reject the same data
    sets (a control variate): so all powers are of one n and one curve.
    """
    n, result = pilot.steps[-1]
    hits, sets = result.astype(np.float64), result.shape[1]
    test_hits = hits[pilot.names.index(test)]
    share, own = hits.mean(axis=1), float(test_hits.mean())
    power, error = share, np.array([Shot(0.0, int(row.sum()), sets).error for row in result])
    if needed.line is not None:
        fitted, fitted_error = needed.line.power(sqrt(n))
        is_test = np.array(pilot.names) == test
        both = (hits - share[:, None]) @ (test_hits - own) / sets
        slope, alike = is_test * 1.0, is_test * 1.0
        if 0 < own < 1:
            slope = both / (own * (1 - own))
            alike = both * slope / np.maximum(share * (1 - share), 1e-300)
        power = np.clip(share + slope * (fitted - own), 0.0, 1.0)
        error = np.sqrt((1 - np.clip(alike, 0.0, 1.0)) * error**2 + (slope * fitted_error) ** 2)
    return [
        {
            "test": pilot.names[j],
            "n": n,
            "power": float(power[j]),
            "std_error": float(error[j]),
            "simulated": float(share[j]),
            "datasets": sets,
            "resamples": case.world.draws(pilot.names[j]),
        }
        for j in np.argsort(-power, kind="stable")
    ]


def rows_needed(case: Planning, test: str, limit: float, *, known: Sequence[Shot]) -> Crossing:
    """Return where, along the square root of the number of rows, the power passes the wanted.

    The n asked about is one of the places, and so are those at which tests were compared (`known`):
    one curve answers all.
    """
    params, most = case.question, case.most_simulated(test)
    steps = case.steps(ROWS)

    def shoot(u: float, sets: int) -> Shot:
        n = max(2, round(u * u))
        step, progress = next(steps)
        return case.shot(case.effect, test, n, sets=sets, step=step, progress=progress, u=sqrt(n))

    return find_crossing(
        shoot,
        start=sqrt(max(10.0, min(1.5 * limit, most))),
        most=sqrt(most),
        power=params.power,
        level=params.level,
        sets=lambda u: case.sets(test, u * u),
        also=[] if params.n is None or params.n > most else [sqrt(params.n)],
        known=known,
    )


def whole_rows(
    case: Planning, test: str, needed: Crossing, notes: list[str]
) -> tuple[int | None, float | None, str | None]:
    """Return the number of rows, its standard error, or why there is none."""
    most = case.most_simulated(test)
    if needed.u is None or needed.error is None:
        return (
            None,
            None,
            (
                f"the rows needed are unknown: the power does not rise clearly up to {most:,} "
                "simulated rows"
            ),
        )
    rows = max(2, ceil(needed.u**2))
    if rows > MOST_ROWS:
        return None, None, f"more than {MOST_ROWS:,} rows are needed"
    if rows > most:
        notes.append(f"the rows needed are extrapolated from at most {most:,} simulated rows")
    return rows, 2 * needed.u * needed.error, None


def power_at_n(
    case: Planning, test: str, needed: Crossing, notes: list[str]
) -> tuple[float | None, float | None]:
    """Return the power of the n rows asked about on the fitted curve, and its standard error.

    Where nothing rose there is no curve, and the share of the simulated data sets stands.
    """
    n, most = case.question.n, case.most_simulated(test)
    if n is None:
        return None, None
    if needed.line is not None:
        if n > most:
            notes.append(f"the power is extrapolated from at most {most:,} simulated rows")
        return needed.line.power(sqrt(n))
    at_n = [row for row in curve_rows(needed.shots) if row["n"] == n]
    return (at_n[0]["power"], at_n[0]["std_error"]) if at_n else (None, None)


def smallest_effect(
    case: Planning, test: str, needed: Crossing, rows: int | None, notes: list[str]
) -> tuple[float | None, float | None, str | None]:
    """Return the smallest size that n rows detect, its standard error, or why there is none.

    For more rows than are simulated, the distance from calibration shrinks by sqrt(n), as it does
    for all statistics that are sums over rows once it is small.
    """
    params, effect = case.question, case.effect
    if params.n is None:
        return (
            None,
            None,
            NO_ROWS_GIVEN,
        )
    n = params.n if params.n <= case.most_simulated(test) else case.continued_from(test)
    most = effect.most_x(case.world.pool)
    start = most / 10 if rows is None else effect.x * sqrt(rows / n)
    known = [replace(shot, u=effect.x) for shot in needed.shots if round(shot.u**2) == n]
    steps = case.steps(SIZES)

    def shoot(u: float, sets: int) -> Shot:
        step, progress = next(steps)
        return case.shot(effect.at(u), test, n, sets=sets, step=step, progress=progress, u=u)

    result = find_crossing(
        shoot,
        start=start,
        most=most,
        power=params.power,
        level=params.level,
        sets=lambda _: case.sets(test, n),
        known=known,
    )
    if result.u is None or result.error is None or result.u > most:
        return (
            None,
            None,
            (
                f"{n:,} rows do not detect even {effect.sized(effect.at(most).size)} with power "
                f"{params.power:g}"
            ),
        )
    shrink = sqrt(n / params.n)
    if shrink < 1:
        notes.append(
            f"the smallest effect is extrapolated from {n:,} simulated rows (proportional to 1 / "
            "sqrt(rows))"
        )
    low, x, high = ((result.u + d * result.error) * shrink for d in (-0.5, 0.0, 0.5))
    error = abs(effect.at(high).size - effect.at(max(low, 0.0)).size)
    return effect.at(x).size, error, None


POOL = 50_000  # rows of a Dirichlet distribution that stand for it
POOL_STREAM = 2**31


def plan(
    data: Predictions | None = None,
    effect: str | Effect = "overconfident:1.2",
    *,
    power: float = 0.8,
    level: float = 0.05,
    statistic: str = "omnibus",
    n: int | None = None,
    classes: int | None = None,
    dirichlet: float | Sequence[float] | None = None,
    datasets: int | None = None,
    resamples: int | None = None,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Plan:
    """Say how many rows a calibration test needs to detect a miscalibration.

    Future data sets are simulated: predictions are drawn with replacement from the rows of `data`
    (labels are not used) or from a Dirichlet distribution, labels from the class probabilities that
    the `effect` implies, and the test is run on each.

    The result holds `n_needed` for the wanted `power`, `power_at_n` of the `n` given rows,
    `detectable`, the smallest effect of the kind that n rows detect with that power, and the
    `test`. The power is fitted as Phi(a + b sqrt(n)) through all simulated n, with a square where
    they bend (probit regression); all powers and their standard errors come from this curve.

    Parameters
    ----------
    data : Predictions, optional
        The predictions of one model, with probabilities.
    effect : str or Effect, default "overconfident:1.2"
        With T a temperature, d a difference of probability and e a share:

        - "overconfident:T" (T > 1), "underconfident:T" (T < 1): the truth is softmax(log p / T)
        - "shift:d", "shift:d:CLASS": the truth is P(class) + d, the others in proportion
        - "random-labels:e": the truth is (1 - e) p + e / k
        - "ece:e": overconfidence of the temperature at which the true ECE is e
    power : float, default 0.8
        The wanted power, above the level.
    level : float, default 0.05
        The test rejects where its p-value is at most that.
    statistic : str, default "omnibus"
        A test of `calibration_test`; with "auto" the quick tests are first compared on shared data
        sets; the omnibus is recommended unless another is clearly more powerful.
    n : int, optional
        Number of rows to judge; by default those of the data.
    classes : int, optional
        Number of classes where there is no data.
    dirichlet : float or sequence of float, optional
        Alpha of the Dirichlet distribution, one number or one per class, where there is no data;
        small for confident predictions.
    datasets : int, optional
        For each point of the curve, at most: by default 150, for the omnibus 50 of fewer than 200
        rows or in groups.
    resamples : int, optional
        Draws of labels of every test: by default 999 for the omnibus, as in `calibration_test`,
        because its power depends on them, and 10 / level - 1 for other tests.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    Plan
        The sample size needed, the power of the given rows, and the power curve.

    Raises
    ------
    ParameterError
        For an unknown effect or test.
    InputError
        For data without probabilities or an effect they cannot have.

    References
    ----------
    Bliss (1934), "The method of probits".

    Examples
    --------
    >>> quick = {"statistic": "brier-score", "datasets": 50, "resamples": 39}
    >>> result = plan(effect="random-labels:0.3", classes=2, dirichlet=0.2, **quick)
    >>> result.n_needed < 100
    True
    """
    wanted = effect_of(effect)
    entropy = entropy_of(rng)
    pool = _pool(data, classes, dirichlet, entropy)
    rows = data.total if n is None and data is not None else n
    question = _question(power, level, statistic, n=rows, datasets=datasets)
    world = World(pool, question.level, _resamples(resamples, question.level), entropy, workers)
    return answer(Planning(world, wanted, question, progress))


def _question(power: Any, level: Any, statistic: str, *, n: Any, datasets: Any) -> Question:
    """Check the arguments that are numbers or names."""
    level = open_fraction("level", level)
    power = open_fraction("power", power)
    if power <= level:
        raise ParameterError(
            argument="power",
            rule=f"above the level {level:g}, the share rejected without any effect",
            arrived=f"{power:g}",
            code="out-of-range",
        )
    return Question(
        power,
        level,
        one_of("statistic", statistic, STATISTICS),
        None if n is None else whole_number("n", n, least=2),
        None if datasets is None else whole_number("datasets", datasets, least=FEWEST_SETS),
    )


def _resamples(resamples: Any, level: float) -> int | None:
    """Return the number of draws, if one is given: fewer than the least, two tails never reject."""
    if resamples is None:
        return None
    return whole_number("resamples", resamples, least=ceil(2 / level) - 1)


def _pool(data: Predictions | None, classes: Any, dirichlet: Any, entropy: int) -> Predictions:
    """Return the rows whose predictions are drawn: the data's own, or of a Dirichlet.

    The probabilities of a large counted table are merged.
    """
    if data is not None:
        if classes is not None or dirichlet is not None:
            raise ParameterError(
                "`classes` and `dirichlet` replace a table of predictions; leave them out, or "
                "leave the table out",
                code="argument-beside-another",
            )
        only_predictions(data).need_one_model("a plan")
        prob = data.need_prob("a plan")
        if data.counted:
            return coarsened(data)  # rows are drawn by their counts, as by weights
        if data.groups is not None and data.weight is not None:
            raise InputError(
                "a plan takes rows in groups without weights: groups are drawn whole, each as "
                "likely as any other",
                code="weights-not-possible",
                remedy="leave the weights out",
            )
        return Predictions(
            *(data.classes, data.actual, prob),
            weight=data.weight,
            positive=data.positive,
            groups=data.groups,
        )
    alpha = _alpha(classes, dirichlet)
    prob = stream(entropy, POOL_STREAM).dirichlet(alpha, POOL)
    names = list(range(len(alpha)))
    return Predictions.from_arrays(np.zeros(POOL, int), prob, classes=names)


def _alpha(classes: Any, dirichlet: Any) -> list[float]:
    """Return one positive number a class."""
    if classes is None and (dirichlet is None or np.ndim(dirichlet) == 0):
        raise ParameterError(
            "without a table of predictions a plan needs `classes` (their number) and "
            "`dirichlet`, such as 0.5: small for confident predictions, 1 for uniform ones",
            code="predictions-missing",
        )
    given = np.atleast_1d(np.asarray(0.5 if dirichlet is None else dirichlet, np.float64))
    k = len(given) if classes is None else whole_number("classes", classes, least=2)
    alpha = np.repeat(given, k) if len(given) == 1 else given
    if len(alpha) != k or k < 2 or not np.all((alpha > 0) & (alpha < np.inf)):
        raise ParameterError(
            argument="dirichlet",
            rule=f"one positive number, or one for each of the {k} classes",
            arrived=shorten(dirichlet),
            code="wrong-kind",
        )
    return [float(a) for a in alpha]
