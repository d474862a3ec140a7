"""The command `curve`: any two formulas against each other, and what can be read off."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.atomic_files import write_whole
from plumbline.cli import options
from plumbline.cli.generic import entries_of, options_of
from plumbline.cli.messages import progress
from plumbline.cli.prediction_file import (
    TABLE_OPTIONS,
    heading,
    listed,
    positive_of,
    read_source,
)
from plumbline.cli.report import typed_command
from plumbline.cli.rows_left_out import leave_out
from plumbline.cli.terminal import counting_entries, errors_of_counting, print_json
from plumbline.errors import ParameterError
from plumbline.file_endings import (
    CARD_ENDINGS,
    CURVE_ENDINGS,
    DIFFERENCE_ENDINGS,
    PAGE_ENDINGS,
    PICTURE_ENDINGS,
    POINT_ENDINGS,
)
from plumbline.formatting import printable, quoted
from plumbline.progress import Progress, share_of
from plumbline.requests import CURVE, OPTIMUM

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.curves import BestThreshold, Cases, Curve, CurveDifference, CurveSettings
    from plumbline.random_streams import Seed

    Bests = Mapping[str | None, BestThreshold]

EXAMPLES = f"""\b
{options.EXAMPLES}
  plumbline curve --list
  plumbline curve predictions.parquet --preset roc --band bootstrap --out roc.html
  plumbline curve predictions.parquet --x threshold --y 'cumm(90 if eP else -10)' --optimum max
  plumbline curve predictions.parquet --preset accuracy --optimum max --subject-to 'recall >= 0.9'
  plumbline curve predictions.parquet --preset error-by-attribute --x '`mean radius`' \\
      --out errors.svg --out errors.csv
  plumbline curve predictions.parquet --x 'cumm(1) / NN' --y TPR --where '`mean area` < 700'
  plumbline curve predictions.parquet --preset roc --average vertical --models "naive Bayes" \\
      --out roc.json
  plumbline curve predictions.parquet --card roc.json --models "random forest" --json
  plumbline curve predictions.parquet --preset accuracy --models "random forest" \\
      --between 0.4:0.6 --cases near.csv
  plumbline curve predictions.parquet --preset accuracy --models "naive Bayes,random forest" \\
      --difference --out difference.svg

\b
Put formulas in single quotes, so that the shell leaves * > " and $ in them alone.
"""

NEEDS_FILE = "a curve needs FILE, a table of predictions; --list needs none"
FORMULAS = ("preset", "x", "y")
OF_ROWS = ("sort_by", "where", "target", "params")  # what rows between thresholds take
NEEDS_FORMULAS = (
    "a curve needs --preset NAME (see --list), --x FORMULA and --y FORMULA, or --card JSON. For "
    "the rows between two thresholds give --between LOW:HIGH alone"
)
DIRECTIONS = {
    "descending": "From the highest sort value down (default).",
    "ascending": "From the lowest sort value up.",
    "unsorted": "In the order of the table.",
}


class Parameter(options.NamePair):
    """NAME=VALUE with a number behind the equals sign."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Any]:
        """Return the name and its number."""
        name, text = super().convert(value, param, ctx)
        try:
            return name, float(text)
        except ValueError:
            self.fail(f"it must be a number, got {quoted(text)}.", param, ctx)


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
            self.fail(f"it must be LOW:HIGH, such as 0.4:0.6, got {quoted(value)}.", param, ctx)
        if not ends[0] < ends[1]:
            self.fail(f"LOW must be below HIGH in LOW:HIGH, got {quoted(value)}.", param, ctx)
        return ends


