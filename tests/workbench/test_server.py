"""The server answers, keeps tables apart, and takes hostile requests calmly."""

import asyncio
import contextlib
import http.client
import json
import socket
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import psutil
import pytest
from loans import loans

import plumbline as pb
from plumbline.workbench import Limits, decode
from plumbline.workbench.server import lifetime, open_tables, worker
from plumbline.workbench.server.app import LastWords
from plumbline.workbench.server.source import Served
from serving import TOKEN, limited, read_again, server, wait_until

ROC = {"kind": "curve", "curve": {"x": "FPR", "y": "TPR"}}
# Of MANY rows it takes longer than any test waits.
ENDLESS = {"kind": "curve", "curve": {"preset": "roc", "band": "bootstrap", "resamples": 9999}}
MANY = 20_000


def csv_of(n=200, seed=1, tmp=None):
    """Return a table of loans as the bytes of a CSV file."""
    path = Path(tmp) / f"{n}-{seed}.csv"
    loans(n, rng=seed).write(path)
    return path.read_bytes()


def killed(client, key):
    """Kill the process of a table; return its number once nothing of it is left."""
    link = client.tables[key].link
    assert wait_until(lambda: link.pid is not None)
    pid = link.pid
    psutil.Process(pid).kill()
    assert wait_until(lambda: not psutil.pid_exists(pid))
    return pid


@pytest.fixture(scope="module")
def raw(tmp_path_factory):
    """A small table as an upload."""
    return csv_of(tmp=tmp_path_factory.mktemp("raw"))


@pytest.fixture(scope="module")
def client():
    """A server with small limits."""
    limits = {
        "upload_bytes": 300_000,
        "rows": 2000,
        "question_bytes": 50_000,
        "tables": 4,
        "grace_seconds": 1.0,
    }
    with server(**limits) as client:
        yield client


@pytest.fixture(scope="module")
def key(client, raw):
    """One open table."""
    return client.upload(raw)


@pytest.fixture(scope="module")
def roomy(tmp_path_factory):
    """A server that takes many rows, and a table of them."""
    with server(grace_seconds=1.0) as client:
        yield client, client.upload(csv_of(MANY, tmp=tmp_path_factory.mktemp("many")))


