"""The reliability chart: bins with gaps and bands, isotonic fits, and the rows of each below."""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPointF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QBrush, QColor, QFontMetricsF, QPalette, QPen
from AnyQt.QtWidgets import QFrame, QGraphicsPathItem, QToolTip
from Orange.widgets.visualize.utils.plotutils import GraphicsView, PlotItem

from plumbline.plots import diagram_axes
from plumbline.results import CorpCurve, ReliabilityCurve
from plumbline_orange.chart_parts import (
    ChartAxis,
    ChartLegend,
    ChartViewBox,
    LegendEntry,
    readable,
)

NEAR = 24  # pixels between the mouse and a bin that is read out
MOST_TITLE = 60
THINNEST = 0.006  # share of the axis that a bar is wide at least
COLUMNS = 3  # panels beside each other


@dataclass(frozen=True)
class Diagram:
    """One model in a panel.

    Attributes
    ----------
    model : its name in the legend
    color : of its bars, points and line
    curve : what the library says of its bins
    """

    model: str
    color: QColor
    curve: ReliabilityCurve | CorpCurve

    @property
    def bins(self) -> Sequence[dict[str, Any]]:
        """The bins, or the constant pieces of an isotonic fit."""
        return self.curve.rows()

    def observed(self, place: int) -> float:
        """Return the observed frequency of a bin."""
        row = self.bins[place]
        return float(row["outcome_share" if "outcome_share" in row else "probability"])

    def text(self, place: int) -> str:
        """Return what the library's table says of a bin, a line for each column."""
        (table,) = self.curve.present().tables
        return "\n".join(
            [self.model, *(f"{name}: {cells[place]}" for name, cells in table.columns.items())]
        )


