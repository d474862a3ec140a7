"""What neighbouring programs write, recognised by its content; a form only makes a table."""
