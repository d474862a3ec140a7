"""Loads the plug-in of Plumbline into pytest.

pytest rewrites the asserts of the whole package that holds a plug-in, each time a file of it is
new. This module stands beside the package, which is then imported as it is.
"""

from plumbline.pytest_plugin import plumbline_gate, pytest_terminal_summary

__all__ = ["plumbline_gate", "pytest_terminal_summary"]
