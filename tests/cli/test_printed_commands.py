"""Every printed command can be pasted, whatever columns, models, folds and files are called."""

import itertools
import json
import re
import subprocess
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from commands import all_commands
from html_pages import undrawn
from plumbline.cli import main
from plumbline.command_words import command_line, file_word, option_words, split_pair, words_of
from plumbline.curves import curve
from plumbline.reporting import save_curve

HOSTILE = [
    *("a,b", " x  y ", "it's", '"q"', "$HOME", "`ls`", "p=1", "-x", "--models", "a:b", "Süd 図"),
    *("50 %", "a\\b", "#1", "~", "*", "!", "&;|", "(1)", "\\=", "[z]"),
]
UNPRINTABLE = ["a\nb", "tab\there", "\u200fright", "\x1b[1m"]


def pasted(line: str) -> list[str]:
    """Return the words that bash makes of a line."""
    show = f"printf '%s\\0' {line}"
    out = subprocess.run(["bash", "-c", show], capture_output=True, check=True, text=True).stdout
    return out.split("\0")[:-1]


@pytest.mark.parametrize("word", [*HOSTILE, *UNPRINTABLE, ""])
def test_a_shell_reads_the_words_that_were_written(word):
    """Alone, as the value of an option, in pairs on either side, and as a file."""
    words = [
        "plumbline",
        word,
        *option_words("prob", {word: word}),
        *option_words("x", [word, "b"]),
    ]
    line = command_line(words)
    assert line.isprintable()
    assert pasted(line) == words
    assert words_of(line) == words
    if word:
        (_, pair) = option_words("prob", {word: "yes=no"})
        assert split_pair(pair) == (word, "=", "yes=no")


def test_a_list_is_repeated_only_where_that_is_allowed():
    """Of every option that takes names between commas, whatever the names are called."""
    lists = {
        param.name: param.multiple
        for command in all_commands().values()
        for param in command.params
        if isinstance(param, click.Option) and "," in (param.metavar or "")
    }
    assert {"names", "metrics", "folds"} <= lists.keys()
    for name, multiple in lists.items():
        words = [*option_words(name, ["a b", "c=d"])]
        assert multiple or words == [words[0], "a b,c=d"], name


def test_a_file_is_never_an_option():
    """One whose name begins with a dash is named with its folder."""
    assert [file_word(name) for name in ("-a.csv", "--a", "a-b", "-")] == [
        *("./-a.csv", "./--a", "a-b", "-")
    ]


def table(folder: Path, name: str, word: str) -> Path:
    """Write a table of which a model, a fold, a class, a column and the file are named so."""
    rng = np.random.default_rng(3)
    n = 80
    prob = np.tile(rng.uniform(0.02, 0.98, n), 2)
    bold = prob**3 / (prob**3 + (1 - prob) ** 3)
    named = [f"{word}{ending}" for ending in ("", " 2")]
    data = pb.Predictions.from_arrays(
        np.where(np.tile(rng.random(n), 2) < prob, named[0], "other"),
        bold,
        classes=["other", named[0]],
        model=np.repeat(named, n),
        fold=np.tile(np.resize([*named, "z"], n), 2),
        row=np.tile(np.arange(n), 2),
        attributes={f"site{word}": np.tile(rng.choice(["a", "b"], n), 2)},
    )
    data.write(folder / name)
    return folder / name


def run(words: list[str]) -> str:
    """Return what a command prints."""
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert result.exit_code == 0, (words, result.stderr)
    return result.stdout


def printed(text: str) -> list[str]:
    """Return the commands in an answer."""
    return re.findall(r"^\s*(?:Next\s+)?(plumbline .+)$", text, re.MULTILINE)


COMMANDS = [
    ("test", "--resamples", "39"),
    ("calibration", "--resamples", "39"),
    ("scores",),
    ("compare",),
    ("confusion",),
    ("curve", "--preset", "roc"),
]


@pytest.mark.parametrize("word", ["a,b = 1", "-x $HOME `ls` '\"", " Süd:  図 \\"])
def test_the_next_steps_read_the_same_rows(word, tmp_path, monkeypatch):
    """Of every command with a model, folds and columns of such names; pasted into a shell."""
    monkeypatch.chdir(tmp_path)
    name = f"{word.replace('/', '_')}.csv"
    table(tmp_path, name, word)
    model, fold = f"{word} 2", word
    reading = [*option_words("models", [model]), *option_words("folds", [fold, "z"])]
    count, seen = 0, set()
    for command, *more in COMMANDS:
        words = [command, file_word(name), *reading, *more]
        if command == "compare":
            words = [command, file_word(name), *more]
        for line in printed(run(words)):
            if line in seen:
                continue
            seen.add(line)
            again = pasted(line)[1:]
            if again[0] in ("serve", "recalibrate", "plan"):  # a window, new rows, minutes
                continue
            if command != "compare":
                assert again[again.index("--models") + 1] == model
            run([*again, "--json"])
            count += 1
    assert count >= 2


@pytest.mark.parametrize("word", ["a,b", "p=1 '\"", "-x $HOME `ls`", "Süd: 図 \\"])
def test_the_page_of_a_curve_names_the_command_that_makes_it(word, tmp_path, monkeypatch):
    """The command that a page shows for the same file, folds and models draws the same points."""
    from plumbline.reporting.curve_again import curve_command

    monkeypatch.chdir(tmp_path)
    name = f"{word}.csv"
    data = pb.read(table(tmp_path, name, word))
    chosen = data.select(model=[f"{word} 2"], fold=[word, "z"])
    column = f"site{word}".replace("`", "``")
    where = f"`{column}` == 'a'"
    drawn = curve(chosen, "roc", where=where, target=word, y_title=word)
    read = {"models": [f"{word} 2"], "folds": [word, "z"]}
    line = curve_command(drawn.settings, file=name, read=read, more={"out": "again.csv"})
    run(pasted(line)[1:])
    save_curve(drawn, tmp_path / "first.csv", data=chosen)
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "first.csv").read_bytes()


def test_a_report_names_commands_that_run(tmp_path, monkeypatch):
    """The commands of its fold-outs and of its end, for a file of such names."""
    import html

    monkeypatch.chdir(tmp_path)
    word, name = "a,b'$x", "-t 1.csv"
    table(tmp_path, name, word)
    reading = [*option_words("folds", [word, "z"]), *option_words("models", [f"{word} 2", word])]
    with undrawn():
        run(["report", file_word(name), *reading, "--resamples", "39", "--recalibrate", "none"])
    page = html.unescape(re.sub(r"<[^>]+>", "\n", (tmp_path / "report.html").read_text("utf-8")))
    lines = {line.strip() for line in page.splitlines() if line.strip().startswith("plumbline ")}
    commands = [line for line in lines if "FILE" not in line]
    assert len(commands) >= 2
    for line in commands:
        again = pasted(line)[1:]
        if again[0] not in ("serve", "recalibrate", "plan", "report"):
            few = ("--resamples", "39") if again[0] in ("test", "compare") else ()
            run([*again, *few, "--json"])


def test_options_that_were_lists_of_names_keep_reading_both_ways(tmp_path, monkeypatch):
    """--folds takes a list, and names one by one; both keep the same rows."""
    monkeypatch.chdir(tmp_path)
    table(tmp_path, "t.csv", "u")
    answers = [
        json.loads(run(["scores", "t.csv", *words, "--json"]))["results"]
        for words in (["--folds", "u,z"], ["--folds", "u", "--folds", "z"])
    ]
    assert answers[0] == answers[1]
    assert len(list(itertools.chain(*answers))) == 4
