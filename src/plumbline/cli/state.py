"""The commands `state ...`: counted rows that are kept, added up, shown and compared over time."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli import options, terminal
from plumbline.cli.messages import complain, complain_of, progress, progress_once_begun, without
from plumbline.cli.prediction_file import (
    STDIN,
    heading,
    inputs,
    listed,
    one_model_at_a_time,
    pairs_of,
    positive_of,
    read_source,
    split_source,
    stem_of,
    view_at_hand,
)
from plumbline.cli.rows_left_out import rows_lines
from plumbline.cli.running import running
from plumbline.cli.terminal import entry, print_json
from plumbline.command_words import command_line, file_word
from plumbline.errors import InputError, PlumblineError
from plumbline.file_endings import PAGE_ENDINGS, PICTURE_ENDINGS, STATE_ENDINGS
from plumbline.formatting import counted, printable, quoted, waiting_text

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.frames import LevelCounts
    from plumbline.results import Monitoring

BAD_INPUT = 2
EXAMPLES = f"""\b
{options.EXAMPLES}
  plumbline state update holdout.state holdout.csv
  plumbline state update new.state new.csv
  plumbline state merge all.state holdout.state new.state
  plumbline state show all.state
  plumbline state compare holdout.state new.state --out drift.svg
  plumbline test all.state
"""


FROM_SQL_EXAMPLES = """\b
Examples:
  plumbline sql ml.scores --dialect bigquery --out count.sql
  plumbline state from-sql result.csv --out scores.state
  plumbline state from-sql monday.csv.gz tuesday.csv.gz --out week.state
"""


class StateCommands(click.Group):
    """Commands whose refusals are worded in their own options."""

    command_class = options.StrictCommand

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was named; a refusal is one line and exit status 2."""
        try:
            return super().invoke(ctx)
        except PlumblineError as error:
            complain_of(error, self.get_command(ctx, ctx.invoked_subcommand or ""), ctx)
            return BAD_INPUT


