"""What the program's commands have in common: how words are read, and progress is told."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from sammy_analysis.suggestions import SuggestingParser


class Parser(SuggestingParser):
    """Says in one line what is wrong."""

    def error(self, message: str) -> None:
        """Instead of the usage."""
        raise ValueError(message)


def progress_since(start: float) -> Callable[[float, str], None]:
    """Prints how far it is, and how long it will still take, to a terminal's error output."""

    def print_progress(done: float, what: str) -> None:
        left = (time.monotonic() - start) * (1 - done) / done
        print(f"{done:4.0%}  {what}; {left:.0f} s left", file=sys.stderr)

    return print_progress
