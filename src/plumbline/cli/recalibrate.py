"""The command `recalibrate`: recalibrates probabilities by a map fitted on other rows."""

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline._checks import open_fraction, shown
from plumbline.cli import options
from plumbline.cli.generic import options_of
from plumbline.cli.messages import progress
from plumbline.cli.prediction_file import TABLE_OPTIONS, stem_of
from plumbline.cli.recalibrate_out import (
    RecalibrateOutput,
    draw,
    json_entry,
    list_rows,
    list_text,
    save_map,
    whole_text,
    write_page,
)
from plumbline.cli.report import typed_command
from plumbline.cli.running import running
from plumbline.cli.terminal import print_json
from plumbline.errors import InputError, ParameterError, PlumblineWarning
from plumbline.file_endings import PAGE_ENDINGS, PICTURE_ENDINGS
from plumbline.formatting import quoted
from plumbline.progress import Progress, share_of
from plumbline.requests.table import CALIBRATION

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.advisor import RecalibrationAdvice
    from plumbline.cli.recalibrate_rows import LargeNew, New
    from plumbline.recalibration import RecalibrationMap

EXAMPLES = f"""\b
{options.EXAMPLES}
  plumbline recalibrate holdout.csv
  plumbline recalibrate holdout.csv --apply new.csv --out calibrated.parquet --save-map map.json
  plumbline recalibrate holdout.csv --method isotonic --apply new.csv --picture before_after.svg
  plumbline recalibrate holdout.csv --method histogram-equal-size --option bins=20
  plumbline recalibrate --map map.json --apply new.csv --out calibrated.csv
  plumbline recalibrate holdout.csv --method platt --save-map map.sql --dialect duckdb
  plumbline recalibrate holdout.csv --apply new.csv --report after.html --json
  plumbline recalibrate --list
"""

AUTO, NONE = "auto", "none"
TABLE_ENDINGS = (".csv", ".tsv", ".parquet", ".arrow", ".feather")
MAP_ENDINGS = (".json", ".sql", ".py", ".onnx")
WHAT_TO_DO = (
    "recalibrate needs FIT, a table of rows that the classifier was not fitted on, or --map FILE "
    "with --apply NEW"
)
TESTED = ("level", "resamples")
NO_NEW = "{} needs rows to recalibrate; give them with --apply NEW"
UNLABELLED = (
    "--report needs the true class, which NEW lacks; leave --report out, or name the column with "
    "--actual"
)


def _methods() -> Sequence[str]:
    from plumbline.recalibration import METHODS

    return (AUTO, NONE, *METHODS)


def _dialects() -> Sequence[str]:
    from plumbline.recalibration.export.dialects import DIALECTS

    return tuple(DIALECTS)


def _inputs() -> Sequence[str]:
    from plumbline.recalibration import INPUTS

    return INPUTS


map_options = options.joined(
    click.option(
        "--method",
        type=options.Name(_methods),
        metavar="NAME",
        help="auto (default): if FIT is miscalibrated, cross-fit all suitable methods and use the "
        "simplest of the best that lower the log loss; none: no recalibration; or a name of "
        "--list.",
    ),
    click.option(
        "--option",
        "settings",
        type=options.NamePair(),
        metavar="NAME=VALUE",
        multiple=True,
        help="A setting of the method, such as bins=20; see --list. Repeat it for more.",
    ),
    click.option(
        "--on",
        type=options.Name(_inputs),
        metavar="NAME",
        help="What the map reads: probability (default where present) or score.",
    ),
    click.option(
        "--map",
        "map_file",
        type=click.Path(path_type=Path),
        metavar="JSON",
        help="Apply this saved map instead of fitting one on FIT.",
    ),
    click.option(
        "--apply",
        "new",
        type=options.FileName(),
        metavar="NEW",
        help="Recalibrate these rows, which the map was not fitted on; the true class is optional.",
    ),
    click.option(
        "--resubstitution",
        is_flag=True,
        help="Also apply the map to rows that it was fitted on; the result is then optimistic.",
    ),
)
out_options: options.Option[Any] = options.joined(
    click.option(
        "--out",
        type=options.OutFile(*TABLE_ENDINGS),
        metavar="FILE",
        help="Write NEW with recalibrated probabilities: .csv, .tsv, .parquet, .arrow or .feather.",
    ),
    click.option(
        "--save-map",
        "saved",
        type=options.OutFile(*MAP_ENDINGS),
        metavar="FILE",
        multiple=True,
        help="Write the map: .json for --map; .sql, .py or .onnx for systems without Plumbline. "
        "Repeat it for more.",
    ),
    click.option(
        "--dialect",
        type=options.Name(_dialects),
        metavar="NAME",
        help="SQL dialect: ansi (default), duckdb, postgres, sqlite and others.",
    ),
    click.option(
        "--picture",
        type=options.OutFile(*PICTURE_ENDINGS),
        metavar="FILE",
        help="Plot NEW before and after recalibration, without NEW the methods or the map: .svg, "
        ".png, .pdf.",
    ),
    click.option(
        "--report",
        "page",
        type=options.OutFile(*PAGE_ENDINGS),
        metavar="HTML",
        help="Write the report of the recalibrated NEW, with a section before and after.",
    ),
    click.option(
        "--level",
        type=float,
        metavar="P",
        default=0.95,
        help="Confidence level (default 0.95).",
    ),
    click.option(
        "--resamples",
        type=options.Whole(1),
        metavar="M",
        default=999,
        help="Random draws of the tests (default 999).",
    ),
    options_of(CALIBRATION, "rng", "workers"),
    click.option("--list", "list_methods", is_flag=True, help="List the methods, and exit."),
)


