"""Extrapolates from the tested allocations to 0 and 1: the paper's TTE is mu_T(1) - mu_C(0), and its links had 5% and 95%.

Beyond the outermost allocation, the mean of an arm is assumed to be linear in the allocation. The slope is fitted to all
allocations, weighted by the arm's share of the sessions, because the mean of few sessions is noisy. TTE is therefore a
weighted sum of the arms' means at all allocations, and its interval has the variance of this sum.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from .panel import DAY, Panel


@dataclass(frozen=True)
class Weights:
    """The weights of the arms' means in mu_T(1) and mu_C(0), by allocation."""

    treated: dict[float, float]
    control: dict[float, float]

    def level_weights(self) -> dict[float, float]:
        """Returns, by allocation, the weight in TTE of a link's own level, which both arms share."""
        allocations = sorted({*self.treated, *self.control})
        return {p: self.treated.get(p, 0.0) - self.control.get(p, 0.0) for p in allocations}


def weights(treated: list[float], control: list[float]) -> Weights | None:
    """Computes the weights from the allocations at which each arm has sessions. None if there is only one such
    allocation, which determines no slope."""
    found = (_to(1.0, treated), _to(0.0, control))
    return None if None in found else Weights(*found)


def _to(target: float, allocations: list[float]) -> dict[float, float] | None:
    # At allocation 0 nobody is treated, and at 1 nobody is untreated.
    p = np.array([each for each in sorted(allocations) if each != 1 - target])
    if len(p) == 0:
        return None
    nearest = float(p[np.argmin(np.abs(p - target))])
    if nearest == target:
        return {nearest: 1.0}
    # The arm's share of the traffic: p for the treated, whose target is 1, and 1 - p for the untreated, whose target is
    # 0.
    share = 1 - np.abs(p - target)
    if len(p) < 2:
        return None
    centred = p - np.average(p, weights=share)
    slope = share * centred / (share * centred**2).sum()
    found = dict(zip(p.tolist(), ((target - nearest) * slope).tolist(), strict=True))
    return {**found, nearest: found[nearest] + 1}


def at_once(groups: dict[float, pd.DataFrame], by: dict[float, float], metric: str) -> pd.DataFrame:
    """Returns the cells of the outermost allocation, with the extrapolated difference added to each hour. All
    allocations must be in use at the same time.

    `groups` are an arm's cells by allocation, and `by` their weights. The outermost allocation has the largest weight.
    """
    outermost = max(by, key=by.__getitem__)
    cells = groups[outermost]
    beyond = np.zeros(len(cells))
    for p, weight in by.items():
        if p != outermost:
            beyond += weight * _gap(groups[p], cells, metric)
    return _plus(cells, beyond, metric)


def one_after_the_other(
    here: pd.DataFrame, beside: pd.DataFrame, level: float, of_beside: float, metric: str
) -> pd.DataFrame:
    """Extrapolates the cells of one arm at an allocation, from the other arm's cells at the same allocation and time.

    The weights of the means are `level - of_beside` and `of_beside`. Both arms share the level, which therefore cancels out.
    """
    scaled = here.assign(**{f"sum_{metric}": level * here[f"sum_{metric}"]})
    if of_beside == 0:
        return scaled
    return _plus(scaled, of_beside * _gap(beside, here, metric), metric)


def _gap(beside: pd.DataFrame, here: pd.DataFrame, metric: str) -> np.ndarray:
    """Returns the neighbors' mean minus each cell's mean, by hour. The result has the noise of both.

    An hour in which one group has no sessions gets the mean difference of this hour of the day, or that of all days.
    """
    panel = Panel.from_cells(beside, here, metric)
    differences = panel.hourly_differences()
    of_day = differences.groupby((differences.index + here.offset.iloc[0]) % DAY).mean()
    found = here.hour.map(differences).fillna(((here.hour + here.offset) % DAY).map(of_day))
    return found.fillna(panel.daily_differences().mean()).to_numpy()


def _plus(cells: pd.DataFrame, beyond: np.ndarray, metric: str) -> pd.DataFrame:
    added = beyond * cells[f"n_{metric}"].to_numpy()
    return cells.assign(**{f"sum_{metric}": cells[f"sum_{metric}"] + added})
