"""Errors and warnings: their parts, and how each surface names the arguments in them."""

import ast
import copy
import inspect
import pickle
import re
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import click
import pytest

import plumbline as pb
from plumbline import errors
from plumbline._checks import one_of, open_fraction, share, whole_number
from plumbline.cli import main
from plumbline.cli.messages import OPTION_NAMES, Shell
from plumbline.errors import FormulaError, ParameterError, PlumblineWarning, Surface
from plumbline.workbench.wording import BROWSER, OWN, SENTENCES, message_of, worded_answer
from source_trees import PACKAGE, calls, nodes

RAISED = ("InputError", "MissingExtraError", "ParameterError", "PlumblineWarning", "warn")
REFERENCE = re.compile(r"`([^`]*)`")


def again(error: Exception) -> Exception:
    """Return an error as it comes back from another process."""
    return pickle.loads(pickle.dumps(error))  # noqa: S301


def parameters() -> set[str]:
    """Return the parameters of the public functions and classes, and of their methods."""
    names = set()
    for name in pb.__all__:
        public = getattr(pb, name)
        methods = vars(public).values() if inspect.isclass(public) else []
        for each in (public, *methods):
            each = getattr(each, "__func__", each)
            if callable(each):
                try:
                    names |= set(inspect.signature(each).parameters)
                except ValueError:  # of a built-in slot
                    continue
    return names - {"self", "cls", "args", "kwargs", "_"}


def commands() -> dict[str, click.Command]:
    """Return all commands by name."""
    context = click.Context(main)
    return {name: main.get_command(context, name) for name in main.list_commands(context)}


