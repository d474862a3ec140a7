"""The settings of a curve, each checked, and the named curves (presets), which fix some."""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from plumbline._checks import (
    nearest,
    one_of,
    open_fraction,
    share,
    shorten,
    shown,
    whole_number,
)
from plumbline.errors import ParameterError
from plumbline.formatting import quoted
from plumbline.random_streams import Seed, seed_of

DIRECTIONS = ("descending", "ascending", "unsorted")
MERGES = ("last", "average", "none")
AVERAGES = ("merge", "none", "vertical", "threshold", "smooth")
BANDS = ("none", "folds", "bootstrap")
MULTICLASS = ("per-class", "micro", "macro")
HAS_AREA = ("merge", "none", "vertical")
AUC, AVERAGE_PRECISION, AREA = "AUC", "average precision", "area"
AVERAGED = ("vertical", "threshold", "smooth")
FOLDS_APART = ("none", "vertical", "threshold")
# Least: what a line or a quantile needs; most: what memory holds.
BOUNDS = {"points": (2, 100_000), "thresholds": (2, 100_000), "resamples": (20, 1_000_000)}
Shape: TypeAlias = Literal["line", "step", "pr", "counts", "points"]
Scale: TypeAlias = Literal["linear", "normal-deviate"]
Guide: TypeAlias = Literal[
    "diagonal", "antidiagonal", "prevalence", "perfect gains", "one", "zero", "treat all"
]


@dataclass(frozen=True, slots=True)
class CurveSettings:
    """The settings of a curve; every value is checked.

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
                raise ParameterError(
                    argument=name, rule="a text", arrived=shorten(value), code="wrong-kind"
                )
        self._check_pairs()

    def _check_pairs(self) -> None:
        """Refuse what cannot be had together."""
        if self.direction == "unsorted" and self.sort_by is not None:
            raise ParameterError(
                f"`sort_by` is {quoted(self.sort_by)}, and the direction is 'unsorted'; leave one "
                "of them out",
                code="argument-beside-another",
            )
        if self.band == "bootstrap" and self.average in FOLDS_APART:
            raise ParameterError(
                "`band` 'bootstrap' needs one curve, and `average` is "
                f"{quoted(self.average)}; use `average='merge'` or 'smooth', or "
                "`band='folds'`",
                code="argument-beside-another",
            )
        if self.band == "folds" and self.average not in ("vertical", "threshold"):
            raise ParameterError(
                "`band` 'folds' needs averaged folds, and `average` is "
                f"{quoted(self.average)}; use `average='vertical'` or 'threshold'",
                code="argument-beside-another",
            )
        if self.multiclass == "macro" and (self.band != "none" or self.average in AVERAGED):
            raise ParameterError(
                "`multiclass` 'macro' averages the classes' curves and has no band or "
                "mean over folds; use `multiclass='per-class'`, or `average='merge'` "
                "without a band",
                code="argument-beside-another",
            )
        if self.target is not None and self.multiclass is not None:
            raise ParameterError(
                "`multiclass` covers every class; leave `target` out",
                code="argument-beside-another",
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as strict JSON can hold them; `settings_from` reads them again.

        A parameter that is infinite or undefined stands as text, which `float` reads.
        """
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        params = {k: v if math.isfinite(v) else str(v) for k, v in self.params.items()}
        return {**values, "params": params}


SETTING_NAMES = tuple(field.name for field in dataclasses.fields(CurveSettings))


def settings_from(values: Mapping[str, Any]) -> CurveSettings:
    """Return settings from their names and values; refuse unknown names."""
    for name in values:
        if name not in SETTING_NAMES:
            raise ParameterError(
                f"a curve has no setting {quoted(name)}",
                code="unknown-setting",
                arrived=quoted(name),
                near=nearest(name, SETTING_NAMES),
                remedy=f"it has {shown(SETTING_NAMES, 30)}",
            )
    missing = [name for name in ("x", "y") if values.get(name) is None]
    if missing:
        raise ParameterError(
            f"a curve needs a formula for `{missing[0]}`, or the name of a preset",
            code="formula-missing",
        )
    return CurveSettings(**values)


