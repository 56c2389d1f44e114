"""Detects the experiment design from the data."""

import numpy as np
import pandas as pd

DESIGNS = ("ab", "paired", "switchback", "event")


def detect(cells: pd.DataFrame) -> str:
    """Detects the design from the allocations: a single allocation, one per cluster, or allocations that change within
    a cluster.

    Clusters with one allocation each that all had the same allocation at other times are paired links with an A/A
    period.
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
    # An allocation that only rises, or only falls, is a stepwise deployment: an event study (the paper's section 5.1).
    return "event" if all((each >= 0).all() or (each <= 0).all() for each in steps) else "switchback"


def at_same_allocation(cells: pd.DataFrame) -> pd.Series:
    """Returns whether each cell is in an hour in which all clusters had the same allocation, if the clusters had
    different allocations in other hours.

    Returns False for all cells unless each cluster has a single allocation in the differing hours, and all clusters
    share a single one in the other hours.
    """
    none = pd.Series(False, index=cells.index)
    if "window" in cells and cells.window.notna().any():
        return none
    by_hour = cells.groupby(["hour", "cluster"]).allocation
    # Ignore hours in which a cluster's allocation changes.
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
    # An hour without sessions of a cluster is classified like the previous hour.
    told = same.astype("boolean").where(apart | same).ffill().bfill().astype(bool)
    return cells.hour.map(told).astype(bool) & cells.allocation.isin(shared)


def select_numbered_windows(cells: pd.DataFrame) -> pd.DataFrame:
    """Returns only the cells in numbered windows of a switchback, because the other cells were not randomized. If no
    window has a number, returns all cells."""
    if "window" not in cells or cells.window.isna().all():
        return cells
    return cells[cells.window.notna()].reset_index(drop=True)


def without_mixed_hours(cells: pd.DataFrame) -> pd.DataFrame:
    """Removes the hours in which a cluster's allocation changed, because such an hour belongs to two windows. Keeps
    them if windows have numbers."""
    if "window" in cells and cells.window.notna().all():
        return cells
    mixed = cells.groupby(["cluster", "hour"]).allocation.transform("nunique") > 1
    return cells[~mixed].reset_index(drop=True) if not mixed.all() else cells


def window_notes(cells: pd.DataFrame, window_hours: int) -> list[str]:
    """Warns if unnumbered windows seem longer than `window_hours`, which the intervals assume."""
    stays = _stays(cells) if "window" not in cells or cells.window.isna().any() else []
    if not stays or min(stays) < 2 * window_hours:
        return []
    return [
        f"The allocation never stays for less than {min(stays)} hours, and the windows are taken for {window_hours} hours "
        "long. If longer ones were drawn, intervals are too short: --window HOURS says how long they are."
    ]


def _stays(cells: pd.DataFrame) -> list[int]:
    """Returns the number of hours between successive changes of a cluster's allocation."""
    found = []
    for _, cluster in cells.groupby("cluster"):
        found += np.diff(_changes(cluster)).tolist()
    return found


def _changes(cluster: pd.DataFrame) -> np.ndarray:
    """Returns the first hour of each new allocation of a cluster."""
    by_hour = cluster.groupby("hour").allocation.first()
    return by_hour.index[(by_hour.diff().fillna(0) != 0).to_numpy()].to_numpy()


def wash_out(cells: pd.DataFrame, hours: int) -> tuple[pd.DataFrame, int]:
    """Removes the first hours after each change of a cluster's allocation, and counts their sessions."""
    if hours <= 0:
        return cells, 0
    kept = pd.Series(True, index=cells.index)
    for _, cluster in cells.groupby("cluster"):
        for change in _changes(cluster):
            kept[cluster.index[(cluster.hour >= change) & (cluster.hour < change + hours)]] = False
    return cells[kept].reset_index(drop=True), int(cells[~kept].sessions.sum())
