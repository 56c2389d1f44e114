"""The report: one self-contained HTML page."""

from datetime import UTC, datetime
from html import escape

import numpy as np
import pandas as pd

from ...page import figure as _figure
from ...page import page
from ...page import table as _table
from ..analyze import Analysis
from ..estimators.appendix_b import Interval
from ..estimators.estimands import Estimate, InterferenceTest, levels
from ..estimators.refusal import summary
from ..problem import Problem
from ..reading.read import Sessions
from ..reading.sample_ratio import Ratio
from ..reading.schema import SCHEMA_VERSION, unit
from ..reading.schema import metric as known
from ..sentences.headline import headline
from ..sentences.numbers import percent, span
from ..sentences.verdict import Verdict, verdict
from . import figures

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

#: The text of a verdict's mark, which is shown in addition to its color.
OUTCOMES = {
    "better": "better",
    "worse": "worse",
    "changed": "changed",
    "unclear": "not clear",
    "assumed": "if",
}


def report(result: Analysis, sessions: Sessions) -> str:
    verdicts = make_verdicts(result)
    sections = [
        f"<p class=headline>{escape(headline(verdicts, result.options.arms.treatment))}</p>",
        _picture(verdicts),
        _heading(result, sessions),
        _sample(result),
        _left_out(sessions, result),
        _verdicts(verdicts, result),
        _effects(result),
        _not_estimated(result, sessions),
        "<h2>What was seen of each metric</h2>",
        *(_metric(result, metric) for metric in result.found),
        _method(result),
    ]
    return page("What the experiment shows", "\n".join(sections))


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
    told = bool(links) and all(each is not None and each.tte is not None for each in links)
    return AT_THE_SAME_TIME if told else DESIGN_CAVEATS.get(result.options.design, "")


def _picture(verdicts: list[Verdict]) -> str:
    """Draws one row per metric, as wide as the window, with the metric's title and verdict, and its interval relative
    to no change."""
    told = [each for each in verdicts if each.interval is not None]
    ends = [abs(end) for each in told for end in (each.interval.low, each.interval.high) if np.isfinite(end)]
    ends += [abs(each.interval.estimate) for each in told]
    # Limit the axis, so that a single very long interval does not compress the others.
    reach = min(max(ends, default=0.0), 3 * float(np.median(ends))) if ends else 0.0
    if reach == 0:
        return ""
    rows = "".join(
        f'<div class="effect {each.outcome}"><span class=name>{escape(each.title)}</span>'
        f"<span class=size>{escape(_short(each))}</span>{_bar(each.interval, reach)}</div>"
        for each in told
    )
    beyond = "; an arrow goes on beyond" if "class=beyond" in rows else ""
    return (
        f"<div class=effects>{rows}</div><p class=note>Change in % of the untreated network, with 95% intervals; the line in "
        f"the middle is no change, the edges are ±{100 * reach:.2g}%{beyond}.</p>"
    )


def _short(each: Verdict) -> str:
    interval = f"{percent(each.interval.estimate)} ({span(each.interval)})"
    return f"{OUTCOMES[each.outcome]}: {interval}{f', if {each.assumed}' if each.assumed else ''}"


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


def _heading(result: Analysis, sessions: Sessions) -> str:
    hours = result.cells.hour + result.cells.offset
    first, last = (datetime.fromtimestamp(int(h) * 3600, UTC) for h in (hours.min(), hours.max()))
    count = int(result.cells.sessions.sum())
    names = ", ".join(escape(str(name)) for name in sorted(result.cells.cluster.unique()))
    source = escape(sessions.files[0]) + (
        f" and {len(sessions.files) - 1} more" if len(sessions.files) > 1 else ""
    )
    return (
        f"<p>{count:,} sessions from {first:%d %B %Y} to {last:%d %B %Y} on {names}. "
        f"It is read as {DESIGN_WORDS[result.options.design]}.</p><p class=note>Input: {source}.</p>"
    )


def _sample(result: Analysis) -> str:
    alarms = [each for each in result.sample if each.alarm]
    windows = [each for each in result.sample if each.starts is not None]
    tested = sum(each.p is not None for each in windows)
    together = sum(each.p is not None and each.starts is None for each in result.sample)
    total = result.cells.groupby(["cluster", "allocation", "arm"], as_index=False).sessions.sum()
    rows = [
        [escape(str(row.cluster)), f"{row.allocation:.0%}", escape(str(row.arm)), f"{row.sessions:,}"]
        for row in total.itertuples()
    ]
    text = "<h2>Is the sample as planned?</h2>"
    if alarms:
        listed = "".join(
            f"<li>{escape(a.cluster)}, {_window(a)}: {a.treated:,} treated and {a.control:,} untreated "
            f"accounts, where {a.allocation:.0%} should be treated (p = {a.p:.1g})</li>"
            for a in sorted(alarms, key=lambda each: each.starts is not None)[:20]
        )
        more = f"<li>and {len(alarms) - 20} more</li>" if len(alarms) > 20 else ""
        text += (
            f'<div class="alarm"><strong>No: the arms do not have the sizes that they were given.</strong> Something '
            f"assigns, loses or counts sessions of one arm differently, and nothing below can be trusted until it is "
            f"found.<ul>{listed}{more}</ul></div>"
        )
    elif tested or together:
        also = f", and {together} times over all windows of a cluster and an allocation" if together else ""
        text += (
            f"<p>Yes: in {tested} of {len(windows)} windows of a cluster{also} the number of accounts in each arm was tested "
            f"against the allocation (alarm at p &lt; {min(each.threshold for each in windows):.1g}), and none differs by "
            "more than chance would have it.</p>"
        )
    else:
        text += "<p>This cannot be told: no window has enough accounts in both arms for a test.</p>"
    return text + _table(["Cluster", "Treated share", "Arm", "Sessions"], rows, {1, 3})


