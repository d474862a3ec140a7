"""What the widgets have in common: inputs, models and classes to choose, work in the background."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QListWidget
from Orange.data import Table
from Orange.evaluation import Results
from Orange.widgets import gui
from Orange.widgets.evaluate.contexthandlers import EvaluationResultsContextHandler
from Orange.widgets.settings import ContextSetting
from Orange.widgets.utils import colorpalettes
from Orange.widgets.utils.concurrent import ConcurrentWidgetMixin, TaskState
from Orange.widgets.widget import Input, Msg, OWWidget

import plumbline as pb
from plumbline.errors import Surface, collected_warnings, plain_name
from plumbline_orange.saving import writers

NONE = "(none)"
TOGETHER = (
    "The attribute that says which rows belong together, such as the patient: p-values, ranges and "
    "intervals do not take them as independent. Attributes without missing values are offered."
)


class EvaluationWidget(OWWidget, ConcurrentWidgetMixin, openclass=True):
    """A widget that takes evaluation results, or a table with probabilities.

    A subclass builds its controls in `__init__` after `super().__init__()`, puts `target_box` and
    `models_box` where they belong, and overrides `data_changed`, which is called with `self.data`
    set, or None where there is nothing to show. Work goes through `compute`.

    Attributes
    ----------
    data : the predictions of the input, or None
    results : the evaluation results of the input, or None where a table came
    source : the results or the table of the input, or None
    classifier_names : names of the models, in the order of the input
    colors : a colour for each model
    selected_classifiers : places of the models chosen in the list
    target_index : place of the positive class
    together : the attribute that says which rows belong together, "" for none
    """

    class Inputs:
        evaluation_results = Input("Evaluation Results", Results, default=True)
        predictions = Input("Predictions", Table)

    class Error(OWWidget.Error):
        input_refused = Msg("{}")
        failed = Msg("{}")

    class Warning(OWWidget.Warning):
        input_notes = Msg("{}")
        notes = Msg("{}")

    class Information(OWWidget.Information):
        notes = Msg("{}")

    graph_writers = writers(OWWidget.graph_writers)
    settingsHandler = EvaluationResultsContextHandler()
    target_index = ContextSetting(0)
    selected_classifiers = ContextSetting([])
    together = ContextSetting("")

    def __init__(self) -> None:
        OWWidget.__init__(self)
        ConcurrentWidgetMixin.__init__(self)
        self.data: pb.Predictions | None = None
        self.results: Results | None = None
        self.source: Results | Table | None = None
        self.classifier_names: list[str] = []
        self.colors: list[Any] = []
        self._inputs: dict[str, Any] = {}
        self._done: Callable[[Any], None] | None = None
        self._partly: Callable[[Any], None] | None = None

    # ------------------------------------------------------------------ controls

    def target_box(self, parent: Any) -> Any:
        """Put the choice of the positive class into `parent`."""
        return gui.comboBox(
            parent,
            self,
            "target_index",
            label="Target class:",
            orientation=Qt.Horizontal,
            callback=self.selection_changed,
            contentsLength=8,
            searchable=True,
        )

    def models_box(self, parent: Any) -> Any:
        """Put the list of models into `parent`; each has the colour of its line."""
        return gui.listBox(
            parent,
            self,
            "selected_classifiers",
            "classifier_names",
            box="Classifiers",
            selectionMode=QListWidget.ExtendedSelection,
            callback=self.selection_changed,
        )

    def groups_box(self, parent: Any) -> Any:
        """Put the choice of the attribute that names groups of rows into `parent`."""
        return gui.comboBox(
            parent,
            self,
            "together",
            label="Rows together by:",
            orientation=Qt.Horizontal,
            items=[NONE],
            sendSelectedValue=True,
            emptyString=NONE,
            callback=self.groups_changed,
            contentsLength=8,
            searchable=True,
            tooltip=TOGETHER,
        )

    # -------------------------------------------------------------------- inputs

    @Inputs.evaluation_results
    def set_results(self, results: Results | None) -> None:
        """Take evaluation results; None where they are taken away."""
        self._take("results", results)

    @Inputs.predictions
    def set_predictions(self, table: Table | None) -> None:
        """Take a table with probability columns; None where it is taken away."""
        self._take("table", table)

    def _take(self, name: str, value: Any) -> None:
        """Show the results that are connected, else the table."""
        self._inputs[name] = value
        results = self._inputs.get("results")
        source = results if results is not None else self._inputs.get("table")
        self.closeContext()
        self.cancel()
        self.clear_messages()
        self.data = self.results = self.source = None
        self.classifier_names, self.selected_classifiers, self.colors = [], [], []
        self.controls.target_index.clear()
        with self.groups_offered(()):
            pass
        if source is not None:
            try:
                self.data, warned = heard(lambda: pb.Predictions.from_orange(source))
                if warned:
                    self.Warning.input_notes("\n".join(warned))
            except pb.PlumblineError as error:
                self.Error.input_refused(sentence_of(error))
        if self.data is not None:
            self.results, self.source = results, source
            self._offer(self.data)
        self.data_changed()

    def _offer(self, data: pb.Predictions) -> None:
        """Fill the lists of models and classes, and open what was chosen for them before."""
        self.classifier_names = list(data.models) or ["model"]
        self.colors = colorpalettes.get_default_curve_colors(len(self.classifier_names))
        if hasattr(self.controls, "selected_classifiers"):  # a list is drawn
            models = self.controls.selected_classifiers
            for place, color in enumerate(self.colors):
                models.item(place).setIcon(colorpalettes.ColorIcon(color))
        self.selected_classifiers = list(range(len(self.classifier_names)))
        self.controls.target_index.addItems(data.classes)
        self.target_index = data.positive
        with self.groups_offered(naming_groups(data)):
            self.openContext(list(data.classes), self.classifier_names)

    @contextmanager
    def groups_offered(self, names: Sequence[str]) -> Iterator[None]:
        """Offer attributes; what a context then opens and is none of them becomes "(none)"."""
        if hasattr(self.controls, "together"):  # a choice is drawn
            combo = self.controls.together
            combo.clear()
            combo.addItems([NONE, *names])
            combo.setEnabled(bool(names))
        self.together = ""
        yield
        if self.together not in names:
            self.together = ""

    @property
    def target(self) -> str:
        """The positive class."""
        assert self.data is not None
        return self.data.classes[self.target_index]

    def chosen(self) -> pb.Predictions:
        """Return the rows of the chosen models, with the chosen class as the positive one."""
        assert self.data is not None
        data = self.data
        if data.models and len(self.selected_classifiers) < len(data.models):
            data = data.select(model=[data.models[i] for i in self.selected_classifiers])
        return self.in_groups(data)

    def in_groups(self, data: pb.Predictions) -> pb.Predictions:
        """Return rows in the groups of the chosen attribute, as they are where none is chosen."""
        return data.in_groups(self.together) if self.together else data

    def data_changed(self) -> None:
        """Show `self.data`, which is new; None where there is nothing."""
        raise NotImplementedError

    def selection_changed(self) -> None:
        """Show what was chosen."""
        self.data_changed()

    def groups_changed(self) -> None:
        """Show what other groups of rows change."""
        self.selection_changed()

    # ---------------------------------------------------------------- background

    def compute(
        self,
        done: Callable[[Any], None],
        work: Callable[..., Any],
        partly: Callable[[Any], None] | None = None,
    ) -> None:
        """Run `work(progress)` in a thread, then `done(result)` in this one; a newer call cancels.

        What Plumbline refuses is shown as an error. `progress(done, total)` moves the bar, and
        stops the work where it was cancelled. With `partly` it is `work(progress, show)`, and what
        the work gives to `show` on the way is given to `partly` in this thread.
        """
        self.Error.failed.clear()
        self._done, self._partly = done, partly
        self.start(_run, work, partly is not None)

    def on_partial_result(self, result: Any) -> None:
        """Hand on what is known on the way."""
        if self._partly is not None:
            self._partly(result)

    def on_done(self, result: Any) -> None:
        """Hand the result on."""
        if self._done is not None:
            self._done(result)

    def on_exception(self, ex: Exception) -> None:
        """Show a refusal as an error; a fault of the program is Orange's to report."""
        if not isinstance(ex, pb.PlumblineError):
            raise ex
        self.Error.failed(sentence_of(ex))

    def onDeleteWidget(self) -> None:
        """Stop the work when the widget goes."""
        self.shutdown()
        super().onDeleteWidget()


