"""`bench --rows N`: measures the time and memory for a day of N rows in Puffer's format.

Run as a program (`python -m sammy_analysis.puffer.bench make FOLDER ROWS`), this file writes such a day: streams with
heavy-tailed watch times (log-normal, with a median of 67 s and at most 5.6 h), a report every 250 ms and a chunk every
2.002 s, interleaved in time.
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ..experiment.reading.read import MEMORY
from ..experiment.simulations.bench import Step, process

NAME = "2019-01-01T11_2019-01-02T11"
#: 2019-01-01 11:00 UTC.
BEGINS_NS = 1_546_340_400 * 10**9
#: The mean number of rows (reports and chunks) of a stream.
ROWS_A_STREAM = 1500
SCHEMES = 5

#: One in 20 streams stalls once, at 50 s, for up to 5 s.
STREAMS = f"""
CREATE TABLE streams AS SELECT i, i // 4 AS session, i % 4 AS stream, 1 + (i // 4) % {SCHEMES} AS expt_id,
    'session' || lpad((i // 4)::VARCHAR, 36, '0') || '=' AS session_id,
    {BEGINS_NS} + (i // 4 * 37 % 40000 + i % 4 * 10000) * 1000000000 AS began,
    least(20000, exp(4.2 + 1.8 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())))::INTEGER + 1 AS seconds,
    random() AS chance
FROM range({{count}}) r(i)
"""
REPORTS = """
SELECT began + k * 250000000 + i % 1000 * 1000 AS "time (ns GMT)", session_id, stream AS "index", expt_id, 'abc' AS channel,
    CASE WHEN k = 0 THEN 'init' WHEN k = 3 THEN 'startup' WHEN chance < 0.05 AND k = 200 THEN 'rebuffer'
        WHEN chance < 0.05 AND k = 201 + (chance * 400)::INTEGER THEN 'play' ELSE 'timer' END AS event,
    round(CASE WHEN k < 3 THEN 0 WHEN chance < 0.05 AND k BETWEEN 200 AND 200 + (chance * 400)::INTEGER THEN 0.1
        ELSE 1 + 14 * random() END, 3) AS buffer,
    round(0.25 * least(k, 3) + CASE WHEN chance < 0.05 AND k > 200 THEN 0.25 * least(k - 200, (chance * 400)::INTEGER + 1)
        ELSE 0 END, 3) AS cum_rebuf
FROM streams, range(4 * seconds) r(k)
"""
CHUNKS = """
SELECT began + k * 2002000000 AS "time (ns GMT)", session_id, stream AS "index", expt_id, 'abc' AS channel,
    k * 180180 AS video_ts, '1280x720-24' AS format, (400000 + 300000 * random())::INTEGER AS size,
    round(0.97 + 0.029 * random(), 6) AS ssim_index, 30 AS cwnd, 4 AS in_flight, 12000 AS min_rtt, 15000 AS rtt,
    (400000 + 2000000 * chance)::INTEGER AS delivery_rate, 12.5 AS buffer, 0.75 AS cum_rebuf
FROM streams, range((seconds / 2.002)::INTEGER + 1) r(k)
"""


@dataclass(frozen=True)
class Bench:
    rows: int
    file_mb: float
    #: The cost of reading the streams.
    read: Step
    #: The cost of the whole command with bootstrap and report.
    command: Step


def bench(rows: int) -> Bench:
    """Generates about `rows` rows, and runs `puffer` on them with the rules of Puffer's published analysis."""
    with tempfile.TemporaryDirectory(prefix="sammy-bench-") as folder:
        made = process("sammy_analysis.puffer.bench", "make", folder, str(rows))[1]
        read = process("sammy_analysis.puffer.bench", "read", folder)[0]
        command = process("sammy_analysis", "puffer", folder, "--out", str(Path(folder) / "report.html"))[0]
        size = sum(file.stat().st_size for file in Path(folder).glob("*.csv"))
        return Bench(int(made), size / 1e6, read, command)


def make(folder: Path, rows: int) -> int:
    """Writes the day, and returns its number of rows."""
    written = 0
    with duckdb.connect(config={"memory_limit": MEMORY, "preserve_insertion_order": "false"}) as connection:
        connection.execute("SELECT setseed(0.5)")
        connection.execute(STREAMS.format(count=max(1, rows // ROWS_A_STREAM)))
        for table, query in (("client_buffer", REPORTS), ("video_sent", CHUNKS)):
            file = folder / f"{table}_{NAME}.csv"
            written += connection.execute(
                f"COPY ({query}) TO '{file}' (HEADER, QUOTE '', ESCAPE '')"
            ).fetchone()[0]
    (folder / "logs").mkdir()
    lines = [f'{number} {{"abr": "scheme-{number}", "cc": "bbr"}}\n' for number in range(1, SCHEMES + 1)]
    (folder / "logs" / "expt_settings").write_text("".join(lines))
    return written


def main(step: str, folder: str, rows: str = "0") -> None:
    if step == "make":
        print(make(Path(folder), int(rows)))
        return
    from .read import read_streams
    from .rules import PUFFER

    read_streams(Path(folder), PUFFER)


if __name__ == "__main__":
    main(*sys.argv[1:])
