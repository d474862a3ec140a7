"""Boxes for formulas: completion, errors under them, names and values to insert."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from AnyQt.QtCore import QStringListModel, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QStandardItem, QTextCharFormat, QTextCursor
from AnyQt.QtWidgets import (
    QComboBox,
    QCompleter,
    QGridLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QTextEdit,
    QWidget,
)

import plumbline as pb
from plumbline.requests.vocabulary import written_value
from plumbline_orange.base import sentence_of

WORD = re.compile(r"(`[^`]*|[^\W\d]\w*)$")
WRONG = QColor("#c0392b")
LINES = 2  # of text that a box shows
OF_POPUP = (Qt.Key_Enter, Qt.Key_Return, Qt.Key_Escape, Qt.Key_Tab, Qt.Key_Backtab)
GROUPS = {
    "attribute": "Attributes",
    "row": "Values of each row",
    "threshold": "Target class and threshold",
    "count": "Counts at the threshold",
    "rate": "Rates at the threshold",
    "constant": "Constants",
}


class FormulaEdit(QPlainTextEdit):
    """A formula that completes names as they are typed; Enter means Compute, Tab moves on."""

    committed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        height = self.fontMetrics().lineSpacing() * LINES + 2 * int(
            self.document().documentMargin()
        )
        self.setFixedHeight(height + 2 * self.frameWidth() + 2)
        self.words = QStringListModel(self)
        self.completer = QCompleter(self.words, self)
        self.completer.setWidget(self)
        self.completer.setCaseSensitivity(Qt.CaseInsensitive)
        self.completer.activated.connect(self.complete)

    def set_words(self, words: Sequence[str]) -> None:
        """Offer these names."""
        self.words.setStringList(sorted(words, key=str.lower))

    def word(self) -> str:
        """Return the name before the cursor, as far as it is written."""
        cursor = self.textCursor()
        match = WORD.search(self.toPlainText()[: cursor.position()])
        return match[1] if match else ""

    def complete(self, name: str) -> None:
        """Write a name in place of the part of it before the cursor."""
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.Left, QTextCursor.KeepAnchor, len(self.word()))
        cursor.insertText(name)
        self.setTextCursor(cursor)

    def insert(self, text: str) -> None:
        """Write a name or a value at the cursor, apart from the name before it."""
        cursor = self.textCursor()
        before = self.toPlainText()[: cursor.selectionStart()]
        cursor.insertText(f" {text}" if before and re.search(r"[\w`'\"]$", before) else text)
        self.setTextCursor(cursor)
        self.setFocus()

    def mark(self, start: int, end: int) -> None:
        """Underline a part of the formula; nothing where both ends are the same."""
        marked = []
        if end > start:
            part = QTextEdit.ExtraSelection()
            part.cursor = self.textCursor()
            part.cursor.setPosition(min(start, len(self.toPlainText())))
            part.cursor.setPosition(min(end, len(self.toPlainText())), QTextCursor.KeepAnchor)
            part.format.setUnderlineStyle(QTextCharFormat.WaveUnderline)
            part.format.setUnderlineColor(WRONG)
            marked = [part]
        self.setExtraSelections(marked)

    def keyPressEvent(self, event: Any) -> None:
        """Complete names; leave to the list of names the keys that choose from it."""
        popup = self.completer.popup()
        if popup.isVisible() and event.key() in OF_POPUP:
            event.ignore()
            return
        if event.key() in (Qt.Key_Return, Qt.Key_Enter):
            self.committed.emit()
            return
        asked = event.key() == Qt.Key_Space and event.modifiers() & Qt.ControlModifier
        if not asked:
            super().keyPressEvent(event)
        self._offer(always=bool(asked), typed=bool(event.text().strip()))

    def _offer(self, *, always: bool, typed: bool) -> None:
        popup, word = self.completer.popup(), self.word()
        self.completer.setCompletionPrefix(word)
        known = self.completer.completionCount() == 1 and word == self.completer.currentCompletion()
        if known or not (always or (typed and word)):
            popup.hide()
            return
        popup.setCurrentIndex(self.completer.completionModel().index(0, 0))
        place = self.cursorRect()
        place.setWidth(
            popup.sizeHintForColumn(0) + popup.verticalScrollBar().sizeHint().width() + 8
        )
        self.completer.complete(place)


class FormulaBox(QWidget):
    """The formula of an axis, the button of the axis' title, and what is wrong below.

    Attributes
    ----------
    edit : the formula
    title_button : asks for the title of the axis
    message : the error, in the words of the library
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = FormulaEdit(self)
        self.edit.setAccessibleName(f"Formula of {name}")
        self.edit.setToolTip(
            f"Formula of the {name} coordinate. Ctrl+Space lists names, Enter computes."
        )
        label = QLabel(f"&{name} =")
        label.setBuddy(self.edit)
        self.title_button = QPushButton("Title…", autoDefault=False)
        self.title_button.setToolTip(f"Title of the {name} axis")
        self.title_button.setAccessibleName(f"Title of the {name} axis")
        self.title_button.setMaximumWidth(
            self.title_button.fontMetrics().horizontalAdvance("Title…") + 16
        )
        self.message = QLabel(wordWrap=True, visible=False)
        self.message.setTextFormat(Qt.PlainText)
        self.message.setStyleSheet(f"color: {WRONG.name()}")
        self.message.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.MinimumExpanding)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.addWidget(label, 0, 0)
        grid.addWidget(self.edit, 0, 1)
        grid.addWidget(self.title_button, 0, 2)
        grid.addWidget(self.message, 1, 0, 1, 3)

    def text(self) -> str:
        """Return the formula in one line."""
        return " ".join(self.edit.toPlainText().split())

    def set_text(self, text: str) -> None:
        """Show a formula."""
        if text != self.text():
            self.edit.setPlainText(text)

    def show_error(self, error: pb.PlumblineError | None) -> None:
        """Show what is wrong, and underline where; None where nothing is."""
        if error is None:
            self.message.hide()
            self.message.clear()
            self.edit.mark(0, 0)
            return
        formula = isinstance(error, pb.FormulaError)
        self.message.setText(sentence_of(error))
        self.message.show()
        if formula:
            self.edit.mark(error.start, max(error.end, error.start + 1))


