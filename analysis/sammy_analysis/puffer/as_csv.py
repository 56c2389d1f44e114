"""Writes the lab's tables as Puffer's daily files, for programs that read Puffer's public data."""

import json
import re
from pathlib import Path

import duckdb

from ..experiment.problem import Problem
from ..tables import find_repeated_session
from .day_files import TIME, parquet
from .read import DAY_BEGINS_NS, DAY_NS, files

#: The columns of a stream in all tables. Unknown values are written as values that Puffer's analysis ignores: the SSIM
#: of an identical frame, and 0 for TCP's statistics.
STREAM = (
    f"time AS \"{TIME}\", session_id, \"index\", ids.id AS expt_id, replace(channel, ',', ' ') AS channel"
)
TABLES = {
    "client_buffer": "event, short(buffer) AS buffer, short(cum_rebuf) AS cum_rebuf",
    "video_sent": "video_ts, format, coalesce(size, 0) AS size, short(coalesce(ssim_index, 1)) AS ssim_index, "
    + ", ".join(
        f"coalesce({name}, 0) AS {name}" for name in ("cwnd", "in_flight", "min_rtt", "rtt", "delivery_rate")
    )
    + ", short(buffer) AS buffer, short(cum_rebuf) AS cum_rebuf",
    "video_acked": "video_ts, short(buffer) AS buffer, short(cum_rebuf) AS cum_rebuf",
}
#: Six significant digits, as in Puffer's files.
SHORT = "CREATE MACRO short(value) AS printf('%.6g', value::DOUBLE)"


def write_days(folder: Path, out: Path) -> list[str]:
    """Writes a folder X for each day X of the sessions in `folder`, with the three tables and logs/expt_settings. Days
    begin at 11:00 UTC, and a session belongs to the day on which it began. The arms of a trial are written with their
    names, not their codes. Returns a line of text for each day."""
    if out.exists() and any(out.iterdir()):
        raise Problem(f"--csv: {out} is not empty; name a new folder")
    read = {table: files(folder, table) for table in TABLES}
    if twice := find_repeated_session(read["video_sent"]):
        raise Problem(f"{folder}: {twice}")
    names = _names(folder)
    with duckdb.connect() as connection:
        connection.execute(SHORT)
        connection.execute(
            f"CREATE TABLE starts AS SELECT session_id, (min(time) - {DAY_BEGINS_NS}) // {DAY_NS} AS day "
            f"FROM {parquet(read['client_buffer'])} GROUP BY session_id"
        )
        connection.execute(
            "CREATE TABLE ids AS SELECT arm, row_number() OVER (ORDER BY arm) AS id "
            f"FROM {parquet(read['client_buffer'])} GROUP BY arm"
        )
        arms = connection.execute("SELECT id, arm FROM ids ORDER BY id").fetchall()
        days = [
            day for (day,) in connection.execute("SELECT DISTINCT day FROM starts ORDER BY day").fetchall()
        ]
        settings = "".join(_setting(number, names.get(arm, arm), _control(folder)) for number, arm in arms)
        return [_write_day(connection, read, out, day, settings) for day in days]


def _write_day(
    connection: duckdb.DuckDBPyConnection, read: dict[str, list[str]], out: Path, day: int, settings: str
) -> str:
    (name,) = connection.execute(
        "SELECT strftime(first, '%Y-%m-%dT11') || '_' || strftime(first + INTERVAL 1 DAY, '%Y-%m-%dT11') "
        "FROM (SELECT make_timestamp(?) AS first)",
        [(day * DAY_NS + DAY_BEGINS_NS) // 1000],
    ).fetchone()
    folder = out / name
    (folder / "logs").mkdir(parents=True)
    (folder / "logs" / "expt_settings").write_text(settings, encoding="utf8")
    counts = []
    for table, columns in TABLES.items():
        file = folder / f"{table}_{name}.csv"
        rows = connection.execute(
            f"COPY (SELECT {STREAM}, {columns} FROM {parquet(read[table])} AS rows "
            f"JOIN starts USING (session_id) JOIN ids ON ids.arm = rows.arm "
            f"WHERE day = {day} ORDER BY session_id, \"index\", time) TO '{str(file).replace(chr(39), chr(39) * 2)}' "
            "(HEADER, DELIMITER ',', QUOTE '', ESCAPE '')"
        ).fetchone()[0]
        counts.append(f"{table} {rows:,}")
    return f"{folder}: {', '.join(counts)}"


def _names(folder: Path) -> dict[str, str]:
    """Returns the arms of a trial by their codes."""
    key = folder / "key.json"
    return json.loads(key.read_text("utf8")) if key.is_file() else {}


def _control(folder: Path) -> str:
    """Returns the congestion control from the lab's settings, which is the same for all arms; empty if there are none."""
    found = next(iter(sorted(folder.rglob("expt_settings"))), None)
    match = re.search(r'"cc":\s*"([^"]+)"', found.read_text("utf8")) if found else None
    return match[1] if match else ""


def _setting(number: int, name: str, control: str) -> str:
    return f"{number} {json.dumps({'abr': name, 'abr_name': name, **({'cc': control} if control else {})})}\n"
