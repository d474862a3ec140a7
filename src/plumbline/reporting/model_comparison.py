"""Which of the models is better: the comparison that a report of several models makes."""

import warnings
from dataclasses import dataclass

from plumbline._result import Note, Presentation, Result
from plumbline.comparison import Comparison, compare
from plumbline.errors import InputError, ParameterError, PlumblineWarning
from plumbline.formatting import sentence
from plumbline.metrics import best_models
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed
from plumbline.reporting.limits import why_left_out

MOST_MODELS = 6  # of more, the best are compared: every pair more makes all p-values larger
SCORES = ("brier-score",)


@dataclass(frozen=True, repr=False, eq=False)
class Rivals(Result):
    """The models of a report compared with each other.

    Attributes
    ----------
    comparison : every pair by proper scores, of labels alone by accuracy; None where it cannot be
    left_out : models that were not compared, because there are too many
    reason : why they cannot be compared
    """

    comparison: Comparison | None
    left_out: tuple[str, ...] = ()
    reason: str | None = None

    def present(self) -> Presentation:
        """Return the comparison, or why there is none."""
        if self.comparison is not None:
            return self.comparison.present()
        return Presentation(notes=(Note(sentence(self.reason or ""), "not-comparable"),))


def rivals(
    data: Predictions,
    *,
    resamples: int,
    rng: Seed,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Rivals | None:
    """Compare the models of a table; None where it holds one.

    >>> data = Predictions.from_arrays(
    ...     [0, 1, 0, 1], [0.2, 0.9, 0.4, 0.6], model=["a", "a", "b", "b"]
    ... )
    >>> rivals(data, resamples=99, rng=0).comparison.models
    ('a', 'b')
    """
    if len(data.models) < 2:
        return None
    metrics = SCORES if data.prob is not None else ("accuracy",)
    if data.prob is None and data.label is None:
        metrics = ("roc-auc",)
    models = best_models(data, metrics[0], most=MOST_MODELS)
    left_out = tuple(name for name in data.models if name not in models)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PlumblineWarning)  # the remarks stand on the page
        try:
            comparison = compare(
                data,
                models=models,
                metrics=metrics,
                resamples=resamples,
                rng=rng,
                workers=workers,
                progress=progress,
            )
        except (InputError, ParameterError) as error:
            return Rivals(None, left_out, why_left_out(error, data))
    return Rivals(comparison, left_out)
