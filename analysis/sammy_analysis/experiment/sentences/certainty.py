"""The certainty of a result: the basis of its interval, and the effects that such data show.

verdict.py calls this module, which must not depend on other possible causes of a change.
"""

import numpy as np

from ..estimators.appendix_b import ROUNDING, Interval
from ..estimators.estimands import Estimate
from ..estimators.links import LinkCheck
from .assumptions import ALIKE, NOTHING_ELSE
from .numbers import bounded_interval, describe_change, format_size


def describe_basis(whole: Interval, assumed: tuple[str, ...], tte: Estimate, links: LinkCheck | None) -> str:
    """Describes the basis of the interval."""
    only_if = ""
    if assumed in ((ALIKE,), (NOTHING_ELSE,)):
        only_if = f" only if {assumed[0]}"
    elif assumed:
        only_if = " only under " + ("this condition" if len(assumed) == 1 else "these conditions")
    taken = ""
    if links is not None:
        difference = bounded_interval(links.relative_difference, links.difference, tte.metric)
        taken = f" The baseline difference between the links, {describe_change(difference)}, is subtracted."
    count = tte.days_left_out if links is None else links.tte.days_left_out
    left_out = ""
    if count:
        days, them = ("day is", "it") if count == 1 else ("days are", "them")
        left_out = (
            f" {count} more {days} left out: one of the groups has less than half of the usual hours, or the experiment began or "
            f"ended on {them}."
        )
    hours = (tte if links is None else links.tte).hours
    if tte.panel is not None and (hours_left_out := len(np.unique(tte.panel.hour_of_day)) - len(hours)):
        are = "hour of the day is" if hours_left_out == 1 else "hours of the day are"
        left_out += f" {hours_left_out} {are} left out: one of the groups seldom has sessions then."
    sure = f"The first range holds the true change with 95% confidence{only_if}."
    return f"{sure} It rests on {whole.basis}.{left_out}{taken}"


#: The smallest effect that four of five experiments detect, as a multiple of half the width of a 95% interval of a
#: normal distribution: (1.96 + 0.84) / 1.96. With few days the multiple is smaller, but by at most 7% with five days or
#: more.
SHOWN_PER_HALF_WIDTH = 2.8 / 1.96


def least_shown(interval: Interval) -> float | None:
    """Returns the smallest effect that four of five such experiments detect; None if the interval is unbounded."""
    half = max(interval.high - interval.estimate, interval.estimate - interval.low)
    is_known = np.isfinite(half) and half > ROUNDING * abs(interval.estimate)
    return float(SHOWN_PER_HALF_WIDTH * half) if is_known else None


def describe_power(interval: Interval, shown: str = "changes") -> str:
    least = least_shown(interval)
    return (
        ""
        if least is None
        else f"Such data show {shown} from about {format_size(interval, least)} on, in four of five cases."
    )
