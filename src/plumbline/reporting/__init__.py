"""One self-contained HTML page about a prediction table: verdicts, numbers, pictures, settings."""

from plumbline.reporting.contents import Chapter, Diagram, Report
from plumbline.reporting.writer import report

__all__ = ["Chapter", "Diagram", "Report", "report"]
