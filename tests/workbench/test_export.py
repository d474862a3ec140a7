"""Everything a question draws becomes files that are whole, harmless and say the same numbers."""

import ast
import csv
import io
import json
import re
import runpy
from contextlib import redirect_stdout
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import plumbline as pb
from laws import law
from plumbline.python_calls import call, literal
from plumbline.workbench import TableQuestions
from plumbline.workbench.questions.exporting import export_files
from plumbline.workbench.questions.exporting.board import board_file
from plumbline.workbench.questions.exporting.safe_names import remark, slug
from plumbline.workbench.questions.inquiry import Inquiry
from request_cases import QUESTIONS

CURVE = {"preset": "roc"}
PROFIT = {"x": "threshold", "y": "5 * TP - FP", "resamples": 30}
DRAWS = {"resamples": 39}
WHAT = QUESTIONS | {
    "curve": {"curve": PROFIT, "threshold": 0.3},
    "reading": {"curve": CURVE, "threshold": 0.3},
    "optimum": {"curve": PROFIT, "goal": "max"},
    "iso-cost": {"curve": CURVE, "fp": 1, "fn": 5},
    "subgroups": {"curve": CURVE, "by": "site"},
    "cases": {"curve": CURVE, "low": 0.3, "high": 0.5},
    "difference": {"curve": {"preset": "accuracy", "resamples": 20}, "models": ["new", "old"]},
    "test": DRAWS,
    "plan": {"n": 300, "effect": "overconfident:3", "statistic": "spiegelhalter"},
    "class-counts": {"by": "age"},
    "init": {},
    "check": {"rules": '[[rule]]\nmetric = "accuracy"\nat_least = 0.5\n'},
    "recalibration": {"method": "temperature"},
    "scores": {},
    "compare": {"models": ["new", "old"]},
    "confusion": {"threshold": 0.4},
    "cell": {"model": "new", "actual": "yes", "predicted": "no", "threshold": 0.5},
}
DATA = {"models": ["new", "old"], "where": "age > 30"}
PICTURES = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}
HOSTILE = "'\"\n</script><img src=x onerror=alert(1)>{{7*7}}\\"
OUTSIDE = re.compile(r"""(src|href|url)\s*[=(]\s*["']?\s*(https?:)?//""")


def table(seed=0):
    """Rows of two models, one of them worse, with an age and a site."""
    rng = np.random.default_rng(seed)
    n = 220
    p = rng.uniform(0.02, 0.98, n)
    happened = np.where(rng.uniform(size=n) < p, "yes", "no")
    noisy = np.clip(p + rng.normal(0, 0.2, n), 0.02, 0.98)
    return pb.Predictions.from_arrays(
        np.tile(happened, 2),
        np.concatenate([p, noisy]),
        model=["new"] * n + ["old"] * n,
        row=np.tile(np.arange(n), 2),
        attributes={
            "age": np.tile(rng.integers(18, 80, n), 2),
            "site": np.tile(rng.choice(["a", "b"], n), 2),
            "place": np.tile(np.resize(["x", "y", "z"], n), 2),
        },
    )


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The table as a file, in a folder of its own."""
    path = tmp_path_factory.mktemp("export") / "loans.csv"
    table().write(path)
    return path


@pytest.fixture(scope="module")
def questions(file):
    """Questions about the file."""
    return TableQuestions(pb.read(file), name=file.name)


def what(kind):
    """The question of a kind."""
    return {"kind": kind, "data": DATA, **WHAT[kind]}


def exported(questions, kind, form, **more):
    """A question as a file."""
    return questions.answer({"kind": "export", "what": what(kind), "format": form, **more})


def formats():
    """Every kind with every format it has."""
    known = TableQuestions(table()).answer({"kind": "formats"})["formats"]
    assert set(WHAT) - set(QUESTIONS) <= set(known) <= set(WHAT)
    return [(kind, form) for kind, forms in known.items() for form in forms]


LONG = "plan"  # draws thousands of data sets, which is too long for a test of files
# Drawn the same way for every kind: one of them is enough here, for drawing takes its time.
SELDOM = {"png": {"curve"}, "pdf": {"curve"}, "html": {"curve", "reading", "reliability", "cell"}}


def cases():
    """Kinds with formats to try: every kind, and every way in which a file is made."""
    return [
        (kind, form)
        for kind, form in formats()
        if kind in SELDOM.get(form, {kind}) and kind != LONG
    ]


def rows(content):
    """Rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(content.decode())))


