"""The widgets, in Orange's own category Evaluate."""

from pathlib import Path

NAME = "Evaluate"
ICON = "icons/curve.svg"
BACKGROUND = "#C3F3F3"
PRIORITY = 5
WIDGET_HELP_PATH = ((str(Path(__file__).parents[1] / "help" / "index.html"), None),)
