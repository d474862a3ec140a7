"""Names the shape of a miscalibration, if a test finds that there is one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from plumbline._checks import open_fraction, whole_number
from plumbline.binning import Homes
from plumbline.calibration import Wide
from plumbline.calibration_tests import CalibrationTest, calibration_test, reliability_curve
from plumbline.calibration_tests.diagnosis.alarm import Alarm, part_names
from plumbline.calibration_tests.diagnosis.answers import Diagnosis
from plumbline.calibration_tests.evidence import LEAST_DRAWS, tails_of
from plumbline.calibration_tests.named import seen_through
from plumbline.calibration_tests.shapes.candidates import Candidate, candidates, named
from plumbline.calibration_tests.shapes.forms import mended
from plumbline.calibration_tests.shapes.naming import case_of, estimate_of
from plumbline.calibration_tests.shapes.rows import Rows
from plumbline.calibration_tests.shapes.wording import rival_of, statement_of
from plumbline.calibration_tests.subject import ALL_CLASSES
from plumbline.errors import ParameterError
from plumbline.nulls import observed, resampled
from plumbline.predictions import Predictions
from plumbline.progress import Progress, share_of
from plumbline.random_streams import Seed
from plumbline.scores import impossible_rows

GROUPS = "equal-size:40"  # points of a fitted line
TESTED, SHAPED = 0.5, 0.8  # shares of the work after the test, and after each shape's own
BINS = "equal-width:15"  # of the picture


def diagnose(
    data: Predictions,
    *,
    view: str | None = None,
    test: CalibrationTest | None = None,
    level: float = 0.05,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Diagnosis:
    """Name the shape of a miscalibration, how large it is, and what would mend it.

    The omnibus calibration test decides whether to speak, so that calibrated probabilities are
    named in a share `level` of cases at most. Then the shape of largest likelihood is named, one
    parameter each:

    - "over-estimation", "under-estimation": p - d, or logit(p) - d, of the positive class of two,
      else of the most likely class; the others in proportion
    - "overconfident", "underconfident": softmax(ln p / T), T above or below 1 (Guo et al. 2017)
    - "few-bad-points": (1 - e) p + e / k, less e / 0.1 in log likelihood, for many are not few
    - "one-bad-class": the shift of one class, k > 2, less ln k for the choice
    - "other": where the best leaves more than a quarter of what the bins are off beyond chance, and
      bins off at random are still 20 times as likely as true ones

    Parameters
    ----------
    data : predictions of one model, with probabilities
    view : "all-classes" (the default), "top-label" or "one-vs-rest:CLASS"
    test : result of the omnibus test of these rows and this view, where that is known already
    level : of the test
    resamples, rng : draws of the labels, and their seed or Generator
    workers : threads; the answer does not depend on them
    progress : called as progress(done, total)

    Returns
    -------
    Diagnosis

    Raises
    ------
    InputError
        Without probabilities
    ParameterError
        Where so few `resamples` could never reach the level, and for a `test` of another kind, view
        or number of rows

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> p = rng.uniform(size=2000)
    >>> sharper = p**1.5 / (p**1.5 + (1 - p) ** 1.5)
    >>> found = diagnose(Predictions.from_arrays(rng.uniform(size=2000) < p, sharper))
    >>> found.shape, found.speaks
    ('overconfident', True)
    """
    _checked(level, resamples)
    name, lens = seen_through(data, view, "a diagnosis")
    seen = data if lens is None else lens
    chance: dict[str, Any] = {"resamples": resamples, "rng": rng, "workers": workers}
    if test is None:
        test = calibration_test(data, view=view, progress=share_of(progress, 0.0, TESTED), **chance)
    p_value = _decided(test, name, data.n)
    alarm = Alarm.of(Rows.of(seen))
    drawn = resampled(
        alarm, resamples, rng, workers=workers, progress=share_of(progress, TESTED, SHAPED)
    )
    parts = np.column_stack([observed(alarm), drawn])
    found = candidates(alarm.rows)
    best = named(found) if p_value <= level else None
    curve = reliability_curve(
        data,
        view=_view_of_picture(seen, name, best),
        bins=BINS,
        resamples=max(resamples, LEAST_DRAWS),
        rng=rng,
        workers=workers,
        progress=share_of(progress, SHAPED, 1.0),
    )
    shape = "none" if p_value > level else "other" if best is None else best.shape
    evidence = _evidence(seen, found, parts)
    return Diagnosis(
        view=name,
        n=data.n,
        effective_n=data.effective_n,
        level=level,
        speaks=shape != "none",
        shape=shape,
        statement=_statement(seen, name, shape, evidence, p_value, test.resamples),
        rival=rival_of(shape, evidence, impossible_rows(seen)),
        p_value=p_value,
        resamples=resamples,
        evidence=evidence,
        impossible_rows=impossible_rows(seen),
        curve=curve,
        fitted=_fitted(alarm.rows, best),
    )


def _decided(test: CalibrationTest, view: str, n: int) -> float:
    """Return the p-value of an omnibus test that was done of this view and these rows."""
    if test.statistic != "omnibus":
        raise ParameterError(
            f"`test` must be a result of the omnibus test, got one of {test.statistic!r}; leave it "
            "out, or call calibration_test(data)"
        )
    if test.n != n:
        raise ParameterError(
            f"`test` is of {test.n:,} rows, and the diagnosis of {n:,}; test the same rows"
        )
    if test.view != view:
        raise ParameterError(
            f"`test` is of the view {test.view!r}, the diagnosis of {view!r}; test that view"
        )
    return test.p_value


def _checked(level: float, resamples: int) -> None:
    open_fraction("level", level)
    whole_number("resamples", resamples, least=1)
    if 1 / (resamples + 1) > level:
        raise ParameterError(
            f"`resamples` must be at least {int(np.ceil(1 / level)) - 1} to reach the level "
            f"{level:g}, got {resamples}"
        )


def _statement(
    seen: Predictions,
    name: str,
    shape: str,
    evidence: Sequence[dict[str, Any]],
    p_value: float,
    resamples: int,
) -> str:
    """Return the diagnosis in words."""
    row = next((row for row in evidence if row["shape"] == shape), None)
    case = case_of(seen, row, top=name == "top-label")
    impossible = impossible_rows(seen)
    return statement_of(
        shape,
        case,
        seen.n,
        p_value=p_value,
        resamples=resamples,
        impossible=impossible,
        rival=rival_of(shape, evidence, impossible),
    )


def upper_tail(values: Wide) -> float:
    """Return the p-value of the first value among all: (1 + #{T* >= T}) / (m + 1)."""
    return tails_of(values[1:], float(values[0]))[0]


def _view_of_picture(seen: Predictions, name: str, best: Candidate | None) -> str | None:
    """Return the binary view whose reliability diagram shows the shape; None is the usual one."""
    if name != ALL_CLASSES:
        return name
    if best is not None and best.number is not None:
        return f"one-vs-rest:{seen.classes[best.number]}"
    return None


def _evidence(
    seen: Predictions, found: Sequence[Candidate], parts: Wide
) -> tuple[dict[str, Any], ...]:
    """Return one row a shape, the best first."""
    p_values = dict(zip(part_names(seen.k), map(upper_tail, parts), strict=True))
    return tuple(
        {
            **estimate_of(seen, one),
            "gain": 0.0 if one.fit is None else one.fit.gain,
            "explained": one.explained,
            "p_value": p_values[one.shape],
        }
        for one in sorted(found, key=lambda candidate: -candidate.worth)
    )


def _fitted(rows: Rows, best: Candidate | None) -> tuple[dict[str, float], ...]:
    """Return what would be observed if the named shape were the whole truth, by score."""
    if best is None or best.fit is None:
        return ()
    column = rows.event if best.number is None else np.full(rows.n, best.number)
    every = np.arange(rows.n)
    score = rows.prob[every, column]
    truth = mended(rows, best.fit.form, best.fit.by)[every, column]
    home = Homes.of(score, rows.weight, GROUPS)
    mass = np.bincount(home.number, rows.weight, home.size)
    filled = mass > 0
    sums = [np.bincount(home.number, rows.weight * x, home.size) for x in (score, truth)]
    means = [x[filled] / mass[filled] for x in sums]
    pairs = zip(*means, strict=True)
    return tuple({"score": float(x), "share": float(y)} for x, y in pairs)
