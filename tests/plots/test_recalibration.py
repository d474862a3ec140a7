"""Pictures of recalibration: the curve of a map, the methods side by side, before and after."""

from math import inf, nan
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.figure import Figure

from plumbline import ParameterError, Predictions
from plumbline.advisor import recalibration_effect
from plumbline.plots import (
    before_after_figure,
    draw_map,
    draw_methods,
    figure_svg,
    map_figure,
    methods_figure,
    style,
)
from plumbline.recalibration import fit_map
from refusals import refused

RNG = np.random.default_rng(0)
P = RNG.random(200)
HIT = (RNG.random(200) < P**2).astype(int)
TWO = Predictions.from_arrays(HIT, P)
RATED = Predictions.from_arrays(HIT, score=4 * P - 2)
NASTY = ["<b>", "$x_1^{$", "_50 % a_b & \\frac"]


def several(k, *, names=None, score=False):
    """Return a table of k classes, whose probabilities (or ratings) are somewhat too bold."""
    z = np.random.default_rng(1).standard_normal((40 * k, k))
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    names = [f"c{number}" for number in range(k)] if names is None else names
    place = (p.cumsum(axis=1) < RNG.random((len(p), 1))).sum(axis=1).clip(max=k - 1)
    bold = np.exp(2 * z) / np.exp(2 * z).sum(axis=1, keepdims=True)
    given = {"score": z} if score else {"y_prob": bold}
    return Predictions.from_arrays(np.array(names)[place], classes=names, **given)


@pytest.fixture
def ax():
    """Return empty axes that pyplot knows nothing of."""
    return Figure().subplots()


def curve_of(ax, number=0):
    """Return the places and heights of a drawn curve."""
    return np.asarray(ax.lines[number].get_xdata()), np.asarray(ax.lines[number].get_ydata())


@pytest.mark.parametrize("method", ["platt", "beta", "spline", "temperature"])
def test_the_curve_of_a_map_counts_zeros_as_the_map_does(method, ax):
    """Where fitting rows have a probability of 0, the picture's left end is the map's."""
    fitted = fit_map(Predictions.from_arrays(HIT, P.round(1)), method)
    draw_map(fitted, ax)
    x, y = curve_of(ax)
    assert fitted.least == pytest.approx(0.05)
    assert x[0] == 0
    assert y == pytest.approx(fitted.transform(x)[:, 1], rel=1e-12)


@pytest.mark.parametrize("method", ["isotonic", "platt", "histogram-equal-size", "temperature"])
def test_the_curve_of_a_map_is_the_map(method, ax):
    """At every drawn place stands what the map makes of it, and jumps are upright."""
    fitted = fit_map(TWO, method)
    draw_map(fitted, ax, histogram=np.histogram(P, 10))
    x, y = curve_of(ax)
    assert np.array_equal(y, fitted.transform(x)[:, 1])
    assert x[0] == 0
    assert x[-1] == 1
    assert len(ax.patches) == 10
    if method == "histogram-equal-size":
        jumps = np.flatnonzero(np.diff(y))
        assert np.diff(x)[jumps].max() < 1e-12
        assert set(y) == set(fitted.form.forms[0].values)


@pytest.mark.parametrize("method", ["isotonic", "platt", "temperature"])
def test_a_map_of_ratings_is_drawn_over_where_it_does_something(method, ax):
    """Without a diagonal, for ratings are no probabilities, from nearly 0 to nearly 1."""
    fitted = fit_map(RATED, method)
    draw_map(fitted, ax)
    x, y = curve_of(ax)
    assert np.array_equal(y, fitted.transform(x)[:, 1])
    assert len(ax.lines) == 1
    values = fitted.transform(np.linspace(-50, 50, 201))[:, 1]
    assert y[0] < values.min() + 0.05
    assert y[-1] > values.max() - 0.05
    assert ax.get_xlabel() == "rating of 1"


@pytest.mark.parametrize("k", [3, 12])
def test_every_class_has_its_line_and_few_classes_a_legend(k, ax):
    """Single maps before the division by their sum; of all at once the rest shared evenly."""
    one, whole = fit_map(several(k), "isotonic"), fit_map(several(k), "temperature")
    draw_map(one, ax)
    assert len(ax.lines) == k + 1
    labels = ax.get_legend_handles_labels()[1]
    *lines, diagonal = labels
    assert diagonal not in lines
    assert lines == ["c0", "c1", "c2"] if k == 3 else "12 classes" in "".join(lines)
    other = Figure().subplots()
    draw_map(whole, other)
    x, y = curve_of(other)
    row = np.full(k, (1 - x[200]) / (k - 1))
    row[0] = x[200]
    assert y[200] == pytest.approx(whole.transform(row[None])[0, 0], abs=1e-12)
    rated = fit_map(several(k, score=True), "temperature")
    (note,) = (text.get_text() for text in map_figure(rated).texts)
    assert "at 0" in note


def test_a_histogram_of_another_length_is_refused(ax):
    """Counts without their edges are no histogram."""
    with refused(ParameterError, "wrong-length", "2 counts", "2 edges", argument="histogram"):
        draw_map(fit_map(TWO, "platt"), ax, histogram=([1, 2], [0, 1]))


