"""The data of the comparison: inputs, times and ground truth of each chunk.

Two columns exist only for the comparison: TCP's statistics at the start of the response, which a player does not have when it
sends the request, and the time that a paced chunk would take without its pace, which only a simulator knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd

from sammy_analysis.tables import plausible_tcp
from sammy_analysis.ttp.chunks import TCP, read_chunks
from sammy_analysis.ttp.evaluate import harmonic_mean
from sammy_analysis.ttp.inputs import PLAIN_INPUTS, TCP_INPUTS, make_examples

BESIDE = """
    SELECT sent.session_id || ' ' || sent."index" AS stream, sent.time, {now}, {unpaced} AS unpaced_ms
    FROM read_parquet($sent, union_by_name = true) AS sent {join}
"""
JOIN = (
    'LEFT JOIN read_parquet($unpaced, union_by_name = true) AS unpaced USING (session_id, "index", sequence)'
)


@dataclass(frozen=True)
class Rows:
    """One row per chunk, in the order of the sessions.

    inputs, fresh: [rows, TCP_INPUTS], with TCP's statistics of the previous response, or of the start of this response. took_s:
    the transmission time. limited: the pace limited the chunk. given_up: the player abandoned the chunk. truth_s: the time
    without the pace, NaN if unknown. mean_s: the time predicted from the harmonic mean of earlier throughputs, NaN for the
    first chunk of a session. network: the number of the network, from 0.
    """

    inputs: np.ndarray
    fresh: np.ndarray
    took_s: np.ndarray
    limited: np.ndarray
    given_up: np.ndarray
    truth_s: np.ndarray
    mean_s: np.ndarray
    network: np.ndarray

    def select(self, chosen: np.ndarray) -> Rows:
        return Rows(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))

    @property
    def observed(self) -> np.ndarray:
        """Whether the network determined the time of each row."""
        return ~self.limited & ~self.given_up


def read_rows(folder: Path) -> Rows:
    """Reads the chunks of a folder that every predictor can predict. Raises ValueError if there are none."""
    chunks = read_chunks(folder).sort_values("stream", kind="stable", ignore_index=True)
    beside = chunks[["stream", "time"]].merge(read_beside(folder), how="left", on=["stream", "time"])
    now = {last: beside[last.removeprefix("last_")].to_numpy(float) for last in TCP}
    inputs, took_s, limited, given_up = next_chunks(chunks)
    fresh = next_chunks(chunks.assign(**now))[0]
    mean_bytes_per_s = harmonic_mean(inputs)
    rows = Rows(
        inputs=inputs,
        fresh=fresh,
        took_s=took_s,
        limited=limited,
        given_up=given_up,
        truth_s=beside["unpaced_ms"].to_numpy(float) / 1000,
        mean_s=inputs[:, -1] / mean_bytes_per_s,
        network=np.unique(chunks["network"].to_numpy(str), return_inverse=True)[1],
    )
    statistics = slice(PLAIN_INPUTS - 1, TCP_INPUTS - 1)
    lacks = np.isnan(np.hstack([inputs[:, statistics], fresh[:, statistics]])).any(axis=1)
    usable = ~lacks & np.isfinite(rows.took_s)
    if not usable.any():
        raise ValueError(f"{folder}: no chunk has TCP's statistics")
    return rows.select(usable)


def next_chunks(chunks: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Returns four values per chunk, in the frame's order: the inputs, the time in s, whether the pace limited the
    chunk, and whether it was abandoned."""
    examples = make_examples(chunks)
    inputs = np.column_stack([examples.before, examples.size[:, 0]])
    return inputs, examples.took_s[:, 0], examples.limited[:, 0], examples.given_up[:, 0]


def read_beside(folder: Path) -> pd.DataFrame:
    """Reads, by stream and time of the request, the TCP statistics at the start of the response, and unpaced_ms."""
    files = {
        name: sorted(str(file) for file in folder.rglob(f"{name}.parquet"))
        for name in ("video_sent", "unpaced")
    }
    forked = bool(files["unpaced"])
    query = BESIDE.format(
        now=plausible_tcp(),
        unpaced="unpaced_ms" if forked else "NULL::DOUBLE",
        join=JOIN if forked else "",
    )
    named = {"sent": files["video_sent"], **({"unpaced": files["unpaced"]} if forked else {})}
    try:
        return duckdb.execute(query, named).df().drop_duplicates(["stream", "time"])
    except duckdb.Error as error:
        raise ValueError(f"{folder} cannot be read: {str(error).splitlines()[0]}") from error
