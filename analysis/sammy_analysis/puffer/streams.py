"""What counts as a stream, and what it amounts to: by the rules of Puffer's published analysis (csv_to_stream_stats).

A stream's watch time is from its start to the last report that it plays. What follows a gap or a very long stall is taken
for a lost viewer: the stream is truncated there, and counts as far as it went.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

#: Reports come every 250 ms; after so long without one the viewer is lost.
LONGEST_GAP_S = 8.0
#: A buffer of at most this is empty, and empty for so long means that the viewer is lost.
EMPTY_S = 0.3
LONGEST_STALL_S = 20.0
#: A stall with so much in the buffer is the decoder's, which is too slow, and not the network's.
PLENTY_S = 5.0
DECODER_STALL_S = 0.15
#: Less was watched of a stream that does not count.
SHORTEST_WATCH_S = 4.0

#: Why a stream does not count.
DID_NOT_PLAY = "did not begin playing"
SLOW_DECODER = "stalled with plenty of buffer: a slow decoder"
CONTRADICTORY = "contradictory data: time stalled decreases"
SHORT = f"watched for less than {SHORTEST_WATCH_S:g} s"
EXCLUSIONS = (DID_NOT_PLAY, SLOW_DECODER, CONTRADICTORY, SHORT)


@dataclass(frozen=True)
class Report:
    """A row of client_buffer: seconds since the stream's first one, event, buffer and time stalled so far in seconds."""

    at_s: float
    event: str
    buffer_s: float
    stalled_s: float


@dataclass(frozen=True)
class Playback:
    """What a stream's reports amount to, in seconds. `excluded` is why it does not count, or nothing."""

    watch_s: float
    stall_s: float
    startup_s: float
    truncated: bool
    excluded: str


def playback(reports: Sequence[Report]) -> Playback:
    """Sums up a stream's reports, which are in the order of time."""
    kept, truncated = _before_the_viewer_was_lost(reports)
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
    watch, stall = last.at_s - started.at_s, last.stalled_s - started.stalled_s
    excluded = CONTRADICTORY if stall < 0 else SHORT if watch < SHORTEST_WATCH_S else ""
    return Playback(watch, stall, started.stalled_s, truncated, excluded)


def _before_the_viewer_was_lost(reports: Sequence[Report]) -> tuple[list[Report], bool]:
    kept: list[Report] = []
    empty_since: float | None = None
    for report in reports:
        if kept and report.at_s - kept[-1].at_s > LONGEST_GAP_S:
            return kept, True
        if report.buffer_s > EMPTY_S:
            empty_since = None
        elif empty_since is None:
            empty_since = report.at_s
        if empty_since is not None and report.at_s - empty_since > LONGEST_STALL_S:
            return kept, True
        kept.append(report)
    return kept, False


def _decoder_stalled(before: Report, after: Report) -> bool:
    plenty = before.buffer_s > PLENTY_S and after.buffer_s > PLENTY_S
    return plenty and after.stalled_s > before.stalled_s + DECODER_STALL_S
