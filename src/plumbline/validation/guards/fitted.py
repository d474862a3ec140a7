"""Refuses what was fitted before: it may have seen the rows it is to be measured on."""

from collections.abc import Iterator, Mapping
from typing import Any

from plumbline.errors import ParameterError


def need_unfitted(estimator: Any) -> None:
    """Refuse an estimator that was fitted, or that holds one that was, however deep.

    scikit-learn's own copies forget what was fitted, save for what is frozen or declared prefit;
    whoever passes a fitted one expects it to be used as it is, so the refusal says what happens.

    Raises ParameterError naming the place inside.

    >>> class Learner:
    ...     def fit(self, X, y): ...
    >>> need_unfitted(Learner())
    >>> fitted = Learner()
    >>> fitted.classes_ = ["a", "b"]
    >>> need_unfitted(fitted)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    plumbline.errors.ParameterError: `estimator` must not have been fitted...
    """
    for path, part in _parts("", estimator):
        why = _why_refused(part)
        if why is not None:
            where = f" (at {path!r} inside it)" if path else ""
            raise ParameterError(
                f"`estimator` must not have been fitted, for then it may know the rows it is "
                f"measured on: {type(part).__name__}{where} {why}; pass it unfitted (for example "
                "sklearn.base.clone of it), so that each training part fits it anew"
            )


def _why_refused(part: Any) -> str | None:
    if type(part).__name__ == "FrozenEstimator":
        return "keeps what it holds as it was fitted"
    params = _params(part)
    if params.get("cv") == "prefit" or params.get("prefit") is True:
        return "says that what it holds is fitted already"
    known = [
        name
        for name in getattr(part, "__dict__", ())
        if name.endswith("_") and not name.startswith("_")
    ]
    if known:
        return f"has been fitted: it has the attribute {known[0]!r}"
    if _says_it_is_fitted(part):
        return "says that it has been fitted"
    return None


def _says_it_is_fitted(part: Any) -> bool:
    """Ask those that keep their state elsewhere; one that learns nothing always says yes."""
    says = getattr(part, "__sklearn_is_fitted__", None)
    if says is None or _parts_of(part):
        return False  # a composite asks its parts, which are looked at one by one
    return bool(says()) and _learns(part)


def _learns(part: Any) -> bool:
    from sklearn.utils import get_tags

    return bool(get_tags(part).requires_fit)


def _parts(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield every estimator inside a value, and where it stands."""
    if isinstance(value, (list, tuple)):
        for place, item in enumerate(value):
            named = isinstance(item, (list, tuple)) and item and isinstance(item[0], str)
            yield from _parts(_joined(path, item[0] if named else str(place)), item)
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _parts(_joined(path, str(name)), item)
    elif hasattr(value, "fit") and not isinstance(value, type):
        yield path, value
        for name, item in _parts_of(value):
            yield from _parts(_joined(path, name), item)


def _parts_of(part: Any) -> list[tuple[str, Any]]:
    """Return the parameters that hold estimators."""
    return [(name, item) for name, item in _params(part).items() if any(_parts("", item))]


def _params(part: Any) -> dict[str, Any]:
    return dict(part.get_params(deep=False)) if hasattr(part, "get_params") else {}


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
