"""Files of maps: read back to the last bit, and refused where they are not what they say."""

import base64
import dataclasses
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline as pb
from changed_maps import sealed
from laws import examples
from plumbline.recalibration import (
    METHODS,
    Logistic,
    OneVsRest,
    PiecewiseLinear,
    Softmax,
    Spline,
    Steps,
    fit_map,
)
from plumbline.recalibration.export.json_file import (
    content_of_map,
    map_of_text,
    text_of_map,
)
from plumbline.recalibration.remembered import NOBODY
from refusals import refused

ROOT = Path(__file__).resolve().parents[2]
NAMES = ['no "way"', "jà,\n' -- ; DROP"]
NUMBERS = st.floats(-1e100, 1e100)
SHARES = st.floats(0, 1)


def held_out(k=2, n=60):
    """Return a table of k oddly named classes."""
    rng = np.random.default_rng(k)
    prob = rng.dirichlet(np.ones(k), n)
    actual = rng.integers(0, k, n)
    actual[:k] = range(k)
    return pb.Predictions.from_arrays(actual, prob, classes=list(range(k)))


@cache
def platt():
    """Return a map, fitted once."""
    return fit_map(held_out(), "platt")


def renamed(fitted):
    """Return the map with class names that quotes and ends of lines are in."""
    names = tuple([*NAMES, "third"][: len(fitted.classes)])
    return dataclasses.replace(
        fitted, classes=names, positive=None if fitted.positive is None else names[1]
    )


def assert_same(a, b):
    """Assert that two maps hold the same numbers to the last bit."""
    assert content_of_map(a) == content_of_map(b)
    assert a.to_dict() == b.to_dict()


@pytest.mark.parametrize("name", sorted(METHODS))
@pytest.mark.parametrize("k", [2, 3])
def test_every_map_comes_back_as_it_was(name, k, tmp_path):
    """A saved and loaded map gives the same floats, and still knows the rows it was fitted on."""
    data = held_out(k)
    options = {"regularisation": 0.1} if "regularisation" in METHODS[name].options else {}
    fitted = fit_map(data, name, options=options)
    path = tmp_path / "map.json"
    fitted.save(path)
    back = pb.RecalibrationMap.load(path)
    assert_same(fitted, back)
    new = np.random.default_rng(0).dirichlet(np.ones(k), 50)
    np.testing.assert_array_equal(back.transform(new), fitted.transform(new))
    with refused(pb.InputError, "rows-of-the-fit", "60 of 60 rows", argument="resubstitution"):
        back(data)
    odd = renamed(fitted)
    assert_same(map_of_text(text_of_map(odd), "it"), odd)


def rising(least):
    """Draw rising numbers."""
    return st.lists(NUMBERS, min_size=least, max_size=6, unique=True).map(sorted).map(np.array)


@st.composite
def forms(draw):
    """Draw a form of two classes with any finite numbers."""
    at = draw(rising(2))
    shares = np.array(draw(st.lists(SHARES, min_size=len(at) + 1, max_size=len(at) + 1)))
    pieces = np.array(draw(st.lists(NUMBERS, min_size=4 * len(at) - 4, max_size=4 * len(at) - 4)))
    five = draw(st.lists(NUMBERS, min_size=5, max_size=5))
    event = draw(
        st.sampled_from(
            [
                Steps(at, shares),
                PiecewiseLinear(at, shares[1:]),
                Spline(at, pieces.reshape(-1, 4)),
                Logistic(*five),
            ]
        )
    )
    pair = np.array(five[:2])
    weights = draw(st.sampled_from([np.array(five[2]), pair, np.array([pair, pair])]))
    return draw(st.sampled_from([OneVsRest((event,)), Softmax(weights, pair, draw(st.booleans()))]))


@settings(max_examples=examples(25), deadline=None)
@given(form=forms())
def test_every_number_comes_back_to_the_last_bit(form):
    """Any finite floats survive the way through text, the smallest and the largest too."""
    fitted = dataclasses.replace(platt(), form=form, remembered=NOBODY)
    assert_same(map_of_text(text_of_map(fitted), "it"), fitted)


@settings(max_examples=examples(30), deadline=None)
@given(share=st.floats(0, 1, exclude_max=True), cut=st.booleans())
def test_a_file_that_was_cut_or_changed_is_refused(share, cut):
    """Wherever a file ends early, or a digit or letter is another, it is refused as no such map."""
    text = text_of_map(platt())
    place = int(share * (len(text) - 1))
    other = "7" if text[place] != "7" else "3"
    broken = text[:place] if cut else text[:place] + other + text[place + 1 :]
    if not cut and text[place].isspace():
        return
    with pytest.raises(pb.InputError) as raised:
        map_of_text(broken, "it")
    assert raised.value.code in ("no-map", "map-of-other-version", "map-changed", "map-broken")