def given_settings(preset: str | None, given: Mapping[str, Any], rng: Seed) -> dict[str, Any]:
    """Return the settings of a preset, those given over them, and the seed; None is not given."""
    named = {name: value for name, value in given.items() if value is not None}
    own = preset_settings(preset, **named) if preset is not None else named
    return {**own, "seed": seed_of(rng)}


def _numbers(params: Any) -> dict[str, float]:
    if not isinstance(params, Mapping):
        raise ParameterError(
            f"`params` must map names to numbers, got {shorten(params)}", code="wrong-kind"
        )
    try:
        return {str(name): float(value) for name, value in params.items()}
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            f"`params` must map names to numbers, got {shorten(params)}", code="wrong-kind"
        ) from None


@dataclass(frozen=True, slots=True)
class Preset:
    """A named curve.

    Attributes
    ----------
    title : its name in words
    x, y : formulas; `x` is None where the user must name an attribute (`needs` is then "x")
    x_title, y_title : titles of the axes; None for the formula
    explanation : how to read it, and what it does not show
    sort_by, direction, merge, average : as in `CurveSettings`
    shape : how points are joined: "line"; "step", the state stays until the next threshold; "pr",
        by counts that grow linearly (Davis & Goadrich 2006); "counts", by lines, too, of which the
        bars of `class_counts` tell more
    guide : what a reference line shows; None where there is none
    scale : scale of both axes
    square : whether the picture is the unit square
    params : parameters of the formulas, with their default values
    """

    title: str
    x: str | None
    y: str
    x_title: str | None
    y_title: str | None
    explanation: str
    sort_by: str | None = None
    direction: str = "descending"
    merge: str = "last"
    average: str = "merge"
    shape: Shape = "line"
    guide: Guide | None = None
    scale: Scale = "linear"
    square: bool = False
    params: Mapping[str, float] = field(default_factory=dict)

    @property
    def needs(self) -> str | None:
        """What the user must give: "x", an attribute, or nothing."""
        return "x" if self.x is None else None


def _at_threshold(title: str, y: str, y_title: str, explanation: str, **others: Any) -> Preset:
    """Return a curve of something against the threshold."""
    return Preset(title, "threshold", y, "threshold", y_title, explanation, **others)


def _cloud(title: str, y: str, y_title: str, explanation: str, **others: Any) -> Preset:
    """Return a smoothed curve of single rows, against an attribute unless `x` is given."""
    x, x_title = others.pop("x", None), others.pop("x_title", None)
    smoothed = {"merge": "none", "average": "smooth", **others}
    return Preset(title, x, y, x_title, y_title, explanation, **smoothed)


