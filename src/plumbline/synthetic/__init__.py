"""Classifiers whose truth is known: the two synthetic methods and the nine experiments."""

from plumbline.synthetic.covertype import Fitted, covertype_classifier
from plumbline.synthetic.experiments import EXPERIMENTS, Experiment, data_sets
from plumbline.synthetic.methods import DataSets, method_1, method_2
from plumbline.synthetic.vectors import DirichletVectors, dirichlet_vectors

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
