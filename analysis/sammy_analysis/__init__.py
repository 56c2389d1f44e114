"""Analyzes finished sessions of experiments in congested networks. Reads files and imports nothing from the player."""
