"""Self-contained files for people: the report of a prediction table, and the page of one curve."""

from plumbline.reporting.contents import (
    Chapter,
    Diagram,
    Evaluation,
    Report,
    ReportParams,
    evaluate,
)
from plumbline.reporting.curve_files import save_curve, save_difference
from plumbline.reporting.gallery import Gallery
from plumbline.reporting.recalibration_chapter import RecalibrationChapter, recalibration_chapter
from plumbline.reporting.writer import report

__all__ = [
    "Chapter",
    "Diagram",
    "Evaluation",
    "Gallery",
    "RecalibrationChapter",
    "Report",
    "ReportParams",
    "evaluate",
    "recalibration_chapter",
    "report",
    "save_curve",
    "save_difference",
]
