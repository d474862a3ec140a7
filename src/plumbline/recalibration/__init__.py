"""Maps that recalibrate probabilities: fitted on held-out predictions, then frozen."""

from plumbline.recalibration.fit_map import fit_map
from plumbline.recalibration.map import RecalibrationMap

__all__ = ["RecalibrationMap", "fit_map"]
