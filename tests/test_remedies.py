"""No remedy that does not exist: what messages tell a user of Python to call can be called so."""

import ast
import importlib
import inspect
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import plumbline as pb
from plumbline.errors import PlumblineError

SOURCE = Path(pb.__file__).parent
SHELLS = ("cli", "workbench", "demo.py")  # whose remedies are commands and controls
ROOTS = {
    "Predictions": pb.Predictions,
    "data": pb.Predictions,
    "map": pb.RecalibrationMap,
    "numpy": np,
    "pb": pb,
    "plumbline": pb,
    "sklearn": None,
}
BARE = {name: getattr(pb, name) for name in pb.__all__ if callable(getattr(pb, name))}
CALL = re.compile(r"(?<![\w.`])[A-Za-z_][\w.]*\(")
KNOWN = "|".join([rf"(?:{'|'.join(ROOTS)})\.[\w.]+", *BARE])
QUOTED = re.compile(rf"""["'][^"'\n]*(?<![\w.])(?:{KNOWN})\(""")  # a line of text with a known call
TICKED = re.compile(r"`([A-Za-z_]\w*)(?:=[^`]+)?`")


# ---------------------------------------------------------------- what stands in the source


def _text(node):
    """Return the text of an expression, "..." in place of what is filled in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or "..." for part in node.values)
    return None


def _texts():
    """Yield place and text of every text in the source that is no docstring."""
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        if place.startswith(SHELLS):
            continue
        source = path.read_text("utf-8")
        if not QUOTED.search(source):  # parsing and walking all files takes seconds
            continue
        skipped = set()  # docstrings, and parts of texts that are yielded whole
        for node in ast.walk(ast.parse(source)):  # parents come first
            if isinstance(node, ast.Expr):
                skipped.add(node.value)
            elif isinstance(node, ast.Constant | ast.JoinedStr):
                skipped.update(getattr(node, "values", ()))
                if node not in skipped and (text := _text(node)):
                    yield f"{place}:{node.lineno}", text


def _calls(text):
    """Yield name and written arguments of every call of a known function in a text."""
    for match in CALL.finditer(text):
        name = match[0][:-1]
        root = name.partition(".")[0]
        if root in ROOTS if "." in name else root in BARE:
            depth, end = 1, match.end()
            while end < len(text) and depth:
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            if depth == 0:
                yield name, text[match.end() : end - 1]


def _resolved(name):
    """Return the function that a dotted name means."""
    if "." not in name:
        return BARE[name]
    root, *parts = name.split(".")
    held = importlib.import_module(root) if ROOTS[root] is None else ROOTS[root]
    for part in parts:
        held = getattr(held, part)
    return held


def _check(name, written):
    """Check that a function exists and takes these arguments; "..." stands for any value."""
    function, written = _resolved(name), re.sub(r"\.{3,}", "...", written)
    try:
        call = ast.parse(f"f({written})", mode="eval").body
    except SyntaxError as error:
        raise AssertionError(f"{name}({written}) is no Python") from error
    if function is pb.Predictions:  # Predictions(...) is named as what does not work
        return
    signature = inspect.signature(function)
    values = [None] * len(call.args)
    if name.startswith(("data.", "map.")) and "self" in signature.parameters:
        values.insert(0, None)
    named = {keyword.arg: None for keyword in call.keywords}
    if written != "...":
        signature.bind_partial(*values, **named)


def test_every_call_in_a_message_can_be_made():
    """Functions that messages name exist, with the arguments that are written there."""
    found, wrong = set(), []
    for place, text in _texts():
        for name, written in _calls(text):
            found.add(name)
            try:
                _check(name, written)
            except (AssertionError, AttributeError, ImportError, TypeError, ValueError) as error:
                wrong.append(f"{place}: {name}({written}): {error}")
    assert wrong == []
    assert {"Predictions.from_arrays", "data.select", "plumbline.list_names"} <= found


def test_the_check_of_calls_finds_what_is_wrong():
    """A name or a keyword that is not there is found, whatever stands around it."""
    for text in ("use data.choose(model=1)", "call calibration_error(data, n_bins=5)"):
        ((name, written),) = _calls(text)
        with pytest.raises((AttributeError, TypeError)):
            _check(name, written)


# ---------------------------------------------------------------- what is said when asked


class Given(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose answers are given."""

    def __init__(self, prob=None, labels=None):
        self.prob, self.labels = prob, labels

    def fit(self, X, y):
        """Learn nothing."""
        return self

    @property
    def classes_(self):
        """Return as many classes as there are columns."""
        width = self.prob.shape[-1] if np.ndim(self.prob) > 1 else 2
        known = [label for label in np.ravel(self.labels) if label is not None]
        return np.unique(known)[:width] if known else np.arange(width)

    def __sklearn_is_fitted__(self):
        return True

    def predict_proba(self, X):
        """Return what is given."""
        return self.prob

    def predict(self, X):
        """Return the first class."""
        return np.zeros(len(X), int)


