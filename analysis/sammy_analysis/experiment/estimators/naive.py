"""The result of a naive A/B test: the difference of means at one allocation, assuming independent accounts.

Unbiased Experiments in Congested Networks computes tau(p) this way (Appendix B.1); its figure 13 compares these
intervals with those by hour.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from .appendix_b import Z_95, Interval


@dataclass(frozen=True)
class Group:
    accounts: int
    mean: float
    variance: float


def naive(accounts: pd.DataFrame, allocation: float, treatment: str, control: str) -> Interval | None:
    """Computes the interval at one allocation from rows of `accounts_expression`. None if an arm has fewer than two
    accounts."""
    here = accounts[accounts.allocation == allocation]
    groups = [_group(here[here.arm == arm]) for arm in (treatment, control)]
    if any(each is None for each in groups):
        return None
    treated, other = groups
    difference = treated.mean - other.mean
    se = float(np.sqrt(treated.variance / treated.accounts + other.variance / other.accounts))
    basis = f"{treated.accounts + other.accounts:,} accounts"
    return Interval(difference, difference - Z_95 * se, difference + Z_95 * se, se, basis)


def _group(rows: pd.DataFrame) -> Group | None:
    count = int(rows.accounts.sum())
    if count < 2:
        return None
    mean = float(rows.total.sum() / count)
    variance = float(rows.squares.sum() - count * mean**2) / (count - 1)
    return Group(count, mean, max(variance, 0.0))
