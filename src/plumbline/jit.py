"""Compiles the kernels: loops at a compiler's speed."""

import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import update_wrapper
from hashlib import sha256
from importlib import import_module
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Rows from which on one compiled pass takes less than several of numpy, with the 10 ms that loading
# a kernel takes in a fresh process.
MANY_ROWS = 2**17

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


class Prefetch(Kernel):
    """`prefetch(array, row)` in a kernel: the processor fetches what will be changed soon.

    It changes no value, and waits for nothing.
    """

    def machine(self) -> Callable[..., Any]:
        """Return what the compiler takes for the call: an instruction of the processor."""
        with _ONE_AT_A_TIME:
            if not self._machine:
                self._machine.append(_prefetch_instruction())
        return self._machine[0]


def _prefetch_instruction() -> Callable[..., Any]:
    import numba

    if getattr(numba.config, "DISABLE_JIT", 0):
        return lambda array, row: None
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    def prefetch(_: Any, array: Any, row: Any) -> Any:
        def lowered(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            held = context.make_array(signature.args[0])(context, builder, values[0])
            stride = builder.extract_value(held.strides, 0)
            place = builder.add(
                builder.ptrtoint(held.data, stride.type), builder.mul(stride, values[1])
            )
            pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
            call = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
            # To be written (1), kept in all caches (3), data (1).
            how = [ir.Constant(number, one) for one in (1, 3, 1)]
            builder.call(call, [builder.inttoptr(place, pointer), *how])
            return context.get_dummy_value()

        return types.void(array, row), lowered

    instruction: Callable[..., Any] = intrinsic(prefetch)
    return instruction


prefetch = Prefetch(_prefetch_instruction)


def read_only(*arrays: NDArray[Any]) -> list[NDArray[Any]]:
    """Return contiguous views that are not written to: a kernel is compiled once for all of them.

    >>> table = np.zeros((3, 2))
    >>> [(part.flags.writeable, part.strides) for part in read_only(table[:, 0], table[0])]
    [(False, (8,)), (False, (8,))]
    """
    views = [np.ascontiguousarray(array).view() for array in arrays]
    for view in views:
        view.flags.writeable = False
    return views


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a kernel to be compiled where it is first called."""
    return Kernel(function)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a kernel that is compiled into those that call it: a call takes as long as few steps."""
    return Kernel(function, inline="always")


def compiled_with(*freedoms: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Mark a kernel that may rearrange its arithmetic: "reassoc", "nsz", "nnan" (LLVM's words)."""
    return lambda function: Kernel(function, fastmath=set(freedoms))


def _machine_of(function: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    """Compile a function, kept on disk for the next run where there is a place to keep it."""
    import numba

    _without_algebra()

    def machine(**more: Any) -> Any:
        return numba.njit(nogil=True, **more, **options)(function)

    try:
        kernel = machine(cache=True)
    except RuntimeError:  # no folder may be written: compile in every process
        kernel = machine()
    else:
        if not getattr(numba.config, "DISABLE_JIT", 0):
            kernel._cache = _Kept(kernel._cache)
    compiled_kernel: Callable[..., Any] = kernel
    return compiled_kernel


def _without_algebra() -> None:
    """Import numba's functions of arrays without SciPy's linear algebra, which takes 0.2 s.

    At its import numba asks for it only to see whether it is there, which `pyproject.toml` says; a
    kernel that multiplies matrices asks again when it is compiled.
    """
    name = "numba.np.arraymath"
    if name in sys.modules or "scipy.linalg" in sys.modules:
        return
    algebra: Any = import_module("numba.np.linalg")
    asks = getattr(algebra, "ensure_blas", None)
    if asks is None:  # another numba
        return
    algebra.ensure_blas = lambda: None
    try:
        functions: Any = import_module(name)
    finally:
        algebra.ensure_blas = asks
    functions.ensure_blas = asks


class _Kept:
    """Numba's cache of a function, for which a damaged file is none.

    Numba runs what it finds: a lost end is an error of pickle, a changed byte another machine code.
    """

    def __init__(self, cache: Any) -> None:
        self.cache = cache
        self.cache_path = cache.cache_path
        cache._cache_file = _Checked(cache._cache_file)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what was kept for a signature; None where nothing sound is."""
        try:
            return self.cache.load_overload(sig, target_context)
        except Exception:  # noqa: BLE001  # whatever a damaged file makes numba and pickle raise
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, where the system allows it."""
        with suppress(OSError):
            self.cache.save_overload(sig, data)

    def flush(self) -> None:
        """Forget what was kept."""
        self.cache.flush()


class _Checked:
    """A file of numba's cache whose content stands beside its digest."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def flush(self) -> None:
        """Forget what was kept."""
        self.file.flush()

    def load(self, key: Any) -> Any:
        """Return what was kept under a key, if it is what was written."""
        kept = self.file.load(key)
        if kept is None:
            return None
        digest, content = kept
        if digest != sha256(content).hexdigest():
            return None
        own, data = pickle.loads(content)  # noqa: S301  # numba's own form, of the user's folder
        return data if own == key else None

    def save(self, key: Any, data: Any) -> None:
        """Keep what was compiled; an index that cannot be read is made anew."""
        content = self.file._dump((key, data))
        try:
            self.file.save(key, (sha256(content).hexdigest(), content))
        except Exception:  # noqa: BLE001  # whatever a damaged index makes pickle raise
            self.flush()
            self.file.save(key, (sha256(content).hexdigest(), content))
