"""A real browser on a real server; nothing may leave this machine, and no error may be logged."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WAIT = 20_000  # milliseconds
SCREENSHOTS = os.environ.get("PLUMBLINE_SCREENSHOTS")  # a folder: `make screenshots`
# The server says its address in one line.
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S+")


def pytest_collection_modifyitems(items):
    """Mark every test of this folder, so that `make test` leaves them out."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests, Debian's own; the shell without windows opens a page sooner."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert path, "no chromium here; `make test-browser` says how to install it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """Run `plumbline serve` and yield the address that it prints."""
    command = [
        sys.executable,
        "-m",
        "plumbline",
        "serve",
        "--no-open",
        "--port",
        "0",
        "--max-tables",
        "64",
        *arguments,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield _address(process)
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


def _address(process) -> str:
    said = []
    start = time.monotonic()
    while time.monotonic() - start < 60:
        line = process.stdout.readline()
        if not line:
            break
        said.append(line)
        found = ADDRESS.search(line)
        if found:
            return found.group()
    raise AssertionError("the server did not say its address:\n" + "".join(said))


@pytest.fixture(scope="session")
def tables(tmp_path_factory):
    """Folder with the tables of the tests: loans of three lenders, ten classes, and odd ones."""
    from browser_tables import write_tables

    folder = tmp_path_factory.mktemp("tables")
    write_tables(folder)
    return folder


@pytest.fixture(scope="session")
def loans_address(tables):
    """Address of a server started with the loans, or of the one $PLUMBLINE_ADDRESS names."""
    running = os.environ.get("PLUMBLINE_ADDRESS")
    if running:
        yield running
        return
    with serving(str(tables / "loans.csv")) as address:
        yield address


@pytest.fixture(scope="session")
def bare_address():
    """Address of a server that was started without a file."""
    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def serve():
    """How a test file starts a server of its own: `with serve(*arguments) as address`."""
    return serving


@pytest.fixture
def page(chromium):
    """A page of its own, watched: a request to elsewhere or a logged error fails the test."""
    context = chromium.new_context(viewport={"width": 1360, "height": 900}, accept_downloads=True)
    context.set_default_timeout(WAIT)
    page = context.new_page()
    wrong: list[str] = []
    page.on("request", lambda request: _look(request.url, wrong))
    page.on("console", lambda message: _hear(message, wrong))
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    page.wrong = wrong
    yield page
    context.close()
    assert not wrong, "\n".join(wrong)


def _look(url: str, wrong: list[str]) -> None:
    if not url.startswith(("http://127.0.0.1:", "data:", "blob:http://127.0.0.1:")):
        wrong.append(f"request to {url}")


def _hear(message, wrong: list[str]) -> None:
    if message.type in ("error", "warning"):
        wrong.append(f"console {message.type}: {message.text}")


@pytest.fixture
def picture(page):
    """Take a screenshot for the documentation, where a folder for it is named."""

    def take(name: str, heading: str | None = None) -> None:
        if not SCREENSHOTS:
            return
        page.wait_for_function("() => !document.querySelector('[aria-busy=true]')", timeout=60_000)
        if heading is not None:
            found = page.get_by_role("heading", name=heading).first
            found.evaluate("element => element.scrollIntoView({block: 'start'})")
        page.wait_for_timeout(300)
        page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png")

    return take


@pytest.fixture
def accessible(page):
    """Check the page with axe, once its answers are there: no violation of any impact."""
    from axe_playwright_python.sync_playwright import Axe

    def check(*, settled: bool = True) -> None:
        if settled:  # an answer that is being renewed is drawn faded
            page.wait_for_function(
                "() => !document.querySelector('[aria-busy=true]')", timeout=60_000
            )
        found = Axe().run(page).response["violations"]
        told = [f"{v['id']}: {v['help']}: {[n['target'] for n in v['nodes']][:3]}" for v in found]
        assert not found, "\n".join(told)

    return check
