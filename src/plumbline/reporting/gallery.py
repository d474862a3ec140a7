"""The pictures of one page."""

import itertools
from typing import TYPE_CHECKING

from plumbline.plots import figure_svg

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.figure import Figure


class Gallery:
    """Draws the pictures of one page, each with names of its own inside."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def draw(self, figure: "Figure", label: str) -> "Markup":
        """Return a picture as SVG that the template does not escape again."""
        from markupsafe import Markup

        return Markup(figure_svg(figure, label=label, prefix=f"p{next(self._numbers)}"))
