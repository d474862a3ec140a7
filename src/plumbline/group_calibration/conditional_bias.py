"""Conditional bias: the mean of outcome minus probability, along a feature."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline._checks import open_fraction, whole_number
from plumbline._result import Note, Presentation, Result, Table
from plumbline.binning import Cut, Grouping, attributes_of, grouping
from plumbline.binning.groups import MOST_GROUPS, numbers_of
from plumbline.calibration import Wide
from plumbline.calibration_errors import CrossTables, Events, biases, central_range, tails_of
from plumbline.calibration_errors.group_sums import (
    BIAS,
    TableStatistic,
    columns_of_bias,
    columns_of_interval,
)
from plumbline.calibration_errors.outcome_share import standardised
from plumbline.dependence import RowGroups, group_details, group_notes, row_groups_in
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import interval, percentage, quoted, view_words
from plumbline.nulls import resampled
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress, with_shares
from plumbline.random_streams import Seed
from plumbline.verdicts import LEVEL, bias_verdict, members_verdict, p_value_text

CUT = "equal-size:10"


@dataclass(frozen=True, repr=False, eq=False)
class ConditionalBias(Result):
    """Where along a feature the probabilities are too high or too low.

    Attributes
    ----------
    feature : its name; number : whether it was cut into bins; view : the binary view
    level : of the intervals and of the band
    verdict : the answer in one sentence, of all models
    models : one row per model: model (None where the table has one), n, value, p_value, verdict;
        the value is the largest abs(z) of all bins, and its p-value is for all bins at once
    bins : one row per bin and model: model, group, n, effective_n, feature_mean (None of a
        category), mean_probability, outcome_share, bias (positive: the probabilities are too low),
        bias_low, bias_high (its confidence interval), bias_p_value (of this bin alone), band_low,
        band_high (range of the bias with probability `level` if calibrated)
    row_groups : how much the rows of its groups depend; None where they are in none
    """

    feature: str
    number: bool
    view: str
    level: float
    resamples: int
    models: Sequence[dict[str, Any]]
    bins: Sequence[dict[str, Any]]
    verdict: str
    row_groups: RowGroups | None = None

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the bins."""
        return self.bins

    def present(self) -> Presentation:
        """Return whether and where the probabilities are biased, and every bin."""
        rows, several = self.bins, len(self.models) > 1
        columns = {"model": [str(row["model"]) for row in rows]} if several else {}
        percent = percentage(self.level)
        columns |= {
            "group": [str(row["group"]) for row in rows],
            "rows": [f"{row['n']:,}" for row in rows],
            **columns_of_bias(rows),
            **columns_of_interval(rows, self.level),
            f"{percent} range if calibrated": [
                interval((r["band_low"], r["band_high"])) for r in rows
            ],
        }
        notes = (Note(f"{row['model']}: {row['verdict']}", "model") for row in self.models)
        return Presentation(
            subject=f"Along {self.feature}, {view_words(self.view)}",
            summary=self.verdict,
            tone="bad" if any(row["p_value"] <= LEVEL for row in self.models) else "open",
            details=group_details(self.row_groups),
            notes=(*(notes if several else ()), *group_notes(self.row_groups)),
            tables=(Table(columns, left=("model", "group")),),
            legend=(BIAS,),
        )


