"""Options that several commands share, and the types that check them before any file is read."""

import glob
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from plumbline._checks import one_of, shown, whole_number
from plumbline.cli.running import running
from plumbline.command_words import command_line, has_value, split_pair
from plumbline.errors import ParameterError
from plumbline.file_endings import need_ending
from plumbline.formatting import quoted

Command = TypeVar("Command", bound=Callable[..., Any])
Option = Callable[[Command], Command]


class StrictCommand(click.Command):
    """A command that refuses an option given twice, of which only the last value would be used."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words behind the command."""
        running(ctx).words = [*args]
        if not ctx.resilient_parsing:  # as completion of a half-typed line is
            self._need_once(ctx, args)
        return super().parse_args(ctx, args)

    def _need_once(self, ctx: click.Context, args: Sequence[str]) -> None:
        """Refuse two values of one option, and two of one name in NAME=VALUE; flags may repeat."""
        named = [param for param in self.params if isinstance(param, click.Option)]
        one = [param for param in named if not (param.multiple or param.is_flag)]
        pairs = [param for param in named if param.multiple and "=" in (param.metavar or "")]
        # The same command, of which every option keeps all its values.
        all_kept = [*map(_repeatable, one), *(param for param in self.params if param not in one)]
        parser = click.Command(self.name, params=all_kept).make_parser(ctx)
        values, _, _ = parser.parse_args([*args])
        for param in one:
            _need_one(param, values.get(param.name) or (), ctx)
        for param in pairs:
            texts: dict[str, list[str]] = {}
            for value in values.get(param.name) or ():
                texts.setdefault(split_pair(value)[0], []).append(value)
            for several in texts.values():
                _need_one(param, several, ctx)


def _repeatable(option: click.Option) -> click.Option:
    twin = copy(option)
    twin.multiple = True
    return twin


def _need_one(param: click.Option, given: Sequence[str], ctx: click.Context) -> None:
    if len(given) < 2:
        return
    option = max(param.opts, key=len)
    lists = "," in param.make_metavar(ctx).strip("[]") and not param.multiple
    raise ParameterError(
        f"{option} is given {len(given)} times, with {shown(given, 4)}",
        code="given-twice",
        remedy=f"give one list: {command_line([option, ','.join(given)])}" if lists else "keep one",
    )


def command(
    name: str | None = None, **settings: Any
) -> Callable[[Callable[..., Any]], StrictCommand]:
    """Return what makes a command of a function, as `click.command` does."""
    return click.command(name, cls=StrictCommand, **settings)


class Whole(click.ParamType[Any]):
    """A whole number that has a least value."""

    name = "number"

    def __init__(self, least: int) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or refuse in the wording of the library."""
        try:
            number = int(value)
        except ValueError:
            number = value
        return whole_number(_argument(param), number, least=self.least)


class Name(click.ParamType[Any]):
    """One of a few names, kept where they belong and fetched only when one is given."""

    name = "name"

    def __init__(self, known: Callable[[], Iterable[str]]) -> None:
        self.known = known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; what follows a colon is the library's to check."""
        one_of(_argument(param), str(value).partition(":")[0], self.known())
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Offer the names that begin as the word does."""
        return [CompletionItem(name) for name in self.known() if name.startswith(incomplete)]


class NamePair(click.ParamType[Any]):
    r"""COL=NAME: everything before the first equals sign, everything after it; \= in COL is a =."""

    name = "pair"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Return both halves."""
        if isinstance(value, tuple):
            return value
        left, sign, right = split_pair(str(value))
        if not (left and sign and right):
            metavar = param.make_metavar(ctx) if param and ctx else "COL=NAME"
            self.fail(f"it must be {metavar}, got {quoted(value)}.", param, ctx)
        return left, right


