"""Maps that mend probabilities, one file a method: fitted on held-out predictions, then frozen."""

from plumbline.recalibration.temperature import Temperature, fit_temperature

__all__ = ["Temperature", "fit_temperature"]
