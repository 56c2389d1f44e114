"""`aa` and `design`: what designs find in sessions without an effect, and the effects that they could detect.

command.py calls this module, which must not use treated sessions.
"""

import argparse
from collections import Counter
from collections.abc import Callable

import pandas as pd

from ..analyze import read_cells
from ..designs.calculator import calculate
from ..designs.calibrate import calibrate
from ..designs.size import curves, parse_effect, size_lines
from ..estimators.estimands import Arms, Options
from ..problem import Problem
from .sessions import MOST_NAMED, left_out_lines, read_sessions, set_aside_lines

#: The maximum number of pairs of clusters to list, best first; the others are only counted.
MOST_PAIRS = 10


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
    sessions, offset = read_sessions(options)
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
