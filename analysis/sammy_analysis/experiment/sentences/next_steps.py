"""The advice at the end of a verdict: what to do after a change, or which data a verdict would need.

verdict.py calls this module, which must not depend on the size of the change.
"""

from ..estimators.links import LinkCheck
from ..estimators.steps.power import reach
from .assumptions import NO_HOLIDAY, QUIET, SAME_DIFFERENCE
from .numbers import significant

#: The number of days per period that is recommended as sufficient.
ENOUGH_DAYS = 28


def next_steps(outcome: str, assumed: tuple[str, ...], design: str, links: LinkCheck | None) -> list[str]:
    """Returns the next steps: the action after a change, or the data that a verdict would need."""

    def assumes(beginning: str) -> bool:
        return any(each.startswith(beginning) for each in assumed)

    if outcome == "changed":
        return ["Next: say whether that is good, with --less-is-better METRIC or --more-is-better METRIC."]
    if outcome == "better":
        return [
            "Next: this metric speaks for a deployment; hold out a small share of the sessions, and watch it there."
        ]
    if outcome == "worse":
        return ["Next: this metric speaks against a deployment; weigh it against those that improve."]
    if assumes(QUIET):
        return ["Next: look at the effect by hour of the day, and decide by the hours that matter."]
    if assumes("sessions without a value"):
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
    if assumes(SAME_DIFFERENCE):
        return ["Next: repeat it with links of one level, or while their level stays the same."]
    if outcome == "assumed" and assumes(NO_HOLIDAY):
        return ["Next: repeat it with a week or more of each; few holidays fill that."]
    if outcome == "assumed":
        return ["Next: find out what else changed on either link at that time, or repeat the experiment."]
    if links.noise is None:
        return []
    least = reach(links.noise, ENOUGH_DAYS)
    return [
        f"Next: {ENOUGH_DAYS} days of both links at the same allocation and {ENOUGH_DAYS} of the experiment would show changes "
        f"from about {significant(100 * least, 2)}% on."
    ]
