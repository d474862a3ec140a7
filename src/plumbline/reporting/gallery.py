"""The pictures of one page, each with its title, its description and its numbers to copy."""

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from plumbline._result import jsonable, shown
from plumbline.curves.shown_curve import step_of
from plumbline.formatting import counted
from plumbline.plots import figure_svg

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.figure import Figure

MOST_ROWS = 1000  # that a picture hands out; of longer curves every second, third, ... point
COPY = (
    '{}<button type="button" class="copy" hidden data-rows="{}" aria-label="Copy data: {}">{}'
    "</button>"
)


class Gallery:
    """Draws the pictures of one page, each with names of its own inside."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def draw(
        self,
        figure: "Figure",
        label: str,
        *,
        title: str = "",
        rows: Sequence[Mapping[str, Any]] = (),
        total: int = 0,
    ) -> "Markup":
        """Return a picture as SVG that the template does not escape again.

        `label` is what a screen reader says of it, `title` its name. Where there are `rows`, a
        button follows that copies them as a table; it shows only where scripts run. `total` is the
        number of all rows, where `rows` are those that `step_of` leaves.
        """
        from markupsafe import Markup

        svg = Markup(figure_svg(figure, label=label, prefix=f"p{next(self._numbers)}"))
        if title:
            head, mark, rest = svg.partition(">")
            svg = Markup("{}{}<title>{}</title>{}").format(head, mark, title, rest)
        if not rows:
            return svg
        step = step_of(total or len(rows), MOST_ROWS)
        some = "" if step == 1 else f" (1 in {step:,} of {counted(total or len(rows), 'row')})"
        table = as_table(rows if total else rows[::step])
        return Markup(COPY).format(svg, table, title or label, f"Copy data{some}")


def as_table(rows: Sequence[Mapping[str, Any]]) -> str:
    r"""Return the plain values of rows as lines of cells with tabs between, for a spreadsheet.

    >>> as_table([{"bin": "a\tb", "n": 2, "share": 1 / 3}, {"n": None}]).split("\n")
    ['bin\tn\tshare', 'a b\t2\t0.333333', '\t\t']
    """
    plain = [jsonable(row, infinite=True) for row in rows]
    columns = dict.fromkeys(
        name for row in plain for name, value in row.items() if not isinstance(value, (list, dict))
    )
    lines = [columns, *([_cell(row.get(name)) for name in columns] for row in plain)]
    return "\n".join("\t".join(line) for line in lines)


def _cell(value: Any) -> str:
    if value is None or isinstance(value, (list, dict)):
        return ""
    return shown(value) if isinstance(value, float) else " ".join(str(value).split())
