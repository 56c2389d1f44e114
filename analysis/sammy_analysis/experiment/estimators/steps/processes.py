"""Models of how the noise of different days is correlated: the processes over which step_design.py averages.

Each process is a covariance matrix of days with a prior weight. None of them has to be true; together they approximate the
day-to-day differences of links. `coverage --days` tests them on processes outside this set. Below, experiments "of 7 and 5
days" have 7 days of baseline and 5 of experiment, and a false step is a significant step where nothing changed.
"""

from dataclasses import dataclass

import numpy as np

#: Correlations of successive days. At 0.99 a few weeks of a process look like a random walk. Random walks are the most
#: misleading, so they have more weight: with a weight of 8 instead of 16, walks of heavy-tailed steps gave false steps
#: in 6.0% instead of 5.7% of 6,000 experiments of 7 and 5 days.
RHOS = np.array([0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99])
WEIGHTS = np.array([1.0, 1, 1, 1, 1, 1, 1, 2, 2, 16])
#: Trends: the total change from the first day to the last, in standard deviations of a day's noise. All are equally
#: likely.
TRENDS = np.array([0.0, 1, 3, 10, 30])
#: Smoothly drifting noise: an AR(2) process with this double root. Successive days hardly differ, but days on either side of a
#: week without sessions do. Without these processes, such a drift gave false steps in 24% of experiments of 14 and 14 days with
#: such a week between, and with them in 6%.
SMOOTH = np.array([0.6, 0.7, 0.8, 0.9])
WEIGHT_OF_SMOOTH = 1.0
#: Sums of independent noise and a smooth drift with these roots and sizes (in standard deviations of the noise), for values
#: whose slope wanders or that grow exponentially. Without these processes, such values gave false steps in 8% and 14% of
#: experiments with a baseline of 7, 14 days of experiment and a baseline of 7, and with them in 3% and 6%.
DRIFTS = np.array([0.8, 0.9, 0.97])
SIZES_OF_DRIFTS = np.array([1.0, 3, 10, 30])
WEIGHT_OF_DRIFT = 0.5
#: Sums of independent noise and a cycle of these lengths in days and sizes (in standard deviations of the noise), for
#: experiments with a baseline on both sides, which look like half a cycle. Without these processes, cycles of 20 to 40 days
#: gave false steps in 9% to 16% of experiments of 7, 14 and 7 days, and with them in 3% to 6%. With a baseline on one side
#: they are unnecessary, and would cost power.
CYCLES = np.array([20.0, 28, 40])
SIZES_OF_CYCLES = np.array([1.0, 3])
WEIGHT_OF_CYCLE = 1.0
#: Independent days whose standard deviation changes by this factor from the first day to the last, as if the number of sessions
#: changed. Without these processes, such days gave false steps in 9% of experiments of 28 and 3 days, and with them in 5%.
GROWTHS = np.array([1 / 4, 4.0])
WEIGHT_OF_GROWTH = 1.0
#: Sums of independent noise and a level for each week, of these sizes (in standard deviations of the noise): for weekly
#: releases on one link, or a difference every other week. A week begins with a change between the periods. Without these
#: processes, a difference of 3 every other week gave false steps in 75% of experiments of 14 and 14 days, and with them in
#: 7%.
WEEK = 7
SIZES_OF_WEEKS = np.array([1.0, 3, 10])
WEIGHT_OF_WEEK = 0.3
#: With fewer weeks, a step between the periods looks like a step between the weeks of one period.
LEAST_WEEKS = 4


@dataclass(frozen=True)
class Processes:
    """The processes for given days, one row each."""

    covariances: np.ndarray
    #: Logarithms of the weights, which sum up to 1.
    priors: np.ndarray
    #: Whether each process is an AR(1) process without a trend. These are in the order of `RHOS`.
    without_trend: np.ndarray


def make_processes(days: np.ndarray, changes: np.ndarray) -> Processes:
    """Creates the processes. `changes` are the days on which a period begins after another, empty with a single period."""
    count, apart = len(days), np.abs(np.subtract.outer(days, days))
    own, alone = (-1, count, count), np.eye(count)
    trend = (days - np.mean(days)) / (max(days) - min(days))
    trends = TRENDS[:, None, None] ** 2 * np.outer(trend, trend)
    drifts = SIZES_OF_DRIFTS[:, None, None, None] ** 2 * smooth(apart, DRIFTS)
    parts = [
        ((RHOS[:, None, None] ** apart)[:, None] + trends, np.repeat(WEIGHTS / len(TRENDS), len(TRENDS))),
        (smooth(apart, SMOOTH), WEIGHT_OF_SMOOTH),
        (alone + drifts, WEIGHT_OF_DRIFT),
        (alone * GROWTHS[:, None, None] ** (2 * trend), WEIGHT_OF_GROWTH),
    ]
    if len(changes) > 1:
        cycles = np.cos(2 * np.pi * apart / CYCLES[:, None, None])
        parts.append((alone + SIZES_OF_CYCLES[:, None, None, None] ** 2 * cycles, WEIGHT_OF_CYCLE))
    week = (days - changes[0]) // WEEK if len(changes) else np.zeros(count)
    if len(np.unique(week)) >= LEAST_WEEKS:
        same = np.equal.outer(week, week)
        parts.append((alone + SIZES_OF_WEEKS[:, None, None] ** 2 * same, WEIGHT_OF_WEEK))
    found = [part.reshape(own) for part, _ in parts]
    weights = np.concatenate(
        [np.broadcast_to(weight, len(each)) for each, (_, weight) in zip(found, parts, strict=True)]
    )
    without_trend = np.zeros(len(weights), dtype=bool)
    without_trend[: len(found[0])] = np.tile(TRENDS == 0, len(RHOS))
    return Processes(np.concatenate(found), np.log(weights / weights.sum()), without_trend)


def smooth(apart: np.ndarray, roots: np.ndarray) -> np.ndarray:
    """Returns the correlations of AR(2) processes with a double root (Box and Jenkins, "Time Series Analysis", section
    3.2.4)."""
    root = roots[:, None, None]
    return root**apart * (1 + apart * (1 - root**2) / (1 + root**2))
