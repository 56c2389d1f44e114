"""Compares paired links without treatment (the paper's section 4.1); corrects effects by their permanent difference.

If the data have hours in which all links had the same allocation (a baseline period, an A/A test), the untreated sessions of
the links are compared in these hours as in the experiment, at the same hours of the day. TTE and spillover are then a step:
the change of the links' difference between the periods, given its day-to-day variation (steps/step.py). Their percentages
are shares of the mean that the most treated link itself would have without treatment: the other link's mean plus the
difference.
"""

from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from ..problem import Problem
from .appendix_b import ROUNDING, Interval
from .day_robust import over_days
from .estimands import Estimate, Options, busier, extrapolation, group, levels, p_value
from .panel import DAY, Panel
from .ratio import with_spread
from .spread import check_spread
from .steps.step import Step, relative_step, step, step_interval
from .steps.step_design import Noise

#: The reason why nothing can be told of a metric that is never negative if a mean without the difference would be.
BELOW_NOTHING = (
    "less the links' difference at the same allocation, a mean would be below 0, so it cannot be subtracted"
)


@dataclass(frozen=True)
class Growth:
    """The means of the link with the lowest allocation, without treatment, of both periods."""

    before: float
    during: float

    @property
    def factor(self) -> float | None:
        """The second mean as a multiple of the first. None if only one is 0, or if they have different signs."""
        if self.during == self.before:
            return 1.0
        return self.during / self.before if self.before * self.during > 0 else None


@dataclass(frozen=True)
class Corrected:
    """An effect minus the permanent difference of the links, in the metric's unit and as a share of `mean`."""

    step: Step
    share: Interval | None
    #: The mean that the treated link would have without treatment.
    mean: float
    #: The levels of the link with the lowest allocation.
    growth: Growth
    #: The effect if the links' difference is proportional to their level. None if the level has no factor of growth.
    if_proportional: Interval | None = None
    #: The hours of the day that are compared.
    hours: np.ndarray = field(default_factory=lambda: np.arange(DAY))
    #: The increase of the effect if busy hours get more weight, in the metric's unit.
    busier: float = 0.0
    #: The number of days with sessions of both links that belong to neither period, or that the effect leaves out.
    days_left_out: int = 0
    #: The share if nothing were left. Days have equal weights in an effect, but sessions have in the mean.
    nothing_left: float = -1.0

    @property
    def assumes_constant_difference(self) -> bool:
        """Whether the result is another one if the links' difference is proportional to their level.

        A change must then be significant in the same direction, and no change must be within the interval.
        """
        shown, other = self.step.interval, self.if_proportional
        if other is None:
            return True
        if shown.excludes_zero():
            return not other.excludes_zero() or other.estimate * shown.estimate < 0
        return not shown.low <= other.estimate <= shown.high

    @property
    def is_below_nothing(self) -> bool:
        """Whether the mean or the whole interval is impossible for a metric that is never negative."""
        too_little = self.share is not None and self.share.high < self.nothing_left * (1 + ROUNDING)
        return self.mean <= 0 or too_little

    def bounded(self) -> "Corrected":
        """Returns the result for a metric that is never negative: see `Estimate.bounded`."""
        return replace(self, share=self.share and self.share.at_least(-1.0))

    def widened(self, variance: float) -> "Corrected":
        """Widens the interval by the variance that returning accounts add."""
        wide = replace(self.step, interval=self.step.interval.widened(variance))
        of_shares = variance / self.mean**2 if self.mean else 0.0
        share = self.share and self.share.widened(of_shares)
        return replace(
            self,
            step=wide,
            share=share,
            if_proportional=self.if_proportional and self.if_proportional.widened(variance),
        )


@dataclass(frozen=True)
class LinkCheck:
    """For one metric, the difference at equal allocation between the link with the highest and the link with the lowest
    allocation."""

    difference: Interval
    #: TTE minus the links' difference. None if it cannot be computed; the reason is then in `refused`.
    tte: Corrected | None
    #: The spillover minus the links' difference. None if it cannot be computed.
    spillover: Corrected | None
    #: The mean of the link with the lowest allocation without treatment.
    mean: float
    refused: str = ""
    #: The corrected difference between the treated at the highest and the untreated at the lowest allocation. None if
    #: TTE is not extrapolated.
    partial: Corrected | None = None
    #: The mean of the links with each allocation without treatment.
    means: dict[float, float] = field(default_factory=dict)

    def bounded(self) -> "LinkCheck":
        """Returns the result for a metric that is never negative: see `Estimate.bounded`."""
        parts = {name: getattr(self, name) for name in ("tte", "spillover", "partial")}
        if self.mean <= 0:
            return replace(self, **{name: part and replace(part, share=None) for name, part in parts.items()})
        if self.tte is not None and self.tte.is_below_nothing:
            return replace(self, tte=None, spillover=None, partial=None, refused=BELOW_NOTHING)
        return replace(self, **{name: part and part.bounded() for name, part in parts.items()})

    @property
    def p_of_spillover(self) -> float | None:
        """Returns the p-value of the corrected spillover, if there is a spillover."""
        if self.spillover is None:
            return None
        step = self.spillover.step
        if step.may_be_a_holiday or (step.dates is not None and step.dates.contradicted):
            return 1.0
        shown, other = step.interval, self.spillover.if_proportional
        if other is None:
            return 1.0
        is_opposite = other.estimate * shown.estimate < 0
        return 1.0 if is_opposite else max(p_value(each, self.mean) for each in (shown, other))

    @property
    def relative_difference(self) -> Interval | None:
        """Returns the links' difference as a share of the mean. None if the mean may be 0, so that TTE has no bounded share."""
        share = None if self.tte is None else self.tte.share
        may_be_0 = self.tte is not None and (share is None or not np.isfinite([share.low, share.high]).all())
        return None if self.mean == 0 or may_be_0 else self.difference.over(self.mean)

    @property
    def noise(self) -> Noise | None:
        """Returns the day-to-day variation of the links' difference, as a share of the mean of TTE."""
        if self.tte is None or self.tte.mean == 0:
            return None
        noise = self.tte.step.noise
        return noise and replace(noise, size=noise.size / abs(self.tte.mean))


