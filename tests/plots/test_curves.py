import dataclasses
import itertools
import re
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from scipy.special import ndtri

from plumbline import ParameterError, Predictions
from plumbline._result import Note
from plumbline.curves import (
    PRESETS,
    Curve,
    CurveSettings,
    Line,
    best_threshold,
    cases_between,
    class_counts,
    curve_difference,
    preset_settings,
    state_at,
)
from plumbline.curves import curve as computed
from plumbline.curves.area import with_area
from plumbline.curves.lines import START, AreaBelow
from plumbline.plots import (
    class_counts_figure,
    curve_figure,
    difference_figure,
    draw_class_counts,
    draw_curve,
    draw_difference,
    figure_svg,
    multiples_figure,
    save_figure,
)
from plumbline.plots.curve_lines import DASHES, MOST, thinned
from plumbline.plots.curves import DASH
from plumbline.plots.style import DRAWS, LINES, PAPER, ROLES
from svg_colours import plain_colours

INF = np.inf
AREA = re.compile(r", (AUC|average precision) [\d.]+$")


@pytest.fixture
def ax():
    """Return empty axes that pyplot knows nothing of."""
    return Figure().subplots()


def line(x, y, threshold=None, **others) -> Line:
    """Return a line of lists."""
    t = np.linspace(1, 0, len(x)) if threshold is None else threshold
    x, y, t = (np.asarray(values, float) for values in (x, y, t))
    return Line(t, x, y, **{"positives": 3.0, "negatives": 7.0, **others})


def curve_of(name: str, *lines: Line, others=None, **overrides) -> Curve:
    """Return a curve of a preset from lines made by hand."""
    settings = CurveSettings(**preset_settings(name, **overrides))
    titles = settings.x_title or settings.x, settings.y_title or settings.y
    lines = tuple(with_area(one, settings) for one in lines)
    return Curve(settings, *titles, lines, **{"shape": PRESETS[name].shape, **(others or {})})


def roc(**others) -> Line:
    """Return a small ROC line."""
    return line([0, 0, 0.5, 1], [0, 0.5, 1, 1], [INF, 0.9, 0.4, 0.1], **others)


def drawn(ax, label: str):
    """Return the drawn line that has a label, whatever area stands behind it."""
    (result,) = (artist for artist in ax.get_lines() if AREA.sub("", artist.get_label()) == label)
    return result


def labels(figure) -> list[str]:
    """Return the texts of a figure's legend."""
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def texts(figure) -> list[str]:
    """Return the texts below the axes."""
    return [text.get_text() for text in figure.texts]


# ------------------------------------------------------------------ lines


def test_the_points_are_drawn_as_they_are(ax):
    """Every point of a line stands where it says, in its order."""
    draw_curve(curve_of("roc", roc(model="a")), ax)
    assert drawn(ax, "a").get_xydata().tolist() == [[0, 0], [0, 0.5], [0.5, 1], [1, 1]]
    assert ax.get_xlabel().startswith("false ")
    assert ax.get_ylabel().startswith("true ")
    assert ax.get_title() == "ROC curve, a"


def test_models_differ_in_colour_and_in_dash_and_marker(ax):
    """Eight models: no two alike in colour, and none in dash and marker together."""
    draw_curve(curve_of("roc", *(roc(model=str(j)) for j in range(8))), ax)
    drawn_lines = [drawn(ax, str(j)) for j in range(8)]
    assert [to_hex(one.get_color()) for one in drawn_lines] == list(LINES)
    assert len({(one.get_linestyle(), one.get_marker()) for one in drawn_lines}) == 8


def test_of_many_models_the_rest_is_grey(ax):
    """From the ninth model on lines are thin and grey, with one entry in the legend."""
    draw_curve(curve_of("roc", *(roc(model=f"m{j}") for j in range(11))), ax)
    grey = [artist for artist in ax.get_lines() if artist.get_color() == DRAWS]
    assert len(grey) == 3
    names = ax.get_legend_handles_labels()[1]
    assert names == [*(f"m{j}, AUC 0.875" for j in range(8)), "3 others", "random"]


def test_folds_are_thin_lines_of_one_colour(ax):
    """Ten folds of a model: ten lines, one colour, one entry of the legend."""
    folds = [roc(model="a", fold=str(j)) for j in range(10)]
    draw_curve(curve_of("roc", *folds, average="none"), ax)
    lines = [artist for artist in ax.get_lines() if artist.get_color() == LINES[0]]
    assert len(lines) == 10
    assert {artist.get_linewidth() for artist in lines} == {0.7}
    assert ax.get_legend_handles_labels()[1] == ["a, 10 folds", "random"]


