"""The widget Recalibrate: a map for the probabilities of a model, and the recalibrated model."""

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import (
    QComboBox,
    QLabel,
    QListWidget,
    QPushButton,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
)
from Orange.base import Learner, Model
from Orange.data import Table
from Orange.evaluation import Results
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.widget import Input, Msg, Output

import plumbline as pb
from plumbline.requests.choices import choices_of
from plumbline.results import RecalibrationAdvice, RecalibrationEffect
from plumbline_orange.base import (
    EvaluationWidget,
    heard,
    message_of,
    naming_groups,
    sentence_of,
)
from plumbline_orange.models import (
    RecalibratedLearner,
    RecalibratedModel,
    class_of,
    complete_variables,
    held_out_predictions,
    only_model,
    rows_fitted_on,
)
from plumbline_orange.recalibration_chart import RecalibrationChart
from plumbline_orange.tables import to_table

ADVISED, NONE = "auto", "none"
SHARE = 0.7  # of the work is the advice, where there are test data
WAITING = (
    "Connect a model and data, or evaluation results. Use rows that the model was not fitted on."
)


@dataclass(frozen=True)
class Answer:
    """What was computed.

    Attributes
    ----------
    key : the model of the results whose rows they are
    data : the rows that the map was fitted on
    advice : None where the rows are too few for one
    fitted : the map
    effect : what it changes in the test data, None without any
    refusals : why advice or effect is missing, or may mislead
    """

    key: str
    data: pb.Predictions
    advice: RecalibrationAdvice | None
    fitted: pb.RecalibrationMap
    effect: RecalibrationEffect | None
    refusals: tuple[str, ...]


