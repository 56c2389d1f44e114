"""Worlds whose truth is known, and how often what is said of them is wrong."""
