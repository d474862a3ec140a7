import dataclasses
import html
import re
import subprocess
import sys
import warnings
from html.parser import HTMLParser

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure

from plumbline import (
    InputError,
    ParameterError,
    Predictions,
    calibration_error,
    calibration_test,
    reliability_curve,
)
from plumbline.plots import (
    draw_counts,
    draw_errors,
    draw_null,
    draw_reliability,
    errors_figure,
    figure_svg,
    null_figure,
    reliability_figure,
    save_figure,
)
from plumbline.plots.style import ROLES, short_name
from refusals import refused
from svg_colours import plain_colours

NASTY = ["<script>alert(1)</script>", "$x_1^{$", "50 % a_b & \\frac"]


@pytest.fixture
def data(rng) -> Predictions:
    """Return calibrated predictions of three classes with troublesome names."""
    prob = rng.dirichlet(np.ones(3), 400)
    actual = [rng.choice(3, p=row) for row in prob]
    return Predictions.from_arrays(np.array(NASTY)[actual], prob, classes=NASTY)


@pytest.fixture
def curve(data):
    """Return a top-label curve."""
    return reliability_curve(data, resamples=99)


@pytest.fixture
def error(data):
    """Return a top-label error with its null."""
    return calibration_error(data, resamples=99)


@pytest.fixture
def ax():
    """Return empty axes that pyplot knows nothing of."""
    return Figure().subplots()


def markers(ax) -> dict[float, float]:
    """Return the points of all markers: mean probability -> share."""
    lines = [line for line in ax.get_lines() if line.get_marker() == "o"]
    return {x: y for line in lines for x, y in zip(*line.get_data(), strict=True)}


def bar_heights(ax) -> list[float]:
    """Return the heights of all bars."""
    return [patch.get_height() for patch in ax.patches]


def test_the_markers_stand_where_the_curve_says(curve, ax):
    """Every bin has one marker, at its mean probability and its observed share."""
    draw_reliability(curve, ax)
    expected = {row["mean_probability"]: row["outcome_share"] for row in curve.bins}
    assert markers(ax) == expected


def test_a_gap_bar_runs_from_the_diagonal_at_the_bins_own_mean(curve, ax):
    """The bar of a bin joins (m, m) and (m, share)."""
    draw_reliability(curve, ax)
    (gaps,) = (c for c in ax.collections if isinstance(c, LineCollection))
    expected = [
        [[row["mean_probability"]] * 2, [row["mean_probability"], row["outcome_share"]]]
        for row in curve.bins
    ]
    assert [segment.tolist() for segment in gaps.get_segments()] == expected


def test_the_band_covers_the_scores_of_each_bin_from_low_to_high(curve, ax):
    """The band is one box a bin: from its lowest to its largest score, and by its band."""
    draw_reliability(curve, ax)
    (bands,) = (c for c in ax.collections if isinstance(c, PolyCollection))
    boxes = [(*p.vertices.min(axis=0), *p.vertices.max(axis=0)) for p in bands.get_paths()]
    expected = [
        (row["lowest"], row["band_low"], row["highest"], row["band_high"])
        for row in curve.bins
        if row["highest"] - row["lowest"] > 0.05  # narrower ones are widened to be seen
    ]
    assert len(expected) > 3
    wide = [box for box in boxes if box[2] - box[0] > 0.05]
    np.testing.assert_allclose(wide, expected)


def test_a_bin_outside_its_band_has_a_filled_marker(ax):
    """In print without colour, filled means outside the band and hollow inside."""
    far = Predictions.from_arrays([1] * 50 + [0, 1], [0.3] * 50 + [0.8, 0.8])
    draw_reliability(reliability_curve(far, resamples=99), ax)
    colours = {
        x: line.get_markerfacecolor()
        for line in ax.get_lines()
        if line.get_marker() == "o"
        for x in line.get_xdata()
    }
    assert [colours[x] == ROLES["point"] for x in sorted(colours)] == [True, False]


def test_the_axes_are_named_after_both_conventions_of_the_texts(data, ax):
    """The top label has an accuracy, a class an observed frequency."""
    draw_reliability(reliability_curve(data, resamples=9), ax)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("confidence", "accuracy")
    draw_reliability(reliability_curve(data, view=f"one-vs-rest:{NASTY[1]}", resamples=9), ax)
    assert ax.get_xlabel().endswith("$x_1^{$")
    assert ax.get_ylabel() not in ("accuracy", "")


def test_the_title_gives_the_value_and_the_rows(curve, ax):
    """The diagram says its calibration error and n."""
    draw_reliability(curve, ax)
    for fact in ("Top-label", f"{curve.value:.3g}", "400 rows"):
        assert fact in ax.get_title(loc="center")


def test_the_counts_are_the_counts(curve, ax):
    """The bars below hold the rows of each bin, all of them together n."""
    draw_counts(curve, ax)
    assert bar_heights(ax) == [row["count"] for row in curve.bins]
    assert sum(bar_heights(ax)) == 400


