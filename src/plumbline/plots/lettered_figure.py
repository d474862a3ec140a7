"""A figure of matplotlib that finds fonts for its texts before it is drawn."""

from typing import Any

from matplotlib.figure import Figure

from plumbline.plots.fonts import find_fonts, warn_of_boxes
from plumbline.plots.style import silent_about_missing_glyphs


class LetteredFigure(Figure):
    """A figure whose texts have the installed fonts that they need, whoever saves it."""

    def draw(self, renderer: Any) -> None:
        """Draw the figure; letters that no installed font has are named in one warning."""
        warn_of_boxes(find_fonts(self))
        with silent_about_missing_glyphs():
            super().draw(renderer)
