"""-0.0 is 0.0: it comes of rounding -0.004, and of files that hold "-0.0"."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline.cli import main

N = 60
Y = np.arange(N) % 2
NUMBER = np.where(np.arange(N) % 5 == 0, -0.0, np.arange(N) / N)
RATING = np.round(np.linspace(-4, 20, N))
RATING[RATING == 0] = -0.0


def written(tmp_path, name, frame):
    """Write a table, as CSV or Parquet, and return its path."""
    path = tmp_path / name
    frame.to_csv(path, index=False) if name.endswith("csv") else frame.to_parquet(path)
    return path


DOORS = {
    "one column": lambda _: pb.Predictions.from_arrays(Y, NUMBER, positive=1, weight=NUMBER),
    "two columns": lambda _: pb.Predictions.from_arrays(Y, np.c_[NUMBER, 1 - NUMBER]),
    "single precision": lambda _: pb.Predictions.from_arrays(Y, np.float32(NUMBER)),
    "objects": lambda _: pb.Predictions.from_arrays(Y, NUMBER.astype(object)),
    "ratings": lambda _: pb.Predictions.from_arrays(Y, score=RATING, positive=1),
    "a frame": lambda _: pb.Predictions.from_frame(pd.DataFrame({"y_true": Y, "y_prob": NUMBER})),
    "CSV": lambda path: pb.read(
        written(path, "t.csv", pd.DataFrame({"y_true": Y, "y_prob": NUMBER}))
    ),
    "ratings in CSV": lambda path: pb.read(
        written(path, "t.csv", pd.DataFrame({"actual": Y, "score": RATING}))
    ),
    "Parquet": lambda path: pb.read(
        written(path, "t.parquet", pd.DataFrame({"y_true": Y, "y_prob": NUMBER}))
    ),
    "counted": lambda path: pb.read(
        written(path, "t.parquet", pd.DataFrame({"y_true": Y, "y_prob": NUMBER})), engine="counts"
    ),
}


@pytest.mark.parametrize("door", DOORS)
def test_no_table_holds_a_negative_zero(door, tmp_path):
    """By no way into a table."""
    data = DOORS[door](tmp_path)
    assert 0 in (data.prob if data.score is None else data.score)
    for values in (data.prob, data.score, data.weight):
        assert values is None or not np.signbit(values[values == 0]).any()


@pytest.mark.parametrize("first", [0.0, -0.0])
def test_ratings_with_both_zeros_are_looked_at(first, tmp_path):
    """The check for reversed ratings takes their distances apart by their bits."""
    rating = np.where(RATING < 0, -first, RATING)
    rating[0] = first
    frame = pd.DataFrame({"actual": Y, "score": rating})
    answer = CliRunner().invoke(main, ["scores", str(written(tmp_path, "t.csv", frame))])
    assert answer.exit_code == 0, answer.output
