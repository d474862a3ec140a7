"""Change the source in small ways, and count how many changes the tests of a package notice.

    python scripts/mutants.py nulls binning            # forty changes of each package
    python scripts/mutants.py nulls --only 17          # one of them again, with what pytest printed

A change swaps an operator, negates a condition, moves a number by one, turns a truth, or leaves a
call out of which nothing is kept. It is made in a copy of the source; the copy's kernels are
compiled as ever. Each change is tried in a fork of a process that has the libraries loaded, on the
tests of `tests/PACKAGE` that call the changed function when nothing is changed, fastest first,
until one fails. Changes that no test notices are printed: each is a test that is missing, or a
change that means nothing.
"""

import argparse
import ast
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOURCE = Path("src/plumbline")
WARM = ("numpy", "scipy.stats", "scipy.optimize", "pandas", "pyarrow.parquet", "numba")
WARM += ("sklearn.linear_model", "matplotlib.figure", "click.testing", "joblib")
PATIENCE = 120  # seconds for the tests of one change: some changes never end
# Tests of a package that stand elsewhere, and import it.
BESIDE = {"binning": ("calibration/test_conventions.py",)}
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
    before, after : the source of the expression, and what stands in its place
    start, end : its first character in the file and the one behind its last, in UTF-8
    inside : first and last line of the function of a module or method of a class, if it is in one
    kernel : whether that function is compiled, so that nobody sees who calls it
    """

    file: str
    line: int
    before: str
    after: str
    start: int
    end: int
    inside: tuple[int, int] | None
    kernel: bool


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

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before, self.function = self.function, self.function or node
        for part in [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body]:
            self.visit(part)
        self.function = before

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

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
        function = self.function
        inside, kernel = None, False
        if function is not None:
            first = min([function, *function.decorator_list], key=lambda one: one.lineno).lineno
            inside = first, function.end_lineno or first
            kernel = any("compiled" in ast.unparse(one) for one in function.decorator_list)
        start = self.place(node.lineno, node.col_offset)
        end = self.place(node.end_lineno, node.end_col_offset)
        given = (self.text(node), after, start, end, inside, kernel)
        self.found.append(Change(self.file, node.lineno, *given))


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


# ------------------------------------------------------------------------- who calls what


class _Calls:
    """A plugin of pytest that notes which functions of a package a test calls, and for how long."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.tests: dict[str, tuple[float, list[tuple[str, int]]]] = {}
        self.shared: dict[
            str, set[tuple[str, int]]
        ] = {}  # called while fixtures of a file are made
        self.now: set[tuple[str, int]] = set()

    def note(self, frame: Any, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(self.home):
            self.now.add((code.co_filename, code.co_firstlineno))

    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> None:
        del item, nextitem
        self.now = set()

    def pytest_runtest_logreport(self, report: Any) -> None:
        file = report.nodeid.partition("::")[0]
        if report.when == "setup":
            self.shared[file] = self.shared.get(file, set()) | self.now
        elif report.when == "call":
            self.tests[report.nodeid] = (report.duration, sorted(self.now))


def _pytest(source: Path, words: list[str], *, log: Path, plugins: tuple[Any, ...] = ()) -> int:
    """Run tests in a fork on a copy of the source; return pytest's exit status, -1 without end."""
    child = os.fork()
    if not child:
        os.setsid()
        target = os.open(log, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(target, 1)
        os.dup2(target, 2)
        import pytest

        sys.path.insert(0, str(source))
        options = ["-q", "-p", "no:cacheprovider", f"--rootdir={ROOT}"]
        os._exit(int(pytest.main([*options, *words], plugins=list(plugins))))
    end = time.monotonic() + PATIENCE if "-x" in words else float("inf")
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def calls_of(package: str, source: Path, folder: Path) -> dict[str, Any]:
    """Run the tests of a package and return, for each, its seconds and what it calls."""
    kept = folder / f"{package}.json"
    # A copy of the tests' own words, as the fork cannot hand over objects.
    home = str(source / "plumbline" / package)

    class Written(_Calls):
        def pytest_sessionfinish(self) -> None:
            shared = {file: sorted(called) for file, called in self.shared.items()}
            kept.write_text(json.dumps({"tests": self.tests, "shared": shared}))

        def pytest_sessionstart(self) -> None:
            threading.setprofile(self.note)
            sys.setprofile(self.note)

    homes = [str(ROOT / "tests" / home) for home in (package, *BESIDE.get(package, ()))]
    words = [*homes, "-m", "not data and not browser and not engines"]
    log = folder / f"{package}.log"
    if _pytest(source, words, log=log, plugins=(Written(home),)):
        raise SystemExit(
            f"the tests of {package} fail without a change:\n{log.read_text()[-3000:]}"
        )
    return dict(json.loads(kept.read_text()))


def tests_for(change: Change, calls: dict[str, Any], source: Path) -> list[str]:
    """Return the tests that call what is changed, those of fast files first."""
    file = str(source.parent / change.file)

    def is_called(called: list[list[Any]]) -> bool:
        for where, line in called:
            if where == file and (
                change.inside is None or change.kernel or _within(line, change.inside)
            ):
                return True
        return False

    chosen: dict[str, list[tuple[float, str]]] = {}
    for test, (seconds, called) in calls["tests"].items():
        home = test.partition("::")[0]
        if is_called(called) or is_called(calls["shared"].get(home, [])):
            chosen.setdefault(home, []).append((seconds, test))
    if not chosen and (change.inside is None or change.kernel):  # constants are read, not called
        for test, (seconds, _) in calls["tests"].items():
            chosen.setdefault(test.partition("::")[0], []).append((seconds, test))
    quick = sorted(chosen.values(), key=lambda tests: sum(seconds for seconds, _ in tests))
    return [test for tests in quick for _, test in sorted(tests)]


def _within(line: int, inside: tuple[int, int]) -> bool:
    return inside[0] <= line <= inside[1]


# ------------------------------------------------------------------------- try them


def tried(package: str, chosen: list[tuple[int, Change]], folder: Path) -> Iterator[str]:
    """Yield for each change "noticed", "missed" or "not called", and keep what pytest printed."""
    source = folder / "src"
    if not source.exists():  # with the kernels that are compiled already
        shutil.copytree(ROOT / "src", source)
    calls = calls_of(package, source, folder)
    for number, change in chosen:
        tests = tests_for(change, calls, source)
        if not tests:
            yield "not called"
            continue
        file = source.parent / change.file
        good, status = file.read_bytes(), file.stat()
        file.write_bytes(good[: change.start] + change.after.encode() + good[change.end :])
        try:
            log = folder / f"{package}-{number}.log"
            ended = _pytest(source, [*tests, "-x"], log=log)
        finally:
            file.write_bytes(good)
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))  # its kernels stand
        yield "noticed" if ended else "missed"


