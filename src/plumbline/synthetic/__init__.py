"""Classifiers of known calibration: two synthetic methods, nine experiments."""

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

__all__ = [
    "EXPERIMENTS",
    "DataSets",
    "DirichletVectors",
    "Experiment",
    "Fitted",
    "covertype_classifier",
    "data_sets",
    "dirichlet_vectors",
    "method_1",
    "method_2",
]
