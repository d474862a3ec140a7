"""Keywords of other libraries are answered with our word, by every public function and class."""

import dataclasses
import inspect

import numpy as np
import pyarrow as pa
import pytest

import plumbline as pb
from plumbline import binning, plots, sklearn
from plumbline._keywords import WORDS
from plumbline.errors import ParameterError
from refusals import refused


def _public():
    """Yield name and callable of everything that a user calls by name."""
    for module in (pb, plots, sklearn, binning):
        for name in module.__all__:
            held = getattr(module, name)
            if inspect.isclass(held) and _is_made_by_users(held):
                yield f"{module.__name__}.{name}", held
                for method, one in inspect.getmembers(held, inspect.isroutine):
                    own = method in vars(held) and one.__module__.startswith("plumbline")
                    if own and not method.startswith("_"):
                        yield f"{module.__name__}.{name}.{method}", one
            elif inspect.isroutine(held) and module is not binning:
                yield f"{module.__name__}.{name}", held


def _is_made_by_users(held):
    if held in (pb.Predictions, pb.RecalibrationMap, pb.Search) or hasattr(held, "get_params"):
        return True
    if held is binning.PresetBinning:  # `bins` and `like` name it; it is exported for the package
        return False
    is_scorer = hasattr(held, "set_score_request")
    return is_scorer or (dataclasses.is_dataclass(held) and callable(getattr(held, "edges", None)))


PUBLIC = dict(_public())


def test_every_public_function_is_looked_at():
    """The list has functions, constructors and methods of all modules."""
    known = {"plumbline.roc_auc", "plumbline.plots.draw_curve", "plumbline.EqualSize"}
    known |= {"plumbline.Predictions.from_arrays", "plumbline.Predictions.read"}
    known |= {"plumbline.sklearn.RecalibratedClassifier.fit", "plumbline.RecalibrationMap.load"}
    assert known <= set(PUBLIC)
    assert len(PUBLIC) > 150


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_other_libraries_is_answered_with_ours(word):
    """The error names the argument of this function that is meant, else where it is said here."""
    for name, function in PUBLIC.items():
        parameters = inspect.signature(function).parameters
        takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
        if word in parameters or takes_any:
            continue
        with pytest.raises(ParameterError) as caught:
            function(**{word: 1})
        text = str(caught.value)
        if name == "plumbline.Predictions":  # its constructor is not for users
            assert caught.value.code == "private-constructor"
            continue
        assert (caught.value.code, caught.value.argument) == ("unknown-argument", word), name
        meant = [one for one in WORDS[word].ours if one in parameters]
        assert f"`{word}`" in text, name
        if meant:
            assert f"'{meant[0]}'" in text, name
        elif WORDS[word].elsewhere:
            assert text.endswith(WORDS[word].elsewhere), name


def test_every_answer_names_a_word_that_is_ours():
    """What a word means is an argument of some public function."""
    known = {
        name for function in PUBLIC.values() for name in inspect.signature(function).parameters
    }
    for word, meaning in WORDS.items():
        assert set(meaning.ours) & known, word


def test_groups_can_be_named_as_the_answer_says():
    """Both ways that the answer to `groups` of a table names give the same groups."""
    frame = pa.table({"id": [1, 1, 2, 2], "actual": [0, 1, 0, 1], "p:0": [0.9, 0.2, 0.6, 0.4]})
    with refused(ParameterError, "unknown-argument", "in_groups('id')", "rename={'id': 'groups'}"):
        pb.read(frame, groups="id")
    read = pb.read(frame, rename={"id": "groups"})
    with pytest.warns(pb.PlumblineWarning, match="'id' recurs"):
        named = pb.read(frame).in_groups("id")
    assert read.groups.names == named.groups.names == ("1", "2")


@pytest.mark.parametrize(
    "given",
    [
        lambda y, p: ((y, p), {}),
        lambda y, p: ((), {"y_true": y, "y_prob": p}),
        lambda y, p: ((tuple("ab" * 10), y, p), {}),
        lambda y, p: ((tuple("ab" * 10), p), {}),
        lambda y, p: ((("a", "b"), y, p), {}),
        lambda y, p: (({"y": y, "p": p},), {}),
        lambda y, p: ((), {}),
    ],
)
def test_the_private_constructor_is_refused_in_words(given):
    """However raw data are handed to it, it names from_arrays, and the caller may go on writing."""
    y, p = np.arange(20) % 2, np.linspace(0, 1, 20)
    args, named = given(y, p)
    with refused(ParameterError, "private-constructor", "from_arrays"):
        pb.Predictions(*args, **named)
    assert y.flags.writeable
    assert p.flags.writeable
