"""From cells of hours to estimates with their intervals: one estimator a file."""
