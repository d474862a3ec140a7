"""The command `calibration`: what is its own, the reliability diagram as a file."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.cli.generic import Hooks, command_of
from plumbline.errors import ParameterError
from plumbline.file_endings import PAGE_ENDINGS, PICTURE_ENDINGS
from plumbline.requests import REQUESTS
from plumbline.requests.table import Answers

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.calibration_tests import ReliabilityCurve

OF_THE_CURVE = ("view", "bins", "outcome", "resamples", "rng", "workers")


def _write(answers: Answers, data: "Predictions", values: Mapping[str, Any], path: Path) -> str:
    """Write the reliability diagram of every model, side by side, with the answers on a page."""
    from plumbline._checks import need_extra

    need_extra("matplotlib", "plot", "a picture")
    curves = _curves(data, values)
    if path.suffix.lower() in PAGE_ENDINGS:
        from plumbline.plots.reliability import reliability_figure
        from plumbline.reporting.documents import write_results

        parts = [(name, reliability_figure(curves[name]), result) for name, result in answers]
        write_results(path, "Reliability diagram", parts)
        return "Page"
    from plumbline.plots.reliability import reliability_panels
    from plumbline.plots.save_figure import save_figure

    save_figure(reliability_panels(curves), path)
    return "Picture"


def _curves(data: "Predictions", values: Mapping[str, Any]) -> "dict[str | None, ReliabilityCurve]":
    from plumbline import reliability_curve

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
    ),
)