def printed(text, folder, monkeypatch):
    """What a program prints, run in this process."""
    monkeypatch.chdir(folder)
    path = folder / "inner.py"
    path.write_text(text, "utf-8")
    heard = io.StringIO()
    with redirect_stdout(heard):
        runpy.run_path(str(path))
    return heard.getvalue().strip()


@law(("kind", "form"), cases(), number=30)
def test_every_kind_becomes_a_valid_file_of_every_format(questions, file, monkeypatch, kind, form):
    """Pictures have their magic, pages no outside address, programs compile, JSON and CSV read."""
    made = exported(questions, kind, form, title=f"My {kind} <b>")
    content = made["bytes"]
    assert re.fullmatch(r"my-[a-z-]+-b\.[a-z]+", made["filename"])
    if form in PICTURES:
        assert content.startswith(PICTURES[form])
    if form == "svg":
        assert ET.fromstring(content).tag.endswith("svg")
    if form == "csv":
        assert rows(content)
    if form == "json":
        assert json.loads(content)
    if form == "html":
        text = content.decode()
        assert "<svg" in text or "<table" in text
        assert not OUTSIDE.search(text)
        assert "<b>" not in text.replace("<b></b>", "")
    if form == "py":
        text = content.decode()
        compile(text, "made", "exec")
        shown = printed(text, file.parent, monkeypatch)
        assert str(expected(questions, kind)) in (shown, *shown.splitlines())


def expected(questions, kind):
    """The number that the answer of the workbench has, or what the library says."""
    answer = questions.answer(what(kind))
    line = answer.get("lines", [{}])[0] if kind in ("curve", "reading") else {}
    found = {
        "curve": lambda: questions.answer({**what("curve"), "kind": "reading"})["lines"][0]["y"],
        "reading": lambda: line["y"],
        "optimum": lambda: answer["results"][0]["value"],
        "subgroups": lambda: {
            group["name"]: tuple(line["area"] for line in group["lines"])
            for group in answer["groups"]
        },
        "cases": lambda: answer["n"],
        "difference": lambda: np.abs(answer["difference"]).max(),
        "reliability": lambda: answer["models"][0]["value"],
        "test": lambda: answer["models"][0]["p_value"],
        "diagnosis": lambda: answer["p_value"],
        "groups": lambda: answer["verdict"],
        "sensitivity": lambda: answer["settings"][0]["value"],
        "monitor": lambda: answer["alarm"],
        "heterogeneity": lambda: answer["p_value"],
        "class-counts": lambda: sum(map(sum, answer["count"])),
        "check": lambda: answer["state"],
        "recalibration": lambda: answer["advice"]["chosen"],
        "scores": lambda: metric(answer["results"][0], "brier-score"),
        "compare": lambda: answer["pairs"][0]["difference"],
        "confusion": lambda: answer["results"][0]["overall"]["accuracy"],
    }
    return found.get(kind, lambda: answer["presentation"]["summary"])()


def metric(line, name):
    """One metric of a line of the scores."""
    return next(row["value"] for row in line["metrics"] if row["metric"] == name)


def test_the_csv_of_a_curve_has_all_points_of_the_library(questions, file):
    """Rows of the CSV file are those of the curve that the library draws."""
    found = rows(exported(questions, "curve", "csv")["bytes"])
    data = pb.read(file)
    curve = pb.curve(data, x="threshold", y="5 * TP - FP", where="age > 30")
    assert [float(row["y"]) for row in found] == [y for line in curve.lines for y in line.y]


