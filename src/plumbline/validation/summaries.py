"""The values of every fold, their means and deviations."""

import dataclasses
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.checkpoints import Key
from plumbline.errors import InputError
from plumbline.metrics import MEANS, Metric, metric_value
from plumbline.predictions import Predictions
from plumbline.predictions.labels import Array
from plumbline.validation.bootstrap_632 import no_information_loss, out_of_bag_weights, point_632
from plumbline.validation.estimators import table_of
from plumbline.validation.fitting import Work, choice_of, prediction_table
from plumbline.validation.results import (
    ONE_PART,
    BootstrapEstimate,
    FoldEstimate,
    MetricEstimate,
    ModelEstimate,
)

Choices: TypeAlias = tuple[dict[str, Any], ...]

MEAN_LOSSES = {"error-rate", *MEANS}  # means over rows, so there is a .632+ estimate


def model_estimate(
    work: Work,
    blocks: Mapping[Key, Mapping[str, Array]],
    number: int,
    *,
    name: str,
    metrics: Sequence[Metric],
    final: Any = None,
) -> ModelEstimate:
    """Return what the finished work says of one model."""
    data = prediction_table(work, blocks, {number: name})
    folds = tuple(_folds(work, blocks, number, data, metrics))
    choices, agree = _choices(folds)
    whole = blocks.get((number, len(work.splits)))
    return ModelEstimate(
        model=name,
        summary=tuple(_summary(metric, folds, data) for metric in metrics),
        folds=folds,
        choices=choices,
        agree=agree,
        bootstrap=() if whole is None else tuple(_bootstrap(work, data, whole, metrics)),
        predictions=data,
        final=final,
    )


# ---------------------------------------------------------------- fold by fold


def _folds(
    work: Work,
    blocks: Mapping[Key, Mapping[str, Array]],
    number: int,
    data: Predictions,
    metrics: Sequence[Metric],
) -> Iterator[FoldEstimate]:
    for place, (split, rows) in enumerate(zip(work.splits, _slices(work), strict=True)):
        part = data.select(where=rows)
        values, reasons = {}, {}
        for metric in metrics:
            values[metric.name], reason = valued(metric, part)
            if reason is not None:
                reasons[metric.name] = reason
        yield FoldEstimate(
            repeat=split.repeat,
            fold=split.fold,
            n_train=split.n_train,
            n_test=len(split.test),
            values=values,
            params=choice_of(blocks[number, place]),
            reasons=reasons,
        )


def _slices(work: Work) -> Iterator[NDArray[np.intp]]:
    """Yield the places of every test part in a table of one model."""
    ends = np.cumsum([len(split.test) for split in work.splits])
    for split, end in zip(work.splits, ends, strict=True):
        yield np.arange(end - len(split.test), end)


def valued(metric: Metric, data: Predictions) -> tuple[float, str | None]:
    """Return a metric, and why it is missing or not finite."""
    try:
        value = metric_value(metric, data)
    except InputError as error:
        return math.nan, str(error)
    return value, metric.why(value)


def _choices(folds: Sequence[FoldEstimate]) -> tuple[Choices, bool | None]:
    """Return the different hyper-parameters with their number of folds, and whether all agree."""
    if folds[0].params is None:
        return (), None
    counts = Counter(json.dumps(fold.params) for fold in folds)
    choices = tuple({"params": json.loads(text), "folds": n} for text, n in counts.most_common())
    return choices, len(choices) == 1


# ---------------------------------------------------------------- over the folds


def _summary(metric: Metric, folds: Sequence[FoldEstimate], data: Predictions) -> MetricEstimate:
    values = np.array([fold.values[metric.name] for fold in folds])
    pooled, why_pooled = valued(metric, data)
    finite, several = bool(np.isfinite(values).all()), len(values) > 1
    reason = _why_missing(metric.name, folds) or why_pooled
    if reason is None and not several:
        reason = ONE_PART
    return MetricEstimate(
        metric=metric.name,
        mean=float(values.mean()),
        deviation=float(values.std(ddof=1)) if finite and several else math.nan,
        least=float(values.min()),
        most=float(values.max()),
        pooled=pooled,
        reason=reason,
    )


def _why_missing(metric: str, folds: Sequence[FoldEstimate]) -> str | None:
    """Say in how many folds a metric has no finite value, and why in the first of them."""
    missing = [fold.reasons[metric] for fold in folds if metric in fold.reasons]
    if not missing:
        return None
    if len(missing) == len(folds):
        return missing[0]
    return f"in {len(missing):,} of {len(folds):,} test parts {missing[0]}"


# ---------------------------------------------------------------- bootstrap


def _bootstrap(
    work: Work, data: Predictions, whole: Mapping[str, Array], metrics: Sequence[Metric]
) -> Iterator[BootstrapEstimate]:
    """Yield the .632+ estimate of every mean over rows that was asked for."""
    rows = work.rows
    trained = table_of(rows.codes, _answers(whole), rows.classes, positive=work.rows.positive)
    for metric in metrics:
        if metric.name in MEAN_LOSSES and metric.serves(data):
            yield _point(work, metric, data, trained)


def _answers(block: Mapping[str, Array]) -> dict[str, Array]:
    return {kind: values for kind, values in block.items() if kind != "choice"}


def _point(
    work: Work, metric: Metric, data: Predictions, trained: Predictions
) -> BootstrapEstimate:
    weight = out_of_bag_weights(np.concatenate([split.test for split in work.splits]))
    own = metric_value(metric, trained)
    out = metric_value(metric, dataclasses.replace(data, weight=weight))
    right = metric.name == "accuracy"
    none = no_information_loss("error-rate" if right else metric.name, trained)
    none = 1 - none if right else none
    result = point_632(own, out, no_information=none, better=metric.better)
    return BootstrapEstimate(
        metric=metric.name,
        resubstitution=own,
        out_of_bag=out,
        no_information=none,
        overfitting=result.overfitting,
        weight=result.weight,
        value=result.value,
        reason=metric.why(result.value),
    )
