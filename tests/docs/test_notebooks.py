"""Figures and results are shown as the last line of a cell, in notebooks with a real kernel."""

import base64
import re
import struct
import sys
from pathlib import Path

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

from laws import law

TUTORIALS = sorted((Path(__file__).resolve().parents[2] / "examples/tutorials").glob("t*.py"))
CELL = re.compile(r"^# %%\n(?:#[^\n]*\n)*", re.MULTILINE)
DATA = """
import numpy as np
import plumbline as pb
from plumbline import plots
rng = np.random.default_rng(0)
p = rng.random(300)
y = (rng.random(300) < p).astype(int)
data = pb.Predictions.from_arrays(
    [*y, *y], [*p, *p**2], model=["a"] * 300 + ["b"] * 300, row=[*range(300)] * 2
)
one = data.select(model="a")
"""
PICTURES = [
    "pb.reliability_curve(one, resamples=99).figure()",
    "plots.reliability_figure(pb.reliability_curve(one, resamples=99))",
    "pb.curve(data, 'roc').figure()",
    "import matplotlib.pyplot as plt\npb.curve(data, 'roc').figure()",  # pyplot shows its own too
]
TABLES = [
    "pb.calibration_test(one)",
    "pb.measure(one, ['ece', 'log-loss'])",
    "pb.compare(data, metrics=['log-loss'])",
    "pb.recalibrate(one, 'platt')",
]


@pytest.fixture(scope="module")
def run():
    """Return what runs cells in one kernel, each call a notebook, and returns their outputs."""
    manager = KernelManager(transport="ipc")
    manager._kernel_spec = KernelSpec(  # this Python, whatever kernels the user has installed
        argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        display_name="these tests",
        language="python",
    )
    manager.start_kernel()
    client = NotebookClient(nbformat.v4.new_notebook(), km=manager, timeout=120)

    def outputs(cells):
        client.nb = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
        client.execute(cleanup_kc=False)
        return [cell.outputs for cell in client.nb.cells]

    yield outputs
    client.kc.stop_channels()
    manager.shutdown_kernel(now=True)
    manager.cleanup_resources()


def shown(outputs):
    """Return the data of what a cell shows: results of its last line, and pictures of pyplot."""
    return [one.data for one in outputs if one.output_type in ("execute_result", "display_data")]


def pictures(outputs):
    """Return width and height in pixels of the pictures that a cell shows."""
    raw = [base64.b64decode(one["image/png"]) for one in shown(outputs) if "image/png" in one]
    return [struct.unpack(">II", one[16:24]) for one in raw]


def test_a_figure_is_shown_as_a_picture(run):
    """One picture a cell, sharper than the page, whether or not pyplot is there."""
    _, *each = run([DATA, *PICTURES])
    for code, outputs in zip(PICTURES, each, strict=True):
        ((width, height),) = pictures(outputs)
        assert min(width, height) > 250, code


def test_a_result_is_shown_as_a_table(run):
    """Every result has HTML of its own beside the text."""
    _, *each = run([DATA, *TABLES])
    for code, outputs in zip(TABLES, each, strict=True):
        (data,) = shown(outputs)
        assert "<table" in data["text/html"], code


@law("path", TUTORIALS, number=1)  # the docs run all of them too
def test_a_tutorial_shows_its_pictures(run, path):
    """Each figure that a tutorial makes is in the notebook, as are its results; no cell fails."""
    code = path.read_text("utf-8")
    head, *cells = CELL.split(code)
    each = run([head, *cells])
    wanted = len(re.findall(r"^(?:plots\.\w+_figure\(|\w+, \w+ = plt\.)", code, re.MULTILINE))
    assert wanted >= 1
    assert sum(len(pictures(outputs)) for outputs in each) == wanted
