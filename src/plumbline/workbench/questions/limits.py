"""How much a question may ask for."""

MOST_RESAMPLES = 9999  # of whatever is drawn again and again: labels, rows, answers
