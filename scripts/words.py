"""Refuses words that Plumbline does not use, in every text that a user can meet.

    python scripts/words.py            print the words that are refused, and leave with 1
    python scripts/words.py --count    print how many there are in each file
    python scripts/words.py --write    write the counts allowed into scripts/words_allowed.json

Texts are the string literals and docstrings of the package that are prose, the texts of the front
end, the templates of the report, the pages, the committed answers of tests (tests/*/snapshots) and
the help of every command. A sentence of a committed answer has at most 25 words. What
words_allowed.json still allows, by area, may only fall.
"""

import argparse
import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from plumbline.cli import main
from plumbline.cli.program import TITLES

ROOT = Path(__file__).resolve().parents[1]
ALLOWED = ROOT / "scripts" / "words_allowed.json"
MOST_WORDS = 25

# What is refused, as a pattern of words, and what to write.
WORDS = {
    r"mend(s|ed|ing)?": "recalibrate, recalibrated, recalibration",
    r"true probabilit(y|ies)|probabilit(y|ies) (is|are|were) true": "calibrated",
    r"if true": "if calibrated",
    r"happened": "observed",
    r"more closely than they say": "underconfident",
    r"hardly": "very unlikely, rarely",
    r"(by|beyond|of|than|to) chance|chance (alone|adds|gives)": "random, at random, significant",
    r"chance": "random, random seed, probability",
    r"cop(y|ies) of (a |the |other )?rows?|copied rows?|copies": "duplicate rows",
    r"endless": "infinitely many",
    r"torn": "mixed",
    r"league|doctor|lenses": "test benchmark, input checks, binary views",
    r"desk": "questions",
    r"honest(ly)?": "cross-validated, out of sample",
    r"both ways": "two-sided",
    r"divides by nothing": "zero denominator",
    r"(say|says|said) nothing|means? nothing": "has no effect, does not apply",
    r"ha(ve|s) a say|hangs? on|rows at hand": "depends on, these rows",
    r"shop window|houses?|rooms?(?! for)|doors?": "package, module, page, entry point",
}
REFUSED = {re.compile(rf"\b(?:{word})\b", re.IGNORECASE): why for word, why in WORDS.items()}

# Exact uses that are right: pattern of the path, the text as it stands, why.
EXCEPTIONS = (
    ("*", "copies the", "the verb"),
    ("*", "no room", "space"),
    ("*", "without copies", "of an array in memory"),
    ("src/plumbline/synthetic/*", "true probabilities", "those that the labels are drawn from"),
)

STRING = re.compile(r"'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|`(?:\\.|[^`\\])*`")
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\w])//[^\n]*", re.DOTALL)
JSX_TEXT = re.compile(
    r"(?<![=\-])>([^<>{}=;()]*[a-zA-Z][^<>{}=;]*)(?=[<{])|\}([^<>{}=;()]+)(?=[<{])"
)
IMPORT = re.compile(r"^(import|export)\b[^;]*?from [^\n]*$", re.MULTILINE)
FENCE = re.compile(r"^```(python|sh|bash|json|sql|r|toml|yaml)\b.*?^```", re.MULTILINE | re.DOTALL)
INDENTED_CODE = re.compile(r"^ {4,}(>>>|\.\.\.|plumbline |make |\$ ).*$|^\$ .*$", re.MULTILINE)
SQL = re.compile(r"^WITH .*?(?=^$)", re.MULTILINE | re.DOTALL)
TICKED = re.compile(r"(`+)[^`]+?\1")
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}|<(style|script)\b.*?</\1>|<[^>]*>", re.DOTALL)
LINK = re.compile(r"\]\([^)]*\)|https?://\S+")
CODE = re.compile(r"\w+[=./_]\w+|\w+=|\w*_\w+|--[\w-]+")
QUOTED = re.compile(r"'[^' ]+'")  # names of the data
NAMES = re.compile(r"('[^']*'|\"[^\"]*\")(, ('[^']*'|\"[^\"]*\"))*")
BEGINS = re.compile(r"[\w.]+:( |$)|[#*-]")  # a line that is not the next of a paragraph
PROSE = re.compile(r"[A-Za-z]{2,}['’]?,? +\(?[a-zA-Z]{1,}")


