"""The exception for errors in the input."""


class Problem(Exception):
    """An input that cannot be analyzed. The message is one line that states the error, its location (file, row and
    field) and its remedy."""
