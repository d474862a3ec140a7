"""Everything a curve depends on beside the data, as one value."""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from plumbline._checks import (
    near_names,
    one_of,
    open_fraction,
    share,
    shorten,
    shown,
    whole_number,
)
from plumbline.errors import ParameterError

DIRECTIONS = ("descending", "ascending", "unsorted")
MERGES = ("last", "average", "none")
AVERAGES = ("merge", "none", "vertical", "threshold", "smooth")
BANDS = ("none", "folds", "bootstrap")
MULTICLASS = ("per-class", "micro", "macro")
AVERAGED = ("vertical", "threshold", "smooth")
FOLDS_APART = ("none", "vertical", "threshold")
BOUNDS = {"points": (2, 100_000), "thresholds": (2, 100_000), "resamples": (20, 1_000_000)}


@dataclass(frozen=True, slots=True)
class CurveSettings:
    """What was asked of a curve; every value is checked when it is made.

    Attributes
    ----------
    x, y : formulas
    preset : the named curve it came from
    sort_by : "probability", "score", an attribute, or a formula of rows (a policy); None for the
        rating that the table has
    direction : "descending", "ascending" or "unsorted"
    merge : what rows of equal sort value become: "last", "average" or "none"
    average : what folds become: "merge", "none", "vertical", "threshold" or "smooth"
    points : number of x values of vertical averaging and smoothing
    thresholds : number of thresholds of threshold averaging
    span : share of the rows in a smoothing window
    band : "none", "folds" or "bootstrap"; level : coverage of the band; resamples, seed : its draws
    where : formula of the rows to keep
    target : the class that counts as positive
    multiclass : None for one target against the rest; "per-class", "micro" or "macro"
    params : values for `param("name", default)`
    x_title, y_title : titles of the axes, None for those of the preset or the formulas
    """

    x: str
    y: str
    preset: str | None = None
    sort_by: str | None = None
    direction: str = "descending"
    merge: str = "last"
    average: str = "merge"
    points: int = 101
    thresholds: int = 20
    span: float = 0.5
    band: str = "none"
    level: float = 0.95
    resamples: int = 500
    seed: int | None = 0
    where: str | None = None
    target: str | None = None
    multiclass: str | None = None
    params: Mapping[str, float] = field(default_factory=dict)
    x_title: str | None = None
    y_title: str | None = None

    def __post_init__(self) -> None:
        one_of("direction", self.direction, DIRECTIONS)
        one_of("merge", self.merge, MERGES)
        one_of("average", self.average, AVERAGES)
        one_of("band", self.band, BANDS)
        if self.multiclass is not None:
            one_of("multiclass", self.multiclass, MULTICLASS)
        for name, (least, most) in BOUNDS.items():
            number = whole_number(name, getattr(self, name), least=least, most=most)
            object.__setattr__(self, name, number)
        object.__setattr__(self, "span", share("span", self.span))
        object.__setattr__(self, "level", open_fraction("level", self.level))
        object.__setattr__(self, "params", _numbers(self.params))
        for name in ("x", "y", "sort_by", "where", "x_title", "y_title"):
            value = getattr(self, name)
            if not isinstance(value, str) and (value is not None or name in ("x", "y")):
                raise ParameterError(f"`{name}` must be a text, got {shorten(value)}")
        self._check_pairs()

    def _check_pairs(self) -> None:
        """Refuse what cannot be had together."""
        if self.direction == "unsorted" and self.sort_by is not None:
            raise ParameterError(
                f"`sort_by` is {self.sort_by!r}, and the direction is 'unsorted'; leave one out"
            )
        if self.band == "bootstrap" and self.average in FOLDS_APART:
            raise ParameterError(
                f"`band` 'bootstrap' resamples the rows of one curve, and `average` is "
                f"{self.average!r}; use average='merge' or 'smooth', or band='folds'"
            )
        if self.band == "folds" and self.average not in ("vertical", "threshold"):
            raise ParameterError(
                f"`band` 'folds' is the spread of averaged folds, and `average` is "
                f"{self.average!r}; use average='vertical' or 'threshold'"
            )
        if self.multiclass == "macro" and (self.band != "none" or self.average in AVERAGED):
            raise ParameterError(
                "`multiclass` 'macro' is a mean itself, of the classes' curves: it has no band and "
                "no mean over folds; use multiclass='per-class', or average='merge' without a band"
            )
        if self.target is not None and self.multiclass is not None:
            raise ParameterError("`multiclass` takes every class in turn; leave `target` out")

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as strict JSON can hold them; `settings_from` reads them again.

        A parameter that is infinite or undefined stands as text, which `float` reads.
        """
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        params = {k: v if math.isfinite(v) else str(v) for k, v in self.params.items()}
        return {**values, "params": params}


SETTING_NAMES = tuple(field.name for field in dataclasses.fields(CurveSettings))


def settings_from(values: Mapping[str, Any]) -> CurveSettings:
    """Return settings from their names and values; refuse names that mean nothing."""
    for name in values:
        if name not in SETTING_NAMES:
            raise ParameterError(
                f"a curve has no setting {name!r}{near_names(name, SETTING_NAMES)}; it has "
                f"{shown(SETTING_NAMES, 30)}"
            )
    missing = [name for name in ("x", "y") if values.get(name) is None]
    if missing:
        raise ParameterError(f"a curve needs a formula for `{missing[0]}`, or the name of a preset")
    return CurveSettings(**values)


def without_seed(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that are not None; chance is asked for as `rng`, never as `seed`."""
    if "seed" in chosen:
        raise ParameterError(
            f"chance is `rng`, and a curve has no argument `seed`; use `rng`, as in "
            f"rng={shorten(chosen['seed'])}"
        )
    return {name: value for name, value in chosen.items() if value is not None}


def _numbers(params: Any) -> dict[str, float]:
    if not isinstance(params, Mapping):
        raise ParameterError(f"`params` must map names to numbers, got {shorten(params)}")
    try:
        return {str(name): float(value) for name, value in params.items()}
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"`params` must map names to numbers, got {shorten(params)}") from None
