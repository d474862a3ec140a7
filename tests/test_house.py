"""The house rules that a machine can check: who imports whom, what is public, what is loaded."""

import ast
import graphlib
import importlib
import importlib.util
import inspect
import pickle
import pkgutil
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import plumbline
import plumbline.results
from laws import law
from refusals import refused
from source_trees import tree_of

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "plumbline"
FILES = sorted(PACKAGE.rglob("*.py"))

# Package -> the packages it may import. A new one is a new line here and a sentence in docs/map.md.
TOP = "__init__"
GROUND = {
    *("errors", "_checks", "_keywords", "_distribution", "_linear_algebra", "jit", "atomic_files"),
    *(
        "file_endings",
        "command_words",
        "python_calls",
        "progress",
        "_result",
        "formatting",
        "verdicts",
        "random_streams",
        "ending_signals",
    ),
    *("roles", "predictions", "frames", "binning"),
}
MEASURES = GROUND | {"scores", "calibration", "dependence"}
ERRORS = MEASURES | {"nulls", "intervals", "calibration_errors"}
INFERENCE = ERRORS | {"calibration_tests", "group_calibration"}
CURVES = {"confusion", "formula", "curves"}
CHOICE = {"validation", "comparison", "recalibration", "advisor"}
SHELLS = {"metrics", "plots", "reporting", "sklearn", "results"}
MAP = {
    "errors": {"formatting"},
    "_distribution": set(),
    "_linear_algebra": set(),
    "_checks": {"errors", "formatting", "_distribution"},
    "_keywords": {"errors", "_checks", "formatting"},
    "atomic_files": {"errors", "formatting"},
    "file_endings": {"errors", "formatting"},
    "command_words": set(),
    "python_calls": set(),
    "jit": set(),
    "progress": set(),
    "formatting": set(),
    "ending_signals": set(),
    "verdicts": {"formatting", "_result"},
    "_result": {"_checks", "formatting"},
    "results": set(),
    "random_streams": {"errors", "_checks"},
    "workers": {"_checks", "progress"},
    "checkpoints": {"errors", "formatting", "_distribution", "_checks", "atomic_files"}
    | {"progress", "workers"},
    "roles": {"errors", "_checks", "command_words", "formatting"},
    "predictions": {"errors", "_checks", "_keywords", "_result", "formatting"}
    | {"atomic_files", "file_endings", "jit", "roles"},
    "frames": {"errors", "_checks", "_distribution", "_result", "formatting", "jit", "progress"}
    | {"atomic_files", "file_endings", "predictions", "roles"},
    "binning": {"errors", "_checks", "_keywords", "formatting", "jit", "predictions"},
    "scores": {"errors", "_checks", "formatting", "predictions"},
    "formula": {"errors", "_checks", "formatting"},
    "confusion": GROUND | {"dependence", "formula"},
    "curves": GROUND | {"dependence", "workers", "confusion", "formula"},
    "calibration": {"errors", "_checks", "formatting", "jit", "predictions", "binning"},
    "dependence": {"errors", "_result", "formatting", "jit", "random_streams", "predictions"},
    "nulls": {"errors", "_checks", "jit", "progress", "random_streams", "calibration"}
    | {"predictions", "dependence"},
    "intervals": MEASURES | {"nulls"},
    "calibration_errors": MEASURES | {"nulls", "intervals"},
    "calibration_tests": ERRORS,
    "group_calibration": ERRORS | {"calibration_tests"},
    "synthetic": {"errors", "_checks", "formatting", "random_streams", "_result", "predictions"},
    "power": ERRORS | {"calibration_tests", "checkpoints", "synthetic"},
    "input_checks": GROUND | {"curves", "dependence"},
    "recalibration": GROUND | {"calibration"},
    "metrics": ERRORS | CURVES,
    "validation": ERRORS | CURVES | {"checkpoints", "metrics"},
    "monitoring": ERRORS | {"confusion"},
    "gate": ERRORS | CURVES | {"metrics", "comparison"},
    "comparison": ERRORS | CURVES | {"checkpoints", "metrics", "recalibration"},
    "requests": {"errors", "_checks", "formatting", "progress", "_result", "predictions", "binning"}
    | CURVES
    | {"gate", "power", "recalibration", "validation"},
    "advisor": MEASURES
    | {
        "workers",
        "nulls",
        "calibration_errors",
        "calibration_tests",
        "metrics",
        "comparison",
        "recalibration",
    },
    "sklearn": ERRORS - {"intervals"} | {"metrics", "recalibration", "advisor"},
    "plots": {"errors", "_checks", "_keywords", "atomic_files", "_result", "formatting", "verdicts"}
    | {
        "calibration_errors",
        "calibration_tests",
        "group_calibration",
        "gate",
        "monitoring",
        "power",
    }
    | {"synthetic", "curves", "confusion", "comparison", "validation", "recalibration", "advisor"},
    "reporting": INFERENCE
    | CURVES
    | {"frames", "input_checks", "metrics", "monitoring", "plots", "comparison", "recalibration"}
    | {"advisor", "gate", "requests"},
    TOP: INFERENCE | SHELLS | CURVES | CHOICE | {"gate", "input_checks", "monitoring", "power"},
    "demo": INFERENCE | SHELLS | CURVES | {"input_checks", TOP},
    "workbench": INFERENCE
    | SHELLS
    | CURVES
    | CHOICE
    | {"gate", "input_checks", "power", "synthetic", "requests", TOP},
    "cli": INFERENCE
    | SHELLS
    | CURVES
    | CHOICE
    | {"input_checks", "demo", "checkpoints", "power", "requests", "workbench", TOP},
    "pytest_plugin": {"gate", TOP},
    "__main__": {"cli"},
}

