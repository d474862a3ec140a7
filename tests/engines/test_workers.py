"""Monte Carlo on Dask and Ray: the answers of one thread, also when workers die."""

import functools

import joblib
import pytest

import spread_blocks
import spread_work
from spread_blocks import blocks, fatal
from spread_work import ANALYSES

pytestmark = pytest.mark.engines


@pytest.fixture
def dask(dask_cluster):
    """Run joblib's work on Dask."""
    import distributed

    with (
        distributed.Client(dask_cluster),
        joblib.parallel_config(backend="dask", n_jobs=2),
    ):
        yield


@pytest.fixture
def on_ray(ray):
    """Run joblib's work on Ray, which does not find modules of tests by their name."""
    from ray.util.joblib import register_ray

    for module in (spread_blocks, spread_work):
        ray.cloudpickle.register_pickle_by_value(module)
    register_ray()
    with joblib.parallel_config(backend="ray", n_jobs=2):
        yield


@functools.cache
def serial(name):
    """Return what one thread answers."""
    return ANALYSES[name](workers=1)


@pytest.mark.usefixtures("dask")
class TestDask:
    """Dask's scheduler with two processes."""

    @pytest.mark.parametrize("name", ANALYSES)
    def test_answers(self, name):
        """They are those of one thread."""
        assert ANALYSES[name]() == serial(name)

    def test_a_killed_worker(self, tmp_path):
        """Dask starts another one, and its pieces again."""
        assert blocks(functools.partial(fatal, tmp_path)) == blocks(workers=1)
        assert (tmp_path / "killed").exists()

    def test_a_run_continued_elsewhere(self, tmp_path):
        """What was interrupted on Dask ends in threads."""
        _interrupted(tmp_path / "parts")
        assert blocks(folder=tmp_path / "parts", workers=2) == blocks(workers=1)


@pytest.mark.usefixtures("on_ray")
class TestRay:
    """Ray on two cores of this machine."""

    @pytest.mark.parametrize("name", ANALYSES)
    def test_answers(self, name):
        """They are those of one thread."""
        assert ANALYSES[name]() == serial(name)

    def test_a_killed_worker(self, tmp_path):
        """Its pieces are handed out again."""
        assert blocks(functools.partial(fatal, tmp_path)) == blocks(workers=1)
        assert (tmp_path / "killed").exists()

    def test_a_run_continued_elsewhere(self, tmp_path):
        """What was interrupted on Ray ends in threads."""
        _interrupted(tmp_path / "parts")
        assert blocks(folder=tmp_path / "parts", workers=2) == blocks(workers=1)


def _interrupted(folder):
    def interrupt(done, _):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        blocks(folder=folder, progress=interrupt)
    assert len([*folder.glob("block-*.npz")]) >= 3
