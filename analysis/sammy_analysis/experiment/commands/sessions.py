"""Reads the sessions of a command, and formats their problems as lines.

The commands on sessions (`analyze`, `lint`, `aa`, `design`) call this module, which must not compute estimates.
"""

import argparse
from math import floor

from ..reading.read import Sessions, read
from ..reading.sample_ratio import Ratio

#: The maximum number of alarms to list; the others are only counted.
MOST_ALARMS = 5
#: The maximum number of metrics or clusters that a message lists.
MOST_NAMED = 20


def read_sessions(options: argparse.Namespace) -> tuple[Sessions, int]:
    """Reads the sessions. Returns them and the viewers' clock minus UTC in whole hours. A remaining fraction of an hour
    is added to the sessions' times."""
    sessions = read(options.source, options.experiment)
    whole = floor(options.utc_offset)
    return sessions.later(3600 * (options.utc_offset - whole)), whole


def left_out_lines(sessions: Sessions) -> list[str]:
    return [
        f"left out: {row.file}, {row.field}: {row.reason}: {row.count:,} rows, the first is row {row.first_row}"
        for row in sessions.left_out.itertuples()
    ]


def set_aside_lines(sessions: Sessions) -> list[str]:
    return [f"set aside: {reason}: {count:,} rows" for reason, count in sessions.set_aside.items()]


def sample_alarms(sample: list[Ratio]) -> list[str]:
    wrong = "the arms do not have the sizes that they were given"
    alarms = [each for each in sample if each.alarm]
    windows = sum(each.starts is not None for each in alarms)
    lines = [f"ALARM: in {windows} windows {wrong}"] if windows else []
    together = [each for each in alarms if each.starts is None]
    lines += [
        f"ALARM: over all {each.windows} windows of {each.cluster} {wrong}: {each.treated:,} treated and {each.control:,} "
        f"untreated accounts, where {each.allocation:.0%} should be treated (p = {each.p:.1g})"
        for each in together[:MOST_ALARMS]
    ]
    if len(together) > MOST_ALARMS:
        lines.append(f"ALARM: and so in {len(together) - MOST_ALARMS} other clusters and allocations")
    return lines
