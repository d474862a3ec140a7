"""The names that scikit-learn gives to arguments, in errors of the functions that take them."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from plumbline._keywords import known_keywords
from plumbline.errors import FormulaError, PlumblineError, reworded

Function = TypeVar("Function", bound=Callable[..., Any])

# Our names of arguments -> those of the functions here.
THEIRS = {
    "bins": "n_bins",
    "weight": "sample_weight",
    "classes": "labels",
    "positive": "pos_label",
    "target": "pos_label",
}


def in_words_of_sklearn(function: Function) -> Function:
    """Return a function whose errors name the arguments that it has.

    A keyword that it does not take is refused by the one that is meant.
    """

    @functools.wraps(function)
    def worded(*args: Any, **named: Any) -> Any:
        known_keywords(cast(Any, function), named)
        try:
            return function(*args, **named)
        except FormulaError:
            raise
        except PlumblineError as error:
            raise reworded(error, THEIRS) from None

    return cast(Function, worded)
