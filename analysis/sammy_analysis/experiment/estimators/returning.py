"""Accounts that return on other days: their sessions on different days are not independent.

An account keeps its arm and its network, so all days share the peculiarities of the accounts that were drawn into an
arm. An interval over days does not include that, and is too short if few accounts return often. With errors clustered
by day and by account, the variance is the variance by day, plus the variance by account, minus the variance by account
and day (Cameron, Gelbach and Miller, J. Business & Economic Statistics 29(2), 2011). This module computes the last two
terms together: the sum, over accounts, of the products of the contributions of their sessions on different days.
"""

from collections.abc import Hashable
from dataclasses import replace

import ibis
import numpy as np
import pandas as pd

from .estimands import Estimate, InterferenceTest, Options, estimand_name, extrapolation, levels
from .links import LinkCheck
from .panel import DAY

KEYS = ["cluster", "allocation", "arm", "hour"]


def returning(sessions: ibis.Table, offset: int) -> int:
    """Counts the accounts with sessions on several days."""
    days = sessions.select("unit", day=_day(sessions, offset)).distinct()
    accounts = days.group_by("unit").aggregate(days=days.count())
    return int(accounts.filter(accounts.days > 1).count().execute())


def _day(sessions: ibis.Table, offset: int) -> ibis.Value:
    return ((sessions.started_s / 3600 + offset) / DAY).floor().cast("int64")


class Contrasts:
    """Differences between groups of cells, of an experiment and of its baseline, for one metric.

    A difference is represented by an array with one number per cell: the weight of each session of that cell.
    """

    def __init__(self, cells: pd.DataFrame, same: pd.DataFrame, metric: str, options: Options) -> None:
        self.cells = pd.concat([cells.assign(before=False), same.assign(before=True)], ignore_index=True)
        self.metric, self.arms, self.design = metric, options.arms, options.design
        self.steps = levels(cells)
        self.by = extrapolation(cells, metric, options)

    def contrast(self, each: Estimate) -> np.ndarray:
        if each.kind == "tte" and each.between == (0, 1) and self.by is not None:
            return sum(
                sign * weight * self._mean(self._group(arm, p))
                for sign, arm, of_arm in (
                    (1, self.arms.treatment, self.by.treated),
                    (-1, self.arms.control, self.by.control),
                )
                for p, weight in of_arm.items()
            )
        treated = self.arms.control if each.kind == "spillover" else self.arms.treatment
        base = each.allocation if each.kind == "tau" else self.steps[0]
        groups = self._group(treated, each.allocation), self._group(self.arms.control, base)
        if self.design == "event" and each.kind != "tau":
            clusters = [set(self.cells.cluster[group]) for group in groups]
            both = self.cells.cluster.isin(clusters[0] & clusters[1])
            groups = groups[0] & both, groups[1] & both
        return self._mean(groups[0]) - self._mean(groups[1])

    def links_contrast(self, in_tte: bool) -> np.ndarray:
        """Returns the contrast of the links' difference before the experiment, to be subtracted from that of a spillover or
        of TTE."""
        cells = self.cells
        control = cells.before & (cells.arm == self.arms.control)
        of_levels = {self.steps[-1]: 1.0, self.steps[0]: -1.0}
        if in_tte and self.by is not None:
            of_levels = self.by.level_weights()
        at = {p: set(cells.cluster[~cells.before & (cells.allocation == p)]) for p in of_levels}
        return sum(
            weight * self._mean(control & cells.cluster.isin(at[p])) for p, weight in of_levels.items()
        )

    def _group(self, arm: str, allocation: float) -> pd.Series:
        return ~self.cells.before & (self.cells.arm == arm) & (self.cells.allocation == allocation)

    def _mean(self, group: pd.Series) -> np.ndarray:
        n = self.cells[f"n_{self.metric}"]
        return (group / max(float(n[group].sum()), 1.0)).to_numpy(dtype=float)

    def variances(
        self, sessions: ibis.Table, offset: int, contrasts: dict[Hashable, np.ndarray]
    ) -> dict[Hashable, float]:
        """Returns the variance that returning accounts add to each difference, in the metric's unit squared."""
        n, total = self.cells[f"n_{self.metric}"], self.cells[f"sum_{self.metric}"]
        usual = [self.cells[key] for key in KEYS[:3]] + [(self.cells.hour + self.cells.offset) % DAY]
        total, n = (values.groupby(usual).transform("sum") for values in (total, n))
        # Use each session's difference from the mean of the other sessions in its hour of day, because the sessions of
        # all accounts are slow in the evening. This is n / (n - 1) times the difference from the mean of all n sessions.
        others = np.where(n > 1, n / (n - 1).clip(lower=1), 0.0)
        columns = {f"c{number}": each * others for number, each in enumerate(contrasts.values())}
        table = self.cells[KEYS].assign(usual=(total / n).fillna(0.0), **columns).drop_duplicates(KEYS)
        rows = sessions.filter(sessions[self.metric].notnull())
        rows = rows.select(
            *("unit", "cluster", "allocation", "arm"),
            value=rows[self.metric],
            hour=(rows.started_s / 3600).floor().cast("int64"),
            day=_day(rows, offset),
        ).join(ibis.memtable(table), KEYS)
        by_day = rows.group_by(["unit", "day"]).aggregate(
            **{name: ((rows["value"] - rows["usual"]) * rows[name]).sum() for name in columns}
        )
        by_account = by_day.group_by("unit").aggregate(
            **{f"of_days_{name}": (by_day[name] * by_day[name]).sum() for name in columns},
            **{name: by_day[name].sum() for name in columns},
        )
        found = by_account.aggregate(
            **{
                name: (by_account[name] * by_account[name] - by_account[f"of_days_{name}"]).sum()
                for name in columns
            }
        ).execute()
        return {key: max(float(found[f"c{number}"][0]), 0.0) for number, key in enumerate(contrasts)}


