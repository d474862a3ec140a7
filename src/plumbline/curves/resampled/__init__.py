"""Rows drawn anew as weights: bands, and the paired difference of two models."""
