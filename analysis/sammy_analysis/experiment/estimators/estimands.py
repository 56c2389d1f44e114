"""The estimands of Unbiased Experiments in Congested Networks ("the paper", sections 2 and 5.1), from cells.

mu_A(p) is the mean of arm A if a share p of the traffic is treated. tau(p) = mu_T(p) - mu_C(p) is the result of an A/B
test at p; s(p) = mu_C(p) - mu_C(0) is the spillover to untreated sessions; rho(p) = mu_T(p) - mu_C(0); and TTE =
mu_T(1) - mu_C(0) is the total treatment effect, which is extrapolated (extrapolate.py). If the data do not allow an
extrapolation, and in Appendix B's intervals, the lowest and the highest allocation stand for 0 and 1, as in the paper.
"""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import pandas as pd

from ..problem import Problem
from ..reading.schema import metric as known
from .appendix_b import ROUNDING, Interval
from .day_robust import between_days, over_days
from .extrapolate import Weights, at_once, one_after_the_other, weights
from .panel import DAY, LEVEL, Panel
from .ratio import with_spread
from .refusal import Refusal
from .spread import check_spread


@dataclass(frozen=True)
class Arms:
    treatment: str = "treatment"
    control: str = "control"


def estimand_name(kind: str, allocation: float) -> str:
    """Returns a readable name for the paper's tau, s, rho or TTE."""
    share = f"{100 * allocation:g}%"
    return {
        "tau": f"A/B test at {share}",
        "spillover": f"untreated beside {share}",
        "partial": f"treated beside {share}",
        "tte": "deployed to all",
    }[kind]


@dataclass(frozen=True)
class Estimate:
    """The estimate of one estimand for one metric, in the metric's unit and as a share of the untreated network's mean."""

    #: The name of the comparison, from `estimand_name`.
    symbol: str
    kind: str
    allocation: float
    metric: str
    #: The interval of the paper's Appendix B. For tau, the paper itself uses an interval over accounts: `Analysis.accounts`.
    paper: Interval
    #: The day-robust interval. None if the data do not allow one; the reason is then in `refused`.
    robust: Interval | None
    refused: str
    mean: float
    panel: Panel
    #: `robust` as a share of the mean, including the uncertainty of the mean. None if there is no interval, or if the
    #: mean is 0.
    share: Interval | None = None
    #: The allocations that TTE compares.
    between: tuple[float, float] = (0.0, 1.0)
    #: Days with data that the interval does not use: see `Panel.days_left_out`.
    days_left_out: int = 0
    #: The lowest and the highest allocation of the data.
    tried: tuple[float, float] = (0.0, 1.0)
    #: The assumptions behind the interval, if the windows were not randomized or values are missing.
    rests_on: tuple[str, ...] = ()
    #: The increase of the effect if busy hours get more weight, in the metric's unit: see `busier` below.
    busier: float = 0.0
    #: The hours of the day that the robust interval compares.
    hours: np.ndarray = field(default_factory=lambda: np.arange(DAY))

    def extrapolates(self) -> bool:
        """Whether the estimate extrapolates: a TTE from allocations other than 0 and 1."""
        return self.kind == "tte" and self.between == (0, 1) and self.tried != (0, 1)

    def bounded(self) -> "Estimate":
        """Returns the estimate for a metric that is never negative. It limits the decrease to 100%, which an
        extrapolation of the arms' means could exceed. With several allocations, tau, the difference of treated and
        untreated neighbors, is a share of another mean and has no such limit."""
        if self.mean <= 0:
            return replace(self, share=None)
        if self.kind == "tau" and self.tried[0] < self.tried[1]:
            return self
        if self.extrapolates() and self._is_below_nothing():
            # The data contradict the line, so that its end tells nothing.
            low, high = self.tried
            reason = (
                f"extrapolated linearly from {low:.0%} and {high:.0%} treated, it would be below −100%, so that a line does "
                "not fit"
            )
            return replace(self, robust=None, share=None, refused=reason)
        return replace(self, share=self.share and self.share.at_least(-1.0))

    def _is_below_nothing(self) -> bool:
        """Whether the whole interval is below a decrease to 0. Hours have equal weights in it, but sessions in the mean."""
        return self.share is not None and self.share.high < -abs(self.panel.mean_level() / self.mean) * (
            1 + ROUNDING
        )

    def relative(self, interval: Interval | None) -> Interval | None:
        """Returns the interval as a share of the mean, which is treated as exact, as in the paper."""
        return None if interval is None or self.mean == 0 else interval.over(self.mean)