HEAVY = [
    *("scipy", "numba", "pandas", "matplotlib", "sklearn", "pyarrow", "polars"),
    *("joblib", "statsmodels", "onnx", "sqlglot", "starlette", "uvicorn", "anywidget"),
]

# Marks of a lock file or a setting that ties the project to one registry. Cut in two, so that this
# file does not hold them.
REGISTRY_MARKS = ['"resolved' + '":', "index" + "-url"]


def package_of(file: Path) -> str:
    """Return the package a source file belongs to: the first part of its path."""
    return file.relative_to(PACKAGE).with_suffix("").parts[0]


def is_package(name: str) -> bool:
    """Tell whether the package has a module or a folder of this name."""
    return (PACKAGE / f"{name}.py").exists() or (PACKAGE / name).is_dir()


def imported_names(tree: ast.AST, file: Path) -> Iterator[tuple[int, str]]:
    """Yield line and full dotted name of everything a file imports, wherever in it that stands."""
    package = ["plumbline", *file.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def imported_packages(file: Path) -> Iterator[tuple[int, str]]:
    """Yield line and package of every import of our own; a public name belongs to the top."""
    for line, name in imported_names(tree_of(file), file):
        top, _, rest = name.partition(".")
        if top == "plumbline":
            package = rest.partition(".")[0]
            yield line, package if package and is_package(package) else TOP


SHELLS_OF_PEOPLE = ("cli", "workbench", "reporting")
NUMERIC = ("numpy", "scipy", "pandas", "polars", "statistics", "numba", "sklearn")
# What a shell does with arrays that is no grouping, counting or measuring. A new line needs such a
# reason; what computes a number belongs in the package that knows it.
SHELL_ARRAYS = {
    "cli/estimate.py": "turns a grid file into the distributions that a search draws from",
    "cli/estimate_data.py": "reads the columns of a file into features, filled, scaled and encoded",
    "workbench/server/warm.py": "makes the table that the first process answers questions about",
    "workbench/wire.py": "writes arrays as bytes",
}


def test_what_a_command_leaves_for_its_parts_is_named():
    """The context of click is looked at in one place; what is kept in it are fields with names."""
    looked = re.compile(r"get_current_context|\b(?:ctx|context)\.meta\b")
    files = {file.name for file in FILES if looked.search(file.read_text("utf-8"))}
    assert files == {"running.py"}


def test_shells_count_group_and_measure_nothing():
    """The command line, the workbench and the report turn results into text, pages and bytes."""
    arrays = {
        str(file.relative_to(PACKAGE))
        for file in FILES
        if package_of(file) in SHELLS_OF_PEOPLE
        for _, name in imported_names(tree_of(file), file)
        if name.partition(".")[0] in NUMERIC
    }
    new = sorted(arrays - set(SHELL_ARRAYS))
    assert not new, f"{new} compute by themselves; ask the library, or give a reason above"
    assert arrays == set(SHELL_ARRAYS), "a file of the list needs no arrays any more"


def test_the_import_map_has_no_cycle():
    """The packages can be put in an order in which each imports earlier ones only."""
    order = list(graphlib.TopologicalSorter(MAP).static_order())
    assert set(order) == set(MAP), "the map allows the import of a package that it does not list"


def test_a_package_imports_only_what_the_map_allows():
    """A file imports only its own package and those the map names, also inside functions."""
    new = {package_of(file) for file in FILES} - set(MAP)
    assert not new, f"packages {new} are not in the map: add lines there and to docs/map.md"
    wrong = [
        f"{file.relative_to(ROOT)}:{line} imports {other!r}, not one of {sorted(MAP[package])}"
        for file in FILES
        for package in (package_of(file),)
        for line, other in imported_packages(file)
        if other != package and other not in MAP[package]
    ]
    assert not wrong, "\n".join(wrong)


# A parameter or field `place` is a position in a row of things, a number; but for these.
INTEGERS = {"int", "np.intp", "Ints", "Places"}
OTHER_PLACES = {
    "gate/results.py": "file and line of a rule, a key of its JSON",
    "gate/rules.py": "the same",
    "plots/style.py": "a position on an axis, which may lie between two",
}


def test_place_is_a_position():
    """No group, no point, no column, no file: these have names of their own."""
    wrong = [
        f"{name}:{node.lineno}"
        for file in FILES
        for name in (file.relative_to(PACKAGE).as_posix(),)
        for node in ast.walk(tree_of(file))
        if (isinstance(node, ast.arg) and node.arg == "place")
        or (isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "place")
        if node.annotation is not None and name not in OTHER_PLACES
        if ast.unparse(node.annotation) not in INTEGERS
    ]
    assert not wrong


MOST_ALIKE = 10  # files with a private function of one name; `_groups` had 13, each its own


def test_a_private_name_is_not_everywhere():
    """A name that a dozen files give to things of their own says too little in each."""
    files = Counter(
        name
        for file in FILES
        for name in {
            node.name
            for node in tree_of(file).body
            if isinstance(node, ast.FunctionDef) and re.match("_[a-z]", node.name)
        }
    )
    assert {name for name, number in files.items() if number > MOST_ALIKE} == set()


IMPORT = re.compile(r"^ *from plumbline\.(\w+)\.([\w.]+) import (\([^)]*\)|.*)$", re.M)


def test_every_name_that_is_imported_is_there():
    """Also in files that no other test here imports: the add-on, studies, benchmarks, examples."""
    absent = [
        f"{file.relative_to(ROOT)}: {name} of {node.module}"
        for folder in ("orange", "studies", "benchmarks", "examples", "scripts")
        for file in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "plumbline"
        for name in (one.name for one in node.names)
        if not hasattr(importlib.import_module(str(node.module)), name)
        and importlib.util.find_spec(f"{node.module}.{name}") is None
    ]
    assert absent == []


def test_a_name_that_a_package_exports_has_one_address():
    """Other packages and tests import it from the package, not from the module inside.

    A function in the file of its name may be imported from there, where a type checker takes the
    function of the package for the file.
    """
    exported = {}
    for package in {package_of(file) for file in FILES if file.name == "__init__.py"} - {TOP}:
        inner = PACKAGE / package / "__init__.py"
        names = set(getattr(importlib.import_module(f"plumbline.{package}"), "__all__", ()))
        for module, listed in _imports_inside(inner.read_text("utf-8"), package):
            exported |= {(package, module, name): inner for name in listed & names}
    tests = [file for file in (ROOT / "tests").rglob("*.py") if "engines" not in file.parts]
    twice = [
        f"{file.relative_to(ROOT)}: {name} of plumbline.{package}.{module}"
        for file in [*FILES, *tests]
        for package, module, names in _deep_imports(file)
        for name in names
        if (package, module, name) in exported and name != module
    ]
    assert twice == []


def _imports_inside(text: str, package: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the modules of its own that the `__init__` of a package imports, and which names."""
    for other, module, names in IMPORT.findall(text):
        if other == package:
            yield module, set(re.findall(r"\w+", names))


def _deep_imports(file: Path) -> Iterator[tuple[str, str, set[str]]]:
    """Yield package, module and names of what a file imports from inside another package."""
    own = package_of(file) if file.is_relative_to(PACKAGE) else None
    for package, module, names in IMPORT.findall(file.read_text("utf-8")):
        if package != own:
            yield package, module, set(re.findall(r"\w+", names.partition("#")[0]))


def test_every_package_has_its_sentence_on_the_map_for_readers():
    """docs/map.md names every package there is."""
    text = (ROOT / "docs" / "map.md").read_text("utf-8")
    missing = {package for package in map(package_of, FILES) if f"`{package}`" not in text}
    assert not missing


def test_files_that_the_map_names_exist():
    """Whoever follows the map finds what it names."""
    text = (ROOT / "docs" / "map.md").read_text("utf-8")
    files = [PACKAGE / name for name in re.findall(r"`([a-z_0-9]+/[a-z_0-9/]+\.py)`", text)]
    assert [
        file for file in files if not (file.exists() or (ROOT / file.relative_to(PACKAGE)).exists())
    ] == []


LIMIT = re.compile(
    r"(MOST|LEAST|FEW|FEWEST|MANY|LONGEST|LARGEST|NEAR|CLOSE|GAP|ALIKE|ROUNDING|STEPS|HALVINGS)(_|$)"
)


def test_every_limit_says_what_it_is_for():
    """A number of a module that is a limit or a tolerance has a comment beside or above it."""
    bare = []
    for file in FILES:
        lines = ["", *file.read_text("utf-8").splitlines()]
        for node in tree_of(file).body:
            if not isinstance(node, ast.Assign) or not _numeric(node.value):
                continue
            names = [name.id for name in ast.walk(node.targets[0]) if isinstance(name, ast.Name)]
            written = lines[node.lineno : (node.end_lineno or 0) + 1]
            if lines[node.lineno - 1][:1] != "#" and "#" not in "".join(written):
                bare += [
                    f"{file.relative_to(PACKAGE)}: {name}" for name in names if LIMIT.match(name)
                ]
    assert bare == []


def _numeric(value: ast.expr) -> bool:
    """Tell whether an expression is made of numbers alone."""
    parts = [
        part for part in ast.walk(value) if isinstance(part, ast.Constant | ast.Name | ast.Call)
    ]
    return all(isinstance(getattr(part, "value", None), int | float) for part in parts)


def test_public_names_are_sorted():
    """`__all__` is in plain sorted order and names nothing twice."""
    assert list(plumbline.__all__) == sorted(set(plumbline.__all__))


def test_classes_of_results_have_a_module_of_their_own():
    """What most people never name is not among the public names."""
    assert not set(plumbline.__all__) & set(plumbline.results.__all__)


def test_an_unknown_name_says_where_a_near_one_is():
    """Classes of results are told by their module, slips by the nearest name."""
    with pytest.raises(AttributeError, match=r"plumbline\.results\.CalibrationTest"):
        _ = plumbline.CalibrationTest
    with pytest.raises(AttributeError, match="'calibration_error'"):
        _ = plumbline.calibration_eror


def test_modules_for_users_are_attributes():
    """`pb.results` and the like need no import of their own, and scikit-learn no installation."""
    code = "import sys; sys.modules['sklearn'] = None\nimport plumbline as pb\n"
    code += "print(pb.results, pb.sklearn, pb.binning, pb.plots)"
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)


def test_results_are_classes_of_the_package():
    """`plumbline.results` resolves every name it lists, and no other."""
    for name in plumbline.results.__all__:
        assert inspect.isclass(getattr(plumbline.results, name)), name
    with pytest.raises(AttributeError, match="no_such_name"):
        plumbline.results.no_such_name  # noqa: B018


def test_public_names_are_things_to_use_and_never_modules():
    """Every public name resolves and is listed, and importing a package does not shadow it."""
    for module in pkgutil.walk_packages(plumbline.__path__, "plumbline.", onerror=_raise):
        importlib.import_module(module.name)
    for name in plumbline.__all__:
        assert not isinstance(getattr(plumbline, name), ModuleType), f"{name} is a module"
    assert set(plumbline.__all__) <= set(dir(plumbline))


def test_an_example_that_is_found_first_shadows_no_public_name():
    """Where pytest begins with the file of a function, that is loaded once, and is the function."""
    code = """
import sys, pytest, plumbline
file = "src/plumbline/curves/best_threshold.py"
assert pytest.main(["--collect-only", "-qq", "-n0", "-pno:cacheprovider", file]) == 0
module = sys.modules["plumbline.curves.best_threshold"]
assert callable(plumbline.best_threshold)
assert plumbline.results.BestThreshold is module.BestThreshold
"""
    call = [sys.executable, "-c", code]
    run = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def _raise(name: str) -> None:
    raise ImportError(f"{name} cannot be imported") from sys.exc_info()[1]


def test_importing_plumbline_loads_nothing_heavy():
    """`import plumbline` leaves heavy libraries to the packages and calls that need them."""
    code = "import sys, plumbline; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(HEAVY).isdisjoint(run.stdout.split())


@law(
    "absent",
    [
        [
            "sklearn",
            "matplotlib",
            "jinja2",
            "pandas",
            "polars",
            "onnx",
            "sqlglot",
            "starlette",
            "uvicorn",
            "anywidget",
        ],
        ["matplotlib", "jinja2"],
    ],
    number=1,
)
def test_all_public_names_are_there_without_any_extra(absent):
    """`import *`, hasattr, help and getmembers work; what needs an extra says so when it is called.

    Names of estimators are classes then too, and tell the command that installs scikit-learn.
    """
    code = f"""
import contextlib, inspect, io, sys
class Absent:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
import plumbline
import plumbline.results
import plumbline.sklearn
from plumbline import *
from plumbline.results import *
from plumbline.sklearn import *
assert all(hasattr(plumbline, name) for name in plumbline.__all__)
assert not hasattr(plumbline, "no_such_name")
assert set(plumbline.__all__) <= dict(inspect.getmembers(plumbline)).keys()
with contextlib.redirect_stdout(io.StringIO()) as page:
    help(plumbline)
    for module in (plumbline, plumbline.results, plumbline.sklearn):
        for name in module.__all__:
            help(getattr(module, name))
assert "RecalibratedClassifier" in page.getvalue()
for name in ("RecalibratedClassifier", "RecalibrationTransformer"):
    try:
        getattr(plumbline.sklearn, name)("platt")
    except MissingExtraError as error:
        print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    installs = run.stdout.count("python -m pip install 'plumbline-eval[sklearn]'")
    assert installs == (2 if "sklearn" in absent else 0)


FUNCTIONS = [name for name in plumbline.__all__ if inspect.isfunction(getattr(plumbline, name))]
OF_DATA = [
    name
    for name in FUNCTIONS
    if next(iter(inspect.signature(getattr(plumbline, name)).parameters), None) == "data"
]


@pytest.mark.parametrize("name", OF_DATA)
def test_every_function_of_predictions_tells_arrays_what_to_make_of_them(name):
    """Labels and probabilities, or either alone, get the way to go instead of Python's count."""
    function = getattr(plumbline, name)
    y, p = np.array([0, 1, 1]), np.array([0.2, 0.7, 0.6])
    for arrays in ((y, p), (p,), (y.tolist(), p.tolist()), (y, p, 15)):
        rule = rf"^{name} needs .*Predictions\.from_arrays\(y_true, y_prob\)\.$"  # and no more
        with pytest.raises(plumbline.ParameterError, match=rule):
            function(*arrays)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_names_the_keyword_that_is_meant(name):
    """A word of another library gets ours, a slip the nearest, anything else all that there are."""
    function = getattr(plumbline, name)
    known = inspect.signature(function).parameters
    words = {
        "seed": "rng",
        "metric": "metrics",
        "n_jobs": "workers",
        "groups": "by",
        "levle": "level",
    }
    cases = {
        wrong: right for wrong, right in words.items() if right in known and wrong not in known
    }
    for wrong, right in cases.items():
        with pytest.raises(plumbline.ParameterError, match=f"`{wrong}`.*mean '{right}'"):
            function(**{wrong: 1})
    with refused(plumbline.ParameterError, "unknown-argument", name, argument="nought"):
        function(nought=1)


def test_a_public_function_is_its_own_self():
    """The same object each time, with the signature and the page of its package, and it pickles."""
    assert len(FUNCTIONS) > 35
    for name in FUNCTIONS:
        function = getattr(plumbline, name)
        assert getattr(plumbline, name) is function
        assert pickle.loads(pickle.dumps(function)) is function  # noqa: S301
        own = inspect.unwrap(function)
        assert own is not function
        assert inspect.signature(function) == inspect.signature(own)
        assert function.__doc__ == own.__doc__


def test_warnings_point_at_the_line_that_asked():
    """Not at a line of the library, however many of its functions lie between."""
    rng = np.random.default_rng(0)
    p = rng.random(60)
    y = (rng.random(60) < p).astype(int)
    one = plumbline.Predictions.from_arrays(y, p)
    twice = plumbline.Predictions.from_arrays(
        np.tile(y, 2), np.tile(p, 2), row=np.tile(np.arange(60), 2), repeat=np.repeat([0, 1], 60)
    )
    for call in (
        lambda: plumbline.calibration_error(one, like="blog", resamples=9),
        lambda: plumbline.calibration_error(twice, resamples=9),
        lambda: plumbline.calibration_test(twice, statistic="log-loss", resamples=9),
        lambda: plumbline.measure(twice, "ece", resamples=9),
        lambda: plumbline.calibration_error(one, outcome="correct", resamples=9),
    ):
        with pytest.warns(plumbline.PlumblineWarning) as warned:
            call()
        assert {warning.filename for warning in warned} == {__file__}


def test_no_text_tells_to_install_the_package_of_somebody_else():
    """On the index `plumbline` is another project: extras and commands name `plumbline-eval`."""
    stranger = re.compile(r"\bplumbline" + r"\[(?!data)|pip install [^\n`]*\bplumbline\b(?!-eval)")
    folders = ("src", "docs", "scripts", "examples", "studies", "benchmarks")
    texts = [*ROOT.glob("*.md"), ROOT / "pyproject.toml"]
    for folder in folders:
        texts += [
            file
            for file in (ROOT / folder).rglob("*")
            if file.suffix in (".py", ".md", ".sh", ".html") and "_build" not in file.parts
        ]
    assert [file for file in texts if stranger.search(file.read_text("utf-8"))] == []


def test_every_dependency_has_a_lower_bound_and_no_upper():
    """`scripts/lowest.py`, on which `make test-lowest` rests, names the oldest of each."""
    script = [sys.executable, ROOT / "scripts" / "lowest.py"]
    lines = subprocess.run(script, capture_output=True, check=True, text=True).stdout.splitlines()
    names = [line.partition("==")[0] for line in lines]
    assert names == sorted(set(names)), "a package has two lower bounds"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = ("plot", "report", "sklearn", "onnx", "sql", "serve", "notebook", "test")
    others = {name for extra in extras for name in project["optional-dependencies"][extra]}
    wanted = {name for name in {*project["dependencies"], *others} if "[" not in name}
    assert {line.replace("==", ">=") for line in lines} == wanted


@pytest.mark.parametrize("python", ["/nonexistent/python3", shutil.which("false")])
def test_a_python_that_will_not_do_is_refused_before_anything_is_made(tmp_path, python):
    """Set-up names the rule and what to do, and ends with 2."""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    find = ["sh", tmp_path / "scripts" / "setup-venv.sh", "--find"]
    run = subprocess.run(find, env={"PYTHON": python}, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "Python >= 3.11" in run.stderr
    assert not (tmp_path / ".venv").exists()


def test_no_file_names_a_package_registry():
    """Whoever installs chooses where packages come from, so no tracked file says it."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout, so nothing says which files are tracked")
    listing = [git, "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, capture_output=True, check=True).stdout.decode().split("\0")
    texts = {name: _text(ROOT / name) for name in names if name}
    assert [name for name, text in texts.items() if any(m in text for m in REGISTRY_MARKS)] == []


def _text(path: Path) -> str:
    """Return what is in a text file, nothing for any other."""
    try:
        return path.read_text("utf-8")
    except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
        return ""