def conditional_bias(
    data: Predictions,
    feature: str,
    *,
    cuts: Cut | None = None,
    view: str | None = None,
    level: float = 0.95,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ConditionalBias:
    """Measure the bias sum w (y - p) / sum w in bins of a feature, for every model.

    A calibrated classifier has bias 0 given its score; one that uses all information in the feature
    also has bias 0 given the feature (conditional, or auto-calibration). Missing values are a
    separate bin. All models have the same bins.

    Each bin has a confidence interval of its bias (see `calibration_by`) and a consistency band:
    the range of the bias of labels drawn from the predictions. Both are for one bin. The p-value of
    the largest abs(z), z = sum w (y - p) / sqrt(sum w^2 p (1 - p)), is for all bins at once.

    Parameters
    ----------
    data : Predictions
        The predictions of one model or of several, with probabilities and attributes.
    feature : str
        The name of an attribute.
    cuts : str or sequence of numbers, optional
        How a number with more than 10 distinct values is cut: by default into ten bins of equal
        weight; "edges:18", "equal-width:5", [18, 65].
    view : str, optional
        A binary view, as in `calibration_error`.
    level : float, default 0.95
        Of the intervals and of the bands.
    resamples : int, default 999
        Draws of the labels from the predictions.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    ConditionalBias
        The bias in every bin of the feature, with its interval.

    Raises
    ------
    ParameterError
        For an unknown feature, view or cut.
    InputError
        For more than 50 bins.

    References
    ----------
    Fissler, Lorentzen and Mayer (2022), "Model comparison and calibration assessment", whose bias
    has the opposite sign.

    Examples
    --------
    >>> age = list(range(20, 60)) * 5
    >>> y = [a >= 40 for a in age]
    >>> data = Predictions.from_arrays(y, [0.5] * 200, attributes={"age": age})
    >>> bias = conditional_bias(data, "age", cuts="edges:40", resamples=99)
    >>> [(row["group"], round(row["bias"], 3)) for row in bias.rows()]
    [('<= 40', -0.452), ('> 40', 0.5)]
    >>> bias.models[0]["p_value"]
    0.01
    >>> bias.verdict.partition(",")[0]
    'Biased: predictions too low for > 40 (p ≤ 0.01 over all groups).'
    """
    name, groups = _feature_groups(only_predictions(data), feature, cuts)
    inside = open_fraction("level", level)
    draws = whole_number("resamples", resamples, least=1)
    models: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    parts = list(_models(data))
    for (model, place), share in with_shares(parts, progress):
        model_bins = _ModelBins.of(data, place, groups, view)
        what = TableStatistic(model_bins.tables.of_fewer_rows(), lambda sums: sums[0][:, 0])
        drawn = resampled(what, draws, rng, workers=workers, progress=share)
        result = {"model": model, "n": model_bins.n}
        models.append(result | model_bins.answer(drawn, draws))
        rows += [{"model": model} | row for row in model_bins.rows(drawn, inside)]
    return ConditionalBias(
        feature=name,
        number=groups.number,
        view=model_bins.events.view,
        level=inside,
        resamples=draws,
        models=models,
        bins=rows,
        verdict=_verdict(name, models),
        row_groups=row_groups_in(data),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _ModelBins:
    """One model's rows, each in a bin of the feature.

    Attributes
    ----------
    n : rows; names : of the bins; values : (n,) the feature as a number, or None
    home : (n,) bin of every row; tables : the sums of outcomes as a function of the labels
    expected, variance, weight : (bins,) sums of w p, of w^2 p (1 - p) and of w
    """

    events: Events
    n: int
    names: tuple[str, ...]
    values: Wide | None
    tables: CrossTables
    expected: Wide
    variance: Wide
    weight: Wide

    @classmethod
    def of(cls, data: Predictions, rows: Any, groups: Grouping, view: str | None) -> "_ModelBins":
        """Return the rows of one model."""
        own = data.select(where=rows)
        events = Events.of(own, view, "a conditional bias")
        row = rows[events.row]
        full, home = np.unique(groups.code[row], return_inverse=True)
        numbers = numbers_of(data.attributes[groups.attribute])
        values = None
        if groups.number and numbers is not None and numbers.dtype.kind == "f":
            values = numbers[row]
        w, p, q = events.weight, events.prob[:, 1], events.prob[:, 0]
        parts = (np.bincount(home, s, len(full)) for s in (w * p, events.square * p * q, w))
        sums = [np.asarray(part, np.float64) for part in parts]
        tables = CrossTables(
            prob=events.prob,
            actual=events.observed.astype(np.int32),
            weight=w,
            codes=home[None].astype(np.int32),
            levels=(len(full),),
            crossed=((0,),),
            counted=events.counted,
            groups=events.groups,
        )
        return cls(events, own.total, tuple(groups.names[j] for j in full), values, tables, *sums)

    def z(self, hits: Wide) -> Wide:
        """Return (bins, draws) standardised biases of as many sums of outcomes."""
        columns = (part[:, None] for part in (self.expected, self.variance, self.weight))
        expected, variance, weight = columns
        return standardised(hits - expected, variance, weight)

    def answer(self, drawn: Wide, draws: int) -> dict[str, Any]:
        """Return the largest abs(z), its p-value and what they say."""
        z = self.z(self.tables.observed()[0][:, 0])[:, 0]
        worst = int(np.abs(z).argmax())
        p_value = tails_of(np.abs(self.z(drawn)).max(axis=0), abs(z[worst]))[0]
        verdict = bias_verdict(
            p_value,
            f"{p_value_text(p_value, draws, 'greater')} over all groups",
            low=bool(z[worst] > 0),
            where=f"for {self.names[worst]}",
        )
        return {"value": float(abs(z[worst])), "p_value": p_value, "verdict": verdict}

    def rows(self, drawn: Wide, level: float) -> Iterator[dict[str, Any]]:
        """Yield the bins."""
        home = self.tables.codes[0]
        low, high = central_range((drawn - self.expected[:, None]) / self.weight[:, None], level)
        result = biases(self.events, home, len(self.names), level=level)
        mean: list[float | None] = [None] * len(self.names)
        if self.values is not None:
            sums = np.bincount(home, self.events.weight * self.values, len(self.names))
            mean = [None if np.isnan(m) else float(m) for m in sums / self.weight]
        for j, (name, row) in enumerate(zip(self.names, result, strict=True)):
            band = {"band_low": float(low[j]), "band_high": float(high[j])}
            yield {"group": name, "feature_mean": mean[j]} | row | band


def _verdict(feature: str, models: Sequence[dict[str, Any]]) -> str:
    """Return what one model's bins say, or which of several models are biased."""
    if len(models) == 1:
        return str(models[0]["verdict"])
    return members_verdict(
        "model",
        [str(row["model"]) for row in models],
        [row["p_value"] for row in models],
        adjusted=False,
        fault=(f"bias along {feature}", f"Biased along {feature}"),
    )


def _feature_groups(data: Predictions, feature: str, cuts: Cut | None) -> tuple[str, Grouping]:
    names = attributes_of(data, feature)
    if len(names) != 1:
        raise ParameterError(
            f"a conditional bias needs one feature, got {len(names)}; for groups of several "
            "attributes use calibration_by",
            code="several-features",
        )
    result = grouping(data, names[0], cut=cuts, usual=CUT)
    if len(result.names) > MOST_GROUPS:
        raise InputError(
            f"{quoted(names[0])} has {len(result.names):,} bins, more than {MOST_GROUPS}; ask for "
            "fewer with `cuts`, or put its categories into a few groups",
            code="too-many-groups",
        )
    if cuts is not None and not result.number:
        raise ParameterError(
            f"`cuts` cuts numbers, but {quoted(names[0])} holds categories; leave it out",
            code="cuts-of-no-numbers",
        )
    return names[0], result


def _models(data: Predictions) -> Iterator[tuple[str | None, Any]]:
    """Yield the name and the row numbers of every model."""
    if data.model is None:
        yield None, np.arange(data.stored)
        return
    for code, name in enumerate(data.model.names):
        yield name, np.flatnonzero(data.model.codes == code)
