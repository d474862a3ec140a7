"""The chart of a curve: lines, bands, guides, the best threshold, and a threshold to drag."""

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPointF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QBrush, QColor, QFontMetricsF, QPalette, QPen
from AnyQt.QtWidgets import QFrame, QGraphicsPathItem
from Orange.widgets.utils import colorpalettes
from Orange.widgets.visualize.utils.plotutils import GraphicsView, PlotItem

from plumbline.results import BestThreshold, Curve
from plumbline_orange.chart_parts import (
    ChartAxis,
    ChartDates,
    ChartLegend,
    ChartMarker,
    ChartViewBox,
    LegendEntry,
    readable,
)

WIDTH = 400  # columns of pixels, of each of which the ends and the extremes are drawn
FEW = 25  # points of a line that are marked one by one
TOP, RIM = 8.0, 4.0  # pixels above the plot and beside it
TURNS = 100  # of a line, beyond which it is a cloud
NEAR = 24  # pixels between the mouse and a point that is read out
STEP = 0.01  # share of the thresholds that an arrow key moves by
ALIKE = 3  # colours that every kind of colour vision tells apart without dashes
DASHES = ([], [6, 3], [2, 2], [8, 3, 2, 3])  # of the classes of one model


class CurveChart(GraphicsView):
    """A chart of a `Curve`, which `draw` draws.

    Dragging a rectangle zooms, a double click shows everything again. A threshold is dragged, or
    moved by the arrow keys; where x is no threshold, it is a point on every line.

    Attributes
    ----------
    plot : the plot, which Save Image saves
    threshold : where the threshold is, or None
    """

    threshold_moved = Signal(float)
    threshold_set = Signal(float)

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent, background=None)
        self.setFrameStyle(QFrame.StyledPanel)
        self.setFocusPolicy(Qt.StrongFocus)
        self.setAccessibleName("Chart of the curve")
        self.plot = PlotItem(
            viewBox=ChartViewBox(),
            axisItems={"left": ChartAxis("left"), "bottom": ChartAxis("bottom")},
            enableMenu=False,
        )
        self.plot.hideButtons()
        self.legend = ChartLegend()
        self.plot.layout.addItem(self.legend, 4, 0, 1, 3)
        self.plot.layout.setContentsMargins(RIM, TOP, RIM, 0)
        self.setCentralItem(self.plot)
        self.plot.vb.sigResized.connect(self._fit)
        self.plot.vb.reset_asked.connect(self.reset_zoom)
        self._hover = pg.SignalProxy(
            self.scene().sigMouseMoved, rateLimit=40, slot=lambda args: self._read_out(args[0])
        )
        self._read = pg.TextItem(anchor=(0, 1))
        self._spot = pg.ScatterPlotItem(size=9, pxMode=True)
        self._drawn: tuple[Any, ...] | None = None
        self._fitting = False
        self.clear()

    # ------------------------------------------------------------------ what is drawn

    def clear(self) -> None:
        """Take everything away."""
        self.plot.clear()
        self.legend.set_entries([])
        self.curve: Curve | None = None
        self.drawing: Any = None
        self.threshold: float | None = None
        self._lines: list[tuple[Any, Any, Any, QColor]] = []
        self._markers: list[ChartMarker] = []
        self._cursor: Any = None
        self._drawn = None
        for axis in (self._axis("bottom"), self._axis("left")):
            axis.setTicks(None)
            axis.setLabel("")

    def draw(
        self,
        curve: Curve,
        colors: Mapping[str | None, QColor],
        *,
        hull: Sequence[Any] | None = None,
        optimum: BestThreshold | Sequence[BestThreshold] | None = None,
        guides: bool = True,
        threshold: float | None = None,
    ) -> None:
        """Draw a curve in place of what there was.

        Parameters
        ----------
        curve : the curve
        colors : a colour for each model; those of a curve of one model may have the key None
        hull : lines to draw as convex hulls
        optimum : the best threshold, or one for each line, in the order of the lines
        guides : whether reference lines are drawn
        threshold : where the threshold to drag stands; None for no such threshold
        """
        self.clear()
        self.curve, self.drawing = curve, curve.drawing(WIDTH)
        self._drawn = (curve, colors, hull, optimum, guides)
        self._set_axes()
        entries = []
        for number, group in enumerate(self.drawing.groups):
            color = self._color(number, group, colors)
            dash = self._dash(number)
            entries.append(LegendEntry(group.label, color, dash))
            for line, few in zip(group.lines, group.thinned, strict=True):
                if len(line):
                    self._draw_line(line, few, color, dash, number, several=len(group.lines) > 1)
        if guides:
            entries += self._draw_guides()
        if hull and not curve.x_names:
            entries += self._draw_hulls(hull)
        if optimum is not None:
            entries += self._draw_best(curve, optimum)
        self.legend.set_entries([entry for entry in entries if entry.text])
        self.legend.setPalette(self.palette())
        self.set_threshold(threshold)
        self.plot.addItem(self._spot, ignoreBounds=True)
        self.plot.addItem(self._read, ignoreBounds=True)
        self._read.hide()
        self._spot.hide()
        self.reset_zoom()
        self._fit()

    def reset_zoom(self) -> None:
        """Show the whole of both axes."""
        if self.curve is None:
            return
        x = (-0.6, len(self.curve.x_names) - 0.4) if self.curve.x_names else self.drawing.x.limits
        x = tuple(self._days(0, np.array(x)))
        y = tuple(self._days(1, np.array(self.drawing.y.limits)))
        self.plot.setRange(xRange=x, yRange=y, padding=0, disableAutoRange=True)

    def _days(self, side: int, places: Any) -> Any:
        """Return places on an axis; one of dates counts in seconds."""
        assert self.curve is not None
        return places * 86_400.0 if self.curve.dates[side] else places

    def _places(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return where values stand on both axes."""
        return self._days(0, self.drawing.x.place(x)), self._days(1, self.drawing.y.place(y))

    def _ink(self, *, alpha: int = 255) -> QColor:
        color = QColor(self.palette().color(QPalette.Text))
        color.setAlpha(alpha)
        return color

    def _color(self, number: int, group: Any, colors: Mapping[str | None, QColor]) -> QColor:
        """Return the colour of a group: its model's, or of one model's classes one each."""
        models = {one.model for one in self.drawing.groups}
        several = len(self.drawing.groups)
        if len(models) == 1 and several > 1:
            color = colorpalettes.get_default_curve_colors(several)[number]
        else:
            known = list(colors.values()) or list(colorpalettes.get_default_curve_colors(several))
            color = colors.get(group.model, known[number % len(known)])
        return readable(QColor(color), self.palette().color(QPalette.Base))

    def _dash(self, number: int) -> list[int]:
        """Return the dashes of a group: those of a model's classes differ, and of many models."""
        groups = self.drawing.groups
        models = list(dict.fromkeys(group.model for group in groups))
        model = groups[number].model
        if len(models) == len(groups):
            return DASHES[models.index(model) % len(DASHES)] if len(models) > ALIKE else []
        before = [group for group in groups[:number] if group.model == model]
        return DASHES[len(before) % len(DASHES)]

    # ------------------------------------------------------------------ lines

    def _draw_line(
        self, line: Any, few: Any, color: QColor, dash: list[int], number: int, *, several: bool
    ) -> None:
        x, y = self._places(few.x, few.y)
        if self.drawing.shape == "points":
            self._draw_points(few, x, y, color, number)
        else:
            steps = steps_of(x) if self.drawing.shape == "step" else None
            self._draw_spread(few, x, color, steps)
            drawn = stepped(x, y, steps) if few.path is None else self._places(*few.path)
            thin = several or goes_to_and_fro(x)  # thick, that would be painted for seconds
            pen = _pen(color, 1.0 if thin else 2.0, dash)
            item = pg.PlotCurveItem(*drawn, pen=pen, antialias=True)
            item.setSegmentedLineMode("off" if dash else "on")
            item.setZValue(5 if several else 6)
            self.plot.addItem(item, ignoreBounds=True)
            if len(few) <= FEW and not several:
                self._add_dots(x, y, color, 5)
        self._lines.append((line, few, (x, y), color))

    def _add_dots(self, x: Any, y: Any, color: QColor, size: float) -> None:
        brush = QBrush(self.palette().color(QPalette.Base))
        item = pg.ScatterPlotItem(x, y, size=size, pen=_pen(color, 1.5), brush=brush)
        item.setZValue(7)
        self.plot.addItem(item, ignoreBounds=True)

    def _draw_points(self, few: Any, x: Any, y: Any, color: QColor, number: int) -> None:
        """Draw dots with their intervals; on categories the groups stand beside each other."""
        assert self.curve is not None
        groups = len(self.drawing.groups)
        if self.curve.x_names:
            x += min(0.16, 0.7 / groups) * (number - (groups - 1) / 2)
            self._draw_whiskers(few, x, color)
            self._add_dots(x, y, color, 9)
            return
        faint = QColor(color)
        faint.setAlpha(150)
        item = pg.ScatterPlotItem(x, y, size=4, pen=None, brush=QBrush(faint))
        self.plot.addItem(item, ignoreBounds=True)

    def _draw_spread(self, few: Any, x: Any, color: QColor, steps: str | None) -> None:
        """Draw a band as an area, and deviations of both coordinates as crosses."""
        if "x_sd" in few.more:
            self._draw_whiskers(few, x, color)
            return
        low, high = (self.drawing.y.place(end) for end in few.spread)
        inside = np.isfinite(low) & np.isfinite(high) & ~np.isnan(x)
        if not inside.any():
            return
        xs, lows = stepped(x[inside], low[inside], steps)
        _, highs = stepped(x[inside], high[inside], steps)
        path = pg.arrayToQPath(
            np.concatenate([xs, xs[::-1]]), self._days(1, np.concatenate([lows, highs[::-1]]))
        )
        area = QGraphicsPathItem(path)
        faint = QColor(color)
        faint.setAlpha(45)
        area.setBrush(QBrush(faint))
        area.setPen(QPen(Qt.NoPen))
        area.setZValue(1)
        self.plot.addItem(area, ignoreBounds=True)

    def _draw_whiskers(self, few: Any, x: Any, color: QColor) -> None:
        y = self.drawing.y.place(few.y)
        low, high = (self.drawing.y.place(end) for end in few.spread)
        if np.isnan(low).all():
            return
        low, high = np.where(np.isnan(low), y, low), np.where(np.isnan(high), y, high)
        across: dict[str, Any] = {}
        if "x_sd" in few.more:
            sd = np.nan_to_num(few.more["x_sd"])
            sides = [self._days(0, self.drawing.x.place(few.x + sign * sd)) for sign in (-1, 1)]
            across = {"left": x - sides[0], "right": sides[1] - x}
        faint = QColor(color)
        faint.setAlpha(170)
        item = pg.ErrorBarItem(
            x=x, y=y, bottom=y - low, top=high - y, pen=_pen(faint, 1.2), **across
        )
        item.setZValue(3)
        self.plot.addItem(item, ignoreBounds=True)

    # ------------------------------------------------------------------ beside the lines

    def _draw_guides(self) -> Iterator[LegendEntry]:
        """Draw the reference lines and the places of what is infinite; yield their names."""
        for side, scale in (("bottom", self.drawing.x), ("left", self.drawing.y)):
            for place, _ in scale.edges:
                pen = _pen(self._ink(alpha=110), 1, [1, 3])
                angle = 90 if side == "bottom" else 0
                self.plot.addItem(pg.InfiniteLine(place, angle, pen), ignoreBounds=True)
        for guide in self.drawing.guides:
            dash = [1, 3] if guide.second else [5, 4]
            pen = _pen(self._ink(alpha=140), 1.2, dash)
            if not np.isfinite(guide.x).all():
                item = pg.InfiniteLine(float(self._places(0, guide.y[0])[1]), 0, pen)
            else:
                item = pg.PlotCurveItem(*self._places(guide.x, guide.y), pen=pen, antialias=True)
            item.setZValue(2)
            self.plot.addItem(item, ignoreBounds=True)
            if guide.label:
                yield LegendEntry(guide.label, self._ink(alpha=140), dash)

    def _draw_hulls(self, hulls: Sequence[Any]) -> Iterator[LegendEntry]:
        """Draw convex hulls dashed, in the colours of their lines; yield their name."""
        color_of = {_whose(line): color for line, _, _, color in self._lines}
        for hull in hulls:
            pen = _pen(color_of.get(_whose(hull), self._ink()), 1.2, [3, 3])
            item = pg.PlotCurveItem(*self._places(hull.x, hull.y), pen=pen, antialias=True)
            item.setZValue(4)
            self.plot.addItem(item, ignoreBounds=True)
        yield LegendEntry(self.drawing.hull_name, self._ink(alpha=170), [3, 3])

    def _draw_best(self, curve: Curve, optimum: Any) -> Iterator[LegendEntry]:
        """Mark the best thresholds, and shade what is as good; yield their names."""
        every = [optimum] if isinstance(optimum, BestThreshold) else list(optimum)
        drawn = {_whose(line): (line, few, color) for line, few, _, color in self._lines}
        found = [
            (best, *drawn[_whose(line)])
            for line, best in zip(curve.lines, every, strict=False)
            if _whose(line) in drawn
        ]
        for best, line, few, color in found:
            self._shade_plateau(best, few, color, alone=len(found) == 1)
            place = line.place_at(best.threshold)
            if place is not None:
                x, y = self._places(line.x[[place]], line.y[[place]])
                brush = QBrush(self.palette().color(QPalette.Base))
                pen = _pen(color, 2)
                item = pg.ScatterPlotItem(x, y, symbol="d", size=13, pen=pen, brush=brush)
                item.setZValue(9)
                self.plot.addItem(item, ignoreBounds=True)
        if found:
            color = found[0][3] if len(found) == 1 else self._ink()
            yield LegendEntry(self.drawing.plateau_name, color, [], "area")
            yield LegendEntry(self.drawing.best_name, color, [], "diamond")

    def _shade_plateau(self, best: BestThreshold, few: Any, color: QColor, *, alone: bool) -> None:
        """Shade the thresholds that are as good as the best: of several lines a part of each."""
        shade = QColor(color)
        shade.setAlpha(50 if alone else 90)
        for low, high in best.plateau:
            if self.drawing.along_x and alone:
                ends = self._places(np.array([low, high]), 0)[0].tolist()
                item: Any = pg.LinearRegionItem(
                    ends, brush=QBrush(shade), pen=QPen(Qt.NoPen), movable=False
                )
            else:
                along = few.x if self.drawing.along_x else few.threshold
                inside = (along >= low) & (along <= high)
                pen = _pen(shade, 11)
                pen.setCapStyle(Qt.RoundCap)
                places = self._places(few.x[inside], few.y[inside])
                item = pg.PlotCurveItem(*places, pen=pen, antialias=True)
            item.setZValue(0.5)
            self.plot.addItem(item, ignoreBounds=True)

    # ------------------------------------------------------------------ the threshold

    def set_threshold(self, threshold: float | None) -> None:
        """Move the threshold without a signal; None takes it away."""
        self.threshold = threshold
        if threshold is None or self.curve is None:
            for item in (*self._markers, self._cursor):
                if item is not None:
                    self.plot.removeItem(item)
            self._markers, self._cursor = [], None
            return
        if self.drawing.along_x:
            self._place_cursor(threshold)
        self._place_markers(threshold)

    def _place_cursor(self, threshold: float) -> None:
        place = float(self.drawing.x.place(threshold))
        if self._cursor is None:
            self._cursor = pg.InfiniteLine(
                place,
                90,
                _pen(self._ink(), 1.5),
                movable=True,
                hoverPen=_pen(self._ink(), 3),
                bounds=(self.drawing.x.low, self.drawing.x.high),
            )
            self._cursor.setZValue(10)
            self._cursor.setCursor(Qt.SizeHorCursor)
            self._cursor.sigDragged.connect(lambda line: self._moved(float(line.value())))
            self._cursor.sigPositionChangeFinished.connect(
                lambda line: self.threshold_set.emit(float(line.value()))
            )
            self.plot.addItem(self._cursor, ignoreBounds=True)
        elif self._cursor.value() != place:
            self._cursor.setValue(place)

    def _place_markers(self, threshold: float) -> None:
        if not self._markers:
            for line, _, _, color in self._lines:
                if np.isnan(line.threshold).all() or self.curve.x_names:
                    continue
                marker = ChartMarker(
                    line,
                    color,
                    self.palette().color(QPalette.Base),
                    movable=not self.drawing.along_x,
                )
                marker.dragged.connect(self._drag_along)
                marker.dropped.connect(lambda: self.threshold_set.emit(self.threshold))
                self._markers.append(marker)
                self.plot.addItem(marker, ignoreBounds=True)
        for marker in self._markers:
            line = marker.line
            place = line.place_at(threshold)
            x, y = self._places(line.x[place], line.y[place])
            if self.drawing.along_x:
                x = self.drawing.x.place(threshold)
            marker.setPos(float(x), float(y))

    def _drag_along(self, marker: ChartMarker, at: QPointF) -> None:
        """Move the threshold to that of the point of a marker's line nearest to the mouse."""
        line = marker.line
        x, y = self._places(line.x, line.y)
        place = self._nearest(x, y, at)
        if place is not None and not np.isnan(line.threshold[place]):
            self._moved(float(line.threshold[place]))

    def _moved(self, threshold: float) -> None:
        self.set_threshold(threshold)
        self.threshold_moved.emit(threshold)

    def keyPressEvent(self, event: Any) -> None:
        """Move the threshold by an arrow key."""
        ways = {Qt.Key_Left: -1, Qt.Key_Down: -1, Qt.Key_Right: 1, Qt.Key_Up: 1}
        way = ways.get(event.key())
        if way is None or self.threshold is None or not self._lines:
            super().keyPressEvent(event)
            return
        known = np.concatenate([line.threshold for line, _, _, _ in self._lines])
        known = known[np.isfinite(known)]
        if len(known):
            low, high = float(known.min()), float(known.max())
            start = min(max(self.threshold, low), high)
            self._moved(min(max(start + way * STEP * (high - low), low), high))
            self.threshold_set.emit(self.threshold)
        event.accept()

    # ------------------------------------------------------------------ the read-out

    def _nearest(self, x: Any, y: Any, at: QPointF) -> int | None:
        """Return the number of the point that is nearest on the screen; None where none is."""
        wide, tall = self.plot.vb.viewPixelSize()
        with np.errstate(invalid="ignore"):
            apart = ((x - at.x()) / wide) ** 2 + ((y - at.y()) / tall) ** 2
        return None if np.isnan(apart).all() else int(np.nanargmin(apart))

    def _read_out(self, position: QPointF) -> None:
        """Show the point of a line that is nearest to the mouse, if it is near."""
        found = None
        if self.curve is not None and self.plot.vb.sceneBoundingRect().contains(position):
            found = self._point_near(self.plot.vb.mapSceneToView(position))
        self._read.setVisible(found is not None)
        self._spot.setVisible(found is not None)
        if found is None:
            return
        line, place, x, y, color = found
        base = self.palette().color(QPalette.Base)
        self._spot.setData([x], [y], pen=_pen(color, 2), brush=QBrush(base))
        self._read.setColor(self._ink())
        base.setAlpha(225)
        self._read.fill, self._read.border = QBrush(base), _pen(self._ink(alpha=120), 1)
        self._read.setText(self.curve.point_text(line, place))
        (left, right), (low, high) = self.plot.vb.viewRange()
        across, up = x > (left + right) / 2, y > (low + high) / 2
        self._read.setAnchor((1.08 if across else -0.08, -0.1 if up else 1.1))
        self._read.setPos(x, y)
        self._read.setZValue(20)
        self._spot.setZValue(19)

    def _point_near(self, at: QPointF) -> tuple[Any, int, float, float, QColor] | None:
        wide, tall = self.plot.vb.viewPixelSize()
        best, found = float(NEAR**2), None
        for _, few, (x, y), color in self._lines:
            place = self._nearest(x, y, at)
            if place is None:
                continue
            apart = ((x[place] - at.x()) / wide) ** 2 + ((y[place] - at.y()) / tall) ** 2
            if apart <= best:
                best, found = apart, (few, place, float(x[place]), float(y[place]), color)
        return found

    # ------------------------------------------------------------------ axes and size

    def _axis(self, side: str) -> Any:
        return self.plot.getAxis(side)

    def _set_axes(self) -> None:
        """Give both axes their ticks: numbers, dates, categories, rates, and the edges."""
        assert self.curve is not None
        scales = {"bottom": self.drawing.x, "left": self.drawing.y}
        for (side, scale), dates in zip(scales.items(), self.curve.dates, strict=True):
            kind = ChartDates if dates else ChartAxis
            if type(self._axis(side)) is not kind:
                self.plot.setAxisItems({side: kind(side)})
            axis = self._axis(side)
            axis.setGrid(40)
            axis.set_scale(scale)
        if self.curve.x_names:
            self._axis("bottom").set_names(self.curve.x_names)

    def _fit(self, *_: Any) -> None:
        """Fit titles to their axes, and make a square of the plot where both are alike."""
        if self.curve is None or self._fitting:
            return
        self._fitting = True  # what follows changes sizes, which calls this again
        self._cut_titles(self.curve)
        self.plot.layout.activate()
        box = self.plot.vb
        left, _, right, _ = self.plot.layout.getContentsMargins()
        spare = box.width() + left + right - box.height() if self.drawing.square else 0.0
        margin = max(spare / 2, RIM)
        if abs(margin - left) > 1:
            self.plot.layout.setContentsMargins(margin, TOP, margin, 0)
            self.plot.layout.activate()
        self._fitting = False

    def _cut_titles(self, curve: Curve) -> None:
        """Leave out the middle of titles that are longer than their axes."""
        box = self.plot.vb
        for side, title, room in (
            ("bottom", curve.x_title, box.width()),
            ("left", curve.y_title, box.height()),
        ):
            axis = self._axis(side)
            metrics = QFontMetricsF(axis.label.font())
            text = html.escape(metrics.elidedText(title, Qt.ElideMiddle, max(room, 60)))
            if text != axis.labelText:
                axis.setLabel(text)

    def changeEvent(self, event: Any) -> None:
        """Draw again in the colours of another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and getattr(self, "_drawn", None) is not None:
            curve, colors, hull, optimum, guides = self._drawn
            self.draw(
                curve,
                colors,
                hull=hull,
                optimum=optimum,
                guides=guides,
                threshold=self.threshold,
            )


def _pen(color: QColor, width: float, dash: Sequence[float] = ()) -> QPen:
    pen = QPen(color, width)
    pen.setCosmetic(True)
    if dash:
        pen.setDashPattern([step / max(width, 1) for step in dash])
    return pen


def _whose(line: Any) -> tuple[str | None, str | None, str | None]:
    return line.model, line.fold, line.target


def steps_of(x: Any) -> str | None:
    """Return on which side of its point a value holds: a state lasts down to the next threshold."""
    moves = np.diff(x)
    if (moves <= 0).all():
        return "post"
    return "pre" if (moves >= 0).all() else None


def goes_to_and_fro(x: Any) -> bool:
    """Tell whether a line turns around more often than any curve of rates does."""
    moves = np.sign(np.diff(x))
    moves = moves[moves != 0]
    return int((moves[1:] != moves[:-1]).sum()) > TURNS


def stepped(x: Any, y: Any, steps: str | None) -> tuple[Any, Any]:
    """Return the corners of a line in steps; the points themselves where it has none."""
    if steps is None or len(x) < 2:
        return x, y
    if steps == "post":
        return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    return np.repeat(x, 2)[:-1], np.repeat(y, 2)[1:]
