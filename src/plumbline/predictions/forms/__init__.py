"""What neighbouring programs write, recognised by its content; a form only makes a table."""

from plumbline.predictions.forms import harness_samples, inspect_log, token_probabilities

PROGRAMS = (harness_samples.NAME, inspect_log.NAME, token_probabilities.NAME)
