"""A map of pieces of work over workers: threads, or what `joblib.parallel_config` names."""

import threading
import warnings
from collections.abc import Callable, Generator, Sequence
from typing import Any, Generic, TypeVar

from plumbline._checks import whole_number
from plumbline.progress import Progress

Piece = TypeVar("Piece")
Done = TypeVar("Done")

ALL_CORES = -1
# What loky and Ray raise where a worker has died; by name, for Ray may not be there.
LOST = {"TerminatedWorkerError", "RayActorError"}
MOST_LOSSES = 3  # deaths of workers after which the run ends; a convention
ROUND = 16  # pieces a worker; those of a round are lost where the run is killed


def map_pieces(
    task: Callable[[Piece], Done],
    pieces: Sequence[Piece],
    *,
    workers: int | None = None,
    usual: int = ALL_CORES,
    finished: Callable[[Piece, Done], None] | None = None,
    progress: Progress | None = None,
) -> list[Done]:
    """Return `task(piece)` for every piece, in the pieces' order.

    The one way in which work is spread. A task makes its random numbers from its piece, by
    `random_streams.stream`, and is never given a Generator: sent to several processes, one would
    draw the same numbers in each.
    So the answer depends neither on the workers nor on the order. joblib runs the tasks, several
    short ones in one call: `workers` at a time, else as many as `joblib.parallel_config` says, else
    `usual`; in threads, or on the back end named there (loky, dask, ray), to which task and pieces
    are then pickled.

    Here, in this process, `finished` gets each piece with its result as they come, in any order,
    and `progress` their number. If a task fails, or an interrupt arrives, no other one begins.
    Pieces lost with a process of loky or Ray that was killed are handed out again, until none has
    come back three times; Dask does so itself.

    Raises ParameterError if `workers` is no whole number of at least 1.

    >>> map_pieces(lambda n: n * n, [3, 1, 2], workers=2)
    [9, 1, 4]
    """
    jobs = _jobs(workers, usual)
    results: dict[int, Done] = {}

    def keep(place: int, value: Done) -> None:
        if finished is not None:
            finished(pieces[place], value)
        results[place] = value
        if progress is not None:
            progress(len(results), len(pieces))

    if jobs == 1 or len(pieces) < 2:
        for place, piece in enumerate(pieces):
            keep(place, task(piece))
        return [results[place] for place in range(len(pieces))]

    losses = 0  # one after the other without a result
    while len(results) < len(pieces):
        waiting = [(place, piece) for place, piece in enumerate(pieces) if place not in results]
        try:
            _spread(task, waiting, jobs, keep)
        except Exception as error:
            lost = any(kind.__name__ in LOST for kind in type(error).__mro__)
            losses = 1 + losses * (len(pieces) - len(results) == len(waiting))
            if not lost or losses == MOST_LOSSES:
                raise
    return [results[place] for place in range(len(pieces))]


def _jobs(workers: int | None, usual: int) -> int:
    """Return joblib's `n_jobs`."""
    if workers is not None:
        return whole_number("workers", workers, least=1)
    from joblib.parallel import get_active_backend

    # Asked for here, because joblib forgets it where threads are preferred and no back end named.
    configured: int | None = get_active_backend()[1]
    return usual if configured is None else configured


def _spread(
    task: Callable[[Piece], Done],
    pieces: Sequence[tuple[int, Piece]],
    jobs: int,
    keep: Callable[[int, Done], None],
) -> None:
    """Run a task on numbered pieces, and hand over each result as it comes."""
    import joblib
    from joblib.parallel import get_active_backend

    watched = _Watched(task)
    calls = [joblib.delayed(watched)(*piece) for piece in pieces]
    if get_active_backend()[0].supports_return_generator:
        parallel = joblib.Parallel(n_jobs=jobs, prefer="threads", return_as="generator_unordered")
        results = parallel(calls)
    else:
        results = _in_rounds(calls, jobs)
    try:
        for place, value in results:
            keep(place, value)
    except BaseException as error:
        watched.stop(error)
        _stop(results)
        if isinstance(error, Exception):  # whoever interrupts a run does not wait for it
            watched.wait()
        raise


def _in_rounds(calls: Sequence[Any], jobs: int) -> Generator[Any, None, None]:
    """Yield results where the back end (Ray's) gives those of all pieces at once, at the end."""
    import joblib

    with joblib.Parallel(n_jobs=jobs, prefer="threads") as parallel:
        size = ROUND * joblib.effective_n_jobs(jobs)
        for start in range(0, len(calls), size):
            yield from parallel(calls[start : start + size])


class _Watched(Generic[Piece, Done]):
    """A task that gives its place, too, and can be stopped and waited for where it runs in threads.

    joblib gives an error at once, while the other threads are still at work, and lets those begin
    another task: they would take warnings and processors from whatever comes next.
    """

    def __init__(self, task: Callable[[Piece], Done]) -> None:
        self.task = task
        self.running = 0
        self.error: BaseException | None = None
        self.change = threading.Condition()

    def __call__(self, place: int, piece: Piece) -> tuple[int, Done]:
        with self.change:
            if self.error is not None:
                raise self.error  # it may come out before that of the task that failed
            self.running += 1
        try:
            return place, self.task(piece)
        except BaseException as error:
            self.stop(error)
            raise
        finally:
            with self.change:
                self.running -= 1
                self.change.notify_all()

    def stop(self, error: BaseException) -> None:
        """Let no further task begin."""
        with self.change:
            self.error = self.error or error

    def wait(self) -> None:
        """Wait until no task runs."""
        with self.change:
            self.change.wait_for(lambda: self.running == 0)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Watched, (self.task,)  # of another process joblib takes care


def _stop(results: Generator[Any, None, None]) -> None:
    """Stop the remaining work, if any."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        results.close()