def test_classes_are_distinguished_by_name(ax):
    """Lines of several targets are labelled by model and class."""
    lines = [roc(model="a", target=target) for target in ("x", "y")]
    draw_curve(curve_of("roc", *lines, multiclass="per-class"), ax)
    assert ax.get_legend_handles_labels()[1] == ["a, x, AUC 0.875", "a, y, AUC 0.875", "random"]


def test_the_legend_says_the_area_where_it_has_a_name(ax):
    """ROC and precision-recall curves of one line a model have one; folds and others none."""
    lines = (
        roc(model="a"),
        roc(model="b", below=AreaBelow.known(0.5)),
        Line(*np.empty((3, 0)), model="c", reason="0"),
    )
    draw_curve(curve_of("roc", *lines), ax)
    result = ["a, AUC 0.875", "b, AUC 0.5", "c, no point: 0", "random"]
    assert ax.get_legend_handles_labels()[1] == result
    for name, expected in (("precision-recall", ["average precision 0.75"]), ("gains", [])):
        other = Figure().subplots()
        draw_curve(curve_of(name, line([0, 0.5, 1], [1, 1, 0.5])), other)
        shown = other.get_legend_handles_labels()[1]
        assert [text for text in shown if text[-1].isdigit()] == expected


def test_a_threshold_holds_down_to_the_next(ax):
    """Between .4 and .9 the state is that of .9, whichever way the line is drawn."""
    points = line([INF, 0.9, 0.4], [0.5, 0.6, 0.7], [INF, 0.9, 0.4], model="a")
    back = line([0.4, 0.9, INF], [0.7, 0.6, 0.5], [0.4, 0.9, INF], model="b")
    draw_curve(curve_of("accuracy", points, back), ax)
    assert drawn(ax, "a").get_drawstyle() == "steps-post"
    assert drawn(ax, "b").get_drawstyle() == "steps-pre"


def test_averaged_and_other_lines_have_no_steps(ax):
    """Means of folds lie on a grid, between which lines are straight."""
    draw_curve(
        curve_of("accuracy", line([0.4, 0.9], [0.7, 0.6], model="a"), average="vertical"), ax
    )
    assert drawn(ax, "a").get_drawstyle() == "default"


def test_a_path_is_drawn_instead_of_the_points(ax):
    """Precision bends between points; the path says how, and the few points are marked."""
    path = np.array([0, 0.25, 1.0]), np.array([1, 0.9, 0.5])
    draw_curve(curve_of("precision-recall", line([0, 1], [1, 0.5], model="a", path=path)), ax)
    assert drawn(ax, "a").get_xydata().tolist() == np.transpose(path).tolist()
    marked = [result for result in ax.get_lines() if result.get_marker() == "o"]
    assert [result.get_xydata().tolist() for result in marked] == [[[0, 1], [1, 0.5]]]


def test_one_point_is_a_marker(ax):
    """A table of answers alone has one point, which must be seen."""
    draw_curve(curve_of("roc", line([0.2], [0.7], model="a")), ax)
    assert drawn(ax, "a").get_marker() == "o"


def test_an_empty_curve_says_why(ax):
    """No point: the reason stands in the picture."""
    draw_curve(curve_of("roc", line([], [], reason="0/0 in `TP / P`")), ax)
    assert "0/0 in `TP / P`" in ax.texts[0].get_text()
    (nothing,) = curve_figure(curve_of("roc")).axes[0].texts
    assert nothing.get_text().endswith("no line")


def test_an_empty_line_beside_others_says_why_in_the_legend():
    """The picture shows the one, the legend what became of the other."""
    empty = line([], [], model="b", reason="no positives")
    (one,) = [
        label
        for label in labels(curve_figure(curve_of("roc", roc(model="a"), empty)))
        if label.startswith("b, ")
    ]
    assert one.endswith(empty.reason)
    folds = [roc(model="a", fold="0"), line([], [], model="a", fold="1", reason="no positives")]
    shown = labels(curve_figure(curve_of("roc", *folds, average="none")))
    assert re.fullmatch(r"a, 2 \w+, 1 .*: no positives", shown[0])


# ------------------------------------------------------------------ bands


