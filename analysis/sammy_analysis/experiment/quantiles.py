"""Quantile effects (section 2, "Note on averages"): the paper's estimands with a quantile in place of the mean.

A day's quantile of one arm is one observation, so that the intervals are those robust to days.
"""

from dataclasses import dataclass

import pandas as pd

from .appendix_b import Interval
from .cells import QUANTILES
from .day_robust import between_days, over_days
from .estimands import Options, group
from .panel import DAY
from .problem import Problem


@dataclass(frozen=True)
class QuantileEffect:
    symbol: str
    quantile: float
    interval: Interval
    #: The mean of the global control's daily quantiles.
    base: float


def quantile_effects(
    by_day: pd.DataFrame, cells: pd.DataFrame, metric: str, options: Options
) -> list[QuantileEffect]:
    """TTE, or tau where there is one allocation, of each quantile; from the rows of `quantiles_expression`.

    Days of which `cells` have less than half of the usual hours are left out, as everywhere.
    """
    low, high = by_day.allocation.min(), by_day.allocation.max()
    symbol = "TTE" if low < high else f"τ({low:g})"
    groups = [
        _of_full_days(by_day, cells, metric, arm, allocation)
        for arm, allocation in ((options.arms.treatment, high), (options.arms.control, low))
    ]
    one_after_the_other = options.design == "event" and low < high
    found = []
    for quantile in QUANTILES:
        name = f"q{round(100 * quantile)}_{metric}"
        treated, control = (rows.dropna(subset=[name]).set_index(["cluster", "day"])[name] for rows in groups)
        base = float(control.groupby("day").mean().mean())
        if one_after_the_other:
            treated, control = _less_levels(treated, control)
        # Of several clusters with one allocation: the mean of their quantiles.
        treated, control = (each.groupby("day").mean() for each in (treated, control))
        both = treated.index.intersection(control.index)
        try:
            if not one_after_the_other and len(both) >= 0.5 * min(len(treated), len(control)):
                interval = over_days((treated[both] - control[both]).to_numpy())
            else:
                interval = between_days(treated.to_numpy(), control.to_numpy())
        except Problem:
            continue
        found.append(QuantileEffect(symbol, quantile, interval, base))
    return found


def _of_full_days(
    by_day: pd.DataFrame, cells: pd.DataFrame, metric: str, arm: str, allocation: float
) -> pd.DataFrame:
    here = group(cells, arm, allocation)
    here = here[here[f"n_{metric}"] > 0]
    hours = here.groupby((here.hour + here.offset) // DAY).hour.nunique()
    rows = group(by_day, arm, allocation)
    return rows[rows.day.isin(hours.index[hours >= 0.5 * hours.median()])]


def _less_levels(treated: pd.Series, control: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Of clusters that were treated one after the other, each less its mean without the treatment; of those with both."""
    level = control.groupby("cluster").mean()
    both = treated.index.unique("cluster").intersection(level.index)
    kept = (each[each.index.isin(both, level="cluster")] for each in (treated, control))
    return tuple(each - level.reindex(each.index.get_level_values("cluster")).to_numpy() for each in kept)
