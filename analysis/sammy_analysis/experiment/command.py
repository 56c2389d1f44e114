"""The program: `analyze` and its options."""

import argparse
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from .analyze import Analysis, analyze
from .appendix_b import Interval
from .estimands import Arms
from .panel import DAY
from .problem import Problem
from .read import read


class Parser(argparse.ArgumentParser):
    """One line says what is wrong; the whole help is for those who ask for it."""

    def error(self, message: str) -> None:
        raise Problem(f"{message}; --help shows what there is")

    def format_help(self) -> str:
        return files("sammy_analysis").joinpath("help.txt").read_text(encoding="utf8")


def main(argv: Sequence[str] | None = None) -> int:
    try:
        options = parser().parse_args(argv)
        options.run(options)
    except Problem as problem:
        print(f"dashjs-sammy experiment: {problem}", file=sys.stderr)
        return 1
    return 0


def parser() -> Parser:
    top = Parser(prog="experiment")
    commands = top.add_subparsers(dest="command", required=True, parser_class=Parser)
    one = commands.add_parser("analyze")
    one.set_defaults(run=run_analyze)
    one.add_argument("source")
    one.add_argument("--treatment", default="treatment")
    one.add_argument("--control", default="control")
    one.add_argument("--design", choices=("ab", "paired", "switchback", "event"))
    one.add_argument("--rows", choices=("day-hour", "hour-of-day"), default="day-hour")
    one.add_argument("--window", type=int, default=DAY, help="hours")
    one.add_argument("--utc-offset", type=int, default=0, help="hours")
    one.add_argument("--out", type=Path)
    return top


def run_analyze(options: argparse.Namespace) -> None:
    sessions = read(options.source)
    try:
        result = analyze(
            sessions,
            Arms(options.treatment, options.control),
            options.design,
            options.window,
            options.rows,
            options.utc_offset,
        )
        for row in sessions.left_out.itertuples():
            print(
                f"left out: {row.count} rows of {row.file} ({row.field}: {row.reason}), the first is row {row.first_row}"
            )
        print_estimates(result)
    finally:
        sessions.close()


def percent(interval: Interval | None) -> str:
    if interval is None:
        return "-"
    return f"{100 * interval.estimate:+.1f}% [{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]"


def print_estimates(result: Analysis) -> None:
    print(f"design: {result.options.design}")
    for metric, found in result.found.items():
        print(metric)
        for each in found:
            paper, robust = each.relative(each.paper), each.relative(each.robust)
            print(f"  {each.symbol:8} {percent(robust):28} Appendix B: {percent(paper)} {each.refused}")
    for line in result.refused:
        print(f"not estimated: {line}")
