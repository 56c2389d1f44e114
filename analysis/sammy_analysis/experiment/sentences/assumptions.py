"""The assumptions under which the treatment is the cause of a change, and what else could be the cause.

verdict.py calls this module, which must not depend on whether a change is good or bad.
"""

from ..estimators.appendix_b import ROUNDING, Interval
from ..estimators.estimands import Estimate
from ..estimators.links import LinkCheck
from .numbers import Amount, bounded_interval, describe_change, format_day, format_value, significant

#: Assumptions under which the treatment is the cause of a change, if neither randomization nor a check ensures it.
ALIKE = "the links are alike"
NOTHING_ELSE = "nothing else changed at that time"
NO_HOLIDAY = "no holiday fell on the"
QUIET = "quiet hours are to count as much"
SAME_DIFFERENCE = "the links' difference stayed the same"


def assumption(design: str, tte: Estimate, mean: float, links: LinkCheck | None, whole: Interval) -> str:
    """Returns the assumption that the interval, a share of `mean`, needs in addition to the data, by design and checks; ''
    for none. An interval that contains 0 also needs those on values, windows and hours, which can hide a change."""
    if design == "event":
        return NOTHING_ELSE
    if design == "paired" and (links is None or links.tte is None):
        return ALIKE
    return (
        tte.rests_on
        or (_date_assumption(links) or _holiday_assumption(links) if whole.excludes_zero() else "")
        or _difference_assumption(links)
        or _quiet_hours_assumption(tte, mean, whole)
    )


def _quiet_hours_assumption(tte: Estimate, mean: float, whole: Interval) -> str:
    """Returns the assumption that the interval needs if busy hours changed in the opposite direction by more than
    chance, or by an amount outside of an interval that contains 0; '' otherwise."""
    if abs(tte.busier) <= ROUNDING * abs(mean):
        return ""
    busier = tte.busier if isinstance(whole, Amount) else tte.busier / abs(mean)
    by_session = whole.estimate + busier
    if whole.excludes_zero():
        half = max(whole.high - whole.estimate, whole.estimate - whole.low)
        agrees = by_session * whole.estimate >= 0 or abs(by_session) <= half
    else:
        agrees = whole.low <= by_session <= whole.high
    if agrees:
        return ""
    return (
        f"{QUIET} as busy ones (weighted by their sessions, the change is {format_value(whole, by_session)})"
    )


def _date_assumption(links: LinkCheck | None) -> str:
    """Returns the assumption that a claim of a change needs if the data date it to a day other than the experiment's
    first; '' otherwise."""
    dates = None if links is None else links.tte.step.dates
    if dates is None or not dates.contradicted:
        return ""
    begin, best = format_day(dates.begin), format_day(dates.best)
    return f"the change came with the experiment on {begin}, although these days date it to {best}"


def _holiday_assumption(links: LinkCheck | None) -> str:
    """Returns the assumption that no holiday covers a whole period, if one could; it would look like an effect."""
    if links is None or not links.tte.step.may_be_a_holiday:
        return ""
    experiment, baseline = links.tte.step.periods
    count, period = (experiment, "experiment") if experiment <= baseline else (baseline, "baseline")
    return f"{NO_HOLIDAY} {'day' if count == 1 else f'{count} days'} of the {period}"


def _difference_assumption(links: LinkCheck | None) -> str:
    """Returns the assumption of a constant difference, if the result is another one for a proportional difference."""
    if links is None or not links.tte.assumes_constant_difference:
        return ""
    changed = "rose" if links.growth > 1 else "fell"
    return (
        f"{SAME_DIFFERENCE} although their level {changed} by {significant(100 * abs(links.growth - 1), 2)}%"
    )


def describe_extrapolation(tte: Estimate, found: list[Estimate], links: LinkCheck | None) -> str:
    """Says that the change was extrapolated, and gives the measured difference; '' if it was not extrapolated."""
    if not tte.extrapolates():
        return ""
    low, high = tte.tried
    partial = next((each for each in found if each.kind == "partial" and each.allocation == high), None)
    measured = partial and bounded_interval(partial.share, partial.robust, tte.metric)
    if links is not None:
        measured = links.partial and bounded_interval(
            links.partial.share, links.partial.step.interval, tte.metric
        )
    beside = (
        f" Not extrapolated: the treated beside {high:.0%} differ from the untreated beside {low:.0%} by "
        f"{describe_change(measured)}."
        if measured is not None
        else ""
    )
    return (
        f"This extrapolates linearly from {low:.0%} and {high:.0%} treated to none and all; a step between them would overturn "
        f"it.{beside}"
    )


def describe_doubt(design: str, assumed: str, links: LinkCheck | None) -> str:
    """Describes possible other causes of a change."""
    if assumed == ALIKE:
        return "Anything else that the links differ by, such as their viewers or their load, would look the same."
    if assumed == NOTHING_ELSE:
        return (
            "Anything else that changed then, such as a weekend, a holiday or a release, would look the same."
        )
    if assumed.startswith(NO_HOLIDAY):
        return "A holiday, or anything else that lasts so few days on one link, would look the same."
    if assumed.startswith(QUIET):
        return "Where busy hours matter more, the change has the other direction."
    if assumed:
        return "If that does not hold, this is not what the treatment changes."
    if design == "switchback":
        return "A treatment that still acts in the next window would overturn this; --washout HOURS tests for it."
    if links is None:
        return ""
    if links.tte.step.dates is None:
        return "If one link also changed when the experiment began, and back when it ended, that would look the same."
    first, last = links.tte.step.dates.earliest, links.tte.step.dates.latest
    when = (
        f"on {format_day(first)}" if first == last else f"between {format_day(first)} and {format_day(last)}"
    )
    return f"If one link also changed {when}, for example by another route or a holiday, that would look the same."
