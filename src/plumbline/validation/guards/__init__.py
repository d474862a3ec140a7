"""Guards: what makes an error estimate dishonest or doubtful, found before it is made."""

from plumbline.validation.guards.answers import Finding
from plumbline.validation.guards.fitted import need_unfitted
from plumbline.validation.guards.looking import findings

__all__ = ["Finding", "findings", "need_unfitted"]