def test_names_from_data_are_text():
    """No class is read as mathematics or markup, or left out of the legend."""
    fitted = fit_map(several(3, names=NASTY), "platt")
    figure = map_figure(fitted)
    svg = figure_svg(figure, label="a map", prefix="m")
    assert "&lt;b&gt;" in svg
    assert "$x_1^{$" in svg
    assert "_50 % a_b" in svg


def advised(*rows, **more):
    """Return what the pictures see of an advice; a row is (difference, range, p)."""
    methods = [
        SimpleNamespace(
            method=f"m{number}",
            title=f"method {number}",
            log_loss_difference=difference,
            log_loss_range=span,
            p_value=p,
            helps=p <= 0.05 and difference < 0,
            log_loss=0.5 + difference,
        )
        for number, (difference, span, p) in enumerate(rows)
    ]
    fields = {
        "chosen": "m0",
        "level": 0.95,
        "on": "probability",
        "n": 90,
        "parts": 5,
        "model": None,
    }
    return SimpleNamespace(methods=methods, **({"log_loss_before": 0.5} | fields | more))


def test_methods_stand_at_their_change_and_are_filled_where_they_help(ax):
    """The chosen one's name is bold, one that was not tried is left out."""
    advice = advised(
        (-0.2, (-0.3, -0.1), 0.01),
        (-0.1, (-0.3, 0.1), 0.4),
        (0.3, (0.2, 0.4), 0.01),
        (nan, (nan, nan), nan),
    )
    draw_methods(advice, ax)
    points = [line for line in ax.lines if line.get_marker() == "o"]
    assert [line.get_xdata()[0] for line in points] == [-0.2, -0.1, 0.3]
    fills = [line.get_markerfacecolor() for line in points]
    assert fills == [style.POINT, style.PAPER, style.PAPER]
    assert points[2].get_markeredgecolor() == style.GAP
    weights = [text.get_fontweight() for text in ax.get_yticklabels()]
    assert weights == ["bold", "normal", "normal"]
    figure = methods_figure(advice)
    assert "1 method" in figure.texts[0].get_text()
    cells = [text.get_text() for text in figure.axes[0].texts]
    assert cells[:4] == ["change", "p", "−0.2", "0.01"]


def test_a_change_without_end_is_an_arrow(ax):
    """Where a row had no chance at all before, mending helps infinitely."""
    draw_methods(advised((-inf, (nan, nan), nan), (0.1, (0, 0.2), 1), chosen="none"), ax)
    assert [line.get_marker() for line in ax.lines if len(line.get_xdata()) == 1] == ["<", "o"]
    with refused(ParameterError, "nothing-given", argument="advice"):
        draw_methods(advised((nan, (nan, nan), nan)), ax)


def test_where_all_changes_are_infinite_the_log_losses_stand(ax):
    """A row that had no chance at all as it is tells no method from another by its change."""
    advice = advised(*[(-inf, (nan, nan), 0.01)] * 2, log_loss_before=inf)
    for place, row in enumerate(advice.methods):
        row.log_loss = 0.2 + place / 10
    draw_methods(advice, ax)
    points = [line for line in ax.lines if line.get_marker() == "o"]
    assert [line.get_xdata()[0] for line in points] == [0.2, pytest.approx(0.3)]
    assert len(ax.lines) == 2
    assert ax.get_xlabel().startswith("log loss; ")
    assert "∞" in ax.get_xlabel()
    cells = [text.get_text() for text in methods_figure(advice).axes[0].texts]
    assert cells[:3] == ["log loss", "p", "0.2"]


def test_ratings_are_held_against_the_shares_of_the_classes(ax):
    """They have no log loss as they are."""
    draw_methods(advised((-0.2, (-0.3, -0.1), 0.01), on="score", model="svm"), ax)
    assert ax.get_xlabel().startswith("log loss − ")
    assert ax.get_title().startswith("svm: ")


def test_before_and_after_stand_side_by_side_with_error_and_p_value():
    """The numbers in the titles are those of the answer; ratings have no diagram before."""
    old, new = (
        Predictions.from_arrays(HIT[part], P[part]) for part in (slice(100), slice(100, 200))
    )
    effect = recalibration_effect(fit_map(old, "platt"), new, resamples=99)
    figure = before_after_figure(effect)
    assert len(figure.axes) == 4
    before, after = effect.curves(resamples=9)
    titles = [ax.get_title(loc="left") for ax in figure.axes[::2]]
    assert titles[0].startswith(f"before: ECE {before.value:.3g}, test p = ")
    assert titles[1].startswith(f"after: ECE {after.value:.3g}, test p = ")
    (ece,) = (change for change in effect.changes if change.metric == "ece")
    assert (ece.before, ece.after) == pytest.approx((before.value, after.value), rel=1e-12)
    rated = recalibration_effect(
        fit_map(RATED.select(where=range(100)), "platt"),
        RATED.select(where=range(100, 200)),
        resamples=99,
    )
    assert [ax.get_title(loc="left")[:5] for ax in before_after_figure(rated).axes] == ["after", ""]