class OWRecalibrate(EvaluationWidget):
    """Fits a map on rows that a model was not fitted on, and returns the recalibrated model."""

    name = "Recalibrate"
    description = "Correct the probabilities of a model by a map fitted on held-out data."
    icon = "icons/recalibrate.svg"
    priority = 30
    keywords = "recalibrate, calibration, platt, isotonic, temperature, probabilities"

    class Inputs:
        model = Input("Model", Model, default=True, doc="The model to recalibrate")
        data = Input("Data", Table, default=True, doc="Rows that the model was not fitted on")
        evaluation_results = Input(
            "Evaluation Results", Results, doc="Predictions of rows that were left out"
        )
        test_data = Input("Test Data", Table, doc="Other rows, to measure the change on")
        learner = Input("Learner", Learner, doc="A learner, to be recalibrated wherever it learns")

    class Outputs:
        model = Output("Recalibrated Model", Model)
        advice = Output("Advice", Table)
        learner = Output("Recalibrated Learner", Learner)

    class Warning(EvaluationWidget.Warning):
        missing = Msg("{}")
        fitted_rows = Msg(
            "{}: the model was fitted on {:,} of {:,} rows, so results on them are optimistic. "
            "Use other rows."
        )

    class Information(EvaluationWidget.Information):
        no_model = Msg("No recalibrated model: {}")
        unchanged = Msg("The advice is not to recalibrate. The output is the model as it is.")

    settings_version = 1
    method = Setting(ADVISED)
    auto_apply = Setting(True)
    graph_name = "chart.layout_item"

    def __init__(self) -> None:
        super().__init__()
        self.model: Model | None = None
        self.table: Table | None = None
        self.test: Table | None = None
        self.learner: Learner | None = None
        self.answer: Answer | None = None
        self._advised: tuple[str, RecalibrationAdvice] | None = None
        self._build_controls()
        self._build_chart()
        self._show(None)

    # ------------------------------------------------------------------ controls

    def _build_controls(self) -> None:
        self.models = self.models_box(self.controlArea)
        self.models.setSelectionMode(QListWidget.SingleSelection)
        self.models.setToolTip("The model whose probabilities are recalibrated.")
        self.groups_box(gui.vBox(self.controlArea, "Groups"))
        # What Orange's models give are probabilities, so what reads them can be offered at once.
        rows = pb.Predictions.from_arrays([0, 1], [0.5, 0.5])
        self.offered = choices_of("recalibration", "method", rows)
        if self.method not in {choice.value for choice in self.offered}:
            self.method = ADVISED
        box = gui.vBox(self.controlArea, "Method")
        self.method_combo = QComboBox(toolTip="The method of the map.")
        for choice in self.offered:
            self.method_combo.addItem(choice.label, choice.value)
        self.method_combo.activated.connect(
            lambda place: self.choose_method(self.offered[place].value)
        )
        box.layout().addWidget(self.method_combo)
        self.method_help = _text(box)
        self.map_text = _text(gui.vBox(self.controlArea, "Map"))
        gui.rubber(self.controlArea)
        self._show_method()
        self.cancel_button = QPushButton("Cancel", toolTip="Stop the computation.")
        self.cancel_button.clicked.connect(self.stop)
        self.cancel_button.setEnabled(False)
        self.buttonsArea.layout().addWidget(self.cancel_button)
        gui.auto_apply(self.buttonsArea, self, commit=self.commit)

    def _build_chart(self) -> None:
        self.summary = _text(self.mainArea)
        self.chart = RecalibrationChart()
        self.tables = QTabWidget()
        self.methods_table, self.effect_table = _table(), _table()
        self.methods_table.itemActivated.connect(
            lambda item: self.choose_method(self.methods_table.item(item.row(), 0).text())
        )
        self.methods_table.setToolTip("A double click fits the method.")
        self.tables.addTab(self.methods_table, "Methods")
        parts = QSplitter(Qt.Vertical)
        parts.addWidget(self.chart)
        parts.addWidget(self.tables)
        parts.setSizes([340, 260])
        parts.setChildrenCollapsible(False)
        self.mainArea.layout().addWidget(parts, 1)

    def choose_method(self, name: str) -> None:
        """Fit another method; what is none, such as the row without a map, changes nothing."""
        if name in {choice.value for choice in self.offered} and name != self.method:
            self.method = name
            self._show_method()
            self.commit.deferred()

    def _show_method(self) -> None:
        place = [choice.value for choice in self.offered].index(self.method)
        self.method_combo.setCurrentIndex(place)
        self.method_help.setText(self.offered[place].help)

    # -------------------------------------------------------------------- inputs

    @Inputs.model
    def set_model(self, model: Model | None) -> None:
        """Take the model to recalibrate."""
        self.model = model

    @Inputs.data
    def set_data(self, table: Table | None) -> None:
        """Take rows that the model was not fitted on; the map is fitted on them."""
        self.table = table

    @Inputs.evaluation_results
    def set_results(self, results: Results | None) -> None:
        """Take predictions of rows that were left out, in place of the data."""
        self.results = results

    @Inputs.test_data
    def set_test_data(self, table: Table | None) -> None:
        """Take rows that neither the model nor the map was fitted on, to measure the change."""
        self.test = table

    @Inputs.learner
    def set_learner(self, learner: Learner | None) -> None:
        """Take a learner; its map is fitted on predictions of rows that are left out."""
        self.learner = learner

    def handleNewSignals(self) -> None:
        """Start anew with what the inputs hold now."""
        self.closeContext()
        self.data, self._advised = None, None
        self.classifier_names, self.selected_classifiers = [], []
        self.clear_messages()
        if self.results is not None and (self.model is None or self.table is None):
            try:
                self.data, warned = heard(lambda: pb.Predictions.from_orange(self.results))
            except pb.PlumblineError as error:
                self.Error.input_refused(sentence_of(error))
            else:
                self._offer_models(self.data)
                if warned:
                    self.Warning.input_notes("\n".join(warned))
        if self.data is None:
            names = [] if self.table is None else complete_variables(self.table)
            with self.groups_offered(names):
                pass
        self.models.box.setVisible(self.data is not None)
        self._warn_of_fitted_rows()
        self._show(None)
        if self.Error.input_refused.is_shown():
            self.summary.setText(html.escape(str(self.Error.input_refused)))
        self.commit.now()

    def _warn_of_fitted_rows(self) -> None:
        for name, table in (("Data", self.table), ("Test Data", self.test)):
            known = self.model is not None and table is not None
            fitted = rows_fitted_on(self.model, table) if known else 0
            if fitted and (name != "Data" or self.data is None):
                self.Warning.fitted_rows(name, fitted, len(table))

    def _offer_models(self, data: pb.Predictions) -> None:
        self.classifier_names = list(data.models) or ["model"]
        name = getattr(self.model, "name", "")
        known = name in self.classifier_names
        self.selected_classifiers = [self.classifier_names.index(name) if known else 0]
        with self.groups_offered(naming_groups(data)):
            self.openContext(list(data.classes), self.classifier_names)

    def selection_changed(self) -> None:
        """Recalibrate another model of the results."""
        self.commit.deferred()

    def groups_changed(self) -> None:
        """Advise anew: what is known is of rows in other groups."""
        self._advised = None
        self.commit.deferred()

    # ------------------------------------------------------------------ the work

    @gui.deferred
    def commit(self) -> None:
        """Compute advice and map; a computation that runs is given up."""
        self.cancel()
        self.Error.failed.clear()
        learner = self.learner and RecalibratedLearner(self.learner, self.method)
        self.Outputs.learner.send(learner)
        if self.data is None and (self.model is None or self.table is None):
            return
        self.cancel_button.setEnabled(True)
        self.compute(self._show, self._work())

    def stop(self) -> None:
        """Give up the computation that runs."""
        self.cancel()
        self._show(None)
        self.summary.setText("Cancelled. Choose a method to compute again.")

    def on_exception(self, ex: Exception) -> None:
        """Show a refusal in place of an answer."""
        self._show(None)
        super().on_exception(ex)
        if isinstance(ex, pb.PlumblineError):
            self.summary.setText(html.escape(sentence_of(ex)))

    def target_model(self) -> Model | str:
        """Return the model to recalibrate, or why there is none."""
        if self.model is not None:
            return self.model
        return only_model(self.results, self.selected_classifiers[0])

    def _work(self) -> Any:
        model, method, advised = self.target_model(), self.method, self._advised
        key, rows = self._rows(model)
        test = None if isinstance(model, str) else self.test
        together = self.together if test is not None and self.together in test.domain else ""

        def work(progress: Any) -> Answer:
            data = rows()
            first = SHARE if test is not None else 1.0
            refusals, advice, effect = [], None, None
            if advised is not None and advised[0] == key:
                advice = advised[1]
            else:
                bar = _share(progress, 0.0, first)
                try:
                    advice = pb.recalibration_advice(data, progress=bar)
                except pb.InputError as error:
                    if method == ADVISED:
                        raise
                    refusals.append(message_of(error))
            fitted = pb.recalibrate(data, advice.chosen if method == ADVISED else method)
            if test is not None:
                bar = _share(progress, first, 1.0)
                try:
                    other = held_out_predictions(model, test, groups=together)
                    effect, warned = heard(
                        lambda: pb.recalibration_effect(fitted, other, progress=bar)
                    )
                    refusals += warned
                except pb.InputError as error:
                    refusals.append(f"Test data: {message_of(error)}")
            return Answer(key, data, advice, fitted, effect, tuple(refusals))

        return work

    def _rows(self, model: Model | str) -> tuple[str, Callable[[], pb.Predictions]]:
        """Return the name of the model, and what gives the rows that its map is fitted on."""
        data, table, together = self.data, self.table, self.together
        if data is None:
            return "", lambda: held_out_predictions(model, table, groups=together)
        data = self.in_groups(data)
        name = self.classifier_names[self.selected_classifiers[0]]

        def of_results() -> pb.Predictions:
            if not isinstance(model, str) and set(class_of(model).values) != set(data.classes):
                raise pb.InputError(
                    f"the model predicts {', '.join(class_of(model).values)}, and the results are "
                    f"of {', '.join(data.classes)}",
                    code="classes-differ",
                )
            return data.select(model=name) if data.models else data

        return name, of_results

    # ---------------------------------------------------------------- the answer

    def _show(self, answer: Answer | None) -> None:
        """Show an answer and send it; None takes everything away."""
        self.answer = answer
        self.cancel_button.setEnabled(False)
        for message in (self.Warning.notes, self.Warning.missing, self.Information.notes,
                        self.Information.no_model, self.Information.unchanged):  # fmt: skip
            message.clear()
        if answer is None:
            self.summary.setText(WAITING)
            self.map_text.setText("")
            self.chart.clear()
            self._show_tables(None)
            self.Outputs.model.send(None)
            self.Outputs.advice.send(None)
            return
        if answer.advice is not None:
            self._advised = (answer.key, answer.advice)
        paragraphs = [_paragraph(*one) for one in _presented(answer)]
        self.summary.setText("".join([*paragraphs, _about_chosen(answer)]))
        shown = answer.fitted.present()
        facts = [f"{one.label}: {one.text}" for one in shown.details]
        self.map_text.setText("\n".join([shown.summary, *facts]))
        self.chart.draw(answer.fitted, answer.advice)
        self._show_tables(answer)
        self._show_notes(answer)
        self._send(answer)

    def _show_notes(self, answer: Answer) -> None:
        notes = [note for _, one in _presented(answer) for note in one.notes]
        if notes:
            self.Warning.notes("\n".join(notes))
        if answer.refusals:
            self.Warning.missing("\n".join(answer.refusals))
        if answer.fitted.present().notes:
            self.Information.notes("\n".join(answer.fitted.present().notes))

    def _show_tables(self, answer: Answer | None) -> None:
        while self.tables.count() > 1:
            self.tables.removeTab(1)
        advice = None if answer is None else answer.advice
        _fill(self.methods_table, {} if advice is None else _columns(advice))
        self.tables.setVisible(advice is not None or (answer is not None and bool(answer.effect)))
        if answer is None:
            return
        for place in range(self.methods_table.rowCount()):
            if self.methods_table.item(place, 0).text() == answer.fitted.method:
                self.methods_table.selectRow(place)
        if answer.effect is not None:
            _fill(self.effect_table, answer.effect.present().tables[0].columns)
            self.tables.addTab(self.effect_table, "Test data")
            self.tables.setCurrentIndex(1)

    def _send(self, answer: Answer) -> None:
        model = self.target_model()
        if isinstance(model, str):
            self.Information.no_model(model)
            model = None
        elif answer.fitted.method == NONE:
            self.Information.unchanged()
        else:
            model = RecalibratedModel(model, answer.fitted)
        self.Outputs.model.send(model)
        rows = None if answer.advice is None else answer.advice.rows()
        self.Outputs.advice.send(rows and to_table(rows, "Recalibration advice"))

    def send_report(self) -> None:
        """Put method, answer, picture and tables into the report."""
        if self.answer is None:
            return
        items = {"Method": self.method_combo.currentText(), "Rows": f"{self.answer.data.n:,}"}
        self.report_items("Map", items)
        self.report_raw(self.summary.text())
        self.report_paragraph(self.answer.fitted.present().summary)
        self.report_plot("Map and changes", self.chart.layout_item)
        for place in range(self.tables.count()):
            cells = _cells(self.tables.widget(place))
            self.report_table(self.tables.tabText(place), cells, header_rows=1)

    # ------------------------------------------------------------------ settings

    @classmethod
    def migrate_settings(cls, settings: dict[str, Any], version: int | None) -> None:
        """Drop a method whose name is no text, whatever version saved it."""
        del version
        if not isinstance(settings.get("method", ADVISED), str):
            del settings["method"]

    @classmethod
    def migrate_context(cls, context: Any, version: int | None) -> None:
        """Keep the first of several models; this widget recalibrates one."""
        del version
        chosen = context.values.get("selected_classifiers")
        if isinstance(chosen, list) and len(chosen) > 1:
            context.values["selected_classifiers"] = chosen[:1]


