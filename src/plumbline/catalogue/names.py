"""Names of metrics, and what they stand for."""

from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

from plumbline._checks import near_names, shorten
from plumbline.catalogue.binned import BINNED
from plumbline.catalogue.estimates import ESTIMATES
from plumbline.catalogue.metric import ARGUMENTS, Metric
from plumbline.catalogue.rankings import RANKINGS
from plumbline.catalogue.rates import DECISIONS
from plumbline.catalogue.scores import SCORES
from plumbline.catalogue.smooth import SMOOTH
from plumbline.errors import ParameterError
from plumbline.significance.subject import Ask

ROWS = (*SCORES, *DECISIONS, *RANKINGS, *BINNED, *SMOOTH, *ESTIMATES)
METRICS = MappingProxyType({row.name: row for row in ROWS})
ALIASES = MappingProxyType({name: row for row in METRICS.values() for name in row.aliases})

# What is measured where no metric is named.
USUAL = (
    *("log-loss", "brier-score", "brier-skill-score", "accuracy"),
    *("ece", "debiased-l2", "smooth-ece", "kolmogorov-smirnov"),
    *("miscalibration", "discrimination", "calibration-in-the-large", "calibration-slope"),
)


def metric_named(name: Any) -> Metric:
    """Return the metric of a name or alias, whose case and underscores do not matter.

    Raises ParameterError for a name that is not in the catalogue.

    >>> metric_named("smECE").name, metric_named("log_loss").name
    ('smooth-ece', 'log-loss')
    """
    if isinstance(name, str):
        plain = name.strip().casefold().replace("_", "-").replace(" ", "-")
        found = METRICS.get(plain) or ALIASES.get(plain)
        if found is not None:
            return found
    raise ParameterError(
        f"`metrics` must be names of the catalogue (plumbline.list_names(), or plumbline scores "
        f"--list), got {shorten(name)}{near_names(name, (*METRICS, *ALIASES))}"
    )


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