class Found(NamedTuple):
    """A word or a sentence that is refused."""

    file: str
    line: int
    word: str
    instead: str


def blanked(pattern: re.Pattern[str], text: str) -> str:
    """Return a text whose matches are spaces, every line where it was."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def words_in(file: str, text: str, first: int = 1) -> Iterator[Found]:
    """Yield the refused words of a text that begins in line `first`."""
    for pattern in (TICKED, LINK, CODE):
        text = blanked(pattern, text)
    for path, phrase, _ in EXCEPTIONS:
        if Path(file).match(path):
            text = blanked(re.compile(re.escape(phrase)), text)
    for pattern, instead in REFUSED.items():
        for match in pattern.finditer(text):
            yield Found(file, first + text.count("\n", 0, match.start()), match[0], instead)
        text = blanked(pattern, text)


def literals(tree: ast.Module) -> Iterator[tuple[int, str, bool]]:
    """Yield line and text of strings, and whether it is a docstring; private ones are left out."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings, parts = dict[int, bool](), set[int]()
    for node in ast.walk(tree):
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr):
            public = not getattr(node, "name", "public").startswith("_")
            docstrings[id(node.body[0].value)] = public
        if isinstance(node, ast.JoinedStr):
            parts |= {id(part) for part in node.values}
            pieces = [
                part.value if isinstance(part, ast.Constant) else "{}" for part in node.values
            ]
            yield node.lineno, "".join(map(str, pieces)), False
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if docstrings.get(id(node), id(node) not in parts):
            yield node.lineno, node.value, id(node) in docstrings


def in_python(file: str, text: str) -> Iterator[Found]:
    """Yield the refused words of the prose of a module."""
    for line, literal, docstring in literals(ast.parse(text)):
        if docstring:
            code = re.compile(r"^\s*(>>>|\.\.\.) .*$|\b\w+(, \w+)* : ", re.MULTILINE)
            yield from words_in(file, blanked(code, literal), line)
        elif PROSE.search(literal):
            yield from words_in(file, literal.replace("\n", " "), line)


def in_front_end(file: str, text: str) -> Iterator[Found]:
    """Yield the refused words of literals and of text between tags."""
    text = blanked(IMPORT, blanked(COMMENT, text))
    for match in STRING.finditer(text):
        if PROSE.search(match[0]):
            yield from words_in(
                file, re.sub(r"\$\{[^}]*\}", "{}", match[0][1:-1]), _line(text, match)
            )
    if file.endswith("x"):
        text = blanked(STRING, text)
        for match in JSX_TEXT.finditer(text):
            yield from words_in(file, match[1] or match[2], _line(text, match))


def _line(text: str, match: re.Match[str]) -> int:
    return 1 + text.count("\n", 0, match.start())


def in_page(file: str, text: str) -> Iterator[Found]:
    """Yield the refused words of a page of Markdown, without its code."""
    yield from words_in(file, blanked(INDENTED_CODE, blanked(FENCE, text)))


def in_template(file: str, text: str) -> Iterator[Found]:
    """Yield the refused words of a template of the report."""
    literals = re.finditer(r"\{[%{].*?[%}]\}", text, re.DOTALL)
    for outer in literals:
        for match in STRING.finditer(outer[0]):
            if PROSE.search(match[0]):
                yield from words_in(file, match[0], _line(text, outer))
    yield from words_in(file, blanked(TAG, text))


