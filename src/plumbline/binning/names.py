"""Binnings by name."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias, cast

import numpy as np

from plumbline._checks import near_names, shorten
from plumbline.binning.histogram import RULES, HistogramRule
from plumbline.binning.least import AtLeast
from plumbline.binning.outcome import Isotonic, MonotoneSweep
from plumbline.binning.placements import CENTRE, TAILS, BetaSize, BetaWidth, LogOddsWidth
from plumbline.binning.schemes import (
    Binning,
    Edges,
    EqualSize,
    EqualWidth,
    OnePerPoint,
    OnePerValue,
)
from plumbline.errors import ParameterError


def _at(scheme: Callable[..., Binning], shape: tuple[float, float]) -> Callable[..., Binning]:
    return partial(scheme, alpha=shape[0], beta=shape[1])


# Name -> the scheme, and the arguments that may follow its number of bins behind a comma.
SCHEMES: dict[str, tuple[Callable[..., Binning], tuple[str, ...]]] = {
    "equal-width": (EqualWidth, ("span",)),
    "equal-size": (EqualSize, ()),
    "log-odds-width": (LogOddsWidth, ("outermost",)),
    "tail-width": (_at(BetaWidth, TAILS), ()),
    "centre-width": (_at(BetaWidth, CENTRE), ()),
    "beta-width": (BetaWidth, ("alpha", "beta")),
    "tail-size": (_at(BetaSize, TAILS), ()),
    "centre-size": (_at(BetaSize, CENTRE), ()),
    "beta-size": (BetaSize, ("alpha", "beta")),
}
PLAIN: dict[str, Callable[[], Binning]] = {
    "one-per-point": OnePerPoint,
    "one-per-value": OnePerValue,
    "isotonic": Isotonic,
    "monotone-sweep": MonotoneSweep,
}
KNOWN = (
    *("equal-width:15", "equal-size:10", *PLAIN, *RULES, "edges:0,0.5,1"),
    *("log-odds-width:15", "tail-width:15", "centre-width:15", "beta-width:15,0.5,2"),
    *("tail-size:15", "centre-size:15", "beta-size:15,0.5,2"),
    *("equal-width:15,data", "freedman-diaconis:unit", "equal-width:15,min=20"),
)
# What every public function with a `bins` takes; `binning_of` says what it means.
BinsLike: TypeAlias = int | str | Binning
LEAST = re.compile(r"(?P<bins>.*),\s*min\s*=\s*(?P<rows>[^,]*)")


def binning_of(bins: BinsLike) -> Binning:
    """Return the binning that a number, a name or a binning stands for.

    Parameters
    ----------
    bins : int, str or Binning
        A whole number is a number of equal-width bins on [0, 1]: 10 and "10" are
        "equal-width:10". A name such as "equal-size:10" is one of `KNOWN`, with any number of
        bins. A binning passes through.

    Returns
    -------
    Binning

    Raises
    ------
    ParameterError
        If `bins` is none of these.

    Examples
    --------
    >>> binning_of(10), binning_of("equal-size:10"), binning_of("edges:0,0.5,1")
    (EqualWidth(bins=10, span='unit'), EqualSize(bins=10), Edges(values=(0.0, 0.5, 1.0)))
    """
    if isinstance(bins, (int, np.integer)) and not isinstance(bins, bool):
        return EqualWidth(int(bins))
    if not isinstance(bins, str):
        if isinstance(bins, bool | type) or not hasattr(bins, "edges"):
            raise ParameterError(
                "`bins` must be a number of bins such as 15, a binning such as EqualWidth(15) or "
                "Edges([0, 0.5, 1]), or a text such as 'equal-width:15', got "
                f"{shorten(bins)}"
            )
        return bins
    text = bins.strip()
    if text.isdecimal():
        return EqualWidth(int(text))
    joined = LEAST.fullmatch(text)
    if joined is not None:
        return AtLeast(binning_of(joined["bins"]), cast(int, _whole(joined["rows"])))
    name, _, rest = text.partition(":")
    if name in PLAIN and not rest:
        return PLAIN[name]()
    if name in RULES and rest.strip() in ("", "unit", "data"):
        return HistogramRule(name, span=rest.strip() or "data")
    if name == "edges":
        return Edges(cast(Sequence[float], rest.split(",")))
    found = _numbered(name, rest)
    if found is None:
        raise ParameterError(
            f"`bins` must be one of {', '.join(map(repr, KNOWN))} (any number of bins), got "
            f"{shorten(text)}{near_names(text, KNOWN)}"
        )
    return found


def _whole(text: str) -> int | str:
    return int(text) if text.strip().isdecimal() else text


def _numbered(name: str, rest: str) -> Binning | None:
    """Return the scheme with a number of bins and its further numbers; None for another text."""
    if name not in SCHEMES:
        return None
    scheme, arguments = SCHEMES[name]
    if not rest:
        return scheme()
    bins, *numbers = rest.split(",")
    if not bins.strip().isdecimal() or len(numbers) not in (0, len(arguments)):
        return None
    if name == "equal-width" and [more.strip() for more in numbers] not in ([], ["data"], ["unit"]):
        return None
    return scheme(int(bins), **dict(zip(arguments, map(str.strip, numbers), strict=False)))
