"""The assumptions under which the treatment is the cause of a change, and what else could be the cause.

verdict.py calls this module, which must not depend on whether a change is good or bad.
"""

from ..estimators.appendix_b import ROUNDING, Interval
from ..estimators.estimands import Estimate
from ..estimators.links import Growth, LinkCheck
from .numbers import Amount, bounded_interval, describe_change, format_day, format_value, significant

#: Assumptions under which the treatment is the cause of a change, if neither randomization nor a check ensures it.
ALIKE = "the links are alike"
NOTHING_ELSE = "nothing else changed at that time"
NO_HOLIDAY = "no holiday fell on the"
QUIET = "quiet hours are to count as much"
SAME_DIFFERENCE = "the links' difference stayed the same"


def find_assumptions(
    design: str, tte: Estimate, mean: float, links: LinkCheck | None, whole: Interval
) -> tuple[str, ...]:
    """Returns the assumptions that the interval, a share of `mean`, needs in addition to the data, by design and checks. An
    interval that contains 0 also needs those on values, windows and hours, which can hide a change."""
    corrected = links is not None and links.tte is not None
    by_design = NOTHING_ELSE if design == "event" else ALIKE if design == "paired" and not corrected else ""
    of_links = ()
    if corrected:
        changed = whole.excludes_zero()
        of_links = (
            (_date_assumption(links) or _holiday_assumption(links)) if changed else "",
            _difference_assumption(links),
        )
    busier = links.tte.busier if corrected else tte.busier
    found = (by_design, *tte.rests_on, *of_links, _quiet_hours_assumption(busier, mean, whole))
    return tuple(each for each in found if each)


def join_assumptions(assumed: tuple[str, ...]) -> str:
    """Formats the assumptions as the rest of a sentence with 'if'."""
    return ", and if ".join(assumed)


def _quiet_hours_assumption(busier: float, mean: float, whole: Interval) -> str:
    """Returns the assumption that the interval needs if busy hours changed in the opposite direction by more than
    chance, or by an amount outside of an interval that contains 0; '' otherwise. `busier` is the increase of the effect, in
    the metric's unit, if busy hours get more weight."""
    if abs(busier) <= ROUNDING * abs(mean):
        return ""
    by_session = whole.estimate + (busier if isinstance(whole, Amount) else busier / abs(mean))
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


def _date_assumption(links: LinkCheck) -> str:
    """Returns the assumption that a claim of a change needs if the data date it to a day other than the experiment's
    first; '' otherwise."""
    dates = links.tte.step.dates
    if dates is None or not dates.contradicted:
        return ""
    begin, best = format_day(dates.begin), format_day(dates.best)
    return f"the change came with the experiment on {begin}, although these days date it to {best}"


def _holiday_assumption(links: LinkCheck) -> str:
    """Returns the assumption that no holiday covers a whole period, if one could; it would look like an effect."""
    if not links.tte.step.may_be_a_holiday:
        return ""
    experiment, baseline = links.tte.step.periods
    count, period = (experiment, "experiment") if experiment <= baseline else (baseline, "baseline")
    return f"{NO_HOLIDAY} {'day' if count == 1 else f'{count} days'} of the {period}"


def _difference_assumption(links: LinkCheck) -> str:
    """Returns the assumption of a constant difference, if the result is another one for a proportional difference."""
    return (
        f"{SAME_DIFFERENCE} although their level {_describe_growth(links.tte.growth)}"
        if links.tte.assumes_constant_difference
        else ""
    )


def _describe_growth(growth: Growth) -> str:
    if growth.factor is None:
        return "changed its sign" if growth.before * growth.during else "was 0 in one of the periods"
    size = significant(100 * abs(growth.factor - 1), 2)
    if growth.before < 0:
        return f"changed by {size}%"
    return f"{'rose' if growth.factor > 1 else 'fell'} by {size}%"


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


def describe_doubt(design: str, assumed: tuple[str, ...], links: LinkCheck | None) -> str:
    """Describes possible other causes of a change."""
    if assumed:
        return " ".join(dict.fromkeys(_describe_other_cause(each) for each in assumed))
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


def _describe_other_cause(assumption: str) -> str:
    if assumption == ALIKE:
        return "Anything else that the links differ by, such as their viewers or their load, would look the same."
    if assumption == NOTHING_ELSE:
        return (
            "Anything else that changed then, such as a weekend, a holiday or a release, would look the same."
        )
    if assumption.startswith(NO_HOLIDAY):
        return "A holiday, or anything else that lasts so few days on one link, would look the same."
    if assumption.startswith(QUIET):
        return "Where busy hours matter more, the change has the other direction."
    return "If that does not hold, this is not what the treatment changes."
