"""Decides whether a comparison has enough data. Two problems: the mean of a few skewed values is not normally
distributed, and the habits of a few accounts that come every day look like a change.

Comparisons with too little data are refused. Wider intervals would not help, because so few values do not reveal the
error of their mean.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from .appendix_b import ROUNDING
from .day_robust import between_days, over_days
from .estimands import Estimate, Options, group, levels
from .panel import DAY

#: The largest skewness of an estimate for which Student's t is valid. By Cochran's rule, a mean needs n > 25 G^2 values of
#: skewness G ("Sampling Techniques", 3rd edition 1977, section 2.15), so its own skewness G / sqrt(n) is below 1 / 5.
MOST_SKEWED = 0.2
#: If the arms' shares of sessions without a value differ by the first number, with a p-value below the second, the sessions
#: with a value are not a random sample.
LEAST_MISSING, SELDOM = 0.01, 0.01
#: Fewer days do not show how much days differ.
LEAST_DAYS = 2
#: Minimum number of returning accounts in an arm: with fewer, their common habits cannot be distinguished from an
#: effect. This is Kish's effective number, with accounts weighted by sessions: the square of the sum of the weights
#: over the sum of their squares ("Survey Sampling", 1965, section 8.2).
LEAST_ACCOUNTS = 50
#: Minimum effective number of accounts by squared influence, which determine the error of the arms' means. With fewer,
#: the variance of this error is as uncertain as with this many degrees of freedom (Satterthwaite).
LEAST_DECIDING = 10
#: An account with at least this share of an arm's sessions is reported. It equals 1 / LEAST_ACCOUNTS.
LARGE_SHARE = 0.02
#: If leaving out one account changes a result by at least this share of half of its interval, the range of the results
#: without one account is reported too.
MOVED = 0.25


@dataclass(frozen=True)
class ArmAccounts:
    """The accounts of an arm at one allocation. Influences are on the arm's mean, in the metric's unit."""

    count: int
    #: Kish's effective number of accounts, by their sessions with a value.
    effective: float
    #: The largest share of these sessions that belongs to one account.
    largest_share: float
    influence_2: float
    influence_4: float
    influences: tuple[float, float]


def accounts_by_arm(accounts: pd.DataFrame, scale: float = 1.0) -> dict[tuple[float, str], ArmAccounts]:
    """Returns the accounts by allocation and arm, from the rows of `accounts_expression` in units of `scale`."""
    found = {}
    for key, rows in accounts.groupby(["allocation", "arm"]):
        valued = float(rows.valued.sum())
        found[key] = ArmAccounts(
            int(rows.accounts.sum()),
            valued**2 / float(rows.valued_squares.sum()),
            float(rows.most_valued.max()) / valued,
            float(rows.influence_2.sum()) * scale**2,
            float(rows.influence_4.sum()) * scale**4,
            (float(rows.least_influence.min()) * scale, float(rows.most_influence.max()) * scale),
        )
    return found


NO_ACCOUNTS = ArmAccounts(0, 0.0, 0.0, 0.0, 0.0, (0.0, 0.0))


def check_sufficient(
    found: list[Estimate], accounts: pd.DataFrame, options: Options, come_back: bool, scale: float = 1.0
) -> list[Estimate]:
    """Removes the intervals of A/B tests and spillovers that rest on too little data.

    `accounts` are the rows of `accounts_expression` in units of `scale`.
    """
    arms = accounts_by_arm(accounts, scale)
    skewness = account_skewness(accounts)
    checked = []
    for each in found:
        reason = ""
        if each.kind in ("tau", "spillover"):
            pair = [arms.get(group, NO_ACCOUNTS) for group in _groups(each, found, options)]
            randomised = options.design == "switchback" and each.kind == "spillover"
            # Also check accounts that came on a single day only: an arm in which one account has a tenth of the
            # sessions is no sample.
            unequal = any(arm.effective < arm.count / 2 for arm in pair)
            reason = few_accounts(each, *pair, come_back) if come_back or unequal else ""
            reason = reason or insufficient(*(arm.count for arm in pair), 0.0 if randomised else skewness)
        # Keep an earlier reason.
        checked.append(
            replace(each, robust=None, share=None, refused=reason) if reason and each.robust else each
        )
    return checked


def few_accounts(each: Estimate, one: ArmAccounts, other: ArmAccounts, come_back: bool = True) -> str:
    """Returns the reason why too few accounts decide the comparison; '' if there are enough."""
    arm = min(one, other, key=lambda arm: arm.effective)
    # Ignore rounding errors.
    of_result = one.influence_2 + other.influence_2
    spread = of_result > (ROUNDING * abs(each.mean)) ** 2
    deciding = of_result**2 / (one.influence_4 + other.influence_4) if spread else float("inf")
    if arm.effective >= LEAST_ACCOUNTS and deciding >= LEAST_DECIDING:
        return ""
    if arm.effective < LEAST_ACCOUNTS:
        does = ["come back"] if come_back else []
        if round(arm.effective) < arm.count:
            does.append(f"count like {arm.effective:.0f} that come equally often")
        count = f"{arm.count:,} accounts{', which ' if does else ''}{' and '.join(does)}"
        reason = f"an arm has {count}: with fewer than {LEAST_ACCOUNTS} their own habits look like an effect"
    else:
        decide = "one account decide" if round(deciding) == 1 else f"{deciding:.0f} accounts decide"
        reason = (
            f"the habits of {decide} it; with fewer than {LEAST_DECIDING} accounts they look like an effect"
        )
    return "; ".join([reason, *describe_weights(each, one, other)])


def describe_weights(each: Estimate, one: ArmAccounts, other: ArmAccounts) -> list[str]:
    """Warns if the largest account has a large weight, or if leaving out a single account changes the result much."""
    share = max(one.largest_share, other.largest_share)
    said = [f"one account has {share:.1%} of an arm's sessions"] if share >= LARGE_SHARE else []
    low, high = left_out_by(each, one, other)
    half = 0.0 if each.robust is None else (each.robust.high - each.robust.low) / 2
    if each.mean and each.robust and max(-low, high) >= max(MOVED * half, ROUNDING * abs(each.mean)):
        ends = ((each.robust.estimate + shift) / abs(each.mean) for shift in (low, high))
        said.append(
            "without any one account, it lies between {:+.1%} and {:+.1%}".format(*ends).replace("-", "−")
        )
    return said


def left_out_by(each: Estimate, one: ArmAccounts, other: ArmAccounts) -> tuple[float, float]:
    """Returns the largest decrease and increase of the result if one account is left out."""
    return -max(one.influences[1], -other.influences[0], 0.0), max(
        -one.influences[0], other.influences[1], 0.0
    )


def heavy_accounts(
    found: list[Estimate], accounts: pd.DataFrame, options: Options, scale: float
) -> list[str]:
    """Lists the A/B tests that have an interval and in which one account has a large weight."""
    arms = accounts_by_arm(accounts, scale)
    notes = []
    for each in found:
        if each.kind == "tau" and each.robust is not None:
            pair = (arms.get(group, NO_ACCOUNTS) for group in _groups(each, found, options))
            if said := describe_weights(each, *pair):
                notes.append(f"{each.symbol}, {each.metric}: {'; '.join(said)}.")
    return notes


@dataclass(frozen=True)
class Missing:
    """Sessions without a value, and all sessions: of the treated at one allocation, and of the untreated at the same or
    another allocation."""

    treated_at: float
    control_at: float
    treated: tuple[int, int]
    control: tuple[int, int]
    #: Whether one arm has significantly more sessions without a value than the other.
    unequal: bool

    @property
    def is_notable(self) -> bool:
        """Whether at least one in a hundred sessions of an arm has no value."""
        return self.treated_at == self.control_at and any(
            missing >= LEAST_MISSING * every > 0 for missing, every in (self.treated, self.control)
        )

    @property
    def text(self) -> str:
        """Formats the missing values of both arms."""
        treated, control = (
            f"{missing:,} of {every:,} {name} sessions ({missing / max(every, 1):.1%})"
            for name, (missing, every) in (("treated", self.treated), ("untreated", self.control))
        )
        if self.treated_at == self.control_at:
            return f"{treated} and {control} have none where {self.treated_at:.0%} are treated"
        return f"{treated} where {self.treated_at:.0%} are treated, and {control} where {self.control_at:.0%} are, have none"


def missing_values(
    cells: pd.DataFrame, metric: str, options: Options, same: pd.DataFrame | None = None
) -> list[Missing]:
    """Lists the missing values by allocation, and those of the two groups that TTE compares, if any session has none.

    `same` are the cells of a baseline of paired links, whose difference is subtracted.
    """
    arms, steps = options.arms, levels(cells)
    found = []
    for treated_at, control_at in [
        *((p, p) for p in steps),
        *([(steps[-1], steps[0])] if len(steps) > 1 else []),
    ]:
        groups = group(cells, arms.treatment, treated_at), group(cells, arms.control, control_at)
        counts = [
            (int((rows.sessions - rows[f"n_{metric}"]).sum()), int(rows.sessions.sum())) for rows in groups
        ]
        if not any(missing for missing, _ in counts):
            continue
        before = None
        if same is not None and len(same) and treated_at != control_at:
            parts = (same[same.cluster.isin(rows.cluster) & (same.arm == arms.control)] for rows in groups)
            before = [_missing_by_day(rows, metric) for rows in parts]
        unequal = _is_unequal([_missing_by_day(rows, metric) for rows in groups], before)
        found.append(Missing(float(treated_at), float(control_at), *counts, unequal))
    return found


def _missing_by_day(rows: pd.DataFrame, metric: str) -> pd.Series:
    days = rows.groupby((rows.hour + rows.offset) // DAY)[["sessions", f"n_{metric}"]].sum()
    return 1 - days[f"n_{metric}"] / days.sessions


def _is_unequal(shares: list[pd.Series], before: list[pd.Series] | None) -> bool:
    """Whether the shares of missing values, by day, differ by more than chance explains, and by more than in the
    baseline."""
    by_day, by_day_before = (
        None if each is None else (each[0] - each[1]).dropna().to_numpy() for each in (shares, before)
    )
    if len(by_day) >= 0.5 * min(map(len, shares)):
        if len(by_day) < LEAST_DAYS:
            return False
        if by_day_before is not None and len(by_day_before) >= LEAST_DAYS:
            difference = between_days(by_day, by_day_before)
        else:
            difference = over_days(by_day)
    elif min(map(len, shares)) < LEAST_DAYS:
        return False
    else:
        difference = between_days(*(each.to_numpy() for each in shares))
    return difference.p <= SELDOM and abs(difference.estimate) >= LEAST_MISSING


def missing_values_assumption(missing: list[Missing]) -> str:
    """Returns the assumption about sessions without a value, if one arm has more of them; '' otherwise."""
    unequal = next((each for each in missing if each.unequal), None)
    return "" if unequal is None else f"sessions without a value are like the others: {unequal.text}"


def _groups(each: Estimate, found: list[Estimate], options: Options) -> list[tuple[float, str]]:
    arms = options.arms
    if each.kind == "tau":
        return [(each.allocation, arms.treatment), (each.allocation, arms.control)]
    lowest = min(other.allocation for other in found)
    return [(each.allocation, arms.control), (lowest, arms.control)]


def insufficient(one: int, other: int, skewness: float) -> str:
    """Returns the reason why the means of two groups of these sizes cannot be compared; '' if comparable."""
    fewest = min(one, other)
    of_estimate = abs(skewness_of_difference(one, other, skewness))
    if of_estimate > MOST_SKEWED:
        needed = fewest * (of_estimate / MOST_SKEWED) ** 2
        # Round up to two digits, so that the number is above `fewest`.
        unit = 10.0 ** (np.floor(np.log10(needed)) - 1)
        return (
            f"a few large values decide the mean of an arm of {fewest:,} accounts; it takes about "
            f"{np.ceil(needed / unit) * unit:,.0f} or more to judge it"
        )
    return ""


def skewness_of_difference(one: int, other: int, skewness: float) -> float:
    """Returns the skewness of the difference of two means. It is 0 if both groups have the same size."""
    if min(one, other) < 1:
        return 0.0
    return skewness * (1 / one**2 - 1 / other**2) / (1 / one + 1 / other) ** 1.5


def account_skewness(accounts: pd.DataFrame) -> float:
    """Returns the skewness of the accounts' means within their groups; 0 if all are equal."""
    n = accounts.accounts.to_numpy(dtype=float)
    first, second, third = (
        accounts[column].to_numpy(dtype=float) / np.maximum(n, 1) for column in ("first", "second", "third")
    )
    variance = float((n * (second - first**2)).sum() / n.sum()) if n.sum() else 0.0
    cubes = float((n * (third - 3 * first * second + 2 * first**3)).sum() / n.sum()) if n.sum() else 0.0
    # A variance from rounding errors counts as none.
    if not variance > 1e-12 * float((n * second).sum() / max(n.sum(), 1)):
        return 0.0
    return cubes / variance**1.5
