"""Names the shape of a miscalibration: what is wrong, by how much, what would mend it."""

from plumbline.calibration_tests.diagnosis.answers import Diagnosis
from plumbline.calibration_tests.diagnosis.diagnosing import diagnose

__all__ = ["Diagnosis", "diagnose"]
