"""Calibration errors and calibration tests: one piece of evidence, two ways to put it."""

from plumbline._checks import one_of, whole_number
from plumbline.binning import Binning
from plumbline.calibration import setting
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.resampling import Seed
from plumbline.significance.answers import CalibrationError, CalibrationTest
from plumbline.significance.evidence import Evidence, bin_rows, evidence
from plumbline.verdicts import verdict_of

ALTERNATIVES = ("two-sided", "greater", "less")
CONVENTION = "plumbline: bins (lo, hi], mean score of the bin, predictions held fixed"


def calibration_error(
    data: Predictions,
    *,
    view: str | None = None,
    bins: str | Binning | None = None,
    distance: str = "absolute",
    outcome: str | None = None,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> CalibrationError:
    """Measure the calibration error, with its mean and 95 % range under true probabilities.

    Binary views: sum over bins of (W_b / W) d(outcome share, mean probability). "top-label" asks
    whether the most likely class is right; "one-vs-rest:CLASS" whether it is that class;
    "classwise" is the mean of that over the classes; "joint" compares the share of every class
    among rows with the same probability vector. Distances: "absolute", "square", "log".

    The null holds the predictions fixed and draws every label from its own probability vector
    (Vaicenavicius et al. 2019). `resamples=0` leaves it out. Raises InputError for a table without
    probabilities, ParameterError for an unknown name.

    >>> data = Predictions.from_arrays([0, 1, 1, 1, 1], [0.55, 0.45, 0.91, 0.86, 0.96])
    >>> from plumbline import EqualWidth
    >>> error = calibration_error(data, bins=EqualWidth(5), resamples=99)
    >>> round(error.value, 3)
    0.054
    """
    chosen = setting(data, view, bins, distance, outcome)
    found = evidence(data, chosen, resamples=resamples, rng=rng, workers=workers, progress=progress)
    return as_error(found)


def calibration_test(
    data: Predictions,
    *,
    statistic: str = "ece",
    view: str | None = None,
    bins: str | Binning | None = None,
    distance: str = "absolute",
    outcome: str | None = None,
    alternative: str = "two-sided",
    null: str = "auto",
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> CalibrationTest:
    """Test whether the probabilities could be true: could labels drawn from them look like this?

    p = (1 + #{T* >= T}) / (resamples + 1) for alternative "greater" (<= for "less"), twice the
    smaller one, at most 1, for "two-sided". Predictions are held fixed, so the test never
    exceeds its level, for any n. Arguments as in `calibration_error`.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> p = rng.uniform(size=400)
    >>> true = Predictions.from_arrays(rng.uniform(size=400) < p, p)
    >>> overconfident = Predictions.from_arrays(rng.uniform(size=400) < (p + 0.5) / 2, p)
    >>> calibration_test(true).p_value > 0.05, calibration_test(overconfident).p_value <= 0.05
    (True, True)
    """
    one_of("statistic", statistic, ("ece",))
    one_of("alternative", alternative, ALTERNATIVES)
    one_of("null", null, ("auto", "resample"))
    whole_number("resamples", resamples, least=1)
    chosen = setting(data, view, bins, distance, outcome)
    found = evidence(data, chosen, resamples=resamples, rng=rng, workers=workers, progress=progress)
    return _as_test(found, alternative)


def error_and_test(
    data: Predictions,
    *,
    view: str | None = None,
    bins: str | Binning | None = None,
    distance: str = "absolute",
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> tuple[CalibrationError, CalibrationTest]:
    """Return what `calibration_error` and `calibration_test` would, from one set of draws."""
    chosen = setting(data, view, bins, distance)
    found = evidence(data, chosen, resamples=resamples, rng=rng, workers=workers, progress=progress)
    return as_error(found), _as_test(found, "two-sided")


def as_error(found: Evidence) -> CalibrationError:
    """Put a piece of evidence as a calibration error."""
    cells = found.statistic.cells
    return CalibrationError(
        **found.common,
        p_value=found.p_value("two-sided"),
        bins=bin_rows(found.chosen, found.data, cells.bins) if cells and cells.bins else None,
        convention=CONVENTION,
    )


def _as_test(found: Evidence, alternative: str) -> CalibrationTest:
    common = found.common
    p_value = found.p_value(alternative)
    return CalibrationTest(
        **common,
        statistic="ece",
        alternative=alternative,
        p_value=p_value,
        p_bounds=None,
        null="resample",
        method=(
            f"consistency resampling: {common['resamples']} times all labels drawn from their own "
            f"predictions, {alternative}"
        ),
        parts=(),
        verdict=verdict_of(
            name=_spoken(found),
            value=found.value,
            larger=_is_larger(found, alternative),
            null_mean=common["null_mean"],
            null_range=common["null_range"],
            p_value=p_value,
            alternative=alternative,
            resamples=common["resamples"],
            n=common["n"],
            effective_n=common["effective_n"],
            impossible_rows=common["impossible_rows"],
        ),
    )


def _is_larger(found: Evidence, alternative: str) -> bool:
    """Tell in which tail the value lies: the one asked about, else the smaller one."""
    upper, lower = found.tails()
    return upper <= lower if alternative == "two-sided" else alternative == "greater"


def _spoken(found: Evidence) -> str:
    """Name the error as a reader would: the distance only where it is not the usual one."""
    distance = found.chosen.distance
    kind = "" if distance == "absolute" else f" ({distance} distance)"
    return f"{found.chosen.name} ECE{kind}"
