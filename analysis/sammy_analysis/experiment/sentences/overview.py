"""Describes a whole analysis for the page and the printed output: its design, the caveat of the design, the verdicts,
and a note on chance.

report.py, verdicts.py and the `analyze` command call this module, which must not depend on whether it writes to a page or to a
terminal.
"""

from ..analyze import Analysis
from ..estimators.links import BELOW_NOTHING
from .verdict import Verdict, verdict

DESIGN_WORDS = {
    "ab": "an A/B test with one allocation",
    "paired": "paired links: at the same time one link mostly treated, another mostly not",
    "switchback": "a switchback: the same network mostly treated in some windows of time and mostly not in others",
    "event": "an event study: mostly untreated before a change, mostly treated after it",
}
#: The fundamental limitation of each design, which no amount of data removes.
DESIGN_CAVEATS = {
    "paired": "Paired links are assumed to be alike without the treatment: any other difference counts as its effect. Add "
    "sessions of both links from before the experiment, and the baseline difference is subtracted.",
    "switchback": "A switchback assumes that a window does not affect the next one: --washout leaves out the hours after each "
    "change.",
    "event": "An event study cannot tell the change from anything else that happened at that time, such as weekends, holidays "
    "or other releases.",
}
#: The remaining limitation if the links were also compared without the treatment.
AT_THE_SAME_TIME = (
    "A lasting change of one link on or near the first day of the experiment would look like the treatment's effect; each "
    "metric names the days on which it could not be told apart."
)
#: If a report has at least this many intervals, it warns that some exclude 0 by chance.
MANY = 5


def make_verdicts(result: Analysis) -> list[Verdict]:
    """Returns the verdicts, or no verdict for any metric if the sample ratio raises an alarm."""
    alarm = any(each.alarm for each in result.sample)
    options = result.options
    return [
        verdict(
            metric,
            found,
            result.tests[metric],
            options.design,
            result.links.get(metric),
            alarm,
            options.less_is_better(metric),
        )
        for metric, found in result.found.items()
    ]


def chance_note(verdicts: list[Verdict]) -> str:
    """Returns the expected number of false changes among many metrics with 95% intervals; '' for few metrics."""
    told = sum(each.deployed != "" for each in verdicts)
    if told < MANY:
        return ""
    return f" Expect {told / 20:.1g} false changes among {told} metrics that nothing affects."


def design_caveat(result: Analysis) -> str:
    """Returns the caveat of the design, or a weaker caveat if all verdicts subtract the links' difference."""
    links = [result.links.get(metric) for metric in result.found]
    told = bool(links) and all(
        each is not None and (each.tte is not None or each.refused == BELOW_NOTHING) for each in links
    )
    return AT_THE_SAME_TIME if told else DESIGN_CAVEATS.get(result.options.design, "")