def in_snapshot(file: str, text: str) -> Iterator[Found]:
    """Yield the refused words of committed answers, and their long sentences."""
    text = blanked(SQL, text)
    text = blanked(
        re.compile(r"^(\$ |# |  +plumbline ).*$|^plumbline: error: | (across|up): ", re.MULTILINE),
        text,
    )
    yield from words_in(file, blanked(QUOTED, text))
    for line, sentence in sentences(text):
        count = len(
            [
                word
                for word in NAMES.sub("name", sentence).split()
                if word[-1:].isalnum() or len(word) > 1
            ]
        )
        if count > MOST_WORDS:
            yield Found(
                file,
                line,
                f"{' '.join(sentence.split()[:5])} ...",
                f"{count} words; {MOST_WORDS} at most",
            )


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of every sentence; cells of a table stand alone."""
    paragraph, begun = "", 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        cells = re.split(r" {2,}", line.strip())
        goes_on = len(cells) == 1 and paragraph and not BEGINS.match(line)
        if goes_on and cells[0]:
            paragraph += f" {cells[0]}"
            continue
        for sentence in re.split(r"(?<=[.?!]) (?=[A-Z0-9'\"])", paragraph):
            yield begun, sentence
        paragraph, begun = "", number
        for cell in cells[:-1]:
            for sentence in re.split(r"(?<=[.?!]) (?=[A-Z0-9'\"])", cell):
                yield number, sentence
        paragraph = cells[-1]


def helps() -> Iterator[Found]:
    """Yield the refused words in the help of every command."""
    for name in ("", *sorted(TITLES)):
        shown = CliRunner().invoke(main, [*name.split(), "--help"], prog_name="plumbline").output
        file = f"help/plumbline {name}".strip()
        yield from words_in(file, blanked(re.compile(r"^ +plumbline .*$", re.MULTILINE), shown))


READERS = (
    (in_python, "src/plumbline/**/*.py"),
    (in_front_end, "frontend/src/**/*.ts"),
    (in_front_end, "frontend/src/**/*.tsx"),
    (in_page, "frontend/index.html"),
    (in_template, "src/plumbline/**/templates/*.html"),
    (in_page, "*.md"),
    (in_page, "docs/**/*.md"),
    (in_page, "examples/**/*.md"),
    (in_page, "changelog.d/*.md"),
    (in_page, "Makefile"),
    (in_page, "pyproject.toml"),
    (in_snapshot, "tests/*/snapshots/*.txt"),
)


def everything() -> list[Found]:
    """Return all that is refused, each file in its order."""
    found = list(helps())
    for reader, pattern in READERS:
        for path in sorted(ROOT.glob(pattern)):
            if "_build" not in path.parts and "static" not in path.parts:
                found += reader(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
    return sorted(set(found))


def area(file: str) -> str:
    """Return the part of the project that a file belongs to.

    >>> area("src/plumbline/cli/plan.py"), area("docs/cli.md"), area("README.md")
    ('src/plumbline/cli', 'docs', 'README.md')
    """
    parts = file.split("/")
    if parts[0] in ("src", "tests"):
        return "/".join(parts[:3] if parts[0] == "src" else parts[:2])
    return parts[0]


def over(found: list[Found]) -> dict[str, int]:
    """Return the areas that have more refused words than they may, and how many."""
    allowed = json.loads(ALLOWED.read_text("utf-8"))
    counts = Counter(area(each.file) for each in found)
    return {name: count for name, count in counts.items() if count > allowed.get(name, 0)}


def leave() -> int:
    """Print what was asked for and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("paths", nargs="*", help="only what begins so, whatever is allowed")
    options = parser.parse_args()
    found = [
        f for f in everything() if not options.paths or f.file.startswith(tuple(options.paths))
    ]
    counts = Counter(area(each.file) for each in found)
    if options.write:
        ALLOWED.write_text(json.dumps(dict(sorted(counts.items())), indent=2) + "\n", "utf-8")
        return 0
    if options.count:
        for file, count in Counter(each.file for each in found).most_common():
            print(f"{count:5} {file}")
        print(f"{len(found):5} in all")
        return 0
    refused = counts if options.paths else over(found)
    for each in found:
        if area(each.file) in refused:
            print(f'{each.file}:{each.line}: "{each.word}"; write: {each.instead}')
    for name, count in refused.items():
        print(f"{name}: {count}")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(leave())
