"""What all tests share."""

import gc
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import is_hypothesis_test, settings

from laws import examples

# The first call of a kernel compiles it, which no deadline allows for; a failure must come again.
settings.register_profile(
    "plumbline", deadline=None, derandomize=True, print_blob=True, max_examples=examples(100)
)
settings.load_profile("plumbline")

# Nor does it matter where the run was started: worker processes import tests' modules by name.
ROOT = Path(__file__).parents[1]
sys.path[:] = [folder for folder in sys.path if folder and Path(folder) != ROOT]
os.environ.pop("COLUMNS", None)  # no table is folded, whoever runs the tests in whatever window


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every property as a law: `make test` tries some of its examples."""
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("laws")


def pytest_collection_finish() -> None:
    """Search for garbage seldom, and not in what stays: searches took an eighth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


@pytest.fixture
def rng() -> np.random.Generator:
    """Return a fresh generator with a fixed seed, so that every run draws the same numbers."""
    return np.random.default_rng(20201)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Return the folder of the published data; for tests marked `data` only."""
    named = os.environ.get("PLUMBLINE_DATA", "")
    if not named or not Path(named).is_dir():
        arrived = f"it is {named!r}" if named else "it is not set"
        pytest.fail(
            f"This test needs the folder $PLUMBLINE_DATA, but {arrived}. "
            "Run `make test-data DATA=folder`; `make test` leaves these tests out.",
            pytrace=False,
        )
    return Path(named)
