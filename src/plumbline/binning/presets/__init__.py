"""Where other projects put a score: each rule a function of the scores, quirks included."""

from plumbline.binning.presets.placing import Foreign, Rule, Whole
from plumbline.binning.presets.rules import (
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
    torchmetrics_width,
)
from plumbline.binning.presets.thesis import thesis_size, thesis_width

__all__ = [
    "Foreign",
    "Rule",
    "Whole",
    "blog_size",
    "blog_width",
    "guo_width",
    "mapie_size",
    "netcal_size",
    "netcal_width",
    "sklearn_size",
    "sklearn_width",
    "tfp_size",
    "tfp_width",
    "thesis_size",
    "thesis_width",
    "torchmetrics_width",
]
