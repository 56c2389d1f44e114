"""The change that came with an experiment: its interval, noise and date.

Estimators of paired links, event studies and quantiles call this module, which must not depend on how the values of the days
were measured.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..appendix_b import Interval
from .dates import BETTER, WORSE, Dates, designs_by_begin, find_begin, find_dates, unseen_since
from .step_design import Noise, step_design

#: The length of Easter and Thanksgiving in days. A period of at most this length may consist only of holidays.
HOLIDAY_DAYS = 4


@dataclass(frozen=True)
class Step:
    interval: Interval
    #: The numbers of days of the experiment and of the baseline.
    periods: tuple[int, int]
    noise: Noise | None = None
    #: None if the baseline and the experiment do not follow each other.
    dates: Dates | None = None

    @property
    def may_be_a_holiday(self) -> bool:
        """Whether a period is so short that a holiday, with different effects on the links, could explain the step."""
        return min(self.periods) <= HOLIDAY_DAYS

    def excludes_zero(self) -> bool:
        """Whether the step is significant and came when the experiment began."""
        return self.interval.excludes_zero() and not (self.dates is not None and self.dates.contradicted)


def step(days: Sequence[int], after: Sequence[float], values: np.ndarray) -> Step:
    """Estimates the step of `values` by day (since 1970). `after` is 1 on days of the experiment, 0 on others, or a share.

    Raises a Problem if the days do not identify the step.
    """
    design = step_design(tuple(map(int, days)), tuple(map(float, after)))
    dates = find_dates(design, np.asarray(values, dtype=float))
    return Step(design.interval(values), design.periods, design.noise(values), dates)


def relative_step(
    days: Sequence[int], after: Sequence[float], values: np.ndarray, unit: np.ndarray
) -> Interval:
    """Returns the step of `values` as a share of the step of `unit`, including the uncertainty of the step of `unit`."""
    design = step_design(tuple(map(int, days)), tuple(map(float, after)))
    return design.share(values, unit)


def step_interval(days: Sequence[int], after: Sequence[float], values: np.ndarray) -> Interval:
    """Returns only the interval of the step, without the noise and the dates."""
    return step_design(tuple(map(int, days)), tuple(map(float, after))).interval(values)


def find_steps(
    days: Sequence[int], after: Sequence[float], values: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Finds which of many series (one per row) have a significant step (`Step.excludes_zero`), and the earliest and
    latest possible day of each step."""
    design = step_design(tuple(map(int, days)), tuple(map(float, after)))
    below, real = design.below(values), find_begin(design)
    found = np.minimum(below, 1 - below) < design.tail
    earliest, latest = np.full(len(values), real), np.full(len(values), real)
    begins = designs_by_begin(design) or {real: design}
    at = np.array(list(begins))
    # The date is needed only for series with a step.
    fits = np.array([each.evidence(values[found]) for each in begins.values()])
    near = fits > fits.max(axis=0) - WORSE
    since = np.array([unseen_since(design, begin) for begin in at])
    earliest[found] = np.where(near, since[:, None], since.max()).min(axis=0)
    latest[found] = np.where(near, at[:, None], at.min()).max(axis=0)
    found[found] = fits.max(axis=0) - fits[at == real][0] <= BETTER
    return found, earliest, latest


def excluding_zero(days: Sequence[int], after: Sequence[float], values: np.ndarray) -> np.ndarray:
    """Finds which of many series (one per row) have a significant step (`Step.excludes_zero`)."""
    return find_steps(days, after, values)[0]
