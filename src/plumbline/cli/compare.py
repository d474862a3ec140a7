"""The command `compare`: which of several models is better, and how far that can be told."""

import contextlib
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from plumbline._checks import real_number, shorten
from plumbline.atomic_files import PICTURE_ENDINGS, POINT_ENDINGS
from plumbline.cli import options
from plumbline.cli.messages import progress, typed
from plumbline.cli.output import paragraph, print_json, table
from plumbline.cli.prediction_file import TABLE_OPTIONS, heading, listed, positive_of, read_source
from plumbline.errors import ParameterError
from plumbline.formatting import printable

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.results import Comparison

EXAMPLES = """\b
Examples:
  plumbline compare predictions.parquet
  plumbline compare predictions.parquet --models forest,bayes --metrics brier-score,accuracy
  plumbline compare forest.csv bayes.csv --metrics roc-auc --target rain
  plumbline compare predictions.parquet --metrics log-loss --after temperature
  plumbline compare predictions.parquet --rope 0.01 --json
  plumbline compare loans.csv --payoff TP=10 --payoff FP=-5 --threshold 0.3
  plumbline compare predictions.parquet --out differences.csv
  plumbline compare --list
"""

NEEDS_FILE = (
    "a comparison needs FILE, one table of several models or several files of one each; --list "
    "needs none"
)
LIST_NOTE = (
    "fits: take it; too optimistic: done, with a warning; refused: an error that says what to "
    "take. Without --test the best one for the design and the metric is taken."
)
OUT_ENDINGS = (*POINT_ENDINGS, *PICTURE_ENDINGS)


def _tests() -> Sequence[str]:
    from plumbline.comparison.advice import TESTS

    return tuple(TESTS)


def _adjustments() -> Sequence[str]:
    from plumbline.calibration_tests.p_values import METHODS

    return ("none", *METHODS)


def _recalibrations() -> Sequence[str]:
    from plumbline.recalibration import METHODS

    return tuple(METHODS)


question_options = options.joined(
    click.option(
        "--metrics",
        metavar="A,B",
        help="Compare by these: brier-score (default), log-loss, accuracy, roc-auc, any name of "
        "plumbline scores --list, or profit.",
    ),
    click.option(
        "--test",
        type=options.Name(_tests),
        metavar="NAME",
        help="The test; --list names them all and says what fits when. Default: what fits best.",
    ),
    click.option(
        "--after",
        type=options.Name(_recalibrations),
        metavar="NAME",
        help="Compare as they are, and recalibrated by temperature, isotonic or another method of "
        "plumbline recalibrate --list, fitted on other rows.",
    ),
    click.option(
        "--over", metavar="COL", help="Column that tells data sets apart, which are then counted."
    ),
    click.option(
        "--groups",
        metavar="COL",
        help="Column that says which rows belong together, as those of one patient do; whole "
        "groups are then drawn.",
    ),
    click.option(
        "--rope",
        type=float,
        metavar="R",
        help="Region of practical equivalence: differences up to R make none in practice.",
    ),
    click.option(
        "--payoff",
        "payoffs",
        type=options.NamePair(),
        metavar="CELL=AMOUNT",
        multiple=True,
        help="What a TP, FP, TN or FN is worth, for the metric profit. Repeat it.",
    ),
    click.option(
        "--threshold",
        type=float,
        metavar="T",
        help="With --payoff: predicted positive where the probability is at least T.",
    ),
    click.option("--target", metavar="CLASS", help="The class that is looked at against the rest."),
    click.option(
        "--test-share",
        type=float,
        metavar="S",
        help="Share of the rows in each test part, where the table does not tell.",
    ),
    click.option(
        "--adjust",
        type=options.Name(_adjustments),
        metavar="NAME",
        default="holm",
        help="For the number of tests: holm (default), benjamini-hochberg or none.",
    ),
    click.option(
        "--level", type=float, metavar="P", default=0.95, help="Of the intervals (default 0.95)."
    ),
    click.option(
        "--resamples",
        type=options.Whole(1),
        metavar="M",
        help="Of the permutation test and the bootstrap. Default: 9999 exchanges, of more than "
        "20,000 rows 1999; 1999 bootstrap draws.",
    ),
    click.option("--seed", type=options.Whole(0), metavar="S", default=0, help="Seed of chance."),
    click.option("--workers", type=options.Whole(1), metavar="W", help="Threads; all by default."),
    click.option(
        "--out",
        type=options.OutFile(*OUT_ENDINGS),
        metavar="FILE",
        multiple=True,
        help="Write the comparison: .csv, or .svg, .png, .pdf for a picture. Repeat it.",
    ),
    click.option("--list", "wanted_list", is_flag=True, help="List tests and designs, and exit."),
)


