"""`bench`: a whole analysis of many sessions, and its group-by beside the same in pandas."""

import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pandas as pd

from .analyze import analyze
from .cells import cells_expression, sort
from .estimands import Options
from .read import read
from .report import report

#: A week on two links, with five metrics of no effect. `hash` deals out the accounts.
SESSIONS = """
COPY (
    SELECT 's' || i AS session_id, 'u' || (i * 7919 % 4000000) AS unit,
        CASE WHEN i % 2 = 0 THEN 'north' ELSE 'south' END AS cluster,
        CASE WHEN i % 2 = 0 THEN 0.95 ELSE 0.05 END AS allocation,
        CASE WHEN hash(i * 7919 % 4000000) / 18446744073709551615.0 < CASE WHEN i % 2 = 0 THEN 0.95 ELSE 0.05 END
            THEN 'treatment' ELSE 'control' END AS arm,
        TIMESTAMP '2026-03-02' + INTERVAL (i * 604800 // {count}) SECOND AS started_at,
        30000 * exp(random()) AS throughput_kbps, 20 + 40 * random() AS min_rtt_ms, 300 + 500 * random() AS play_delay_ms,
        2200 + 1000 * random() AS mean_bitrate_kbps, (random() < 0.02)::INTEGER AS rebuffer_count
    FROM range({count}) r(i)
) TO '{file}' (FORMAT parquet)
"""


@dataclass(frozen=True)
class Bench:
    whole_s: float
    group_by_s: float
    pandas_s: float
    #: The largest memory of this process until the analysis was done, before pandas read the file.
    peak_mb: float


def bench(count: int) -> Bench:
    """Analyses `count` sessions in a Parquet file with a report, then groups the file's sessions with pandas."""
    with tempfile.TemporaryDirectory(prefix="sammy-bench-") as folder:
        file = str(Path(folder) / "sessions.parquet")
        with duckdb.connect(
            config={"memory_limit": "900MB", "preserve_insertion_order": "false"}
        ) as connection:
            connection.execute("SELECT setseed(0.5)")
            connection.execute(SESSIONS.format(count=count, file=file))
        began = time.perf_counter()
        sessions = read(file)
        try:
            report(analyze(sessions, Options()), sessions)
            whole_s, began = time.perf_counter() - began, time.perf_counter()
            ours = sort(cells_expression(sessions.table, sessions.metrics).execute())
            group_by_s = time.perf_counter() - began
            peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
                2**20 if sys.platform == "darwin" else 2**10
            )
            began = time.perf_counter()
            theirs = _with_pandas(file, sessions.metrics)
            pandas_s = time.perf_counter() - began
        finally:
            sessions.close()
    if theirs["size"].tolist() != ours.sessions.tolist():
        raise AssertionError("the group-by and pandas' differ")
    return Bench(whole_s, group_by_s, pandas_s, peak_mb)


def _with_pandas(file: str, metrics: list[str]) -> pd.DataFrame:
    table = pd.read_parquet(file, columns=["cluster", "allocation", "arm", "started_at", *metrics])
    table["hour"] = table.started_at.astype("int64") // (3600 * 10**6)
    squares = {f"squares_{m}": table[m] * table[m] for m in metrics}
    grouped = table.assign(**squares).groupby(["cluster", "allocation", "arm", "hour"])
    sums = grouped[[*metrics, *squares]].agg(["count", "sum"])
    return sums.assign(size=grouped.size()).reset_index()
