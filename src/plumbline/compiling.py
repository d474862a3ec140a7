"""Compiles the kernels: loops at a compiler's speed."""

from collections.abc import Callable

import numba


def compiled(function: Callable[..., None]) -> Callable[..., None]:
    """Compile a kernel, kept on disk for the next run where there is a place to keep it."""
    try:
        return numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no folder may be written: compile in every process
        return numba.njit(nogil=True)(function)
