"""The stream rules of Puffer's published analysis, applied report by report. This is the reference for the query
`STREAMS`."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sammy_analysis.puffer.streams import (
    CONTRADICTORY,
    DECODER_STALL_S,
    DID_NOT_PLAY,
    EMPTY_S,
    LONGEST_GAP_S,
    LONGEST_STALL_S,
    PLENTY_S,
    SHORT,
    SHORTEST_WATCH_S,
    SLOW_DECODER,
)


@dataclass(frozen=True)
class Report:
    """A row of client_buffer: seconds since the first row of the stream, event, buffer, and time stalled so far in
    seconds."""

    at_s: float
    event: str
    buffer_s: float
    stalled_s: float


@dataclass(frozen=True)
class Playback:
    """The totals of a stream's reports, in seconds. `excluded` is the reason why the stream does not count, or ''."""

    watch_s: float
    stall_s: float
    startup_s: float
    truncated: bool
    excluded: str


def playback(reports: Sequence[Report], a_second: float = 1) -> Playback:
    """Returns the totals of a stream's reports, which are in the order of time. `a_second` is the length of a second in
    the unit of `at_s`."""
    kept, truncated = _before_the_viewer_was_lost(reports, a_second)
    if any(_decoder_stalled(before, after) for before, after in pairwise(kept)):
        return Playback(0, 0, 0, truncated, SLOW_DECODER)
    started = next((report for report in kept if report.event == "startup"), None)
    last, playing = None, False
    for report in kept:
        playing = report.event in ("startup", "play") or (playing and report.event != "rebuffer")
        if playing and report.event != "init":
            last = report
    if started is None or last is None or last.at_s <= started.at_s:
        return Playback(0, 0, 0, truncated, DID_NOT_PLAY)
    watch, stall = (last.at_s - started.at_s) / a_second, last.stalled_s - started.stalled_s
    excluded = CONTRADICTORY if stall < 0 else SHORT if watch < SHORTEST_WATCH_S else ""
    return Playback(watch, stall, started.stalled_s, truncated, excluded)


def _before_the_viewer_was_lost(reports: Sequence[Report], a_second: float) -> tuple[list[Report], bool]:
    kept: list[Report] = []
    empty_since: float | None = None
    for report in reports:
        if kept and report.at_s - kept[-1].at_s > LONGEST_GAP_S * a_second:
            return kept, True
        if report.buffer_s > EMPTY_S:
            empty_since = None
        elif empty_since is None:
            empty_since = report.at_s
        if empty_since is not None and report.at_s - empty_since > LONGEST_STALL_S * a_second:
            return kept, True
        kept.append(report)
    return kept, False


def _decoder_stalled(before: Report, after: Report) -> bool:
    plenty = before.buffer_s > PLENTY_S and after.buffer_s > PLENTY_S
    return plenty and after.stalled_s > before.stalled_s + DECODER_STALL_S
