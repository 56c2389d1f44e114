"""The paper's estimands (its section 2 and 5.1), from the cells of an experiment.

mu_A(p) is the mean of arm A where a share p of the traffic is treated; tau(p) = mu_T(p) - mu_C(p) is what an A/B test at
p sees; s(p) = mu_C(p) - mu_C(0) spills over to those who are not treated; rho(p) = mu_T(p) - mu_C(0); and the total
treatment effect TTE = mu_T(1) - mu_C(0). The lowest and the highest allocation stand for 0 and 1, as in the paper.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd

from .appendix_b import ROUNDING, Interval
from .day_robust import between_days, over_days
from .panel import DAY, Panel
from .problem import Problem
from .refusal import Refusal


@dataclass(frozen=True)
class Arms:
    treatment: str = "treatment"
    control: str = "control"


@dataclass(frozen=True)
class Estimate:
    """One estimand of one metric: in its unit, and as a share of the global control's mean."""

    symbol: str
    kind: str
    allocation: float
    metric: str
    #: Appendix B's interval; for tau, which the paper computes by account, see `accounts`.
    paper: Interval
    #: None with the reason in `refused` where the data do not carry one.
    robust: Interval | None
    refused: str
    mean: float
    panel: Panel

    def relative(self, interval: Interval | None) -> Interval | None:
        return None if interval is None or self.mean == 0 else interval.over(self.mean)


@dataclass(frozen=True)
class Options:
    """What the user says of an experiment; a design of '' is read off the data."""

    arms: Arms = Arms()
    design: str = ""
    #: A switchback's windows, which are randomised.
    window_hours: int = DAY
    #: Hours after a change of a switchback or event study that are left out.
    washout_hours: int = 0
    #: 'hour-of-day': Appendix B's t = 1..24; 'day-hour': a row for each hour of the experiment.
    rows: str = "day-hour"

    def of(self, detected: str) -> "Options":
        return self if self.design else replace(self, design=detected)


def levels(cells: pd.DataFrame) -> list[float]:
    return sorted(cells.allocation.unique())


def group(cells: pd.DataFrame, arm: str, allocation: float) -> pd.DataFrame:
    return cells[(cells.arm == arm) & (cells.allocation == allocation)]


def global_control(cells: pd.DataFrame, metric: str, arms: Arms) -> float:
    """The mean over all control sessions where least is treated: what everything is divided by (Appendix B.1)."""
    control = group(cells, arms.control, levels(cells)[0])
    count = control[f"n_{metric}"].sum()
    if count == 0:
        raise Problem(
            f"no session of {arms.control} has a value where {levels(cells)[0]:.0%} are to be treated, the least"
        )
    return float(control[f"sum_{metric}"].sum() / count)


def estimates(cells: pd.DataFrame, metric: str, options: Options) -> tuple[list[Estimate], list[Refusal]]:
    """Everything that the cells allow for one metric, and what they do not allow with the reason."""
    arms, found, refused = options.arms, [], []
    mean = global_control(cells, metric, arms)
    steps = levels(cells)
    low, high = steps[0], steps[-1]
    wanted = [(f"τ({p:g})", "tau", p, (arms.treatment, p), (arms.control, p)) for p in steps]
    for p in steps[1:]:
        wanted.append((f"s({p:g})", "spillover", p, (arms.control, p), (arms.control, low)))
        if p != high:
            wanted.append((f"ρ({p:g})", "partial", p, (arms.treatment, p), (arms.control, low)))
    if len(steps) > 1:
        wanted.append(("TTE", "tte", high, (arms.treatment, high), (arms.control, low)))
    for symbol, kind, allocation, treated, control in wanted:
        try:
            groups = [_with_values(cells, metric, *each) for each in (treated, control)]
            panel = Panel.of(*groups, metric, options.window_hours)
            other_clusters = set(groups[0].cluster) != set(groups[1].cluster)
            if options.design == "event" and kind != "tau" and (other_clusters or panel.overlaps()):
                # Clusters that were treated one after the other: what they differ by anyway is no effect.
                panel = Panel.by_cluster(*groups, metric)
            found.append(estimate(symbol, kind, allocation, metric, panel, mean, options))
        except Problem as problem:
            refused.append(Refusal(symbol, metric, str(problem)))
    return found, refused


def _with_values(cells: pd.DataFrame, metric: str, arm: str, allocation: float) -> pd.DataFrame:
    rows = group(cells, arm, allocation)
    if rows[f"n_{metric}"].sum() == 0:
        raise Problem(f"no session of {arm} has a value where {allocation:.0%} are to be treated")
    return rows


def estimate(
    symbol: str, kind: str, allocation: float, metric: str, panel: Panel, mean: float, options: Options
) -> Estimate:
    rows = panel.by_hour_of_day() if options.rows == "hour-of-day" else panel
    robust, refused = None, ""
    try:
        robust = panel.robust(options.design == "switchback")
    except Problem as problem:
        refused = str(problem)
    return Estimate(symbol, kind, allocation, metric, rows.paper(), robust, refused, mean, panel)


@dataclass(frozen=True)
class InterferenceTest:
    """A relation that holds without interference (section 5.1), and what was found of it."""

    relation: str
    #: 'tau' or 'spillover'.
    kind: str
    difference: Interval
    mean: float
    #: Of tau: the difference of its shares of the untreated neighbours' means; None where there are no such shares.
    of_shares: Interval | None = None
    #: The estimates that it is of: one that is to be 0, or the first less the second.
    symbols: tuple[str, ...] = ()

    @property
    def contradicted(self) -> bool:
        return self.difference.excludes_zero() and abs(self.difference.estimate) > ROUNDING * abs(self.mean)

    @property
    def beside_level(self) -> bool:
        """Whether tau differs also where a treatment changes a level that itself differs by a share."""
        shares = self.of_shares
        unequal = shares is None or (shares.excludes_zero() and abs(shares.estimate) > ROUNDING)
        return self.kind == "tau" and self.contradicted and unequal

    @property
    def p(self) -> float:
        """How likely so large a difference is where the relation holds."""
        return p_value(self.difference, self.mean)

    @property
    def p_beside_level(self) -> float:
        """The same of both that `beside_level` asks for: as likely as the likelier one."""
        return self.p if self.of_shares is None else max(self.p, p_value(self.of_shares, 1))


def p_value(interval: Interval, mean: float) -> float:
    """1 where the estimate is of rounding only."""
    rounding = abs(interval.estimate) <= ROUNDING * abs(mean)
    return 1.0 if rounding or interval.p is None else interval.p


def interference(found: list[Estimate]) -> list[InterferenceTest]:
    """Tests that tau is equal at all allocations and that nothing spills over, by intervals that are robust to days."""
    tests = []
    taus = [each for each in found if each.kind == "tau"]
    for one, other in pairwise(taus):
        try:
            difference = _difference(one.panel.daily_differences(), other.panel.daily_differences())
        except Problem:
            continue
        try:
            of_shares = _difference(one.panel.daily_shares(), other.panel.daily_shares())
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
    return between_days(other.to_numpy(), one.to_numpy())
