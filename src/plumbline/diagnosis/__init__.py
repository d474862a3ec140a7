"""Names the shape of a miscalibration: what is wrong, by how much, what would mend it."""

from plumbline.diagnosis.answers import Diagnosis
from plumbline.diagnosis.diagnosing import diagnose

__all__ = ["Diagnosis", "diagnose"]
