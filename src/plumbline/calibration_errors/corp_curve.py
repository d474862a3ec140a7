"""The CORP curve: the isotonic fit of the outcomes, its bands, and the parts of a proper score."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import open_fraction, whole_number
from plumbline._result import Detail, Note, Presentation, Result, Table
from plumbline.binning import Bins
from plumbline.calibration import (
    ErrorDefinition,
    ErrorOfHits,
    Profile,
    ProfileRule,
    ProfileStatistic,
    Wide,
    binary_table,
    define_error,
    discrimination,
    isotonic_fit,
    isotonic_starts,
    mean_score,
    miscalibration,
    profile_statistic,
    rows_within,
    uncertainty,
)
from plumbline.calibration.isotonic import Pieces
from plumbline.calibration.score_decomposition import OwnScore, score_of
from plumbline.calibration_errors.p_values import (
    central_range,
    compare_with_draws,
    of_all_rows,
    why_missing,
)
from plumbline.calibration_errors.results import expected_if_calibrated
from plumbline.dependence import RowGroups, group_details, group_notes, row_groups_in
from plumbline.formatting import capital, number, p_number, view_words
from plumbline.nulls import resampled
from plumbline.predictions import Predictions, coarsened, ordered
from plumbline.progress import Progress
from plumbline.random_streams import Seed

MOST_SCORES = 500  # so many scores, evenly ranked, show a band as well as all would
COUNTED_IN = "equal-width:25"

TERMS = {
    "score_mean": mean_score,
    "miscalibration": miscalibration,
    "discrimination": discrimination,
    "uncertainty": uncertainty,
}

Places: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, repr=False, eq=False)
class CorpCurve(Result):
    """The observed frequency as an increasing function of the score, and the gain of recalibration.

    score_mean = miscalibration - discrimination + uncertainty.

    Attributes
    ----------
    view : the binary view; score : the proper score; n : rows; effective_n : of weighted rows
    score_mean, miscalibration, discrimination, uncertainty : as in the functions of these names
    null_mean, null_range, p_value : mean and central 95 % range of the miscalibration if
        calibrated, and its two-sided p-value
    level : coverage of the bands at a single score
    steps : one row per constant piece of the fit (lo, hi, count, weight, mean_probability, and
        probability, the observed frequency)
    bands : one row per distinct score, at most 500 (score, probability, consistency_low and _high,
        where the fit lies if calibrated; confidence_low and _high, around the fit)
    counts : one row per interval of scores that holds rows (lo, hi, count)
    row_groups : how much the rows of its groups depend; None where they are in none
    """

    view: str
    score: str
    n: int
    effective_n: float
    x_label: str
    y_label: str
    score_mean: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    null_mean: float
    null_range: tuple[float, float]
    p_value: float
    resamples: int
    level: float
    steps: Sequence[dict[str, Any]]
    bands: Sequence[dict[str, Any]]
    counts: Sequence[dict[str, Any]]
    reason: str | None = None
    row_groups: RowGroups | None = None
    null_values: Wide = field(default_factory=lambda: np.empty(0), metadata={"hidden": True})

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the steps."""
        return self.steps

    def rows_in(self, data: Predictions, places: Sequence[int]) -> NDArray[np.bool_]:
        """Mark the rows of `data` that are in some of the pieces, by their places in `steps`."""
        pieces = [{**self.steps[place], "closed": "both"} for place in places]
        return rows_within(data, self.view, pieces)

    def present(self) -> Presentation:
        """Return the parts of the mean score, and the constant pieces of the curve."""
        details = [
            Detail(name, name.replace("_", " "), number(getattr(self, name)))
            for name in ("miscalibration", "discrimination", "uncertainty", "score_mean")
        ]
        if self.resamples:
            details[1:1] = [
                *expected_if_calibrated(self),
                Detail("p_value", "p", p_number(self.p_value), joined=True),
            ]
        rows = self.steps
        columns = {
            "from": [number(row["lo"]) for row in rows],
            "to": [number(row["hi"]) for row in rows],
            "rows": [f"{row['count']:,}" for row in rows],
            "mean prediction": [number(row["mean_probability"]) for row in rows],
            "observed": [number(row["probability"]) for row in rows],
        }
        return Presentation(
            subject=f"{capital(view_words(self.view))}, {self.score.replace('-', ' ')}",
            details=(
                Detail("n", "rows", f"{self.n:,}"),
                *details,
                *group_details(self.row_groups),
            ),
            notes=(
                *((Note(f"{capital(self.reason)}.", "undefined"),) if self.reason else ()),
                *(group_notes(self.row_groups) if self.resamples else ()),
            ),
            tables=(Table(columns),),
            legend=(FITTED_HERE,),
        )


