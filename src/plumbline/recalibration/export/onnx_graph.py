"""A map as an ONNX model."""

import json
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from plumbline._checks import need_extra
from plumbline._distribution import installed_version
from plumbline.formatting import counted
from plumbline.recalibration.export.pieces import PiecewisePolynomial, pieces_of
from plumbline.recalibration.forms import (
    EventForm,
    Logistic,
    PiecewiseLinear,
    Softmax,
    Spline,
    Steps,
    Unchanged,
)
from plumbline.recalibration.inputs import NEVER, PROBABILITY
from plumbline.recalibration.map import RecalibrationMap

OPERATORS, FORMAT = 13, 7  # of early 2021, which every runtime of today knows
OUTPUT = "calibrated"
ROWS = "n"


class Graph:
    """A graph while it is written; every method returns the name of a tensor."""

    def __init__(self, onnx: ModuleType, least: float) -> None:
        self.onnx = onnx
        self.least = least
        self.nodes: list[Any] = []
        self.constants: dict[bytes, Any] = {}

    def constant(self, value: Any, dtype: Any = np.float64) -> str:
        """Add numbers, once for all that use the same."""
        array = np.asarray(value, dtype)
        key = repr((array.shape, array.dtype)).encode() + array.tobytes()
        if key not in self.constants:
            name = f"constant_{len(self.constants)}"
            self.constants[key] = self.onnx.numpy_helper.from_array(array, name)
        return str(self.constants[key].name)

    def add(self, operator: str, *inputs: Any, name: str = "", **attributes: Any) -> str:
        """Add an operator; an input that is no name is a number of float64."""
        names = [one if isinstance(one, str) else self.constant(one) for one in inputs]
        out = name or f"tensor_{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(operator, names, [out], **attributes))
        return out

    def end(self, tensor: str, name: str) -> None:
        """Name the answer, and drop what it is not made of."""
        self.add("Identity", tensor, name=name)
        used, kept = {name}, []
        for node in reversed(self.nodes):
            if used.intersection(node.output):
                used.update(node.input)
                kept.append(node)
        self.nodes = kept[::-1]
        self.constants = {key: c for key, c in self.constants.items() if c.name in used}

    def column(self, matrix: str, j: int) -> str:
        """Return (n,) a column of a matrix."""
        return self.add("Gather", matrix, self.constant(j, np.int64), axis=1)

    def total(self, matrix: str) -> str:
        """Return (n, 1) the sums of rows."""
        return self.add("ReduceSum", matrix, self.constant([1], np.int64), keepdims=1)

    def side_by_side(self, columns: Sequence[str]) -> str:
        """Return (n, k) from k columns (n,)."""
        axis = self.constant([1], np.int64)
        return self.add("Concat", *(self.add("Unsqueeze", c, axis) for c in columns), axis=1)


def onnx_of(fitted: RecalibrationMap) -> Any:
    """Return a map as an `onnx.ModelProto`."""
    onnx = need_extra("onnx", "onnx", "an ONNX model")
    need_extra("onnx.numpy_helper", "onnx", "an ONNX model")
    k = len(fitted.classes)
    probabilities = fitted.on == PROBABILITY
    given = "probabilities" if probabilities else "ratings"
    wide = k if probabilities or k > 2 else 1
    graph = Graph(onnx, fitted.least)
    graph.end(_probabilities(graph, fitted, given), OUTPUT)
    double, helper = onnx.TensorProto.DOUBLE, onnx.helper
    inputs = [helper.make_tensor_value_info(given, double, [ROWS, wide])]
    outputs = [helper.make_tensor_value_info(OUTPUT, double, [ROWS, k])]
    model = helper.make_model(
        helper.make_graph(
            graph.nodes, "recalibration", inputs, outputs, list(graph.constants.values())
        ),
        producer_name="plumbline",
        producer_version=installed_version(),
        opset_imports=[helper.make_opsetid("", OPERATORS)],
        ir_version=FORMAT,
        doc_string=f"{fitted.method} map fitted on {counted(fitted.n, 'row')}",
    )
    properties = {
        "classes": json.dumps(fitted.classes),
        "positive": json.dumps(fitted.positive),
        "method": fitted.method,
        "on": fitted.on,
    }
    helper.set_model_props(model, properties)
    onnx.checker.check_model(model)
    return model


def _probabilities(graph: Graph, fitted: RecalibrationMap, given: str) -> str:
    k, form = len(fitted.classes), fitted.form
    if isinstance(form, Softmax):
        return _softmax(graph, form, _logits(graph, fitted, given))
    ratings = fitted.on != PROBABILITY
    if k == 2:
        place = fitted.place
        value = graph.column(given, 0 if ratings else place)
        rest = value if ratings else graph.column(given, 1 - place)
        share, other = _event(graph, form.forms[0], value, rest=rest, ratings=ratings)
        return graph.side_by_side([other, share] if place else [share, other])
    if all(isinstance(form, Unchanged) for form in form.forms):
        return given
    shares = []
    for j, event in enumerate(form.forms):
        others = graph.constant([i for i in range(k) if i != j], np.int64)
        rest = given if ratings else graph.add("Gather", given, others, axis=1)
        rest = graph.add("Squeeze", graph.total(rest), graph.constant([1], np.int64))
        rest = graph.add("Min", rest, 1.0)
        value = graph.column(given, j)
        shares.append(_event(graph, event, value, rest=rest, ratings=ratings)[0])
    matrix = graph.side_by_side(shares)
    total = graph.total(matrix)
    nothing = graph.add("Equal", total, 0.0)
    divided = graph.add("Div", matrix, graph.add("Where", nothing, 1.0, total))
    return graph.add("Where", nothing, 1 / k, divided)


