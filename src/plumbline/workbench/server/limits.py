"""How much one server gives: to an upload, a question, a table, and in all."""

from dataclasses import dataclass

MB = 1 << 20
GB = 1 << 30


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server allows.

    Attributes
    ----------
    upload_bytes, rows : size of an uploaded file, rows of any table
    seconds : time for one question
    memory_bytes : memory of one process, a table and a question about it (enforced on Linux); the
        processes of long questions share the table's memory
    long_questions : how many long questions about one table are worked on at once (on Linux)
    tables : tables open at once, uploads on their way among them
    idle_seconds : how long a table that nobody asks for stays open
    abandoned_seconds : after which one that no page shows makes room for another; a page that is
        shown is heard of every half minute, in the background every minute
    question_bytes : size of a question
    stall_seconds : how long a request may send nothing before it is given up
    grace_seconds : how long cancelled work may take to stop before its process is ended
    """

    upload_bytes: int = 512 * MB
    rows: int = 20_000_000
    seconds: float = 120.0
    memory_bytes: int = 4 * GB
    long_questions: int = 3
    tables: int = 16
    idle_seconds: float = 600.0
    abandoned_seconds: float = 150.0
    question_bytes: int = 1 * MB
    stall_seconds: float = 30.0
    grace_seconds: float = 2.0
