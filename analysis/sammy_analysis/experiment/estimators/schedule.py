"""A switchback with windows numbered by an edge: the allocation and the pair of each window of each cluster.

In each pair of windows (0 and 1, 2 and 3, ...) of a cluster, one has the high allocation, drawn independently for each cluster
and pair. Therefore clusters may have different allocations at the same time, and different levels.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..problem import Problem
from .appendix_b import Interval
from .day_robust import by_randomisation

DAY = 24
#: The longest window, in hours, whose length is recognized.
LONGEST_WINDOW = 28 * DAY


@dataclass(frozen=True)
class Schedule:
    """A table with a row per cluster, window, hour and group. `stratum` distinguishes the hours of day of different
    clusters."""

    z: np.ndarray
    #: The untreated network's mean, as in a panel.
    level: np.ndarray
    treated: np.ndarray
    stratum: np.ndarray
    window: np.ndarray
    pair: np.ndarray

    @staticmethod
    def from_cells(treated: pd.DataFrame, control: pd.DataFrame, metric: str) -> "Schedule | None":
        """Creates a schedule from the cells of both groups. None if windows have no numbers, if a window has both groups,
        or if no cell has a value of the metric."""
        if any("window" not in cells or cells.window.isna().any() for cells in (treated, control)):
            return None
        cells = pd.concat([treated.assign(treated=1), control.assign(treated=0)], ignore_index=True)
        cells = cells.assign(level=cells["level"] if "level" in cells else cells[f"sum_{metric}"])
        columns = {
            "n": (f"n_{metric}", "sum"),
            "sum": (f"sum_{metric}", "sum"),
            "level": ("level", "sum"),
            "offset": ("offset", "first"),
        }
        rows = cells.groupby(["cluster", "window", "hour", "treated"], as_index=False).agg(**columns)
        rows = rows[rows.n > 0]
        if rows.empty:
            return None
        if rows.groupby(["cluster", "window"]).treated.nunique().max() > 1:
            return None
        rows = _with_partner(rows.assign(of_day=(rows.hour + rows.offset) % DAY))
        number = rows.window.astype(int)
        cluster = pd.factorize(rows.cluster)[0]
        return Schedule(
            z=(rows["sum"] / rows.n).to_numpy(),
            level=np.where(rows.treated == 0, rows.level / rows.n, 0.0),
            treated=rows.treated.to_numpy(),
            stratum=cluster * DAY + rows.of_day.to_numpy(),
            window=_named(cluster, number),
            pair=_named(cluster, number // 2),
        )

    def interval(self, per_level: float | None = None) -> Interval:
        """Returns the interval of the effect. With `per_level`, returns the interval of its share: a share of 1 adds
        `per_level` times the level to a row."""
        unit = None if per_level is None else per_level * self.level
        return by_randomisation(self.z, self.treated, self.stratum, self.window, self.pair, unit)


def _with_partner(rows: pd.DataFrame) -> pd.DataFrame:
    """Selects the hours at which both windows of a pair have a value.

    If one group has few sessions, many of its hours have none. An assignment that swaps a pair would also swap how many
    hours the arms have, so that the coefficients of such assignments would vary less than that of the real assignment.
    """
    number = rows.window.astype(int)
    # The hours of all windows begin at the same multiple of the windows' length.
    lengths = range(1, LONGEST_WINDOW + 1)
    length = next((each for each in lengths if np.ptp(rows.hour - each * number) < each), None)
    if length is None:
        return rows
    keys = [rows.cluster, number // 2, rows.hour - length * number]
    both = rows.window.groupby(keys).transform("nunique") > 1
    if not both.any():
        raise Problem("no two windows of a pair have sessions at the same hours")
    return rows[both]


def _named(cluster: np.ndarray, number: pd.Series) -> np.ndarray:
    return cluster * (int(number.max()) + 1) + number.to_numpy()
