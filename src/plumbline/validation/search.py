"""`Search`: how hyper-parameters are chosen inside a training part."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline._checks import near_names, nearest, need_extra, one_of, shorten, shown, whole_number
from plumbline._keywords import keywords_checked
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import quoted
from plumbline.metrics import METRICS, Metric, metric_named, metric_value
from plumbline.predictions.labels import code_classes
from plumbline.validation.estimators import (
    answers,
    is_estimator,
    plain_value,
    seed_from,
    seeded,
    seeded_grid,
    table_of,
)
from plumbline.validation.schemes import Parts, model_selection

KINDS = ("grid", "random", "halving")
# Stands for infinity in a search: it loses to everything finite as infinity does, and yet has the
# means and deviations that scikit-learn takes of it.
STANDS_FOR_INFINITY = 1e100


@keywords_checked
@dataclass(frozen=True, kw_only=True)
class Search:
    """How hyper-parameters are chosen inside each training part.

    Every candidate is fitted and measured on the inner splits of the training part; the one with
    the best mean (on ties the first) is fitted on the whole training part. Raises ParameterError
    for an unknown name, and for a metric that does not rank models.

    Attributes
    ----------
    params : {"parameter": [values]}, or a list of such grids; for kind "random" also scipy
        distributions. In a pipeline: "step__parameter"
    kind : "grid" (all), "random" (`candidates` of them), or "halving" (all on few rows first, the
        better third on three times as many, and so on)
    scoring : a metric of the catalogue, or a scikit-learn scoring name
    candidates : number of random candidates

    Examples
    --------
    >>> Search(params={"var_smoothing": [1e-9, 1e-3]}).kind
    'grid'
    """

    params: Mapping[str, Any] | Sequence[Mapping[str, Any]]
    kind: str = "grid"
    scoring: str = "brier-score"
    candidates: int = 20

    def __post_init__(self) -> None:
        one_of("kind", self.kind, KINDS)
        whole_number("candidates", self.candidates, least=1)
        need_grids(self.params, drawn=self.kind == "random")
        scoring_of(self.scoring, ("0", "1"), -1)

    def estimators(self) -> Iterator[Any]:
        """Yield the estimators among the values."""
        for values in (values for grid in grids_of(self.params) for values in grid.values()):
            if isinstance(values, (list, tuple)):
                yield from filter(is_estimator, values)


def search_of(given: Any) -> Search | None:
    """Return a search, made from a plain grid if that is what was given."""
    return given if given is None or isinstance(given, Search) else Search(params=given)


# ---------------------------------------------------------------- what is the best


@dataclass(frozen=True, slots=True)
class Scoring:
    """A metric of the catalogue as scikit-learn's searches take it: larger is better."""

    metric: Metric
    classes: tuple[str, ...]
    positive: int

    def __call__(self, fitted: Any, X: Any, y: Any) -> float:
        """Return how good a fitted classifier is on rows it was not fitted on."""
        codes = code_classes("y", y, self.classes)
        result = answers(fitted, X, self.classes)
        data = table_of(codes, result, self.classes, positive=self.positive)
        value = metric_value(self.metric, data)
        if math.isnan(value):
            raise InputError(
                f"{self.metric.name} cannot choose hyper-parameters here, because on an inner "
                f"part it is {self.metric.why(value)}; use 'brier-score', or fewer inner folds",
                code="metric-undefined",
            )
        return float(
            np.clip(_goodness(value, self.metric.better), -STANDS_FOR_INFINITY, STANDS_FOR_INFINITY)
        )


def _goodness(value: float, better: str) -> float:
    """Return a number that is the larger the better."""
    if better in ("lower", "higher"):
        return -value if better == "lower" else value
    return -abs(value - {"zero": 0.0, "one": 1.0}[better])


def scoring_of(name: str, classes: tuple[str, ...], positive: int) -> Any:
    """Return what a search maximises: a metric of the catalogue, else a scorer of scikit-learn."""
    try:
        metric = metric_named(name)
    except ParameterError:
        others = need_extra("sklearn.metrics", "sklearn", "a search").get_scorer_names()
        if name in others:
            return name
        raise ParameterError(
            code="unknown-metric",
            argument="scoring",
            rule="a metric of the catalogue or a scoring name of scikit-learn",
            arrived=shorten(name),
            near=nearest(name, (*METRICS, *others)),
            remedy="plumbline.list_names() lists the catalogue",
        ) from None
    if metric.better not in ("lower", "higher", "zero", "one"):
        raise ParameterError(
            f"`scoring` must rank models, which {quoted(metric.name)} does not; use 'brier-score' "
            "or 'log-loss'",
            code="metric-ranks-no-models",
        )
    return Scoring(metric, classes, positive)


# ---------------------------------------------------------------- the search itself


