"""The command `calibration`: what is its own, the reliability diagram or forest plot as a file."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli import options
from plumbline.cli.generic import Hooks, command_of
from plumbline.errors import ParameterError
from plumbline.file_endings import PAGE_ENDINGS, PICTURE_ENDINGS
from plumbline.requests import REQUESTS
from plumbline.requests.table import Answers

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.calibration_errors import ReliabilityCurve

AXIS: options.Option[Any] = click.option(
    "--axis",
    type=options.Name(lambda: ("probability", "log-odds")),
    metavar="AXIS",
    help="Both axes of the picture of --out: probability, or log-odds, which part probabilities "
    "near 0 and 1. Default: probability.",
)
OF_THE_CURVE = ("view", "bins", "resamples", "rng", "workers")
NOT_DRAWN = ("representative", "threshold", "like", "outcome")


def _write(answers: Answers, data: "Predictions", values: Mapping[str, Any], path: Path) -> str:
    """Write the reliability diagram of every model, side by side, with the answers on a page."""
    from plumbline._checks import need_extra

    need_extra("matplotlib", "plot", "a picture")
    if values.get("by") is not None:
        return _write_forest(answers, values, path)
    curves = _curves(data, values)
    axis = values["axis"] or "probability"
    if path.suffix.lower() in PAGE_ENDINGS:
        from plumbline.plots import reliability_figure
        from plumbline.reporting.documents import write_results

        parts = [
            (name, reliability_figure(curves[name], axis=axis), result) for name, result in answers
        ]
        write_results(path, "Reliability diagram", parts)
        return "Page"
    from plumbline.plots import reliability_panels
    from plumbline.plots.save_figure import save_figure

    save_figure(reliability_panels(curves, axis=axis), path)
    return "Picture"


def _write_forest(answers: Answers, values: Mapping[str, Any], path: Path) -> str:
    """Write the forest plot of every model on a page, or that of one as a picture."""
    if values["axis"] is not None:
        raise ParameterError(
            "`axis` is of a reliability diagram, and with `by` a forest plot is drawn",
            code="argument-beside-another",
            argument="axis",
            remedy="leave one of them out",
        )
    if path.suffix.lower() in PAGE_ENDINGS:
        from plumbline.reporting.documents import write_results

        title = f"Calibration by {values['by']}"
        write_results(path, title, [(name, one.figure(), one) for name, one in answers])
        return "Page"
    from plumbline.plots.save_figure import save_figure

    if len(answers) > 1:
        raise ParameterError(
            f"a picture holds the forest plot of one model, and there are {len(answers)}",
            code="one-model-a-picture",
            remedy="choose one with `models`, or write a page that ends in .html",
        )
    save_figure(answers[0][1].figure(), path)
    return "Picture"


def _curves(data: "Predictions", values: Mapping[str, Any]) -> "dict[str | None, ReliabilityCurve]":
    from plumbline import reliability_curve

    for name in NOT_DRAWN:
        if values.get(name) is not None:
            raise ParameterError(
                f"`{name}` changes what the error measures, and the diagram of --out does not show "
                "it",
                code="no-diagram",
                argument=name,
                remedy="leave one of them out",
            )
    how = {name: values[name] for name in OF_THE_CURVE if name in values}
    try:
        return {name: reliability_curve(part, **how) for name, part in data.by_model().items()}
    except ParameterError as error:
        raise ParameterError(
            f"--out draws a reliability diagram, and this question has none: {error}",
            code="no-diagram",
        ) from error


calibration = command_of(
    REQUESTS["calibration"],
    Hooks(
        endings=(*PICTURE_ENDINGS, *PAGE_ENDINGS),
        help="Write the reliability diagram, with --by the forest plot: .svg, .png, .pdf, or .html "
        "for a page with the answers. Repeat it for several.",
        write=_write,
        drawing={"axis": AXIS},
    ),
)
