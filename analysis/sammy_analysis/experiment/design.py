"""Which design the data come from."""

import pandas as pd

DESIGNS = ("ab", "paired", "switchback", "event")


def detect(cells: pd.DataFrame) -> str:
    """By how allocations lie over clusters and time: one for all, one for each cluster, or changing within a cluster."""
    if cells.allocation.nunique() < 2:
        return "ab"
    changes = 0
    for _, cluster in cells.groupby("cluster"):
        by_hour = cluster.groupby("hour").allocation.first()
        changes = max(changes, int((by_hour.diff().fillna(0) != 0).sum()))
    if changes == 0:
        return "paired"
    return "event" if changes == 1 else "switchback"


def wash_out(cells: pd.DataFrame, hours: int) -> tuple[pd.DataFrame, int]:
    """Without the first hours after every change of a cluster's allocation; and how many sessions these had."""
    if hours <= 0:
        return cells, 0
    kept = pd.Series(True, index=cells.index)
    for _, cluster in cells.groupby("cluster"):
        by_hour = cluster.groupby("hour").allocation.first()
        changes = by_hour.index[(by_hour.diff().fillna(0) != 0).to_numpy()]
        for change in changes:
            kept[cluster.index[(cluster.hour >= change) & (cluster.hour < change + hours)]] = False
    return cells[kept].reset_index(drop=True), int(cells[~kept].sessions.sum())
