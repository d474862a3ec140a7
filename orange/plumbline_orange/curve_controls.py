"""The controls of the widget Classification Curve: its tabs, and the choice of the formulas."""

from typing import Any

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QInputDialog,
    QLabel,
    QListWidget,
    QPushButton,
)
from Orange.widgets import gui

import plumbline as pb
from plumbline.requests.formula_check import check_formula, formula_params
from plumbline.requests.vocabulary import presets
from plumbline_orange.base import EvaluationWidget, sentence_of
from plumbline_orange.formula_edit import FormulaBox, NameCombo, value_entries

USER = "user"  # the place of a preset's name where the formulas are the user's
AVERAGES = {
    "none": "None",
    "merge": "Merge data folds",
    "vertical": "Vertical averaging",
    "threshold": "Threshold averaging",
    "smooth": "Vertical smoothing",
}
APART = ("none", "vertical", "threshold")
DIRECTIONS = {"ascending": "Ascending", "descending": "Descending", "unsorted": "No sorting"}
MERGES = {"last": "Last value (ROC)", "average": "Average", "none": "No merge"}
BANDS = {"none": "None", "folds": "Spread over folds", "bootstrap": "Bootstrap"}
GOALS = {"": "None", "usual": "As usual for this curve", "max": "Highest", "min": "Lowest"}
ROWS = ("At or above the threshold", "Between two thresholds")
PROBABILITY = "probability"
USUAL = {  # formulas, and how they sort and merge the rows
    **dict.fromkeys(("x", "y", "x_title", "y_title"), ""),
    "sort_by": PROBABILITY,
    "direction": "descending",
    "merge": "last",
}
PRESETS = {preset["name"]: preset for preset in presets()}
TITLES = {preset[name] for preset in PRESETS.values() for name in ("x_title", "y_title")}
EMPTY_WORDS: dict[str, Any] = {"variables": [], "functions": []}
STYLE = "<style>td, th { padding: 0 8px 0 0; text-align: left } p { margin: 2px 0 }</style>"
TYPING = 250  # milliseconds without a key until a formula is checked


