"""The tables of `npm run lab -- export`, as streams."""

from pathlib import Path

import duckdb
import pandas as pd

from ..experiment.problem import Problem
from ..tables import told_twice
from .streams import Report, playback

#: An index above this is a picture without any difference, and is not averaged.
MOST_SSIM = 0.99999
#: A path whose connections deliver no more, in bytes/s on average, is slow (6 Mbit/s).
SLOW_BYTES_PER_S = 750_000

#: What a pace limits says nothing about the path: only what is unpaced, and comes after what was, tells its rate.
VIDEO = f"""
    WITH chunks AS (
        SELECT session_id, "index", sequence, size, duration, outcome,
            CASE WHEN ssim_index <= {MOST_SSIM} THEN ssim_index END AS ssim,
            CASE WHEN pace IS NULL AND lag(pace) OVER stream IS NULL THEN delivery_rate END AS rate
        FROM read_parquet($files, union_by_name = true)
        WINDOW stream AS (PARTITION BY session_id, "index" ORDER BY sequence)
    ), steps AS (
        SELECT *, abs(10 * log10(1 - ssim) - 10 * log10(1 - lag(ssim) OVER stream)) AS step
        FROM chunks WHERE outcome = 'completed'
        WINDOW stream AS (PARTITION BY session_id, "index" ORDER BY sequence)
    )
    SELECT session_id, "index", avg(ssim) AS ssim_index, avg(step) AS ssim_variation_db, avg(rate) AS rate,
        first(ssim ORDER BY sequence) AS first_ssim_index,
        sum(size) * 8 / 1000 / sum(duration) AS bitrate_kbps
    FROM steps GROUP BY ALL
"""


def files(folder: Path, table: str) -> list[str]:
    found = sorted(str(file) for file in folder.rglob(f"{table}.parquet"))
    if not found:
        raise Problem(f"{folder}: no {table}.parquet; npm run lab -- export DIR --out {folder} writes it")
    return found


def read_streams(folder: Path) -> pd.DataFrame:
    """A row a stream: session_id, index, scheme, began (ns), watch_s, stall_s, startup_s, truncated, excluded, slow,
    ssim_index, first_ssim_index, ssim_variation_db and bitrate_kbps. Throws a Problem for a folder that has no such tables."""
    if not folder.is_dir():
        raise Problem(f"{folder}: no such folder")
    connection = duckdb.connect()
    try:
        reports = connection.execute(
            """SELECT session_id, "index", arm, condition, time, event, buffer, cum_rebuf
               FROM read_parquet($files, union_by_name = true) ORDER BY session_id, "index", time""",
            {"files": files(folder, "client_buffer")},
        ).df()
        sent = files(folder, "video_sent")
        twice = told_twice(sent)
        if twice is not None:
            raise Problem(f"{folder}: {twice}")
        video = connection.execute(VIDEO, {"files": sent}).df()
    except duckdb.Error as error:
        raise Problem(f"{folder}: cannot be read: {str(error).splitlines()[0]}") from error
    finally:
        connection.close()
    rows = [_stream(*key, group) for key, group in reports.groupby(["session_id", "index"], sort=True)]
    streams = pd.DataFrame(rows).merge(video, on=["session_id", "index"], how="left")
    # Where networks have names, all streams of a network are slow or none, whatever their scheme makes of it.
    of_network = streams.groupby("condition").rate.transform("mean")
    streams["slow"] = of_network.fillna(streams.rate) <= SLOW_BYTES_PER_S
    return streams


def _stream(session_id: str, index: int, rows: pd.DataFrame) -> dict[str, object]:
    began = int(rows.time.iloc[0])
    reports = [
        Report((int(time) - began) / 1e9, event, buffer, stalled)
        for time, event, buffer, stalled in zip(
            rows.time, rows.event, rows.buffer, rows.cum_rebuf, strict=True
        )
    ]
    return {
        "session_id": session_id,
        "index": index,
        "scheme": str(rows.arm.iloc[0]),
        "condition": rows.condition.iloc[0],
        "began": began,
        **vars(playback(reports)),
    }
