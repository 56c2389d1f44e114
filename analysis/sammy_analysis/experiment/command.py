"""The program: `analyze` and its options."""

import argparse
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from .analyze import Analysis, analyze
from .appendix_b import Interval
from .coverage import table as coverage_table
from .design import DESIGNS
from .estimands import Arms, Options
from .example import EXAMPLES, example
from .panel import DAY
from .problem import Problem
from .read import Sessions, read
from .report import DESIGN_WORDS, report
from .verdict import percent, span, verdict


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
    for name, run in (("analyze", run_analyze), ("report", run_analyze)):
        one = commands.add_parser(name)
        one.set_defaults(run=run)
        _reading(one)
        one.add_argument("--design", choices=DESIGNS, default="")
        one.add_argument("--rows", choices=("day-hour", "hour-of-day"), default="day-hour")
        one.add_argument("--window", type=hours, default=DAY)
        one.add_argument("--washout", type=hours, default=0)
        one.add_argument("--out", type=Path, default=Path("experiment.html"))
    one = commands.add_parser("example")
    one.set_defaults(run=run_example)
    one.add_argument("folder", type=Path)
    one.add_argument("--design", choices=(*EXAMPLES,), default="paired")
    one.add_argument("--days", type=int, default=7)
    one.add_argument("--seed", type=int, default=1)
    one = commands.add_parser("coverage")
    one.set_defaults(run=run_coverage)
    one.add_argument("--replications", type=int, default=2000)
    return top


def hours(text: str) -> int:
    value = int(text)
    if value < 0:
        raise ValueError(text)
    return value


def _reading(command: Parser) -> None:
    command.add_argument("source")
    command.add_argument("--treatment", default="treatment")
    command.add_argument("--control", default="control")
    command.add_argument("--utc-offset", type=int, default=0)


def run_analyze(options: argparse.Namespace) -> None:
    if options.window == 0:
        raise Problem("--window: 0 hours are no window")
    sessions = read(options.source)
    try:
        arms = Arms(options.treatment, options.control)
        wanted = Options(arms, options.design, options.window, options.washout, options.rows)
        result = analyze(sessions, wanted, options.utc_offset)
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(report(result, sessions), encoding="utf8")
        print_result(result, sessions)
        print(f"\nThe report with all pictures: {options.out}")
    finally:
        sessions.close()


def print_result(result: Analysis, sessions: Sessions) -> None:
    count = int(result.cells.sessions.sum())
    print(f"{count:,} sessions, read as {DESIGN_WORDS[result.options.design]}")
    for row in sessions.left_out.itertuples():
        print(
            f"left out: {row.file}, {row.field}: {row.reason}: {row.count:,} rows, the first is row {row.first_row}"
        )
    for line in sessions.notes + result.notes:
        print(line)
    alarms = sum(each.alarm for each in result.sample)
    if alarms:
        print(
            f"ALARM: in {alarms} windows the arms do not have the sizes that they were given; see the report"
        )
    for metric, found in result.found.items():
        print(f"\n{verdict(metric, found, result.tests[metric]).sentence}")
        for each in found:
            paper, robust = each.relative(each.paper), each.relative(each.robust)
            print(
                f"  {each.symbol:8} {interval_text(robust, each.refused):30} Appendix B: {interval_text(paper)}"
            )
    for line in result.refused:
        print(f"not estimated: {line}")


def run_example(options: argparse.Namespace) -> None:
    if options.days < 1:
        raise Problem("--days: at least 1")
    sessions, truth = example(options.folder, options.design, options.days, options.seed)
    print(f"{sessions}: the sessions; {truth}: what the treatment really does, all treated against none")


def run_coverage(options: argparse.Namespace) -> None:
    print(
        f"{'design':12}{'hours':36}{'Appendix B':>12}{'by day':>10}   of {options.replications} intervals hold the truth"
    )
    for each in coverage_table(options.replications):
        print(f"{each.design:12}{each.scenario:36}{each.paper:12.1%}{each.robust:10.1%}", flush=True)


def interval_text(interval: Interval | None, refused: str = "") -> str:
    if interval is None:
        return f"- ({refused})" if refused else "-"
    return f"{percent(interval.estimate)} ({span(interval)})"
