"""Guards: what makes an error estimate invalid or doubtful, found before it is made."""

from plumbline.validation.guards.findings import findings, need_unfitted
from plumbline.validation.results import Finding

__all__ = ["Finding", "findings", "need_unfitted"]