class ColumnOfClass(NamePair):
    """COL or COL=CLASS."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Any]:
        """Return the column and its class, None where it is not said."""
        if isinstance(value, str) and value and not split_pair(value)[1]:
            return split_pair(value)[0].replace("\\=", "="), None
        return super().convert(value, param, ctx)


class OutFile(click.ParamType[Any]):
    """A file to write, refused before the work and not after it."""

    name = "file"

    def __init__(self, *endings: str) -> None:
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path if its folder is there and its name ends as it must."""
        path = Path(value)
        if path.is_dir():
            self.fail(f"{quoted(value)} is a folder; name a file in it.", param, ctx)
        try:
            need_ending(path, self.endings)
        except ParameterError as error:
            self.fail(f"{error}.", param, ctx)
        if not path.parent.is_dir():
            self.fail(
                f"there is no folder {quoted(str(path.parent))}; create it first.", param, ctx
            )
        return path

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Leave it to the shell to complete file names."""
        return [CompletionItem(incomplete, type="file")]


def need_other_file(
    out: Iterable[Path | None], inputs: Iterable[Path | None], *, option: str = "--out"
) -> None:
    """Refuse to write over what is read, links to it included."""
    read = [path for path in inputs if path is not None]
    for path in out:
        if path is not None and any(_same_file(path, one) for one in read):
            raise ParameterError(
                f"{option} would overwrite the data {quoted(str(path))}, which it is made of; name "
                "another file",
                code="data-overwritten",
            )


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # one of them is not there, or names no file at all
        return False


class FileName(click.Path):
    """The name of a file or folder, or a URI."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        return path_of(value) if isinstance(value, str) else value


def path_of(text: str) -> Path:
    """Return the path that was typed; that of a URI keeps it."""
    if "://" not in text:
        return Path(text)
    from plumbline.predictions.remote import RemoteFile

    return RemoteFile(text)


EXAMPLES = "Examples (in demo/breast-cancer, which plumbline demo writes):"


def _named_files(ctx: click.Context, _: click.Parameter, files: Sequence[Path]) -> list[Path]:
    """Put the files in the place of folders, and of patterns that the shell left as they are."""
    patterns = [
        file
        for file in files
        if "://" in str(file) or glob.has_magic(str(file)) or os.path.isdir(file)  # noqa: PTH112
    ]
    if not patterns:
        return [*files]
    from plumbline.predictions.sources import files_named

    running(ctx).patterns = patterns
    return files_named(files)


def files_argument(*, needed: bool) -> Option[Any]:
    """Return the argument FILE: one file, several, patterns, or - for standard input."""
    return click.argument(
        "files",
        nargs=-1,
        required=needed,
        metavar="FILE..." if needed else "[FILE]...",
        type=FileName(),
        callback=_named_files,
    )


def need_no_file(files: Sequence[Path]) -> None:
    """Refuse files beside --list, which reads none."""
    if files:
        raise ParameterError(
            f"--list reads no file, got {shown(map(str, files), 4)}; leave one of them out",
            code="argument-beside-another",
        )


def need_nothing_else(files: Sequence[Path], given: Mapping[str, Any]) -> None:
    """Refuse what --list would pass over: it reads no file, and takes nothing but --json."""
    need_no_file(files)
    others = [name for name, value in given.items() if has_value(value)]
    if others:
        option = others[0].replace("_", "-")
        raise ParameterError(
            f"--list takes no --{option}; leave one of them out",
            code="argument-beside-another",
        )


def _argument(param: click.Parameter | None) -> str:
    return param.name if param is not None and param.name else "value"


