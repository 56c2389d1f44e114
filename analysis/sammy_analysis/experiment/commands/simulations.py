"""`example`, `world`, `coverage` and `bench`: the commands on simulated sessions.

command.py calls this module, which must not read the sessions of a user's experiment.
"""

import argparse
from string import ascii_uppercase

from ...puffer import command as puffer
from ..designs.example import example
from ..problem import Problem
from ..simulations.appendix_b_coverage import table as appendix_b_table
from ..simulations.bench import Step, bench
from ..simulations.coverage import lines as coverage_lines
from ..simulations.days_coverage import MOST_FALSE, by_process
from ..simulations.world import read_world
from ..simulations.world import table as world_table
from ..simulations.worlds.periods import PERIODS

#: Number of experiments per process of days and layout of periods with `coverage --days --quick`.
QUICK_DAYS = 200


def run_example(options: argparse.Namespace) -> None:
    if options.days < 1:
        raise Problem("--days: at least 1")
    sessions, truth = example(options.folder, options.design, options.days, options.seed)
    print(f"{sessions}: the sessions; {truth}: what the treatment really does, all treated against none")


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
