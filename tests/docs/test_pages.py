"""What the first pages show is what commands and functions answer."""

import re
import shlex
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
from click.testing import CliRunner

import plumbline as pb
from html_pages import undrawn
from plumbline.cli import main
from plumbline.verdicts import no_evidence
from printed_pages import check_answers

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_first_page(tmp_path, monkeypatch):
    """The null of the first page is what its command prints for the file that it draws."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    p = rng.beta(2, 5, 1000)
    pb.Predictions.from_arrays((rng.random(1000) < p).astype(int), p).write("perfect.csv")
    check_answers(DOCS / "index.md", least=1)
    assert round(pb.calibration_error(pb.read("perfect.csv")).null_mean, 3) in (0.033, 0.034)


def test_a_month_of_days(tmp_path, monkeypatch, capsys):
    """The example of `monitoring.md` runs from top to bottom, and prints what it says."""
    monkeypatch.chdir(tmp_path)
    page = DOCS / "monitoring.md"
    text = page.read_text("utf-8")
    rows, script = re.findall(r"^```python\n(.+?)^```", text, re.MULTILINE | re.DOTALL)
    names = {}
    exec(rows, names)  # noqa: S102
    assert "plumbline state update ${day%.csv}.state $day --positive left" in text
    for day in sorted(tmp_path.glob("*.csv")):
        words = ["state", "update", f"{day.stem}.state", day.name, "--positive", "left"]
        assert CliRunner().invoke(main, words).exit_code == 0
    for lines, name in re.findall(r"^\$ printf '(.+)' > (\S+)$", text, re.MULTILINE):
        (tmp_path / name).write_text(lines.replace("\\n", "\n"), "utf-8")
    with undrawn():
        check_answers(page, least=4)
    assert (tmp_path / "september.html").stat().st_size > 10_000
    exec(script, names)  # noqa: S102
    assert capsys.readouterr().out.split("\n")[:-1] == re.findall(r"print\(.*\)  # (.+)", script)


def test_metrics_named_for_other_packages():
    """Every metric and method that `coming_from.md` names exists."""
    text = (DOCS / "coming_from.md").read_text("utf-8")
    rng = np.random.default_rng(0)
    p = rng.random(200)
    data = pb.Predictions.from_arrays(rng.random(200) < p, p)
    named = re.findall(r"--metrics ([\w,-]+)", text) + re.findall(
        r"measure\(data, \[?([^\])]+)", text
    )
    names = {name.strip(' "') for group in named for name in group.split(",") if "=" not in name}
    assert len(names) >= 8
    for name in sorted(names):
        pb.measure(data, name, resamples=19)


def test_your_table(tmp_path, monkeypatch, capsys):
    """The tables of `tables.md` are read as it shows, and its commands answer."""
    monkeypatch.chdir(tmp_path)
    page = DOCS / "tables.md"
    text = page.read_text("utf-8")
    names = {}
    for code in re.findall(r"^```python\n(.+?)^```", text, re.MULTILINE | re.DOTALL):
        exec(code, names)  # noqa: S102
    printed = re.findall(r"^```text\n(.+?)^```", text, re.MULTILINE | re.DOTALL)
    assert [capsys.readouterr().out] == printed
    check_answers(page, least=7)
    for line in re.findall(r"\| `plumbline ([^`]+)` \|", text):
        assert CliRunner().invoke(main, shlex.split(line)).exit_code == 0


def test_pages_that_quote_a_verdict_have_its_words():
    """Those whose answers no test prints, too; a page that quotes one is added here."""
    begins = no_evidence()
    quoting = {page.name for page in DOCS.glob("*.md") if begins in page.read_text("utf-8")}
    wanted = ("cli", "errors", "index", "json", "monitoring")
    assert quoting - {"todo.md"} == {f"{name}.md" for name in wanted}


def test_studies_named_as_evidence_exist():
    """`trust.md` names only studies that are there."""
    studies = set(re.findall(r"python (studies/\w+\.py)", (DOCS / "trust.md").read_text("utf-8")))
    assert studies
    assert all((DOCS.parent / study).exists() for study in studies)


def test_the_table_of_functions_has_every_public_name():
    """The table at the head of `api.md` leaves out no name of `plumbline` but its modules."""
    text = (DOCS / "api.md").read_text("utf-8")
    named = set(re.findall(r"`~plumbline\.(\w+)`", text))
    modules = {name for name in pb.__all__ if isinstance(getattr(pb, name), ModuleType)}
    assert named == set(pb.__all__) - modules - {"__version__"}


def test_every_metric_has_a_line_in_the_index(monkeypatch):
    """The index names each metric and test once, with a guide and tutorials that exist."""
    monkeypatch.syspath_prepend(str(DOCS.parent / "scripts"))
    table = import_module("metrics_index").index_of_metrics(DOCS)
    entries = pb.list_names().entries
    assert re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE) == [e["name"] for e in entries]
    for page in set(re.findall(r"\]\((\w+\.md)", table)):
        assert (DOCS / page).exists()
    sections = re.findall(r"^## (.+)", (DOCS / "catalogue.md").read_text("utf-8"), re.MULTILINE)
    anchors = {section.lower().replace(" ", "-") for section in sections}
    assert set(re.findall(r"catalogue\.md#([\w-]+)", table)) <= anchors
    for stem in set(re.findall(r"tutorials/(\w+)\.rst", table)):
        assert (DOCS.parent / "examples" / "tutorials" / f"{stem}.py").exists()
