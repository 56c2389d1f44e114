"""The report of a trial: one self-contained HTML page."""

from collections.abc import Sequence
from html import escape

import pandas as pd

from ..page import figure, page, table
from . import figures
from .rules import DIFFERENCES, LAB, PUFFER, Rules
from .streams import EXCLUSIONS
from .trial import Flow, Part, Scheme
from .uncertainty import Interval


def report(
    streams: pd.DataFrame,
    flows: list[Flow],
    found: list[Scheme],
    slow: list[Scheme],
    parts: list[Part],
    rules: Rules = LAB,
    notes: Sequence[str] = (),
) -> str:
    sections = [
        f"<p>{streams.session_id.nunique():,} sessions, {len(streams):,} streams.</p>",
        *(f"<p class=note>{escape(note)}.</p>" for note in notes),
        "<h2>What it says</h2>",
        results(found, "All paths"),
        results(slow, "Slow paths, of at most 6 Mbit/s"),
        "<h2>Where sessions and streams went</h2>",
        flow_table(flows),
        "<h2>How sure a shorter trial would have been</h2>",
        growth_table(parts),
        METHOD,
        rules_table(rules),
    ]
    return page("What the trial shows", "\n".join(sections))


def results(schemes: list[Scheme], title: str) -> str:
    if not schemes:
        return f"<h3>{title}</h3><p>No stream.</p>"
    rows = [
        [
            escape(each.name),
            f"{each.streams:,}",
            f"{each.hours:,.1f}",
            percent(each.stall_ratio),
            decibel(each.ssim_db),
            decibel(each.ssim_variation_db),
            seconds(each.startup_s),
            decibel(each.first_ssim_db),
        ]
        for each in schemes
    ]
    header = [
        *("Scheme", "Streams", "Hours watched", "Time stalled", "Mean SSIM", "SSIM variation"),
        *("Start-up", "First SSIM"),
    ]
    picture = figures.quality_and_stalls(schemes, title)
    return (
        f"<h3>{title}</h3>"
        + figure(picture, "95% intervals; the better, the further up and to the right.")
        + table(header, rows, {1, 2})
    )


def percent(interval: Interval) -> str:
    low, high = 100 * interval.low, 100 * interval.high
    return f"{100 * interval.estimate:.3f}% ({low:.3f}% to {high:.3f}%)"


def seconds(interval: Interval) -> str:
    return f"{interval.estimate:.3f} s ({interval.low:.3f} to {interval.high:.3f})"


def decibel(interval: Interval | None) -> str:
    if interval is None:
        return "-"
    return f"{interval.estimate:.3f} dB ({interval.low:.3f} to {interval.high:.3f})"


def flow_table(flows: list[Flow]) -> str:
    header = ["", *(escape(each.name) for each in flows)]
    busy = ["- left out: the machine was busy", *(f"{each.busy:,}" for each in flows)]
    rows = [
        ["Sessions assigned", *(f"{each.sessions:,}" for each in flows)],
        *([busy] if any(each.busy for each in flows) else []),
        ["Streams", *(f"{each.streams:,}" for each in flows)],
        *([f"- {escape(why)}", *(f"{each.excluded[why]:,}" for each in flows)] for why in EXCLUSIONS),
        ["Streams considered", *(f"{each.considered:,}" for each in flows)],
        ["of them truncated: the viewer was lost", *(f"{each.truncated:,}" for each in flows)],
        ["Hours watched", *(f"{each.hours:,.1f}" for each in flows)],
    ]
    return table(header, rows, set(range(1, len(flows) + 1)))


def growth_table(parts: list[Part]) -> str:
    if not parts:
        return "<p>This cannot be told: not every scheme has two streams that count.</p>"
    rows = [
        [
            f"{part.sessions:,}",
            f"{part.hours:,.1f}",
            escape(each.name),
            percent(each.stall_ratio),
            half_width(each.stall_ratio),
            decibel(each.ssim_db),
        ]
        for part in parts
        for each in part.schemes
    ]
    header = [
        "Sessions",
        "Hours watched",
        "Scheme",
        "Time stalled",
        "Half of the interval, of the ratio",
        "Mean SSIM",
    ]
    return figure(
        figures.growth(parts), "The first sessions alone, as if the trial had ended there."
    ) + table(header, rows, {0, 1})


def half_width(interval: Interval) -> str:
    """Formats half of the interval's width, relative to the estimate."""
    if interval.estimate == 0:
        return "-"
    return f"±{50 * (interval.high - interval.low) / interval.estimate:.0f}%"


def rules_table(rules: Rules) -> str:
    """Formats a table that compares both sets of rules and marks the one that was used."""
    names = [f"{name}{', used here' if rules is each else ''}" for name, each in RULE_NAMES]
    rows = [[escape(puffer), escape(lab)] for puffer, lab in DIFFERENCES]
    return "<h3>By whose rules</h3>" + table(names, rows, set())


RULE_NAMES = (("Puffer's (--rules puffer)", PUFFER), ("The lab's (--rules lab)", LAB))

METHOD = (
    "<h2>How it was computed</h2><p class=note>After Yan et al., <cite>Learning in situ</cite> (NSDI 2020), and its published "
    "analysis. A stream's watch time is from its start to the last report that it plays, stalls within it included; what "
    "follows 8 s without a report, or 20 s with an empty buffer, is cut off as a lost viewer, and does not count as a stall. "
    "Time stalled: the sum of stalls over the sum of watch times, of simulated trials in the mean, and 95% of them; a simulated "
    "stream has a watch time of all that were observed and a stall ratio of the scheme's streams of about that length (within a "
    "power of two, or the nearest that it has). Where none of n streams stalled no simulated one does, so that the interval is "
    "0 to 0; but up to 3/n of all may stall. SSIM: streams weighted by watch time, 1.96 or 2 weighted standard errors to each "
    "side in units of the index, then in dB. SSIM variation (the mean difference of one segment and the next), start-up (from "
    "the request for playback to its beginning) and the first segment's SSIM: of all streams alike. A path, which is a "
    "condition of the lab or else a stream's own, is slow if the server's delivery rate was at most 6 Mbit/s in the mean.</p>"
)
