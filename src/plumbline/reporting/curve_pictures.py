"""The curves of a report as its page shows them: models in one picture where they can be."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from plumbline.curves import PRESETS, BestThreshold, Curve, ShownCurve
from plumbline.curves.shown_curve import rows_of
from plumbline.formatting import amount, counted, typeset
from plumbline.plots import curve_figure
from plumbline.reporting.curve_again import curve_command
from plumbline.reporting.curve_chapter import ModelCurves
from plumbline.reporting.gallery import MOST_ROWS, Gallery

if TYPE_CHECKING:
    from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class CurvePicture:
    """A picture with its title, how to read it, and the command that makes it.

    Attributes
    ----------
    preset : its name; about : the model, where the picture is of one
    explanation : two sentences; empty where the same kind of picture stands before it
    square : whether it is the unit square
    """

    preset: str
    title: str
    about: str
    picture: "Markup"
    explanation: str
    command: str
    square: bool


def curve_pictures(gallery: Gallery, by_model: Mapping[str, ModelCurves]) -> Iterator[CurvePicture]:
    """Yield the pictures of all models' curves.

    Of two classes the models share a picture, but for the accuracy, on which each has its plateau;
    of more, every model has one with a line a class.
    """
    drawable = {name: one for name, one in by_model.items() if one.curves}
    if not drawable:
        return
    apart = "accuracy" if next(iter(drawable.values())).target is not None else "roc"
    shared = [name for name in next(iter(drawable.values())).curves if name != apart]
    for preset in shared:
        yield _drawn(gallery, preset, [one.curves[preset] for one in drawable.values()])
    for place, (name, one) in enumerate(drawable.items()):
        about = name if len(by_model) > 1 else ""
        yield _drawn(
            gallery, apart, [one.curves[apart]], about=about, best=one.best, first=place == 0
        )


def _together(curves: list[Curve]) -> Curve:
    """Return one curve that has the lines of all."""
    lines = tuple(line for one in curves for line in one.lines)
    return replace(curves[0], lines=lines)


def _drawn(
    gallery: Gallery,
    preset: str,
    shown: Sequence[ShownCurve],
    *,
    about: str = "",
    best: BestThreshold | None = None,
    first: bool = True,
) -> CurvePicture:
    named = PRESETS[preset]
    curve = _together([one.curve for one in shown])
    label = f"{named.title}{f' of {about}' if about else ''}: {counted(len(curve.lines), 'line')}"
    if best is not None:
        label += (
            f"; highest {_heading_text(best.value, best.scales[0])} at threshold "
            f"{_heading_text(best.threshold, best.scales[1])}"
        )
    more: dict[str, Any] = {"models": about or None}
    more |= {"optimum": "max" if best is not None else None, "out": f"{preset}.html"}
    figure = curve_figure(curve, best=best, title=False, notes=False)
    return CurvePicture(
        preset=preset,
        title=named.title,
        about=about,
        picture=gallery.draw(
            figure,
            label,
            title=f"{named.title}{f', {about}' if about else ''}",
            rows=rows_of(shown, most=MOST_ROWS),
            total=sum(sum(one.lengths) for one in shown),
        ),
        explanation=named.explanation if first else "",
        command=curve_command(curve.settings, more=more),
        square=named.square,
    )


def _heading_text(value: float, scale: float) -> str:
    return typeset(amount(value, scale=scale))
