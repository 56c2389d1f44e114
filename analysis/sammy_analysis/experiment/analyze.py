"""`analyze`: computes estimates from sessions."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import ibis
import pandas as pd

from .designs.design import (
    at_same_allocation,
    detect,
    select_numbered_windows,
    wash_out,
    window_notes,
    without_mixed_hours,
)
from .designs.emulate import emulated, usable_days
from .estimators.appendix_b import Interval
from .estimators.cells import accounts_expression, cells_expression, quantiles_expression, sort
from .estimators.estimands import Estimate, InterferenceTest, Options, estimates, interference, levels
from .estimators.links import LinkCheck, check_links, with_own_means
from .estimators.naive import naive
from .estimators.panel import DAY
from .estimators.quantiles import QuantileEffect, quantile_effects
from .estimators.refusal import Refusal
from .estimators.returning import Contrasts, returning, widen
from .estimators.sufficient import check_sufficient, heavy_accounts, missing_values, missing_values_assumption
from .problem import Problem
from .reading.read import Sessions
from .reading.sample_ratio import Ratio, over_all_windows, ratios, shared, units_expression

#: A note warns of experiments with fewer days than this, as many as in Unbiased Experiments in Congested Networks.
FEW_DAYS = 5

#: More allocations than this cannot be intended: they were measured, or come from rounding.
MOST_ALLOCATIONS = 20

#: The reason given for a metric on which an estimator raised an unexpected error, which is a bug.
FAILED = "this program failed on it; please report that"

#: Names, in messages, of designs that were emulated with the data of paired links.
EMULATED = {"switchback": "an emulated switchback", "event": "an emulated event study"}


@dataclass
class Analysis:
    """All results of an analysis. The keys of the dictionaries are metrics."""

    options: Options
    cells: pd.DataFrame
    sample: list[Ratio]
    found: dict[str, list[Estimate]] = field(default_factory=dict)
    tests: dict[str, list[InterferenceTest]] = field(default_factory=dict)
    #: Results of naive A/B tests by account: (allocation, interval).
    accounts: dict[str, list[tuple[float, Interval]]] = field(default_factory=dict)
    #: For paired links: the difference at equal allocation, if the data have hours with equal allocation.
    links: dict[str, LinkCheck] = field(default_factory=dict)
    quantiles: dict[str, list[QuantileEffect]] = field(default_factory=dict)
    #: Designs that were emulated with the data of paired links.
    emulations: dict[str, list[Estimate]] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, other: "Analysis") -> None:
        """Adds the results of another metric."""
        for mine, found in (
            (self.found, other.found),
            (self.tests, other.tests),
            (self.accounts, other.accounts),
            (self.links, other.links),
            (self.quantiles, other.quantiles),
            (self.emulations, other.emulations),
        ):
            mine.update(found)
        self.refused += other.refused


def analyze(sessions: Sessions, options: Options, offset: int = 0) -> Analysis:
    """Runs the group-bys, and every estimator on their results. `offset` is the viewers' clock minus UTC, in hours."""
    sessions.check_metrics()
    every = read_cells(sessions, options, offset)
    options = options.for_design(detect(every))
    drawn = select_numbered_windows(every) if options.design == "switchback" else every
    cells, washed = wash_out(drawn, options.washout_hours)
    if options.design == "switchback":
        cells = without_mixed_hours(cells)
    same = cells[at_same_allocation(cells) & (options.design == "paired")]
    cells = cells.drop(same.index).reset_index(drop=True)
    table = sessions.table if len(cells) == len(every) else _select_sessions(sessions.table, cells)
    sample = read_sample(sessions, options, offset)
    result = Analysis(options, cells, sample)
    if washed:
        result.notes.append(
            f"Left out as wash-out, {options.washout_hours} hours after each change: {washed:,} sessions."
        )
    if undrawn := int(every.sessions.sum() - drawn.sessions.sum()):
        result.notes.append(f"Left out, since they are in no window of the switchback: {undrawn:,} sessions.")
    if options.design == "switchback":
        result.notes += window_notes(drawn, options.window_hours)
    if len(same):
        result.notes.append(_note_on(same))
    come_back = returning(sessions.table, offset)
    if come_back:
        result.notes.append(
            f"{come_back:,} accounts came back on another day. Their sessions are not independent, which widens the "
            "intervals that are robust to days, but not those of Appendix B and of quantiles."
        )
    least = sessions.table.aggregate(**{m: sessions.table[m].min() for m in sessions.metrics}).execute()
    for metric in sessions.metrics:
        own = replace(
            result, found={}, tests={}, accounts={}, links={}, quantiles={}, emulations={}, refused=[]
        )
        try:
            _analyze_metric(
                own, metric, table, sessions.table, same, come_back > 0, offset, not least[metric][0] < 0
            )
        except Problem as problem:
            result.refused.append(Refusal("everything", metric, str(problem)))
        except (ArithmeticError, LookupError, ValueError) as error:
            # An unexpected metric must not prevent the analysis of the others.
            reason = f"{FAILED} ({type(error).__name__}: {error})"
            result.refused.append(Refusal("everything", metric, reason))
        else:
            result.add(own)
    result.notes += cell_notes(cells, options)
    return result


