"""The calibration error beside its null."""

from plumbline.binning import Binning
from plumbline.calibration import OwnDistance, setting, warn_of_preset
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.resampling import Seed
from plumbline.significance.answers import CalibrationError
from plumbline.significance.evidence import Evidence, bin_rows, evidence

CONVENTION = "plumbline: bins (lo, hi], mean score of the bin, predictions held fixed"


def calibration_error(
    data: Predictions,
    *,
    view: str | None = None,
    bins: str | Binning | None = None,
    distance: str | OwnDistance = "absolute",
    outcome: str | None = None,
    resamples: int = 999,
    like: str | None = None,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> CalibrationError:
    """Measure the calibration error, with its mean and 95 % range under true probabilities.

    Binary views: sum over bins of (W_b / W) d(outcome share, mean probability). "top-label" asks
    whether the most likely class is right; "one-vs-rest:CLASS" whether it is that class;
    "classwise" is the mean of that over the classes; "joint" compares the share of every class
    among rows with the same probability vector. Distances: "absolute", "square", "log",
    "chi-square", "hellinger", or a function d(y, p) of arrays.

    The null holds the predictions fixed and draws every label from its own probability vector
    (Vaicenavicius et al. 2019). `resamples=0` leaves it out. `like="thesis"` follows the binning of
    "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020).

    Raises InputError for a table without probabilities, ParameterError for an unknown name.

    >>> data = Predictions.from_arrays([0, 1, 1, 1, 1], [0.55, 0.45, 0.91, 0.86, 0.96])
    >>> from plumbline import EqualWidth
    >>> error = calibration_error(data, bins=EqualWidth(5), resamples=99)
    >>> round(error.value, 3)
    0.054
    """
    chosen = setting(data, view, bins, distance, outcome, like=like)
    found = evidence(data, chosen, resamples=resamples, rng=rng, workers=workers, progress=progress)
    warn_of_preset(data, chosen, found.value, stacklevel=2)
    return as_error(found)


def as_error(found: Evidence) -> CalibrationError:
    """Put a piece of evidence as a calibration error."""
    cells = found.statistic.cells
    return CalibrationError(
        **found.common,
        p_value=found.p_value("two-sided"),
        bins=bin_rows(found.chosen, found.data, cells.bins) if cells and cells.bins else None,
        convention=found.chosen.like or CONVENTION,
    )
