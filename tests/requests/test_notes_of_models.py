"""A note that is about several models stands once, on every surface that shows them together."""

import html
import re

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

import plumbline as pb
from plumbline._result import Note, notes_together, own_and_shared
from plumbline.cli import main
from plumbline.reporting.documents import write_results
from plumbline.workbench import TableQuestions

TEXTS = ("Few rows.", "Ties.", "Odd.")
FACTS = {"rows": "1 of 9", "levels": "3"}
plain = st.sampled_from(TEXTS).map(lambda text: Note(text, "plain"))
parts = st.sampled_from([*FACTS])
joined = parts.map(lambda fact: Note(f"{fact} {FACTS[fact]}", fact, fact=fact, own=FACTS[fact]))
models = st.lists(
    st.lists(st.one_of(plain, joined), max_size=3, unique=True), min_size=1, max_size=4
)


@given(notes=models)
def test_every_note_is_told_once_of_every_model(notes):
    """Nothing is lost, nothing is added, and no text stands twice."""
    names = ["a", "b", "c", "d"][: len(notes)]
    together = notes_together(names, notes)
    told = [str(note) for _, note in together]
    assert len({*told}) == len(told)
    of: dict[str, set[str]] = {name: set() for name in names}
    for about, note in together:
        facts = re.findall(r"(\w) (?:1 of 9|3)\b", note) if ": " in note else None
        for name in facts or about or names:
            of[name].add(note.code if facts else str(note))
    for name, own in zip(names, notes, strict=True):
        alone = {str(note) for note in own}
        assert {text for text in of[name] if text in TEXTS} == alone & {*TEXTS}
        assert len(of[name]) == len(alone)
    mine, shared = own_and_shared(names, notes)
    assert len(shared) + sum(map(len, mine)) == len(together)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Three models, two of which gave some observed classes the probability 0."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 60)
    lines = ["y,row,model,y_prob"]
    for model, zeros in (("a", 6), ("b", 3), ("c", 0)):
        prob = rng.random(60).round(3) / 2 + 0.25
        prob[np.flatnonzero(y)[:zeros]] = 0
        lines += [
            f"{label},{i},{model},{p}" for i, (label, p) in enumerate(zip(y, prob, strict=True))
        ]
    path = tmp_path_factory.mktemp("notes") / "t.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_surfaces_show_a_note_of_several_models_once(file, tmp_path):
    """Terminal, page and browser have the same sentence, and none for each model."""
    data = pb.read(file)
    terminal = CliRunner().invoke(main, ["test", str(file), "--resamples", "99", "--seed", "1"])
    assert terminal.exit_code == 0, terminal.output
    page = tmp_path / "page.html"
    tests = {n: pb.calibration_test(part, resamples=99) for n, part in data.by_model().items()}
    write_results(page, "Test", [(name, Figure(), test) for name, test in tests.items()])
    answer = TableQuestions(data, name="t").answer({"kind": "test", "data": {}})
    browser = [*answer["shared_notes"], *(n for one in answer["models"] for n in one["own_notes"])]
    shown = {
        "terminal": terminal.output,
        "page": html.unescape(page.read_text()),
        "browser": browser,
    }
    for name, text in shown.items():
        told = " ".join(" ".join(text).split()) if name == "browser" else " ".join(text.split())
        assert told.count("a 6 of 60; b 3 of 60") == 1, name
        assert "6 of 60 rows" not in told, name