def naming_groups(data: pb.Predictions) -> list[str]:
    """Return the attributes that say of every row to which group it belongs."""
    names = []
    for name in data.attributes or ():
        try:
            data.in_groups(name)
        except pb.PlumblineError:  # a row has none
            continue
        names.append(name)
    return names


def heard(call: Callable[[], Any]) -> tuple[Any, tuple[str, ...]]:
    """Return the result of a call, and what Plumbline warned of, to be shown by Orange."""
    with collected_warnings() as collected:
        result = call()
    return result, tuple(dict.fromkeys(map(sentence_of, collected)))


class Words(Surface):
    """How a widget names arguments, which nobody types here."""

    remedies: ClassVar[dict[str, str]] = {"rows-of-the-fit": "use other rows"}

    def argument(self, name: str) -> str:
        """Return the argument in plain words."""
        return plain_name(name)

    def setting(self, name: str, value: str) -> str:
        """Return what an argument is set to, in plain words."""
        return f"{plain_name(name)} {value}"


def message_of(error: pb.PlumblineError | pb.PlumblineWarning) -> str:
    """Return what an error or a warning says, in the words of a widget."""
    return error.worded(Words())


def sentence_of(error: pb.PlumblineError | pb.PlumblineWarning) -> str:
    """Return what an error or a warning says, beginning with a capital."""
    text = message_of(error)
    return text[:1].upper() + text[1:]


class CancelledError(Exception):
    """The work was cancelled."""


def _run(work: Callable[..., Any], shows: bool, state: TaskState) -> Any:
    def progress(done: int, total: int) -> None:
        if state.is_interruption_requested():
            raise CancelledError
        state.set_progress_value(100 * done / max(total, 1))

    with np.errstate(all="ignore"):
        return work(progress, state.set_partial_result) if shows else work(progress)
