"""Slow and literal versions of what Plumbline does quickly, for the tests alone."""
