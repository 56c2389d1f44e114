"""Simulates A/B tests of skewed values, and the numbers of sessions in correctly drawn arms."""

import numpy as np

from ...estimators.day_robust import over_days
from ...estimators.sufficient import insufficient
from ...reading.sample_ratio import Ratio, shared
from ...reading.sample_ratio import p_value as p_of_counts
from .group import Group, slow


def ab_skewed(sigma: float, a_day: int, random: np.random.Generator, count: int) -> np.ndarray:
    """Returns which 14-day A/B tests show a false effect, with 5% treated, `a_day` treated sessions a day, and
    lognormal values."""
    days, others = 14, 19 * a_day
    found = np.empty(count, dtype=bool)
    for at in range(count):
        treated, control = (random.lognormal(0, sigma, (days, n)) for n in (a_day, others))
        interval = over_days(treated.mean(axis=1) - control.mean(axis=1))
        apart = np.concatenate([each.ravel() - each.mean() for each in (treated, control)])
        skewness = float((apart**3).mean() / (apart**2).mean() ** 1.5)
        found[at] = interval.excludes_zero() and not insufficient(treated.size, control.size, skewness)
    return found


def sample_ratio(accounts: int, random: np.random.Generator, count: int) -> list[bool]:
    """Returns which experiments raise a false alarm, on two links with 95% and 5% treated, and 28 windows of `accounts`
    correctly drawn accounts each."""
    found = []
    for _ in range(count):
        tests = []
        for link, p in (("one", 0.95), ("two", 0.05)):
            drawn = random.binomial(accounts, p, size=28).tolist()
            counts = [(treated, accounts - treated) for treated in drawn]
            counts.append((sum(drawn), 28 * accounts - sum(drawn)))
            tests += [Ratio(link, p, 0, *each, p_of_counts(*each, p)) for each in counts]
        found.append(any(each.alarm for each in shared(tests)))
    return found


GROUPS = (
    Group(
        "A/B tests of 14 days with 5% treated, lognormal values, no effect: false changes",
        0.0,
        0.05,
        tuple(
            slow(f"sigma {sigma:g}, {a_day} treated a day", ab_skewed, sigma, a_day, most=2000, quick=400)
            for sigma, a_day in (
                (0.5, 4),
                (0.5, 40),
                (1.0, 4),
                (1.0, 40),
                (1.5, 4),
                (1.5, 40),
                (2.0, 4),
                (2.0, 40),
            )
        ),
    ),
    Group(
        "arms drawn as planned, 5% and 95% treated, 28 windows each: false alarms of the sample",
        0.0,
        0.01,
        tuple(
            slow(f"{accounts} accounts a window", sample_ratio, accounts, most=2000, quick=400)
            for accounts in (5, 20, 100, 1000)
        ),
    ),
)
