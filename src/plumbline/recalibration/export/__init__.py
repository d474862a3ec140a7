"""Maps for other systems: the JSON file, and code for services without Plumbline."""