@click.command(epilog=EXAMPLES)
@click.argument("files", nargs=-1, metavar="FILE...", type=click.Path(path_type=Path))
@options.reading_options
@question_options
@options.json_option
def compare(
    files: Sequence[Path],
    as_json: bool,
    wanted_list: bool,
    out: Sequence[Path],
    **chosen: Any,
) -> None:
    """Say which of two or more models is better, by the test that fits the design.

    FILE holds several models (a column `model`), or give several files of the same rows. Folds and
    repeats are found in the table. Every test asks both ways; no proof of a difference is no proof
    of equality.
    """
    if wanted_list:
        _say_list(as_json)
        return
    if not files:
        raise ParameterError(NEEDS_FILE)
    options.need_other_file(out, files)
    how = {name: chosen.pop(name) for name in TABLE_OPTIONS}
    models = how.pop("models")
    tables = _tables(files, how)
    comparison = _comparison(tables, models, chosen)
    for path in out:
        _write(comparison, path)
    if as_json:
        _print_json(comparison, positive_of(tables[0][1]), out)
        return
    for file, data in tables:
        click.echo(heading(file, data))
    click.echo("\n" + _text(comparison))
    for place, path in enumerate(out):
        click.echo(("\n" if place == 0 else "") + f"{_called(path)}: {printable(path)}")


# ------------------------------------------------------------------ the question

Tables = Sequence[tuple[Path, "Predictions"]]


def _tables(files: Sequence[Path], how: dict[str, Any]) -> Tables:
    return [(file, read_source(file, **how, models=None)) for file in files]


def _comparison(tables: Tables, models: str | None, chosen: dict[str, Any]) -> "Comparison":
    from plumbline.comparison import compare as compared

    by_name = _by_name(tables)
    wanted = None if models is None else listed("--models", models, tuple(by_name))
    question = {name: value for name, value in chosen.items() if value is not None}
    metrics, adjust, seed = (question.pop(name, None) for name in ("metrics", "adjust", "seed"))
    question["payoffs"] = _payoffs(question.pop("payoffs")) or None
    with progress("comparing") as bar, _once() as shown:
        comparison = compared(
            by_name,
            models=wanted,
            metrics=None if metrics is None else _names(metrics),
            adjust=None if adjust == "none" else adjust,
            rng=seed,
            progress=bar,
            **question,
        )
        shown.extend(comparison.remarks)
    return comparison


def _names(metrics: str) -> list[str]:
    return listed("--metrics", metrics, ())


