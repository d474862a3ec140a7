"""Classes by score bins: where each class's probabilities are too high or too low."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of, shorten, whole_number
from plumbline._result import Presentation, Result, Table
from plumbline.binning import BinsLike, binning_of, place
from plumbline.calibration import Floats, Ints, Wide
from plumbline.calibration.definition import sum_of_others
from plumbline.calibration.statistics import add_hits
from plumbline.calibration_errors import adjusted_p_values, tails_of
from plumbline.calibration_errors.outcome_share import standardised
from plumbline.calibration_errors.p_values import METHODS, PROMISES
from plumbline.dependence import RowGroups, group_details, group_notes, row_groups_in
from plumbline.errors import ParameterError
from plumbline.formatting import bins_words, capital, number, p_number, quoted
from plumbline.nulls import observed, resampled
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed
from plumbline.verdicts import LEVEL, few_resamples, members_verdict

# Least and most draws; between them as many as a level LEVEL / k needs.
FEWEST_DRAWS, MOST_DRAWS = 999, 99_999
BINS = "equal-width:10"
MOST_CELLS = 100_000  # classes times bins; more cells are not told apart. A convention
PURPOSE = "a heat map of classes"


@dataclass(frozen=True, repr=False, eq=False)
class ClassHeatMap(Result):
    """Every class against the rest, in the same score bins.

    Attributes
    ----------
    scheme : the bins; order, adjust, resamples : as given; n : rows
    classes : one row per class, in the order of the map: class, n (rows of that class),
        mean_probability, outcome_share, error (sum over bins of weight x abs(gap), as a share of
        all weight), null_mean, excess, p_value (upper tail), adjusted_p_value, rejected
    cells : one row per filled cell: class, lo, hi, count, weight, mean_probability, outcome_share,
        gap (outcome share less mean probability), z (the gap over its standard deviation if
        calibrated)
    rejected : the classes whose adjusted p-value is at most 0.05
    verdict : the answer in one sentence
    row_groups : how much the rows of its groups depend; None where they are in none
    edges : (b + 1,) of the bins
    gap, z, count : (classes, b) in the order of the map; NaN and 0 where a cell is empty
    """

    scheme: str
    order: str
    adjust: str | None
    n: int
    resamples: int
    classes: Sequence[dict[str, Any]]
    cells: Sequence[dict[str, Any]]
    rejected: Sequence[str]
    verdict: str
    edges: Wide = field(metadata={"hidden": True})
    gap: Wide = field(metadata={"hidden": True})
    z: Wide = field(metadata={"hidden": True})
    count: Wide = field(metadata={"hidden": True})
    row_groups: RowGroups | None = None

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the cells."""
        return self.cells

    def present(self) -> Presentation:
        """Return which classes are off, and every class against the rest."""
        rows = self.classes
        columns = {
            "class": [str(row["class"]) for row in rows],
            "rows": [f"{row['n']:,}" for row in rows],
            "mean prediction": [number(row["mean_probability"]) for row in rows],
            "observed": [number(row["outcome_share"]) for row in rows],
            "ECE": [number(row["error"]) for row in rows],
            "expected if calibrated": [number(row["null_mean"]) for row in rows],
            "p": [p_number(row["p_value"]) for row in rows],
            "adjusted p": [p_number(row["adjusted_p_value"]) for row in rows],
        }
        judged = self.adjust is None or self.rejected
        few = [] if judged else few_resamples(self.resamples, 1, len(self.classes))
        return Presentation(
            subject=f"Each class against the rest, {bins_words(self.scheme)}",
            summary=self.verdict,
            tone="bad" if self.rejected else "open",
            details=group_details(self.row_groups),
            notes=(*few, *group_notes(self.row_groups)),
            tables=(Table(columns, left=("class",)),),
            legend=(f"{capital(PROMISES[self.adjust])}.",),
        )


@dataclass(frozen=True, slots=True, eq=False)
class ClassErrors:
    """The binned error of every class as a function of the labels.

    Attributes
    ----------
    prob, actual, weight : (n, k), (n,) and (n,): rows that have weight
    cell : (n, k) row i with label c is a hit of cell[i, c]; cell 0 is nobody's
    expected : (k, bins) sums of w p
    groups : (n,) number of the group of every row, None where rows are independent
    """

    prob: Floats
    actual: Ints
    weight: Wide
    cell: NDArray[np.int32]
    expected: Wide
    groups: Ints | None = field(kw_only=True)

    @property
    def size(self) -> int:
        """Number of sums a tally keeps for each set of labels."""
        return self.expected.size + 1

    def tally(self, width: int) -> "ClassTally":
        """Return an empty tally for `width` sets of labels."""
        return ClassTally(self, np.zeros((self.size, width)))

    def sums(self, values: Wide) -> Wide:
        """Return (k, bins) sums of (n, k) values."""
        return sums_of(self.cell, values, self.expected.shape)


