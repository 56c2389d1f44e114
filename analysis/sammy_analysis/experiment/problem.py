"""What is wrong with an input, in one line that names file, row and field."""


class Problem(Exception):
    """An input that cannot be analysed. The message is one line: what is wrong, where, and how to mend it."""
