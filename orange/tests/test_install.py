"""What `pip install ./orange` puts into Orange, from a wheel that is built here."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

FOLDER = Path(__file__).resolve().parents[1]
DISCOVER = """
import importlib.metadata
import json

import plumbline_orange
from Orange.canvas.config import Config
from orangecanvas.application.examples import workflows
from orangecanvas.help import manager
from orangecanvas.registry import WidgetRegistry
from orangewidget.workflow.discovery import WidgetDiscovery

def ours(group):
    points = importlib.metadata.entry_points(group=group)
    return [point for point in points if point.dist.name == "Orange3-Plumbline"]

registry = WidgetRegistry()
WidgetDiscovery(registry).run(ours("orange.widgets"))
widgets = registry.widgets()
help_of = manager.get_help_provider_for_distribution(ours("orange.canvas.help")[0].dist)
print(json.dumps({
    "from": plumbline_orange.__file__,
    "addon": [point.name for point in ours("orange3.addon")],
    "categories": {widget.name: widget.category for widget in widgets},
    "icons": {widget.name: widget.icon for widget in widgets},
    "help": {widget.name: help_of.search(widget).toLocalFile() for widget in widgets},
    "examples": [one.abspath() for one in workflows(Config()) if "plumbline" in one.abspath()],
}))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    wheel = next(WheelBuilder(str(FOLDER)).build(directory=str(folder), versions=["standard"]))
    pip = [sys.executable, "-m", "pip", "install", "-qq", "--no-deps", "--no-index"]
    site = folder / "site"
    subprocess.run([*pip, "--target", str(site), wheel], check=True)
    return site


@pytest.fixture(scope="module")
def found(installed, tmp_path_factory):
    paths = [str(installed), str(FOLDER.parent / "src")]
    surroundings = os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "QT_QPA_PLATFORM": "offscreen",
        "HOME": str(tmp_path_factory.mktemp("home")),
    }
    script = [sys.executable, "-W", "ignore", "-c", DISCOVER]
    done = subprocess.run(
        script, env=surroundings, capture_output=True, text=True, check=False, cwd=installed
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_orange_finds_the_installed_add_on(found, installed):
    assert found["from"] == str(installed / "plumbline_orange" / "__init__.py")
    assert found["addon"] == ["Plumbline"]


def test_widgets_stand_in_evaluate_with_icons_and_help(found, installed):
    package = installed / "plumbline_orange"
    widgets = {path.stem for path in (package / "widgets").glob("ow*.py")}
    names = {"ow" + name.replace(" ", "").lower() for name in found["categories"]}
    assert names == widgets
    assert set(found["categories"].values()) == {"Evaluate"}
    for name, icon in found["icons"].items():
        assert (package / "widgets" / icon).is_file()
        page = Path(found["help"][name])
        assert page.is_file()
        assert f"<h1>{name}</h1>" in page.read_text()
        assert page.parent == package / "help"


def test_the_example_of_the_page_runs(capsys):
    page = (FOLDER.parent / "docs" / "orange.md").read_text()
    (script,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(script, {})  # noqa: S102
    assert "n = 303" in capsys.readouterr().out


def test_the_wheel_holds_its_files(installed):
    package = installed / "plumbline_orange"
    assert sorted(path.suffix for path in (package / "widgets" / "icons").iterdir()) == [".svg"] * 3
    assert (package / "help" / "index.html").is_file()
    licences = list(installed.glob("*.dist-info/licenses/LICENSE"))
    assert "GNU GENERAL PUBLIC LICENSE" in licences[0].read_text()


MIGRATE = """
import pickle
import sys
from pathlib import Path

from orangewidget.settings import set_widget_settings_dir_components, widget_settings_dir

set_widget_settings_dir_components(sys.argv[1], "1")
folder = Path(widget_settings_dir())
folder.mkdir(parents=True)
for name in ("owclassificationcurve.OWClassificationCurve", "owrecalibrate.OWRecalibrate",
             "owreliabilitydiagram.OWReliabilityDiagram"):
    path = folder / f"plumbline_orange.widgets.{name}.pickle"
    path.write_bytes(pickle.dumps({"auto_apply": False, "auto_commit": False, "__version__": 1}))
from plumbline_orange.widgets.owclassificationcurve import OWClassificationCurve
from plumbline_orange.widgets.owrecalibrate import OWRecalibrate
from plumbline_orange.widgets.owreliabilitydiagram import OWReliabilityDiagram
for widget in (OWClassificationCurve, OWRecalibrate, OWReliabilityDiagram):
    print(widget.settingsHandler.defaults)
"""


def test_saved_settings_are_read_while_a_widget_is_imported(tmp_path):
    """Orange migrates them while it makes the class, when the rest of the module is not there."""
    roots = os.pathsep.join([str(FOLDER), str(FOLDER.parent / "src")])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", MIGRATE, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": roots, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.stdout.count("'auto_apply': False") == 3, done.stdout + done.stderr