def test_files_of_a_curve_hold_its_second_y(questions, file, monkeypatch):
    """Below the points of the first in the CSV, beside it in JSON, in code, drawn on the right."""
    asked = {**what("curve"), "y2": "recall", "y2_title": "found"}

    def made(form):
        return questions.answer({"kind": "export", "what": asked, "format": form, "title": "two"})[
            "bytes"
        ]

    second = pb.curve(pb.read(file), x="threshold", y="recall", where="age > 30")
    points = [row for row in rows(made("csv")) if row["y_title"] == "found"]
    assert [float(row["y"]) for row in points] == [y for line in second.lines for y in line.y]
    held = json.loads(made("json"))["second"]
    assert held["lines"][0]["n"] == second.lines[0].n
    text = made("py").decode()
    assert printed(text, file.parent, monkeypatch) == str(expected(questions, "curve"))
    assert text.count("= pb.curve(") == 2
    assert "y='recall'" in text
    assert b"new: found" in made("svg")  # the legend


def test_the_rows_of_a_cell_are_all_there(questions):
    """The file holds every row of the cell, the page only the first."""
    answer = questions.answer({**what("cell"), "most": 3})
    assert answer["shown"] == 3 < answer["count"]
    assert len(rows(exported(questions, "cell", "csv")["bytes"])) == answer["count"]


AREA = {"kind": "curve", "curve": CURVE, "data": DATA}


def test_the_program_of_a_curve_without_a_threshold_prints_the_area(questions, file, monkeypatch):
    """Of several models that of the first, as the answer lists them."""
    made = questions.answer({"kind": "export", "what": AREA, "format": "py", "title": "t"})
    area = questions.answer(AREA)["lines"][0]["area"]
    assert printed(made["bytes"].decode(), file.parent, monkeypatch) == str(area)


def test_a_picture_has_the_hull_and_the_threshold(questions, monkeypatch):
    """What is on the chart is in the picture: the threshold on every line, and its hull."""
    drawn = []
    monkeypatch.setattr(
        export_files, "picture_bytes", lambda figure, form: drawn.append(figure) or b""
    )
    question = {**AREA, "threshold": 0.4}
    for hull in (True, False):
        questions.answer({"kind": "export", "what": {**question, "hull": hull}, "format": "svg"})
    (ax,), (plain,) = (figure.axes for figure in drawn)
    named = {line.get_label(): line for line in ax.lines}
    at = questions.answer({**question, "kind": "reading"})["lines"]
    marks = named["threshold 0.4"]
    assert [*zip(*marks.get_data(), strict=True)] == [(line["x"], line["y"]) for line in at]
    assert "convex hull" in named
    hulls = [line["hull"] for line in questions.answer({**question, "hull": True})["lines"]]
    corners = [line.get_xydata().tolist() for line in ax.lines]
    for hull in hulls:
        assert np.column_stack([hull["x"], hull["y"]]).tolist() in corners
    assert "convex hull" not in {line.get_label() for line in plain.lines}
    legend = [text.get_text() for text in drawn[0].legends[0].get_texts()]
    assert {"threshold 0.4", "convex hull"} <= set(legend)


@pytest.mark.parametrize(
    ("kind", "data", "imported"),
    [
        ("reading", {"models": ["new"]}, ["plumbline"]),
        ("reading", {"target": "no"}, ["dataclasses", "plumbline"]),
        ("scores", {"where": "age > 30"}, ["dataclasses", "numpy", "plumbline"]),
    ],
)
def test_a_program_imports_what_its_code_needs(questions, kind, data, imported):
    """What stands in a text of the reader is no reason to import anything."""
    curve = {"preset": "roc", "y_title": "np. math. dataclasses. Path("}
    ask = {**what(kind), "data": data, "curve": curve}
    made = questions.answer({"kind": "export", "what": ask, "format": "py", "title": "np. Path("})
    text = made["bytes"].decode()
    tree = ast.parse(text)
    found = [name.name for line in tree.body if isinstance(line, ast.Import) for name in line.names]
    assert found == imported
    assert not [line for line in tree.body if isinstance(line, ast.ImportFrom)]


