"""The metrics by name, and the table of all names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from plumbline._checks import nearest, shorten
from plumbline._result import Presentation, Result, Table
from plumbline.calibration_errors import TESTS, NamedTest, StatisticParams
from plumbline.errors import ParameterError
from plumbline.formatting import folded, titles_in
from plumbline.metrics.calibration_errors import BINNED, SMOOTH
from plumbline.metrics.estimates import ESTIMATES
from plumbline.metrics.metric import ARGUMENTS, Metric
from plumbline.metrics.rankings import RANKINGS
from plumbline.metrics.rates import DECISIONS
from plumbline.metrics.scoring_rules import SCORES
from plumbline.nulls import observed
from plumbline.predictions import Predictions
from plumbline.scores import accuracy, brier_score, brier_score_multiclass, log_loss

ROWS = (*SCORES, *DECISIONS, *RANKINGS, *BINNED, *SMOOTH, *ESTIMATES)
METRICS = MappingProxyType({row.name: row for row in ROWS})
ALIASES = MappingProxyType({name: row for row in METRICS.values() for name in row.aliases})
VIEWS = tuple(dict.fromkeys(view for row in ROWS for view in row.views))
TITLES = tuple(dict.fromkeys(part for row in ROWS for part in titles_in(row.title)))

# What is measured where no metric is named.
USUAL = (
    *("log-loss", "brier-score", "brier-skill-score", "accuracy"),
    *("ece", "debiased-l2", "smooth-ece", "kolmogorov-smirnov"),
    *("miscalibration", "discrimination", "calibration-in-the-large", "calibration-slope"),
)


def metric_named(name: Any) -> Metric:
    """Return the metric of a name, alias or title, whose case and signs do not matter.

    Raises ParameterError for a name that is not in the catalogue.

    >>> metric_named("smECE").name, metric_named("log_loss").name, metric_named("Youden's J").name
    ('smooth-ece', 'log-loss', 'informedness')
    """
    if isinstance(name, str) and (result := _all_names().get(folded(name.strip()))) is not None:
        return result
    raise ParameterError(
        code="unknown-metric",
        argument="metrics",
        rule="names of the catalogue",
        arrived=shorten(name),
        near=nearest(name, (*METRICS, *ALIASES, *TITLES)),
        remedy="plumbline.list_names() lists them",
    )


@cache
def _all_names() -> dict[str, Metric]:
    """Return the metric of every name without case and signs; a name goes before a title."""
    named: dict[str, Metric] = {}
    for name, row in (*METRICS.items(), *ALIASES.items()):
        named.setdefault(folded(name), row)
    for row in ROWS:
        for part in titles_in(row.title):
            named.setdefault(folded(part), row)
    return named


def metrics_named(names: str | Iterable[str]) -> tuple[Metric, ...]:
    """Return the metrics of one name or several, each once, in the order they are named."""
    listed = [names] if isinstance(names, str) else list(names)
    if not listed:
        raise ParameterError(
            "`metrics` must name at least one metric, got none", code="nothing-named"
        )
    return tuple(dict.fromkeys(metric_named(name) for name in listed))


def check_question(metrics: Iterable[Metric], params: StatisticParams) -> None:
    """Refuse an argument that applies to none of several metrics."""
    rows = tuple(metrics)
    for argument in ARGUMENTS:
        given = getattr(params, argument)
        if given is not None and not any(argument in row.takes for row in rows):
            takers = [row.name for row in METRICS.values() if argument in row.takes]
            raise ParameterError(
                f"`{argument}` does not apply to {', '.join(row.name for row in rows)}, got "
                f"{shorten(given)}; it applies to {', '.join(takers)}",
                code="argument-says-nothing",
            )


# A plain mean over rows is right to the last digit: an accuracy of 1 is 1, and not more.
MEANS = {
    "accuracy": accuracy,
    "brier-score": brier_score,
    "brier-score-multiclass": brier_score_multiclass,
    "log-loss": log_loss,
}


def metric_value(row: Metric, data: Predictions, params: StatisticParams | None = None) -> float:
    """Return a metric of a table of one model, as it stands.

    Raises InputError where the table lacks what the metric needs, ParameterError for an argument
    that does not apply to it.

    >>> from plumbline.metrics import metric_named
    >>> data = Predictions.from_arrays([0, 0, 1, 1], predicted=[0, 1, 1, 1])
    >>> round(metric_value(metric_named("precision"), data), 3)
    0.667
    """
    if params is None and row.name in MEANS:
        return MEANS[row.name](data)
    return float(observed(row.subject(data, params or StatisticParams()).statistic))


def values_by_fold(data: Predictions, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return metrics of every fold of a table of one model: repeat (if any), fold, n and values.

    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.4, 0.3], fold=[0, 0, 1, 1])
    >>> values_by_fold(data, ["accuracy"])[1]
    {'fold': '1', 'n': 2, 'accuracy': 0.5}
    """
    rows = [metric_named(name) for name in names]
    return [
        {
            **({} if len(key) == 1 else {"repeat": key[0]}),
            "fold": key[-1],
            "n": part.n,
            **{name: metric_value(row, part) for name, row in zip(names, rows, strict=True)},
        }
        for key, part in data.by_fold().items()
    ]


