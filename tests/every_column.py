"""A table with every kind of column, for tests of what is kept of a table."""

import numpy as np

from plumbline import Predictions


def table(n=90, *, dtype=np.float64, seed=5, **others) -> Predictions:
    """Return two models' predictions of the same rows, with every kind of column there is."""
    rng = np.random.default_rng(seed)
    prob = rng.random(n).round(2).astype(dtype)
    actual = np.where(rng.random(n) < prob, "ill", "well")
    columns = {
        "age": rng.integers(20, 80, n),
        "dose": rng.normal(size=n).astype(dtype),
        "pain kind": np.array(["typical", "odd  one", ""], object)[np.arange(n) % 3],
        "smokes": np.arange(n) % 2 == 0,
        "seen": np.datetime64("2020-02-27") + np.arange(n),
        "pressure": np.where(np.arange(n) % 7 == 0, np.nan, 120.5),
    }
    return Predictions.from_arrays(
        actual,
        np.stack([1 - prob, prob], axis=1),
        classes=["well", "ill"],
        model=np.repeat(["a", "b"], n // 2),
        fold=np.arange(n) % 3,
        row=np.arange(n) % (n // 2),
        weight=rng.integers(1, 4, n),
        attributes=columns,
        **others,
    )
