"""Commands made of rows of the table of requests: options, help, and what happens when one runs."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from plumbline._checks import nearest, shown
from plumbline.cli import options
from plumbline.cli.running import running
from plumbline.errors import InputError, ParameterError, warn
from plumbline.file_endings import PICTURE_ENDINGS, POINT_ENDINGS
from plumbline.formatting import printable, quoted
from plumbline.progress import share_of
from plumbline.requests import Param, Request
from plumbline.requests.table import Answers, named, with_verdicts

NO_ROWS = ("no-rows", "too-few-rows")  # codes of errors about tables without rows
_TICKED = re.compile(r"`(\w+)`")
_QUOTED = re.compile(r'"([^"\s]+)"')


class Value(click.ParamType[Any]):
    """The value of a parameter, read as its kind says."""

    def __init__(self, param: Param) -> None:
        self.param = param
        self.name = param.kind.metavar.lower()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value as it was typed if it is one; the request reads it again."""
        kind = self.param.kind
        try:
            kind.read(self.param.name, (value,) if kind.many else value)
        except ParameterError:
            engine = None if ctx is None else ctx.params.get("engine")
            if self.param.name == "view" and isinstance(engine, str):
                _need_counted_view(str(value), engine)
            raise
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Offer the names that begin as the word does."""
        names = self.param.kind.names()
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _need_counted_view(view: str, engine: str) -> None:
    """Refuse what is no view with the names of those that can be counted."""
    if engine not in ("auto", "memory"):
        raise ParameterError(
            argument="view",
            rule="'top-label' or 'one-vs-rest:CLASS' where rows are counted",
            arrived=quoted(view),
            near=nearest(view, ("top-label", "one-vs-rest")),
            code="view-not-possible",
        )


def option_of(param: Param) -> str:
    """Return what the command line calls a parameter."""
    return f"--{(param.kind.option or param.name).replace('_', '-')}"


@dataclass(frozen=True, slots=True)
class Source:
    """What a request is asked of: the data, how they are announced, and what came with them."""

    data: Any
    heading: str
    positive: str | None
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hooks:
    """What a command does besides reading one file and showing the answer.

    Attributes
    ----------
    source : (files, how to read them) -> Source, where several files are more than one table
    endings : of the files that --out writes, and help, what it writes
    write : (answers, data, values, file) -> what was written, such as "Picture"
    drawing : options of the picture alone by the name of their value, which need --out; None where
        one is not given
    """

    source: Callable[[Sequence[Path], dict[str, Any]], Source] | None = None
    endings: tuple[str, ...] = ()
    help: str = ""
    write: Callable[[Answers, Any, Mapping[str, Any], Path], str] | None = None
    drawing: Mapping[str, options.Option[Any]] = field(default_factory=dict)


def command_of(request: Request, hooks: Hooks | None = None) -> click.Command:
    """Return the command of a request."""
    own = hooks or Hooks()
    if own.write is None:
        own = _with_files_of(request, own)

    def run(files: Sequence[Path], as_json: bool, **given: Any) -> int:
        if given.pop("list_names", False):
            options.need_nothing_else(files, given)
            print_names(request, as_json=as_json)
            return 0
        return _answer(request, own, files, as_json, given)

    run = list_option(options.output_options(run))
    if own.endings:
        kind = options.OutFile(*own.endings)
        run = click.option("--out", type=kind, metavar="FILE", multiple=True, help=own.help)(run)
    run = options.joined(*own.drawing.values())(run)
    run = _print_option(request)(run) if request.prints else run
    run = options.reading_options(options_of(request)(run))
    names = _names(request)
    signature = request.signature
    examples = "".join(f"\n  plumbline {request.name} {line}" for line in request.examples)
    return options.command(
        request.name,
        help="\n\n".join(filter(None, [signature.summary, _plain(signature.text, names)])),
        epilog=f"\b\n{options.EXAMPLES}{examples}",
    )(options.files_argument(needed=False)(run))


def _with_files_of(request: Request, own: Hooks) -> Hooks:
    """Add the files that a row says are written of its one answer."""
    if not request.writes:
        return own
    texts = [one for one in request.writes if one not in (*PICTURE_ENDINGS, *POINT_ENDINGS)]
    kinds = [f"{', '.join(texts)} for a text" if texts else ""]
    kinds += [f"{', '.join(PICTURE_ENDINGS)} for a picture"] * (
        PICTURE_ENDINGS[0] in request.writes
    )
    kinds += [f"{', '.join(POINT_ENDINGS)} for its rows"] * (POINT_ENDINGS[0] in request.writes)
    text = f"Write the answer: {'; '.join(filter(None, kinds))}. Repeat it."
    return replace(own, endings=request.writes, help=text, write=_write)


def _write(answers: Answers, _: Any, __: Mapping[str, Any], path: Path) -> str:
    """Write the answer as the ending of a file says; return what was written."""
    from plumbline.atomic_files import write_whole

    ((_, result),) = answers
    ending = path.suffix.lower()
    if ending in PICTURE_ENDINGS:
        from plumbline._checks import need_extra

        need_extra("matplotlib", "plot", "a picture")
        from plumbline.plots.save_figure import save_figure

        save_figure(result.figure(), path)
        return "Picture"
    if ending in POINT_ENDINGS:
        from plumbline.reporting.curve_files import write_rows

        write_whole(path, lambda part: write_rows(result, part))
        return "Rows"
    text = result.texts().get(ending)
    if text is None:
        known = ", ".join(result.texts())
        raise ParameterError(
            f"this answer is not written as {ending}, got {quoted(str(path))}; it can be {known}",
            code="wrong-suffix",
        )
    write_whole(path, lambda part: part.write_text(text(), "utf-8"))
    return "Text"


def _print_option(request: Request) -> options.Option[Any]:
    """Return the option that prints the answer once more, as another program reads it."""
    return click.option(
        "--annotate",
        type=options.Name(lambda: request.prints),
        metavar="NAME",
        help=f"Also print the answer as another program reads it: {', '.join(request.prints)}.",
    )


list_option: options.Option[Any] = click.option(
    "--list", "list_names", is_flag=True, help="List what can be named, and exit; needs no FILE."
)


def print_names(request: Request, *, as_json: bool) -> None:
    """Print what may be named: what the request's own function tells, else every option's names."""
    from plumbline.cli import terminal

    if request.names:
        _show([(None, named(request.names)())], request, as_json, None)
        return
    offered = [(option_of(one), one.kind.names()) for one in request.params("command")]
    rows = [{"option": option, "names": list(names)} for option, names in offered if names]
    if as_json:
        terminal.print_json(request.name, rows)
    else:
        click.echo(terminal.listed([(str(row["option"]), ", ".join(row["names"])) for row in rows]))


def options_of(request: Request, *names: str) -> options.Option[Any]:
    """Return the options of the parameters that a request offers, or of some of them by name."""
    offered = [param for param in request.params("command") if not names or param.name in names]
    return options.joined(*(_option(param, _names(request)) for param in offered))


def _names(request: Request) -> dict[str, str]:
    return {param.name: option_of(param) for param in request.params("command")}


def _option(param: Param, names: dict[str, str]) -> options.Option[Any]:
    text = _plain(param.help, names)
    if not param.kind.metavar:
        return click.option(option_of(param), param.name, is_flag=True, default=None, help=text)
    if param.usual and param.usual != "None":
        text = f"{text} Default: {_plain(param.usual, names)}."
    return click.option(
        option_of(param),
        param.name,
        type=Value(param),
        metavar=param.kind.metavar,
        multiple=param.kind.many,
        help=text,
    )


def _plain(text: str, names: dict[str, str]) -> str:
    """Return a text of a docstring with options for parameters, and without quotes."""
    text = _TICKED.sub(lambda match: names.get(match[1], match[1]), text)
    return _QUOTED.sub(r"\1", text)


def _answer(
    request: Request, hooks: Hooks, files: Sequence[Path], as_json: bool, given: dict[str, Any]
) -> int:
    """Read the files, answer the request, write what is to be written and print the answer.

    Return the exit status: the largest of the answers'.
    """
    from plumbline.cli.messages import printed_once, progress
    from plumbline.cli.prediction_file import TABLE_OPTIONS

    if not files:
        raise ParameterError(
            f"plumbline {request.name} needs FILE; --list needs none", code="file-missing"
        )
    annotate = given.pop("annotate", None)
    if annotate is not None and as_json:
        raise ParameterError(
            "--annotate prints lines that are no JSON; leave --json out, or write files with --out",
            code="argument-beside-another",
        )
    out = given.pop("out", ())
    if out:
        options.need_other_file(out, files)
    how = {name: given.pop(name) for name in TABLE_OPTIONS}
    drawing = {name: given.pop(name) for name in hooks.drawing}
    for name, value in drawing.items():
        if value is not None and not out:
            raise ParameterError(
                f"--{name} draws the picture of --out",
                code="argument-needs-another",
                argument=name,
                remedy="give both or neither",
            )
    values = request.checked("command", {n: None if v == () else v for n, v in given.items()})
    source = _source(request, hooks, files, dict(how))
    if request.reader and request.reader in request.of(values).signature.parameters:
        source = replace(source, values={**source.values, request.reader: _reader(how)})
    with progress(request.doing) as bar, printed_once() as notes:
        results = _answers(request, source, values, bar)
        _forget_repeats(results)
        notes += [note for _, result in results for note in result.present().notes]
        said = {"resamples"} if _warned_of_no_draws(values, results) else set()
        _warn_of_no_effect(request, {n: v for n, v in values.items() if n not in said}, results)
    written = (
        [hooks.write(results, source.data, {**values, **drawing}, path) for path in out]
        if hooks.write
        else []
    )
    more = {"files": [str(path) for path in out]} if hooks.write else {}
    _show(results, request, as_json, source if source.data is not None else None, **more)
    if written and not as_json:
        lines = (f"{what}: {printable(path)}" for what, path in zip(written, out, strict=True))
        click.echo("\n" + "\n".join(lines))
    for _, result in results if annotate is not None else ():
        click.echo(result.texts()[annotate]() if annotate in result.texts() else "", nl=False)
    return max((result.exit_code for _, result in results), default=0)


def _reader(how: Mapping[str, Any]) -> Callable[[Path], Any]:
    """Return what reads another file as FILE was read, whatever its model is called."""
    from plumbline.cli.prediction_file import read_source

    return lambda path: read_source([path], **{**how, "models": None})


def _source(request: Request, hooks: Hooks, files: Sequence[Path], how: dict[str, Any]) -> Source:
    """Read what a request is asked of; a table without rows is None where that is an answer."""
    try:
        return (hooks.source or _one_table)(files, how)
    except InputError as error:
        if not (request.answers_no_rows and error.code in NO_ROWS):
            raise
        return Source(None, "", None)


def _answers(
    request: Request, source: Source, values: dict[str, Any], bar: Callable[[int, int], None]
) -> Answers:
    """Return the answers; those of a judged request, which drew labels, behind the verdict."""
    answering = request.of(values)
    draws = answering.judged and "resamples" in answering.signature.parameters
    if not draws or values.get("resamples") == 0 or source.data.prob is None:
        return request.answer(source.data, {**values, **source.values}, bar)
    results = request.answer(source.data, {**values, **source.values}, share_of(bar, 0.0, 0.5))
    return with_verdicts(results, source.data, values, share_of(bar, 0.5, 1.0))


def _forget_repeats(results: Answers) -> None:
    """Drop the note that an ID recurs where every answer took its rows together, as rules can."""
    if all(getattr(result, "row_groups", None) is not None for _, result in results):
        notes = running().notes
        notes[:] = [note for note in notes if note.code != "rows-repeat"]


def _warned_of_no_draws(values: Mapping[str, Any], results: Answers) -> bool:
    """Warn where the number of resamples was given and the p-values needed none."""
    drawn = [number for _, result in results for number in _resamples_of(result)]
    needless = bool(values.get("resamples") and drawn and not any(drawn) and None not in drawn)
    if needless:
        warn(
            "`resamples` has no effect here: the null distribution is exact",
            code="nothing-drawn",
            remedy="leave it out, or use `null='resample'`",
        )
    return needless


def _resamples_of(result: Any) -> list[int | None]:
    """Return how many sets of labels a result drew, or each of the tests that it holds."""
    tests = getattr(result, "tests", None)
    if hasattr(result, "resamples") or not tests:
        return [getattr(result, "resamples", None)]
    return [test.resamples for test in tests.values()]


def _warn_of_no_effect(request: Request, values: Mapping[str, Any], results: Answers) -> None:
    """Warn of a parameter that has no effect with what was chosen by default for another one."""
    parts = [part for _, result in results for part in getattr(result, "pairs", (result,))]
    for name, (other, without) in request.unused.items():
        chosen = {str(getattr(part, other, None)) for part in parts}
        if name in values and other not in values and chosen and chosen <= {*without}:
            warn(
                f"`{name}` has no effect here, where `{other}` is {shown(sorted(chosen), 4)}",
                code="nothing-drawn" if name == "resamples" else "argument-says-nothing",
                remedy="leave it out",
            )


def _one_table(files: Sequence[Path], how: dict[str, Any]) -> Source:
    from plumbline.cli.prediction_file import heading, positive_of, read_source

    data = read_source(files, **how)
    return Source(data, heading(files, data), positive_of(data))


def _show(
    results: Answers, request: Request, as_json: bool, source: Source | None, **more: Any
) -> None:
    from plumbline.cli import terminal

    if as_json:
        entries, beside = entries_of(results)
        if source is not None:
            more |= {"positive": source.positive} | terminal.counting_entries(source.data)
        terminal.print_json(request.name, entries, **beside, **more)
        return
    heading = "" if source is None else f"{source.heading}\n\n"
    errors = "" if source is None else terminal.errors_of_counting(source.data)
    click.echo(heading + terminal.shown(results) + errors)


def entries_of(results: Sequence[tuple[str | None, Any]]) -> tuple[list[Any], dict[str, Any]]:
    """Return the entries of the JSON, and what stands beside them."""
    from plumbline.cli.terminal import entry

    entries: list[Any] = []
    more: dict[str, Any] = {}
    for name, result in results:
        rows, beside = result.json_entries()
        entries += [entry(name, row) if name is not None else dict(row) for row in rows]
        more |= beside
    return entries, more
