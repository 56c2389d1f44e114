"""What the estimates mean, in a sentence for people who decide. All intervals here are those robust to days."""

from dataclasses import dataclass

import numpy as np

from .appendix_b import Interval
from .estimands import Estimate, InterferenceTest
from .schema import metric as known


@dataclass(frozen=True)
class Verdict:
    metric: str
    title: str
    #: 'better', 'worse', 'changed' (a metric of which nobody said what is better), 'unclear' or 'unknown'.
    outcome: str
    sentence: str
    #: Whether an A/B test alone misleads; None where this cannot be told.
    misleading: bool | None
    #: The effect of a deployment, what the A/B test with the fewest treated says, and whether that is right; "" if not known.
    deployed: str = ""
    test: str = ""
    comparison: str = ""


def verdict(metric: str, found: list[Estimate], tests: list[InterferenceTest]) -> Verdict:
    title = known(metric).title
    tte = next((each for each in found if each.kind == "tte"), None)
    taus = [each for each in found if each.kind == "tau"]
    interferes = any(test.contradicted for test in tests)
    if tte is None:
        return _only_a_test(metric, title, taus, len(found) > 1)
    whole = tte.relative(tte.robust)
    if whole is None:
        return Verdict(metric, title, "unknown", _cannot_be_told(title, tte), None)
    outcome = judge(metric, whole)
    parts = [f"{title}: {_deployed(whole)}"]
    said, comparison = "", ""
    if taus and (test := taus[0].relative(taus[0].robust)) is not None:
        error, share = _error(test, whole), f"{taus[0].allocation:.0%} treated"
        parts.append(f"An A/B test with {share} says {says(test)}.")
        if error:
            parts.append(f"It {error}.")
        # Where one of them shows a change and the other is not clear, neither is right or wrong.
        agrees = test.excludes_zero() == whole.excludes_zero()
        said, comparison = f"{share}: {says(test)}", error or ("agrees" if agrees else "")
    if interferes:
        parts.append(
            "The arms interfere: sessions share the link, so each arm's result depends on the other's size."
        )
    elif tests:
        parts.append("No interference between the arms was found.")
    return Verdict(metric, title, outcome, " ".join(parts), interferes, says(whole), said, comparison)


def _error(test: Interval, whole: Interval) -> str:
    """How an A/B test is wrong about a deployment, where intervals show it."""
    if test.excludes_zero() and whole.excludes_zero() and test.estimate * whole.estimate < 0:
        return "gets the direction wrong"
    if whole.excludes_zero() and not test.excludes_zero():
        return "misses the change"
    if test.low > whole.high or test.high < whole.low:
        return "gets the size wrong"
    return ""


def _cannot_be_told(title: str, tte: Estimate) -> str:
    if tte.refused:
        return f"{title}: what a deployment does cannot be told: {tte.refused}."
    if not np.any(tte.panel.z):
        return f"{title}: none, with the treatment or without."
    return (
        f"{title}: none without the treatment, so that there is no percentage; with it "
        f"{float(np.mean(tte.panel.z[tte.panel.treated == 1])):.3g} on average."
    )


def _only_a_test(metric: str, title: str, taus: list[Estimate], several: bool) -> Verdict:
    tau = next((each for each in taus if each.robust is not None), None)
    interval = None if tau is None else tau.relative(tau.robust)
    if interval is None:
        reason = taus[0].refused if taus and taus[0].refused else "there is nothing to compare"
        return Verdict(metric, title, "unknown", f"{title}: no verdict: {reason}.", None)
    why = (
        "From these sessions nobody can tell what happens when all are treated."
        if several
        else "With one allocation nobody can tell what happens when all are treated: run a paired-link or switchback experiment."
    )
    sentence = (
        f"{title}: beside untreated sessions on the same link, treated ones have {says(interval)}. {why}"
    )
    return Verdict(metric, title, "unknown", sentence, None)


def judge(metric: str, interval: Interval) -> str:
    if not interval.excludes_zero():
        return "unclear"
    less = known(metric).less_is_better
    if less is None:
        return "changed"
    return "better" if (interval.estimate < 0) == less else "worse"


def percent(value: float) -> str:
    return f"{100 * value:+.1f}%".replace("-", "−")


def span(interval: Interval, word: str = "to") -> str:
    return f"{percent(interval.low)} {word} {percent(interval.high)}".replace("−inf%", "−∞").replace(
        "+inf%", "+∞"
    )


def says(interval: Interval) -> str:
    if not interval.excludes_zero():
        return f"no clear change ({span(interval)})"
    return f"{percent(interval.estimate)} ({span(interval)})"


def _deployed(interval: Interval) -> str:
    if not interval.excludes_zero():
        return f"deployed to all, no change could be shown; it lies between {span(interval, 'and')}."
    return f"deployed to all, {percent(interval.estimate)} ({span(interval)})."