def test_a_band_is_filled_from_low_to_high(ax):
    """The band's outline holds its limits at every point."""
    more = {"y_low": np.array([0.1, 0.3, 0.5]), "y_high": np.array([0.3, 0.7, 1.0])}
    draw_curve(curve_of("calibration", line([0, 0.5, 1], [0.2, 0.5, 0.8], more=more)), ax)
    (band,) = (c for c in ax.collections if isinstance(c, PolyCollection))
    corners = {tuple(point) for point in band.get_paths()[0].vertices.tolist()}
    assert {(0.0, 0.1), (0.5, 0.3), (1.0, 0.5), (0.0, 0.3), (0.5, 0.7), (1.0, 1.0)} <= corners


def test_a_deviation_is_a_band_of_one_to_either_side(ax):
    """Vertical averaging: mean minus and plus the standard deviation."""
    more = {"y_sd": np.array([0.1, 0.2])}
    draw_curve(curve_of("roc", line([0, 1], [0.5, 0.75], more=more), average="vertical"), ax)
    (band,) = (c for c in ax.collections if isinstance(c, PolyCollection))
    y = band.get_paths()[0].vertices[:, 1]
    assert (y.min(), y.max()) == pytest.approx((0.4, 0.95))


def test_deviations_of_both_coordinates_are_crosses(ax):
    """Threshold averaging: a bar in either direction at every point, and no filled band."""
    more = {"x_sd": np.array([0.1, 0.1]), "y_sd": np.array([0.2, 0.1])}
    draw_curve(curve_of("roc", line([0.2, 0.6], [0.5, 0.7], more=more), average="threshold"), ax)
    segments = [np.array(c.get_segments()) for c in ax.collections]
    spans = [np.abs(np.diff(part, axis=1))[:, 0] for part in segments]
    np.testing.assert_allclose(spans[0], [[0.2, 0], [0.2, 0]], atol=1e-12)
    np.testing.assert_allclose(spans[1], [[0, 0.4], [0, 0.2]], atol=1e-12)


# ------------------------------------------------------------------ axes


def test_an_infinite_threshold_stands_at_the_edge(ax):
    """Beyond all finite thresholds, on a tick that says so."""
    points = line([INF, 0.9, 0.0], [0.5, 0.6, 0.7], model="a")
    draw_curve(curve_of("accuracy", points), ax)
    ticks = {
        text.get_text(): x for x, text in zip(ax.get_xticks(), ax.get_xticklabels(), strict=True)
    }
    assert ticks["∞"] > 1
    assert ticks["∞"] <= ax.get_xlim()[1]
    assert drawn(ax, "a").get_xdata()[0] == ticks["∞"]
    assert ticks["0.5"] == 0.5 if "0.5" in ticks else ticks["0.4"] == pytest.approx(0.4)


def test_a_score_may_begin_at_minus_infinity(ax):
    """Ascending, the state before the first row has the threshold -inf; scores are any number."""
    draw_curve(curve_of("accuracy", line([-INF, -5, 20], [0.5, 0.6, 0.7], model="a")), ax)
    names = [text.get_text() for text in ax.get_xticklabels()]
    assert "−∞" in names
    assert drawn(ax, "a").get_xdata()[0] < -5


def test_rates_stand_at_their_normal_deviates(ax):
    """On the axes of a DET curve a rate p stands at the p quantile of the normal distribution."""
    points = line([0, 0.1, 0.5, 1], [1, 0.3, 0.05, 0], model="a")
    draw_curve(curve_of("det", points), ax)
    x, y = drawn(ax, "a").get_data()
    np.testing.assert_allclose(x[1:3], ndtri([0.1, 0.5]))
    np.testing.assert_allclose(y[1:3], ndtri([0.3, 0.05]))
    ticks = {
        text.get_text(): x for x, text in zip(ax.get_xticks(), ax.get_xticklabels(), strict=True)
    }
    assert x[0] == ticks["0 %"]
    assert x[3] == ticks["100 %"]
    assert ticks["40 %"] == pytest.approx(ndtri(0.4))
    assert ax.get_xlim() == ax.get_ylim()


@pytest.mark.parametrize("name", [name for name, preset in PRESETS.items() if preset.square])
def test_unit_squares_are_square(ax, name):
    """Both axes go from 0 to 1 in the same measure."""
    draw_curve(curve_of(name, line([0.2, 0.4], [0.3, 0.6])), ax)
    assert ax.get_aspect() == 1.0
    assert ax.get_xlim() == ax.get_ylim() == (-0.025, 1.025)


