"""Which design the data come from."""

import pandas as pd

DESIGNS = ("ab", "paired", "switchback", "event")


def detect(cells: pd.DataFrame) -> str:
    """By how allocations lie over clusters and time: one for all, one for each cluster, or changing within a cluster.

    Clusters that had one allocation of their own each, and at other times all the same, are paired links with an A/A period.
    """
    if cells.allocation.nunique() < 2:
        return "ab"
    if at_same_allocation(cells).any():
        return "paired"
    steps = [
        cluster.groupby("hour").allocation.first().diff().fillna(0) for _, cluster in cells.groupby("cluster")
    ]
    if not any((each != 0).any() for each in steps):
        return "paired"
    # Allocations that only rise are those of a deployment, however many steps it has (section 5.1).
    return "event" if all((each >= 0).all() or (each <= 0).all() for each in steps) else "switchback"


def at_same_allocation(cells: pd.DataFrame) -> pd.Series:
    """Which cells are of the hours in which all clusters had the same allocation, where in other hours each had its own.

    None are, unless a cluster has one allocation in all hours in which they differ, and all have one in the other hours.
    """
    none = pd.Series(False, index=cells.index)
    if "window" in cells and cells.window.notna().any():
        return none
    by_hour = cells.groupby(["hour", "cluster"]).allocation
    # An hour within which a cluster has another allocation does not tell.
    planned = by_hour.first().where(by_hour.nunique() == 1).unstack()
    apart = planned.nunique(axis=1) > 1
    own = planned[apart].max()
    if not apart.any() or (planned[apart].nunique() > 1).any():
        return none
    others = planned.loc[:, own.notna()]
    same = ~apart & (others.notna() & others.ne(own.dropna())).any(axis=1)
    shared = set(cells.allocation[cells.hour.isin(planned.index[same])])
    if len(shared) != 1:
        return none
    # An hour that does not tell, since some cluster has no session in it, belongs where the hour before it does.
    told = same.astype("boolean").where(apart | same).ffill().bfill().astype(bool)
    return cells.hour.map(told).astype(bool) & cells.allocation.isin(shared)


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
