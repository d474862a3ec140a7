"""Any metrics of any models and groups, each beside its null."""

from collections.abc import Iterator, Sequence
from typing import Any

from plumbline._checks import checked_draws
from plumbline.binning import Binning, group_rows
from plumbline.calibration import OwnDistance
from plumbline.calibration_tests.subject import Ask, warn_of_copies
from plumbline.metrics.catalogue import USUAL, Metric, check_question, metric_named, metrics_named
from plumbline.metrics.evaluation.answers import Measure, Measures
from plumbline.metrics.evaluation.parts import Chance, Part, measures_of
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress, share_of
from plumbline.random_streams import Seed, entropy_of


def measure(
    data: Predictions,
    metrics: str | Sequence[str] | None = None,
    *,
    view: str | None = None,
    bins: str | Binning | None = None,
    distance: str | OwnDistance | None = None,
    norm: float | str | None = None,
    representative: str | None = None,
    threshold: float | None = None,
    outcome: str | None = None,
    like: str | None = None,
    score: Any = None,
    by: str | Sequence[str] | None = None,
    interval: bool = False,
    level: float = 0.95,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Measures:
    """Measure any metrics by name, each beside what true probabilities would score on these rows.

    `metrics` is a name of the catalogue (`list_names()`), a list of them, or None for the usual
    dozen. `view`, `bins`, `distance`, `norm`, `representative`, `threshold`, `outcome`, `like` (as
    in `calibration_error`) and `score` (of miscalibration, discrimination and uncertainty) go to
    every metric that takes them. Every model of the table is measured; `by` splits the rows further
    into groups of an attribute (a number of many values into four of equal size).

    The null holds the predictions fixed and draws every row's label from its own probabilities
    (Vaicenavicius et al. 2019): `null_mean`, `null_range` (95 %), `excess` = value - null mean and
    a two-sided `p_value`; `resamples=0` leaves it out. The p-values are each metric's own, not
    adjusted for their number. `interval=True` adds an interval of coverage `level` for the value
    that endless labels of these rows would give.

    Raises ParameterError for an unknown name or an argument that none of the metrics takes,
    InputError for a table that lacks what a metric needs. Rates of decisions need predicted labels
    alone and rankings ratings alone, both then without a null; neither has an interval here.

    >>> data = Predictions.from_arrays([0, 1, 1, 1, 1], [0.55, 0.45, 0.91, 0.86, 0.96])
    >>> found = measure(data, ["brier-score", "ece"], bins="equal-width:5", resamples=99)
    >>> round(found["ece"].value, 3)
    0.054
    >>> print(measure(data, "brier-score", resamples=0))
    metric       view           rows  value
    brier-score  one-vs-rest:1     5  0.127
    """
    asked = Ask(
        view=view,
        bins=bins,
        distance=distance,
        outcome=outcome,
        like=like,
        norm=norm,
        representative=representative,
        threshold=threshold,
        score=score,
    )
    rows = _rows(only_predictions(data), metrics, asked)
    sure = checked_draws(resamples, level, interval=interval)
    chance = Chance(resamples, entropy_of(rng), workers, interval, sure)
    if resamples:
        warn_of_copies(data)
    parts = list(parts_of(data, by))
    found: list[Measure] = []
    for turn, part in enumerate(parts):
        bar = share_of(progress, turn / len(parts), (turn + 1) / len(parts))
        found += measures_of(part, rows, asked=asked, chance=chance, progress=bar)
    name = by if by is None or isinstance(by, str) else ",".join(by)
    return Measures(name, level, tuple(found))


def _rows(data: Predictions, metrics: str | Sequence[str] | None, asked: Ask) -> tuple[Metric, ...]:
    """Return the metrics that were asked for, or the usual ones that the table and view allow."""
    if metrics is not None:
        rows = metrics_named(metrics)
    else:
        kind = None if asked.view is None else asked.view.partition(":")[0]
        usual = (metric_named(name) for name in USUAL)
        rows = tuple(
            row
            for row in usual
            if row.serves(data) and (kind is None or "view" not in row.takes or kind in row.views)
        )
    check_question(rows, asked)
    for row in rows or (metric_named(USUAL[0]),):
        row.need(data)
    return rows


def parts_of(data: Predictions, by: str | Sequence[str] | None) -> Iterator[Part]:
    """Yield the rows of every model, or of every group of it, one after the other."""
    if by is None:
        yield from (Part(model, None, rows) for model, rows in data.by_model().items())
        return
    groups = {name: data.select(where=rows).by_model() for name, rows in group_rows(data, by)}
    for model in data.by_model():
        for name, models in groups.items():
            if model in models:
                yield Part(model, name, models[model])
