"""Plumbline: are probabilities calibrated, where does the threshold go, which classifier is better.

The names are listed in `__init__.pyi`; each package is imported when a name of it is first used.

>>> import plumbline as pb
>>> data = pb.Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
>>> round(pb.brier_score(data), 3)
0.075
"""

from types import FunctionType
from typing import Any

import lazy_loader

_attribute, __dir__, _names = lazy_loader.attach_stub(__name__, __file__)
MODULES = ("binning", "plots", "results", "sklearn")  # there as attributes, not for `import *`
__all__ = [name for name in _names if name not in MODULES]
_functions: dict[str, Any] = {}  # in globals() doctest would find their examples again


def __getattr__(name: str) -> Any:
    """Import the package of a public name when it is first asked for."""
    if name == "__version__":
        from plumbline._distribution import installed_version

        return installed_version()
    if name in _functions:
        return _functions[name]
    if name not in _names:
        raise AttributeError(_unknown(name))
    result = _attribute(name)
    if isinstance(result, FunctionType):
        from plumbline.predictions.table import with_arguments_checked

        result = _functions[name] = with_arguments_checked(result, __name__)
        globals().pop(name, None)  # where lazy_loader put the function as it is
    return result


def _unknown(name: str) -> str:
    """Say that there is no such name, and where it or a near one is."""
    text = f"module {__name__!r} has no attribute {name!r}"
    if name.startswith("_"):  # asked for by machines, thousands of times where tests are collected
        return text
    from plumbline import results
    from plumbline._checks import near_names

    if name in dir(results):
        return f"{text}; it is plumbline.results.{name}"
    return f"{text}{near_names(name, __all__)}"
