"""Whether a comparison of few sessions can be judged: a mean of few skewed values is not normally distributed, and a few accounts
that come every day make one draw of theirs look like a change.

Both are refused and not widened, since nothing in so few values tells how far their mean may be off.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from .day_robust import over_days
from .estimands import Estimate, Options, group, levels
from .panel import DAY

#: The skewness of an estimate up to which Student's t holds: Cochran's rule, that a mean is of more than 25 times the square of
#: the values' skewness ("Sampling Techniques", 3rd edition 1977, section 2.15).
MOST_SKEWED = 0.2
#: Where the share of sessions without a value differs by as much between the arms, and by chance so seldom, those that have
#: one are no longer drawn by chance.
LEAST_LACK, SELDOM = 0.01, 0.01
#: With fewer accounts in an arm, which come back, what they have in common cannot be told from an effect.
LEAST_ACCOUNTS = 50


def check_sufficient(
    found: list[Estimate], accounts: pd.DataFrame, options: Options, come_back: bool
) -> list[Estimate]:
    """The same without the intervals of A/B tests and spillovers that are of too little.

    `accounts` are the rows of `accounts_expression`.
    """
    sizes = accounts.groupby(["allocation", "arm"]).accounts.sum()
    skewness = skewness_of(accounts)
    checked = []
    for each in found:
        reason = ""
        if each.kind in ("tau", "spillover"):
            groups = _groups(each, found, options)
            counts = [int(sizes.get(group, 0)) for group in groups]
            randomised = options.design == "switchback" and each.kind == "spillover"
            reason = insufficient(*counts, 0.0 if randomised else skewness, come_back)
        # The reason that an estimate has already comes before.
        checked.append(
            replace(each, robust=None, share=None, refused=reason) if reason and each.robust else each
        )
    return checked


def lacking(cells: pd.DataFrame, metric: str, options: Options) -> str:
    """What has to hold of sessions without a value, where one arm has more of them than the other; '' where neither has."""
    for allocation in levels(cells):
        shares, days = [], []
        for arm in (options.arms.treatment, options.arms.control):
            rows = group(cells, arm, allocation)
            names, index = np.unique((rows.hour + rows.offset) // DAY, return_inverse=True)
            every, valued = (
                np.bincount(index, weights=rows[column].to_numpy(dtype=float))
                for column in ("sessions", f"n_{metric}")
            )
            lack = every - valued
            days.append(pd.Series(lack / every, index=names))
            shares.append(float(lack.sum() / max(every.sum(), 1)))
        by_day = (days[0] - days[1]).dropna().to_numpy()
        differs = len(by_day) > 1 and over_days(by_day).p <= SELDOM
        if differs and abs(shares[0] - shares[1]) >= LEAST_LACK:
            return (
                f"sessions without a value are like the others: {shares[0]:.1%} of the treated and {shares[1]:.1%} of the "
                f"untreated have none where {allocation:.0%} are treated"
            )
    return ""


def _groups(each: Estimate, found: list[Estimate], options: Options) -> list[tuple[float, str]]:
    arms = options.arms
    if each.kind == "tau":
        return [(each.allocation, arms.treatment), (each.allocation, arms.control)]
    lowest = min(other.allocation for other in found)
    return [(each.allocation, arms.control), (lowest, arms.control)]


def insufficient(one: int, other: int, skewness: float, come_back: bool) -> str:
    """Why two groups of so many accounts cannot be compared; '' where they can."""
    fewest = min(one, other)
    if come_back and fewest < LEAST_ACCOUNTS:
        return (
            f"an arm has {fewest} accounts, which come back: with fewer than {LEAST_ACCOUNTS} their own habits look like an "
            "effect"
        )
    of_estimate = abs(skewness_of_difference(one, other, skewness))
    if of_estimate > MOST_SKEWED:
        needed = float(f"{fewest * (of_estimate / MOST_SKEWED) ** 2:.1g}")
        return (
            f"a few large values decide the mean of an arm of {fewest:,} accounts; it takes about {needed:,.0f} or more to "
            "judge it"
        )
    return ""


def skewness_of_difference(one: int, other: int, skewness: float) -> float:
    """Of the difference of two means of so many values: what both arms have in common cancels out where they are as large."""
    if min(one, other) < 1:
        return 0.0
    return skewness * (1 / one**2 - 1 / other**2) / (1 / one + 1 / other) ** 1.5


def skewness_of(accounts: pd.DataFrame) -> float:
    """Of the accounts' means within their groups; 0 where they are all alike."""
    n = accounts.accounts.to_numpy(dtype=float)
    first, second, third = (
        accounts[column].to_numpy(dtype=float) / np.maximum(n, 1) for column in ("first", "second", "third")
    )
    variance = float((n * (second - first**2)).sum() / n.sum()) if n.sum() else 0.0
    cubes = float((n * (third - 3 * first * second + 2 * first**3)).sum() / n.sum()) if n.sum() else 0.0
    # What comes from rounding is no spread.
    if not variance > 1e-12 * float((n * second).sum() / max(n.sum(), 1)):
        return 0.0
    return cubes / variance**1.5