def test_large_numbers_are_written_in_full(ax):
    """Money has commas between thousands, and no power of ten apart from its number."""
    draw_curve(curve_of("profit", line([0, 0.5, 1], [-2e6, 1.5e6, 0])), ax)
    names = ax.yaxis.get_major_formatter().format_ticks([-2e6, 0.0, 0.5])
    assert names == ["−2,000,000", "0", "0.5"]


def test_titles_fall_back_to_the_formulas_and_are_shortened(ax):
    """A formula longer than its axis loses its middle."""
    long = "cumm((amount_requested ** 2 / 30) * eP - amount_requested * eN) / total(weight)"
    settings = CurveSettings("probability", long)
    draw_curve(Curve(settings, "probability", long, [line([0, 1], [0, 1])]), ax)
    assert ax.get_xlabel() == "probability"
    assert len(ax.get_ylabel()) == 40
    assert "…" in ax.get_ylabel()


def test_categories_are_dots_with_intervals_and_counts(ax):
    """A dot and an interval a category, whose tick says name and rows."""
    low, high, count = np.array([[0.1, 0.2], [0.5, 0.4], [23.0, 1500.0]])
    more = {"y_low": low, "y_high": high, "count": count}
    points = line([0, 1], [0.3, 0.25], more=more)
    others = {"x_names": ("typical", "none")}
    draw_curve(curve_of("error-by-attribute", points, others=others, x="pain"), ax)
    names = [text.get_text() for text in ax.get_xticklabels()]
    assert names == ["typical\nn = 23", "none\nn = 1,500"]
    (bars,) = (np.array(c.get_segments()) for c in ax.collections)
    np.testing.assert_allclose(bars[:, :, 1], [[0.1, 0.5], [0.2, 0.4]])
    assert ax.get_lines()[0].get_ydata().tolist() == [0.3, 0.25]


def test_categories_of_several_models_stand_side_by_side(ax):
    """Dots of two models do not cover each other, and counts that differ are not told."""
    lines = [
        line([0, 1], [0.3, 0.2], model=m, more={"count": np.array([5.0, c])})
        for m, c in (("a", 7.0), ("b", 8.0))
    ]
    others = {"x_names": ("u", "v")}
    draw_curve(curve_of("error-by-attribute", *lines, others=others, x="pain"), ax)
    first, second = (dots.lines[0].get_xdata() for dots in ax.containers)
    assert (second > first).all()
    assert [text.get_text() for text in ax.get_xticklabels()] == ["u\nn = 5", "v"]


def test_many_categories_with_long_names_stay_apart():
    """Names are shortened and turned, no label reaches below the picture, each category has one."""
    names = tuple(f"a very long name of a category, number {j}" for j in range(14))
    points = line(range(14), np.linspace(0.1, 0.5, 14))
    figure = curve_figure(
        curve_of("error-by-attribute", points, others={"x_names": names}, x="city")
    )
    FigureCanvasAgg(figure).draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].get_xticklabels()]
    assert len(boxes) == 14
    assert min(box.y0 for box in boxes) > 0
    assert min(box.x0 for box in boxes) > -40


# ------------------------------------------------------------------ guides


def test_guides_show_what_chance_would_be(ax):
    """Diagonal, prevalence and 1, from the weights of the lines' positives."""
    draw_curve(curve_of("precision-recall", line([0, 1], [1, 0.3])), ax)
    assert set(drawn(ax, "random").get_ydata()) == {0.3}
    other = Figure().subplots()
    draw_curve(curve_of("gains", line([0, 1], [0, 1])), other)
    assert drawn(other, "perfect ranking").get_xydata().tolist() == [[0, 0], [0.3, 1], [1, 1]]
    lift = Figure().subplots()
    draw_curve(curve_of("lift", line([0.1, 1], [2, 1])), lift)
    assert set(drawn(lift, "random").get_ydata()) == {1.0}


def test_the_net_benefit_of_treating_all_is_the_formula(ax):
    """Prevalence - (1 - prevalence) odds; a fall without end does not stretch the axes."""
    draw_curve(curve_of("net-benefit", line([0, 0.5, 0.999], [0.3, 0.2, -500.0])), ax)
    x, y = drawn(ax, "treat all").get_data()
    np.testing.assert_allclose(y, 0.3 - 0.7 * x / (1 - x), atol=1e-12)
    assert -0.1 < ax.get_ylim()[0] < 0
    assert set(drawn(ax, "treat none").get_ydata()) == {0}


