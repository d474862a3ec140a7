"""Runs the workflow of the thesis' figure 7 in Orange's own canvas, and saves pictures.

    make orange-demo
    .venv-orange/bin/python scripts/orange_demo.py FOLDER

The pictures are those of docs/orange.md: the canvas with its workflow, and each widget of Plumbline
in the example workflows. Needs a screen, such as xvfb-run gives; without one Qt's "offscreen" is
taken.
"""

import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = ROOT / "orange" / "plumbline_orange" / "workflows"
CANVAS, WIDGET = (1320, 660), (1150, 760)
SHOWN = {  # workflow -> title of a widget -> name of its picture
    "100-heart-disease.ows": {
        "ROC curve": "classification-curve",
        "Accuracy by chest pain": "accuracy-by-chest-pain",
    },
    "110-loans.ows": {"Profit": "profit-of-loans"},
    "120-comparison.ows": {
        "Reliability Diagram": "reliability-diagram",
        "Recalibrate": "recalibrate",
    },
}


def window_of(registry: Any) -> Any:
    """Return Orange's main window with its widgets."""
    from Orange.canvas.mainwindow import MainWindow

    window = MainWindow()
    window.set_widget_registry(registry)
    window.resize(*CANVAS)
    window.show()
    return window


def main() -> None:
    """Open, run, save."""
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    warnings.simplefilter("ignore")  # Orange's own, one for each model
    os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp()
    sys.path.insert(0, str(ROOT / "orange" / "tests"))

    import running
    from AnyQt.QtTest import QTest
    from AnyQt.QtWidgets import QApplication
    from Orange.canvas.config import Config
    from orangecanvas import config
    from orangecanvas.registry.qt import QtRegistryHandler, QtWidgetRegistry
    from orangewidget.workflow.discovery import WidgetDiscovery

    application = QApplication(["orange-demo"])
    config.set_default(Config())
    registry = QtWidgetRegistry()
    handler = QtRegistryHandler(registry=registry)
    WidgetDiscovery(handler).run(Config.widgets_entry_points())
    for name, pictures in SHOWN.items():
        window = window_of(registry)
        # Loaded here: of a faulty workflow the window tells in a dialog that nobody answers.
        scheme = running.load(WORKFLOWS / name, registry)
        window.set_scheme(scheme)
        running.finish(scheme)
        QTest.qWait(300)
        save(window, out / f"{Path(name).stem}.png")
        for title, widget in running.widgets_of(scheme).items():
            errors = [str(error) for error in widget.Error.active]
            if errors:
                raise SystemExit(f"{name}, {title}: {'; '.join(errors)}")
            if title in pictures:
                widget.resize(*WIDGET)
                widget.show()
                QTest.qWait(500)
                running.finish(scheme)
                save(widget, out / f"{pictures[title]}.png")
        window.current_document().setModified(False)  # so that closing asks nothing
        window.close()
        print(f"{name}: {len(scheme.nodes)} widgets left")
    application.quit()


def save(widget: Any, path: Path) -> None:
    """Save a picture of a widget."""
    if not widget.grab().save(str(path)):
        raise SystemExit(f"{path} could not be written")
    print(path)


if __name__ == "__main__":
    main()