class TestTables:
    """From a file to answers."""

    def test_answers_are_the_library_s(self, client, key, raw, tmp_path):
        """A curve over HTTP is the curve of the same file in Python."""
        (tmp_path / "loans.csv").write_bytes(raw)
        wanted = pb.curve(pb.read(tmp_path / "loans.csv"), x="FPR", y="TPR")
        found = client.ask(key, ROC)["lines"][0]
        np.testing.assert_array_equal(found["x"], wanted.lines[0].x)
        np.testing.assert_array_equal(found["y"], wanted.lines[0].y)

    def test_two_tables_do_not_mix(self, client, key, tmp_path):
        """Each key has its own rows, its own name and its own process."""
        other = client.upload(csv_of(321, 2, tmp_path), name="other.csv")
        seen = [client.ask(one, {"kind": "about"}) for one in (key, other, key)]
        assert [one["n"] for one in seen] == [200, 321, 200]
        assert [one["name"] for one in seen] == ["loans.csv", "other.csv", "loans.csv"]
        pids = {client.tables[one].link.pid for one in (key, other)}
        assert len(pids) == 2
        assert client.json("DELETE", f"api/tables/{other}") == (200, {})
        assert client.ask(other, ROC)["error"]["kind"] == "gone"

    def test_an_example_opens_by_its_name(self, client):
        """An example that the start names can be asked."""
        examples = client.json("GET", "api/start")[1]["examples"]
        assert "overconfident" in [one["name"] for one in examples]
        status, found = client.json("POST", "api/examples/overconfident")
        assert status == 200
        assert client.ask(found["table"], {"kind": "about"})["n"] > 0
        client.send("DELETE", f"api/tables/{found['table']}")

    def test_closing_ends_the_process_and_removes_the_file(self, client, raw):
        """Nothing of a closed table is left, in memory or on the disk."""
        mine = client.upload(raw)
        table = client.tables[mine]
        pid, path = table.link.pid, table.path
        assert path.exists()
        client.send("DELETE", f"api/tables/{mine}")
        assert not path.exists()
        assert not psutil.pid_exists(pid)

    def test_the_tables_have_an_end(self, client, key, raw):
        """More tables than the limit are refused in words, and a closed one makes room."""
        mine = []
        while (found := client.json("POST", "api/tables?name=a.csv", raw))[0] == 200:
            mine.append(found[1]["table"])
        assert len(mine) == 3
        assert found == (429, {"error": {"kind": "limit", "message": found[1]["error"]["message"]}})
        assert "4 tables" in found[1]["error"]["message"]
        for one in mine:
            client.send("DELETE", f"api/tables/{one}")
        assert client.ask(key, {"kind": "about"})["n"] == 200

    def test_opened_again_a_table_has_a_key_of_its_own(self, client, raw):
        """Who shows the table as it was is told the same numbers as before."""
        mine = client.upload(raw)
        path = f"api/tables/{mine}"
        guess = client.json("GET", f"{path}/columns")[1]["guess"]
        roles = json.dumps({**guess, "positive": "no"})
        status, found = client.json("POST", f"{path}/open", roles)
        assert status == 200
        again = found["table"]
        assert again != mine
        seen = [client.ask(one, {"kind": "about"})["positive"] for one in (mine, again)]
        assert seen == ["yes", "no"]
        paths = [client.tables[one].path for one in (mine, again)]
        client.send("DELETE", path)
        killed(client, again)
        assert client.ask(again, {"kind": "about"})["positive"] == "no", "its file is its own"
        client.send("DELETE", f"api/tables/{again}")
        assert not any(path.exists() for path in paths)

    def test_opened_again_in_vain_leaves_nothing(self, client, raw):
        """Roles that open no table cost no room and no file."""
        mine = client.upload(raw)
        before = sorted(client.tables.folder.path.iterdir())
        for _ in range(4):
            status, _found = client.json("POST", f"api/tables/{mine}/open", '{"actual": "nope"}')
            assert status == 422
        assert sorted(client.tables.folder.path.iterdir()) == before
        client.send("DELETE", f"api/tables/{mine}")

    def test_no_failure_tells_our_path(self, client, raw):
        """A file that cannot be read again is called as its owner calls it."""
        mine = client.upload(raw)
        table = client.tables[mine]
        table.path.write_bytes(b"\xff\xfe\x00")
        killed(client, mine)
        said = client.ask(mine, {"kind": "about"})["error"]["message"]
        assert "loans.csv" in said
        assert str(client.tables.folder.path) not in said
        client.send("DELETE", f"api/tables/{mine}")


