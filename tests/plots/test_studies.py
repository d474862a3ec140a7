import importlib.util
import inspect
import re
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.text import Text

import plumbline as pb
from laws import law
from plumbline import ParameterError, plots
from plumbline.calibration_errors import error_steps
from plumbline.calibration_tests import count_test
from plumbline.plots.style import ROLES
from plumbline.power import one_point_excess, p_values
from plumbline.synthetic import dirichlet_vectors
from refusals import refused
from svg_colours import plain_colours

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "examples" / "thesis" / "pictures.py"
DISTANCES = ("absolute", "square", "log")

_spec = importlib.util.spec_from_file_location("pictures", SCRIPT)
pictures = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(pictures)


@pytest.fixture
def ax():
    """Return empty axes."""
    return Figure().subplots()


@pytest.fixture
def five():
    """Return the five points of the worked example."""
    return pictures.FIVE_POINTS


@pytest.fixture
def written(monkeypatch):
    """Return a function that draws a picture and returns each text it wrote, with its box."""
    drawn = {}
    draw = Text.draw

    def remembered(text, renderer, *args, **kwargs):
        drawn[id(text)] = text
        draw(text, renderer, *args, **kwargs)

    monkeypatch.setattr(Text, "draw", remembered)

    def texts(figure) -> list:
        drawn.clear()
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer = canvas.get_renderer()
        texts = (text for text in drawn.values() if text.get_text().strip())
        return [(text.get_text(), text.get_window_extent(renderer)) for text in texts]

    return texts


# What each picture of the thesis is drawn from.


def test_the_p_values_are_those_of_the_power_study():
    """The same data sets and draws, so the same shares in both tails, in either convention."""
    for like in (None, "thesis"):
        result = p_values(1, datasets=120, resamples=50, like=like)
        (row,) = pb.power_study(
            [1],
            views=["cw"],
            bins="equal-width:10",
            distances=["absolute"],
            datasets=120,
            resamples=50,
            like=like,
        ).rows()
        names = ("power", "power_lower", "std_error", "view", "placement", "bins", "distance")
        assert [getattr(result, name) for name in names] == [row[name] for name in names]
        assert result.power == (result.values <= 0.05).mean() > 0.1


def test_a_p_value_counts_the_draws_that_are_as_large():
    """That is (1 + #) / (m + 1), or # / m like the thesis, of the same draws."""
    ours = p_values(4, view="cf", bins="equal-size:20", distance="log", datasets=30).values
    theirs = p_values(
        4, view="cf", bins="equal-size:20", distance="square", datasets=30, like="thesis"
    ).values
    np.testing.assert_allclose(ours * 101, np.round(ours * 101), atol=1e-9)
    np.testing.assert_allclose(theirs * 100, np.round(theirs * 100), atol=1e-9)
    assert ours.min() >= 1 / 101
    again = p_values(4, view="cf", bins="equal-size:20", distance="square", datasets=30).values
    np.testing.assert_allclose(again * 101, theirs * 100 + 1)


def test_figure_8_has_the_power_of_the_thesis():
    """Experiment 1, classwise, absolute, 10 equal-width bins, m = 1000: 0.34 of 1000 data sets."""
    result = p_values(1, datasets=500, resamples=1000, like="thesis")
    error = sqrt(0.34 * 0.66 * (1 / 1000 + 1 / 500))
    assert abs(result.power - 0.34) < 3 * error


def test_figure_9_is_found_by_the_lower_tail():
    """Experiment 9 is underconfident: most p-values lie near 1."""
    result = p_values(9, bins="equal-size:500", points=500, resamples=200, datasets=60)
    assert result.power < 0.05 < 0.15 < result.power_lower
    assert np.median(result.values) > 0.7


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"experiment": 7}, "few"),
        ({"experiment": 1, "bins": "thesis"}, "one placement"),
        ({"experiment": 1, "bins": "equal-width:5,equal-size:5"}, "one placement"),
        ({"experiment": 1, "view": "top"}, "'cw', 'cf'"),
    ],
)
def test_many_p_values_are_of_one_test(wrong, words):
    """More than one setting, and experiments without end to their data sets, are refused."""
    with pytest.raises(ParameterError, match=words):
        p_values(datasets=5, **wrong)


