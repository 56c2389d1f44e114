"""The part of the report on verdicts: their figure, their table, and each verdict in full.

report.py calls this module, which must not compute anything from estimates.
"""

from html import escape

import numpy as np

from ...page import table
from ..analyze import Analysis
from ..estimators.appendix_b import Interval
from ..sentences.numbers import Amount, describe_change, significant
from ..sentences.overview import chance_note, design_caveat
from ..sentences.verdict import Verdict

#: The text of a verdict's mark, which is shown in addition to its color.
OUTCOMES = {
    "better": "better",
    "worse": "worse",
    "changed": "changed",
    "unclear": "not clear",
    "assumed": "if",
}


def draw_verdicts(verdicts: list[Verdict]) -> str:
    """Draws one row per metric, as wide as the window, with the metric's title and verdict, and its interval relative
    to no change."""
    told = [each for each in verdicts if each.interval is not None]
    if not told:
        return ""
    # An amount in a metric's own unit has no place on an axis in %, so only its text is shown.
    shares = [each.interval for each in told if not isinstance(each.interval, Amount)]
    ends = [abs(end) for each in shares for end in (each.low, each.estimate, each.high)]
    # Changes of exactly 0, as of a constant metric, do not determine the axis.
    ends = [end for end in ends if np.isfinite(end) and end > 0]
    # Limit the axis, so that a single very long interval does not compress the others.
    reach = min(max(ends), 3 * float(np.median(ends))) if ends else None
    rows = "".join(
        f'<div class="effect {each.outcome}"><span class=name>{escape(each.title)}</span>'
        f"<span class=size>{escape(_short(each))}</span>"
        f"{'' if reach is None or isinstance(each.interval, Amount) else _bar(each.interval, reach)}</div>"
        for each in told
    )
    drawn = f"<div class=effects>{rows}</div>"
    if reach is None:
        return drawn
    beyond = "; an arrow goes on beyond" if "class=beyond" in rows else ""
    return (
        f"{drawn}<p class=note>Change in % of the mean without the treatment, with 95% intervals; the line in the middle is no "
        f"change, the edges are ±{significant(100 * reach, 2)}%{beyond}.</p>"
    )


def _short(each: Verdict) -> str:
    return f"{OUTCOMES[each.outcome]}: {describe_change(each.interval)}{f', if {each.assumed}' if each.assumed else ''}"


def _bar(interval: Interval, reach: float) -> str:
    low, at, high = (
        50 + 50 * float(np.clip(end / reach, -1, 1))
        for end in (interval.low, interval.estimate, interval.high)
    )
    # If the estimate is out of range, draw an arrow instead of a mark at the edge.
    mark = f'<path class=at d="M{at:.1f} 1V7"/>'
    if abs(interval.estimate) > reach:
        mark = f'<path class=beyond d="{"M0 4L4 0" if interval.estimate < 0 else "M100 4L96 0"}V8Z"/>'
    return (
        '<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><path class=zero d="M50 0V8"/>'
        f'<path class=reach d="M{low:.1f} 4H{high:.1f}"/>{mark}</svg>'
    )


def verdicts_section(verdicts: list[Verdict], result: Analysis) -> str:
    text = "<h2>What it says, metric by metric</h2>"
    if not verdicts:
        text += "<p>Nothing can be said of any metric; below is why.</p>"
    misled, perhaps = (
        escape(", ".join(each.title for each in verdicts if each.interference == found))
        for found in ("shown", "perhaps")
    )
    if misled or perhaps:
        shows = f" Here that shows in {misled}." if misled else ""
        confounded = (
            "the links are not alike" if result.options.design == "paired" else "something else changed"
        )
        may = f" It may be why allocations differ in {perhaps}, or {confounded}." if perhaps else ""
        text += (
            "<p><strong>Do not decide by the A/B test alone.</strong> Sessions that share a link take room from each other, "
            f"so that each arm's result depends on the other's size.{shows}{may}</p>"
        )
    if caveat := design_caveat(result):
        text += f"<p class=note>{caveat}</p>"
    told = [each for each in verdicts if each.deployed]
    if told:
        text += table(
            ["", "Metric", "If deployed to all", "What an A/B test says", "So the A/B test"],
            [
                [
                    f'<span class="mark {each.outcome}">{OUTCOMES[each.outcome]}</span>',
                    escape(each.title),
                    escape(each.deployed),
                    escape(each.test) or "-",
                    escape(each.comparison) or "-",
                ]
                for each in told
            ],
            set(),
        )
        text += (
            "<p class=note>Changes are in % of the mean without the treatment, or in the metric's unit if that mean is too close "
            "to 0. Brackets are 95% intervals; there is no clear change where they hold 0."
            f"{escape(chance_note(verdicts))}</p>"
        )
    return text + "".join(_in_full(each) for each in verdicts)


def _in_full(each: Verdict) -> str:
    """Formats a verdict in full: its certainty, possible objections, and the next step."""
    parts = (
        ("How sure", each.sure),
        ("What could overturn it", each.doubt),
        ("What to do next", each.todo.removeprefix("Next: ")),
    )
    rest = "".join(f"<br><b>{name}:</b> {escape(part)}" for name, part in parts if part)
    return f'<p class="verdict {each.outcome}">{escape(each.decided)}{rest}</p>'
