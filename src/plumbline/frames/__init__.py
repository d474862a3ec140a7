"""Tables of any size: small ones are read row by row, large ones counted at levels."""

from plumbline.frames.read import read
from plumbline.frames.sql import sql

__all__ = ["read", "sql"]
