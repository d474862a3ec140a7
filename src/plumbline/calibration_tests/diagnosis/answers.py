"""What a diagnosis answers with."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from plumbline._result import Result
from plumbline.calibration_tests import ReliabilityCurve


@dataclass(frozen=True, repr=False, eq=False)
class Diagnosis(Result):
    """What is wrong with probabilities, by how much, and what would mend it.

    Attributes
    ----------
    view : what was looked at, "all-classes" or a binary view; n : rows
    effective_n : (sum w)^2 / sum w^2
    speaks : whether there is anything to name: `p_value` is at most `level`
    shape : "over-estimation", "under-estimation", "overconfident", "underconfident",
        "few-bad-points", "one-bad-class", "other", or "none" where it does not speak
    statement : the diagnosis in plain words
    rival : another shape that explains nearly as much, in words; None where there is none
    p_value : of the test that decides whether to speak
    evidence : one row a shape (shape, kind, class, estimate, low, high, unit, gain, explained,
        p_value): the estimate with its 95 % interval, by how much it raises the log likelihood (a
        probability of 0 counts as e^-690), the share of the bins' excess it explains (None where
        the bins are no further off than chance has them), and the p-value of its own test
    impossible_rows : rows whose true class had been given probability 0
    curve : the reliability diagram of the event that the shape is about
    fitted : one row a group of the event's scores (score, share): what would be observed if the
        named shape were the whole truth; empty for "none" and "other"
    """

    view: str
    n: int
    effective_n: float
    level: float
    speaks: bool
    shape: str
    statement: str
    rival: str | None
    p_value: float
    resamples: int
    evidence: Sequence[dict[str, Any]]
    impossible_rows: int
    curve: ReliabilityCurve = field(metadata={"hidden": True})
    fitted: Sequence[dict[str, float]] = field(metadata={"hidden": True})

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the evidence, one row a shape."""
        return self.evidence
