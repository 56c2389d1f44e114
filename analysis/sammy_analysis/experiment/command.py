"""The program `sammy-experiment`: its commands and their options."""

import argparse
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.resources import files
from math import floor
from pathlib import Path
from string import ascii_uppercase
from threading import Event

import duckdb
import pandas as pd

from ..printable import PrintableStream
from ..puffer import command as puffer
from ..suggestions import SuggestingParser
from ..trial import command as trial
from .analyze import Analysis, analyze, cell_notes, read_cells, read_sample
from .designs.calculator import calculate
from .designs.calibrate import calibrate
from .designs.design import DESIGNS
from .designs.example import EXAMPLES, example
from .designs.size import curves, parse_effect, size_lines
from .estimators.appendix_b import Interval
from .estimators.estimands import Arms, Options
from .estimators.panel import DAY
from .estimators.refusal import summary
from .problem import Problem
from .reading.read import Sessions, read
from .reading.sample_ratio import Ratio
from .reading.sources import KINDS
from .reports.report import DESIGN_WORDS, chance_note, design_caveat, make_verdicts, report
from .sentences.headline import headline
from .sentences.numbers import percent, span
from .simulations.appendix_b_coverage import table as appendix_b_table
from .simulations.bench import Step, bench
from .simulations.coverage import lines as coverage_lines
from .simulations.days_coverage import MOST_FALSE, by_process
from .simulations.world import read_world
from .simulations.world import table as world_table
from .simulations.worlds.periods import PERIODS

#: The explanation of the lines below each verdict.
LEGEND = (
    "Below each verdict, in % of the untreated network: every comparison with its 95% interval, robust to days as in the "
    "verdict, and with the interval of the paper's Appendix B, which assumes that hours are independent. The line that "
    "decides the verdict says so."
)
#: Marks the line that determines the verdict; other lines are context.
DECIDES = "  (decides the verdict)"
#: The maximum numbers of alarms, cluster names and cluster pairs (best pairs first) to list; the others are only
#: counted.
MOST_ALARMS = 5
MOST_NAMED = 20
MOST_PAIRS = 10
#: Number of experiments per process of days and layout of periods with `coverage --days --quick`.
QUICK_DAYS = 200


#: Set after Ctrl-C. An interrupted query then fails with an error that must not be reported.
STOPPED = Event()


class Parser(SuggestingParser):
    """Reports an error in one line. The full help is printed only on request."""

    def error(self, message: str) -> None:
        raise Problem(f"{message}; --help shows what there is")

    def format_help(self) -> str:
        return files("sammy_analysis").joinpath("help.txt").read_text(encoding="utf8")


def main(argv: Sequence[str] | None = None) -> int:
    # Exit with an exception, so that the temporary folders are removed.
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
        _reading(one)
        one.add_argument("--design", choices=DESIGNS, default="")
        one.add_argument("--less-is-better", type=_names, default=())
        one.add_argument("--more-is-better", type=_names, default=())
        one.add_argument("--rows", choices=("day-hour", "hour-of-day"), default="day-hour")
        one.add_argument("--window", type=hours, default=DAY)
        one.add_argument("--washout", type=hours, default=0)
        one.add_argument("--out", type=Path, default=Path("experiment.html"))
    one = commands.add_parser("lint")
    one.set_defaults(run=run_lint)
    _reading(one)
    for name, run in (("aa", run_aa), ("design", run_design)):
        one = commands.add_parser(name)
        one.set_defaults(run=run)
        _reading(one)
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


