"""The question `about`: what the table holds."""

from typing import Any

import numpy as np

from plumbline.curves.rows import Attributes
from plumbline.workbench.desk.inquiry import Inquiry

MOST_VALUES = 50


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Say what there is to choose from."""
    data = inquiry.table
    counts = np.bincount(data.actual, minlength=data.k)
    fit = Attributes(data.attributes)
    return {
        "name": inquiry.name,
        "n": data.n,
        "k": data.k,
        "classes": [{"name": name, "rows": int(count)}
                    for name, count in zip(data.classes, counts, strict=True)],
        "positive": data.classes[data.positive],
        "models": list(data.models),
        "folds": list(data.folds),
        "has_weight": data.weight is not None,
        "effective_n": data.effective_n,
        "has_prob": data.prob is not None,
        "has_score": data.score is not None,
        "attributes": [_attribute(fit, name) for name in data.attributes],
    }  # fmt: skip


def _attribute(fit: Attributes, name: str) -> dict[str, Any]:
    names = fit.names(name)
    if names:
        return {"name": name, "kind": "category", "values": list(names[:MOST_VALUES]),
                "distinct": len(names)}  # fmt: skip
    values = np.asarray(fit.values(name), float)
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (None, None)
    kind = "truth" if fit.values(name).dtype == bool else "number"
    return {"name": name, "kind": kind, "low": low, "high": high}
