"""Verdicts on estimates, in words."""
