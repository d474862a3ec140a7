"""What is asked about a table, and the answers: plain values and arrays, no network."""

from plumbline.workbench.questions.table_questions import TableQuestions

__all__ = ["TableQuestions"]
