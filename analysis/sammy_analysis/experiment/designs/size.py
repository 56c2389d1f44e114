"""Computes the sample size: the smallest effect that each design detects, as a function of its length.

Four of five experiments detect the effect, as in calculator.py, which computes the plans. There may be several paired
links: half of them are mostly treated, and the estimate is the difference of the means of the halves.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np
import pandas as pd

from ..estimators.panel import DAY
from ..problem import Problem
from .calculator import (
    Link,
    Plan,
    event_plan,
    first_with_whole_days,
    paired_plan,
    read_links,
    switchback_plan,
)

#: The lengths of the curve, days; the last is the longest plan.
LENGTHS = (4, 7, 14, 28, 56)
#: Length of a switchback's windows: whole days, an edge's default.
WINDOW_HOURS = DAY


@dataclass(frozen=True)
class Curve:
    """The detectable effect of a design by number of days, as a share of the metric's mean. None if there is no
    interval."""

    design: str
    links: int
    #: The number of untreated days in the given sessions, which serve as the baseline.
    baseline_days: int
    sessions_a_day: float
    shown: dict[int, float | None]

    def days_for(self, effect: float) -> int | None:
        """Returns the number of days that an effect needs, interpolated linearly in the logarithms. None if even the
        longest length is too short."""
        before: tuple[int, float] | None = None
        for days, least in self.shown.items():
            if least is not None and least <= effect:
                if before is None or least <= 0:
                    return days
                share = np.log(before[1] / effect) / np.log(before[1] / least)
                return ceil(before[0] * (days / before[0]) ** share - 1e-9)
            before = None if least is None else (days, least)
        return None


def curves(cells: pd.DataFrame, metric: str, control: str, carryover_hours: float) -> list[Curve]:
    """Computes the curves of paired links, and of a switchback and an event study on the first link with whole days."""
    own = cells[cells.arm == control]
    links = read_links(own, metric)
    sessions = own.groupby("cluster").sessions.sum() / max(own.hour.nunique() / DAY, 1)
    first, seen, alone = first_with_whole_days(links)
    found = []
    for half in range(1, len(links) // 2 + 1):
        groups = _halves(links, half)
        plans = {days: paired_plan(_together(links, groups), ("one", "other"), days) for days in LENGTHS}
        on = [name for group in groups for name in group]
        found.append(Curve("paired", 2 * half, len(seen), float(sessions[on].sum()), _shown(plans)))
    plans = {days: switchback_plan(alone, days, WINDOW_HOURS, 0, carryover_hours) for days in LENGTHS}
    found.append(Curve("switchback", 1, 0, float(sessions[first]), _shown(plans)))
    plans = {days: event_plan(seen, alone, days, 0, carryover_hours) for days in LENGTHS}
    found.append(Curve("event", 1, 0, float(sessions[first]), _shown(plans)))
    return found


def _shown(plans: dict[int, Plan]) -> dict[int, float | None]:
    return {days: plan.detectable for days, plan in plans.items()}


def _halves(links: dict[str, Link], half: int) -> tuple[list[str], list[str]]:
    """Deals the links with the most similar means alternately to two halves."""
    by_mean = sorted(links, key=lambda name: links[name].mean)
    spans = range(len(by_mean) - 2 * half + 1)
    at = min(spans, key=lambda at: links[by_mean[at + 2 * half - 1]].mean - links[by_mean[at]].mean)
    chosen = by_mean[at : at + 2 * half]
    return chosen[::2], chosen[1::2]


def _together(links: dict[str, Link], groups: tuple[list[str], list[str]]) -> dict[str, Link]:
    """Combines the links of each half into one, whose hours are the means of its links."""
    return {
        name: Link(
            np.mean([links[each].hourly for each in group], axis=0),
            float(np.mean([links[each].mean for each in group])),
            links[group[0]].first_day,
        )
        for name, group in zip(("one", "other"), groups, strict=True)
    }


#: The length of the longest bar, characters.
BAR = 30


def size_lines(found: list[Curve], effect: float) -> list[str]:
    """Formats the days and sessions that each design needs for an effect, and the curves."""
    lines = [f"  To show an effect of {100 * effect:.3g}% in four of five experiments:"]
    for each in found:
        days = each.days_for(effect)
        baseline = f" and the {each.baseline_days} before" if each.baseline_days else ""
        needs = (
            f"more than {LENGTHS[-1]} days"
            if days is None
            else f"{days} days{baseline}, about {days * each.sessions_a_day:,.0f} sessions"
        )
        lines.append(f"    {_name(each):22} {needs}")
    longest = max((least for each in found for least in each.shown.values() if least), default=0.0)
    lines.append("  The smallest effect that four of five experiments show, by their days:")
    for each in found:
        for days, least in each.shown.items():
            bar = "" if not least else "█" * max(1, round(BAR * least / longest))
            size = "no interval" if least is None else f"{least:.1%}"
            lines.append(f"    {_name(each):22} {days:3} {size:>12}  {bar}".rstrip())
    return lines


def _name(curve: Curve) -> str:
    return f"{curve.design}, {curve.links} {'link' if curve.links == 1 else 'links'}"


def parse_effect(text: str) -> float:
    """Parses `5%` or `0.05`."""
    try:
        value = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        value = float("nan")
    if not 0 < value < 1:
        raise Problem(f"--effect: '{text}' is not a share between 0 and 100%, such as 5%")
    return value
