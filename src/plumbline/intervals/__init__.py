"""Confidence intervals of calibration errors, estimates and scores."""

from plumbline.intervals.interval import Interval, interval_of

__all__ = ["Interval", "interval_of"]