def best_models(data: Predictions, metric: str, *, most: int) -> tuple[str, ...]:
    """Return the models that are best by a metric, at most so many, in the order of the table.

    >>> data = Predictions.from_arrays(
    ...     [0, 1, 0, 1], [0.2, 0.9, 0.4, 0.6], model=["a", "a", "b", "b"]
    ... )
    >>> best_models(data, "brier-score", most=1)
    ('a',)
    """
    if len(data.models) <= most:
        return data.models
    row = metric_named(metric)
    sign = 1 if row.better == "lower" else -1
    values = {str(name): sign * metric_value(row, part) for name, part in data.by_model().items()}
    kept = sorted(values, key=values.__getitem__)[:most]
    return tuple(name for name in data.models if name in kept)


SHOWN = ("name", "kind", "title")
LISTED = (
    "Measure metrics: plumbline scores FILE --metrics NAME,NAME. Run a test: plumbline test FILE "
    "--statistic NAME. With --json: formula, views, arguments, references, other names."
)


@dataclass(frozen=True, repr=False, eq=False)
class Catalogue(Result):
    """Every metric and every test that has a name.

    Attributes
    ----------
    entries : one row a name: name, kind (of `Metric`, or "test"), title, better
        (of a test: nothing), least, most, needs, views, usual_view, takes, usual, formula,
        reference, aliases, interval
    """

    entries: Sequence[Mapping[str, Any]]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the entries, lists as comma-separated text."""
        return [
            {name: ", ".join(v) if isinstance(v, (list, tuple)) else v for name, v in row.items()}
            for row in self.entries
        ]

    def present(self) -> Presentation:
        """Return name, kind and title of all; `to_frame` has the rest."""
        columns = {name: [str(row[name]) for row in self.entries] for name in SHOWN}
        return Presentation(tables=(Table(columns, left=SHOWN),), legend=(LISTED,))

    def json_entries(self) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]:
        """Return the entries."""
        return self.entries, {}


def list_names() -> Catalogue:
    """List every metric and every test by name.

    The metrics are those of `measure` and `plumbline scores --metrics`, the tests those of
    `calibration_test(statistic=...)` and `plumbline test --statistic`.

    Returns
    -------
    Catalogue
        One row a name: kind, title, formula, reference, range, views and parameters.

    Examples
    --------
    >>> names = [row["name"] for row in list_names().rows() if row["kind"] == "test"]
    >>> "omnibus" in names, "smooth-ece" in names
    (True, False)
    """
    metrics = [_metric_entry(row) for row in METRICS.values()]
    return Catalogue((*metrics, *(_test_entry(name, row) for name, row in TESTS.items())))


def _metric_entry(row: Metric) -> dict[str, Any]:
    return {
        "name": row.name,
        "kind": row.kind,
        "title": row.title,
        "better": row.better,
        "least": row.least,
        "most": row.most,
        "needs": row.needs,
        "views": list(row.views),
        "usual_view": row.usual_view,
        "takes": list(row.takes),
        "usual": [f"{name}={value}" for name, value in row.usual.items()],
        "formula": row.formula,
        "reference": row.reference,
        "aliases": list(row.aliases),
        "interval": row.interval,
    }


def _test_entry(name: str, row: NamedTest) -> dict[str, Any]:
    return {
        "name": name,
        "kind": "test",
        "title": row.title,
        "better": None,
        "least": None,
        "most": None,
        "needs": "probabilities",
        "views": None,
        "usual_view": None,
        "takes": list(row.takes),
        "usual": [f"alternative={row.alternative}"],
        "formula": row.formula,
        "reference": row.reference,
        "aliases": [],
        "interval": None,
    }