PRESETS: Mapping[str, Preset] = {
    "roc": Preset(
        "ROC curve",
        "FPR",
        "TPR",
        "false positive rate",
        "true positive rate",
        "True positive rate against false positive rate at every threshold. Curves farther above "
        "the diagonal rank rows better. It does not show prevalence or calibration.",
        guide="diagonal",
        square=True,
    ),
    "precision-recall": Preset(
        "Precision–recall curve",
        "recall",
        "precision",
        "recall",
        "precision",
        "Precision against recall at every threshold. The dashed line is a random ranking. It "
        "does not show true negatives; curves of different prevalence are not comparable.",
        shape="pr",
        guide="prevalence",
        square=True,
    ),
    "precision-recall-gain": Preset(
        "Precision–recall–gain curve",
        "1 - (P / N) * (FN / TP)",
        "1 - (P / N) * (FP / TP)",
        "recall gain",
        "precision gain",
        "Precision and recall rescaled so that always predicting positive is 0 and a "
        "perfect model is 1. Points can be joined by straight lines; the upper hull "
        "holds the best thresholds for F scores. Points worse than always positive lie "
        "outside.",
        square=True,
    ),
    "lift": Preset(
        "Lift curve",
        "PP / NN",
        "precision / (P / NN)",
        "share of rows accepted",
        "lift",
        "Share of positives among the top-ranked rows relative to all rows; 1 is a random "
        "ranking. It does not show missed positives, and the left end is based on few rows.",
        guide="one",
    ),
    "gains": Preset(
        "Cumulative gains curve",
        "PP / NN",
        "TPR",
        "share of rows accepted",
        "share of positives found",
        "Share of all positives among the top-ranked rows. The diagonal is a random ranking, the "
        "upper line a perfect one. It does not show the cost of false positives.",
        guide="perfect gains",
        square=True,
    ),
    "calibration": _cloud(
        "Calibration curve",
        "eP",
        "observed share of positives",
        "Observed share of positives against predicted probability. Calibrated predictions lie "
        "on the diagonal, up to sampling noise. It does not show the number of rows per "
        "probability, and smoothing removes narrow bends.",
        x="probability",
        x_title="predicted probability",
        guide="diagonal",
        square=True,
    ),
    "accuracy": _at_threshold(
        "Accuracy by threshold",
        "CA",
        "accuracy",
        "Share of correct predictions at every threshold, positive class against the rest. It "
        "does not show the kind of error, and rare positives make accuracy high without a model.",
        shape="step",
    ),
    "f1": _at_threshold(
        "F1 score by threshold",
        "F1",
        "F1 score",
        "Harmonic mean of precision and recall at every threshold. True negatives do not "
        "count; a false negative and a false positive weigh the same.",
        shape="step",
    ),
    "mcc": _at_threshold(
        "Matthews correlation by threshold",
        "MCC",
        "Matthews correlation",
        "Correlation of observed and predicted class at every threshold: 0 is random, 1 "
        "is perfect. Different costs of the two errors do not count.",
        shape="step",
        guide="zero",
    ),
    "informedness": _at_threshold(
        "Informedness by threshold",
        "informedness",
        "informedness",
        "True positive rate plus true negative rate minus 1 (Youden's J) at every "
        "threshold: 0 is random, 1 is perfect. Both classes weigh the same, whatever "
        "their size.",
        shape="step",
        guide="zero",
    ),
    "det": Preset(
        "Detection error trade-off",
        "FPR",
        "FNR",
        "false positive rate",
        "false negative rate",
        "False negative rate against false positive rate on normal-deviate axes, where normally "
        "distributed scores give straight lines. Lower left is better. It does not show "
        "prevalence; rates of 0 and 1 lie at the edge.",
        guide="antidiagonal",
        scale="normal-deviate",
    ),
    "cost": _at_threshold(
        "Cost by threshold",
        '(FN * param("fn_cost", 5) + FP * param("fp_cost", 1)) / NN',
        "cost per row",
        "Mean cost of errors per row at every threshold, with a cost per false negative "
        "and per false positive. The lowest point is the best threshold. Its cost is "
        "optimistic: it was chosen on these rows.",
        shape="step",
        params={"fn_cost": 5.0, "fp_cost": 1.0},
    ),
    "net-benefit": _at_threshold(
        "Net benefit",
        "TP / NN - FP / NN * threshold / (1 - threshold)",
        "net benefit",
        "True positives minus weighted false positives per row; the weight is the odds "
        "of the threshold (Vickers & Elkin 2006). A model is useful where its curve is "
        "above treating all and none. Calibrate the probabilities first.",
        sort_by="probability",
        guide="treat all",
    ),
    "profit": _at_threshold(
        "Profit by threshold",
        'cumm(param("gain", 1) if eP else -param("loss", 1))',
        "profit",
        "Total profit of the accepted rows at every threshold: a gain per positive, a loss per "
        "negative. For your own amounts use y such as `cumm(interest if eP else -amount)`. The "
        "highest point is optimistic, and the total grows with the number of rows.",
        shape="step",
        guide="zero",
        params={"gain": 1.0, "loss": 1.0},
    ),
    "accuracy-by-probability": _cloud(
        "Accuracy by probability",
        "eCA",
        "share of correct predictions",
        "Share of correct predictions against predicted probability; it is lowest where the "
        "model is uncertain. It does not show the number of rows per probability or the kind of "
        "error.",
        x="probability",
        x_title="predicted probability",
    ),
    "error-by-attribute": _cloud(
        "Errors by attribute",
        "1 - eCA",
        "share of wrong predictions",
        "Share of wrong predictions by attribute value or category. Association is no "
        "proof of a cause, and small groups vary at random.",
    ),
    "class-counts": _cloud(
        "Classes by attribute",
        "eP",
        "share of positives",
        "Share of positives and number of rows by attribute value or category: the data behind "
        "every other curve over the attribute. It does not depend on the model.",
        shape="counts",
    ),
    "ks": _at_threshold(
        "Kolmogorov–Smirnov curve",
        "TPR - FPR",
        "TPR − FPR",
        "Share of positives minus share of negatives above every threshold. The highest point is "
        "the Kolmogorov–Smirnov distance of their scores. Only that threshold matters.",
        shape="step",
        guide="zero",
    ),
    "queue-rate": _at_threshold(
        "Queue rate",
        "PP / NN",
        "share of rows accepted",
        "Share of rows accepted at every threshold: the workload. It does not show whether the "
        "accepted rows are positive.",
        shape="step",
    ),
}


