"""The command `power`: how often calibration tests find a classifier whose faults are known."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.atomic_files import POINT_ENDINGS
from plumbline.cli import options
from plumbline.cli.messages import complain, progress
from plumbline.cli.output import paragraph, print_json, table
from plumbline.formatting import counted, printable

if TYPE_CHECKING:
    from plumbline.power import PowerTable

EXAMPLES = """\b
Examples:
  plumbline power --experiments 1,4 --datasets 200
  plumbline power --bins thesis --like thesis --out power.csv
  plumbline power --experiments 9 --bins equal-size:10,equal-width:15 --distances log --json
  plumbline power --statistic ece --experiments 1 --datasets 100
"""

MOST_ROWS = 60  # on a screen
TYPICAL = (10, 100)  # numbers of bins shown where there are too many
SELECTION = (
    f"Shown are {TYPICAL[0]} and {TYPICAL[1]} bins; --out FILE writes all, --json prints all."
)
COLUMNS = (
    "power: share of data sets on which the upper tail rejects; low: the same for the lower tail, "
    "which is the one to read where a classifier is closer to what happened than chance allows"
)


class CommaSeparated(click.ParamType[Any]):
    """Names or numbers between commas."""

    name = "list"

    def __init__(self, one: Callable[[str], Any] = str) -> None:
        self.one = one

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Any, ...]:
        """Return what is between the commas; which names there are is the library's to check."""
        if isinstance(value, tuple):
            return value
        words = [word.strip() for word in str(value).split(",")]
        return tuple(self.one(word) for word in words if word)


