"""The widget of a notebook, on a page that does what anywidget does."""

import http.server
import json
import threading

import pytest

import plumbline as pb
from plumbline.workbench.notebook import STATIC

# The page of a notebook with a style of its own, and as many cells as tables. `model` is what
# anywidget hands to a view: messages go to the kernel, and come back to all who listen.
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Notebook</title>
<link rel="icon" href="data:,">
<style>body { font: 20px serif; color: #010203; background: #fff; }
.jp-Notebook dt, .jp-Notebook dd { float: left; color: red; }</style>
</head><body class="jp-Notebook"><h1>Notebook</h1><p id="prose">Prose of the notebook</p>
<section aria-label="Cell 0"></section><section aria-label="Cell 1"></section>
<script type="module" src="/page.js"></script></body></html>"""
SCRIPT = """import workbench from "/workbench.js";
const restarts = {}, dead = new Set();
function modelOf(cell) {
  const listeners = new Set(), others = new Set();
  window.restart = (which) => restarts[which]();
  restarts[cell] = () => {
    dead.add(cell);
    others.forEach((one) => one());
  };
  const hear = async () => {
    for (;;) {
      const response = await fetch(`/hear/${cell}`);
      if (response.status === 204) continue;
      const content = JSON.parse(decodeURIComponent(response.headers.get("X-Content")));
      const bytes = await response.arrayBuffer();
      const buffers = bytes.byteLength ? [new DataView(bytes)] : [];
      for (const listener of [...listeners]) listener(content, buffers);
    }
  };
  hear().catch(() => undefined);
  return {
    get: (name) => ({ height: 640, name: "loans", style })[name],
    send(content) {
      if (dead.has(cell)) return;
      void fetch(`/say/${cell}`, { method: "POST", body: JSON.stringify(content) });
    },
    on(event, listener) {
      if (event === "msg:custom") listeners.add(listener);
      if (event === "comm_live_update") others.add(listener);
    },
    off: (event, listener) => listeners.delete(listener),
  };
}
const style = await (await fetch("/workbench.css")).text();
const cells = [...document.querySelectorAll("section")];
const leaves = cells.map((el, cell) => workbench.render({ model: modelOf(cell), el }));
window.leave = (cell) => leaves[cell]();
"""


class Kernel:
    """Widgets in this process, and the messages that wait for their pages."""

    def __init__(self, tables):
        self.widgets = [table.workbench(name=f"table {cell}") for cell, table in enumerate(tables)]
        self.waiting = [[] for _ in tables]
        self.news = threading.Condition()
        for cell, widget in enumerate(self.widgets):
            widget.send = self._sender(cell)

    def _sender(self, cell):
        def send(content, buffers=None):
            with self.news:
                self.waiting[cell].append((content, b"".join(buffers or [])))
                self.news.notify_all()

        return send

    def said(self, cell):
        """Return the next message to a page, None where none came for a while."""
        with self.news:
            self.news.wait_for(lambda: self.waiting[cell], timeout=1)
            return self.waiting[cell].pop(0) if self.waiting[cell] else None


class Handler(http.server.BaseHTTPRequestHandler):
    """The page, the front end, and the messages of the widgets."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Say nothing."""

    def reply(self, body=b"", kind="text/plain", status=200, **headers):
        """Send a response."""
        self.send_response(status)
        for name, value in {"Content-Type": kind, **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        """Send a file, or the next message."""
        files = {
            "/": (PAGE.encode(), "text/html"),
            "/page.js": (SCRIPT.encode(), "text/javascript"),
            "/workbench.js": ((STATIC / "workbench.js").read_bytes(), "text/javascript"),
            "/workbench.css": ((STATIC / "workbench.css").read_bytes(), "text/css"),
        }
        if self.path in files:
            self.reply(*files[self.path])
            return
        told = self.server.kernel.said(int(self.path.rpartition("/")[2]))
        if told is None:
            self.reply(status=204)
            return
        content = "".join(f"%{byte:02x}" for byte in json.dumps(told[0]).encode())
        self.reply(told[1], "application/octet-stream", X_Content=content)

    def do_POST(self):
        """Hand a message to its widget."""
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        widget = self.server.kernel.widgets[int(self.path.rpartition("/")[2])]
        widget._handle_custom_msg(content, [])
        self.reply()


@pytest.fixture(scope="module")
def loans(tables):
    """The loans of three lenders."""
    return pb.read(tables / "loans.csv")


@pytest.fixture
def notebook(loans):
    """Address of a page with two widgets: all lenders, and two of them; a kernel for each test."""
    kernel = Kernel([loans, loans.select(model=["careful", "hasty"])])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.kernel, server.daemon_threads = kernel, True
    server.handle_error = lambda *_: None  # a page that leaves hangs up on its last message
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    for widget in kernel.widgets:
        widget.close()


def cell(page, number):
    """Return the output of a cell."""
    return page.get_by_role("region", name=f"Cell {number}")


def room(scope, name):
    """Go to a room of one widget."""
    scope.get_by_role("navigation").get_by_role("button", name=name, exact=True).click()


def test_the_widget_shows_the_curve_and_keeps_out_of_the_page(page, notebook):
    """Two widgets draw their curves; neither the address nor the notebook's own text changes."""
    page.goto(notebook)
    before = page.evaluate("getComputedStyle(document.getElementById('prose')).font")
    for number in (0, 1):
        cell(page, number).get_by_role("img", name="ROC curve").first.wait_for()
        cell(page, number).get_by_text(f"table {number}").first.wait_for()
    assert page.url == notebook
    assert page.title() == "Notebook"
    assert page.evaluate("getComputedStyle(document.getElementById('prose')).font") == before
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(1, 2, 3)"
    widget = cell(page, 0).locator(".plumbline.widget")
    assert widget.bounding_box()["height"] == 640
    assert cell(page, 0).locator("[data-lm-suppress-shortcuts=true]").count() == 1
    assert page.get_by_role("button", name="Close table").count() == 0


def test_two_widgets_do_not_mix(page, notebook):
    """State, labels and undo of one leave the other alone; each answers from its own table."""
    page.goto(notebook)
    first, second = cell(page, 0), cell(page, 1)
    room(first, "Confusion matrix")
    room(second, "Confusion matrix")
    for scope, models in ((first, 3), (second, 2)):
        scope.get_by_role("article").first.wait_for()
        assert scope.get_by_role("article").count() == models
    number = second.get_by_label("Threshold as a number")
    number.fill("0.3")
    number.press("Enter")
    second.get_by_text("p(yes) >= 0.3").first.wait_for()
    assert first.get_by_text("p(yes) >= 0.3").count() == 0
    own = first.get_by_label("Threshold as a number")
    assert own.input_value() == ""
    ids = page.locator("label[for]").evaluate_all("all => all.map(one => one.htmlFor)")
    assert len(ids) == len(set(ids)) > 0
    second.get_by_role("button", name="Undo").click()
    second.get_by_text("p(yes) >= 0.5").first.wait_for()
    assert page.url == notebook


def test_the_chart_has_room_beside_the_sidebar_of_a_notebook(page, notebook):
    """What the layout does in a narrow window it does in a narrow cell of a wide window, too."""
    page.set_viewport_size({"width": 1500, "height": 1000})
    page.goto(notebook)
    room(cell(page, 0), "Curves")
    for width in (1060, 700):
        page.evaluate(f"document.querySelector('section').style.width = '{width}px'")
        chart = cell(page, 0).get_by_role("img", name="ROC curve").first
        chart.wait_for()
        assert chart.bounding_box()["width"] > 300


def test_keys_belong_to_the_widget_they_are_pressed_in(page, notebook):
    """The question mark opens the help of one widget, and none when pressed elsewhere."""
    page.goto(notebook)
    for number in (0, 1):
        cell(page, number).get_by_role("navigation").wait_for()
    page.locator("#prose").click()
    page.keyboard.press("?")
    assert page.get_by_role("dialog").count() == 0
    cell(page, 1).get_by_role("button", name="Models", exact=True).focus()
    page.keyboard.press("?")
    cell(page, 1).get_by_role("dialog").wait_for()
    assert cell(page, 0).get_by_role("dialog").count() == 0


def test_a_view_that_is_taken_away_leaves_nothing(page, notebook):
    """After the clean-up the cell is empty, and the other widget goes on."""
    page.goto(notebook)
    cell(page, 0).get_by_role("navigation").wait_for()
    page.evaluate("window.leave(0)")
    assert cell(page, 0).locator("*").count() == 0
    room(cell(page, 1), "Models")
    cell(page, 1).locator(".verdicts li").first.wait_for()


def test_no_style_of_the_page_reaches_the_widget(page, notebook):
    """JupyterLab lets the terms of lists float; in the widget they stand as its own sheet says."""
    page.goto(notebook)
    cell(page, 0).locator("dt").first.wait_for()
    floats = (
        cell(page, 0)
        .locator("dt, dd")
        .evaluate_all("all => all.map(one => getComputedStyle(one).float)")
    )
    assert set(floats) == {"none"}


def test_it_follows_the_theme_of_jupyterlab(page, notebook):
    """Dark where the page says so, whatever the system prefers, and again when that changes."""
    page.goto(notebook)
    widget = cell(page, 0).locator(".plumbline.widget")
    widget.get_by_role("navigation").wait_for()
    for light, theme in (("false", "dark"), ("true", "light")):
        page.evaluate(f"document.body.dataset.jpThemeLight = '{light}'")
        page.wait_for_function(
            "theme => document.querySelector('section > div').shadowRoot"
            ".querySelector('.widget').dataset.theme === theme",
            arg=theme,
        )
        assert widget.get_attribute("data-theme") == theme


def test_after_a_restart_of_the_kernel_it_says_how_to_go_on(page, notebook):
    """The notebook tells that the channel broke; the widget asks to run the cell again."""
    page.goto(notebook)
    cell(page, 0).get_by_role("navigation").wait_for()
    page.evaluate("window.restart(0)")
    cell(page, 0).get_by_text("Run this cell again").first.wait_for(timeout=20_000)
    assert cell(page, 1).get_by_role("navigation").count() == 1


def test_narrow_and_dark_it_can_be_read(page, notebook):
    """In a dark system and a narrow cell the widget keeps its own colours and scrolls by itself."""
    page.set_viewport_size({"width": 480, "height": 800})
    page.emulate_media(color_scheme="dark")
    page.goto(notebook)
    widget = cell(page, 0).locator(".plumbline.widget")
    widget.get_by_role("navigation").wait_for()
    assert widget.get_attribute("data-theme") == "dark"
    ground = widget.evaluate("one => getComputedStyle(one).backgroundColor")
    assert ground != page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert page.evaluate("document.documentElement.scrollWidth") <= 480
