"""Parts of the charts: axes, a legend that wraps, a point to drag, and colours to be read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QPointF, QRectF, QSizeF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QBrush, QColor, QFontMetricsF, QPalette, QPen, QPolygonF
from AnyQt.QtWidgets import QGraphicsWidget, QSizePolicy
from Orange.widgets.visualize.utils.plotutils import AxisItem

CONTRAST = 3.0  # of a line against the paper, at least


class ChartViewBox(pg.ViewBox):
    """Dragging zooms into a rectangle, a double click asks for everything; the wheel needs Ctrl."""

    reset_asked = Signal()

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.setMouseMode(self.RectMode)

    def wheelEvent(self, event: Any, axis: Any = None) -> None:
        """Zoom with Ctrl only, so that a page scrolls past the chart."""
        if event.modifiers() & Qt.ControlModifier:
            super().wheelEvent(event, axis)
        else:
            event.ignore()

    def mouseClickEvent(self, event: Any) -> None:
        """Ask for everything on a double click."""
        if event.double() and event.button() == Qt.LeftButton:
            event.accept()
            self.reset_asked.emit()


# ------------------------------------------------------------------ axes

FEWEST_TICKS = 4  # finer ones only make the grid heavy


class ChartAxis(AxisItem):
    """An axis of numbers in full, of categories, or of rates, with ticks for what is infinite."""

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.enableAutoSIPrefix(False)
        self._edges: dict[float, str] = {}
        self._names: Sequence[str] = ()
        self._ends = (-np.inf, np.inf)
        self._room = 0.0

    def set_scale(self, scale: Any) -> None:
        """Take a scale of the library: rates and what is infinite have ticks of their own."""
        self._edges = dict(scale.edges)
        self._names = ()
        self._ends = (scale.low, scale.high) if self._edges else (-np.inf, np.inf)
        if scale.deviate:
            places, names = scale.rate_ticks()
            self.setTicks([[*zip(places, names, strict=True), *scale.edges]])
        else:
            self.setTicks(None)

    def set_names(self, names: Sequence[str]) -> None:
        """Show categories."""
        self._names = names
        self._name_ticks()

    def _name_ticks(self) -> None:
        """Shorten the names to the room that each has, and leave some out where there is none."""
        self._room = self.width()
        metrics = QFontMetricsF(self.style["tickFont"] or self.font())
        room = max(self.width(), 100) / max(len(self._names), 1)
        every = max(1, int(np.ceil(30 / room)))
        self.setTicks(
            [
                [
                    (
                        place,
                        metrics.elidedText(self._names[place], Qt.ElideMiddle, room * every - 6),
                    )
                    for place in range(0, len(self._names), every)
                ]
            ]
        )

    def resizeEvent(self, event: Any = None) -> None:
        """Shorten the names anew."""
        super().resizeEvent(event)
        if getattr(self, "_names", ()) and self.width() != self._room:
            self._name_ticks()

    def tickValues(self, low: float, high: float, size: float) -> Any:
        """Return the ticks that have numbers, inside the scale, and the edges."""
        levels = super().tickValues(low, high, size)
        if self._tickLevels is not None:
            return levels
        levels = _coarse(levels)
        if not self._edges:
            return levels
        slack = 1e-9 * (self._ends[1] - self._ends[0])
        inside = [
            (step, [v for v in values if self._ends[0] - slack <= v <= self._ends[1] + slack])
            for step, values in levels
        ]
        edges = [place for place in self._edges if low <= place <= high]
        step, first = inside[0] if inside else (1.0, [])
        return [(step, [*first, *edges]), *inside[1:]]

    def tickStrings(self, values: Any, scale: float, spacing: float) -> list[str]:
        """Return numbers in full, with commas between thousands and a true minus sign."""
        return [
            self._edges.get(value) or f"{round(value, 12) + 0.0:,.10g}".replace("-", "−")
            for value in values
        ]


def _coarse(levels: Any) -> Any:
    """Return the first levels of ticks that together are enough to read an axis by."""
    kept, count = [], 0
    for step, values in levels:
        kept.append((step, values))
        count += len(values)
        if count >= FEWEST_TICKS:
            break
    return kept


class ChartDates(pg.DateAxisItem):
    """An axis of dates."""

    def __init__(self, side: str) -> None:
        super().__init__(side, utcOffset=0)

    def set_scale(self, scale: Any) -> None:
        """Dates need nothing of a scale."""


# ------------------------------------------------------------------ legend


@dataclass(frozen=True)
class LegendEntry:
    """What a legend says of one kind of line: "line", "area" or "diamond"."""

    text: str
    color: QColor
    dash: Sequence[float] = ()
    kind: str = "line"


class ChartLegend(QGraphicsWidget):
    """A legend below a chart, in as many rows as its width needs."""

    SAMPLE, GAP, PAD = 24.0, 18.0, 4.0

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[LegendEntry] = []
        self._places: list[tuple[LegendEntry, QRectF, str]] = []
        self._tall = 0.0
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)

    def set_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show other entries."""
        self.entries = list(entries)
        self._flow()

    def resizeEvent(self, event: Any) -> None:
        """Wrap the entries anew."""
        super().resizeEvent(event)
        self._flow()

    def _flow(self) -> None:
        metrics = QFontMetricsF(self.font())
        width, row = max(self.size().width(), 120.0), metrics.height() + 2 * self.PAD
        left, top = 8.0, 0.0
        self._places = []
        for entry in self.entries:
            text = metrics.elidedText(entry.text, Qt.ElideRight, width - self.SAMPLE - 24)
            wide = self.SAMPLE + 6 + metrics.horizontalAdvance(text) + 2
            if left > 8 and left + wide > width:
                left, top = 8.0, top + row
            self._places.append((entry, QRectF(left, top, wide, row), text))
            left += wide + self.GAP
        tall = top + row if self.entries else 0.0
        if tall != self._tall:
            self._tall = tall
            self.updateGeometry()
        self.update()

    def sizeHint(self, which: Any, constraint: Any = None) -> QSizeF:
        """Ask for all the width there is."""
        wide = {Qt.MinimumSize: 100.0, Qt.MaximumSize: 16_777_215.0}.get(which, 400.0)
        return QSizeF(wide, self._tall)

    def paint(self, painter: Any, option: Any, widget: Any = None) -> None:
        """Draw samples and texts."""
        painter.setRenderHint(painter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        for entry, box, text in self._places:
            middle = box.center().y()
            pen = QPen(entry.color, 2.0)
            if entry.dash:
                pen.setDashPattern([step / 2 for step in entry.dash])
            painter.setPen(pen)
            left, right = box.left(), box.left() + self.SAMPLE
            if entry.kind == "area":
                faint = QColor(entry.color)
                faint.setAlpha(60)
                painter.fillRect(QRectF(left, middle - 5, self.SAMPLE, 10), QBrush(faint))
            elif entry.kind == "diamond":
                x = (left + right) / 2
                points = [(x, middle - 6), (x + 5, middle), (x, middle + 6), (x - 5, middle)]
                painter.drawPolygon(QPolygonF([QPointF(*point) for point in points]))
            else:
                painter.drawLine(QPointF(left, middle), QPointF(right, middle))
            painter.setPen(QPen(self.palette().color(QPalette.Text)))
            painter.drawText(
                box.adjusted(self.SAMPLE + 6, 0, 2, 0), int(Qt.AlignVCenter | Qt.AlignLeft), text
            )


# ------------------------------------------------------------------ a point to drag


class ChartMarker(pg.TargetItem):
    """A point on a line at the threshold, which the mouse drags along it.

    On an axis of thresholds it follows the vertical line and is not dragged itself.
    """

    dragged = Signal(object, QPointF)
    dropped = Signal()
    SIZE = 13

    def __init__(self, line: Any, color: QColor, paper: QColor, *, movable: bool) -> None:
        super().__init__(
            size=self.SIZE,
            symbol="o",
            pen=pg.mkPen(color, width=2.5),
            hoverPen=pg.mkPen(color, width=2.5),
            brush=paper,
            hoverBrush=color,
            movable=movable,
        )
        self.line, self.color = line, color
        self.setZValue(12)
        if movable:
            self.setCursor(Qt.OpenHandCursor)

    def mouseDragEvent(self, event: Any) -> None:
        """Tell where the mouse is, and when it lets go; the chart moves the point."""
        if not self.movable or event.button() != Qt.LeftButton:
            event.ignore()
            return
        event.accept()
        self.dragged.emit(self, self.getViewBox().mapSceneToView(event.scenePos()))
        if event.isFinish():
            self.dropped.emit()


# ------------------------------------------------------------------ colours


def readable(color: QColor, paper: QColor) -> QColor:
    """Return a colour made lighter or darker until a line of it stands out against the paper."""
    dark = _luminance(paper) < 0.2
    for _ in range(12):
        if contrast(color, paper) >= CONTRAST:
            break
        color = color.lighter(115) if dark and color.value() > 0 else color.darker(112)
        if dark and color.value() < 60:
            color = QColor.fromHsv(max(color.hue(), 0), color.saturation(), 90)
    return color


def _luminance(color: QColor) -> float:
    parts = [color.redF(), color.greenF(), color.blueF()]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast of two colours, as WCAG defines it: 1 to 21."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
