"""Maps in the hands of others: files that lie, texts that would be printed, hands that change."""

import copy
import dataclasses
import json
import pickle
import re

import numpy as np
import pytest

import plumbline as pb
from changed_maps import sealed
from plumbline.recalibration import fit_map
from plumbline.recalibration.export import json_file
from plumbline.recalibration.export.json_file import content_of_map, map_of_text
from refusals import refused


def held_out(k=2, n=60):
    """Return a table of k classes."""
    rng = np.random.default_rng(k)
    actual = rng.integers(0, k, n)
    actual[:k] = range(k)
    return pb.Predictions.from_arrays(actual, rng.dirichlet(np.ones(k), n), classes=range(k))


TWO, THREE = held_out(), held_out(3)
METHODS = ("isotonic", "platt", "spline", "temperature", "histogram-equal-size")
CONTENT = {name: content_of_map(fit_map(TWO, name)) for name in METHODS}
CONTENT["three"] = content_of_map(fit_map(THREE, "temperature"))


def changed(kind, where, value):
    """Return the text of a map with one value changed; `where` is a path of names and numbers."""
    content = copy.deepcopy(CONTENT[kind])
    inner = content
    *path, last = (int(step) if step.isdigit() else step for step in where.split("/"))
    for step in path:
        inner = inner[step]
    inner[last] = value
    return sealed(content)


LIES = [
    (
        "isotonic",
        {
            "classes": ["01", ["a"], ["a", "\ud800"], [0, 1]],
            "positive": [["1"], 1],
            "on": [["probability"], "logit"],
            "several": ["native", {"a": 1}, False],
            "n": [-5, 2.7, "60", True, 61, 10**9, 10**400],
            "parameters": ["7", -1, 1.0],
            "effective_n": ["nan", "inf", -3.0, 61.0, None, 10**400],
            "options": [[["a", 1]], "abc", {"a": [[[[[1]]]]]}],
            "details": [[], {"\ud800": 1}],
            "notes": ["abc", [1], {"a": 1}],
            "method": ["drop table", "x\nimport os", "", 5, "x" * 99],
            "plumbline": [1],
            "least": [False, "0.1", 1, -0.1],
            "extra": [1],
            "form": [[1], {}, {"kind": ["line"]}, {"kind": "one-vs-rest", "forms": {"a": 1}}],
            "form/extra": [1],
            "form/forms": [[], [1], [{"kind": "one-vs-rest", "forms": []}]],
            "form/forms/0/extra": [1],
            "form/forms/0/kind": [["line"], "softmax"],
            "form/forms/0/knots": [0.5, [], [[0.1, 0.2]], [0.5, 0.4], [True, 2], [0.1, 10**400]],
            "remembered": [[], {}],
            "remembered/n": ["60", -1, 59, True],
            "remembered/whole": ["yes", 1],
            "remembered/extra": [1],
            "remembered/hashes": ["AAAA", 5, "\ud800", "!"],
            "remembered/any_order": ["0xff", "-1", 5, "0" * 17, " " + "0" * 15],
            "remembered/in_order": ["F" * 16],
        },
    ),
    (
        "platt",
        {
            "form/forms/0/intercept": [[1.0], True, "1", None, 1e101, 2**400],
            "form/forms/0/log_odds": [-1e308],
        },
    ),
    ("spline", {"form/forms/0/coefficients/0": [[1e308, -1e308, 1e308, -1e308], [1, 2, 3], 5]}),
    (
        "temperature",
        {
            "form/weights": [1e308, [1], [[[1]]], "1", [1, True]],
            "form/bias": [[1e308, -1e308], 0, [0.0]],
            "form/centred": [0, "no"],
        },
    ),
    ("three", {"several": [None, "both", ["native"]], "positive": ["0"], "n": [59]}),
]


@pytest.mark.parametrize(
    ("kind", "where", "value"),
    [
        (kind, where, value)
        for kind, lies in LIES
        for where, values in lies.items()
        for value in values
    ],
    ids=lambda value: repr(value)[:30] if isinstance(value, (str, int, list)) else None,
)
def test_a_sealed_lie_is_refused(kind, where, value):
    """A value of another type, size or name is refused in words, whatever the checksum says."""
    with refused(pb.InputError, "map-broken") as raised:
        map_of_text(changed(kind, where, value), "it")
    assert re.search(r"^it .*: ['\w]", str(raised.value))


@pytest.mark.parametrize("kind", CONTENT)
def test_what_is_no_lie_is_read(kind):
    """The contents that the lies were made of are sound."""
    assert content_of_map(map_of_text(sealed(CONTENT[kind]), "it")) == CONTENT[kind]


def test_a_map_that_left_hashes_out_has_some():
    """Where some were left out, the last one kept says up to where; without one nothing does."""
    content = copy.deepcopy(CONTENT["isotonic"])
    content["remembered"] |= {"whole": False, "hashes": "", "rows": 5, "twice": 0, "thrice": 0}
    with refused(pb.InputError, "map-broken", "must be"):
        map_of_text(sealed(content), "it")


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ('"n": 60', '"n": 1e999', ("no-map", "1e999")),
        ('"n": 60', '"n": 60, "n": 60', ("no-map", "'n'")),
        ('"whole": true', '"whole": true, "whole": true', ("no-map", "'whole'")),
        ('"n": 60', f'"n": {"9" * 5000}', ("no-map",)),
        ('"options": {', f'"options": {{"x": {"[" * 5000}{"]" * 5000}, ', ("no-map", "recursion")),
        ('"notes": [', '"notes": [5', ("map-changed", "was changed")),
    ],
)
def test_json_with_two_meanings_is_refused(old, new, text):
    """What one reader would take for another value than the next is no map."""
    whole = sealed(CONTENT["isotonic"])
    with refused(pb.InputError, *text):
        map_of_text(whole.replace(old, new, 1), "it")