@pytest.mark.parametrize("view", ["classwise", "top-label"])
@pytest.mark.parametrize("distance", DISTANCES)
def test_the_excess_of_one_point_is_what_its_two_outcomes_average_to(distance, view):
    """The oracle measures both outcomes of one point and weighs them by both probabilities."""
    result = one_point_excess(distance, cells=8)
    error = []
    for p in result.probability:
        rows = [  # two equal ones, each a bin of its own
            pb.Predictions.from_arrays([c] * 2, [[p, 1 - p]] * 2, classes=["1", "2"]) for c in "12"
        ]
        error.append(
            [
                pb.calibration_error(
                    row, view=view, bins="one-per-point", distance=distance, resamples=0
                ).value
                for row in rows
            ]
        )
    for i, q in enumerate(result.probability):
        for j, p in enumerate(result.probability):
            real = q * error[j][0] + (1 - q) * error[j][1]
            calibrated = p * error[j][0] + (1 - p) * error[j][1]
            assert result.excess[i, j] == pytest.approx(real - calibrated, abs=1e-14)


def test_example_4_of_the_thesis_lies_on_the_map():
    """Predicted 0.8, true 0.9: 0.26 real against 0.32 calibrated, by absolute distance."""
    result = one_point_excess(cells=1000)
    around = result.excess[899:901, 799:801]  # the cells that meet at (0.8, 0.9)
    assert around.mean() == pytest.approx(0.26 - 0.32, abs=1e-5)


def test_absolute_and_square_distance_have_one_map():
    """The difference that theorem 1 speaks of; the log distance has another."""
    absolute, square, log = (one_point_excess(name).excess for name in DISTANCES)
    np.testing.assert_allclose(absolute, square, atol=1e-15)
    assert np.array_equal(np.sign(absolute.round(12)), np.sign(log.round(12)))


def test_dirichlet_vectors_have_the_means_of_their_distribution():
    """The mean of class j is alpha_j / sum(alpha), within four standard errors."""
    alpha = np.array([0.7, 0.4, 0.1])
    result = dirichlet_vectors(alpha, points=4000)
    mean = alpha / alpha.sum()
    error = np.sqrt(mean * (1 - mean) / (alpha.sum() + 1) / 4000)
    assert np.all(np.abs(result.vectors.mean(axis=0) - mean) < 4 * error)
    assert result.dirichlet == (0.7, 0.4, 0.1)


def test_the_five_points_have_the_error_of_the_thesis(five):
    """Means .50 and .91, shares .50 and 1, distances 0 and .09, cf-ECE 0.054."""
    steps = error_steps(five, view="top-label", bins="equal-width:5")
    names = ("mean_probability", "outcome_share", "distance", "share", "part")
    rows = [[row[name] for name in names] for row in steps.bins]
    np.testing.assert_allclose(
        rows, [[0.5, 0.5, 0, 0.4, 0], [0.91, 1, 0.09, 0.6, 0.054]], atol=1e-12
    )
    assert steps.value == pytest.approx(0.054)
    assert [row["score"] for row in steps.points] == pytest.approx([0.55, 0.45, 0.91, 0.86, 0.96])
    assert [row["happened"] for row in steps.points] == [False, True, True, True, True]
    assert [row["bin"] for row in steps.points] == [1, 1, 2, 2, 2]


@given(
    st.integers(0, 10**6),
    st.sampled_from(DISTANCES),
    st.sampled_from(["top-label", "one-vs-rest:b"]),
)
def test_the_parts_add_up_to_the_calibration_error(seed, distance, view):
    """Whatever the weights: the parts are the error, and every point is in the bin it says."""
    rng = np.random.default_rng(seed)
    prob = rng.dirichlet(np.ones(3), 12)
    data = pb.Predictions.from_arrays(
        rng.choice(list("abc"), 12), prob, classes=list("abc"), weight=rng.integers(1, 4, 12)
    )
    steps = error_steps(data, view=view, bins="equal-size:4", distance=distance)
    whole = pb.calibration_error(
        data, view=view, bins="equal-size:4", distance=distance, resamples=0
    )
    assert steps.value == pytest.approx(whole.value)
    assert sum(row["part"] for row in steps.bins) == pytest.approx(whole.value)
    for number, row in enumerate(steps.bins, start=1):
        own = [point for point in steps.points if point["bin"] == number]
        assert len(own) == row["count"]
        assert all(row["lo"] <= point["score"] <= row["hi"] for point in own)


