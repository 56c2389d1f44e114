"""Whether as many accounts are in each arm as the allocation says: if not, nothing else in the data can be trusted."""

from dataclasses import dataclass

import ibis
import pandas as pd
from scipy import stats

#: The usual threshold of a sample-ratio alarm: low, since there are many windows.
ALARM = 0.0005
#: Below this the chi-square distribution is no approximation.
LEAST_EXPECTED = 5


@dataclass(frozen=True)
class Ratio:
    cluster: str
    allocation: float
    #: The window's first hour since 1970 on the viewers' clock.
    starts: int
    treated: int
    control: int
    #: None where too few accounts are expected in an arm.
    p: float | None

    @property
    def alarm(self) -> bool:
        return self.p is not None and self.p < ALARM


def units_expression(sessions: ibis.Table, window_hours: int, offset: int) -> ibis.Table:
    """Accounts by cluster, allocation, arm and window of time. An account counts once in a window."""
    hours = (sessions.started_s / 3600).floor() + offset
    keys = ["cluster", "allocation", "arm", "window"]
    # First the accounts of a window, then their number: a count of distinct values would hold all of them in memory.
    accounts = (
        sessions.mutate(window=(hours / window_hours).floor().cast("int64")).select(*keys, "unit").distinct()
    )
    return accounts.group_by(keys).aggregate(units=accounts.count())


def ratios(units: pd.DataFrame, treatment: str, control: str, window_hours: int) -> list[Ratio]:
    """A chi-square test for each cluster, allocation and window."""
    found = []
    for (cluster, allocation, window), rows in units.groupby(["cluster", "allocation", "window"]):
        count = rows.set_index("arm").units
        treated, other = int(count.get(treatment, 0)), int(count.get(control, 0))
        expected = [(treated + other) * allocation, (treated + other) * (1 - allocation)]
        p = None
        if min(expected) >= LEAST_EXPECTED:
            p = float(stats.chisquare([treated, other], expected).pvalue)
        elif min(expected) == 0 and (treated, other)[expected.index(0)] > 0:
            p = 0.0
        found.append(Ratio(str(cluster), float(allocation), int(window) * window_hours, treated, other, p))
    return found
