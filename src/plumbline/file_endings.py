"""Formats of files by the ending of their names."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from plumbline.errors import ParameterError
from plumbline.formatting import quoted

# Tables of predictions.
TEXT = {".csv": ",", ".tsv": "\t"}  # and the separator that the ending promises
LINES = (".jsonl", ".ndjson")
DOCUMENTS = (".json",)
BINARY = (".parquet", ".arrow", ".feather")
ARCHIVES = (".xlsx", ".eval", ".npz")  # all three are zip files
READ_WHOLE = (*LINES, *DOCUMENTS, *ARCHIVES)  # read at once only, never batch by batch
CODECS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
TABLE_FORMATS = (*TEXT, *LINES, *DOCUMENTS, *BINARY, *ARCHIVES)
PACKABLE = (*TEXT, *LINES, *DOCUMENTS)
NAMES = {".csv": "CSV", ".tsv": "TSV", ".json": "JSON", ".parquet": "Parquet"}
NAMES |= dict.fromkeys(LINES, "JSON lines") | dict.fromkeys(
    (".arrow", ".feather"), "Arrow (Feather)"
)
NAMES |= {".xlsx": "Excel", ".eval": "Inspect AI", ".npz": "NumPy"}
STATE_ENDINGS = (".state",)  # counted rows
TABLE_ENDINGS = (*TABLE_FORMATS, *(form + codec for form in PACKABLE for codec in CODECS))
NEEDED = {".xlsx": "python_calamine"}  # what reads a format, where not every installation has it

# Files that are written.
WRITTEN = (*TEXT, ".jsonl", *BINARY)  # tables of predictions
POINT_ENDINGS, CARD_ENDINGS = (".csv",), (".json",)
PICTURE_ENDINGS = (".svg", ".png", ".pdf")
PAGE_ENDINGS = (".html", ".htm")
REPORT_ENDINGS = (*PAGE_ENDINGS, ".pdf", ".md")
DIFFERENCE_ENDINGS = (*POINT_ENDINGS, *CARD_ENDINGS, *PICTURE_ENDINGS)
CURVE_ENDINGS = (*DIFFERENCE_ENDINGS, *PAGE_ENDINGS)


def need_ending(path: Path, endings: Sequence[str]) -> None:
    """Refuse a file name whose ending is not that of its format."""
    if path.suffix.lower() not in endings:
        raise ParameterError(
            f"{quoted(str(path))} must end in {' or '.join(endings)}", code="wrong-suffix"
        )


def split_ending(name: str) -> tuple[str, str]:
    """Return the endings of a name that give the format and the compression.

    >>> split_ending("scores.CSV.gz"), split_ending("scores.parquet"), split_ending("scores")
    (('.csv', '.gz'), ('.parquet', ''), ('', ''))
    """
    path = Path(name)
    packed = path.suffix.lower()
    if packed not in CODECS:
        return packed, ""
    return Path(path.stem).suffix.lower(), packed


def is_text_file(path: Path) -> bool:
    """Tell whether values of a file have no type but what they look like, as those of CSV."""
    return split_ending(path.name)[0] in TEXT


def sent_endings() -> list[str]:
    """Return the endings of tables that can be sent to the workbench: those that are read here."""
    return [one for one in TABLE_ENDINGS if one not in NEEDED or find_spec(NEEDED[one])]


def formats_named() -> str:
    """Say in which formats a table can be sent to the workbench.

    >>> formats_named().startswith("CSV, TSV, JSON lines, JSON, Parquet, Arrow (Feather)")
    True
    """
    sent = sent_endings()
    *first, last = dict.fromkeys(NAMES[ending] for ending in TABLE_FORMATS if ending in sent)
    return f"{', '.join(first)} and {last} files"
