"""Every class of results that a picture is made of has its picture by `figure()`."""

import typing
from collections.abc import Mapping, Sequence

import pytest

import plumbline as pb
from plumbline import plots
from plumbline._result import Result
from plumbline.errors import ParameterError
from plumbline.plots.figures import FIGURES


def test_a_result_draws_itself(rng):
    """The method gives what the function of its class gives."""
    p = rng.uniform(size=60)
    data = pb.Predictions.from_arrays(rng.uniform(size=60) < p, p)
    for result in (
        pb.calibration_error(data, resamples=39),
        pb.curve(data, "roc"),
        pb.confusion_matrix(data),
    ):
        drawn, known = result.figure(), FIGURES[type(result)](result)
        assert [len(axes.get_children()) for axes in drawn.axes] == [
            len(axes.get_children()) for axes in known.axes
        ]


def test_a_result_without_a_picture_says_so(rng):
    """The error names the class and those that have one."""
    p = rng.uniform(size=20)
    data = pb.Predictions.from_arrays(rng.uniform(size=20) < p, p)
    with pytest.raises(ParameterError) as raised:
        pb.check_input(data).figure()
    assert raised.value.code == "no-picture"
    assert "InputCheck" in str(raised.value)


@pytest.mark.parametrize("name", [one for one in plots.__all__ if one.endswith("_figure")])
def test_no_picture_of_one_result_is_left_out(name):
    """Where a picture takes one result, the table of pictures knows its class."""
    function = getattr(plots, name)
    hint = next(iter(function.__annotations__.values()))
    taken = {one.__name__ for one in typing.get_args(hint) or (hint,) if isinstance(one, type)}
    taken |= {hint.strip("\"'")} if isinstance(hint, str) else set()
    results = {one.__name__ for one in Result.__subclasses__()}
    many = typing.get_origin(hint) in (Mapping, Sequence)
    assert many or taken & results <= {one.__name__ for one in FIGURES}
