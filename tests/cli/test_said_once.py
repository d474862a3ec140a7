"""Nothing is said twice in one answer: what is known of several models stands once, with names."""

import re
from collections import Counter

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from laws import law, some
from plumbline._result import Detail, Note, Presentation
from plumbline.cli import main
from plumbline.cli.terminal import laid_out

FEW = "--resamples 39"
QUESTIONS = [
    f"calibration {FEW}",
    f"calibration --interval {FEW}",
    f"test {FEW}",
    f"test --statistic ece {FEW}",
    "test --statistic log-loss --null exact",
    "test --statistic hosmer-lemeshow",
    "test --tolerance 0.1 --resamples 99",
    "scores",
    f"scores --interval {FEW}",
    f"scores --metrics calibration-slope,ece,roc-auc,f1,ici {FEW}",
    f"compare {FEW}",
    "confusion",
    "confusion --average all --rates all",
    "curve --preset roc",
    "curve --preset precision-recall",
    "curve --preset accuracy --optimum max --resamples 20",
    "state show",
    "state compare --by day",
]
OF_MODELS = re.compile(r"^(?:m\d[^:]*: )+")


def usual(rng, k, y, _):
    """Return predictions that have nothing odd."""
    return rng.dirichlet(np.ones(k), len(y))


def constant(_, k, y, __):
    """Return the same prediction for each row."""
    return np.tile(np.arange(1, k + 1) / np.arange(1, k + 1).sum(), (len(y), 1))


def impossible(rng, k, y, model):
    """Return predictions of which some give the observed class probability 0."""
    prob, rows = usual(rng, k, y, model), 5 + model
    prob[:rows] = np.eye(k)[(y[:rows] + 1) % k]
    return prob


def impossible_in_two(rng, k, y, model):
    """Return the same for the first two models, in as many rows."""
    return impossible(rng, k, y, 0) if model < 2 else usual(rng, k, y, model)


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Write tables of two and three models and classes, each odd in its own way."""
    folder, n, tables = tmp_path_factory.mktemp("tables"), 60, []
    for models in (2, 3):
        for k in (2, 3):
            for kind in (usual, constant, impossible, impossible_in_two):
                rng = np.random.default_rng(1)
                y = rng.choice(k, n, p=[0.9, 0.1] if k == 2 else [0.6, 0.39, 0.01])
                prob = np.concatenate([kind(rng, k, y, model) for model in range(models)])
                site, day = rng.choice(["a", "b"], n), np.arange(n) // 20
                path = folder / f"{models}-{k}-{kind.__name__}.csv"
                pb.Predictions.from_arrays(
                    np.tile(y, models),
                    prob[:, 1] if k == 2 else prob,
                    model=np.repeat([f"m{model}" for model in range(models)], n),
                    row=np.tile(np.arange(n), models),
                    attributes={"site": np.tile(site, models), "day": np.tile(day, models)},
                ).write(path)
                tables.append(path)
    return some(tables, 2)


def paragraphs(printed):
    """Return what stands in sentences, without the models that it is about."""
    blocks = [block for block in printed.split("\n\n") if not re.search(r"\S {2,}\S", block)]
    return [OF_MODELS.sub("", " ".join(block.split())) for block in blocks]


@law("question", QUESTIONS, number=7)
def test_no_paragraph_of_an_answer_stands_twice(question, tables):
    """Of two and three models, brief and with all that is known."""
    words, answered = question.split(), 0
    at = 2 if words[0] == "state" else 1
    for path in tables:
        # All that is said stands in the long answer; the short one is laid out in its own way.
        for more in ([], ["--verbose"]) if path.name.startswith("2-") else (["--verbose"],):
            ran = CliRunner().invoke(main, [*words[:at], str(path), *words[at:], *more])
            if ran.exit_code:
                continue  # of more than two classes not all can be asked
            answered += 1
            said = Counter(paragraphs(ran.stdout))
            said.update(re.findall(r"(--\S+) has no effect", ran.stderr))
            assert [text for text, times in said.items() if times > 1] == []
    assert answered >= len(tables) // 2


def part(*notes):
    """Return what a result says that has only notes."""
    return Presentation(details=(Detail("n", "rows", "5"),), notes=notes)


def test_notes_about_some_of_the_models_name_them_once():
    """The same text, the same fact, and a text of one model."""
    same = Note("No point is defined.", "none")
    counts = [Note("...", "few", fact="Rows", own=f"{n} of 9") for n in (1, 2)]
    one = Note("Only here.", "one")
    printed = laid_out([part(same, counts[0]), part(same, counts[1], one), part()], ["a", "b", "c"])
    said = printed.split("\n\n")[1:]
    assert said == ["a, b: No point is defined.", "b: Only here.", "Rows: a 1 of 9; b 2 of 9."]