def changed(change):
    """Return a text with some content changed, and a checksum that fits."""
    content = json.loads(text_of_map(fit_map(held_out(), "isotonic")))
    change(content)
    return sealed(content)


def event_form(content):
    """Return the form of the event."""
    return content["form"]["forms"][0]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda c: c.update(version=3), ("map-of-other-version", "version 3", "reads 1", "to 2")),
        (lambda c: c.update(version=True), ("map-of-other-version", "version True")),
        (lambda c: c.update(schema="card"), ("no-map", "'card'")),
        (lambda c: c.pop("schema"), ("no-map", "no schema")),
        (lambda c: c.pop("n"), ("map-broken", "'n' is missing")),
        (lambda c: c.update(classes=["a", "a"]), ("map-broken", "all distinct")),
        (lambda c: c.update(classes=["a", 1]), ("map-broken", "1 is no")),
        (lambda c: c.update(positive=None), ("map-broken", "positive must")),
        (lambda c: c.update(on="logit"), ("map-broken", "on must")),
        (lambda c: c["form"].update(kind="tree"), ("map-broken", "form 'tree'")),
        (lambda c: event_form(c).update(kind="tree"), ("map-broken", "form 'tree'")),
        (lambda c: event_form(c)["knots"].reverse(), ("map-broken", "must increase")),
        (lambda c: event_form(c)["values"].pop(), ("map-broken", "per knot")),
        (lambda c: event_form(c)["values"].__setitem__(0, 1.5), ("map-broken", "be probabilities")),
        (lambda c: event_form(c)["values"].__setitem__(0, "x"), ("map-broken", "numbers are")),
        (lambda c: c["remembered"].update(hashes="!"), ("map-broken",)),
        (lambda c: c["remembered"].update(rows=0), ("map-broken", "more hashes")),
        (lambda c: c["remembered"].update(in_order="-1"), ("map-broken", "64 bits")),
        (lambda c: c["remembered"].pop("rounded"), ("map-broken", "'rounded'")),
        (
            lambda c: c["remembered"]["rounded"].update(decimals=301),
            ("map-broken", "decimals must"),
        ),
        (lambda c: c["remembered"]["rounded"].update(n=1), ("map-broken", "n must")),
        (lambda c: c["remembered"]["rounded"].update(times=0), ("map-broken", "or more")),
    ],
)
def test_a_file_of_other_content_is_refused(change, text):
    """Also where the checksum fits, what cannot be a map of any version is named."""
    with refused(pb.InputError, *text):
        map_of_text(changed(change), "it")


def test_files_that_are_no_maps_are_refused(tmp_path):
    """A missing file, a folder, other bytes, other JSON, a wrong ending: each says what it is."""
    for name, held, text in (
        ("absent.json", None, ("no-such-file",)),
        ("bytes.json", b"\xff\xfe", ("no-map", "not UTF-8")),
        ("list.json", b"[1]", ("no-map", "it holds [1]")),
        ("nan.json", b'{"n": NaN}', ("no-map", "holds NaN")),
        ("deep.json", b"[" * 100_000, ("no-map",)),
    ):
        if held is not None:
            (tmp_path / name).write_bytes(held)
        with refused(pb.InputError, *text):
            pb.RecalibrationMap.load(tmp_path / name)
    with refused(pb.InputError, "no-map"):
        pb.RecalibrationMap.load(tmp_path)
    with refused(pb.ParameterError, "wrong-suffix", ".json"):
        platt().save(tmp_path / "map.txt")


def test_a_map_that_could_not_be_read_is_not_written(tmp_path):
    """A number that is not finite would be no JSON; nothing is left on the disk."""
    for form in (OneVsRest((Logistic(intercept=np.inf),)), OneVsRest(())):
        with refused(pb.ParameterError, "map-not-finite"):
            dataclasses.replace(platt(), form=form).save(tmp_path / "map.json")
    assert not list(tmp_path.iterdir())


def test_the_documented_fields_are_those_of_a_file():
    """docs/recalibration_files.md names every field, and the hashes are 8 bytes a row."""
    content = json.loads(text_of_map(platt()))
    page = (ROOT / "docs" / "recalibration_files.md").read_text("utf-8")
    for name in (*content, *content["remembered"], *content["form"]):
        assert f"`{name}`" in page
    for form in (Steps, PiecewiseLinear, Logistic, Spline, Softmax):
        assert f'"{form.kind}"' in page
        for field in form.__slots__:
            assert f"`{field}`" in page
    assert len(base64.b64decode(content["remembered"]["hashes"])) == 8 * 60
