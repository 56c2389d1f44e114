"""Tests whether each arm has as many accounts as the allocation implies. If not, no other result can be trusted.

Each window of time is tested separately. All windows of a cluster and an allocation are also tested together, because a
small persistent mismatch is visible in no single window. An account that returns was assigned only once, so the test
over all windows counts it once.
"""

from dataclasses import dataclass, replace

import ibis
import pandas as pd
from scipy import special

#: The usual threshold of a sample-ratio alarm, which is low because there are many windows.
ALARM = 0.0005
#: The total probability of a false alarm, which more than 0.01 / ALARM = 20 tests share equally. Without sharing, a
#: thousand windows would raise a false alarm in 1 - (1 - ALARM)^1000 = 39% of experiments.
FALSE_ALARMS = 0.01
#: A window is not tested if the expected number of accounts in an arm is smaller than this, because hardly any number
#: of accounts would be an alarm.
LEAST_EXPECTED = 5


@dataclass(frozen=True)
class Ratio:
    cluster: str
    allocation: float
    #: The window's first hour since 1970 on the viewers' clock; None for all windows together.
    starts: int | None
    treated: int
    control: int
    #: None if too few accounts are expected in an arm.
    p: float | None
    #: The number of windows in the test.
    windows: int = 1
    #: The p-value below which there is an alarm.
    threshold: float = ALARM

    @property
    def alarm(self) -> bool:
        return self.p is not None and self.p < self.threshold


def shared(found: list[Ratio]) -> list[Ratio]:
    """Sets the thresholds so that correct samples raise an alarm in at most 1% of cases, for any number of tests."""
    tests = sum(each.p is not None for each in found)
    threshold = min(ALARM, FALSE_ALARMS / max(tests, 1))
    return [replace(each, threshold=threshold) for each in found]


def units_expression(sessions: ibis.Table, window_hours: int | None, offset: int) -> ibis.Table:
    """Counts accounts by cluster, allocation, arm and window of time. Each account counts once per window.

    Without `window_hours`, each account counts once over all time, in the arm of its first session. Otherwise an
    account that is reassigned (in each window, or by a later experiment) would count in both arms, and the shares would
    be wrong.
    """
    keys = ["cluster", "allocation", "arm"]
    if window_hours is None:
        sessions = sessions.group_by(["cluster", "allocation", "unit"]).aggregate(
            arm=sessions.arm.argmin(sessions.started_s)
        )
    else:
        hours = (sessions.started_s / 3600).floor() + offset
        sessions = sessions.mutate(window=(hours / window_hours).floor().cast("int64"))
        keys.append("window")
    # Group the accounts of a window first, and then count them: counting distinct values would hold all of them in
    # memory.
    accounts = sessions.select(*keys, "unit").distinct()
    return accounts.group_by(keys).aggregate(units=accounts.count())


def ratios(units: pd.DataFrame, treatment: str, control: str, window_hours: int) -> list[Ratio]:
    """Runs a binomial test for each cluster, allocation and window."""
    found = []
    for (cluster, allocation, window), rows in units.groupby(["cluster", "allocation", "window"]):
        treated, other, p = _test(rows, treatment, control, allocation)
        found.append(Ratio(str(cluster), float(allocation), int(window) * window_hours, treated, other, p))
    return found


def over_all_windows(units: pd.DataFrame, treatment: str, control: str, parts: list[Ratio]) -> list[Ratio]:
    """Runs the binomial test over all windows of a cluster and an allocation together, if there are several windows.

    If a cluster's allocation changes with time, each allocation is tested separately against its own share.
    """
    found = []
    for (cluster, allocation), rows in units.groupby(["cluster", "allocation"]):
        windows = sum((each.cluster, each.allocation) == (str(cluster), float(allocation)) for each in parts)
        if windows > 1:
            treated, other, p = _test(rows, treatment, control, allocation)
            found.append(Ratio(str(cluster), float(allocation), None, treated, other, p, windows))
    return found


def _test(
    rows: pd.DataFrame, treatment: str, control: str, allocation: float
) -> tuple[int, int, float | None]:
    """Returns the accounts of each arm, and the p-value of these numbers."""
    count = rows.set_index("arm").units
    treated, other = int(count.get(treatment, 0)), int(count.get(control, 0))
    return treated, other, p_value(treated, other, allocation)


def p_value(treated: int, other: int, allocation: float) -> float | None:
    """Returns the p-value of a two-sided binomial test; None if too few accounts are expected in an arm."""
    count = treated + other
    expected = [count * allocation, count * (1 - allocation)]
    if min(expected) >= LEAST_EXPECTED:
        # The chi-square approximation fails for few accounts; this test is exact for any number.
        tails = special.bdtr(treated, count, allocation), special.bdtrc(treated - 1, count, allocation)
        return float(min(1.0, 2 * min(tails)))
    if min(expected) == 0 and (treated, other)[expected.index(0)] > 0:
        return 0.0
    return None