def widen(
    contrasts: Contrasts,
    sessions: ibis.Table,
    offset: int,
    found: list[Estimate],
    tests: list[InterferenceTest],
    links: LinkCheck | None,
) -> tuple[list[Estimate], list[InterferenceTest], LinkCheck | None]:
    """Widens the day-robust intervals by the variance that returning accounts add."""
    wanted = {each.symbol: contrasts.contrast(each) for each in found}
    nothing = np.zeros(len(contrasts.cells))
    before = {
        kind: nothing if links is None else contrasts.links_contrast(kind == "tte")
        for kind in ("tte", "other")
    }
    of_tests = {
        test.relation: wanted[test.symbols[0]] - (wanted[test.symbols[1]] if len(test.symbols) > 1 else 0)
        for test in tests
    }
    less = {
        f"{each.symbol} less": wanted[each.symbol] - before["tte" if each.kind == "tte" else "other"]
        for each in found
    }
    variance = contrasts.variances(sessions, offset, {**wanted, **of_tests, **less, "links": before["other"]})
    found = [_wider(each, variance[each.symbol]) for each in found]
    tests = [_wider_test(test, variance[test.relation]) for test in tests]
    if links is not None:
        high = contrasts.steps[-1]
        parts = {kind: getattr(links, kind) for kind in ("tte", "spillover", "partial")}
        wider = {
            kind: part and part.widened(variance[f"{estimand_name(kind, high)} less"])
            for kind, part in parts.items()
        }
        links = replace(links, difference=links.difference.widened(variance["links"]), **wider)
    return found, tests, links


def _wider(each: Estimate, variance: float) -> Estimate:
    if each.robust is None:
        return each
    of_shares = variance / each.mean**2 if each.mean else 0.0
    share = each.share and each.share.widened(of_shares)
    return replace(each, robust=each.robust.widened(variance), share=share)


def _wider_test(test: InterferenceTest, variance: float) -> InterferenceTest:
    shares = test.of_shares
    if shares is not None and test.mean:
        shares = shares.widened(variance / test.mean**2)
    return replace(test, difference=test.difference.widened(variance), of_shares=shares)
