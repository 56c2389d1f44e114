"""The program `sammy-experiment`: its commands and their options, interrupts and errors.

`__main__.py` calls `main`. This module must not compute or print results.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from threading import Event

import duckdb

from ..printable import PrintableStream
from ..puffer import command as puffer
from ..suggestions import SuggestingParser
from ..trial import command as trial
from .commands.analyze import run_analyze
from .commands.lint import run_lint
from .commands.simulations import run_bench, run_coverage, run_example, run_world
from .commands.untreated import run_aa, run_design
from .designs.design import DESIGNS
from .designs.example import EXAMPLES
from .estimators.panel import DAY
from .problem import Problem

#: Set after Ctrl-C. An interrupted query then fails with an error that must not be reported.
STOPPED = Event()


class Parser(SuggestingParser):
    """Reports an error in one line. The full help is printed only on request."""

    def error(self, message: str) -> None:
        raise Problem(f"{message}; --help shows what there is")

    def format_help(self) -> str:
        return files("sammy_analysis").joinpath("help.txt").read_text(encoding="utf8")


def main(argv: Sequence[str] | None = None) -> int:
    # On SIGTERM, exit with an exception, so that the temporary folders are removed.
    if argv is None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, _stop)
        for stream in (sys.stdout, sys.stderr):
            # Replace characters that the terminal's encoding lacks, such as the minus sign.
            stream.reconfigure(errors="replace")
        sys.stdout, sys.stderr = PrintableStream(sys.stdout), PrintableStream(sys.stderr)
    try:
        options = parser().parse_args(argv)
        return options.run(options) or 0
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # The reader of the output, such as `head`, has closed the pipe. Redirect the output, because Python would
        # report the error again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as problem:
        if STOPPED.is_set():
            return 128 + signal.SIGINT
        if not isinstance(problem, Problem | duckdb.Error | OSError):
            raise
        print(
            f"dashjs-sammy experiment: {(str(problem).splitlines() or [type(problem).__name__])[0]}",
            file=sys.stderr,
        )
        return 1


def _stop(*_: object) -> None:
    """Handles Ctrl-C. The signal arrives twice, from the terminal and from npm, and the second must not interrupt the
    cleanup."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    STOPPED.set()
    raise KeyboardInterrupt


def parser() -> Parser:
    top = Parser(prog="experiment")
    commands = top.add_subparsers(dest="command", required=True, parser_class=Parser)
    for name, run in (("analyze", run_analyze), ("report", run_analyze)):
        one = commands.add_parser(name)
        one.set_defaults(run=run)
        add_reading_options(one)
        one.add_argument("--design", choices=DESIGNS, default="")
        one.add_argument("--less-is-better", type=_names, default=())
        one.add_argument("--more-is-better", type=_names, default=())
        one.add_argument("--rows", choices=("day-hour", "hour-of-day"), default="day-hour")
        one.add_argument("--window", type=hours, default=DAY)
        one.add_argument("--washout", type=hours, default=0)
        one.add_argument("--out", type=Path, default=Path("experiment.html"))
    one = commands.add_parser("lint")
    one.set_defaults(run=run_lint)
    add_reading_options(one)
    for name, run in (("aa", run_aa), ("design", run_design)):
        one = commands.add_parser(name)
        one.set_defaults(run=run)
        add_reading_options(one)
        one.add_argument("--clusters", default="")
    one.add_argument("--days", type=hours, default=14)
    one.add_argument("--carryover", type=float, default=1.0)
    one.add_argument("--effect", default="5%")
    one = commands.add_parser("example")
    one.set_defaults(run=run_example)
    one.add_argument("folder", type=Path)
    one.add_argument("--design", choices=(*EXAMPLES,), default="paired")
    one.add_argument("--days", type=int, default=7)
    one.add_argument("--seed", type=int, default=1)
    puffer.add(commands.add_parser("puffer"))
    trial.add(commands.add_parser("trial"))
    one = commands.add_parser("bench")
    one.set_defaults(run=run_bench)
    one.add_argument("--sessions", type=int, default=10_000_000)
    one.add_argument("--rows", type=puffer.positive)
    one = commands.add_parser("world")
    one.set_defaults(run=run_world)
    one.add_argument("folder", type=Path)
    one = commands.add_parser("coverage")
    one.set_defaults(run=run_coverage)
    one.add_argument("--replications", type=int, default=2000)
    one.add_argument("--quick", action="store_true")
    one.add_argument("--appendix-b", action="store_true")
    one.add_argument("--days", action="store_true")
    one.add_argument("--seed", type=int, default=1)
    return top


def add_reading_options(command: Parser) -> None:
    command.add_argument("source")
    command.add_argument("--treatment", type=str.strip, default="treatment")
    command.add_argument("--control", type=str.strip, default="control")
    command.add_argument("--utc-offset", type=clock_hours, default=0.0)
    command.add_argument("--experiment", default="")


def hours(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number, 0 or more")
    return int(text)


def clock_hours(text: str) -> float:
    """Parses a difference from UTC in hours, in steps of a quarter: 5.5, 5:30 or -3:30."""
    whole, _, minutes = text.partition(":")
    sign = -1 if whole.startswith("-") else 1
    try:
        value = float(whole) + sign * (int(minutes) / 60 if minutes else 0)
    except ValueError:
        value = float("nan")
    if not (abs(value) <= 14 and (4 * value).is_integer()):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not the hours of a clock less UTC, from -14 to 14, such as -8 or 5:30"
        )
    return value


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