class TestUploads:
    """Files from strangers."""

    def test_a_gigabyte_is_refused_by_its_header(self, client):
        """A file that says it is too large is refused before it is sent."""
        connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=20)
        connection.putrequest("POST", f"/{TOKEN}/api/tables?name=big.csv")
        connection.putheader("Content-Length", str(1 << 30))
        connection.endheaders()
        response = connection.getresponse()
        assert response.status == 413
        assert json.loads(response.read())["error"]["kind"] == "limit"
        connection.close()

    def test_a_stream_without_end_is_cut(self, client):
        """Without a length the bytes are counted as they come, and nothing of them stays."""
        before = sorted(client.tables.folder.path.iterdir())
        with socket.create_connection(("127.0.0.1", client.port), timeout=20) as sock:
            sock.sendall(
                f"POST /{TOKEN}/api/tables?name=big.csv HTTP/1.1\r\nHost: 127.0.0.1:{client.port}"
                "\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
            )
            for _ in range(100):
                sock.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
            assert b" 413 " in sock.recv(4096)
            assert sorted(client.tables.folder.path.iterdir()) == before

    @pytest.mark.parametrize(
        "name", ["model.pkl", "x", "", "x.csv.exe", "x.csv%00", "x.ods", ".csv/..", "x.PY"]
    )
    def test_only_known_endings_are_taken(self, client, name):
        """What the name ends in must be one of the formats."""
        status, found = client.json("POST", f"api/tables?name={name}", b"actual,p:a\n")
        assert status == 422
        assert "Parquet" in found["error"]["message"]

    @pytest.mark.parametrize(
        ("name", "shown"),
        [
            ("..%2F..%2Fetc%2Fpasswd.csv", "passwd.csv"),
            ("%2Fetc%2Fshadow.CSV", "shadow.CSV"),
            ("C%3A%5Cx%5Ca.csv", "a.csv"),
            ("%3Cb%3E.csv", "<b>.csv"),
            ("a%0Ab.csv", r"a\nb.csv"),
            ("y" * 5000 + ".csv", "y" * 200),
        ],
    )
    def test_a_name_is_a_label_and_no_path(self, client, raw, name, shown):
        """The file lies in our own folder under our own name, whatever it was called."""
        status, found = client.json("POST", f"api/tables?name={name}", raw)
        assert status == 200
        table = client.tables[found["table"]]
        assert table.name == shown
        assert table.path.parent == client.tables.folder.path
        assert table.path.stem.isdigit()
        client.send("DELETE", f"api/tables/{found['table']}")

    def test_too_many_rows_are_refused(self, client, tmp_path):
        """A small file of many rows is over the limit too."""
        big = b"actual,p:b\n" + b"a,0.5\nb,0.5\n" * 1500
        status, found = client.json("POST", "api/tables?name=big.csv", big)
        key = found["table"]
        status, found = client.json("GET", f"api/tables/{key}/columns")
        assert (status, found["error"]["kind"]) == (422, "limit")
        assert "3,000 rows" in found["error"]["message"]
        client.send("DELETE", f"api/tables/{key}")

    @pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
    def test_rubbish_is_refused_in_words_that_name_the_file(self, client, ending):
        """No path of ours is told, and the server goes on."""
        noise = np.random.default_rng(0).bytes(5000)
        _, found = client.json("POST", f"api/tables?name=noise.{ending}", noise)
        key = found["table"]
        status, found = client.json("GET", f"api/tables/{key}/columns")
        assert (status, found["error"]["kind"]) == (422, "input")
        assert f"noise.{ending}" in found["error"]["message"]
        assert "/tmp" not in found["error"]["message"]
        client.send("DELETE", f"api/tables/{key}")

    @pytest.mark.parametrize(
        "roles",
        [
            {"actual": "nope"},
            {"actual": 5},
            {"prob": ["a"]},
            {"prob": {"x": {}}},
            {"rename": {"a": None}},
            {"positive": ["a"]},
            {"normalize": "yes"},
        ],
    )
    def test_roles_that_make_no_sense_are_refused(self, client, key, roles):
        """The table that is open stays open."""
        status, found = client.json("POST", f"api/tables/{key}/open", json.dumps(roles))
        assert status == 422
        assert found["error"]["kind"] in ("parameter", "input")
        assert client.ask(key, {"kind": "about"})["n"] == 200


