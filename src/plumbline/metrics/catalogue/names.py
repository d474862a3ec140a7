"""Names of metrics, and what they stand for."""

from collections.abc import Iterable
from functools import cache
from types import MappingProxyType
from typing import Any

from plumbline._checks import near_names, shorten
from plumbline.calibration_tests.subject import Ask
from plumbline.confusion.values import folded, titles_in
from plumbline.errors import ParameterError
from plumbline.metrics.catalogue.binned import BINNED
from plumbline.metrics.catalogue.estimates import ESTIMATES
from plumbline.metrics.catalogue.metric import ARGUMENTS, Metric
from plumbline.metrics.catalogue.rankings import RANKINGS
from plumbline.metrics.catalogue.rates import DECISIONS
from plumbline.metrics.catalogue.scores import SCORES
from plumbline.metrics.catalogue.smooth import SMOOTH

ROWS = (*SCORES, *DECISIONS, *RANKINGS, *BINNED, *SMOOTH, *ESTIMATES)
METRICS = MappingProxyType({row.name: row for row in ROWS})
ALIASES = MappingProxyType({name: row for row in METRICS.values() for name in row.aliases})
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
    if isinstance(name, str) and (found := _all_names().get(folded(name.strip()))) is not None:
        return found
    raise ParameterError(
        f"`metrics` must be names of the catalogue (plumbline.list_names(), or plumbline scores "
        f"--list), got {shorten(name)}{near_names(name, (*METRICS, *ALIASES, *TITLES))}"
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
        raise ParameterError("`metrics` must name at least one metric, got none")
    return tuple(dict.fromkeys(metric_named(name) for name in listed))


def check_question(metrics: Iterable[Metric], ask: Ask) -> None:
    """Refuse an argument that says nothing to any of several metrics."""
    rows = tuple(metrics)
    for argument in ARGUMENTS:
        given = getattr(ask, argument)
        if given is not None and not any(argument in row.takes for row in rows):
            takers = [row.name for row in METRICS.values() if argument in row.takes]
            raise ParameterError(
                f"`{argument}` says nothing to {', '.join(row.name for row in rows)}, got "
                f"{shorten(given)}; it belongs to {', '.join(takers)}"
            )