class NameCombo(QComboBox):
    """The names that a formula may use, in groups; a choice is announced once and then undone.

    `picked` carries the name as a formula writes it.
    """

    picked = Signal(str)

    def __init__(self, prompt: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.prompt = prompt
        self.setAccessibleName(prompt)
        self.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(9)
        self.set_entries([])
        self.activated.connect(self._picked)

    def set_entries(self, entries: Sequence[tuple[str, str, str]]) -> None:
        """Offer names or values: (what it is written as, meaning, group)."""
        self.clear()
        self.addItem(self.prompt)
        group = ""
        for written, meaning, of in entries:
            if of != group:
                group = of
                head = QStandardItem(of)
                head.setFlags(Qt.NoItemFlags)
                self.model().appendRow(head)
            self.addItem(written, userData=written)
            self.setItemData(self.count() - 1, meaning, Qt.ToolTipRole)

    def _picked(self, place: int) -> None:
        written = self.itemData(place)
        self.setCurrentIndex(0)
        if written is not None:
            self.picked.emit(written)


def entries_of(variables: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, str]]:
    """Return the entries of a list of names for the variables of a vocabulary."""
    return [
        (one["name"], one["formula"] or one["meaning"], GROUPS[group])
        for group in GROUPS
        for one in variables
        if one["group"] == group
    ]


def value_entries(variables: Sequence[Mapping[str, Any]], name: str) -> list[tuple[str, str, str]]:
    """Return the values of a categorical variable as a formula writes them."""
    values = next((one["categories"] for one in variables if one["name"] == name), ())
    return [(written_value(value), value, "") for value in values]