def sums_of(cell: NDArray[np.int32], values: Wide, shape: tuple[int, ...]) -> Wide:
    """Return sums of (n, k) values in cells of the shape (k, bins); cell 0 is nobody's."""
    result = np.bincount(cell.ravel(), values.ravel(), np.prod(shape, dtype=np.int64) + 1)
    return np.asarray(result[1:].reshape(shape), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class ClassTally:
    """What labels added up to so far, one column a draw."""

    what: ClassErrors
    hits: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        add_hits(self.what.cell[rows], labels, self.what.weight[rows], self.hits)

    def values(self) -> Wide:
        """Return (k, draws) errors."""
        expected = self.what.expected
        hits = self.hits[1:].reshape(*expected.shape, -1)
        gaps = np.abs(hits - expected[..., None]).sum(axis=1)
        return np.asarray(gaps / self.what.weight.sum())


def class_heat_map(
    data: Predictions,
    *,
    bins: BinsLike = BINS,
    order: str = "error",
    adjust: str | None = "holm",
    resamples: int | None = None,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ClassHeatMap:
    """Compare observed frequency and mean probability for every class and score bin.

    All classes share the bins; bins that depend on data use the scores of all classes. Each class
    has its binned error, sum over bins of (W_b / W) abs(share - mean), and the p-value of its upper
    tail, adjusted for the number of classes.

    Parameters
    ----------
    data : Predictions
        The predictions of one model, with probabilities.
    bins : int, str or Binning, default "equal-width:10"
        Bins with edges; a number means that many bins of equal width.
    order : {"error", "class"}, default "error"
        The worst class first, or the order of the classes.
    adjust : {"holm", "benjamini-hochberg"} or None, default "holm"
        As in `calibration_test_by`.
    resamples : int, optional
        Draws of the labels: by default 999, or 20 k - 1 if that is more, so that one of k classes
        can be rejected; at most 99,999.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    ClassHeatMap
        One row per class and bin: observed frequency, mean probability, adjusted p-value.

    Raises
    ------
    ParameterError
        For bins without edges and unknown names.
    InputError
        For a table without probabilities.

    Examples
    --------
    >>> p = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.1, 0.3, 0.6], [0.2, 0.2, 0.6]] * 25
    >>> data = Predictions.from_arrays([0, 1, 2, 0] * 25, p)
    >>> heat_map = class_heat_map(data, bins=2)
    >>> [(row["class"], round(row["error"], 3)) for row in heat_map.classes]
    [('0', 0.225), ('1', 0.225), ('2', 0.1)]
    """
    only_predictions(data).need_one_model(PURPOSE)
    one_of("order", order, ("error", "class"))
    if adjust is not None:
        one_of("adjust", adjust, METHODS)
    enough = min(max(FEWEST_DRAWS, round(data.k / LEVEL) - 1), MOST_DRAWS)
    draws = enough if resamples is None else whole_number("resamples", resamples, least=1)
    what, edges = _errors(data, bins)
    error = observed(what)
    drawn = resampled(what, draws, rng, workers=workers, progress=progress)
    p_values = [tails_of(null, value)[0] for null, value in zip(drawn, error, strict=True)]
    classes = [
        row | {"p_value": p, "adjusted_p_value": adjusted, "rejected": adjusted <= LEVEL}
        for row, p, adjusted in zip(
            _classes(data, what, error, drawn),
            p_values,
            adjusted_p_values(p_values, adjust),
            strict=True,
        )
    ]
    place_of = np.argsort(-error, kind="stable") if order == "error" else np.arange(data.k)
    table = ClassCells.of(what)
    ordered = [classes[c] for c in place_of]
    rejected = [row["class"] for row in ordered if row["rejected"]]
    return ClassHeatMap(
        scheme=str(binning_of(bins)),
        order=order,
        adjust=adjust,
        n=data.n,
        resamples=draws,
        classes=ordered,
        cells=list(table.rows(data.classes, place_of, edges)),
        rejected=rejected,
        verdict=members_verdict(
            "class",
            [str(row["class"]) for row in ordered],
            [row["adjusted_p_value"] for row in ordered],
            adjusted=adjust is not None,
        ),
        edges=edges,
        gap=read_only(table.gap[place_of]),
        z=read_only(table.z[place_of]),
        count=read_only(table.count[place_of]),
        row_groups=row_groups_in(data),
    )


def read_only(values: Wide) -> Wide:
    """Return an array of a result, which nobody may write to."""
    values.flags.writeable = False
    return values


def _errors(data: Predictions, bins: BinsLike) -> tuple[ClassErrors, Wide]:
    """Return the errors of all classes as a function of the labels, and the edges of the bins."""
    row = np.flatnonzero(data.mass > 0)
    prob = data.need_prob(PURPOSE)[row]
    weight = data.mass[row]
    scheme = binning_of(bins)
    every = np.repeat(weight, data.k) if data.weight is not None else None
    score = prob.ravel()
    edges = scheme.edges(score, every)
    if edges is None:
        raise ParameterError(
            f"`bins` of {PURPOSE} must have edges that all classes share, such as "
            f"'equal-width:10', got {shorten(str(scheme))}",
            code="bins-without-edges",
        )
    size = len(edges) - 1
    if size * data.k > MOST_CELLS:
        raise ParameterError(
            f"`bins` {shorten(str(scheme))} make {size:,} bins, and with {data.k:,} classes "
            f"{size * data.k:,} cells, more than {MOST_CELLS:,}; use fewer, such as {quoted(BINS)}",
            code="too-many-cells",
        )
    home = place(score, edges).reshape(prob.shape)
    cell = (1 + np.arange(data.k, dtype=np.int32) * np.int32(size) + home).astype(np.int32)
    expected = sums_of(cell, weight[:, None] * prob.astype(np.float64), (data.k, size))
    groups = None if data.group_codes is None else data.group_codes[row]
    what = ClassErrors(prob, data.actual[row], weight, cell, expected, groups=groups)
    return what, read_only(edges.astype(np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class ClassCells:
    """What the cells hold: (k, bins) each; shares and gaps are NaN where a cell is empty."""

    count: Wide
    weight: Wide
    mean: Wide
    share: Wide
    gap: Wide
    z: Wide

    @classmethod
    def of(cls, what: ClassErrors) -> "ClassCells":
        """Sum up the observed labels."""
        wide = what.prob.astype(np.float64)
        w = np.broadcast_to(what.weight[:, None], wide.shape)
        hit = np.zeros_like(wide)
        hit[np.arange(len(wide)), what.actual] = what.weight
        count, weight, hits = what.sums(np.ones_like(wide)), what.sums(w), what.sums(hit)
        variance = what.sums(w * w * wide * sum_of_others(wide))
        gap = hits - what.expected
        with np.errstate(invalid="ignore"):
            mean, share = what.expected / weight, hits / weight
        z = np.where(count > 0, standardised(gap, variance, weight), np.nan)
        return cls(count, weight, mean, share, share - mean, z)

    def rows(
        self, names: Sequence[str], order: NDArray[np.intp], edges: Wide
    ) -> Iterator[dict[str, Any]]:
        """Yield the filled cells."""
        for c in order:
            for b in np.flatnonzero(self.count[c] > 0):
                yield {
                    "class": names[c],
                    "lo": float(edges[b]),
                    "hi": float(edges[b + 1]),
                    "count": int(self.count[c, b]),
                    "weight": float(self.weight[c, b]),
                    "mean_probability": float(self.mean[c, b]),
                    "outcome_share": float(self.share[c, b]),
                    "gap": float(self.gap[c, b]),
                    "z": float(self.z[c, b]),
                }


def _classes(
    data: Predictions, what: ClassErrors, error: Wide, drawn: Wide
) -> Iterator[dict[str, Any]]:
    """Yield what is known of every class but its p-values."""
    whole = what.weight.sum()
    own = np.bincount(what.actual, minlength=data.k)
    share = np.bincount(what.actual, what.weight, data.k) / whole
    mean = what.expected.sum(axis=1) / whole
    null = drawn.mean(axis=1)
    for c, name in enumerate(data.classes):
        yield {
            "class": name,
            "n": int(own[c]),
            "mean_probability": float(mean[c]),
            "outcome_share": float(share[c]),
            "error": float(error[c]),
            "null_mean": float(null[c]),
            "excess": float(error[c] - null[c]),
        }
