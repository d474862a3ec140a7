"""Change the source in small ways, and count how many changes the tests of a package notice.

    python scripts/mutants.py nulls binning            # forty changes of each package
    python scripts/mutants.py nulls --only 17          # one of them again, with what pytest printed

A change swaps an operator, negates a condition, moves a number by one, turns a truth, or leaves a
call out of which nothing is kept. It is made in a copy of the source; the copy's kernels are
compiled as ever. Each change is tried in a fork of a process that has the libraries loaded, on
those tests of `tests/PACKAGE` and examples in its docstrings that run the changed lines when
nothing is changed, fastest file first, until one fails. Of a constant, and of what runs while a
module is read, all tests are tried. Changes that no test notices are printed:
each is a test that is missing, code that is not needed, or a change that means nothing. The last
are listed with their reason in `scripts/mutants_equivalent.toml` and do not count. Which changes
are drawn depends on each change alone, so that other code does not draw others.
"""

import argparse
import ast
import functools
import hashlib
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOURCE = Path("src/plumbline")
WARM = ("numpy", "scipy.stats", "scipy.optimize", "pandas", "pyarrow.parquet", "numba")
WARM += ("sklearn.linear_model", "matplotlib.figure", "click.testing", "joblib")
EQUIVALENT = ROOT / "scripts" / "mutants_equivalent.toml"
PATIENCE = 120  # seconds beyond the usual ones for the tests of a change: some never end
# Tests of a package that stand elsewhere, and import it.
BESIDE = {
    "binning": ("calibration/test_conventions.py",),
    "curves": ("test_rows_in_groups.py", "formula/test_dates.py"),
    "dependence": ("test_rows_in_groups.py",),
    "nulls": ("test_counted_rows.py", "test_many_rows.py"),
    "calibration_errors": (
        "calibration/test_corp.py",
        "calibration_tests/test_calibration_test.py",
        "calibration_tests/test_published.py",
        "calibration_tests/test_snapshots.py",
        "group_calibration/test_calibration_by.py",
        "plots/test_plots.py",
        "test_counted_rows.py",
        "test_many_rows.py",
        "test_rows_in_groups.py",
        "test_results.py",
    ),
    "calibration_tests": ("test_counted_rows.py", "test_rows_in_groups.py"),
    "comparison": ("calibration_tests/test_snapshots.py",),
    "monitoring": ("test_rows_in_groups.py",),
    "advisor": ("test_rows_in_groups.py", "calibration_tests/test_snapshots.py"),
}
DEFAULTS = "test_defaults.py"  # reads the defaults of all functions
COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq}
COMPARED |= {ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot}
COMPARED |= {ast.IsNot: ast.Is}
COMPUTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
COMPUTED |= {ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr}
COMPUTED |= {ast.BitOr: ast.BitAnd}


@dataclass(frozen=True)
class Change:
    """A change of one expression or statement.

    Attributes
    ----------
    file, line : where it is, from the root of the repository
    function : name of the function or method around it, with that of its class; "" outside
    shown : its lines of source, with before and after in double brackets
    before, after : the source of the expression, and what stands in its place
    start, end : its first character in the file and the one behind its last, in UTF-8
    lines : first and last line of its statement, those of the whole function for a default; None
        outside a function
    kernel : whether its function is compiled, so that nobody sees who calls it
    default : whether it is a default of a function
    """

    file: str
    line: int
    function: str
    shown: str
    before: str
    after: str
    start: int
    end: int
    lines: tuple[int, int] | None
    kernel: bool
    default: bool


# ------------------------------------------------------------------------- what can be changed


