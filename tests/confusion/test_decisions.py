"""What is read off decisions: the commonest confusions, where a threshold lies, rows of a cell."""

import numpy as np
import pytest

from plumbline import ParameterError, Predictions, confusion_matrix
from plumbline.confusion import cell_rows, threshold_range
from plumbline.predictions import numbers_in_model
from plumbline.results import ConfusionMatrix
from refusals import refused


def three(rng, n=200, **others):
    """Return rows of three classes with weights and an attribute."""
    return Predictions.from_arrays(
        rng.choice(list("abc"), n),
        rng.dirichlet([1, 1, 1], n),
        classes=list("abc"),
        weight=rng.uniform(0.5, 2, n),
        **others,
    )


def test_the_most_confused_pairs_are_the_largest_cells_off_the_diagonal():
    """Each with its share of the actual class; empty cells are none, and the rest is counted."""
    counts = [[9, 0, 3, 1], [5, 9, 0, 0], [0, 0, 0, 0], [0, 0, 3, 9]]
    matrix = ConfusionMatrix.from_counts(counts, rows="actual", classes=list("abcd"))
    most = matrix.most_confused(2)
    assert [(p.actual, p.predicted, p.count) for p in most.pairs] == [("b", "a", 5), ("a", "c", 3)]
    assert [pair.share for pair in most.pairs] == [5 / 14, 3 / 13]
    assert most.left_out == 2
    every = matrix.most_confused(99)
    assert sum(pair.count for pair in every.pairs) == matrix.counts.sum() - np.trace(matrix.counts)
    assert (every.left_out, matrix.most_confused(0).left_out) == (0, 4)
    assert every.rows()[0] == {"actual": "b", "predicted": "a", "count": 5.0, "share": 5 / 14}


def test_sums_stand_behind_and_below_the_counts(rng):
    """The last row and column are the sums, the corner is the weight of all rows."""
    data = three(rng)
    whole = confusion_matrix(data).with_sums()
    assert np.allclose(whole[:-1, :-1].sum(axis=0), whole[-1, :-1])
    assert np.allclose(whole[:-1, :-1].sum(axis=1), whole[:-1, -1])
    assert whole[-1, -1] == pytest.approx(data.weight.sum())


def test_a_threshold_of_probabilities_lies_between_0_and_1(rng):
    """Probabilities answer without one, and labels alone know none."""
    assert threshold_range(three(rng)).to_dict() == {"low": 0.0, "high": 1.0, "usual": None}
    labels = Predictions.from_arrays(["a", "b"], predicted=["b", "b"])
    assert threshold_range(labels).low is None
    with refused(ParameterError, "unknown-class", "'d'"):
        threshold_range(three(rng), target="d")


def test_a_threshold_of_ratings_lies_between_them():
    """The middle rating is the usual one; for the other class ratings are turned round."""
    rated = Predictions.from_arrays([0, 1, 1, 0], score=[-2.0, 3.0, 1.0, 0.0], positive=1)
    assert threshold_range(rated).to_dict() == {"low": -2.0, "high": 3.0, "usual": 1.0}
    turned = threshold_range(rated, target=0)
    assert (turned.low, turned.high) == (-3.0, 2.0)


@pytest.mark.parametrize("how", [{}, {"target": "b"}, {"target": "b", "threshold": 0.2}])
def test_cells_divide_the_rows_as_the_matrix_does(rng, how):
    """Every row is in one cell, the cells weigh what the matrix says, the most wrong come first."""
    data = three(rng, attributes={"age": np.arange(200), "number": np.arange(200)})
    matrix = confusion_matrix(data, **how)
    places = []
    for i, actual in enumerate(matrix.classes):
        for j, predicted in enumerate(matrix.classes):
            cell = cell_rows(data, actual, predicted, **how)
            assert cell.weight == pytest.approx(matrix.counts[i, j])
            assert len(cell.rows()) == cell.n == len(cell.places)
            assert cell.columns["age"].tolist() == cell.columns["`number`"].tolist()
            places += cell.places.tolist()
            if not how:
                believed = data.prob[cell.places, i]
                assert (np.diff(believed) >= 0).all()
    assert sorted(places) == list(range(200))


def test_a_cell_of_a_class_that_is_not_there_is_refused(rng):
    """Near names are told."""
    with pytest.raises(ParameterError, check=lambda e: e.argument == "predicted"):
        cell_rows(three(rng), "a", "d")


def test_rows_are_numbered_within_their_model(rng):
    """A number is the place in the table of that model alone."""
    data = three(rng, model=rng.choice(["x", "y"], 200))
    numbers = numbers_in_model(data)
    for name, part in data.by_model().items():
        assert numbers[data.model.codes == data.models.index(name)].tolist() == list(range(part.n))