def test_an_infinite_parameter_is_written_as_python(questions, file, monkeypatch):
    """A program names the settings of its curve so that Python reads them."""
    curve = {"x": "threshold", "y": 'min(TP, param("most", 9))', "params": {"most": "inf"}}
    ask = {"kind": "curve", "curve": curve, "data": DATA, "threshold": 0.3}
    made = questions.answer({"kind": "export", "what": ask, "format": "py", "title": "t"})
    reading = questions.answer({**ask, "kind": "reading"})["lines"][0]
    assert printed(made["bytes"].decode(), file.parent, monkeypatch) == str(reading["y"])


def test_hostile_names_stay_text():
    """Names from the data and from the reader are data in code and text in pages."""
    plain = table()
    names = {"new": HOSTILE, "old": "__import__('os').abort()"}
    models = [names[plain.model.names[code]] for code in plain.model.codes]
    data = pb.Predictions.from_arrays(
        np.asarray(plain.classes)[plain.actual],
        plain.prob[:, 1],
        model=models,
        attributes={HOSTILE: plain.attributes["age"]},
    )
    questions = TableQuestions(data, name=f"../{HOSTILE}.csv")
    question = {"kind": "reliability", "resamples": 39, "data": {"models": [data.models[0]]}}
    ask = {"kind": "export", "what": question, "title": HOSTILE}
    program = questions.answer({**ask, "format": "py"})["bytes"].decode()
    compile(program, "made", "exec")
    lines = program.splitlines()
    assert len([line for line in lines if line.startswith("#")]) == 1
    assert not [line for line in lines if line.startswith(("<", "import os", "__import__"))]
    page = questions.answer({**ask, "format": "html"})["bytes"].decode()
    assert "<img" not in page
    assert "</script" not in page
    assert "49" not in page.split("<main>")[0]
    pins = [{"title": HOSTILE, "note": HOSTILE, "question": question}]
    board = {"kind": "board", "pins": pins}
    page = questions.answer({**ask, "what": board, "format": "html"})["bytes"].decode()
    assert "<img" not in page
    assert "</script" not in page
    # The file may be called anything: only its name is in the program, never a folder.
    assert "pb.read('../" not in program


def test_a_board_becomes_one_page_and_says_what_cannot_be_drawn(questions):
    """Every card is there, with its note; a card that fails says why, the others stand."""
    pins = [
        {"title": "Ours", "note": "Look\nhere", "question": what("reliability")},
        {"title": "Only words", "note": "Nothing else", "question": None},
        {"title": "Broken", "note": "", "question": {"kind": "curve", "curve": {"x": "1 +"}}},
    ]
    made = questions.answer(
        {"kind": "export", "what": {"kind": "board", "pins": pins}, "format": "html", "title": "B!"}
    )
    page = made["bytes"].decode()
    assert made["filename"] == "b.html"
    assert not OUTSIDE.search(page)
    for text in ("Ours", "Look", "here", "Nothing else", "This cannot be drawn", "Rows where"):
        assert text in page
    assert page.count("<svg") == 1
    sha = questions.answer({"kind": "fingerprint"})["fingerprint"]
    assert re.fullmatch("[0-9a-f]{64}", sha)
    assert sha in page


class Watch:
    """A clock that goes on by some seconds whenever it is asked."""

    def __init__(self, step):
        self.time, self.step = 0.0, step

    def __call__(self):
        """Return the time of now."""
        self.time += self.step
        return self.time


