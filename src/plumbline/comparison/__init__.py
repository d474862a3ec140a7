"""Which of several classifiers is better: paired tests on rows, folds and data sets."""

from plumbline.comparison.compare import compare
from plumbline.comparison.fold_tests import (
    bayesian_t,
    corrected_t,
    five_by_two_f,
    five_by_two_t,
    paired_t,
)
from plumbline.comparison.ranks import friedman, wilcoxon
from plumbline.comparison.results import Comparison, PairComparison, RankAnswer, TestAnswer

__all__ = [
    "Comparison",
    "PairComparison",
    "RankAnswer",
    "TestAnswer",
    "bayesian_t",
    "compare",
    "corrected_t",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "paired_t",
    "wilcoxon",
]
