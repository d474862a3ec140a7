"""Directives of pages. `plot` runs the lines of a plot; shows its picture, question and code.

    ```{plot} map_figure draw_map
    :question: Which prediction becomes which?

    plots.map_figure(pb.recalibrate(data, "beta"))
    ```

The arguments are the public names of the picture; the first one names the entry. Its lines see what
the Python block of the page and the plots above have defined. The picture is the value of the last
line, or the variable `figure`.

`terms` shows the glossary of the report as text that the search finds, `fragments` what the
changelog fragments say, `metrics` a line for each metric and test of the catalogue.
"""

import ast
import html
import re
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from matplotlib.figure import Figure
from metrics_index import index_of_metrics
from release import fragments
from sphinx.util.docutils import SphinxDirective

from plumbline import plots

TERM = re.compile(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", re.DOTALL)
SETUP = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def figure_drawn(code: str, names: dict[str, Any]) -> Figure:
    """Run lines of code; return what the last one gives, or what they call `figure`."""
    *lines, last = ast.parse(code).body
    exec(compile(ast.Module(lines, []), "gallery", "exec"), names)  # noqa: S102  (our own page)
    value = eval(compile(ast.Expression(last.value), "gallery", "eval"), names)  # type: ignore[attr-defined]  # noqa: S307
    return value if isinstance(value, Figure) else names["figure"]


class Plot(SphinxDirective):
    """One entry of the gallery."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {"question": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Draw the picture into `_images/gallery`, and return the entry."""
        name, *others = self.arguments[0].split()
        question, code = self.options["question"], "\n".join(self.content)
        names = self.env.temp_data.get("plots")
        if names is None:
            names = self.env.temp_data["plots"] = {}
            page = Path(self.env.doc2path(self.env.docname)).read_text("utf-8")
            exec(SETUP.search(page)[1], names)  # type: ignore[index]  # noqa: S102
        figure = figure_drawn(code, names)
        folder = Path(self.env.app.outdir, "_images", "gallery")
        folder.mkdir(parents=True, exist_ok=True)
        plots.save_figure(figure, folder / f"{name}.svg")

        wide = figure.get_figwidth() > 5.9  # inches; its numbers are too small beside the code
        shape = ["plot", "plot-wide"] if wide else ["plot"]
        entry = nodes.section(ids=[name.replace("_", "-")], classes=shape)
        entry += nodes.title("", "", nodes.literal(text=name))
        entry += nodes.paragraph("", question)
        source, words = f"_images/gallery/{name}.svg", html.escape(question)
        picture = f'<img src="{source}" alt="{words}" loading="lazy">'
        link = f'<a class="plot-picture" href="{source}">{picture}</a>'
        entry += nodes.raw("", link, format="html")
        text = nodes.container(classes=["plot-text"])
        text += nodes.literal_block(code, code, language="python")
        links = ", ".join(
            f'<a href="api_plots.html#plumbline.plots.{one}"><code>plots.{one}</code></a>'
            for one in (name, *others)
        )
        text += nodes.raw("", f'<p class="plot-names">{links}</p>', format="html")
        entry += text
        return [entry]


class Terms(SphinxDirective):
    """The terms of an HTML list, each with an anchor."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return them as a list of definitions."""
        file = Path(self.env.srcdir, self.arguments[0])
        self.env.note_dependency(str(file))
        terms = nodes.definition_list()
        for found in TERM.findall(file.read_text("utf-8")):
            name, meaning = (html.unescape(text) for text in found)
            item = nodes.definition_list_item(ids=[nodes.make_id(name)])
            item += nodes.term(text=name)
            item += nodes.definition("", nodes.paragraph(text=meaning))
            terms += item
        return [terms]


class Fragments(SphinxDirective):
    """What the changelog fragments say, by type; their links begin at the root of the source."""

    def run(self) -> list[nodes.Node]:
        """Return a list for each type that has fragments."""
        shown: list[nodes.Node] = []
        for kind, files in fragments(Path(self.env.srcdir).parent).items():
            items = nodes.bullet_list()
            for file in files:
                self.env.note_dependency(str(file))
                text = file.read_text("utf-8").replace("](docs/", "](")
                item = nodes.list_item()
                self.state.nested_parse(StringList(text.splitlines(), str(file)), 0, item)
                items += item
            shown += [nodes.rubric(text=kind), items] if files else []
        return shown or [nodes.paragraph(text="Nothing yet.")]


class Metrics(SphinxDirective):
    """A line for each metric and test of the catalogue."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        table = index_of_metrics(Path(self.env.srcdir))
        shown = nodes.container(classes=["metrics"])
        self.state.nested_parse(StringList(table.splitlines(), "metrics"), 0, shown)
        return [shown]


def setup(app: Any) -> dict[str, bool]:
    """Name the directives."""
    app.add_directive("plot", Plot)
    app.add_directive("metrics", Metrics)
    app.add_directive("terms", Terms)
    app.add_directive("fragments", Fragments)
    return {"parallel_read_safe": True}
