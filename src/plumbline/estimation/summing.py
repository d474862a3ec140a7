"""From prediction tables to the values of every fold, their means and deviations."""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.blocks import Key
from plumbline.catalogue import Metric
from plumbline.catalogue.values import metric_value
from plumbline.errors import InputError
from plumbline.estimation.answers import (
    ONE_PART,
    BootstrapEstimate,
    FoldEstimate,
    MetricEstimate,
    ModelEstimate,
)
from plumbline.estimation.asking import table_of
from plumbline.estimation.bootstrap632 import no_information_loss, out_of_bag_loss, point_632
from plumbline.estimation.running import Work, choice_of
from plumbline.estimation.tables import prediction_table
from plumbline.predictions import Predictions
from plumbline.predictions.labels import Array

Floats = NDArray[np.float64]

MEAN_LOSSES = ("accuracy", "error-rate", "brier-score", "log-loss")


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
    folds = list(_folds(work, blocks, number, data, metrics))
    choices, agree = _choices(folds)
    whole = blocks.get((number, len(work.splits)))
    return ModelEstimate(
        model=name,
        summary=[_summary(metric, folds, data) for metric in metrics],
        folds=folds,
        choices=choices,
        agree=agree,
        bootstrap=[] if whole is None else list(_bootstrap(work, data, whole, metrics)),
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
            n_train=len(split.train),
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


def _choices(folds: Sequence[FoldEstimate]) -> tuple[list[dict[str, Any]], bool | None]:
    """Return the different hyper-parameters with their number of folds, and whether all agree."""
    if folds[0].params is None:
        return [], None
    texts = Counter(json.dumps(fold.params) for fold in folds)
    choices = [{"params": json.loads(text), "folds": n} for text, n in texts.most_common()]
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
    """Yield the .632+ estimate of every mean loss that was asked for."""
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
    loss = row_losses(metric.name, data)
    parts = (
        (split.test, loss[place]) for split, place in zip(work.splits, _slices(work), strict=True)
    )
    own = float(row_losses(metric.name, trained).mean())
    out = out_of_bag_loss(parts, work.rows.n)
    name = "error-rate" if metric.name == "accuracy" else metric.name
    none = no_information_loss(name, trained)
    if metric.name == "accuracy":
        own, out, none = 1 - own, 1 - out, 1 - none
    found = point_632(own, out, no_information=none, better=metric.better)
    return BootstrapEstimate(
        metric=metric.name,
        resubstitution=own,
        out_of_bag=out,
        no_information=none,
        overfitting=found.overfitting,
        weight=found.weight,
        value=found.value,
        reason=metric.why(found.value),
    )


def row_losses(name: str, data: Predictions) -> Floats:
    """Return the loss of every row; of accuracy, that of the error rate."""
    if name in ("accuracy", "error-rate"):
        return np.asarray(data.predicted != data.actual, np.float64)
    prob = data.need_prob(name).astype(np.float64)
    own: Floats = prob[np.arange(data.n), data.actual]
    if name == "log-loss":
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(own))
    return np.asarray(np.square(prob).sum(axis=1) - 2 * own + 1)
