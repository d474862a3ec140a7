"""Pictures of results: draw(result, ax). No function here sees data or computes a measure.

Every `draw_...` function paints on axes of your own, every `..._figure` makes a whole picture, and
`save_figure` writes one as PNG, SVG or PDF. All need matplotlib (the extra `plot`); none touches
its global settings or imports its pyplot.
"""

from plumbline._keywords import with_keywords_checked
from plumbline.plots.calibration_errors import (
    draw_errors,
    draw_sensitivity,
    draw_steps,
    errors_figure,
    sensitivity_figure,
    steps_figure,
)
from plumbline.plots.class_counts import class_counts_figure, draw_class_counts
from plumbline.plots.comparison import (
    comparison_figure,
    draw_comparisons,
    draw_posterior,
    draw_ranks,
    posterior_figure,
    ranks_figure,
)
from plumbline.plots.confusion import confusion_figure, confusions_figure, draw_confusion
from plumbline.plots.curves import (
    curve_figure,
    difference_figure,
    draw_curve,
    draw_difference,
    multiples_figure,
)
from plumbline.plots.diagnosis import diagnosis_figure, draw_diagnosed_curve, draw_evidence
from plumbline.plots.diagram_axes import diagram_axes
from plumbline.plots.display import Display
from plumbline.plots.figures import figure_of
from plumbline.plots.gate import draw_gate, gate_figure
from plumbline.plots.groups import (
    conditional_bias_figure,
    draw_conditional_bias,
    draw_groups,
    draw_heat_map,
    group_figure,
    heat_map_figure,
)
from plumbline.plots.monitoring import (
    draw_evidence_over_time,
    draw_windows,
    monitoring_figure,
)
from plumbline.plots.null_distributions import (
    count_null_figure,
    draw_count_null,
    draw_null,
    null_figure,
)
from plumbline.plots.power import (
    draw_one_point,
    draw_p_values,
    draw_plan,
    draw_power,
    draw_simplex,
    one_point_figure,
    p_values_figure,
    plan_figure,
    power_figure,
    simplex_figure,
)
from plumbline.plots.recalibration import (
    before_after_figure,
    draw_map,
    draw_methods,
    map_figure,
    methods_figure,
)
from plumbline.plots.reliability import (
    corp_figure,
    draw_corp,
    draw_counts,
    draw_outcomes,
    draw_reliability,
    draw_reliability_bars,
    reliability_bars_figure,
    reliability_figure,
    reliability_panels,
)
from plumbline.plots.save_figure import figure_svg, save_figure
from plumbline.plots.sites import draw_sites, sites_figure

__all__ = [
    "Display",
    "before_after_figure",
    "class_counts_figure",
    "comparison_figure",
    "conditional_bias_figure",
    "confusion_figure",
    "confusions_figure",
    "corp_figure",
    "count_null_figure",
    "curve_figure",
    "diagnosis_figure",
    "diagram_axes",
    "difference_figure",
    "draw_class_counts",
    "draw_comparisons",
    "draw_conditional_bias",
    "draw_confusion",
    "draw_corp",
    "draw_count_null",
    "draw_counts",
    "draw_curve",
    "draw_diagnosed_curve",
    "draw_difference",
    "draw_errors",
    "draw_evidence",
    "draw_evidence_over_time",
    "draw_groups",
    "draw_heat_map",
    "draw_map",
    "draw_methods",
    "draw_null",
    "draw_one_point",
    "draw_outcomes",
    "draw_p_values",
    "draw_plan",
    "draw_posterior",
    "draw_power",
    "draw_ranks",
    "draw_reliability",
    "draw_reliability_bars",
    "draw_sensitivity",
    "draw_simplex",
    "draw_gate",
    "draw_sites",
    "draw_steps",
    "draw_windows",
    "errors_figure",
    "figure_of",
    "figure_svg",
    "group_figure",
    "heat_map_figure",
    "map_figure",
    "methods_figure",
    "gate_figure",
    "monitoring_figure",
    "multiples_figure",
    "null_figure",
    "one_point_figure",
    "p_values_figure",
    "plan_figure",
    "posterior_figure",
    "power_figure",
    "ranks_figure",
    "reliability_bars_figure",
    "reliability_figure",
    "reliability_panels",
    "save_figure",
    "sensitivity_figure",
    "simplex_figure",
    "sites_figure",
    "steps_figure",
]

# Inside the package the functions are called as they are. The first name is the one class.
for _name in __all__[1:]:
    globals()[_name] = with_keywords_checked(globals()[_name])