def test_a_file_is_not_read_beyond_what_a_map_can_be(tmp_path, monkeypatch):
    """A larger file is refused on reading, and none is written."""
    fitted = fit_map(TWO, "isotonic")
    path = tmp_path / "map.json"
    fitted.save(path)
    monkeypatch.setattr(json_file, "MOST_BYTES", path.stat().st_size)
    pb.RecalibrationMap.load(path)
    monkeypatch.setattr(json_file, "MOST_BYTES", path.stat().st_size - 1)
    with refused(pb.InputError, "no-map"):
        pb.RecalibrationMap.load(path)
    with refused(pb.ParameterError, "map-too-large"):
        fitted.save(tmp_path / "other.json")
    assert [one.name for one in tmp_path.iterdir()] == ["map.json"]


def test_large_numbers_within_bounds_give_probabilities():
    """At the bound of a number answers may be 0 or 1, and none is NaN."""
    far = 1e100
    pieces = [[far, -far, far, -far]] * len(CONTENT["spline"]["form"]["forms"][0]["coefficients"])
    texts = [
        changed("spline", "form/forms/0/coefficients", pieces),
        changed(
            "platt",
            "form/forms/0",
            {
                "kind": "logistic",
                "intercept": far,
                "value": -far,
                "log_odds": far,
                "log": -far,
                "log_rest": far,
            },
        ),
        changed("temperature", "form/weights", [[far, -far], [-far, far]]),
    ]
    for text in texts:
        mended = map_of_text(text, "it").transform(np.linspace(0, 1, 50))
        np.testing.assert_allclose(mended.sum(axis=1), 1)


def test_a_map_prints_no_commands():
    """What a file says can neither end a line nor command a terminal, nor a notebook's page."""
    evil = "x\nINJECT\x1b[31m\x85<b>"
    content = copy.deepcopy(CONTENT["isotonic"])
    content |= {
        "notes": [evil],
        "options": {evil: evil},
        "details": {"of": {evil: 1}},
        "classes": [evil, "b"],
        "positive": "b",
    }
    loaded = map_of_text(sealed(content), "it")
    odd = dataclasses.replace(loaded, method=evil)
    lines = repr(odd).split("\n")
    assert len(lines) == len(repr(fit_map(TWO, "isotonic")).split("\n")) + 1  # the note
    assert all(line.isprintable() for line in lines)
    assert "\x1b" not in odd._repr_html_()
    assert "<b>" not in odd._repr_html_()
    fitted = dataclasses.replace(fit_map(TWO, "isotonic"), method=evil)
    with pytest.raises(pb.InputError) as refused:
        fitted(TWO)
    assert str(refused.value).isprintable()


def pickled(fitted):
    """Return the map as another process would get it."""
    return pickle.loads(pickle.dumps(fitted))  # noqa: S301


def arrays_of(fitted):
    """Return the arrays a map holds."""
    return [fitted.form.forms[0].edges, fitted.form.forms[0].values, fitted.remembered.hashes]


def test_a_frozen_map_cannot_be_changed():
    """Neither its settings nor its numbers, nor those of what was made of it."""
    fitted = fit_map(TWO, "histogram-equal-size", options={"bins": 5})
    loaded = map_of_text(json_file.text_of_map(fitted), "it")
    twins = [
        fitted,
        pickled(fitted),
        copy.deepcopy(fitted),
        copy.copy(fitted),
        dataclasses.replace(fitted, n=60),
        loaded,
    ]
    for one in twins:
        assert one.options == {"bins": 5, "bounded": True}
        assert json.dumps(one.to_dict()) == json.dumps(fitted.to_dict())
        for mapping in (one.options, one.details):
            with pytest.raises(TypeError):
                mapping["bins"] = 99
        for array in arrays_of(one):
            with pytest.raises(ValueError, match="read-only"):
                array[:1] = 0
    np.testing.assert_array_equal(twins[1].transform([0.1, 0.9]), fitted.transform([0.1, 0.9]))


def test_a_frozen_map_keeps_the_settings_it_was_given():
    """Who changes the shares he gave changes no map."""
    share = {"0": 0.3, "1": 0.7}
    fitted = fit_map(TWO, "prior-shift", options={"prior": share})
    before = json_file.text_of_map(fitted)
    share["1"] = 0.9
    assert fitted.options["prior"] == {"0": 0.3, "1": 0.7}
    with pytest.raises(TypeError):
        fitted.options["prior"]["1"] = 0.9
    with pytest.raises(TypeError):
        fitted.details["prior"]["1"] = 0.9
    assert json_file.text_of_map(fitted) == before
    assert json_file.text_of_map(pickled(fitted)) == before


def test_kernels_take_the_locked_arrays():
    """Tables of many rows, which compiled loops mend, still pass."""
    fitted = fit_map(TWO, "isotonic")
    many = np.random.default_rng(0).random(100_001)
    few = np.concatenate([fitted.transform(part) for part in np.array_split(many, 2)])
    np.testing.assert_array_equal(fitted.transform(many), few)
    new = pb.Predictions.from_arrays((many > 0.5).astype(int), many)
    assert fitted(new).n == len(many)


def test_the_place_is_the_column_of_the_positive_class():
    """Of two classes the positive one's; of more the last."""
    assert fit_map(TWO, "platt").place == 1
    first = pb.Predictions.from_arrays(["a", "b"] * 9, np.linspace(0, 1, 18), positive="a")
    fitted = fit_map(first, "platt")
    assert fitted.classes[fitted.place] == fitted.positive == "a"
    assert fit_map(THREE, "temperature").place == 2
