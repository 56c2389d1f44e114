"""Runs the commands of `sammy-experiment`, and prints their results.

command.py parses the options and calls these modules, which must not parse options.
"""