@dataclass(frozen=True)
class Options:
    """The user's description of an experiment. If the design is '', it is detected from the data."""

    arms: Arms = Arms()
    design: str = ""
    #: The length of a switchback's windows, which are randomized.
    window_hours: int = DAY
    #: Hours to leave out after each change in a switchback or event study.
    washout_hours: int = 0
    #: 'hour-of-day': one row for each hour of the day, Appendix B's t = 1..24. 'day-hour': one row for each hour of the
    #: experiment.
    rows: str = "day-hour"
    #: Metrics whose better direction the user states.
    less: tuple[str, ...] = ()
    more: tuple[str, ...] = ()

    def less_is_better(self, metric: str) -> bool | None:
        """Whether a lower value is better, from the user or the known metrics; None if unknown."""
        if metric in self.less or metric in self.more:
            return metric in self.less
        return known(metric).less_is_better

    def for_design(self, detected: str) -> "Options":
        return self if self.design else replace(self, design=detected)


def levels(cells: pd.DataFrame) -> list[float]:
    return sorted(cells.allocation.unique())


def group(cells: pd.DataFrame, arm: str, allocation: float) -> pd.DataFrame:
    return cells[(cells.arm == arm) & (cells.allocation == allocation)]


def global_control(cells: pd.DataFrame, metric: str, arms: Arms) -> float:
    """Returns the mean of all control sessions at the lowest allocation, the paper's denominator (Appendix B.1)."""
    control = group(cells, arms.control, levels(cells)[0])
    count = control[f"n_{metric}"].sum()
    if count == 0:
        raise Problem(
            f"no session of {arms.control} has a value where {levels(cells)[0]:.0%} are to be treated, the least"
        )
    return float(control[f"sum_{metric}"].sum() / count)


def extrapolation(cells: pd.DataFrame, metric: str, options: Options) -> Weights | None:
    """Returns the weights that extrapolate the means of the arms to TTE. None if that is impossible.

    If the allocations were used one after the other, only the lowest and the highest are used.
    """
    steps = levels(cells)
    if options.design != "paired":
        steps = list(dict.fromkeys([steps[0], steps[-1]]))
    of_arms = (
        [p for p in steps if group(cells, arm, p)[f"n_{metric}"].sum() > 0]
        for arm in (options.arms.treatment, options.arms.control)
    )
    return weights(*of_arms)


@dataclass(frozen=True)
class Untreated:
    """The untreated network: its cells with an additional column `level`, and the mean over their sessions."""

    cells: pd.DataFrame
    mean: float


def untreated(cells: pd.DataFrame, metric: str, options: Options, by: Weights | None) -> Untreated:
    """Computes mu_C(0): extrapolated if possible, otherwise the control at the lowest allocation."""
    control = group(cells, options.arms.control, levels(cells)[0])
    mean = global_control(cells, metric, options.arms)
    total = control[f"sum_{metric}"]
    if by is not None and len(by.control) > 1:
        groups = {p: group(cells, options.arms.control, p) for p in by.control}
        if options.design == "paired":
            total = at_once(groups, by.control, metric)[f"sum_{metric}"]
        else:
            high = max(groups)
            spilt = Panel.by_cluster(groups[high], control, metric).paper().estimate
            total = total + by.control[high] * spilt * control[f"n_{metric}"]
        mean = float(total.sum() / control[f"n_{metric}"].sum())
    control = control.assign(**{LEVEL: total})
    if options.design == "event":
        mean = _over_clusters(control, cells, metric)
    if abs(total.sum()) <= ROUNDING * control[f"sum_{metric}"].abs().sum():
        mean = 0.0
    return Untreated(control, mean)


def _over_clusters(control: pd.DataFrame, cells: pd.DataFrame, metric: str) -> float:
    """Returns the mean level of the clusters, each weighted by the number of all its sessions, treated and untreated.

    If clusters are treated one after the other, the last cluster would otherwise have the largest weight, because it
    has the most untreated sessions. Clusters that are never treated are in neither the effect nor its denominator.
    """
    n = f"n_{metric}"
    own = control.groupby("cluster")[[LEVEL, n]].sum()
    own = own[own[n] > 0]
    treated = cells[cells.allocation > control.allocation.iloc[0]].groupby("cluster")[n].sum()
    both = own.index.intersection(treated.index[treated > 0])
    own = own.loc[both] if len(both) else own
    sessions = cells.groupby("cluster")[n].sum()[own.index]
    return float((own[LEVEL] / own[n] * sessions).sum() / sessions.sum())


