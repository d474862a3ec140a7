"""The best threshold of any formula, all that cannot be told from it, and its honest value."""

from plumbline.curves.optimum.choice import best_threshold
from plumbline.curves.optimum.result import BestThreshold

__all__ = ["BestThreshold", "best_threshold"]
