"""A unit is a unit: weights and values a billion billion times smaller change exponents alone."""

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Text

import plumbline as pb
from html_pages import Page, undrawn
from plumbline.cli import main
from plumbline.curves import best_threshold, cases_between, curve
from plumbline.formatting import amount, amounts
from plumbline.plots import confusion_figure
from plumbline.reporting import save_curve

UNIT = 2.0**-60  # a power of 2, so that no sum rounds otherwise
NUMBER = re.compile(
    r"(?<![\w.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
)
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
PAYOFF = "cumm(value if eP else -value)"
COMMANDS = (
    ("confusion", "--verbose"),
    ("confusion", "--threshold", "0.3", "--target", "yes"),
    ("curve", "--preset", "cost", "--optimum", "min", "--verbose"),
    ("curve", "--x", "threshold", "--y", "TP", "--optimum", "max", "--verbose"),
    ("curve", "--x", "threshold", "--y", PAYOFF, "--optimum", "max", "--verbose"),
    ("curve", "--x", "threshold", "--y", PAYOFF, "--difference", "--resamples", "20"),
    ("curve", "--x", "value", "--y", "TP", "--average", "merge"),
    ("curve", "--x", "threshold", "--y", "TP + FP", "--between", "0.3:0.5"),
    ("curve", "--preset", "roc", "--verbose"),
)


def columns(*, weight: float = 1.0, value: float = 1.0) -> dict[str, np.ndarray]:
    """Return the columns of two models, with weights and a column of values in these units."""
    rng = np.random.default_rng(0)
    n = 60
    p = rng.uniform(size=n)
    return {
        "y_true": np.tile(np.where(rng.uniform(size=n) < p, "yes", "no"), 2),
        "p:yes": np.concatenate([p, p**2]),
        "p:no": np.concatenate([1 - p, 1 - p**2]),
        "model": np.repeat(["tree", "bayes"], n),
        "weight": np.tile(0.75 * (np.arange(n) % 4 + 1) * weight, 2),
        "value": np.tile((np.arange(n) % 7 + 1) * value, 2),
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, Path]:
    """Return files of the same rows in usual units, with tiny weights, and with tiny values."""
    made = {}
    for kind, units in (("usual", {}), ("weight", {"weight": UNIT}), ("value", {"value": UNIT})):
        made[kind] = tmp_path_factory.mktemp(kind) / "t.csv"
        table = columns(**units)
        rows = zip(*(column.tolist() for column in table.values()), strict=True)
        lines = [",".join(table), *(",".join(map(str, row)) for row in rows)]
        made[kind].write_text("\n".join(lines))
    return made


def numbers(text: str) -> list[float]:
    """Return the numbers of a text, in the signs of a terminal or of a page."""
    found = (one.replace(",", "").replace("−", "-") for one in NUMBER.findall(text))
    parts = (one.partition(" × 10") for one in found)
    return [float(size) * 10.0 ** int(power.translate(RAISED) or 0) for size, _, power in parts]


def same_but_for_units(usual: str, tiny: str) -> bool:
    """Tell whether two texts say the same, where numbers may be in the smaller unit."""
    words = [re.sub(r"\s+", " ", NUMBER.sub("#", text)) for text in (usual, tiny)]
    pairs = list(zip(numbers(usual), numbers(tiny), strict=True))
    return words[0] == words[1] and all(
        a == b or abs(b - UNIT * a) <= 0.006 * abs(UNIT * a) for a, b in pairs
    )


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_tiny_units_change_only_exponents_on_the_terminal(files, command):
    """Thresholds, plateaus and rates stay; sums of weights or values are as much smaller."""
    name, *options = command
    several = [] if "--difference" in options else ["--models", "tree"]

    def answer(kind: str) -> str:
        words = [name, str(files[kind]), *several, *options]
        done = CliRunner().invoke(main, words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output.replace(str(files[kind]), "t.csv")

    usual = answer("usual")
    for kind in ("weight", "value"):
        assert same_but_for_units(usual, answer(kind)), answer(kind)


def said_on_pages(folder: Path, **units: float) -> list[str]:
    """Return what a report, the page of a curve with its best threshold and a matrix say."""
    table = columns(**units)
    data = pb.Predictions.from_arrays(
        table["y_true"],
        table["p:yes"],
        classes=["no", "yes"],
        weight=table["weight"],
        model=table["model"],
        attributes={"value": table["value"]},
    ).select(model="tree")
    line = curve(data, x="threshold", y=PAYOFF)
    best = best_threshold(data, PAYOFF, resamples=20)
    found = cases_between(data, low=0.3, high=0.5)
    with undrawn():
        save_curve(line, folder / "curve.html", data=data, best=best, cases=found)
        pb.report(data, folder / "report.html", resamples=19, recalibrate="none")
    figure = confusion_figure(pb.confusion_matrix(data))
    drawn = " ".join(text.get_text() for ax in figure.axes for text in ax.findobj(Text))
    pages = [
        Page((folder / f"{name}.html").read_text("utf-8").replace("<t", " <t"))
        for name in ("curve", "report")
    ]
    return [*(page.prose.partition("Make it again From")[0] for page in pages), drawn]


def test_tiny_units_change_only_exponents_on_pages_and_pictures(tmp_path):
    """A report, the page of a curve with its best threshold and cases, and a matrix agree."""
    usual = said_on_pages(tmp_path)
    for units in ({"weight": UNIT}, {"value": UNIT}):
        for one, other in zip(usual, said_on_pages(tmp_path, **units), strict=True):
            assert same_but_for_units(one, other)


@given(
    st.lists(st.floats(-999, 999), min_size=1),
    st.integers(-300, -3),
)
def test_a_column_in_a_smaller_unit_has_the_same_digits(values, power):
    """Only what is rounding noise beside the largest is 0, in any unit."""
    unit = 10.0**power
    for value, tiny in zip(values, amounts([unit * value for value in values]), strict=True):
        assert float(tiny) == pytest.approx(unit * value, rel=0.006, abs=1e-12 * unit * 999)
    assert amounts([1.0, *values])[1:] == [amount(value) for value in values]