def _analyze_metric(
    result: Analysis,
    metric: str,
    table: ibis.Table,
    every: ibis.Table,
    same: pd.DataFrame,
    come_back: bool,
    offset: int,
    never_negative: bool,
) -> None:
    """Adds the results of one metric to a result without other metrics. `table` has the experiment's sessions, and `every`
    all sessions, also those at equal allocation."""
    cells, options = result.cells, result.options
    found, refused = estimates(cells, metric, options)
    result.refused += refused
    n, total, squares = (float(cells[f"{each}_{metric}"].sum()) for each in ("n", "sum", "squares"))
    spread = max(squares / n - (total / n) ** 2, 0.0) ** 0.5
    accounts = accounts_expression(table, metric, total / n, spread or 1.0).execute()
    found = check_sufficient(found, accounts, options, come_back, spread or 1.0)
    missing = missing_values(cells, metric, options, same)
    if condition := missing_values_assumption(missing):
        result.notes.append(f"{metric} is comparable only if {condition}.")
        found = [replace(each, rests_on=(*each.rests_on, condition)) for each in found]
    if said := "; ".join(each.text for each in missing if each.is_notable and not each.unequal):
        result.notes.append(f"{metric}: {said}.")
    result.found[metric] = found
    result.tests[metric] = interference(result.found[metric])
    if len(same):
        _check_links(result, same, metric)
    if come_back:
        _widen(result, every, same, metric, offset)
    result.notes += heavy_accounts(result.found[metric], accounts, options, spread or 1.0)
    if never_negative:
        result.found[metric] = [each.bounded() for each in result.found[metric]]
        result.links = {m: each.bounded() for m, each in result.links.items()}
    # Compute one metric at a time, because quantiles need all its values in memory.
    by_day = sort(quantiles_expression(table, [metric], offset).execute())
    result.quantiles[metric] = quantile_effects(by_day, cells, metric, options)
    arms = options.arms
    by_account = [(p, naive(accounts, p, arms.treatment, arms.control)) for p in levels(cells)]
    result.accounts[metric] = [(p, interval) for p, interval in by_account if interval is not None]
    result.emulations[metric] = _emulations(result, metric)


def _select_sessions(table: ibis.Table, cells: pd.DataFrame) -> ibis.Table:
    """Selects the sessions of these cells."""
    keys = cells[["cluster", "allocation", "hour"]].drop_duplicates()
    keys = ibis.memtable(keys.rename(columns={"hour": "hour of the cell"}))
    hours = table.mutate(**{"hour of the cell": (table.started_s / 3600).floor().cast("int64")})
    return hours.semi_join(keys, ["cluster", "allocation", "hour of the cell"])


