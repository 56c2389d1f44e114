"""The design calculator: what each design could find, from one's own sessions of which none was treated.

Paired links are planned with the days of these sessions as their baseline, since `analyze` takes off what the links differ
by there: the standard error is of the difference between the mean over the experiment's days and that over these days. The
other designs are put together from whole days drawn with replacement, and each is analysed as a real one would be. Their
estimates are of no effect, so their spread is the standard error.

An effect is detected with a power of 80% if it is t(0.975) + t(0.8) standard errors large, with the degrees of freedom that
the plan will have. The standard error itself is known only as well as the days that were seen tell it: with its upper limit,
by chi-squared with one degree less than these days, an effect is detected at worst. Plans of pairs are ranked by that: of many
pairs that were seen on few days some look calm by chance.

Carry-over is taken to fade with a time constant: u hours after a switch the new arm shows 1 - exp(-u / tau) of its effect.
"""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from .appendix_b import within
from .emulate import days_of
from .links import LEAST_DAYS_OF_DRIFT, drift_of
from .panel import DAY
from .problem import Problem

DRAWS = 400
#: Fewer have too few assignments for an interval, where an edge draws them in pairs: see day_robust.by_randomisation.
LEAST_WINDOWS = 12
WINDOWS = (1, 3, 6, 12, 24)
WASHOUTS = (0, 1, 2)


@dataclass(frozen=True)
class Plan:
    """A design, and what it could find: shares of the metric's mean, or None; `bias` a share of the effect."""

    design: str
    days: int
    window_hours: int
    washout_hours: int
    se: float | None
    detectable: float | None
    #: What it detects if the days that were seen were calmer than days are: with the upper limit of the standard error. None
    #: for links whose difference changes from day to day.
    at_worst: float | None
    bias: float
    note: str = ""
    #: The links that it is on.
    clusters: tuple[str, ...] = ()


@dataclass(frozen=True)
class Link:
    """What was seen of a cluster: the metric's mean in each hour, a row a day, 24 columns; NaN where an hour has none."""

    hourly: np.ndarray
    #: Over all its sessions.
    mean: float


