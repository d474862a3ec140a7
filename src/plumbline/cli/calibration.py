"""The command `calibration`: what is its own, the reliability diagram as a file."""

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
    from plumbline.calibration_tests import ReliabilityCurve

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
    curves = _curves(data, values)
    axis = values["axis"] or "probability"
    if path.suffix.lower() in PAGE_ENDINGS:
        from plumbline.plots.reliability import reliability_figure
        from plumbline.reporting.documents import write_results

        parts = [
            (name, reliability_figure(curves[name], axis=axis), result) for name, result in answers
        ]
        write_results(path, "Reliability diagram", parts)
        return "Page"
    from plumbline.plots.reliability import reliability_panels
    from plumbline.plots.save_figure import save_figure

    save_figure(reliability_panels(curves, axis=axis), path)
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
        help="Write the reliability diagram: .svg, .png, .pdf, or .html for a page with the "
        "answers. Repeat it for several.",
        write=_write,
        drawing={"axis": AXIS},
    ),
)
