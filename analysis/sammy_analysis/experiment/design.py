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
