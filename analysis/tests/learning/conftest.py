"""A folder of sessions from which models are trained."""

import duckdb
import pytest
from ttp_chunks import network_sessions


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with the tables that the lab exports, and its chunks. Three more chunks were sent: one did not arrive,
    and two were abandoned."""
    folder = tmp_path_factory.mktemp("ttp")
    (folder / "data").mkdir()
    chunks = network_sessions(12, 0.2)
    chunks["sequence"] = chunks.groupby("stream").cumcount() * 2
    tcp = "last_cwnd, last_in_flight, last_min_rtt, last_rtt, last_delivery_rate"
    duckdb.register("chunks", chunks)
    duckdb.execute(f"""
        COPY (SELECT stream AS session_id, 0 AS "index", sequence, time, size, pace_kbps * 1000 / 8 AS pace, pace_limited,
                  {tcp}, 'film' AS channel, stream AS format, sequence AS video_ts, 'completed' AS outcome,
                  NULL::BIGINT AS given_up, network AS condition FROM chunks
              UNION ALL SELECT '000', 0, 97, 9, 7, NULL, false, 1, 1, 1, 1, 1, 'film', '001', 4, 'abandoned', 3_000_009, NULL
              UNION ALL SELECT '000', 0, 98, 9, 8, NULL, false, 1, 1, 1, 1, 1, 'film', '001', 5, 'abandoned', 4_000_009, NULL
              UNION ALL SELECT '000', 0, 99, 1, 5, NULL, false, 1, 1, 1, 1, 1, 'film', '001', 4, 'failed', NULL, NULL)
        TO '{folder}/data/video_sent.parquet'""")
    duckdb.execute(f"""
        COPY (SELECT stream AS session_id, 0 AS "index", sequence, time + round(took_ms * 1e6)::BIGINT AS time FROM chunks)
        TO '{folder}/data/video_acked.parquet'""")
    return folder, chunks
