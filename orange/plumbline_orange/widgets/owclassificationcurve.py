"""Classification Curve: any curve of two formulas, its threshold, and what follows from it."""

from typing import Any

from AnyQt.QtCore import Qt, QTimer
from AnyQt.QtGui import QColor
from AnyQt.QtWidgets import (
    QSplitter,
    QTextBrowser,
)
from Orange.base import Model
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import ContextSetting, Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output

import plumbline as pb
from plumbline.requests.vocabulary import vocabulary
from plumbline_orange.chart import CurveChart
from plumbline_orange.curve_controls import (
    APART,
    AVERAGES,
    BANDS,
    EMPTY_WORDS,
    GOALS,
    PRESETS,
    PROBABILITY,
    ROWS,
    STYLE,
    TYPING,
    USER,
    USUAL,
    CurveControls,
    allow,
)
from plumbline_orange.curve_work import (
    NO_DIFFERENCE,
    Drawn,
    Wanted,
    chosen_rows,
    draw,
    score_rows,
    text_of,
)
from plumbline_orange.formula_edit import FormulaBox, entries_of
from plumbline_orange.models import threshold_classifier
from plumbline_orange.tables import predictions_table, selected_rows, to_table

FIRST = "roc"  # the preset of a new widget


class OWClassificationCurve(CurveControls):
    """Draws a curve by two formulas over the rows of evaluation results."""

    name = "Classification Curve"
    description = "ROC, lift, profit or any other curve, by formulas of x and y."
    icon = "icons/curve.svg"
    priority = 1040
    keywords = (
        "classification curve, roc, precision, recall, lift, gain, profit, threshold, formula"
    )

    class Outputs:
        curve_points = Output("Curve Points", Table, default=True)
        evaluation_table = Output("Evaluation Table", Table)
        selected_data = Output("Selected Data", Table)
        threshold_classifier = Output("Threshold Classifier", Model)
        scores = Output("Scores", Table)

    class Warning(CurveControls.Warning):
        refused = Msg("{}")
        nothing_selected = Msg("Select at least one classifier and one test set.")
        stopped = Msg("Stopped: the chart does not show the latest choices.")
        not_computed = Msg("The formulas have changed. Press Compute.")

    class Information(CurveControls.Information):
        no_classifier = Msg("No threshold classifier: {}")

    settings_version = 1
    preset: str = Setting(FIRST)
    averaging: str = Setting("merge")
    points: int = Setting(101)
    thresholds: int = Setting(20)
    span: int = Setting(50)  # percent
    band: str = Setting("none")
    level: int = Setting(95)  # percent
    resamples: int = Setting(500)
    hull: bool = Setting(False)
    goal: str = Setting("")
    goal_of: str = Setting("")
    subject_to: str = Setting("")
    difference: bool = Setting(False)
    show_threshold: bool = Setting(True)
    threshold: float = Setting(0.5)
    upper: float = Setting(1.0)
    rows_wanted: int = Setting(0)
    tab: int = Setting(0)
    auto_commit: bool = Setting(True)
    left_out_folds: list[str] = ContextSetting([])
    preset_x: str = ContextSetting("")
    formulas: dict[str, str] = ContextSetting({})
    params: dict[str, float] = ContextSetting({})

    graph_name = "chart.plot"

    def __init__(self) -> None:
        super().__init__()
        self.fold_names: list[str] = []
        self.selected_folds: list[int] = []
        self.words = EMPTY_WORDS
        self.computed: dict[str, str] = {}
        self.defaults: dict[str, float] = {}
        self.drawn: Drawn | None = None
        self._last_box: FormulaBox | None = None
        self._showing = self._filling = False
        self._build_tabs()
        gui.button(
            self.controlArea,
            self,
            "Save Graph",
            callback=self.save_graph,
            autoDefault=False,
            tooltip="Save the chart as a picture",
        )
        self.stop_button = gui.button(
            self.buttonsArea,
            self,
            "Stop",
            callback=self.stop,
            autoDefault=False,
            tooltip="Stop the computation; the chart stays",
        )
        self.stop_button.setEnabled(False)
        gui.auto_apply(self.buttonsArea, self, "auto_commit")
        self.chart = CurveChart()
        self.chart.threshold_moved.connect(self._threshold_moved)
        self.chart.threshold_set.connect(self._threshold_set)
        self.text = QTextBrowser()
        self.text.setAccessibleName("Values of the curve")
        parts = QSplitter(Qt.Vertical)
        parts.addWidget(self.chart)
        parts.addWidget(self.text)
        parts.setStretchFactor(0, 4)
        parts.setStretchFactor(1, 1)
        parts.setSizes([520, 160])
        self.mainArea.layout().addWidget(parts)
        self._check_later = QTimer(self, singleShot=True, interval=TYPING)
        self._check_later.timeout.connect(self._check_formulas)
        self._offer_presets()
        self._enable()

    # -------------------------------------------------------------------- inputs

    def _offer(self, data: pb.Predictions) -> None:
        """Fill the lists before the context chooses among them."""
        self._filling = True  # lists tell of each of their changes
        self.fold_names = list(data.folds)
        self.left_out_folds = []
        super()._offer(data)
        folds = list(enumerate(self.fold_names))
        chosen = [place for place, name in folds if name not in self.left_out_folds]
        self.selected_folds = chosen or list(range(len(folds)))
        self._filling = False

    def data_changed(self) -> None:
        """Offer what the new rows have, and draw."""
        if self.data is None:
            self.fold_names, self.selected_folds = [], []
        self.words = EMPTY_WORDS if self.data is None else vocabulary(self.data)
        variables = self.words["variables"]
        functions = [f"{one['name']}(" for one in self.words["functions"]]
        for box in (self.x_box, self.y_box):
            box.edit.set_words([*(one["name"] for one in variables), *functions])
        self.insert_name.set_entries(entries_of(variables))
        self.insert_value.set_entries([])
        attributes = [one for one in variables if one["group"] == "attribute"]
        self.preset_attribute.clear()
        for one in attributes:
            self.preset_attribute.addItem(one["title"], one["name"])
        places = self.preset_attribute.findData(self.preset_x)
        self.preset_attribute.setCurrentIndex(max(places, 0))
        self.preset_x = self.preset_attribute.currentData() or ""
        rows = [one["name"] for one in variables if one["level"] == "row"]
        self._showing = True
        self.sort_by.clear()
        self.sort_by.addItems(sorted(rows, key=lambda name: name != PROBABILITY))
        self._showing = False
        if self.preset == USER and self.data is not None and not self.formulas:
            self.formulas = self._definition_of(FIRST)  # the choice is kept, formulas go with data
        self.computed = dict(self.formulas)
        self._show_definition()
        self._enable()
        self.redraw()

    # ------------------------------------------------------------------- choices

    def _toggle_folds(self) -> None:
        every = list(range(len(self.fold_names)))
        self.selected_folds = [] if len(self.selected_folds) == len(every) else every
        self.redraw()

    def _set_averaging(self, averaging: str) -> None:
        self.averaging = averaging
        self.averages.setCurrentIndex(self.averages.findData(averaging))
        self._keep_band_possible()
        self._enable()

    def _averaging_changed(self) -> None:
        if self.preset == USER:  # smoothing is of all rows, so ties make no single points
            merged = {"merge": "none" if self.averaging == "smooth" else "last"}
            self.formulas, self.computed = self.formulas | merged, self.computed | merged
            self._show_definition()
        self._keep_band_possible()
        self._enable()
        self.redraw()

    def _keep_band_possible(self) -> None:
        if self.band not in self._possible_bands():
            self.band = "none"
            self.bands.setCurrentIndex(self.bands.findData(self.band))

    def _possible_bands(self) -> tuple[str, ...]:
        averaging = self._averaging()
        if averaging == "none":
            return ("none",)
        return ("none", "folds") if averaging in APART else ("none", "bootstrap")

    def _averaging(self) -> str:
        """Return how folds are averaged: merged, where there are none."""
        return "merge" if self.averaging in APART and not self.fold_names else self.averaging

    def _band_changed(self) -> None:
        self.redraw()

    def _enable(self) -> None:
        """Enable what has an effect."""
        averaging = self._averaging()
        self.points_spin.box.setEnabled(averaging in ("vertical", "smooth"))
        self.thresholds_spin.box.setEnabled(averaging == "threshold")
        self.span_spin.box.setEnabled(averaging == "smooth")
        self.every_fold.setEnabled(bool(self.fold_names))
        allow(self.averages, [name for name in AVERAGES if self.fold_names or name not in APART])
        allow(self.bands, self._possible_bands())
        self.difference_check.setEnabled(len(self.classifier_names) > 1)
        for edit in (self.goal_edit, self.subject_edit):
            edit.setEnabled(bool(self.goal))
        self.upper_spin.setEnabled(self.rows_wanted == 1)

    # ------------------------------------------------------------------- drawing

    def _settings(self) -> dict[str, Any] | None:
        """Return the arguments of `plumbline.curve`; None where no formulas were computed."""
        settings: dict[str, Any] = {
            "target": self.target,
            "average": self._averaging(),
            "points": self.points,
            "thresholds": self.thresholds,
            "span": self.span / 100,
            "band": self.band if self.band in self._possible_bands() else "none",
            "level": self.level / 100,
            "resamples": self.resamples,
            "params": {name: self.params.get(name, x) for name, x in self.defaults.items()} or None,
        }
        if self.preset != USER:
            needed = PRESETS[self.preset]["needs"] == "x" and self.preset_x
            return settings | {"preset": self.preset} | ({"x": self.preset_x} if needed else {})
        formulas = {**USUAL, **self.computed}
        if not (formulas["x"] and formulas["y"]):
            return None
        titles = {name: formulas[name] or None for name in ("x_title", "y_title")}
        own = {"x": formulas["x"], "y": formulas["y"], **titles}
        return settings | own | self._order(formulas)

    def _wanted(self) -> Wanted | None:
        """Return what to draw; None where there is nothing."""
        if self.data is None:
            return None
        folds = enumerate(self.fold_names)
        self.left_out_folds = [name for i, name in folds if i not in self.selected_folds]
        nothing = not self.selected_classifiers or (self.fold_names and not self.selected_folds)
        self.Warning.nothing_selected(shown=bool(nothing))
        settings = self._settings()
        if nothing or settings is None:
            return None
        models, folds = self.data.models, self.data.folds
        goal = {"goal": self.goal if self.goal in ("max", "min") else ""}
        asked = {**goal, "y": self.goal_of.strip(), "subject_to": self.subject_to.strip()}
        some_models = len(self.selected_classifiers) < len(models)
        some_folds = len(self.selected_folds) < len(folds)
        return Wanted(
            tuple(models[i] for i in self.selected_classifiers) if some_models else None,
            tuple(folds[i] for i in self.selected_folds) if some_folds else None,
            settings,
            self.hull,
            asked | {"level": self.level / 100, "resamples": self.resamples} if self.goal else None,
            self.difference and len(self.selected_classifiers) > 1,
        )

    def redraw(self) -> None:
        """Draw what is chosen, in the background."""
        self.cancel()
        self._enable()
        self.Error.failed.clear()
        self.Warning.nothing_selected.clear()
        self.Warning.refused.clear()
        self.Warning.stopped.clear()
        self.stop_button.setEnabled(False)
        self._show_params()
        wanted, data = self._wanted(), self.data
        if wanted is None or data is None:
            self._show_nothing()
            return
        self.stop_button.setEnabled(True)
        rows = self.in_groups(data)
        self.compute(self._show, lambda progress: draw(rows, wanted, progress))

    def stop(self) -> None:
        """Stop the computation."""
        self.cancel()
        self.stop_button.setEnabled(False)
        self.Warning.stopped()

    def selection_changed(self) -> None:
        """Draw the classifiers, test sets and target class that were chosen."""
        if not self._filling:
            self.redraw()

    def on_exception(self, ex: Exception) -> None:
        """Show what the library refuses, under the box of the formula where it is one."""
        self._show_nothing()
        self._check_formulas()
        super().on_exception(ex)

    def _show_nothing(self) -> None:
        self.drawn = None
        self.stop_button.setEnabled(False)
        self.chart.clear()
        self.text.clear()
        self.commit.now()

    def _show(self, drawn: Drawn) -> None:
        self.drawn = drawn
        self.stop_button.setEnabled(False)
        reading = drawn.reading(None)
        low, high = reading.low, reading.high
        other = reading.sort_by != PROBABILITY and None not in (low, high)
        if other and not low <= self.threshold <= high:
            self.threshold = reading.threshold
        names = self.classifier_names
        colors = dict(zip(names, self.colors, strict=True))
        colors |= {None: self.colors[0], NO_DIFFERENCE: QColor(Qt.gray)}
        if drawn.difference is not None:
            colors[drawn.shown.lines[0].model] = colors[drawn.difference.models[1]]
        self.chart.draw(
            drawn.shown,
            colors,
            hull=None if drawn.difference else drawn.hulls or None,
            optimum=drawn.best or None,
            guides=drawn.difference is None,
            threshold=self._shown_threshold(),
        )
        if drawn.refused:
            self.Warning.refused("\n".join(drawn.refused))
        self._grey(drawn.unused)
        self._show_text()
        self.commit.deferred()

    def _grey(self, unused: frozenset[str]) -> None:
        """Disable what changes nothing of the chart."""
        self._enable()
        spins = {
            "points": self.points_spin,
            "thresholds": self.thresholds_spin,
            "span": self.span_spin,
            "level": self.level_spin,
            "resamples": self.resamples_spin,
        }
        for name, spin in spins.items():
            if name in ("level", "resamples") or name in unused:
                spin.box.setEnabled(name not in unused)
        self.bands.setEnabled("band" not in unused)
        self._allow_order(unused)

    def _shown_threshold(self) -> float | None:
        """Return the threshold where the curve has one and it is to be shown."""
        if self.drawn is None or not self.show_threshold or self.drawn.difference is not None:
            return None
        return None if self.drawn.reading(None).threshold is None else self.threshold

    def _show_text(self) -> None:
        if self.drawn is not None:
            self.text.setHtml(STYLE + text_of(self.drawn, self._shown_threshold()))

    def _threshold_moved(self, threshold: float) -> None:
        self.threshold = threshold
        self._show_text()

    def _threshold_set(self, threshold: float) -> None:
        self._threshold_moved(threshold)
        self.commit.deferred()

    def _threshold_changed(self) -> None:
        self._enable()
        if self.drawn is not None:
            self.chart.set_threshold(self._shown_threshold())
            self._show_text()
            self.commit.deferred()

    # ------------------------------------------------------------------- outputs

    @gui.deferred
    def commit(self) -> None:
        """Send the tables, the chosen rows and the classifier."""
        drawn, self._sent = self.drawn, getattr(self, "_sent", None)
        if drawn is not self._sent or drawn is None:
            self._sent = drawn
            self._send_tables(drawn)
        rows = [] if drawn is None else score_rows(drawn, self._shown_threshold())
        self.Outputs.scores.send(to_table(rows, "Scores") if rows else None)
        try:
            selected = self._selected()
        except pb.PlumblineError:  # sorted by a category, which no threshold cuts
            selected = None
        self.Outputs.selected_data.send(selected)
        self.Outputs.threshold_classifier.send(self._classifier())

    def _send_tables(self, drawn: Drawn | None) -> None:
        points = evaluation = None
        if drawn is not None:
            shown = drawn.difference or drawn.curve
            points = to_table(shown.to_frame(), "Curve Points")
            evaluation = predictions_table(drawn.data, "Evaluation Table")
        self.Outputs.curve_points.send(points)
        self.Outputs.evaluation_table.send(evaluation)

    def _selected(self) -> Table | None:
        """Return the rows that the first of the chosen classifiers puts where they are wanted."""
        if self._shown_threshold() is None:
            return None
        high = self.upper if self.rows_wanted == 1 else float("inf")
        if high <= self.threshold:
            return None
        chosen = chosen_rows(self.drawn, self.threshold, high)
        if chosen is None:
            return None
        whole = selected_rows(self.source, chosen.row) if chosen.row is not None else None
        return predictions_table(chosen, "Selected Data") if whole is None else whole

    def _classifier(self) -> Model | None:
        """Return the chosen classifier with the threshold; say why one alone gives none."""
        self.Information.no_classifier.clear()
        if self.drawn is None or self.results is None or self._shown_threshold() is None:
            return None
        models = list(self.drawn.of_model)
        if len(models) != 1:  # the usual case of a comparison, so no message
            return None
        made: Any
        if self.drawn.curve.settings.sort_by not in (None, PROBABILITY):
            made = "The rows are not sorted by probability."
        else:
            place = self._place_in_results(self.selected_classifiers[0])
            made = threshold_classifier(self.results, place, self.target_index, self.threshold)
        if isinstance(made, str):
            self.Information.no_classifier(made)
            return None
        return made

    def _place_in_results(self, classifier: int) -> int:
        """Return the place of a classifier among all methods; those that failed are not listed."""
        failed = self.results.failed or [False] * len(self.results.predicted)
        return [place for place, error in enumerate(failed) if not error][classifier]

    # -------------------------------------------------------------------- report

    def send_report(self) -> None:
        """Report the formulas, the chart, and its values."""
        if self.drawn is None:
            return
        settings = self.drawn.curve.settings
        models = ", ".join(self.classifier_names[i] for i in self.selected_classifiers)
        self.report_items(
            "Curve",
            [
                ("Curve", self.presets.currentText()),
                ("x", settings.x),
                ("y", settings.y),
                ("Target class", self.target),
                ("Classifiers", models),
                ("Averaging curves", AVERAGES[self._averaging()]),
            ],
        )
        self.report_plot()
        self.report_raw(text_of(self.drawn, self._shown_threshold()))

    # ------------------------------------------------------------------ settings

    @classmethod
    def migrate_settings(cls, settings: dict[str, Any], _version: int | None) -> None:
        """Leave out values that this version does not know, so that the usual ones hold."""
        options = {
            "preset": {*PRESETS, USER},
            "averaging": AVERAGES,
            "band": BANDS,
            "goal": GOALS,
            "rows_wanted": range(len(ROWS)),
        }
        for name, known in options.items():
            if name in settings and settings[name] not in known:
                del settings[name]

    @classmethod
    def migrate_context(cls, context: Any, _version: int | None) -> None:
        """Keep of the user's formulas what this version knows."""
        formulas = context.values.get("formulas")
        if formulas is not None:
            known = formulas if isinstance(formulas, dict) else {}
            context.values["formulas"] = {k: str(v) for k, v in known.items() if k in USUAL}


if __name__ == "__main__":
    from Orange.classification import NaiveBayesLearner, TreeLearner
    from Orange.evaluation import CrossValidation

    table = Table("heart_disease")
    results = CrossValidation(k=10)(table, [NaiveBayesLearner(), TreeLearner()])
    results.learner_names = ["naive Bayes", "tree"]
    WidgetPreview(OWClassificationCurve).run(set_results=results)
