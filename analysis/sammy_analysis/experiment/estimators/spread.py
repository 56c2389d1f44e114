"""Rejects intervals of zero width that say nothing about other sessions."""

import numpy as np

from ..problem import Problem
from .appendix_b import ROUNDING, Interval
from .panel import Panel

#: If this many sessions have the same value, at most 5% of all sessions have another value, with 95% confidence (the
#: rule of three).
ALIKE_SESSIONS = 60


def check_spread(interval: Interval, panel: Panel, mean: float, decides: bool) -> None:
    """Raises a Problem if a zero-width interval, of a change or of none, has one of two causes: the estimate and the terms
    for the hours are as many as the hours, so that they fit exactly, or each arm has a single value at the hours of day
    that both arms have, from few sessions. The former is refused only if the interval decides a verdict: all sessions of a
    short A/B test may be in one hour, and their change is shown without a verdict."""
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
    if fewest < ALIKE_SESSIONS and all(rows.any() and np.ptp(panel.z[rows]) <= rounding for rows in arms):
        raise Problem(
            f"{fewest} sessions that are all alike do not tell how much sessions differ; it takes {ALIKE_SESSIONS}"
        )
