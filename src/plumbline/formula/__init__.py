"""Formulas that users write: text -> small tree -> arrays. Nothing is ever evaluated as code."""

from plumbline.formula.formula import Formula, params_in, read_formula
from plumbline.formula.functions import CONSTANTS, FUNCTIONS, Function
from plumbline.formula.linearity import adds_up
from plumbline.formula.variables import LEVELS, Floats, Kind, Level, Scope, Variable

__all__ = [
    "CONSTANTS",
    "FUNCTIONS",
    "LEVELS",
    "Floats",
    "Formula",
    "Function",
    "Kind",
    "Level",
    "Scope",
    "Variable",
    "adds_up",
    "params_in",
    "read_formula",
]
