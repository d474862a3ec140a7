"""The question `reading`: what every line of a curve says at one threshold."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from plumbline.confusion import COUNTS, RateValue
from plumbline.curves import Curve, Line
from plumbline.curves.lines import several_targets
from plumbline.errors import InputError
from plumbline.formatting import amount, capital, number, typeset
from plumbline.workbench.questions.best_of import is_roc
from plumbline.workbench.questions.counting import (
    Counted,
    counted_lines,
    ends_early,
    point_at,
    threshold_json,
)
from plumbline.workbench.questions.curve import curve_of
from plumbline.workbench.questions.inquiry import Inquiry

RATES = ("TPR", "FNR", "PPV", "TNR", "NPV", "CA", "F1")
HALF = 0.5
OF_CLASSES = "a mean of the classes' curves has no threshold; take every class in turn"
MICRO = "every row counts {} times, as a pair with every class"
NO_SAMPLE = "the pairs of one row with every class are no sample, so without an interval"
AVERAGED = "an average of folds has no counts of its own: these are of all folds together"


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Read counts, rates and the curve itself at a threshold."""
    curve = curve_of(inquiry)
    lines = counted_lines(inquiry, curve)
    if lines is None:
        return {
            "threshold": None,
            "sort_by": None,
            "probability": False,
            "low": None,
            "high": None,
            "reason": OF_CLASSES,
            "roc": False,
            "notes": [],
            "lines": [],
        }
    first = lines[0]
    low, high = _range(lines)
    given = inquiry.params.number("threshold")
    threshold = _usual(first) if given is None else given
    several = several_targets(curve.lines)
    times = inquiry.chosen().k if curve.settings.multiclass == "micro" else 1
    return {
        "threshold": threshold_json(threshold),
        "sort_by": first.key.name,
        "probability": first.key.name == "probability",
        "low": low,
        "high": high,
        "x_title": curve.x_title,
        "y_title": curve.y_title,
        "reason": why_no_counts(first, curve),
        "roc": is_roc(curve.settings),
        "notes": _notes(curve, times),
        "lines": [
            _line(line, counted, threshold, curve, several=several, times=times)
            for line, counted in zip(curve.lines, lines, strict=True)
        ],
    }


def _notes(curve: Curve, times: int) -> list[str]:
    """Say what the counts are of, where that is not the rows of the table; `times` each counts."""
    averaged = [AVERAGED] if curve.settings.average in ("vertical", "threshold") else []
    return averaged + ([MICRO.format(times)] if times > 1 else [])


