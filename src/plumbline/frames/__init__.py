"""Tables larger than memory, counted at levels of their probability."""
