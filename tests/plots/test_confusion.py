"""Pictures of confusion matrices: what is drawn where, and that names from data are only text."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from plumbline.confusion import ConfusionMatrix
from plumbline.errors import ParameterError
from plumbline.plots import confusion_figure, draw_confusion, figure_svg, save_figure, style
from refusals import refused

NASTY = ["<b>", "$x_1^{$", "50 % a_b & \\frac"]
LECTURE = [[1, 2, 0], [1, 2, 0], [0, 3, 4]]


def matrix_of(counts, classes=None):
    """Return the matrix of counts whose rows are actual classes."""
    return ConfusionMatrix.from_counts(counts, classes=classes, rows="actual")


def many(k):
    """Return a matrix of k classes, of which most rows are right and the fifth has none."""
    rng = np.random.default_rng(k)
    counts = rng.poisson(80 * np.eye(k) + rng.gamma(0.1, 5, (k, k)))
    counts[4] = 0
    return matrix_of(counts, [f"class {number}" for number in range(k)])


def cells(ax):
    """Return the texts of all cells by row and column."""
    result = {}
    for text in ax.texts:
        column, row = text.get_position()
        result[int(row), int(column)] = text.get_text()
    return result


def drawn(matrix, **how):
    """Return the axes of a picture."""
    return confusion_figure(matrix, **how).axes[0]


def test_actual_classes_go_down_and_predicted_ones_to_the_right():
    """The count of actual i and predicted j stands in line i and column j, and axes say so."""
    ax = drawn(matrix_of(LECTURE, ["a", "b", "c"]))
    assert cells(ax) == {(i, j): str(LECTURE[i][j]) for i in range(3) for j in range(3)}
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted class", "actual class")
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b", "c"]
    assert ax.get_ylim() == (3, 0)


@pytest.mark.parametrize(
    ("by", "first", "labels"),
    [
        ("actual", "33 %\n1", ("predicted class", "actual class (100 % each)")),
        ("predicted", "50 %\n1", ("predicted class (100 % each)", "actual class")),
        ("all", "7.7 %\n1", ("predicted class", "actual class")),
    ],
)
def test_shares_stand_above_counts_and_the_axis_says_of_what(by, first, labels):
    """A share of the row, of the column or of all, with its count below; no count of zero."""
    ax = drawn(matrix_of(LECTURE), normalize=by)
    assert cells(ax)[0, 0] == first
    assert cells(ax)[0, 2] == "0 %"
    assert (ax.get_xlabel(), ax.get_ylabel()) == labels


def test_right_cells_are_blue_and_wrong_ones_orange():
    """The mesh holds the root of each share of the fullest cell: negative on the diagonal."""
    ax = Figure().subplots()
    meaning = draw_confusion(matrix_of([[9, 1], [4, 0]]), ax).drawn_
    assert meaning["largest"] == 9
    value = ax.collections[0].get_array().reshape(2, 2)
    assert value.tolist() == [pytest.approx([-1, 1 / 3]), pytest.approx([2 / 3, 0])]
    colours = ax.collections[0].to_rgba(np.array([-1.0, 1.0]))[:, :3]
    expected = [
        [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)] for colour in (style.POINT, style.GAP)
    ]
    assert colours == pytest.approx(np.array(expected), abs=1e-6)


def test_a_class_without_rows_has_no_shares():
    """Its cells are grey with a dash, not 0 %."""
    ax = drawn(matrix_of([[3, 1], [0, 0]]), normalize="actual")
    assert cells(ax)[1, 0] == cells(ax)[1, 1] == "–"
    assert [(bar.get_y(), bar.get_height()) for bar in ax.patches] == [(1, 1)]


def test_an_empty_matrix_can_be_drawn():
    """No rows at all: no division by the largest cell."""
    assert set(cells(drawn(matrix_of([[0, 0], [0, 0]]))).values()) == {"0"}


@pytest.mark.parametrize("k", [2, 6])
def test_numbers_fit_into_their_cells(k):
    """No text is wider or taller than its cell."""
    matrix = matrix_of(np.full((k, k), 1234567))
    figure = confusion_figure(matrix, normalize="actual")
    figure.canvas.draw()
    (ax,) = figure.axes
    box = ax.get_window_extent()
    sizes = [text.get_window_extent() for text in ax.texts]
    assert len(sizes) == k * k
    assert max(size.width for size in sizes) < box.width / k
    assert max(size.height for size in sizes) < box.height / k


def test_of_many_classes_the_colours_have_a_key():
    """No numbers, fewer names than classes, no name over another, and what colours are worth."""
    figure = confusion_figure(many(100), normalize="actual")
    (ax,) = figure.axes
    assert len(ax.texts) == 0
    figure.canvas.draw()
    lows = [text.get_window_extent().y0 for text in ax.get_yticklabels()]
    highs = [text.get_window_extent().y1 for text in ax.get_yticklabels()]
    assert 30 < len(lows) < 100
    assert all(high <= low for high, low in zip(highs[1:], lows[:-1], strict=True))
    (legend,) = figure.legends
    names = [text.get_text() for text in legend.get_texts()]
    assert len(names) == 6
    assert names[2].removeprefix("right") == names[5].removeprefix("wrong")


@pytest.mark.parametrize("largest", [1, 2, 6, 40, 1000])
def test_the_key_of_counts_names_whole_numbers(largest):
    """No cell holds half a row, so no square of the key stands for one; none comes twice."""
    counts = np.full((60, 60), 1)
    counts[0, 0] = largest
    figure = confusion_figure(matrix_of(counts, [f"c{number}" for number in range(60)]))
    (legend,) = figure.legends
    texts = [text.get_text() for text in legend.get_texts()]
    values = [float(text.split()[-1].replace(",", "")) for text in texts]
    assert all(value == int(value) >= 1 for value in values)
    assert len(set(texts)) == len(texts)
    assert max(values) == largest


def test_the_key_of_weights_names_parts_of_the_largest():
    """Weights have no whole numbers, so their key has the parts that it always had."""
    counts = np.full((60, 60), 0.5)
    figure = confusion_figure(matrix_of(counts, [f"c{number}" for number in range(60)]))
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()][:3] == [
        "right, 0.02",
        "right, 0.125",
        "right, 0.5",
    ]


def test_long_and_nasty_names_are_only_text(tmp_path):
    """Names of data are no mathematics and no markup; long ones stand upright and whole."""
    figure = confusion_figure(matrix_of(LECTURE, NASTY))
    save_figure(figure, tmp_path / "nasty.png")
    assert "<b>" not in figure_svg(figure, label="matrix", prefix="m")
    long = confusion_figure(
        matrix_of(LECTURE, ["a name that is rather long " * 3 + c for c in "abc"])
    )
    (ax,) = long.axes
    assert {text.get_rotation() for text in ax.get_xticklabels()} == {90.0}
    long.canvas.draw()
    inside = long.bbox.padded(1)
    for text in (*ax.get_xticklabels(), *ax.get_yticklabels(), ax.title, *long.texts):
        box = text.get_window_extent()
        assert inside.x0 <= box.x0 and box.x1 <= inside.x1  # noqa: PT018
        assert inside.y0 <= box.y0 and box.y1 <= inside.y1  # noqa: PT018


def test_weights_are_said():
    """Counts that are no whole numbers keep three digits, and the note has their sum."""
    figure = confusion_figure(matrix_of([[1.25, 0.5], [0, 2]]))
    assert cells(figure.axes[0])[0, 0] == "1.25"
    words = " ".join(text.get_text() for text in reversed(figure.texts))
    assert " 3.75 " in words


def test_another_share_is_refused():
    """Only three ways to divide are known."""
    with refused(ParameterError, "unknown-name", argument="normalize") as unknown:
        draw_confusion(matrix_of(LECTURE), Figure().subplots(), normalize="actul")
    assert unknown.value.near == "actual"
