"""Verdicts: sentences that explain the estimates to decision makers. All their intervals are the day-robust ones.

A sentence claims no more than the design and the checks can show. A claim that needs an assumption names the
assumption, and counts as neither better nor worse.
"""

from dataclasses import dataclass

import numpy as np

from ..estimators.appendix_b import ROUNDING, Interval
from ..estimators.estimands import Estimate, InterferenceTest
from ..estimators.links import BELOW_NOTHING, Corrected, LinkCheck
from ..reading.schema import metric as known
from .assumptions import (
    ALIKE,
    NOTHING_ELSE,
    describe_doubt,
    describe_extrapolation,
    find_assumptions,
    join_assumptions,
)
from .certainty import describe_basis, describe_power
from .interference import assess_interference, describe_interference
from .next_steps import next_steps
from .numbers import Amount, bounded_interval, describe_change, says, span

#: The reason why a change is in the metric's unit.
NO_PERCENTAGE = "Its mean without the treatment is too close to 0 for a percentage."


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
    #: The effect of a deployment, as text; '' if unknown.
    deployed: str = ""
    #: The result of the A/B test with the fewest treated, as text; '' if unknown.
    test: str = ""
    #: Whether that result is right, as text; '' if unknown.
    comparison: str = ""
    #: The interval in the figure of the verdicts; None if unknown.
    interval: Interval | None = None
    #: The unproven assumptions of a change, as text; '' for none.
    assumed: str = ""
    #: The certainty, as text; '' for none.
    sure: str = ""
    #: Possible objections, as text; '' for none.
    doubt: str = ""
    #: The next step, as text; '' for none.
    todo: str = ""

    @property
    def sentence(self) -> str:
        """All parts of the verdict, in this order."""
        return " ".join(part for part in (self.decided, self.sure, self.doubt, self.todo) if part)


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
    if links is not None and links.refused == BELOW_NOTHING:
        # The baseline has shown that the links differ, so that the uncorrected difference is no effect either.
        untold = f"{title}: what a deployment does cannot be told: {links.refused}."
        return Verdict(metric, title, "unknown", untold, "")
    corrected = links is not None and links.tte is not None
    effect = links.tte.step.interval if corrected else tte.robust
    mean = links.tte.mean if corrected else tte.mean
    whole = bounded_interval(links.tte.share if corrected else tte.share, effect, metric)
    if whole is None or _is_always_zero(tte):
        return Verdict(metric, title, "unknown", _cannot_be_told(title, tte), "")
    if whole.high == np.inf and whole.low <= -1:
        # The bound of -100% follows from the metric, not from the data.
        few = f"{title}: what a deployment does cannot be told: too little for an interval, {whole.basis}."
        return Verdict(metric, title, "unknown", few, "")
    changed = whole.excludes_zero()
    beyond = describe_extrapolation(tte, found, links if corrected else None)
    assumed = find_assumptions(design, tte, mean, links, whole)
    interferes = assess_interference(tests, design, links, drawn=not tte.rests_on)
    parts = [_sentence(title, tte, whole, assumed, links)]
    if isinstance(whole, Amount):
        parts.append(NO_PERCENTAGE)
    said, comparison, apart = "", "", False
    if taus and (test := _test_interval(taus[0], whole)) is not None:
        apart = _differ(taus[0], links.tte) if corrected else _apart(test, whole)
        # Effects at different hours of the day may differ.
        apart = apart and np.array_equal(taus[0].hours, (links.tte if corrected else tte).hours)
        error, share = _error(test, whole, apart), f"{taus[0].allocation:.0%} treated"
        parts.append(f"An A/B test with {share} says {says(test)}.")
        if error and assumed:
            # The previous sentence contains the full condition.
            condition = assumed[0] if assumed in ((ALIKE,), (NOTHING_ELSE,)) else "so"
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
    parts += describe_interference(interferes, design, links, apart, bool(assumed))
    outcome = "assumed" if assumed and changed else judge(metric, whole, less_is_better)
    return Verdict(
        metric,
        title,
        outcome,
        decided=" ".join(parts),
        interference=interferes,
        deployed=says(whole) + (f", if {join_assumptions(assumed)}" if assumed else ""),
        test=said,
        comparison=comparison,
        interval=whole,
        assumed=join_assumptions(assumed),
        sure=" ".join(
            part
            for part in (
                describe_basis(whole, assumed, tte, links if corrected else None),
                describe_power(_without_level(whole, effect, mean)),
            )
            if part
        ),
        doubt=" ".join(
            part
            for part in (
                beyond,
                describe_doubt(design, assumed, links if corrected else None) if changed else "",
            )
            if part
        ),
        todo=" ".join(next_steps(outcome, assumed, design, links)),
    )


