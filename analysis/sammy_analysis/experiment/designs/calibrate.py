"""A/A calibration (the paper's section 5.3): every effect that a design finds in untreated sessions is false."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..estimators.appendix_b import Interval
from ..estimators.panel import Panel
from ..problem import Problem
from .emulate import usable_days

#: The number of assignments of 14 days, 2^14 - 2, because each arm needs a day. With more days, this many assignments
#: are sampled with a fixed seed.
MOST_ASSIGNMENTS = 16_382


@dataclass(frozen=True)
class Calibration:
    design: str
    assignments: int
    #: The share of assignments for which Appendix B's interval excludes zero.
    paper: float
    #: The same share for the day-robust interval. None if no assignment has a day-robust interval.
    robust: float | None
    note: str = ""


def calibrate(cells: pd.DataFrame, metric: str, control: str) -> list[Calibration]:
    """Tests every assignment of days, every cut point, and the links against each other.

    With two clusters, treated days have the sessions of the first and other days those of the second, as in the paper.
    Otherwise every day has all sessions.
    """
    cells = cells[cells.arm == control]
    clusters = sorted(cells.cluster.unique())
    pair = len(clusters) == 2
    one, other = (cells[cells.cluster == c] if pair else cells for c in (clusters * 2)[:2])
    days = usable_days(cells)

    if len(days) < 2:
        raise Problem(f"calibration needs at least two days, and there is {len(days)}")
    whole = Panel.from_cells(one, other, metric)
    size = _size(whole)

    def emulate(chosen: tuple[int, ...]) -> Panel:
        treated = np.isin(whole.day, chosen)
        return whole.where(np.isin(whole.day, days) & (treated == (whole.treated == 1)))

    found = []
    sampled = 2 ** len(days) - 2 > MOST_ASSIGNMENTS
    found.append(_switchbacks(days, emulate, size, f"a sample of {2 ** len(days) - 2:,}" if sampled else ""))
    cuts = [tuple(days[cut:]) for cut in range(1, len(days))]
    found.append(_count("event", cuts, emulate, size))
    if pair:
        found.append(calibrate_pair(one, other, metric))
    return found


def calibrate_pair(one: pd.DataFrame, other: pd.DataFrame, metric: str) -> Calibration:
    """Compares the two links with each other. This gives a single assignment, while days give thousands."""
    whole = Panel.from_cells(one, other, metric)
    return _count("paired", [()], lambda _: whole, _size(whole))


def _size(panel: Panel) -> float:
    """Returns the magnitude of the metric, which shows whether a difference is only a rounding error."""
    return float(np.mean(np.abs(panel.z))) or 1.0


def _switchbacks(days: list[int], emulate: Callable, size: float, note: str) -> Calibration:
    """Tests all assignments of days. A randomization test compares each with the others, so by construction at most 5%
    of its results are false."""
    return _count("switchback", list(_assignments(days)), emulate, size, note, Panel.between_days)


def _assignments(days: list[int]) -> Iterator[tuple[int, ...]]:
    if 2 ** len(days) - 2 <= MOST_ASSIGNMENTS:
        for size in range(1, len(days)):
            yield from itertools.combinations(days, size)
        return
    random = np.random.default_rng(1)
    for _ in range(MOST_ASSIGNMENTS):
        chosen = random.random(len(days)) < 0.5
        if 0 < chosen.sum() < len(days):
            yield tuple(day for day, treated in zip(days, chosen, strict=True) if treated)


def _count(
    design: str,
    assignments: list,
    emulate: Callable[[tuple[int, ...]], Panel],
    size: float,
    note: str = "",
    robust: Callable[[Panel], Interval] = lambda panel: panel.robust(False),
) -> Calibration:
    false_paper, false_robust, with_robust = 0, 0, 0
    for chosen in assignments:
        each = emulate(chosen)
        false_paper += each.paper().over(size).excludes_zero()
        try:
            false_robust += robust(each).over(size).excludes_zero()
            with_robust += 1
        except Problem:
            # Skip assignments with a single day in an arm, which have no measure of spread.
            continue
    share = false_robust / with_robust if with_robust else None
    if share is None:
        note = "too few days for an interval that is robust to them"
    return Calibration(design, len(assignments), false_paper / len(assignments), share, note)