@dataclass(frozen=True, slots=True)
class Files:
    """What is read: rows to fit on or a saved map, rows to recalibrate."""

    fit: Path | None
    new: Path | None
    map: Path | None

    def given(self) -> list[Path]:
        """Return the files that are read."""
        return _given(self.fit, self.new, self.map)


@dataclass(frozen=True, slots=True)
class RecalibrateOptions:
    """What was asked beside the tables."""

    method: str
    settings: Mapping[str, Any]
    on: str | None
    level: float
    resamples: int
    rng: int
    workers: int | None
    resubstitution: bool

    @property
    def draw_params(self) -> dict[str, Any]:
        """The arguments that random draws and speed depend on."""
        return {"rng": self.rng, "workers": self.workers}


@options.command(epilog=EXAMPLES)
@click.argument("files", nargs=-1, metavar="[FIT]", type=options.FileName())
@options.reading_options
@map_options
@out_options
@options.output_options
@click.pass_obj
def recalibrate(
    typed: Sequence[str],
    /,
    files: Sequence[Path],
    new: Path | None,
    map_file: Path | None,
    out: Path | None,
    saved: Sequence[Path],
    dialect: str | None,
    picture: Path | None,
    page: Path | None,
    as_json: bool,
    list_methods: bool,
    **given: Any,
) -> None:
    """Recalibrate: fit a map on the rows of FIT, and apply it to NEW.

    FIT holds rows of one model with true classes that the model was not fitted on. Options for
    reading apply to both files, --folds and --repeats to FIT alone.
    """
    if list_methods:
        options.need_no_file([*files, *_given(new, map_file)])
        print_json("recalibrate", list_rows()) if as_json else click.echo(list_text())
        return
    _check(files, new, map_file, given, out=out, page=page, saved=saved, dialect=dialect)
    source = Files(files[0] if files else None, new, map_file)
    read, written = source.given(), _given(out, *saved, picture, page)
    options.need_other_file(written, read)
    how = {name: given.pop(name) for name in TABLE_OPTIONS}
    recalibrate_options = _options_of(given)
    with progress("recalibrating") as bar:
        output = _fit_and_apply(
            source,
            how,
            recalibrate_options,
            bar,
            for_page=page is not None,
            for_file=out is not None and page is None,
        )
        for path in saved:
            save_map(output.map, path, dialect=dialect, rows=new or read[0], how=how)
        if out is not None:
            resubstitution = recalibrate_options.resubstitution
            rest = share_of(bar, 0.7, 1.0)
            output.write(out, resubstitution=resubstitution, progress=rest)
        if picture is not None:
            draw(output, picture)
        if page is not None:
            command = typed_command(typed, [*read, *written])
            title = f"{stem_of([new])}, recalibrated" if new is not None else None
            write_page(
                output,
                page,
                title=title,
                command=command,
                resamples=recalibrate_options.resamples,
                **recalibrate_options.draw_params,
            )
    if as_json:
        print_json("recalibrate", [json_entry(output, out, saved)])
        return
    click.echo(whole_text(output, fit=source.fit, new=new, written=written))


def _given(*paths: Path | None) -> list[Path]:
    return [path for path in paths if path is not None]


