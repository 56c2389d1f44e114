"""The design calculator: what each design could find, from one's own sessions of which none was treated.

Experiments are put together from whole days drawn with replacement, and each is analysed as a real one would be. Their
estimates are of no effect, so their spread is the standard error. An effect is detected with a power of 80% if it is
t(0.975) + t(0.8) standard errors large. Carry-over is taken to fade with a time constant: u hours after a switch the
new arm shows 1 - exp(-u / tau) of its effect.
"""

from dataclasses import dataclass

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


def calculate(
    cells: pd.DataFrame, metric: str, control: str, days: int, carryover_hours: float
) -> list[Plan]:
    """Plans of `days` days and half of it, over windows and wash-outs."""
    if days < 4:
        raise Problem("--days: at least 4")
    if carryover_hours < 0:
        raise Problem("--carryover: hours are not negative")
    series = daily_series(cells[cells.arm == control], metric)
    plans = []
    for count in sorted({max(4, days // 2), days}):
        if len(series) >= 2:
            plans.append(_paired(series, count))
        for window in WINDOWS:
            for washout in WASHOUTS:
                if washout < window:
                    plans.append(_over_time("switchback", series[0], count, window, washout, carryover_hours))
        plans += [_over_time("event", series[0], count, 0, washout, carryover_hours) for washout in WASHOUTS]
    return plans


def daily_series(cells: pd.DataFrame, metric: str) -> list[np.ndarray]:
    """For each cluster the hourly means as shares of the overall mean: a row a day, 24 columns; only whole days."""
    days = days_of(cells)
    found = []
    for _, rows in cells.groupby("cluster"):
        hour = rows.hour + rows.offset
        sums = (
            pd.DataFrame({"hour": hour, "n": rows[f"n_{metric}"], "sum": rows[f"sum_{metric}"]})
            .groupby("hour")
            .sum()
        )
        mean = sums["sum"].sum() / sums.n.sum()
        z = (
            (sums["sum"] / sums.n / mean).reindex(range(days[0] * DAY, (days[-1] + 1) * DAY))
            if mean
            else sums.n * np.nan
        )
        table = z.to_numpy().reshape(-1, DAY) if mean else np.empty((0, DAY))
        found.append(table)
    whole = np.all([np.isfinite(t).all(axis=1) for t in found], axis=0)
    if int(whole.sum()) < 2:
        raise Problem(f"{metric}: at least two days are needed in which every hour has untreated sessions")
    return [table[whole] for table in found]


def _paired(series: list[np.ndarray], days: int) -> Plan:
    # Two links have different levels; what an experiment cannot tell from an effect is how their difference varies.
    differences = (series[0] - series[1]).mean(axis=1)
    se = float(np.std(differences, ddof=1) / np.sqrt(days))
    lasting = float(abs(differences.mean()))
    note = f"the links differ by {lasting:.1%} without any treatment" if lasting > 2 * se else ""
    return Plan("paired", days, 0, 0, se, _detectable(se, days - 1), 0.0, note)


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
