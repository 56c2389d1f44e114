"""Computes the results of an emulated switchback and event study from two paired links (the paper's section 5.3).

A treated day has the treated sessions of the mostly treated link. Another day has the control sessions of the mostly untreated
link.
"""

from collections.abc import Iterable

import pandas as pd

from ..estimators.estimands import Arms, Estimate, Options, estimate, global_control, group, levels
from ..estimators.panel import DAY, Panel


def usable_days(cells: pd.DataFrame) -> list[int]:
    """Returns the days with at least half as many hours as the median day."""
    hours = cells.assign(day=(cells.hour + cells.offset) // DAY).groupby("day").hour.nunique()
    return sorted(hours[hours >= 0.5 * hours.median()].index)


def alternating(days: list[int]) -> list[int]:
    """Returns the treated days of a switchback: the first, third, fifth and so on (the paper's figure 12)."""
    return days[::2]


def from_the_middle(days: list[int]) -> list[int]:
    """Returns the treated days of an event study: the second half, as in the paper's figure 11 (three of five days)."""
    return days[len(days) // 2 :]


def panel(
    treated: pd.DataFrame,
    control: pd.DataFrame,
    metric: str,
    days: Iterable[int],
    treated_days: Iterable[int],
) -> Panel:
    """Returns a panel with the `treated` cells on treated days and the `control` cells on the other days."""
    chosen = set(treated_days)
    others = set(days) - chosen
    day = [(each.hour + each.offset) // DAY for each in (treated, control)]
    return Panel.from_cells(treated[day[0].isin(chosen)], control[day[1].isin(others)], metric)


def emulated(cells: pd.DataFrame, metric: str, design: str, arms: Arms) -> Estimate:
    """Estimates TTE in an emulated `switchback` or `event` study."""
    days = usable_days(cells)
    chosen = alternating(days) if design == "switchback" else from_the_middle(days)
    steps = levels(cells)
    rows = panel(
        group(cells, arms.treatment, steps[-1]), group(cells, arms.control, steps[0]), metric, days, chosen
    )
    mean = global_control(cells, metric, arms)
    return estimate("TTE", design, steps[-1], metric, rows, mean, Options(arms, design))
