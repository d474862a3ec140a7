"""Pictures of comparisons: what is drawn where, and that names from data are only text."""

import re
from itertools import combinations
from math import inf, nan

import numpy as np
import pytest
from matplotlib.figure import Figure

import plumbline as pb
from plumbline.comparison import PairComparison, bayesian_t, friedman, posterior_curve
from plumbline.errors import InputError, ParameterError
from plumbline.plots import (
    comparison_figure,
    draw_comparisons,
    draw_posterior,
    draw_ranks,
    figure_svg,
    posterior_figure,
    ranks_figure,
    save_figure,
    style,
)
from refusals import refused

NASTY = ["<b>", "$x_1^{$", "50 % a_b & \\frac"]


def compared(models, *, metric="brier-score", difference=0.02, half=0.01, p=0.2, **more):
    """Return one comparison of a pair with what the pictures do not see left empty."""
    fields = {
        "n": 10,
        "units": 10,
        "after": None,
        "test": "corrected-t",
        "design": "",
        "rope": None,
    }
    fields |= {"effect": "", "effect_size": nan, "better": None, "practically_equal": None}
    fields |= {"posterior": None, "verdict": "", "method": "", "more": {}, "p_value": p}
    fields |= {"values": (nan, nan), "interval_range": (difference - half, difference + half)}
    fields |= {"metric": metric, "difference": difference, "adjusted_p_value": p}
    return PairComparison(models=models, **(fields | more))


@pytest.fixture
def ax():
    """Return empty axes that pyplot knows nothing of."""
    return Figure().subplots()


def test_a_pair_stands_at_its_difference_and_is_filled_where_it_is_shown(ax):
    """One line a pair with its interval; the band is the region of practical equivalence."""
    pairs = [compared(("a", "b"), p=0.01, rope=0.005), compared(("a", "c"), difference=-0.1)]
    draw_comparisons(pairs, ax)
    points = [line for line in ax.get_lines() if line.get_marker() == "o"]
    assert [line.get_xdata()[0] for line in points] == [0.02, -0.1]
    assert [line.get_markerfacecolor() for line in points] == [style.GAP, style.PAPER]
    ends = [tuple(line.get_xdata()) for line in ax.get_lines() if len(line.get_xdata()) == 2]
    assert ends[1:] == [pair.interval_range for pair in pairs]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a − b", "a − c"]
    assert ax.patches[0].get_extents().width == pytest.approx(
        ax.transData.transform((0.005, 0))[0] - ax.transData.transform((-0.005, 0))[0]
    )


def test_what_is_no_number_is_an_arrow_or_nothing(ax):
    """An infinite difference points to its side; an undefined one has words only."""
    pairs = [compared(("a", "b"), difference=d, p=nan) for d in (inf, -inf, nan, 0.1)]
    draw_comparisons(pairs, ax)
    assert [line.get_marker() for line in ax.get_lines() if len(line.get_xdata()) == 1] == [
        ">",
        "<",
        "o",
    ]
    shown = [text.get_text() for text in comparison_figure(pairs).axes[0].texts]
    assert shown[2::2] == ["∞", "−∞", "–", "0.1"]


def test_pairs_of_two_metrics_have_two_panels(ax):
    """Each with its own unit; one pair of axes refuses them together, and none at all."""
    pairs = [
        compared(("a", "b"), metric=m, after=s) for m in ("ours", "f1") for s in (None, "scaling")
    ]
    titles = [panel.get_title(loc="left") for panel in comparison_figure(pairs).axes]
    assert [title.split(", ")[0] for title in titles] == ["Ours", "Ours", "F1", "F1"]
    assert [title.endswith("after scaling") for title in titles] == [False, True] * 2
    measured = [compared(("a", "b"), metric=m) for m in ("brier-score", "roc-auc", "queue-rate")]
    labels = [panel.get_xlabel() for panel in comparison_figure(measured).axes]
    assert ["lower" in label for label in labels] == [True, False, False]
    assert ["higher" in label for label in labels] == [False, True, False]
    assert all("95 %" in label for label in labels)
    with refused(ParameterError, "several-metrics", argument="pairs"):
        draw_comparisons(pairs, ax)
    for draw, code in (
        (comparison_figure, "nothing-given"),
        (lambda none: draw_comparisons(none, ax), "several-metrics"),
    ):
        with refused(ParameterError, code, argument="pairs"):
            draw([])


def test_the_figure_of_an_answer_is_of_its_level():
    """The axis names the level that the comparison was made at, on every surface."""
    rng = np.random.default_rng(3)
    prob = rng.random(60)
    event = rng.random(60) < prob
    models = {
        name: pb.Predictions.from_arrays(event, p) for name, p in (("a", prob), ("b", prob**2))
    }
    answer = pb.compare(models, test="permutation", level=0.8, resamples=99, rng=0)
    assert "80 %" in answer.figure().axes[0].get_xlabel()


def test_models_stand_at_their_ranks_with_the_best_to_the_right(ax):
    """Every model has its line from its rank to its name, and every group its bar over it."""
    table = np.random.default_rng(3).normal(size=(20, 6)) + np.arange(6) * 0.5
    answer = friedman(table, "abcdef", better="higher")
    assert len(answer.groups) > 1
    draw_ranks(answer, ax)
    left, right = ax.get_xlim()
    assert left > right
    lines = {line.get_xdata()[0]: line for line in ax.get_lines() if len(line.get_xdata()) == 3}
    assert sorted(lines) == pytest.approx(sorted(answer.average_ranks))
    rank_of = dict(zip(answer.models, answer.average_ranks, strict=True))
    bars = [line for line in ax.get_lines() if line.get_linewidth() > 3]
    for bar, group in zip(bars, answer.groups, strict=True):
        high, low = bar.get_xdata()
        inside = {model for model, rank in rank_of.items() if low <= rank <= high}
        assert inside == set(group)
    critical = next(line for line in ax.get_lines() if line.get_marker() == "|")
    assert np.ptp(critical.get_xdata()) == pytest.approx(answer.critical_difference)


