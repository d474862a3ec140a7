"""A curve as a file that draws it again, and the fingerprint of its rows."""
