"""Example workflows, which Orange lists under Help, Example Workflows."""
