"""Windows of time in sequence: is each calibrated, and since when not, at a known alarm rate."""

from plumbline.monitoring.baseline import Baseline
from plumbline.monitoring.e_process import EProcess, centre_of, log_e_values
from plumbline.monitoring.monitor import monitor
from plumbline.monitoring.over_time import over_time
from plumbline.monitoring.results import MonitoredWindow, Monitoring

__all__ = [
    "Baseline",
    "EProcess",
    "MonitoredWindow",
    "Monitoring",
    "centre_of",
    "log_e_values",
    "monitor",
    "over_time",
]
