"""How the documentation is built: `make docs`. The pages ask nothing of other hosts."""

import inspect
import re
import shutil
import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

import plumbline

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "scripts")]  # directives.py and release.py

project = "Plumbline"
author = "The Plumbline authors"
project_copyright = author
version = release = version_of("plumbline-eval")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "directives",
]
# No extension for formulas: they would load a script from another host, so formulas are plain text.
exclude_patterns = ["_build", "tutorials/GALLERY_HEADER.rst"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
autodoc_typehints_format = "short"
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"Plumbline {version}"
html_copy_source = False

# Light and dark pages show the same pictures; pages.css turns them over on dark ones.
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_search_scorer = str(HERE / "static" / "scorer.js")


def our_figures(_block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save the figures that a block of a tutorial made: ours are not known to pyplot."""
    from sphinx_gallery.scrapers import figure_rst

    known = block_vars.setdefault("figures_saved", [])
    paths = []
    for thing in list(block_vars["example_globals"].values()):  # the last line's is called `___`
        if isinstance(thing, Figure) and not any(thing is figure for figure in known):
            known.append(thing)
            paths.append(next(block_vars["image_path_iterator"]))
            thing.savefig(paths[-1], dpi=150, bbox_inches="tight")
    return str(figure_rst(paths, gallery_conf["src_dir"]))


sphinx_gallery_conf = {
    "examples_dirs": "../examples/tutorials",
    "gallery_dirs": "tutorials",
    "filename_pattern": r"\.py$",
    "image_scrapers": (our_figures,),
    "capture_repr": ("__repr__",),
    "ignore_repr_types": r"matplotlib\.|LetteredFigure",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "copyfile_regex": "",
    "min_reported_time": 1e9,
}
suppress_warnings = ["config.cache"]  # the scraper is a function of this file

SECTION = re.compile(r"(\w+)\n-+$")
MATH = re.compile(r":math:`([^`]+)`")  # shown as it is written: MathJax is another host's script
# Classes whose docstrings name types, as those of functions do.
TYPED = (plumbline.Predictions, plumbline.EqualWidth, plumbline.EqualSize, plumbline.Edges)
ENTRY = re.compile(r"(\w+(?:, \w+)*) : (.+)")


def name_then_text(*event: Any) -> None:
    """Put what stands behind `name :` in Attributes and Parameters where a description belongs.

    Our results say there what a thing is, for its type is in the signature. Functions name the
    type, which stays a text: as a type it would be a link to whatever has the name of its shape.
    """
    kind, thing, lines = event[1], event[3], event[-1]
    typed = kind in ("function", "method") or thing in TYPED
    section, result = "", []
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        heading = SECTION.match(f"{line}\n{after}")
        section = heading[1] if heading else section
        entry = ENTRY.match(line) if section in ("Attributes", "Parameters") else None
        text = f"    ({entry[2]})" if entry and typed else f"    {entry[2]}" if entry else ""
        result += [entry[1], text] if entry else [line]
    lines[:] = MATH.sub(r"``\1``", "\n".join(result)).split("\n")


def write_pages_of_names(_app: Any) -> None:
    """Write a page for each public name, which `api.md` lists."""
    folder = HERE / "names"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in plumbline.__all__:
        thing = getattr(plumbline, name)
        if not inspect.ismodule(thing):
            kind = "autoclass" if inspect.isclass(thing) else "autofunction"
            members = "   :members:\n" if inspect.isclass(thing) else ""
            text = f"{name}\n{'=' * len(name)}\n\n.. {kind}:: plumbline.{name}\n{members}"
            (folder / f"{name}.rst").write_text(text, "utf-8")


def setup(app: Any) -> None:
    """Write pages before they are looked for; run before napoleon (500) reads the docstrings."""
    app.connect("builder-inited", write_pages_of_names)
    app.connect("autodoc-process-docstring", name_then_text, priority=400)
