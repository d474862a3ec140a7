"""Models whose truth is their own: whether each answered the same questions right."""

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline.cli import main
from plumbline.errors import InputError
from refusals import refused


@pytest.fixture(scope="module")
def answers():
    """Return the answers of two models to the same questions, in another order each."""
    rng, n = np.random.default_rng(4), 150
    hard, result = rng.normal(size=n), {}
    for name in "ab":
        p = 1 / (1 + np.exp(hard - 1 - 0.7 * rng.normal(size=n)))
        right = np.where(rng.random(n) < p, "right", "wrong")
        rows = rng.permutation(n)
        result[name] = pb.Predictions.from_arrays(
            right[rows], p[rows], positive="right", row=rows, attributes={"topic": rows % 10}
        )
    return result


def losses(data):
    """Return the Brier loss of each question, in the order of its number."""
    right = data.actual == data.positive
    return np.square(right - data.prob[:, data.positive])[np.argsort(data.row)]


def test_means_are_paired_by_question_each_with_its_own_truth(answers):
    """The difference is the mean of differences, and flips of its terms give the p-value."""
    one = pb.compare(answers, metrics="brier-score", resamples=1999).pairs[0]
    apart = losses(answers["a"]) - losses(answers["b"])
    assert one.difference == pytest.approx(apart.mean())
    signs = np.random.default_rng(0).choice([-1, 1], (4000, len(apart)))
    drawn = np.abs((signs * apart).mean(axis=1)) >= abs(apart.mean())
    assert one.p_value == pytest.approx(drawn.mean(), abs=0.05)


@pytest.mark.parametrize(
    ("metric", "test"),
    [
        ("accuracy", "mcnemar"),
        ("log-loss", "permutation"),
        ("ece", "permutation"),
        ("roc-auc", "bootstrap"),
        ("f1", "bootstrap"),
    ],
)
@pytest.mark.filterwarnings("ignore:calibration errors do not rank models")
def test_every_number_is_that_of_the_model_alone(metric, test, answers):
    """Its test exchanges or draws answers with their truth; models may stand in any order."""
    more = {} if metric == "accuracy" else {"resamples": 99}
    one = pb.compare(answers, metrics=metric, **more).pairs[0]
    alone = [pb.measure(data, metric, resamples=0).measures[0].value for data in answers.values()]
    assert one.test == test
    assert one.difference == pytest.approx(alone[0] - alone[1])
    other = pb.compare(dict(reversed(answers.items())), metrics=metric, **more).pairs[0]
    assert other.difference == pytest.approx(-one.difference)


def test_answers_of_one_topic_are_exchanged_together(answers):
    """A column of groups makes one example of each group."""
    assert pb.compare(answers, metrics="log-loss", groups="topic").pairs[0].units == 10


def test_delong_needs_one_truth(answers):
    """Its variance is of the same positives; the refusal names the test that fits."""
    with refused(pb.ParameterError, "test-not-for-metric", "bootstrap"):
        pb.compare(answers, metrics="roc-auc", test="delong")


def test_labels_that_should_agree_are_still_refused(answers):
    """Classes that are no right and wrong answers, and rows without names."""
    a, b = answers.values()
    classes = {"classes": ["no", "yes"]}
    named = {
        name: pb.Predictions.from_arrays(
            np.array(["no", "yes"])[one.actual], one.prob[:, one.positive], row=one.row, **classes
        )
        for name, one in answers.items()
    }
    with refused(InputError, "classes-differ"):
        pb.compare(named)
    order = [np.argsort(one.row) for one in (a, b)]
    bare = [
        pb.Predictions.from_arrays(
            np.array(one.classes)[one.actual][rows], one.prob[rows, 1], positive="right"
        )
        for one, rows in zip((a, b), order, strict=True)
    ]
    with refused(InputError, "classes-differ", "row") as info:
        pb.compare(*bare)
    assert info.value.choices == ()


def test_what_numbers_the_rows_is_named(answers):
    """One column, as a choice; else two that do so together, which are to be joined."""
    order = np.arange(150)
    columns = {"try": order % 2, "round": order // 2, "place": order[::-1] * 7}
    for known, wanted in (
        (("try", "round", "place"), [{"rename": {"place": "row"}}]),
        (("try", "round"), []),
    ):
        tables = [
            pb.Predictions.from_arrays(
                np.array(one.classes)[one.actual][:150],
                one.prob[:150, 1],
                positive="right",
                attributes={name: columns[name] for name in known},
            )
            for one in answers.values()
        ]
        with refused(InputError, "classes-differ", "row") as info:
            pb.compare(*tables)
        assert list(info.value.choices) == wanted
        assert ("join columns 'try' and 'round'" in str(info.value)) is not bool(wanted)


def test_a_file_of_two_models_tells_it_by_its_column(answers, tmp_path):
    """Model, question, confidence and correct: as harnesses of language models write them."""
    lines = ["model,question_id,confidence,correct"]
    for name, data in answers.items():
        prob = data.prob[:, data.positive]
        lines += [
            f"{name},{row},{p:.4f},{int(right == data.positive)}"
            for row, p, right in zip(data.row, prob, data.actual, strict=True)
        ]
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(lines))
    ran = CliRunner().invoke(main, ["compare", str(path), "--metrics", "brier-score"])
    assert ran.exit_code == 0, ran.stderr
