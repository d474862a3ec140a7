"""The best thresholds that a curve's settings ask for, model by model."""

from collections.abc import Mapping
from typing import Literal

from plumbline.curves.optimum.choice import best_threshold
from plumbline.curves.optimum.result import BestThreshold
from plumbline.curves.recipe import params_for
from plumbline.curves.settings import CurveSettings
from plumbline.predictions import Predictions
from plumbline.progress import Progress, share_of


def settings_without_best(settings: CurveSettings) -> str | None:
    """Return the name of the setting that leaves a curve without one best threshold, else None."""
    for name, wrong in (
        ("multiclass", settings.multiclass is not None),
        ("unsorted", settings.direction == "unsorted"),
        ("average none", settings.average == "none"),
    ):
        if wrong:
            return name
    return None


def best_thresholds(
    data: Predictions,
    settings: CurveSettings,
    *,
    goal: Literal["max", "min"],
    subject_to: str | None = None,
    progress: Progress | None = None,
) -> Mapping[str | None, BestThreshold]:
    """Return the best threshold of y, of the rows as a curve of settled settings sorts them.

    By model; {None: ...} where the table has no `model` column. Raises what `best_threshold` does.
    """
    parts = data.by_model()
    step = 1 / len(parts)
    return {
        model: best_threshold(
            part,
            settings.y,
            goal=goal,
            subject_to=subject_to,
            sort_by=settings.sort_by,
            where=settings.where,
            target=settings.target,
            params=params_for(
                settings.params, settings.y, subject_to, settings.sort_by, settings.where
            ),
            level=settings.level,
            resamples=settings.resamples,
            rng=settings.seed or 0,
            progress=share_of(progress, place * step, (place + 1) * step),
        )
        for place, (model, part) in enumerate(parts.items())
    }
