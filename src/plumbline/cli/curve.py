"""The command `curve`: any two formulas against each other, and what can be read off."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from plumbline.atomic_files import (
    CARD_ENDINGS,
    DIFFERENCE_ENDINGS,
    PAGE_ENDINGS,
    POINT_ENDINGS,
    write_whole,
)
from plumbline.cli import curve_options, options
from plumbline.cli.messages import progress
from plumbline.cli.output import print_json
from plumbline.cli.prediction_file import heading, listed, positive_of, split_source
from plumbline.cli.report import typed_command
from plumbline.errors import ParameterError
from plumbline.formatting import printable
from plumbline.progress import Progress, share_of

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.curves import Curve
    from plumbline.curves.best_threshold import BestThreshold
    from plumbline.curves.cases_between import Cases

EXAMPLES = """\b
Examples:
  plumbline curve --list-presets
  plumbline curve loans.csv --preset roc --band bootstrap --out roc.html
  plumbline curve loans.csv --x threshold --y 'cumm(interest if eP else -amount)' --optimum max
  plumbline curve loans.csv --preset accuracy --optimum max --subject-to 'recall >= 0.9'
  plumbline curve loans.csv --preset error-by-attribute --x age --out errors.svg --out errors.csv
  plumbline curve loans.csv --x 'cumm(1) / NN' --y TPR --where 'age < 40 and purpose == "car"'
  plumbline curve loans.csv --preset roc --average vertical --models careful --out roc.json
  plumbline curve loans.csv --card roc.json --models bold --json
  plumbline curve loans.csv --preset accuracy --models careful --between 0.4:0.6 --cases near.csv
  plumbline curve loans.csv --preset accuracy --difference --out difference.svg

