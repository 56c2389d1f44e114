"""The report of a trial: one self-contained HTML page."""

from __future__ import annotations

from html import escape
from typing import Any

from ..page import figure, page, table
from ..puffer import figures as puffer_figures
from ..puffer.report import METHOD, decibel, flow_table, growth_table, percent, results, seconds
from ..puffer.trial import Scheme
from ..puffer.uncertainty import Interval
from . import figures
from .compare import Comparison
from .fairness import Fairness
from .findings import ModelComparisons, Primary
from .read import Settings

#: Minimum number of streams for a verdict. Intervals use normal approximations and a bootstrap, and with fewer streams,
#: few of which stall at all, they are too narrow.
FEWEST_FOR_A_VERDICT = 30
#: Minimum number of stalled streams, in both arms together, for a verdict on stalls. With fewer, the bootstrap's
#: interval is too narrow: with 30 streams each, it excludes 0 if four streams stalled in one arm and none in the other,
#: which happens by chance in one of nine trials of equal arms (Fisher's exact test, p = 0.11).
FEWEST_STALLED = 10


def report(
    primary: Primary,
    learnt: ModelComparisons,
    models: dict[int, dict[str, Any]],
    settings: Settings,
    manifest: dict[str, Any],
) -> str:
    sections = [
        _made(settings, manifest, primary),
        "<h2>What it says</h2>",
        results(primary.found, "All paths"),
        results(primary.slow, "Slow paths, of at most 6 Mbit/s"),
        "<h2>Where sessions and streams went</h2>",
        flow_table(primary.flows),
        _fair(primary.fair),
        "<h2>On a cold start</h2>",
        figure(
            puffer_figures.cold_start(primary.found, "On a cold start"),
            "The first segment's SSIM against the wait for it; no session knows an earlier one. The better, the further up and "
            "to the right.",
        ),
        "<h2>Whether a model grows stale</h2>",
        _stale(learnt, settings),
        "<h2>Learnt in place, and in emulation</h2>",
        _in_situ(learnt, primary.found, settings),
        "<h2>What was learnt</h2>",
        _models(models),
        "<h2>How sure a shorter trial would have been</h2>",
        growth_table(primary.parts),
        METHOD,
        _DESIGN,
        _OVER_TCP if settings.asked.get("over") == "tcp" else "",
    ]
    return page(f"A randomised trial {_carrier(settings)}", "\n".join(sections))


def _carrier(settings: Settings) -> str:
    return "over real TCP" if settings.asked.get("over") == "tcp" else "in virtual time"


def _made(settings: Settings, manifest: dict[str, Any], primary: Primary) -> str:
    asked = settings.asked
    sessions = sum(each.sessions for each in primary.flows)
    explored = asked.get("explored_pct", 0)
    exploring = (
        f" Of the segments of arms that learn here, {explored}% are of a rung that was drawn."
        if explored
        else ""
    )
    return (
        f"<p>{sessions:,} sessions {_carrier(settings)} on days {settings.first_day} to {asked['days']}, "
        f"{len(asked['networks'])} networks, film {escape(str(asked['film']))}, seed {asked['seed']}.{exploring} "
        f"Commit {escape(str(manifest.get('commit', 'unknown')))}; "
        f"<code>{escape(str(manifest.get('command', '')))}</code></p>"
    )


def _fair(fair: Fairness) -> str:
    told = [
        f"{words}: {'too few to tell' if p is None else f'p = {p:.2g}'}"
        for words, p in (
            ("As many sessions of every arm", fair.assigned_p),
            ("the same share of them counts", fair.counted_p),
        )
    ]
    alarms = "".join(f"<p><strong>{escape(each)}</strong></p>" for each in fair.alarms)
    return f"{alarms}<p class=note>{'; '.join(told)} (χ²).</p>"


def _difference(found: Comparison | None, slow: Comparison | None) -> str:
    if found is None:
        return "<p>This cannot be told: an arm has fewer than two streams that count.</p>"
    rows = [
        [
            where,
            f"{each.streams[0]:,} and {each.streams[1]:,}",
            percent(each.stall_ratio),
            decibel(each.ssim_db),
            decibel(each.ssim_variation_db),
            seconds(each.startup_s),
        ]
        for where, each in (("all paths", found), ("slow paths", slow))
        if each is not None
    ]
    header = ["", "Streams", "Time stalled", "Mean SSIM", "SSIM variation", "Start-up"]
    words = f"{escape(found.one)} less {escape(found.other)}, with 95% intervals: {verdict(found)}."
    return f"<p>{words}</p>" + table(header, rows, set())


