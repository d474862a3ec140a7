"""The map of pieces of work over workers: the same answer, whoever does it."""

import functools
import os
import threading

import joblib
import pytest
from joblib._parallel_backends import ThreadingBackend
from joblib.externals.loky.process_executor import TerminatedWorkerError
from joblib.parallel import BACKENDS

import plumbline as pb
from laws import law
from plumbline.workers import ROUND, map_pieces
from refusals import refused
from spread_blocks import always_fatal, blocks, fatal, where
from spread_work import ANALYSES


@functools.cache
def serial(name):
    """Return what one thread answers."""
    return ANALYSES[name](workers=1)


class TestAnswers:
    """The digest of each analysis is that of one thread."""

    @law("name", ANALYSES, number=4)
    @pytest.mark.parametrize("workers", [2, 3])
    def test_threads(self, name, workers):
        """Threads, as many as are asked for."""
        assert ANALYSES[name](workers=workers) == serial(name)

    @law("name", ANALYSES, number=4)
    def test_processes(self, name):
        """Processes, as the configuration says."""
        with joblib.parallel_config(backend="loky", n_jobs=2):
            assert ANALYSES[name]() == serial(name)

    @law("workers", [1, 3, None], number=2)
    def test_other_numbers_of_processes(self, workers):
        """The number that is asked for, and all cores, on the back end of the configuration."""
        with joblib.parallel_config(backend="loky"):
            assert ANALYSES["power study"](workers=workers) == serial("power study")

    @pytest.mark.parametrize("size", [1, 4])
    def test_other_chunks(self, size, monkeypatch):
        """However many pieces go out together."""
        monkeypatch.setattr(joblib, "Parallel", functools.partial(joblib.Parallel, batch_size=size))
        with joblib.parallel_config(backend="loky", n_jobs=2):
            assert ANALYSES["power study"]() == serial("power study")
        assert ANALYSES["bootstrap"](workers=2) == serial("bootstrap")


class TestKilled:
    """Work goes on after a worker or the whole run has been killed."""

    def test_a_killed_worker(self, tmp_path):
        """Its pieces are handed out again."""
        with joblib.parallel_config(backend="loky", n_jobs=2):
            assert blocks(functools.partial(fatal, tmp_path)) == blocks(workers=1)
        assert (tmp_path / "killed").exists()

    def test_workers_that_are_always_killed(self):
        """They are not tried for ever."""
        with joblib.parallel_config(backend="loky", n_jobs=2), pytest.raises(TerminatedWorkerError):
            blocks(always_fatal)

    @pytest.mark.parametrize("backend", ["threading", "loky"])
    def test_a_killed_run(self, tmp_path, backend):
        """Interrupted on one back end, it continues on another one; progress counts pieces."""

        def interrupt(done, _):
            if done == 3:
                raise KeyboardInterrupt

        folder, told = tmp_path / "parts", []
        with joblib.parallel_config(backend=backend, n_jobs=2):
            with pytest.raises(KeyboardInterrupt):
                blocks(folder=folder, progress=interrupt)
            again = map_pieces(where, range(4))  # the back end works as before
        assert len(again) == 4
        text = blocks(folder=folder, progress=lambda *at: told.append(at), workers=2)
        assert text == blocks(workers=1)
        assert told == [(done, 12) for done in range(3, 13)]


class TestWho:
    """Who does the work is what the caller or joblib's configuration says."""

    def test_numbers_of_threads(self):
        """A configuration without a back end means threads; without a number, all cores."""

        def at_once(pieces, **more):
            barrier = threading.Barrier(pieces)
            return map_pieces(lambda _: barrier.wait(10), range(pieces), **more)

        with joblib.parallel_config(n_jobs=3):
            assert sorted(at_once(3)) == [0, 1, 2]
        assert sorted(at_once(3, workers=3)) == [0, 1, 2]

    @pytest.mark.parametrize("backend", ["loky", "threading"])
    def test_one_worker_is_this_thread(self, backend):
        """Whether the call or the configuration asks for one."""
        here = [where(None)] * 3
        with joblib.parallel_config(backend=backend, n_jobs=1):
            assert map_pieces(where, range(3)) == here
        with joblib.parallel_config(backend=backend, n_jobs=2):
            assert map_pieces(where, range(3), workers=1) == here
        assert map_pieces(where, range(3), usual=1) == here

    def test_processes(self):
        """Under loky no piece is done in this process."""
        with joblib.parallel_config(backend="loky", n_jobs=2):
            assert os.getpid() not in {process for process, _ in map_pieces(where, range(8))}

    def test_a_back_end_that_answers_at_the_end(self):
        """Its pieces go out in rounds, so that progress is told and pieces are kept."""

        class AtTheEnd(ThreadingBackend):
            supports_return_generator = False

        joblib.register_parallel_backend("at the end", AtTheEnd)
        began, told = [], []
        pieces = range(2 * ROUND + 1)
        try:
            with joblib.parallel_config(backend="at the end", n_jobs=1 + 1):
                done = map_pieces(
                    lambda piece: began.append(piece) or piece * 2,
                    [*pieces, *pieces],
                    progress=lambda *_: told.append(len(began)),
                )
        finally:
            BACKENDS.pop("at the end")
        assert done == [piece * 2 for piece in pieces] * 2
        assert (told[0], told[-1], len(told)) == (2 * ROUND, 4 * ROUND + 2, 4 * ROUND + 2)

    @pytest.mark.parametrize("workers", [0, 1.5, "two"])
    def test_a_number_that_is_none(self, workers):
        """It is refused before any work."""
        with refused(pb.ParameterError, "no-whole-number"):
            map_pieces(where, range(3), workers=workers)
