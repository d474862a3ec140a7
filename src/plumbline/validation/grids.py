"""Grids of hyper-parameters, checked before anything is fitted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from plumbline._checks import near_names, shorten, shown
from plumbline.errors import ParameterError


def grids_of(params: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the grids of {"parameter": [values]}, or of a list of such."""
    yield from [params] if isinstance(params, Mapping) else params


def need_grids(params: Any, *, drawn: bool) -> None:
    """Refuse what is no grid; if candidates are drawn, a distribution may stand for values.

    Raises ParameterError naming the parameter.
    """
    grids: list[Any] = list(grids_of(params)) if isinstance(params, (Mapping, list, tuple)) else []
    if not grids or not all(isinstance(grid, Mapping) and grid for grid in grids):
        raise ParameterError(
            "`params` must be {'parameter': [values]} or a list of such grids, got "
            f"{shorten(params)}"
        )
    for name, values in (pair for grid in grids for pair in grid.items()):
        if not isinstance(name, str):
            raise ParameterError(f"`params` must name parameters by text, got {shorten(name)}")
        if drawn and hasattr(values, "rvs"):
            continue
        if not _is_list(values):
            draw = ", or a distribution of scipy.stats" if drawn else ""
            raise ParameterError(
                f"`params` must give a list of values for {name!r}{draw}, got {shorten(values)}"
            )
        if len(values) == 0:
            raise ParameterError(f"`params` must give {name!r} at least one value, got none")


def _is_list(values: Any) -> bool:
    if isinstance(values, np.ndarray):
        return values.ndim == 1
    return isinstance(values, Sequence) and not isinstance(values, (str, bytes))


def need_known(name: str, estimator: Any, params: Any) -> None:
    """Refuse a hyper-parameter that an estimator does not have.

    What a candidate puts in place of a step may have others, so those are not judged.

    Raises ParameterError.
    """
    known = estimator.get_params(deep=True)
    for grid in grids_of(params):
        for param in grid:
            steps = param.split("__")
            outer = {"__".join(steps[:depth]) for depth in range(1, len(steps))}
            if param not in known and not outer & set(grid):
                raise ParameterError(
                    f"{name!r} has no hyper-parameter {param!r}{near_names(param, known)}; it has "
                    f"{shown(sorted(known), 12)}"
                )
