"""How often tests of two language models reject equal ones, each right or wrong by itself.

python studies/own_truth.py [--datasets 300] [--questions 200]

Both models answer the same questions, which are hard to both alike; each confidence is calibrated
for its own answers. `groups`: questions in topics of five, which share part of their difficulty.
Prints the share of rejections at level 0.05; about a quarter of an hour on one core.
"""

import argparse
import warnings

import numpy as np

import plumbline as pb
from plumbline.errors import PlumblineWarning

METRICS = ("log-loss", "brier-score", "accuracy", "roc-auc", "ece")
DRAWS = 199
OF_TOPIC = 5  # questions


def answers(rng: np.random.Generator, n: int, *, topics: bool) -> dict[str, pb.Predictions]:
    """Return the right and wrong answers of two equal models, with calibrated confidence."""
    topic = np.arange(n) // OF_TOPIC
    hard = rng.normal(size=n)
    if topics:
        hard = 0.5 * hard + rng.normal(size=topic.max() + 1)[topic]
    result = {}
    for name in "ab":
        prob = 1 / (1 + np.exp(hard - 1.0 - 0.7 * rng.normal(size=n)))
        result[name] = pb.Predictions.from_arrays(
            np.where(rng.random(n) < prob, "right", "wrong"),
            prob,
            positive="right",
            classes=["wrong", "right"],
            row=np.arange(n),
            attributes={"topic": topic},
        )
    return result


def rejected(metric: str, *, datasets: int, questions: int, topics: bool) -> tuple[str, float]:
    """Return the test, and the share of the data sets in which it rejects."""
    rng, rejections, test = np.random.default_rng(1), 0, ""
    more = {} if metric == "accuracy" and not topics else {"resamples": DRAWS}
    for number in range(datasets):
        data = answers(rng, questions, topics=topics)
        groups = "topic" if topics else None
        one = pb.compare(data, metrics=metric, groups=groups, rng=number, **more).pairs[0]
        rejections, test = rejections + (one.p_value <= 0.05), one.test
    return test, rejections / datasets


def main() -> None:
    """Print a line a metric."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", type=int, default=300)
    parser.add_argument("--questions", type=int, default=200)
    asked = parser.parse_args()
    warnings.simplefilter("ignore", PlumblineWarning)
    error = (0.05 * 0.95 / asked.datasets) ** 0.5
    print(f"standard error {error:.3f}")
    for topics in (False, True):
        for metric in METRICS:
            sizes = {"datasets": asked.datasets, "questions": asked.questions, "topics": topics}
            test, share = rejected(metric, **sizes)
            print(
                f"{'groups' if topics else 'rows':7} {metric:12} {test:12} {share:.3f}", flush=True
            )


if __name__ == "__main__":
    main()