# ------------------------------------------------------------------ the question


def _check(
    files: Sequence[Path],
    new: Path | None,
    map_file: Path | None,
    given: Mapping[str, Any],
    *,
    out: Path | None,
    page: Path | None,
    saved: Sequence[Path],
    dialect: str | None,
) -> None:
    """Refuse what cannot be asked together, before anything is read."""
    if len(files) > 1:
        raise ParameterError(
            f"recalibrate fits on one file, got {len(files)}; give the other with --apply",
            code="several-files",
        )
    if map_file is not None and files:
        raise ParameterError(
            "--map is already fitted, so there is nothing to fit on FIT; give one of them, and the "
            "rows to recalibrate with --apply",
            code="argument-beside-another",
        )
    if map_file is not None and new is None:
        raise ParameterError(WHAT_TO_DO, code="file-missing")
    fitting = {"--method": given["method"], "--option": given["settings"], "--on": given["on"]}
    for name, value in fitting.items():
        if map_file is not None and value:
            raise ParameterError(
                f"{name} is about fitting a map, and --map is already fitted; give one of them",
                code="argument-beside-another",
            )
    if given["settings"] and (given["method"] or AUTO) in (AUTO, NONE):
        raise ParameterError(
            "--option is a setting of one method; name it with --method",
            code="argument-needs-another",
        )
    needing = {"--out": out, "--report": page}
    needing["--resubstitution"] = given["resubstitution"] or None
    for name, value in needing.items():
        if value is not None and new is None:
            raise ParameterError(NO_NEW.format(name), code="argument-needs-another")
    for name in TESTED:
        if running().was_typed(name) and new is None and (given["method"] or AUTO) != AUTO:
            raise ParameterError(
                f"--{name} is of the tests that choose a method, and of those on NEW; a named "
                "method is only fitted",
                code="argument-needs-another",
                remedy="leave it out, or give --apply NEW",
            )
    if dialect is not None and not any(path.suffix.lower() == ".sql" for path in saved):
        raise ParameterError(
            "--dialect is that of a .sql file; name one with --save-map",
            code="argument-needs-another",
        )
    twice = [str(path) for path in dict.fromkeys(saved) if saved.count(path) > 1]
    if twice:
        raise ParameterError(
            f"--save-map names {shown(twice)} more than once; give it once", code="given-twice"
        )
    for name in ("folds", "repeats"):
        if map_file is not None and given[name] is not None:
            raise ParameterError(
                f"--{name} chooses rows of FIT, but with --map there is no FIT",
                code="argument-beside-another",
            )


def _options_of(given: Mapping[str, Any]) -> RecalibrateOptions:
    settings: dict[str, Any] = {}
    for name, text in given["settings"]:
        if name in settings:
            raise ParameterError(f"--option sets {quoted(name)} more than once", code="given-twice")
        settings[name] = _value(text)
    names = ("on", "resamples", "resubstitution")
    params = CALIBRATION.checked("command", {name: given[name] for name in ("rng", "workers")})
    return RecalibrateOptions(
        method=given["method"] or AUTO,
        settings=settings,
        level=open_fraction("level", given["level"]),
        rng=params.get("rng", 0),
        workers=params.get("workers"),
        **{name: given[name] for name in names},
    )