def _note_on(same: pd.DataFrame) -> str:
    days = ((same.hour + same.offset) // DAY).nunique()
    return (
        f"{int(same.sessions.sum()):,} sessions of {days} days began while all clusters had the same allocation "
        f"({same.allocation.iloc[0]:.0%} treated). They show the baseline difference between the "
        "links, and are in no other estimate."
    )


def _check_links(result: Analysis, same: pd.DataFrame, metric: str) -> None:
    try:
        found = result.found[metric]
        links = check_links(same, result.cells, metric, found, result.options)
        result.links[metric], result.found[metric] = links, with_own_means(found, links)
    except Problem as problem:
        result.refused.append(Refusal("what the links differ by", metric, str(problem)))


def _widen(result: Analysis, table: ibis.Table, same: pd.DataFrame, metric: str, offset: int) -> None:
    """Widens the intervals by the variance that returning accounts add."""
    contrasts = Contrasts(result.cells, same, metric, result.options)
    links = result.links.get(metric)
    found = widen(contrasts, table, offset, result.found[metric], result.tests[metric], links)
    result.found[metric], result.tests[metric], links = found
    if links is not None:
        result.links[metric] = links


def cell_notes(cells: pd.DataFrame, options: Options) -> list[str]:
    """Lists the problems of the cells that limit how far the estimates can be trusted."""
    arms = (options.arms.treatment, options.arms.control)
    notes = []
    others = cells[~cells.arm.isin(arms)].groupby("arm").sessions.sum()
    if len(others):
        listed = ", ".join(f"{arm} ({count:,})" for arm, count in others.items())
        notes.append(f"Sessions of other arms are not used: {listed}.")
    for (cluster, allocation), rows in cells.groupby(["cluster", "allocation"]):
        for arm, share in zip(arms, (allocation, 1 - allocation), strict=True):
            if share > 0 and arm not in set(rows.arm):
                notes.append(
                    f"The cluster {cluster} has no sessions of {arm}, where {allocation:.0%} should be treated."
                )
    full = usable_days(cells)
    hours = cells.assign(day=(cells.hour + cells.offset) // DAY).groupby("day").hour.nunique()
    if scraps := [int(day) for day in hours.index if day not in full]:
        listed = ", ".join(
            f"{datetime.fromtimestamp(day * DAY * 3600, UTC):%d %B} ({hours[day]} hours)"
            for day in scraps[:5]
        )
        more = f" and {len(scraps) - 5} more" if len(scraps) > 5 else ""
        notes.append(
            f"Left out of everything that is by day, since they have less than half of the usual hours: {listed}{more}."
        )
    days = len(full)
    if days < FEW_DAYS:
        notes.append(
            f"{days} {'day is' if days == 1 else 'days are'} few: the intervals are wide, and assume that days are "
            "normally distributed."
        )
    return notes


def read_cells(sessions: Sessions, options: Options, offset: int) -> pd.DataFrame:
    """Computes the cells, and adds the offset of the viewers' clock. Raises a Problem if a named arm has no sessions."""
    cells = sort(cells_expression(sessions.table, sessions.metrics).execute()).assign(offset=offset)
    if (shares := cells.allocation.nunique()) > MOST_ALLOCATIONS:
        raise Problem(
            f"{sessions.files[0]}, allocation: {shares} different ones; "
            "give the share that was planned to be treated, not the share that turned out to be"
        )
    _check_arms(cells, sessions, options)
    return cells


def read_sample(sessions: Sessions, options: Options, offset: int) -> list[Ratio]:
    arms = (options.arms.treatment, options.arms.control)
    units = units_expression(sessions.table, options.window_hours, offset).execute()
    parts = ratios(units, *arms, options.window_hours)
    together = over_all_windows(units_expression(sessions.table, None, offset).execute(), *arms, parts)
    return shared(parts + together)


def _check_arms(cells: pd.DataFrame, sessions: Sessions, options: Options) -> None:
    present = sorted(set(cells.arm))
    if not present:
        reasons = [f"{row.field}: {row.reason}: {row.count:,} rows" for row in sessions.left_out.itertuples()]
        reasons += [f"set aside, {reason}: {count:,} rows" for reason, count in sessions.set_aside.items()]
        raise Problem(
            f"{sessions.files[0]}: no usable session of {sessions.rows:,}: {'; '.join(reasons[:3])}"
        )
    for arm in (options.arms.treatment, options.arms.control):
        if arm and arm not in present:
            there = ", ".join(present)
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
            result.refused.append(Refusal(EMULATED[design], metric, str(problem)))
    return found
