"""From a curve back to rows: those between two thresholds, and counts by an attribute."""
