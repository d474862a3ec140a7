import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from loans import loans_accepted, loans_optimum
from matplotlib.backends.backend_agg import FigureCanvasAgg
from pyarrow import parquet
from sklearn.utils import Bunch

from laws import law

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "examples" / "curves" / "figures.py"
N = 20_000

_spec = importlib.util.spec_from_file_location("curve_figures", SCRIPT)
figures = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = figures  # where a dataclass looks up its annotations
_spec.loader.exec_module(figures)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Return the rows of every figure: table 2, many loans, and patients made up."""
    file = tmp_path_factory.mktemp("data") / "heart.parquet"
    made_up_patients(file)
    return {
        "table": figures.table(),
        "loans": figures.loans(N, 5),
        "heart": figures.heart(figures.patients_in(file)),
    }


def made_up_patients(file, n=200):
    """Write a table with the columns of the heart disease data, which is not in the repository."""
    rng = np.random.default_rng(7)
    ill = rng.random(n) < 0.45
    words = {
        "gender": ["female", "male"],
        "chest pain": ["asymptomatic", "atypical ang", "non-anginal", "typical ang"],
        "rest ECG": ["normal", "left vent hypertrophy", "ST-T abnormal"],
        "slope peak exc ST": ["upsloping", "flat", "downsloping"],
        "major vessels colored": ["0", "1", "2", "3", "?"],
        "thal": ["normal", "reversable defect", "fixed defect", "?"],
    }
    numbers = ("age", "rest SBP", "cholesterol", "max HR", "ST by exercise")
    columns = {name: np.round(55 + 9 * rng.standard_normal(n) + 12 * ill) for name in numbers}
    columns["ST by exercise"] = np.where(rng.random(n) < 0.4, 0.0, columns["ST by exercise"])
    for name, values in words.items():
        place = (rng.random(n) * len(values)).astype(int)
        columns[name] = np.array(values)[np.where(ill & (rng.random(n) < 0.5), 0, place)]
    for name in ("fasting blood sugar > 120", "exerc ind ang"):
        columns[name] = (rng.random(n) < np.where(ill, 0.7, 0.2)).astype(int)
    parquet.write_table(pa.table({**columns, figures.TARGET: ill.astype(int)}), file)


def read(number, data):
    """Return what is read off a figure."""
    return figures.readings(number, figures.drawn(number, data[figures.FIGURES[number].of]))


@law("number", [*figures.FIGURES, *figures.COUNTS], number=8)
def test_every_figure_can_be_drawn_and_read(number, data):
    """Each has points, every reading is a number, and the picture names both axes."""
    if number in figures.FIGURES:
        result = figures.drawn(number, data[figures.FIGURES[number].of])
        assert all(len(line) for line in result.lines)
        assert np.isfinite(list(figures.readings(number, result).values())).all()
        assert len(figures.lines_of(number, result)) == 1 + len(figures.FIGURES[number].readings)
    of = "heart" if number in figures.COUNTS else figures.FIGURES[number].of
    figure = figures.picture(number, data[of])
    assert figure.axes[0].get_xlabel()
    assert figure.axes[0].get_ylabel()
    FigureCanvasAgg(figure).draw()


def test_figure_1_jumps_where_two_examples_are_tied(data):
    """From (.3, .6) to (.4, .7), in 20 points from (0, 0) to (1, 1)."""
    line = figures.drawn("1", data["table"]).lines[0]
    points = np.column_stack([line.x, line.y]).round(12).tolist()
    assert len(points) == 20
    assert (points[0], points[-1]) == ([0.0, 0.0], [1.0, 1.0])
    assert points[points.index([0.3, 0.6]) + 1] == [0.4, 0.7]


def test_figure_10_is_the_formula_of_its_caption(data):
    """`eCA` over a category is the long formula at a threshold of 0.5."""
    short = figures.drawn("10", data["heart"]).lines[0]
    card = figures.right("chest_pain", 0.5)
    long = figures.curve(data["heart"], **card.settings).lines[0]
    assert np.array_equal(short.x, long.x)
    np.testing.assert_allclose(short.y, long.y, rtol=1e-12)


def test_figure_15_is_the_accuracy(data):
    """A constant x makes one point of all rows."""
    line = figures.drawn("15", data["heart"]).lines[0]
    heart = data["heart"]
    assert (len(line), line.x.tolist()) == (1, [1.0])
    assert line.y[0] == pytest.approx((heart.predicted == heart.actual).mean())


def test_figures_19_and_20_mirror_each_other(data):
    """What is not found is missed."""
    result, missed = (figures.drawn(n, data["heart"]).lines[0] for n in ("19", "20"))
    assert np.array_equal(result.x, missed.x)
    np.testing.assert_allclose(result.y + missed.y, 1.0, atol=1e-12)


def test_a_lower_threshold_misses_fewer_patients(data):
    """Figures 23 to 26: the share over all patients only falls."""
    shares = [
        figures.curve(data["heart"], **{**figures.by_age(t).settings, "x": "1"}).lines[0].y[0]
        for t in (0.5, 0.4, 0.3, 0.05)
    ]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > shares[-1]


def test_the_rates_of_the_loans_are_their_known_ones(data):
    """Figures 27 to 29, within four standard errors of the closed form."""
    negatives = np.count_nonzero(data["loans"].actual == 0)
    result = read("29", data)
    for name, threshold in (("at .50", 0.5), ("at .30", 0.3)):
        fpr = 2 * float(loans_accepted(threshold)[1])
        assert abs(result[name] - fpr) < 4 * np.sqrt(fpr * (1 - fpr) / negatives)
    at = read("27", data)["threshold where FPR is .28"]
    fpr = 2 * float(loans_accepted(at)[1])
    assert abs(fpr - 0.28) < 4 * np.sqrt(0.28 * 0.72 / negatives)


def test_accuracy_is_highest_near_a_half_and_profit_near_the_known_optimum(data):
    """Figures 30, 31 and 4: p is true, so 0.5 makes most answers right, and 0.3 most money."""
    most_right, most_profit = (next(iter(read(figure, data).values())) for figure in ("30", "4"))
    assert abs(most_right - 0.5) < 0.06
    assert abs(most_profit - loans_optimum().threshold) < 0.02
    line = figures.drawn("31", data["loans"]).lines[0]
    at_optimum = line.y[(line.x >= loans_optimum().threshold).nonzero()[0][-1]]
    loans = data["loans"]
    amount, accepted = loans.attributes["amount_requested"], loans.prob[:, 1] >= 0.3
    value = np.where(loans.actual == 1, amount**2 / 30, -amount) * accepted
    assert at_optimum == pytest.approx(value.sum())
    assert abs(value.mean() - loans_optimum().profit) < 4 * value.std() / np.sqrt(N)


def test_realised_and_expected_profit_are_two_lines_of_one_picture(data):
    """Figure 31: they differ by chance alone, for the probabilities are true."""
    realised, expected = figures.drawn("31", data["loans"]).lines
    assert (realised.model, expected.model) == ("realised", "expected")
    assert np.array_equal(realised.threshold, expected.threshold)
    loans = data["loans"]
    amount, p = loans.attributes["amount_requested"], loans.prob[:, 1]
    error = np.sqrt(((amount**2 / 30 + amount) ** 2 * p * (1 - p)).sum())
    assert 0 < np.abs(realised.y - expected.y).max() < 4 * error


def test_the_rule_of_the_last_page_beats_any_single_threshold(data):
    """Figure 32: its profit is the known one, and above that of the best threshold."""
    result = read("32", data)
    rule, single = result["profit of p > 30 / (a + 30)"], result["profit of p >= .3"]
    loans = data["loans"]
    amount, p = loans.attributes["amount_requested"], loans.prob[:, 1]
    value = np.where(loans.actual == 1, amount**2 / 30, -amount)
    assert rule == pytest.approx(value[p >= 30 / (amount + 30)].sum())
    assert single == pytest.approx(value[p >= 0.3].sum())
    gain = value * ((p >= 30 / (amount + 30)) * 1.0 - (p >= 0.3))
    assert abs(gain.mean() - loans_optimum().rule_gain) < 4 * gain.std() / np.sqrt(N)
    assert rule > single


def test_the_program_draws_what_is_asked_and_prints_what_it_reads(tmp_path, capsys):
    """A picture a figure, a line a reading; without patients it says what their figures need."""
    figures.main(["1", "29", "16", "--out", str(tmp_path), "--format", "svg"])
    printed = capsys.readouterr().out
    parts = re.split(r"^figure (\d+): ", printed, flags=re.M)[1:]
    told = dict(zip(parts[::2], parts[1::2], strict=True))
    assert list(told) == ["1", "29", "16"]
    assert told["1"].startswith("x = FPR; y = TPR\n")
    assert re.search(r"thesis 0\.7 +here 0\.7\n", printed)
    assert "--openml" in told["16"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["figure-01.svg", "figure-29.svg"]


def test_the_program_names_the_figures_there_are(tmp_path, capsys):
    """A figure that there is not is refused before anything is drawn."""
    with pytest.raises(SystemExit):
        figures.main(["7", "--out", str(tmp_path)])
    assert "figure 7;" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_patients_of_openml_make_the_same_figures(tmp_path, monkeypatch):
    """Under OpenML's names of columns and categories, with its missing values."""
    made_up_patients(tmp_path / "heart.parquet")
    ours = figures.patients_in(tmp_path / "heart.parquet")
    theirs = {name: pain for pain, name in figures.PAINS.items()}
    vessels = ours["major vessels colored"].replace("?", np.nan).astype(float)
    frame = ours.drop(columns=[figures.TARGET, "chest pain"]).assign(
        cp=ours["chest pain"].map(theirs).astype("category"),
        num=np.where(ours[figures.TARGET] == 1, ">50_1", "<50"),
        **{"major vessels colored": vessels},
    )
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda *_, **__: Bunch(frame=frame))
    result = figures.heart(figures.patients_of_openml())
    expected = figures.heart(ours)
    np.testing.assert_allclose(result.prob, expected.prob, atol=1e-12)
    assert figures.readings("10", figures.drawn("10", result)) == pytest.approx(
        figures.readings("10", figures.drawn("10", expected))
    )
