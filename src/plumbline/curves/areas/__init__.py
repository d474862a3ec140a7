"""Areas under curves, the convex hull, and the path of precision against recall."""
