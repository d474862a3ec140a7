"""The reliability diagram with its consistency band."""

import numpy as np

from plumbline._checks import open_fraction, whole_number
from plumbline.binning import Binning
from plumbline.calibration import binary_lens, setting, statistic
from plumbline.errors import ParameterError
from plumbline.nulls import observed, resampled_shares
from plumbline.predictions import Predictions
from plumbline.resampling import Seed
from plumbline.significance.answers import ReliabilityCurve
from plumbline.significance.evidence import bin_rows


def reliability_curve(
    data: Predictions,
    *,
    view: str | None = None,
    bins: str | Binning | None = None,
    level: float = 0.95,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
) -> ReliabilityCurve:
    """Return the reliability diagram of one binary view, with its consistency band.

    Each bin has its mean probability, its observed share of the outcome, and the central `level`
    range of that share if the probabilities are true (Broecker and Smith 2007, with the
    predictions held fixed). The band is per bin: with 15 bins at 95 % expect one in twenty bins
    outside it even for true probabilities.

    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> curve = reliability_curve(data, bins="equal-width:2", resamples=99)
    >>> [row["outcome_share"] for row in curve.bins]
    [0.5, 1.0]
    """
    open_fraction("level", level)
    whole_number("resamples", resamples, least=1)
    chosen = setting(data, view, bins)
    lens = binary_lens(data, chosen)
    what = statistic(data, chosen)
    if what.cells is None:
        raise ParameterError(
            "a reliability diagram needs bins that hold several points, got 'one-per-point'; use "
            "equal-width:15 or equal-size:10"
        )
    shares = resampled_shares(what, resamples, rng, workers=workers)
    tail = (1 - level) / 2
    low, high = np.quantile(shares, [tail, 1 - tail], axis=1, method="weibull")
    rows = bin_rows(chosen, data, what.cells.bins)
    for row, bottom, top in zip(rows, low, high, strict=True):
        row |= {"band_low": float(bottom), "band_high": float(top)}
    top_label = chosen.view == "top-label"
    return ReliabilityCurve(
        view=chosen.name,
        scheme=str(chosen.bins),
        n=lens.n,
        x_label="confidence" if top_label else f"predicted probability of {chosen.target}",
        y_label="accuracy" if top_label else "observed relative frequency",
        value=observed(what),
        level=level,
        bins=rows,
    )