def with_search(
    estimator: Any,
    search: Search,
    inner: Sequence[Parts],
    rng: np.random.Generator,
    *,
    classes: tuple[str, ...],
    positive: int,
) -> Any:
    """Return an unfitted search of scikit-learn over clones of an estimator.

    Its splits are given as places in the training part, the only rows it gets.
    """
    module = model_selection()
    shared = {
        "cv": list(inner),
        "scoring": scoring_of(search.scoring, classes, positive),
        "error_score": "raise",
    }
    model, params = seeded(estimator, rng), seeded_grid(search.params, rng)
    seed = seed_from(rng)
    if search.kind == "grid":
        return module.GridSearchCV(model, params, **shared)
    if search.kind == "random":
        count = search.candidates
        return module.RandomizedSearchCV(model, params, n_iter=count, random_state=seed, **shared)
    need_extra("sklearn.experimental.enable_halving_search_cv", "sklearn", "a halving search")
    return module.HalvingGridSearchCV(model, params, random_state=seed, **shared)


def own_search(estimator: Any) -> str | None:
    """Return where an estimator has a search of its own: the name of that search's `cv`.

    It is the estimator itself or the last step of a pipeline, for only there the rows that it gets
    are those of the training part.
    """
    base = need_extra("sklearn.model_selection._search", "sklearn", "a search").BaseSearchCV
    if isinstance(estimator, base):
        return "cv"
    steps = getattr(estimator, "steps", None)
    if not steps:
        return None
    name, last = steps[-1]
    inside = own_search(last)
    return None if inside is None else f"{name}__{inside}"


def need_params(name: str, estimator: Any, search: Search | None) -> None:
    """Refuse hyper-parameters to choose from that an estimator does not have.

    Of a search of the estimator's own too, as far as it is one of scikit-learn's kinds.
    """
    if search is not None:
        need_known(name, estimator, search.params)
        return
    cv = own_search(estimator)
    given = {} if cv is None else estimator.get_params()
    prefix = "" if cv is None else cv.removesuffix("cv")
    for key in ("param_grid", "param_distributions"):
        if f"{prefix}{key}" in given:
            need_grids(given[f"{prefix}{key}"], drawn=key == "param_distributions")
            need_known(name, given[f"{prefix}estimator"], given[f"{prefix}{key}"])


def best_params(fitted: Any) -> dict[str, Any] | None:
    """Return the hyper-parameters a fitted search chose, None without a search.

    Raises InputError where its scores tell no candidate from another.
    """
    while getattr(fitted, "steps", None):
        fitted = fitted.steps[-1][1]
    if not hasattr(fitted, "best_params_"):
        return None
    best = float(getattr(fitted, "best_score_", 0.0))
    if (
        not abs(best) < STANDS_FOR_INFINITY / 1e6
    ):  # NaN too; a mean over some thousand parts at most
        raise InputError(
            "the search cannot choose: every candidate has an infinite or undefined mean score "
            "(as the log loss if an observed class has probability 0); use "
            "`scoring='brier-score'`",
            code="every-candidate-infinite",
        )
    return {name: plain_value(value) for name, value in fitted.best_params_.items()}


def grids_of(params: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the grids of {"parameter": [values]}, or of a list of such."""
    yield from [params] if isinstance(params, Mapping) else params


def need_grids(params: Any, *, drawn: bool) -> None:
    """Refuse what is no grid; if candidates are drawn, a distribution may stand for values.

    Raises ParameterError naming the parameter.
    """
    grids: list[Any] = list(grids_of(params)) if isinstance(params, (Mapping, list, tuple)) else []
    if not grids or not all(isinstance(grid, Mapping) and grid for grid in grids):
        raise ParameterError(
            argument="params",
            rule="{'parameter': [values]} or a list of such grids",
            arrived=shorten(params),
            code="wrong-kind",
        )
    for name, values in (pair for grid in grids for pair in grid.items()):
        if not isinstance(name, str):
            raise ParameterError(
                f"`params` must name parameters by text, got {shorten(name)}", code="wrong-kind"
            )
        if drawn and hasattr(values, "rvs"):
            continue
        if not _is_list(values):
            draw = ", or a distribution of scipy.stats" if drawn else ""
            raise ParameterError(
                f"`params` must give a list of values for {quoted(name)}{draw}, got "
                f"{shorten(values)}",
                code="wrong-kind",
            )
        if len(values) == 0:
            raise ParameterError(
                f"`params` must give {quoted(name)} at least one value, got none",
                code="nothing-named",
            )


def _is_list(values: Any) -> bool:
    if isinstance(values, np.ndarray):
        return values.ndim == 1
    return isinstance(values, Sequence) and not isinstance(values, (str, bytes))


def need_known(name: str, estimator: Any, params: Any) -> None:
    """Refuse a hyper-parameter that an estimator does not have.

    What a candidate puts in place of a step may have others, so those are not judged.

    Raises ParameterError.
    """
    known = estimator.get_params(deep=True)
    for grid in grids_of(params):
        for param in grid:
            steps = param.split("__")
            outer = {"__".join(steps[:depth]) for depth in range(1, len(steps))}
            if param not in known and not outer & set(grid):
                inner = [one for one in known if one.endswith(f"__{param}")]
                near = f". Did you mean {quoted(inner[0])}?" if inner else near_names(param, known)
                raise ParameterError(
                    f"{quoted(name)} has no hyper-parameter {quoted(param)}; it has "
                    f"{shown(sorted(known), 12)}{near}",
                    code="unknown-parameter",
                )
