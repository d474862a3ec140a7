"""Kernels on disk: what is damaged there is compiled anew."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from damages import damaged
from plumbline.jit import Kernel, Prefetch, prefetch


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Compile a kernel of a module of its own; return its function and the folder of its cache."""
    file = tmp_path_factory.mktemp("kernels") / "kernel_on_disk.py"
    file.write_text("def twice(x):\n    return 2.0 * x\n", "utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("numba.config.CACHE_DIR", str(file.parent / "cache"))
        assert Kernel(module.twice)(3.0) == 6
        yield module.twice, file.parent / "cache"
    del sys.modules[file.stem]


def in_the_next_process(function):
    """Return whether a kernel was found on disk, after it gave the right answer."""
    kernel = Kernel(function)
    assert kernel(3.0) == 6
    return bool(kernel.machine().stats.cache_hits)


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_cache_is_compiled_anew(kept, ending, seed):
    """An index or machine code that is truncated, empty or otherwise is never run."""
    function, folder = kept
    in_the_next_process(function)
    for file in folder.rglob(f"*.{ending}"):
        file.write_bytes(damaged(file.read_bytes(), seed) if seed else b"")
    in_the_next_process(function)
    assert in_the_next_process(function)  # it was written whole


def test_machine_code_of_another_kernel_is_not_run(kept):
    """The index may name a file whose content is sound and belongs to other types."""
    function, folder = kept
    for file in folder.rglob("*.nb?"):
        file.unlink()
    in_the_next_process(function)
    assert Kernel(function)(3) == 6  # whole numbers, in a file of their own
    one, other = sorted(folder.rglob("*.nbc"))
    one.write_bytes(other.read_bytes())
    assert not in_the_next_process(function)
    assert in_the_next_process(function)


def test_a_full_disk_costs_the_cache_only(kept, monkeypatch):
    """A kernel that cannot be kept runs."""
    function, folder = kept
    for file in folder.rglob("*.nbc"):
        file.unlink()

    def full(*_):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "replace", full)
    assert not in_the_next_process(function)
    assert not in_the_next_process(function)
    assert not list(Path(folder).rglob("*.nbc"))


def fetched_and_changed(array, row):
    """Fetch a row, and the last one, and change the row."""
    prefetch(array, row)
    prefetch(array, len(array) - 1)
    array[row, 0] += 1.0


def test_prefetch_changes_nothing():
    """Of arrays of any strides, and where nothing is compiled."""
    for array in (np.zeros((5, 4)), np.zeros((5, 9))[:, 2:6], np.zeros((10, 4))[::2]):
        expected = array.copy()
        expected[3, 0] = 1.0
        Kernel(fetched_and_changed)(array, 3)
        assert np.array_equal(array, expected)


def test_prefetch_does_nothing_where_kernels_are_not_compiled(monkeypatch):
    """Then it is a function of Python."""
    monkeypatch.setattr("numba.config.DISABLE_JIT", 1)
    assert Prefetch(fetched_and_changed).machine()(np.zeros((2, 2)), 1) is None


ALGEBRA = """
import sys
import numba, numpy as np
from plumbline.nulls.resampling import add_moments
add_moments(np.ones(1), np.zeros(1, np.intp), np.empty(0), np.zeros((3, 1)), np.ones(1), np.ones(1))
assert "scipy.linalg" not in sys.modules
product = numba.njit(lambda one, other: one @ other)
assert product(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]])) == 11
from numba.np import arraymath, linalg
assert arraymath._HAVE_BLAS
assert arraymath.ensure_blas is linalg.ensure_blas
assert "scipy.linalg" in sys.modules
"""


def test_a_kernel_loads_linear_algebra_where_it_multiplies_matrices():
    """SciPy's is imported by a kernel that needs it, not by the first of any kind."""
    subprocess.run([sys.executable, "-c", ALGEBRA], check=True)
