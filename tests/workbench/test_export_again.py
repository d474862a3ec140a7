"""The page of a curve says how it is made again from the file as it was opened."""

import html
import re
import shlex

import pytest
from click.testing import CliRunner

from plumbline.cli.program import main
from plumbline.workbench.questions import TableQuestions
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