@click.group(cls=StateCommands, epilog=EXAMPLES, invoke_without_command=True)
@click.pass_context
def state(context: click.Context) -> None:
    """Keep rows as counts: a state of a day or a year, read by every command as FILE.

    A state holds how many rows of either class there are at about two million levels of the
    probability, for each model, fold and repeat. Its size does not grow with the rows. Rows are
    added, states of days are merged, and windows of time are compared for drift of calibration.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


STATE = options.OutFile(*STATE_ENDINGS)
state_argument = click.argument("out", type=STATE, metavar="STATE")
again_option = click.option(
    "--again", is_flag=True, help="Count rows twice whose file was counted already."
)
MOST_NAMED = 10  # files that a command to paste names


@state.command()
@state_argument
@options.files_argument(needed=True)
@options.column_options
@options.separated_options
@click.option(
    "--view",
    metavar="VIEW",
    help="Of more than two classes: top-label, or one-vs-rest:CLASS. Default: that of STATE, "
    "else top-label.",
)
@click.option(
    "--attributes",
    metavar="A,B",
    help="Attributes to keep: up to 12 different numbers, or other values, part the rows; of more "
    "numbers sums are kept. Given once; later files need the same.",
)
@click.option("--groups", metavar="COL", hidden=True)  # refused, with what to do instead
@again_option
@options.json_option
def update(
    out: Path,
    files: Sequence[Path],
    as_json: bool,
    attributes: str | None,
    groups: str | None,
    again: bool,
    **how: Any,
) -> None:
    """Add the rows of files to STATE, which is made if it is not there.

    Files are tables, or other states. STATE is written whole or not at all. Rows without a label
    wait for it: give their file again when it has more labels, or more rows, and only what is new
    is counted. It is refused to add rows with other columns or classes, and a file whose content
    was added already, under whatever name. Several updates of one STATE may run at once.
    """
    from plumbline.frames import count, go_on, read_state, write_state
    from plumbline.frames.columns import groups_not_counted
    from plumbline.frames.read import note_view

    options.need_other_file([out], files, option="STATE")
    if groups is not None:
        with _commands_for_groups(files, groups):
            raise groups_not_counted()
    how["prob"], how["rename"] = (pairs_of(f"--{name}", how[name]) for name in ("prob", "rename"))
    whole = read_state(out) if out.exists() else None
    if whole is not None and how["positive"] is None:
        how["positive"] = whole.columns.positive
    named = how["view"] if whole is None else whole.columns.view
    how["view"] = how["view"] or named
    how["attributes"] = listed("--attributes", attributes, ()) if attributes else ()
    if whole is not None and not attributes:
        how["attributes"] = whole.columns.attributes
    if all(file.suffix.lower() in STATE_ENDINGS for file in files):
        how |= {"positive": None, "view": None, "attributes": ()}
    source = inputs(files)

    def counted_beside(whole: "LevelCounts | None") -> "LevelCounts":
        held = {} if whole is None else whole.contents
        refusals = contextlib.ExitStack()
        refusals.enter_context(_commands_for_repeats(files, held))
        told = [column for column, role in (how["rename"] or {}).items() if role == "groups"]
        refusals.enter_context(_commands_for_groups(files, told[0] if told else None))
        with refusals, progress_once_begun("Counting rows") as bar:
            return count(source, **how, progress=bar, whole=whole, again=again)

    more = counted_beside(whole)
    with _one_writer(out):
        before, whole = whole, read_state(out) if out.exists() else None
        if whole is None:
            whole, added = more, more.rows
        else:  # another update may have ended by now
            if whole.late and (before is None or before.late != whole.late):
                more = counted_beside(whole)
            added = more.rows
            with _commands_for_repeats(files, whole.contents):
                go_on(whole, more, str(files[0]), again=again)
        data = whole.predictions() if whole.rows or not whole.waiting else None
        write_state(whole, out)
    if named is None and data is not None and data.levels is not None:
        note_view(data.levels)
    _say_written(out, data, whole, as_json, "update", added)


@state.command()
@state_argument
@click.argument(
    "states", nargs=-1, required=True, metavar="STATE...", type=click.Path(path_type=Path)
)
@again_option
@options.json_option
def merge(out: Path, states: Sequence[Path], as_json: bool, again: bool) -> None:
    """Write the rows of several states as one; the order does not matter.

    The first STATE is written, whole or not at all, and must not be one of the others. States that
    hold rows of the same file are refused.
    """
    from plumbline.frames import read_states, write_state

    options.need_other_file([out], states, option="STATE")
    with _commands_for_repeats():
        whole = read_states(states, {}, again=again)
    added = whole.rows
    data = whole.predictions() if whole.rows or not whole.waiting else None
    with _one_writer(out):
        write_state(whole, out)
    _say_written(out, data, whole, as_json, "merge", added)


@state.command("from-sql", epilog=FROM_SQL_EXAMPLES)
@click.argument("results", nargs=-1, required=True, type=options.FileName())
@click.option("--out", type=STATE, metavar="FILE", required=True, help="State to write.")
@again_option
def from_sql(results: Sequence[Path], out: Path, again: bool) -> None:
    """Turn the RESULT of the query that plumbline sql prints into a state.

    RESULT is a file in any form that tables have: CSV, TSV, JSON lines, Parquet, compressed or not.
    Several results are added up, each once. A result that was cut off is refused, and so are rows
    that the database could not count, such as those with a probability outside [0, 1].
    """
    from plumbline.frames import counts_of_results, write_state
    from plumbline.predictions import sources_of

    with _commands_for_repeats():
        counts = counts_of_results(sources_of(results), again=again)
    with _one_writer(out):
        write_state(counts, out)
    click.echo(f"{counted(counts.rows, 'row')} counted: {printable(out)}")


def _one_writer(out: Path) -> contextlib.AbstractContextManager[None]:
    """Wait until no other command writes the state, and say so after a second."""
    from plumbline.atomic_files import one_writer

    return one_writer(
        out, waiting=lambda: complain(f"waiting for another command that writes {quoted(str(out))}")
    )


@contextlib.contextmanager
def _commands_for_groups(files: Sequence[Path], column: str | None = None) -> Iterator[None]:
    """Refuse rows in groups with the command that reads single rows, and the one without groups.

    `column`: of the groups, where an option names it; a written table names it itself, and has to
    be written again without them.
    """
    try:
        yield
    except InputError as error:
        if error.code != "groups-not-counted":
            raise
        named = [] if column is None else ["--groups", column]
        single = command_line(["plumbline", "test", *map(file_word, files[:1]), *named])
        remedy = f"a test of single rows allows for groups: {single}"
        if column is not None:
            words = without(running().line, {"--groups", f"--rename={column}=groups"})
            kept = without(words, {"--rename"}) if f"{column}=groups" in words else words
            remedy += f"; if rows are independent: {command_line(['plumbline', *kept])}"
        raise InputError(error.text, code=error.code, remedy=remedy) from error


@contextlib.contextmanager
def _commands_for_repeats(
    files: Sequence[Path] = (), held: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Refuse what was counted already with the commands that count all again, or the rest alone."""
    try:
        yield
    except InputError as error:
        if error.code != "counted-already":
            raise
        command, subcommand, *words = running().line
        all_again = command_line(["plumbline", command, subcommand, "--again", *words])
        rest = _not_counted(files, held or {})
        others = ""
        if rest and len(rest) <= MOST_NAMED:
            named = {str(path) for path in (*files, *running().patterns)}
            kept = [word for word in words if word not in named]
            others = command_line(["plumbline", command, subcommand, *kept, *map(file_word, rest)])
            others = f"without it: {others}; "
        raise InputError(
            error.text, code=error.code, remedy=f"{others}to count it once more: {all_again}"
        ) from error


