"""Simulates switchbacks. Returns which verdicts show the simulated effect, or which intervals contain the effect."""

import numpy as np

from ...estimators.day_robust import by_randomisation
from .days import noise
from .group import Group, slow


def switchback_shown(effect: float, random: np.random.Generator, count: int) -> list[bool]:
    """Returns which verdicts of a 14-day switchback in pairs report an effect of `effect` standard deviations of a day."""
    found, window = [], np.arange(14)
    for values in noise("", random, count, 14):
        arms = np.ravel([(f, 1 - f) for f in random.integers(2, size=7)])
        interval = by_randomisation(values + effect * arms, arms, np.zeros(14, int), window, window // 2)
        found.append(interval.low > 0)
    return found


def switchback(carried_hours: int, washout: int, random: np.random.Generator, count: int) -> list[bool]:
    """Returns which intervals of a 20-day switchback in pairs contain the effect, which carries over into the next
    window for some hours."""
    hours = np.arange(20 * 24)
    window = hours // 24
    held = []
    for _ in range(count):
        first = random.integers(2, size=10)
        arm = np.ravel([(f, 1 - f) for f in first])[window]
        shown = np.concatenate([[arm[0]] * carried_hours, arm[: len(arm) - carried_hours]])
        z = 2 * shown + random.normal(size=20)[window] + random.normal(size=len(hours))
        kept = hours % 24 >= washout
        found = by_randomisation(z[kept], arm[kept], hours[kept] % 24, window[kept], window[kept] // 2)
        held.append(found.low <= 2 <= found.high)
    return held


def unequal(random: np.random.Generator, count: int) -> list[bool]:
    """Returns which switchbacks on three clusters, with values in the ratio 1:10:100, show a false effect."""
    windows = np.arange(8)
    window = np.concatenate([windows + 8 * cluster for cluster in range(3)])
    size = np.repeat([1.0, 10.0, 100.0], 8)
    false = []
    for _ in range(count):
        arms = np.concatenate([np.ravel([(f, 1 - f) for f in random.integers(2, size=4)]) for _ in range(3)])
        z = size * (10 + noise("AR 0.5", random, 3, 8).ravel())
        found = by_randomisation(z, arms, np.repeat([0, 1, 2], 8), window, window // 2)
        false.append(found.excludes_zero())
    return false


GROUPS = (
    Group(
        "an effect of 2.5 standard deviations of a day, switchback of 14 days: verdicts",
        0.67,
        1.0,
        (slow("independent days", switchback_shown, 2.5, most=2000, quick=400),),
    ),
)