def _window(ratio: Ratio) -> str:
    if ratio.starts is None:
        return f"all {ratio.windows} windows together"
    return f"window from {_when(ratio.starts)}"


def _when(hour: int) -> str:
    return f"{datetime.fromtimestamp(hour * 3600, UTC):%d %B %H:%M}"


def _left_out(sessions: Sessions, result: Analysis) -> str:
    text = "<h2>What was left out</h2>"
    rows = [
        [escape(row.file), escape(row.field), escape(row.reason), f"{row.count:,}", f"{row.first_row:,}"]
        for row in sessions.left_out.itertuples()
    ]
    if rows:
        text += _table(["File", "Field", "Why", "Rows", "First row"], rows, {3, 4})
    else:
        text += f"<p>None of {sessions.rows:,} rows.</p>"
    for reason, count in sessions.set_aside.items():
        text += f"<p>{count:,} rows were set aside, as they are meant to be: {escape(reason)}.</p>"
    notes = [*sessions.notes, *result.notes]
    return text + "".join(f"<p class=note>{escape(line)}</p>" for line in notes)


def _verdicts(verdicts: list[Verdict], result: Analysis) -> str:
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
        text += _table(
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
            "<p class=note>Changes are in % of the untreated network's mean. Brackets are 95% intervals; there is no clear "
            "change where they hold 0."
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


#: An addition to the caption of the figure of effects.
LESS_LINKS = "As in the verdicts, the baseline difference between the links is subtracted"


def _effects(result: Analysis) -> str:
    rows = []
    for metric, found in result.found.items():
        for each in found:
            robust, paper = each.share, each.relative(each.paper)
            rows.append(
                [
                    escape(known(metric).title),
                    escape(each.symbol),
                    _interval(robust) if robust else escape(each.refused or "no interval: the mean is zero"),
                    "" if robust is None else escape(robust.basis),
                    "" if paper is None else _interval(paper),
                    _by_session(each),
                ]
            )
    tests = [
        [
            escape(known(m).title),
            escape(t.relation),
            _found(t),
            _interval(t.difference.over(t.mean)) if t.mean else "",
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
    text = "<h2>All effects</h2>" + _figure(
        figures.treatment_effects(result),
        "Each A/B test compares neighbors on one link. ‘Deployed to all’ compares a mostly treated link with a mostly untreated "
        "one. ‘Untreated beside’ is what the treatment does to those who do not have it. Intervals are robust to days."
        + (f" {LESS_LINKS}; the table below has them as they are." if less else ""),
    )
    text += _table(header, rows, set())
    if tests:
        text += "<h3>Do the arms interfere?</h3>" + _table(
            ["Metric", "Without interference", "The data", "Difference"], tests, set()
        )
        text += (
            "<p class=note>Where nothing interferes, chance contradicts one in 20 of such tests"
            f"{f': {len(tests) / 20:.1g} of these' if len(tests) >= MANY else ''}. So all tests of a metric share these 5% "
            "before the arms are said to interfere.</p>"
        )
    text += _links(result)
    text += _figure(
        figures.designs(result),
        "What a switchback (treatment every other day) and an event study (treatment from the middle on) would have found, "
        "from the data of both links. Appendix B's intervals.",
    )
    return text + _figure(
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
        shares = (
            each.relative(each.difference),
            *(i and i.share for i in (each.tte, each.spillover)),
        )
        texts = ["" if interval is None else _interval(interval) for interval in shares]
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
        + _table(header, rows, set())
        + "<p class=note>Untreated sessions of both links, from the hours in which all had the same allocation. Verdicts take "
        "this difference off, as a step from the days of one period to those of the other, in which yesterday may "
        "say something of "
        "today, and workdays are compared with workdays. Quantiles are with it.</p>"
    )


def _by_session(each: Estimate) -> str:
    try:
        interval = each.relative(each.panel.by_session())
    except Problem:
        return ""
    return "" if interval is None else _interval(interval)


def _interval(interval) -> str:
    return f"{percent(interval.estimate)} ({span(interval)})"


def _metric(result: Analysis, metric: str) -> str:
    text = f"<details><summary>{escape(known(metric).title)}</summary>" + _means(result, metric)
    text += _figure(figures.over_time(result, metric), "The mean of every hour, as a share of the largest.")
    text += _figure(
        figures.by_allocation(result, metric),
        "The mean of either arm by the share that is treated. Here every session counts the same.",
    )
    text += _figure(
        figures.by_hour_of_day(result, metric),
        "The effect in each hour of the day: networks are busy at peak hours.",
    )
    for design in ("event", "switchback"):
        text += _figure(
            figures.emulated_series(result, metric, design),
            f"An emulated {design}{' study' if design == 'event' else ''}: what would have been seen.",
        )
    rows = [
        [
            f"{100 * q.quantile:g}%",
            escape(q.symbol),
            _interval(q.share) if q.share else "",
            escape(q.interval.basis),
        ]
        for q in result.quantiles.get(metric, [])
    ]
    if rows:
        text += "<h3>Quantiles</h3>" + _table(
            ["Quantile", "", "Effect (95%, by day)", "Rests on"], rows, set()
        )
    return text + "</details>"


def _means(result: Analysis, metric: str) -> str:
    rows = []
    for allocation in levels(result.cells):
        for arm in (result.options.arms.treatment, result.options.arms.control):
            cells = result.cells[(result.cells.arm == arm) & (result.cells.allocation == allocation)]
            count, all_sessions = int(cells[f"n_{metric}"].sum()), int(cells.sessions.sum())
            if all_sessions:
                mean = f"{cells[f'sum_{metric}'].sum() / count:.5g} {unit(metric)}" if count else "-"
                rows.append(
                    [f"{allocation:.0%}", escape(arm), f"{count:,}", f"{all_sessions - count:,}", mean]
                )
    header = ["Treated share", "Arm", "Sessions with a value", "Without one", "Mean"]
    return "<h3>Means</h3>" + _table(header, rows, {0, 2, 3, 4})


def _not_estimated(result: Analysis, sessions: Sessions) -> str:
    lines = summary(result.refused, sessions.metrics)
    if not lines:
        return ""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<h3>What the data do not tell</h3><ul class=note>{items}</ul>"


def _method(result: Analysis) -> str:
    rows = "24 hours of the day" if result.options.rows == "hour-of-day" else "every hour of every day"
    parts = [
        "‘A/B test at p’ is treated less untreated on the same link with a share p treated (the paper’s τ). ‘Untreated beside p’ "
        "is untreated beside a share p of treated, less untreated beside almost none (its spillover, s). ‘Treated beside p’ is "
        "treated with a share p, less untreated beside almost none (ρ). ‘Deployed to all’ is all treated less none treated (the "
        "total treatment effect, TTE): the arms’ means are extrapolated linearly in the allocation from the outermost "
        "allocations on. The paper’s own estimate of that is ‘treated beside’ the highest allocation. Percentages are of the "
        "untreated network’s mean, extrapolated likewise, and its uncertainty is included (Fieller’s interval).",
        "The intervals that verdicts use take each day as one observation (arms at the same time: Student’s t, from more than a "
        "week on with the variance of the slowest waves). In a switchback each window is one, by the way it was randomized "
        "(Fisher’s test, inverted). A change from some days to others, of paired links with a baseline or in an event study, is "
        "a step in a series whose days are correlated and may have a trend: the interval averages over correlations, "
        "smooth drifts and trends, "
        "each weighted by how likely the days make it, and is calibrated so that it misses at most 5% of the time. Weekends are "
        "compared with weekends. Where accounts come back on other days, an account’s sessions are not independent, which "
        "widens the interval (errors clustered by day and by account).",
        "Paired links that differ by a level look as if something spilled over, and A/B tests on them differ where an effect "
        "is a share of the level. So the arms are said to interfere only where A/B tests differ as a share of the untreated "
        "neighbors’ mean too, or where a spillover is left less what the links differ by at the same allocation.",
        f"Appendix B's: hourly means of each arm; least squares with an effect for each hour of the day, on rows of {rows}; "
        "Newey-West standard errors with a lag of two hours, without small-sample correction, of a mean taken for "
        "exact (Spang et al., <cite>Unbiased "
        "Experiments in Congested Networks</cite>, IMC 2021). These take hours more than two apart for independent, so "
        "where days differ they are too short.",
        "In all of these an hour counts as much as another, busy or quiet; the last column of the table of effects counts "
        "every session the same, so that busy hours weigh more.",
        f"Hours are UTC{_offset(result.cells)}. Input schema {SCHEMA_VERSION}.",
    ]
    return "<h2>How it was computed</h2>" + "".join(f"<p class=note>{part}</p>" for part in parts)


def _offset(cells: pd.DataFrame) -> str:
    offset = int(cells.offset.iloc[0])
    return f"{offset:+d}" if offset else ""
