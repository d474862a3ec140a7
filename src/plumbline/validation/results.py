"""What `estimate` answers with, and what its guards find."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, shown
from plumbline._result import Result, html_table, jsonable, text_table
from plumbline.errors import ParameterError
from plumbline.formatting import counted, number
from plumbline.predictions import Predictions

ERROR = "error"
WARNING = "warning"


@dataclass(frozen=True, repr=False, eq=False)
class Finding(Result):
    """One thing that makes an estimate dishonest or doubtful.

    Attributes
    ----------
    name : the guard that found it, such as "shared-rows"
    severity : "error" (there is no honest estimate) or "warning" (there is, but read this)
    text : what was found, in which rows, and what to do
    row_numbers : the rows it is about, counted from 0; empty where it is about a column
    """

    name: str
    severity: str
    text: str
    row_numbers: tuple[int, ...] = ()

    def shown_lines(self) -> Iterator[tuple[str, str]]:
        """Yield the finding as one line."""
        yield self.name, f"{self.severity}: {self.text}"


def as_rows(places: NDArray[Any]) -> tuple[int, ...]:
    """Return places as plain numbers, in order.

    >>> as_rows(np.array([5, 2]))
    (2, 5)
    """
    return tuple(np.sort(places).tolist())


def rows_named(rows: Sequence[int]) -> str:
    """Return how many rows, and which: the first of them.

    >>> rows_named((2, 5)), rows_named((7,))
    ('2 rows (2, 5)', '1 row (7)')
    """
    return f"{counted(len(rows), 'row')} ({shown(rows)})"


LEFT = ("model", "metric")
ONE_PART = "one test part has no deviation"


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class FoldEstimate(Result):
    """One fold of one model.

    Attributes
    ----------
    repeat, fold : which one; folds are counted within a repeat
    n_train, n_test : rows it was fitted on (with repetitions in a bootstrap), rows it was tested on
    values : metric -> value on the test part
    params : the hyper-parameters the search chose inside the training part, None without a search
    reasons : metric -> why its value is missing
    """

    repeat: int
    fold: int
    n_train: int
    n_test: int
    values: Mapping[str, float]
    params: Mapping[str, Any] | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the fold as plain Python, one entry a metric; `reasons` only if there are any."""
        named = {"repeat": self.repeat, "fold": self.fold}
        sizes = {"n_train": self.n_train, "n_test": self.n_test}
        chosen_params = {"params": self.params} if self.params is not None else {}
        why = {"reasons": self.reasons} if self.reasons else {}
        flat: dict[str, Any] = jsonable({**named, **sizes, **self.values, **chosen_params, **why})
        return flat


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class MetricEstimate(Result):
    """One metric over all folds of one model.

    Attributes
    ----------
    metric : its name
    mean, deviation : over the folds; the deviation divides by folds - 1
    least, most : of the folds
    pooled : the metric of all test rows taken together
    reason : why a number is missing, if one is
    """

    metric: str
    mean: float
    deviation: float
    least: float
    most: float
    pooled: float
    reason: str | None = None


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class BootstrapEstimate(Result):
    """The .632+ estimate of a metric that is a mean over rows (Efron and Tibshirani, 1997).

    Attributes
    ----------
    metric : error-rate, brier-score or log-loss, which are losses, or accuracy, where larger is
        better: all its numbers are 1 - those of the error rate, but overfitting and weight, which
        are the same
    resubstitution : the metric on the training data, of a model fitted on all rows
    out_of_bag : the mean over rows of their mean in the samples that left them out
    no_information : the metric if the answers had nothing to do with the classes
    overfitting : relative overfitting rate, 0 .. 1
    weight : of `out_of_bag` in the value, 0.632 .. 1
    value : (1 - weight) resubstitution + weight out_of_bag, or no_information where that is
        better than out_of_bag
    reason : why a number is missing, if one is
    """

    metric: str
    resubstitution: float
    out_of_bag: float
    no_information: float
    overfitting: float
    weight: float
    value: float
    reason: str | None = None


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class ModelEstimate(Result):
    """One model under the scheme.

    Attributes
    ----------
    model : its name
    summary : one entry a metric
    folds : one entry a fold
    choices : the different hyper-parameters chosen, most frequent first: {"params", "folds"}
    agree : whether all folds chose the same; None without a search
    bootstrap : one entry a mean over rows (accuracy, error-rate, brier-score, log-loss), where the
        scheme is the bootstrap
    predictions : its prediction table (hidden)
    final : the model fitted on all rows, if it was asked for (hidden)
    """

    model: str
    summary: Sequence[MetricEstimate]
    folds: Sequence[FoldEstimate]
    choices: Sequence[Mapping[str, Any]] = ()
    agree: bool | None = None
    bootstrap: Sequence[BootstrapEstimate] = ()
    predictions: Predictions = field(metadata={"hidden": True})
    final: Any = field(default=None, metadata={"hidden": True})


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Estimate(Result):
    """How well models do on rows they have not seen.

    Attributes
    ----------
    scheme : its text, such as "nested:5x10"
    honest : False where a model was measured on the rows it was fitted on
    n : rows of the data; n_tested : those in some test part, which have a prediction
    seed : that gives the same answer again, None where chance came in another way
    models : one entry a model
    remarks : what the guards found
    predictions : the prediction table of all models, with `row`, `fold` and `repeat` (hidden)
    """

    scheme: str
    honest: bool
    n: int
    n_tested: int
    seed: int | None
    models: Sequence[ModelEstimate]
    remarks: Sequence[Finding] = ()
    predictions: Predictions = field(metadata={"hidden": True})

    def __getitem__(self, model: str) -> ModelEstimate:
        """Return the entry of a model."""
        result = {one.model: one for one in self.models}
        if model not in result:
            raise ParameterError(
                f"{model!r} was not estimated, only {shown(result)}{near_names(model, result)}"
            )
        return result[model]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a model and metric; of a bootstrap, with its .632+ estimate."""
        rows = []
        for one in self.models:
            better = {entry.metric: entry.value for entry in one.bootstrap}
            for entry in one.summary:
                row = {"model": one.model, **entry.to_dict()}
                reason = row.pop("reason", None)
                point = {"point_632": better.get(entry.metric)} if one.bootstrap else {}
                rows.append({**row, **point, "reason": reason})
        return rows

    def fold_rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a model and fold, with the value of every metric."""
        return [
            {"model": one.model, **{k: v for k, v in fold.to_dict().items() if k != "reasons"}}
            for one in self.models
            for fold in one.folds
        ]

    def columns(self) -> dict[str, list[str]]:
        """Return what a table for people shows, as text."""
        pairs = [(one, entry) for one in self.models for entry in one.summary]
        columns = {
            "model": [one.model for one, _ in pairs],
            "metric": [entry.metric for _, entry in pairs],
        }
        if max(len(one.folds) for one in self.models) > 1:
            for name in ("mean", "deviation", "least", "most"):
                columns[name] = [number(getattr(entry, name)) for _, entry in pairs]
        columns["all test rows"] = [number(entry.pooled) for _, entry in pairs]
        if any(one.bootstrap for one, _ in pairs):
            points = [{entry.metric: entry.value for entry in one.bootstrap} for one, _ in pairs]
            columns[".632+"] = [
                number(known.get(entry.metric))
                for known, (_, entry) in zip(points, pairs, strict=True)
            ]
        return columns

    def title(self) -> str:
        """Return what was done in one line; that it was measured on training data, too."""
        test = (
            f"{self.scheme} on {self.n:,} rows, {counted(len(self.models[0].folds), 'test part')}"
        )
        if self.scheme.startswith("time-series"):
            test += f"; the first {counted(self.n - self.n_tested, 'row')} never tested"
        data = self.predictions
        test += f", positive class {data.classes[data.positive]}" if data.k == 2 else ""
        return test if self.honest else f"{test}: MEASURED ON THE TRAINING DATA, not on new rows"

    def __repr__(self) -> str:
        table = text_table(self.columns(), left=LEFT)
        return "\n\n".join([self.title(), table, *self.notes()])

    def _repr_html_(self) -> str:
        return html_table(self.columns(), left=LEFT, caption=self.title())

    def notes(self) -> list[str]:
        """Return what to know beside the numbers: missing ones, choices, findings."""
        missing = [
            f"{one.model}: {entry.metric}: {entry.reason}."
            for one in self.models
            for entry in one.summary
            if entry.reason not in (None, ONE_PART)
        ]
        choices = [_choices(one) for one in self.models if one.choices]
        return [*missing, *choices, *(f"{one.name}: {one.text}." for one in self.remarks)]


def _choices(one: ModelEstimate) -> str:
    """Say which hyper-parameters the folds chose, and whether they agree."""
    first, total = one.choices[0], len(one.folds)
    if one.agree:
        return f"{one.model}: every fold chose {_params(first['params'])}."
    texts = [
        f"{_params(choice['params'])} ({choice['folds']} of {total})" for choice in one.choices
    ]
    more = f" and {len(texts) - 5} others" if len(texts) > 5 else ""
    return f"{one.model}: the folds chose differently: {'; '.join(texts[:5])}{more}."


def _params(params: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in params.items())