def test_a_formula_of_the_users_own_has_no_guide(ax):
    """A preset whose y was overridden promises nothing any more."""
    draw_curve(curve_of("roc", roc(model="a"), y="TPR ** 2"), ax)
    assert ax.get_legend_handles_labels()[1] == ["a"]
    assert ax.get_aspect() == "auto"


# ------------------------------------------------------------------ what was chosen


def test_the_best_threshold_is_marked_and_its_plateau_shaded(ax):
    """Against the threshold the plateau is a shade; the mark is the curve's own point."""
    best = SimpleNamespace(threshold=0.5, value=0.8, plateau=[(0.4, 0.6), (0.7, 0.75)])
    points = line([1.0, 0.5, 0.0], [0.5, 0.8, 0.7], [1.0, 0.5, 0.0])
    draw_curve(curve_of("accuracy", points), ax, best=best)
    assert drawn(ax, "best threshold").get_xydata().tolist() == [[0.5, 0.8]]
    shades = [(p.get_x(), p.get_x() + p.get_width()) for p in ax.patches]
    np.testing.assert_allclose(shades, best.plateau)
    other = Figure().subplots()
    draw_curve(
        curve_of("roc", roc()), other, best=SimpleNamespace(threshold=0.4, plateau=[(0.3, 0.5)])
    )
    assert drawn(other, "best threshold").get_xydata().tolist() == [[0.5, 1]]
    assert not other.patches


def test_a_threshold_between_two_points_has_the_state_above_it():
    """At .5, between .9 and .4, the rows at or above .9 are accepted; beyond all, the highest."""
    result = [state_at(roc(), t) for t in (INF, 2.0, 0.9, 0.5, 0.4, 0.2, 0.0, np.nan)]
    assert result == [0, 0, 1, 1, 2, 2, 3, None]
    assert state_at(line([0, 1], [0, 1], [0.9, 0.4]), INF) == 0
    assert state_at(line([0, 1], [0, 1], [np.nan, np.nan]), 0.5) is None


def test_best_threshold_and_cases_of_a_real_table_are_drawn(rng, ax):
    """What `best_threshold` and `cases_between` answer can be handed over as it is."""
    score = rng.random(120)
    data = Predictions.from_arrays((rng.random(120) < score).astype(int), score)
    result = best_threshold(data, "CA", resamples=50)
    figure = curve_figure(
        computed(data, "accuracy"), best=result, cases=cases_between(data, low=0.2, high=0.3)
    )
    assert len(labels(figure)) == 3
    assert labels(figure)[1:] == ["best threshold", "chosen cases"]
    (mark,) = drawn(figure.axes[0], "best threshold").get_xydata().tolist()
    assert mark[1] == pytest.approx(result.value)
    draw_curve(computed(data, "roc"), ax, best=result, cases=cases_between(data, low=0.2))
    assert drawn(ax, "chosen cases").get_xydata()[0].tolist() == [0, 0]


def test_chosen_cases_are_the_part_between_two_thresholds(ax):
    """Where x is no threshold, the part of the line that holds them is thickened."""
    draw_curve(curve_of("roc", roc()), ax, cases=SimpleNamespace(low=0.3, high=0.95))
    assert drawn(ax, "chosen cases").get_xydata().tolist() == [[0, 0.5], [0.5, 1]]
    other = Figure().subplots()
    draw_curve(
        curve_of("accuracy", line([1, 0], [0.5, 0.7])),
        other,
        cases=SimpleNamespace(low=0.3, high=INF),
    )
    assert other.patches[0].get_x() == 0.3


# ------------------------------------------------------------------ many points


@pytest.mark.parametrize("drift", [0.0, 1.0])
def test_of_very_many_points_no_extreme_is_lost(rng, drift):
    """A spike of one point among a million stays, at either end, and few points are left."""
    n = 300_000
    x = np.linspace(0, 1, n)
    y = np.cumsum(rng.normal(drift, 1, n))
    y[1234], y[200_000] = y.max() + 50, y.min() - 50
    keep = thinned(x, y)
    assert len(keep) <= MOST
    assert {0, 1234, 200_000, n - 1} <= set(keep.tolist())
    assert (np.diff(keep) > 0).all()
    column = (x * 999).astype(int)
    for number in (0, 371, 999):
        whole, left = y[column == number], y[keep][column[keep] == number]
        assert (whole.min(), whole.max()) == (left.min(), left.max())


