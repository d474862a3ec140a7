import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline import formatting
from plumbline.formatting import quoted
from plumbline.metrics import SCORES


@pytest.mark.parametrize(
    ("value", "plain", "page"),
    [
        (0.05416, "0.0542", "0.0542"),
        (0.1102, "0.11", "0.11"),
        (-0.5, "-0.5", "−0.5"),
        (0.0, "0", "0"),
        (1.234e-6, "1.23e-06", "1.23 × 10⁻⁶"),
        (-1.2e21, "-1.2e+21", "−1.2 × 10²¹"),
        (float("inf"), "∞", "∞"),
        (float("-inf"), "-∞", "−∞"),
        (float("nan"), "-", "–"),
        (None, "-", "–"),
    ],
)
def test_a_number_has_three_digits_in_plain_text_and_on_a_page(value, plain, page):
    """Both have the same digits; a page has the printer's signs."""
    assert formatting.number(value) == plain
    assert formatting.printed(value) == page


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (0.000123, "0.000123"),
        (0.83828, "0.838"),
        (999.4, "999"),
        (999.5, "1,000"),
        (999.6, "1,000"),
        (36600.4, "36,600"),
        (-36600.4, "-36,600"),
        (-4, "-4"),
        (851, "851"),
        (123456789012345.0, "123,456,789,012,345"),
        (1e300, "1e+300"),
        (float("inf"), "∞"),
        (float("-inf"), "-∞"),
        (float("nan"), "-"),
        (None, "-"),
    ],
)
def test_an_amount_has_all_digits_before_the_point(value, plain):
    """Money and counts are spelt out; a value below 1,000 reads as any number does."""
    assert formatting.amount(value) == plain


@pytest.mark.parametrize("value", [0.0009994, 1e-12])
def test_a_score_that_is_not_0_never_reads_as_0(value):
    """Four decimals give way where they would show none of the digits."""
    assert float(formatting.score(value)) == pytest.approx(value, rel=0.005)


def test_a_score_has_four_decimals():
    """Scores stand in columns that line up by their decimals."""
    assert [formatting.score(x) for x in (0.0, 0.75, 12.34567)] == ["0.0000", "0.7500", "12.3457"]


def test_every_score_of_an_evaluation_has_a_name():
    """The table of names and the table of scores have the same keys."""
    assert set(formatting.SCORE_NAMES) == set(SCORES)


def test_each_class_begins_with_a_closed_bin_of_its_own():
    """Of several classes in one table, the first bin of each holds 0."""
    rows = [{"class": c, "lo": lo, "hi": lo + 0.5} for c in "ab" for lo in (0.0, 0.5)]
    assert list(formatting.intervals(rows)) == ["[0, 0.5]", "(0.5, 1]"] * 2


def test_a_first_bin_that_begins_above_0_is_open():
    """Where the bin at 0 holds no row, no bin that is shown holds 0."""
    assert list(formatting.intervals([{"lo": 0.5, "hi": 1.0}])) == ["(0.5, 1]"]


@pytest.mark.parametrize("name", ["rain", "it's", 'a"b', "a\"q'", "C:\\data", "", "naïve"])
def test_a_name_in_quotes_is_as_it_stands_in_the_data(name):
    """No backslash comes in, and the quotes are not those of the name unless it holds all."""
    text = quoted(name)
    assert text[1:-1] == name
    assert (text[0], text[-1]) in (("'", "'"), ('"', '"'), ("‘", "’"))
    assert text[0] not in name


def test_what_cannot_be_printed_or_is_no_text_is_as_python_writes_it():
    """So neither ends a line nor commands a terminal."""
    assert quoted("a\nb\x1b") == "'a\\nb\\x1b'"
    assert [quoted(value) for value in (None, 3, 0.5)] == ["None", "3", "0.5"]


@given(low=st.floats(-2, 2), width=st.floats(1e-6, 4), inside=st.floats(0, 1))
def test_a_range_and_the_number_beside_it_are_read_to_a_tenth_of_its_width(low, width, inside):
    """So a range that clearly leaves out 0 or 1 does not seem to touch it, nor the estimate it."""
    pair = low, low + width
    value = low + inside * width
    shown = [float(text) for text in (*formatting.ends(*pair), formatting.beside(value, pair))]
    for text, exact in zip(shown, (*pair, value), strict=True):
        assert abs(text - exact) <= 0.051 * width
