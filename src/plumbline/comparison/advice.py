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
    HOLDOUT: "one test part of independent rows; no model was fitted on them",
    FOLDS: "each example was predicted once, by models fitted on the other folds",
    LEAVE_ONE_OUT: "each example was predicted once, by models fitted on all others",
    REPEATED: "repeats of cross-validation with different folds",
    FIVE_BY_TWO: "2-fold cross-validation, repeated five times",
    SPLITS: "repeated holdout or bootstrap; some examples are in several test parts",
    DATA_SETS: "several data sets, each with one value per model",
}

FITS, OPTIMISTIC, REFUSED = "fits", "too optimistic", "refused"

ROWS = ("mcnemar", "delong-t", "delong", "permutation", "bootstrap")
ON_FOLDS = ("paired-t", "corrected-t", "5x2-t", "5x2-f", "bayesian-t")
ON_SETS = ("wilcoxon", "friedman")

TESTS = {
    "mcnemar": "McNemar's exact test of the rows where only one model is right",
    "delong-t": "DeLong's test of two areas under the ROC curve, with Student's t",
    "delong": "DeLong's test of two areas under the ROC curve, as in pROC",
    "permutation": "paired permutation test",
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
    """Advice on tests under designs.

    Attributes
    ----------
    tests, designs : names, of which every combination gets this answer
    answer : "fits", "too optimistic" (run, with a warning) or "refused"
    why : one sentence
    instead : the test to use instead; empty where it fits, or the design has no better one
    """

    tests: tuple[str, ...]
    designs: tuple[str, ...]
    answer: str
    why: str
    instead: str = ""


CROSSED = (FOLDS, REPEATED, FIVE_BY_TWO, SPLITS)
NEARLY_ALL = (
    "Models that share nearly all training rows give dependent predictions, so p-values "
    "are too small (Bates et al. 2024). Use 10-fold cross-validation with corrected-t."
)
POOLED = (
    "A test on the rows ignores the variation between training sets, so its p-values are "
    "too small for a claim about the learning methods."
)
NO_POPULATION = "The sampled units are the data sets, not their rows."
NOT_ONE_SPLIT = "One test part gives one difference, so there is no variance over folds."
NOT_FIVE_BY_TWO = (
    "The formula needs five repeats of two folds, as from plumbline estimate --scheme "
    "repeated-stratified:5x2."
)
ONE_ROW_FOLDS = "A fold of one row gives no value of its own."

ADVICE = (
    Advice(
        ("mcnemar",),
        (HOLDOUT,),
        FITS,
        "Exact for these fitted models on independent rows.",
    ),
    Advice(("mcnemar",), (FOLDS,), OPTIMISTIC, POOLED, "corrected-t"),
    Advice(
        ("mcnemar",),
        (REPEATED, FIVE_BY_TWO, SPLITS),
        REFUSED,
        "It needs one prediction per example; here examples have several.",
        "corrected-t",
    ),
    Advice(
        ("delong-t", "delong"),
        (HOLDOUT,),
        FITS,
        "For the area under the ROC curve of these fitted models on new rows.",
    ),
    Advice(
        ("delong-t", "delong"),
        (FOLDS,),
        OPTIMISTIC,
        "It pools scores of models that were fitted separately and ignores the variation between "
        "training sets.",
        "corrected-t",
    ),
    Advice(
        ("delong-t", "delong"),
        (REPEATED, FIVE_BY_TWO, SPLITS),
        REFUSED,
        "It needs one prediction per example; here examples have several.",
        "corrected-t",
    ),
    Advice(
        ("permutation",),
        (HOLDOUT,),
        FITS,
        "For means over rows, areas and calibration errors, of these fitted models on new rows. "
        "Other metrics use the bootstrap.",
    ),
    Advice(
        ("bootstrap",),
        (HOLDOUT,),
        FITS,
        "For any metric, of these fitted models on new rows.",
    ),
    Advice(("mcnemar", "permutation", "bootstrap"), (LEAVE_ONE_OUT,), OPTIMISTIC, NEARLY_ALL),
    Advice(
        ("delong-t", "delong"),
        (LEAVE_ONE_OUT,),
        OPTIMISTIC,
        "The p-values are too small, and pooled areas are too small for all models "
        "(Airola et al. 2011).",
    ),
    Advice(("permutation", "bootstrap"), CROSSED, OPTIMISTIC, POOLED, "corrected-t"),
    Advice(ROWS, (DATA_SETS,), REFUSED, NO_POPULATION, "wilcoxon"),
    Advice(
        ("paired-t",),
        CROSSED,
        OPTIMISTIC,
        "The folds' differences are dependent because training parts share rows, so its "
        "p-values are too small.",
        "corrected-t",
    ),
    Advice(
        ("paired-t",),
        (DATA_SETS,),
        FITS,
        "Data sets are independent. One outlying difference affects it; wilcoxon is robust.",
    ),
    Advice(
        ("corrected-t",),
        (FOLDS, FIVE_BY_TWO),
        FITS,
        "It corrects the variance for shared training rows, so it compares the learning "
        "methods at this training size.",
    ),
    Advice(
        ("corrected-t",),
        (REPEATED, SPLITS),
        FITS,
        "It corrects the variance for shared training rows. In simulations with many "
        "repeats up to 11 of 100 equal pairs were rejected at level 0.05.",
    ),
    Advice(
        ("bayesian-t",),
        CROSSED,
        FITS,
        "The same variance as corrected-t. Its posterior gives the probability of a "
        "difference larger than the region of practical equivalence.",
    ),
    Advice(
        ("corrected-t", "bayesian-t"),
        (DATA_SETS,),
        REFUSED,
        "Its correction is for shared training rows; data sets share none.",
        "wilcoxon",
    ),
    Advice(
        ("5x2-t", "5x2-f"),
        (FIVE_BY_TWO,),
        OPTIMISTIC,
        "The two halves of a repeat are correlated: in simulations it rejected up to 18 "
        "of 100 equal pairs at level 0.05, where corrected-t rejected 4.",
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
        "The folds' differences are dependent because training parts share rows.",
        "corrected-t",
    ),
    Advice(
        ("wilcoxon",),
        (DATA_SETS,),
        FITS,
        "It needs independent data sets, no normal distribution, and is robust to outliers.",
    ),
    Advice(
        ("friedman",),
        CROSSED,
        REFUSED,
        "Its ranks need independent blocks; folds of one data set are dependent.",
        "corrected-t",
    ),
    Advice(
        ("friedman",),
        (DATA_SETS,),
        FITS,
        "For three models or more: one test whether any differ, before the pairs.",
    ),
)


def advice_on(test: str, design: str) -> Advice:
    """Return the advice on a test under a design.

    >>> advice_on("mcnemar", "holdout").answer, advice_on("paired-t", "cross-validation").answer
    ('fits', 'too optimistic')
    """
    return next(row for row in ADVICE if test in row.tests and design in row.designs)


CLAIMS = {
    HOLDOUT: "The result holds for these fitted models on rows like these.",
    LEAVE_ONE_OUT: "The result holds for models fitted on nearly all of these rows.",
    DATA_SETS: "The result holds for data sets like these.",
}
OF_ROWS = "The result holds for the fitted models, one per training part, on rows like these."
OF_LEARNERS = "The result holds for the learning methods at this size of training part."


def claim_of(test: str, design: str) -> str:
    """Return what the result of a test under a design is about.

    >>> claim_of("wilcoxon", "data sets")
    'The result holds for data sets like these.'
    """
    return CLAIMS.get(design, OF_ROWS if test in ROWS else OF_LEARNERS)


@dataclass(frozen=True, repr=False, eq=False)
class AdviceTable(Result):
    """Which test fits which design.

    Attributes
    ----------
    entries : one row per test and design: test, design, answer, why, instead
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
    "fits: recommended; too optimistic: allowed, with a warning; refused: an error that "
    "names another test. By default the best test for the design and the metric is used."
)


def list_tests() -> AdviceTable:
    """Return which test fits which design, and what to use instead.

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