def _not_counted(files: Sequence[Path], held: Mapping[str, str]) -> list[Path]:
    """Return the files of which a state holds nothing, each content once."""
    from plumbline.frames import read_state
    from plumbline.frames.contents import contents_of
    from plumbline.frames.states import is_state
    from plumbline.predictions import sources_of

    known, rest = {*held}, []
    for file in files if STDIN not in files else ():
        own = {*(read_state(file).contents if is_state(file) else contents_of(sources_of(file)))}
        rest += [] if known & own else [file]
        known |= own
    return rest


def _say_written(
    out: Path,
    data: "Predictions | None",
    whole: "LevelCounts",
    as_json: bool,
    done: str,
    added: int,
) -> None:
    """Say how many rows were added, and what the state holds now; `data` is None of no rows."""
    rows, waiting = whole.rows, whole.waiting
    if as_json:
        entries = [{"state": str(out), "rows_added": added, "rows": rows, "rows_waiting": waiting}]
        positive = None if data is None else positive_of(data)
        print_json(f"state {done}", entries, positive=positive)
        return
    first = f"{printable(out)}: no rows" if data is None else heading(out, data)
    wait = f" {waiting_text(waiting)}." if waiting else ""
    added_text = f"Added {counted(added, 'row')}; the state holds {rows:,}."
    click.echo(f"{first}\n\n{added_text}{wait}")


@state.command()
@options.files_argument(needed=True)
@options.reading_options
@options.output_options
def show(files: Sequence[Path], as_json: bool, **given: Any) -> None:
    """Show what states hold: rows, classes, and the main numbers of every model."""
    data, _ = split_source(files, given)
    results = [
        (name, _monitored([(stem_of(files), part)]).windows[0])
        for name, part in data.by_model().items()
    ]
    if as_json:
        entries = [entry(name, one.to_dict()) for name, one in results]
        print_json("state show", entries, positive=positive_of(data))
        return
    click.echo(f"{heading(files, data)}\n\n{terminal.shown(results)}")


@state.command()
@options.files_argument(needed=True)
@options.reading_options
@click.option("--by", metavar="ATTR", help="Attribute that divides one FILE into windows.")
@click.option(
    "--reference",
    metavar="N|FILE",
    help="Number of first windows, or a FILE, from which calibration must not differ.",
)
@click.option("--level", type=float, default=0.05, help="Probability of a false alarm at any time.")
@click.option(
    "--from-start",
    is_flag=True,
    help="Look only for miscalibration since the first window, which is then found sooner.",
)
@click.option(
    "--out",
    type=options.OutFile(*PICTURE_ENDINGS, *PAGE_ENDINGS),
    metavar="FILE",
    multiple=True,
    help="Draw the windows: .svg, .png, .pdf, or .html for a page with the answers. Repeat it for "
    "several.",
)
@options.output_options
def compare(
    files: Sequence[Path],
    as_json: bool,
    by: str | None,
    reference: str | None,
    level: float,
    from_start: bool,
    out: Sequence[Path],
    **given: Any,
) -> None:
    """Compare windows in sequence, one FILE each: is the model still calibrated?

    The test may be repeated after every window: the probability of ever giving a false alarm is at
    most the level. Each FILE is a state or a table of two classes. With --reference it is asked
    whether calibration has changed, of models that were never calibrated too.
    """
    options.need_other_file(out, files)
    how: dict[str, Any] = {"level": level, "restarts": not from_start}
    if reference is not None and reference.isdecimal():
        how["reference"] = int(reference)
    elif reference is not None and by is None:
        files, how["reference"] = [Path(reference), *files], 1
    elif reference is not None:
        how["reference"] = Path(reference)
    results, positive = _compared(files, by, given, how)
    _draw(results, out)
    if as_json:
        entries = [entry(name, one.to_dict()) for name, one in results]
        written = [str(path) for path in out]
        print_json("state compare", entries, positive=positive, files=written)
        return
    of = f"positive class {positive}" if positive is not None else " ".join(view_at_hand())
    first = f"{counted(len(results[0][1].windows), 'window')}, {of}"
    lines = "\n".join([first, *rows_lines()])
    shown = [result.present() for _, result in results]
    names = [name for name, _ in results]
    blocks = [lines, terminal.laid_out(shown, names, steps=_next_steps(files, by, results))]
    blocks += ["\n".join(f"Written: {printable(path)}" for path in out)] if out else []
    click.echo("\n\n".join(blocks))