def test_a_cloud_keeps_a_point_a_cell(rng):
    """Points that jump about are thinned by cells, and the outermost stay."""
    x, y = rng.random(200_000), rng.random(200_000)
    keep = thinned(x, y)
    assert len(keep) <= MOST
    assert {x.argmin(), x.argmax(), y.argmin(), y.argmax()} <= set(keep.tolist())


@given(n=st.integers(1, 40), seed=st.integers(0, 99))
def test_few_points_stay_all(n, seed):
    """Nothing is left out that a picture can show."""
    values = np.random.default_rng(seed).random((2, n))
    assert thinned(*values).tolist() == list(range(n))


def test_many_points_are_drawn_quickly_and_the_data_stay_whole(ax):
    """The picture has few points, the curve has all."""
    n = 100_000
    points = line(np.linspace(0, 1, n), np.linspace(0, 1, n) ** 0.3, model="a")
    curve = curve_of("roc", points)
    draw_curve(curve, ax)
    assert len(drawn(ax, "a").get_xdata()) <= MOST
    assert len(curve.lines[0]) == n


# ------------------------------------------------------------------ several on one picture


def test_a_second_curve_has_a_style_and_an_axis_of_its_own():
    """Same x, own y on the right, no model's colour or dash; the axes are no square then."""
    first = curve_of("roc", roc(model="a"), roc(model="b"))
    points = [line([0, 1], [10, 40], [0.9, 0.4], model=name) for name in "ab"]
    second = curve_of("profit", *points, x="FPR", y="money")
    figure = curve_figure(first, second=second)
    left, right = figure.axes
    assert right.get_ylabel() == second.y_title
    assert left.get_xlim() == right.get_xlim()
    assert left.get_position().bounds == right.get_position().bounds
    every = [*left.lines[:2], *right.lines]
    assert len({one.get_color() for one in every}) == 4
    assert DASH not in DASHES, "its dash is no model's"
    assert [text for text in labels(figure) if second.y_title in text] == [
        f"a: {second.y_title}",
        f"b: {second.y_title}",
    ]
    assert left.get_aspect() == "auto"
    FigureCanvasAgg(figure).draw()
    assert right.yaxis.label.get_window_extent().x1 <= figure.bbox.x1


def test_a_second_curve_over_categories_is_left_out_in_words():
    """Dots beside dots could not be told apart; the note below says where the numbers are."""
    points = line([0, 1], [0.2, 0.4])
    first = curve_of("error-by-attribute", points, others={"x_names": ("a", "b")}, x="city")
    figure = curve_figure(first, second=first)
    assert len(figure.axes) == 1
    assert set(texts(figure)) - set(texts(curve_figure(first)))


def test_small_multiples_have_the_same_axes_and_one_legend():
    """A taller group widens all; areas of one group are not in the legend of all."""
    low = curve_of("profit", line([0, 1], [0, 2], [0.9, 0.4], model="a"), x="threshold")
    high = curve_of("profit", line([0, 2], [0, 9], [0.9, 0.4], model="b"), x="threshold")
    figure = multiples_figure({"young": low, "old": high, "none": "no rows"})
    young, old, none = figure.axes
    assert young.get_xlim() == old.get_xlim()
    assert young.get_ylim() == old.get_ylim()
    assert young.get_ylim()[1] >= 9
    assert none.texts[0].get_text() == "no rows"
    assert labels(multiples_figure({"one": curve_of("roc", roc(model="a"), roc(model="b"))}))[
        :2
    ] == [
        "a",
        "b",
    ]
    alone = multiples_figure({name: curve_of("roc", roc()) for name in ("young", "old")})
    assert labels(alone) == []
    assert "AUC" in alone.axes[0].get_title(loc="left")


# ------------------------------------------------------------------ the figure


def test_legend_and_notes_stand_below_the_axes():
    """Neither covers a point, whatever there is to say."""
    lines = [roc(model=f"model number {j} with a long name", dropped={"0/0": 9}) for j in range(8)]
    note = Note(
        "a long sentence about what the reader should know before believing the picture", "a"
    )
    figure = curve_figure(
        curve_of(
            "roc",
            *lines,
            others={"notes": [note, Note(f"{note} still", "b")], "spread": "spread over folds"},
        )
    )
    FigureCanvasAgg(figure).draw()
    lowest = figure.axes[0].xaxis.label.get_window_extent().y0
    boxes = [part.get_window_extent() for part in (*figure.legends, *figure.texts)]
    assert all(box.y1 <= lowest + 1 for box in boxes)
    assert all(box.y0 >= -1 and box.x1 <= figure.bbox.x1 for box in boxes)
    legend = figure.legends[0].get_window_extent()
    assert all(text.get_window_extent().y1 <= legend.y0 + 2 for text in figure.texts)


