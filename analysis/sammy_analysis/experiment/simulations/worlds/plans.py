"""The power of experiments with the effects that `design` promises to detect."""

import numpy as np

from ...designs.calculator import block_days, known_freedom, multiple
from ...estimators.day_robust import by_randomisation
from ...estimators.steps.power import detectable
from ...estimators.steps.step import excluding_zero
from .days import MONDAY, noise
from .group import Group, slow


def power_of_pair(kind: str, seen: int, days: int, random: np.random.Generator, count: int) -> np.ndarray:
    """Returns which experiments detect the effect that four of five should detect, according to a plan from the
    preceding days."""
    every = MONDAY + np.arange(seen + days)
    after = (np.arange(seen + days) >= seen).astype(float)
    values = noise(kind, random, count, seen + days)
    promised = [detectable(every[:seen], each[:seen], every, after).typical for each in values]
    return excluding_zero(every, after, values + np.outer(promised, after))


def power_of_switchback(kind: str, random: np.random.Generator, count: int) -> np.ndarray:
    """Returns which switchbacks of 28 days in pairs detect the effect that four of five should detect, according to a
    plan from the 28 preceding days."""
    seen = days = 28
    values = noise(kind, random, count, seen + days)
    block = block_days(seen)
    begins = random.integers(seen, size=(count, 200, -(-days // block)))
    drawn = ((begins[..., None] + np.arange(block)) % seen).reshape(count, 200, -1)[..., :days]
    signs = 1 - 2 * random.integers(2, size=(count, 200, days // 2))
    taken = np.take_along_axis(values[:, None, :seen], drawn, axis=2)
    pairs = taken[..., 0::2] - taken[..., 1::2]
    se = (signs * pairs).mean(axis=2).std(axis=1, ddof=1) * np.sqrt(seen / (seen - 1))
    promised = multiple(days // 2 - 1, known_freedom(seen)) * se
    found = []
    for later, effect in zip(values[:, seen:], promised, strict=True):
        arms = np.ravel([(f, 1 - f) for f in random.integers(2, size=days // 2)])
        window = np.arange(days)
        interval = by_randomisation(later + effect * arms, arms, np.zeros(days, int), window, window // 2)
        found.append(interval.low > 0)
    return np.array(found)


GROUPS = (
    Group(
        "effects of which `design` says that 80% of experiments show them: experiments that do",
        0.78,
        0.9,
        (
            slow(
                "paired links, independent days, 14+14",
                power_of_pair,
                "independent",
                14,
                14,
                most=2000,
                quick=200,
            ),
            slow("paired links, AR(1) 0.5, 14+14", power_of_pair, "AR 0.5", 14, 14, most=2000, quick=200),
            slow("paired links, AR(1) 0.8, 28+28", power_of_pair, "AR 0.8", 28, 28, most=2000, quick=200),
            slow(
                "switchback of 28 days, independent days",
                power_of_switchback,
                "independent",
                most=1000,
                quick=200,
            ),
            slow("switchback of 28 days, AR(1) 0.5", power_of_switchback, "AR 0.5", most=1000, quick=200),
        ),
    ),
)
