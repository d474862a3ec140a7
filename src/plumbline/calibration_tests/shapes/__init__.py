"""Shapes of miscalibration: families of one parameter, and how well they fit."""