def test_points_left_out_are_reported_with_their_reason():
    """All are worth a note but the one before the first row, which has no row to show."""
    points = roc(dropped={START: 1, "`amount` is missing": 37, "0/0": 1})
    shown = set(texts(curve_figure(curve_of("roc", points))))
    assert {tuple(re.findall(r"^\d+|`amount`|0/0", text)) for text in shown} == {
        ("37", "`amount`"),
        ("1", "0/0"),
    }
    assert texts(curve_figure(curve_of("roc", points), notes=False)) == []


def test_numbers_and_titles_have_room():
    """Large numbers on the upright axis push the picture right, and nothing is cut off."""
    figure = curve_figure(curve_of("profit", line([0, 0.5, 1], [-2e9, 1.5e9, 0])))
    FigureCanvasAgg(figure).draw()
    assert figure.axes[0].yaxis.label.get_window_extent().x0 >= 0


def test_every_colour_of_a_picture_is_a_role():
    """A page in the dark can recolour all lines, bands and guides."""
    more = {"y_low": np.zeros(4), "y_high": np.ones(4)}
    lines = [roc(model=f"m{j}", more=more) for j in range(9)]
    best = SimpleNamespace(threshold=0.4, plateau=[])
    svg = figure_svg(curve_figure(curve_of("roc", *lines), best=best), label="x", prefix="x")
    assert plain_colours(svg) == []
    assert all(f"--pl-line{j}," in svg for j in range(3, 9))


def test_text_from_data_is_never_mathematics(tmp_path):
    """Names of models, classes and formulas are drawn as written."""
    nasty = ["$x_1^{$", "50 % a_b & \\frac", "<script>", " _x"]
    lines = [roc(model=name) for name in nasty]
    figure = curve_figure(
        curve_of(
            "roc", *lines, others={"notes": [Note(text, "n") for text in nasty]}, x_title=nasty[0]
        )
    )
    assert set(nasty) <= {AREA.sub("", text) for text in labels(figure)}
    save_figure(figure, tmp_path / "curve.png")
    assert "<script>" not in figure_svg(figure, label="x", prefix="x")


def lab(rgb) -> np.ndarray:
    """Return CIE Lab of linear RGB."""
    xyz = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])
    t = xyz @ np.clip(rgb, 0, 1) / [0.9505, 1, 1.0888]
    f = np.where(t > 0.008856, np.cbrt(t), 7.787 * t + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


SIGHT = {  # Machado, Oliveira & Fernandes (2009), severity 1
    "normal": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.01182, 0.04294, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.3039],
    ],
}


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_of_lines_can_be_distinguished(sight):
    """Under every kind of colour vision any two differ by 25 or more, and stand out on paper."""

    def lab_and_rgb(colour):
        c = np.array(to_rgb(colour))
        linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
        return linear, lab(np.asarray(SIGHT[sight]) @ linear)

    distances = [
        np.linalg.norm(lab_and_rgb(a)[1] - lab_and_rgb(b)[1])
        for a, b in itertools.combinations(LINES, 2)
    ]
    assert min(distances) > 25
    light = [lab_and_rgb(colour)[0] @ [0.2126, 0.7152, 0.0722] for colour in LINES]
    assert min(1.05 / (value + 0.05) for value in light) >= 3
    assert len(set(ROLES.values())) == len(ROLES)
    assert PAPER not in LINES


# ------------------------------------------------------------------ differences


@pytest.fixture
def difference(rng):
    """Return how much better a good model is than one that guesses, by threshold."""
    truth = rng.integers(0, 2, 150)
    good, guess = (
        np.clip(0.5 + (truth - 0.5) * 0.6 + rng.normal(0, 0.2, 150), 0, 1),
        rng.random(150),
    )
    two = Predictions.from_arrays(
        np.tile(truth, 2),
        np.concatenate([guess, good]),
        model=np.repeat(["guess", "good"], 150),
        row=np.tile(np.arange(150), 2),
    )
    return curve_difference(two, "accuracy", resamples=50, points=21)


