"""Which of several classifiers is better: paired tests on rows, folds and data sets."""

from plumbline.comparison.advice import DESIGNS, TESTS, advice_on, list_tests
from plumbline.comparison.bootstrap import paired_bootstrap
from plumbline.comparison.compare import compare
from plumbline.comparison.design import Design, aligned, design_of, tables_by_model
from plumbline.comparison.fold_tests import (
    bayesian_t,
    corrected_t,
    five_by_two_f,
    five_by_two_t,
    paired_t,
    posterior_curve,
)
from plumbline.comparison.inversion import inverted_shift
from plumbline.comparison.paired_rows import Pair, observed_of
from plumbline.comparison.permutation import paired_permutation
from plumbline.comparison.quantity import Quantity, comparable_metrics, quantity_of
from plumbline.comparison.ranks import friedman, wilcoxon
from plumbline.comparison.results import Comparison, PairComparison, RankAnswer, TestAnswer
from plumbline.comparison.row_tests import accuracy_ends, delong, delong_t, mcnemar
from plumbline.comparison.run_test import ComparisonParams, run_test

__all__ = [
    "DESIGNS",
    "TESTS",
    "Comparison",
    "ComparisonParams",
    "Design",
    "Pair",
    "PairComparison",
    "Quantity",
    "RankAnswer",
    "TestAnswer",
    "accuracy_ends",
    "advice_on",
    "aligned",
    "bayesian_t",
    "comparable_metrics",
    "compare",
    "corrected_t",
    "delong",
    "delong_t",
    "design_of",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "inverted_shift",
    "list_tests",
    "mcnemar",
    "observed_of",
    "paired_bootstrap",
    "paired_permutation",
    "paired_t",
    "posterior_curve",
    "quantity_of",
    "run_test",
    "tables_by_model",
    "wilcoxon",
]
