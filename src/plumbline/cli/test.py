"""The command `test`: can the probabilities be true?"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli import options, result_text
from plumbline.cli.measures import of_each_model
from plumbline.cli.messages import progress
from plumbline.cli.output import entry, print_json
from plumbline.cli.prediction_file import heading, positive_of, split_source
from plumbline.errors import ParameterError
from plumbline.progress import Progress

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.results import CalibrationTest, EquivalenceTest

EXAMPLES = """\b
Examples:
  plumbline test predictions.parquet
  plumbline test predictions.parquet --statistic log-loss --null exact
  plumbline test predictions.parquet --statistic ece --view classwise --bins equal-size:10
  plumbline test weather.csv --actual outcome --prob chance=rain --statistic hosmer-lemeshow
  plumbline test predictions.parquet --models forest --by class --adjust holm
  plumbline test predictions.parquet --tolerance 0.02
  plumbline test predictions.parquet --resamples 9999 --seed 7 --json
"""


def _alternatives() -> Sequence[str]:
    from plumbline.calibration_tests.named_tests import ALTERNATIVES

    return ALTERNATIVES


def _nulls() -> Sequence[str]:
    from plumbline.calibration_tests.named_tests import NULLS

    return NULLS


def _statistics() -> Sequence[str]:
    from plumbline.calibration_tests import TESTS

    return tuple(TESTS)


def _adjustments() -> Sequence[str]:
    from plumbline.calibration_tests.p_values import METHODS

    return ("none", *METHODS)


def _views() -> Sequence[str]:
    from plumbline.calibration import VIEWS
    from plumbline.calibration_tests.named_tests import ALL_CLASSES

    return (*VIEWS, ALL_CLASSES)


USUAL = {
    "view": "all-classes for the omnibus, sums over rows and skce; for the others one-vs-rest for "
    "two classes, else top-label",
    "bins": "equal-width:15 for ece, equal-size:10 for hosmer-lemeshow and --tolerance; the others "
    "take none",
    "distance": "absolute; only ece takes one",
}


@click.command(epilog=EXAMPLES)
@options.table_options
@click.option(
    "--statistic",
    type=options.Name(_statistics),
    metavar="NAME",
    default="omnibus",
    help="omnibus (default: several at once, no side and no bins to choose), ece, log-loss, "
    "brier-score, chi-square, spiegelhalter, hosmer-lemeshow, cox, kolmogorov-smirnov, kuiper or "
    "skce.",
)
@options.view_options(USUAL, _views)
@options.outcome_option
@options.like_option
@click.option(
    "--alternative",
    type=options.Name(_alternatives),
    metavar="NAME",
    help="two-sided, greater (further off than chance) or less (closer than chance). Default: "
    "greater for statistics that only grow with miscalibration, else two-sided.",
)
@click.option(
    "--null",
    type=options.Name(_nulls),
    metavar="NAME",
    default="auto",
    help="auto (default: exact where that exists, else resample), exact, resample or asymptotic.",
)
@click.option(
    "--by",
    metavar="COL",
    help="One test for each class (class) or each value of the column COL, p-values adjusted.",
)
@click.option(
    "--adjust",
    type=options.Name(_adjustments),
    metavar="NAME",
    help="Adjust the p-values of --by, or of several models, for their number: holm (default with "
    "--by), benjamini-hochberg or none.",
)
@click.option(
    "--tolerance",
    type=float,
    metavar="T",
    help="Ask instead whether the calibration error is shown to be within T, shown to be beyond "
    "it, or neither; with --view and --bins.",
)
@options.random_options(1, None)
@options.json_option
def test(
    file: Path,
    as_json: bool,
    seed: int,
    tolerance: float | None,
    by: str | None,
    adjust: str | None,
    **chosen: Any,
) -> None:
    """Test whether the probabilities in FILE can be true, with a verdict in words.

    The null draws all labels from their own predicted probabilities: p = (1 + draws at least as
    extreme) / (resamples + 1). Where it is exact nothing is drawn, and the p-value has bounds.
    Two-sided, it is twice the smaller tail.
    """
    data, question = split_source(file, chosen)
    if tolerance is not None:
        _check_alone(question | {"by": by, "adjust": adjust})
        _say_within(file, data, tolerance, question, seed, as_json)
    elif by is not None or adjust is not None:
        _say_family(file, data, by or "model", adjust or "holm", question | {"rng": seed}, as_json)
    else:
        _say_each(file, data, question, seed, as_json)


def _say_each(
    file: Path, data: "Predictions", question: dict[str, Any], seed: int, as_json: bool
) -> None:
    """Test every model by itself."""
    import plumbline

    def ask(part: "Predictions", bar: Progress | None) -> "CalibrationTest":
        return plumbline.calibration_test(part, rng=seed, progress=bar, **question)

    tests = of_each_model(data, ask, "testing")
    if as_json:
        results = [entry(name, answer.to_dict()) for name, answer in tests]
        print_json("test", results, positive=positive_of(data))
        return
    click.echo(heading(file, data) + "\n")
    click.echo(result_text.test_text(tests))


def _say_family(
    file: Path,
    data: "Predictions",
    by: str,
    adjust: str,
    question: dict[str, Any],
    as_json: bool,
) -> None:
    """Test every class, group or model, with p-values adjusted for their number."""
    import plumbline

    with progress("testing") as bar:
        family = plumbline.calibration_test_by(
            data, by=by, adjust=None if adjust == "none" else adjust, progress=bar, **question
        )
    if not as_json:
        click.echo(heading(file, data) + "\n")
        click.echo(result_text.family_text(family))
        return
    key = "model" if by == "model" else "group"
    rows = [
        {key: row["name"]}
        | family.tests[row["name"]].to_dict()
        | {name: row[name] for name in ("adjusted_p_value", "rejected")}
        for row in family.members
    ]
    print_json(
        "test", rows, by=by, adjust=adjust, verdict=family.verdict, positive=positive_of(data)
    )


def _check_alone(question: dict[str, Any]) -> None:
    """Refuse, beside a tolerance, what belongs to a test of exact calibration."""
    usual = {"statistic": "omnibus", "null": "auto"}
    for name in set(question) - {"view", "bins", "resamples"}:
        if question[name] not in (None, usual.get(name)):
            raise ParameterError(
                f"`tolerance` asks how large the error is and takes no `{name}`, got "
                f"{question[name]!r}; leave one of them out"
            )


def _say_within(
    file: Path,
    data: "Predictions",
    tolerance: float,
    question: dict[str, Any],
    seed: int,
    as_json: bool,
) -> None:
    """Say of every model whether its error is within the tolerance."""
    import plumbline

    params = {name: question[name] for name in ("view", "bins", "resamples") if name in question}

    def ask(part: "Predictions", _: Progress | None) -> "EquivalenceTest":
        return plumbline.calibration_within(part, tolerance=tolerance, rng=seed, **params)

    tests = of_each_model(data, ask, "testing")
    if as_json:
        results = [entry(name, answer.to_dict()) for name, answer in tests]
        print_json("test", results, positive=positive_of(data))
        return
    click.echo(heading(file, data) + "\n")
    click.echo(result_text.within_text(tests))
