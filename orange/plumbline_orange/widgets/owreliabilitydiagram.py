"""The widget Reliability Diagram: are the probabilities calibrated, before and after a map."""

from collections.abc import Sequence
from typing import Any, ClassVar

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QComboBox, QSplitter, QTextBrowser
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import ContextSetting, Setting
from Orange.widgets.widget import Output

import plumbline as pb
from plumbline.requests import REQUESTS
from plumbline.requests.choices import Choice, choices_of
from plumbline_orange import texts
from plumbline_orange.base import NONE, EvaluationWidget
from plumbline_orange.reliability_chart import Diagram, Panel, ReliabilityChart
from plumbline_orange.reliability_work import (
    ISOTONIC,
    MOST_PARTS,
    Finding,
    Part,
    Question,
    bin_rows,
    findings,
    group_rows,
    score_rows,
)
from plumbline_orange.tables import predictions_table, selected_rows, to_table

CALIBRATION, GROUPS, RECALIBRATION, PLAN = (
    REQUESTS[name] for name in ("calibration", "groups", "recalibration", "plan")
)


def _drawable(choice: Choice) -> bool:
    """Tell whether bins can be drawn: they have edges, or are the pieces of a CORP curve."""
    # Before the class: Orange migrates saved settings while it makes the class.
    return bool(choice.facts.get("edges")) or choice.value == ISOTONIC


