"""Rules for reading the tables of `npm run lab -- report --puffer`, from any number of folders."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

#: SQL for the name of a session's network: the name of its trace without the start position (`NAME-at-12.5s`). A
#: session without such a name is its own network.
NETWORK = "regexp_replace(coalesce(sent.condition, sent.session_id), '-at-[0-9.]+s$', '')"

#: Plausible ranges of TCP's statistics. Other values count as unknown, as in the page (`tcp-state.ts` of the plug-in).
#: An RTT or rate of 0 means that there was no sample yet. The longest RTT is Linux's longest timeout, 120 s. The
#: largest window is 2^30 bytes (RFC 7323) in packets of 536 bytes. The highest rate is 1 Tbit/s.
PLAUSIBLE = {
    "cwnd": (1, 2_003_250),
    "in_flight": (0, 2_003_250),
    "min_rtt": (1, 120_000_000),
    "rtt": (1, 120_000_000),
    "delivery_rate": (1, 125_000_000_000),
}

TWICE = """
    SELECT session_id, min(filename), max(filename)
    FROM read_parquet($sent, union_by_name = true, filename = true)
    GROUP BY session_id, "index", sequence HAVING count(*) > 1 ORDER BY ALL LIMIT 1
"""


def plausible_tcp(prefix: str = "") -> str:
    """Returns SQL for TCP's statistics of `sent`, as doubles; implausible values are null."""
    return ", ".join(
        f"CASE WHEN sent.{prefix}{name} BETWEEN {least} AND {most} THEN sent.{prefix}{name}::DOUBLE END AS {prefix}{name}"
        for name, (least, most) in PLAUSIBLE.items()
    )


def find_repeated_session(sent: Sequence[str]) -> str | None:
    """Describes a session whose requests occur more than once in these files of `video_sent`; None if there is none.

    This happens if two folders contain the same data, or two trials whose sessions have the same names. A join by name
    would then assign wrong times to segments. Raises a duckdb.Error for unreadable files.
    """
    found = duckdb.execute(TWICE, {"sent": list(sent)}).fetchone()
    if found is None:
        return None
    session, first, last = found
    where = f"twice in {first}" if first == last else f"in {first} and in {last}"
    return f"session '{session}' is {where}: the same sessions again, or those of two trials, which have the same names"