def test_the_figure_puts_the_counts_below_the_diagram(curve):
    """Both axes share their horizontal place, the counts are lower."""
    main, counts = reliability_figure(curve).axes
    assert main.get_position().x0 == pytest.approx(counts.get_position().x0)
    assert counts.get_position().y1 < main.get_position().y0
    assert main.get_xlim() == counts.get_xlim()


def test_the_histogram_holds_every_draw(error, ax):
    """The bars add up to the draws, the line stands at the observed value."""
    draw_null(error, ax)
    bars = ax.patches[:-1]  # the last one is the shaded range
    assert sum(bar.get_height() for bar in bars) == 99
    (line,) = ax.get_lines()
    assert line.get_xdata()[0] == error.value
    assert (ax.patches[-1].get_x(), ax.patches[-1].get_width()) == pytest.approx(
        (error.null_range[0], error.null_range[1] - error.null_range[0])
    )


def test_the_histogram_says_the_p_value(data):
    """The title holds p, in the words of the verdict."""
    test = calibration_test(data, resamples=99)
    assert null_figure(test).axes[0].get_title(loc="left") == f"p = {test.p_value:.3g}"


def test_the_smallest_p_value_of_a_one_sided_test_is_said_as_in_its_verdict(ax):
    """One tail can show half of what two can, and the picture says what the verdict says."""
    far = Predictions.from_arrays([1] * 50, [0.1] * 50)
    test = calibration_test(
        far, statistic="ece", null="resample", alternative="greater", resamples=99
    )
    draw_null(test, ax)
    assert ax.get_title() == "p ≤ 0.01"
    assert ax.get_title() in test.verdict


def test_a_constant_null_is_one_bar(ax):
    """Probabilities of 0 and 1 leave chance nothing to do: every draw is 0, in one visible bar."""
    sure = Predictions.from_arrays([0, 1, 0, 1], [0.0, 1.0, 1.0, 1.0])
    draw_null(calibration_error(sure, resamples=99), ax)
    assert bar_heights(ax)[0] == 99
    assert any(": 0 in" in label for label in ax.get_legend_handles_labels()[1])
    assert ax.patches[0].get_width() > 0.005 * np.diff(ax.get_xlim())[0]


