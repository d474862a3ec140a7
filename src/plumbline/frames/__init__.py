"""Tables of any size: small ones are read row by row, large ones counted at levels."""

from plumbline.frames.read import read

__all__ = ["read"]
