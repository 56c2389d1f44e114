"""The tables of `npm run lab -- report --puffer`, of any number of folders: what must hold of all of them together."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

#: A network's name is its trace's, also at other places of the trace (`NAME-at-12.5s`). What has no name is a network of its own.
NETWORK = "regexp_replace(coalesce(sent.condition, sent.session_id), '-at-[0-9.]+s$', '')"

#: What no connection can have is not known, as in the page (`tcp-state.ts` of the plug-in): an RTT and a rate of 0 mean that
#: there was no sample yet; the longest RTT is Linux's longest timeout, 120 s; the largest window is 2^30 bytes (RFC 7323) in
#: packets of 536; the fastest rate is 100 Gbit/s.
BELIEVED = {
    "cwnd": (1, 2_003_250),
    "in_flight": (0, 2_003_250),
    "min_rtt": (1, 120_000_000),
    "rtt": (1, 120_000_000),
    "delivery_rate": (1, 12_500_000_000),
}

TWICE = """
    SELECT session_id, min(filename), max(filename)
    FROM read_parquet($sent, union_by_name = true, filename = true)
    GROUP BY session_id, "index", sequence HAVING count(*) > 1 ORDER BY ALL LIMIT 1
"""


def believed(prefix: str = "") -> str:
    """SQL for TCP's statistics of `sent`, as doubles, with what cannot be as null."""
    return ", ".join(
        f"CASE WHEN sent.{prefix}{name} BETWEEN {least} AND {most} THEN sent.{prefix}{name}::DOUBLE END AS {prefix}{name}"
        for name, (least, most) in BELIEVED.items()
    )


def told_twice(sent: Sequence[str]) -> str | None:
    """In words, which session's requests are more than once in these files of `video_sent`; None where there is none.

    It is the same data in two folders, or two trials, whose sessions have the same names: joined by name, their segments would
    take each other's times. Throws a duckdb.Error for what cannot be read.
    """
    found = duckdb.execute(TWICE, {"sent": list(sent)}).fetchone()
    if found is None:
        return None
    session, first, last = found
    where = f"twice in {first}" if first == last else f"in {first} and in {last}"
    return f"session '{session}' is {where}: the same sessions again, or those of two trials, which have the same names"
