"""How other rooms and the user come to predictions."""

from pathlib import Path
from typing import Any

from plumbline.errors import ParameterError
from plumbline.predictions.table import Predictions


def read(path: str | Path, **arguments: Any) -> Predictions:
    """Read a prediction table from a file; the same as `Predictions.read`."""
    return Predictions.read(path, **arguments)


def only_predictions(data: Any) -> Predictions:
    """Return `data` if it is predictions; raw arrays are told where the door is."""
    if not isinstance(data, Predictions):
        raise ParameterError(
            f"this needs Predictions, got {type(data).__name__}; make them first with "
            "Predictions.from_arrays(y_true, y_prob), or use the twins in plumbline.scorers"
        )
    return data