own_options = options.joined(
    click.option(
        "--param",
        "params",
        type=Parameter(),
        metavar="NAME=VALUE",
        multiple=True,
        help='The value of param("NAME", ...) in a formula. Repeat it for each.',
    ),
    *(click.option(f"--{name}", is_flag=True, help=text) for name, text in DIRECTIONS.items()),
    options_of(OPTIMUM),
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
        help="Draw the second model minus the first, with a band that holds for all x at "
        "once. Takes the two models of the table, or of --models A,B.",
    ),
    click.option(
        "--card",
        type=click.Path(path_type=Path),
        metavar="JSON",
        help="Draw the curve of a card, as --out FILE.json wrote it. Other options take "
        "precedence.",
    ),
    click.option("--hull", is_flag=True, help="Draw the convex hull of an ROC curve, in --out."),
    click.option("--list", "list_names", is_flag=True, help="List the named curves, and exit."),
    click.option(
        "--out",
        type=options.OutFile(*CURVE_ENDINGS),
        metavar="FILE",
        multiple=True,
        help="Write the points (.csv), the card with all points (.json), the picture "
        "(.svg, .png, .pdf) or a page with all of it (.html). Repeat it for several.",
    ),
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was asked: a curve with what is read off it, rows between thresholds, a difference."""

    curve: "Curve | None" = None
    bests: "Bests" = field(default_factory=dict)
    cases: "Cases | None" = None
    difference: "CurveDifference | None" = None

    def text(self) -> str:
        """Return it for a terminal."""
        from plumbline.cli import terminal

        alone = [(None, one) for one in (self.curve, self.difference) if one is not None]
        blocks = [terminal.shown(alone)] if alone else []
        blocks += [terminal.shown([*self.bests.items()])] if self.bests else []
        blocks += [terminal.shown([(None, self.cases)])] if self.cases is not None else []
        return "\n\n".join(blocks)

    def entries(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Return the entries of the JSON, and what stands beside them."""
        alone = [(None, one) for one in (self.curve, self.difference) if one is not None]
        entries, beside = entries_of(alone)
        if self.bests:
            entries = [{**one, "optimum": self.bests[one.get("model")]} for one in entries]
        return entries, beside if self.cases is None else beside | {"cases": self.cases}


@options.command(epilog=EXAMPLES)
@options.files_argument(needed=False)
@options.reading_options
@options_of(CURVE)
@own_options
@options.output_options
@click.pass_obj
def curve(
    typed: Sequence[str],
    /,
    files: Sequence[Path],
    as_json: bool,
    list_names: bool,
    hull: bool,
    params: Sequence[tuple[str, float]],
    between: tuple[float, float] | None,
    cases_file: Path | None,
    difference: bool,
    card: Path | None,
    out: Sequence[Path],
    **given: Any,
) -> None:
    """Draw a ROC curve, any other named curve, or one formula against another, for every model.

    The threshold falls from the highest probability. A formula may use counts and rates at the
    threshold (TP, recall, FPR, CA, ...), values of a row (probability, eP, eCA, any column of FILE)
    and cumulative sums such as cumm(amount). docs/curves.md explains formulas.
    """
    if list_names:
        options.need_no_file(files)
        _print_presets(as_json)
        return
    if not files:
        raise ParameterError(NEEDS_FILE, code="file-missing")
    options.need_other_file(out, [*files, card])
    options.need_other_file([cases_file], [*files, card], option="--cases")
    how = {name: given.pop(name) for name in TABLE_OPTIONS}
    own = {"direction": _direction(given), "params": dict(params) or None}
    goal = {name: given.pop(name) for name in OPTIMUM.offered("command")}
    goal = OPTIMUM.checked("command", goal)
    values = CURVE.checked("command", given)
    values |= {name: value for name, value in own.items() if value is not None}
    if card is None and values.keys().isdisjoint(FORMULAS):
        _check_rows_alone(values, alone=between is not None and not (goal or difference or out))
    if "subject_to" in goal and "goal" not in goal:
        raise ParameterError(
            "--subject-to applies only with --optimum; add it", code="argument-needs-another"
        )
    if cases_file is not None and between is None:
        raise ParameterError(
            "--cases applies only with --between; add it", code="argument-needs-another"
        )
    if hull and not any(path.suffix.lower() in (*PICTURE_ENDINGS, *PAGE_ENDINGS) for path in out):
        raise ParameterError(
            "--hull draws into the picture of --out; give that too, as in --out roc.svg",
            code="argument-needs-another",
        )
    if difference:
        beside = {"optimum": goal.get("goal"), "between": between, "card": card}
        _check_difference({**values, **beside, "hull": hull or None}, out)
    data = read_source(files, **how)
    with progress("comparing" if difference else "drawing") as bar:
        if difference:
            answer = _difference(data, values, how["models"], bar)
        else:
            answer = _answer(data, values, card, goal, between, bar)
    if hull and answer.curve is not None:
        _refuse_no_hull(answer.curve)
    leave_out(files, "where", _filtered_out(data, values, card))
    command = typed_command(typed, [*files, *out, *filter(None, [card])])
    _save(answer, out, cases_file, data, command, hull=hull)
    written = [*out, *filter(None, [cases_file])]
    if as_json:
        entries, beside = answer.entries()
        beside |= {"positive": positive_of(data), "files": [str(path) for path in written]}
        print_json("curve", entries, **beside, **counting_entries(data))
        return
    click.echo(f"{heading(files, data)}\n\n{answer.text()}{errors_of_counting(data)}")
    _print_files(written, json_is="Result" if difference else "Card")