def estimates(cells: pd.DataFrame, metric: str, options: Options) -> tuple[list[Estimate], list[Refusal]]:
    """Computes every possible estimate for one metric, and the reasons why the others are impossible."""
    arms, found, refused = options.arms, [], []
    steps = levels(cells)
    low, high = steps[0], steps[-1]
    global_control(cells, metric, arms)
    by = extrapolation(cells, metric, options)
    try:
        base = untreated(cells, metric, options, by)
    except Problem:
        # The allocations were never in use at the same time.
        by, base = None, untreated(cells, metric, options, None)
    wanted = [("tau", p, (arms.treatment, p), (arms.control, p)) for p in steps]
    for p in steps[1:]:
        wanted.append(("spillover", p, (arms.control, p), (arms.control, low)))
        if p != high or (by is not None and (low, high) != (0, 1)):
            wanted.append(("partial", p, (arms.treatment, p), (arms.control, low)))
    if len(steps) > 1:
        wanted.append(("tte", high, (arms.treatment, high), (arms.control, low)))
    for kind, allocation, treated, control in wanted:
        symbol = estimand_name(kind, allocation)
        try:
            groups = [_with_values(cells, metric, *each) for each in (treated, control)]
            if kind == "tte" and by is not None:
                groups = list(_extrapolated(cells, metric, options, by))
            groups[1] = _with_level(groups[1], base, metric)
            panel = Panel.from_cells(*groups, metric, options.window_hours)
            other_clusters = set(groups[0].cluster) != set(groups[1].cluster)
            if options.design == "event" and kind != "tau" and (other_clusters or panel.overlaps()):
                # Clusters were treated at different times. Compare within each, so that a permanent difference between
                # clusters is not taken for an effect.
                panel = Panel.by_cluster(*groups, metric)
            each = estimate(symbol, kind, allocation, metric, panel, base.mean, options)
            each = replace(each, tried=(float(low), float(high)))
            found.append(each if kind != "tte" or by is not None else replace(each, between=(low, high)))
        except Problem as problem:
            refused.append(Refusal(symbol, metric, str(problem)))
    return found, refused


def _with_values(cells: pd.DataFrame, metric: str, arm: str, allocation: float) -> pd.DataFrame:
    rows = group(cells, arm, allocation)
    if rows[f"n_{metric}"].sum() == 0:
        raise Problem(f"no session of {arm} has a value where {allocation:.0%} are to be treated")
    return rows