def test_a_constant_null_that_is_also_observed_has_an_axis(ax):
    """All draws and the observed value 0: nothing is divided by a width of 0."""
    sure = Predictions.from_arrays([0, 1], [0.0, 1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw_null(calibration_error(sure, resamples=9), ax)
    assert ax.get_xlim()[0] < 0 < ax.get_xlim()[1]


def test_an_infinite_value_is_written_at_the_edge(ax):
    """An infinite observed value has no place on the axis, so it is written at the edge."""
    sure = Predictions.from_arrays([0, 1, 0, 1], [0.0, 1.0, 1.0, 0.7])
    draw_null(calibration_error(sure, distance="log", resamples=99), ax)
    assert [text.get_text() for text in ax.texts] == ["observed: ∞"]
    assert np.isfinite(ax.get_xlim()).all()


def test_a_null_without_draws_is_refused(data, ax):
    """A result that was measured without resampling says what to do."""
    with refused(ParameterError, "nothing-given", argument="resamples"):
        draw_null(calibration_error(data, resamples=0), ax)


def test_errors_stand_beside_their_ranges(data, error, ax):
    """Each line has its range as a bar, its mean as a tick and its value as a point."""
    other = calibration_error(data, view="classwise", resamples=99)
    draw_errors({"a": error, "b": other}, ax)
    lows = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in ax.patches]
    np.testing.assert_allclose(lows, [error.null_range, other.null_range])
    drawn = [line.get_xdata()[0] for line in ax.get_lines()]
    assert drawn == [error.null_mean, error.value, other.null_mean, other.value]


def test_an_infinite_error_is_an_arrow(error, ax):
    """An infinite error stands at the right edge and is called infinite."""
    infinite = dataclasses.replace(error, value=float("inf"))
    draw_errors({"a": infinite, "b": error}, ax)
    assert ax.get_lines()[1].get_marker() == ">"
    assert ax.texts[0].get_text() == "∞"


def test_errors_of_nobody_are_refused(ax):
    """There must be something to draw."""
    with refused(ParameterError, "nothing-given", argument="errors"):
        draw_errors({}, ax)


def test_text_from_data_is_never_mathematics(data):
    """A class named like a formula or a tag is drawn as it is written."""
    for name in NASTY:
        figure = reliability_figure(reliability_curve(data, view=f"one-vs-rest:{name}"))
        svg = figure_svg(figure, label=name, prefix="x")
        shown = short_name(f"predicted probability of {name}", 42)
        assert shown in "".join(Texts.of(svg))


@pytest.mark.parametrize("name", ["日本語", "\x00\ud800\n\t.", "\u202e", ""])
def test_strange_letters_do_no_harm(name, error):
    """Letters that the font or XML lacks neither stop the drawing nor warn."""
    svg = figure_svg(errors_figure({name: error}), label="x", prefix="x")
    assert "\x00" not in svg


class Texts(HTMLParser):
    """Collects what is inside <text>, as a browser would show it."""

    @classmethod
    def of(cls, svg: str) -> list[str]:
        """Return all texts of an SVG."""
        parser = cls()
        parser.found, parser.inside = [], False
        parser.feed(svg)
        return parser.found

    def handle_starttag(self, tag, attrs):
        """Take note of where text begins."""
        self.inside = tag == "text"
        assert tag != "script"

    def handle_endtag(self, tag):
        """Take note of where text ends."""
        self.inside = False

    def handle_data(self, data):
        """Keep what is text."""
        if self.inside:
            self.found.append(data)


def test_the_settings_of_matplotlib_are_left_alone(curve, error, tmp_path):
    """No drawing or saving changes a global setting or depends on the user's."""
    names = [name for name in mpl.rcParams if name != "backend"]
    before = {name: mpl.rcParams[name] for name in names}
    plain = figure_svg(reliability_figure(curve), label="x", prefix="x")
    save_figure(null_figure(error), tmp_path / "null.png")
    assert {name: mpl.rcParams[name] for name in names} == before
    with mpl.rc_context({"axes.facecolor": "black", "font.size": 20, "lines.linewidth": 9}):
        assert figure_svg(reliability_figure(curve), label="x", prefix="x") == plain


def test_pyplot_is_never_loaded():
    """Drawing leaves pyplot, its window system and its list of figures alone."""
    code = (
        "import sys, plumbline as pb, plumbline.plots as pl\n"
        "d = pb.Predictions.from_arrays([0, 1], [0.2, 0.7])\n"
        "f = pl.reliability_figure(pb.reliability_curve(d, resamples=9))\n"
        "pl.figure_svg(f, label='x', prefix='x')\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_colours_of_an_svg_are_variables_of_the_page(curve):
    """Every colour can be changed by the page, so that the picture follows its light and dark."""
    svg = figure_svg(reliability_figure(curve), label="x", prefix="x")
    assert "var(--pl-ink," in svg
    assert plain_colours(svg) == []


def test_an_svg_has_a_name_and_nothing_that_rules_the_page(curve):
    """The picture is announced; it carries no style sheet, date, program or fixed font."""
    label = 'a "name" & <more>'
    svg = figure_svg(reliability_figure(curve), label=label, prefix="x")
    assert svg.startswith("<svg viewBox=")
    assert 'role="img"' in svg
    assert f'aria-label="{html.escape(label)}"' in svg
    assert not re.search("<style|<metadata|font-family|xmlns|http|matplotlib", svg)


def test_ids_of_two_pictures_never_clash(curve):
    """Every id begins with the picture's prefix, and every reference finds its id."""
    for prefix in ("a", "b"):
        svg = figure_svg(reliability_figure(curve), label="x", prefix=prefix)
        ids = re.findall(r'id="([^"]+)"', svg)
        used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg)
        assert ids
        assert len(ids) == len(set(ids))
        assert all(name.startswith(f"{prefix}-") for name in ids)
        assert {first or second for first, second in used} == set(ids)


@pytest.mark.parametrize(
    ("ending", "magic"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")]
)
def test_a_picture_can_be_saved(curve, tmp_path, ending, magic):
    """The ending tells the format, and the same result gives the same bytes."""
    for name in ("one", "two"):
        save_figure(reliability_figure(curve), tmp_path / f"{name}.{ending}")
    one = (tmp_path / f"one.{ending}").read_bytes()
    assert one.startswith(magic)
    assert one == (tmp_path / f"two.{ending}").read_bytes()


def test_a_picture_is_saved_whole_or_not_at_all(curve, tmp_path):
    """An unknown ending or folder is refused, and no file is left."""
    with refused(ParameterError, "unknown-name", "'pdf'", "'jpg'"):
        save_figure(reliability_figure(curve), tmp_path / "picture.jpg")
    with pytest.raises(InputError, match="no folder"):
        save_figure(reliability_figure(curve), tmp_path / "nowhere" / "picture.png")
    assert list(tmp_path.iterdir()) == []


def test_a_tall_null_has_the_same_width_and_more_height(rng):
    """Beside a single diagram the histogram may fill the height, and its words do not grow."""
    score = rng.random(50)
    data = Predictions.from_arrays((rng.random(50) < score).astype(int), score)
    result = calibration_test(data, resamples=19)
    low, tall = (null_figure(result, tall=tall).get_size_inches() for tall in (False, True))
    assert tall[0] == low[0]
    assert tall[1] > low[1] + 1