def main() -> None:
    """Try changes of packages, and print the score of each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", nargs="+", help="packages of src/plumbline")
    parser.add_argument("--mutants", type=int, default=40, help="how many of a package")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, nargs="*", help="numbers of changes to try again")
    given = parser.parse_args()
    os.chdir(ROOT)
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = tempfile.mkdtemp(prefix="mutants-")
    for name in WARM:
        __import__(name)
    rows = []
    for package in given.packages:
        everything = changes_of(package)
        rng = random.Random(f"{given.seed} {package}")
        sample = rng.sample(everything, min(given.mutants, len(everything)))
        chosen = list(enumerate(sample))
        if given.only is not None:
            chosen = [(number, change) for number, change in chosen if number in given.only]
        folder = Path(tempfile.mkdtemp(prefix="mutants-"))
        os.environ["PYTHONPATH"] = str(folder / "src")
        begin, noticed = time.monotonic(), 0
        for (number, change), what in zip(chosen, tried(package, chosen, folder), strict=True):
            noticed += what == "noticed"
            if what != "noticed" or given.only is not None:
                place = f"{package} {number} {what}: {change.file}:{change.line}"
                print(
                    f"{place}\n    {_short(change.before)}\n    {_short(change.after)}", flush=True
                )
            if given.only is not None:
                print((folder / f"{package}-{number}.log").read_text()[-2000:])
        shutil.rmtree(folder)
        seconds = time.monotonic() - begin
        rows.append(
            f"| `{package}` | {len(everything):,} | {len(chosen)} | {noticed} |"
            f" {noticed / len(chosen):.0%} |"
        )
        print(f"{rows[-1]}  {seconds:.0f} s", flush=True)
    print(
        "\n| package | changes | tried | noticed | score |\n|---|---|---|---|---|", *rows, sep="\n"
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 120 else f"{line[:117]}..."


if __name__ == "__main__":
    main()