def _share(progress: Callable[[float, float], None], low: float, high: float) -> Any:
    """Return what reports a part of the work that goes from share `low` to `high` of it."""
    return lambda done, total: progress(low * total + (high - low) * done, total)


def _presented(answer: Answer) -> Iterator[tuple[str, Any]]:
    """Yield what there is to read, the change in test data first."""
    if answer.effect is not None:
        yield "Test data", answer.effect.present()
    if answer.advice is not None:
        yield "Data", answer.advice.present()


def _paragraph(rows: str, shown: Any) -> str:
    """Return summary, details and next step as HTML."""
    facts = [f"{one.label}: {one.text}" for one in shown.details]
    facts += [] if shown.next_step is None else [f"Next: {shown.next_step.text}"]
    lines = "<br>".join(html.escape(fact) for fact in facts)
    return f"<p><b>{html.escape(shown.summary)}</b> ({rows})<br>{lines}</p>"


def _about_chosen(answer: Answer) -> str:
    """Return what a method changes that is not the advised one, as HTML; empty of the advised."""
    advice, method = answer.advice, answer.fitted.method
    if advice is None or method == advice.chosen:
        return ""
    row = next((one for one in advice.methods if one.method == method), None)
    if row is None or row.reason is not None:
        return f"<p><b>{html.escape(method)}</b>: not tried ({row.reason}).</p>" if row else ""
    changes = ", ".join(
        f"{name} {score}"
        for name, score in (
            ("log loss", _change(row.log_loss_difference, row.log_loss_range, advice.level)),
            ("Brier score", _change(row.brier_difference, row.brier_range, advice.level)),
        )
    )
    return f"<p><b>Change by {html.escape(row.title)}</b> (cross-validated): {changes}.</p>"


