"""The design calculator: the smallest effect that each design can detect, from untreated sessions.

Paired links and event studies are a step in a series of days, estimated as in `analyze` (steps/step.py). The days of
these sessions are the baseline of the paired links, because `analyze` subtracts the baseline difference of the links. A
switchback is simulated from blocks of days drawn with replacement, because successive days are correlated (Kuensch,
"The jackknife and the bootstrap for general stationary observations", Annals of Statistics 17(3), 1989). These
simulations have no effect, so the spread of their estimates is the standard error.

An effect is detectable if four of five experiments detect it (a power of 80%), given the uncertainty of the variance of
days. `at_worst` uses the upper 95% limit of this variance. Plans are ranked by `at_worst`, because among many pairs
that were observed on few days, some seem calm by chance.

Carry-over is assumed to decay exponentially: u hours after a switch, the new arm shows 1 - exp(-u / tau) of its effect.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats
from scipy.optimize import brentq
from scipy.signal import lfilter

from ..estimators.appendix_b import within
from ..estimators.panel import DAY
from ..estimators.steps.power import POWER, detectable
from ..problem import Problem
from .emulate import usable_days

DRAWS = 400
#: Minimum number of windows of a switchback: 6 pairs have 2^6 = 64 assignments, of which the real one and its mirror
#: image are 2 / 64 = 3%. With 5 pairs they are 2 / 32 = 6%, too many for a 95% interval (day_robust.by_randomisation).
LEAST_WINDOWS = 12
WINDOWS = (1, 3, 6, 12, 24)
WASHOUTS = (0, 1, 2)
#: If at least this many days were observed, blocks are longer.
MANY_DAYS = 20


@dataclass(frozen=True)
class Plan:
    """A design and its detectable effect. Effects are shares of the metric's mean, or None. `bias` is a share of the
    effect."""

    design: str
    days: int
    window_hours: int
    washout_hours: int
    #: The standard error of a switchback.
    se: float | None
    detectable: float | None
    #: The detectable effect if the observed days were calmer than usual.
    at_worst: float | None
    bias: float
    note: str = ""
    #: The clusters of the plan.
    clusters: tuple[str, ...] = ()


@dataclass(frozen=True)
class Link:
    """The hourly means of the metric in a cluster: one row per day, 24 columns; NaN for hours without sessions."""

    hourly: np.ndarray
    #: The mean of all sessions.
    mean: float
    #: The first row's day, since 1970.
    first_day: int


def calculate(
    cells: pd.DataFrame, metric: str, control: str, days: int, carryover_hours: float
) -> list[Plan]:
    """Computes plans of `days` days and of half as many days, for all windows and wash-outs.

    Paired links are planned for every two clusters, in the order of `at_worst`. A switchback and an event study are
    planned for the first cluster that has complete days.
    """
    if days < 4:
        raise Problem("--days: at least 4")
    if carryover_hours < 0:
        raise Problem("--carryover: hours are not negative")
    links = read_links(cells[cells.arm == control], metric)
    first, days_seen, alone = first_with_whole_days(links)
    plans = []
    for count in sorted({max(4, days // 2), days}):
        paired = [paired_plan(links, pair, count) for pair in combinations(links, 2)]
        plans += sorted(paired, key=lambda plan: np.inf if plan.at_worst is None else plan.at_worst)
        windows = [(window, washout) for window in WINDOWS for washout in WASHOUTS if washout < window]
        plans += [
            replace(switchback_plan(alone, count, window, washout, carryover_hours), clusters=(first,))
            for window, washout in windows
        ]
        plans += [
            replace(event_plan(days_seen, alone, count, washout, carryover_hours), clusters=(first,))
            for washout in WASHOUTS
        ]
    return plans


def read_links(cells: pd.DataFrame, metric: str) -> dict[str, Link]:
    """Returns the links by cluster. A cluster whose mean is 0 has no hours, because effects are shares of the mean."""
    if cells.empty:
        raise Problem("no untreated session")
    days = usable_days(cells)
    found = {}
    for cluster, rows in cells.groupby("cluster"):
        sums = (
            pd.DataFrame(
                {"hour": rows.hour + rows.offset, "n": rows[f"n_{metric}"], "sum": rows[f"sum_{metric}"]}
            )
            .groupby("hour")
            .sum()
            .reindex(range(days[0] * DAY, (days[-1] + 1) * DAY))
        )
        count = sums.n.sum()
        mean = float(sums["sum"].sum() / count) if count else 0.0
        hourly = sums["sum"] / sums.n.where(sums.n > 0) if mean else sums.n * np.nan
        found[str(cluster)] = Link(hourly.to_numpy(dtype=float).reshape(-1, DAY), mean, int(days[0]))
    return found


def _whole_days(*links: Link) -> np.ndarray:
    """Returns the indexes of the days in which every hour of all links has a value."""
    whole = np.all([np.isfinite(each.hourly).all(axis=1) for each in links], axis=0)
    if int(whole.sum()) < 2:
        raise Problem("at least two days are needed in which every hour has untreated sessions")
    return np.flatnonzero(whole)


def first_with_whole_days(links: dict[str, Link]) -> tuple[str, np.ndarray, np.ndarray]:
    """Returns the first cluster with complete days, the numbers of these days since 1970, and their hours as shares of
    the mean.

    Raises the Problem of the last cluster if no cluster has complete days.
    """
    for cluster, each in links.items():
        try:
            whole = _whole_days(each)
            return cluster, each.first_day + whole, each.hourly[whole] / each.mean
        except Problem as problem:
            reason = problem
    raise reason


def paired_plan(links: dict[str, Link], pair: tuple[str, str], days: int) -> Plan:
    one, other = (links[cluster] for cluster in pair)
    nothing = Plan("paired", days, 0, 0, se=None, detectable=None, at_worst=None, bias=0.0, clusters=pair)
    try:
        whole = _whole_days(one, other)
    except Problem:
        return replace(nothing, note="fewer than two days in which every hour of both has untreated sessions")
    # Compute the differences in the metric's unit first, and then divide by the mean, as in the analysis.
    by_hour = (one.hourly[whole] - other.hourly[whole]) / np.mean([one.mean, other.mean])
    differences = by_hour.mean(axis=1)
    seen = len(differences)
    note = f"less {differences.mean():+.1%}, what they differ by in these {seen} days"
    whole = whole + one.first_day
    after = range(whole[-1] + 1, whole[-1] + 1 + days)
    try:
        found = detectable(whole, differences, [*whole, *after], [0] * seen + [1] * days)
    except Problem as problem:
        return replace(nothing, note=f"{note}; {problem}")
    return replace(nothing, detectable=found.typical, at_worst=found.at_worst, note=note)


def switchback_plan(days_of_link: np.ndarray, days: int, window: int, washout: int, tau: float) -> Plan:
    random = np.random.default_rng([days, window, washout])
    block = block_days(len(days_of_link))
    hour_of_day = np.tile(np.arange(DAY), days)
    found, kept_share = [], []
    for _ in range(DRAWS):
        z = days_of_link[_blocks(len(days_of_link), block, days, random)].ravel()
        arm = _schedule(days, window, random)
        shown, since = _carried(arm, tau)
        kept = since >= washout
        a = within(arm[kept], hour_of_day[kept])
        norm = a @ a
        if norm < 1e-9:
            continue
        found.append(a @ within(z[kept], hour_of_day[kept]) / norm)
        kept_share.append(a @ shown[kept] / norm)
    if len(found) < DRAWS / 2:
        note = "nothing is left to compare"
        return Plan(
            "switchback", days, window, washout, se=None, detectable=None, at_worst=None, bias=0.0, note=note
        )
    # Correct the standard error: days drawn with replacement from n observed days have only (n - 1) / n of the variance
    # of days.
    seen = len(days_of_link)
    se = float(np.std(found, ddof=1) * np.sqrt(seen / (seen - 1)))
    bias = float(np.mean(kept_share)) - 1
    plan = Plan("switchback", days, window, washout, se, detectable=None, at_worst=None, bias=bias)
    windows = days * DAY // window
    if windows < LEAST_WINDOWS:
        return replace(plan, note=f"{windows} windows have too few assignments for an interval")
    freedom, known = windows // 2 - 1, known_freedom(seen)
    limit = float(np.sqrt(known / stats.chi2.ppf(0.05, known)))
    exact = float(stats.t.ppf(0.975, freedom) + stats.t.ppf(POWER, freedom))
    return replace(plan, detectable=multiple(freedom, known) * se, at_worst=exact * se * limit)


def event_plan(seen: np.ndarray, days_of_link: np.ndarray, days: int, washout: int, tau: float) -> Plan:
    """Plans an event study: a step in the middle of `days` days, if the daily means of the link vary like the observed
    ones."""
    after = np.arange(days) >= days // 2
    arm = np.repeat(after, DAY).astype(float)
    shown, since = _carried(arm, tau)
    bias = float(shown[(since >= washout) & (arm == 1)].mean()) - 1
    plan = Plan("event", days, 0, washout, se=None, detectable=None, at_worst=None, bias=bias)
    means = days_of_link.mean(axis=1)
    try:
        found = detectable(seen, means, range(seen[-1] + 1, seen[-1] + 1 + days), after)
    except Problem as problem:
        return replace(plan, note=str(problem))
    note = "if nothing else changes at that time"
    return replace(plan, detectable=found.typical, at_worst=found.at_worst, note=note)


def block_days(seen: int) -> int:
    """Returns the block length in days: about the cube root of the series' length, which is the usual order, and even,
    so that both windows of a pair are in the same block."""
    return 2 if seen < MANY_DAYS else 4


def known_freedom(seen: int) -> int:
    """Returns the degrees of freedom of a standard error from `seen` days: the number of pairs of days minus 1."""
    return max(seen // 2 - 1, 1)


def _blocks(seen: int, block: int, days: int, random: np.random.Generator) -> np.ndarray:
    """Draws day numbers in blocks that begin anywhere and wrap around at the end."""
    begins = random.integers(seen, size=-(-days // block))
    return ((begins[:, None] + np.arange(block)) % seen).ravel()[:days]


@lru_cache
def multiple(freedom: int, known: int) -> float:
    """Returns the effect that four of five experiments detect, in units of the estimated standard error.

    `known` is the number of degrees of freedom of the plan's standard error, and `freedom` that number for the experiment.
    """
    ratios = np.sqrt(stats.chi2.ppf((np.arange(200) + 0.5) / 200, known) / known)
    critical = stats.t.ppf(0.975, freedom)

    def shortfall(multiple: float) -> float:
        return POWER - float(stats.nct.sf(critical, freedom, multiple * ratios).mean())

    return float(brentq(shortfall, 1, 50, xtol=1e-3))


def _schedule(days: int, window: int, random: np.random.Generator) -> np.ndarray:
    """Returns the arm of each hour. One window of each pair is drawn for the treatment, like at an edge."""
    windows = days * DAY // window
    first = random.integers(2, size=(windows + 1) // 2)
    return np.repeat(np.column_stack([first, 1 - first]).ravel()[:windows], window).astype(float)


def _carried(arm: np.ndarray, tau: float) -> tuple[np.ndarray, np.ndarray]:
    """Returns the share of the effect in the middle of each hour, and the hours since the arm's last change."""
    keep_hour, keep_half = (np.exp(-1 / tau), np.exp(-0.5 / tau)) if tau > 0 else (0.0, 0.0)
    # `ends` is the share of the effect at the end of each hour, starting from the first arm.
    ends, _ = lfilter([1 - keep_hour], [1, -keep_hour], arm, zi=[keep_hour * arm[0]])
    before = np.concatenate([arm[:1], ends[:-1]])
    hours = np.arange(len(arm), dtype=float)
    changes = np.where(np.diff(arm, prepend=arm[0]) != 0, hours, -np.inf)
    return arm + (before - arm) * keep_half, hours - np.maximum.accumulate(changes)
