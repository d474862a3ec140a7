"""Values as text that differs where they do: to tell one question from another."""

import copyreg
import dis
import functools
import hashlib
import pickle
import sys
import sysconfig
import types
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from plumbline._checks import shorten
from plumbline.errors import InputError
from plumbline.validation.estimators import is_estimator

# What was spelled already or is being spelled, by its identity, and kept so that this stays its.
Known: TypeAlias = dict[int, tuple[Any, str]]

PLAIN = (bool, int, float, complex, str, bytes, np.generic)
TABLES = ("pandas", "polars", "pyarrow")
INSTALLED = ("site-packages", "dist-packages")
# Of a class: what is not code, what its bases tell, and what Python or abc keep there themselves.
ASIDE = {
    *("__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__slots__"),
    *("__annotations__", "__annotate__", "__annotate_func__", "__annotations_cache__"),
    *("__firstlineno__", "__static_attributes__", "__abstractmethods__", "_abc_impl"),
}


def digest(value: Any) -> str:
    """Return a text that differs where data, estimators or parameters differ.

    The same in every process: what is spelled out is what things are made with and what their code
    does, not where they lie. Of code that is installed, name and version; of the user's own, all
    that it holds and refers to.

    Raises InputError for what nothing tells from others of its kind.
    """
    return _short(_spelled(value, {}))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _spelled(value: Any, known: Known) -> str:
    """Spell out a value with all that it was made with."""
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    if value is None or type(value) in PLAIN or isinstance(value, np.generic):
        return f"{kind}:{value!r}"
    if isinstance(value, Mapping):
        pairs = (f"{_spelled(k, known)}: {_spelled(v, known)}" for k, v in value.items())
        return f"{kind}{{{', '.join(pairs)}}}"
    if type(value) in (list, tuple):
        return f"{kind}[{_listed(value, known)}]"
    if isinstance(value, (set, frozenset)):
        return f"{kind}[{', '.join(sorted(_spelled(item, known) for item in value))}]"
    if id(value) not in known:
        known[id(value)] = value, f"{kind} that holds itself"
        known[id(value)] = value, f"{kind}:{_short(_construction(value, known))}"
    return known[id(value)][1]


def _listed(values: Iterable[Any], known: Known) -> str:
    return ", ".join(_spelled(value, known) for value in values)


def _construction(value: Any, known: Known) -> str:
    """Spell out what is no plain value, once."""
    if isinstance(value, types.FunctionType):
        return _of_function(value, known)
    if isinstance(value, types.CodeType):
        names = (value.co_names, value.co_varnames, value.co_freevars, value.co_flags)
        return _listed([value.co_code, value.co_exceptiontable, *names, *value.co_consts], known)
    if isinstance(value, types.ModuleType):
        return _of_module(value, known)
    if isinstance(value, type):
        return _of_class(value, known)
    if isinstance(value, np.ndarray) or type(value).__module__.partition(".")[0] in TABLES:
        return _of_table(value)
    if is_estimator(value):
        params = value.get_params(deep=False)
        beside = {name: item for name, item in vars(value).items() if name not in params}
        return _listed([type(value), dict(params), beside], known)
    return _of_object(value, known)


def _of_table(value: Any) -> str:
    import joblib

    try:
        return str(joblib.hash(value))
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise _refusal(value) from error


# ---------------------------------------------------------------- code


def _of_function(function: types.FunctionType, known: Known) -> str:
    """Spell out a function: what it does, with which values, and of what else it makes use."""
    name = f"{_versioned(function.__module__)}.{function.__qualname__}"
    installed = _is_installed(function.__module__)
    if installed and "<" not in name:
        return name
    cells = [_of_cell(cell, known) for cell in function.__closure__ or ()]
    uses = {} if installed else {n: function.__globals__[n] for n in _globals_of(function)}
    values = [function.__code__, function.__defaults__, function.__kwdefaults__, cells, uses]
    return f"{name}({_listed([*values, vars(function)], known)})"


def _of_cell(cell: Any, known: Known) -> str:
    try:
        value = cell.cell_contents
    except ValueError:
        return "empty"
    return _spelled(value, known)