class Fraction(click.ParamType[Any]):
    """A number, as the library checks it."""

    name = "fraction"

    def __init__(self, argument: str = "level") -> None:
        self.argument = argument

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return a fraction between 0 and 1, or refuse in the wording of the library."""
        from plumbline._checks import open_fraction

        return open_fraction(self.argument, value)


def _tests() -> Iterable[str]:
    from plumbline.calibration_tests import TESTS

    return TESTS


def _number(word: str) -> int | str:
    return int(word) if word.isdecimal() else word


@click.command(epilog=EXAMPLES)
@click.option(
    "--experiments",
    type=CommaSeparated(_number),
    metavar="1,4,...",
    default="1,2,3,4,5,6,9",
    help="Experiments of the thesis, 1 to 9 (default all but 7 and 8, which fit classifiers).",
)
@click.option(
    "--views",
    type=CommaSeparated(),
    metavar="cw,cf",
    help="Calibration errors: cw (classwise) and cf (confidence, the top label). Default both.",
)
@click.option(
    "--bins",
    metavar="BINS",
    help="plumbline (default): equal size 5, 10, ..., 100 and equal width 5 to 500, by the "
    "conventions of the other commands; thesis: the same numbers by the thesis' code; or a list "
    "such as equal-size:10,equal-width:15.",
)
@click.option(
    "--distances",
    type=CommaSeparated(),
    metavar="NAMES",
    help="absolute, square and log. Default all three.",
)
@click.option(
    "--points",
    type=options.Whole(1),
    metavar="N",
    default=100,
    help="Rows of a data set (default 100).",
)
@click.option(
    "--datasets",
    type=options.Whole(1),
    metavar="R",
    default=1000,
    help="Data sets of an experiment (default 1000).",
)
@click.option(
    "--resamples",
    type=options.Whole(1),
    metavar="M",
    help="Times a test draws the labels from the predictions (default 100, with --statistic 999).",
)
@click.option(
    "--level",
    type=Fraction(),
    metavar="ALPHA",
    default=0.05,
    help="A test rejects where p is at most this (default 0.05).",
)
@click.option(
    "--seed", type=options.Whole(0), metavar="S", default=0, help="Seed of chance (default 0)."
)
@click.option(
    "--like",
    metavar="NAME",
    help="thesis: reject as it did (p = draws at least as large / M), bins as it had them.",
)
@click.option(
    "--statistic",
    type=options.Name(_tests),
    metavar="NAME",
    help="Ask this test (omnibus, ece, log-loss, ...: see plumbline test) instead of the grid of "
    "calibration errors.",
)
@click.option(
    "--covertype",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The Covertype data of experiments 7 and 8, CSV or Parquet; fetched if not given.",
)
@click.option(
    "--out",
    type=options.OutFile(*POINT_ENDINGS),
    metavar="CSV",
    help="File to write. Until it is whole, finished parts are kept in the folder CSV.parts, from "
    "which a killed run continues.",
)
@click.option(
    "--workers",
    type=options.Whole(1),
    metavar="W",
    help="Threads; all cores by default. The answer does not depend on it.",
)
@options.json_option
def power(as_json: bool, seed: int, **chosen: Any) -> None:
    """Estimate the power of calibration tests on classifiers whose faults are known.

    The power is the share of fresh data sets on which a test rejects, here for the nine experiments
    of the thesis "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020). All
    settings see the same data sets and the same draws. p = (1 + draws at least as large) / (M + 1).
    """
    import plumbline

    out = chosen["out"]
    options.need_other_file([out], [chosen["covertype"]])
    try:
        with progress("power") as bar:
            table = plumbline.power_study(rng=seed, progress=bar, **chosen)
    except KeyboardInterrupt:
        if out is not None:
            complain("what is finished is kept; the same command goes on from there")
        raise
    if as_json:
        about = {k: v for k, v in table.to_dict().items() if k != "entries"}
        results = [{**row, "n": table.points} for row in table.rows()]
        print_json("power", results, **about, out=None if out is None else str(out))
        return
    click.echo(_heading(table))
    if out is None:
        click.echo("\n" + _text(table))
    for note in table.notes:
        click.echo("\n" + paragraph(f"{note[:1].upper()}{note[1:]}.", ""))
    if out is not None:
        click.echo(f"\nPower: {printable(out)} ({counted(len(table.rows()), 'row')})")


def _heading(table: "PowerTable") -> str:
    return (
        f"{counted(table.datasets, 'data set')} of {counted(table.points, 'point')} an experiment, "
        f"{counted(table.resamples, 'resample')} a test, level {table.level:g}"
    )


def _text(table: "PowerTable") -> str:
    """Return the rows as a table: one line a setting, one column a distance."""
    rows = table.rows()
    if table.statistic is not None:
        return _named_table(rows)
    settings = list(dict.fromkeys(map(_setting, rows)))
    blocks = []
    if len(settings) > MOST_ROWS:
        settings = [one for one in settings if one[3] in TYPICAL]
        blocks = [paragraph(SELECTION, "")]
    blocks.append(paragraph(COLUMNS + ".", ""))
    return "\n\n".join([_grid_table(rows, settings), *blocks])


def _setting(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("experiment", "view", "placement", "bins"))


def _grid_table(rows: Sequence[Mapping[str, Any]], settings: Sequence[tuple[Any, ...]]) -> str:
    cells = {(_setting(row), row["distance"]): row for row in rows}
    distances = list(dict.fromkeys(row["distance"] for row in rows))
    columns = {
        name: [str(one[place]) for one in settings]
        for place, name in enumerate(("experiment", "view", "placement", "bins"))
    }
    for title, key in (("", "power"), ("low ", "power_lower")):
        for distance in distances:
            column = [f"{cells[one, distance][key]:.3f}" for one in settings]
            columns[title + distance] = column
    return table(columns)


def _named_table(rows: Sequence[Mapping[str, Any]]) -> str:
    return table(
        {
            "experiment": [str(row["experiment"]) for row in rows],
            "statistic": [row["statistic"] for row in rows],
            "power": [f"{row['power']:.3f}" for row in rows],
            "standard error": [f"{row['std_error']:.3f}" for row in rows],
        }
    )
