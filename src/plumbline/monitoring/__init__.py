"""Windows of time in sequence: is each calibrated, and since when not, at a known alarm rate."""

from plumbline.monitoring.e_process import EProcess
from plumbline.monitoring.monitor import monitor
from plumbline.monitoring.over_time import over_time
from plumbline.monitoring.results import MonitoredWindow, Monitoring

__all__ = ["EProcess", "MonitoredWindow", "Monitoring", "monitor", "over_time"]
