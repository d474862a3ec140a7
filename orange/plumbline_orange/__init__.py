"""Plumbline's widgets for Orange: curves by formula, reliability diagrams, recalibration."""
