"""Simulated worlds with a known truth, and the error rates of the analysis in them."""