@dataclass(frozen=True)
class Baseline:
    """The hours in which all links had the same allocation: by allocation in the experiment, the panel that compares a link with
    the link of the lowest allocation."""

    panels: dict[float, Panel]
    #: Compares the untreated of the link of the lowest allocation in the experiment with themselves: only their mean is used.
    during: Panel

    def at_hours(self, hours: np.ndarray) -> "Baseline":
        panels = {p: panel.at_hours(hours) for p, panel in self.panels.items()}
        return Baseline(panels, self.during.at_hours(hours))

    def differences(self, weights: dict[float, float]) -> pd.Series:
        """Returns, by day, the weighted sum of the links' differences."""
        return sum(weight * self.panels[p].daily_differences() for p, weight in weights.items())

    def by_hour(self, weights: dict[float, float]) -> pd.Series:
        """Returns the same by hour of the day."""
        return sum(weight * self.panels[p].by_hour().difference for p, weight in weights.items())

    def mean_difference(self, weights: dict[float, float]) -> float:
        """Returns the mean of the daily differences; 0 without weights."""
        return float(self.differences(weights).mean()) if weights else 0.0

    @property
    def growth(self) -> Growth:
        before = next(iter(self.panels.values()))
        return Growth(*(float(panel.daily_levels().mean()) for panel in (before, self.during)))


@dataclass(frozen=True)
class LinkWeights:
    """The weights of the links' differences, by allocation, in an effect, and in the means of the treated and the untreated.
    Some are above 1 if TTE is extrapolated."""

    effect: dict[float, float]
    treated: dict[float, float]
    untreated: dict[float, float]


@dataclass(frozen=True)
class Periods:
    """The daily values of the two periods, by day."""

    #: The links' difference in the baseline period.
    before: pd.Series
    #: The effect in the experiment, without a correction.
    effects: pd.Series
    #: The untreated mean in the experiment, as the link of the lowest allocation would have it.
    levels: pd.Series
    #: On the days of `before`, the links' difference that the untreated mean of the treated contains.
    added: pd.Series
    #: The number of days with sessions of both links that belong to neither period.
    days_left_out: int

    @staticmethod
    def compare(panel: Panel, baseline: Baseline, weights: LinkWeights) -> "Periods":
        """Raises a Problem if a period has no whole day."""
        before, added = (baseline.differences(of) for of in (weights.effect, weights.treated))
        effects = panel.daily_differences()
        levels = panel.daily_levels() - baseline.mean_difference(weights.untreated)
        # A day on which an experiment begins at noon belongs to neither period, and on such a day a link may have no value.
        both = before.index.intersection(effects.index)
        left_out = len(both) + int(before.isna().sum())
        before, effects, levels = (
            days.drop(both, errors="ignore") for days in (before.dropna(), effects, levels)
        )
        if len(before) == 0 or len(effects) == 0:
            raise Problem("no whole day is before the experiment, or none is in it")
        return Periods(before, effects, levels, added[before.index], left_out)

    @property
    def days(self) -> list[int]:
        return [*self.before.index, *self.effects.index]

    @property
    def is_after(self) -> list[float]:
        """Returns 0 for the days of the baseline period, 1 for those of the experiment."""
        return [0.0] * len(self.before) + [1.0] * len(self.effects)

    def differences(self, growth: float = 1.0) -> np.ndarray:
        """Returns the links' differences, which have grown by this factor in the baseline period, and the effects."""
        return np.concatenate([growth * self.before.to_numpy(), self.effects.to_numpy()])

    @property
    def mean_level(self) -> float:
        """Returns the mean that the treated would have without treatment; days have equal weights."""
        return float(self.levels.mean() + self.added.mean())

    def share(self) -> Interval:
        """Returns the step as a share of the mean level, including the uncertainty of this level."""
        sizes = np.concatenate([-self.added.to_numpy(), self.levels.to_numpy()])
        return relative_step(self.days, self.is_after, self.differences(), np.sign(self.mean_level) * sizes)


