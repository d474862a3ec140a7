"""Why these tests, and what the reader should know before believing a comparison."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.comparison.advice import FITS, OPTIMISTIC, ROWS, TESTS, advice_on
from plumbline.comparison.design import Design
from plumbline.comparison.running import Asked
from plumbline.significance.families import PROMISES
from plumbline.words import RESUBSTITUTED, counted, number, printable

CALIBRATION_ONLY = (
    "calibration errors do not rank models: one that always gives the share of the classes has "
    "none, and they depend on the bins; add brier-score or log-loss"
)
NOT_HONEST = "no honest comparison: measured on rows that it was fitted on: {}"
ALONE = (
    "rows are taken for independent; where some belong together, as those of one patient do, name "
    "the column that says so with groups"
)
DRAWN = ("permutation", "bootstrap")


@dataclass(frozen=True, slots=True)
class Remarks:
    """What is warned of, and all remarks, those among them."""

    warnings: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """Warnings first."""
        return self.warnings + self.others


def why(design: Design, tests: Sequence[str]) -> str:
    """Return how the predictions came about, and why these tests are for that.

    >>> print(why(Design("holdout", "300 rows"), ["mcnemar"]))
    Design: holdout (300 rows): one test part, taken to be independent rows that none of the \
models was fitted on. Test: mcnemar (McNemar's exact test: who is right where the other is wrong). \
Exact; it takes the models as they are, and asks about other rows like these, which it takes for \
independent.
    """
    told = (_test(test, design) for test in dict.fromkeys(tests))
    return " ".join([f"Design: {design.spoken}.", *told])


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
    reasons: Sequence[str],
    rows_alone: bool,
    models: Sequence[str],
) -> Remarks:
    """Return what to say beside the answer; `kinds` are the metrics' kinds, `made` the p-values."""
    trained = [printable(name) for name in models if name.endswith(RESUBSTITUTED)]
    warned = [NOT_HONEST.format("; ".join(trained))] if trained else []
    for test in dict.fromkeys(tests):
        row = advice_on(test, asked.design.name)
        if row.answer == OPTIMISTIC:
            take = f" Take {row.instead} instead." if row.instead else ""
            warned.append(f"{test} is too optimistic here: {row.why}{take}")
    if all(kind == "error" for kind in kinds):
        warned.append(CALIBRATION_ONLY)
    others = [ALONE] if rows_alone and set(tests) & set(ROWS) else []
    others += [*_share(asked, tests), *_draws(asked, tests, made if adjust is not None else 1)]
    if made > 1:
        told = PROMISES[adjust] + ("" if adjust is None else ", if each test keeps its own level")
        others.append(f"{counted(made, 'test')}; {told}; intervals are not adjusted")
    others += [f"temperature of {reason}" for reason in reasons]
    return Remarks(tuple(warned), tuple(others))


def _share(asked: Asked, tests: Sequence[str]) -> list[str]:
    """Say which share of the rows test parts were taken to hold, where the caller did not."""
    uses = {"corrected-t", "bayesian-t"} & set(tests) or asked.rope is not None
    share = asked.design.test_share
    if not uses or share is None or asked.test_share is not None or asked.over is not None:
        return []
    how = ", worked out from how often examples recur" if asked.design.worked_out else ""
    return [
        f"test parts were taken to hold {number(share)} of the examples{how}, training parts all "
        "others; where they were others, say so with test_share"
    ]


def _draws(asked: Asked, tests: Sequence[str], count: int) -> list[str]:
    """Say so where no draw could have shown a difference among so many tests."""
    enough = round(count / (1 - asked.level))
    if not set(tests) & set(DRAWN) or asked.resamples + 1 >= enough:
        return []
    return [
        f"{counted(asked.resamples, 'resample')} cannot show a difference in one of "
        f"{counted(count, 'test')}; draw at least {enough:,}"
    ]
