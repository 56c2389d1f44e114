"""Estimates the day on which a step came, by comparing the fits of steps on nearby days.

step.py calls this module, which must not depend on how the values of the days were measured.
"""

from dataclasses import dataclass

import numpy as np

from ...problem import Problem
from ..appendix_b import ROUNDING
from .step_design import Design, find_changes, step_design

#: Other first days of the step are considered up to this many days before and after the beginning of the experiment.
NEAR = 4
#: Differences of log-likelihood. If another first day fits better by `BETTER`, it contradicts the real one. Days that
#: fit worse by `WORSE` are ruled out.
BETTER, WORSE = 1.0, 3.0


@dataclass(frozen=True)
class Dates:
    """The date of the step, as estimated from the data. All values are days since 1970."""

    #: The first day of the experiment.
    begin: int
    #: The best-fitting first day.
    best: int
    #: The first day that fits nearly as well as the best one, including days without sessions just before.
    earliest: int
    #: The last day that fits nearly as well as the best one.
    latest: int
    #: Whether another first day fits so much better that the treatment is an unlikely cause of the step.
    contradicted: bool


def find_dates(design: Design, values: np.ndarray) -> Dates | None:
    """Dates the step. Returns None if the days do not vary, or if the baseline and the experiment do not follow each
    other."""
    begins = designs_by_begin(design)
    size = np.abs(values).max()
    if not begins or not (design.squares_without_trend(values[None] / (size or 1.0)) > ROUNDING**2).all():
        return None
    fits = {begin: float(each.evidence(values[None] / size)[0]) for begin, each in begins.items()}
    best = max(fits, key=fits.__getitem__)
    near = [begin for begin, fit in fits.items() if fit > fits[best] - WORSE]
    real = find_begin(design)
    earliest = unseen_since(design, min(near))
    return Dates(real, best, earliest, max(near), fits[best] - fits[real] > BETTER)


def designs_by_begin(design: Design) -> dict[int, Design]:
    """Returns the design for each possible first day, including the real one; none if the two periods do not follow each
    other."""
    days, after = np.array(design.days), np.array(design.after)
    order = np.sort(days)
    by_day = after[np.argsort(days)]
    if not set(after) <= {0.0, 1.0} or len(find_changes(design.days, design.after)) != 1:
        return {}
    begin = int(np.searchsorted(order, find_begin(design)))
    found = {}
    for first in range(max(begin - NEAR, 2), min(begin + NEAR, len(days) - 2) + 1):
        shares = np.where(days >= order[first], by_day[-1], by_day[0])
        try:
            found[int(order[first])] = step_design(design.days, tuple(shares.tolist()))
        except Problem:
            continue
    real = find_begin(design)
    return found if real in found and len(found) > 1 else {}


def find_begin(design: Design) -> int:
    """Returns the first day of the experiment or, if the untreated days come later, the first untreated day."""
    return int(find_changes(design.days, design.after)[0])


def unseen_since(design: Design, begin: int) -> int:
    """Returns the first day on which a change would look like a change on `begin`, because there are no sessions in
    between."""
    before = [day for day in design.days if day < begin]
    return max(before) + 1 if before else begin
