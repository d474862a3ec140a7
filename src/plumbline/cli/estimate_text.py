"""What `plumbline estimate` says: the scheme in words, tables, choices, and what to do next."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.cli.output import paragraph
from plumbline.formatting import counted, number, printable, score

if TYPE_CHECKING:
    from plumbline.results import Estimate
    from plumbline.validation.results import BootstrapEstimate, FoldEstimate, ModelEstimate

MOST_FOLDS = 20  # on a screen
LEFT = ("model", "metric", "chosen")
DISHONEST = (
    "NOT AN HONEST ESTIMATE: measured on the rows the model was fitted on. Every number flatters "
    "it, and none says how it does on new rows."
)
FOLDS = (
    "sd: over the test parts, which share training rows, so it is no standard error of the mean; "
    "pooled: all test rows taken together"
)
SHARED = "each the test part once"
SCHEMES = {
    "holdout": "{0} of the rows, drawn with the class shares kept, are the test part",
    "repeated-holdout": "{0} times, {1} of the rows, drawn with the class shares kept, are the "
    "test part",
    "k-fold": f"{{0}} folds of shuffled rows, {SHARED}",
    "stratified": f"{{0}} folds with the class shares kept, {SHARED}",
    "repeated-stratified": f"{{0}} times {{1}} folds with the class shares kept, {SHARED}",
    "grouped": f"{{0}} folds that keep groups whole, {SHARED}",
    "stratified-grouped": f"{{0}} folds that keep groups whole and class shares close, {SHARED}",
    "time-series": "{0} test parts one after the other in the order of time, each predicted by a "
    "model fitted on all earlier rows; the earliest rows are never tested",
    "leave-one-out": "each row is the test part once",
    "bootstrap": "{0} samples drawn with replacement; the rows that a sample leaves out are its "
    "test part",
    "train-validation-test": "hyper-parameters fitted on {0} of the rows and chosen on {1}, then "
    "fitted on both and measured on {2}",
    "nested": f"{{0}} outer folds, {SHARED}; inside each training part {{1}} inner folds choose "
    "the hyper-parameters, which are then fitted on the whole of it",
    "nested-grouped": f"{{0}} outer folds that keep groups whole, {SHARED}; inside each training "
    "part {1} inner folds, which keep them whole too, choose the hyper-parameters",
    "resubstitution": "fitted on all rows and measured on the same",
}


def scheme_words(scheme: str) -> str:
    """Say what a scheme does.

    >>> scheme_words("k-fold:3")
    '3 folds of shuffled rows, each the test part once'
    """
    name, _, numbers = scheme.partition(":")
    return SCHEMES[name].format(*map(_count_or_share, numbers.replace("x", ",").split(",")))


def _count_or_share(text: str) -> str:
    return f"{100 * float(text):g} %" if "." in text else text


def estimate_text(estimate: "Estimate") -> str:
    """Return the tables of all models, their choices, and what to know about them."""
    blocks = [] if estimate.honest else [paragraph(DISHONEST, "")]
    blocks.append(_summaries(estimate.models))
    blocks += [paragraph(note, "") for note in _notes(estimate.models)]
    if any(len(one.folds) > 1 for one in estimate.models):
        blocks.append(paragraph(f"{FOLDS}.", ""))
    blocks += [
        _bootstraps(one.bootstrap, _of(one, estimate)) for one in estimate.models if one.bootstrap
    ]
    if len(estimate.models[0].folds) > 1:
        blocks += _folds(estimate)
    blocks += [
        paragraph(_choices(one, _of(one, estimate)), "") for one in estimate.models if one.choices
    ]
    return "\n\n".join(blocks)


def next_step(estimate: "Estimate", file: Path, out: Path | None) -> str:
    """Say where the predictions are and which command goes on from there."""
    if out is None:
        return paragraph(
            f"Next: the same with --out {file.stem}_predictions.parquet keeps the predictions, "
            "which plumbline report, confusion and compare read.",
            "",
        )
    from plumbline.predictions import count_examples, examples_in

    data = estimate.predictions
    copies = examples_in(data) < data.n  # which a report would take for independent rows
    command = "confusion" if copies or data.prob is None else "report"
    if len(estimate.models) > 1:
        command = "compare"
    name = printable(out)
    held = count_examples(data)
    return f"Predictions: {name} ({counted(held.n, held.unit)})\nNext: plumbline {command} {name}"


# ---------------------------------------------------------------- tables


def _summaries(models: Sequence["ModelEstimate"]) -> str:
    columns: dict[str, list[str]] = {"model": []} if len(models) > 1 else {}
    columns |= {name: [] for name in ("metric", "mean", "sd", "least", "most", "pooled")}
    several = len(models[0].folds) > 1
    for one in models:
        for row in one.summary:
            cells = {
                "model": one.model,
                "metric": row.metric,
                "mean": score(row.mean),
                "sd": score(row.deviation),
                "least": score(row.least),
                "most": score(row.most),
                "pooled": score(row.pooled),
            }
            for name, column in columns.items():
                column.append(cells[name])
    if not several:
        columns = {n: c for n, c in columns.items() if n in ("model", "metric", "pooled")}
        columns["value"] = columns.pop("pooled")
    return _table(columns)


def _bootstraps(rows: Sequence["BootstrapEstimate"], of: str) -> str:
    """Return the .632+ estimates with their parts."""
    columns = {
        "metric": [row.metric for row in rows],
        ".632+": [score(row.value) for row in rows],
        "on training rows": [score(row.resubstitution) for row in rows],
        "out of bag": [score(row.out_of_bag) for row in rows],
        "no information": [score(row.no_information) for row in rows],
        "overfitting": [number(row.overfitting) for row in rows],
        "weight": [number(row.weight) for row in rows],
    }
    head = paragraph(
        f".632+{of}: (1 - weight) x the value on the training rows + weight x the value out of bag "
        "(Efron and Tibshirani, 1997):",
        "",
    )
    return f"{head}\n{_table(columns)}"


def _folds(estimate: "Estimate") -> list[str]:
    """Return a table of the folds of each model, or where to see them."""
    count = len(estimate.models[0].folds)
    if count > MOST_FOLDS:
        return [paragraph(f"The {count:,} test parts one by one: --json.", "")]
    return [f"Test parts{_of(one, estimate)}:\n{_fold_table(one.folds)}" for one in estimate.models]


def _fold_table(folds: Sequence["FoldEstimate"]) -> str:
    columns = {}
    if len({fold.repeat for fold in folds}) > 1:
        columns["repeat"] = [str(fold.repeat) for fold in folds]
    if len({fold.fold for fold in folds}) > 1:
        columns["fold"] = [str(fold.fold) for fold in folds]
    columns["training rows"] = [f"{fold.n_train:,}" for fold in folds]
    columns["test rows"] = [f"{fold.n_test:,}" for fold in folds]
    for metric in folds[0].values:
        columns[metric] = [score(fold.values[metric]) for fold in folds]
    if folds[0].params is not None:
        columns["chosen"] = [params_text(fold.params or {}) for fold in folds]
    return _table(columns)


def _table(columns: Mapping[str, Sequence[str]]) -> str:
    from plumbline._result import text_table

    cells = {
        printable(name): [printable(text) for text in texts] for name, texts in columns.items()
    }
    return text_table(cells, left=LEFT)


# ---------------------------------------------------------------- sentences


def params_text(params: Mapping[str, Any]) -> str:
    """Return hyper-parameters as they are typed.

    >>> params_text({"C": 0.1, "penalty": "l2"})
    'C = 0.1, penalty = l2'
    """
    return ", ".join(f"{name} = {value}" for name, value in params.items())


def _choices(one: "ModelEstimate", of: str) -> str:
    """Say which hyper-parameters were chosen how often."""
    folds = len(one.folds)
    if folds == 1:
        return f"Chosen{of}: {params_text(one.choices[0]['params'])}."
    if one.agree:
        return f"All {folds:,} training parts chose{of}: {params_text(one.choices[0]['params'])}."
    texts = "; ".join(
        f"{params_text(choice['params'])} ({choice['folds']:,})" for choice in one.choices
    )
    return (
        f"The {folds:,} training parts did not agree{of}: {texts}. So the choice hangs on the rows "
        "at hand; the numbers above are those of choosing and fitting together, not of one of "
        "these settings."
    )


def _notes(models: Sequence["ModelEstimate"]) -> list[str]:
    """Say why numbers are missing; that a single test part has no deviation is plain."""
    notes = []
    for one in models:
        of = f" of {one.model}" if len(models) > 1 else ""
        notes += [
            f"{row.metric}{of}: {row.reason}."
            for row in one.summary
            if row.reason and (len(one.folds) > 1 or not math.isfinite(row.pooled))
        ]
    return notes


def _of(one: "ModelEstimate", estimate: "Estimate") -> str:
    return f" for {one.model}" if len(estimate.models) > 1 else ""
