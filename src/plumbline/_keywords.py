"""Keywords that a function does not take: each is refused by the one that is meant."""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any, TypeVar, cast

from plumbline._checks import near_names, shown
from plumbline.errors import ParameterError
from plumbline.formatting import quoted

Class = TypeVar("Class", bound=type)

TABLE = "Predictions.from_arrays(y_true, y_prob"  # where what belongs to the rows is said
MOST_SHOWN = 20  # arguments that an error lists; no public function takes more


@dataclass(frozen=True, slots=True)
class Word:
    """A keyword as others call it.

    Attributes
    ----------
    ours : what is meant, by the names that functions here have for it
    example : how it is written where the name alone does not say so
    elsewhere : where it is said, for functions that have none of these names
    """

    ours: tuple[str, ...]
    example: str = ""
    elsewhere: str = ""


_LABELS = f"Labels and probabilities are one table: {TABLE})"
_POSITIVE = f"The positive class belongs to the table: {TABLE}, positive=...)"
_WEIGHT = f"Weights belong to the rows: a column 'weight', or {TABLE}, weight=...)"
_CLASSES = f"Classes belong to the table: columns 'p:CLASS', or {TABLE}, classes=[...])"
_BINS = "Bins are an argument of what is measured in them: calibration_error(data, bins=10)"
_GROUPS = "Groups belong to the table: data.in_groups('id'), or read(..., rename={'id': 'groups'})"

# Words of scikit-learn and scipy, and our own for the functions that have scikit-learn's.
WORDS = {
    "bins": Word(("n_bins",), elsewhere=_BINS),
    "binning": Word(("bins", "n_bins"), elsewhere=_BINS),
    "class_names": Word(("classes", "labels"), elsewhere=_CLASSES),
    "classes": Word(("labels",), elsewhere=_CLASSES),
    "confidence_level": Word(("level",)),
    "group": Word(("by",), elsewhere=_GROUPS),
    "groups": Word(("by",), elsewhere=_GROUPS),
    "labels": Word(("classes",), elsewhere=_CLASSES),
    "metric": Word(("metrics",)),
    "n_bins": Word(("bins",), elsewhere=_BINS),
    "n_boot": Word(("resamples",)),
    "n_bootstrap": Word(("resamples",)),
    "n_jobs": Word(("workers",)),
    "n_resamples": Word(("resamples",)),
    "pos_label": Word(("positive", "target"), elsewhere=_POSITIVE),
    "positive": Word(("pos_label", "target"), elsewhere=_POSITIVE),
    "random_state": Word(("rng",)),
    "sample_weight": Word(("weight",), elsewhere=_WEIGHT),
    "seed": Word(("rng",)),
    "strategy": Word(("bins",), "bins='equal-size:10'", _BINS),
    "target": Word(("positive", "pos_label"), elsewhere=_POSITIVE),
    "weight": Word(("sample_weight",), elsewhere=_WEIGHT),
    "weights": Word(("weight", "sample_weight"), elsewhere=_WEIGHT),
    "y_pred": Word(("predicted", "y_prob", "prob"), elsewhere=_LABELS),
    "y_prob": Word(("prob",), elsewhere=_LABELS),
    "y_proba": Word(("y_prob", "prob"), elsewhere=_LABELS),
    "y_score": Word(("y_prob", "prob"), elsewhere=_LABELS),
    "y_true": Word(("y", "actual"), elsewhere=_LABELS),
}


def known_keywords(function: FunctionType, given: Iterable[str], called: str = "") -> None:
    """Refuse a keyword that a function does not take, and suggest the one that is meant.

    Words of other libraries stand in `WORDS`; else it is the nearest name. `called` is the name of
    the function for those who call it.
    """
    code = function.__code__
    if code.co_flags & inspect.CO_VARKEYWORDS:  # it takes any
        return
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    for name in given:
        if name not in known:
            raise ParameterError(
                f"{called or function.__name__} takes no argument `{name}`{_hint(name, known)}",
                code="unknown-argument",
                argument=name,
            )


def _hint(name: str, known: tuple[str, ...]) -> str:
    """Return what is meant by a keyword, where that is given, or what there is."""
    word = WORDS.get(name, Word(()))
    for one in word.ours:
        if one in known:
            such_as = f", such as {word.example}" if word.example else ""
            return f". Did you mean {quoted(one)}{such_as}?"
    own = [one for one in known if one not in ("self", "cls")]
    if word.elsewhere:
        return f". {word.elsewhere}"
    return near_names(name, own) or f". It takes {shown(own, MOST_SHOWN) or 'none'}."


def with_keywords_checked(
    function: FunctionType, called: str = "", private: Callable[[], Exception] | None = None
) -> FunctionType:
    """Return a function that refuses a keyword by the one that is meant; else it is the same.

    Of one that is not for users, `private` makes the error instead.
    """
    own = cast(FunctionType, inspect.unwrap(function))  # scikit-learn wraps `transform`, too

    @functools.wraps(function)
    def checked(*args: Any, **named: Any) -> Any:
        if named:
            try:
                known_keywords(own, named, called)
            except ParameterError as error:
                raise (error if private is None else private()) from None
        return function(*args, **named)

    return cast(FunctionType, checked)


def keywords_checked(made: Class, *, private: Callable[[], Exception] | None = None) -> Class:
    """Return a class whose constructor and public methods refuse keywords that they do not take.

    `private` makes the error of a constructor that is not for users.
    """
    for name, held in _public(made):
        if name == "__init__":
            setattr(made, name, with_keywords_checked(held, made.__name__, private))
        elif isinstance(held, classmethod | staticmethod):
            setattr(made, name, type(held)(with_keywords_checked(cast(Any, held.__func__))))
        else:
            setattr(made, name, with_keywords_checked(held))
    return made


def _public(made: type) -> Iterator[tuple[str, Any]]:
    """Yield the constructor and the public methods that a class itself defines."""
    for name, held in list(vars(made).items()):
        is_method = isinstance(held, FunctionType | classmethod | staticmethod)
        if is_method and (name == "__init__" or not name.startswith("_")):
            yield name, held
