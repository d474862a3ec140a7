"""Small tables as people have them, none with the names of the prediction table."""

import io
import json
from functools import cache

import numpy as np
import pandas as pd

N = 40
CLASSES = ("bus", "car", "tram")


@cache
def ordinary_tables() -> dict[str, bytes]:
    """Return the content of each file by its name, made from one set of simulated numbers."""
    rng = np.random.default_rng(33)
    p = rng.beta(1.5, 2, N).round(4)
    y = (rng.random(N) < p).astype(int)
    logit = np.log(p / (1 - p))
    p2, p3 = ((1 / (1 + np.exp(-logit * s + 0.1))).round(4) for s in (1.4, 0.7))
    prob = rng.dirichlet((2, 1, 1), N)
    label = np.array(CLASSES)[[rng.choice(3, p=row) for row in prob]]
    ids = 1000 + np.arange(N)
    who = {"loan_id": ids, "amount": rng.integers(10, 90, N) * 100, "job": ["fixed", "free"] * 20}
    named = np.where(y == 1, "bad", "good")
    hollow = p.copy()
    hollow[[3, 7]] = np.nan
    frames = {
        "score": {"default": y, "score": p, **who},
        "strings": {"Status": named, "prob_bad": p, **who},
        "strings_unnamed": {"Status": named, "score": p, **who},
        "wide": {"default": y, "logreg": p, "boosting": p2, "forest": p3, **who},
        "wide_prefix": {"default": y, "p_logreg": p, "p_boosting": p2, **who},
        "two_columns": {"y_test": y, "proba_0": 1 - p, "proba_1": p},
        "integers": {"label": y, "0": 1 - p, "1": p},
        "class_names": {"mode": label, **dict(zip(CLASSES, prob.T, strict=True))},
        "tidymodels": {
            ".pred_class": np.array(CLASSES)[prob.argmax(1)],
            "truth": label,
            **{f".pred_{name}": prob[:, j] for j, name in enumerate(CLASSES)},
        },
        "hard": {"y_true": y, "y_pred": (p > 0.5).astype(int), **who},
        "booleans": {"churned": y == 1, "score": p},
        "missing": {"default": y, "score": hollow, **who},
        "percent": {"default": y, "score": (100 * p).round(2)},
        "margin": {"y_true": y, "margin": logit},
        "swapped": {"y_true": p, "y_prob": y},
        "weights": {"actual": named, "p:bad": p, "weight": 1.0 + y, "score": p2},
    }
    long = pd.concat(
        [
            pd.DataFrame({"default": y, "proba": one, "model_name": name, **who})
            for name, one in (("logreg", p), ("boosting", p2))
        ]
    )
    answers = pd.DataFrame(
        {
            "question_id": np.repeat(np.arange(N // 2), 2),
            "model": ["a", "b"] * (N // 2),
            "confidence": p,
            "correct": y == 1,
        }
    )
    whole = {name: pd.DataFrame(columns) for name, columns in frames.items()}
    whole |= {"long": long, "answers": answers, "copies": pd.concat([whole["score"]] * 2)}
    found = {f"{name}.csv": frame.to_csv(index=False).encode() for name, frame in whole.items()}
    plain = whole["score"][["loan_id", "default", "score"]]
    found["no_header.csv"] = plain.to_csv(index=False, header=False).encode()
    found["german.csv"] = whole["score"].to_csv(index=False, sep=";", decimal=",").encode()
    rows = [
        {"y_true": str(a), "y_prob": b, "more": {"x": 1}} for a, b in zip(label, p, strict=True)
    ]
    lists = [
        {**row, "y_true": int(j), "y_prob": one}
        for row, j, one in zip(rows, y, prob.tolist(), strict=True)
    ]
    found["list.jsonl"] = "".join(json.dumps(row) + "\n" for row in lists).encode()
    found["array.json"] = whole["score"].to_json(orient="records").encode()
    stream = io.BytesIO()
    whole["strings"].to_parquet(stream)
    found["strings.parquet"] = stream.getvalue()
    return found
