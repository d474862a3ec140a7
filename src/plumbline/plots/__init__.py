"""Pictures of results: draw(result, ax). No function here sees data or computes a measure.

Every `draw_...` function paints on axes of your own, every `..._figure` makes a whole picture, and
`save_figure` writes one as PNG, SVG or PDF. All need matplotlib (`plumbline[plot]`); none touches
its global settings or imports its pyplot.
"""

from plumbline.plots.error_ranges import draw_errors, errors_figure
from plumbline.plots.export import figure_svg, save_figure
from plumbline.plots.null_histogram import draw_null, null_figure
from plumbline.plots.reliability import draw_counts, draw_reliability, reliability_figure

__all__ = [
    "draw_counts",
    "draw_errors",
    "draw_null",
    "draw_reliability",
    "errors_figure",
    "figure_svg",
    "null_figure",
    "reliability_figure",
    "save_figure",
]
