"""Small changes of the source, by which scripts/mutants.py tries the tests."""

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def mutants():
    """Return the script as a module."""
    spec = importlib.util.spec_from_file_location("mutants", ROOT / "scripts" / "mutants.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("package", ["intervals", "jit"])
def test_every_change_is_another_program(mutants, package):
    """It can be read, and means something else."""
    changes = mutants.changes_of(package)
    assert len({(change.file, change.start, change.after) for change in changes}) == len(changes)
    for change in changes[::11]:
        source = (ROOT / change.file).read_bytes()
        assert source[change.start : change.end].decode() == change.before
        changed = source[: change.start] + change.after.encode() + source[change.end :]
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source))


def test_what_is_changed_and_what_is_left(mutants):
    """Operators, conditions, numbers, truths and calls; neither texts nor errors."""
    source = """
    def f(x: int = 1) -> int:
        \'A text, 3 < 4.\'
        if x < 2 and not x:
            raise ValueError(1 + 1)
        note(x)
        return x + True
    """
    finder = mutants._Finder("f.py", "\n".join(line[4:] for line in source.splitlines()))
    finder.visit(ast.parse(finder.source))
    assert [(change.line, change.after) for change in finder.found] == [
        (2, "(1 + 1)"),
        (4, "(not (x < 2 and not x))"),
        (4, "(x < 2 or not x)"),
        (4, "(x <= 2)"),
        (4, "(2 + 1)"),
        (4, "(x)"),
        (6, "pass"),
        (7, "(x - True)"),
        (7, "False"),
    ]
    assert [change.lines for change in finder.found] == [
        *[(2, 7)],  # a default, of the whole function
        *[(4, 4)] * 5,
        *[(6, 6)],
        *[(7, 7)] * 2,
    ]
    assert {change.function for change in finder.found} == {"f"}
    assert finder.found[3].shown == "if [[x < 2 => (x <= 2)]] and not x:"


def test_other_code_draws_no_other_changes(mutants):
    """The sample without a change is the sample, with the next one in its place."""
    changes = mutants.changes_of("jit")
    first = mutants.drawn(changes, size=6, seed=1)
    without = [change for change in changes if change != first[2]]
    again = mutants.drawn(without, size=6, seed=1)
    assert again[:5] == [*first[:2], *first[3:]]
    assert mutants.drawn(changes, size=6, seed=2) != first


def test_listed_changes_are_in_the_source(mutants):
    """Each once, with a reason; one that is no longer there is refused."""
    listed = mutants.equivalent()
    assert mutants.stale(listed) == []
    assert all(listed.values())
    (line,) = mutants.stale({("jit.py", "compiled", "[[a < b => (a <= b)]]"): "no reason"})
    assert "jit.py, compiled" in line


def test_a_constant_is_tried_on_all_tests(mutants, monkeypatch):
    """Those that name its file first; a line of a function on those that run it."""
    constant, line = (
        next(change for change in mutants.changes_of("jit") if (change.lines is None) is wanted)
        for wanted in (True, False)
    )
    runs = {"/copy/src/plumbline/jit.py": list(line.lines)}
    here = str(Path(__file__))  # names it
    known = {
        "tests": {"/other.py::slow": (2.0, {}), f"{here}::one": (3.0, runs)},
        "shared": {},
    }
    monkeypatch.setattr(mutants, "_words", lambda home: "jit" if home == here else "")
    source = Path("/copy/src")
    assert mutants.tests_for(line, known, source) == [f"{here}::one"]
    assert mutants.tests_for(constant, known, source) == [f"{here}::one", "/other.py::slow"]
    del known["tests"][f"{here}::one"]
    assert mutants.tests_for(line, known, source) == ["/other.py::slow"]  # as it may run earlier
