"""Formulas that users write: text -> small tree -> arrays. Nothing is ever evaluated as code."""

from plumbline.formula.formula import Formula, params_in, read_formula
from plumbline.formula.linearity import adds_up
from plumbline.formula.variables import LEVELS, Floats, Kind, Level, Scope, Variable

__all__ = [
    "Floats",
    "Formula",
    "Kind",
    "LEVELS",
    "Level",
    "Scope",
    "Variable",
    "adds_up",
    "params_in",
    "read_formula",
]
