"""Whether the arms of an experiment interfere, as far as the design shows that.

verdict.py calls this module, which must not depend on the effect of a deployment.
"""

from ..estimators.estimands import InterferenceTest
from ..estimators.links import LinkCheck

#: The allowed share of metrics with a false report of interference.
FALSE_SHARE = 0.05
#: The part of `FALSE_SHARE` for the tests of τ, if spillover is also tested. The test of spillover gets the other 4%,
#: because its p-value cannot be smaller than 2 / 2^6 = 3.1% with six pairs of windows.
OF_TAU = 0.01


def assess_interference(
    tests: list[InterferenceTest], design: str, links: LinkCheck | None, drawn: bool
) -> str:
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
        found = contradicted([test.p for test in taus], spillovers)
        return ("shown" if drawn else "perhaps") if found else "not found"
    left = None if links is None else links.p_of_spillover
    if design == "paired":
        if contradicted([test.p_beside_level for test in taus], [] if left is None else [left]):
            return "shown"
        if links is not None and links.tte is not None:
            return "not found" if taus or left is not None else ""
    return "perhaps" if any(test.contradicted for test in tests) else "not found"


def contradicted(taus: list[float], spillovers: list[float]) -> bool:
    """Whether one of these p-values is significant, with an error rate of 5% for all tests of a metric together."""
    of_tau = OF_TAU if spillovers else FALSE_SHARE
    of_spillover = FALSE_SHARE - of_tau if taus else FALSE_SHARE
    return any(
        p <= share / len(values)
        for values, share in ((taus, of_tau), (spillovers, of_spillover))
        for p in values
    )


def describe_interference(
    interferes: str, design: str, links: LinkCheck | None, apart: bool, assumed: bool
) -> list[str]:
    """Formats the result on interference. `apart` means that the intervals of the A/B test and of the deployment are
    disjoint, although both would be equal without interference. This is not a separate test, because all tests of a
    metric share their 5%. `assumed` means that the interval of the deployment needs an assumption."""
    if interferes == "shown":
        return [
            "The arms interfere: sessions share the link, so each arm's result depends on the other's size."
        ]
    if interferes == "not found" and apart:
        implies = "would imply" if assumed else "implies"
        return [
            f"An error this large {implies} interference between the arms, although the tests of that alone do not show it."
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
