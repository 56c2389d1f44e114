"""Measures the error rates of the analysis in simulated worlds, where the truth is known."""
