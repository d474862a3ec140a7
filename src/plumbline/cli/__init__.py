"""The command line: reads, evaluates, shows. Light to import: commands import what they need."""

from plumbline.cli.program import main

__all__ = ["main"]
