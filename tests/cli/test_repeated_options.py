"""An option that is given twice: all its values are used, or the command refuses it."""

import click
import pytest
from click.testing import CliRunner

from commands import COMMANDS
from plumbline.cli import main, options
from plumbline.errors import ParameterError
from refusals import refused


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_counts_its_options(name):
    """So that no new one forgets to."""
    assert isinstance(COMMANDS[name], options.StrictCommand)


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_given_twice_is_refused_or_keeps_both_values(name):
    """In both spellings; the refusal names both values. Of names with values each has one."""
    for param in COMMANDS[name].params:
        if not isinstance(param, click.Option) or param.is_flag:
            continue
        if param.multiple and "=" not in (param.metavar or ""):
            continue
        pair = ("name=one", "name=two") if param.multiple else ("one", "two")
        for option in param.opts:
            words = [option, pair[0], f"{option}={pair[1]}" if option.startswith("--") else option]
            words += [] if option.startswith("--") else [pair[1]]
            with refused(ParameterError, "given-twice", max(param.opts, key=len), *pair):
                COMMANDS[name].make_context("command", words)


@pytest.fixture
def table(tmp_path, monkeypatch):
    """Work in a folder with a table."""
    monkeypatch.chdir(tmp_path)
    rows = "no,0.7,0.3,1\nyes,0.4,0.6,2\nno,0.2,0.8,1\nyes,0.1,0.9,2\n" * 10
    (tmp_path / "t.csv").write_text(f"actual,p:no,p:yes,week\n{rows}")
    return tmp_path


def test_a_list_that_is_given_in_parts_comes_back_whole(table):
    """The refusal of `--metrics ece --metrics brier-score` can be pasted."""
    result = CliRunner().invoke(
        main, ["scores", "t.csv", "--metrics", "ece", "--metrics", "brier-score"]
    )
    assert result.exit_code == 2
    assert "--metrics ece,brier-score" in result.stderr
    assert (table / "t.csv").exists()


def test_flags_may_stand_twice(table):
    """Nothing is lost by it."""
    words = "test t.csv --json --json --resamples 39 --verbose -v"
    assert CliRunner().invoke(main, words.split()).exit_code == 0
    assert (table / "t.csv").exists()


def test_windows_are_drawn_into_all_files(table):
    """A page and a picture."""
    words = "state compare t.csv --by week --out a.html --out b.png"
    assert CliRunner().invoke(main, words.split()).exit_code == 0
    assert min((table / name).stat().st_size for name in ("a.html", "b.png")) > 1000
