"""Counts the source and follows five calls through it; writes both into docs/map.md.

    python scripts/structure.py            print the counts and the walks
    python scripts/structure.py --write    write them into docs/map.md
    python scripts/structure.py --check    leave with 1 where the page is stale

`make lint` runs the check: it fails where the walks are not those of today, or a count is more
than a twentieth off.
"""

import argparse
import ast
import contextlib
import io
import itertools
import re
import sys
import tempfile
import tokenize
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "plumbline"
PAGE = ROOT / "docs" / "map.md"
WALKS, COUNTS = "walks", "counts"
sys.path.insert(0, str(SOURCE.parent))  # the source that is counted is the one that is walked
TOLERANCE = 0.05  # of a count on the page: it need not be written anew for every commit

Definition = ast.FunctionDef | ast.AsyncFunctionDef
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(slots=True)
class Walk:
    """The files that one call touches, in the order in which it reaches them.

    Attributes
    ----------
    files : paths below src/plumbline
    functions : number of different named functions that ran
    switches : how often a function of one file called one of another
    """

    files: list[str] = field(default_factory=list)
    functions: int = 0
    switches: int = 0


def follow(call: Callable[[], Any]) -> Walk:
    """Run `call` twice and follow the second run, when everything it needs is imported."""
    call()
    walk, seen = Walk(), set[CodeType]()

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or (file := _file_of(frame)) is None:
            return
        code = frame.f_code
        if code not in seen and not code.co_name.startswith("<"):
            seen.add(code)
            walk.functions += 1
        if file not in walk.files:
            walk.files.append(file)
        caller = frame.f_back
        while caller is not None and _file_of(caller) is None:
            caller = caller.f_back
        if caller is not None and _file_of(caller) != file:
            walk.switches += 1

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return walk


def _file_of(frame: FrameType) -> str | None:
    """Return the path below src/plumbline of the code that runs, or None if it is not ours."""
    file = Path(frame.f_code.co_filename)
    return file.relative_to(SOURCE).as_posix() if file.is_relative_to(SOURCE) else None


def walks() -> Mapping[str, Walk]:
    """Return the five walks by title, each through a small table of 200 rows."""
    import numpy as np

    import plumbline as pb
    from plumbline.cli import main

    rng = np.random.default_rng(0)
    prob = rng.uniform(size=200)
    data = pb.Predictions.from_arrays(rng.uniform(size=200) < prob, prob)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        data.write(file)
        scores = ["scores", str(file), "--metrics", "ece", "--interval"]

        def command() -> None:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
                main(scores)

        calls: dict[str, Callable[[], Any]] = {
            "`plumbline scores FILE --metrics ece --interval`": command,
            '`pb.curve(data, "roc")`': lambda: pb.curve(data, "roc"),
            "`pb.calibration_error(data)`": lambda: pb.calibration_error(data),
            '`pb.recalibrate(data, "temperature")`': lambda: pb.recalibrate(data, "temperature"),
            "a browser question: the confusion matrix": lambda: _question(data),
        }
        return {title: follow(call) for title, call in calls.items()}


def _question(data: Any) -> Any:
    from plumbline.workbench import TableQuestions

    return TableQuestions(data).answer({"kind": "confusion"})


def walks_table() -> str:
    """Return the walks as Markdown: what is called, how much it touches, the files in order."""
    return "\n\n".join(
        f"**{title}**: {len(walk.files)} files, {walk.functions} functions.\n\n{_route(walk.files)}"
        for title, walk in walks().items()
    )


def _route(files: list[str]) -> str:
    """Return a walk as a list, a line for every stay in a package."""
    stays = [
        (package, [f"`{Path(file).name}`" for file in stay])
        for package, stay in itertools.groupby(files, lambda file: str(Path(file).parent))
    ]
    return "\n".join(
        f"{number}. {', '.join(names) if package == '.' else f'`{package}/`: ' + ', '.join(names)}"
        for number, (package, names) in enumerate(stays, 1)
    )


def code_lines(text: str) -> int:
    """Count the lines that hold code: no empty line, no comment, no docstring."""
    docs: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, *DEFINITIONS)) and ast.get_docstring(node):
            docs.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    empty = {
        *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
        *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
    }
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in empty:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docs)


def imports(files: Mapping[str, ast.Module]) -> Counter[str]:
    """Count for every module how many others import it, where that is one module beside it."""
    importers: dict[str, set[str]] = {}
    for name, tree in files.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(
                "plumbline"
            ):
                continue
            base = (node.module or "")[len("plumbline.") :]
            for alias in node.names:
                inner = f"{base}.{alias.name}".lstrip(".")
                importers.setdefault(inner if inner in files else base, set()).add(name)
    folder = {name: name.rpartition(".")[0] for name in files}
    return Counter(
        name
        for name, by in importers.items()
        if name in files and len(by - {name}) == 1 and folder[name] in {folder[b] for b in by}
    )


