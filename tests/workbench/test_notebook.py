"""The widget of a notebook answers messages; no browser is needed to see that."""

import base64
import itertools
import struct
import sys
import threading
import time

import pytest
from loans import loans

import plumbline as pb
from plumbline.errors import MissingExtraError, ParameterError
from plumbline.workbench import TableQuestions, decode, encode
from plumbline.workbench.notebook import STATIC
from refusals import refused
from serving import wait_until

WAIT = 20  # seconds


class Page:
    """What a page is for a widget: it sends messages, and keeps those that come."""

    def __init__(self, widget):
        self.widget, self.heard, self.news = widget, [], threading.Condition()
        widget.send = self._take

    def _take(self, content, buffers=None):
        with self.news:
            self.heard.append((content, buffers or []))
            self.news.notify_all()

    def say(self, content):
        """Send a message as the kernel hands it on."""
        self.widget._handle_custom_msg(content, [])

    def end(self, key):
        """Wait for the last message to a question, and return it with its buffers."""
        limit = time.monotonic() + WAIT
        with self.news:
            while True:
                for content, buffers in self.heard:
                    if content["id"] == key and "progress" not in content:
                        return content, buffers
                assert self.news.wait(limit - time.monotonic()), f"nothing came for {key}"


@pytest.fixture(scope="module")
def data():
    """Loans that two lenders judge."""
    return loans(200, models=("careful", "hasty"))


@pytest.fixture
def page(data):
    """A page on a widget of the loans."""
    widget = data.workbench(height=500, name="loans")
    yield Page(widget)
    widget.close()


def test_a_question_is_answered_with_the_bytes_of_the_workbench(page, data):
    """The answer comes as one buffer, the same as over HTTP."""
    question = {"kind": "confusion", "threshold": 0.4}
    page.say({"id": "1", "question": question})
    content, (raw,) = page.end("1")
    assert content == {"id": "1"}
    assert raw == encode(TableQuestions(data, name="loans").answer(question))
    assert decode(raw)["results"][0]["model"] == "careful"


def test_a_failure_is_reported_in_words(page):
    """A wrong question, a wrong formula and no question at all each have their kind."""
    page.say({"id": "1", "question": {"kind": "nothing"}})
    page.say({"id": "2", "question": {"kind": "curve", "curve": {"x": "TP +", "y": "FP"}}})
    page.say({"id": "3", "question": "?"})
    assert page.end("1")[0]["failure"]["kind"] == "parameter"
    failure = page.end("2")[0]["failure"]
    assert failure["kind"] == "formula"
    assert {"formula", "start", "end"} <= set(failure)
    assert page.end("3")[0]["failure"]["kind"] == "parameter"


def test_a_mistake_inside_is_reported_too_and_the_next_question_answered(page, monkeypatch, capsys):
    """What nobody raised on purpose is a crash; the widget lives on."""
    monkeypatch.setattr(page.widget._questions, "answer", lambda *_, **__: 1 / 0)
    page.say({"id": "1", "question": {"kind": "about"}})
    assert page.end("1")[0]["failure"]["kind"] == "crash"
    assert "ZeroDivisionError" in capsys.readouterr().err
    monkeypatch.undo()
    page.say({"id": "2", "question": {"kind": "about"}})
    assert "failure" not in page.end("2")[0]


def test_work_is_reported_and_cancelled_while_the_kernel_is_free(page, monkeypatch):
    """Messages come back at once; progress arrives; a cancelled question ends, waiting ones too."""
    begun = threading.Event()

    def long_work(_, *, progress):
        begun.set()
        for step in itertools.count():
            progress(min(step, 399), 400)
            time.sleep(0.02)

    monkeypatch.setattr(page.widget._questions, "answer", long_work)
    page.say({"id": "1", "question": {"kind": "about"}})
    page.say({"id": "2", "question": {"kind": "about"}})
    assert begun.wait(WAIT)
    assert wait_until(lambda: any("progress" in content for content, _ in page.heard))
    page.say({"id": "2", "cancel": True})
    page.say({"id": "1", "cancel": True})
    assert page.end("1")[0]["failure"]["kind"] == "cancelled"
    assert page.end("2")[0]["failure"]["kind"] == "cancelled"
    told = [content["progress"] for content, _ in page.heard if "progress" in content]
    assert told[0]["total"] == 400


def test_damaged_messages_are_let_pass(page):
    """What is no message is ignored, and so is the end of a question that nobody asked."""
    for content in ({}, {"id": 3}, {"id": "x", "cancel": True}, "text", None):
        page.say(content)
    page.say({"id": "1", "question": {"kind": "about"}})
    assert "failure" not in page.end("1")[0]


def test_two_widgets_do_not_mix(data):
    """Each answers from its own table."""
    pages = [Page(data.select(model=model).workbench()) for model in ("careful", "hasty")]
    for page in pages:
        page.say({"id": "1", "question": {"kind": "about"}})
    models = [decode(page.end("1")[1][0])["models"] for page in pages]
    assert models == [["careful"], ["hasty"]]
    for page in pages:
        page.widget.close()


def test_a_closed_widget_ends_its_thread(page):
    """Nothing runs on for a widget that is gone."""
    page.say({"id": "1", "question": {"kind": "about"}})
    page.end("1")
    page.widget.close()
    page.widget._worker.join(WAIT)
    assert not page.widget._worker.is_alive()


def test_the_widget_carries_the_front_end(page):
    """The module and its style sheet are the built files."""
    widget = page.widget
    assert "default" in str(widget._esm)
    assert str(widget._esm) == (STATIC / "workbench.js").read_text("utf-8")
    assert widget.style == (STATIC / "workbench.css").read_text("utf-8")
    assert not hasattr(widget, "_css")
    assert (widget.height, widget.name) == (500, "loans")
    mime = widget._repr_mimebundle_()[0]
    assert "application/vnd.jupyter.widget-view+json" in mime


def test_a_picture_stays_in_the_saved_notebook(page, monkeypatch):
    """Beside the widget its output holds a picture, for pages without a kernel."""
    bundle, metadata = page.widget._repr_mimebundle_()
    assert {"application/vnd.jupyter.widget-view+json", "image/png"} <= set(bundle)
    png = base64.b64decode(bundle["image/png"])
    width, height = struct.unpack(">II", png[16:24])
    size = metadata["image/png"]
    assert abs(width - 2 * size["width"]) <= 1
    assert abs(height - 2 * size["height"]) <= 1

    def without_matplotlib(*_):
        raise MissingExtraError("no matplotlib", code="missing-package")

    monkeypatch.setattr("plumbline.workbench.notebook.curve", without_matplotlib)
    assert set(page.widget._repr_mimebundle_()[0]) == set(bundle) - {"image/png"}


def test_a_widget_needs_its_package_and_a_height(data, monkeypatch):
    """Without anywidget the command that installs it is told; a height is a number of pixels."""
    with refused(ParameterError, "no-whole-number", argument="height"):
        data.workbench(height=-1)
    with refused(ParameterError, "wrong-kind", argument="name"):
        data.workbench(name=3)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with refused(MissingExtraError, "missing-package", "plumbline-eval[notebook]"):
        pb.Predictions.from_arrays([0, 1], [0.1, 0.9]).workbench()