@dataclass(frozen=True)
class Panel:
    """Diagrams on the same axes, under a title."""

    title: str
    diagrams: Sequence[Diagram]

    @property
    def limits(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the ends of both axes: what the points of all models need."""
        axes = diagram_axes([one.curve for one in self.diagrams])
        return axes.limits("x"), axes.limits("y")


BinKey = tuple[int, int, int]  # panel, diagram, bin


class ReliabilityChart(GraphicsView):
    """Panels side by side, three a line, each with its histogram of rows below.

    A click chooses the nearest bin, with Ctrl or Shift another one, a click beside all bins none.
    The arrow keys go from bin to bin, Escape chooses none. Dragging zooms, a double click shows
    everything.

    Attributes
    ----------
    panels : what is drawn
    selected : the chosen bins
    """

    selection_changed = Signal()

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent, background=None)
        self.setFrameStyle(QFrame.StyledPanel)
        self.setFocusPolicy(Qt.StrongFocus)
        self.setAccessibleName("Reliability diagram")
        self.layout_item = pg.GraphicsLayout()
        self.layout_item.setContentsMargins(4, 4, 8, 4)
        self.setCentralItem(self.layout_item)
        self.legend = ChartLegend()
        self.panels: Sequence[Panel] = ()
        self.selected: set[BinKey] = set()
        self.band = True
        self._plots: list[tuple[PlotItem, PlotItem]] = []
        self._marks: list[Any] = []
        self.scene().sigMouseClicked.connect(self._clicked)
        self._hover = pg.SignalProxy(
            self.scene().sigMouseMoved, rateLimit=40, slot=lambda args: self._read_out(args[0])
        )

    # ------------------------------------------------------------------ what is drawn

    def clear(self) -> None:
        """Take everything away."""
        self.draw(())

    def draw(self, panels: Sequence[Panel], *, band: bool = True) -> None:
        """Draw panels in place of what there was; nothing is chosen in them."""
        self.panels, self.band, self.selected = panels, band, set()
        self.legend.set_entries([])
        self.layout_item.clear()
        self._plots, self._marks = [], []
        columns = min(len(panels), COLUMNS)
        for number, panel in enumerate(panels):
            line, column = divmod(number, columns)
            edge = column == 0, number + columns >= len(panels)
            self._plots.append(self._new_plots(3 * line, column, panel, edge))
            for place, diagram in enumerate(panel.diagrams):
                self._draw_diagram(number, place, diagram)
        if panels:
            last = 3 * (-(-len(panels) // columns))
            self.legend = ChartLegend()
            self.layout_item.addItem(self.legend, last, 0, 1, columns)
            for row in range(last):
                self.layout_item.layout.setRowStretchFactor(row, (0, 4, 1)[row % 3])
            self.legend.set_entries(list(self._entries()))
            self.legend.setPalette(self.palette())

    def _new_plots(
        self, top: int, column: int, panel: Panel, edge: tuple[bool, bool]
    ) -> tuple[PlotItem, PlotItem]:
        """Make the two plots of a panel, from a row of the layout on, without diagrams.

        `edge` tells whether the panel is the first of its line, and the last of its column: there
        the axes have titles.
        """
        curve = panel.diagrams[0].curve
        if panel.title:
            self.layout_item.addLabel(
                html.escape(panel.title), top, column, color=self._ink().name(), bold=True
            )
        main, below = (
            PlotItem(
                viewBox=ChartViewBox(),
                axisItems={"left": ChartAxis("left"), "bottom": ChartAxis("bottom")},
                enableMenu=False,
            )
            for _ in range(2)
        )
        for row, plot in enumerate((main, below), start=top + 1):
            plot.hideButtons()
            self.layout_item.addItem(plot, row, column)
            plot.getAxis("left").setWidth(58 if edge[0] else 42)
            plot.vb.reset_asked.connect(self.reset_zoom)
        main.setAspectLocked(False)
        main.getAxis("left").setGrid(40)
        main.getAxis("bottom").setGrid(40)
        if edge[0]:
            main.getAxis("left").setLabel(html.escape(curve.y_label))
            below.getAxis("left").setLabel("rows")
        main.getAxis("bottom").setStyle(showValues=False)
        below.setXLink(main)
        below.setMouseEnabled(x=True, y=False)
        most = max(
            (row["count"] for one in panel.diagrams for row in self._histogram(one)), default=1
        )
        below.getAxis("left").setTicks([[(0, "0"), (most, f"{most:,}")]])
        below.setYRange(0, most * 1.06, padding=0)
        if edge[1]:
            below.getAxis("bottom").setLabel(html.escape(self._short(curve.x_label)))
        across, upward = panel.limits
        main.setRange(xRange=across, yRange=upward, padding=0, disableAutoRange=True)
        line = pg.PlotCurveItem([0, 1], [0, 1], pen=_pen(self._ink(alpha=150), 1.2, [5, 4]))
        line.setZValue(2)
        main.addItem(line, ignoreBounds=True)
        return main, below

    def reset_zoom(self) -> None:
        """Show the whole of both axes."""
        for (main, _), panel in zip(self._plots, self.panels, strict=True):
            across, upward = panel.limits
            main.setRange(xRange=across, yRange=upward, padding=0, disableAutoRange=True)

    def _short(self, text: str) -> str:
        metrics = QFontMetricsF(self.font())
        return metrics.elidedText(text, Qt.ElideMiddle, MOST_TITLE * metrics.averageCharWidth())

    def _ink(self, *, alpha: int = 255) -> QColor:
        color = QColor(self.palette().color(QPalette.Text))
        color.setAlpha(alpha)
        return color

    def _color(self, diagram: Diagram) -> QColor:
        return readable(QColor(diagram.color), self.palette().color(QPalette.Base))

    @staticmethod
    def _histogram(diagram: Diagram) -> Sequence[dict[str, Any]]:
        """Return the bars of rows, which end at the scores; of an isotonic fit not its pieces."""
        curve = diagram.curve
        if not isinstance(curve, CorpCurve):
            return curve.bins
        low, high = curve.bands[0]["score"], curve.bands[-1]["score"]
        return [
            {**row, "lowest": max(row["lo"], low), "highest": min(row["hi"], high)}
            for row in curve.counts
        ]

    def _entries(self) -> Iterator[LegendEntry]:
        first = self.panels[0].diagrams
        for diagram in first:
            yield LegendEntry(diagram.model, self._color(diagram))
        if self.band and len(first):
            (columns,) = (table.columns for table in first[0].curve.present().tables)
            name = next((one for one in columns if one.endswith("if calibrated")), "")
            curve = first[0].curve
            name = name or f"{100 * curve.level:g} % band if calibrated"
            for diagram in first:  # each band is in the colour of its model
                of = f", {diagram.model}" if len(first) > 1 else ""
                yield LegendEntry(f"{name}{of}", self._color(diagram), kind="area")
        if len(first) == 1 and isinstance(first[0].curve, CorpCurve):
            limits = f"{100 * first[0].curve.level:g} % confidence limits"
            yield LegendEntry(limits, self._color(first[0]), [1, 2])
        yield LegendEntry("expected if calibrated", self._ink(alpha=150), [5, 4])

    # ------------------------------------------------------------------ a diagram

    def _draw_diagram(self, column: int, place: int, diagram: Diagram) -> None:
        main, below = self._plots[column]
        several = len(self.panels[column].diagrams)
        if isinstance(diagram.curve, CorpCurve):
            self._draw_fit(main, diagram, several=several > 1)
        else:
            self._draw_bins(main, diagram, self._slots(diagram.bins, column, place))
        rows = self._histogram(diagram)
        color = QColor(self._color(diagram))
        color.setAlpha(200 if several == 1 else 160)
        left, right = self._slots(rows, column, place)
        below.addItem(
            pg.BarGraphItem(
                x0=left,
                x1=right,
                y0=0,
                height=[row["count"] for row in rows],
                brush=QBrush(color),
                pen=QPen(Qt.NoPen),
            )
        )

    def _slots(self, rows: Sequence[Any], p: int, place: int) -> tuple[Any, Any]:
        """Return where the bars of a model begin and end: beside those of others in a bin."""
        ends = (("lowest", "lo"), ("highest", "hi"))
        low, high = (
            np.array([row.get(end, row[edge]) for row in rows], float) for end, edge in ends
        )
        (start, stop), _ = self.panels[p].limits
        thin = np.maximum(THINNEST * (stop - start) - (high - low), 0) / 2
        low, high = low - thin, high + thin
        wide = (high - low) / len(self.panels[p].diagrams)
        pad = 0.04 * wide
        return low + place * wide + pad, low + (place + 1) * wide - pad

    def _draw_bins(self, main: PlotItem, diagram: Diagram, slots: tuple[Any, Any]) -> None:
        """Draw the band of every bin, the gap from the diagonal to its point, and the point."""
        color, rows = self._color(diagram), diagram.bins
        low, high = (np.array([row[f"band_{end}"] for row in rows]) for end in ("low", "high"))
        x = np.array([row["mean_probability"] for row in rows])
        y = np.array([row["outcome_share"] for row in rows])
        if self.band:
            left, right = slots
            shade = QColor(color)
            shade.setAlpha(50)
            bars = pg.BarGraphItem(
                x0=left, x1=right, y0=low, y1=high, brush=QBrush(shade), pen=QPen(Qt.NoPen)
            )
            bars.setZValue(1)
            main.addItem(bars, ignoreBounds=True)
        gap = QColor(color)
        gap.setAlpha(150)
        pairs = np.column_stack([x, y]).ravel()
        lines = pg.PlotCurveItem(np.repeat(x, 2), pairs, connect="pairs", pen=_pen(gap, 3))
        lines.setZValue(4)
        main.addItem(lines, ignoreBounds=True)
        outside = (y < low) | (y > high)
        base = QBrush(self.palette().color(QPalette.Base))
        brushes = [QBrush(color) if out else base for out in outside]
        dots = pg.ScatterPlotItem(x, y, size=9, pen=_pen(color, 1.8), brush=brushes)
        dots.setZValue(6)
        main.addItem(dots, ignoreBounds=True)

    def _draw_fit(self, main: PlotItem, diagram: Diagram, *, several: bool) -> None:
        """Draw the isotonic fit, its band if calibrated, and of one model the limits around it."""
        color, curve = self._color(diagram), diagram.curve
        column = {name: [row[name] for row in curve.bands] for name in curve.bands[0]}
        score = np.array(column["score"])
        if self.band:
            low, high = (np.array(column[f"consistency_{end}"]) for end in ("low", "high"))
            path = pg.arrayToQPath(
                np.concatenate([score, score[::-1]]), np.concatenate([low, high[::-1]])
            )
            area = QGraphicsPathItem(path)
            shade = QColor(color)
            shade.setAlpha(45)
            area.setBrush(QBrush(shade))
            area.setPen(QPen(Qt.NoPen))
            area.setZValue(1)
            main.addItem(area, ignoreBounds=True)
        if not several:
            for end in ("low", "high"):
                item = pg.PlotCurveItem(
                    score, np.array(column[f"confidence_{end}"]), pen=_pen(color, 1, [1, 2])
                )
                item.setZValue(3)
                main.addItem(item, ignoreBounds=True)
        ends = np.array(
            [(row[end], row["probability"]) for row in curve.steps for end in ("lo", "hi")]
        )
        thin = pg.PlotCurveItem(ends[:, 0], ends[:, 1], pen=_pen(color, 1), antialias=True)
        pen = _pen(color, 3.5)
        pen.setCapStyle(Qt.SquareCap)
        thick = pg.PlotCurveItem(ends[:, 0], ends[:, 1], connect="pairs", pen=pen)
        for item, above in ((thin, 4), (thick, 5)):
            item.setZValue(above)
            main.addItem(item, ignoreBounds=True)

    # ------------------------------------------------------------------ choosing bins

    def select(self, keys: Sequence[BinKey]) -> None:
        """Choose bins, and tell that they are chosen."""
        known = {(p, d, b) for p, d, b, _, _ in self._every_bin()}
        chosen = set(keys) & known
        if chosen == self.selected:
            return
        self.selected = chosen
        self._mark()
        self.selection_changed.emit()

    def _every_bin(self) -> Iterator[tuple[int, int, int, float, float]]:
        for p, panel in enumerate(self.panels):
            for d, diagram in enumerate(panel.diagrams):
                for b, row in enumerate(diagram.bins):
                    yield p, d, b, row["mean_probability"], diagram.observed(b)

    def _mark(self) -> None:
        """Shade the chosen bins and ring their points."""
        for plot, item in self._marks:
            plot.removeItem(item)
        self._marks = []
        shade = QColor(self.palette().color(QPalette.Highlight))
        for p, d, b in self.selected:
            diagram = self.panels[p].diagrams[d]
            row, ring = diagram.bins[b], QColor(shade)
            faint = QColor(shade)
            faint.setAlpha(45)
            for plot in self._plots[p]:
                region = pg.LinearRegionItem(
                    (row.get("lowest", row["lo"]), row.get("highest", row["hi"])),
                    brush=QBrush(faint),
                    pen=QPen(Qt.NoPen),
                    movable=False,
                )
                region.setZValue(0)
                plot.addItem(region, ignoreBounds=True)
                self._marks.append((plot, region))
            dot = pg.ScatterPlotItem(
                [row["mean_probability"]],
                [diagram.observed(b)],
                size=17,
                pen=_pen(ring, 2.5),
                brush=None,
            )
            dot.setZValue(8)
            self._plots[p][0].addItem(dot, ignoreBounds=True)
            self._marks.append((self._plots[p][0], dot))

    def _clicked(self, event: Any) -> None:
        if event.button() != Qt.LeftButton or event.double():
            return
        key = self.bin_at(event.scenePos())
        more = bool(event.modifiers() & (Qt.ControlModifier | Qt.ShiftModifier))
        if key is None:
            self.select([] if not more else list(self.selected))
        elif more:
            self.select(list(self.selected ^ {key}))
        else:
            self.select([key])

    def bin_at(self, position: QPointF) -> BinKey | None:
        """Return the bin at a place of the scene: the nearest point, else the bar below it."""
        for p, (main, below) in enumerate(self._plots):
            if main.vb.sceneBoundingRect().contains(position):
                at = main.vb.mapSceneToView(position)
                wide, tall = main.vb.viewPixelSize()
                own = [one for one in self._every_bin() if one[0] == p]
                apart = [
                    ((x - at.x()) / wide) ** 2 + ((y - at.y()) / tall) ** 2 for *_, x, y in own
                ]
                if apart and min(apart) <= NEAR**2:
                    return own[int(np.argmin(apart))][:3]
                return self._bar_at(p, at.x())
            if below.vb.sceneBoundingRect().contains(position):
                return self._bar_at(p, below.vb.mapSceneToView(position).x())
        return None

    def _bar_at(self, p: int, x: float) -> BinKey | None:
        for d, diagram in enumerate(self.panels[p].diagrams):
            left, right = self._slots(diagram.bins, p, d)
            inside = np.flatnonzero((left <= x) & (x <= right))
            if len(inside):
                return p, d, int(inside[0])
        return None

    def keyPressEvent(self, event: Any) -> None:
        """Go from bin to bin by the arrow keys; choose none by Escape."""
        ways = {Qt.Key_Left: -1, Qt.Key_Right: 1}
        every = sorted((one[:3] for one in self._every_bin()), key=lambda key: key)
        if event.key() == Qt.Key_Escape and self.selected:
            self.select([])
        elif event.key() in ways and every:
            way = ways[event.key()]
            ends = [every.index(key) for key in self.selected]
            start = (max(ends) if way > 0 else min(ends)) if ends else (-1 if way > 0 else 0)
            key = every[(start + way) % len(every)]
            extend = bool(event.modifiers() & Qt.ShiftModifier)
            self.select([*self.selected, key] if extend else [key])
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    # ------------------------------------------------------------------ reading out

    def read_out(self, key: BinKey) -> str:
        """Return what is known of a bin."""
        panel, diagram, place = key
        return self.panels[panel].diagrams[diagram].text(place)

    def _read_out(self, position: QPointF) -> None:
        key = self.bin_at(position)
        if key is None:
            QToolTip.hideText()
            return
        at = self.viewport().mapToGlobal(self.mapFromScene(position))
        QToolTip.showText(at, self.read_out(key), self)

    def changeEvent(self, event: Any) -> None:
        """Draw again in the colours of another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and getattr(self, "panels", ()):
            chosen = self.selected
            self.draw(self.panels, band=self.band)
            self.selected = chosen
            self._mark()


def _pen(color: QColor, width: float, dash: Sequence[float] = ()) -> QPen:
    pen = QPen(color, width)
    pen.setCosmetic(True)
    if dash:
        pen.setDashPattern([step / max(width, 1) for step in dash])
    return pen
