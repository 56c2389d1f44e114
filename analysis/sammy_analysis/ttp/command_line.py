"""The argument parser and the progress output that the commands share."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from sammy_analysis.suggestions import SuggestingParser


class Parser(SuggestingParser):
    """An argument parser whose errors are ValueErrors of one line."""

    def error(self, message: str) -> None:
        """Raises ValueError instead of printing the usage and exiting."""
        raise ValueError(message)


def progress_since(start: float) -> Callable[[float, str], None]:
    """Returns a function that prints the share done and the remaining time, s, to stderr."""

    def print_progress(done: float, what: str) -> None:
        left = (time.monotonic() - start) * (1 - done) / done
        print(f"{done:4.0%}  {what}; {left:.0f} s left", file=sys.stderr)

    return print_progress
