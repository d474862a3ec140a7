"""Tables in object stores and on web servers: the numbers of the same files here."""

import functools
import gzip
import http.server
import json
import pickle
import re
import threading
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyarrow import csv, fs, parquet

import plumbline as pb
from laws import law
from plumbline.cli import main as program
from plumbline.errors import InputError
from plumbline.frames import read
from plumbline.predictions.remote import RemoteFile, _refusal, is_remote
from refusals import refused, warned

KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "s3cret"}
ROWS = 900


def rows():
    """Return rows of one model."""
    rng = np.random.default_rng(5)
    prob = rng.random(ROWS)
    return pa.table({"actual": (rng.random(ROWS) < prob).astype(np.int8), "p:1": prob})


@pytest.fixture(scope="module")
def server():
    """Return the address of a server of S3 on this machine, with a bucket of tables."""
    from moto.server import ThreadedMotoServer

    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    address = "{}:{}".format(*moto.get_host_and_port())
    store = fs.S3FileSystem(
        access_key="key", secret_key="s3cret", endpoint_override=address, scheme="http",
        region="us-east-1", allow_bucket_creation=True,
    )  # fmt: skip
    store.create_dir("bucket")
    table = rows()
    for number in range(3):
        part = table.slice(number * 300, 300)
        parquet.write_table(
            part, f"bucket/days/0{number}/part.parquet", filesystem=store, row_group_size=100
        )
    for name, content in {
        "days/_SUCCESS": b"",
        "days/notes.txt": b"-",
        "days/_old/part.parquet": b"-",
        "one day/50 %.csv": as_csv(table),
        "parts/day=1/part.csv.gz": gzip.compress(as_csv(table)),
        "mixed/a.csv": as_csv(table),
        "mixed/b.parquet": b"-",
        "none/readme.md": b"-",
        "empty.csv": b"",
        "damaged.parquet": b"PAR1 no more",
    }.items():
        with store.open_output_stream(f"bucket/{name}", compression=None) as out:
            out.write(content)
    yield address
    moto.stop()


def as_csv(table):
    """Return a table as the bytes of a file."""
    sink = pa.BufferOutputStream()
    csv.write_csv(table, sink)
    return sink.getvalue().to_pybytes()


@pytest.fixture
def s3(server, monkeypatch):
    """Let s3:// mean that server."""
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{server}")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.fixture(scope="module")
def here():
    """Return the same rows in memory."""
    return pb.Predictions.from_frame(rows())


def assert_same(one, other):
    """Every number of bins is that of the other table."""
    assert one.weight.sum() if one.counted else one.n == ROWS
    assert pb.calibration_error(one).value == pytest.approx(
        pb.calibration_error(other).value, abs=1e-12
    )


@pytest.mark.usefixtures("s3")
class TestS3:
    """A server of S3."""

    @pytest.mark.parametrize("engine", ["auto", "memory", "counts"])
    @law(
        "uri",
        [
            "s3://bucket/days",
            "s3://bucket/days/[0-9]*/part.parquet",
            "s3://bucket/**/0[0-2]/*.parquet",
            "s3://bucket/one day/50 %.csv",
            ["s3://bucket/days/00", "s3://bucket/days/01", "s3://bucket/days/02/part.parquet"],
        ],
        number=2,
    )
    def test_the_numbers_are_those_of_files_here(self, uri, engine, here):
        """Of a file, a folder, a pattern and several of these."""
        assert_same(read(uri, engine=engine), here)

    def test_names_of_folders_are_no_columns(self, here):
        """A warning says so."""
        with warned("folder-names-not-read", "day=1"):
            assert_same(read("s3://bucket/parts"), here)

    def test_the_server_may_stand_in_the_uri(self, server, monkeypatch, here):
        """With its keys, which no message repeats."""
        monkeypatch.delenv("AWS_ENDPOINT_URL")
        options = f"?scheme=http&endpoint_override={server}"
        for name in KEYS:
            monkeypatch.delenv(name)
        assert_same(read(f"s3://key:s3cret@bucket/days{options}"), here)
        with refused(InputError, "no-such-file", "s3://bucket/nowhere.csv") as raised:
            read(f"s3://key:s3cret@bucket/nowhere.csv{options}")
        assert "s3cret" not in str(raised.value)
        assert server not in str(raised.value)

    def test_the_command_line(self, here):
        """A folder, and a JSON answer with the same numbers."""
        run = CliRunner().invoke(program, ["calibration", "s3://bucket/days", "--json"])
        assert run.exit_code == 0, run.output
        assert json.loads(run.stdout)["results"][0]["n"] == ROWS

    @pytest.mark.parametrize(
        ("command", "status"),
        [
            ("sql s3://bucket/days/00/part.parquet --dialect duckdb", 0),
            ("recalibrate s3://bucket/days/00/part.parquet --method temperature", 0),
            ("serve s3://bucket/days/00/part.parquet --no-open", 2),  # cannot be watched
        ],
    )
    def test_other_commands(self, command, status):
        """Those that read a file in their own way."""
        run = CliRunner().invoke(program, command.split())
        assert run.exit_code == status, run.output

    @pytest.mark.parametrize(
        ("uri", "code", "fact"),
        [
            ("s3://nobucket/a.csv", "no-such-file", "'nobucket'"),
            ("s3://bucket/days/00/prat.parquet", "no-such-file", "part.parquet"),
            ("s3://bucket/days/*.feather", "no-such-file", "*.feather"),
            ("s3://bucket/none", "no-ordinary-file", "s3://bucket/none"),
            ("s3://bucket/mixed", "several-formats", ".parquet"),
            ("s3://bucket/empty.csv", "empty-file", "empty.csv"),
            ("s3://bucket/damaged.parquet", "unreadable-file", "damaged.parquet"),
            ("ftp://bucket/a.csv", "unknown-store", "s3://"),
        ],
    )
    @pytest.mark.parametrize("engine", ["auto", "counts"])
    def test_what_is_missing_is_refused(self, uri, code, fact, engine):
        """In one sentence that names it."""
        with refused(InputError, code, fact):
            read(uri, engine=engine)


