"""The page of a curve says how it is made again from the file as it was opened."""

import html
import json
import re
import shlex

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline.cli import main
from plumbline.cli.prediction_file import TABLE_OPTIONS
from plumbline.cli.serve import served_file
from plumbline.command_words import words_of
from plumbline.workbench import TableQuestions
from plumbline.workbench.questions.opening import arguments_of, how_read, opened

ROLES = {
    "actual": "what",
    "prob": {"chance of yes": "yes"},
    "rename": {"who": "model", "w": "weight"},
}
CURVE = {"preset": "roc"}


def exported(path, data):
    """Return the page of a curve, and its commands as words."""
    questions = TableQuestions(
        opened(path, ROLES), name=path.name, read=how_read(arguments_of(path, ROLES))
    )
    asked = {"kind": "curve", "data": data, "curve": CURVE}
    made = questions.answer({"kind": "export", "what": asked, "format": "html", "title": "roc"})
    page = bytes(made["bytes"]).decode()
    found = re.findall(r"<code>(plumbline curve .+?)</code>", page)
    return page, [shlex.split(html.unescape(text)) for text in found]


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A file of a stranger, in the folder of the command."""
    monkeypatch.chdir(tmp_path)
    lines = ["what,chance of yes,who,w,age"]
    lines += [
        f"{'yes' if i % 3 else 'no'},{0.1 + i % 7 / 10:.1f},{m},{1 + i % 2},{i}"
        for m in ("new", "old", "older")
        for i in range(40)
    ]
    path = tmp_path / "their file.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("weighted", [True, False])
def test_the_command_on_the_page_makes_the_page(path, weighted):
    """It holds the roles, models and filter, and gives the same lines when it is run."""
    data = {"models": ["new", "old"], "where": "age > 9", "weighted": weighted}
    page, (command, from_card) = exported(path, data)
    assert command[3:6] == ["--actual", "what", "--prob"]
    assert command[6].endswith(" of yes=yes")
    assert command[7:9] == ["--rename", "who=model"]
    assert command[2] == from_card[2] == path.name
    assert "--prob" in from_card
    assert ("w=weight" in command) is weighted
    assert "30 of 40 examples" in page
    ran = CliRunner().invoke(main, command[1:])
    assert ran.exit_code == 0, ran.output
    again = (path.parent / command[command.index("--out") + 1]).read_text()
    lines = [
        re.findall(r"(?s)The lines of the curve.*?</table>", text)[0] for text in (page, again)
    ]
    assert lines[0] == lines[1]


def test_without_a_filter_all_rows_are_drawn(path):
    """The head counts the examples of the table where none is left out."""
    page, _ = exported(path, {})
    assert 'class="sub">40' in page


NO_OPTIONS = dict.fromkeys(TABLE_OPTIONS) | {"prob": (), "rename": ()}
NO_OPTIONS |= dict.fromkeys(("normalize", "logits"), False)
BARE = {"prob": (("P=ab", "it's bad"),)}  # a list of names is split at commas
AWKWARD = {"actual": "-y", "prob": (("P=(a,b)", "it's bad"),)}


def awkward(path, *, separator=",", unit=1.0, decimal=".", holes=False, header=True):
    """Write a table whose names need quotes, backslashes and care."""
    names = ["-y", "P=(a,b)", "pat id", "w", "kind", "fold"]
    rows = [
        [
            "it's bad" if i * 7 % 10 < 6 else "- ok",
            "" if holes and i == 5 else str(unit * (0.05 + i % 9 / 10)).replace(".", decimal),
            f"p {i // 4}",
            str(1 + i % 2),
            ("-m", "a,b", "tree '1'")[i % 3],
            ("a,b", "-x", "c d")[i // 40],
        ]
        for i in range(120)
    ]
    lines = [names, *rows] if header else rows
    quoted = ([f'"{cell}"' if separator in cell else cell for cell in row] for row in lines)
    path.write_text("".join(f"{separator.join(row)}\n" for row in quoted))


@pytest.mark.parametrize(
    ("options", "table"),
    [
        ({}, {}),
        ({"groups": "pat id"}, {}),
        ({"groups": "pat id", "rename": (("w", "weight"),)}, {}),
        ({"positive": "- ok"}, {}),
        ({"folds": ("a,b", "-x"), "rename": (("fold", "fold"),)}, {}),
        ({"models": ("-m", "a,b"), "rename": (("kind", "model"),)}, {}),
        ({"missing": "drop"}, {"holes": True}),
        ({"scale": 50.0}, {"unit": 50.0}),
        ({"separator": ";", "decimal": ","}, {"separator": ";", "decimal": ","}),
        ({"names": ["-y", "P=ab", "id", "w", "kind", "fold"], **BARE}, {"header": False}),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
def test_lines_of_a_served_file_read_the_same_rows(options, table, tmp_path, monkeypatch):
    """Python and the command say every option with which the file was read."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "-my file's.csv"
    awkward(path, **table)
    source = served_file(path, NO_OPTIONS | AWKWARD | options)
    data = source()
    questions = TableQuestions(data, name=path.name, read=source.how_read())
    model = {"model": data.models[0]} if data.models else {}
    rows = data.select(model=data.models[0]) if data.models else data

    made = questions.answer(
        {"kind": "export", "what": {"kind": "curve", "curve": CURVE}, "format": "py", "title": "x"}
    )
    held = {}
    exec(bytes(made["bytes"]).decode(), held)  # noqa: S102  # it is our own
    assert held["data"].n == data.n
    assert np.array_equal(held["data"].prob, data.prob)
    assert (held["data"].groups is None) is (data.groups is None)

    lines = questions.answer({"kind": "recalibration", "lines": "platt", **model})["lines"]
    words = words_of(lines["shell"])
    ran = CliRunner().invoke(main, ["scores", *words[2 : words.index("--method")], "--json"])
    assert ran.exit_code == 0, ran.output
    (found,) = json.loads(ran.stdout)["results"]
    assert (found["n"], found["log_loss"]) == (rows.n, pytest.approx(pb.log_loss(rows)))


def test_columns_of_models_are_named_one_by_one(tmp_path, monkeypatch):
    """They are no list between commas, whatever they are called."""
    monkeypatch.chdir(tmp_path)
    read = {"actual": "y", "prob": ["tree", "P=2"]}
    rows = [f"{i % 2},{0.1 + i % 7 / 10:.1f},{0.2 + i % 5 / 10:.1f}" for i in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["y,tree,P=2", *rows, ""]))
    data = pb.read("t.csv", **read)
    questions = TableQuestions(data, name="t.csv", read=read)
    curve = {"kind": "curve", "model": "P=2", "curve": CURVE}
    made = questions.answer({"kind": "export", "what": curve, "format": "html", "title": "roc"})
    (page, _) = re.findall(r"<code>(plumbline curve .+?)</code>", bytes(made["bytes"]).decode())
    asked = {"kind": "recalibration", "lines": "platt", "model": "P=2"}
    lines = questions.answer(asked)["lines"]
    for line, option in ((html.unescape(page), "--preset"), (lines["shell"], "--method")):
        words = words_of(line)
        assert words.count("--prob") == 2
        ran = CliRunner().invoke(main, ["scores", *words[2 : words.index(option)], "--json"])
        assert ran.exit_code == 0, ran.output
        scores = {one["model"]: one["log_loss"] for one in json.loads(ran.stdout)["results"]}
        assert scores["P=2"] == pytest.approx(pb.log_loss(data.select(model="P=2")))