def _globals_of(function: types.FunctionType) -> list[str]:
    """Return the names of its module that a function, or one inside it, refers to."""
    steps = (step for code in _codes(function.__code__) for step in dis.get_instructions(code))
    named = {step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return sorted(name for name in named if name in function.__globals__)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _codes(inner)


def _of_class(kind: type, known: Known) -> str:
    """Spell out a class: its name; of the user's own also its bases and all that stands in it."""
    name = f"{_versioned(kind.__module__)}.{kind.__qualname__}"
    if _is_installed(kind.__module__):
        return name
    own = {n: _bare(item) for n, item in vars(kind).items() if n not in ASIDE}
    return f"{name}({_listed([kind.__bases__, own], known)})"


def _bare(item: Any) -> Any:
    """Return the functions inside what stands for a method or a property."""
    if isinstance(item, (staticmethod, classmethod)):
        return type(item).__name__, item.__func__
    if isinstance(item, property):
        return item.fget, item.fset, item.fdel
    return item.func if isinstance(item, functools.cached_property) else item


def _of_module(module: types.ModuleType, known: Known) -> str:
    """Spell out a module; of the user's own its file, and the modules of his that it takes from."""
    name = module.__name__
    if _is_installed(name):
        return _versioned(name)
    file = getattr(module, "__file__", None)
    if file is None or not Path(file).is_file():
        raise _refusal(module)
    taken = {_home(value) for value in vars(module).values()} - {name}
    beside = [sys.modules[other] for other in sorted(taken) if not _is_installed(other)]
    return (
        f"{name}({hashlib.sha256(Path(file).read_bytes()).hexdigest()}, {_listed(beside, known)})"
    )


def _home(value: Any) -> str:
    """Return the name of the module that a value is or comes from, "builtins" if that is none."""
    home = value.__name__ if isinstance(value, types.ModuleType) else None
    if isinstance(value, (type, types.FunctionType)):
        home = value.__module__
    return home if home in sys.modules else "builtins"


def _is_installed(name: str | None) -> bool:
    """Tell whether a module is Python's, of an installed package, or ours: the same next time."""
    module, top = sys.modules.get(name or ""), (name or "").partition(".")[0]
    file = getattr(module, "__file__", None)
    if module is None or file is None:
        return top in sys.stdlib_module_names and top != "__main__"
    home = Path(file)
    standard = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
    return (
        top == "plumbline"
        or not set(INSTALLED).isdisjoint(home.parts)
        or any(home.is_relative_to(folder) for folder in standard)
    )


def _versioned(name: str | None) -> str:
    top = sys.modules.get((name or "").partition(".")[0])
    return f"{name} {getattr(top, '__version__', '')}"


# ---------------------------------------------------------------- objects


def _of_object(value: Any, known: Known) -> str:
    """Spell out an object as pickle would take it apart."""
    inner = getattr(value, "__wrapped__", None) or getattr(value, "py_func", None)
    if isinstance(inner, types.FunctionType):  # cached or compiled: what it does is in there
        return _spelled(inner, known)
    if hasattr(value, "dist") and hasattr(value, "kwds"):  # a distribution of scipy with its values
        return _listed([value.dist, value.args, value.kwds], known)
    try:
        registered = copyreg.dispatch_table.get(type(value))
        parts = value.__reduce_ex__(4) if registered is None else registered(value)
        if isinstance(parts, str):
            return _of_name(value)
    except (pickle.PicklingError, TypeError, AttributeError, NotImplementedError) as error:
        raise _refusal(value) from error
    make, args, state, *items = (*parts, None, None, None)[:5]
    contents = [None if item is None else list(item) for item in items]
    return _listed([type(value), make, args, _without_generator(value, state), contents], known)


def _of_name(value: Any) -> str:
    """Spell out what is only known by its name, which must be that of something installed."""
    home = getattr(value, "__module__", None)
    if home is not None and not _is_installed(home):
        raise _refusal(value)
    return f"{_versioned(home)}:{pickle.dumps(value, 4)!r}"


def _without_generator(value: Any, state: Any) -> Any:
    """Leave out the chance of a distribution's own, another in every process and never used."""
    if hasattr(value, "rvs") and isinstance(state, dict):
        return {name: item for name, item in state.items() if name != "_random_state"}
    return state


def _refusal(value: Any) -> InputError:
    return InputError(
        f"finished work is kept only if a later call can recognise it, and {shorten(value)} has "
        "no stable identity; define the functions and classes of the models in a file, or keep "
        "nothing (leave out `folder`, or --out)",
        code="not-told-apart",
    )
