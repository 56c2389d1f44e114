"""The input of every estimator: a table with the hourly means of two groups of sessions."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ..problem import Problem
from .appendix_b import Interval, regress, within
from .day_robust import between_days, by_randomisation, over_days
from .days import by_day, full_days, is_usual, usual_hours
from .ratio import relative_interval
from .schedule import Schedule
from .steps.step import relative_step, step_interval

DAY = 24
WEEK = 7
#: The weekday of day 0 (1970-01-01, a Thursday), counted from Monday as 0.
MONDAY = 3
#: The name of a column of cells: the sum that the metric would have over the cell's sessions if nobody in the network
#: were treated.
LEVEL = "level"


@dataclass(frozen=True)
class Panel:
    """A table with a row per hour and group. `time` counts hours since 1970; `day` and `hour_of_day` are by the
    viewers' clock."""

    time: np.ndarray
    day: np.ndarray
    hour_of_day: np.ndarray
    treated: np.ndarray
    z: np.ndarray
    #: The number of sessions in the row.
    n: np.ndarray
    #: In rows of the control, the untreated network's mean at that time, which is the denominator of effects; 0 in
    #: other rows.
    level: np.ndarray
    #: The number of the row's cluster. Rows are compared only within a cluster. 0 in all rows if clusters are summed.
    cluster: np.ndarray
    #: The length of a switchback's windows.
    window_hours: int = DAY
    #: The randomization by cluster and numbered window, if an edge assigned the windows.
    schedule: Schedule | None = None
    #: Whether the rows are only those of hours of the day that were chosen to be compared: see `at_hours`.
    has_chosen_hours: bool = False

    @staticmethod
    def from_cells(
        treated: pd.DataFrame, control: pd.DataFrame, metric: str, window_hours: int = DAY
    ) -> "Panel":
        """Creates a panel from the cells of both groups. Sums the cells of several clusters."""
        groups = [Hours.from_cells(cells, metric) for cells in (treated, control)]
        return _panel(groups, window_hours, Schedule.from_cells(treated, control, metric))

    @staticmethod
    def by_cluster(treated: pd.DataFrame, control: pd.DataFrame, metric: str) -> "Panel":
        """Creates a panel with separate rows for each cluster. Leaves out clusters with only one group."""
        groups = [cells[cells[f"n_{metric}"] > 0] for cells in (treated, control)]
        both = sorted(set(groups[0].cluster) & set(groups[1].cluster))
        if not both:
            raise Problem("no cluster has had both allocations")
        number = {cluster: index for index, cluster in enumerate(both)}
        groups = [cells[cells.cluster.isin(both)] for cells in groups]
        hours = [
            Hours.from_cells(cells, metric, cells.cluster.map(number).to_numpy(dtype=int)) for cells in groups
        ]
        return _panel(hours, DAY, None)

    def where(self, kept: np.ndarray) -> "Panel":
        """Returns the rows for which `kept` is true, without a schedule."""
        rows = {field: values[kept] for field, values in vars(self).items() if isinstance(values, np.ndarray)}
        return replace(self, **rows, schedule=None)

    def by_hour_of_day(self) -> "Panel":
        """Returns a panel with one row for each hour of day and group, the t = 1..24 of the paper's Appendix B."""
        names, some, index = np.unique(
            2 * self.stratum + self.treated, return_index=True, return_inverse=True
        )

        def added(values: np.ndarray) -> np.ndarray:
            return np.bincount(index, weights=values, minlength=len(names))

        n, hour = added(self.n), self.hour_of_day[some]
        z, level = (added(values * self.n) / n for values in (self.z, self.level))
        none = np.zeros(len(hour), dtype=int)
        return Panel(hour, none, hour, self.treated[some], z, n, level, self.cluster[some])

    @property
    def stratum(self) -> np.ndarray:
        """The row's stratum: groups are compared only within the same hour of day and the same cluster."""
        return self.cluster * DAY + self.hour_of_day

    @property
    def _moment(self) -> np.ndarray:
        """A number for each row that is equal for rows of the same hour and cluster."""
        return self.cluster * (self.time.max() - self.time.min() + 1) + self.time

    def _moments(self) -> list[np.ndarray]:
        """Returns the moments of the treated group and of the control group."""
        return [self._moment[self.treated == arm] for arm in (1, 0)]

    def paper(self) -> Interval:
        """Returns the interval of the paper's Appendix B."""
        return regress(self.z, self.treated, self.stratum, self.time)

    def concurrent(self) -> bool:
        """Whether both groups were present in at least half of the hours of the group with fewer hours."""
        treated, control = (np.unique(each) for each in self._moments())
        return len(np.intersect1d(treated, control)) >= 0.5 * min(len(treated), len(control))

    def overlaps(self) -> bool:
        """Whether both groups had sessions in some hour."""
        return len(np.intersect1d(self.time[self.treated == 1], self.time[self.treated == 0])) > 0

    def windows(self) -> np.ndarray:
        """Returns the number of each row's window. A window contains only one group.

        Windows begin at multiples of their length on the viewers' clock, shifted by whole hours if that is
        needed to separate the groups. Raises a Problem if no shift separates the groups.
        """
        clock = self.day * DAY + self.hour_of_day
        for begin in range(self.window_hours):
            window = (clock - begin) // self.window_hours
            if len(np.intersect1d(window[self.treated == 1], window[self.treated == 0])) == 0:
                return window
        order = np.argsort(clock)
        changes = clock[order][1:][np.diff(self.treated[order]) != 0]
        lengths = np.diff(changes)
        shortest = f", which changes after {lengths.min()}" if len(lengths) else ""
        clocks = (
            "; if clocks were put forward or back in between, analyze the days before and after apart"
            if len(lengths) and lengths.min() == self.window_hours - 1
            else ""
        )
        raise Problem(
            f"windows of {self.window_hours} hours are not of one allocation{shortest}; --window HOURS says how long they "
            f"are{clocks}"
        )

    def randomization_assumptions(self) -> tuple[str, ...]:
        """Returns the assumption that an analysis by randomization needs if the treatment does not seem to be
        randomized by window; none if it may be randomized.

        An edge randomizes numbered windows.
        """
        if self._is_concurrent() or self.schedule is not None:
            return ()
        weekdays = [set((self.day[self.treated == arm] + MONDAY) % WEEK) for arm in (0, 1)]
        if np.ptp(self.day) + 1 >= 2 * WEEK and not weekdays[0] & weekdays[1]:
            return ("the days of the week do not differ, of which each was always mostly treated or never",)
        apart = self.where(self._has_one_group())
        names, index = np.unique(apart.windows(), return_index=True)
        changes = names[1:][np.diff(apart.treated[index]) != 0]
        stays = int(np.diff(changes).min()) if len(changes) > 1 else 1
        if stays > 1:
            hours = self.window_hours
            drawn = f"windows of {hours} hours were drawn by chance"
            return (f"{drawn}, although none changed within {stays * hours} hours",)
        return ()

    def robust(self, randomised: bool) -> Interval:
        """Returns the day-robust interval. `randomised` means that the treatment was assigned to windows of time at
        random."""
        if randomised and not self._is_concurrent():
            return self._by_randomisation(None)
        if self.concurrent():
            return over_days(self.daily_differences().to_numpy())
        days, after, values, _ = self._days()
        return step_interval(days, after, values)

    def share(self, randomised: bool) -> Interval:
        """Returns the robust interval as a share of the level, including the uncertainty of the level; see ratio.py."""
        level = self.mean_level()
        if randomised and not self._is_concurrent():
            found = self._by_randomisation(-np.sign(level) * self.level)
            return found.over(1.0)
        if not self.concurrent():
            days, after, values, levels = self._days()
            return relative_step(days, after, values, -np.sign(level) * levels).over(1.0)
        effects, levels = self.daily_differences().to_numpy(), self.daily_levels().to_numpy()
        size = np.sign(level) * levels
        return relative_interval(lambda share: over_days(effects - share * size), float(levels.mean()))

    def days_left_out(self, randomised: bool) -> int:
        """Counts the days that the estimate leaves out, because less than half of the usual hours can be compared."""
        if randomised and not self._is_concurrent():
            return 0
        used = self.daily_differences().index if self.concurrent() else self._days()[0]
        return len(np.setdiff1d(self.day, used))

    def _is_concurrent(self) -> bool:
        return self.schedule is None and self.concurrent()

    def _has_one_group(self) -> np.ndarray:
        """Finds the rows in hours with only one group. In an hour with both groups the allocation changed, so the hour
        belongs to no window."""
        return ~np.isin(self._moment, np.intersect1d(*self._moments()))

    def has_both_groups_at_hour(self) -> np.ndarray:
        """Finds the rows at those hours of the day in which both groups had sessions, on any day."""
        return np.isin(
            self.stratum, np.intersect1d(self.stratum[self.treated == 1], self.stratum[self.treated == 0])
        )

    def _by_randomisation(self, unit: np.ndarray | None) -> Interval:
        if self.schedule is not None:
            return self.schedule.interval(None if unit is None else -np.sign(self.mean_level()))
        kept = self._has_one_group()
        if self.window_hours % DAY == 0:
            # An assignment may swap windows of whole days only if both arms have sessions at the same hours.
            kept &= self.has_both_groups_at_hour()
        apart = self.where(kept)
        unit = None if unit is None else unit[kept]
        window = apart.windows()
        return by_randomisation(
            *(apart.z, apart.treated, apart.stratum, window), unit=unit, weight=apart._window_weights(window)
        )

    def _window_weights(self, window: np.ndarray) -> np.ndarray:
        """Returns weights of the rows that give the usual window of each group the same weight.

        If a group has few sessions, many of its hours have none. With equal weights, the windows of that group would
        count less than those of the other group, so that the real assignment's coefficient would vary more than those
        of other assignments.
        """
        usual = [np.median(np.unique(window[self.treated == arm], return_counts=True)[1]) for arm in (0, 1)]
        return max(usual) / np.where(self.treated == 1, usual[1], usual[0])

    def mean_level(self) -> float:
        """Returns the mean level. Hours have equal weights as in the estimates; if the groups are concurrent, days have
        equal weights.

        Clusters that were treated one after the other are weighted by the number of all their hours, treated and
        untreated.
        """
        if self.concurrent():
            return float(self.daily_levels().mean())
        untreated = self.treated == 0
        own = np.bincount(self.cluster[untreated], self.level[untreated]) / np.bincount(
            self.cluster[untreated]
        )
        return float(np.average(own, weights=np.bincount(self.cluster)))

    def between_days(self) -> Interval:
        """Returns the interval for groups in successive periods, treating days as independent observations."""
        _, after, values, _ = self._days()
        return between_days(values[after == 1], values[after == 0])

    def by_hour(self) -> pd.DataFrame:
        """Returns treated minus control, and the number of sessions, by stratum (hour of day and cluster). Leaves out
        strata with only one group."""
        rows = self.by_hour_of_day()
        treated, control = rows._paired_rows()
        found = {"difference": rows.z[treated] - rows.z[control], "n": rows.n[treated] + rows.n[control]}
        return pd.DataFrame(found, index=rows.stratum[treated])

    def by_session(self) -> Interval:
        """Returns the interval over days in which sessions have equal weights, so that busy hours count more than quiet
        ones."""
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

    def hourly_differences(self) -> pd.Series:
        """Returns treated minus control in hours with both groups, by hour since 1970, for one cluster or for summed
        clusters."""
        treated, control = self._paired_rows()
        return pd.Series(self.z[treated] - self.z[control], index=self.time[treated])

    def daily_differences(self) -> pd.Series:
        """Returns, by day, the mean of treated minus control over the compared hours: see `by_day`."""
        treated, control = self._compared_rows()
        return by_day(self.day[treated], self.stratum[treated], self.z[treated] - self.z[control])

    def daily_levels(self) -> pd.Series:
        """Returns, by day, the mean of the level over the compared hours: see `by_day`."""
        _, control = self._compared_rows()
        return by_day(self.day[control], self.stratum[control], self.level[control])

    def daily_shares(self) -> pd.Series:
        """Returns the daily differences as shares of the control's mean in the same hours. Leaves out days on which
        this mean is 0."""
        treated, control = self._compared_rows()
        share = self.daily_differences() / by_day(self.day[treated], self.stratum[treated], self.z[control])
        return share[np.isfinite(share)]

    def compared_hours(self) -> np.ndarray:
        """Returns the hours of the day that the robust interval compares."""
        if not self.concurrent():
            return np.unique(self.hour_of_day[self.has_both_groups_at_hour()])
        return np.unique(self.hour_of_day[self._compared_rows()[0]])

    def at_hours(self, hours: np.ndarray) -> "Panel":
        """Returns the rows at these hours of the day. The result compares all of them, also unusual hours."""
        return replace(self.where(np.isin(self.hour_of_day, hours)), has_chosen_hours=True)

    def _paired_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns the indexes of the treated rows and of the control rows in hours that have both groups."""
        one, other = np.flatnonzero(self.treated == 1), np.flatnonzero(self.treated == 0)
        _, first, second = np.intersect1d(*self._moments(), return_indices=True)
        if len(first) == 0:
            raise Problem("no hour has sessions of both arms")
        return one[first], other[second]

    def _compared_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns the same for complete days and usual hours of the day: see `usual_hours`."""
        treated, control = self._paired_rows()
        day, hour = self.day[treated], self.stratum[treated]
        kept = is_usual(day) if self.has_chosen_hours else usual_hours(day, hour)
        return treated[kept], control[kept]

    def _days(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Returns the days, the treated share of each day, and the daily means of values and levels after subtracting
        the usual daily pattern."""
        columns = {"treated": self.treated, "time": self.time, "day": self.day}
        rows = pd.DataFrame(
            {
                **columns,
                "z": self._adjusted(self.z),
                "level": self._adjusted(self.level * (self.treated == 0)),
            }
        )
        # Count an hour once, regardless of the number of clusters in a group.
        hours = rows.groupby(["day", "time"], as_index=False)[["treated", "z", "level"]].mean()
        found = [
            full_days(hours.day.to_numpy(), hours[each].to_numpy()) for each in ("treated", "z", "level")
        ]
        return found[0].index.to_numpy(), *(each.to_numpy() for each in found)

    def _adjusted(self, z: np.ndarray) -> np.ndarray:
        beta = regress(z, self.treated, self.stratum, self.time).estimate
        rest = z - beta * self.treated
        return within(rest, self.stratum) + rest.mean() + beta * self.treated


@dataclass(frozen=True)
class Hours:
    """The hourly values of one group, by cluster if clusters are distinguished. `clock` is the hour on the viewers'
    clock."""

    time: np.ndarray
    clock: np.ndarray
    z: np.ndarray
    n: np.ndarray
    level: np.ndarray
    cluster: np.ndarray

    @staticmethod
    def from_cells(cells: pd.DataFrame, metric: str, cluster: np.ndarray | int = 0) -> "Hours":
        """Reads the hours from a group's cells and the numbers of their clusters. Leaves out hours without a value."""
        kept = (cells[f"n_{metric}"] > 0).to_numpy()
        hour = cells.hour.to_numpy()[kept]
        cluster = np.broadcast_to(cluster, len(kept))[kept]
        span = np.ptp(hour) + 1 if len(hour) else 1
        moment, some, index = np.unique(cluster * span + hour, return_index=True, return_inverse=True)

        def added(column: str) -> np.ndarray:
            values = cells[column].to_numpy(dtype=float)[kept]
            return np.bincount(index, weights=values, minlength=len(moment))

        n = added(f"n_{metric}")
        z = added(f"sum_{metric}") / n
        level = added(LEVEL) / n if LEVEL in cells else z
        clock = cells.offset.to_numpy()[kept] + hour
        return Hours(hour[some], clock[some], z, n, level, cluster[some])


def _panel(groups: list[Hours], window_hours: int, schedule: Schedule | None) -> Panel:
    """Creates a panel from the hours of the treated group and of the control group."""
    for part, name in zip(groups, ("treated", "control"), strict=True):
        if len(part.z) == 0:
            raise Problem(f"there are no {name} sessions with a value")
    rows = Hours(
        *(np.concatenate(columns) for columns in zip(*(vars(g).values() for g in groups), strict=True))
    )
    treated = np.repeat([1, 0], [len(part.z) for part in groups])
    return Panel(
        time=rows.time,
        day=rows.clock // DAY,
        hour_of_day=rows.clock % DAY,
        treated=treated,
        z=rows.z,
        n=rows.n,
        level=np.where(treated == 0, rows.level, 0.0),
        cluster=rows.cluster,
        window_hours=window_hours,
        schedule=schedule,
    )
