"""What a probability matrix must satisfy, how logits become one, and its two-column views."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten
from plumbline.errors import InputError, warn
from plumbline.formatting import quoted
from plumbline.predictions.labels import Ints, named_rows, plain_array, rows_text

Floats: TypeAlias = NDArray[np.floating[Any]]

SUMS = 1e-6  # that a sum may be off by: scikit-learn's GaussianNB is by 1.5e-8, others by more
LARGEST = 0.01  # of what rounding may explain in the sum of a row
FULL = (99, 999)  # digits and decimals that explain nothing
ARGMAX_AT_ONCE = 2**14  # numbers, which a processor keeps at hand
MOST_READ = 100_000  # numbers whose digits are counted, about
LOGITS = "Turn logits into probabilities first (in Python: Predictions.from_logits)"

KINDS = {
    "U": "text",
    "S": "bytes",
    "b": "True and False",
    "c": "complex numbers",
    "M": "dates",
    "m": "time spans",
    "O": "objects",
    "T": "text",
    "V": "records",
}


def number_matrix(argument: str, values: Any) -> Floats:
    """Return `values` as a fresh floating array of one or two dimensions; text is refused.

    Two columns are stored by column, so that each is compact. -0.0 becomes 0.0: the two are equal,
    and differ in their bits, in print and as edges of bins.
    """
    array = plain_array(argument, values)
    if array.ndim not in (1, 2):
        raise InputError(
            f"`{argument}` must be one number per row, (n,), or one column per class, (n, k); got "
            f"shape {array.shape}{f' ({shorten(values)})' if array.ndim == 0 else ''}",
            code="wrong-shape",
        )
    if array.dtype.kind == "O":
        array = _numbers_from_objects(argument, array)
    if array.dtype.kind not in "fiu":
        first = f" (the first is {quoted(str(array.flat[0]))})" if array.size else ""
        raise InputError(
            f"`{argument}` must hold numbers, got {KINDS.get(array.dtype.kind, array.dtype)}"
            f"{first}; if these stand for numbers, convert them with numpy.asarray(..., float)",
            code="not-numeric",
        )
    dtype = np.float32 if array.dtype.newbyteorder("=") in (np.float16, np.float32) else np.float64
    by_column = array.ndim == 2 and array.shape[1] == 2
    return np.asarray(np.add(array, 0.0, dtype=dtype, order="F" if by_column else "C"))


def _numbers_from_objects(argument: str, array: NDArray[Any]) -> NDArray[np.float64]:
    """Convert objects one by one; the first that is no number is named with its row."""
    out = np.empty(array.shape)
    for place in np.ndindex(array.shape):
        value = array[place]
        if value is None:
            raise InputError(
                f"`{argument}` is missing (None) in {named_rows(place[:1])}; fill the row in or "
                "leave it out",
                rows=place[:1],
                code="value-missing",
            )
        if isinstance(value, (list, tuple, np.ndarray)):
            raise InputError(_uneven(argument, array), code="wrong-shape")
        try:
            out[place] = float("x") if isinstance(value, (str, bytes)) else float(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(
                f"`{argument}` must hold numbers, got {shorten(value)} in "
                f"{named_rows(place[:1])}; correct the row or leave it out",
                rows=place[:1],
                code="not-numeric",
            ) from error
    return out


def _uneven(argument: str, array: NDArray[Any]) -> str:
    """Say which row of an array of rows is not as long as the first."""
    lengths = [np.size(row) for row in array.flat]
    odd = next((row for row, length in enumerate(lengths) if length != lengths[0]), None)
    if odd is None:
        return (
            f"`{argument}` holds whole rows as objects (the first is {shorten(array.flat[0])});"
            " make it one array with numpy.stack"
        )
    return (
        f"`{argument}` must have rows of one length, but row 0 has {lengths[0]} and row {odd} has "
        f"{lengths[odd]} (counted from 0); give one number per class in every row"
    )


def checked_probabilities(
    prob: Floats, columns: Sequence[str], *, normalize: bool | None
) -> Floats:
    """Check an (n, k) matrix: finite, in [0, 1], rows sum to 1.

    What lies outside by no more than sqrt(eps) of its dtype becomes 0 or 1. Rows whose sums are off
    by more than that are divided by their sums: up to `sum_tolerance` without a word, and in half
    precision up to its sqrt(eps); beyond it with a warning where rounding to the digits written
    explains all of them. `normalize` divides every row by its sum instead of checking it; it is
    None where the user has no such argument, so that no error names it.
    """
    if normalize or not _all_in_unit_interval(prob):
        for index, column in enumerate(columns):
            checked_column(prob[:, index], column, free_above=bool(normalize))
        prob = np.clip(prob, 0, None if normalize else 1)
    if normalize:
        return _normalized(prob)
    total = prob.sum(axis=1, dtype=np.float64)
    gap = np.abs(total - 1.0)
    off = gap > rounding_of(prob)
    if not off.any():
        return prob
    wrong = gap > sum_tolerance(prob)
    wrong[wrong] = ~_in_half_precision(prob[wrong], gap[wrong])
    if wrong.any():
        digits = _digits(prob[_some(wrong, prob.shape[1])])
        unexplained = wrong & (gap > _rounded_away(prob, *digits))
        if unexplained.any():
            first = int(np.argmax(unexplained))
            raise _not_summing(prob, total, wrong, first, argument=normalize is not None)
        _warn_of_rounded_rows(wrong, float(gap.max()), digits[0])
    divided = prob.copy("K")
    divided[off] = prob[off] / total[off, None]
    return divided


def _not_summing(
    prob: Floats,
    total: NDArray[np.float64],
    wrong: NDArray[np.bool_],
    first: int,
    *,
    argument: bool,
) -> InputError:
    return InputError(
        f"probabilities must sum to 1, which they do not in {rows_text(wrong)}: "
        f"{shorten(prob[first].tolist())} sum to {total[first]:.9g}",
        code="not-summing-to-1",
        argument="normalize" if argument else None,
        rows=np.flatnonzero(wrong),
        remedy="if they are rounded, pass `normalize=True` to divide each row by its sum"
        if argument
        else "if they are rounded, divide each row by its sum: p / p.sum(axis=1, keepdims=True)",
    )


def _in_half_precision(prob: Floats, gap: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark rows whose sums are off by no more than half precision explains.

    float16 is read as float32, so its rows are those of which every number is one of float16.
    """
    if prob.dtype != np.float32:
        return np.zeros(len(prob), bool)
    with np.errstate(over="ignore"):
        halves = prob.astype(np.float16)
    return np.asarray((gap <= rounding_of(halves)) & (halves == prob).all(axis=1))


