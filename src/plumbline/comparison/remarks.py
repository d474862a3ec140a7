"""Why these tests, and what the reader should know before believing a comparison."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plumbline.calibration_tests.p_values import PROMISES
from plumbline.comparison.advice import FITS, OPTIMISTIC, ROWS, TESTS, advice_on
from plumbline.comparison.compared import PairComparison
from plumbline.comparison.design import Design
from plumbline.comparison.quantities import Quantity
from plumbline.comparison.running import FEW_ROWS, MANY, Asked, draws_of
from plumbline.formatting import DISHONEST, counted, number, printable

CALIBRATION_ONLY = (
    "calibration errors do not rank models: one that always gives the share of the classes has "
    "none, and they depend on the bins; add brier-score or log-loss"
)
NOT_HONEST = "no honest comparison: measured on rows that it was fitted on: {}"
NOT_SO = "But these rows are training data, so what follows is no honest comparison."
ALONE = (
    "rows are taken for independent; where some belong together, as those of one patient do, name "
    "the column that says so with groups"
)
KEEPS_LABELS = "temperature"  # the recalibration that moves no predicted label
DRAWN = ("permutation", "bootstrap")


class Remark(NamedTuple):
    """One thing to know before believing an answer; the code stays when the words change."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Remarks:
    """What is warned of, and all remarks, those among them."""

    warnings: tuple[Remark, ...]
    others: tuple[Remark, ...]

    @property
    def all(self) -> tuple[Remark, ...]:
        """Warnings first."""
        return self.warnings + self.others


def why(design: Design, tests: Sequence[str], models: Sequence[str] = ()) -> str:
    """Return how the predictions came about, and why these tests are for that.

    >>> print(why(Design("holdout", "300 rows"), ["mcnemar"]))
    Design: holdout (300 rows): one test part, taken to be independent rows that none of the \
models was fitted on. Test: mcnemar (McNemar's exact test: who is right where the other is wrong). \
Exact; it takes the models as they are, and asks about other rows like these, which it takes for \
independent.
    """
    told = (_test(test, design) for test in dict.fromkeys(tests))
    not_so = [NOT_SO] if _trained(models) else []
    return " ".join([f"Design: {design.spoken}.", *not_so, *told])


def _trained(models: Sequence[str]) -> list[str]:
    """Return the names that say that a model was measured on its training data."""
    return [printable(name) for name in models if name.endswith(DISHONEST)]


def _test(test: str, design: Design) -> str:
    """Name a test and say why it fits; where it does not quite, a warning says that."""
    row = advice_on(test, design.name)
    return f"Test: {test} ({TESTS[test]})." + (f" {row.why}" if row.answer == FITS else "")


def remarks(
    asked: Asked,
    kinds: Sequence[str],
    tests: Sequence[str],
    *,
    made: int,
    adjust: str | None,
    after: str | None,
    told: Sequence[str],
    rows_alone: bool,
    models: Sequence[str],
    n: int,
    more: Remarks,
) -> Remarks:
    """Return what to say beside the answer: of all that was asked, and `more` of the metrics.

    `kinds` are the metrics' kinds, `made` the number of p-values, `told` what
    the maps of a recalibration `after` which models are compared say of themselves.
    """
    trained = _trained(models)
    warned = [Remark("not-honest", NOT_HONEST.format("; ".join(trained)))] if trained else []
    warned += more.warnings
    for test in dict.fromkeys(tests):
        row = advice_on(test, asked.design.name)
        if row.answer == OPTIMISTIC:
            take = f" Take {row.instead} instead." if row.instead else ""
            text = f"{test} is too optimistic here: {row.why}{take}"
            warned.append(Remark("optimistic-test", text))
    if all(kind == "error" for kind in kinds):
        warned.append(Remark("calibration-only", CALIBRATION_ONLY))
    alone = rows_alone and set(tests) & set(ROWS)
    others = [Remark("independent-rows", ALONE)] if alone else []
    others += [*more.others, *_share(asked, tests)]
    others += _draws(asked, tests, made if adjust is not None else 1, n)
    if made > 1:
        kept = PROMISES[adjust] + ("" if adjust is None else ", if each test keeps its own level")
        text = f"{counted(made, 'test')}; {kept}; intervals are not adjusted"
        others.append(Remark("several-tests", text))
    others += [Remark("recalibrated", f"{after} of {note}") for note in told]
    return Remarks(tuple(warned), tuple(others))


