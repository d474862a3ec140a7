"""Reference lines beside a curve, as a chart draws them."""

from typing import Any

from plumbline.curves import Curve
from plumbline.curves.guides import guide_lines as lines_of


def guide_lines(curve: Curve) -> list[dict[str, Any]]:
    """Return name and corners of a curve's reference lines; an infinite x is an edge of the chart.

    >>> from plumbline.curves import CurveSettings
    >>> [guide["label"] for guide in guide_lines(Curve(CurveSettings("FPR", "TPR"), "", "", []))]
    ['chance']
    """
    return [
        {"label": guide.label, "x": guide.x, "y": guide.y, "second": guide.second}
        for guide in lines_of(curve)
    ]
