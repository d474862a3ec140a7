"""Every metric by name, and what one call measures of a table."""
