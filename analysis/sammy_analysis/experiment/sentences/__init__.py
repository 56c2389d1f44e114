"""Verdicts on estimates, as text."""