class OWReliabilityDiagram(EvaluationWidget):
    """Predicted probability against observed frequency, with tests, groups and recalibration."""

    name = "Reliability Diagram"
    description = "Are predicted probabilities calibrated? Bins, tests, groups, recalibration."
    icon = "icons/reliability.svg"
    priority = 1110
    keywords = "reliability diagram, calibration, ece, calibration plot, recalibration, corp"

    class Outputs:
        bins = Output("Bins", Table)
        scores = Output("Scores", Table)
        groups = Output("Groups", Table)
        selected_data = Output("Selected Data", Table)

    settings_version = 1
    view = ContextSetting("")
    by = ContextSetting("")
    apart = Setting(False)
    bins = Setting("equal-width")
    bin_count = Setting(15)
    level = Setting(0.95)
    band = Setting(True)
    recalibrated = Setting(False)
    method = Setting("auto")
    planning = Setting(False)
    effect = Setting("overconfident")
    effect_size = Setting(1.2)
    statistic = Setting("omnibus")
    auto_apply = Setting(True)
    selected_bins: ClassVar[Any] = Setting([], schema_only=True)

    graph_name = "chart.layout_item"
    want_control_area = True

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Finding] = []
        self._known: dict[Any, Any] = {}
        self._pending_bins = [tuple(key) for key in self.selected_bins]
        self._build_controls()
        self._build_chart()
        self._offer_choices()
        self._show_controls()

    # ------------------------------------------------------------------ controls

    def _build_controls(self) -> None:
        self.models_box(self.controlArea).setMaximumHeight(110)
        box = gui.vBox(self.controlArea, "Diagram")
        self.target_box(box)
        self.groups_box(box)
        self.view_combo = self._combo(box, "View:", "view", above=True)
        self.bins_combo = self._combo(box, "Bins:", "bins")
        self.count_spin = gui.spin(
            box,
            self,
            "bin_count",
            2,
            100,
            label="Number of bins:",
            callback=self._changed,
            controlWidth=70,
        )
        self.band_check = gui.checkBox(
            box,
            self,
            "band",
            "Band expected if calibrated",
            callback=self._band_changed,
            tooltip="Where the observed frequency of a bin is if the probabilities are calibrated.",
        )
        self.level_combo = self._combo(box, "Level of the band:", "level")
        box = gui.vBox(self.controlArea, "Groups")
        self.by_combo = self._combo(box, "Attribute:", "by")
        self.apart_check = gui.checkBox(
            box,
            self,
            "apart",
            "A diagram for each group",
            callback=self._changed,
            tooltip=f"Of the first {MOST_PARTS} groups.",
        )
        box = gui.vBox(self.controlArea, "Recalibration")
        gui.checkBox(
            box,
            self,
            "recalibrated",
            "Recalibrated",
            callback=self._changed,
            tooltip="Before and after: each row is recalibrated by a map fitted on other rows.",
        )
        self.method_combo = self._combo(box, "Method:", "method")
        box = gui.vBox(self.controlArea, "Sample size")
        gui.checkBox(
            box,
            self,
            "planning",
            "Power at this sample size",
            callback=self._changed,
            tooltip=PLAN.title,
        )
        self.effect_combo = self._combo(box, "Effect:", "effect", self._effect_changed)
        self.size_spin = gui.doubleSpin(
            box,
            self,
            "effect_size",
            -100,
            100,
            0.01,
            label="Size:",
            callback=self._changed,
            controlWidth=90,
        )
        self.statistic_combo = self._combo(box, "Test:", "statistic")
        gui.rubber(self.controlArea)
        self.stop_button = gui.button(
            self.buttonsArea, self, "Stop", callback=self._stop, autoDefault=False
        )
        self.stop_button.setToolTip("Stop the computation; what is known stays.")
        gui.auto_apply(self.buttonsArea, self, "auto_apply")

    def _combo(
        self, box: Any, label: str, attribute: str, callback: Any = None, *, above: bool = False
    ) -> QComboBox:
        """Put a choice of values into a box; its value is kept in a setting."""
        row = gui.vBox(box) if above else gui.hBox(box)
        text = gui.widgetLabel(row, label)
        combo = QComboBox(row)
        combo.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(14)
        text.setBuddy(combo)
        combo.setAccessibleName(label.rstrip(":"))
        row.layout().addWidget(combo, 1)

        def chosen() -> None:
            setattr(self, attribute, combo.currentData())
            (callback or self._changed)()

        combo.activated.connect(chosen)
        return combo

    def _fill(self, combo: QComboBox, choices: Sequence[Choice], attribute: str) -> None:
        """Offer choices; a setting that is none of them becomes the first."""
        combo.clear()
        for place, choice in enumerate(choices):
            combo.addItem(choice.label, choice.value)
            combo.setItemData(place, choice.help or choice.label, Qt.ToolTipRole)
        place = combo.findData(getattr(self, attribute))
        combo.setCurrentIndex(max(place, 0))
        setattr(self, attribute, combo.currentData() if choices else getattr(self, attribute))

    def _offer_choices(self) -> None:
        """Offer what does not depend on the data."""
        nothing: Any = None
        schemes = [one for one in choices_of("calibration", "bins", nothing) if _drawable(one)]
        self._fill(self.bins_combo, schemes, "bins")
        self._fill(self.level_combo, choices_of("calibration", "level", nothing), "level")
        self._effects = {str(one.value): one for one in choices_of("plan", "effect", nothing)}
        self._fill(self.effect_combo, list(self._effects.values()), "effect")
        self._fill(self.statistic_combo, choices_of("plan", "statistic", nothing), "statistic")
        # What Orange's models give are probabilities, so what reads them can be offered at once.
        rows = pb.Predictions.from_arrays([0, 1], [0.5, 0.5])
        self._fill(self.method_combo, choices_of("recalibration", "method", rows), "method")
        for combo, request in (
            (self.view_combo, CALIBRATION),
            (self.bins_combo, CALIBRATION),
            (self.by_combo, GROUPS),
            (self.method_combo, RECALIBRATION),
            (self.effect_combo, PLAN),
            (self.statistic_combo, PLAN),
        ):
            combo.setToolTip(request.title)
        self._show_size()

    def _offer(self, data: pb.Predictions) -> None:
        super()._offer(data)
        self._known = {}
        groups = [Choice(name, name) for name in data.attributes or ()]
        self._fill(self.by_combo, [Choice("", NONE), *groups], "by")
        self._offer_views(data)

    def _offer_views(self, data: pb.Predictions) -> None:
        """Offer the views of one event; of the classes, the target alone."""
        own = f"one-vs-rest:{self.target}"
        others = {f"one-vs-rest:{name}" for name in data.classes} - {own}
        if self.view in others:  # of the target class before this one
            self.view = own
        every = choices_of("groups", "view", _with_target(data, self.target_index))
        self._fill(self.view_combo, [one for one in every if one.value not in others], "view")

    def _show_controls(self) -> None:
        """Enable the controls that apply."""
        numbered = any(
            one.value == self.bins and "number" in one.facts
            for one in choices_of("calibration", "bins", self.data)  # type: ignore[arg-type]
        )
        self.count_spin.setEnabled(numbered)
        self.method_combo.setEnabled(self.recalibrated)
        for control in (self.effect_combo, self.size_spin, self.statistic_combo):
            control.setEnabled(self.planning)
        self.level_combo.setEnabled(self.band)
        self.by_combo.setEnabled(self.by_combo.count() > 1)
        self.apart_check.setEnabled(bool(self.by))

    def _band_changed(self) -> None:
        chosen = list(self.chart.selected)
        self._draw()
        self.chart.select(chosen)

    def _effect_changed(self) -> None:
        self.effect_size = self._effects[self.effect].facts["size"]["usual"]
        self._show_size()
        self._changed()

    def _show_size(self) -> None:
        size = self._effects[self.effect].facts["size"]
        self.size_spin.setRange(size["least"], size["most"])
        self.size_spin.setSingleStep(size["step"])
        self.size_spin.setToolTip(size["unit"])

    # --------------------------------------------------------------------- chart

    def _build_chart(self) -> None:
        self.chart = ReliabilityChart(self)
        self.chart.selection_changed.connect(self._bins_chosen)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setAccessibleName("Results")
        splitter = QSplitter(Qt.Vertical)
        splitter.addWidget(self.chart)
        splitter.addWidget(self.text)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([480, 190])
        self.mainArea.layout().addWidget(splitter)

    # ---------------------------------------------------------------------- work

    def data_changed(self) -> None:
        """Ask for everything anew."""
        if self.data is None:
            self._known = {}
            self.by_combo.clear()
            self.view_combo.clear()
        self._show_controls()
        self.commit.now()

    def selection_changed(self) -> None:
        """Take other models or another class."""
        if self.data is not None:
            self._offer_views(self.data)
        self._changed()

    def groups_changed(self) -> None:
        """Ask for everything anew: what is known is of rows in other groups."""
        self._known = {}
        self._changed()

    def _changed(self) -> None:
        self._show_controls()
        self.commit.deferred()

    @property
    def question(self) -> Question:
        """What the controls ask."""
        numbered = self.count_spin.isEnabled()
        view = self.view or None
        if view is None and self.data is not None and self.data.k == 2:
            view = f"one-vs-rest:{self.target}"
        return Question(
            view=view,
            bins=f"{self.bins}:{self.bin_count}" if numbered else self.bins,
            level=self.level,
            by=self.by,
            apart=self.apart,
            method=self.method if self.recalibrated else "",
            effect=f"{self.effect}:{self.effect_size:g}" if self.planning else "",
            statistic=self.statistic,
        )

    @gui.deferred
    def commit(self) -> None:
        """Compute what is asked for, and send it."""
        self.Warning.notes.clear()
        self.Information.notes.clear()
        self.cancel()
        if self.data is None or not self.selected_classifiers:
            self.found = []
            self._show()
            self._send()
            return
        every = self.chosen().by_model()
        parts = {str(name or self.classifier_names[0]): one for name, one in every.items()}
        question, known = self.question, self._known
        self.stop_button.setEnabled(True)
        self.compute(
            self._done_all,
            lambda progress, show: findings(parts, question, known, progress, show),
            self._take_found,
        )

    def _take_found(self, found: list[Finding]) -> None:
        before, self.found = _curves(self.found), found
        self._show(draw=before != _curves(found))

    def _done_all(self, found: list[Finding]) -> None:
        self._take_found(found)
        self.stop_button.setEnabled(False)
        self._show_notes()
        if self._pending_bins:
            self.chart.select(self._pending_bins)
            self._pending_bins = []
        self.selected_bins = sorted(map(list, self.chart.selected))
        self._send()

    def _stop(self) -> None:
        self.cancel()
        self.stop_button.setEnabled(False)
        self._show_notes()
        self._send()

    # --------------------------------------------------------------------- shown

    def _show(self, *, draw: bool = True) -> None:
        if draw:
            self._draw()
        self.text.setHtml("".join(self._texts()))

    def _draw(self) -> None:
        """Draw the models as they are, after recalibration, and group by group."""
        self._show_controls()
        before = [one for one in self.found if not one.method and one.curve is not None]
        after = [one for one in self.found if one.method and one.curve is not None]
        titles = ("Before recalibration", "After recalibration") if after else ("", "")
        self._panels: list[list[tuple[Finding, Finding | Part]]] = []
        panels = []
        for title, some in zip(titles, (before, after), strict=True):
            if some:
                self._panels.append([(one, one) for one in some])
                panels.append(title)
        names = dict.fromkeys(part.name for one in before for part in one.parts)
        for name in names:
            self._panels.append(
                [(one, part) for one in before for part in one.parts if part.name == name]
            )
            panels.append(f"{self.by}: {name}")
        if names and panels[0] == "":
            panels[0] = "All groups"
        self.chart.draw(
            [
                Panel(title, [Diagram(_title(one), self._color(one), of.curve) for one, of in some])
                for title, some in zip(panels, self._panels, strict=True)
            ],
            band=self.band,
        )

    def _color(self, one: Finding) -> Any:
        return self.colors[self.classifier_names.index(one.model)]

    def _texts(self) -> list[str]:
        """Return what the results say, model by model."""
        parts = []
        for one in self.found:
            parts.append(texts.heading(_title(one), self._color(one)))
            facts: list[Any] = []
            if one.test is not None:
                shown = one.test.present()
                parts.append(texts.summary(shown))
                facts += [fact for fact in shown.details if fact.key == "finding"]
            if one.error is not None:
                facts += one.error.present().details
            if one.curve is not None and self.bins == ISOTONIC:
                facts += [fact for fact in one.curve.present().details if fact.key != "n"]
            parts.append(texts.details(facts))
            if one.test is not None and not one.method:
                parts.append(texts.next_step(one.test.present()))
            if one.advice is not None:
                shown = one.advice.present()
                parts += [texts.summary(shown), texts.details(shown.details)]
            for result in (one.effect, one.groups, one.plan):
                if result is not None:
                    shown = result.present()
                    parts += [texts.summary(shown), texts.details(shown.details)]
                    parts.append(texts.tables(shown))
        return parts

    def _show_notes(self) -> None:
        """Show notes and refusals as messages of Orange."""
        notes: dict[str, None] = {}
        for one in self.found:
            results = (one.test, one.error, one.curve, one.effect, one.groups, one.plan)
            for result in results:
                if result is not None:
                    notes |= dict.fromkeys(str(note) for note in result.present().notes)
        refusals = dict.fromkeys(
            text for one in self.found for text in (*one.refusals, *one.warned)
        )
        if notes:
            self.Information.notes("\n".join(notes))
        if refusals:
            self.Warning.notes("\n".join(refusals))

    # -------------------------------------------------------------------- output

    def _send(self) -> None:
        for output, rows, name in (
            (self.Outputs.bins, bin_rows(self.found), "Bins"),
            (self.Outputs.scores, score_rows(self.found), "Scores"),
            (self.Outputs.groups, group_rows(self.found), "Groups"),
        ):
            output.send(to_table(rows, name) if rows else None)
        self._send_selected()

    def _bins_chosen(self) -> None:
        self.selected_bins = sorted(map(list, self.chart.selected))
        self._send_selected()

    def _send_selected(self) -> None:
        """Send the rows of the chosen bins: of the input, or, without data, predictions."""
        self.Outputs.selected_data.send(self._selected_table())

    def _selected_table(self) -> Table | None:
        if self.data is None or not self.chart.selected:
            return None
        chosen = []
        for p, d in sorted({key[:2] for key in self.chart.selected}):
            one, of = self._panels[p][d]
            places = [b for panel, diagram, b in self.chart.selected if (panel, diagram) == (p, d)]
            inside = of.curve.rows_in(of.data, places)  # type: ignore[union-attr]
            if one.method:  # rows have their numbers before recalibration
                of = next(other for other in self.found if other.model == one.model)
            chosen.append(of.data.select(where=inside))
        rows = [value for part in chosen if part.row is not None for value in part.row.tolist()]
        table = selected_rows(self.source, [int(value) for value in rows])
        if table is None and len(chosen) == 1:
            return predictions_table(chosen[0], "Selected Data")
        return table

    def send_report(self) -> None:
        """Report the settings, the picture, what the results say, and the scores."""
        if not self.found:
            return
        items = {
            "Target class": self.target,
            "View": self.view_combo.currentText(),
            "Bins": self.bins_combo.currentText()
            + (f", {self.bin_count}" if self.count_spin.isEnabled() else ""),
        }
        if self.recalibrated:
            items["Recalibration"] = self.method_combo.currentText()
        self.report_items("Settings", list(items.items()))
        self.report_plot("Reliability diagram", self.chart.layout_item)
        self.report_raw("Results", "".join(self._texts()))

    @classmethod
    def migrate_settings(cls, settings: dict[str, Any], version: int | None) -> None:
        """Drop bins that another version named and this one does not draw."""
        del version
        schemes = choices_of("calibration", "bins", None)  # type: ignore[arg-type]
        if settings.get("bins") not in [one.value for one in schemes if _drawable(one)]:
            settings.pop("bins", None)

    @classmethod
    def migrate_context(cls, context: Any, version: int | None) -> None:
        """Keep contexts as they are: there has been one version."""


def _title(one: Finding) -> str:
    return f"{one.model}, {one.method}" if one.method else one.model


def _curves(found: Sequence[Finding]) -> list[int]:
    """Return which curves there are."""
    return [id(of.curve) for one in found for of in (one, *one.parts)]


def _with_target(data: pb.Predictions, index: int) -> pb.Predictions:
    """Return the rows with another positive class."""
    from dataclasses import replace

    return replace(data, positive=index)


if __name__ == "__main__":
    from Orange.classification import NaiveBayesLearner
    from Orange.evaluation import CrossValidation
    from Orange.widgets.utils.widgetpreview import WidgetPreview

    heart = Table("heart_disease")
    results = CrossValidation(store_data=True)(heart, [NaiveBayesLearner()])
    results.learner_names = ["Naive Bayes"]
    WidgetPreview(OWReliabilityDiagram).run(results)