def _payoffs(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    for cell, amount in pairs:
        if real_number(amount) != real_number(amount):
            raise ParameterError(f"--payoff must be CELL=AMOUNT, got {shorten(amount)} for {cell}")
    return {cell: float(amount) for cell, amount in pairs}


@contextlib.contextmanager
def _once() -> Iterator[list[str]]:
    """Hold back warnings; show those that do not stand among the remarks that are printed.

    What is said before long work is shown at once.
    """
    from plumbline.comparison.paired_rows import LongWorkWarning

    remarks: list[str] = []
    caught: list[tuple[Any, type[Warning], str, int]] = []
    show = warnings.showwarning

    def hold(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, LongWorkWarning):
            show(message, category, filename, lineno, file, line)
        else:
            caught.append((message, category, filename, lineno))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = hold
        yield remarks
    for one in caught:
        if str(one[0]) not in remarks:
            warnings.warn_explicit(*one)


def _by_name(tables: Tables) -> dict[str, "Predictions"]:
    """Return every model's table by its name; a model without one has its file's."""
    parts = [
        (file, model, part) for file, data in tables for model, part in data.by_model().items()
    ]
    names = [model or file.stem for file, model, _ in parts]
    by_name: dict[str, Predictions] = {}
    for (file, model, part), name in zip(parts, names, strict=True):
        own = name if names.count(name) == 1 else f"{file}: {model}" if model else str(file)
        if own in by_name:
            raise ParameterError(f"two models would be named {own!r}; give every file once")
        by_name[own] = part
    return by_name


# ------------------------------------------------------------------ the answer


def _text(comparison: "Comparison") -> str:
    parts = [paragraph(typed(comparison.why), ""), table(comparison.columns())]
    parts += [paragraph(one.verdict, "") for one in comparison.pairs]
    parts += [_ranks_text(comparison)] if comparison.ranks else []
    parts += [
        paragraph(f"Note: {typed(remark)}.".replace("..", "."), "") for remark in comparison.remarks
    ]
    return "\n\n".join(parts)


def _ranks_text(comparison: "Comparison") -> str:
    from plumbline.formatting import counted, number, p_equals

    parts = []
    for name, ranks in comparison.ranks.items():
        rows = sorted(zip(ranks.average_ranks, ranks.models, strict=True))
        parts.append(
            table(
                {
                    "model": [model for _, model in rows],
                    "average rank": [number(r) for r, _ in rows],
                }
            )
        )
        same = "; ".join(", ".join(group) for group in ranks.groups) or "none"
        parts.append(
            paragraph(
                f"{name}: Friedman's test over {counted(ranks.n, 'data set')}, "
                f"{p_equals(ranks.p_value)}; ranks that are less than "
                f"{number(ranks.critical_difference)} apart are not told apart (Nemenyi): {same}.",
                "",
            )
        )
    return "\n\n".join(parts)


def _print_json(comparison: "Comparison", positive: str | None, out: Sequence[Path]) -> None:
    ranks = [{"metric": name, **answer.to_dict()} for name, answer in comparison.ranks.items()]
    whole = comparison.to_dict()
    more = {key: value for key, value in whole.items() if key not in ("pairs", "ranks")}
    more |= {"positive": positive, "files": [str(path) for path in out]}
    print_json("compare", [*whole["pairs"], *ranks], **more)


def _called(path: Path) -> str:
    return "Rows" if path.suffix.lower() in POINT_ENDINGS else "Picture"


def _write(comparison: "Comparison", path: Path) -> None:
    from plumbline.atomic_files import write_whole

    if path.suffix.lower() in POINT_ENDINGS:
        from plumbline.reporting.curve_files import write_rows

        write_whole(path, lambda part: write_rows(comparison, part))
        return
    from plumbline._checks import need_extra

    need_extra("matplotlib", "plot", "a picture")
    from plumbline.plots.comparison import comparison_figure, ranks_figure
    from plumbline.plots.save_figure import save_figure

    if len(comparison.ranks) == 1:
        ((metric, ranks),) = comparison.ranks.items()
        save_figure(ranks_figure(ranks, metric=metric), path)
    else:
        save_figure(comparison_figure(comparison.pairs, level=comparison.level), path)


def _say_list(as_json: bool) -> None:
    from plumbline.comparison.advice import DESIGNS, TESTS, advice_on, advice_rows

    if as_json:
        print_json("compare", list(advice_rows()))
        return
    columns = {"test": list(TESTS)} | {
        design: [advice_on(test, design).answer for test in TESTS] for design in DESIGNS
    }
    click.echo(table(columns))
    click.echo("\n" + paragraph(LIST_NOTE, ""))