# ------------------------------------------------------------------- one event


def _event(
    graph: Graph, form: EventForm, value: str, *, rest: str, ratings: bool
) -> tuple[str, str]:
    """Add the probability of a class and of the rest, both (n,)."""
    match form:
        case Unchanged():
            return value, rest
        case Steps() | PiecewiseLinear():
            share = _at_pieces(graph, pieces_of(form), value)
            share = graph.add("Min", graph.add("Max", share, 0.0), 1.0)
            return share, graph.add("Sub", 1.0, share)
        case Spline():
            odds = value if ratings else _log_odds(graph, value, rest)
            return _logistic(graph, _at_pieces(graph, pieces_of(form), odds))
        case Logistic():
            return _logistic(graph, _weighted(graph, form, value, rest=rest, ratings=ratings))


def _weighted(graph: Graph, form: Logistic, value: str, *, rest: str, ratings: bool) -> str:
    z = graph.add("Add", graph.add("Mul", value, float(form.value)), float(form.intercept))
    if form.log_odds:
        odds = value if ratings else _log_odds(graph, value, rest)
        z = graph.add("Add", z, graph.add("Mul", odds, float(form.log_odds)))
    for weight, share in ((form.log, value), (form.log_rest, rest)):
        if weight:
            z = graph.add("Add", z, graph.add("Mul", _log(graph, share), float(weight)))
    return z


def _log(graph: Graph, share: str) -> str:
    # Compared so that NaN stays NaN.
    low = graph.add("Less", share, graph.least) if graph.least else _never(graph, share)
    return graph.add("Log", graph.add("Where", low, graph.least or NEVER, share))


def _never(graph: Graph, share: str) -> str:
    return graph.add("LessOrEqual", share, 0.0)


def _log_odds(graph: Graph, value: str, rest: str) -> str:
    return graph.add("Sub", _log(graph, value), _log(graph, rest))


def _logistic(graph: Graph, z: str) -> tuple[str, str]:
    far = graph.add("Exp", graph.add("Neg", graph.add("Abs", z)))
    whole = graph.add("Add", far, 1.0)
    near, far = graph.add("Div", 1.0, whole), graph.add("Div", far, whole)
    positive = graph.add("GreaterOrEqual", z, 0.0)
    return graph.add("Where", positive, near, far), graph.add("Where", positive, far, near)


def _at_pieces(graph: Graph, pieces: PiecewisePolynomial, x: str) -> str:
    """Add the value of the piece every score lies in, found by halving."""
    depth = len(pieces.breaks).bit_length()
    breaks = np.full(2**depth - 1, np.inf)
    breaks[: len(pieces.breaks)] = pieces.breaks
    places = graph.constant(breaks)
    piece = graph.constant(0, np.int64)
    for step in (2**j for j in reversed(range(depth))):
        probe = graph.add("Add", piece, graph.constant(step - 1, np.int64))
        above = graph.add(
            "Greater" if pieces.right else "GreaterOrEqual", x, graph.add("Gather", places, probe)
        )
        far = graph.add("Cast", above, to=graph.onnx.TensorProto.INT64)
        piece = graph.add("Add", piece, graph.add("Mul", far, graph.constant(step, np.int64)))
    columns = [graph.add("Gather", graph.constant(c), piece) for c in pieces.coefficients.T]
    t = graph.add("Sub", x, graph.add("Gather", graph.constant(pieces.start), piece))
    total = columns[-1]
    for c in reversed(columns[:-1]):
        total = graph.add("Add", c, graph.add("Mul", t, total))
    return graph.add("Add", total, graph.add("Sub", x, x))  # so that NaN stays NaN


# ------------------------------------------------------------------- all classes


def _logits(graph: Graph, fitted: RecalibrationMap, given: str) -> str:
    if fitted.on != PROBABILITY:
        if len(fitted.classes) > 2:
            return given
        halves = [[-0.5, 0.5]] if fitted.place else [[0.5, -0.5]]
        return graph.add("MatMul", given, graph.constant(halves))
    if graph.least:
        return _log(graph, given)
    never = _never(graph, given)
    positive = graph.add("Where", never, NEVER, given)
    least = graph.add("Min", graph.add("ReduceMin", positive, axes=[1], keepdims=1), NEVER)
    return graph.add("Log", graph.add("Where", never, least, given))


def _softmax(graph: Graph, form: Softmax, x: str) -> str:
    if form.centred:
        x = graph.add("Sub", x, graph.add("ReduceMean", x, axes=[1], keepdims=1))
    if form.weights.ndim == 2:
        z = graph.add("MatMul", x, graph.constant(form.weights.T))
    else:
        z = graph.add("Mul", x, graph.constant(form.weights))
    return graph.add("Softmax", graph.add("Add", z, graph.constant(form.bias)), axis=1)
