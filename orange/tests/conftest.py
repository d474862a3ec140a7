"""Orange's windows are never shown; its settings are kept nowhere."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
