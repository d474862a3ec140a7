"""Classifiers whose truth is known: two synthetic methods, nine experiments, and loans."""

from plumbline.synthetic.covertype import Fitted, covertype_classifier
from plumbline.synthetic.experiments import (
    EXPERIMENTS,
    DataSets,
    DirichletVectors,
    Experiment,
    data_sets,
    dirichlet_vectors,
    method_1,
    method_2,
)
from plumbline.synthetic.lending import loans
from plumbline.synthetic.lending_profit import (
    LoansOptimum,
    loans_accepted,
    loans_optimum,
    loans_profit,
)

__all__ = [
    "EXPERIMENTS",
    "DataSets",
    "DirichletVectors",
    "Experiment",
    "Fitted",
    "LoansOptimum",
    "covertype_classifier",
    "data_sets",
    "dirichlet_vectors",
    "loans",
    "loans_accepted",
    "loans_optimum",
    "loans_profit",
    "method_1",
    "method_2",
]
