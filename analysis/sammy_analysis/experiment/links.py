"""Whether paired links are alike (section 4.1), and what is left of an effect without what they differ by anyway.

Where the data have hours in which all links had the same allocation (a baseline period, an A/A test), the untreated
sessions of the links are compared there as they are in the experiment. A lasting difference is then taken off TTE and
spillover: a difference of differences, with a day of either period as one observation (Welch's t).
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from .appendix_b import Interval
from .day_robust import between_days, over_days
from .estimands import Arms, Estimate, levels, p_value
from .panel import Panel
from .problem import Problem

#: A line through fewer days says nothing about how a difference changes.
LEAST_DAYS_OF_DRIFT = 4


@dataclass(frozen=True)
class LinkCheck:
    """What the link of the highest allocation has more than that of the lowest at the same allocation, for one metric."""

    difference: Interval
    #: By how much that changes in a day; None where the days are too few for that.
    drift: Interval | None
    #: TTE and spillover less the difference; None where these have no interval.
    tte: Interval | None
    spillover: Interval | None
    #: The global control's.
    mean: float

    @property
    def lasting(self) -> bool:
        """Whether the difference can be taken off: it did not change from day to day as far as can be seen."""
        drift = self.relative(self.drift)
        return drift is None or not drift.excludes_zero()

    @property
    def taken_off(self) -> bool:
        return self.lasting and self.tte is not None

    @property
    def proven(self) -> bool:
        """Whether it is taken off, and there are days enough to see that it does not change."""
        return self.taken_off and self.drift is not None

    @property
    def p_of_spillover(self) -> float | None:
        """How likely a spillover as large is left, less the difference, where nothing spills over; None where there is none."""
        return None if self.spillover is None else p_value(self.spillover, self.mean)

    def relative(self, interval: Interval | None) -> Interval | None:
        return None if interval is None or self.mean == 0 else interval.over(self.mean)


def check_links(
    same: pd.DataFrame, cells: pd.DataFrame, metric: str, found: list[Estimate], arms: Arms
) -> LinkCheck:
    """From the cells of hours with the same allocation, those of the experiment, and its estimates.

    Raises a Problem where the hours do not tell.
    """
    steps = levels(cells)
    parts = []
    for allocation in (steps[-1], steps[0]):
        clusters = cells.cluster[cells.allocation == allocation]
        part = same[same.cluster.isin(clusters) & (same.arm == arms.control)]
        if part[f"n_{metric}"].sum() == 0:
            raise Problem(
                f"at the same allocation no session of {arms.control} has a value on the link with {allocation:.0%}"
            )
        parts.append(part)
    before = Panel.of(*parts, metric).daily_differences()
    tte, spillover = (
        next((e for e in found if e.kind == kind and e.allocation == steps[-1]), None)
        for kind in ("tte", "spillover")
    )
    return LinkCheck(
        over_days(before.to_numpy()),
        drift_of(before),
        _less(tte, before),
        _less(spillover, before),
        next((e.mean for e in found), 0.0),
    )


def _less(each: Estimate | None, before: pd.Series) -> Interval | None:
    if each is None:
        return None
    try:
        return between_days(each.panel.daily_differences().to_numpy(), before.to_numpy())
    except Problem:
        return None


def drift_of(before: pd.Series) -> Interval | None:
    """The slope of a line through the days' differences, with Student's t."""
    days = len(before)
    if days < LEAST_DAYS_OF_DRIFT:
        return None
    fit = stats.linregress(np.asarray(before.index, dtype=float), before.to_numpy())
    reach = float(stats.t.ppf(0.975, days - 2)) * fit.stderr
    slope = float(fit.slope)
    return Interval(slope, slope - reach, slope + reach, float(fit.stderr), f"{days} days")
