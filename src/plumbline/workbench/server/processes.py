"""How the processes of tables are started; imports next to nothing, so that it comes first."""

import multiprocessing
import signal
import sys
from multiprocessing.context import BaseContext

WARM = ("plumbline.workbench.server.warm", "__main__")


def context() -> BaseContext:
    """Return how processes are started: as forks of one that is warm, where that is safe."""
    if not sys.platform.startswith("linux"):
        return multiprocessing.get_context("spawn")
    forkserver = multiprocessing.get_context("forkserver")
    forkserver.set_forkserver_preload(list(WARM))
    return forkserver


def warm_up() -> None:
    """Begin to make the process that workers are copied from; returns at once."""
    if sys.platform.startswith("linux"):
        from multiprocessing import forkserver

        context()
        usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:  # it inherits that Ctrl-C is the server's alone, and ends with the server
            forkserver.ensure_running()
        finally:
            signal.signal(signal.SIGINT, usual)
