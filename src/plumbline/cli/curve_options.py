"""The options of the command `curve`, and the types that check them."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from plumbline.atomic_files import CURVE_ENDINGS, POINT_ENDINGS
from plumbline.cli import options
from plumbline.cli.options import Command, joined
from plumbline.errors import ParameterError

DIRECTIONS = {
    "descending": "From the highest sort value down (default).",
    "ascending": "From the lowest sort value up.",
    "unsorted": "In the order of the table.",
}


class Number(click.ParamType[Any]):
    """A number; in which range is the library's to check."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number."""
        try:
            return float(value)
        except ValueError:
            self.fail(f"it must be a number, got {value!r}.", param, ctx)


class Parameter(options.NamePair):
    """NAME=VALUE with a number behind the equals sign."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Any]:
        """Return the name and its number."""
        name, text = super().convert(value, param, ctx)
        return name, Number().convert(text, param, ctx)


class Between(click.ParamType[Any]):
    """LOW:HIGH, two thresholds; an end that is left out is open."""

    name = "range"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        """Return both ends."""
        if isinstance(value, tuple):
            return value
        low, sign, high = str(value).partition(":")
        try:
            ends = float(low or "-inf"), float(high or "inf")
        except ValueError:
            sign = ""
        if not sign:
            self.fail(f"it must be LOW:HIGH, such as 0.4:0.6, got {value!r}.", param, ctx)
        if not ends[0] < ends[1]:
            self.fail(f"LOW must be below HIGH in LOW:HIGH, got {value!r}.", param, ctx)
        return ends


def _known(table: str) -> Callable[[], Iterable[str]]:
    """Return what fetches the names of a setting only when one is given."""

    def fetch() -> Iterable[str]:
        from plumbline.curves import presets

        names: Iterable[str] = getattr(presets, table)
        return names

    return fetch


def _presets() -> Iterable[str]:
    from plumbline.curves.presets import PRESETS

    return PRESETS


def formula_options(command: Command) -> Command:
    """What is drawn."""
    return joined(
        click.option(
            "--preset",
            type=options.Name(_presets),
            metavar="NAME",
            help="A named curve, such as roc, precision-recall, gains, accuracy, profit, "
            "error-by-attribute; --list-presets tells all.",
        ),
        click.option("--x", metavar="FORMULA", help="What the horizontal axis shows."),
        click.option("--y", metavar="FORMULA", help="What the vertical axis shows."),
        click.option(
            "--param",
            "params",
            type=Parameter(),
            metavar="NAME=VALUE",
            multiple=True,
            help='The value of param("NAME", ...) in a formula. Repeat it for each.',
        ),
        click.option("--where", metavar="FORMULA", help="Only the rows for which it holds."),
        click.option(
            "--target",
            metavar="CLASS",
            help="The class that counts as positive; the table's positive one by default.",
        ),
        click.option(
            "--multiclass",
            type=options.Name(_known("MULTICLASS")),
            metavar="NAME",
            help="per-class, micro or macro: every class in turn against the rest.",
        ),
        click.option("--x-title", metavar="TEXT", help="Title of the horizontal axis."),
        click.option("--y-title", metavar="TEXT", help="Title of the vertical axis."),
    )(command)


def way_options(command: Command) -> Command:
    """How rows are met, and what folds become."""
    directions = [
        click.option(f"--{name}", is_flag=True, help=text) for name, text in DIRECTIONS.items()
    ]
    return joined(
        click.option(
            "--sort-by",
            metavar="KEY",
            help="probability, score, an attribute or any formula of rows (default: the "
            "rating that the table has).",
        ),
        *directions,
        click.option(
            "--merge",
            type=options.Name(_known("MERGES")),
            metavar="NAME",
            help="What rows of equal sort value become: last (default; one point, after "
            "the last of them), average, or none (a point a row).",
        ),
        click.option(
            "--average",
            type=options.Name(_known("AVERAGES")),
            metavar="NAME",
            help="What folds become: merge (default; their rows together), none (a line "
            "a fold), vertical, threshold; or smooth: local regression over all rows.",
        ),
        click.option(
            "--points",
            type=options.Whole(2),
            metavar="M",
            help="Values of x for --average vertical and smooth and for --difference "
            "(default 101).",
        ),
        click.option(
            "--thresholds",
            type=options.Whole(2),
            metavar="I",
            help="Thresholds of --average threshold (default 20).",
        ),
        click.option(
            "--span",
            type=Number(),
            metavar="SHARE",
            help="Share of the rows in a smoothing window (default 0.5).",
        ),
        click.option(
            "--band",
            type=options.Name(_known("BANDS")),
            metavar="NAME",
            help="none (default), bootstrap (intervals from resampled rows) or folds "
            "(spread of the averaged folds).",
        ),
        click.option(
            "--level",
            type=Number(),
            metavar="P",
            help="Coverage of bands, and of the best thresholds (default 0.95).",
        ),
        click.option(
            "--resamples",
            type=options.Whole(20),
            metavar="M",
            help="Times the rows are resampled (default 500).",
        ),
        click.option(
            "--seed", type=options.Whole(0), metavar="S", help="Seed of chance (default 0)."
        ),
    )(command)


def direction_of(chosen: dict[str, Any]) -> str | None:
    """Take the flags of the directions out of what was chosen; return the one that was given."""
    given = [name for name in DIRECTIONS if chosen.pop(name)]
    if len(given) > 1:
        both = " and ".join(f"--{name}" for name in given)
        raise ParameterError(f"{both} are different orders of the rows; keep one of them")
    return given[0] if given else None


def answer_options(command: Command) -> Command:
    """What else is asked, and where it goes."""
    return joined(
        click.option(
            "--optimum",
            type=click.Choice(("max", "min")),
            help="Find the threshold at which y is highest or lowest, all that are as "
            "good, and what it is worth on rows that had no part in choosing it.",
        ),
        click.option(
            "--subject-to",
            metavar="FORMULA",
            help="What must hold at the threshold of --optimum, such as 'recall >= 0.85'.",
        ),
        click.option(
            "--between",
            type=Between(),
            metavar="LOW:HIGH",
            help="Show the rows whose decision changes when the threshold moves from LOW "
            "to HIGH, and how they differ from the rest.",
        ),
        click.option(
            "--cases",
            "cases_file",
            type=options.OutFile(*POINT_ENDINGS),
            metavar="CSV",
            help="Write all rows of --between into this file.",
        ),
        click.option(
            "--difference",
            is_flag=True,
            help="Second model minus first, with a band that holds for all x at once; "
            "of the two models of the table, or of --models A,B.",
        ),
        click.option(
            "--card",
            type=click.Path(path_type=Path),
            metavar="JSON",
            help="Draw what a card asks, as --out FILE.json wrote it; other options overrule it.",
        ),
        click.option("--list-presets", is_flag=True, help="List the named curves, and exit."),
        click.option(
            "--out",
            type=options.OutFile(*CURVE_ENDINGS),
            metavar="FILE",
            multiple=True,
            help="Write the points (.csv), the card with all points (.json), the picture "
            "(.svg, .png, .pdf) or a page with all of it (.html). Repeat it for several.",
        ),
    )(command)