def _value(text: str) -> Any:
    """Return a setting as its method takes it: a number, a truth value, a mapping, else a text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _fit_and_apply(
    source: Files,
    how: dict[str, Any],
    options: RecalibrateOptions,
    bar: Progress,
    *,
    for_page: bool,
    for_file: bool,
) -> RecalibrateOutput:
    """Fit or load the map and apply it; NEW is read before the work is done, not after it.

    Of a large NEW only the columns are read `for_file`: its rows are, when they are written.
    """
    from plumbline.cli.recalibrate_rows import read_fit, read_like
    from plumbline.recalibration import RecalibrationMap

    new = Apply(source.new, for_page=for_page, for_file=for_file)
    if source.map is not None:
        fitted = RecalibrationMap.load(source.map)
        classes, positive = fitted.classes, fitted.positive
        rows = _rows(new, how, classes, positive, fitted.on)
        if how["models"] is not None and rows is not None and not rows.models:
            raise ParameterError(
                f"--models chooses among models, got {shown(how['models'])}, and NEW has no "
                "column model; leave it out",
                code="argument-says-nothing",
            )
        output = RecalibrateOutput(None, fitted)
    elif source.fit is not None:
        fit, bare = read_fit(source.fit, how, method=options.method, settings=options.settings)
        fit.need_one_model("recalibration")
        positive = fit.classes[fit.positive] if fit.k == 2 else None
        if fit.counted and not options.resubstitution:
            _need_other_rows(source)
        how = read_like(fit, how)
        usual = "score" if fit.prob is None else "probability"
        rows = _rows(new, how, fit.classes, positive, options.on or usual)
        output = RecalibrateOutput(fit, *_fitted(fit, options, share_of(bar, 0.0, 0.7)), bare=bare)
    else:
        raise ParameterError(WHAT_TO_DO, code="file-missing")
    return output if rows is None else _applied(output, rows, options, share_of(bar, 0.7, 1.0))


def _need_other_rows(source: Files) -> None:
    """Refuse to apply a map to the file whose rows it counted, for it remembers none of them."""
    fit, new = source.fit, source.new
    if fit is not None and new is not None and new.exists() and new.samefile(fit):
        raise InputError(
            "NEW is the file that the map is fitted on, so results on it are optimistic",
            code="file-of-the-fit",
            argument="resubstitution",
            remedy="apply it to other rows, or pass --resubstitution (the output is labelled "
            "accordingly)",
        )


@dataclass(frozen=True, slots=True)
class Apply:
    """The file NEW, and what its rows are for."""

    new: Path | None
    for_page: bool
    for_file: bool


def _rows(
    apply: Apply, how: dict[str, Any], classes: Sequence[str], positive: str | None, on: str
) -> "New | LargeNew | None":
    from plumbline.cli.recalibrate_rows import LargeNew, read_new

    new = apply.new
    for_file = new is not None and apply.for_file
    large = LargeNew.of(new, how, classes, positive) if new is not None and for_file else None
    if large is not None:
        return large
    rows = None if new is None else read_new(new, how, classes=classes, positive=positive, on=on)
    if apply.for_page and rows is not None and not rows.labelled:
        raise InputError(UNLABELLED, code="true-class-missing")
    return rows


def _fitted(
    fit: "Predictions", options: RecalibrateOptions, bar: Progress | None
) -> tuple["RecalibrationMap", "RecalibrationAdvice | None"]:
    """Return the map, and why it is this one where it was chosen among all."""
    from plumbline.advisor import recalibrate as fit_by_name
    from plumbline.advisor import recalibration_advice
    from plumbline.recalibration import fit_map

    advice, method = None, options.method
    if method == AUTO:
        advice = recalibration_advice(
            fit,
            on=options.on,
            level=options.level,
            resamples=options.resamples,
            progress=bar,
            **options.draw_params,
        )
        method = advice.chosen
    if method == NONE:
        return fit_by_name(fit, method, on=options.on), advice
    try:
        return fit_map(fit, method, on=options.on, options=options.settings), advice
    except ParameterError as error:
        raise ParameterError(
            _with_options(str(error), options.settings), code=error.code
        ) from error


def _with_options(text: str, settings: Mapping[str, Any]) -> str:
    """Return a text that names the settings as they are typed."""
    for name in ("training", *settings):
        text = text.replace(f"`{name}`", f"--option {name}=...")
    return text


def _applied(
    output: RecalibrateOutput,
    rows: "New | LargeNew",
    options: RecalibrateOptions,
    bar: Progress | None,
) -> RecalibrateOutput:
    """Recalibrate the new rows; where their true classes are known, show what that did."""
    from plumbline.cli.recalibrate_rows import LargeNew

    if isinstance(rows, LargeNew):
        return replace(output, large=rows)
    of, names = () if output.fit is None else output.fit.models, rows.models
    if of and names and of != names:
        warning = PlumblineWarning(
            f"the map was fitted on the model {quoted(of[0])}, but NEW is of {quoted(names[0])}; a "
            "map is valid for one model only",
            code="map-of-another-model",
        )
        warnings.warn(warning, stacklevel=2)
    if not rows.labelled:
        recalibrated = output.map(rows.data, resubstitution=options.resubstitution)
        return replace(output, new=rows, recalibrated=recalibrated)
    from plumbline.advisor import recalibration_effect

    effect = recalibration_effect(
        output.map,
        rows.data,
        resubstitution=options.resubstitution,
        level=options.level,
        resamples=options.resamples,
        progress=bar,
        **options.draw_params,
    )
    return replace(output, new=rows, recalibrated=effect.after, effect=effect)
