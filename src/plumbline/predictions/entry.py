"""How other rooms and the user come to predictions."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plumbline.errors import ParameterError
from plumbline.predictions.table import Predictions


def read(path: str | Path, **arguments: Any) -> Predictions:
    """Read a prediction table from a file; the same as `Predictions.read`."""
    return Predictions.read(path, **arguments)


def with_predictions_first(function: Callable[..., Any], module: str) -> Callable[..., Any]:
    """Return a function of predictions that says so where it is called with arrays.

    Python would only count the arguments of `roc_auc(y_true, y_prob)`. Nothing else changes: its
    signature, its name in `module`, and its warnings, which look for the line outside the package.
    """

    @functools.wraps(function)
    def checked(*args: Any, **named: Any) -> Any:
        if args and args[0] is not None:
            only_predictions(args[0], function.__name__)
        return function(*args, **named)

    checked.__module__ = module  # where pickle finds it
    return checked


def only_predictions(data: Any, called: str = "this") -> Predictions:
    """Return `data` if it is predictions; raw arrays are told what to make of them."""
    if not isinstance(data, Predictions):
        raise ParameterError(
            f"{called} needs Predictions, got {type(data).__name__}; make them first with "
            "Predictions.from_arrays(y_true, y_prob), or use the twins in plumbline.sklearn"
        )
    return data
