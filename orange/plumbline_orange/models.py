"""Orange models made of Plumbline's maps and thresholds; they pickle and predict as others do."""

from typing import Any

import numpy as np
from Orange.base import Learner, Model
from Orange.classification import ThresholdClassifier
from Orange.classification.base_classification import LearnerClassification, ModelClassification
from Orange.data import Domain, Table
from Orange.data.table import DomainTransformationError
from Orange.evaluation import CrossValidation, Results

import plumbline as pb

PARTS = 5  # of the rows of a learner, as of the advice


class RecalibratedModel(ModelClassification):
    """A model whose probabilities go through a map; its class is that of the original model.

    Attributes
    ----------
    base_model : the original model
    recalibration : the map, fitted on rows that the model was not fitted on
    """

    def __init__(self, base_model: Model, recalibration: pb.RecalibrationMap) -> None:
        super().__init__(base_model.domain, base_model.original_domain)
        self.name = f"{getattr(base_model, 'name', 'model')} (recalibrated)"
        self.base_model = base_model
        self.recalibration = recalibration

    def predict_storage(self, data: Any) -> tuple[Any, Any]:
        """Return (n,) places of the classes and (n, k) probabilities; NaN where the model has none.

        `data` is of the model's own domain, so both models order the classes alike.
        """
        before = self.base_model(data, ret=Model.Probs)
        known = ~np.isnan(before).any(axis=1)
        names = self.domain.class_var.values
        given = [names.index(name) for name in self.recalibration.classes]
        back = [self.recalibration.classes.index(name) for name in names]
        after = np.full(before.shape, np.nan)
        if known.any():
            after[known] = self.recalibration.transform(before[known][:, given])[:, back]
        values = np.where(known, np.argmax(np.where(known[:, None], after, 0), axis=1), np.nan)
        return values, after


class RecalibratedLearner(LearnerClassification):
    """Fits a learner on all rows, and its map on predictions of rows that were left out.

    Attributes
    ----------
    base_learner : the original learner
    method : "auto", or the name of a method of recalibration
    parts : in how many the rows are dealt; each is predicted by a model of the others
    """

    __returns__ = RecalibratedModel

    def __init__(self, base_learner: Learner, method: str = "auto", parts: int = PARTS) -> None:
        super().__init__()
        self.base_learner = base_learner
        self.method = method
        self.parts = parts
        self.name = f"{base_learner.name} (recalibrated)"

    def incompatibility_reason(self, domain: Domain) -> str | None:
        """Return why the original learner, or a map, cannot be fitted; None where both can."""
        return super().incompatibility_reason(domain) or self.base_learner.incompatibility_reason(
            domain
        )

    def fit_storage(self, data: Table) -> RecalibratedModel:
        """Return the model of all rows with the map of their cross-validated predictions."""
        results = CrossValidation(k=self.parts)(data, [self.base_learner])
        if results.failed[0]:
            raise results.failed[0]
        fitted = pb.recalibrate(pb.Predictions.from_orange(results), self.method)
        return RecalibratedModel(self.base_learner(data), fitted)


def complete_variables(data: Table) -> list[str]:
    """Return the names of the features and metas that have a value in every row."""
    variables = (*data.domain.attributes, *data.domain.metas)
    return [one.name for one in variables if "?" not in _values(data, one.name)]


def _values(data: Table, name: str) -> list[str]:
    """Return the values of a variable as texts, "?" where there is none."""
    variable = data.domain[name]
    return [variable.str_val(value) for value in data.get_column(variable)]


