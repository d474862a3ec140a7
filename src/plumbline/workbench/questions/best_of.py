"""What to look for on a curve whose y is best where every row, or none, is answered positive."""

from typing import Any

from plumbline.confusion import RATES, rate_named
from plumbline.curves.presets import CurveSettings

OF_A_TRUE_CLASS, OF_A_PREDICTED_CLASS = ("TPR", "FNR", "TNR", "FPR"), ("PPV", "FDR", "NPV", "FOR")
INSTEAD = dict.fromkeys(OF_A_TRUE_CLASS, "informedness") | dict.fromkeys(OF_A_PREDICTED_CLASS, "F1")
INSTEAD_OF_PRESETS = {"lift": "F1", "precision-recall-gain": "F1"}
LOW_PRESETS = ("cost",)


def usual_best(y: str, preset: str | None) -> dict[str, Any]:
    """Return the goal and the measure to begin with, and why the measure is not y itself.

    >>> usual_best("recall", None)["measure"]
    'informedness'
    >>> usual_best("error_rate", None)
    {'goal': 'min', 'measure': None, 'why': None}
    """
    rate = next((name for name in RATES if is_rate(y, name)), "")
    measure = INSTEAD.get(rate) or INSTEAD_OF_PRESETS.get(preset or "")
    if measure is not None:
        why = (
            f"{y} is best at an end, where all rows or next to none are answered "
            f"positive; {measure} weighs both kinds of errors."
        )
        return {"goal": "max", "measure": measure, "why": why}
    low = preset in LOW_PRESETS or (rate in RATES and RATES[rate].best == "low")
    return {"goal": "min" if low else "max", "measure": None, "why": None}


def is_roc(settings: CurveSettings) -> bool:
    """Tell whether a curve has the false positive rate as x and the true positive rate as y."""
    return is_rate(settings.x, "FPR") and is_rate(settings.y, "TPR")


def is_rate(formula: str, name: str) -> bool:
    """Tell whether a formula is a rate, by any of its names or written out."""
    rate = rate_named(name)[1]
    bare = "".join(formula.split())
    return bare in (name, *rate.aliases, "".join(rate.formula.split()))
