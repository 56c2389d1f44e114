"""The argument parser of all programs of this package, with suggestions for mistyped words."""

import argparse
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any


def suggestion(word: str, names: Iterable[str]) -> str:
    """Suggests the closest name for a mistyped word, such as ` (Did you mean analyze?)`; empty if no name is close."""
    close = get_close_matches(word, [*names], n=1)
    return f" (Did you mean {close[0]}?)" if close else ""


class SuggestingParser(argparse.ArgumentParser):
    """Adds the closest name to argparse's errors about unknown choices and options."""

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:
        """Rejects unknown options here, because here the options of a subcommand are known."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            word = unknown[0].partition("=")[0]
            names = [name for name in self._option_string_actions if name.startswith("--")]
            meant = suggestion(word, names) if word.startswith("-") else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}{meant}")
        return found, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            raise argparse.ArgumentError(
                action, error.message + suggestion(str(value), map(str, action.choices or ()))
            ) from None
