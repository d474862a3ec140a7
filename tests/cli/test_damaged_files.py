"""Files that commands wrote and read again: damaged ones are refused, or give the same answer."""

import shutil

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from damages import damaged
from plumbline.cli import main

# The file that is damaged, and the commands that read it.
READERS = {
    "rows.state": ("scores rows.state", "state update rows.state new.csv"),
    "table.parquet": ("scores table.parquet", "scores table.parquet --engine counts"),
    "map.json": ("recalibrate --map map.json --apply new.csv",),
}


def run(line):
    """Run a command in this process; what it did not expect is raised."""
    ran = CliRunner().invoke(main, line.split(), catch_exceptions=False)
    return ran.exit_code, ran.stdout, ran.stderr


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Write a table, new rows, a state and a map."""
    folder = tmp_path_factory.mktemp("written")
    rng = np.random.default_rng(0)
    prob = rng.random(400)
    actual = (rng.random(400) < prob).astype(int)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, rows in (("table.parquet", slice(300)), ("new.csv", slice(300, 400))):
            data = pb.Predictions.from_arrays(actual[rows], prob[rows], classes=[0, 1])
            data.write(name)
        assert run("state update rows.state table.parquet")[0] == 0
        assert run("recalibrate table.parquet --method temperature --save-map map.json")[0] == 0
    return folder


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name, lines in READERS.items() for line in lines]
)
def test_a_damaged_file_is_refused_or_says_the_same(written, name, line, tmp_path, monkeypatch):
    """One sentence and exit status 2, never a traceback nor another number."""
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    good = (tmp_path / name).read_bytes()
    whole = run(line)
    for seed in range(20 if name == "table.parquet" else 6):
        damage = bytes(damaged(good, seed)) if seed else b""
        (tmp_path / name).write_bytes(damage)
        code, out, err = run(line)
        if code == 2:
            assert not out
            assert len(err.splitlines()) == 1
            assert (tmp_path / name).read_bytes() == damage  # a refused file is left as it is
        else:
            assert (code, out) == whole[:2]