class TestQuestions:
    """Questions that no page would ask."""

    @pytest.mark.parametrize(
        "body",
        [
            "",
            "[]",
            "null",
            "3",
            '"about"',
            "{",
            "[" * 40_000,
            '{"kind": NaN}',
            "\xff\xfe",
            '{"a":' * 8000,
            "1" * 5000,
        ],
    )
    def test_what_is_no_object_is_refused(self, client, key, body):
        """Broken, deep and foreign JSON is a bad request, nothing more."""
        status, found = client.json("POST", f"api/tables/{key}/ask", body.encode("latin-1"))
        assert (status, found["error"]["kind"]) == (400, "parameter")

    def test_a_question_that_is_too_large_is_cut(self, client, key):
        """The limit counts bytes."""
        body = json.dumps({"kind": "about", "more": "x" * 100_000})
        status, found = client.json("POST", f"api/tables/{key}/ask", body)
        assert (status, found["error"]["kind"]) == (413, "limit")

    @pytest.mark.parametrize(
        ("question", "kind"),
        [
            ({}, "parameter"),
            ({"kind": "os.system"}, "parameter"),
            ({"kind": "../about"}, "parameter"),
            ({"kind": ["about"]}, "parameter"),
            ({"kind": {"a": 1}}, "parameter"),
            ({"kind": "curve", "curve": []}, "parameter"),
            ({"kind": "curve", "data": 5}, "parameter"),
            ({"kind": "curve", "data": {"models": [["a"]]}}, "parameter"),
            ({"kind": "curve", "width": 1e308}, "parameter"),
            ({"kind": "curve", "curve": {"x": "FPR", "y": "\ud800"}}, "formula"),
            ({"kind": "curve", "curve": {"x": "FPR", "y": "TP" + "+1" * 5000}}, "formula"),
            ({"kind": "curve", "curve": {"x": "FPR", "y": "(" * 10_000}}, "formula"),
            ({"kind": "curve", "curve": {"x": "__import__('os')", "y": "TPR"}}, "formula"),
            ({"kind": "curve", "curve": {"x": "FPR", "y": "TPR.__class__"}}, "formula"),
            (
                {
                    "kind": "curve",
                    "curve": {"x": "FPR", "y": "TPR"},
                    "data": {"where": "open('/etc/passwd')"},
                },
                "formula",
            ),
        ],
    )
    def test_bad_questions_are_answered_in_words(self, client, key, question, kind):
        """Every one has a kind and a sentence, and the next question works."""
        found = client.ask(key, question)["error"]
        assert found["kind"] == kind
        assert len(found["message"]) > 10
        assert client.ask(key, {"kind": "about"})["n"] == 200

    @pytest.mark.parametrize("wrong", ["none", "..", "%2e%2e%2fx", "a/b", "0", "x" * 3000])
    def test_a_key_that_is_none_finds_nothing(self, client, wrong):
        """Keys are looked up and never taken for paths."""
        for method, what in (
            ("GET", "columns"),
            ("POST", "open"),
            ("POST", "ask"),
            ("POST", "alive"),
        ):
            status, found = client.json(method, f"api/tables/{wrong}/{what}", b"{}")
            assert (status, found["error"]["kind"]) == (404, "gone")

    @pytest.mark.parametrize("name", ["nope", "..%2Floans", "../start", "__class__", "a/b"])
    def test_an_example_that_is_none_finds_nothing(self, client, name):
        """Examples are a fixed list."""
        assert client.json("POST", f"api/examples/{name}", b"")[0] in (404, 405)


class TestWork:
    """Work that takes long, and work that nobody waits for."""

    def test_hanging_up_stops_the_work(self, roomy):
        """Once the browser has left, the process is idle and free for the next question."""
        client, key = roomy
        worker = psutil.Process(client.tables[key].link.pid)
        client.leave(key, ENDLESS, once=lambda: wait_until(worker.children))
        assert wait_until(lambda: not client.tables[key].link.busy, 5)
        before = worker.cpu_times().user
        assert client.ask(key, {"kind": "about"})["n"] == MANY
        assert worker.pid == client.tables[key].link.pid, "it stopped by itself"
        assert worker.cpu_times().user - before < 0.3

    def test_a_killed_process_is_replaced(self, client, key):
        """Whoever ends a table's process loses nobody's table."""
        pid = killed(client, key)
        assert client.ask(key, {"kind": "about"})["n"] == 200
        assert client.tables[key].link.pid != pid

    def test_a_process_killed_at_work_costs_one_question(self, roomy):
        """The question that was asked fails in words; the next one works."""
        client, key = roomy
        import threading

        found = {}
        asking = threading.Thread(target=lambda: found.update(client.ask(key, ENDLESS)))
        asking.start()
        worker = psutil.Process(client.tables[key].link.pid)
        assert wait_until(lambda: worker.children())
        for helper in worker.children():
            helper.kill()
        asking.join(20)
        assert found["error"]["kind"] == "limit"
        assert client.ask(key, {"kind": "about"})["n"] == MANY

    def test_a_thumbnail_steps_back_for_a_question(self, roomy):
        """A question is answered while a long thumbnail, asked earlier, is not yet."""
        client, key = roomy
        import threading

        answered = threading.Event()
        leaving = threading.Thread(
            target=client.leave,
            args=(key, {**ENDLESS, "thumb": True}),
            kwargs={"once": answered.wait},
        )
        leaving.start()
        assert wait_until(lambda: client.tables[key].link.busy)
        assert client.ask(key, {"kind": "about"})["n"] == MANY
        assert client.tables[key].link.busy, "the thumbnail goes on"
        answered.set()
        leaving.join()
        assert wait_until(lambda: not client.tables[key].link.busy, 5)