def test_steps_need_bins_and_one_view(five):
    """What cannot be followed step by step says what can."""
    with refused(ParameterError, "bins-of-one-score", "one-per-point"):
        error_steps(five, bins="one-per-point")
    with refused(ParameterError, "view-not-possible", "'classwise'"):
        error_steps(five, view="classwise")


def test_eight_sixes_of_ten_dice():
    """Example 2: exactly by fractions, and by the exact null of the calibration test."""
    sixth = Fraction(1, 6)
    exact = sum(comb(10, j) * sixth**j * (1 - sixth) ** (10 - j) for j in (8, 9, 10))
    result = count_test(8, 10, probability=1 / 6)
    assert result.p_value == pytest.approx(float(exact), rel=1e-12)
    assert f"{result.p_value:.3g}" == "1.94e-05"
    assert result.null.sum() == pytest.approx(1)
    dice = pb.Predictions.from_arrays([1] * 8 + [0] * 2, [1 / 6] * 10)
    test = pb.calibration_test(
        dice, statistic="ece", bins="equal-width:1", alternative="greater", null="exact"
    )
    assert test.p_value == pytest.approx(float(exact))


def test_a_count_is_at_most_its_trials():
    """Eleven of ten is a mistake; none at all has p = 1."""
    with refused(ParameterError, "out-of-range", 10, 11):
        count_test(11, 10, probability=0.5)
    assert count_test(0, 10, probability=0.5).p_value == 1.0


# How they are drawn.


@pytest.mark.parametrize("tail", ["upper", "lower"])
def test_the_coloured_bars_hold_the_rejected_data_sets(tail, ax):
    """The heights add up to the data sets, those in colour to the rejections, all at one end."""
    result = p_values(9 if tail == "lower" else 1, datasets=60, like="thesis")
    plots.draw_p_values(result, ax, tail=tail)
    coloured, others = (sum(bar.get_height() for bar in group) for group in ax.containers)
    share = result.power if tail == "upper" else result.power_lower
    assert coloured == round(60 * share) > 0
    assert coloured + others == 60
    places = [bar.get_x() for bar in ax.containers[0] if bar.get_height()]
    assert places == [0.0 if tail == "upper" else 0.95]
    (label,) = [text for text in ax.get_legend_handles_labels()[1] if text.startswith(f"{tail} ")]
    assert label.endswith(f"0.05: {100 * share:.1f} %")


def test_the_histogram_of_p_values_names_its_test(ax):
    """The title says experiment, view, distance and bins; another tail is refused."""
    result = p_values(2, view="cf", bins="equal-size:5", distance="log", datasets=10)
    plots.draw_p_values(result, ax)
    for fact in ("experiment 2", "top-label", "log", "equal-size:5"):
        assert fact in ax.get_title()
    with pytest.raises(ParameterError, match="'upper', 'lower'"):
        plots.draw_p_values(result, ax, tail="both")


def test_the_heat_map_is_blue_below_zero_and_red_above(ax):
    """The colours' sign is the sign of the number, and the axes are the probabilities."""
    result = one_point_excess(cells=10)
    image = plots.draw_one_point(result, ax).drawn_
    assert image.get_extent() == [0, 1, 0, 1]
    np.testing.assert_array_equal(image.get_array(), result.excess)
    red, _, blue, opacity = np.moveaxis(image.cmap(image.norm(result.excess)), -1, 0)
    shown = ((red - blue) * opacity).round(2)  # the colours fade by opacity
    assert np.array_equal(np.sign(shown), np.sign(result.excess.round(3)))
    assert image.cmap(image.norm(0.0))[3] == pytest.approx(0, abs=0.02)


