"""Pictures of a recalibration: the map, and what each method changes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtGui import QColor, QPalette, QPen
from AnyQt.QtWidgets import QFrame
from Orange.widgets.utils import colorpalettes
from Orange.widgets.visualize.utils.plotutils import GraphicsView, PlotItem

import plumbline as pb
from plumbline.results import MethodAdvice, RecalibrationAdvice
from plumbline_orange.chart_parts import ChartAxis, ChartLegend, LegendEntry, readable

MOST_LINES = 8  # classes whose lines are drawn
UNCHANGED = (4, 3)  # dashes of the diagonal
SCORES = {"log loss": "log_loss", "Brier score": "brier"}  # field before `_difference` and `_range`


class RecalibrationChart(GraphicsView):
    """The map on the left; on the right the change of a score by each method, with its interval.

    Attributes
    ----------
    map_plot, change_plot : the two plots; the second is hidden where there is nothing to show
    score : the score whose changes are shown, "" where there are none
    """

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent, background=None)
        self.setFrameStyle(QFrame.StyledPanel)
        self.setAccessibleName("Picture of the map and of the changes by method")
        self.layout_item = pg.GraphicsLayout()
        self.layout_item.setContentsMargins(0, 8, 8, 0)
        self.layout_item.setSpacing(12)
        self.map_plot, self.change_plot = _plot(), _plot()
        self.layout_item.addItem(self.map_plot, 0, 0)
        self.layout_item.addItem(self.change_plot, 0, 1)
        for column in (0, 1):
            self.layout_item.layout.setColumnStretchFactor(column, 1)
            self.layout_item.layout.setColumnPreferredWidth(column, 300)
        self.legend = ChartLegend()
        self.layout_item.addItem(self.legend, 1, 0, 1, 2)
        self.setCentralItem(self.layout_item)
        self._drawn: tuple[Any, ...] = (None, None)
        self.score = ""
        self.clear()

    def clear(self) -> None:
        """Take everything away."""
        self.draw(None, None)

    def draw(self, fitted: pb.RecalibrationMap | None, advice: RecalibrationAdvice | None) -> None:
        """Draw a map and the changes, in place of what there was; None draws nothing."""
        self._drawn = (fitted, advice)
        self._draw_map(fitted)
        self._draw_changes(advice, None if fitted is None else fitted.method)

    def changeEvent(self, event: Any) -> None:
        """Draw in the colours of another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "_drawn"):
            self.draw(*self._drawn)

    # ------------------------------------------------------------------ the map

    def _draw_map(self, fitted: pb.RecalibrationMap | None) -> None:
        plot = self.map_plot
        plot.clear()
        self.legend.set_entries([])
        self.legend.setToolTip("")
        plot.setVisible(fitted is not None)
        if fitted is None:
            return
        lines = fitted.lines(most=MOST_LINES)
        muted = self.palette().color(QPalette.Disabled, QPalette.Text)
        pen = QPen(muted, 0)
        pen.setDashPattern(list(UNCHANGED))
        plot.plot([0, 1], [0, 1], pen=pen)
        entries = []
        colors = colorpalettes.get_default_curve_colors(len(lines.y))
        for color, (name, after) in zip(colors, lines.y.items(), strict=True):
            shown = readable(QColor(color), self.palette().color(QPalette.Base))
            plot.plot(lines.x, after, pen=pg.mkPen(shown, width=2.5), antialias=True)
            entries.append(LegendEntry(name, shown))
        one = f" of {next(iter(lines.y))}" if len(lines.y) == 1 else ""
        plot.setLabel("bottom", f"predicted probability{one}")
        plot.setLabel("left", f"recalibrated probability{one}")
        plot.setRange(xRange=(0, 1), yRange=(0, 1), padding=0.02, disableAutoRange=True)
        if not one:
            self.legend.set_entries([*entries, LegendEntry("unchanged", muted, UNCHANGED)])
            self.legend.setToolTip(lines.note or "")
        self.legend.setPalette(self.palette())

    # -------------------------------------------------------------- the changes

    def _draw_changes(self, advice: RecalibrationAdvice | None, method: str | None) -> None:
        plot = self.change_plot
        plot.clear()
        self.score, rows = _rows_to_draw(advice)
        plot.setVisible(bool(rows))
        if not rows:
            return
        field = SCORES[self.score]
        text = self.palette().color(QPalette.Text)
        muted = self.palette().color(QPalette.Disabled, QPalette.Text)
        color = readable(
            QColor(colorpalettes.get_default_curve_colors(1)[0]),
            self.palette().color(QPalette.Base),
        )
        plot.addItem(pg.InfiniteLine(0, angle=90, pen=pg.mkPen(text, style=Qt.DashLine)))
        for place, row in enumerate(rows):
            low, high = getattr(row, f"{field}_range")
            chosen = row.method == method
            ink = color if row.helps or chosen else muted
            if np.isfinite([low, high]).all():
                pen = pg.mkPen(ink, width=3.5 if chosen else 1.8)
                plot.plot([low, high], [place, place], pen=pen)
            plot.addItem(
                pg.ScatterPlotItem(
                    [getattr(row, f"{field}_difference")],
                    [place],
                    size=11 if chosen else 8,
                    brush=ink,
                    pen=pg.mkPen(ink),
                )
            )
        # Two lines, as half a window has no room for one.
        plot.setLabel("bottom", f"change of the {self.score}<br>(below 0 is better)")
        names = [row.method for row in rows]
        plot.getAxis("left").setTicks([list(enumerate(names))])
        ends = [[getattr(row, f"{field}_difference"), *getattr(row, f"{field}_range")]
                for row in rows]  # fmt: skip
        known = np.array([end for row in ends for end in row if np.isfinite(end)] + [0.0])
        plot.setRange(
            xRange=(known.min(), known.max()),
            yRange=(-0.6, len(rows) - 0.4),
            padding=0.03,
            disableAutoRange=True,
        )


def _plot() -> PlotItem:
    axes = {"left": ChartAxis("left"), "bottom": ChartAxis("bottom")}
    plot = PlotItem(axisItems=axes, enableMenu=False)
    plot.hideButtons()
    plot.setMouseEnabled(False, False)
    return plot


def _rows_to_draw(advice: RecalibrationAdvice | None) -> tuple[str, Sequence[MethodAdvice]]:
    """Return the score whose changes are finite, and the methods, the best one last (on top)."""
    tried = [] if advice is None else [row for row in advice.methods if row.reason is None]
    for score, field in SCORES.items():
        rows = [row for row in tried if np.isfinite(getattr(row, f"{field}_difference"))]
        if rows:
            return score, rows[::-1]
    return "", ()
