"""What the estimates mean, in a sentence for people who decide. All intervals here are those robust to days."""

from dataclasses import dataclass

import numpy as np

from .appendix_b import Interval
from .estimands import Estimate, InterferenceTest
from .links import LinkCheck
from .schema import metric as known


@dataclass(frozen=True)
class Verdict:
    metric: str
    title: str
    #: 'better', 'worse', 'changed' (a metric of which nobody said what is better), 'unclear' or 'unknown'.
    outcome: str
    sentence: str
    #: Whether the arms interfere, so that an A/B test alone misleads: 'shown', 'perhaps', 'not found', or '' if not tested.
    interference: str
    #: The effect of a deployment, what the A/B test with the fewest treated says, and whether that is right; "" if not known.
    deployed: str = ""
    test: str = ""
    comparison: str = ""


#: Shares that are still smaller come from rounding.
MOST_DIGITS = 7

#: Without interference it is said of this share of metrics.
FALSE_SHARE = 0.05
#: Of that the tests of τ get so much, where a spillover is tested as well. That gets the larger part, since six pairs of
#: windows, or twelve, have no p-value below 2 of 64.
OF_TAU = 0.01

#: What has to hold so that what differs between allocations comes from these, where the design does not see to it.
ASSUMED = {"paired": "the links are alike", "event": "nothing else changed at that time"}


def verdict(
    metric: str,
    found: list[Estimate],
    tests: list[InterferenceTest],
    design: str,
    links: LinkCheck | None = None,
) -> Verdict:
    """`links`: what paired links differ by anyway, if the data tell it; it is taken off where it can be."""
    title = known(metric).title
    tte = next((each for each in found if each.kind == "tte"), None)
    taus = [each for each in found if each.kind == "tau"]
    if tte is None:
        return _only_a_test(metric, title, taus, len(found) > 1)
    corrected = links is not None and links.taken_off
    whole = tte.relative(links.tte if corrected else tte.robust)
    if whole is None:
        return Verdict(metric, title, "unknown", _cannot_be_told(title, tte), "")
    if not np.isfinite([whole.low, whole.high]).any():
        few = f"{title}: what a deployment does cannot be told: too little for an interval, {whole.basis}."
        return Verdict(metric, title, "unknown", few, "")
    lasts = "" if corrected and links.proven else "what the links differ by does not change"
    assumed = lasts if corrected else ASSUMED.get(design, "")
    interferes = _interferes(tests, design, links if corrected and links.proven else None)
    parts = [f"{title}: {_deployed(whole)}"]
    if corrected:
        parts.append(
            f"Taken off is what the links differ by anyway, {_size(links.relative(links.difference))}."
        )
    said, comparison = "", ""
    if taus and (test := taus[0].relative(taus[0].robust)) is not None:
        error, share = _error(test, whole), f"{taus[0].allocation:.0%} treated"
        parts.append(f"An A/B test with {share} says {says(test)}.")
        if error and assumed:
            parts.append(f"If {assumed}, it {error}.")
            error = f"{error}, if {assumed}"
        elif error:
            parts.append(f"It {error}.")
        # Where one of them shows a change and the other is not clear, neither is right or wrong.
        agrees = test.excludes_zero() == whole.excludes_zero()
        said, comparison = f"{share}: {says(test)}", error or ("agrees" if agrees else "")
    parts += _on_interference(interferes, design, links)
    outcome = judge(metric, whole)
    return Verdict(metric, title, outcome, " ".join(parts), interferes, says(whole), said, comparison)


def _interferes(tests: list[InterferenceTest], design: str, links: LinkCheck | None) -> str:
    """Whether the arms interfere, by what the design can tell.

    In a switchback chance deals the allocations out, so that any test tells. Paired links can differ by anything else: by
    their level, which looks like a spillover, and then also tau differs where the effect is a share of the level. So tau
    has to differ as such a share too, or the spillover has to be there less what the links differ by anyway. In an event
    study anything can have changed with the allocation.
    """
    if not tests:
        return ""
    taus = [test for test in tests if test.kind == "tau"]
    if design not in ASSUMED:
        spillovers = [test.p for test in tests if test.kind == "spillover"]
        return "shown" if _contradicted([test.p for test in taus], spillovers) else "not found"
    left = None if links is None else links.p_of_spillover
    if design == "paired":
        if _contradicted([test.p_beside_level for test in taus], [] if left is None else [left]):
            return "shown"
        if left is not None:
            return "not found"
    return "perhaps" if any(test.contradicted for test in tests) else "not found"


