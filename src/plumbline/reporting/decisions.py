"""What a model answers, right and wrong: its confusion matrix, its rates, its folds one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plumbline._result import Presentation, Result
from plumbline.confusion import ConfusedPair, ConfusionMatrix, Rates, confusion_matrix
from plumbline.metrics import values_by_fold
from plumbline.predictions import Predictions
from plumbline.random_streams import Seed

SCORES = ("log-loss", "brier-score", "accuracy")
SHARES = ("precision", "recall", "specificity")
MOST_FOLDS = 60  # with more, a table of folds says less than their mean and deviation
MOST_MISTAKES = 8  # rows of the table of confused classes; a convention


@dataclass(frozen=True, repr=False, eq=False)
class DecisionChapter(Result):
    """What a report says of the answers of one model.

    Attributes
    ----------
    matrix : actual against predicted classes
    overall : accuracy and its kin, of the whole table, with bootstrap intervals
    shares : precision, recall and specificity of every class, with Wilson intervals (bootstrap
        where examples repeat)
    means : F1 of every class, and the averages over classes, with bootstrap intervals
    mistakes : the most frequent ones: actual, predicted, count, share of the actual class
    folds : one row a fold: repeat, fold, n and its scores; none without folds, or of too many
    """

    matrix: ConfusionMatrix
    overall: Rates
    shares: Rates
    means: Rates
    mistakes: Sequence[ConfusedPair]
    folds: Sequence[Mapping[str, Any]]

    def present(self) -> Presentation:
        """Return the confusion matrix, and the rates of the whole table and of every class."""
        matrix, *rates = (
            part.present() for part in (self.matrix, self.overall, self.shares, self.means)
        )
        tables = tuple(table for part in (matrix, *rates) for table in part.tables)
        return replace(matrix, tables=tables)


def decisions(data: Predictions, *, resamples: int, rng: Seed) -> DecisionChapter | None:
    """Return what a table of one model answers; None for ratings, which give no answer.

    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.4, 0.3], fold=[0, 0, 1, 1])
    >>> result = decisions(data, resamples=99, rng=0)
    >>> result.matrix.counts.tolist(), result.mistakes[0].actual, result.folds[1]["accuracy"]
    ([[2.0, 0.0], [1.0, 1.0]], '1', 0.5)
    """
    if data.prob is None and data.label is None:
        return None
    matrix = confusion_matrix(data)
    drawn: dict[str, Any] = {"interval": "auto", "resamples": resamples, "rng": rng}
    if not matrix.can_have_intervals:
        drawn = {}
    scores = SCORES if data.prob is not None else ("accuracy",)
    few = data.fold is None or len(data.by_fold()) <= MOST_FOLDS
    averages = () if data.k == 2 else ("macro", "micro", "weighted")
    every = list(data.classes)
    whole = matrix.overall(**drawn)
    return DecisionChapter(
        matrix=matrix,
        overall=whole,
        shares=matrix.rates(SHARES, classes=every, average=(), **drawn),
        means=matrix.rates([*SHARES, "F1"], classes=every, average=averages, **drawn),
        mistakes=matrix.most_confused(MOST_MISTAKES).pairs,
        folds=values_by_fold(data, scores) if few else (),
    )
