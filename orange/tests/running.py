"""Workflows of Orange without a canvas: load one, run it, wait until all of its widgets rest."""

import time
from pathlib import Path
from typing import Any

from AnyQt.QtTest import QTest
from Orange.canvas.config import Config
from orangecanvas.registry import WidgetRegistry
from orangecanvas.scheme import SchemeNode
from orangecanvas.scheme.readwrite import scheme_load
from orangewidget.workflow.discovery import WidgetDiscovery
from orangewidget.workflow.widgetsscheme import WidgetsScheme

BUSY = SchemeNode.Running | SchemeNode.Pending | SchemeNode.Invalidated
RESTS = 5  # looks in sequence that find nothing to do


def registered() -> WidgetRegistry:
    """Return all widgets of Orange and its add-ons."""
    registry = WidgetRegistry()
    WidgetDiscovery(registry).run(Config.widgets_entry_points())
    return registry


def load(path: Path, registry: WidgetRegistry) -> WidgetsScheme:
    """Return the workflow of a file with all of its widgets."""
    scheme = WidgetsScheme()
    scheme.set_runtime_env("basedir", str(path.parent))
    errors: list[Exception] = []
    with path.open("rb") as stream:
        scheme_load(scheme, stream, registry=registry, error_handler=errors.append)
    if errors:
        raise errors[0]
    return scheme


def widgets_of(scheme: WidgetsScheme) -> dict[str, Any]:
    """Return the widgets by title."""
    return {node.title: scheme.widget_for_node(node) for node in scheme.nodes}


def finish(scheme: WidgetsScheme, seconds: float = 120) -> None:
    """Wait until no signal is under way and no widget works."""
    end, rests = time.monotonic() + seconds, 0
    while rests < RESTS:
        QTest.qWait(20)
        manager = scheme.signal_manager
        working = manager.has_pending() or any(node.test_state_flags(BUSY) for node in scheme.nodes)
        tasks = any(getattr(w, "task", None) is not None for w in widgets_of(scheme).values())
        rests = 0 if working or tasks else rests + 1
        if time.monotonic() > end:
            raise TimeoutError(f"the workflow still runs after {seconds:g} seconds")
