"""`analyze`: from sessions to estimates."""

from dataclasses import dataclass, field

import pandas as pd

from .appendix_b import Interval
from .cells import accounts_expression, cells_expression, quantiles_expression, sort
from .design import detect, wash_out
from .emulate import emulated
from .estimands import Estimate, InterferenceTest, Options, estimates, interference, levels
from .naive import naive
from .problem import Problem
from .quantiles import QuantileEffect, quantile_effects
from .read import Sessions
from .sample_ratio import Ratio, ratios, units_expression


@dataclass
class Analysis:
    """Everything that was found. The dictionaries are by metric."""

    options: Options
    cells: pd.DataFrame
    sample: list[Ratio]
    found: dict[str, list[Estimate]] = field(default_factory=dict)
    tests: dict[str, list[InterferenceTest]] = field(default_factory=dict)
    #: What naive A/B tests say, by account: (allocation, interval).
    accounts: dict[str, list[tuple[float, Interval]]] = field(default_factory=dict)
    quantiles: dict[str, list[QuantileEffect]] = field(default_factory=dict)
    #: Designs that were emulated with the data of paired links.
    emulations: dict[str, list[Estimate]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def analyze(sessions: Sessions, options: Options, offset: int = 0) -> Analysis:
    """Runs the group-bys, and every estimator on their results. `offset`: the viewers' clock less UTC, in hours."""
    table, arms = sessions.table, options.arms
    cells = sort(cells_expression(table, sessions.metrics).execute()).assign(offset=offset)
    _check_arms(cells, sessions, options)
    options = options.of(detect(cells))
    cells, washed = wash_out(cells, options.washout_hours)
    units = units_expression(table, options.window_hours, offset).execute()
    sample = ratios(units, arms.treatment, arms.control, options.window_hours)
    by_day = sort(quantiles_expression(table, sessions.metrics, offset).execute())
    result = Analysis(options, cells, sample)
    if washed:
        result.notes.append(
            f"Left out as wash-out, {options.washout_hours} hours after each change: {washed:,} sessions."
        )
    for metric in sessions.metrics:
        try:
            result.found[metric], refused = estimates(cells, metric, options)
        except Problem as problem:
            result.refused.append(str(problem))
            continue
        result.refused += refused
        result.tests[metric] = interference(result.found[metric])
        result.quantiles[metric] = quantile_effects(by_day, metric, options)
        accounts = accounts_expression(table, metric).execute()
        by_account = [(p, naive(accounts, p, arms.treatment, arms.control)) for p in levels(cells)]
        result.accounts[metric] = [(p, interval) for p, interval in by_account if interval is not None]
        result.emulations[metric] = _emulations(result, metric)
    return result


def _check_arms(cells: pd.DataFrame, sessions: Sessions, options: Options) -> None:
    present = sorted(set(cells.arm))
    for arm in (options.arms.treatment, options.arms.control):
        if arm not in present:
            there = ", ".join(present) or "no usable session at all"
            raise Problem(
                f"{sessions.files[0]}, arm: no session of the arm '{arm}'; there is {there}; --treatment and --control name them"
            )


def _emulations(result: Analysis, metric: str) -> list[Estimate]:
    if result.options.design != "paired":
        return []
    found = []
    for design in ("switchback", "event"):
        try:
            found.append(emulated(result.cells, metric, design, result.options.arms))
        except Problem as problem:
            result.refused.append(f"an emulated {design} of {metric}: {problem}")
    return found