def test_a_difference_is_thick_where_its_band_leaves_zero_out(ax, difference):
    """The line, its band, and the stretch that speaks."""
    draw_difference(difference, ax)
    x, y = drawn(ax, "difference").get_data()
    known = np.isfinite(difference.difference)
    np.testing.assert_array_equal(y, difference.difference[known])
    np.testing.assert_array_equal(x, difference.x[known])
    apart = np.isfinite(drawn(ax, "band excludes 0").get_ydata())
    excluded = (difference.low > 0) | (difference.high < 0)
    assert 0 < apart.sum() < len(apart)
    np.testing.assert_array_equal(apart, excluded[known])
    assert ax.get_title() == " − ".join(reversed(difference.models))


def test_a_difference_that_cannot_be_told_is_nowhere_thick(ax, difference):
    """A band that holds 0 everywhere has nothing to stress."""
    wide = dataclasses.replace(difference, low=difference.low - 9, high=difference.high + 9)
    draw_difference(wide, ax)
    band, line = ax.get_legend_handles_labels()[1]
    assert ("95 %" in band, line) == (True, "difference")


def test_a_difference_has_its_verdict_below(difference):
    """What the band says stands under the picture, in the words of the result."""
    shown = " ".join(texts(difference_figure(difference))[::-1])
    assert difference.verdict in shown
    assert texts(difference_figure(difference, notes=False)) == []


def test_a_difference_without_a_point_is_an_empty_picture(ax, difference):
    """Curves that share no x have nothing to compare."""
    nothing = np.full(21, np.nan)
    draw_difference(dataclasses.replace(difference, difference=nothing), ax)
    assert len(drawn(ax, "difference").get_xdata()) == 0


# ------------------------------------------------------------------ class counts


@pytest.fixture
def counted():
    """Return a table with a number, a category, and missing values."""
    rng = np.random.default_rng(1)
    age = np.where(rng.random(90) < 0.1, np.nan, np.round(rng.normal(50, 9, 90), 1))
    attributes = {"age": age, "pain": rng.choice(np.array(["a", "b", "$c$"], object), 90)}
    truth = np.array(["no", "yes", "may be"])[rng.integers(0, 3, 90)]
    return Predictions.from_arrays(
        truth, np.full((90, 3), 1 / 3), classes=["no", "yes", "may be"], attributes=attributes
    )


@pytest.mark.parametrize("by", ["age", "pain"])
def test_bars_hold_every_row_of_every_class(ax, counted, by):
    """The parts of the bars are the counts, missing values a bar of their own."""
    result = class_counts(counted, by)
    draw_class_counts(result, ax)
    heights = np.array([bar.get_height() for bar in ax.patches]).reshape(3, -1)
    assert heights.sum() == 90
    np.testing.assert_array_equal(heights[:, : len(result.groups)], result.count.T)
    if by == "age":
        np.testing.assert_array_equal(heights[:, -1], result.missing)
        assert ax.get_xticklabels()[-1].get_text().strip() == "missing"
        lefts = [bar.get_x() for bar in ax.patches][: len(result.groups)]
        np.testing.assert_allclose(lefts, result.edges[:-1])


def test_shares_of_a_bar_add_up_to_one(ax, counted):
    """Shares compare groups of different size; an empty bin has none."""
    draw_class_counts(class_counts(counted, "age", bins=[0, 10, 50, 100]), ax, show="shares")
    heights = np.array([bar.get_height() for bar in ax.patches]).reshape(3, -1)
    np.testing.assert_allclose(heights.sum(axis=0), [0, 1, 1, 1])
    assert ax.get_ylabel().startswith("share")
    with pytest.raises(ParameterError, match="`show`"):
        draw_class_counts(class_counts(counted, "age"), ax, show="percent")


def test_a_figure_of_counts_names_the_classes_below(counted, tmp_path):
    """The legend stands below the axis, and the file can be written."""
    figure = class_counts_figure(class_counts(counted, "pain"))
    assert labels(figure) == ["no", "yes", "may be"]
    FigureCanvasAgg(figure).draw()
    assert figure.legends[0].get_window_extent().y1 < figure.axes[0].get_window_extent().y0
    save_figure(figure, tmp_path / "counts.png")
    days = np.datetime64("2020-01-01") + np.arange(0, 900, 10)
    dated = Predictions.from_arrays([0, 1] * 45, [0.5] * 90, attributes={"day": days})
    names = [
        text.get_text()
        for text in class_counts_figure(class_counts(dated, "day")).axes[0].get_xticklabels()
    ]
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\d", name) for name in names)
