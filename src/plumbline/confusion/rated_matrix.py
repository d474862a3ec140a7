"""A confusion matrix with its rates, in one call."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from plumbline._result import Presentation, Result, jsonable
from plumbline.confusion.matrix import By, ConfusionMatrix, cell_table, confusion_matrix
from plumbline.confusion.matrix_rates import Rates
from plumbline.confusion.multiclass import Undefined
from plumbline.dependence import group_notes, plain_groups
from plumbline.formatting import number
from plumbline.predictions import Predictions
from plumbline.random_streams import Seed

CALLED = {"CA": "accuracy"}  # in entries, as those of `scores` have it
SHARES = {
    "actual": "shares of the actual class; each row adds up to 1",
    "predicted": "shares of the predicted class; each column adds up to 1",
    "all": "shares of the whole table",
}


@dataclass(frozen=True, repr=False, eq=False)
class RatedMatrix(Result):
    """A confusion matrix with its rates.

    Attributes
    ----------
    matrix : the matrix
    rates : its rates
    shares : the total of the shares that are shown too, None without shares
    """

    matrix: ConfusionMatrix
    rates: Rates
    shares: By | None = None

    def _plain(self, *, infinite: bool) -> dict[str, Any]:
        """Return cells, tables of every class and rates, under the keys of `confusion --json`."""
        plain: dict[str, Any] = jsonable(self.entry(), infinite=infinite)
        return plain

    def entry(self) -> dict[str, Any]:
        """Return the same with arrays."""
        matrix, rates = self.matrix, self.rates
        values = matrix.to_dict()
        names = ("n", "effective_n", "classes", "positive", "threshold", "target", "decision")
        overall = matrix.overall().entries
        shares = None if self.shares is None else list(matrix.normalized(self.shares))
        return {name: values[name] for name in names} | {
            "rows": "actual",
            "columns": "predicted",
            "matrix": list(matrix.counts),
            "shares": shares,
            "tables": matrix.class_tables(),
            "overall": {CALLED.get(rate.name, rate.name): rate.value for rate in overall},
            "interval": rates.interval,
            "level": rates.level,
            "resamples": rates.resamples,
            "rates": rates.rows(),
            "remarks": list(rates.remarks),
            "remark_codes": list(rates.remark_codes),
            **plain_groups(matrix.row_groups),
        }

    def rows(self) -> Any:
        """Return a row a rate."""
        return self.rates.rows()

    def present(self) -> Presentation:
        """Return how the rows were decided, the cells, and the rates."""
        cells, rates = self.matrix.present(), self.rates.present()
        shares = None
        if self.shares is not None:
            values = self.matrix.normalized(self.shares)
            shares = cell_table(self.matrix.classes, values, number, SHARES[self.shares])
        return Presentation(
            subject=cells.subject,
            details=cells.details,
            notes=(
                *rates.notes,
                *(group_notes(self.matrix.row_groups) if self.rates.interval else ()),
            ),
            tables=(*cells.tables, *((shares,) if shares is not None else ()), *rates.tables),
            legend=rates.legend,
            tables_first=True,
        )


def rated_matrix(
    data: Predictions | ConfusionMatrix,
    *,
    threshold: float | None = None,
    target: Any = None,
    rates: str | Iterable[str] | None = None,
    average: str | Iterable[str] | None = None,
    beta: float | None = None,
    undefined: Undefined = "nan",
    interval: bool | Literal["auto", "wilson", "exact", "dirichlet", "bootstrap"] | None = None,
    level: float = 0.95,
    resamples: int = 999,
    shares: By | None = None,
    rng: Seed = 0,
) -> RatedMatrix:
    """Return the confusion matrix of one model with its rates.

    Parameters
    ----------
    data : Predictions or ConfusionMatrix
        Rows of one model, or a confusion matrix.
    threshold : float, optional
        Smallest probability (or score) at which the positive class, or the target, is predicted. By
        default the `predicted` column, or the most likely class.
    target : class, optional
        One class against the rest.
    rates : str or sequence of str, optional
        Rates by any of their names, or "all". By default precision, recall, specificity and F1 of
        classes, and the rates of the whole table.
    average : str or sequence of str, optional
        Averages over the classes: "micro" (of the tables added up), "macro" (the plain mean),
        "weighted" (by the rows of the class). By default macro and micro for more than two classes.
    beta : float, optional
        Add F_B, in which recall counts B times as much as precision.
    undefined : {"nan", "skip"}, default "nan"
        An average over classes of which one is undefined: nan (it is undefined too) or skip (the
        mean of the others).
    interval : {"auto", "wilson", "exact", "dirichlet", "bootstrap"}, optional
        Method of the intervals, as in `ConfusionMatrix.rates`. By default no intervals.
    level : float, default 0.95
        Coverage of the intervals.
    resamples : int, default 999
        Number of draws for the intervals, except Wilson's.
    shares : {"actual", "predicted", "all"}, optional
        Also show shares: of the actual class, of the predicted class, or of all rows.
    rng : int, Generator or None, default 0
        Random seed of the draws.

    Returns
    -------
    RatedMatrix
        The matrix and its rates.

    Raises
    ------
    ParameterError, InputError
        As `confusion_matrix` and `ConfusionMatrix.rates`.

    Examples
    --------
    >>> matrix = ConfusionMatrix.from_counts({"TP": 6, "FP": 12, "FN": 2, "TN": 130})
    >>> round(rated_matrix(matrix).to_dict()["overall"]["accuracy"], 3)
    0.907
    """
    if isinstance(data, Predictions):
        data = confusion_matrix(data, threshold=threshold, target=target)
    how: dict[str, Any] = {"average": average, "beta": beta, "undefined": undefined}
    how |= {"interval": interval, "level": level, "resamples": resamples, "rng": rng}
    if rates is None:
        return RatedMatrix(data, data.usual_rates(**how), shares)
    everything = rates == "all" or list(rates) == ["all"]
    return RatedMatrix(data, data.rates(None if everything else rates, **how), shares)
