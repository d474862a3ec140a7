"""What a report says of one model's curves: how it ranks rows, and where to put a threshold."""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plumbline._result import Detail, Note, Presentation, Result
from plumbline.curves import (
    PRESETS,
    BestThreshold,
    CheapestPoint,
    Curve,
    ShownCurve,
    areas_of_classes,
    average_precision,
    cheapest_points,
    curve,
    roc_auc,
    roc_auc_interval,
)
from plumbline.curves.best_threshold import best_threshold
from plumbline.errors import InputError
from plumbline.formatting import beside, interval, number, sentence
from plumbline.metrics import measure
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed
from plumbline.reporting.gallery import MOST_ROWS

OF_TWO = (
    "roc",
    "precision-recall",
    "gains",
    "cost",
    "accuracy",
)  # curves where there are two classes
SHARES = (0.1, 0.2, 0.5)  # of rows accepted, for which the report says what is found
ANSWERS = (
    "the table holds answers and no ratings, which are a single point of any curve; add one column "
    "p:<class> per class, or a score"
)


@dataclass(frozen=True, repr=False, eq=False)
class ModelCurves(Result):
    """How well one model ranks rows, and where its accuracy is highest.

    Attributes
    ----------
    target : of two classes, the one that is to be found; else None
    auc, average_precision : areas under the ROC and the precision-recall curve; of more than two
        classes their plain means over the classes against the rest
    auc_range : 95 % confidence interval of the area; None where there is none
    prevalence : share of the target class, which is the precision of choosing at random
    found : which share of the target class is among the best-rated rows: "accepted", "found"
    classes : of more than two, "class", "auc" and "average_precision" of each against the rest
    best : the threshold of the highest accuracy, with its plateau
    cheapest : that of the lowest cost on the cost curve that is drawn, of two classes
    curves : preset -> what is shown of the curve; of more than two classes the ROC curve of each
        that is shown
    reason : why there are no curves
    """

    target: str | None = None
    auc: float = math.nan
    average_precision: float = math.nan
    auc_range: tuple[float, float] | None = None
    prevalence: float = math.nan
    found: Sequence[Mapping[str, float]] = ()
    classes: Sequence[Mapping[str, Any]] = ()
    best: BestThreshold | None = None
    cheapest: CheapestPoint | None = None
    curves: Mapping[str, ShownCurve] = field(default_factory=dict, metadata={"hidden": True})
    reason: str | None = None

    def present(self) -> Presentation:
        """Return how well the rows are ranked, and where the accuracy is highest."""
        if self.reason is not None:
            return Presentation(notes=(Note(sentence(self.reason), "no-curves"),))
        of = "" if self.target is not None else ", mean of the classes"
        details = [Detail("auc", f"AUC{of}", beside(self.auc, self.auc_range))]
        if self.auc_range is not None:
            details.append(Detail("auc_range", "95 % CI", interval(self.auc_range)))
        precision = number(self.average_precision)
        details.append(Detail("average_precision", f"average precision{of}", precision))
        best = Presentation() if self.best is None else self.best.present()
        return dataclasses.replace(best, details=(*details, *best.details))


def model_curves(
    data: Predictions, shown: Sequence[str], *, rng: Seed, progress: Progress | None
) -> ModelCurves:
    """Return the curves of one model; of more than two classes those of the classes `shown`.

    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> result = model_curves(data, ["1"], rng=0, progress=None)
    >>> result.auc, result.best.threshold, list(result.curves)
    (0.75, 0.9, ['roc', 'precision-recall', 'gains', 'cost', 'accuracy'])
    """
    if data.prob is None and data.score is None:
        return ModelCurves(reason=ANSWERS)
    if data.k > 2:
        return _of_many(data, shown)
    target = data.classes[data.positive]
    roc, gains = (curve(data, name, target=target) for name in ("roc", "gains"))
    (rows,) = gains.lines
    found = [{"accepted": share, "found": rows.y_at(share)} for share in SHARES]
    prevalence = rows.positives / (rows.positives + rows.negatives)
    cheapest = _cheapest(roc)
    shown_curves = {
        "roc": ShownCurve.of(roc, most=MOST_ROWS),
        "gains": ShownCurve.of(gains, most=MOST_ROWS),
    }
    del roc, gains, rows  # before the others are made: of many rows each takes 40 MB
    for name in OF_TWO:
        if name not in shown_curves:
            shown_curves[name] = ShownCurve.of(curve(data, name, target=target), most=MOST_ROWS)
    return ModelCurves(
        target=target,
        auc=roc_auc(data),
        average_precision=average_precision(data),
        auc_range=_auc_range(data, f"one-vs-rest:{target}"),
        prevalence=prevalence,
        found=found,
        cheapest=cheapest,
        best=best_threshold(data, "CA", target=target, rng=rng, progress=progress),
        curves={name: shown_curves[name] for name in OF_TWO},
    )


def _cheapest(roc: Curve) -> CheapestPoint:
    """Return where errors cost least, at the costs of the preset whose curve is drawn."""
    costs = PRESETS["cost"].params
    (point,) = cheapest_points(roc, fp=costs["fp_cost"], fn=costs["fn_cost"])
    return point


def _of_many(data: Predictions, shown: Sequence[str]) -> ModelCurves:
    """Return the ROC curves of the classes against the rest, and the areas of all of them."""
    whole = curve(data, "roc", multiclass="per-class")
    lines = tuple(line for line in whole.lines if line.target in shown)
    areas = areas_of_classes(data)
    return ModelCurves(
        auc=areas.auc,
        average_precision=areas.average_precision,
        auc_range=_auc_range(data, "classwise"),
        classes=areas.classes,
        curves={"roc": ShownCurve.of(dataclasses.replace(whole, lines=lines), most=MOST_ROWS)},
    )


def _auc_range(data: Predictions, view: str) -> tuple[float, float] | None:
    """Return the confidence interval of the area, None where there is none."""
    try:
        if data.k == 2:
            return roc_auc_interval(data, target=view.partition(":")[2]).interval_range
        found = measure(data, "roc-auc", view=view, interval=True, resamples=0)
    except InputError:
        return None
    return found.measures[0].interval_range
