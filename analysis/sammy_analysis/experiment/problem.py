"""Errors in the input, in one line that names file, row and field."""


class Problem(Exception):
    """An input that cannot be analysed. The message is one line with the error, its place and its remedy."""