def verdict(found: Comparison) -> str:
    """Returns a sentence about the effects that the intervals show, or about missing streams."""
    if min(found.streams) < FEWEST_FOR_A_VERDICT:
        one, other = found.streams
        return (
            f"too few streams for a verdict, {one:,} and {other:,}: it takes {FEWEST_FOR_A_VERDICT} of each"
        )
    stalled = sum(found.stalled)
    few = f"only {stalled} streams stalled, too few to tell which stalls less"
    enough = stalled >= FEWEST_STALLED
    said = [
        words
        for interval, below, above in (
            (found.stall_ratio, *(("it stalls less", "it stalls more") if enough else (few, few))),
            (found.ssim_db, "its SSIM is lower", "its SSIM is higher"),
            (found.ssim_variation_db, "its SSIM varies less", "its SSIM varies more"),
        )
        for words in _side(interval, below, above)
    ]
    return " and ".join(said) if said else "no difference in stalls, SSIM or its variation can be told"


def _side(interval: Interval | None, below: str, above: str) -> list[str]:
    if interval is None or interval.low <= 0 <= interval.high:
        return []
    return [below if interval.high < 0 else above]


def _stale(learnt: ModelComparisons, settings: Settings) -> str:
    if not (settings.retrained and settings.frozen):
        return "<p>The trial has not both a model that is retrained and one that is frozen.</p>"
    picture = figures.by_day(learnt.days, "By day, retrained and frozen")
    return (
        f"<p>Days from {settings.first_day + 1} on; on day {settings.first_day} both have the same model.</p>"
        + figure(picture, "Retrained every day, and frozen after the first one.")
        + _difference(learnt.stale, learnt.stale_slow)
    )


def _in_situ(learnt: ModelComparisons, found: list[Scheme], settings: Settings) -> str:
    if not (settings.retrained and settings.emulated):
        return "<p>The trial has not both a model that was learnt in it and the package's.</p>"
    ours = [each for each in found if each.name in (settings.retrained, settings.emulated)]
    explored = settings.asked.get("explored_pct", 0)
    paid = (
        f" Of the segments of {escape(settings.retrained)} {explored}% are of a rung that was drawn, "
        f"of {escape(settings.emulated)} none: what that costs is in the difference, which so is not of the models alone."
        if explored
        else ""
    )
    return (
        f"<p>{escape(settings.emulated)} has the package's model, which was learnt in emulation, of other networks.{paid}</p>"
        + figure(
            puffer_figures.quality_and_stalls(ours, "Learnt in place, and in emulation"), "95% intervals."
        )
        + _difference(learnt.in_situ, learnt.in_situ_slow)
    )


def _models(models: dict[int, dict[str, Any]]) -> str:
    if not models:
        return "<p>Nothing: no arm learns in this trial.</p>"
    rows = [
        [
            str(day),
            f"{made['sessions']:,}",
            f"{made['chunks']:,}",
            _seconds(made["held_out_error_s"]),
            _seconds(made["harmonic_mean_error_s"]),
        ]
        for day, made in models.items()
    ]
    header = ["Evening of day", "Sessions", "Segments", "Error of the expected time", "by the harmonic mean"]
    return table(header, rows, {0, 1, 2}) + (
        "<p class=note>Errors are means of sessions that were held out that evening and all evenings before. The networks are "
        "the same, at other places of their traces.</p>"
    )


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f} s"


_DESIGN = (
    "<p class=note>Each session draws a network, a place in its trace and a watch time, and then, whatever these are, an arm. "
    "Viewers know nothing of it: how long they watch does not depend on how it looks. The tables have a letter for each arm, and "
    "<code>blinded.json</code> was written before the letters were opened. Intervals take streams for independent, though many "
    "are on one network: they are about these networks, and not about all.</p>"
)

_OVER_TCP = (
    "<p class=note>The viewers are the plug-in's core in a model of dash.js, without a browser, and play in real time over the "
    "kernel's TCP through links that mahimahi emulates. A session during which the machine was busy otherwise was played again, "
    "and left out after the third time; the rule looks at other programs only, and so not at what an arm does. Times in the "
    "tables are the trial's own, by which a day is a batch; <code>session.json</code> has the real ones.</p>"
)
