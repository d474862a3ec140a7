"""Which of several classifiers is better: paired tests on rows, folds and data sets."""

from plumbline.comparison.answers import TestAnswer
from plumbline.comparison.bayesian import bayesian_t
from plumbline.comparison.compared import Comparison, PairComparison
from plumbline.comparison.comparing import compare
from plumbline.comparison.five_by_two import five_by_two_f, five_by_two_t
from plumbline.comparison.paired_t import corrected_t, paired_t
from plumbline.comparison.ranks import RankAnswer, friedman, wilcoxon

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