def check_links(
    same: pd.DataFrame, cells: pd.DataFrame, metric: str, found: list[Estimate], options: Options
) -> LinkCheck:
    """Compares the links, from three inputs: the cells of hours with equal allocation, the cells of the experiment, and
    its estimates.

    Raises a Problem if there are too few hours with equal allocation.
    """
    control, steps = options.arms.control, levels(cells)
    low, high = steps[0], steps[-1]
    parts = {}
    for allocation in steps:
        clusters = cells.cluster[cells.allocation == allocation]
        part = same[same.cluster.isin(clusters) & (same.arm == control)]
        if part[f"n_{metric}"].sum() == 0:
            raise Problem(
                f"at the same allocation no session of {control} has a value on the link with {allocation:.0%}"
            )
        parts[allocation] = part
    lowest = group(cells, control, low)
    baseline = Baseline(
        {p: Panel.from_cells(parts[p], parts[low], metric) for p in steps[1:]},
        Panel.from_cells(lowest, lowest, metric),
    )
    by = extrapolation(cells, metric, options)
    of_high = LinkWeights({high: 1.0}, {high: 1.0}, {})
    of_tte = of_high
    if by is not None:
        of_tte = LinkWeights(
            *(
                {p: weight for p, weight in each.items() if p != low}
                for each in (by.level_weights(), by.treated, by.control)
            )
        )
        of_high = replace(of_high, untreated=of_tte.untreated)
    tte, spillover, partial = (
        next((e for e in found if e.kind == kind and e.allocation == high), None)
        for kind in ("tte", "spillover", "partial")
    )
    less_tte, refused = None, ""
    try:
        less_tte = _less(tte, of_tte, baseline)
    except Problem as problem:
        refused = str(problem)
    at_hours = baseline if less_tte is None else baseline.at_hours(less_tte.hours)
    difference = over_days(at_hours.differences({high: 1.0}).to_numpy())
    # If the untreated network's mean is extrapolated, it also contains a part of the links' difference.
    mean = next((e.mean for e in found), 0.0) - at_hours.mean_difference(of_tte.untreated)
    check = LinkCheck(difference, less_tte, None, mean, refused)
    if refused:
        return check
    # Few untreated sessions beside the treated may tell nothing of these, which says nothing of TTE.
    for name, each in (("spillover", spillover), ("partial", partial)):
        if each is not None and each.robust is not None:
            with suppress(Problem):
                check = replace(check, **{name: _less(each, of_high, baseline)})
    own_means = {p: mean + at_hours.mean_difference({p: 1.0}) for p in steps[1:]}
    return replace(check, means={low: mean, **own_means})


def with_own_means(found: list[Estimate], check: LinkCheck) -> list[Estimate]:
    """Makes each A/B test a share of the mean that its own link would have without treatment, if that is known."""
    return [
        _with_mean(each, check.means[each.allocation])
        if each.kind == "tau" and each.allocation in check.means
        else each
        for each in found
    ]


def _with_mean(each: Estimate, mean: float) -> Estimate:
    share = each.share and each.share.times(abs(each.mean / mean)) if mean else None
    return replace(each, mean=mean, share=share)


def _less(each: Estimate | None, weights: LinkWeights, baseline: Baseline) -> Corrected | None:
    """Subtracts the links' daily differences from an effect. Hours of the day that only one period has are left out."""
    if each is None:
        return None
    hours = each.hours
    for p in weights.effect:
        hours = np.intersect1d(hours, baseline.panels[p].compared_hours())
    if len(hours) == 0:
        raise Problem("the links had no hour of the day in common with and without the experiment")
    panel, baseline = each.panel.at_hours(hours), baseline.at_hours(hours)
    periods = Periods.compare(panel, baseline, weights)
    whole = step(periods.days, periods.is_after, periods.differences())
    for compared in (panel, *(baseline.panels[p] for p in weights.effect)):
        check_spread(whole.interval, compared, each.mean, decides=True)
    by_hour = panel.by_hour()
    by_hour = by_hour.assign(difference=by_hour.difference - baseline.by_hour(weights.effect)).dropna()
    growth = baseline.growth
    corrected = Corrected(
        whole,
        share=None,
        mean=each.mean - baseline.mean_difference(weights.untreated) + float(periods.added.mean()),
        growth=growth,
        hours=hours,
        busier=busier(by_hour),
        days_left_out=periods.days_left_out + each.days_left_out,
    )
    if growth.factor is not None:
        grown = periods.differences(growth.factor)
        corrected = replace(corrected, if_proportional=step_interval(periods.days, periods.is_after, grown))
    if periods.mean_level == 0 or corrected.mean == 0:
        return corrected
    share = with_spread(periods.share(), whole.interval, periods.mean_level)
    per_mean = abs(periods.mean_level / corrected.mean)
    return replace(corrected, share=share.times(per_mean), nothing_left=-per_mean)
