"""The command `plumbline serve`: an address, a clean end, and refusals in one line."""

import http.client
import json
import re
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from click.testing import CliRunner
from loans import loans

from plumbline.cli import main
from serving import wait_until

ADDRESS = re.compile(r"The workbench is at (http://127\.0\.0\.1:(\d+)/\S+/)")


@pytest.fixture
def started(tmp_path, monkeypatch):
    """Start the command in a folder of its own; return the process and its first line."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    begun = []

    def start(*words):
        command = [sys.executable, "-m", "plumbline", "serve", "--no-open", *words]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # nohup ignores it
        )
        begun.append(process)
        ready, _, _ = select.select([process.stdout], [], [], 60)
        assert ready, "it said nothing"
        return process, process.stdout.readline()

    yield start
    for process in begun:
        if process.poll() is None:
            process.kill()
        process.communicate()


def get(address, path="", *, method="GET", body=None):
    """Return status and body of one request."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    try:
        connection.request(method, parts.path + path, body)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def test_it_takes_a_free_port_of_this_machine_alone(started, tmp_path):
    """A port that is taken gives way to the next; only 127.0.0.1 is bound.

    SIGTERM ends it, with status 0 and nothing left behind.
    """
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        process, line = started("--port", str(port))
    assert f"(port {port} is taken)" in line
    mine = int(ADDRESS.match(line)[2])
    assert port < mine <= port + 50
    held = [
        one.laddr
        for one in psutil.Process(process.pid).net_connections("inet")
        if one.status == psutil.CONN_LISTEN
    ]
    assert [(one.ip, one.port) for one in held] == [("127.0.0.1", mine)]
    status, start = get(ADDRESS.match(line)[1], "api/start")
    assert status == 200
    assert b'"served":null' in start
    assert any(path.name.startswith("plumbline-") for path in tmp_path.iterdir())
    ends_cleanly(process, signal.SIGTERM)
    assert not list(tmp_path.iterdir())


def test_a_file_that_changed_is_opened_anew_at_the_same_address(started, tmp_path):
    """The page hears of it; a reload shows the new file, and other pages keep the old one.

    Another file under its name is never passed off as it, also where its process must read it
    again. The end of the terminal ends the server.
    """
    path = tmp_path / "folder" / "loans.csv"
    path.parent.mkdir()
    loans(60).write(path)
    process, line = started(str(path), "--port", "0", "--models", "careful")
    address = ADDRESS.match(line)[1]

    def start():
        return json.loads(get(address, "api/start")[1])

    def news(key):
        return json.loads(get(address, f"api/tables/{key}/alive", method="POST")[1])["news"]

    def about(key):
        return get(address, f"api/tables/{key}/ask", method="POST", body='{"kind": "about"}')[1]

    def rows(key):
        return int(re.search(rb'"n": (\d+)', about(key))[1])

    first = start()["served"]
    assert (news(first), start()["news"], start()["former"], rows(first)) == (None, None, [], 60)
    assert get(address, f"api/tables/{first}/columns")[0] == 200
    assert b'"models": ["careful"]' in about(first)
    loans(61).write(path)
    changed = news(first)
    assert changed is not None
    answer = start()
    second = answer["served"]
    assert (answer["former"], answer["news"]) == ([first], None)
    assert (rows(first), rows(second)) == (60, 61)
    assert news(first) == changed
    assert news(second) is None
    path.write_text("nonsense")
    assert start()["news"].startswith("loans.csv ")
    assert (start()["served"], rows(second)) == (second, 61)
    path.unlink()
    assert news(second) is not None
    assert start()["news"] is not None
    loans(62).write(path)
    third = start()["served"]
    assert rows(third) == 62
    assert get(address, f"api/tables/{second}", method="DELETE")[0] == 200
    assert path.exists(), "a table of the file is closed, and the file is the user's"
    loans(63).write(path)
    kill_workers(process)
    output = about(third)
    assert b"The file loans.csv has changed since it was opened" in output
    assert str(tmp_path).encode() not in output
    path.unlink()
    kill_workers(process)
    output = about(third)
    assert b"loans.csv is gone" in output
    assert str(tmp_path).encode() not in output
    ends_cleanly(process, signal.SIGHUP)
    assert [left.name for left in tmp_path.iterdir()] == ["folder"]


def test_a_page_is_served_while_the_table_is_read_and_hears_why_it_cannot_be(
    started, tmp_path, monkeypatch
):
    """The address comes first; a question waits for the table, and the server ends with it.

    What the terminal is told is the one line that `scores` would print.
    """
    monkeypatch.chdir(tmp_path)
    Path("bad.csv").write_text("actual,p:a,p:b\na,0.5,0.9\n")
    process, line = started("bad.csv", "--port", "0")
    address = ADDRESS.match(line)[1]
    assert get(address)[0] == 200
    key = json.loads(get(address, "api/start")[1])["served"]
    status, said = get(address, f"api/tables/{key}/ask", method="POST", body='{"kind": "about"}')
    assert (status, json.loads(said)["error"]["kind"]) == (422, "input")
    _, told = process.communicate(timeout=20)
    assert process.returncode == 2
    assert told.count("\n") == 1
    assert told == CliRunner().invoke(main, ["scores", "bad.csv"]).stderr


