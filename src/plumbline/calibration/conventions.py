"""What other projects call a calibration error: `like=` reproduces their numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from plumbline.binning import (
    Binning,
    BinRule,
    EqualSize,
    EqualWidth,
    OnePerPoint,
    PresetBinning,
    blog_size,
    blog_width,
    guo_width,
    mapie_size,
    netcal_size,
    netcal_width,
    sklearn_size,
    sklearn_width,
    tfp_size,
    tfp_width,
    thesis_size,
    thesis_width,
    torchmetrics_width,
)

if TYPE_CHECKING:
    pass

# How the bins of a preset are taken together: the norm, and what a bin counts.
Aggregation: TypeAlias = tuple[float, str]
ECE: Aggregation = (1.0, "weight")
RMS: Aggregation = (2.0, "weight")
MCE: Aggregation = (float("inf"), "weight")
AVERAGE: Aggregation = (1.0, "bins")
AGGREGATION_NAMES: dict[Aggregation, str] = {
    ECE: "norm 1",
    RMS: "norm 2",
    MCE: "norm max",
    AVERAGE: "norm 1 with every filled bin weighted equally",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorPreset:
    """What another project means by the name of a scheme, and what it has at all.

    Attributes
    ----------
    source : what was read and run: package, version, function
    closed : which scores are in a bin, "(lo, hi]" or "[lo, hi)"
    width, size : what "equal-width:b" and "equal-size:b" mean there; "" where it has no such bins
    width_rule, size_rule : the same as functions
    points : whether it has one bin a point, which is the same everywhere
    extra : bins it has beyond those asked for
    least : fewest bins it gives a number for
    views : the views it has
    measures : the norms and countings it has
    single : views for which it looks at the scores in float32, whatever they are
    any_distance : whether other distances than "absolute" are its own too
    """

    source: str
    closed: str
    width: str
    size: str = ""
    width_rule: BinRule
    size_rule: BinRule | None = None
    points: bool = False
    extra: int = 0
    least: int = 1
    views: tuple[str, ...] = ("one-vs-rest", "top-label")
    measures: tuple[Aggregation, ...] = (ECE,)
    single: tuple[str, ...] = ()
    any_distance: bool = False

    @property
    def bins(self) -> list[str]:
        """The schemes it has, as they are written."""
        sized, points = self.size_rule is not None, self.points
        return ["equal-width:b", *["equal-size:b"] * sized, *["one-per-point"] * points]

    def meaning(self, scheme: Binning | None) -> str:
        """Say what the name of a scheme means there, and which edge belongs to a bin."""
        return f"{self.closed}: {self.size if isinstance(scheme, EqualSize) else self.width}"

    def placed(self, scheme: Binning | None, view: str) -> Binning | None:
        """Return the scheme by its rule, or None where it has no such scheme."""
        single = view in self.single
        if isinstance(scheme, OnePerPoint) and self.points:
            return scheme
        if isinstance(scheme, EqualWidth) and scheme.span == "unit":
            return PresetBinning(scheme, self.width_rule, self.extra, single)
        if isinstance(scheme, EqualSize) and self.size_rule is not None:
            return PresetBinning(scheme, self.size_rule, 0, single)
        return None


PRESETS: Mapping[str, ErrorPreset] = {
    "thesis": ErrorPreset(
        source="the code of Increasing the Power of a Classifier's Calibration Test (Tartu, 2020)",
        closed="[lo, hi)",
        width="bin p // (1 / b), so a decimal that is an edge falls to either side",
        size="the sorted rows cut into b parts, so equal scores may be split by the order of rows",
        width_rule=thesis_width,
        size_rule=thesis_size,
        points=True,
        views=("one-vs-rest", "top-label", "classwise"),
        any_distance=True,
    ),
    "sklearn": ErrorPreset(
        source="scikit-learn 1.9.1: sklearn.calibration.calibration_curve, weighted by counts",
        closed="(lo, hi]",
        width="edges in float64 whatever the scores are: 0.1 in float32 falls above the edge 0.1",
        size="interpolated percentiles, which stand between scores; equal ones leave bins empty",
        width_rule=sklearn_width,
        size_rule=sklearn_size,
        measures=(ECE, RMS, MCE, AVERAGE),
    ),
    "torchmetrics": ErrorPreset(
        source="torchmetrics 1.9.0: binary_calibration_error for one class, "
        "multiclass_calibration_error for the top label",
        closed="[lo, hi)",
        width="p = 1 is in a bin of its own; the top label's probability is taken in float32",
        width_rule=torchmetrics_width,
        extra=1,
        measures=(ECE, RMS, MCE),
        single=("top-label",),
    ),
    "netcal": ErrorPreset(
        source="netcal 1.4.0: ECE, MCE, ACE; 1-D input for one class, 2-D with more than two "
        "classes for the top label",
        closed="[lo, hi)",
        width="p = 0 and p = 1 are moved inside by the rounding unit; no number for float32 scores "
        "on edges",
        size="interpolated quantiles; no number where two of them coincide",
        width_rule=netcal_width,
        size_rule=netcal_size,
        measures=(ECE, MCE, AVERAGE),
    ),
    "tfp": ErrorPreset(
        source="TensorFlow Probability 0.26: expected_calibration_error, and "
        "expected_calibration_error_quantiles with log_space_buckets=True",
        closed="[lo, hi)",
        width="bin floor(b p) in float32, so a decimal that is an edge falls to either side",
        size="scores of the nearest rank as edges, in float32",
        width_rule=tfp_width,
        size_rule=tfp_size,
        single=("one-vs-rest", "top-label"),
    ),
    "guo2017": ErrorPreset(
        source="the code of Guo et al. (2017): temperature_scaling.py, _ECELoss",
        closed="(lo, hi]",
        width="edges in float32, so 0.7 in float64 falls above the edge 0.7; p = 0 is in no bin",
        width_rule=guo_width,
    ),
    "blog": ErrorPreset(
        source="code copied from a blog: digitize(p, linspace(0, 1, num=b), right=True)",
        closed="(lo, hi]",
        width="b edges, so b - 1 bins and one for p = 0",
        size="b quantiles, so at most b - 1 bins and one for the scores equal to the least",
        width_rule=blog_width,
        size_rule=blog_size,
        least=2,
        views=("one-vs-rest", "top-label", "classwise"),
    ),
    "mapie": ErrorPreset(
        source="MAPIE 1.6.0: mapie.metrics.calibration.expected_calibration_error",
        closed="(lo, hi]",
        width="b edges, so b - 1 bins and one for p = 0",
        size="b percentiles, so b - 1 bins and one for the scores equal to the least",
        width_rule=blog_width,
        size_rule=mapie_size,
        least=2,
        views=("one-vs-rest", "top-label", "classwise"),
    ),
}

# Packages that smooth a curve instead, whose errors are in `lowess`.
SMOOTH_NAMES = ("rms",)
CONVENTIONS = (*PRESETS, *SMOOTH_NAMES)