@contextmanager
def serving(handler):
    """Serve HTTP on this machine; give the address."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as web:
        thread = threading.Thread(target=web.serve_forever, args=(0.01,))  # it looks so often
        thread.start()
        try:
            yield f"127.0.0.1:{web.server_port}"
        finally:
            web.shutdown()
            thread.join()


def answering(status):
    """Return what answers every request with a status and nothing else."""

    class Answering(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            self.end_headers()

        do_HEAD = do_GET  # noqa: N815

        def log_message(self, *_):
            pass

    return Answering


class Files(http.server.SimpleHTTPRequestHandler):
    """The files of a folder."""

    def log_message(self, *_):  # noqa: D102
        pass


@pytest.mark.parametrize("keys", [{}, KEYS])
def test_denied_access_is_refused(keys, monkeypatch):
    """Without credentials, or with those that may not read the file."""
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    for name, value in keys.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with serving(answering(403)) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{address}")
        for uri in ("s3://bucket/a.csv", "s3://bucket/*.csv"):
            with refused(InputError, "access-denied", "s3://bucket", "AWS_ACCESS_KEY_ID"):
                read(uri)


CLIENT = re.compile(r"AWS Error|curl|Object operation|Error\(|[{}<>]")


@pytest.mark.parametrize(
    ("status", "code"), [(400, "no-connection"), (403, "access-denied"), (404, "no-such-file")]
)
@pytest.mark.parametrize("uri", ["s3://bucket/a.csv", "http://{}/a.csv"])
def test_what_a_server_refuses_is_one_sentence(uri, status, code, monkeypatch):
    """A store and a web server; none of the words of their clients."""
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    with serving(answering(status)) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{address}")
        with refused(InputError, code, uri.format(address)) as raised:
            read(uri.format(address))
    assert CLIENT.search(str(raised.value)) is None
    assert ("HTTP status 400" in str(raised.value)) == (status == 400)


def test_a_server_that_does_not_answer_is_named():
    """Of a web server by the URI, of a store by what its client says."""
    with refused(InputError, "no-connection", "'127.0.0.1:9'"):
        read("http://127.0.0.1:9/a.csv")
    texts = {
        "AWS Error NETWORK_CONNECTION during HeadObject operation: curlCode: 7, Could not connect "
        "to server; Details: Failed to connect to 127.0.0.1 port 9 after 0 ms: x": "127.0.0.1:9",
        "AWS Error NETWORK_CONNECTION during HeadObject operation: curlCode: 6, Could not resolve "
        "hostname; Details: Could not resolve host: no.such (Could not)": "no.such",
        "AWS Error UNKNOWN (HTTP status 503) during HeadObject operation: No body": "status 503",
        "AWS Error NETWORK_CONNECTION during HeadObject operation: curlCode: 28": "AWS_ENDPOINT",
    }
    for text, fact in texts.items():
        refusal = _refusal(RemoteFile("s3://key:s3cret@bucket/a.csv"), OSError(text))
        assert refusal.code == "no-connection"
        assert fact in str(refusal)
        assert CLIENT.search(str(refusal)) is None


@pytest.mark.parametrize("engine", ["auto", "counts"])
def test_files_on_web_servers(tmp_path, here, engine):
    """A server that knows no parts of files; what follows ? is no part of the name."""
    parquet.write_table(rows(), tmp_path / "t.parquet")
    (tmp_path / "t.csv").write_bytes(as_csv(rows()))
    with serving(functools.partial(Files, directory=tmp_path)) as address:
        for name in ("t.csv", "t.parquet?token=a*//b"):
            assert_same(read(f"http://{address}/{name}", engine=engine), here)
        with refused(InputError, "no-such-file", "u.csv") as raised:
            read(f"http://{address}/u.csv?token=s3cret")
        assert "s3cret" not in str(raised.value)


def test_local_folders(tmp_path, here):
    """Hidden files and those of folders that begin with _ are left out."""
    for number in range(3):
        (tmp_path / f"0{number}").mkdir()
        parquet.write_table(rows().slice(number * 300, 300), tmp_path / f"0{number}/t.parquet")
    for name in (".t.parquet", "_SUCCESS", "notes.txt"):
        (tmp_path / name).write_bytes(b"-")
    assert_same(read(tmp_path), here)
    assert_same(read(str(tmp_path), engine="counts"), here)
    (tmp_path / "t.csv").write_bytes(as_csv(rows()))
    with refused(InputError, "several-formats", ".csv", ".parquet"):
        read(tmp_path)


def test_a_remote_file_is_its_uri():
    """Also in another process; its name has no options."""
    file = RemoteFile("s3://key:s3cret@bucket/a b/c.parquet?region=x")
    twin = pickle.loads(pickle.dumps(file))  # noqa: S301
    assert (str(twin), twin.name, twin.suffix) == (file.uri, "c.parquet", ".parquet")
    assert twin.absolute() == file
    assert file.shown == "s3://bucket/a b/c.parquet"
    assert not is_remote("C:/a.csv")
    assert not is_remote("a.csv")
