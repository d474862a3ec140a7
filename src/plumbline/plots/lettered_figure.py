"""A figure of matplotlib that finds fonts for its texts, and that a notebook shows by itself."""

import io
from typing import Any

from matplotlib.figure import Figure

from plumbline.plots.fonts import find_fonts, warn_of_boxes
from plumbline.plots.style import figure_style, silent_about_missing_glyphs

SCREEN = 96  # pixels of a page in an inch
FINE = 2  # pixels of the picture to one of the page, so that it is sharp on fine screens


class LetteredFigure(Figure):
    """A figure whose texts have the installed fonts that they need, whoever saves it."""

    def draw(self, renderer: Any) -> None:
        """Draw the figure; letters that no installed font has are named in one warning."""
        warn_of_boxes(find_fonts(self))
        with silent_about_missing_glyphs():
            super().draw(renderer)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """Return the picture and its size on the page, as IPython asks for them.

        pyplot does not know our figures, so that its own display in notebooks never shows them.
        """
        file = io.BytesIO()
        with figure_style():
            self.savefig(file, format="png", dpi=SCREEN * FINE, metadata={"Software": None})
        width, height = (round(SCREEN * inches) for inches in self.get_size_inches())
        return file.getvalue(), {"width": width, "height": height}
