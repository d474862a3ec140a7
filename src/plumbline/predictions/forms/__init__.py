"""What neighbouring programs write, recognised by its content; a form only makes a table."""

from plumbline.predictions.forms import harness_samples, inspect_log

PROGRAMS = (harness_samples.NAME, inspect_log.NAME)