def counts() -> dict[str, int]:
    """Return the numbers that tell how many pieces the source is in."""
    texts = {path: path.read_text("utf-8") for path in sorted(SOURCE.rglob("*.py"))}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    names = {
        ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): tree
        for path, tree in trees.items()
    }
    defined: Counter[str] = Counter()
    used: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, DEFINITIONS) and not node.name.startswith("__"):
                defined[node.name] += 1
            elif isinstance(node, ast.ClassDef):
                classes[node.name] += 1
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                used[node.id] += 1
            elif isinstance(node, ast.Attribute):
                used[node.attr] += 1
    public = _public_functions()
    files = Counter(path.name for path in texts if path.name != "__init__.py")
    asserts, prose = _asserts()
    return {
        "Python files in src": len(texts),
        "lines of code in src": sum(map(code_lines, texts.values())),
        "lines in src": sum(text.count("\n") for text in texts.values()),
        "files imported by exactly one file beside them": len(imports(names)),
        "functions": sum(defined.values()),
        "functions used exactly once": sum(
            number for name, number in defined.items() if used[name] == 1 and number == 1
        ),
        "lines exempt from the formatter": sum(text.count("# fmt: ") for text in texts.values()),
        "class names used more than once": sum(number > 1 for number in classes.values()),
        "file names used more than twice": sum(number > 2 for number in files.values()),
        "names in plumbline": len(__import__("plumbline").__all__),
        "public functions": len(public),
        "public functions with numpydoc Parameters": sum(
            "Parameters\n" in (function.__doc__ or "") for function in public
        ),
        "asserts in tests": asserts,
        "asserts that match prose": prose,
        **_words_of_docs(),
    }


GENERATED = "<!-- Written by "  # stands in a page that a script writes
NOT_WRITTEN = (
    re.compile(r"<!-- ([\w-]+) -->.*?<!-- end of \1 -->", re.DOTALL),  # what scripts fill in
    re.compile(r"^ *(`{3,}).*?^ *\1", re.MULTILINE | re.DOTALL),  # code and what it prints
    re.compile(r"\A---$.*?^---$", re.MULTILINE | re.DOTALL),
    re.compile(r"\]\([^)]*\)"),
)
ROW = re.compile(r"^ *\|.*$", re.MULTILINE)


def _words_of_docs() -> dict[str, int]:
    """Count the words that people wrote in docs/: sentences, and cells of tables."""
    prose = cells = 0
    for path in sorted(PAGE.parent.rglob("*.md")):
        text = path.read_text("utf-8")
        if GENERATED in text or "_build" in path.parts:
            continue
        for pattern in NOT_WRITTEN:
            text = pattern.sub("", text)
        prose += _words(ROW.sub("", text))
        cells += sum(map(_words, ROW.findall(text)))
    return {"words of text in docs": prose, "words in tables of docs": cells}


def _words(text: str) -> int:
    return sum(any(map(str.isalnum, word)) for word in text.split())


def _public_functions() -> list[Any]:
    import inspect

    import plumbline

    things = [getattr(plumbline, name) for name in plumbline.__all__]
    return [thing for thing in things if inspect.isfunction(thing)]


EXPECTS = ("raises", "warns", "refused", "warned")


def _asserts() -> tuple[int, int]:
    """Count the asserts and expected errors of all tests, and those that match a sentence."""
    asserts = prose = 0
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Assert):
                looked_at: list[ast.expr] = [node.test]
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(EXPECTS):
                looked_at = [*node.args, *(each.value for each in node.keywords)]
            else:
                continue
            asserts += 1
            prose += any(
                isinstance(part, ast.Constant)
                and isinstance(part.value, str)
                and _prose(part.value)
                for each in looked_at
                for part in ast.walk(each)
            )
    return asserts, prose


def _prose(text: str) -> bool:
    """Tell whether a text or pattern holds three words; a code or name without a space is one."""
    if " " not in text:
        return False
    letters = re.sub(r"\\.|[^A-Za-z ]", " ", text)
    return sum(len(word) > 1 for word in letters.split()) >= 3


def counts_table() -> str:
    """Return the counts as a table in Markdown."""
    rows = [f"| {title} | {value:,} |" for title, value in counts().items()]
    return "\n".join(["| counted | |", "|---|---:|", *rows])


def part(text: str, mark: str) -> str:
    """Return what a page has between the two comments of a mark."""
    _, _, rest = text.partition(f"<!-- {mark} -->")
    return rest.partition(f"<!-- end of {mark} -->")[0].strip()


def filled(text: str, mark: str, content: str) -> str:
    """Return a page with `content` between the two comments of a mark."""
    start, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    head, _, rest = text.partition(start)
    return f"{head}{start}\n\n{content}\n\n{end}{rest.partition(end)[2]}"


def stale() -> list[str]:
    """Return what of docs/map.md is no longer so, a sentence each."""
    text = PAGE.read_text("utf-8")
    faults = [] if part(text, WALKS) == walks_table() else ["the walks are not those of today"]
    written = {
        title: int(value.replace(",", ""))
        for title, value in re.findall(r"^\| (.+?) \| ([\d,]+) \|$", part(text, COUNTS), re.M)
    }
    now = counts()
    if written.keys() != now.keys():
        return [*faults, "other things are counted"]
    return faults + [
        f"{title}: {written[title]:,} on the page, {value:,} counted"
        for title, value in now.items()
        if abs(value - written[title]) > TOLERANCE * value
    ]


def main() -> None:
    """Print the counts and the walks, or write them into docs/map.md."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write them into docs/map.md")
    parser.add_argument("--check", action="store_true", help="leave with 1 where the page is stale")
    options = parser.parse_args()
    if options.check:
        faults = stale()
        sys.exit("\n".join([*faults, "run: python scripts/structure.py --write"]) if faults else 0)
    if options.write:
        text = filled(PAGE.read_text("utf-8"), WALKS, walks_table())
        PAGE.write_text(filled(text, COUNTS, counts_table()), "utf-8")
    else:
        print(counts_table(), walks_table(), sep="\n\n")


if __name__ == "__main__":
    main()
