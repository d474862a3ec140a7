"""Maps for other systems: the JSON file, and text for services that have no Plumbline."""
