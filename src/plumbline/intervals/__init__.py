"""Between which values a calibration error, an estimate or a score truly lies."""

from plumbline.intervals.finding import Interval, interval_of

__all__ = ["Interval", "interval_of"]
