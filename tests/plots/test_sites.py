"""Forest plots of sites: what is drawn where."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import plumbline as pb
from plumbline.plots import draw_sites, figure_svg, save_figure, sites_figure, style
from refusals import refused

NAMES = ["<b>", "$x_1^{$", "50 % a_b & \\frac", "last"]


@pytest.fixture(scope="module")
def result():
    """Return four sites that differ, of which the last has one class."""
    rng = np.random.default_rng(6)
    site, p = np.arange(600) % 4, rng.uniform(0.05, 0.95, 600)
    y = (rng.random(600) < np.where(site == 1, p * 0.3, p)) & (site < 3)
    data = pb.Predictions.from_arrays(y, p, attributes={"site": np.array(NAMES)[site]})
    return pb.calibration_heterogeneity(data, "site", resamples=39)


@pytest.fixture
def ax():
    """Return empty axes that pyplot knows nothing of."""
    return Figure().subplots()


@pytest.mark.parametrize("measure", ["shift", "slope", "log_oe", "logit_auc"])
def test_sites_mean_and_new_site_stand_at_their_values(result, ax, measure):
    """A site without an estimate has its name and no mark; all marks lie inside the axes."""
    draw_sites(result, ax, measure=measure)
    show = result.scale(measure)
    row = next(row for row in result.measures if row["measure"] == measure)
    marks = {
        int(line.get_ydata()[0]): line.get_xdata()[0]
        for line in ax.get_lines()
        if line.get_marker() in ("s", "D")
    }
    known = [place for place, one in enumerate(result.sites) if one[measure] is not None]
    assert sorted(marks) == [*known, 4]
    assert len(known) == 3
    assert [marks[place] for place in known] == [show(result.sites[p][measure]) for p in known]
    assert marks[4] == show(row["mean"])
    bars = [line for line in ax.get_lines() if line.get_color() == style.GAP]
    assert [list(bar.get_xdata()) for bar in bars] == [[show(x) for x in row["prediction_range"]]]
    low, high = ax.get_xlim()
    assert all(low < x < high for x in marks.values())
    labels = [text.get_text() for text in ax.get_yticklabels()]
    assert labels == [*[str(one["site"]) for one in result.sites], "mean", "new site"]


def test_a_figure_has_one_panel_a_measure(result, tmp_path):
    """The verdict stands below; the picture can be saved, with names as text."""
    figure = result.figure()
    assert len(figure.axes) == 4
    text = " ".join(text.get_text() for text in figure.texts)
    assert result.verdict.partition(";")[0] in text.replace("\n", " ")
    save_figure(figure, tmp_path / "sites.png")
    assert "<b>" not in figure_svg(sites_figure(result, title=False), label="sites", prefix="s")


def test_a_measure_that_there_is_not_is_refused(result, ax):
    """With the names that there are."""
    with refused(pb.ParameterError, "unknown-name", argument="measure"):
        draw_sites(result, ax, measure="auc")
