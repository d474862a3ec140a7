"""The words that texts of Plumbline do not use (scripts/words.py)."""

import importlib.util
from pathlib import Path

FILE = Path(__file__).resolve().parents[1] / "scripts" / "words.py"
_SPEC = importlib.util.spec_from_file_location("words", FILE)
assert _SPEC is not None
assert _SPEC.loader is not None
words = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(words)


def test_prose_is_looked_at_and_code_is_not() -> None:
    """Literals of several words and docstrings count; names, options and examples do not."""
    source = '"""What happened."""\nkey = "mended"\nx = f"{key} is mended"\n"a `mended` row"\n'
    assert sorted(found[1:3] for found in words.in_python("a.py", source)) == [
        (1, "happened"),
        (3, "mended"),
    ]


def test_texts_of_the_front_end() -> None:
    """Text between tags and literals count, names and comments do not."""
    source = (
        "const mended = 1; // mended\nconst a = 'is mended';\nx = <p>What happened {mended}</p>;\n"
    )
    assert [found[1:3] for found in words.in_front_end("a.tsx", source)] == [
        (2, "mended"),
        (3, "happened"),
    ]


def test_long_sentences_of_answers() -> None:
    """A sentence of more than 25 words is refused, also over several lines; a table is none."""
    long = "Word and" + " word" * 13 + "\n" + "word " * 12 + "end."
    assert [found[1] for found in words.in_snapshot("a.txt", f"Short.\n{long}\n")] == [1]
    assert not list(words.in_snapshot("a.txt", "cell  cell\n" * 30))
