"""Whoever is not a page of this server is turned away."""

import socket

import pytest

from serving import TOKEN, server

SAYS = "Open the workbench at the address"
PATHS = ("", "api/start", "assets/workbench.js", "nothing", "api/tables/x/columns")


@pytest.fixture(scope="module")
def client():
    """A server without tables: nothing here needs one."""
    with server() as client:
        yield client


def test_the_page_and_its_files_are_sent(client):
    """The address leads to the page, and the page to its two files."""
    for path, kind in (
        ("", "text/html"),
        ("assets/workbench.js", "text/javascript"),
        ("assets/workbench.css", "text/css"),
    ):
        status, headers, raw = client.send("GET", path)
        assert status == 200
        assert headers["content-type"].startswith(kind)
        assert len(raw) > 100


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("token", ["wrong", "", "secre", "secret2", "..", "%73ecre", "sécret"])
def test_without_the_secret_there_is_nothing(client, path, token):
    """A wrong secret is refused everywhere alike, so that nothing can be learnt."""
    from urllib.parse import quote

    status, found = client.json("GET", path, token=quote(token, safe="%."))
    assert status == 403
    assert found["error"]["message"].startswith(SAYS)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost.evil:{port}",
        "127.0.0.1:{port}@evil.example",
        "0.0.0.0:{port}",
        "",
    ],
)
def test_a_strange_host_is_refused(client, host):
    """A name that was made to point here (DNS rebinding) is not this server's."""
    headers = {"Host": host.format(port=client.port)}
    assert client.send("GET", "api/start", headers=headers)[0] == 403


def test_this_machine_s_two_names_are_known(client):
    """The address may be written with the number or with the name."""
    for name in ("127.0.0.1", "localhost"):
        headers = {"Host": f"{name}:{client.port}"}
        assert client.send("GET", "api/start", headers=headers)[0] == 200


@pytest.mark.parametrize(
    ("name", "value", "status"),
    [
        ("Origin", "http://evil.example", 403),
        ("Origin", "null", 403),
        ("Origin", "https://127.0.0.1:{port}", 403),
        ("Origin", "http://localhost:{port}", 403),
        ("Origin", "http://127.0.0.1:{port}.evil.example", 403),
        ("Origin", "http://127.0.0.1:{port}", 200),
        ("Sec-Fetch-Site", "cross-site", 403),
        ("Sec-Fetch-Site", "same-site", 403),
        ("Sec-Fetch-Site", "same-origin", 200),
        ("Sec-Fetch-Site", "none", 200),
    ],
)
def test_a_page_of_another_site_is_refused(client, name, value, status):
    """What the browser says about the page that asks decides, secret or not."""
    headers = {name: value.format(port=client.port)}
    for method, path in (("GET", "api/start"), ("POST", "api/tables/none/alive")):
        found = client.send(method, path, headers=headers)[0]
        assert found == (status if status == 403 or method == "GET" else 404)


@pytest.mark.parametrize(
    "name",
    [
        "index.html",
        "../index.html",
        "..%2findex.html",
        "%2e%2e/%2e%2e/__init__.py",
        "",
        ".",
        "/etc/passwd",
        "workbench.js%00",
        "LICENSE.preact.txt",
        "workbench.js/..",
    ],
)
def test_only_the_two_files_have_names(client, name):
    """No name in a request becomes a path."""
    status, headers, _ = client.send("GET", f"assets/{name}")
    assert status == 404
    assert headers["content-type"] == "application/json"


@pytest.mark.parametrize("token", [TOKEN, "wrong"])
@pytest.mark.parametrize("path", PATHS)
def test_every_response_says_what_a_browser_may_do_with_it(client, path, token):
    """The policy stands on answers, failures and refusals."""
    headers = client.send("GET", path, token=token)[1]
    policy = headers["Content-Security-Policy"]
    for rule in (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ):
        assert rule in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize("method", ["PUT", "PATCH", "OPTIONS", "DELETE"])
def test_other_methods_are_refused(client, method):
    """Only what the page does is understood."""
    assert client.send(method, "api/start")[0] == 405


@pytest.mark.parametrize("line", ["OPTIONS *", "CONNECT 127.0.0.1:80", "GET foo", "GET ?x"])
def test_an_address_that_is_no_path_is_refused(client, line):
    """What no browser would send is turned away like the rest, with the same policy."""
    with socket.create_connection(("127.0.0.1", client.port), timeout=20) as sock:
        sock.sendall(f"{line} HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n\r\n".encode())
        said = sock.recv(8192)
    assert b" 403 " in said.splitlines()[0] or b" 400 " in said.splitlines()[0]
    assert b"nternal" not in said
    if b" 403 " in said.splitlines()[0]:
        assert b"default-src 'none'" in said


def test_a_link_to_the_page_may_be_followed_from_anywhere(client):
    """Only to the page, only by a person, only with the secret; everything else stays refused."""
    visit = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }
    assert client.send("GET", "", headers=visit)[0] == 200
    assert client.send("GET", "", headers=visit, token="wrong")[0] == 403
    assert client.send("GET", "api/start", headers=visit)[0] == 403
    assert client.send("POST", "", headers=visit)[0] == 403
    for other in (
        {"Sec-Fetch-Dest": "iframe"},
        {"Sec-Fetch-Mode": "no-cors"},
        {"Origin": "http://evil.example"},
    ):
        assert client.send("GET", "", headers={**visit, **other})[0] == 403


def test_there_are_no_pages_about_the_server(client):
    """No listing, no description of the interface."""
    for path in ("docs", "openapi.json", "assets", "assets/", "api", "api/tables", "static"):
        assert client.send("GET", path)[0] in (404, 405)
