"""What the reader of a curve should know before believing it."""

from collections.abc import Iterator, Sequence

import numpy as np

from plumbline.confusion import RATES
from plumbline.curves.presets import PRESETS
from plumbline.curves.recipe import Recipe, needs_threshold
from plumbline.curves.sweep import Sweep
from plumbline.formula import Formula
from plumbline.results.formatting import counted

POSITIVES_ONLY = {"eTP", "eFN"}
NEGATIVES_ONLY = {"eFP", "eTN"}
ACCURACIES = {"CA", *RATES["CA"].aliases}
AVERAGING = ("smooth", "vertical")


def curve_notes(recipe: Recipe, sweeps: Sequence[Sweep]) -> list[str]:
    """Return what is odd about the curve that a recipe draws over some sweeps, a sentence each."""
    return [
        *_policy(recipe),
        *_missing_keys(recipe, sweeps),
        *_ties(recipe, sweeps),
        *_half(recipe, sweeps),
        *_share_of_all(recipe),
        *_cloud(recipe),
        *_accuracies(recipe, sweeps[0].rows.data.k),
        *_hidden_attributes(recipe),
    ]


def notes_on_text(recipe: Recipe, *, classes: int) -> list[str]:
    """Return what can be said of the formulas of a recipe before any row has been looked at."""
    return [
        *_policy(recipe),
        *_share_of_all(recipe),
        *_cloud(recipe),
        *_accuracies(recipe, classes),
        *_hidden_attributes(recipe),
    ]


def _policy(recipe: Recipe) -> Iterator[str]:
    key = recipe.key
    if key is not None and key.is_name is None and needs_threshold(recipe):
        yield (
            f"the rows are sorted by `{key.text.strip()}`, so counts such as TP are of the rows "
            "that this rule accepts, and the threshold is one of its value, not of the probability"
        )


def _missing_keys(recipe: Recipe, sweeps: Sequence[Sweep]) -> Iterator[str]:
    missing = sum(
        int(np.isnan(s.key.values).sum()) for s in sweeps if s.key.values.dtype.kind == "f"
    )
    if missing and recipe.settings.average != "smooth":
        name = sweeps[0].key.name
        yield f"`{name}` is missing in {counted(missing, 'row')}; they come last in the order"


def _ties(recipe: Recipe, sweeps: Sequence[Sweep]) -> Iterator[str]:
    """Warn where the order of rows of equal sort value, which means nothing, shows in the curve."""
    if recipe.settings.direction == "unsorted" or recipe.settings.average == "smooth":
        return
    merge = recipe.settings.merge
    counting = [f for f in (recipe.x, recipe.y) if f.level == "state" and f.is_name != "threshold"]
    of_rows = [f for f in (recipe.x, recipe.y) if f.level == "row"]
    if merge == "last":
        suspects = [f for f in of_rows if any(_varies_in_ties(f, sweep) for sweep in sweeps)]
        advice = "merge='average' takes the mean instead"
    else:
        tied = counting and any(len(s.group_ends) < s.n for s in sweeps)
        suspects = counting if tied else []
        advice = "merge='last' takes them at once"
    if suspects:
        by = f"`{sweeps[0].key.name}`"
        yield (
            f"`{suspects[0].text.strip()}` depends on the order of the rows that have the same "
            f"{by}, which means nothing; {advice}"
        )


def _varies_in_ties(formula: Formula, sweep: Sweep) -> bool:
    """Tell whether a formula of rows takes several values among rows of equal sort value."""
    if sweep.counts_only or len(sweep.group_ends) == sweep.n:
        return False
    values = np.asarray(formula.compute(sweep), float)[sweep.order]
    inside = np.ones(sweep.n, bool)
    inside[np.concatenate([[0], sweep.group_ends[:-1] + 1])] = False
    later = np.flatnonzero(inside)
    differs = values[later] != values[later - 1]
    return bool((differs & ~(np.isnan(values[later]) & np.isnan(values[later - 1]))).any())


def _half(recipe: Recipe, sweeps: Sequence[Sweep]) -> Iterator[str]:
    """Point at comparisons that put a probability at the threshold itself on the negative side."""
    for formula in (recipe.x, recipe.y):
        for op, value in formula.comparisons_of("probability"):
            if op not in ("<=", ">"):
                continue
            exact = sum(int((s.rows.column("probability") == value).sum()) for s in sweeps)
            yield (
                f"`probability {op} {value:g}` counts a probability of exactly {value:g} as "
                f"negative, while a threshold of {value:g} counts it as positive (>=); "
                f"{counted(exact, 'row')} {'has' if exact == 1 else 'have'} it"
            )


def _share_of_all(recipe: Recipe) -> Iterator[str]:
    """Tell shares of all rows from shares of the positive or the negative ones."""
    if recipe.settings.average not in AVERAGING and recipe.settings.merge != "average":
        return
    if recipe.y.level != "row" or recipe.y.kind == "category":
        return
    kept = recipe.where.names if recipe.where is not None else frozenset()
    for names, keep, which in (
        (POSITIVES_ONLY, "eP", "positive"),
        (NEGATIVES_ONLY, "eN", "negative"),
    ):
        used = names & recipe.y.names
        if used and keep not in kept | recipe.y.names:
            yield (
                f"the mean of `{min(used)}` is a share of all rows, not of the {which} ones; for "
                f"that, keep only those with where='{keep}'"
            )


def _cloud(recipe: Recipe) -> Iterator[str]:
    """Advise smoothing where every row is a point at 0 or at 1."""
    if recipe.y.level == "row" and recipe.y.kind == "truth" and recipe.settings.average == "merge":
        yield (
            f"`{recipe.y.text.strip()}` is 0 or 1 for every row; average='smooth' draws its mean "
            "along x"
        )


def _accuracies(recipe: Recipe, classes: int) -> Iterator[str]:
    names = recipe.x.names_written | recipe.y.names_written
    if classes > 2 and names & ACCURACIES and recipe.settings.multiclass is None:
        yield (
            "with more than two classes CA is (TP + TN) / NN of the target class against the rest, "
            "which is not the share of right answers, mean(eCA)"
        )


def _hidden_attributes(recipe: Recipe) -> Iterator[str]:
    """Say which attributes have the name of a variable or a constant that a typed formula uses."""
    preset = PRESETS.get(recipe.settings.preset or "")
    for formula in recipe.formulas:
        if preset is not None and formula.text in (preset.x, preset.y):
            continue
        for name in sorted(formula.names_written):
            own = name in formula.constants or not recipe.variables[name].attribute
            if own and f"`{name}`" in recipe.variables:
                yield f"{name} is Plumbline's own; write `{name}` in back-ticks for the attribute"