FITTED_HERE = (
    "The curve is fitted on these rows, so even calibrated probabilities have a miscalibration "
    "above 0: compare with the expected value."
)


def corp_curve(
    data: Predictions,
    *,
    view: str | None = None,
    score: str | OwnScore = "brier-score",
    level: float = 0.95,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> CorpCurve:
    """Return the CORP reliability curve of one binary view, with its bands and decomposition.

    The curve is the isotonic regression of the outcomes on the scores; with S a proper score, c the
    curve and r the base rate, the mean score is MCB - DSC + UNC: mean S(p, y) - mean S(c, y) is the
    miscalibration, mean S(r, y) - mean S(c, y) the discrimination, mean S(r, y) the uncertainty.

    Both bands are for single scores, not for the curve as a whole. The consistency band is the
    central `level` range of the curve of labels drawn from the predictions held fixed. The
    confidence band covers the event probability at a score with probability `level` or more, for
    any number of rows, if that probability increases with the score (approximately for weighted
    rows): its limits are Clopper and Pearson's (1934), for the rows up to the score and for those
    from it on, the nearest n^(1/2), n^(2/3) and n^(5/6) of them. It is conservative. The range of
    curves redrawn from the fitted curve is not a confidence band: it covers far too rarely.

    Parameters
    ----------
    data : Predictions
        The predictions of one model, with probabilities.
    view : str, optional
        A binary view, as in `calibration_error`.
    score : str or callable, default "brier-score"
        "brier-score" from 0 to 1, "log-loss", "spherical-score" or a function S(p, y) of arrays,
        the smaller the better.
    level : float, default 0.95
        Coverage of the bands at a single score.
    resamples : int, default 999
        Draws of the labels from the predictions.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    CorpCurve
        The recalibrated curve with its band, and the three parts of the score.

    Raises
    ------
    InputError
        For a table without probabilities.
    ParameterError
        For a view with several events.

    References
    ----------
    Dimitriadis, Gneiting and Jordan (2021), "Stable reliability diagrams for probabilistic
    classifiers".

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9])
    >>> curve = corp_curve(data, resamples=99)
    >>> [(row["lo"], row["hi"], row["probability"]) for row in curve.steps]
    [(0.1, 0.1, 0.0), (0.4, 0.6, 0.5), (0.9, 0.9, 1.0)]
    """
    open_fraction("level", level)
    whole_number("resamples", resamples, least=1)
    name, _ = score_of(score)
    data = ordered(data)
    definition = define_error(data, view)
    binary = binary_table(data, definition, "a CORP curve")
    gain = miscalibration(score)
    what = profile_statistic(data, definition, gain)
    few = coarsened(data) if data.counted else data  # what is drawn
    merged = profile_statistic(few, definition, _gain_and_fit(gain))
    drawn = resampled(merged, resamples, rng, workers=workers, progress=progress)
    profile, hits = what.parts[0].profile, _observed_hits(what)
    terms: dict[str, Any] = {
        term: float(rule(score)(profile)(hits)[0]) for term, rule in TERMS.items()
    }
    cells, few_hits = merged.parts[0].profile, _observed_hits(merged)
    null = compare_with_draws(float(gain(cells)(few_hits)[0]), drawn[0])
    null = of_all_rows(null, terms["miscalibration"])
    return CorpCurve(
        **_named(definition),
        **terms,
        score=name,
        n=data.total,
        effective_n=data.effective_n,
        null_mean=null.mean,
        null_range=null.range,
        p_value=null.p_value(),
        resamples=resamples,
        level=level,
        steps=_steps(what, hits),
        bands=_bands(cells, few_hits, drawn[1:], level, data.effective_n),
        counts=_counts(binary),
        reason=why_missing(null.value, what, data.mass, null.range, "resample"),
        row_groups=row_groups_in(data),
        null_values=null.values,
    )


def _named(definition: ErrorDefinition) -> dict[str, Any]:
    """Return the view, and what the axes of its picture are called."""
    if definition.top is not None:
        event = f"probability of the {definition.top} most likely"
    else:
        known = definition.target is not None
        event = f"predicted probability of {definition.target}" if known else "confidence"
    share = "observed frequency" if definition.outcome == "class" else "accuracy"
    return {"view": definition.name, "x_label": event, "y_label": share}


def _gain_and_fit(gain: ProfileRule) -> ProfileRule:
    """Return (1 + m, draws): the miscalibration, and the fit at the scores whose band is shown."""

    def rule(profile: Profile) -> ErrorOfHits:
        error, at = gain(profile), _shown(profile)
        return lambda hits: np.vstack([error(hits), isotonic_fit(profile.weight, hits)[at]])

    return rule


def _shown(profile: Profile) -> Places:
    """Return the scores whose band is shown: all, or some at even ranks, the first and the last."""
    g = len(profile.score)
    return np.unique(np.linspace(0, g - 1, min(g, MOST_SCORES)).round().astype(np.intp))


def _observed_hits(what: ProfileStatistic) -> Wide:
    """Return (g, 1): the weight of the rows where the event happened, at every score."""
    tally = what.tally(1)
    tally.add(slice(0, len(what.actual)), what.actual.astype(np.int32)[:, None])
    return tally.hits[what.parts[0].start :]


def _steps(what: ProfileStatistic, hits: Wide) -> list[dict[str, Any]]:
    profile = what.parts[0].profile
    pieces = Pieces.at(isotonic_starts(profile.weight, hits))
    weight = pieces.sums(profile.weight)
    own = what.number.max(axis=1)
    rows = np.bincount(own, what.count, minlength=what.size)[what.parts[0].start :]
    columns = {
        "lo": profile.score[pieces.first],
        "hi": profile.score[np.append(pieces.first[1:], len(profile.score)) - 1],
        "count": pieces.sums(rows.astype(np.float64)),
        "weight": weight,
        "mean_probability": pieces.sums(profile.weight * profile.score) / weight,
        "probability": np.minimum(pieces.sums(hits.T) / weight, 1.0),
    }
    return _as_rows(columns)


def _bands(
    profile: Profile, hits: Wide, drawn: Wide, level: float, effective: float
) -> list[dict[str, Any]]:
    """Return the fit with its bands; `drawn` are the fits at the shown scores under the null."""
    at = _shown(profile)
    fit = isotonic_fit(profile.weight, hits)[at, 0]
    consistency = central_range(drawn, level)
    scale = effective / profile.weight.sum()  # a weighted row is one draw
    low, high = rising_limits(profile.weight * scale, hits[:, 0] * scale, at, level=level)
    columns = {
        "score": profile.score[at],
        "probability": fit,
        "consistency_low": consistency[0],
        "consistency_high": consistency[1],
        "confidence_low": np.minimum(low, fit),
        "confidence_high": np.maximum(high, fit),
    }
    return _as_rows(columns)


def rising_limits(weight: Wide, hits: Wide, at: Places, *, level: float) -> tuple[Wide, Wide]:
    """Return confidence limits of a rising probability at some scores: (m,) each.

    Up to the score the probabilities are at most the one there, so that events of the rows before
    are at most binomial, and Clopper and Pearson's (1934) lower limit of them is one of it; the
    upper limit, of the rows from the score on, is the mirror image. Each is the best of three
    numbers of rows, which share the error. Both are then widened until they rise.

    weight, hits : (g,) rows and events at every score; at : (m,) places of scores, rising
    """
    before = np.concatenate([[0.0], np.cumsum(weight)])
    events = np.concatenate([[0.0], np.cumsum(hits)])
    low, high = np.zeros(len(at)), np.ones(len(at))
    sizes = before[-1] ** np.array([1 / 2, 2 / 3, 5 / 6])
    error = (1.0 - level) / 2 / len(sizes)
    for size in sizes:
        start = np.minimum(np.searchsorted(before, before[at + 1] - size), at)
        stop = np.maximum(np.searchsorted(before, before[at] + size, "right") - 1, at + 1)
        rows, inside = before[at + 1] - before[start], events[at + 1] - events[start]
        low = np.maximum(low, _least(inside, rows, error))
        rows, inside = before[stop] - before[at], events[stop] - events[at]
        high = np.minimum(high, 1.0 - _least(rows - inside, rows, error))
    return np.minimum.accumulate(low[::-1])[::-1], np.maximum.accumulate(high)


def _least(hits: Wide, rows: Wide, error: float) -> Wide:
    """Return the probability at which so many events or more have the probability `error`."""
    from scipy.special import betaincinv

    none = hits <= 0
    others = np.maximum(rows - hits, 0.0) + 1.0
    result = betaincinv(np.where(none, 1.0, hits), others, error)
    return np.where(none, 0.0, result)


def _counts(binary: Predictions) -> list[dict[str, Any]]:
    """Return how many rows have a score in each interval that holds any."""
    bins = Bins.of(binary, COUNTED_IN)
    held = np.flatnonzero(bins.count)
    edges = np.asarray(bins.edges, np.float64)
    return _as_rows({"lo": edges[held], "hi": edges[held + 1], "count": bins.count[held]})


def _as_rows(columns: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the columns as one dictionary a row; whole numbers of rows stay whole."""
    lists = [
        np.asarray(column, np.int64).tolist() if name == "count" else column.tolist()
        for name, column in columns.items()
    ]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]
