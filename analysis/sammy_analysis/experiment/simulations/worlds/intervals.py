"""Simulates experiments with known effects, and returns which intervals contain the effect."""

import numpy as np
import pandas as pd
from scipy import stats

from ...estimators.day_robust import means_over_days, over_days
from ...estimators.extrapolate import weights
from ...estimators.quantiles import _compared
from ...estimators.ratio import relative_interval
from .days import noise
from .group import MANY, Group, World, fast, slow
from .switchback import switchback


def extrapolated(
    days: int, random: np.random.Generator, count: int, steps=(0.05, 0.95), effect=-0.2
) -> np.ndarray:
    """Returns which intervals contain TTE if the whole effect spills over: each link's level falls in proportion to
    its share of treated sessions."""
    by = weights(list(steps), list(steps))
    effects, levels = np.zeros((count, days)), np.zeros((count, days))
    for p in steps:
        link = 100 * (1 + effect * p) + random.normal(size=(count, days))
        for of_arm, sign, share in ((by.treated, 1, p), (by.control, -1, 1 - p)):
            arm = link + 0.3 / np.sqrt(share) * random.normal(size=(count, days))
            effects += sign * of_arm.get(p, 0.0) * arm
            levels += (sign == -1) * of_arm.get(p, 0.0) * arm
    return _hold(effects, levels, effect)


def relative(effect: float, random: np.random.Generator, count: int) -> np.ndarray:
    """Returns which intervals contain a change in % if each link's level varies independently by 10% from day to day."""
    days = 7
    control = 100 * (1 + 0.1 * random.normal(size=(count, days)))
    treated = 100 * (1 + effect) * (1 + 0.1 * random.normal(size=(count, days)))
    return _hold(treated - control, control, effect)


def _hold(effects: np.ndarray, levels: np.ndarray, truth: float) -> np.ndarray:
    """Returns whether the true share is in the interval, i.e. whether the effect minus this share of the level may be 0."""
    means, errors, freedom = means_over_days(effects - truth * levels)
    one = relative_interval(lambda share: over_days(effects[0] - share * levels[0]), float(levels[0].mean()))
    held = np.abs(means) <= _t(freedom) * errors
    # The result must agree with the ends of the interval.
    assert held[0] == (one.low <= truth <= one.high)
    return held


def _t(freedom: int) -> float:
    return float(stats.t.ppf(0.975, freedom))


def mean_coverage(kind: str, days: int, random: np.random.Generator, count: int) -> np.ndarray:
    """Returns which intervals contain the mean, 0, of daily differences between concurrent arms."""
    means, errors, freedom = means_over_days(noise(kind, random, count, days))
    return np.abs(means) <= _t(freedom) * errors


def quantile(random: np.random.Generator, count: int) -> list[bool]:
    """Returns which intervals contain the effect on the 90% quantile with 60 sessions a day. Treated sessions have
    values 10% lower."""
    held, days = [], 10
    for _ in range(count):
        of_arms = (
            pd.Series(np.quantile(factor * random.lognormal(3, 1, size=(60, days)), 0.9, axis=0))
            for factor in (0.9, 1.0)
        )
        treated, control = of_arms
        _, share = _compared(treated, control, float(control.mean()), False)
        held.append(share.low <= -0.1 <= share.high)
    return held


GROUPS = (
    Group(
        "TTE from links with 5% and 95%, all spills over: intervals that hold the truth",
        0.93,
        0.97,
        (
            *(fast(f"{days} days", extrapolated, days) for days in (5, 7, 14, 21, 28)),
            World(
                "5%, 50% and 95%, 14 days",
                lambda random, count: extrapolated(14, random, count, (0.05, 0.5, 0.95)),
                MANY,
                2000,
            ),
        ),
    ),
    Group(
        "changes in % of a level that varies: intervals that hold the truth",
        0.93,
        0.97,
        tuple(fast(f"{effect:+.0%}", relative, effect) for effect in (-0.5, -0.2, 0.2, 1.0, 2.0)),
    ),
    Group(
        "days, sessions and accounts: intervals that hold the truth",
        0.93,
        1.0,
        (
            fast("A/B test, heavy tails, 7 days", mean_coverage, "heavy tails", 7),
            fast("A/B test, AR(1) 0.2, 28 days", mean_coverage, "AR 0.2", 28),
            slow("quantile of 90%, 10 days", quantile, most=2000, quick=200),
            slow("switchback, 2 hours carried over, 2 of wash-out", switchback, 2, 2, most=1000, quick=200),
        ),
    ),
)
