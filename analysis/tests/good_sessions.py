"""Good sessions, and copies of them with errors.

Tests of bad input call this module, which must not write or read files.
"""

from session_files import HEADER, sessions

GOOD = list(sessions(days=2))


def like(**changes):
    """Returns a copy of the first good session with some fields changed."""
    return [changes.get(field, value) for field, value in zip(HEADER, ["new", *GOOD[0][1:]], strict=True)]