def test_the_time_of_a_question_is_limited(roomy):
    """After the limit the work is stopped, and the answer says what to do."""
    client, key = roomy
    with limited(client.tables[key].link, seconds=0.5):
        found = client.ask(key, ENDLESS)["error"]
    assert found["kind"] == "limit"
    assert "--max-seconds" in found["message"]
    assert client.ask(key, {"kind": "about"})["n"] == MANY


def test_an_upload_that_stops_is_given_up(raw, capfd):
    """On its way it takes a table's room; stalled or broken off, it leaves nothing behind."""
    with server(tables=1) as client, limited(client.tables, stall_seconds=0.3):
        before = sorted(client.tables.folder.path.iterdir())
        head = (
            f"POST /{TOKEN}/api/tables?name=a.csv HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n"
            "Content-Length: 5000\r\n\r\nactual"
        ).encode()
        with socket.create_connection(("127.0.0.1", client.port), timeout=20) as sock:
            sock.sendall(head)
            assert wait_until(lambda: sorted(client.tables.folder.path.iterdir()) != before)
            assert client.json("POST", "api/tables?name=b.csv", raw)[0] == 429
            assert b" 408 " in sock.recv(4096)
        with socket.create_connection(("127.0.0.1", client.port), timeout=20) as sock:
            sock.sendall(head)
            assert wait_until(lambda: sorted(client.tables.folder.path.iterdir()) != before)
        assert wait_until(lambda: sorted(client.tables.folder.path.iterdir()) == before)
        with limited(client.tables, stall_seconds=30.0):
            assert client.upload(raw)
    assert not client.tables.folder.path.exists()
    assert capfd.readouterr().err == ""


def test_a_table_that_no_page_shows_makes_room(raw):
    """The one unheard of for longest goes, not the one that a page still shows."""
    with server(tables=2) as client:
        left, shown = client.upload(raw), client.upload(raw)
        assert client.json("POST", "api/tables?name=c.csv", raw)[0] == 429
        for key in (left, shown):
            client.tables[key].last_used -= client.tables.limits.abandoned_seconds
        client.send("POST", f"api/tables/{shown}/alive")
        another = client.upload(raw)
        assert client.ask(shown, {"kind": "about"})["n"] == 200
        assert client.ask(another, {"kind": "about"})["n"] == 200
        assert client.ask(left, {"kind": "about"})["error"]["kind"] == "gone"


def test_what_nobody_asks_for_is_closed(raw):
    """An idle table is closed with its process and its file; a sign of life keeps one open."""
    with server(idle_seconds=0.4) as client:  # it looks every tenth of a second
        assert client.send("GET", "api/start")[0] == 200
        client.tables.limits = replace(client.tables.limits, idle_seconds=60.0)
        idle, watched = client.upload(raw), client.upload(raw)
        path = client.tables[idle].path
        client.tables[watched].last_used -= 40
        assert client.send("POST", f"api/tables/{watched}/alive")[0] == 200
        client.tables[watched].last_used -= 40  # of 80 seconds without the sign of life
        client.tables[idle].last_used -= 80
        assert wait_until(lambda: not path.exists())
        assert client.ask(idle, ROC)["error"]["kind"] == "gone"
        assert client.ask(watched, {"kind": "about"})["n"] == 200