def _change(value: float, ends: tuple[float, float], level: float) -> str:
    known = np.isfinite(ends).all()
    return f"{value:.3g}" + (f" ({100 * level:g} % CI {_span(ends)})" if known else "")


def _columns(advice: RecalibrationAdvice) -> dict[str, Sequence[str]]:
    """Return the methods as columns: first the changes of log loss and Brier score, then values."""
    given = dict(advice.present().tables[0].columns)
    tried = [row for row in advice.methods if row.reason is None]
    ci = next(name for name in given if name.endswith(" CI"))
    first = {
        "method": given.pop("method"),
        "log loss difference": given.pop("difference"),
        ci: given.pop(ci),
        "Brier difference": ["-", *(f"{row.brier_difference:.3g}" for row in tried)],
        f"Brier {ci}": ["-", *(_span(row.brier_range) for row in tried)],
        "helps": given.pop("helps"),
    }
    return first | given


def _span(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.3g} to {ends[1]:.3g}"


def _text(parent: Any) -> QLabel:
    label = gui.widgetLabel(parent, "")
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextSelectableByMouse | Qt.TextSelectableByKeyboard)
    return label


def _table() -> QTableWidget:
    table = QTableWidget()
    table.setEditTriggers(QTableWidget.NoEditTriggers)
    table.setSelectionBehavior(QTableWidget.SelectRows)
    table.setSelectionMode(QTableWidget.SingleSelection)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 8)
    return table


def _fill(table: QTableWidget, columns: Mapping[str, Sequence[str]]) -> None:
    table.clear()
    table.setColumnCount(len(columns))
    table.setRowCount(len(next(iter(columns.values()), ())))
    table.setHorizontalHeaderLabels(list(columns))
    for place, cells in enumerate(columns.values()):
        side = Qt.AlignLeft if place == 0 else Qt.AlignRight
        for row, text in enumerate(cells):
            item = QTableWidgetItem(text)
            item.setTextAlignment(side | Qt.AlignVCenter)
            table.setItem(row, place, item)
    table.resizeColumnsToContents()


def _cells(table: QTableWidget) -> list[list[str]]:
    """Return the texts of a table, its header first."""
    columns = range(table.columnCount())
    header = [table.horizontalHeaderItem(column).text() for column in columns]
    rows = range(table.rowCount())
    return [header, *([table.item(row, column).text() for column in columns] for row in rows)]


if __name__ == "__main__":
    from Orange.classification import NaiveBayesLearner
    from Orange.widgets.utils.widgetpreview import WidgetPreview

    heart = Table("heart_disease")
    WidgetPreview(OWRecalibrate).run(
        set_model=NaiveBayesLearner()(heart[::2]), set_data=heart[1::2]
    )