def held_out_predictions(model: Model, data: Table, *, groups: str = "") -> pb.Predictions:
    """Return what a model predicts of the rows of a table, in the model's order of the classes.

    `groups`: the variable that says which rows belong together.

    Raises `plumbline.InputError` where the model does not predict classes or the rows have none.
    """
    target = class_of(model)
    if data.domain.class_var is None or data.domain.class_var.name != target.name:
        raise pb.InputError(
            f"the data need the model's class variable '{target.name}'", code="no-class-variable"
        )
    own = data.transform(Domain(data.domain.attributes, target, data.domain.metas))
    try:
        prob = model(own, Model.Probs)
    except (DomainTransformationError, ValueError) as error:
        name = getattr(model, "name", "model")
        raise pb.InputError(
            f"'{name}' cannot predict the data: {error}", code="wrong-kind"
        ) from error
    known = ~np.isnan(own.Y) & ~np.isnan(prob).any(axis=1)
    if not known.any():
        raise pb.InputError("no row of the data has a class and probabilities", code="empty")
    names = np.array(target.values, dtype=object)
    together = np.array(_values(data, groups), dtype=object)[known] if groups else None
    return pb.Predictions.from_arrays(
        names[own.Y[known].astype(int)],
        prob[known],
        classes=list(target.values),
        weight=own.W.ravel()[known] if own.has_weights() else None,
        model=np.full(int(known.sum()), str(getattr(model, "name", "model")), dtype=object),
        groups=together,
        **_examples(data.ids[known]),
    )


def _examples(ids: Any) -> dict[str, Any]:
    """Return which example each row is, and which of its copies: a sample may repeat rows."""
    _, row = np.unique(ids, return_inverse=True)
    order = np.argsort(row, kind="stable")
    starts = np.flatnonzero(np.diff(row[order], prepend=-1))
    repeat = np.empty(len(row), int)
    repeat[order] = np.arange(len(row)) - np.repeat(starts, np.diff(starts, append=len(row)))
    return {"row": row, "repeat": repeat} if repeat.any() else {"row": row}


def rows_fitted_on(model: Model, data: Table) -> int:
    """Return how many rows of a table the model was fitted on, as far as it still holds them."""
    fitted = getattr(model, "original_data", None)
    return 0 if fitted is None else int(np.isin(data.ids, fitted.ids).sum())


def class_of(model: Model) -> Any:
    """Return the class variable of a model; `plumbline.InputError` where it predicts no class."""
    target = model.domain.class_var
    if target is None or not target.is_discrete:
        raise pb.InputError(
            f"'{getattr(model, 'name', 'model')}' does not predict one categorical class, so it "
            "has no probabilities",
            code="no-class-variable",
        )
    return target


def only_model(results: Results, model_index: int) -> Model | str:
    """Return the model that predicted the rows of evaluation results, or why there is not one."""
    if results.folds is not None and len(results.folds) > 1:
        return (
            f"Each of the {len(results.folds):,} folds has a model of its own. Test on separate "
            "data to get one."
        )
    if results.models is None or not np.size(results.models):
        return (
            "The evaluation results hold no models. Test on separate data, or connect the results "
            "of Predictions."
        )
    model: Model | None = np.atleast_2d(np.asarray(results.models, dtype=object))[0, model_index]
    return "This model could not be fitted." if model is None else model


def threshold_classifier(
    results: Results, model_index: int, target: int, threshold: float
) -> ThresholdClassifier | str:
    """Return the model with a threshold of its own, or the reason why there is none.

    It predicts the class at place `target` where its probability is at least `threshold`. Orange's
    thresholds are of the class at place 1, which it predicts where they are reached. So for the
    class at place 0 the threshold lies just above the largest probability of the other class at
    which `target` is still predicted, and rows at the threshold stay on its side.
    """
    if len(results.domain.class_var.values) != 2:
        return "A threshold applies to models of two classes only."
    model = only_model(results, model_index)
    if isinstance(model, str):
        return model
    least = threshold
    if target == 0:
        prob = np.asarray(results.probabilities[model_index], float)
        kept = prob[prob[:, 0] >= threshold, 1]
        least = float(np.nextafter(np.append(kept, 1 - threshold).max(), np.inf))
    classifier = ThresholdClassifier(model, least)
    name = results.domain.class_var.values[target]
    classifier.name = f"{getattr(model, 'name', 'model')}, {name} from {threshold:.3g}"
    return classifier
