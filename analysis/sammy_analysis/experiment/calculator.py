"""The design calculator: what each design could find, from one's own sessions of which none was treated.

Experiments are put together from whole days drawn with replacement, and each is analysed as a real one would be. Their
estimates are of no effect, so their spread is the standard error. An effect is detected with a power of 80% if it is
t(0.975) + t(0.8) standard errors large. Carry-over is taken to fade with a time constant: u hours after a switch the
new arm shows 1 - exp(-u / tau) of its effect.
"""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from .appendix_b import within
from .emulate import days_of
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
    bias: float
    note: str = ""
    #: The links that it is on.
    clusters: tuple[str, ...] = ()


def calculate(
    cells: pd.DataFrame, metric: str, control: str, days: int, carryover_hours: float
) -> list[Plan]:
    """Plans of `days` days and half of it, over windows and wash-outs.

    Paired links are of every two clusters, those with the smallest standard errors first; a switchback and an event study
    are on the first cluster that has whole days.
    """
    if days < 4:
        raise Problem("--days: at least 4")
    if carryover_hours < 0:
        raise Problem("--carryover: hours are not negative")
    series = daily_series(cells[cells.arm == control], metric)
    first, alone = _first_with_whole_days(series)
    plans = []
    for count in sorted({max(4, days // 2), days}):
        paired = [_paired(series, pair, count) for pair in combinations(series, 2)]
        plans += sorted(paired, key=lambda plan: np.inf if plan.se is None else plan.se)
        over_time = [
            ("switchback", window, washout) for window in WINDOWS for washout in WASHOUTS if washout < window
        ] + [("event", 0, washout) for washout in WASHOUTS]
        plans += [
            replace(_over_time(design, alone, count, window, washout, carryover_hours), clusters=(first,))
            for design, window, washout in over_time
        ]
    return plans


def daily_series(cells: pd.DataFrame, metric: str) -> dict[str, np.ndarray]:
    """By cluster the hourly means as shares of its overall mean: a row a day, 24 columns; NaN where an hour has none."""
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
        mean = sums["sum"].sum() / count if count else 0.0
        # Without a mean there are no shares of it.
        z = sums["sum"] / sums.n.where(sums.n > 0) / mean if mean else sums.n * np.nan
        found[str(cluster)] = z.to_numpy(dtype=float).reshape(-1, DAY)
    return found


def _whole_days(*series: np.ndarray) -> list[np.ndarray]:
    """The days in which every hour of all has a value."""
    whole = np.all([np.isfinite(each).all(axis=1) for each in series], axis=0)
    if int(whole.sum()) < 2:
        raise Problem("at least two days are needed in which every hour has untreated sessions")
    return [each[whole] for each in series]


def _first_with_whole_days(series: dict[str, np.ndarray]) -> tuple[str, np.ndarray]:
    """Raises the Problem of the last where none has them."""
    for cluster, each in series.items():
        try:
            (whole,) = _whole_days(each)
            return cluster, whole
        except Problem as problem:
            reason = problem
    raise reason


def _paired(series: dict[str, np.ndarray], pair: tuple[str, str], days: int) -> Plan:
    try:
        one, other = _whole_days(*(series[cluster] for cluster in pair))
    except Problem:
        note = "fewer than two days in which every hour of both has untreated sessions"
        return Plan("paired", days, 0, 0, None, None, 0.0, note, pair)
    # Two links have different levels; what an experiment cannot tell from an effect is how their difference varies.
    differences = (one - other).mean(axis=1)
    se = float(np.std(differences, ddof=1) / np.sqrt(days))
    lasting = float(abs(differences.mean()))
    note = f"the links differ by {lasting:.1%} without any treatment" if lasting > 2 * se else ""
    return Plan("paired", days, 0, 0, se, _detectable(se, days - 1), 0.0, note, pair)


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
        return Plan(design, days, window, washout, None, None, 0.0, "nothing is left to compare")
    se = float(np.std(found, ddof=1))
    bias = float(np.mean(kept_share)) - 1
    windows = days * DAY // window if window else days
    if design == "switchback" and windows < LEAST_WINDOWS:
        note = f"{windows} windows have too few assignments for an interval"
        return Plan(design, days, window, washout, se, None, bias, note)
    return Plan(design, days, window, washout, se, _detectable(se, windows - 2), bias)


def _detectable(se: float, freedom: int) -> float:
    return float(stats.t.ppf(0.975, freedom) + stats.t.ppf(0.8, freedom)) * se


def _schedule(design: str, days: int, window: int, random: np.random.Generator) -> np.ndarray:
    """The arm of each hour: half of the windows drawn at random, or the second half of the days."""
    if design == "event":
        return np.repeat(np.arange(days) >= days // 2, DAY).astype(float)
    windows = days * DAY // window
    return np.repeat(random.permutation(np.arange(windows) < windows // 2), window).astype(float)


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
