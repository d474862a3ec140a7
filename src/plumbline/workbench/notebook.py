"""The workbench in a notebook: a widget whose questions are answered beside the running kernel.

What the page sends is `{id, question}` or `{id, cancel: true}`; what it gets is `{id, progress}`,
`{id, failure}`, or `{id}` with the bytes of the answer as one buffer.
"""

import base64
import queue
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from plumbline._checks import shorten, whole_number
from plumbline.curves import curve
from plumbline.errors import ParameterError, PlumblineError
from plumbline.predictions import Predictions
from plumbline.workbench.questions import TableQuestions
from plumbline.workbench.server.failures import Cancelled, failure, failure_of
from plumbline.workbench.server.limits import Limits
from plumbline.workbench.wire import encode

STATIC = Path(__file__).parent / "static"
LEAST, MOST = 200, 10_000  # pixels
STEP = 0.1  # seconds between two messages of progress
CRASHED = (
    "This is an error in Plumbline, not in your data. The log of the notebook shows the details."
)
TOO_LARGE = (
    "This needs more memory than the kernel has left. Choose fewer rows, models or resamples."
)


class Workbench(anywidget.AnyWidget):
    """A table on the workbench, in the output of a cell.

    Attributes
    ----------
    height : of the widget in pixels
    name : what the table is called
    style : its style sheet, for the tree of its own in which it stands apart from the notebook
    """

    _esm = STATIC / "workbench.js"
    height = traitlets.Int(720).tag(sync=True)
    name = traitlets.Unicode("table").tag(sync=True)
    style = traitlets.Unicode().tag(sync=True)

    def __init__(self, data: Predictions, *, height: int = 720, name: str = "table") -> None:
        self._questions = TableQuestions(data, name=name)
        self._waiting: queue.SimpleQueue[tuple[str, Any] | None] = queue.SimpleQueue()
        self._cancelled: set[str] = set()
        self._open: set[str] = set()
        self._worker: threading.Thread | None = None
        self._data = data
        style = (STATIC / "workbench.css").read_text("utf-8")
        super().__init__(height=height, name=name, style=style)
        self.on_msg(self._heard)

    def close(self) -> None:
        """Take the widget away; what is being computed is stopped."""
        self._cancelled |= self._open
        self._waiting.put(None)
        super().close()

    def _repr_mimebundle_(self, **given: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Return the widget, and beside it a picture for where none is: a saved notebook.

        Pages without a kernel (GitHub, nbviewer, exported files) show the picture.
        """
        shown = super()._repr_mimebundle_(**given)
        picture = _picture(self._data)
        if shown is None or picture is None:
            return shown
        (bundle, metadata), (png, size) = shown, picture
        return bundle | {"image/png": png}, metadata | {"image/png": size}

    # ---------------------------------------------------------------- messages

    def _heard(self, _: Any, content: Any, __: Any) -> None:
        """Take a message of the page; a damaged one has nobody to be answered to."""
        key = content.get("id") if isinstance(content, dict) else None
        if not isinstance(key, str):
            return
        if content.get("cancel"):
            self._cancelled |= {key} & self._open
            return
        self._open.add(key)
        self._waiting.put((key, content.get("question")))
        if self._worker is None:
            self._worker = threading.Thread(target=self._work, name="plumbline", daemon=True)
            self._worker.start()

    def _work(self) -> None:
        """Answer what waits, one question after the other, so that the kernel stays free."""
        while (job := self._waiting.get()) is not None:
            key, question = job
            try:
                answer, buffers = self._answered(key, question)
                self.send({"id": key, **answer}, buffers)
            finally:
                self._open.discard(key)
                self._cancelled.discard(key)

    def _answered(self, key: str, question: Any) -> tuple[dict[str, Any], list[bytes]]:
        try:
            progress = self._progress(key)
            progress(0, 1)
            return {}, [encode(self._questions.answer(question, progress=progress))]
        except (PlumblineError, Cancelled) as error:
            return {"failure": failure_of(error, Limits())}, []
        except MemoryError:
            return {"failure": failure("limit", TOO_LARGE)}, []
        except Exception as error:  # noqa: BLE001  # no question may end the thread
            traceback.print_exception(error, file=sys.stderr)
            return {"failure": failure("crash", CRASHED)}, []

    def _progress(self, key: str) -> Any:
        """Return what tells the page how far the work is, and stops it where nobody waits."""
        last = time.monotonic()

        def tell(done: int, total: int) -> None:
            nonlocal last
            if key in self._cancelled:
                raise Cancelled
            if time.monotonic() - last > STEP:
                last = time.monotonic()
                self.send({"id": key, "progress": {"done": done, "total": total}})

        return tell


def _picture(data: Predictions) -> tuple[str, dict[str, int]] | None:
    """Return the ROC curves of a table as base64 of PNG and its size, None where it has none."""
    try:
        png, size = curve(data, "roc").figure()._repr_png_()
    except PlumblineError:  # without matplotlib, ratings or both classes
        return None
    return base64.b64encode(png).decode(), size


def workbench(data: Predictions, *, height: int = 720, name: str = "table") -> Workbench:
    """Return the widget of a table; `height` in pixels.

    Raises ParameterError for a height that is none.
    """
    whole_number("height", height, least=LEAST, most=MOST)
    if not isinstance(name, str):
        raise ParameterError(
            code="wrong-kind", argument="name", rule="a text", arrived=shorten(name)
        )
    return Workbench(data, height=height, name=name)
