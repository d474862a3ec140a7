"""Which test fits which design, and why: one table for `compare`, its messages and the docs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline._checks import nearest, shorten
from plumbline._result import Presentation, Result, Table
from plumbline.errors import ParameterError
from plumbline.formatting import quoted

HOLDOUT = "holdout"
FOLDS = "cross-validation"
LEAVE_ONE_OUT = "leave-one-out"
REPEATED = "repeated cross-validation"
FIVE_BY_TWO = "5x2 cross-validation"
SPLITS = "repeated splits"
DATA_SETS = "data sets"

DESIGNS = {
    HOLDOUT: "one test part, taken to be independent rows that none of the models was fitted on",
    FOLDS: "each example was predicted once, by models taken to be fitted on all other folds",
    LEAVE_ONE_OUT: "each example was predicted once, by models taken to be fitted on all others",
    REPEATED: "cross-validation several times, each time with other folds",
    FIVE_BY_TWO: "2-fold cross-validation, five times",
    SPLITS: "repeated holdout or bootstrap: parts drawn anew each time, some examples in several",
    DATA_SETS: "several data sets, each with a value of its own for every model",
}

FITS, OPTIMISTIC, REFUSED = "fits", "too optimistic", "refused"

ROWS = ("mcnemar", "delong-t", "delong", "permutation", "bootstrap")
ON_FOLDS = ("paired-t", "corrected-t", "5x2-t", "5x2-f", "bayesian-t")
ON_SETS = ("wilcoxon", "friedman")

TESTS = {
    "mcnemar": "McNemar's exact test: who is right where the other is wrong",
    "delong-t": "DeLong's test of two areas under the ROC curve, with Student's t",
    "delong": "DeLong's test of two areas under the ROC curve, as pROC has it",
    "permutation": "paired permutation test, with a bootstrap interval",
    "bootstrap": "paired bootstrap of the examples",
    "paired-t": "paired t-test of the folds' differences",
    "corrected-t": "corrected resampled t-test (Nadeau and Bengio)",
    "5x2-t": "5x2cv t-test (Dietterich)",
    "5x2-f": "combined 5x2cv F-test (Alpaydin)",
    "bayesian-t": "Bayesian correlated t-test (Corani and Benavoli)",
    "wilcoxon": "Wilcoxon signed-rank test",
    "friedman": "Friedman's test with Nemenyi's critical difference",
}


@dataclass(frozen=True, slots=True)
class Advice:
    """What is said of tests under designs.

    Attributes
    ----------
    tests, designs : names, of which every combination gets this answer
    answer : "fits", "too optimistic" (done, with a warning) or "refused"
    why : one sentence
    instead : the test to take instead; empty where it fits, and where the design has no better one
    """

    tests: tuple[str, ...]
    designs: tuple[str, ...]
    answer: str
    why: str
    instead: str = ""


CROSSED = (FOLDS, REPEATED, FIVE_BY_TWO, SPLITS)
NEARLY_ALL = (
    "Rows whose models shared all other rows are not independent, so p-values are too small (Bates "
    "et al. 2024); predict by 10-fold cross-validation instead, which corrected-t is for."
)
POOLED = (
    "Models fitted on other folds would differ, which a test on the rows leaves out, so its "
    "p-values are too small for a claim about the learning methods."
)
NO_POPULATION = (
    "Rows of different data sets are no sample of one population; the data sets are what is "
    "sampled."
)
NOT_ONE_SPLIT = (
    "One test part gives one value of each model, and one difference has no spread over folds."
)
NOT_FIVE_BY_TWO = (
    "Its formula is for five repeats of two folds only, such as plumbline estimate --scheme "
    "repeated-stratified:5x2 writes."
)
ONE_ROW_FOLDS = "A fold of one row has no value of its own to take a difference of."

ADVICE = (
    Advice(
        ("mcnemar",),
        (HOLDOUT,),
        FITS,
        "Exact; it takes the models as they are, and "
        "asks about other rows like these, which it takes for independent.",
    ),
    Advice(("mcnemar",), (FOLDS,), OPTIMISTIC, POOLED, "corrected-t"),
    Advice(
        ("mcnemar",),
        (REPEATED, FIVE_BY_TWO, SPLITS),
        REFUSED,
        "It counts each example once, and here an example has several predictions.",
        "corrected-t",
    ),
    Advice(
        ("delong-t", "delong"),
        (HOLDOUT,),
        FITS,
        "For the area under the ROC curve; it takes "
        "the models as they are, and asks about other rows like these.",
    ),
    Advice(
        ("delong-t", "delong"),
        (FOLDS,),
        OPTIMISTIC,
        "It puts ratings of models that were "
        "fitted apart on one scale, and leaves out that other folds give other models.",
        "corrected-t",
    ),
    Advice(
        ("delong-t", "delong"),
        (REPEATED, FIVE_BY_TWO, SPLITS),
        REFUSED,
        "It counts each example once, and here an example has several predictions.",
        "corrected-t",
    ),
    Advice(
        ("permutation",),
        (HOLDOUT,),
        FITS,
        "For means over rows and for areas alone: of other "
        "metrics it would tell whether the models' answers may be exchanged, which is more than "
        "whether the values are equal, and the bootstrap is taken.",
    ),
    Advice(
        ("bootstrap",),
        (HOLDOUT,),
        FITS,
        "For any metric; it takes the models as they are, and asks about other rows like these.",
    ),
    Advice(("mcnemar", "permutation", "bootstrap"), (LEAVE_ONE_OUT,), OPTIMISTIC, NEARLY_ALL),
    Advice(
        ("delong-t", "delong"),
        (LEAVE_ONE_OUT,),
        OPTIMISTIC,
        "As with other tests "
        "on these rows; and such pooled areas are too small, for all models alike (Airola et "
        "al. 2011).",
    ),
    Advice(("permutation", "bootstrap"), CROSSED, OPTIMISTIC, POOLED, "corrected-t"),
    Advice(ROWS, (DATA_SETS,), REFUSED, NO_POPULATION, "wilcoxon"),
    Advice(
        ("paired-t",),
        CROSSED,
        OPTIMISTIC,
        "Training parts share rows, so the folds' "
        "differences are not independent, as it takes them to be: it finds differences that are "
        "none.",
        "corrected-t",
    ),
    Advice(
        ("paired-t",),
        (DATA_SETS,),
        FITS,
        "Data sets are independent; but one large difference sways it, which wilcoxon withstands.",
    ),
    Advice(
        ("corrected-t",),
        (FOLDS, FIVE_BY_TWO),
        FITS,
        "It widens the variance by what training "
        "parts share, and so speaks of the learning methods at this size of training part.",
    ),
    Advice(
        ("corrected-t",),
        (REPEATED, SPLITS),
        FITS,
        "It widens the variance by what training "
        "parts share; not quite enough, for in simulations with many repeats it called up to 11 "
        "of 100 equal pairs different at the level 0.05.",
    ),
    Advice(
        ("bayesian-t",),
        CROSSED,
        FITS,
        "The same variance as corrected-t; its posterior says "
        "how probable a difference is that matters in practice.",
    ),
    Advice(
        ("corrected-t", "bayesian-t"),
        (DATA_SETS,),
        REFUSED,
        "Its correction is for training parts that share rows, and data sets share none.",
        "wilcoxon",
    ),
    Advice(
        ("5x2-t", "5x2-f"),
        (FIVE_BY_TWO,),
        OPTIMISTIC,
        "Made for this design, but the two "
        "halves of a repeat lean the same way: in simulations it called up to 18 of 100 equal "
        "pairs different at the level 0.05, where corrected-t called 4.",
        "corrected-t",
    ),
    Advice(("5x2-t", "5x2-f"), (FOLDS, REPEATED, SPLITS), REFUSED, NOT_FIVE_BY_TWO, "corrected-t"),
    Advice(("5x2-t", "5x2-f"), (DATA_SETS,), REFUSED, NOT_FIVE_BY_TWO, "wilcoxon"),
    Advice((*ON_FOLDS, *ON_SETS), (HOLDOUT,), REFUSED, NOT_ONE_SPLIT, "permutation"),
    Advice((*ON_FOLDS, *ON_SETS), (LEAVE_ONE_OUT,), REFUSED, ONE_ROW_FOLDS, "permutation"),
    Advice(
        ("wilcoxon",),
        CROSSED,
        OPTIMISTIC,
        "Folds of one data set share training rows, so "
        "their differences are not independent, as it takes them to be.",
        "corrected-t",
    ),
    Advice(
        ("wilcoxon",),
        (DATA_SETS,),
        FITS,
        "It needs independent data sets and no normal "
        "distribution; one large difference does not sway it.",
    ),
    Advice(
        ("friedman",),
        CROSSED,
        REFUSED,
        "Folds of one data set are not independent, and its average ranks need blocks that are.",
        "corrected-t",
    ),
    Advice(
        ("friedman",),
        (DATA_SETS,),
        FITS,
        "For three models and more: one test of whether any differ, before asking which.",
    ),
)


def advice_on(test: str, design: str) -> Advice:
    """Return what is said of a test under a design.

    >>> advice_on("mcnemar", "holdout").answer, advice_on("paired-t", "cross-validation").answer
    ('fits', 'too optimistic')
    """
    return next(row for row in ADVICE if test in row.tests and design in row.designs)


@dataclass(frozen=True, repr=False, eq=False)
class AdviceTable(Result):
    """Which test fits which design.

    Attributes
    ----------
    entries : one row a test and design: test, design, answer, why, instead
    """

    entries: Sequence[Mapping[str, str]]

    def rows(self) -> Sequence[Mapping[str, str]]:
        """Return the entries."""
        return self.entries

    def json_entries(self) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]:
        """Return the entries."""
        return self.entries, {}

    def present(self) -> Presentation:
        """Return a row a test, a column a design."""
        columns: dict[str, list[str]] = {"test": list(TESTS)}
        for row in self.entries:
            columns.setdefault(row["design"], []).append(row["answer"])
        return Presentation(tables=(Table(columns, left=("test",)),), legend=(LISTED,))


LISTED = (
    "fits: take it; too optimistic: done, with a warning; refused: an error that says what to "
    "take. Where no `test` is named, the best one for the design and the metric is taken."
)


def list_tests() -> AdviceTable:
    """Return which test fits which design, and what to take instead.

    >>> list_tests().entries[0]["test"]
    'mcnemar'
    """
    return AdviceTable(
        tuple(
            {
                "test": test,
                "design": design,
                "answer": row.answer,
                "why": row.why,
                "instead": row.instead,
            }
            for test in TESTS
            for design in DESIGNS
            for row in [advice_on(test, design)]
        )
    )


def known_test(name: object) -> str:
    """Return the name of a test, whose case and underscores do not matter."""
    if isinstance(name, str):
        plain = name.strip().casefold().replace("_", "-").replace(" ", "-")
        plain = OTHER_NAMES.get(plain, plain)
        if plain in TESTS:
            return plain
    raise ParameterError(
        code="unknown-name",
        argument="test",
        rule=f"one of {', '.join(map(quoted, TESTS))}",
        arrived=shorten(name),
        near=nearest(name, TESTS),
    )


OTHER_NAMES = {
    "nadeau-bengio": "corrected-t",
    "corrected-resampled-t": "corrected-t",
    "t": "paired-t",
    "5x2cv-t": "5x2-t",
    "5x2cv-f": "5x2-f",
    "dietterich": "5x2-t",
    "alpaydin": "5x2-f",
    "signed-rank": "wilcoxon",
    "nemenyi": "friedman",
    "mc-nemar": "mcnemar",
    "correlated-t": "bayesian-t",
}
