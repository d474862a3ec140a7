"""The signals by which a process is asked to end, besides Ctrl-C."""

import signal

# SIGHUP, of a terminal that is closed, does not exist on Windows.
ENDINGS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