def _direction(given: dict[str, Any]) -> str | None:
    """Take the flags of the directions out of the values given; return the one that is set."""
    names = [name for name in DIRECTIONS if given.pop(name)]
    if len(names) > 1:
        both = " and ".join(f"--{name}" for name in names)
        raise ParameterError(
            f"{both} are different orders of the rows; keep one of them",
            code="argument-beside-another",
        )
    return names[0] if names else None


def _check_rows_alone(given: Mapping[str, Any], *, alone: bool) -> None:
    """Refuse what needs a curve where there is none, only rows between two thresholds."""
    if not alone:
        raise ParameterError(NEEDS_FORMULAS, code="formulas-missing")
    others = [name for name in given if name not in (*OF_ROWS, "rng")]
    if others:
        named = "direction" if others[0] == "direction" else f"--{others[0].replace('_', '-')}"
        raise ParameterError(
            f"{named} is of a curve, and --between alone draws none; leave it out, or add "
            "--preset NAME",
            code="argument-beside-another",
        )


def _check_difference(given: Mapping[str, Any], out: Sequence[Path]) -> None:
    """Refuse what a difference of two curves does not take."""
    for name in ("optimum", "between", "card", "band", "multiclass", "thresholds", "hull"):
        if given.get(name) is not None:
            raise ParameterError(
                f"--difference takes no --{name}; leave one of them out",
                code="argument-beside-another",
            )
    pages = [path for path in out if path.suffix.lower() not in DIFFERENCE_ENDINGS]
    if pages:
        raise ParameterError(
            f"--difference writes {', '.join(DIFFERENCE_ENDINGS)}, got {quoted(str(pages[0]))}",
            code="wrong-suffix",
        )


def _print_presets(as_json: bool) -> None:
    """List the named curves."""
    from plumbline._result import text_table
    from plumbline.curves import PRESETS

    names = ("title", "x", "y", "needs", "params", "explanation")
    rows = [
        {"preset": name, **{key: getattr(preset, key) for key in names}}
        for name, preset in PRESETS.items()
    ]
    if as_json:
        print_json("curve", rows)
        return
    columns = {
        "preset": [row["preset"] for row in rows],
        "needs": ["--x COLUMN" if row["needs"] else "" for row in rows],
        "x": [row["x"] or "COLUMN" for row in rows],
        "y": [row["y"] for row in rows],
    }
    click.echo(text_table(columns, left=list(columns)))


# ------------------------------------------------------------------ answers


def _answer(
    data: "Predictions",
    given: Mapping[str, Any],
    card: Path | None,
    goal: Mapping[str, Any],
    between: tuple[float, float] | None,
    bar: Progress,
) -> Answer:
    """Draw the curve, if there is one, and read off it what was asked for."""
    from plumbline.curves import best_thresholds, cases_of_settings, draw_curve, refuse_unused
    from plumbline.curves.best_threshold import refuse_other_curve
    from plumbline.curves.cases_between import cases_between
    from plumbline.random_streams import entropy_of

    if between is not None:
        data.need_one_model("a list of cases")
    if card is None and given.keys().isdisjoint(FORMULAS):
        low, high = between or (0.0, 1.0)  # was checked: there is a band
        of_rows = {name: given[name] for name in OF_ROWS if name in given}
        return Answer(cases=cases_between(data, low=low, high=high, **of_rows))
    rng, settings = _settings(data, given, card)
    refuse_unused(data, settings, given, optimum=bool(goal))
    if goal:
        refuse_other_curve(data, settings, y=settings.y, subject_to=goal.get("subject_to"))
    if between is not None:
        _refuse_no_band(settings)
    middle = 0.5 if settings.band == "bootstrap" else 0.0
    drawn = draw_curve(data, settings, entropy_of(rng), share_of(bar, 0.0, middle if goal else 1.0))
    bests: Bests = {}
    if goal:
        bests = best_thresholds(data, settings, progress=share_of(bar, middle, 1.0), **goal)
    return Answer(
        curve=drawn,
        bests=bests,
        cases=None if between is None else cases_of_settings(data, settings, between),
    )