_DEFAULTS = {setting.name: setting.default for setting in fields(CurveSettings)}


def preset_settings(name: str, **overrides: Any) -> dict[str, Any]:
    """Return the settings of a named curve, ready for `CurveSettings(**...)`.

    `overrides` are settings of `CurveSettings` that win over the preset's; one that is None is as
    good as not given. An axis whose formula is overridden is titled by that formula. Raises
    ParameterError for an unknown name or setting, and where an attribute must be named as `x`.

    >>> settings = preset_settings("error-by-attribute", x="age", span=0.3)
    >>> settings["x"], settings["y"], settings["average"], settings["span"]
    ('age', '1 - eCA', 'smooth', 0.3)
    """
    preset = PRESETS[one_of("preset", name, PRESETS)]
    given = {key: value for key, value in overrides.items() if value is not None}
    for key in given:
        if key not in SETTING_NAMES or key == "preset":
            raise ParameterError(
                f"a preset has no setting {quoted(key)}",
                code="unknown-setting",
                arrived=quoted(key),
                near=nearest(key, SETTING_NAMES),
                remedy=f"these can be overridden: {shown(SETTING_NAMES, 30)}",
            )
    if preset.x is None and "x" not in given:
        raise ParameterError(
            f"the preset {quoted(name)} needs an attribute; name one as `x`, for instance "
            "`x='age'`",
            code="formula-missing",
        )
    fixed = ("x", "y", "sort_by", "direction", "merge", "average")
    own = {key: value for key in fixed if (value := getattr(preset, key)) != _DEFAULTS.get(key)}
    titles = {
        f"{axis}_title": getattr(preset, f"{axis}_title")
        for axis in ("x", "y")
        if axis not in given
    }
    return {"preset": name, **own, **titles, **given}


def preset_of(settings: CurveSettings) -> Preset | None:
    """Return the preset whose formulas these are, whatever name they were given.

    A formula typed by hand is so drawn like the preset it was copied from; one that overrides the
    preset's is not.

    >>> preset_of(CurveSettings(x="FPR", y="TPR")).title
    'ROC curve'
    >>> preset_of(CurveSettings(x="cumm(1) / NN", y="TPR", preset="gains")) is None
    True
    """
    named = [preset for name, preset in PRESETS.items() if name == settings.preset]
    formulas = without_spaces(settings.x), without_spaces(settings.y)
    for preset in (*named, *(p for p in PRESETS.values() if p.x is not None)):
        if (without_spaces(preset.x or settings.x), without_spaces(preset.y)) == formulas:
            return preset
    return None


def name_of_area(settings: CurveSettings) -> str | None:
    """Return what the area under the lines of a curve is called; None where it has no name.

    Only where every state is a point (merge "last") are these the area under the ROC curve and the
    average precision.
    """
    preset = preset_of(settings)
    if settings.merge != "last" or settings.direction == "unsorted":
        return None
    if settings.average not in HAS_AREA:
        return None
    if preset is PRESETS["roc"]:
        return AUC
    return AVERAGE_PRECISION if preset is PRESETS["precision-recall"] else None


def without_spaces(formula: str) -> str:
    """Return a formula without its spaces, which have no effect between the parts of a preset's."""
    return "".join(formula.split())