def test_an_interrupt_before_the_table_is_read_says_nothing(started, tmp_path):
    """Ctrl-C reaches every process of the terminal, and none of them prints a traceback."""
    path = tmp_path / "loans.csv"
    loans(60).write(path)
    process, _ = started(str(path), "--port", "0")
    for one in (*psutil.Process(process.pid).children(recursive=True), process):
        one.send_signal(signal.SIGINT)
    assert (process.communicate(timeout=60), process.returncode) == (("", ""), 0)


def test_a_watched_file_is_read_anew_by_itself(started, tmp_path):
    """A page is told which table to show, also one whose own table is closed by then."""
    path = tmp_path / "loans.csv"
    loans(60).write(path)
    process, line = started(str(path), "--port", "0", "--watch")
    address = ADDRESS.match(line)[1]
    start = json.loads(get(address, "api/start")[1])
    first = start["served"]

    def rows(key):
        about = get(address, f"api/tables/{key}/ask", method="POST", body='{"kind": "about"}')[1]
        return int(re.search(rb'"n": (\d+)', about)[1])

    def told(key, other_than):
        alive = {}
        assert wait_until(lambda: alive.update(heard(key)) or alive["table"] != other_than, 30)
        return alive["table"], alive["news"]

    def heard(key):
        return json.loads(get(address, f"api/tables/{key}/alive", method="POST")[1])

    assert (start["watched"], rows(first)) == (True, 60)
    assert heard(first) == {"news": None, "table": first}
    loans(61).write(path)
    second, changed = told(first, first)
    assert re.fullmatch(r"loans.csv changed; numbers are those of \d\d:\d\d:\d\d\.", changed)
    assert (rows(second), rows(first)) == (61, 60)
    loans(62).write(path)
    third, _ = told(second, second)
    assert rows(third) == 62
    start = json.loads(get(address, "api/start")[1])
    assert (start["served"], start["former"]) == (third, [first, second])
    assert heard(first)["table"] == third, "its table is closed, and its page goes on"
    ends_cleanly(process, signal.SIGINT)


def kill_workers(process):
    """Kill the processes of tables; they are the children of the one that they are copied from."""
    for one in psutil.Process(process.pid).children():
        for worker in one.children():
            worker.kill()
            worker.wait(10)


def ends_cleanly(process, by):
    """End the server; assert that it says nothing, succeeds, and leaves no process."""
    family = psutil.Process(process.pid).children(recursive=True)
    assert len(family) >= 2
    process.send_signal(by)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "", "")
    psutil.wait_procs(family, timeout=10)
    assert not [one for one in family if one.is_running()]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing.csv"], "there is no file 'nothing.csv'"),
        (["--port", "70000"], "--port must be at most 65535"),
        (["--port", "-1"], "--port must be a whole number of at least 0"),
        (["--max-seconds", "0"], "it must be a number of at least 1"),
        (["--max-memory-gb", "nan"], "it must be a number of at least 0.1"),
        (["--max-rows", "few"], "it must be a whole number of at least 1"),
        (["--actual", "y"], "need FILE"),
        (["--watch"], "needs FILE"),
        (["a.csv", "b.csv"], "opens one file"),
    ],
)
def test_is_refused_in_one_clear_line(words, message, tmp_path, monkeypatch):
    """Exit status 2 and one line, before anything starts."""
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["serve", *words])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_missing_extra_prints_the_command_that_installs_it(monkeypatch):
    """Without uvicorn the command says how to get it."""
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(main, ["serve"])
    assert result.exit_code == 2
    assert "'plumbline-eval[serve]'" in result.stderr


def test_help_has_examples_and_loads_no_server():
    """`--help` is light and ends with commands that can be typed."""
    code = (
        "import sys\nfrom plumbline.cli import main\ntry: main(['serve', '--help'])\n"
        "except SystemExit: print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len(re.findall(r"^    plumbline serve", done.stdout, re.MULTILINE)) >= 3
    assert {"uvicorn", "starlette", "webbrowser", "plumbline.workbench"}.isdisjoint(
        done.stdout.splitlines()[-1].split()
    )


def test_the_browser_is_shown_only_where_there_is_a_display(monkeypatch):
    """A browser in the terminal would take the place of the server's own words."""
    import webbrowser

    module = sys.modules["plumbline.cli.serve"]
    shown = []
    monkeypatch.setattr(webbrowser, "open", shown.append)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    address, way = "http://127.0.0.1:1/secret/", Path("/tmp/way.html")
    module._show_address(address, way, port=1, opens=True)
    assert shown == []
    monkeypatch.setenv("DISPLAY", ":0")
    module._show_address(address, way, port=1, opens=False)
    assert shown == []
    module._show_address(address, way, port=1, opens=True)
    assert shown == ["file:///tmp/way.html"], "the secret is no program's argument"