def _usual(counted: Counted) -> float:
    """Return the threshold where none was asked for: 0.5, else the middle sort value."""
    if counted.key.name == "probability":
        return HALF
    values = counted.thresholds[1:]
    return float(values[(len(values) - 1) // 2]) if len(values) else math.inf


def _range(lines: Sequence[Counted]) -> tuple[float | None, float | None]:
    """Return the lowest and the highest threshold that make a difference, 0 and 1 included."""
    if lines[0].key.name == "probability":
        return 0.0, 1.0
    ends = [float(t) for one in lines for t in one.thresholds[[1, -1]] if math.isfinite(t)]
    return (min(ends), max(ends)) if ends else (None, None)


def why_no_counts(counted: Counted, curve: Curve) -> str | None:
    """Say why nothing is accepted at a threshold of this order, None where it is."""
    if counted.rates:
        return None
    if curve.settings.direction == "unsorted":
        return "the rows are not sorted, so no threshold accepts some of them; sort by probability"
    return (
        f"the rows are sorted by `{counted.key.name}`, which rates nothing, so no threshold "
        "accepts some of them; sort by probability"
    )


def _line(
    line: Line, counted: Counted, threshold: float, curve: Curve, *, several: bool, times: int
) -> dict[str, Any]:
    x, y = point_at(line, curve, counted, threshold)
    entry: dict[str, Any] = {
        "model": line.model,
        "fold": line.fold,
        "target": line.target,
        "threshold": threshold_json(threshold),
        "n": counted.n,
        "x": x,
        "y": y,
        "ends": ends_early(line, curve, counted),
    }
    if not counted.rates:
        return entry | dict.fromkeys([*COUNTS, "accepted_share", "sentence"]) | {"rates": []}
    counts = _nine(counted.counts(threshold))
    share = counts["PP"] / counts["NN"]
    return {
        **entry,
        **counts,
        "accepted_share": share,
        "classes": {"positive": counted.target, "negative": counted.rest},
        "rates": _rates(counted, threshold, times=times),
        "sentence": _sentence(line, counted, threshold, counts, several=several, times=times),
    }


def _nine(cells: Mapping[str, float]) -> dict[str, float]:
    tp, fp, tn, fn = cells.values()
    return {
        **cells,
        "PP": tp + fp,
        "NP": tn + fn,
        "P": tp + fn,
        "N": fp + tn,
        "NN": (tp + fn) + (fp + tn),
    }


def _rates(counted: Counted, threshold: float, *, times: int) -> list[dict[str, Any]]:
    """Return the main rates, each with its usual interval where it is known what rows are of."""
    matrix = counted.matrix(threshold)
    missing = NO_SAMPLE if times > 1 else None
    try:
        rates = matrix.rates(RATES, interval=None if missing else "auto")
    except InputError as error:
        rates, missing = matrix.rates(RATES), str(error)
    return [_rate(rates.entry(name), missing) for name in RATES]


def _rate(rate: RateValue, missing: str | None) -> dict[str, Any]:
    reason = rate.reason
    if not math.isnan(rate.value) and math.isnan(rate.low):
        reason = missing or rate.reason
    return {
        "name": rate.name,
        "title": rate.title,
        "value": rate.value,
        "low": rate.low,
        "high": rate.high,
        "method": rate.method,
        "n": rate.n,
        "reason": reason,
    }


# ------------------------------------------------------------------ in words


def _sentence(
    line: Line,
    counted: Counted,
    threshold: float,
    counts: Mapping[str, float],
    *,
    several: bool,
    times: int,
) -> str:
    """Say how many rows are accepted, how many positives found, how many accepted wrongly."""
    target = "positive" if line.target is None else f"'{counted.target}'"
    who = line.model or "the model"
    if line.fold is not None:
        who += f" (fold {line.fold})"
    if several and line.target is not None:
        who += f", asked for {target},"
    rows = "rows" if times == 1 else "pairs of a row and a class"
    if counted.squares is not None:
        rows = "rows' weight" if times == 1 else f"{rows}, by weight"
    at = f"{_at(counted, threshold)} {who} accepts"
    pp, nn, tp, p, fp = (counts[name] for name in ("PP", "NN", "TP", "P", "FP"))
    if pp == 0:
        none = "" if p == 0 else f", so none of the {amount(p)} {target} is found"
        return f"{at} none of {amount(nn)} {rows}{none}."
    text = f"{at} {amount(pp)} of {amount(nn)} {rows} ({_percent(pp / nn)}): "
    if p == 0:
        return f"{text}no row is {target}, so all of the accepted are wrong."
    return (
        f"{text}{amount(tp)} of the {amount(p)} {target} {'is' if tp == 1 else 'are'} found "
        f"({_percent(tp / p)}), and {amount(fp)} of the accepted "
        f"{'is' if fp == 1 else 'are'} not {target} ({_percent(fp / pp)})."
    )


def _at(counted: Counted, threshold: float) -> str:
    if counted.key.name in ("probability", "score", "answer"):
        return f"At threshold {shown_threshold(threshold)}"
    return capital(f"where `{counted.key.name}` is at least {shown_threshold(threshold)},")


def shown_threshold(threshold: float) -> str:
    """Return a threshold as it is read: four digits, all those before the point.

    >>> shown_threshold(0.32371), shown_threshold(12345.6), shown_threshold(math.inf)
    ('0.3237', '12,346', '∞')
    """
    text = f"{threshold:.4g}" if abs(threshold) < 999.5 else amount(threshold)
    return typeset(text)


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"
