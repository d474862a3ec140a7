"""The table of requests: every row names what is there, and nothing else is accepted."""

import gc
import inspect
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

import plumbline as pb
from laws import ALL
from plumbline.errors import ParameterError
from plumbline.requests import KINDS, REQUESTS, REQUIRED
from plumbline.requests.choices import CHOICES, USUAL, choices_of
from plumbline.requests.signature import DATA, signature_of
from refusals import refused

ROWS = [pytest.param(row, id=name) for name, row in REQUESTS.items()]


def function_of(request):
    """Return the function that a request names."""
    module, _, name = request.function.partition(":")
    return getattr(import_module(module), name)


@pytest.mark.parametrize("request_", ROWS)
def test_the_source_says_what_python_says(request_):
    """What is read without an import is the signature, default by default."""
    signature, function = signature_of(request_.function), function_of(request_)
    real = dict(inspect.signature(function).parameters)
    first = next(iter(real))
    if signature.of_data:
        del real[first]
    assert (first in DATA) == signature.of_data
    assert list(signature.parameters) == list(real)
    for name, one in real.items():
        read = signature.parameters[name]
        default = REQUIRED if one.default is one.empty else one.default
        module = import_module(function.__module__)
        named = getattr(module, read.default) if read.default in vars(module) else read.default
        assert named == default, name
        assert read.help, name


@pytest.mark.parametrize("surface", ["command", "served"])
@pytest.mark.parametrize("request_", ROWS)
def test_every_parameter_that_is_offered_explains_itself(request_, surface):
    """It has one or more sentences without names of the library, and names that exist."""
    for param in request_.params(surface):
        assert param.help.endswith("."), param.name
        names = param.kind.names()
        assert len(set(names)) == len(names)
        if surface == "served":
            assert param.kind.label


@pytest.mark.parametrize("request_", ROWS)
def test_nothing_else_is_accepted(request_):
    """A parameter that a surface does not offer is refused, one that is not given left out."""
    for surface in ("command", "served"):
        with pytest.raises(ParameterError) as raised:
            request_.checked(surface, {"workerz": 2})
        assert "workerz" in str(raised.value)
        assert request_.checked(surface, dict.fromkeys(request_.offered(surface))) == {}
    assert request_.served_values({"kind": "x", "workerz": 2}) == {}


@pytest.mark.parametrize("request_", ROWS)
def test_every_choice_is_accepted(request_):
    """What a control offers for a parameter is a value of it, of two classes and of three."""
    rng = np.random.default_rng(0)
    for k in (2, 3, 6):
        data = pb.Predictions.from_arrays(np.arange(24) % k, rng.dirichlet(np.ones(k), 24))
        for param in request_.params("served"):
            offered = choices_of(request_.name, param.name, data)
            assert len({choice.value for choice in offered}) == len(offered)
            for choice in offered:
                assert choice.label
                if choice.value != USUAL and "size" not in choice.facts:
                    param.kind.read_served(param.name, choice.value)
                for name in choice.facts.get("unless", {}):
                    assert name in request_.offered("served")


def test_choices_are_of_requests_that_are_served():
    """None is left over from a parameter that no browser may send any more."""
    for name, own in CHOICES.items():
        rows = [REQUESTS[name]] if name else REQUESTS.values()
        assert set(own) <= {param for row in rows for param in row.offered("served")}, name


def test_a_server_refuses_what_a_command_may_ask():
    """Draws and bins have bounds where a stranger may ask."""
    row = REQUESTS["calibration"]
    for name, value in {"resamples": 100_000, "bins": "equal-width:5000"}.items():
        assert row.checked("command", {name: value}) == {name: value}
        with pytest.raises(ParameterError):
            row.checked("served", {name: value})


def test_a_parameter_may_ask_another_question():
    """A tolerance asks for equivalence, groups for several tests."""
    row = REQUESTS["test"]
    assert row.of({"statistic"}) is row
    assert row.of({"tolerance"}) is REQUESTS["within"]
    assert row.of({"adjust"}) is REQUESTS["by"]
    with refused(ParameterError, "argument-beside-another", "`statistic`", argument="tolerance"):
        row.checked("command", {"tolerance": 0.1, "statistic": "ece"})


def test_a_level_needs_its_interval():
    """A parameter that means nothing alone is refused alone."""
    row = REQUESTS["calibration"]
    assert row.checked("command", {"interval": True, "level": 0.9}) == {
        "interval": True,
        "level": 0.9,
    }
    with refused(ParameterError, "argument-needs-another", "`interval`", argument="level"):
        row.checked("command", {"level": 0.9})


@pytest.mark.parametrize("value", [False, 3, {"ece": 1}, ["ece", None]])
def test_names_are_texts_whatever_a_browser_sends(value):
    """What is neither a text nor a list of texts is refused."""
    with pytest.raises(ParameterError) as error:
        KINDS["metrics"].read_served("metric", value)
    assert (error.value.code, error.value.argument) == ("wrong-kind", "metric")


def test_a_request_of_no_parameters_is_a_command():
    """Its examples say so; one whose options another command shows is none."""
    row = replace(REQUESTS["diagnosis"], command=(), served=(), examples=("FILE",))
    assert row.has_command
    assert not replace(row, host="test").has_command
    assert not replace(row, examples=()).has_command


def test_a_parameter_without_a_kind_is_named(monkeypatch):
    """By an error that no look-up of a command takes for one that is not there."""
    monkeypatch.delitem(KINDS, "rng")
    with pytest.raises(LookupError, match=r"'rng' .* requests/kinds\.py") as caught:
        replace(REQUESTS["diagnosis"], kinds={}, command=("rng",)).params("command")
    assert not isinstance(caught.value, KeyError)


@pytest.mark.parametrize("request_", ROWS)
def test_what_only_python_has_would_be_offered(request_):
    """The row names parameters of its function that their type alone would offer."""
    opened = replace(request_, python=(), examples=("FILE",), room="calibration")
    names = {*opened.offered("command")} - {*request_.command, *request_.served}
    assert {*request_.python} <= names


def test_no_kind_is_left_that_nothing_offers():
    """Every row of the kinds is used by a request."""
    offered = {
        name
        for row in REQUESTS.values()
        for name in (*row.offered("command"), *row.offered("served"))
    }
    assert set(KINDS) <= offered


class Garbage:
    """A cycle whose end takes a while, so that its collection lets another thread go on."""

    def __init__(self):
        self.me = self

    def __del__(self):
        sum(range(3000))


@pytest.mark.laws
def test_threads_read_signatures_at_the_same_time():
    """Python 3.11 cannot parse in two threads at once."""

    def read_by(function):
        Garbage()
        return signature_of.__wrapped__(function)

    times = 3 if ALL else 1
    usual = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(50)
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            done = list(pool.map(read_by, [row.function for row in REQUESTS.values()] * times))
    finally:
        gc.set_threshold(*usual[0])
        sys.setswitchinterval(usual[1])
    assert len(done) == times * len(REQUESTS)