def hours(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number, 0 or more")
    return int(text)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _read(options: argparse.Namespace) -> tuple[Sessions, int]:
    """Reads the sessions. Returns them and the viewers' clock minus UTC in whole hours. A remaining fraction of an hour
    is added to the sessions' times."""
    sessions = read(options.source, options.experiment)
    whole = floor(options.utc_offset)
    return sessions.later(3600 * (options.utc_offset - whole)), whole


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


def _reading(command: Parser) -> None:
    command.add_argument("source")
    command.add_argument("--treatment", type=str.strip, default="treatment")
    command.add_argument("--control", type=str.strip, default="control")
    command.add_argument("--utc-offset", type=clock_hours, default=0.0)
    command.add_argument("--experiment", default="")


def run_analyze(options: argparse.Namespace) -> None:
    if options.window == 0:
        raise Problem("--window: 0 hours are no window")
    _check_out(options.out)
    sessions, offset = _read(options)
    try:
        arms = Arms(options.treatment, options.control)
        less, more = options.less_is_better, options.more_is_better
        for option, names in (("--less-is-better", less), ("--more-is-better", more)):
            if unknown := [name for name in names if name not in sessions.metrics]:
                there = ", ".join(sessions.metrics[:MOST_NAMED])
                raise Problem(f"{option}: there is no metric '{unknown[0]}'; there is {there}")
        if both := set(less) & set(more):
            raise Problem(f"--less-is-better and --more-is-better both name '{min(both)}'")
        wanted = Options(arms, options.design, options.window, options.washout, options.rows, less, more)
        result = analyze(sessions, wanted, offset)
        options.out.write_text(report(result, sessions), encoding="utf8")
        print_result(result, sessions)
        print(f"\nThe report with all pictures: {options.out}")
    finally:
        sessions.close()


def _check_out(out: Path) -> None:
    """Checks that the report can be written, before the analysis starts. Rejects a path that would overwrite the
    sessions."""
    if out.is_dir():
        raise Problem(f"--out: {out} is a folder; name a file in it")
    if out.suffix.lower() in KINDS:
        raise Problem(f"--out: {out} is a file of sessions by its name, and the report is a page: FILE.html")
    out.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(out if out.exists() else out.parent, os.W_OK):
        raise Problem(f"--out: {out} cannot be written")


def run_lint(options: argparse.Namespace) -> int:
    """Prints the problems of the sessions. The exit status is 1 if there are any."""
    sessions, offset = _read(options)
    try:
        arms = Options(Arms(options.treatment, options.control))
        cells = read_cells(sessions, arms, offset)
        notes = [*left_out_lines(sessions), *sessions.notes, *cell_notes(cells, arms)]
        notes += sample_alarms(read_sample(sessions, arms, offset))
        fine = f"{int(cells.sessions.sum()):,} sessions, and nothing to say against them"
        print("\n".join([*set_aside_lines(sessions), *(notes or [fine])]))
        return 1 if notes else 0
    finally:
        sessions.close()


def run_aa(options: argparse.Namespace) -> None:
    """Prints how often each design finds an effect in sessions without an effect (A/A calibration)."""

    def calibration(cells: pd.DataFrame, metric: str) -> None:
        found = calibrate(cells, metric, options.control)
        print(f"\n{metric}: assignments in which nothing was treated and the interval says otherwise")
        for each in found:
            print(
                f"  {each.design:11} {each.assignments:6,} assignments   Appendix B {each.paper:6.1%}"
                f"   robust to days {'-' if each.robust is None else f'{each.robust:6.1%}'}  {each.note}"
            )

    show_untreated(options, calibration)


def run_design(options: argparse.Namespace) -> None:
    """Prints, from untreated sessions, the sample size for an effect, and the smallest effect that each design detects."""
    effect = parse_effect(options.effect)

    def plans(cells: pd.DataFrame, metric: str) -> None:
        found = calculate(cells, metric, options.control, options.days, options.carryover)
        print(f"\n{metric}, in % of its mean; bias by carry-over in % of the effect")
        for line in size_lines(curves(cells, metric, options.control, options.carryover), effect):
            print(line)
        heads = (("window", 8), ("wash-out", 10), ("at worst", 10), ("detects", 9), ("SE", 9), ("bias", 8))
        print(f"  {'design':11}{'days':>5}{''.join(head.rjust(width) for head, width in heads)}")
        pairs = Counter()
        for each in found:
            pairs[each.days] += each.design == "paired"
            if each.design == "paired" and pairs[each.days] > MOST_PAIRS:
                continue
            sizes = ((each.at_worst, 10), (each.detectable, 9), (each.se, 9))
            size = "".join(("-" if s is None else f"{s:.2%}").rjust(width) for s, width in sizes)
            window = f"{each.window_hours} h" if each.window_hours else ""
            said = ", ".join(part for part in (" and ".join(each.clusters), each.note) if part)
            print(
                f"  {each.design:11}{each.days:5}{window:>8}{each.washout_hours:>8} h{size}{each.bias:8.1%} {said}"
            )
        if pairs[options.days] > MOST_PAIRS:
            more = pairs[options.days] - MOST_PAIRS
            print(f"  {more:,} more pairs of clusters detect only larger effects; --clusters A,B shows one")

    show_untreated(options, plans)


def show_untreated(options: argparse.Namespace, show: Callable[[pd.DataFrame, str], None]) -> None:
    """Calls `show` for each metric of untreated sessions. A problem with one metric does not stop the others."""
    sessions, offset = _read(options)
    try:
        sessions.check_metrics()
        cells = read_cells(sessions, Options(Arms("", options.control)), offset)
        if options.clusters:
            cells = _select_clusters(cells, options.clusters)
        for line in [*set_aside_lines(sessions), *left_out_lines(sessions), *sessions.notes]:
            print(line)
        others = int(cells.sessions[cells.arm != options.control].sum())
        if others:
            print(
                f"{others:,} sessions are of other arms than {options.control}, and are not used; whoever is beside them may "
                "feel them, so take sessions from before an experiment"
            )
        problems = []
        for metric in sessions.metrics:
            try:
                show(cells, metric)
            except Problem as problem:
                problems.append(f"{metric}: {problem}")
                print(f"\n{problems[-1]}")
        if problems and len(problems) == len(sessions.metrics):
            raise Problem(problems[0])
    finally:
        sessions.close()


def _select_clusters(cells: pd.DataFrame, text: str) -> pd.DataFrame:
    """Selects the cells of the clusters in `text`, a comma-separated list."""
    there = sorted(cells.cluster.unique())
    wanted = [text] if text in there else text.split(",")
    unknown = [name for name in wanted if name not in there]
    if unknown:
        more = f" and {len(there) - MOST_NAMED} more" if len(there) > MOST_NAMED else ""
        raise Problem(
            f"--clusters: there is no cluster '{unknown[0]}'; there is {', '.join(there[:MOST_NAMED])}{more}"
        )
    return cells[cells.cluster.isin(wanted)].reset_index(drop=True)


def left_out_lines(sessions: Sessions) -> list[str]:
    return [
        f"left out: {row.file}, {row.field}: {row.reason}: {row.count:,} rows, the first is row {row.first_row}"
        for row in sessions.left_out.itertuples()
    ]


def set_aside_lines(sessions: Sessions) -> list[str]:
    return [f"set aside: {reason}: {count:,} rows" for reason, count in sessions.set_aside.items()]


def sample_alarms(sample: list[Ratio]) -> list[str]:
    wrong = "the arms do not have the sizes that they were given"
    alarms = [each for each in sample if each.alarm]
    windows = sum(each.starts is not None for each in alarms)
    lines = [f"ALARM: in {windows} windows {wrong}"] if windows else []
    together = [each for each in alarms if each.starts is None]
    lines += [
        f"ALARM: over all {each.windows} windows of {each.cluster} {wrong}: {each.treated:,} treated and {each.control:,} "
        f"untreated accounts, where {each.allocation:.0%} should be treated (p = {each.p:.1g})"
        for each in together[:MOST_ALARMS]
    ]
    if len(together) > MOST_ALARMS:
        lines.append(f"ALARM: and so in {len(together) - MOST_ALARMS} other clusters and allocations")
    return lines


def print_result(result: Analysis, sessions: Sessions) -> None:
    count = int(result.cells.sessions.sum())
    verdicts = make_verdicts(result)
    print(f"{headline(verdicts, result.options.arms.treatment)}\n")
    print(f"{count:,} sessions, read as {DESIGN_WORDS[result.options.design]}")
    rows = set_aside_lines(sessions) + left_out_lines(sessions)
    for line in rows + sessions.notes + result.notes + sample_alarms(result.sample):
        print(line)
    if caveat := design_caveat(result):
        print(caveat)
    if verdicts:
        print(LEGEND)
    for each_verdict in verdicts:
        print(f"\n{each_verdict.decided}")
        for name, part in (
            ("how sure", each_verdict.sure),
            ("what could overturn it", each_verdict.doubt),
            ("what to do next", each_verdict.todo.removeprefix("Next: ")),
        ):
            if part:
                print(f"  {name}: {part}")
        links = result.links.get(each_verdict.metric)
        corrected = links is not None and links.tte is not None
        for each in result.found[each_verdict.metric]:
            paper, robust = each.relative(each.paper), each.share
            mark = DECIDES if each.kind == "tte" and robust is not None and not corrected else ""
            print(
                f"  {each.symbol:24} {interval_text(robust, each.refused):30} Appendix B: {interval_text(paper)}{mark}"
            )
        if links:
            for name, interval in (
                ("difference of the links at the same allocation", links.relative(links.difference)),
                ("deployed to all, without that difference", links.tte and links.tte.share),
                (
                    "untreated beside the most treated, without that difference",
                    links.spillover and links.spillover.share,
                ),
            ):
                mark = DECIDES if corrected and interval is not None and interval is links.tte.share else ""
                print(f"  {name}: {interval_text(interval, links.refused)}{mark}")
    for line in summary(result.refused, sessions.metrics):
        print(f"not estimated: {line}")
    if chance := chance_note(verdicts):
        print(f"\n{chance.strip()}")


def run_example(options: argparse.Namespace) -> None:
    if options.days < 1:
        raise Problem("--days: at least 1")
    sessions, truth = example(options.folder, options.design, options.days, options.seed)
    print(f"{sessions}: the sessions; {truth}: what the treatment really does, all treated against none")


def run_bench(options: argparse.Namespace) -> None:
    if options.rows:
        print("\n".join(puffer.bench_lines(options.rows)))
        return
    found = bench(options.sessions)
    print(f"{options.sessions:,} sessions, {found.file_mb:,.0f} MB of Parquet")
    print(f"analyze, with its report: {step_text(found.analyze)}")
    print(f"the group-by of the file alone: {step_text(found.duckdb)}")
    ratio = found.pandas.seconds / found.duckdb.seconds
    print(
        f"the same in pandas: {step_text(found.pandas)}, {ratio:.1f} times as long; equal counts, sums to 1e-9"
    )


def step_text(step: Step) -> str:
    memory = "" if step.peak_mb is None else f", at most {step.peak_mb:,.0f} MB"
    return f"{step.seconds:.1f} s{memory}"


def run_world(options: argparse.Namespace) -> None:
    world = read_world(options.folder)
    seeds = world.seeds
    print(f"{len(seeds)} seeds, {seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"seed {seeds[0]}")
    for line in world_table(world):
        print(line)


def run_coverage(options: argparse.Namespace) -> int:
    """Runs the simulations. Returns the exit status, which is 1 if a target is missed."""
    if options.replications < 20:
        raise Problem("--replications: at least 20")
    if options.days:
        return run_days_coverage(options)
    missed, group = 0, ""
    for each in coverage_lines(options.replications, options.quick):
        if each.group != group:
            group = each.group
            print(f"\n{group}\n  {'':48}{'of':>6}{'share':>8}{'2 errors':>10}  target")
        missed += not each.met
        said = "met" if each.met else "MISSED"
        print(
            f"  {each.world:48}{each.replications:6,}{each.share:8.1%}{each.error:10.1%}  {each.target}: {said}",
            flush=True,
        )
    if options.appendix_b:
        print(f"\n{'design':12}{'hours':36}{'Appendix B':>12}{'by day':>10}   intervals that hold the truth")
        for each in appendix_b_table(options.replications):
            print(f"{each.design:12}{each.scenario:36}{each.paper:12.1%}{each.robust:10.1%}", flush=True)
    print(f"\n{missed} of the targets missed" if missed else "\nall targets met")
    return 1 if missed else 0


def run_days_coverage(options: argparse.Namespace) -> int:
    """Prints a line for each process of days as soon as its simulations are finished."""
    count = min(options.replications, QUICK_DAYS) if options.quick else options.replications
    print(
        f"false verdicts of paired links and a baseline, in % of {count:,} experiments without an effect; * more than "
        f"{MOST_FALSE:.0%}, two binomial errors allowed for\n"
    )
    letters = ascii_uppercase[: len(PERIODS)]
    for letter, name in zip(letters, PERIODS, strict=True):
        print(f"  {letter}  {name}")
    print(f"\n  {'':36}{''.join(letter.rjust(5) + ' ' for letter in letters)}".rstrip())
    missed = 0
    for process, found in by_process(count, options.seed):
        missed += sum(not each.met for each in found)
        shares = "".join(f"{100 * each.share:5.1f}{' ' if each.met else '*'}" for each in found)
        print(f"  {process:36}{shares}".rstrip(), flush=True)
    print(f"\n{missed} of the targets missed" if missed else "\nall targets met")
    return 1 if missed else 0


def interval_text(interval: Interval | None, refused: str = "") -> str:
    if interval is None:
        return f"- ({refused})" if refused else "-"
    return f"{percent(interval.estimate)} ({span(interval)})"
