"""Orange's windows are never shown; its settings are kept in a folder that goes with the tests."""

import atexit
import os
import shutil
import tempfile

from orangewidget.settings import set_widget_settings_dir_components

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
SETTINGS = tempfile.mkdtemp(prefix="orange-settings-")
set_widget_settings_dir_components(SETTINGS, "tests")  # before a widget's class is made
atexit.register(shutil.rmtree, SETTINGS, ignore_errors=True)
