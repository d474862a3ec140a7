"""Everything that has a name, as one table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.calibration_tests.named import TESTS, NamedTest
from plumbline.metrics.catalogue.metric import Metric
from plumbline.metrics.catalogue.names import METRICS
from plumbline.results import Result, html_table, text_table

SHOWN = ("name", "kind", "title", "formula")


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

    def __repr__(self) -> str:
        return text_table(self._columns(), left=SHOWN)

    def _repr_html_(self) -> str:
        return html_table(self._columns(), left=SHOWN, caption="Catalogue")

    def _columns(self) -> dict[str, list[str]]:
        return {name: [str(row[name]) for row in self.entries] for name in SHOWN}


def list_names() -> Catalogue:
    """List every metric and every test by name: what it is, what it takes, and who defined it.

    The metrics are what `measure` and `plumbline scores --metrics` know, the tests what
    `calibration_test(statistic=...)` and `plumbline test --statistic` know.

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