\b
Put formulas in single quotes, so that the shell leaves * > " and $ in them alone.
"""

NEEDS_FILE = "a curve needs FILE, the predictions to draw it from; --list-presets needs none"
OF_ROWS = ("sort_by", "where", "target", "params")  # what rows between thresholds take
NEEDS_FORMULAS = (
    "a curve needs --preset NAME, or --x FORMULA and --y FORMULA, or --card JSON; --list-presets "
    "tells the names. Rows between two thresholds need --between LOW:HIGH alone"
)
# Options that say what to read off a curve, not how to draw it.
READINGS = ("optimum", "subject_to", "between", "cases_file", "difference", "card", "out", "models")


@dataclass(frozen=True, slots=True)
class CurveOptions:
    """What was asked, once the table is read: the settings that were given, and the readings."""

    data: "Predictions"
    given: Mapping[str, Any]
    optimum: Literal["max", "min"] | None = None
    subject_to: str | None = None
    between: tuple[float, float] | None = None
    cases_file: Path | None = None
    difference: bool = False
    card: Path | None = None
    out: Sequence[Path] = ()
    models: str | None = None

    def check(self) -> None:
        """Refuse readings that do not fit together."""
        if not self.draws:
            self.check_rows_alone()
        _alone("--subject-to", self.subject_to, "--optimum", self.optimum)
        _alone("--cases", self.cases_file, "--between", self.between)
        if self.difference:
            own = {name: getattr(self, name) for name in ("optimum", "between", "card")}
            for name in (*own, "band", "multiclass", "thresholds"):
                if own.get(name, self.given.get(name)) is not None:
                    raise ParameterError(f"--difference takes no --{name}; leave one of them out")
            pages = [path for path in self.out if path.suffix.lower() not in DIFFERENCE_ENDINGS]
            if pages:
                raise ParameterError(
                    f"--difference writes {', '.join(DIFFERENCE_ENDINGS)}, got {str(pages[0])!r}"
                )
        if self.between is not None:
            self.data.need_one_model("a list of cases")

    @property
    def draws(self) -> bool:
        """Whether a curve is asked for, by its formulas, a preset or a card."""
        return any(name in self.given for name in ("preset", "x", "y")) or self.card is not None

    def check_rows_alone(self) -> None:
        """Refuse what needs a curve where there is none, only rows between two thresholds."""
        if self.between is None or self.optimum is not None or self.difference or self.out:
            raise ParameterError(NEEDS_FORMULAS)
        others = [name for name in self.given if name not in (*OF_ROWS, "seed")]
        if others:
            named = "direction" if others[0] == "direction" else f"--{others[0].replace('_', '-')}"
            raise ParameterError(
                f"{named} is of a curve, and --between alone draws none; leave it out, or add "
                "--preset NAME"
            )


def _alone(option: str, value: Any, other: str, beside: Any) -> None:
    if value is not None and beside is None:
        raise ParameterError(f"{option} belongs to {other}; give that too")


@click.command(epilog=EXAMPLES)
@options.file_argument
@options.reading_options
@curve_options.formula_options
@curve_options.way_options
@curve_options.answer_options
@options.json_option
@click.pass_obj
def curve(
    typed: Sequence[str],
    /,
    file: Path | None,
    as_json: bool,
    list_presets: bool,
    params: Sequence[tuple[str, float]],
    **chosen: Any,
) -> None:
    """Draw one formula against another over the rows in FILE, for every model.

    Rows are met from the highest probability down. Formulas may name counts and rates at the
    threshold (TP, recall, FPR, CA, ...), facts of a row (probability, eP, eCA, any column of FILE)
    and sums over the rows met: cumm(amount). docs/curves.md shows how.
    """
    if list_presets:
        _say_presets(as_json)
        return
    if file is None:
        raise ParameterError(NEEDS_FILE)
    read = [file, chosen["card"]]
    options.need_other_file(chosen["out"], read)
    options.need_other_file([chosen["cases_file"]], read, option="--cases")
    chosen["params"] = dict(params) or None
    chosen["direction"] = curve_options.direction_of(chosen)
    data, question = split_source(file, chosen)
    readings = {name: question.pop(name) for name in READINGS if name in question}
    request = CurveOptions(data, question, **readings, models=chosen["models"])
    request.check()
    command = typed_command(typed, [file, *request.out, *filter(None, [request.card])])
    if request.difference:
        _say_difference(file, request, as_json)
    elif not request.draws:
        _say_rows(file, request, as_json)
    else:
        _say_curve(file, request, command, as_json)


def _say_presets(as_json: bool) -> None:
    from plumbline.cli.curve_text import preset_rows, presets_text

    if as_json:
        print_json("curve", preset_rows())
        return
    click.echo(presets_text())


# ------------------------------------------------------------------ a curve


def _say_curve(file: Path, options: CurveOptions, command: str, as_json: bool) -> None:
    from plumbline.cli import curve_text

    with progress("drawing") as bar:
        parts = _shares(bar, options)
        curve = _drawn(options, parts[0])
        bests = _bests(options, curve, parts[1])
    cases = _cases(options, curve)
    _write(options, curve, bests, cases, command)
    files = [*options.out, *filter(None, [options.cases_file])]
    if as_json:
        results = [curve_text.line_entry(curve, line, bests) for line in curve.lines]
        more: dict[str, Any] = {} if cases is None else {"cases": cases}
        more |= {"positive": positive_of(options.data), "files": [*map(str, files)]}
        print_json("curve", results, **curve_text.about(curve), **more)
        return
    click.echo(heading(file, options.data) + "\n")
    click.echo(curve_text.curve_text(curve, options.data, bests, cases))
    _say_files(files)


def _shares(bar: Progress, options: CurveOptions) -> tuple[Progress | None, Progress | None]:
    """Return the parts of the progress bar that drawing and the best threshold have."""
    if options.optimum is None:
        return share_of(bar, 0.0, 1.0), None
    middle = 0.5 if options.given.get("band") == "bootstrap" else 0.0
    return share_of(bar, 0.0, middle), share_of(bar, middle, 1.0)


def _drawn(options: CurveOptions, bar: Progress | None) -> "Curve":
    import plumbline.curves as cv
    from plumbline.curves.spec import curve_from_spec

    given = dict(options.given)
    seed = given.pop("seed", None)
    if options.card is not None:
        return curve_from_spec(options.card, options.data, rng=seed, progress=bar, **given)
    preset = given.pop("preset", None)
    return cv.curve(options.data, preset, rng=seed or 0, progress=bar, **given)


def _bests(
    options: CurveOptions, curve: "Curve", bar: Progress | None
) -> Mapping[str | None, "BestThreshold"]:
    """Return the best threshold of every model, where one is asked for."""
    from plumbline.curves.best_threshold import best_thresholds, settings_without_best

    if options.optimum is None:
        return {}
    wrong = settings_without_best(curve.settings)
    if wrong is not None:
        raise ParameterError(
            f"--optimum looks for one threshold of all rows, one class against the rest; leave "
            f"--{wrong} out"
        )
    return best_thresholds(
        options.data,
        curve.settings,
        goal=options.optimum,
        subject_to=options.subject_to,
        progress=bar,
    )


def _say_rows(file: Path, options: CurveOptions, as_json: bool) -> None:
    """Show the rows between two thresholds, and no curve."""
    from plumbline.cli import curve_text
    from plumbline.curves.cases_between import cases_between
    from plumbline.reporting.curve_files import write_rows

    low, high = options.between or (0.0, 1.0)  # `check` has seen to it that there is a band
    given = {name: options.given[name] for name in OF_ROWS if name in options.given}
    cases = cases_between(options.data, low=low, high=high, **given)
    files = [] if options.cases_file is None else [options.cases_file]
    for path in files:
        write_whole(path, lambda part: write_rows(cases, part))
    if as_json:
        more: dict[str, Any] = {"cases": cases, "positive": positive_of(options.data)}
        print_json("curve", [], **more, files=[*map(str, files)])
        return
    click.echo(heading(file, options.data) + "\n")
    click.echo(curve_text.cases_text(cases))
    _say_files(files)


def _cases(options: CurveOptions, curve: "Curve") -> "Cases | None":
    from plumbline.curves.cases_between import cases_between
    from plumbline.curves.recipe import params_for

    if options.between is None:
        return None
    settings = curve.settings
    low, high = options.between
    return cases_between(
        options.data,
        low=low,
        high=high,
        sort_by=settings.sort_by,
        where=settings.where,
        target=settings.target,
        params=params_for(settings.params, settings.sort_by, settings.where),
    )


def _write(
    options: CurveOptions,
    curve: "Curve",
    bests: Mapping[str | None, "BestThreshold"],
    cases: "Cases | None",
    command: str,
) -> None:
    """Write all files that were asked for."""
    if options.out:
        from plumbline.reporting.curve_files import save_curve

        for path in options.out:
            save_curve(curve, path, data=options.data, best=bests, cases=cases, command=command)
    if options.cases_file is not None and cases is not None:
        from plumbline.reporting.curve_files import write_rows

        write_whole(options.cases_file, lambda part: write_rows(cases, part))


def _say_files(files: Sequence[Path], *, json_is: str = "Card") -> None:
    called = (("Points", POINT_ENDINGS), (json_is, CARD_ENDINGS), ("Page", PAGE_ENDINGS))
    of_ending = {ending: what for what, endings in called for ending in endings}
    for place, path in enumerate(files):
        what = of_ending.get(path.suffix.lower(), "Picture")
        click.echo(("\n" if place == 0 else "") + f"{what}: {printable(path)}")


# ------------------------------------------------------------------ a difference


def _say_difference(file: Path, options: CurveOptions, as_json: bool) -> None:
    from plumbline.cli import curve_text
    from plumbline.curves.curve_difference import curve_difference
    from plumbline.reporting.curve_files import save_difference

    given = dict(options.given)
    preset, seed = given.pop("preset", None), given.pop("seed", 0)
    models = None
    if options.models is not None:
        models = listed("--models", options.models, options.data.models)
    with progress("comparing") as bar:
        difference = curve_difference(
            options.data, preset, models=models, rng=seed, progress=bar, **given
        )
    for path in options.out:
        save_difference(difference, path)
    if as_json:
        print_json(
            "curve",
            [difference.to_dict()],
            positive=positive_of(options.data),
            files=[str(path) for path in options.out],
        )
        return
    click.echo(heading(file, options.data) + "\n")
    click.echo(curve_text.difference_text(difference))
    _say_files(options.out, json_is="Result")