def _some(off: NDArray[np.bool_], k: int) -> NDArray[np.intp]:
    """Return places of rows that show how many digits are written: the first, and the first off."""
    most = max(MOST_READ // k, 100)
    return np.union1d(np.arange(min(most, len(off))), np.flatnonzero(off)[:most])


def _digits(prob: Floats) -> tuple[int, int]:
    """Return the most significant digits and the most decimals of the shortest decimals."""
    if prob.dtype != np.float64:
        return FULL
    parts = [Decimal(repr(value)).normalize().as_tuple() for value in np.unique(prob).tolist()]
    return max(len(one.digits) for one in parts), max(-int(one.exponent) for one in parts)


def _rounded_away(prob: Floats, digits: int, decimals: int) -> NDArray[np.float64]:
    """Return (n,) by how much rounding can have moved the sum of a row: half a unit a number.

    A number is written with so many digits or so many decimals, whichever is less. Never more than
    LARGEST: one or two digits explain nearly everything.
    """
    with np.errstate(divide="ignore"):
        before = np.floor(np.log10(prob))  # digits before the decimal point, less 1
    places = np.where(prob > 0, np.minimum(decimals, digits - 1 - before), decimals)
    return np.asarray(
        np.minimum((0.5 * 10.0**-places).sum(axis=1), LARGEST) + rounding_of(prob), np.float64
    )


ROWS_READ = 64  # that show how many digits a batch is written with


class Sums(NamedTuple):
    """Rows of a batch whose sums are off: those divided, those of them noted, and the others."""

    divided: NDArray[np.bool_]
    rounded: NDArray[np.bool_]
    refused: NDArray[np.bool_]


def sums_off(prob: Floats, total: Floats, among: NDArray[np.bool_]) -> Sums:
    """Tell what `checked_probabilities` does with the sums of some rows of a batch."""
    gap = np.abs(total - 1.0)
    off = among & (gap > rounding_of(prob))
    wrong = off & (gap > sum_tolerance(prob))
    wrong[wrong] = ~_in_half_precision(prob[wrong], gap[wrong])
    rounded = np.zeros(len(off), bool)
    if wrong.any():
        rows = np.flatnonzero(wrong)
        digits = _digits(prob[rows[:ROWS_READ]])
        rounded[rows] = gap[rows] <= _rounded_away(prob[rows], *digits)
    return Sums(off & (rounded | ~wrong), rounded, wrong & ~rounded)


def _warn_of_rounded_rows(off: NDArray[np.bool_], largest: float, digits: int) -> None:
    warn(
        "rounded-rows: rows were divided by their sums, because these differ from 1 by up to "
        f"{largest:.2g} in {rows_text(off)}. Rounding to {digits} digits explains this",
        code="rounded-rows",
        remedy="write more digits, such as %.17g, to keep the probabilities as they are",
        rows=np.flatnonzero(off),
    )


def rounding_of(values: Floats) -> float:
    """Return what numbers of this type may be off by: the square root of its precision."""
    return float(np.sqrt(np.finfo(values.dtype).eps))


def sum_tolerance(values: Floats) -> float:
    """Return by how much the sum of a row may be off without a word."""
    return max(SUMS, rounding_of(values))


def may_be_shares(values: Floats) -> bool:
    """Tell whether all numbers lie in [0, 1], but for rounding."""
    slack = rounding_of(values)
    return bool(np.all((values >= -slack) & (values <= 1 + slack)))


def _all_in_unit_interval(values: Floats) -> bool:
    return bool(values.size and values.min() >= 0 and values.max() <= 1)  # a NaN fails both


def checked_column(values: Floats, column: str, *, free_above: bool = False) -> Floats:
    """Return one column of probabilities: no NaN, in [0, 1] (or only finite and not negative).

    What lies outside by no more than sqrt(eps) of its dtype, as a softmax in single precision may
    give 1.0000001, becomes 0 or 1.
    """
    if not free_above and _all_in_unit_interval(values):
        return values
    missing = np.isnan(values)
    if missing.any():
        raise InputError(
            missing_value(column, rows_text(missing)),
            code="value-missing",
            rows=np.flatnonzero(missing),
        )
    slack = rounding_of(values)
    bad = (values < -slack) | (np.isinf(values) if free_above else values > 1 + slack)
    if bad.any():
        value = float(values[int(np.argmax(bad))])
        raise InputError(
            no_probability(column, value, rows_text(bad), free_above=free_above),
            code="no-probability",
            rows=np.flatnonzero(bad),
        )
    return np.clip(values, 0, None if free_above else 1)


def missing_value(column: str, where: str) -> str:
    """Say where a number is missing."""
    return (
        f"column {quoted(column)} is empty or NaN in {where}; fill these rows in or leave them out"
    )


def no_probability(column: str, value: float, where: str, *, free_above: bool = False) -> str:
    """Say where a value is no probability, and what it may be."""
    rule = "finite and not negative" if free_above else "a probability in [0, 1]"
    got = f"got {quoted(value)} in {where}"
    return f"column {quoted(column)} must be {rule}, {got}. {_remedy(value)}"


def _remedy(value: float) -> str:
    """Guess from the first bad value what the numbers are, and say what to do."""
    if np.isinf(value):
        return "Infinity is not a probability; correct these rows."
    if -1e-6 < value < 1 + 1e-6:
        return "If this is rounding, clip the values to [0, 1] first."
    if 1 < value <= 100:
        return f"Divide percentages by 100. {LOGITS}."
    return f"{LOGITS}; a rating such as a decision function goes in a column named score."


def _normalized(prob: Floats) -> Floats:
    with np.errstate(over="ignore"):
        total = prob.sum(axis=1, dtype=np.float64)
    bad = (total <= 0) | np.isinf(total)
    if bad.any():
        raise InputError(
            f"`normalize=True` divides each row by its sum, which is "
            f"{total[int(np.argmax(bad))]:g} in {rows_text(bad)}; correct these rows or leave "
            "them out",
            rows=np.flatnonzero(bad),
            code="sum-not-positive",
        )
    return np.asarray(prob / total[:, None], prob.dtype)


def two_columns(positive: Floats, place: int = 1) -> Floats:
    """Return P(positive class) as (n, 2), stored by column so that each column is compact."""
    prob = np.empty((len(positive), 2), positive.dtype, order="F")
    prob[:, place] = positive
    np.subtract(1.0, positive, out=prob[:, 1 - place], dtype=np.float64, casting="same_kind")
    return prob


def bad_rows(bad: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the rows in which anything is marked."""
    return bad if bad.ndim == 1 else np.asarray(bad.any(axis=1))


def logit_matrix(logits: Any) -> Floats:
    """Return logits as (n, k); (n,) log-odds become two columns, the first of them 0."""
    z = number_matrix("logits", logits)
    bad = bad_rows(~np.isfinite(z))
    if bad.any():
        raise InputError(
            f"logits must be finite, they are NaN or infinite in {rows_text(bad)}; correct these "
            "rows, or pass the probabilities to from_arrays",
            rows=np.flatnonzero(bad),
            code="not-finite",
        )
    if z.ndim == 1:
        return np.column_stack([np.zeros_like(z), z])
    if z.shape[1] < 2:
        raise InputError(
            f"`logits` has {z.shape[1]} column; pass (n, k) with one column per class, or (n,) "
            "for the log-odds of the positive class",
            code="wrong-shape",
        )
    _warn_if_probabilities(z)
    return z


def largest_of_rows(prob: Floats) -> Ints:
    """Return the (n,) column of the largest number of every row, the first on ties.

    numpy duplicates what is read-only before it looks: it gets a few rows at a time.
    """
    step = max(1, ARGMAX_AT_ONCE // prob.shape[1])
    answer = np.empty(len(prob), np.int64)
    for start in range(0, len(prob), step):
        rows = slice(start, start + step)
        prob[rows].argmax(axis=1, out=answer[rows])
    return answer


def log_softmax(logits: Floats) -> NDArray[np.float64]:
    """Return log probabilities of finite (n, k) logits, stable for any size.

    log p_c = z_c - z_top - log(1 + sum over the others of exp(z - z_top)), natural logarithms.
    """
    wide = logits.astype(np.float64)
    top = wide.argmax(axis=1)[:, None]
    with np.errstate(over="ignore"):  # a difference beyond the largest float is minus infinity
        shifted = wide - np.take_along_axis(wide, top, axis=1)
    others = np.exp(shifted)
    np.put_along_axis(others, top, 0.0, axis=1)
    return np.asarray(shifted - np.log1p(others.sum(axis=1, keepdims=True)))


def looks_like_softmax_of_probabilities(log_prob: Floats) -> bool:
    """Tell whether every row is the softmax of numbers that were probabilities already.

    If p = softmax(z) with z >= 0 and sum(z) = 1, then z = log p + (1 - sum(log p)) / k, so the
    question is whether that z is non-negative in every row. Real logits spread wider.
    """
    z = log_prob + (1.0 - log_prob.sum(axis=1, keepdims=True)) / log_prob.shape[1]
    return bool(np.all(z >= -1e-6))


def _warn_if_probabilities(logits: Floats) -> None:
    """Warn when what was passed as logits are probabilities."""
    like_shares = _all_in_unit_interval(logits)
    if like_shares and np.all(np.abs(logits.sum(axis=1) - 1.0) <= 1e-3):
        warn(
            "these logits look like probabilities: every row is non-negative and sums to 1",
            code="logits-like-probabilities",
            remedy="a softmax would flatten probabilities; pass them to from_arrays instead",
        )


def warn_of_lost_logarithms(prob: Floats | None, log_prob: Floats | None) -> None:
    """Warn where a probability rounds to 0 whose logarithm is known."""
    if prob is None or log_prob is None:
        return
    lost = int(np.count_nonzero((prob == 0) & np.isfinite(log_prob)))
    if lost:
        warn(
            f"{lost:,} probabilities round to 0 and are written as 0. The log loss of the written "
            "table may be infinite although that of the logits is finite",
            code="lost-logarithms",
            remedy="keep the logits too",
        )


ROUGH = 1e-10  # above it is the spacing of single precision at 1, below it that of double


class BinaryColumns(NamedTuple):
    """The (n, 2) probabilities of a binary view, and their logarithms where the table has them."""

    prob: Floats
    log_prob: Floats | None


def one_column(prob: Floats, log_prob: Floats | None, column: Ints | int) -> BinaryColumns:
    """Return the picked class of every row, or of all rows, against all others.

    The second of two classes against the first are the columns themselves, which are not copied.
    """
    whole = isinstance(column, int) and column == 1 and prob.shape[1] == 2
    if whole and prob.flags.f_contiguous and (prob[:, 0] <= 1).all():
        return BinaryColumns(prob, log_prob)
    picked = np.broadcast_to(column, len(prob))
    log = None if log_prob is None else against_rest(log_prob, picked, rest_log_sum)
    return BinaryColumns(against_rest(prob, picked, rest_sum), log)


def among_k_likeliest(
    prob: Floats, log_prob: Floats | None, actual: Ints, k: int
) -> tuple[BinaryColumns, NDArray[np.bool_]]:
    """Return the k likeliest classes against the others; is the observed one in them?"""
    inside = most_likely_of_each(prob, k)
    event = np.take_along_axis(inside, actual[:, None], axis=1)[:, 0]
    log = None if log_prob is None else inside_and_outside_log(log_prob, inside)
    return BinaryColumns(inside_and_outside(prob, inside), log), event


def against_rest(values: Floats, column: Ints, pool: Callable[[Floats, Ints], Floats]) -> Floats:
    """Return (n, 2): column 1 the picked class of every row, column 0 all others pooled."""
    picked = np.take_along_axis(values, column[:, None], axis=1)[:, 0]
    out = np.empty((len(values), 2), values.dtype, order="F")
    out[:, 1] = picked
    out[:, 0] = pool(values, column)
    return out


def most_likely_of_each(prob: Floats, k: int) -> NDArray[np.bool_]:
    """Mark the k most likely classes of every row, (n, classes); on ties the first columns."""
    least = -np.partition(-prob, k - 1, axis=1)[:, k - 1 : k]
    above, tied = prob > least, prob == least
    room = k - np.count_nonzero(above, axis=1)[:, None]
    first: NDArray[np.bool_] = np.cumsum(tied, axis=1) <= room
    return np.asarray(above | (tied & first), np.bool_)


def inside_and_outside(prob: Floats, inside: NDArray[np.bool_]) -> Floats:
    """Return (n, 2): column 1 the sum of the marked classes of every row, column 0 of the others.

    A sum that is a short decimal but for rounding is that decimal, so that 0.1 + 0.2 lies on the
    edge 0.3 and ties with it.
    """
    out = np.empty((len(prob), 2), prob.dtype, order="F")
    for column, marked in ((1, inside), (0, ~inside)):
        total = np.minimum(np.where(marked, prob, 0.0).sum(axis=1, dtype=np.float64), 1.0)
        out[:, column] = short_decimals(total, prob.dtype)
    return out


def short_decimals(value: NDArray[np.float64], dtype: "np.dtype[Any]") -> NDArray[np.float64]:
    """Give a number that is a short decimal but for rounding in `dtype` that decimal."""
    eps = float(np.finfo(dtype).eps)
    short = np.round(value, 12 if eps < ROUGH else 5)
    return np.where(np.abs(value - short) <= 4 * eps * value, short, value)


def inside_and_outside_log(log_prob: Floats, inside: NDArray[np.bool_]) -> Floats:
    """Return (n, 2) logarithms of the sums of the others and of the marked classes."""
    wide = log_prob.astype(np.float64)
    parts = [np.logaddexp.reduce(np.where(m, wide, -np.inf), axis=1) for m in (~inside, inside)]
    return np.asfortranarray(np.column_stack(parts).astype(log_prob.dtype))


def rest_sum(prob: Floats, column: Ints) -> NDArray[np.float64]:
    """Sum the probabilities of all classes but one, in float64: exact where 1 - p is not."""
    others = prob.astype(np.float64)
    np.put_along_axis(others, column[:, None], 0.0, axis=1)
    return np.asarray(np.minimum(others.sum(axis=1), 1.0))


def rest_log_sum(log_prob: Floats, column: Ints) -> NDArray[np.float64]:
    """Return log(sum(exp(log p))) over all classes but one."""
    others = log_prob.astype(np.float64)
    np.put_along_axis(others, column[:, None], -np.inf, axis=1)
    return np.asarray(np.logaddexp.reduce(others, axis=1))
