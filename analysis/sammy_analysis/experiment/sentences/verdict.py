"""Verdicts: sentences that explain the estimates to decision makers. All their intervals are the day-robust ones.

A sentence claims no more than the design and the checks can show. A claim that needs an assumption names the
assumption, and counts as neither better nor worse.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from ..estimators.appendix_b import Interval
from ..estimators.estimands import Estimate, InterferenceTest
from ..estimators.links import LinkCheck
from ..estimators.step import reach
from ..reading.schema import metric as known


@dataclass(frozen=True)
class Verdict:
    metric: str
    title: str
    #: 'better', 'worse', 'changed' (if it is unknown whether less is better), 'unclear', 'assumed' (a change under an
    #: unproven assumption), 'unknown' or 'withheld'.
    outcome: str
    #: The decision with its interval, and the result of an A/B test.
    decided: str
    #: Whether the arms interfere, which makes an A/B test alone misleading: 'shown', 'perhaps', 'not found', or '' if not
    #: tested.
    interference: str
    #: Three texts: the effect of a deployment, the result of the A/B test with the fewest treated, and whether that
    #: result is right; "" if unknown.
    deployed: str = ""
    test: str = ""
    comparison: str = ""
    #: The interval in the figure of the verdicts; None if unknown.
    interval: Interval | None = None
    #: The unproven assumption of a change.
    assumed: str = ""
    #: Three texts: the certainty, possible objections, and the next step; '' for none.
    sure: str = ""
    doubt: str = ""
    todo: str = ""

    @property
    def sentence(self) -> str:
        """All parts of the verdict, in this order."""
        return " ".join(part for part in (self.decided, self.sure, self.doubt, self.todo) if part)


#: The maximum number of decimals of a percentage, because smaller shares are rounding errors.
MOST_DIGITS = 7

#: The allowed share of metrics with a false report of interference.
FALSE_SHARE = 0.05
#: The part of `FALSE_SHARE` for the tests of τ, if spillover is also tested. The test of spillover gets the larger
#: part, because its p-value is at least 2/64 with six pairs of windows.
OF_TAU = 0.01

#: Assumptions under which the treatment is the cause of a change, if neither randomization nor a check ensures it.
ALIKE = "the links are alike"
NOTHING_ELSE = "nothing else changed at that time"
NO_HOLIDAY = "no holiday fell on the"
QUIET = "quiet hours are to count as much"
#: The number of days per period that is recommended as sufficient.
ENOUGH_DAYS = 28


def assumption(design: str, tte: Estimate, links: LinkCheck | None, whole: Interval) -> str:
    """Returns the assumption that a claim of a change needs in addition to the data, by design and checks; '' for none."""
    if design == "event":
        return NOTHING_ELSE
    if design == "paired" and (links is None or links.tte is None):
        return ALIKE
    return (
        tte.rests_on
        or _date_assumption(links)
        or _holiday_assumption(links)
        or _quiet_hours_assumption(tte, whole)
    )


def _quiet_hours_assumption(tte: Estimate, whole: Interval) -> str:
    """Returns the assumption that a claim of a change needs if busy hours changed in the opposite direction by more
    than chance; '' otherwise."""
    by_session = whole.estimate + tte.busier
    opposite = by_session * whole.estimate < 0
    if not opposite or abs(by_session) <= max(whole.high - whole.estimate, whole.estimate - whole.low):
        return ""
    return f"{QUIET} as busy ones (weighted by their sessions, the change is {percent(by_session)})"


def _date_assumption(links: LinkCheck | None) -> str:
    """Returns the assumption that a claim of a change needs if the data date it to a day other than the experiment's
    first; '' otherwise."""
    dates = None if links is None else links.tte.step.dates
    if dates is None or not dates.contradicted:
        return ""
    return f"the change came with the experiment on {_day(dates.begin)}, although these days date it to {_day(dates.best)}"


def _holiday_assumption(links: LinkCheck | None) -> str:
    """Returns the assumption that no holiday covers a whole period, if one could; it would look like an effect."""
    if links is None or not links.tte.step.may_be_a_holiday:
        return ""
    experiment, baseline = links.tte.step.periods
    count, period = (experiment, "experiment") if experiment <= baseline else (baseline, "baseline")
    return f"{NO_HOLIDAY} {'day' if count == 1 else f'{count} days'} of the {period}"


def _day(day: int) -> str:
    """Formats a day since 1970."""
    return f"{datetime.fromtimestamp(day * 86400, UTC):%d %B}".lstrip("0")


def verdict(
    metric: str,
    found: list[Estimate],
    tests: list[InterferenceTest],
    design: str,
    links: LinkCheck | None = None,
    alarm: bool = False,
    less_is_better: bool | None = None,
) -> Verdict:
    """Returns the verdict on one metric. `links` is the baseline difference of paired links, if known, which is
    subtracted. `alarm` means that the sizes of the arms contradict the allocation, so no result can be trusted."""
    title = known(metric).title
    if alarm:
        withheld = f"{title}: no verdict, since the arms do not have the sizes that they were given."
        return Verdict(metric, title, "withheld", withheld, "")
    tte = next((each for each in found if each.kind == "tte"), None)
    taus = [each for each in found if each.kind == "tau"]
    if tte is None:
        return _only_a_test(metric, title, taus, len(found) > 1)
    corrected = links is not None and links.tte is not None
    whole = links.tte.share if corrected else tte.share
    if whole is None:
        return Verdict(metric, title, "unknown", _cannot_be_told(title, tte), "")
    if whole.high == np.inf and whole.low <= -1:
        # The bound of -100% follows from the metric, not from the data.
        few = f"{title}: what a deployment does cannot be told: too little for an interval, {whole.basis}."
        return Verdict(metric, title, "unknown", few, "")
    changed = whole.excludes_zero()
    beyond = _extrapolation(tte, found, links if corrected else None)
    assumed = assumption(design, tte, links, whole)
    interferes = _interferes(tests, design, links, drawn=not tte.rests_on)
    if not changed and (corrected or design == "switchback"):
        # The statement that no change was detected needs no assumption about trends.
        assumed = ""
    parts = [_sentence(title, tte, whole, assumed, links)]
    said, comparison, apart = "", "", False
    if taus and (test := taus[0].share) is not None:
        error, share = _error(test, whole), f"{taus[0].allocation:.0%} treated"
        apart = _apart(test, whole)
        parts.append(f"An A/B test with {share} says {says(test)}.")
        if error and assumed:
            # The previous sentence contains the full condition.
            condition = assumed if assumed in (ALIKE, NOTHING_ELSE) else "so"
            parts.append(f"If {condition}, it {error}.")
            error = f"{error}, if {condition}"
        elif error:
            parts.append(f"It {error}.")
        # If only one of the two results shows a change, and the other is unclear, neither is right or wrong.
        agrees = test.excludes_zero() == changed
        said, comparison = f"{share}: {says(test)}", error or ("agrees" if agrees else "")
    elif taus and taus[0].refused:
        parts.append(
            f"An A/B test with {taus[0].allocation:.0%} treated cannot be judged: {taus[0].refused}."
        )
    parts += _on_interference(interferes, design, links, apart)
    outcome = "assumed" if assumed and changed else judge(metric, whole, less_is_better)
    return Verdict(
        metric,
        title,
        outcome,
        decided=" ".join(parts),
        interference=interferes,
        deployed=f"{says(whole)}, if {assumed}" if assumed else says(whole),
        test=said,
        comparison=comparison,
        interval=whole,
        assumed=assumed,
        sure=" ".join(
            part for part in (_sure(whole, assumed, tte, links if corrected else None), _power(whole)) if part
        ),
        doubt=" ".join(
            part
            for part in (beyond, _doubt(design, assumed, links if corrected else None) if changed else "")
            if part
        ),
        todo=" ".join(_next(outcome, assumed, design, links)),
    )


def _sure(whole: Interval, assumed: str, tte: Estimate, links: LinkCheck | None) -> str:
    """Describes the basis of the interval."""
    only_if = f" only if {assumed}" if assumed in (ALIKE, NOTHING_ELSE) else ""
    taken = (
        f" The baseline difference between the links, {_size(links.relative(links.difference))}, is subtracted."
        if links is not None
        else ""
    )
    count = tte.days_left_out if links is None else links.tte.days_left_out
    left_out = ""
    if count:
        days, them = ("day is", "it") if count == 1 else ("days are", "them")
        left_out = (
            f" {count} more {days} left out: one of the groups has less than half of the usual hours, or the experiment began or "
            f"ended on {them}."
        )
    sure = f"The range in brackets holds the true change with 95% confidence{only_if}."
    return f"{sure} It rests on {whole.basis}.{left_out}{taken}"


#: The smallest effect that four of five experiments detect, as a multiple of half the width of a 95% interval of a
#: normal distribution: (1.96 + 0.84) / 1.96. With few days the multiple is smaller, but by at most 7% with five days or
#: more.
SHOWN_PER_HALF_WIDTH = 2.8 / 1.96


def least_shown(interval: Interval) -> float | None:
    """Returns the smallest effect that four of five such experiments detect; None if the interval is unbounded."""
    half = max(interval.high - interval.estimate, interval.estimate - interval.low)
    return float(SHOWN_PER_HALF_WIDTH * half) if np.isfinite(half) and half > 0 else None


def _power(interval: Interval, shown: str = "changes") -> str:
    least = least_shown(interval)
    return (
        ""
        if least is None
        else f"Such data show {shown} from about {100 * least:.2g}% on, in four of five cases."
    )


def _extrapolation(tte: Estimate, found: list[Estimate], links: LinkCheck | None) -> str:
    """Says that the change was extrapolated, and gives the measured difference; '' if it was not extrapolated."""
    if not tte.extrapolates():
        return ""
    low, high = tte.tried
    partial = next((each for each in found if each.kind == "partial" and each.allocation == high), None)
    measured = partial and partial.share
    if links is not None:
        measured = links.partial and links.partial.share
    beside = (
        f" Not extrapolated: the treated beside {high:.0%} differ from the untreated beside {low:.0%} by {_size(measured)}."
        if measured is not None
        else ""
    )
    return (
        f"This extrapolates linearly from {low:.0%} and {high:.0%} treated to none and all; a step between them would overturn "
        f"it.{beside}"
    )


def _doubt(design: str, assumed: str, links: LinkCheck | None) -> str:
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
    when = f"on {_day(first)}" if first == last else f"between {_day(first)} and {_day(last)}"
    return f"If one link also changed {when}, for example by another route or a holiday, that would look the same."


def _next(outcome: str, assumed: str, design: str, links: LinkCheck | None) -> list[str]:
    """Returns the next steps: the action after a change, or the data that a verdict would need."""
    if outcome == "changed":
        return ["Next: say whether that is good, with --less-is-better METRIC or --more-is-better METRIC."]
    if outcome == "better":
        return [
            "Next: this metric speaks for a deployment; hold out a small share of the sessions, and watch it there."
        ]
    if outcome == "worse":
        return ["Next: this metric speaks against a deployment; weigh it against those that improve."]
    if outcome == "assumed" and assumed.startswith(QUIET):
        return ["Next: look at the effect by hour of the day, and decide by the hours that matter."]
    if outcome == "assumed" and assumed.startswith("sessions without a value"):
        return [
            "Next: find out why an arm's sessions lack the value; a metric that each session has is safer."
        ]
    if design == "event":
        return ["Next: run a switchback, or paired links with a baseline."]
    if design == "switchback" and outcome == "assumed":
        return [
            "Next: draw by chance which window of every two is mostly treated, as an edge does, and repeat it."
        ]
    if design == "switchback":
        return ["Next: add windows; twice as many shorten the interval by about a third."]
    if links is None:
        return ["Next: a week or more of both links at the same allocation, before or after, would tell."]
    if links.tte is None:
        return ["Next: more days of both links at the same allocation would tell."]
    if outcome == "assumed" and assumed.startswith(NO_HOLIDAY):
        return ["Next: repeat it with a week or more of each; few holidays fill that."]
    if outcome == "assumed":
        return ["Next: find out what else changed on either link at that time, or repeat the experiment."]
    if links.noise is None:
        return []
    least = reach(links.noise, ENOUGH_DAYS)
    return [
        f"Next: {ENOUGH_DAYS} days of both links at the same allocation and {ENOUGH_DAYS} of the experiment would show changes "
        f"from about {100 * least:.2g}% on."
    ]


def _sentence(title: str, tte: Estimate, whole: Interval, assumed: str, links: LinkCheck | None) -> str:
    """Formats the change. The text claims an effect of a deployment only if that needs no assumption."""
    low, high = tte.between
    what = "deployed to all" if tte.between == (0, 1) else f"with {high:.0%} treated instead of {low:.0%}"
    if not whole.excludes_zero():
        assumed = f", if {assumed}" if assumed else ""
        return f"{title}: {what}, no change could be shown; it lies between {span(whole, 'and')}{assumed}."
    change = _size(whole)
    if not assumed:
        return f"{title}: {what}, {change}."
    if assumed == NOTHING_ELSE:
        return (
            f"{title}: {change} after the change. That is the effect of the treatment, {what}, only if {assumed}, "
            "which these data cannot show."
        )
    if assumed == ALIKE:
        reason = f": {links.refused}" if links is not None and links.refused else ""
        return (
            f"{title}: {change} on the mostly treated link. That is the effect of the treatment, {what}, only if {assumed}, "
            f"which was not checked{reason}."
        )
    return f"{title}: {what}, {change}, but only if {assumed}."


def _interferes(tests: list[InterferenceTest], design: str, links: LinkCheck | None, drawn: bool) -> str:
    """Returns whether the arms interfere, as far as the design shows interference. `drawn` means that the windows are
    consistent with randomization.

    In a switchback the allocations are randomized, so every test is valid. Paired links can differ for other reasons: a
    different level looks like a spillover, and if the effect is a share of the level, tau differs as well. Therefore
    interference of paired links requires that tau as a share of the level differs, or that a spillover remains after
    the baseline difference is subtracted. In an event study, anything can have changed together with the allocation.
    """
    if not tests:
        return ""
    taus = [test for test in tests if test.kind == "tau"]
    if design not in ("paired", "event"):
        spillovers = [test.p for test in tests if test.kind == "spillover"]
        found = _contradicted([test.p for test in taus], spillovers)
        return ("shown" if drawn else "perhaps") if found else "not found"
    left = None if links is None else links.p_of_spillover
    if design == "paired":
        if _contradicted([test.p_beside_level for test in taus], [] if left is None else [left]):
            return "shown"
        if left is not None:
            return "not found"
    return "perhaps" if any(test.contradicted for test in tests) else "not found"


def _contradicted(taus: list[float], spillovers: list[float]) -> bool:
    """Whether one of these p-values is significant, with an error rate of 5% for all tests of a metric together."""
    of_tau = OF_TAU if spillovers else FALSE_SHARE
    of_spillover = FALSE_SHARE - of_tau if taus else FALSE_SHARE
    return any(
        p <= share / len(values)
        for values, share in ((taus, of_tau), (spillovers, of_spillover))
        for p in values
    )


def _on_interference(interferes: str, design: str, links: LinkCheck | None, apart: bool) -> list[str]:
    """Formats the result on interference. `apart` means that the intervals of the A/B test and of the deployment are
    disjoint, although both would be equal without interference. This is not a separate test, because all tests of a
    metric share their 5%."""
    if interferes == "shown":
        return [
            "The arms interfere: sessions share the link, so each arm's result depends on the other's size."
        ]
    if interferes == "not found" and apart:
        return [
            "An error this large implies interference between the arms, although the tests of that alone do not show it."
        ]
    if interferes == "not found":
        return ["No interference between the arms was found."]
    if interferes != "perhaps":
        return []
    if design == "event":
        return [
            "Before and after differ: the arms interfere, or something else changed at that time. These data cannot tell which."
        ]
    if design == "switchback":
        return [
            "The windows' results differ: the arms interfere, or something else differs between these windows."
        ]
    parts = [
        "The links' results differ: the arms interfere, or the links are not alike. These data cannot tell which;"
    ]
    few = "they have too few days of both links at the same allocation."
    return [*parts, "a week or more of both links at the same allocation could." if links is None else few]


def _size(interval: Interval | None) -> str:
    return "" if interval is None else f"{percent(interval.estimate)} ({span(interval)})"


def _error(test: Interval, whole: Interval) -> str:
    """Describes the error of an A/B test about a deployment, if the intervals show an error."""
    if test.excludes_zero() and whole.excludes_zero() and test.estimate * whole.estimate < 0:
        return "gets the direction wrong"
    apart = _apart(test, whole)
    if whole.excludes_zero() and not test.excludes_zero():
        # A wide interval that contains both 0 and the deployment's effect is correct but useless.
        return "misses the change" if apart else "is too uncertain to show the change"
    return "gets the size wrong" if apart else ""


def _apart(one: Interval, other: Interval) -> bool:
    return one.low > other.high or one.high < other.low


def _cannot_be_told(title: str, tte: Estimate) -> str:
    if tte.refused:
        return f"{title}: what a deployment does cannot be told: {tte.refused}."
    if not np.any(tte.panel.z):
        return f"{title}: none, with the treatment or without."
    least = "none" if not np.any(tte.panel.z[tte.panel.treated == 0]) else "0 on average"
    return (
        f"{title}: {least} without the treatment, so that there is no percentage; with it "
        f"{float(np.mean(tte.panel.z[tte.panel.treated == 1])):.3g} on average."
    )


def _only_a_test(metric: str, title: str, taus: list[Estimate], several: bool) -> Verdict:
    tau = next((each for each in taus if each.robust is not None), None)
    interval = None if tau is None else tau.share
    if interval is None:
        reason = taus[0].refused if taus and taus[0].refused else "there is nothing to compare"
        return Verdict(metric, title, "unknown", f"{title}: no verdict: {reason}.", "")
    why = (
        "These sessions cannot tell what happens when all are treated."
        if several
        else "One allocation cannot tell what happens when all are treated."
    )
    sentence = (
        f"{title}: beside untreated sessions on the same link, treated ones have {says(interval)}. {why}"
    )
    todo = "Next: run a paired-link or switchback experiment."
    sure = _power(interval, "differences between the arms")
    return Verdict(metric, title, "unknown", sentence, "", sure=sure, todo=todo)


def judge(metric: str, interval: Interval, less_is_better: bool | None = None) -> str:
    if not interval.excludes_zero():
        return "unclear"
    less = known(metric).less_is_better if less_is_better is None else less_is_better
    if less is None:
        return "changed"
    return "better" if (interval.estimate < 0) == less else "worse"


def percent(value: float) -> str:
    """Formats a percentage with one decimal, or as many as the first nonzero digit of a small change needs."""
    size = abs(100 * value)
    if size < 0.5 * 10**-MOST_DIGITS:
        return "+0.0%"
    digits = min(int(np.ceil(-np.log10(size))), MOST_DIGITS) if size < 0.05 else 1
    return f"{100 * value:+.{digits}f}%".replace("-", "−")


def span(interval: Interval, word: str = "to") -> str:
    return f"{percent(interval.low)} {word} {percent(interval.high)}".replace("−inf%", "−∞").replace(
        "+inf%", "+∞"
    )


def says(interval: Interval) -> str:
    if not interval.excludes_zero():
        return f"no clear change ({span(interval)})"
    return _size(interval)