def _extrapolated(
    cells: pd.DataFrame, metric: str, options: Options, by: Weights
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Returns the cells whose difference is TTE."""
    arms = options.arms
    if options.design == "paired":
        treated, control = (
            at_once({p: group(cells, arm, p) for p in of_arm}, of_arm, metric)
            for arm, of_arm in ((arms.treatment, by.treated), (arms.control, by.control))
        )
        return treated, control
    low, high = levels(cells)[0], levels(cells)[-1]
    # The extrapolated mu_T(1) subtracts a share of the treated mean at the lowest allocation, and mu_C(0) a share of
    # the untreated mean at the highest.
    of_control, of_treated = -by.control.get(high, 0.0), -by.treated.get(low, 0.0)
    level = 1 + of_control + of_treated
    at = {(arm, p): group(cells, arm, p) for arm in (arms.treatment, arms.control) for p in (low, high)}
    return (
        one_after_the_other(at[arms.treatment, high], at[arms.control, high], level, of_control, metric),
        one_after_the_other(at[arms.control, low], at[arms.treatment, low], level, of_treated, metric),
    )


def _with_level(control: pd.DataFrame, base: Untreated, metric: str) -> pd.DataFrame:
    """Adds to each cell of the control the untreated network's mean in that hour: the cell's own, or that of another
    cluster at the same time."""
    if control.index.equals(base.cells.index):
        return control.assign(**{LEVEL: base.cells[LEVEL]})
    by_hour = base.cells.groupby("hour")[[LEVEL, f"n_{metric}"]].sum()
    by_hour = by_hour[by_hour[f"n_{metric}"] > 0]
    means = (by_hour[LEVEL] / by_hour[f"n_{metric}"]).reindex(control.hour).fillna(base.mean)
    return control.assign(**{LEVEL: means.to_numpy() * control[f"n_{metric}"]})


def estimate(
    symbol: str, kind: str, allocation: float, metric: str, panel: Panel, mean: float, options: Options
) -> Estimate:
    rows = panel.by_hour_of_day() if options.rows == "hour-of-day" else panel
    randomised = options.design == "switchback"
    robust, share, refused = None, None, ""
    try:
        robust = panel.robust(randomised)
        check_spread(robust, panel, mean, decides=kind == "tte")
    except Problem as problem:
        robust, refused = None, str(problem)
    if robust is not None and mean != 0 and panel.mean_level() != 0:
        # Estimates weight hours equally, but the mean weights sessions equally.
        per_mean = abs(panel.mean_level() / mean)
        # A mean that is too close to 0 allows no percentage, but the effect in the metric's unit.
        with suppress(Problem):
            share = with_spread(panel.share(randomised), robust, panel.mean_level()).times(per_mean)
    found = Estimate(symbol, kind, allocation, metric, rows.paper(), robust, refused, mean, panel, share)
    if robust is None:
        return found
    return replace(
        found,
        rests_on=panel.randomization_assumptions() if randomised else (),
        busier=busier(panel.by_hour()),
        hours=panel.compared_hours(),
        days_left_out=panel.days_left_out(randomised),
    )


def busier(by_hour: pd.DataFrame) -> float:
    """Returns the increase of an effect if the hours of the day are weighted by their number of sessions instead of equally. The
    rows are those of `Panel.by_hour`."""
    return float(np.average(by_hour.difference, weights=by_hour.n) - by_hour.difference.mean())


@dataclass(frozen=True)
class InterferenceTest:
    """A relation that holds without interference (the paper's section 5.1), with the measured difference."""

    relation: str
    #: 'tau' or 'spillover'.
    kind: str
    difference: Interval
    mean: float
    #: Only for tau: the difference, in shares of the untreated neighbors' means. None if there are no such shares.
    of_shares: Interval | None = None
    #: The names of the compared estimates: a single one that should be 0, or two that should be equal (the difference
    #: is the first minus the second).
    symbols: tuple[str, ...] = ()

    @property
    def contradicted(self) -> bool:
        return self.difference.excludes_zero() and abs(self.difference.estimate) > ROUNDING * abs(self.mean)

    @property
    def beside_level(self) -> bool:
        """Whether tau differs both in the metric's unit and as a share of the untreated neighbors' means."""
        shares = self.of_shares
        unequal = shares is None or (shares.excludes_zero() and abs(shares.estimate) > ROUNDING)
        return self.kind == "tau" and self.contradicted and unequal

    @property
    def p(self) -> float:
        """Returns the p-value of the difference under the hypothesis that the relation holds."""
        return p_value(self.difference, self.mean)

    @property
    def p_beside_level(self) -> float:
        """Returns the larger p-value of the two differences that `beside_level` compares."""
        return self.p if self.of_shares is None else max(self.p, p_value(self.of_shares, 1))


def p_value(interval: Interval, mean: float) -> float:
    """Returns the p-value, which is 1 if the estimate is only a rounding error."""
    rounding = abs(interval.estimate) <= ROUNDING * abs(mean)
    return 1.0 if rounding or interval.p is None else interval.p


def interference(found: list[Estimate]) -> list[InterferenceTest]:
    """Tests for interference with day-robust intervals: without it, tau is equal at all allocations in the same hours of the
    day, and there is no spillover."""
    tests = []
    taus = [each for each in found if each.kind == "tau" and each.robust is not None]
    for one, other in pairwise(taus):
        hours = np.intersect1d(one.hours, other.hours)
        if len(hours) == 0:
            continue
        panels = [each.panel.at_hours(hours) for each in (one, other)]
        try:
            difference = _difference(*(each.daily_differences() for each in panels))
        except Problem:
            continue
        try:
            of_shares = _difference(*(each.daily_shares() for each in panels))
        except Problem:
            of_shares = None
        relation = f"{other.symbol} = {one.symbol}"
        symbols = other.symbol, one.symbol
        tests.append(InterferenceTest(relation, "tau", difference, one.mean, of_shares, symbols))
    for each in found:
        if each.kind == "spillover" and each.robust is not None:
            symbols = (each.symbol,)
            relation = f"{each.symbol} = 0"
            tests.append(InterferenceTest(relation, "spillover", each.robust, each.mean, symbols=symbols))
    return tests


def _difference(one: pd.Series, other: pd.Series) -> Interval:
    common = one.index.intersection(other.index)
    if len(common) >= 0.5 * min(len(one), len(other)):
        return over_days(np.asarray(other[common] - one[common]))
    # Both arms ran at the same time in both periods, so effects of single days cancel out.
    return between_days(other.to_numpy(), one.to_numpy())