def _contradicted(taus: list[float], spillovers: list[float]) -> bool:
    """Whether one of these p-values is small for one of so many: all tests of a metric together are to be wrong in 5%."""
    of_tau = OF_TAU if spillovers else FALSE_SHARE
    of_spillover = FALSE_SHARE - of_tau if taus else FALSE_SHARE
    return any(
        p <= share / len(values)
        for values, share in ((taus, of_tau), (spillovers, of_spillover))
        for p in values
    )


def _on_interference(interferes: str, design: str, links: LinkCheck | None) -> list[str]:
    if interferes == "shown":
        return [
            "The arms interfere: sessions share the link, so each arm's result depends on the other's size."
        ]
    if interferes == "not found":
        return ["No interference between the arms was found."]
    if interferes != "perhaps":
        return []
    if design == "event":
        return [
            "Before and after differ: the arms interfere, or something else changed at that time. These data cannot tell which."
        ]
    parts = [
        "The links' results differ: the arms interfere, or the links are not alike. These data cannot tell which;"
    ]
    if links is None:
        parts.append("four days or more of both links at the same allocation could.")
    elif not links.lasting:
        drift = links.relative(links.drift)
        parts.append(
            f"what the links differ by at the same allocation changes, by {'' if drift is None else _size(drift)} a day."
        )
    else:
        parts.append("they have too few days of both links at the same allocation.")
    return parts


def _size(interval: Interval | None) -> str:
    return "" if interval is None else f"{percent(interval.estimate)} ({span(interval)})"


def _error(test: Interval, whole: Interval) -> str:
    """How an A/B test is wrong about a deployment, where intervals show it."""
    if test.excludes_zero() and whole.excludes_zero() and test.estimate * whole.estimate < 0:
        return "gets the direction wrong"
    apart = test.low > whole.high or test.high < whole.low
    if whole.excludes_zero() and not test.excludes_zero():
        # A wide interval that holds both 0 and what a deployment does is not wrong, and of no use.
        return "misses the change" if apart else "is too uncertain to show the change"
    return "gets the size wrong" if apart else ""


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
    interval = None if tau is None else tau.relative(tau.robust)
    if interval is None:
        reason = taus[0].refused if taus and taus[0].refused else "there is nothing to compare"
        return Verdict(metric, title, "unknown", f"{title}: no verdict: {reason}.", "")
    why = (
        "From these sessions nobody can tell what happens when all are treated."
        if several
        else "With one allocation nobody can tell what happens when all are treated: run a paired-link or switchback experiment."
    )
    sentence = (
        f"{title}: beside untreated sessions on the same link, treated ones have {says(interval)}. {why}"
    )
    return Verdict(metric, title, "unknown", sentence, "")


def judge(metric: str, interval: Interval) -> str:
    if not interval.excludes_zero():
        return "unclear"
    less = known(metric).less_is_better
    if less is None:
        return "changed"
    return "better" if (interval.estimate < 0) == less else "worse"


def percent(value: float) -> str:
    """With a digit after the point, or as many as it takes to the first that is not 0: a small change is one."""
    size = abs(100 * value)
    digits = min(int(np.ceil(-np.log10(size))), MOST_DIGITS) if 0 < size < 0.05 else 1
    return f"{100 * value:+.{digits}f}%".replace("-", "−")


def span(interval: Interval, word: str = "to") -> str:
    return f"{percent(interval.low)} {word} {percent(interval.high)}".replace("−inf%", "−∞").replace(
        "+inf%", "+∞"
    )


def says(interval: Interval) -> str:
    if not interval.excludes_zero():
        return f"no clear change ({span(interval)})"
    return _size(interval)


def _deployed(interval: Interval) -> str:
    if not interval.excludes_zero():
        return f"deployed to all, no change could be shown; it lies between {span(interval, 'and')}."
    return f"deployed to all, {_size(interval)}."
