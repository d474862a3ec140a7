"""What is asked about a table, and the answers: plain values and arrays, no network."""

from plumbline.workbench.questions.desk import Desk

__all__ = ["Desk"]
