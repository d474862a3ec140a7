"""Saving charts as SVG by Qt; pyqtgraph's own exporter fails on the closed paths of recent Qt."""

from typing import Any

from AnyQt.QtCore import QRectF
from AnyQt.QtGui import QPainter
from AnyQt.QtSvg import QSvgGenerator
from AnyQt.QtWidgets import QApplication
from orangewidget.io import SvgFormat, effective_background


class ChartSvg:
    """Writes the picture of a chart as SVG, as Orange's formats of pictures do."""

    EXTENSIONS = SvgFormat.EXTENSIONS
    DESCRIPTION = SvgFormat.DESCRIPTION
    PRIORITY = SvgFormat.PRIORITY

    @staticmethod
    def write_image(filename: str, item: Any) -> None:
        """Write the scene that an item of a chart stands in."""
        scene = item.scene()
        view = scene.views()[0]
        source = QRectF(view.sceneRect())
        target = QRectF(0, 0, source.width(), source.height())
        generator = QSvgGenerator()
        generator.setResolution(int(QApplication.primaryScreen().logicalDotsPerInch()))
        generator.setFileName(filename)
        generator.setSize(target.size().toSize())
        generator.setViewBox(target)
        painter = QPainter(generator)
        painter.fillRect(target, effective_background(scene, view))
        scene.render(painter, target, source)
        painter.end()

    write = write_image


def writers(usual: list[Any]) -> list[Any]:
    """Return formats of pictures with `ChartSvg` in place of Orange's."""
    return [ChartSvg if one is SvgFormat else one for one in usual]
