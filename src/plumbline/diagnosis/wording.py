"""A diagnosis in plain words: what is wrong, by how much, what to do."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.verdicts import spoken_p
from plumbline.words import amount, counted, number


@dataclass(frozen=True, slots=True)
class Case:
    """What a sentence needs.

    Attributes
    ----------
    what : the event, such as "the probability of rain"
    found : the evidence of the named shape, None where there is none
    """

    what: str
    found: dict[str, Any] | None

    @property
    def row(self) -> dict[str, Any]:
        """Return the evidence of the named shape."""
        if self.found is None:
            raise TypeError("only a named shape has an amount")
        return self.found

    @property
    def amount(self) -> str:
        """Return the estimate and its interval, without a sign."""
        row = self.row
        ends = sorted((row["low"], row["high"]))
        size = row["estimate"]
        if row["kind"] in ("probability", "log-odds") and size < 0:
            size, ends = -size, [-ends[1], -ends[0]]
        unit = " in log-odds" if row["kind"] == "log-odds" else ""
        unit += " or more" if size == ends[1] else " or less" if size == ends[0] else ""
        low, high = map(amount, ends)
        return f"{amount(size)}{unit} (95 % interval {low} to {high})"


def _shift(case: Case, direction: str, mend: str) -> str:
    log_odds = case.row["kind"] == "log-odds"
    how = f"{mend} {number(abs(case.row['estimate']))}{' of its log-odds' if log_odds else ''}"
    return (
        f"{case.what} is too {direction} throughout, by about {case.amount}: {how} would mend it, "
        "or fit an intercept on held-out rows"
    )


def _over(case: Case) -> str:
    return f"Systematic over-estimation: {_shift(case, 'high', 'taking away')}"


def _under(case: Case) -> str:
    return f"Systematic under-estimation: {_shift(case, 'low', 'adding')}"


def _mend(case: Case) -> str:
    return (
        f"temperature {case.amount} would mend it: divide the logits, or the logarithms of the "
        "probabilities, by it, and let each row sum to 1"
    )


def _sharp(case: Case) -> str:
    return (
        "Overconfident: the probabilities are too extreme, the further from the middle the more; "
        f"{_mend(case)}"
    )


def _blunt(case: Case) -> str:
    return (
        "Underconfident: the probabilities lie too near the middle, and what they call likely "
        f"comes more often than they say; {_mend(case)}"
    )


def _few(case: Case) -> str:
    row = case.row
    share, low, high = (f"{100 * row[name]:.2g}" for name in ("estimate", "low", "high"))
    return (
        f"Few bad points: in about {share} % of the rows (95 % interval {low} to {high} %) what "
        "happened has nothing to do with the probabilities, which are right elsewhere. Look at the "
        "rows where something happened that had been given almost no chance: are their labels "
        "wrong, their features broken, are they cases unlike all others? Until then, mixing that "
        "share of equal probabilities in would mend it"
    )


def _class(case: Case) -> str:
    high = case.row["estimate"] > 0
    often, direction = ("often", "high") if high else ("rarely", "low")
    mend = "taking that away" if high else "adding that"
    return (
        f"One bad class: {case.row['class']} is predicted too {often}; its probability is too "
        f"{direction} by about {case.amount}: {mend} and changing the others in proportion would "
        "mend it. Was it as frequent where the classifier was fitted?"
    )


SENTENCES: dict[str, Callable[[Case], str]] = {
    "over-estimation": _over,
    "under-estimation": _under,
    "overconfident": _sharp,
    "underconfident": _blunt,
    "few-bad-points": _few,
    "one-bad-class": _class,
}
OTHER = (
    "Miscalibrated, but in none of the shapes known here: not shifted, stretched or contaminated "
    "as a whole. See where the reliability diagram leaves its band; a free curve, such as isotonic "
    "regression on held-out rows, mends what a single number cannot"
)


NEARLY = 0.05  # a second shape is named that explains so much less of the excess at most


def rival_of(shape: str, evidence: Sequence[Mapping[str, Any]], impossible: int) -> str | None:
    """Say which other shape explains nearly as much as the named one, if one does."""
    if shape in ("none", "other"):
        return None
    shares = {row["shape"]: row["explained"] for row in evidence if row["explained"] is not None}
    named = shares.get(shape, 1.0)
    others = [row for row in evidence if row["shape"] != shape and row["shape"] in shares]
    best = max(others, key=lambda row: row["explained"], default=None)
    if best is None or best["explained"] < named - NEARLY:
        return None
    told = (
        f"A second reading: {best['shape']} ({best['kind']} {amount(best['estimate'])}) explains "
        f"{100 * best['explained']:.0f} % of it too"
    )
    if shape == "few-bad-points" and impossible:
        return (
            f"{told}, and what speaks against it may be the {counted(impossible, 'row')} where "
            "something of probability 0 happened: diagnose again without exact zeros"
        )
    return told


def statement_of(
    shape: str, case: Case, n: int, *, p_value: float, resamples: int, impossible: int,
    rival: str | None,
) -> str:  # fmt: skip
    """Return the diagnosis in words."""
    never = ""
    if impossible:
        never = f" In {counted(impossible, 'row')} what happened had been given probability 0."
    if shape == "none":
        return (
            "Nothing to diagnose: true probabilities could well give outcomes like these on "
            f"{counted(n, 'row')}; p = {number(p_value)}. That is no proof of calibration: a "
            f"miscalibration too small for so many rows would not show.{never}"
        )
    told = OTHER if shape == "other" else SENTENCES[shape](case)
    second = f" {rival}." if rival else ""
    return f"{told}; {spoken_p(p_value, resamples, 'greater')}.{second}{never}"
