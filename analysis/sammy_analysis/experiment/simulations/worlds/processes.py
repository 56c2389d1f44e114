"""Simulates days by processes outside the model of steps/processes.py: differences of paired links without a treatment.

Unless a name says otherwise, noise has a standard deviation of 1 per day, and sizes are in this unit.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.signal import lfilter

from .days import LINKS_DIFFER, noise, smooth

#: A function of a random generator, the number of series and the days since a Monday. It returns one series per row.
Draw = Callable[[np.random.Generator, int, np.ndarray], "np.ndarray | Drawn"]

#: The order of fractional differences: they have a long memory, and from 0.5 on they would not be stationary.
LONG_MEMORY = 0.4
#: The number of terms of the moving average.
MEMORY = 400


class Drawn(NamedTuple):
    """Series with changes of one link. A verdict is not false if it lists the day of a change among the days on which a
    change would look the same."""

    values: np.ndarray
    #: The days on which each series changes: a row for each change, a column for each series.
    changes: np.ndarray


def white(random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    return random.normal(size=(count, len(days)))


def differing(
    kinds: tuple[int, ...], random: np.random.Generator, count: int, days: np.ndarray
) -> np.ndarray:
    """Simulates series in which the given days of the week differ. Monday is 0."""
    return white(random, count, days) + LINKS_DIFFER * np.isin(days % 7, kinds)


def holidays(length: int, times: int, random: np.random.Generator, count: int, days: np.ndarray) -> Drawn:
    """Adds `times` periods of `length` deviating days, which may be partly before the first day or after the last."""
    values, changes = white(random, count, days), []
    for _ in range(times):
        first = random.integers(1 - length, len(days), size=count)
        values += LINKS_DIFFER * ((days >= first[:, None]) & (days < first[:, None] + length))
        changes += [first, first + length]
    return Drawn(values, np.array(changes))


def weekly_levels(levels: np.ndarray, random: np.random.Generator, days: np.ndarray) -> Drawn:
    """Returns series in which each week has one of these levels, one series per row. The changes are those from one
    week to the next."""
    mondays = np.repeat(np.arange(0, days[-1] + 1, 7)[1:, None], len(levels), axis=1)
    return Drawn(white(random, len(levels), days) + levels[:, days // 7], mondays)


def weeks_of_their_own(size: float, random: np.random.Generator, count: int, days: np.ndarray) -> Drawn:
    return weekly_levels(size * random.normal(size=(count, days[-1] // 7 + 1)), random, days)


def every_other_week(size: float, random: np.random.Generator, count: int, days: np.ndarray) -> Drawn:
    first = random.integers(2, size=(count, 1))
    return weekly_levels(size * ((np.arange(days[-1] // 7 + 1) + first) % 2), random, days)


def regimes(
    size: float, stays: float, random: np.random.Generator, count: int, days: np.ndarray
) -> np.ndarray:
    """Simulates two levels that are `size` apart. The next day stays on the same level with probability `stays`."""
    changes = random.random((count, len(days))) > stays
    return white(random, count, days) + size * (changes.cumsum(axis=1) % 2)


def below_ceiling(ceiling: float, random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    """Simulates an AR(1) process that is clipped at a ceiling."""
    return np.minimum(noise("AR 0.8", random, count, len(days)), ceiling)


def unequal_days(random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    """Simulates daily means of lognormal numbers of sessions. In the middle half of days, these numbers differ by a
    factor of up to 7.5."""
    return white(random, count, days) * np.exp(0.75 * random.normal(size=(count, len(days))))


def noisier_by(factor: float, random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    """Simulates independent days whose standard deviation changes steadily, by this factor from the first day to the
    last."""
    return white(random, count, days) * factor ** (days / days[-1])


def a_saturday(random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    saturdays = np.flatnonzero(days % 7 == 5)
    values = white(random, count, days)
    if len(saturdays):
        values[np.arange(count), random.choice(saturdays, size=count)] += LINKS_DIFFER
    return values


def volatile(random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    """Simulates days whose log standard deviation is an AR(1) process."""
    return white(random, count, days) * np.exp(noise("AR 0.9", random, count, len(days)))


def counts(mean: float, random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    return random.poisson(mean, size=(count, len(days))).astype(float)


def lognormal(random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    return random.lognormal(size=(count, len(days)))


def filtered(
    moving: np.ndarray, own: np.ndarray, random: np.random.Generator, count: int, days: np.ndarray
) -> np.ndarray:
    """Filters noise. The days before the first are discarded."""
    steps = random.normal(size=(count, MEMORY + len(days)))
    return lfilter(moving, own, steps, axis=1)[:, MEMORY:]


def week_before() -> Draw:
    own = np.zeros(8)
    own[0], own[7] = 1, -0.7
    return partial(filtered, [1.0], own)


def long_memory() -> Draw:
    lags = np.arange(1, MEMORY)
    return partial(filtered, np.cumprod([1, *((lags - 1 + LONG_MEMORY) / lags)]), [1.0])


def cycle(length: int, size: float, random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    """Simulates a sine with a random phase."""
    phase = random.uniform(0, 2 * np.pi, size=(count, 1))
    return white(random, count, days) + size * np.sin(2 * np.pi * days / length + phase)


def growing(a_day: float, random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    return white(random, count, days) + a_day * days


def compounding(rate: float, random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    return white(random, count, days) + LINKS_DIFFER * (1 + rate) ** days


def wandering_slope(random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    slope = 0.1 * random.normal(size=(count, len(days))).cumsum(axis=1)
    return white(random, count, days) + slope.cumsum(axis=1)


def drifting(root: float, random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    """Simulates a smooth drift plus noise of the same size."""
    return white(random, count, days) + smooth(root, random, count, len(days))


def simple(kind: str, random: np.random.Generator, count: int, days: np.ndarray) -> np.ndarray:
    return noise(kind, random, count, len(days))


def shifting(size: float, random: np.random.Generator, count: int, days: np.ndarray) -> Drawn:
    """Simulates a permanent shift on any day but the first."""
    day = random.integers(days[1], days[-1] + 1, size=count)
    return Drawn(white(random, count, days) + size * (days >= day[:, None]), day[None])


PROCESSES: dict[str, Draw] = {
    "weekends differ": partial(differing, (5, 6)),
    "Fridays differ": partial(differing, (4,)),
    "a single Saturday differs": a_saturday,
    "a holiday of three days differs": partial(holidays, 3, 1),
    "a holiday of a week differs": partial(holidays, 7, 1),
    "two holidays of three days differ": partial(holidays, 3, 2),
    "a shift for good by 3, on any day": partial(shifting, 3.0),
    "every other week differs by 3": partial(every_other_week, 3.0),
    "weeks have levels of their own": partial(weeks_of_their_own, 2.0),
    "two levels 3 apart, 5 days each": partial(regimes, 3.0, 0.8),
    "moving volatility": volatile,
    "noise that grows fourfold": partial(noisier_by, 4.0),
    "noise that falls to a fourth": partial(noisier_by, 0.25),
    "unequal numbers of sessions": unequal_days,
    "AR(1) 0.8 below a ceiling of 0.5": partial(below_ceiling, 0.5),
    "Poisson counts, 0.2 a day": partial(counts, 0.2),
    "Poisson counts, 3 a day": partial(counts, 3.0),
    "lognormal days": lognormal,
    "a random walk": partial(simple, "random walk"),
    "AR(1) 0.8": partial(simple, "AR 0.8"),
    "AR(1) -0.5": partial(filtered, [1.0], [1, 0.5]),
    "0.7 of the day a week before": week_before(),
    "a long memory": long_memory(),
    "a smooth drift": partial(simple, "smooth 0.8"),
    "a smooth drift and as much noise": partial(drifting, 0.9),
    "a cycle of 7 days": partial(cycle, 7, 1.0),
    "a cycle of 10 days": partial(cycle, 10, 1.0),
    "a cycle of 14 days": partial(cycle, 14, 1.0),
    "a cycle of 14 days, twice the noise": partial(cycle, 14, 2.0),
    "a cycle of 20 days": partial(cycle, 20, 1.0),
    "a cycle of 28 days": partial(cycle, 28, 1.0),
    "a cycle of 28 days, twice the noise": partial(cycle, 28, 2.0),
    "a cycle of 40 days, twice the noise": partial(cycle, 40, 2.0),
    "a level that grows by 0.2 a day": partial(growing, 0.2),
    "a level that grows by 5% a day": partial(compounding, 0.05),
    "a level whose slope wanders": wandering_slope,
}