GOOD = np.array([[0.2, 0.5, 0.3], [0.5, 0.25, 0.25], [0.1, 0.1, 0.8], [0.3, 0.3, 0.4]])
LABELS = [0, 1, 2, 0]
PAIRS = {
    "sums": (LABELS, GOOD + 0.1),
    "percent": (LABELS, 100 * GOOD),
    "logits": (LABELS, GOOD * 300 - 90),
    "missing": (LABELS, np.where(GOOD == 0.5, np.nan, GOOD)),
    "negative": (LABELS, GOOD - 0.15),
    "infinite": (LABELS, np.where(GOOD == 0.5, np.inf, GOOD)),
    "deep": (LABELS, GOOD[None]),
    "text": (LABELS, GOOD.astype(str)),
    "lengths": (LABELS[:3], GOOD),
    "one row": (LABELS[:1], GOOD[:1]),
    "no rows": ([], GOOD[:0]),
    "unnamed": (["a", "b", "c", "d"], GOOD),
    "too few classes": (["a", "b", "a", "b"], GOOD),
    "no positive": (["x", "y", "x", "y"], GOOD[:, 0]),
    "three of two": ([0, 1, 2, 1], GOOD[:, 0]),
    "one column": (LABELS, GOOD[:, :1]),
    "empty label": ([0, None, 1, 2], GOOD),
    "empty text": (["", "b", "c", "b"], GOOD),
    "one-hot": (np.eye(3)[LABELS], GOOD),
    "all zero": (LABELS, GOOD * 0),
}


SHAPES = {"deep", "lengths", "no rows"}  # which no frame has
SOUND = {"sums", "percent", "logits", "missing", "negative", "infinite", "all zero"}
CANNOT = {
    **dict.fromkeys(("from_frame", "Predictions.read", "read"), SHAPES),
    "from_orange": set(PAIRS) - SOUND,  # Orange's own tables are sound in shape
}


def _frame(y, prob):
    wide = np.reshape(prob, (len(prob), -1))
    return pd.DataFrame({"actual": list(y), **{f"p:{j}": c for j, c in enumerate(wide.T)}})


def _orange(y, prob):
    names = tuple(map(str, range(np.shape(prob)[-1])))
    target = SimpleNamespace(name="ill", values=names, is_discrete=True)
    return SimpleNamespace(
        domain=SimpleNamespace(class_var=target, class_vars=[target]),
        data=None,
        actual=y,
        predicted=[y],
        probabilities=[prob],
        row_indices=np.arange(len(y)),
        folds=None,
        learner_names=["a"],
        learners=None,
        models=None,
        failed=None,
    )


def _fitted_map():
    rng = np.random.default_rng(0)
    prob = rng.dirichlet([1, 1, 1], 90)
    return pb.recalibrate(pb.Predictions.from_arrays(np.arange(90) % 3, prob), "temperature")


def _doors(tmp_path):
    """Return by name what opens labels and probabilities, and the function that a user calls."""
    kept = _fitted_map()
    table = pb.Predictions

    def file(y, prob):
        _frame(y, prob).to_csv(tmp_path / "t.csv", index=False)
        return tmp_path / "t.csv"

    doors = {
        "from_arrays": (lambda y, p: table.from_arrays(y, p), table.from_arrays),
        "from_logits": (lambda y, p: table.from_logits(y, p), table.from_logits),
        "from_frame": (lambda y, p: table.from_frame(_frame(y, p)), table.from_frame),
        "Predictions.read": (lambda y, p: table.read(file(y, p)), table.read),
        "read": (lambda y, p: pb.read(file(y, p)), pb.read),
        "from_orange": (lambda y, p: table.from_orange(_orange(y, p)), table.from_orange),
        "from_estimator": (
            lambda y, p: table.from_estimator(Given(p), np.zeros((len(y), 1)), y),
            table.from_estimator,
        ),
        "transform": (lambda y, p: kept.transform(p), kept.transform),
        "scorer": (
            lambda y, p: pb.sklearn.MetricScorer("ece")(Given(p, y), np.zeros((len(y), 1)), y),
            pb.sklearn.MetricScorer,
        ),
        "classifier": (
            lambda y, p: pb.sklearn.RecalibratedClassifier(Given(p, y), cv="prefit").fit(
                np.zeros((len(y), 1)), y
            ),
            pb.sklearn.RecalibratedClassifier,
        ),
        "transformer": (
            lambda y, p: pb.sklearn.RecalibrationTransformer().fit(p, y),
            pb.sklearn.RecalibrationTransformer,
        ),
    }
    for name in pb.sklearn.__all__:
        function = getattr(pb.sklearn, name)
        if inspect.isfunction(function):
            doors[name] = (function, function)
    return doors


def _known(function):
    """Return the arguments of a function, and of the method where it is a class of scikit-learn."""
    names = set(inspect.signature(function).parameters)
    for method in ("fit", "predict", "__call__"):
        if inspect.isclass(function) and hasattr(function, method):
            names |= set(inspect.signature(getattr(function, method)).parameters)
    return names


@pytest.mark.filterwarnings("ignore")
def test_an_error_names_arguments_of_the_function_that_was_called(tmp_path):
    """Bad labels and probabilities through every entry: what stands in ticks, it has."""
    wrong, refused = [], 0
    for name, (opened, function) in _doors(tmp_path).items():
        known = _known(function)
        for case, (y, prob) in PAIRS.items():
            if case in CANNOT.get(name, ()):
                continue
            try:
                opened(y, np.array(prob))
            except PlumblineError as error:
                refused += 1
                text = str(error)
                foreign = [one for one in TICKED.findall(text) if one not in known]
                if foreign:
                    wrong.append(f"{name}, {case}: {foreign}: {text}")
            except (ValueError, TypeError) as error:
                if name in ("classifier", "transformer"):  # scikit-learn's own checks come first
                    continue
                wrong.append(f"{name}, {case}: {type(error).__name__} {error}")
    assert not wrong, "\n".join(wrong)
    assert refused > 200
