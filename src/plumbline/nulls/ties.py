"""When two values of a statistic are equal: the one rule of all nulls."""

TIE = 1e-12  # values T closer to each other than this, times 1 + |T|, are equal
