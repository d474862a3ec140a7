"""Results of `estimate` and of its guards."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, shown
from plumbline._result import (
    Detail,
    NextStep,
    Note,
    Presentation,
    Result,
    Table,
    jsonable,
    side_by_side,
)
from plumbline.dependence import RowGroups, group_details, plain_groups
from plumbline.errors import ParameterError
from plumbline.formatting import counted, number, quoted, score
from plumbline.predictions import Predictions, examples_in

ERROR = "error"
WARNING = "warning"


@dataclass(frozen=True, repr=False, eq=False)
class Finding(Result):
    """One thing that makes an estimate invalid or doubtful.

    Attributes
    ----------
    name : the guard that found it, such as "shared-rows"
    severity : "error" (no valid estimate is possible) or "warning" (it is doubtful)
    text : what was found, in which rows, and what to do
    row_numbers : the rows it is about, counted from 0; empty where it is about a column
    """

    name: str
    severity: str
    text: str
    row_numbers: tuple[int, ...] = ()

    def present(self) -> Presentation:
        """Return the finding as one line."""
        return Presentation(
            details=(Detail(self.name, self.name, f"{self.severity}: {self.text}"),)
        )


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


LEFT = ("model", "metric", "chosen")
ONE_PART = "one test part has no standard deviation"
MOST_FOLDS = 20  # that are shown one by one
DISHONEST = "NOT OUT OF SAMPLE: measured on the training rows, so every number is optimistic."
FOLDS = (
    "sd: over the test parts, which share training rows, so it is not a standard error. pooled: "
    "all test rows together."
)
POINT_632 = (
    ".632+: (1 - weight) x the value on training rows + weight x the value out of bag (Efron and "
    "Tibshirani 1997)."
)
SHARED = "each the test part once"
SCHEME_TEXTS = {
    "holdout": "{0} of the rows, drawn by class, are the test part",
    "repeated-holdout": "{0} times, {1} of the rows, drawn by class, are the test part",
    "k-fold": f"{{0}} folds of shuffled rows, {SHARED}",
    "stratified": f"{{0}} stratified folds, {SHARED}",
    "repeated-stratified": f"{{0}} times {{1}} stratified folds, {SHARED}",
    "grouped": f"{{0}} folds of whole groups, {SHARED}",
    "stratified-grouped": f"{{0}} folds of whole groups, stratified, {SHARED}",
    "time-series": "{0} test parts in time order, each predicted by a model fitted on all earlier "
    "rows",
    "leave-one-out": "each row is the test part once",
    "bootstrap": "{0} samples drawn with replacement; the rows left out are the test part",
    "train-validation-test": "hyper-parameters fitted on {0} of the rows and chosen on {1}, then "
    "fitted on both and measured on {2}",
    "nested": f"{{0}} outer folds, {SHARED}; {{1}} inner folds of each training part choose the "
    "hyper-parameters, which are then fitted on all of it",
    "nested-grouped": f"{{0}} outer folds of whole groups, {SHARED}; {{1}} inner folds of each "
    "training part, also of whole groups, choose the hyper-parameters",
    "resubstitution": "fitted and measured on all rows",
}


def scheme_words(scheme: str) -> str:
    """Describe a scheme; "" for a splitter that is not ours.

    >>> scheme_words("k-fold:3")
    '3 folds of shuffled rows, each the test part once'
    """
    name, _, numbers = scheme.partition(":")
    return SCHEME_TEXTS.get(name, "").format(
        *map(_count_or_share, numbers.replace("x", ",").split(","))
    )


def _count_or_share(text: str) -> str:
    return f"{100 * float(text):g} %" if "." in text else text


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

    def _plain(self, *, infinite: bool) -> dict[str, Any]:
        """Return the fold as plain Python, one entry a metric; `reasons` only if there are any."""
        named = {"repeat": self.repeat, "fold": self.fold}
        sizes = {"n_train": self.n_train, "n_test": self.n_test}
        chosen_params = {"params": self.params} if self.params is not None else {}
        why = {"reasons": self.reasons} if self.reasons else {}
        whole = {**named, **sizes, **self.values, **chosen_params, **why}
        flat: dict[str, Any] = jsonable(whole, infinite=infinite)
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
    no_information : the metric if predictions were independent of the classes
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
    summary : one entry per metric
    folds : one entry per fold
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

    def present(self) -> Presentation:
        """Return a line a metric, the test parts one by one, and what the search chose."""
        return presented((self,))


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Estimate(Result):
    """Performance of models on rows they were not fitted on.

    Attributes
    ----------
    scheme : its text, such as "nested:5x10"
    honest : False where a model was measured on the rows it was fitted on
    n : rows of the data; n_tested : those in some test part, which have a prediction
    seed : the random seed, None where a generator was given
    models : one entry per model
    remarks : what the guards found
    row_groups : groups that no split tears apart; None where rows are in none
    predictions : the prediction table of all models, with `row`, `fold` and `repeat` (hidden)
    """

    scheme: str
    honest: bool
    n: int
    n_tested: int
    seed: int | None
    models: Sequence[ModelEstimate]
    remarks: Sequence[Finding] = ()
    row_groups: RowGroups | None = None
    predictions: Predictions = field(metadata={"hidden": True})

    def __getitem__(self, model: str) -> ModelEstimate:
        """Return the entry of a model."""
        result = {one.model: one for one in self.models}
        if model not in result:
            raise ParameterError(
                f"{quoted(model)} was not estimated, only "
                f"{shown(result)}{near_names(model, result)}",
                code="not-estimated",
            )
        return result[model]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a model and metric; of a bootstrap, with its .632+ estimate."""
        rows = []
        for one in self.models:
            better = {entry.metric: entry.value for entry in one.bootstrap}
            for entry in one.summary:
                row = {"model": one.model, **entry.for_tables()}
                reason = row.pop("reason", None)
                point = {"point_632": better.get(entry.metric)} if one.bootstrap else {}
                rows.append({**row, **point, "reason": reason})
        return rows

    def fold_rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a model and fold, with the value of every metric."""
        return [
            {"model": one.model, **{k: v for k, v in fold.for_tables().items() if k != "reasons"}}
            for one in self.models
            for fold in one.folds
        ]

    def present(self) -> Presentation:
        """Return a line a model and metric, the test parts, choices and what the guards found."""
        shown = presented(self.models)
        guards = (Note(f"{one.name}: {one.text}.", one.name) for one in self.remarks)
        return replace(
            shown,
            subject=f"{self._done()}: {scheme_words(self.scheme) or self.scheme}.",
            summary="" if self.honest else DISHONEST,
            tables_first=self.honest,
            details=(*shown.details, *group_details(self.row_groups)),
            notes=(*shown.notes, *guards),
            next_step=self._next(),
        )

    def _next(self) -> NextStep:
        """Return what reads the predictions; a report would take repeated rows for independent."""
        data = self.predictions
        if len(self.models) > 1:
            return NextStep("compare", "Compare the models.")
        if examples_in(data) < data.n or data.prob is None:
            return NextStep("confusion", "See the confusion matrix.")
        return NextStep("report", "Write a report on the predictions.")

    def json_entries(self) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]:
        """Return an entry a model."""
        whole = self.to_dict()
        shared = {name: whole[name] for name in ("n", "n_tested", "scheme", "honest", "seed")}
        rows = [
            {"model": one["model"]}
            | shared
            | {"metrics": one["summary"]}
            | {name: one[name] for name in ("bootstrap", "folds", "choices", "agree")}
            | {"warnings": whole["remarks"], **plain_groups(self.row_groups)}
            for one in whole["models"]
        ]
        return rows, {}

    def _done(self) -> str:
        """Return what was done, in a few words."""
        data = self.predictions
        positive = f", positive class {data.classes[data.positive]}" if data.k == 2 else ""
        done = f"{counted(self.n, 'row')}{positive}"
        if self.scheme.startswith("time-series"):
            done += f", the first {counted(self.n - self.n_tested, 'row')} never tested"
        return done


def presented(models: Sequence[ModelEstimate]) -> Presentation:
    """Return the presentation of several models under one scheme."""
    several, folds = len(models) > 1, len(models[0].folds)
    tables = [_means(models), replace(_summaries(models), folded=True)] if several else []
    tables = tables or [_summaries(models)]
    legend = [FOLDS] if folds > 1 else []
    notes = [
        Note(f"{row.metric}{_of(one, several, 'of')}: {row.reason}.", "undefined")
        for one in models
        for row in one.summary
        if row.reason and (folds > 1 or not math.isfinite(row.pooled))
    ]
    for one in models:
        if one.bootstrap:
            tables.append(_bootstraps(one, f".632+{_of(one, several)}:"))
            legend += [POINT_632] if POINT_632 not in legend else []
        if 1 < folds <= MOST_FOLDS:
            parts = _folds(one.folds, f"Test parts{_of(one, several)}:")
            tables.append(replace(parts, folded=True))
        if one.choices:
            notes.append(Note(_choices(one, _of(one, several)), "choices"))
    if folds > MOST_FOLDS:
        legend.append(f"The {folds:,} test parts are not listed.")
    return Presentation(
        notes=tuple(notes), tables=tuple(tables), tables_first=True, legend=tuple(legend)
    )


def _of(one: ModelEstimate, several: bool, word: str = "for") -> str:
    return f" {word} {one.model}" if several else ""


def _summaries(models: Sequence[ModelEstimate]) -> Table:
    lines = []
    for one in models:
        for row in one.summary:
            line = [Detail("model", "model", one.model)] if len(models) > 1 else []
            line.append(Detail("metric", "metric", row.metric))
            if len(one.folds) > 1:
                line += [
                    Detail("mean", "mean", score(row.mean)),
                    Detail("deviation", "sd", score(row.deviation)),
                    Detail("least", "least", score(row.least)),
                    Detail("most", "most", score(row.most)),
                ]
            label = "pooled" if len(one.folds) > 1 else "value"
            lines.append([*line, Detail("pooled", label, score(row.pooled))])
    return Table(side_by_side(lines), left=LEFT)


def _means(models: Sequence[ModelEstimate]) -> Table:
    """Return a row a model: the mean of every metric over the test parts."""
    parts = len(models[0].folds)
    lines = [
        [
            Detail("model", "model", one.model),
            *(
                Detail(row.metric, row.metric, score(row.mean if parts > 1 else row.pooled))
                for row in one.summary
            ),
        ]
        for one in models
    ]
    title = f"Mean of {parts:,} test parts:" if parts > 1 else ""
    return Table(side_by_side(lines), left=LEFT, title=title)


def _bootstraps(one: ModelEstimate, title: str) -> Table:
    """Return the .632+ estimates with their parts."""
    rows = one.bootstrap
    columns = {
        "metric": [row.metric for row in rows],
        ".632+": [score(row.value) for row in rows],
        "on training rows": [score(row.resubstitution) for row in rows],
        "out of bag": [score(row.out_of_bag) for row in rows],
        "no information": [score(row.no_information) for row in rows],
        "overfitting": [number(row.overfitting) for row in rows],
        "weight": [number(row.weight) for row in rows],
    }
    return Table(columns, left=LEFT, title=title)


def _folds(folds: Sequence[FoldEstimate], title: str) -> Table:
    columns = {}
    if len({fold.repeat for fold in folds}) > 1:
        columns["repeat"] = [str(fold.repeat) for fold in folds]
    if len({fold.fold for fold in folds}) > 1:
        columns["fold"] = [str(fold.fold) for fold in folds]
    columns["training rows"] = [f"{fold.n_train:,}" for fold in folds]
    columns["test rows"] = [f"{fold.n_test:,}" for fold in folds]
    for metric in folds[0].values:
        columns[metric] = [score(fold.values[metric]) for fold in folds]
    if folds[0].params is not None:
        columns["chosen"] = [params_text(fold.params or {}) for fold in folds]
    return Table(columns, left=LEFT, title=title)


def _choices(one: ModelEstimate, of: str) -> str:
    """Say which hyper-parameters were chosen how often."""
    folds = len(one.folds)
    first = params_text(one.choices[0]["params"])
    if folds == 1:
        return f"Selected{of}: {first}."
    if one.agree:
        return f"Selected in all {folds:,} training parts{of}: {first}."
    texts = "; ".join(
        f"{params_text(choice['params'])} ({choice['folds']:,})" for choice in one.choices
    )
    return (
        f"The selected hyper-parameters vary between the {folds:,} training parts{of}: {texts}. "
        "The metrics are of selection and fitting together."
    )


def params_text(params: Mapping[str, Any]) -> str:
    """Return hyper-parameters as they are typed.

    >>> params_text({"C": 0.1, "penalty": "l2"})
    'C = 0.1, penalty = l2'
    """
    return ", ".join(f"{name} = {value}" for name, value in params.items())