def messages() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of every error and warning, {} for what is computed."""
    for file, node, name in calls():
        if name not in RAISED:
            continue
        for text in [*node.args, *(keyword.value for keyword in node.keywords)]:
            if isinstance(text, ast.JoinedStr):
                pieces = (getattr(piece, "value", None) for piece in text.values)
                yield (
                    f"{file.name}:{node.lineno}",
                    "".join(p if isinstance(p, str) else "{}" for p in pieces),
                )
            elif isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield f"{file.name}:{node.lineno}", text.value


# Faults that several packages find; every other code of an error is of one package.
SHARED = {
    "columns-not-read",
    "rows-repeat",
    "missing-package",
    "argument-beside-another",
    "argument-needs-another",
    "argument-says-nothing",
    "bins-missing",
    "bins-of-one-score",
    "bins-of-outcomes",
    "bins-without-edges",
    "class-missing",
    "class-smaller-than-folds",
    "classes-differ",
    "columns-differ",
    "cuts-of-no-numbers",
    "edges-not-increasing",
    "examples-come-again",
    "examples-unnumbered",
    "labels-only",
    "metric-ranks-no-models",
    "named-twice",
    "no-asymptotic-null",
    "other-conventions",
    "no-class",
    "no-classifier",
    "no-exact-null",
    "no-fraction",
    "no-number",
    "no-probability",
    "no-rows",
    "no-rows-left",
    "no-such-column",
    "no-such-file",
    "not-finite",
    "rounded-rows",
    "rows-in-groups",
    "rows-left-out",
    "not-numeric",
    "not-unique",
    "not-writable",
    "nothing-named",
    "nothing-to-read",
    "number-as-text",
    "one-class-to-fit",
    "one-data-set-only",
    "out-of-memory",
    "out-of-range",
    "too-few-groups",
    "too-few-rows",
    "too-many-groups",
    "unknown-argument",
    "unknown-class",
    "unknown-label",
    "unknown-metric",
    "unknown-name",
    "unknown-parameter",
    "unreadable-file",
    "value-missing",
    "view-not-possible",
    "weights-all-zero",
    "weights-not-possible",
    "wrong-kind",
    "wrong-length",
    "wrong-shape",
    "wrong-suffix",
}


def codes() -> Iterator[tuple[str, str, str]]:
    """Yield every code, the kind of message that has it, and the package."""
    for file, node, name in calls():
        for keyword in node.keywords:
            if keyword.arg == "code" and isinstance(keyword.value, ast.Constant):
                yield (
                    keyword.value.value,
                    name.rpartition(".")[2],
                    file.relative_to(PACKAGE).parts[0],
                )


def test_every_error_has_a_code():
    """Whoever calls can tell faults apart without reading sentences."""
    without = [
        f"{file.relative_to(PACKAGE)}:{node.lineno}"
        for file, node, name in calls()
        if "code" not in {keyword.arg for keyword in node.keywords}
        and (
            name in {*RAISED, "FormulaError"} - {"warn"}
            or (name == "warnings.warn" and "PlumblineWarning" in map(ast.unparse, node.args[1:2]))
        )
    ]
    assert without == []


def test_codes_are_in_kebab_case():
    """Lower-case words and numbers with hyphens, of errors, warnings and notes alike."""
    known = {code for code, _, _ in codes()}
    assert {code for code in known if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code)} == set()


def test_a_code_is_of_one_kind_of_fault():
    """Errors of one package share it, unless it is one of the faults that many packages find."""
    packages = defaultdict(set)
    for code, kind, package in codes():
        if kind in RAISED:
            packages[code].add(package)
    assert {code for code, found in packages.items() if len(found) > 1} == SHARED


def test_a_code_is_of_one_class_of_error():
    """What an argument may be and what the rows must be are two faults."""
    kinds = defaultdict(set)
    for code, kind, _ in codes():
        if kind in ("InputError", "ParameterError"):
            kinds[code].add(kind)
    assert {code for code, found in kinds.items() if len(found) > 1} == set()


@pytest.mark.parametrize(
    ("check", "code", "arrived", "near"),
    [
        (lambda: one_of("view", "tpo", ["top", "all"]), "unknown-name", "'tpo'", "top"),
        (lambda: whole_number("view", 0.5, least=1), "no-whole-number", "0.5", None),
        (lambda: open_fraction("view", 5), "no-fraction", "5", None),
        (lambda: share("view", 50), "no-fraction", "50", None),
    ],
)
def test_a_check_gives_the_parts_of_its_error(check, code, arrived, near):
    """The text is made of them, and they survive copies, processes and printing."""
    with pytest.raises(ParameterError) as caught:
        check()
    error = caught.value
    assert (error.code, error.argument, error.arrived, error.near) == (code, "view", arrived, near)
    assert all(part in str(error) for part in ("`view`", error.rule, arrived, near or ""))
    for twin in (again(error), copy.copy(error)):
        assert (str(twin), repr(twin)) == (str(error), repr(error))
    assert f"code={code!r}, argument='view'" in repr(error)


@pytest.mark.parametrize("kind", [errors.InputError, errors.MissingExtraError, PlumblineWarning])
def test_every_kind_keeps_its_parts(kind):
    """Text and remedy are one message, and a text that begins with an argument is about it."""
    one = kind("`level` is odd", code="odd", remedy="give another")
    twin = again(one)
    for each in (one, twin):
        assert (each.code, each.argument, str(each)) == (
            "odd",
            "level",
            f"{one.text}. Give another.",
        )


def test_an_error_of_a_formula_keeps_its_place():
    """In its message only the argument that it is given is one: the rest are words of formulas."""
    one = FormulaError(
        "`y` is no `level`", code="odd", formula="a + y", start=4, end=5, argument="y", near="x"
    )
    for twin in (again(one), copy.copy(one)):
        assert (str(twin), repr(twin)) == (str(one), repr(one))
        assert (twin.code, twin.argument, twin.arrived, twin.near) == ("odd", "y", "y", "x")
        assert (twin.formula, twin.start, twin.end) == ("a + y", 4, 5)
    assert one.worded(Shell(commands()["curve"])).startswith("--y ")


def test_what_stands_in_back_ticks_is_an_argument():
    """So a surface need not guess which words are its own."""
    known = set()
    for _, node in nodes():
        if isinstance(node, ast.arg):
            known.add(node.arg)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            known.add(node.target.id)  # a field of a dataclass
    wrong = [
        (place, reference)
        for place, text in messages()
        for reference in REFERENCE.findall(text)
        if (name := reference.partition("=")[0]) not in known and "{" not in name
    ]
    assert wrong == []


def test_every_argument_has_a_name_on_every_surface():
    """The command line names options that the command has, or uses plain words."""
    for name in sorted(parameters()):
        text = f"`{name}` is wrong; use `{name}='a b'`"
        assert Surface().worded(text) == text
        seen = BROWSER.worded(text)
        assert not re.search(r"[`=_]|--", seen)
        assert seen.endswith(" a b")
        for command in commands().values():
            typed = Shell(command).worded(text)
            assert "`" not in typed
            own = {option for param in command.params for option in param.opts}
            assert set(re.findall(r"--[\w-]+", typed)) <= own


def test_labels_are_those_of_controls():
    """The browser names what its user sees."""
    sources = (PACKAGE / "workbench" / "static" / "workbench.js").read_text().casefold()
    assert [label for label in OWN.values() if label.casefold() not in sources] == []


def test_the_browser_says_a_sentence_without_signs_of_a_program():
    """Where the library names an argument, a code has a sentence or a remedy of its own."""
    data = pb.Predictions.from_arrays([0, 1, 1], [0.2, 0.6, 0.7], attributes={"age": [20, 30, 40]})
    with pytest.raises(pb.InputError) as caught:
        pb.curve(data, "roc", where="age > 200")
    assert caught.value.code == "no-rows-left"
    assert message_of(caught.value) == SENTENCES["no-rows-left"]
    with pytest.raises(ParameterError) as refused:
        pb.calibration_error(data, view="tpo")
    assert not re.search(r"[`=]", message_of(refused.value))


def test_an_answer_keeps_the_words_of_formulas():
    """In a note on a curve only what has a value is an argument, in other notes all are."""
    note = {"notes": ["`age`, `target='a'`"], "lines": [{"reason": "give `bins`"}], "x": 1}
    assert worded_answer(note, "curve")["notes"] == ["`age`, class a"]
    assert worded_answer(note, "test") == {
        "notes": ["age, class a"],
        "lines": [{"reason": "give bins"}],
        "x": 1,
    }


def test_options_of_other_names_are_options():
    """What the table of names says is an option of some command."""
    own = {option for command in commands().values() for p in command.params for option in p.opts}
    assert {f"--{name.replace('_', '-')}" for name in OPTION_NAMES.values()} <= own


@pytest.mark.parametrize(
    ("command", "text", "typed"),
    [
        ("test", "`view` 'joint' takes no `bins`", "--view 'joint' takes no --bins"),
        ("test", "use `view='top-label'`", "use --view top-label"),
        ("demo", "use `view='top-label'`, not `bins`", "use view top-label, not bins"),
        ("test", "give `rng`", "give --seed"),
        ("test", "`edges` must increase", "--bins edges must increase"),
        ("test", "pass `normalize=True`", "pass --normalize"),
        ("test", "say `positive='a b'`", "say --positive 'a b'"),
        ("test", "`prob={'COLUMN': 'CLASS'}`", "--prob COLUMN=CLASS"),
        ("compare", "`models=['A', 'B']`", "--models A,B"),
        ("compare", "the same `weight`", "the same 'weight'"),
    ],
)
def test_arguments_are_written_as_they_are_typed(command, text, typed):
    """Names and values alike."""
    assert Shell(commands()[command]).worded(text) == typed


def test_warnings_are_collected_in_their_own_thread(recwarn):
    """Another thread warns as ever, and so does this one afterwards."""
    with errors.collected_warnings() as own:
        errors.warn("own", code="few-rows")
        with ThreadPoolExecutor(1) as pool, pytest.warns(PlumblineWarning, match="other"):
            pool.submit(errors.warn, "other", code="few-rows").result()
    assert [str(one) for one in own] == ["own"]
    with pytest.warns(PlumblineWarning, match="after"):
        errors.warn("after", code="few-rows")
    assert not recwarn
