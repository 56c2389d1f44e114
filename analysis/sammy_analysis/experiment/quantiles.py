"""Quantile effects (section 2, "Note on averages"): the paper's estimands with a quantile in place of the mean.

A day's quantile of one arm is one observation, so that the intervals are those robust to days.
"""

from dataclasses import dataclass

import pandas as pd

from .appendix_b import Interval
from .cells import QUANTILES
from .day_robust import between_days, over_days
from .estimands import Options
from .problem import Problem


@dataclass(frozen=True)
class QuantileEffect:
    symbol: str
    quantile: float
    interval: Interval
    #: The mean of the global control's daily quantiles.
    base: float


def quantile_effects(by_day: pd.DataFrame, metric: str, options: Options) -> list[QuantileEffect]:
    """TTE, or tau where there is one allocation, of each quantile; from the rows of `quantiles_expression`."""
    low, high = by_day.allocation.min(), by_day.allocation.max()
    symbol = "TTE" if low < high else f"τ({low:g})"
    found = []
    for quantile in QUANTILES:
        name = f"q{round(100 * quantile)}_{metric}"
        treated = _daily(by_day, options.arms.treatment, high, name)
        control = _daily(by_day, options.arms.control, low, name)
        both = treated.index.intersection(control.index)
        try:
            if len(both) >= 0.5 * min(len(treated), len(control)):
                interval = over_days((treated[both] - control[both]).to_numpy())
            else:
                interval = between_days(treated.to_numpy(), control.to_numpy())
        except Problem:
            continue
        found.append(QuantileEffect(symbol, quantile, interval, float(control.mean())))
    return found


def _daily(by_day: pd.DataFrame, arm: str, allocation: float, name: str) -> pd.Series:
    rows = by_day[(by_day.arm == arm) & (by_day.allocation == allocation)].dropna(subset=[name])
    # Of several clusters with one allocation: the mean of their quantiles.
    return rows.groupby("day")[name].mean()
