"""Text of others on a terminal: names of columns, arms and clusters come from files that somebody else wrote."""

import unicodedata
from typing import Any, TextIO


def printable(text: str) -> str:
    """Escape all characters that could act on a terminal: system/printable.ts has the same for Node."""
    return "".join(
        character
        if character in "\n\t" or unicodedata.category(character)[0] != "C"
        else f"\\u{{{ord(character):x}}}"
        for character in text
    )


class PrintableStream:
    """A stream that escapes what is written to it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(printable(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
