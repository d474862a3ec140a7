"""Compiles the kernels: loops at a compiler's speed."""

from collections.abc import Callable
from functools import update_wrapper
from threading import RLock
from typing import Any

_ONE_AT_A_TIME = RLock()


class Kernel:
    """A function that is compiled when it is first called, so that importing it costs nothing."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        self.function, self.options = function, options
        self._machine: list[Callable[..., Any]] = []
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        """Run the compiled function."""
        return (self._machine[0] if self._machine else self.machine())(*arguments)

    def machine(self) -> Callable[..., Any]:
        """Return the compiled function; a kernel that it calls by name is compiled first."""
        with _ONE_AT_A_TIME:
            if not self._machine:
                scope = self.function.__globals__
                for name in self.function.__code__.co_names:
                    if isinstance(scope.get(name), Kernel):  # the compiler knows compiled ones only
                        scope[name] = scope[name].machine()
                self._machine.append(_machine_of(self.function, self.options))
        return self._machine[0]


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a kernel to be compiled where it is first called."""
    return Kernel(function)


def compiled_with(*freedoms: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Mark a kernel that may rearrange its arithmetic: "reassoc", "nsz", "nnan" (LLVM's words)."""
    return lambda function: Kernel(function, fastmath=set(freedoms))


def _machine_of(function: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    """Compile a function, kept on disk for the next run where there is a place to keep it."""
    import numba

    def machine(**more: Any) -> Callable[..., Any]:
        kernel: Callable[..., Any] = numba.njit(nogil=True, **more, **options)(function)
        return kernel

    try:
        return machine(cache=True)
    except RuntimeError:  # no folder may be written: compile in every process
        return machine()
