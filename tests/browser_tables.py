"""The tables that the browser tests look at."""

from pathlib import Path

import numpy as np
from loans import loans

from plumbline.predictions import Predictions

LENDERS = ("careful", "boastful", "hasty")


def write_tables(folder: Path) -> None:
    """Write every table of the browser tests as CSV."""
    loans(1500, models=LENDERS).write(folder / "loans.csv")
    for name, data in odd_tables().items():
        data.write(folder / f"{name}.csv")
    for name, text in texts().items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")


def texts() -> dict[str, str]:
    """Return files as others write them: names that are guessed, that cannot be, and no row."""
    rng = np.random.default_rng(1)
    chance = rng.random(120).round(4)
    happened = (rng.random(120) < chance).astype(int)
    rows = list(zip(happened, chance, strict=True))
    return {
        "foreign": "label,prob_1,cv_fold\n"
        + "".join(f"{y},{p},{i % 3}\n" for i, (y, p) in enumerate(rows)),
        "riddle": "a,b,q\n" + "".join(f"{y},{i % 2},{p}\n" for i, (y, p) in enumerate(rows)),
        "no_rows": "actual,p:no,p:yes\n",
        "two_readings": "Status,score,amount\n"
        + "".join(f"{'bad' if y else 'good'},{p},{100 + i}\n" for i, (y, p) in enumerate(rows)),
        "beside": "default,logreg,boosting,loan_id\n"
        + "".join(f"{y},{p},{p**2:.6f},{i}\n" for i, (y, p) in enumerate(rows)),
    }


def odd_tables() -> dict[str, Predictions]:
    """Return tables of the states a page must be designed for."""
    rng = np.random.default_rng(0)
    prob = rng.random(200)
    binary = (rng.random(200) < prob).astype(int)
    many = rng.dirichlet(np.full(100, 0.2), 400)
    drawn = np.array([rng.choice(100, p=row) for row in many])
    return {
        "one_class": Predictions.from_arrays(["1"] * 200, prob, classes=["0", "1"]),
        "one_fold": Predictions.from_arrays(binary, prob, fold=["0"] * 200),
        "hundred_classes": Predictions.from_arrays(
            [f"class {j}" for j in drawn], many, classes=[f"class {j}" for j in range(100)]
        ),
        "scores_only": Predictions.from_arrays(binary, score=4 * prob - 2),
        "patients": Predictions.from_arrays(
            binary, prob, attributes={"patient": np.repeat([f"P{i}" for i in range(40)], 5)}
        ),
        "weighted": Predictions.from_arrays(binary, prob, weight=rng.integers(1, 5, 200)),
        "hostile": Predictions.from_arrays(
            np.where(binary == 1, "<img src=x onerror=alert(1)>", "</script><b>no</b>"),
            prob,
            classes=["</script><b>no</b>", "<img src=x onerror=alert(1)>"],
            attributes={'<i onclick="alert(2)">age': rng.integers(20, 70, 200)},
        ),
    }