def _share(asked: Asked, tests: Sequence[str]) -> list[Remark]:
    """Say which share of the rows test parts were taken to hold, where the caller did not."""
    uses = {"corrected-t", "bayesian-t"} & set(tests) or asked.rope is not None
    share = asked.design.test_share
    if not uses or share is None or asked.test_share is not None or asked.over is not None:
        return []
    how = ", worked out from how often examples recur" if asked.design.worked_out else ""
    text = (
        f"test parts were taken to hold {number(share)} of the examples{how}, training parts all "
        "others; where they were others, say so with test_share"
    )
    return [Remark("test-share", text)]


def _draws(asked: Asked, tests: Sequence[str], count: int, n: int) -> list[Remark]:
    """Say where fewer resamples were taken, and where none could have shown a difference."""
    taken = [draws_of(test, asked.resamples, n) for test in DRAWN if test in tests]
    told = []
    if asked.resamples is None and "permutation" in tests and max(taken) < MANY:
        rows = counted(n, "row")
        text = f"{taken[0]:,} resamples, for there are {rows}; ask for more with resamples"
        told.append(Remark("fewer-resamples", text))
    enough = round(count / (1 - asked.level))
    if taken and min(taken) + 1 < enough:
        text = (
            f"{counted(min(taken), 'resample')} cannot show a difference in one of "
            f"{counted(count, 'test')}; draw at least {enough:,}, with resamples"
        )
        told.append(Remark("too-few-resamples", text))
    return told


def low_areas(pairs: Sequence[PairComparison], classes: Sequence[str]) -> tuple[Remark, ...]:
    """Say so where all models' areas under the ROC curve tell that ratings point the other way."""
    areas = [one for one in pairs if one.metric == "roc-auc"]
    if not areas or not all(value < 0.5 for one in areas for value in one.values):
        return ()
    target, ask = areas[0].target, ""
    if target is not None and len(classes) == 2:
        other = classes[1 - classes.index(target)]
        ask = (
            f"do high scores speak for {printable(other)!r}, not {printable(target)!r}? then name "
            f"it where the table is read (positive={printable(other)!r}), for the model called "
            "better may be the worse one"
        )
    text = f"every area is below 0.5: {ask or 'do high scores speak for other classes?'}"
    return (Remark("low-areas", text),)


def of_few_rows(pairs: Sequence[PairComparison]) -> Remarks:
    """Say which test of two areas was taken for want of rows, and warn where it was the other."""
    warned, others = [], []
    for one in pairs:
        counts = [int(one.more.get(name, FEW_ROWS)) for name in ("positives", "negatives")]
        if one.metric != "roc-auc" or min(counts) >= FEW_ROWS:
            continue
        there = f"{counted(counts[0], 'positive')} and {counted(counts[1], 'negative')}"
        if one.test == "delong":
            text = (
                f"with {there} DeLong's test calls up to 10 of 100 equal pairs different at the "
                "level 0.05; without a named test the permutation test is taken"
            )
            warned.append(Remark("few-positives-delong", text))
        elif one.test == "permutation":
            text = (
                f"with {there} areas are compared by the permutation test, for "
                "DeLong's test finds differences that are none, and with Student's t misses some"
            )
            others.append(Remark("few-positives", text))
    return Remarks(tuple(dict.fromkeys(warned)), tuple(dict.fromkeys(others)))


def about_classes(quantities: Sequence[Quantity], after: str | None) -> tuple[Remark, ...]:
    """Say which metrics are about one class, and which ones recalibration leaves as they are."""
    told = []
    for target in dict.fromkeys(one.target for one in quantities):
        if target is not None:
            names = [one.name for one in quantities if one.target == target and one.by_class]
            if not names:
                continue
            text = (
                f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} about the class "
                f"{printable(target)!r}; another is named with target"
            )
            told.append(Remark("one-class", text))
    same = [one.name for one in quantities if one.of_labels]
    if after == KEEPS_LABELS and same:
        text = (
            f"{' and '.join(same)} after {after} scaling would be the same, for it changes no "
            "predicted label; not tested again"
        )
        told.append(Remark("same-labels", text))
    return tuple(told)