def _compared(
    files: Sequence[Path], by: str | None, given: dict[str, Any], how: Mapping[str, Any]
) -> tuple[list[tuple[str | None, "Monitoring"]], str | None]:
    """Return the monitoring of every model, and the positive class."""
    if by is not None:
        return _compared_by(files, by, given, how)
    stems = [stem_of([file]) for file in files]
    names = stems if len(set(stems)) == len(stems) else [str(file) for file in files]
    windows: dict[str | None, list[tuple[str, Predictions]]] = {}
    positive = None
    for place, (file, name) in enumerate(zip(files, names, strict=True)):
        data = read_source(file, **given)
        positive = positive_of(data)
        models = data.by_model()
        if place:
            _need_same_models(models, file, windows, files[0])
        for model, part in models.items():
            windows.setdefault(model, []).append((name, part))
    return [(model, _monitored(parts, **how)) for model, parts in windows.items()], positive


def _compared_by(
    files: Sequence[Path], by: str, given: dict[str, Any], how: Mapping[str, Any]
) -> tuple[list[tuple[str | None, "Monitoring"]], str | None]:
    """Return the same of one table, whose column `by` names the windows."""
    from plumbline import monitor

    data = read_source(files, **given)
    models = data.by_model()
    each: Mapping[str | None, Any] = dict.fromkeys(models, how.get("reference"))
    if isinstance(how.get("reference"), Path):
        before = read_source(how["reference"], **given).by_model()
        _need_same_models(before, how["reference"], models, files[0])
        each = before
    with progress("Comparing windows") as bar:
        results = [
            (name, monitor(part, by=by, **{**how, "reference": each[name]}, progress=bar))
            for name, part in models.items()
        ]
    return results, positive_of(data)


def _need_same_models(models: Any, file: Path, others: Any, first: Path) -> None:
    if set(models) != set(others):
        raise InputError(
            f"all windows must have the same models; {quoted(str(file))} has others than "
            f"{quoted(str(first))}",
            code="models-differ",
            remedy="choose some with `models`",
        )


def _next_steps(
    files: Sequence[Path], by: str | None, results: Sequence[tuple[str | None, "Monitoring"]]
) -> list[tuple[str, str]]:
    """Return the command that tests the window of each alarm, where windows are files."""
    if by is not None:
        return []
    alarms = {name: files[one.alarm - 1] for name, one in results if one.alarm is not None}
    running().file_of = {name: (str(file), name) for name, file in alarms.items()}
    lines: dict[tuple[str, str], None] = {}
    for name, result in results:
        step = result.present().next_step
        if step is not None:
            lines |= dict.fromkeys(terminal.next_lines(step, name))
    return list(lines)


def _monitored(parts: Sequence[tuple[str, "Predictions"]], **how: Any) -> "Monitoring":
    from plumbline import monitor

    with progress("Comparing windows") as bar:
        return monitor(dict(_apart(parts)), **how, progress=bar)


def _apart(
    parts: Sequence[tuple[str, "Predictions"]],
) -> Iterator[tuple[str, "Predictions"]]:
    """Yield windows under names that are all different."""
    names = [name for name, _ in parts]
    for number, (name, part) in enumerate(parts, 1):
        yield (name if names.count(name) == 1 else f"{number}: {name}"), part


def _draw(results: Sequence[tuple[str | None, "Monitoring"]], out: Sequence[Path]) -> None:
    """Draw the windows into every file; refuse all of them where one cannot be."""
    if not out:
        return
    from plumbline._checks import need_extra

    need_extra("matplotlib", "plot", "a picture")
    from plumbline.plots import monitoring_figure
    from plumbline.plots.save_figure import save_figure

    pages = [path for path in out if path.suffix.lower() in PAGE_ENDINGS]
    if len(results) > 1 and len(pages) < len(out):
        names = [str(name) for name, _ in results]
        raise one_model_at_a_time("a picture is of one model, a page (.html) of all", names)
    for path in out:
        if path in pages:
            from plumbline.reporting.documents import write_results

            parts = [(name, monitoring_figure(result), result) for name, result in results]
            write_results(path, "Calibration over time", parts)
        else:
            save_figure(monitoring_figure(results[0][1]), path)
