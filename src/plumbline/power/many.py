"""The p-values of one calibration test on many data sets: what its power is a share of."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Result
from plumbline.checkpoints import run_blocks
from plumbline.errors import ParameterError
from plumbline.power.asked import GridTest, Sizes, asked_of, standard_error
from plumbline.power.study import DRAWS, Study
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, stream
from plumbline.synthetic.experiments import checked_experiments


@dataclass(frozen=True, repr=False, eq=False)
class PValues(Result):
    """The p-values of one calibration test on many data sets of one experiment.

    Attributes
    ----------
    experiment, view, placement, bins, distance, like : the test and what it is asked about
    points, datasets, resamples : rows of a data set, data sets, draws of labels for each test
    level : a test rejects where its p-value is at most this
    power, power_lower : share of the data sets on which the upper tail rejects, and the lower one
    std_error : of `power`
    values : (datasets,) p-values of the upper tail
    rejected : (datasets, 2) whether the upper and the lower tail reject
    """

    experiment: int
    view: str
    placement: str
    bins: int
    distance: str
    like: str | None
    points: int
    datasets: int
    resamples: int
    level: float
    power: float
    power_lower: float
    std_error: float
    values: NDArray[np.float64] = field(repr=False, metadata={"hidden": True})
    rejected: NDArray[np.bool_] = field(repr=False, metadata={"hidden": True})


def p_values(
    experiment: int,
    *,
    view: str = "cw",
    bins: str = "equal-width:10",
    distance: str = "absolute",
    points: int = 100,
    datasets: int = 1000,
    resamples: int = 100,
    level: float = 0.05,
    rng: Seed = 0,
    like: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> PValues:
    """Test many data sets of a synthetic experiment and keep every p-value.

    The test is one setting of `power`, on the same data sets and draws, so its share of rejections
    is the power that `power` gives. p = (1 + #{T* >= T}) / (m + 1), or #{T* >= T} / m with
    `like="thesis"`.

    Raises ParameterError for an unknown name, for more than one setting, and for the experiments 7
    and 8, which have few data sets. Source: Increasing the Power of a Classifier's Calibration Test
    (Tartu, 2020).

    >>> found = p_values(1, datasets=50)
    >>> found.values.shape, bool(found.power == (found.values <= 0.05).mean())
    ((50,), True)
    """
    chosen = checked_experiments([experiment])
    if not chosen[0].synthetic:
        raise ParameterError(
            f"`experiment` {experiment} is a {chosen[0].description}, whose data sets are few; "
            "use one of the synthetic ones, 1 to 6 and 9"
        )
    sizes = Sizes(points, datasets, resamples, level)
    asked = asked_of(None, sizes, views=[view], bins=bins, distances=[distance], like=like)
    if not isinstance(asked, GridTest) or asked.grid.shape != (1, 1, 1):
        raise ParameterError(
            f"`bins` must be one placement such as 'equal-width:10', got {bins!r}; for several at "
            "once use plumbline.power"
        )
    study = Study(chosen, asked, sizes, entropy_of(rng), {})
    counts = _counts(study, asked, workers, progress)
    rejected = asked.grid.rejects(counts)
    own = 0 if like == "thesis" else 1
    upper, lower = map(float, rejected.mean(axis=0))
    (place,) = asked.grid.placements.rows
    return PValues(
        experiment=experiment,
        view=view,
        placement=place.name,
        bins=place.bins,
        distance=distance,
        like=like,
        points=sizes.points,
        datasets=sizes.datasets,
        resamples=sizes.resamples,
        level=sizes.level,
        power=upper,
        power_lower=lower,
        std_error=standard_error(upper, sizes.datasets),
        values=(own + counts[:, 0]) / (own + sizes.resamples),
        rejected=rejected,
    )


def _counts(
    study: Study, asked: GridTest, workers: int | None, progress: Progress | None
) -> NDArray[np.int64]:
    """Count, for (datasets, 2), the draws at least and at most as large as the observed error."""

    def counted(key: tuple[int, ...]) -> NDArray[np.int64]:
        draws = stream(study.entropy, key[0], DRAWS, key[1])
        return np.array([tails[0, 0, 0] for tails in asked.grid.tails(study.data(*key), draws)])

    found = run_blocks(counted, study.keys, question={}, workers=workers, progress=progress)
    return np.concatenate(list(found.values()))