def calculate(
    cells: pd.DataFrame, metric: str, control: str, days: int, carryover_hours: float
) -> list[Plan]:
    """Plans of `days` days and half of it, over windows and wash-outs.

    Paired links are of every two clusters, those that detect the smallest effects at worst first; a switchback and an event
    study are on the first cluster that has whole days.
    """
    if days < 4:
        raise Problem("--days: at least 4")
    if carryover_hours < 0:
        raise Problem("--carryover: hours are not negative")
    links = links_of(cells[cells.arm == control], metric)
    first, alone = _first_with_whole_days(links)
    plans = []
    for count in sorted({max(4, days // 2), days}):
        paired = [_paired(links, pair, count) for pair in combinations(links, 2)]
        plans += sorted(paired, key=lambda plan: np.inf if plan.at_worst is None else plan.at_worst)
        over_time = [
            ("switchback", window, washout) for window in WINDOWS for washout in WASHOUTS if washout < window
        ] + [("event", 0, washout) for washout in WASHOUTS]
        plans += [
            replace(_over_time(design, alone, count, window, washout, carryover_hours), clusters=(first,))
            for design, window, washout in over_time
        ]
    return plans


def links_of(cells: pd.DataFrame, metric: str) -> dict[str, Link]:
    """By cluster; one whose mean is zero, so that nothing is a share of it, has no hours."""
    if cells.empty:
        raise Problem("no untreated session")
    days = days_of(cells)
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
        found[str(cluster)] = Link(hourly.to_numpy(dtype=float).reshape(-1, DAY), mean)
    return found


def _whole_days(*links: Link) -> np.ndarray:
    """The numbers of the days in which every hour of all has a value."""
    whole = np.all([np.isfinite(each.hourly).all(axis=1) for each in links], axis=0)
    if int(whole.sum()) < 2:
        raise Problem("at least two days are needed in which every hour has untreated sessions")
    return np.flatnonzero(whole)


def _first_with_whole_days(links: dict[str, Link]) -> tuple[str, np.ndarray]:
    """A cluster, and its whole days as shares of its mean. Raises the Problem of the last where none has them."""
    for cluster, each in links.items():
        try:
            return cluster, each.hourly[_whole_days(each)] / each.mean
        except Problem as problem:
            reason = problem
    raise reason


def _paired(links: dict[str, Link], pair: tuple[str, str], days: int) -> Plan:
    one, other = (links[cluster] for cluster in pair)
    nothing = Plan("paired", days, 0, 0, se=None, detectable=None, at_worst=None, bias=0.0, clusters=pair)
    try:
        whole = _whole_days(one, other)
    except Problem:
        return replace(nothing, note="fewer than two days in which every hour of both has untreated sessions")
    # As in the analysis: differences in the metric's unit, then a share of the mean.
    by_hour = (one.hourly[whole] - other.hourly[whole]) / np.mean([one.mean, other.mean])
    differences = pd.Series(by_hour.mean(axis=1), index=whole)
    seen = len(differences)
    se = float(differences.std(ddof=1)) * np.sqrt(1 / days + 1 / seen)
    note = f"less {differences.mean():+.1%}, what they differ by in these {seen} days"
    if seen < LEAST_DAYS_OF_DRIFT:
        note += ", too few to see whether that lasts"
    plan = _with_size(replace(nothing, se=float(se), note=note), _freedom(days, seen), seen)
    drift = drift_of(differences)
    if drift is None or not drift.excludes_zero():
        return plan
    changes = (
        f"what they differ by changes by {drift.estimate:+.1%} a day, and is not taken off while it does"
    )
    return replace(plan, at_worst=None, note=changes)


def _over_time(
    design: str, days_of_link: np.ndarray, days: int, window: int, washout: int, tau: float
) -> Plan:
    random = np.random.default_rng([days, window, washout])
    hour_of_day = np.tile(np.arange(DAY), days)
    found, kept_share = [], []
    for _ in range(DRAWS):
        z = days_of_link[random.integers(len(days_of_link), size=days)].ravel()
        arm = _schedule(design, days, window, random)
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
            design, days, window, washout, se=None, detectable=None, at_worst=None, bias=0.0, note=note
        )
    # Days that are drawn from those that were seen vary less than days do, by n - 1 to n in the variance.
    seen = len(days_of_link)
    se = float(np.std(found, ddof=1) * np.sqrt(seen / (seen - 1)))
    bias = float(np.mean(kept_share)) - 1
    plan = Plan(design, days, window, washout, se, detectable=None, at_worst=None, bias=bias)
    if design == "event":
        return _with_size(plan, _freedom(days // 2, days - days // 2), seen)
    windows = days * DAY // window
    if windows < LEAST_WINDOWS:
        return replace(plan, note=f"{windows} windows have too few assignments for an interval")
    return _with_size(plan, windows // 2 - 1, seen)


def _freedom(one: int, other: int) -> float:
    """Welch's degrees of freedom for the means of so many days each, which vary alike."""
    parts = np.array([1 / one, 1 / other])
    return float(parts.sum() ** 2 / (parts**2 / (np.array([one, other]) - 1)).sum())


def _with_size(plan: Plan, freedom: float, seen: int) -> Plan:
    """The plan with the effects that it detects; its standard error was estimated from `seen` days."""
    reach = float(stats.t.ppf(0.975, freedom) + stats.t.ppf(0.8, freedom))
    limit = float(np.sqrt((seen - 1) / stats.chi2.ppf(0.05, seen - 1)))
    return replace(plan, detectable=reach * plan.se, at_worst=reach * plan.se * limit)


def _schedule(design: str, days: int, window: int, random: np.random.Generator) -> np.ndarray:
    """The arm of each hour: of every two windows one drawn at random, as an edge does, or the second half of the days."""
    if design == "event":
        return np.repeat(np.arange(days) >= days // 2, DAY).astype(float)
    windows = days * DAY // window
    first = random.integers(2, size=(windows + 1) // 2)
    return np.repeat(np.column_stack([first, 1 - first]).ravel()[:windows], window).astype(float)


def _carried(arm: np.ndarray, tau: float) -> tuple[np.ndarray, np.ndarray]:
    """The share of the effect that each hour shows, at its middle, and the hours since the arm's last change."""
    shown, since = np.empty_like(arm), np.empty_like(arm)
    state, last = arm[0], -np.inf
    keep_hour, keep_half = (np.exp(-1 / tau), np.exp(-0.5 / tau)) if tau > 0 else (0.0, 0.0)
    for hour, now in enumerate(arm):
        if hour and now != arm[hour - 1]:
            last = hour
        shown[hour] = now + (state - now) * keep_half
        state = now + (state - now) * keep_hour
        since[hour] = hour - last
    return shown, since
