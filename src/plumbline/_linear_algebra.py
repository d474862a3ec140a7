"""Linear algebra on one core, where the pieces of work share the cores already."""

import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import lru_cache
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


def one_thread(user_api: str) -> AbstractContextManager[Any]:
    """Return a context in which the libraries of an interface (blas, openmp) use one thread."""
    limit: AbstractContextManager[Any] = _libraries(len(sys.modules)).limit(
        limits=1, user_api=user_api
    )
    return limit


@lru_cache(maxsize=1)
def _libraries(_modules: int) -> Any:
    """Return the libraries that are loaded: a look takes 4 ms, and only an import loads another."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _one_core() -> AbstractContextManager[Any]:
    return one_thread("blas")


# Threads of several libraries that wait for each other cost far more than they bring: a fit of a
# 100 x 100 matrix took ten times the work on a busy machine. And sums that several cores add up
# differ in the last digit from those of one.
ONE_CORE = SharedSetting(_one_core)
