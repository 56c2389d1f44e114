"""Reads sent and acknowledged chunks, one row per chunk, from the tables of `npm run lab -- report --puffer`.

`read_chunks` returns a frame with the columns of COLUMNS, sorted by stream and request. Chunks that neither arrived nor were
abandoned are left out.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pandas as pd

from sammy_analysis.tables import NETWORK, PLAUSIBLE, find_repeated_session, plausible_tcp

#: stream: the session and its stream; time (ns since 1970) of the request; size (bytes) of the whole chunk, for an abandoned
#: chunk taken from another session, or NaN; took_ms until the chunk arrived or was abandoned; pace (kbit/s, NaN for none), and
#: whether it limited the chunk; TCP's statistics known to the player at the request: packets, packets, µs, µs, bytes/s, NaN if
#: unknown or implausible; received bytes, and whether the chunk was abandoned; the network's name, or the session's if it has
#: none.
TCP = [f"last_{name}" for name in PLAUSIBLE]
COLUMNS = [
    "stream",
    "time",
    "size",
    "took_ms",
    "pace_kbps",
    "pace_limited",
    *TCP,
    "arrived",
    "given_up",
    "network",
]

QUERY = f"""
    WITH sent AS (
        SELECT *, max(size) FILTER (outcome = 'completed') OVER (PARTITION BY channel, format, video_ts) AS whole
        FROM read_parquet($sent, union_by_name = true)
    )
    SELECT sent.session_id || ' ' || sent."index" AS stream, sent.time,
        CASE WHEN given_up IS NULL THEN sent.size ELSE whole END AS size,
        (coalesce(given_up, acked.time) - sent.time) / 1e6 AS took_ms, sent.pace * 8 / 1000 AS pace_kbps,
        coalesce(sent.pace_limited, false) AS pace_limited, {plausible_tcp("last_")},
        sent.size AS arrived, given_up IS NOT NULL AS given_up, {NETWORK} AS network
    FROM sent LEFT JOIN read_parquet($acked, union_by_name = true) AS acked USING (session_id, "index", sequence)
    WHERE sent.size > 0 AND coalesce(given_up, acked.time) > sent.time
    ORDER BY stream, sequence
"""


def read_chunks(folder: Path) -> pd.DataFrame:
    """Reads the chunks of a folder. Raises ValueError if there are none."""
    tables = {
        name: sorted(str(file) for file in folder.rglob(f"video_{name}.parquet"))
        for name in ("sent", "acked")
    }
    for name, files in tables.items():
        if not files:
            raise ValueError(
                f"{folder} has no video_{name}.parquet: npm run lab -- report DIR --puffer {folder} writes it"
            )
    try:
        twice = find_repeated_session(tables["sent"])
        if twice is not None:
            raise ValueError(f"{folder}: {twice}")
        chunks = duckdb.execute(QUERY, tables).df()
    except duckdb.Error as error:
        raise ValueError(f"{folder} cannot be read: {str(error).splitlines()[0]}") from error
    if chunks.empty:
        raise ValueError(f"no chunk of {folder} has arrived")
    numbers = ["size", "took_ms", "pace_kbps", *TCP, "arrived"]
    return chunks.astype(dict.fromkeys(numbers, float))[COLUMNS]