class CurveControls(EvaluationWidget, openclass=True):
    """The tabs Data, Graph type and Analysis; the widget has the settings that they change.

    Attributes
    ----------
    formulas : the user's formulas and their order, as in the boxes; empty before there are any
    computed : those that the chart shows
    defaults : the parameters of those, with their default values
    words : what formulas may name, as of `vocabulary`
    """

    def redraw(self) -> None:
        """Draw what is chosen."""
        raise NotImplementedError

    # ------------------------------------------------------------------ controls

    def _build_tabs(self) -> None:
        self.tabs = gui.tabWidget(self.controlArea)
        self._build_data(gui.createTabPage(self.tabs, "Data"))
        self._build_graph_type(gui.createTabPage(self.tabs, "Graph type"))
        self._build_analysis(gui.createTabPage(self.tabs, "Analysis"))
        self.tabs.setCurrentIndex(self.tab)
        self.tabs.currentChanged.connect(lambda place: setattr(self, "tab", place))

    def _build_data(self, page: Any) -> None:
        box = gui.vBox(page, "Test sets")
        gui.listBox(
            box,
            self,
            "selected_folds",
            "fold_names",
            selectionMode=QListWidget.MultiSelection,
            callback=self.selection_changed,
            tooltip="Only rows of these test sets are used",
        )
        self.every_fold = gui.button(
            box, self, "(Un)select all", callback=self._toggle_folds, autoDefault=False
        )
        self.models_box(page)
        box = gui.vBox(page, "Averaging curves")
        self.averages = choices(box, self, "averaging", AVERAGES, self._averaging_changed)
        self.averages.setToolTip("How the curves of the test sets become one")
        self.averages.setAccessibleName("Averaging curves")
        self.points_spin = gui.spin(
            box,
            self,
            "points",
            2,
            10000,
            label="Points:",
            callback=self.redraw,
            alignment=Qt.AlignRight,
            tooltip="Number of x values of vertical averaging and smoothing",
        )
        self.thresholds_spin = gui.spin(
            box,
            self,
            "thresholds",
            2,
            10000,
            label="Thresholds:",
            callback=self.redraw,
            alignment=Qt.AlignRight,
            tooltip="Number of thresholds of threshold averaging",
        )
        self.span_spin = gui.spin(
            box,
            self,
            "span",
            1,
            100,
            label="Span (% of the rows):",
            callback=self.redraw,
            alignment=Qt.AlignRight,
            tooltip="Share of the rows in a smoothing window",
        )

    def _build_graph_type(self, page: Any) -> None:
        box = gui.vBox(page, "Default algorithms")
        self.presets = combo_of(self._preset_chosen, "Default algorithms")
        box.layout().addWidget(self.presets)
        self.preset_attribute = combo_of(self._attribute_chosen, "Attribute of x")
        self.preset_attribute.setToolTip("The attribute along x")
        box.layout().addWidget(self.preset_attribute)
        self.explanation = QLabel(wordWrap=True)
        box.layout().addWidget(self.explanation)
        self.copy_button = gui.button(
            box, self, "Edit as user defined formula", callback=self._copy_preset, autoDefault=False
        )
        self.params_box = gui.vBox(page, "Parameters of the formulas", visible=False)
        self.params_form = QFormLayout()
        self.params_box.layout().addLayout(self.params_form)
        box = gui.vBox(page, True)
        self.target_box(box)
        self.groups_box(box)
        self.definition = gui.vBox(page, "Algorithm definition")
        self.x_box, self.y_box = FormulaBox("x"), FormulaBox("y")
        for axis, one in (("x", self.x_box), ("y", self.y_box)):
            self.definition.layout().addWidget(one)
            one.edit.textChanged.connect(self._formula_changed)
            one.edit.committed.connect(self.compute_formulas)
            one.edit.cursorPositionChanged.connect(lambda box=one: setattr(self, "_last_box", box))
            one.title_button.clicked.connect(lambda *_, axis=axis: self._ask_title(axis))
        inserts = gui.hBox(self.definition)
        inserts.layout().addWidget(QLabel("Insert:"))
        self.insert_name, self.insert_value = NameCombo("Attribute"), NameCombo("Value")
        self.insert_name.picked.connect(self._insert_name)
        self.insert_value.picked.connect(lambda text: self._edited_box().edit.insert(text))
        for combo in (self.insert_name, self.insert_value):
            inserts.layout().addWidget(combo, 1)
        order = gui.hBox(self.definition)
        order.layout().addWidget(QLabel("Sort data by:"))
        self.sort_by = QComboBox(editable=True)
        self.sort_by.setAccessibleName("Sort data by")
        self.sort_by.setToolTip("A variable, or any formula of values of each row")
        self.sort_by.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
        self.sort_by.setMinimumContentsLength(8)
        self.sort_by.editTextChanged.connect(self._formula_changed)
        self.direction = combo_of(self._formula_changed, "Direction", DIRECTIONS)
        order.layout().addWidget(self.sort_by, 1)
        order.layout().addWidget(self.direction)
        self.sort_message = QLabel(wordWrap=True, visible=False)
        self.definition.layout().addWidget(self.sort_message)
        self.definition.layout().addWidget(QLabel("Merge elements with same value of sort:"))
        self.merge = combo_of(
            self._formula_changed, "Merge elements with same value of sort", MERGES
        )
        self.definition.layout().addWidget(self.merge)
        self.compute_button = QPushButton("Compute", autoDefault=False)
        self.compute_button.setToolTip("Compute the points of the curve by these formulas")
        self.compute_button.clicked.connect(self.compute_formulas)
        self.definition.layout().addWidget(self.compute_button)
        gui.rubber(page)

    def _build_analysis(self, page: Any) -> None:
        box = gui.vBox(page, "Band")
        self.bands = choices(box, self, "band", BANDS, self._band_changed)
        self.bands.setAccessibleName("Band")
        self.level_spin = gui.spin(
            box,
            self,
            "level",
            50,
            99,
            label="Level (%):",
            callback=self.redraw,
            alignment=Qt.AlignRight,
            tooltip="Coverage of the band, of intervals of areas and of the plateau",
        )
        self.resamples_spin = gui.spin(
            box,
            self,
            "resamples",
            20,
            100000,
            step=100,
            label="Resamples:",
            callback=self.redraw,
            alignment=Qt.AlignRight,
        )
        gui.checkBox(box, self, "hull", "Convex hull (ROC curve)", callback=self.redraw)
        self.difference_check = gui.checkBox(
            box,
            self,
            "difference",
            "Difference of two classifiers",
            callback=self.redraw,
            tooltip="The second classifier minus the first, with a simultaneous band",
        )
        box = gui.vBox(page, "Optimum")
        self.goals = choices(box, self, "goal", GOALS, self.redraw)
        self.goals.setAccessibleName("Optimum")
        self.goal_edit = gui.lineEdit(
            box,
            self,
            "goal_of",
            label="of:",
            orientation=Qt.Horizontal,
            callback=self.redraw,
            callbackOnType=False,
            placeholderText="y of the curve",
            tooltip="Formula at the threshold, such as F1",
        )
        self.subject_edit = gui.lineEdit(
            box,
            self,
            "subject_to",
            label="Only where:",
            orientation=Qt.Horizontal,
            callback=self.redraw,
            placeholderText="recall >= 0.85",
            tooltip="Condition that must hold at the threshold",
        )
        box = gui.vBox(page, "Threshold")
        gui.checkBox(
            box, self, "show_threshold", "Show the threshold", callback=self._threshold_changed
        )
        self.threshold_spin = gui.doubleSpin(
            box,
            self,
            "threshold",
            -1e9,
            1e9,
            0.01,
            decimals=3,
            label="Threshold:",
            alignment=Qt.AlignRight,
            callback=self._threshold_changed,
            tooltip="Drag it in the chart, or write it here",
        )
        gui.radioButtons(
            box, self, "rows_wanted", ROWS, label="Selected data:", callback=self._threshold_changed
        )
        self.upper_spin = gui.doubleSpin(
            box,
            self,
            "upper",
            -1e9,
            1e9,
            0.01,
            decimals=3,
            label="To below:",
            alignment=Qt.AlignRight,
            callback=self._threshold_changed,
            tooltip="Rows from the threshold to below this value",
        )
        gui.rubber(page)

    def _offer_presets(self) -> None:
        for preset in PRESETS.values():
            self.presets.addItem(preset["title"], preset["name"])
            place = self.presets.count() - 1
            self.presets.setItemData(place, preset["explanation"], Qt.ToolTipRole)
        self.presets.addItem("User defined formula", USER)
        self.presets.setCurrentIndex(self.presets.findData(self.preset))
        self._show_definition()

    # ------------------------------------------------------------------ formulas

    def _definition(self) -> dict[str, str]:
        """Return the formulas that are shown: those of the preset, or the user's."""
        if self.preset == USER:
            return {**USUAL, **self.formulas}
        return self._definition_of(self.preset)

    def _definition_of(self, name: str) -> dict[str, str]:
        preset = PRESETS[name]
        own = {name: preset[name] or usual for name, usual in USUAL.items()}
        return {**own, "x": own["x"] or self.preset_x}

    def _show_definition(self) -> None:
        """Show the formulas, which only the user's own can be changed."""
        own, shown = self.preset == USER, self._definition()
        self._showing = True
        self.x_box.set_text(shown["x"])
        self.y_box.set_text(shown["y"])
        self.sort_by.setEditText(shown["sort_by"])
        self.direction.setCurrentIndex(self.direction.findData(shown["direction"]))
        self.merge.setCurrentIndex(self.merge.findData(shown["merge"]))
        self._showing = False
        for box in (self.x_box, self.y_box):
            box.show_error(None)
        self.sort_message.hide()
        self.definition.setEnabled(own)
        self.copy_button.setEnabled(not own)
        self.explanation.setText("" if own else PRESETS[self.preset]["explanation"])
        self.explanation.setVisible(not own)
        self.preset_attribute.setVisible(not own and PRESETS[self.preset]["needs"] == "x")
        self._tell_pending()

    def _preset_chosen(self) -> None:
        before, shown = self.preset, self._definition()
        self.preset = self.presets.currentData()
        if self.preset == USER and before != USER:
            if not self.formulas:
                self.formulas = shown
            self.computed = dict(self.formulas)
        smoothed = self.preset != USER and PRESETS[self.preset]["average"] == "smooth"
        was = before != USER and PRESETS[before]["average"] == "smooth"
        if smoothed or (was and self.preset != USER):
            self._set_averaging("smooth" if smoothed else "merge")
        self._show_definition()
        self.redraw()

    def _copy_preset(self) -> None:
        """Take the formulas of the preset as the user's own."""
        self.formulas = self._definition()
        self.presets.setCurrentIndex(self.presets.findData(USER))
        self._preset_chosen()

    def _attribute_chosen(self) -> None:
        self.preset_x = self.preset_attribute.currentData() or ""
        self._show_definition()
        self.redraw()

    def _formula_changed(self, *_: Any) -> None:
        if self._showing or self.preset != USER:
            return
        self.formulas = {
            **USUAL,
            **self.formulas,
            **self._outdated_titles(),
            "x": self.x_box.text(),
            "y": self.y_box.text(),
            "sort_by": self.sort_by.currentText().strip() or PROBABILITY,
            "direction": self.direction.currentData(),
            "merge": self.merge.currentData(),
        }
        self._tell_pending()
        self._check_later.start()

    def _outdated_titles(self) -> dict[str, str]:
        """Return no title for an axis that has a preset's, and whose formula is another now."""
        texts = {"x": self.x_box.text(), "y": self.y_box.text()}
        before = {**USUAL, **self.formulas}
        names = [f"{axis}_title" for axis, text in texts.items() if text != before[axis]]
        return {name: "" for name in names if before[name] in TITLES}

    def _tell_pending(self) -> None:
        """Say that the chart does not show the formulas in the boxes."""
        pending = self.preset == USER and self.formulas != self.computed
        self.Warning.not_computed(shown=pending and self.data is not None)
        if pending:  # nobody knows yet what the new formulas use
            self._allow_order(frozenset())

    def _allow_order(self, unused: frozenset[str]) -> None:
        """Enable how rows are sorted and merged, where that changes the curve."""
        self.sort_by.setEnabled("sort_by" not in unused)
        self.direction.setEnabled("direction" not in unused)
        self.merge.setEnabled("merge" not in unused)

    def _order(self, formulas: dict[str, str]) -> dict[str, str]:
        """Return how formulas sort and merge the rows, as `plumbline.curve` takes it."""
        order = {"direction": formulas["direction"], "merge": formulas["merge"]}
        named = formulas["sort_by"] != PROBABILITY and formulas["direction"] != "unsorted"
        return {**order, "sort_by": formulas["sort_by"]} if named else order

    def _check_formulas(self) -> bool:
        """Show under the boxes what is wrong with the formulas; return whether nothing is."""
        if self.data is None or self.preset != USER:
            return True
        formulas = {**USUAL, **self.formulas}
        order = self._order(formulas)
        errors: dict[str, pb.PlumblineError] = {}
        for part in ("sort_by", "x", "y"):
            try:
                check_formula(self.data, part, formulas[part], {} if errors else order)
            except pb.PlumblineError as error:
                errors[part] = error
        self.x_box.show_error(errors.get("x"))
        self.y_box.show_error(errors.get("y"))
        wrong = errors.get("sort_by")
        self.sort_message.setVisible(wrong is not None)
        self.sort_message.setText("" if wrong is None else sentence_of(wrong))
        return not errors

    def compute_formulas(self, *_: Any) -> None:
        """Draw the curve of the formulas in the boxes."""
        self._check_later.stop()
        if self._check_formulas():
            self.computed = dict(self.formulas)
            self._tell_pending()
            self.redraw()

    def _defaults(self) -> dict[str, float]:
        """Return the parameters of the formulas that are drawn, with their default values."""
        if self.preset != USER:
            return dict(PRESETS[self.preset]["params"])
        texts = [self.computed[part] for part in ("x", "y") if self.computed.get(part)]
        if self.data is None or not texts:
            return {}
        try:
            return formula_params(self.data, texts)
        except pb.PlumblineError:  # drawing the curve will tell it
            return {}

    def _show_params(self) -> None:
        """Offer a number for each parameter of the formulas that are drawn."""
        defaults = self._defaults()
        if defaults == self.defaults:
            return
        self.defaults = defaults
        while self.params_form.rowCount():
            self.params_form.removeRow(0)
        for name, default in defaults.items():
            spin = QDoubleSpinBox(minimum=-1e9, maximum=1e9, decimals=3)
            spin.setKeyboardTracking(False)
            spin.setAlignment(Qt.AlignRight)
            spin.setValue(self.params.get(name, default))
            spin.setToolTip(f"Default: {default:g}")
            spin.valueChanged.connect(lambda value, name=name: self._set_param(name, value))
            self.params_form.addRow(f"{name}:", spin)
        self.params_box.setVisible(bool(defaults))

    def _set_param(self, name: str, value: float) -> None:
        self.params = {**self.params, name: value}
        self.redraw()

    def _ask_title(self, axis: str) -> None:
        name = f"{axis}_title"
        title, given = QInputDialog.getText(
            self,
            "Axis title",
            f"Title of the {axis} axis (empty: its formula):",
            text=self.formulas.get(name, ""),
        )
        if given:
            self.formulas = {**self.formulas, name: title.strip()}
            self.computed = {**self.computed, name: title.strip()}
            self.redraw()

    def _edited_box(self) -> FormulaBox:
        return self._last_box or self.y_box

    def _insert_name(self, name: str) -> None:
        self._edited_box().edit.insert(name)
        self.insert_value.set_entries(value_entries(self.words["variables"], name))


