"""Linear algebra on one core, where the pieces of work share the cores already."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any


class SharedSetting:
    """A setting of the process that its first user makes and its last one takes back.

    It is the same for every thread, so that users at the same time share it: each taking back its
    own would leave that of another for good.
    """

    def __init__(self, make: Callable[[], AbstractContextManager[Any]]) -> None:
        self.make = make
        self.lock = threading.Lock()
        self.users = 0
        self.context: AbstractContextManager[Any] | None = None

    def __enter__(self) -> None:
        with self.lock:
            if self.context is None:
                self.context = self.make()
                self.context.__enter__()
            self.users += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.users -= 1
            if self.users == 0 and self.context is not None:
                self.context.__exit__(None, None, None)
                self.context = None


def _one_core() -> AbstractContextManager[Any]:
    from threadpoolctl import threadpool_limits

    limit: AbstractContextManager[Any] = threadpool_limits(limits=1, user_api="blas")
    return limit


# Threads of several libraries that wait for each other cost far more than they bring: a fit of a
# 100 x 100 matrix took ten times the work on a busy machine. And sums that several cores add up
# differ in the last digit from those of one.
ONE_CORE = SharedSetting(_one_core)
