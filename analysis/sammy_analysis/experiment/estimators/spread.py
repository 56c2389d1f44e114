"""Rejects intervals of zero width that say nothing about other sessions."""

import numpy as np

from ..problem import Problem
from .appendix_b import ROUNDING, Interval, within
from .panel import DAY, Panel
from .ratio import NO_WIDTH

#: If this many sessions have the same value, at most 5% of all sessions have another value, with 95% confidence (the
#: rule of three).
ALIKE_SESSIONS = 60
#: If sessions vary, but at least this many hours repeat the difference that another day had at that hour of day, the hour and
#: the arm determine the metric. Two days of a stall or so each have the same difference by chance in every tenth experiment.
REPEATED_HOURS = 5


def check_spread(interval: Interval, panel: Panel, mean: float, decides: bool) -> None:
    """Raises a Problem if a zero-width interval, of a change or of none, has one of three causes: the estimate and the
    terms for the hours are as many as the hours, so that they fit exactly; each arm has a single value at the hours of day
    that both arms have, from few sessions; or days have the same result by chance, although sessions vary. The first is
    refused only if the interval decides a verdict: all sessions of a short A/B test may be in one hour, and their change is
    shown without a verdict."""
    width = interval.high - interval.low
    if width > ROUNDING * max(abs(interval.estimate), abs(mean)):
        return
    if decides and len(panel.z) <= len(np.unique(panel.stratum)) + 1:
        raise Problem(
            f"{len(panel.z)} hours with sessions are as many as the terms that fit them exactly: "
            "they do not tell how much sessions differ"
        )
    compared = panel.has_both_groups_at_hour()
    arms = [compared & (panel.treated == arm) for arm in (0, 1)]
    rounding = ROUNDING * np.abs(panel.z).max()
    fewest = min(int(panel.n[rows].sum()) for rows in arms)
    if not all(rows.any() and np.ptp(panel.z[rows]) <= rounding for rows in arms):
        # A width that is small in comparison with a large mean can still come from differences of sessions.
        by_chance = width <= NO_WIDTH * np.ptp(panel.z[compared])
        if by_chance and panel.concurrent() and not _repeats_hours(panel, rounding):
            raise Problem(
                "the days have the same result, perhaps by chance, which does not tell how much days differ"
            )
    elif fewest < ALIKE_SESSIONS:
        raise Problem(
            f"{fewest} sessions that are all alike do not tell how much sessions differ; it takes {ALIKE_SESSIONS}"
        )


def _repeats_hours(panel: Panel, rounding: float) -> bool:
    """Whether treated and untreated differ by the same at each hour of day, on enough days."""
    differences = panel.hourly_differences()
    hour = differences.index.to_numpy() % DAY
    repeated = len(hour) - len(np.unique(hour))
    return repeated >= REPEATED_HOURS and np.ptp(within(differences.to_numpy(), hour)) <= rounding