def _sentence(
    title: str, tte: Estimate, whole: Interval, assumed: tuple[str, ...], links: LinkCheck | None
) -> str:
    """Formats the change. The text claims an effect of a deployment only if that needs no assumption."""
    low, high = tte.between
    what = "deployed to all" if tte.between == (0, 1) else f"with {high:.0%} treated instead of {low:.0%}"
    conditions = join_assumptions(assumed)
    if not whole.excludes_zero():
        if_assumed = f", if {conditions}" if assumed else ""
        return f"{title}: {what}, no change could be shown; it lies between {span(whole, 'and')}{if_assumed}."
    change = describe_change(whole)
    if not assumed:
        return f"{title}: {what}, {change}."
    others = f", and if {join_assumptions(assumed[1:])}" if len(assumed) > 1 else ""
    if assumed[0] == NOTHING_ELSE:
        return (
            f"{title}: {change} after the change. That is the effect of the treatment, {what}, only if {NOTHING_ELSE}, "
            f"which these data cannot show{others}."
        )
    if assumed[0] == ALIKE:
        reason = f": {links.refused}" if links is not None and links.refused else ""
        return (
            f"{title}: {change} on the mostly treated link. That is the effect of the treatment, {what}, only if {ALIKE}, "
            f"which was not checked{reason}{others}."
        )
    return f"{title}: {what}, {change}, but only if {conditions}."


def _error(test: Interval, whole: Interval, apart: bool) -> str:
    """Describes the error of an A/B test about a deployment, if the intervals show an error. `apart` means that they have no
    value in common."""
    if test.excludes_zero() and whole.excludes_zero() and test.estimate * whole.estimate < 0:
        return "gets the direction wrong"
    if whole.excludes_zero() and not test.excludes_zero():
        # A wide interval that contains both 0 and the deployment's effect is correct but useless.
        return "misses the change" if apart else "is too uncertain to show the change"
    return "gets the size wrong" if apart else ""


def _differ(tau: Estimate, tte: Corrected) -> bool:
    """Whether the effects on two links differ both in the metric's unit and as shares of the links' own means, and also if the
    links' difference is proportional to their level. Links of different levels may have either in common."""
    pairs = (tau.robust, tte.step.interval), (tau.robust, tte.if_proportional), (tau.share, tte.share)
    return all(_apart(*pair) for pair in pairs if None not in pair)


def _apart(one: Interval, other: Interval) -> bool:
    """Whether two intervals have no value in common, by more than rounding errors."""
    rounding = ROUNDING * max(abs(one.estimate), abs(other.estimate))
    return one.low > other.high + rounding or one.high < other.low - rounding


def _is_always_zero(each: Estimate) -> bool:
    """Whether the metric is 0 in every session."""
    return each.panel is not None and not np.any(each.panel.z)


def _cannot_be_told(title: str, tte: Estimate) -> str:
    if tte.refused:
        return f"{title}: what a deployment does cannot be told: {tte.refused}."
    if _is_always_zero(tte):
        return f"{title}: none, with the treatment or without."
    basis = "" if tte.robust is None else f", {tte.robust.basis}"
    return f"{title}: what a deployment does cannot be told: too little for an interval{basis}."


def _test_interval(tau: Estimate, whole: Interval) -> Interval | None:
    """Returns the interval of an A/B test in the unit of the deployment's interval."""
    if isinstance(whole, Amount):
        return bounded_interval(None, tau.robust, tau.metric)
    return tau.share


def _without_level(whole: Interval, effect: Interval, mean: float) -> Interval:
    """Returns the effect in the unit of `whole`, as a share of an exactly known mean.

    The interval of a percentage is wider for a large change, because the mean is uncertain, but whether it excludes 0
    depends only on the effect.
    """
    return whole if isinstance(whole, Amount) else effect.over(mean)


def _only_a_test(metric: str, title: str, taus: list[Estimate], several: bool) -> Verdict:
    tau = next((each for each in taus if each.robust is not None), None)
    interval = None if tau is None else bounded_interval(tau.share, tau.robust, metric)
    if interval is not None and _is_always_zero(tau):
        return Verdict(metric, title, "unknown", f"{title}: none, with the treatment or without.", "")
    if interval is None:
        reason = taus[0].refused if taus and taus[0].refused else "there is nothing to compare"
        return Verdict(metric, title, "unknown", f"{title}: no verdict: {reason}.", "")
    why = (
        "These sessions cannot tell what happens when all are treated."
        if several
        else "One allocation cannot tell what happens when all are treated."
    )
    unit = f" {NO_PERCENTAGE}" if isinstance(interval, Amount) else ""
    sentence = f"{title}: beside untreated sessions on the same link, treated ones have {says(interval)}.{unit} {why}"
    todo = "Next: run a paired-link or switchback experiment."
    sure = describe_power(_without_level(interval, tau.robust, tau.mean), "differences between the arms")
    return Verdict(metric, title, "unknown", sentence, "", sure=sure, todo=todo)


def judge(metric: str, interval: Interval, less_is_better: bool | None = None) -> str:
    if not interval.excludes_zero():
        return "unclear"
    less = known(metric).less_is_better if less_is_better is None else less_is_better
    if less is None:
        return "changed"
    return "better" if (interval.estimate < 0) == less else "worse"
