"""Layouts of the two periods of paired links with a baseline: the days with data, and those of the experiment."""

from typing import NamedTuple

import numpy as np


class Periods(NamedTuple):
    """The days with sessions, counted from a Monday, and whether each belongs to the experiment."""

    days: np.ndarray
    after: np.ndarray

    @property
    def span(self) -> np.ndarray:
        """All days from the first to the last."""
        return np.arange(self.days[-1] + 1)


def make_periods(*lengths: int, first: float = 0.0) -> Periods:
    """Creates successive periods that are alternately without and with the experiment."""
    kinds = (first + np.arange(len(lengths))) % 2
    return Periods(np.arange(sum(lengths)), np.repeat(kinds, lengths))


def without(periods: Periods, missing: np.ndarray) -> Periods:
    return Periods(periods.days[~missing], periods.after[~missing])


def a_fifth_missing() -> Periods:
    """Removes a fifth of the days at random, but neither the first nor the last."""
    periods = make_periods(14, 14)
    missing = np.random.default_rng(5).permutation(np.arange(1, 27))[:6]
    return without(periods, np.isin(periods.days, missing))


def over_gap(before: int, gap: int, after: int) -> Periods:
    periods = make_periods(before, gap + after)
    return without(periods, (periods.days >= before) & (periods.days < before + gap))


PERIODS = {
    "7+5": make_periods(7, 5),
    "14+14": make_periods(14, 14),
    "28+28": make_periods(28, 28),
    "2+2": make_periods(2, 2),
    "3+3": make_periods(3, 3),
    "2+12": make_periods(2, 12),
    "14+2": make_periods(14, 2),
    "28+3": make_periods(28, 3),
    "3+28": make_periods(3, 28),
    "14+14, baseline last": make_periods(14, 14, first=1.0),
    "7+14+7": make_periods(7, 14, 7),
    "14+14, a fifth of the days missing": a_fifth_missing(),
    "14+14, no weekends": without(make_periods(14, 14), make_periods(14, 14).days % 7 >= 5),
    "14+14, a week without between": over_gap(14, 7, 14),
}