class _Finder(ast.NodeVisitor):
    """Finds the changes of one file; texts, annotations and errors are left as they are."""

    def __init__(self, file: str, source: str) -> None:
        self.file, self.source = file, source.encode()
        self.lines = [0]
        for line in self.source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.found: list[Change] = []
        self.function: ast.FunctionDef | None = None
        self.statement: ast.stmt | None = None
        self.names: list[str] = []

    def visit(self, node: ast.AST) -> None:
        before = self.statement
        if isinstance(node, ast.stmt):
            self.statement = node
        super().visit(node)
        self.statement = before

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before, self.function = self.function, self.function or node
        self.names.append(node.name)
        for part in [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body]:
            self.visit(part)
        self.function = before
        self.names.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names.append(node.name)
        for part in node.body:
            self.visit(part)
        self.names.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and "TypeAlias" not in ast.unparse(node.annotation):
            self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.condition(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.condition(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Texts of errors are tested by their codes."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """How a number is written in a text is left as it is."""

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.change(node, "pass")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.change(node, "pass")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        if type(node.ops[0]) in COMPARED:
            ops = [COMPARED[type(node.ops[0])](), *node.ops[1:]]
            self.change(node, _bracketed(ast.Compare(node.left, ops, node.comparators)))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in COMPUTED and not _is_text(node):
            other = ast.BinOp(node.left, COMPUTED[type(node.op)](), node.right)
            self.change(node, _bracketed(other))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self.change(node, _bracketed(ast.BoolOp(other, node.values)))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        self.change(node, _bracketed(node.operand))
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        """Parts of a `zip` that are equally long give the same with and without `strict`."""
        if node.arg != "strict":
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.change(node, str(not node.value))
        elif isinstance(node.value, (int, float)):
            self.change(node, f"({node.value!r} + 1)")

    def condition(self, node: ast.If | ast.IfExp) -> None:
        """Negate a condition."""
        self.change(node.test, f"(not ({self.text(node.test)}))")
        self.generic_visit(node)

    def place(self, line: int, column: int) -> int:
        return self.lines[line - 1] + column

    def text(self, node: Any) -> str:
        start = self.place(node.lineno, node.col_offset)
        return self.source[start : self.place(node.end_lineno, node.end_col_offset)].decode()

    def change(self, node: Any, after: str) -> None:
        """Note that `after` can stand in place of an expression or statement."""
        lines, kernel, default = None, False, self.function is self.statement
        if self.function is not None and self.statement is not None:
            lines = _own_lines(self.statement)
            if default:  # computed when the module is read
                lines = lines[0], self.function.end_lineno or lines[1]
            kernel = any("compiled" in ast.unparse(one) for one in self.function.decorator_list)
        start = self.place(node.lineno, node.col_offset)
        end = self.place(node.end_lineno, node.end_col_offset)
        left = self.source[self.lines[node.lineno - 1] : start].decode()
        right = self.source[end : self.lines[node.end_lineno]].decode()
        shown = _one_line(f"{left}[[{self.text(node)} => {after}]]{right}")
        given = (self.text(node), after, start, end, lines, kernel, default)
        self.found.append(Change(self.file, node.lineno, ".".join(self.names), shown, *given))


def _own_lines(statement: ast.stmt) -> tuple[int, int]:
    """Return the first and last line of a statement without those of the statements in it."""
    body = getattr(statement, "body", None)
    last = statement.end_lineno if body is None else body[0].lineno - 1
    return statement.lineno, max(statement.lineno, last or 0)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _bracketed(node: ast.expr) -> str:
    return f"({ast.unparse(ast.fix_missing_locations(node))})"


def _is_text(node: ast.BinOp) -> bool:
    """Tell whether an operation joins or fills in texts."""
    sides = (node.left, node.right)
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )


def changes_of(package: str) -> list[Change]:
    """Return all changes of a package, or of one module."""
    home = ROOT / SOURCE / package
    files = sorted(home.rglob("*.py")) if home.is_dir() else [home.with_suffix(".py")]
    found: list[Change] = []
    for file in files:
        source = file.read_text("utf-8")
        finder = _Finder(file.relative_to(ROOT).as_posix(), source)
        finder.visit(ast.parse(source))
        found += finder.found
    return found


def drawn(changes: Sequence[Change], *, size: int, seed: int) -> list[Change]:
    """Draw changes: those with the smallest hash, so that other code does not draw others."""
    before: dict[tuple[str, str, str], int] = {}
    places = []
    for change in changes:
        own = identity(change)
        before[own] = before.get(own, 0) + 1
        # A second change like it has a place of its own.
        words = "\n".join((str(seed), change.file, *own[1:], *["again"] * (before[own] - 1)))
        places.append(hashlib.sha256(words.encode()).hexdigest())
    order = sorted(range(len(changes)), key=places.__getitem__)
    return [changes[number] for number in order[:size]]


def equivalent() -> dict[tuple[str, str, str], str]:
    """Return the changes that are known to have no effect: file, function, change, and why."""
    listed = tomllib.loads(EQUIVALENT.read_text("utf-8")).get("change", [])
    return {(one["file"], one["function"], one.get("change", [])): one["why"] for one in listed}


def identity(change: Change) -> tuple[str, str, str]:
    """Return what a change is listed by."""
    return change.file.removeprefix(f"{SOURCE.as_posix()}/"), change.function, change.shown


def stale(listed: dict[tuple[str, str, str], str]) -> list[str]:
    """Return a line for each listed change that the source has not, or more than once."""
    files = {file for file, _, _ in listed if (ROOT / SOURCE / file).exists()}
    known = [
        identity(change)
        for file in sorted(files)
        for change in changes_of(file.removesuffix(".py"))
    ]
    return [
        f"{file}, {function}: {change} stands {known.count((file, function, change))} times"
        for file, function, change in listed
        if known.count((file, function, change)) != 1
    ]


# ------------------------------------------------------------------------- who runs what


class _Lines:
    """A plugin of pytest that notes which lines of a package a test runs, and for how long."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.tests: dict[str, tuple[float, dict[str, list[int]]]] = {}
        self.shared: dict[str, set[tuple[str, int]]] = {}  # while fixtures of a file are made
        self.now: set[tuple[str, int]] = set()
        self.word = ""  # the test that runs, by the path of its file

    def note(self, frame: Any, event: str, _: Any) -> Any:
        file = frame.f_code.co_filename
        if not file.startswith(self.home):
            return None

        def line(frame: Any, event: str, _: Any) -> Any:
            if event == "line":
                self.now.add((file, frame.f_lineno))
            return line

        return line

    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> None:
        del nextitem
        self.now, self.word = set(), f"{item.path}::{item.nodeid.partition('::')[2]}"

    def pytest_runtest_logreport(self, report: Any) -> None:
        file = self.word.partition("::")[0]
        if report.when == "setup":
            self.shared[file] = self.shared.get(file, set()) | self.now
        elif report.when == "call":
            self.tests[self.word] = (report.duration, _by_file(self.now))


def _by_file(lines: set[tuple[str, int]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for file, line in lines:
        found.setdefault(file, []).append(line)
    return found


def _pytest(
    source: Path,
    words: list[str],
    *,
    log: Path,
    plugins: tuple[Any, ...] = (),
    patience: float = float("inf"),
) -> int:
    """Run tests in a fork on a copy of the source; return pytest's exit status, -1 without end."""
    child = os.fork()
    if not child:
        os.setsid()
        target = os.open(log, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(target, 1)
        os.dup2(target, 2)
        import pytest

        sys.path.insert(0, str(source))
        options = ["-q", "-p", "no:cacheprovider", f"--rootdir={ROOT}", "-c", "pyproject.toml"]
        os._exit(int(pytest.main([*options, *words], plugins=list(plugins))))
    end = time.monotonic() + patience
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def lines_of(package: str, source: Path, folder: Path) -> dict[str, Any]:
    """Run the tests of a package and return, for each, its seconds and the lines it runs."""
    kept = folder / f"{package}.json"
    # A copy of the tests' own words, as the fork cannot hand over objects.
    home = str(source / "plumbline" / package)

    class Written(_Lines):
        def pytest_sessionfinish(self) -> None:
            shared = {file: _by_file(lines) for file, lines in self.shared.items()}
            kept.write_text(json.dumps({"tests": self.tests, "shared": shared}))

        def pytest_sessionstart(self) -> None:
            threading.settrace(self.note)
            sys.settrace(self.note)

    homes = [str(ROOT / "tests" / home) for home in (package, DEFAULTS, *BESIDE.get(package, ()))]
    examples = source / "plumbline" / package
    homes.append(str(examples if examples.is_dir() else examples.with_suffix(".py")))
    words = [*homes, "-m", "not data and not browser and not engines"]
    log = folder / f"{package}.log"
    if _pytest(source, words, log=log, plugins=(Written(home),)):
        raise SystemExit(
            f"the tests of {package} fail without a change:\n{log.read_text()[-3000:]}"
        )
    return dict(json.loads(kept.read_text()))


def tests_for(change: Change, known: dict[str, Any], source: Path) -> list[str]:
    """Return the tests that run what is changed, those of fast files first."""
    file = str(source.parent / change.file)

    def is_run(lines: dict[str, list[int]]) -> bool:
        if change.lines is None or change.kernel:
            return file in lines
        first, last = change.lines
        return any(first <= line <= last for line in lines.get(file, ()))

    # A kernel that a test calls itself, or a constant that it reads, runs no line of its file.
    word = change.function if change.kernel else Path(change.file).stem
    silent = change.kernel or change.lines is None
    chosen: dict[str, list[tuple[float, str]]] = {}
    for test, (seconds, lines) in known["tests"].items():
        home = test.partition("::")[0]
        named = silent and word in _words(home)
        by_default = change.default and home.endswith(DEFAULTS)
        if named or by_default or is_run(lines) or is_run(known["shared"].get(home, {})):
            chosen.setdefault(home, []).append((seconds, test))
    quick = sorted(chosen.values(), key=lambda tests: sum(seconds for seconds, _ in tests))
    first = [test for tests in quick for _, test in sorted(tests)]
    if first and change.lines is not None:
        return first
    # What is computed while a module is read, other modules read by names of their own.
    others = {test: seconds for test, (seconds, _) in known["tests"].items()}
    homes: dict[str, list[str]] = {}
    for test in sorted(others.keys() - set(first)):
        homes.setdefault(test.partition("::")[0], []).append(test)
    rest = sorted(homes.values(), key=lambda tests: sum(others[test] for test in tests))
    return [*first, *(test for tests in rest for test in tests)]


@functools.cache
def _words(home: str) -> str:
    return Path(home).read_text("utf-8").lower()


# ------------------------------------------------------------------------- try them


class Tries:
    """A package whose changes are tried, in a folder with a copy of the source."""

    def __init__(self, package: str) -> None:
        self.package, self.folder = package, Path(tempfile.mkdtemp(prefix="mutants-"))
        self.source = self.folder / "src"
        shutil.copytree(ROOT / "src", self.source)  # with the kernels that are compiled already
        os.environ["PYTHONPATH"] = str(self.source)
        self.known = lines_of(package, self.source, self.folder)
        self.log = self.folder / "change.log"

    def outcome(self, change: Change) -> str:
        """Return "noticed", "missed" or "not run"; what pytest printed is kept."""
        self.log.write_text("")
        tests = tests_for(change, self.known, self.source)
        if not tests:
            return "not run"
        file = self.source.parent / change.file
        good, status = file.read_bytes(), file.stat()
        file.write_bytes(good[: change.start] + change.after.encode() + good[change.end :])
        try:
            usual = sum(self.known["tests"][test][0] for test in tests)
            patience = PATIENCE + 2 * usual
            ended = _pytest(self.source, [*tests, "-x"], log=self.log, patience=patience)
        finally:
            file.write_bytes(good)
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))  # its kernels stand
        return "noticed" if ended else "missed"

    def noticed(self, chosen: list[tuple[int, Change]], *, loud: bool) -> int:
        """Try changes, print those that go unnoticed, and return how many are noticed."""
        noticed = 0
        for number, change in chosen:
            what = self.outcome(change)
            noticed += what == "noticed"
            if what != "noticed" or loud:
                place = f"{change.file}:{change.line} {change.function}"
                print(f"{self.package} {number} {what}: {place}\n    {change.shown}", flush=True)
            if loud:
                print(self.log.read_text()[-2000:])
        return noticed


def main() -> None:
    """Try changes of packages, and print the score of each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", nargs="+", help="packages of src/plumbline")
    parser.add_argument("--mutants", type=int, default=40, help="how many of a package and seed")
    parser.add_argument("--seed", type=int, nargs="+", default=[1])
    parser.add_argument("--only", type=int, nargs="*", help="numbers of changes to try again")
    given = parser.parse_args()
    os.chdir(ROOT)
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = tempfile.mkdtemp(prefix="mutants-")
    listed = equivalent()
    if wrong := stale(listed):
        raise SystemExit(
            "\n".join([f"{EQUIVALENT.name} lists changes that are not there:", *wrong])
        )
    for name in WARM:
        __import__(name)
    rows = []
    for package in given.packages:
        everything, tries = changes_of(package), Tries(package)
        for seed in given.seed:
            sample = list(enumerate(drawn(everything, size=given.mutants, seed=seed)))
            if given.only is not None:
                sample = [(number, change) for number, change in sample if number in given.only]
            chosen = [
                (number, change) for number, change in sample if identity(change) not in listed
            ]
            same = len(sample) - len(chosen)
            begin = time.monotonic()
            noticed = tries.noticed(chosen, loud=given.only is not None)
            score = noticed / max(len(chosen), 1)
            row = (package, seed, len(everything), len(sample), same, noticed, score)
            rows.append("| `{}` | {} | {:,} | {} | {} | {} | {:.0%} |".format(*row))
            print(f"{rows[-1]}  {time.monotonic() - begin:.0f} s", flush=True)
        shutil.rmtree(tries.folder)
    head = "| package | seed | changes | tried | no effect | noticed | score |"
    print(f"\n{head}\n{'|---' * 7}|", *rows, sep="\n")


if __name__ == "__main__":
    main()
