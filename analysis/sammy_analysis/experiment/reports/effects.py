"""The part of the report on all effects: estimates, tests of interference, and the comparison of paired links.

report.py calls this module, which must not judge the effects; verdicts do that.
"""

from html import escape

from ...page import figure, table
from ..analyze import Analysis
from ..estimators.estimands import Estimate, InterferenceTest
from ..problem import Problem
from ..reading.schema import metric as known
from ..sentences.numbers import bounded_interval, describe_change
from ..sentences.overview import MANY
from . import figures

#: An addition to the caption of the figure of effects.
LESS_LINKS = "As in the verdicts, the baseline difference between the links is subtracted"


def effects_section(result: Analysis) -> str:
    rows = []
    for metric, found in result.found.items():
        for each in found:
            robust, paper = each.share, each.relative(each.paper)
            rows.append(
                [
                    escape(known(metric).title),
                    escape(each.symbol),
                    describe_change(robust)
                    if robust
                    else escape(each.refused or "no interval: the mean is zero"),
                    "" if robust is None else escape(robust.basis),
                    "" if paper is None else describe_change(paper),
                    _by_session(each),
                ]
            )
    tests = [
        [
            escape(known(m).title),
            escape(t.relation),
            _found(t),
            describe_change(t.difference.over(t.mean)) if t.mean else "",
        ]
        for m, each in result.tests.items()
        for t in each
    ]
    header = [
        "Metric",
        "What is compared",
        "Effect (95%, robust to days)",
        "Rests on",
        "Appendix B's interval",
        "Per session, by day",
    ]
    less = any(figures.is_less_links(result, metric) for metric in result.links)
    text = "<h2>All effects</h2>" + figure(
        figures.treatment_effects(result),
        "Each A/B test compares neighbors on one link. ‘Deployed to all’ compares a mostly treated link with a mostly untreated "
        "one. ‘Untreated beside’ is what the treatment does to those who do not have it. Intervals are robust to days."
        + (f" {LESS_LINKS}; the table below has them as they are." if less else ""),
    )
    text += table(header, rows, set())
    if tests:
        text += "<h3>Do the arms interfere?</h3>" + table(
            ["Metric", "Without interference", "The data", "Difference"], tests, set()
        )
        text += (
            "<p class=note>Where nothing interferes, chance contradicts one in 20 of such tests"
            f"{f': {len(tests) / 20:.1g} of these' if len(tests) >= MANY else ''}. So all tests of a metric share these 5% "
            "before the arms are said to interfere.</p>"
        )
    text += _links(result)
    text += figure(
        figures.designs(result),
        "What a switchback (treatment every other day) and an event study (treatment from the middle on) would have found, "
        "from the data of both links. Appendix B's intervals.",
    )
    return text + figure(
        figures.aggregation(result),
        "The same A/B test with accounts, hours, or days taken for independent. Too much independence makes an interval too "
        "short.",
    )


def _found(test: InterferenceTest) -> str:
    if not test.contradicted:
        return "not contradicted"
    same_share = test.kind == "tau" and not test.beside_level
    return f"contradicted{', but the effect is the same share of the level' if same_share else ''}"


def _links(result: Analysis) -> str:
    """Formats the difference of paired links at equal allocation, and the corrected effects."""
    rows = []
    for metric, each in result.links.items():
        intervals = (
            bounded_interval(each.relative_difference, each.difference, metric),
            *(i and bounded_interval(i.share, i.step.interval, metric) for i in (each.tte, each.spillover)),
        )
        texts = [describe_change(interval) for interval in intervals]
        rows.append([escape(known(metric).title), *texts, escape(each.difference.basis)])
    if not rows:
        return ""
    header = [
        "Metric",
        "Mostly treated link less the other, at the same allocation",
        "Deployed to all, without that difference",
        "Untreated beside the most treated, without that difference",
        "Rests on",
    ]
    return (
        "<h3>Are the links alike?</h3>"
        + table(header, rows, set())
        + "<p class=note>Untreated sessions of both links, from the hours in which all had the same allocation. Verdicts take "
        "this difference off, as a step from the days of one period to those of the other, in which yesterday may "
        "say something of today, and workdays are compared with workdays. What remains is a share of what the treated link "
        "would have without treatment. Quantiles are with the difference.</p>"
    )


def _by_session(each: Estimate) -> str:
    try:
        interval = each.relative(each.panel.by_session())
    except Problem:
        return ""
    return "" if interval is None else describe_change(interval)
