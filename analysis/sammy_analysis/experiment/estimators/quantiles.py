"""Quantile effects: the paper's estimands with a quantile instead of the mean (its section 2, "Note on averages").

A day's quantile of one arm is one observation, so the intervals are robust to days.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..problem import Problem
from .appendix_b import Interval
from .cells import QUANTILES
from .day_robust import over_days
from .estimands import Options, estimand_name, group
from .panel import DAY
from .ratio import relative_interval, with_spread
from .steps.step import relative_step, step_interval


@dataclass(frozen=True)
class QuantileEffect:
    symbol: str
    quantile: float
    interval: Interval
    #: The mean of the global control's daily quantiles.
    base: float
    #: The effect as a share of `base`; None if `base` is 0.
    share: Interval | None


def quantile_effects(
    by_day: pd.DataFrame, cells: pd.DataFrame, metric: str, options: Options
) -> list[QuantileEffect]:
    """Computes the effect on each quantile: treated at the highest allocation minus untreated at the lowest, from the rows of
    `quantiles_expression`.

    Days for which `cells` have less than half of the usual hours are left out, as in the other estimators.
    """
    low, high = by_day.allocation.min(), by_day.allocation.max()
    # Quantiles cannot be extrapolated from sums to allocations 0 and 1, so compare the highest allocation with the
    # lowest, as in the paper.
    symbol = estimand_name("partial", high) if low < high else estimand_name("tau", low)
    groups = [
        _only_full_days(by_day, cells, metric, arm, allocation)
        for arm, allocation in ((options.arms.treatment, high), (options.arms.control, low))
    ]
    one_after_the_other = options.design == "event" and low < high
    found = []
    for quantile in QUANTILES:
        name = f"q{round(100 * quantile)}_{metric}"
        treated, control = (rows.dropna(subset=[name]).set_index(["cluster", "day"])[name] for rows in groups)
        base = float(control.groupby("day").mean().mean())
        if one_after_the_other:
            treated, control, base = _less_levels(treated, control)
        # If several clusters have the same allocation, use the mean of their quantiles.
        treated, control = (each.groupby("day").mean() for each in (treated, control))
        try:
            interval, share = _compared(treated, control, base, one_after_the_other)
        except Problem:
            continue
        found.append(QuantileEffect(symbol, quantile, interval, base, share))
    return found


def _compared(
    treated: pd.Series, control: pd.Series, base: float, one_after_the_other: bool
) -> tuple[Interval, Interval | None]:
    """Returns the effect on a daily quantile, in the metric's unit and as a share of the control's, whose uncertainty is
    included."""
    both = treated.index.intersection(control.index)
    if one_after_the_other or len(both) < 0.5 * min(len(treated), len(control)):
        # If clusters were treated one after the other, both groups may occur on the same day.
        rows = pd.DataFrame(
            {
                "after": [0.0] * len(control) + [1.0] * len(treated),
                "value": [*control, *treated],
                "level": [*(control - control.mean() + base), *([0.0] * len(treated))],
            },
            index=[*control.index, *treated.index],
        )
        rows = rows.groupby(level=0).mean()
        interval = step_interval(rows.index, rows.after, rows.value.to_numpy())
        of_level = -np.sign(base) * rows.level.to_numpy()
        if not base:
            return interval, None
        share = relative_step(rows.index, rows.after, rows.value.to_numpy(), of_level)
        return interval, with_spread(share, interval, base)
    effects = (treated[both] - control[both]).to_numpy()
    levels = np.sign(base) * control[both].to_numpy()

    def less(share: float) -> Interval:
        return over_days(effects - share * levels)

    base = float(control[both].mean())
    interval = less(0.0)
    return interval, with_spread(relative_interval(less, base), interval, base) if base else None


def _only_full_days(
    by_day: pd.DataFrame, cells: pd.DataFrame, metric: str, arm: str, allocation: float
) -> pd.DataFrame:
    here = group(cells, arm, allocation)
    here = here[here[f"n_{metric}"] > 0]
    hours = here.groupby((here.hour + here.offset) // DAY).hour.nunique()
    rows = group(by_day, arm, allocation)
    return rows[rows.day.isin(hours.index[hours >= 0.5 * hours.median()])]


def _less_levels(treated: pd.Series, control: pd.Series) -> tuple[pd.Series, pd.Series, float]:
    """Subtracts each cluster's untreated mean, for clusters that were treated one after the other. Also returns the
    mean of these means. Leaves out clusters without both groups."""
    level = control.groupby("cluster").mean()
    both = treated.index.unique("cluster").intersection(level.index)
    kept = (each[each.index.isin(both, level="cluster")] for each in (treated, control))
    treated, control = (
        each - level.reindex(each.index.get_level_values("cluster")).to_numpy() for each in kept
    )
    return treated, control, float(level[both].mean())