def joined(*options: Option[Command]) -> Option[Command]:
    """Return one decorator that adds several options, listed in help in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


separated_options: Option[Any] = joined(
    click.option(
        "--separator",
        metavar="CHAR",
        help="Separator of CSV columns: a character, or comma, semicolon, tab or bar. "
        "Detected by default.",
    ),
    click.option(
        "--decimal",
        metavar="MARK",
        help="Decimal mark of CSV numbers: point or comma. Detected by default, unless "
        "commas separate columns.",
    ),
)


# Which columns are read, and which classes they mean.
column_options: Option[Any] = joined(
    click.option("--actual", metavar="COL", help="Column of the true class."),
    click.option(
        "--prob",
        type=ColumnOfClass(),
        metavar="COL[=CLASS]",
        multiple=True,
        help="Column with the probability of CLASS, without CLASS of the positive one. Repeat it "
        "for each class, or for the column of each model.",
    ),
    click.option(
        "--rename",
        type=NamePair(),
        metavar="COL=NAME",
        multiple=True,
        help="Read the column COL as NAME: model, row, fold, repeat, weight, predicted, score, "
        "groups, class (one row a class), attribute (none of these).",
    ),
    click.option(
        "--positive",
        metavar="CLASS",
        help="Positive class; the last by default. Needed for a single column of "
        "probabilities unless the classes are 0 and 1, no and yes, or the like.",
    ),
)


# How to read FILE.
reading_options: Option[Any] = joined(
    column_options,
    click.option(
        "--groups",
        metavar="COL",
        help="Column of what rows belong to that are not independent, such as a patient with "
        "several visits. p-values and intervals then allow for it.",
    ),
    click.option("--normalize", is_flag=True, help="Divide each row's probabilities by their sum."),
    click.option(
        "--missing",
        metavar="drop|alone",
        help="drop: leave out rows without a value. alone: each row without a group is a group of "
        "its own. By default both are refused.",
    ),
    click.option("--logits", is_flag=True, help="The columns of --prob hold logits."),
    click.option(
        "--scale",
        type=float,
        metavar="NUMBER",
        help="What stands for a probability of 1: 100 of percent.",
    ),
    click.option(
        "--names",
        metavar="A,B",
        help="Names of the columns of a text file that has no header.",
    ),
    separated_options,
    click.option(
        "--sheet", metavar="NAME", help="Sheet of an Excel file; the only one by default."
    ),
    click.option(
        "--labels",
        type=FileName(),
        metavar="FILE",
        help="File with the true classes, joined to the rows by an ID that both files have.",
    ),
    click.option(
        "--row",
        type=ColumnOfClass(),
        metavar="COL[=COL]",
        help="Column of the ID by which --labels are joined: in both files, or in each. Found by "
        "default.",
    ),
    click.option(
        "--keep",
        metavar="first|last",
        help="Which label counts of an ID that has several in --labels. By default they are "
        "refused.",
    ),
    click.option(
        "--engine",
        metavar="NAME",
        is_eager=True,  # it says which views there are
        help="How a large file is read: memory holds every row, counts counts rows at levels of "
        "their probability; spark, dask://HOST:PORT or ray counts them on that engine. By default "
        "counts above twenty million rows of two classes.",
    ),
    click.option(
        "--models",
        metavar="A,B",
        multiple=True,
        callback=lambda _ctx, _param, given: given or None,
        help="Only these models. Repeat it for names that contain a comma.",
    ),
    click.option(
        "--folds",
        metavar="0,3",
        multiple=True,
        callback=lambda _ctx, _param, given: given or None,
        help="Only these folds. Repeat it for names that contain a comma.",
    ),
    click.option(
        "--repeats",
        metavar="0,1",
        multiple=True,
        callback=lambda _ctx, _param, given: given or None,
        help="Only these repeats. Repeat it for names that contain a comma.",
    ),
)


def _keep_verbose(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    running(ctx).verbose = value


json_option: Option[Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)


def output_options(command: Command) -> Command:
    """How the answer is printed."""
    shown: Option[Command] = joined(
        click.option(
            "--verbose",
            "-v",
            is_flag=True,
            expose_value=False,
            callback=_keep_verbose,
            help="Also print the tables, the method and the meaning of terms.",
        ),
        json_option,
    )
    return shown(command)
