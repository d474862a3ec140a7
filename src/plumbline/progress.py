"""One callback for all progress: `progress(done, total)`, in whatever unit the task counts."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

T = TypeVar("T")

Progress: TypeAlias = Callable[[int, int], None]

STEPS = 1000  # of a progress bar: tenths of a percent


def share_of(whole: Progress | None, start: float, stop: float) -> Progress | None:
    """Return the callback of a task that is the part [start, stop] of a longer one.

    >>> second_half = share_of(lambda done, total: print(done, "of", total), 0.5, 1.0)
    >>> second_half(1, 2)
    750 of 1000
    """
    if whole is None:
        return None

    def show(done: int, total: int) -> None:
        whole(round(STEPS * (start + (stop - start) * done / total)), STEPS)

    return show


def with_shares(tasks: Sequence[T], whole: Progress | None) -> Iterator[tuple[T, Progress | None]]:
    """Yield every task with the callback of its part of a longer one, all parts alike.

    >>> for task, share in with_shares("ab", lambda done, total: print(done, "of", total)):
    ...     share(1, 1)
    500 of 1000
    1000 of 1000
    """
    for place, task in enumerate(tasks):
        yield task, share_of(whole, place / len(tasks), (place + 1) / len(tasks))