def on_a_board(questions, pins, *, step, **more):
    """Cards as a page, by a clock that goes fast; with the progress that was told."""
    told = []
    fields = {"kind": "board", "pins": pins, **more}
    inquiry = Inquiry(questions.table, fields, progress=lambda done, n: told.append(done / n))
    file, late = board_file(inquiry, fields, title="B", now=Watch(step))
    return file.bytes.decode(), late, told


def test_a_card_that_takes_too_long_leaves_the_others_their_time(questions):
    """A card has a share of the time: the slow one is marked with its reason, the rest is there."""
    slow = {"kind": "sensitivity", "resamples": 39, "data": DATA}
    quick = {"kind": "cell", **WHAT["cell"], "data": DATA}
    pins = [{"title": "Slow", "note": "kept", "question": slow}]
    pins += [{"title": f"Quick {i}", "note": "", "question": quick} for i in range(3)]
    page, late, told = on_a_board(questions, pins, step=2.0, seconds=30)
    assert late == 1
    assert page.count("7 seconds") == 1
    assert page.count("kept") == 1
    assert "Resamples" in page  # what was asked for is still said
    assert page.count("<table") == 3
    assert told[-1] == 1.0
    assert told == sorted(told)


def test_when_the_time_is_over_the_page_still_comes(questions):
    """Every card without its turn says so; notes need no time."""
    quick = {"kind": "cell", **WHAT["cell"], "data": DATA}
    pins = [{"title": f"Card {i}", "note": "", "question": quick} for i in range(5)]
    pins.append({"title": "Words", "note": "stay", "question": None})
    page, late, _ = on_a_board(questions, pins, step=3.0, seconds=12)
    assert 0 < late < 5
    assert page.count("12 seconds") == late
    assert page.count("<table") == 5 - late
    assert "stay" in page


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "exe"}, "format"),
        ({"what": {"kind": "export"}}, "kind"),
        ({"what": 3}, "must be an object"),
        ({"what": {"kind": "board", "pins": 3}, "format": "html"}, "pins"),
        ({"what": {"kind": "board", "pins": []}, "format": "svg"}, "format"),
    ],
)
def test_what_cannot_be_exported_is_refused(questions, change, said):
    """Wrong fields are refused by their names."""
    ask = {"kind": "export", "what": what("reading"), "format": "csv"}
    with pytest.raises(pb.ParameterError, match=said):
        questions.answer(ask | change)


def test_programs_read_the_file_as_it_was_opened(tmp_path, monkeypatch):
    """Columns that were given another meaning are given it again."""
    data = table().select(model="new")
    text = "truth,chance\n" + "\n".join(
        f"{data.classes[a]},{p!r}"
        for a, p in zip(data.actual, data.prob[:, 1].tolist(), strict=True)
    )
    path = tmp_path / "odd.csv"
    path.write_text(text, "utf-8")
    how = {"actual": "truth", "prob": {"chance": "no"}, "positive": "no"}
    questions = TableQuestions(pb.read(path, **how), name="odd.csv", read=how)
    ask = {"kind": "scores"}
    made = questions.answer({"kind": "export", "what": ask, "format": "py", "title": "t"})
    number = metric(questions.answer(ask)["results"][0], "brier-score")
    assert printed(made["bytes"].decode(), tmp_path, monkeypatch) == str(number)


def test_names_become_slugs_remarks_and_literals():
    """Nothing in a name leaves the place it stands in."""
    assert slug("../../Profit: 0.30%") == "profit-0-30"
    assert slug("…", "curve") == "curve"
    assert "\n" not in remark(HOSTILE)
    assert eval(literal(HOSTILE), {}) == HOSTILE  # noqa: S307
    assert literal("Süd 图") == "'Süd 图'"
    odd = "\x00\x1b[31m\u202e\u2028\x85\ud800\r\n'\\"
    assert literal(odd).isprintable()
    assert eval(literal(odd), {}) == odd  # noqa: S307
    assert call("f", "data", x=float("-inf")).endswith("x=float('-inf'))")