def test_a_corner_of_the_triangle_is_a_class(ax):
    """A sure vector is at its corner, the even one in the middle."""
    result = dirichlet_vectors((1, 1, 1), points=4)
    result.vectors[:] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1 / 3] * 3]
    plots.draw_simplex(result, ax)
    (dots,) = ax.collections
    expected = [[0, 0], [1, 0], [0.5, sqrt(3) / 2], [0.5, sqrt(3) / 6]]
    np.testing.assert_allclose(dots.get_offsets(), expected)
    assert {text.get_text() for text in ax.texts} == {"class 1", "class 2", "class 3"}
    with refused(ParameterError, "three-classes-needed", 2):
        plots.draw_simplex(dirichlet_vectors((1, 1)), ax)


def test_the_lines_of_power_are_the_rows_of_the_table(ax, tmp_path):
    """One line a distance, in the order of the bins, from the table or from its CSV file."""
    from pyarrow import csv

    path = tmp_path / "power.csv"
    table = pb.power_study([1, 9], bins="equal-size:20,equal-size:5", datasets=50, out=path)
    for rows in (table.rows(), csv.read_csv(path).to_pylist()):
        for tail, column in (("upper", "power"), ("lower", "power_lower")):
            ax.clear()
            plots.draw_power(rows, ax, experiment=9, view="cf", tail=tail)
            assert [line.get_label() for line in ax.get_lines()] == list(DISTANCES)
            for line in ax.get_lines():
                own = {
                    row["bins"]: row[column]
                    for row in table.rows()
                    if (row["experiment"], row["view"], row["distance"])
                    == (9, "cf", line.get_label())
                }
                assert list(line.get_xdata()) == [5, 20]
                assert list(line.get_ydata()) == [own[5], own[20]]
    with refused(ParameterError, "unknown-panel", "(2, 'cw', ", argument="rows"):
        plots.draw_power(table.rows(), ax, experiment=2)
    with refused(ParameterError, "unknown-panel", "'joint'", argument="rows"):
        plots.power_figure(table.rows(), view="joint")


def test_every_experiment_and_rule_has_its_panel():
    """Lines are experiments, columns rules; a line has one upright axis; 9 shows its lower tail."""
    table = pb.power_study([1, 9], bins="equal-size:10,equal-width:5,equal-width:500", datasets=50)
    axes = plots.power_figure(table.rows()).axes
    assert [ax.get_title(loc="left") for ax in axes] == [
        f"experiment {e}, {rule} bins" for e in (1, 9) for rule in ("equal-size", "equal-width")
    ]
    assert axes[0].get_ylim() == axes[1].get_ylim() != axes[2].get_ylim()
    assert "lower" in axes[2].get_ylabel()
    assert "lower" not in axes[0].get_ylabel()
    assert axes[1].get_xscale() == "log"


@pytest.mark.parametrize(
    ("numbers", "ticks"),
    [
        ((5, 10, 15, 20, 25), [5, 10, 15, 20, 25]),
        ((5, 10, 20, 40, 60, 80, 100), [20, 40, 60, 80, 100]),
        ((5, 6, 7, 8, 9, 10, 12), [6, 8, 10, 12]),
        ((5, 500), [5, 500]),
    ],
)
def test_few_numbers_of_bins_are_all_marked(numbers, ticks):
    """Of more, round ones."""
    rows = [
        {"experiment": 1, "view": "cw", "placement": "equal-size", "distance": "absolute"}
        | {"bins": bins, "power": 0.5, "power_lower": 0.1}
        for bins in numbers
    ]
    (ax,) = plots.power_figure(rows).axes
    assert ax.get_xticks().tolist() == ticks


def test_plain_bars_show_shares_and_gaps_at_the_bins_own_mean(ax):
    """A bar is as high as its share; its gap runs from the diagonal to it at the mean."""
    curve = pb.reliability_curve(pictures.data_set(2, points=200), bins="equal-width:10")
    plots.draw_reliability_bars(curve, ax)
    assert [bar.get_height() for bar in ax.patches] == [row["outcome_share"] for row in curve.bins]
    (gaps,) = (c for c in ax.collections if isinstance(c, LineCollection))
    expected = [
        [[row["mean_probability"]] * 2, [row["mean_probability"], row["outcome_share"]]]
        for row in curve.bins
    ]
    assert [segment.tolist() for segment in gaps.get_segments()] == expected
    assert tuple(gaps.get_color()[0][:3]) == pytest.approx(
        tuple(int(ROLES["gap"][i : i + 2], 16) / 255 for i in (1, 3, 5))
    )