def test_a_request_that_waits_as_the_server_ends_hears_why():
    """Cancelled before an answer has begun it is 503 with a reason; a begun answer just ends."""

    async def ended(begins):
        sent = []

        async def application(_scope, _receive, send):
            if begins:
                await send({"type": "http.response.start", "status": 200, "headers": []})
            await asyncio.sleep(60)

        async def send(message):
            sent.append(message)

        task = asyncio.create_task(LastWords(application)({"type": "http"}, None, send))
        await asyncio.sleep(0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        return sent

    start, body = asyncio.run(ended(begins=False))
    assert start["status"] == 503
    assert json.loads(body["body"])["error"]["kind"] == "gone"
    assert [message["status"] for message in asyncio.run(ended(begins=True))] == [200]


def test_a_watched_file_that_is_written_as_the_server_starts_is_read_once_it_is_whole(
    tmp_path, monkeypatch
):
    """The first reading fails on half a row; a question that came meanwhile gets the whole file."""
    path = tmp_path / "loans.csv"
    loans(50).write(path)
    whole = path.read_text()
    path.write_text(whole[: len(whole) // 2] + ",,,")
    monkeypatch.setattr(open_tables, "WATCH_SECONDS", 0.5)

    async def asked():
        tables = open_tables.OpenTables(Limits(), watched=True)
        failed, read = asyncio.Event(), tables.given

        async def given(*args):
            try:
                return await read(*args)
            except open_tables.RefusedError:
                failed.set()
                raise

        monkeypatch.setattr(tables, "given", given)
        reading = asyncio.create_task(tables.served_first(Served(path, partial(pb.read, path))))
        while tables.served is None:
            await asyncio.sleep(0)
        first = str(tables.served)
        asking = asyncio.create_task(tables.ready(first))
        await failed.wait()  # however long the first reading takes
        path.write_text(whole)
        try:
            await reading
            answers = (await asking).frames(worker.ASK, b'{"kind": "about"}')
            *_, (_, payload) = [frame async for frame in answers]
            return decode(payload)["n"], tables.latest(first) == tables.served != first
        finally:
            tables.close_all()

    assert asyncio.run(asked()) == (50, True)


def test_a_served_file_that_is_unclear_waits_for_a_page(tmp_path):
    """It is no error: its columns are shown with the readings, and one of them opens the table."""
    path = tmp_path / "loans.csv"
    rows = "".join(f"{'bad' if i % 3 else 'good'},0.{i:02}\n" for i in range(1, 41))
    path.write_text(f"Status,score\n{rows}")

    async def asked():
        tables = open_tables.OpenTables(Limits())
        source = Served(path, partial(pb.read, path), again=partial(read_again, path))
        try:
            told = await tables.served_first(source)
            key = str(tables.served)
            with pytest.raises(open_tables.RefusedError) as refusal:
                await tables.ready(key)
            columns = await tables.columns(key, {})
            await tables.open(key, columns["readings"][1]["roles"])
            frames = (await tables.ready(key)).frames(worker.ASK, b'{"kind": "about"}')
            answer = decode([part async for _, part in frames][-1])
            return told, refusal.value.kind, columns, answer
        finally:
            tables.close_all()

    told, kind, columns, about = asyncio.run(asked())
    assert (told["unclear"], kind) == (columns["problem"] + " Choose one.", "unclear")
    assert (columns["name"], len(columns["readings"]), columns["complete"]) == (path.name, 2, False)
    assert (about["positive"], about["n"]) == ("good", 40)
    assert about["read"] == f"Read: {columns['readings'][1]['text']}"


async def about(tables, key):
    """Return what a table holds that is open."""
    frames = (await tables.ready(key)).frames(worker.ASK, b'{"kind": "about"}')
    return decode([part async for _, part in frames][-1])


async def positive_of(tables, key):
    """Return the positive class of a table that is open."""
    return (await about(tables, key))["positive"]


async def rows_of(tables, key):
    """Return the number of rows of a table that is open."""
    return (await about(tables, key))["n"]


def test_columns_of_a_served_file_are_chosen_anew(tmp_path):
    """It is read in the other way from then on, also where it was clear; other pages hear of it."""
    path = tmp_path / "loans.csv"
    rows = "".join(f"{'bad' if i % 3 else 'good'},0.{i:02}\n" for i in range(1, 41))
    path.write_text(f"Status,score\n{rows}")

    async def asked():
        tables = open_tables.OpenTables(Limits())
        make = partial(pb.read, path, positive="good")
        source = Served(path, make, again=partial(read_again, path))
        try:
            await tables.served_first(source)
            key = str(tables.served)
            roles = [one["roles"] for one in (await tables.columns(key, {}))["readings"]]
            key = (await tables.open(key, roles[1]))["table"]
            with pytest.raises(open_tables.RefusedError):
                await tables.open(key, {"actual": "absent"})
            assert tables.served == key
            other = (await tables.open(key, roles[0]))["table"]
            assert (tables.served, tables.former[-1]) == (other, key)
            assert "chosen anew" in tables.news(key)
            assert tables.news(other) is None
            await tables.close(other)  # which stays, as the served table does
            return await positive_of(tables, key), await positive_of(tables, other)
        finally:
            tables.close_all()
            assert path.is_file()

    assert asyncio.run(asked()) == ("good", "bad")


def test_columns_beside_labels_of_another_file_stay(tmp_path):
    """A page does not show the second file, so the command line alone says how both are read."""
    tables = open_tables.OpenTables(Limits())
    try:
        tables._given = Served(tmp_path / "loans.csv", dict)
        tables._open["key"] = open_tables.OpenTable("loans", None, tmp_path, lasting=True)
        for asked in (tables.columns, tables.open):
            with pytest.raises(open_tables.RefusedError, match="another file"):
                asyncio.run(asked("key", {}))
        tables._open.clear()
    finally:
        tables.close_all()


def test_a_watched_file_that_is_unclear_is_read_anew_as_a_page_said(tmp_path, monkeypatch):
    """Before anybody chose, the new one waits; afterwards the choice holds for the new rows."""
    monkeypatch.setattr(open_tables, "WATCH_SECONDS", 0.05)
    path = tmp_path / "loans.csv"

    def write(n):
        rows = "".join(f"{'bad' if i % 3 else 'good'},0.{i:02}\n" for i in range(1, n + 1))
        path.write_text(f"Status,score\n{rows}")

    async def follows(tables, key):
        while tables.served == key:
            await asyncio.sleep(0.02)
        return str(tables.served)

    async def asked():
        tables = open_tables.OpenTables(Limits(), watched=True)
        try:
            make = partial(pb.read, path)
            await tables.served_first(Served(path, make, again=partial(read_again, path)))
            watching = asyncio.create_task(tables.watch())
            key = str(tables.served)
            write(45)
            key = await follows(tables, key)
            columns = await tables.columns(key, {})
            await tables.open(key, columns["readings"][1]["roles"])
            write(50)
            latest = await follows(tables, key)
            watching.cancel()
            frames = (await tables.ready(latest)).frames(worker.ASK, b'{"kind": "about"}')
            about = decode([part async for _, part in frames][-1])
            return columns["rows"], tables.latest(key) == latest, about["positive"], about["n"]
        finally:
            tables.close_all()

    write(40)
    assert asyncio.run(asyncio.wait_for(asked(), 60)) == (45, True, "good", 50)


def test_a_watched_file_that_is_broken_or_gone_leaves_the_last_one_in_place(tmp_path, monkeypatch):
    """Pages are told so; a whole file is read again."""
    monkeypatch.setattr(open_tables, "WATCH_SECONDS", 0.05)
    path = tmp_path / "loans.csv"

    async def told_other(tables, key, than):
        while (news := tables.news(key)) == than:
            await asyncio.sleep(0.02)
        return news

    async def asked():
        tables = open_tables.OpenTables(Limits(), watched=True)
        try:
            await tables.served_first(Served(path, partial(pb.read, path)))
            watching = asyncio.create_task(tables.watch())
            key = str(tables.served)
            path.write_text("actual,p:a")
            broken = await told_other(tables, key, None)
            path.unlink()
            gone = await told_other(tables, key, broken)
            assert (tables.served, await rows_of(tables, key)) == (key, 60)
            loans(62).write(path)
            await told_other(tables, key, gone)
            watching.cancel()
            assert tables.latest(key) == tables.served != key
            return broken, gone, await rows_of(tables, str(tables.served))
        finally:
            tables.close_all()

    loans(60).write(path)
    broken, gone, rows = asyncio.run(asyncio.wait_for(asked(), 60))
    assert all(news.startswith("loans.csv ") for news in (broken, gone))
    assert rows == 62


def test_the_terminal_says_that_a_page_is_needed(tmp_path):
    """One line, with the name of the file and what is unclear."""

    class Tables:
        async def served_first(self, _):
            return {"unclear": "The table has more than one reading."}

        async def watch(self):
            pass

    said = []
    source = Served(tmp_path / "loans.csv", dict)
    asyncio.run(lifetime._open(source, Tables(), None, said.append))
    assert [("loans.csv" in text, "more than one reading" in text) for text in said] == [
        (True, True)
    ]
