"""How other rooms and the user come to predictions."""

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from plumbline.errors import ParameterError
from plumbline.predictions.table import Predictions


def read(
    path: str | Path,
    *,
    actual: str | None = None,
    prob: Mapping[str, Any] | None = None,
    rename: Mapping[str, str] | None = None,
    positive: Any = None,
    normalize: bool = False,
) -> Predictions:
    """Read a prediction table from a CSV, TSV, Parquet or Arrow/Feather file.

    Parameters
    ----------
    path : str or Path
        The file; the ending of its name tells the format.
    actual : str, optional
        Column of the observed labels; by default `actual` or `y_true`.
    prob : mapping of str to class, optional
        Columns of probabilities and the class of each; by default `p:CLASS`, or `y_prob` and its
        like for two classes.
    rename : mapping of str to str, optional
        Columns of the file and what they are called in the table.
    positive : class, optional
        Positive class of two; needed for one column of probabilities unless the labels are 0 and
        1, False and True, "no" and "yes" or the like.
    normalize : bool, default False
        Divide every row of probabilities by its sum.

    Returns
    -------
    Predictions
        The table.

    Raises
    ------
    InputError
        For a file that is missing, empty, damaged or not what its name says, and for columns or
        values outside their rules.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Predictions.from_arrays([0, 1], [0.2, 0.6]).write(f"{folder}/table.csv")
    ...     read(f"{folder}/table.csv").n
    2
    """
    return Predictions.read(
        path, actual=actual, prob=prob, rename=rename, positive=positive, normalize=normalize
    )


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