def test_no_two_bars_of_groups_touch():
    """Bars on one line keep apart, whatever the groups."""
    for seed in range(5):
        table = np.random.default_rng(seed).normal(size=(30, 12)) + np.arange(12) * 0.25
        figure = ranks_figure(friedman(table, "abcdefghijkl", better="higher"))
        bars = [line for line in figure.axes[0].get_lines() if line.get_linewidth() > 3]
        for one, other in combinations(bars, 2):
            if one.get_ydata()[0] == other.get_ydata()[0]:
                spans = sorted(sorted(bar.get_xdata()) for bar in (one, other))
                assert spans[0][1] < spans[1][0]


@pytest.mark.parametrize("count", [2, 15])
def test_names_of_a_rank_diagram_stay_inside_and_apart(count, tmp_path):
    """Long and odd names of fifteen models neither leave the picture nor overlap."""
    names = [f"{NASTY[n % 3]} with a name that is too long to be read {n}" for n in range(count)]
    table = np.random.default_rng(2).normal(size=(30, count))
    figure = ranks_figure(friedman(table, names, better="lower"))
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    width, height = figure.get_size_inches() * figure.get_dpi()
    assert len(boxes) == count + 1
    for box in boxes:
        assert box.x0 >= 0
        assert box.x1 <= width
        assert box.y0 >= 0
        assert box.y1 <= height
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    save_figure(figure, tmp_path / "ranks.png")


def answer_of_one_long_name():
    """Return values of eight data sets, of which the third model's are the largest."""
    return np.random.default_rng(1).normal([0, 1, 9], size=(8, 3))


def test_a_test_that_finds_nothing_says_so_below_its_ranks():
    """Nemenyi's bars alone could be read as an answer."""
    answer = friedman(np.random.default_rng(1).normal(size=(8, 4)), "abcd", better="higher")
    assert answer.p_value > 0.05
    notes = {text.get_text() for text in ranks_figure(answer).texts}
    sure = friedman([[1, 2, 3, 4]] * 8, "abcd", better="higher")
    assert notes - {text.get_text() for text in ranks_figure(sure).texts}
    metric = "average-calibration-error after temperature"
    named = ranks_figure(answer, metric=metric)
    assert named.axes[0].get_title(loc="left").startswith(metric[:30])
    named.draw_without_rendering()
    (ax,) = named.axes
    assert ax._left_title.get_window_extent().x1 <= named.bbox.x1
    odd = friedman(answer_of_one_long_name(), ["a", "b", "a much longer name"], better="lower")
    figure = ranks_figure(odd, title=False)
    box = figure.axes[0].get_position()
    assert 1 - box.x1 < box.x0  # no room at the right for a name at the left


def test_a_posterior_is_the_density_whose_parts_it_names(ax):
    """It integrates to 1 and in the region to the probability that stands in the legend."""
    d = np.array([0.02, 0.05, -0.01, 0.03, 0.015, 0.0, 0.04, 0.03, 0.02, 0.01])
    answer = bayesian_t(d, test_share=0.1, rope=0.01)
    x, density = posterior_curve(answer.more, points=4001)
    assert np.trapezoid(density, x) == pytest.approx(1, abs=0.003)
    inside = abs(x) <= 0.01
    assert np.trapezoid(density[inside], x[inside]) == pytest.approx(
        answer.more["within"], abs=1e-5
    )
    draw_posterior(answer.more, ax, models=("a", "b"), metric="accuracy")
    labels = ax.get_legend_handles_labels()[1]
    assert labels[1] == f"within ±0.01: {100 * answer.more['within']:.1f} %"
    assert "accuracy" in ax.get_title(loc="left")
    same = bayesian_t([0.1, 0.1, 0.1], test_share=0.1, rope=0.0)
    with pytest.raises(InputError, match="no density"):
        draw_posterior(same.more, ax)


def test_without_a_region_a_posterior_has_two_parts(ax):
    """A part that is nearly nothing is never called 0 %."""
    draw_posterior(bayesian_t([0.1, 0.11, 0.1, 0.09], test_share=0.25, rope=0.0).more, ax)
    assert ax.get_legend_handles_labels()[1] == ["second larger: < 0.1 %", "first larger: > 99.9 %"]


def test_names_are_only_text_and_colours_follow_the_page():
    """No name is read as mathematics or markup, and the dark page has its own colours."""
    posterior = bayesian_t([0.02, 0.05, -0.01, 0.03], test_share=0.25, rope=0.01).more
    ranks = friedman(np.random.default_rng(0).normal(size=(9, 3)), NASTY, better="higher")
    pairs = [compared((NASTY[0], NASTY[1])), compared((NASTY[1], NASTY[2]), rope=0.1)]
    for number, figure in enumerate(
        [
            comparison_figure(pairs),
            ranks_figure(ranks),
            posterior_figure(posterior, models=(NASTY[0], NASTY[1])),
        ]
    ):
        svg = figure_svg(figure, label="a comparison", prefix=f"p{number}")
        assert "<b>" not in svg
        assert "$x_1^{$" in svg
        assert set(re.findall(r"(?:fill|stroke): (#\w+)", svg)) == set()
