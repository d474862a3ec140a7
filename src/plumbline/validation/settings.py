"""What holds for the whole process, or for a thread, while an estimate runs."""

import contextlib
import threading
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from threadpoolctl import threadpool_limits

from plumbline._checks import need_extra
from plumbline._linear_algebra import ONE_CORE

# What splitters say of small classes and of groups they take no notice of is left to the guards,
# which name the rows.
LEFT_TO_GUARDS = ("The least populated class", "The groups parameter is ignored")


class _Shared:
    """Settings of the process that the first estimate makes and the last one takes back.

    They are the same for every thread, so estimates that run at the same time share them: each
    taking back its own would leave those of another for good.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.users = 0
        self.made = contextlib.ExitStack()

    def __enter__(self) -> None:
        with self.lock:
            if self.users == 0:
                self.made.enter_context(ONE_CORE)
                self.made.enter_context(warnings.catch_warnings())
                for text in LEFT_TO_GUARDS:
                    warnings.filterwarnings("ignore", text, UserWarning)
            self.users += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.users -= 1
            if self.users == 0:
                self.made.close()


SHARED = _Shared()


@contextlib.contextmanager
def settled() -> Iterator[None]:
    """Keep linear algebra on one core and splitters silent, as long as this context lasts.

    The pieces of work share the cores already; and sums that several cores add up differ in the
    last digit from those of one, so the answer would depend on the machine's load.
    """
    openmp = threadpool_limits(limits=1, user_api="openmp")  # a setting of this thread alone
    with SHARED, openmp:
        yield


def learning_settings() -> dict[str, Any]:
    """Return scikit-learn's settings, which are those of the thread that asks."""
    settings: dict[str, Any] = need_extra("sklearn", "sklearn", "an error estimate").get_config()
    return settings


def learning_under(settings: Mapping[str, Any]) -> Any:
    """Return a context in which scikit-learn has these settings, in whatever thread."""
    room = need_extra("sklearn", "sklearn", "an error estimate")
    return room.config_context(**settings)
