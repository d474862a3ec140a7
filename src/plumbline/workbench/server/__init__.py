"""The workbench in a browser: a small server on this machine alone."""