def _title_of(axis: str, before: dict[str, str], text: str) -> str:
    """Return the title of an axis: that of a preset goes with the preset's formula."""
    title = before[f"{axis}_title"]
    of_preset = any(
        (preset[axis], preset[f"{axis}_title"]) == (before[axis], title)
        for preset in PRESETS.values()
    )
    return "" if of_preset and text != before[axis] else title


def combo_of(callback: Any, name: str, options: dict[str, str] | None = None) -> QComboBox:
    """Return a list of options, of which the keys are the data."""
    combo = QComboBox()
    combo.setAccessibleName(name)
    combo.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(10)
    for key, text in (options or {}).items():
        combo.addItem(text, key)
    combo.activated.connect(lambda *_: callback())
    return combo


def choices(box: Any, widget: Any, name: str, options: dict[str, str], callback: Any) -> QComboBox:
    """Put a list of options into a box, which sets an attribute of the widget to their key."""

    def chosen() -> None:
        setattr(widget, name, combo.currentData())
        callback()

    combo = combo_of(chosen, name, options)
    combo.setCurrentIndex(combo.findData(getattr(widget, name)))
    box.layout().addWidget(combo)
    return combo


def allow(combo: QComboBox, keys: Any) -> None:
    """Enable only some options of a list."""
    for place in range(combo.count()):
        combo.model().item(place).setEnabled(combo.itemData(place) in keys)
