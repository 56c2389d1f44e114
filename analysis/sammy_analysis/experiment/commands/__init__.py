"""Runs the commands of `sammy-experiment` and prints their results. command.py parses their options."""