def _settings(
    data: "Predictions", given: Mapping[str, Any], card: Path | None
) -> "tuple[Seed, CurveSettings]":
    """Return the random seed and the complete settings of the curve that is asked for."""
    from plumbline.curves import complete_settings, given_settings, settings_of_spec

    if card is not None:
        return settings_of_spec(card, data, **given)
    own = {name: value for name, value in given.items() if name not in ("preset", "rng")}
    rng = given.get("rng", 0)
    return rng, complete_settings(data, given_settings(given.get("preset"), own, rng))


def _filtered_out(data: "Predictions", given: Mapping[str, Any], card: Path | None) -> int:
    """Return how many rows --where, or that of a card, leaves out."""
    from plumbline.curves import CurveSettings, params_for
    from plumbline.curves.curve import rows_filtered_out

    if card is not None or not given.keys().isdisjoint(FORMULAS):
        return rows_filtered_out(data, _settings(data, given, card)[1])
    where, params = given.get("where"), params_for(given.get("params") or {}, given.get("where"))
    target = given.get("target", data.classes[data.positive])
    return rows_filtered_out(
        data,
        CurveSettings("threshold", "threshold", where=where, target=target, params=params),
    )


def _refuse_no_band(settings: "CurveSettings") -> None:
    """Refuse rows between two thresholds of a curve that has none, or several of a row."""
    for name, wrong in (
        ("multiclass", settings.multiclass is not None),
        ("direction", settings.direction == "unsorted"),
    ):
        if wrong:
            raise ParameterError(
                "--between takes rows by one sort value each, and the curve has "
                f"`{name}={getattr(settings, name)!r}`",
                code="argument-beside-another",
                argument=name,
                remedy="leave one of them out",
            )


def _refuse_no_hull(curve: "Curve") -> None:
    """Refuse a convex hull where no line has one."""
    from plumbline.curves import convex_hull

    if curve.x_names:
        raise ParameterError(
            "--hull is of an ROC curve, and x is a category; leave it out", code="no-hull"
        )
    why: ParameterError | None = None
    for line in filter(len, curve.lines):
        try:
            convex_hull(line)
        except ParameterError as error:
            why = error
        else:
            return
    if why is not None:
        raise why


def _difference(
    data: "Predictions", given: Mapping[str, Any], models: Sequence[str] | None, bar: Progress
) -> Answer:
    from plumbline.curves import difference_of_settings, refuse_unused
    from plumbline.random_streams import entropy_of

    rng, settings = _settings(data, given, None)
    refuse_unused(data, settings, given, difference=True)
    pair = None if models is None else listed("--models", models, data.models)
    return Answer(
        difference=difference_of_settings(data, settings, pair, entropy_of(rng), progress=bar)
    )


# ------------------------------------------------------------------ files


def _save(
    answer: Answer,
    out: Sequence[Path],
    cases_file: Path | None,
    data: "Predictions",
    command: str,
    *,
    hull: bool,
) -> None:
    """Write all files that were asked for."""
    if not out and cases_file is None:
        return
    from plumbline.reporting import curve_files

    for path in out:
        if answer.difference is not None:
            curve_files.save_difference(answer.difference, path)
        elif answer.curve is not None:
            curve_files.save_curve(
                answer.curve,
                path,
                data=data,
                best=answer.bests,
                cases=answer.cases,
                command=command,
                hull=hull,
            )
    cases = answer.cases
    if cases_file is not None and cases is not None:
        write_whole(cases_file, lambda part: curve_files.write_rows(cases, part))


def _print_files(files: Sequence[Path], *, json_is: str) -> None:
    called = (("Points", POINT_ENDINGS), (json_is, CARD_ENDINGS), ("Page", PAGE_ENDINGS))
    of_ending = {ending: what for what, endings in called for ending in endings}
    for place, path in enumerate(files):
        what = of_ending.get(path.suffix.lower(), "Picture")
        click.echo(("\n" if place == 0 else "") + f"{what}: {printable(path)}")
