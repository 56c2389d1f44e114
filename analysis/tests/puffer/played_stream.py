"""A stream with given stalls, as a list of reports.

Tests of the stream rules and of trials call this module, which must not depend on the rules.
"""

from puffer_playback import Report


def stream(until, *, starts=1.0, stalls=(), buffer=3.0, every=0.25):
    """Returns the reports of a stream that starts at `starts`, stalls between the times in `stalls`, and ends at
    `until`, in seconds."""
    events = [(0.0, "init"), (starts, "startup")]
    events += [each for begins, ends in stalls for each in ((begins, "rebuffer"), (ends, "play"))]
    events += [(number * every, "timer") for number in range(1, int(until / every) + 1)]
    rows = []
    for at, event in sorted(each for each in events if each[0] <= until):
        stalled = min(at, starts) + sum(max(0.0, min(at, ends) - begins) for begins, ends in stalls)
        empty = at < starts or any(begins <= at < ends for begins, ends in stalls)
        rows.append(Report(at, event, 0.0 if empty else buffer, stalled))
    return rows
