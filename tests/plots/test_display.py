"""Drawing functions return displays: models overlay on the same axes, light or dark."""

import inspect

import numpy as np
import pytest
from matplotlib import colors, style
from matplotlib.figure import Figure

import plumbline as pb
from plumbline import plots
from plumbline.errors import ParameterError
from plumbline.plots import Display
from refusals import refused

OVERLAID = {"draw_reliability": "ECE", "draw_corp": "miscalibration", "draw_curve": "AUC"}


@pytest.fixture(scope="module")
def tables():
    """The predictions of a calibrated and of an underconfident model."""
    rng = np.random.default_rng(0)
    prob = rng.beta(0.6, 0.6, 400)
    y = (rng.random(400) < prob).astype(int)
    return [pb.Predictions.from_arrays(y, p) for p in (prob, 0.25 + prob / 2)]


@pytest.fixture(scope="module")
def results(tables):
    """What is drawn, by the drawing function."""
    one, two = tables
    curve = pb.reliability_curve(one, resamples=99)
    error = pb.calibration_error(two, resamples=99)
    return {
        "draw_confusion": pb.confusion_matrix(one),
        "draw_corp": pb.corp_curve(one, resamples=99),
        "draw_counts": curve,
        "draw_curve": pb.curve(one, "roc"),
        "draw_errors": {"a": error, "b": error},
        "draw_map": pb.recalibrate(two, "platt"),
        "draw_null": error,
        "draw_outcomes": curve,
        "draw_reliability": curve,
        "draw_reliability_bars": curve,
    }


def _dark():
    with style.context("dark_background"):
        return Figure().subplots()


def _contrast(one, other):
    def light(colour):
        channels = np.array(colors.to_rgb(colour))
        linear = np.where(channels <= 0.04, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_drawing_function_returns_a_display(results):
    """It holds the axes and their figure, whatever the function draws."""
    names = [name for name in plots.__all__ if name.startswith("draw_")]
    assert set(results) <= set(names)
    for name in names:
        layers = [getattr(plots, name)]
        while hasattr(layers[-1], "__wrapped__"):
            layers.append(layers[-1].__wrapped__)
        decorated = any(one.__code__.co_name == "shown" for one in layers)
        says = "Display" in str(inspect.signature(layers[-1]).return_annotation)
        assert decorated or says, name
    for name, result in results.items():
        ax = Figure().subplots()
        display = getattr(plots, name)(result, ax)
        assert isinstance(display, Display), name
        assert (display.ax_, display.figure_) == (ax, ax.figure), name


@pytest.mark.parametrize("name", OVERLAID)
def test_two_models_overlay_on_the_same_axes(name, tables, results):
    """Each has its name in the legend and a colour of its own; the guides are drawn once."""
    draw = getattr(plots, name)
    make = {"draw_reliability": pb.reliability_curve, "draw_corp": pb.corp_curve}.get(name)
    second = make(tables[1], resamples=99) if make else pb.curve(tables[1], "roc")
    display = draw(results[name], name="forest")
    again = draw(second, display.ax_, name="bayes $x$")
    assert (display.name, again.name) == ("forest", "bayes $x$")
    assert again.ax_ is display.ax_
    handles, labels = display.ax_.get_legend_handles_labels()
    named = {label: one for one, label in zip(handles, labels, strict=True)}
    models = [label for label in labels if label.startswith(("forest", "bayes"))]
    assert [OVERLAID[name] in label for label in models] == [True, True]
    assert len(labels) == 3
    shades = {tuple(colors.to_rgba_array(named[label].get_color())[0]) for label in models}
    assert len(shades) == 2
    third = draw(second, display.ax_, name="third", color="#123456")
    assert "#123456" in {colors.to_hex(line.get_color()) for line in third.ax_.lines}
    assert display.figure_.axes == [display.ax_]


def test_a_shared_axis_holds_all_models(results):
    """The limits grow with the models that are drawn, as the diagonal does."""
    low = pb.Predictions.from_arrays([0, 0, 0, 1] * 25, [0.01, 0.02, 0.03, 0.1] * 25)
    display = plots.draw_reliability(pb.reliability_curve(low, resamples=99), name="low")
    assert display.ax_.get_xlim()[1] < 0.2
    plots.draw_reliability(results["draw_reliability"], display.ax_, name="whole")
    assert display.ax_.get_xlim()[1] > 0.9
    with refused(ParameterError, "color-of-several", "2"):
        models = ["a", "b", "b", "a"] * 2
        both = pb.Predictions.from_arrays([0, 1] * 4, [0.2, 0.7] * 4, model=models)
        plots.draw_curve(pb.curve(both, "roc"), color="red")


def test_on_dark_axes_everything_can_be_read(results):
    """Texts have a contrast of 4.5, lines and marks of 2, to the background of a dark style."""
    for name, result in results.items():
        ax = _dark()
        getattr(plots, name)(result, ax)
        ax.figure.canvas.draw()
        for text in ax.findobj(lambda one: hasattr(one, "get_text")):
            if text.get_text() and text.get_visible() and name != "draw_confusion":
                assert _contrast(text.get_color(), "black") >= 4.5, (name, text.get_text())
        for line in ax.lines:
            assert _contrast(line.get_color(), "black") >= 2, (name, line.get_label())
        for patch in ax.patches:
            assert _contrast(patch.get_facecolor(), "black") >= 1.5, name


def test_light_axes_keep_the_colours_of_the_style(results):
    """Nothing is recoloured on white, nor on the light grey of another style."""
    for name in ("default", "ggplot"):
        with style.context(name):
            ax = Figure().subplots()
        plots.draw_reliability(results["draw_reliability"], ax)
        shades = {colors.to_hex(line.get_markeredgecolor()) for line in ax.lines}
        assert "#0072b2" in shades


def test_a_display_shows_a_figure_that_pyplot_does_not_know(results):
    """Of our own figure it is a picture in a notebook; of another, pyplot shows it already."""
    own = plots.draw_reliability(results["draw_reliability"], name="a")
    png, size = own._repr_png_()
    assert png.startswith(b"\x89PNG")
    assert min(size.values()) > 250
    other = plots.draw_reliability(results["draw_reliability"], Figure().subplots())
    assert other._repr_png_() is None
