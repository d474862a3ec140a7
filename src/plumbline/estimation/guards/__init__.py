"""Guards: what makes an error estimate dishonest or doubtful, found before it is made."""

from plumbline.estimation.guards.answers import Finding
from plumbline.estimation.guards.fitted import need_unfitted
from plumbline.estimation.guards.looking import findings

__all__ = ["Finding", "findings", "need_unfitted"]
