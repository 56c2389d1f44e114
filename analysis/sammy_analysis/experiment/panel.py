"""Hourly means of two groups of sessions side by side: what every estimator takes."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from .appendix_b import Interval, regress, within
from .day_robust import between_days, by_randomisation, over_days
from .problem import Problem
from .schedule import Schedule

DAY = 24


@dataclass(frozen=True)
class Panel:
    """Rows of hour and group. `time` counts hours, `day` and `hour_of_day` are of the viewers' clock."""

    time: np.ndarray
    day: np.ndarray
    hour_of_day: np.ndarray
    treated: np.ndarray
    z: np.ndarray
    #: Sessions in the row.
    n: np.ndarray
    window: np.ndarray
    #: By cluster and numbered window, where an edge has dealt the treatment out to these.
    schedule: Schedule | None = None

    @staticmethod
    def of(treated: pd.DataFrame, control: pd.DataFrame, metric: str, window_hours: int = DAY) -> "Panel":
        """From the cells of either group; cells of several clusters are added up."""
        parts = [_hourly(treated, metric).assign(treated=1), _hourly(control, metric).assign(treated=0)]
        for part, name in zip(parts, ("treated", "control"), strict=True):
            if len(part) == 0:
                raise Problem(f"there are no {name} sessions with a value")
        rows = pd.concat(parts, ignore_index=True)
        return Panel(
            time=rows.hour.to_numpy(),
            day=(rows.hour + rows.offset).to_numpy() // DAY,
            hour_of_day=(rows.hour + rows.offset).to_numpy() % DAY,
            treated=rows.treated.to_numpy(),
            z=rows.z.to_numpy(),
            n=rows.n.to_numpy(),
            window=(rows.hour + rows.offset).to_numpy() // window_hours,
            schedule=Schedule.of(treated, control, metric),
        )

    def where(self, kept: np.ndarray) -> "Panel":
        """The rows for which `kept` is true, without a schedule."""
        return Panel(**{field: values[kept] for field, values in vars(self).items() if field != "schedule"})

    def by_hour_of_day(self) -> "Panel":
        """The same with one row for each hour of day and group, as Appendix B prints it: t = 1..24."""
        rows = pd.DataFrame(
            {"hour": self.hour_of_day, "treated": self.treated, "n": self.n, "sum": self.z * self.n}
        )
        rows = rows.groupby(["hour", "treated"], as_index=False).sum()
        hour = rows.hour.to_numpy()
        zero = np.zeros(len(hour), dtype=int)
        z = (rows["sum"] / rows.n).to_numpy()
        return Panel(hour, zero, hour, rows.treated.to_numpy(), z, rows.n.to_numpy(), zero)

    def paper(self) -> Interval:
        """Appendix B."""
        return regress(self.z, self.treated, self.hour_of_day, self.time)

    def concurrent(self) -> bool:
        """Whether the groups were there at the same time, and not one after the other."""
        treated, control = (set(self.time[self.treated == arm]) for arm in (1, 0))
        return len(treated & control) >= 0.5 * min(len(treated), len(control))

    def robust(self, randomised: bool) -> Interval:
        """The interval that holds when days differ; `randomised`: the treatment was dealt out to windows of time."""
        if randomised and self.schedule is not None:
            return self.schedule.interval()
        if self.concurrent():
            return over_days(self.daily_differences().to_numpy())
        if randomised:
            return by_randomisation(self.z, self.treated, self.hour_of_day, self.window)
        days = self.daily_means()
        return between_days(days[1].to_numpy(), days[0].to_numpy())

    def by_session(self) -> Interval:
        """Over days too, but every session counts the same: the busy hours of a day weigh more than the quiet ones."""
        if not self.concurrent():
            raise Problem("the arms were not there at the same time")
        means = []
        for arm in (1, 0):
            rows = self.treated == arm
            days, index = np.unique(self.day[rows], return_inverse=True)
            sums = np.bincount(index, weights=(self.z * self.n)[rows]) / np.bincount(
                index, weights=self.n[rows]
            )
            means.append(pd.Series(sums, index=days))
        full = self.daily_differences().index
        return over_days((means[0] - means[1]).reindex(full).dropna().to_numpy())

    def daily_differences(self) -> pd.Series:
        """The mean over each day's hours of treated less control, for hours with both; by day."""
        treated, control = self._together()
        return full_days(self.day[treated], self.z[treated] - self.z[control])

    def daily_shares(self) -> pd.Series:
        """The same as shares of the control's mean in these hours of the day; without days where that is zero."""
        treated, control = self._together()
        share = self.daily_differences() / full_days(self.day[treated], self.z[control])
        return share[np.isfinite(share)]

    def _together(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows of the treated and of the control in hours that have both."""
        one, other = np.flatnonzero(self.treated == 1), np.flatnonzero(self.treated == 0)
        _, first, second = np.intersect1d(self.time[one], self.time[other], return_indices=True)
        if len(first) == 0:
            raise Problem("no hour has sessions of both arms")
        return one[first], other[second]

    def daily_means(self) -> list[pd.Series]:
        """The means of the untreated and of the treated days, with the usual course of a day taken off."""
        beta = regress(self.z, self.treated, self.hour_of_day, self.time).estimate
        rest = self.z - beta * self.treated
        adjusted = within(rest, self.hour_of_day) + rest.mean() + beta * self.treated
        return [full_days(self.day[self.treated == arm], adjusted[self.treated == arm]) for arm in (0, 1)]


def full_days(day: np.ndarray, values: np.ndarray) -> pd.Series:
    """The means of days that have at least half as many hours as the median day: a scrap of a day is not a day."""
    names, index = np.unique(day, return_inverse=True)
    hours = np.bincount(index)
    full = hours >= 0.5 * np.median(hours)
    return pd.Series((np.bincount(index, weights=values) / hours)[full], index=names[full])


def _hourly(cells: pd.DataFrame, metric: str) -> pd.DataFrame:
    columns = {"n": (f"n_{metric}", "sum"), "sum": (f"sum_{metric}", "sum"), "offset": ("offset", "first")}
    rows = cells.groupby("hour", as_index=False).agg(**columns)
    rows = rows[rows.n > 0]
    return rows.assign(z=rows["sum"] / rows.n)
