"""Several rows of one example: what knows it, and what warns of it."""

import warnings

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from html_pages import Page, undrawn
from plumbline.cli import main
from plumbline.formatting import RESUBSTITUTED
from plumbline.predictions import examples_in
from refusals import warned

COPIES = "120 rows are of 40 examples"


@pytest.fixture
def repeated(rng) -> pb.Predictions:
    """Return 40 examples that three repeats predicted."""
    p = rng.uniform(size=40)
    y = rng.uniform(size=40) < p
    return pb.Predictions.from_arrays(
        np.tile(y, 3), np.tile(p, 3), repeat=np.repeat([0, 1, 2], 40), row=np.tile(np.arange(40), 3)
    )


def test_examples_are_counted_once_a_model(repeated):
    """Two models of the same examples are no copies; without `row` nothing tells."""
    assert (examples_in(repeated), examples_in(repeated.select(repeat=1))) == (40, 40)
    stacked = pb.Predictions.from_arrays(
        [0, 1, 0, 1], [0.1, 0.9, 0.2, 0.8], model=list("aabb"), fold=[0, 1, 0, 1], row=[5, 6, 5, 6]
    )
    assert examples_in(stacked) == 4
    drawn_anew = pb.Predictions.from_arrays(
        [0, 0, 1], [0.1, 0.2, 0.7], fold=[0, 1, 1], row=[3, 3, 4]
    )
    assert examples_in(drawn_anew) == 2
    assert examples_in(pb.Predictions.from_arrays([0, 0], [0.1, 0.2], repeat=[0, 1])) == 2


@pytest.mark.parametrize(
    "ask",
    [
        lambda data: pb.calibration_test(data, resamples=19),
        lambda data: pb.calibration_error(data, resamples=19),
        lambda data: pb.measure(data, "brier-score", resamples=19),
    ],
    ids=["test", "error", "measure"],
)
def test_a_null_warns_of_copies(repeated, ask):
    """Every row is one draw of a null, so copies make p-values too small; one repeat has none."""
    with warned("repeated-examples", COPIES):
        ask(repeated)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ask(repeated.select(repeat=0))


def test_values_without_a_null_are_silent(repeated):
    """A mean over rows is what it is."""
    assert pb.calibration_error(repeated, resamples=0).value >= 0
    assert "several-rows-of-one-example" in {r.code for r in pb.check_input(repeated).remarks}


def test_the_command_line_counts_repeats_and_takes_one(repeated, tmp_path):
    """The heading says how many repeats there are, the warning which option takes one."""
    file = tmp_path / "repeated.parquet"
    repeated.write(file)
    whole = CliRunner().invoke(main, ["test", str(file), "--resamples", "19"])
    assert "40 examples," in whole.stdout
    assert ", 3 repeats" in whole.stdout
    assert COPIES in whole.stderr
    assert "--repeats 0" in whole.stderr
    one = CliRunner().invoke(main, ["test", str(file), "--resamples", "19", "--repeats", "0"])
    assert (one.exit_code, one.stderr) == (0, "")
    assert "40 rows," in one.stdout
    assert " repeats" not in one.stdout


def test_a_report_says_which_model_saw_its_rows(tmp_path, rng):
    """A model measured on its training data is named as such, at the top and among the limits."""
    p = rng.uniform(size=60)
    name = f"tree{RESUBSTITUTED}"
    data = pb.Predictions.from_arrays(rng.uniform(size=60) < p, p, model=[name] * 60)
    with undrawn():
        page = Page.of(pb.report(data, tmp_path / "page.html", resamples=39))
    assert f"Which rows: {name}," in page.prose
