"""What comparisons say and count: every test on its design, word by word and number by number."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plumbline import Predictions, compare
from plumbline.comparison import TESTS, Comparison
from plumbline.errors import PlumblineError
from snapshots import same_words

N = 60
RNG = np.random.default_rng(12)
TRUE = RNG.beta(1, 1, N)
EVENT = (RNG.random(N) < TRUE).astype(int)
SURE = 1 / (1 + (1 / TRUE - 1) ** 1.7)
NOISY = np.clip(TRUE + RNG.normal(0, 0.2, N), 0.01, 0.99)
FEW = {"resamples": 99, "rng": 0}


def models(times=1, attributes=None, **columns):
    """Return three models of the same rows, which stand there several times."""
    parts = [TRUE, SURE, NOISY]
    return Predictions.from_arrays(
        np.tile(EVENT, 3 * times),
        np.concatenate([np.tile(part, times) for part in parts]),
        model=np.repeat(["true", "sure", "noisy"], N * times),
        row=np.tile(np.arange(N), 3 * times),
        attributes={name: np.tile(column, 3) for name, column in (attributes or {}).items()},
        **{name: np.tile(column, 3) for name, column in columns.items()},
    )


FOLD = np.arange(N) % 5
DESIGNS = {
    "holdout": models(),
    "folds": models(fold=FOLD),
    "repeats": models(2, fold=np.concatenate([FOLD, FOLD[::-1]]), repeat=np.repeat([0, 1], N)),
    "5x2": models(
        5,
        fold=np.concatenate([RNG.permutation(N) % 2 for _ in range(5)]),
        repeat=np.repeat(np.arange(5), N),
    ),
}
SETS = models(attributes={"town": np.array(["a", "b", "c", "d", "e", "f"])[np.arange(N) // 10]})
OPTIONS = {
    "equivalence": ("holdout", {"metrics": "accuracy", "rope": 0.1}),
    "several metrics": ("holdout", {"metrics": ["brier", "ece", "roc-auc"]}),
    "not adjusted": ("holdout", {"metrics": "log-loss", "adjust": None, "level": 0.8}),
    "payoffs": ("folds", {"payoffs": {"TP": 5, "FP": -1}, "threshold": 0.4}),
    "data sets": ("sets", {"metrics": "accuracy", "over": "town"}),
    "two models, data sets": ("sets", {"models": ["true", "noisy"], "over": "town"}),
    "recalibrated": ("folds", {"models": ["true", "noisy"], "after": "temperature"}),
}


def numbers(value: Any, path: str = "") -> Iterator[str]:
    """Yield every number of a JSON value with its path, to four digits."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from numbers(one, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from numbers(one, f"{path}.{number}")
    elif isinstance(value, (int, float)):
        yield f"{path}: {value:.4g}"


def answered(design: str, **given: Any) -> Comparison:
    """Return a comparison of three models with few resamples."""
    return compare({**DESIGNS, "sets": SETS}[design], **FEW | given)


def counted(design: str, **given: Any) -> list[str]:
    """Return codes of notes and numbers of the pair that differs most, or a refusal's code."""
    try:
        result = answered(design, **given)
    except PlumblineError as error:
        return [error.code]
    pair = result.to_dict()["pairs"][1]
    return [*(note.code for note in result.present().notes), pair["method"], *numbers(pair)]


@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
@pytest.mark.parametrize("design", DESIGNS)
def test_every_test_counts_what_the_snapshot_holds(design):
    """On held-out rows, folds, their repeats and five times two folds; or it is refused."""
    words = {}
    for test in TESTS:
        metric = "roc-auc" if "delong" in test else "accuracy"
        rope = 0.05 if test == "bayesian-t" else None
        words[test] = counted(design, test=test, metrics=metric, rope=rope)
    same_words(Path(__file__).with_name("snapshots") / f"{design}.txt", words)


@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
def test_every_option_says_what_the_snapshot_holds():
    """Equivalence, several metrics, payoffs, data sets, and rows that a map recalibrated."""
    words = {
        title: [repr(answered(design, **given)).replace("\n", "\n\n", 1)]
        for title, (design, given) in OPTIONS.items()
    }
    same_words(Path(__file__).with_name("snapshots") / "options.txt", words)
