"""Settings that a curve does not use, and what they apply with."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any

from plumbline.curves.presets import CurveSettings, name_of_area
from plumbline.curves.recipe import names_of, recipe_of
from plumbline.curves.target_rows import rows_of
from plumbline.errors import ParameterError
from plumbline.predictions import Predictions


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn, as far as it decides which settings have an effect.

    Attributes
    ----------
    settings : complete ones
    categories : whether x is a category, of which a smoothed curve shows means
    rows : whether x and y are values of single rows, so that the order of rows does not change them
    order : whether x or y adds rows up in the order in which they are met
    difference, optimum : whether a difference, and a best threshold, are asked for
    """

    settings: CurveSettings
    categories: bool
    rows: bool
    order: bool
    difference: bool
    optimum: bool

    @property
    def smooth(self) -> bool:
        """Whether points are smoothed along a number."""
        return self.settings.average == "smooth" and not self.categories

    @property
    def means(self) -> bool:
        """Whether points are the means of categories."""
        means = self.settings.average == "smooth" or self.settings.merge == "average"
        return means and self.categories

    @property
    def cloud(self) -> bool:
        """Whether all rows are points, in whatever order."""
        settings = self.settings
        one_each = settings.merge == "none" or settings.direction == "unsorted"
        one_each |= self.means and settings.merge == "average"
        return settings.average == "smooth" and one_each and self.rows

    @property
    def of_thresholds(self) -> bool:
        """Whether x is the threshold, at which a difference counts the rows."""
        key = (self.settings.sort_by or "probability").strip()
        return self.settings.direction != "unsorted" and self.settings.x.strip() in (
            "threshold",
            key,
        )

    @property
    def area_interval(self) -> bool:
        """Whether there is an area that has an interval."""
        whole = self.settings.average in ("merge", "none") and self.settings.multiclass != "macro"
        return not self.difference and whole and name_of_area(self.settings) is not None


def _uses_points(drawing: Drawing) -> bool:
    settings = drawing.settings
    averaged = settings.average == "vertical" or settings.multiclass == "macro"
    return drawing.smooth or drawing.difference or averaged


def _uses_band(drawing: Drawing) -> bool:
    settings = drawing.settings
    spread = settings.band == "none" and settings.average in ("vertical", "threshold")
    return not (drawing.means or spread)


def _uses_level(drawing: Drawing) -> bool:
    drawn = drawing.settings.band == "bootstrap" or drawing.optimum or drawing.difference
    return drawn or drawing.area_interval or drawing.means


def _uses_resamples(drawing: Drawing) -> bool:
    return drawing.settings.band == "bootstrap" or drawing.optimum or drawing.difference


def _uses_direction(drawing: Drawing) -> bool:
    if drawing.difference:
        return drawing.order and not drawing.cloud
    settings = drawing.settings
    means = settings.average == "smooth" and settings.merge == "average"
    averaged = settings.average == "vertical" or settings.multiclass == "macro"
    same = averaged and settings.merge == "last" and not drawing.order
    if same and settings.direction == "ascending":  # the same points, from the other end
        return False
    return not (drawing.cloud or (means and drawing.rows))


def _uses_merge(drawing: Drawing) -> bool:
    if drawing.settings.direction == "unsorted":
        return False
    return not (drawing.difference and drawing.of_thresholds and not drawing.smooth)


# What `curve` takes where nothing is given, so that nobody can tell whether it was.
OF_CALL: Mapping[str, Any] = {
    field.name: field.default
    for field in fields(CurveSettings)
    if field.name in ("points", "thresholds", "span", "band", "level", "resamples")
}

# Setting -> whether a curve uses it, and what it applies with.
RULES: Mapping[str, tuple[Callable[[Drawing], bool], str]] = {
    "points": (
        _uses_points,
        "where a curve is averaged along x: add `average='vertical'` or `average='smooth'`",
    ),
    "thresholds": (
        lambda drawing: drawing.settings.average == "threshold",
        "with `average='threshold'`",
    ),
    "span": (lambda drawing: drawing.smooth, "with `average='smooth'` along a number"),
    "band": (
        _uses_band,
        "where a line has none of its own: means of categories have an interval, means of folds "
        "their spread",
    ),
    "level": (
        _uses_level,
        "to bands, optima, means of categories, and areas of ROC and precision-recall curves: add "
        "`band='bootstrap'`",
    ),
    "resamples": (_uses_resamples, "to bands and optima: add `band='bootstrap'`"),
    "sort_by": (
        lambda drawing: not drawing.cloud,
        "where the order of the rows is drawn, and here every row is a point by itself",
    ),
    "direction": (
        _uses_direction,
        "where the order of the rows is drawn, and here it changes no point",
    ),
    "merge": (
        _uses_merge,
        "where rows of equal sort value are points, and here they are not",
    ),
}


def unused_settings(
    data: Predictions,
    settings: CurveSettings,
    *,
    difference: bool = False,
    optimum: bool = False,
) -> list[str]:
    """Return the settings that change nothing of what is drawn, or of what is read off it.

    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> unused_settings(data, CurveSettings("FPR", "TPR", target="1"))
    ['points', 'thresholds', 'span', 'resamples']
    """
    target = data.positive if settings.target is None else data.class_number(settings.target)
    recipe = recipe_of(rows_of(data, target), settings)
    drawing = Drawing(
        settings,
        categories=bool(names_of(recipe)),
        rows=all(formula.level == "row" for formula in recipe.formulas),
        order=any(formula.depends_on_order for formula in recipe.formulas),
        difference=difference,
        optimum=optimum,
    )
    return [name for name, (uses, _) in RULES.items() if not uses(drawing)]


def not_usual(given: Mapping[str, Any]) -> list[str]:
    """Return the settings that were given in a call, and are not what the call takes by itself.

    >>> not_usual({"points": 101, "span": 0.3, "merge": None})
    ['span']
    """
    return [
        name
        for name, value in given.items()
        if value is not None and not (name in OF_CALL and value == OF_CALL[name])
    ]


def refuse_unused(
    data: Predictions,
    settings: CurveSettings,
    given: Collection[str],
    *,
    difference: bool = False,
    optimum: bool = False,
) -> None:
    """Refuse settings that were given and change nothing.

    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> refuse_unused(data, CurveSettings("FPR", "TPR", target="1"), ["span"])
    Traceback (most recent call last):
    plumbline.errors.ParameterError: `span` applies only with `average='smooth'` along a number. \
Leave `span` out otherwise.
    """
    if given and not RULES.keys().isdisjoint(given):
        unused = unused_settings(data, settings, difference=difference, optimum=optimum)
        for name in unused:
            if name in given:
                raise ParameterError(
                    f"`{name}` applies only {RULES[name][1]}",
                    code="argument-needs-another",
                    argument=name,
                    remedy=f"leave `{name}` out otherwise",
                )