def test_the_bars_of_a_count_are_its_distribution(ax):
    """Every count has its probability; the ground is shaded from the observed one on."""
    result = count_test(8, 10, probability=1 / 6)
    plots.draw_count_null(result, ax)
    np.testing.assert_allclose([bar.get_height() for bar in ax.containers[0]], result.null)
    ground = ax.patches[-1]
    assert (ground.get_x(), ground.get_x() + ground.get_width()) == (7.5, 10.5)
    for fact in ("8 of 10", "1.94 × 10⁻⁵"):
        assert fact in ax.get_title()


def test_the_sheet_of_steps_says_every_number(five):
    """Means, shares, distances, parts and the sum of the worked example are written down."""
    figure = plots.steps_figure(error_steps(five, view="top-label", bins="equal-width:5"))
    written = [text.get_text() for text in figure.axes[0].texts]
    for text in ("0.91", "0.09", "0.6 × 0.09 = 0.054", "top-label error = 0 + 0.054 = 0.054"):
        assert text in written


def test_too_many_steps_are_refused(rng):
    """A sheet has room for forty points."""
    score = rng.random(41)
    data = pb.Predictions.from_arrays((rng.random(41) < score).astype(int), score)
    with pytest.raises(ParameterError, match="40 points, got 41"):
        plots.steps_figure(error_steps(data))


@law("name", sorted(pictures.COMMANDS), number=2)
def test_every_picture_can_be_read_in_the_light_and_in_the_dark(name, written):
    """Nothing is cut off, no text covers another, and a page may change every colour of a line."""
    command = pictures.COMMANDS[name]
    few = {"datasets": 20} if "datasets" in inspect.signature(command).parameters else {}
    for figure in command(**few).values():
        result = written(figure)
        width, height = figure.canvas.get_width_height()
        assert len(result) > 5
        for text, box in result:
            assert min(box.x0, box.y0, width - box.x1, height - box.y1) >= 0, text
        for (one, a), (two, b) in combinations(result, 2):
            apart = a.x1 <= b.x0 + 1 or b.x1 <= a.x0 + 1 or a.y1 <= b.y0 + 1 or b.y1 <= a.y0 + 1
            assert apart, (one, two)
        assert plain_colours(plots.figure_svg(figure, label="x", prefix="x")) == []


def test_the_script_writes_what_it_is_asked_for(tmp_path, capsys):
    """A name draws its pictures into the folder; an unknown name lists the others."""
    folder = ["--out", str(tmp_path), "--format", "png"]
    pictures.main(["dice", "steps", *folder])
    names = ["figure-01-confidence-steps", "figure-02-classwise-steps", "figure-05-dice"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{name}.png" for name in names]
    assert capsys.readouterr().out.count("Drew ") == 3
    with pytest.raises(SystemExit) as stopped:
        pictures.main(["card", *folder])
    assert stopped.value.code == 2
    told = capsys.readouterr().err
    assert all(name in told for name in ("'card'", "steps", "reliability", "dice"))


def test_the_page_shows_every_picture_and_every_command():
    """docs/thesis.md holds each committed picture once, and the command of each."""
    page = (ROOT / "docs" / "thesis.md").read_text("utf-8")
    shown = re.findall(r"\(pictures/thesis/([\w-]+)\.svg\)", page)
    there = [path.stem for path in (ROOT / "docs" / "pictures" / "thesis").iterdir()]
    assert sorted(shown) == sorted(there)
    command = r"^python examples/thesis/pictures.py ([\w-]+)$"
    assert re.findall(command, page, re.M) == [
        "steps",
        "reliability",
        "dice",
        "null",
        "p-values",
        "lower-tail",
        "one-point",
        "dirichlet",
        "power",
    ]
