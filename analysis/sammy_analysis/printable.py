"""Escapes untrusted text for a terminal: names of columns, arms and clusters come from files of other people."""

import unicodedata
from typing import Any, TextIO


def printable(text: str) -> str:
    """Escapes all characters that could control a terminal, like system/printable.ts for Node."""
    return "".join(
        character
        if character in "\n\t" or unicodedata.category(character)[0] != "C"
        else f"\\u{{{ord(character):x}}}"
        for character in text
    )


class PrintableStream:
    """A text stream that escapes all output (see `printable`)."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(printable(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
