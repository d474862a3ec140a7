"""What a curve is: lines of points, each with the threshold that belongs to it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.presets import Shape
from plumbline.curves.settings import CurveSettings
from plumbline.curves.tables import frame, line_to_dict, point_columns, summary_lines
from plumbline.results import Result

Floats = NDArray[np.float64]

START = "before the first row nothing has a value"


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Points in drawing order, as arrays of one length.

    Attributes
    ----------
    threshold : (m,) value of the sort key at the point; inf where no row has been met yet, NaN
        where averaging took it away
    x, y : (m,) coordinates; codes of `Curve.x_names` where x is a category
    more : further columns of length m: "x_sd", "y_sd" (spread over folds, n - 1), "y_low",
        "y_high" (interval), "count" (rows or folds behind a point), "weight" (of the rows that are
        points), "effective_n" (of a category's weighted rows)
    model, fold, target : what the line is of; None where there is none or several were joined
    n : rows; positives, negatives : their weights
    dropped : reason -> number of points left out for it
    reason : why there is no point at all
    area : below the line, as `area_under` of `areas.of_lines` says; None where x is
        a category or goes back and forth, and of points that are not joined
    area_range, area_method : interval of the area with the coverage `level` of the settings, and
        how it was found: of ROC and precision-recall lines, and of other lines with a bootstrap
        band; None where there is none, as of averages
    path : x and y of the line to draw where that is not straight from point to point
    """

    threshold: Floats
    x: Floats
    y: Floats
    more: Mapping[str, Floats] = field(default_factory=dict)
    model: str | None = None
    fold: str | None = None
    target: str | None = None
    n: int = 0
    positives: float = 0.0
    negatives: float = 0.0
    dropped: Mapping[str, int] = field(default_factory=dict)
    reason: str | None = None
    area: float | None = None
    area_range: tuple[float, float] | None = None
    area_method: str | None = None
    path: tuple[Floats, Floats] | None = None

    def __len__(self) -> int:
        return len(self.x)


@dataclass(frozen=True, repr=False, eq=False)
class Curve(Result):
    """A curve by formula: one line a model, and a fold or a class where those are kept apart.

    Attributes
    ----------
    settings : what was asked, enough to draw the curve again
    x_title, y_title : titles of the axes
    x_names : the categories of x in the order of their codes; empty where x is a number
    threshold_names : likewise of the sort key
    lines : the lines
    notes : what the reader should know before believing the picture
    spread : what deviations or bands mean, in words; None where there are none
    shape : how points are joined, as in `Preset`; "points": not at all
    dates : of x and of y, whether the numbers are days since the beginning of 1970
    """

    settings: CurveSettings
    x_title: str
    y_title: str
    lines: Sequence[Line]
    x_names: tuple[str, ...] = ()
    threshold_names: tuple[str, ...] = ()
    notes: Sequence[str] = ()
    spread: str | None = None
    shape: Shape = "line"
    dates: tuple[bool, bool] = (False, False)

    @property
    def areas(self) -> tuple[float | None, ...]:
        """Area below each line: of a ROC curve the AUC, of precision-recall the average precision.

        None where x is a category, goes back and forth, and where no points are joined.
        """
        return tuple(line.area for line in self.lines)

    def to_dict(self) -> dict[str, Any]:
        """Return settings, notes and all points as plain Python."""
        return {
            "settings": self.settings.to_dict(),
            "x_title": self.x_title,
            "y_title": self.y_title,
            "lines": [line_to_dict(self, line) for line in self.lines],
            "notes": list(self.notes),
            "spread": self.spread,
        }

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a point: model, fold, threshold, x, y, and deviations or bands."""
        found = point_columns(self)
        return [dict(zip(found, row, strict=True)) for row in zip(*found.values(), strict=True)]

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """Return one row a point as a data frame of `backend`: "pyarrow", "pandas" or "polars"."""
        return frame(self, backend)

    def shown_lines(self) -> Iterator[tuple[str, str]]:
        """Yield the formulas, a line for each line, and the notes."""
        yield from summary_lines(self)
