"""Self-contained files for people: the report of a prediction table, and the page of one curve."""

from plumbline.reporting.contents import Chapter, Diagram, Evaluation, Report
from plumbline.reporting.curve_files import save_curve, save_difference
from plumbline.reporting.writer import report

__all__ = ["Chapter", "Diagram", "Evaluation", "Report", "report", "save_curve", "save_difference"]
