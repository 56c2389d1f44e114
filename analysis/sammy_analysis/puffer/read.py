"""Reads the streams of a trial, from the tables of `npm run lab -- report --puffer` or from Puffer's daily files."""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pandas as pd

from ..experiment.problem import Problem
from ..tables import find_repeated_session
from .day_files import TIME, Day, day_files, parquet, scan
from .rules import LAB, Rules
from .stream_query import DECODER, EVENTS, NS, STREAMS, event_number
from .streams import (
    CONTRADICTORY,
    DID_NOT_PLAY,
    SHORT,
    SHORTEST_WATCH_S,
    SLOW_DECODER,
)

#: An SSIM index above this value means an identical frame, and is excluded from averages.
MOST_SSIM = 0.99999
#: A path counts as slow if its mean delivery rate is at most this value, in bytes/s (6 Mbit/s).
SLOW_BYTES_PER_S = 750_000
#: The length of Puffer's chunks: 60 frames at 29.97 per second.
CHUNK_S = 2.002
#: DuckDB's memory limit. Beyond it, DuckDB uses a file. With two threads, it needs this much to sort 20 million
#: reports.
MEMORY = "1200MB"
#: Progress is printed if a day's file of reports is larger than this, MB.
LARGE_MB = 200
#: The range of valid times, ns since 1970: from 2000 to 2100.
FIRST_NS, LAST_NS = 946_684_800 * NS, 4_102_444_800 * NS


@dataclass(frozen=True)
class Tables:
    """SQL for the rows of a trial. `label` is a scheme's name or number. `place` is the order of a stream's chunks."""

    name: str
    #: session_id, index, time, event, buffer, cum_rebuf, label, condition
    reports: str
    #: session_id, index, place, size, duration, ssim_index, rate, arrived
    chunks: str


@dataclass(frozen=True)
class Trial:
    """`streams` has one row per stream: session_id, index, scheme, condition, began (ns), watch_s, stall_s, startup_s,
    played_s, truncated, excluded, slow, ssim_index, first_ssim_index, ssim_variation_db, rate and bitrate_kbps.
    `played_s` is the watch time, even of excluded streams. `notes` are warnings, one line each."""

    streams: pd.DataFrame
    notes: list[str]


def files(folder: Path, table: str) -> list[str]:
    found = sorted(str(file) for file in folder.rglob(f"{table}.parquet"))
    if not found:
        raise Problem(
            f"{folder}: no {table}.parquet; npm run lab -- report DIR --puffer {folder} writes it (nor is there {table}_X.csv)"
        )
    return found


def read_streams(folder: Path, rules: Rules = LAB) -> pd.DataFrame:
    """Returns the streams of a `Trial`."""
    return read_trial(folder, rules).streams


def is_puffers(folder: Path) -> bool:
    """Whether a folder has Puffer's own files. Raises a Problem if the path is not a folder, or if the folder also has
    the lab's tables."""
    if folder.is_file():
        raise Problem(f"{folder}: is a file; name the folder that it is in, for the tables belong together")
    if not folder.is_dir():
        raise Problem(f"{folder}: no such folder")
    csv = any(folder.rglob("client_buffer_*.csv*")) or any(folder.rglob("video_sent_*.csv*"))
    if csv and any(folder.rglob("client_buffer.parquet")):
        raise Problem(f"{folder}: has Puffer's CSVs and the lab's Parquet; name the folder of one of them")
    return csv


def read_trial(folder: Path, rules: Rules = LAB) -> Trial:
    """Reads a trial. Raises a Problem for a folder without suitable tables, or with impossible values."""
    try:
        if is_puffers(folder):
            days = day_files(folder)
            parts = [
                report_progress(_read_day(day, rules), number, len(days))
                for number, day in enumerate(days, 1)
            ]
            streams = pd.concat([part.streams for part in parts], ignore_index=True)
            trial = Trial(streams, [note for part in parts for note in part.notes])
        else:
            trial = _read_exported(folder, rules)
    except duckdb.Error as error:
        raise Problem(f"{folder}: cannot be read: {_first_line(error)}") from error
    streams, notes = trial.streams, trial.notes
    if rules.common_days:
        streams, left_out = common_days(streams)
        notes = notes + left_out
    return Trial(_with_slow(streams, rules), notes)


def _first_line(error: duckdb.Error) -> str:
    return str(error).splitlines()[0]


def _read_exported(folder: Path, rules: Rules) -> Trial:
    reports, sent = files(folder, "client_buffer"), files(folder, "video_sent")
    if twice := find_repeated_session(sent):
        raise Problem(f"{folder}: {twice}")
    # Use only the rates of unpaced chunks that do not follow a paced chunk, because paced chunks do not measure the path.
    unpaced = (
        'CASE WHEN pace IS NULL AND lag(pace) OVER (PARTITION BY session_id, "index" ORDER BY sequence) IS NULL'
        " THEN delivery_rate END"
    )
    return _read(
        Tables(
            str(folder),
            f'SELECT session_id, "index", time, event, buffer, cum_rebuf, arm AS label, condition '
            f"FROM {parquet(reports)}",
            f'SELECT session_id, "index", sequence AS place, size, duration, ssim_index, '
            f"{'coalesce(delivery_rate, 0)' if rules.slow_by_stream else unpaced} AS rate, "
            f"outcome = 'completed' AS arrived FROM {parquet(sent)}",
        ),
        rules,
    )


def _read_day(day: Day, rules: Rules) -> Trial:
    if day.video_acked is None and not rules.all_sent:
        raise Problem(
            f"{day.video_sent.parent}: no video_acked_{day.name}.csv, which says what arrived; --rules puffer needs none"
        )
    if (size_mb := day.client_buffer.stat().st_size / 1e6) > LARGE_MB:
        print(f"{day.name}: reading reports of {size_mb:,.0f} MB", file=sys.stderr)
    sent = scan(day.video_sent, "video_sent")
    arrived = "true"
    if not rules.all_sent:
        acked = scan(day.video_acked, "video_acked")
        arrived = f'(session_id, "index", video_ts) IN (SELECT (session_id, "index", video_ts) FROM {acked})'
    tables = Tables(
        day.name,
        f'SELECT session_id, "index", "{TIME}" AS time, event, buffer, cum_rebuf, expt_id AS label, '
        f"NULL::VARCHAR AS condition FROM {scan(day.client_buffer, 'client_buffer')}",
        f'SELECT session_id, "index", "{TIME}" AS place, size, {CHUNK_S} AS duration, ssim_index, '
        f"delivery_rate AS rate, {arrived} AS arrived FROM {sent}",
    )
    try:
        trial = _read(tables, rules)
    except duckdb.Error as error:
        raise Problem(_csv_problem(day, error)) from error
    unknown = sorted({*trial.streams.label} - {*day.schemes})
    if unknown:
        raise Problem(f"{day.client_buffer}: expt_id {unknown[0]} is not in the day's expt_settings")
    trial.streams["scheme"] = trial.streams.label.map(day.schemes)
    return Trial(trial.streams, trial.notes + _clock_notes(day, trial.streams.began))


def _clock_notes(day: Day, began: pd.Series) -> list[str]:
    """Warns of streams that did not begin on the day in the file's name. Raises a Problem for times that are not in ns."""
    wrong = began[(began < FIRST_NS) | (began > LAST_NS)]
    if len(wrong):
        raise Problem(f"{day.client_buffer}: has the time {wrong.iloc[0]}, which is not ns since 1970")
    try:
        first, last = (pd.Timestamp(f"{each}:00").value for each in day.name.split("_"))
    except ValueError:
        return []
    outside = int(((began < first) | (began > last)).sum())
    note = (
        f"{day.client_buffer}: {outside:,} of {len(began):,} streams began on another day than its name says"
    )
    return [note] if outside else []


def _csv_problem(day: Day, error: duckdb.Error) -> str:
    """Shortens DuckDB's error about a line to one line."""
    text = " ".join(str(error).split())
    file = next(
        (file for file in (day.client_buffer, day.video_sent, day.video_acked) if file and str(file) in text),
        day.client_buffer,
    )
    if "gzip" in text.lower() or "decompress" in text.lower():
        return f"{file}: is cut off or no gzip file; fetch it again"
    where = text.partition("CSV Error on Line: ")[2].split(" ")[0]
    if "Expected Number of Columns" in text:
        return f"{file}: line {where} has too few or too many columns, as where a file is cut off; fetch it again"
    if where:
        return (
            f"{file}: line {where}: {text.partition('Error when converting column ')[2][:100] or text[-120:]}"
        )
    return f"{file}: cannot be read: {text[:160]}"


def _read(tables: Tables, rules: Rules) -> Trial:
    with (
        tempfile.TemporaryDirectory(prefix="sammy-puffer-") as spill,
        duckdb.connect(
            config={
                "memory_limit": MEMORY,
                "temp_directory": spill,
                "preserve_insertion_order": "false",
            }
        ) as connection,
    ):
        known = connection.execute(
            f'SELECT session_id, "index", min(label) AS label, max(label) AS other, min(condition) AS condition '
            f"FROM ({tables.reports}) GROUP BY ALL"
        ).df()
        _check_known(tables, known)
        connection.register("known", known)
        # Replace session names by numbers: 20 million names would take half of the query's time, and most of its
        # memory.
        connection.execute(
            "CREATE TYPE session AS ENUM (SELECT DISTINCT session_id FROM known ORDER BY session_id)"
        )
        connection.execute(
            f'CREATE TEMP TABLE reports AS SELECT session_id::session AS session_id, "index"::INTEGER AS stream, time, '
            f"({event_number()})::TINYINT AS event, buffer, cum_rebuf FROM ({tables.reports})"
        )
        _check_reports(connection, tables)
        streams = connection.execute(STREAMS).df()
        streams["session_id"] = streams.session_id.astype(str)
        twice = streams[streams.twice_at.notna()]
        if len(twice):
            first = twice.sort_values(["session_id", "stream"]).iloc[0]
            raise Problem(
                f"{tables.name}: {len(twice):,} streams have a report twice, such as {first.stream} of session "
                f"'{first.session_id}': the same data twice"
            )
        connection.execute("DROP TABLE reports")
        video = connection.execute(video_query(tables, rules)).df()
    streams = (
        streams.rename(columns={"stream": "index"})
        .merge(known.drop(columns="other"), on=["session_id", "index"])
        .merge(video, on=["session_id", "index"], how="left")
        .sort_values(["session_id", "index"], ignore_index=True)
    )
    falls = int(streams.fell.sum())
    note = (
        f"{tables.name}: in {falls:,} of {len(streams):,} streams the time stalled goes down as time goes on: their clocks "
        "disagree"
    )
    return Trial(_counted(streams).assign(scheme=streams.label), [note] if falls else [])


def _check_known(tables: Tables, known: pd.DataFrame) -> None:
    if len(known) == 0:
        raise Problem(f"{tables.name}: client_buffer has no rows")
    if known.session_id.isna().any() or known["index"].isna().any() or known.label.isna().any():
        raise Problem(f"{tables.name}: client_buffer has rows without session_id, index or scheme")
    of_two = known[known.label != known.other]
    if len(of_two):
        raise Problem(
            f"{tables.name}: stream {of_two['index'].iloc[0]} of session '{of_two.session_id.iloc[0]}' is of two schemes: "
            f"{of_two.label.iloc[0]} and {of_two.other.iloc[0]}"
        )


def _check_reports(connection: duckdb.DuckDBPyConnection, tables: Tables) -> None:
    events, empty = connection.execute(
        "SELECT count(*) FILTER (event IS NULL), count(*) FILTER (time IS NULL OR buffer IS NULL OR cum_rebuf IS NULL) "
        "FROM reports"
    ).fetchone()
    if events:
        names = ", ".join(f"'{name}'" for name in EVENTS)
        found = connection.execute(
            f"SELECT any_value(event) FROM ({tables.reports}) WHERE event IS NULL OR event NOT IN ({names})"
        ).fetchone()[0]
        raise Problem(
            f"{tables.name}: client_buffer has the event '{found}' in {events:,} rows; known: {', '.join(EVENTS)}"
        )
    if empty:
        raise Problem(f"{tables.name}: client_buffer has {empty:,} rows without a time, buffer or cum_rebuf")


def video_query(tables: Tables, rules: Rules) -> str:
    """Returns the query that aggregates the chunks of a stream. An SSIM step is between two successive chunks that both have
    an SSIM."""
    taken = "true" if rules.all_sent else "arrived"
    steps = "nullif(sum(step) / nullif(count(step) - 1, 0), 0)" if rules.one_step_less else "avg(step)"
    return f"""
    WITH chunks AS ({tables.chunks}), sent AS (
        SELECT *, CASE WHEN ssim_index <= {MOST_SSIM} THEN ssim_index END AS ssim FROM chunks WHERE {taken}
    ), steps AS (
        SELECT *, abs(10 * log10(1 - ssim) - 10 * log10(1 - lag(ssim) OVER stream)) AS step
        FROM sent WINDOW stream AS (PARTITION BY session_id, "index" ORDER BY place)
    )
    SELECT session_id, "index", avg(ssim) AS ssim_index, {steps} AS ssim_variation_db, avg(rate) AS rate,
        first(ssim ORDER BY place) AS first_ssim_index,
        sum(size) * 8 / 1000 / sum(duration) AS bitrate_kbps
    FROM steps GROUP BY ALL
    """


def _counted(streams: pd.DataFrame) -> pd.DataFrame:
    """Adds a column with the first applicable reason to exclude each stream."""
    played = streams.watch_s > 0
    excluded = pd.Series("", index=streams.index)
    excluded[streams.watch_s < SHORTEST_WATCH_S] = SHORT
    excluded[streams.stall_s < 0] = CONTRADICTORY
    excluded[~played] = DID_NOT_PLAY
    excluded[streams.cause == DECODER] = SLOW_DECODER
    known = played & (streams.cause != DECODER)
    return streams.assign(
        excluded=excluded,
        truncated=streams.cause.notna() & (streams.cause != DECODER),
        played_s=streams.played_s.fillna(0),
        **{name: streams[name].where(known, 0.0) for name in ("watch_s", "stall_s", "startup_s")},
    ).drop(columns=["cause", "fell", "twice_at"])


def _with_slow(streams: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    if rules.slow_by_stream:
        return streams.assign(slow=streams.rate.fillna(0) <= SLOW_BYTES_PER_S)
    # If networks are named, the mean rate of a network classifies all its streams, regardless of their schemes.
    of_network = streams.groupby("condition").rate.transform("mean")
    return streams.assign(slow=of_network.fillna(streams.rate) <= SLOW_BYTES_PER_S)


DAY_NS, DAY_BEGINS_NS = 86_400 * NS, 11 * 3600 * NS


def common_days(streams: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Selects the longest sequence of days, up to the last day, on which all schemes of the last day ran. Also selects
    the streams of these schemes."""
    day = (streams.began - DAY_BEGINS_NS) // DAY_NS
    ran = streams.groupby(day).scheme.agg(set)
    wanted, last = ran.iloc[-1], ran.index[-1]
    first = last
    while first - 1 in ran.index and wanted <= ran[first - 1]:
        first -= 1
    kept = streams[(day >= first) & streams.scheme.isin(wanted)].reset_index(drop=True)
    if len(kept) == len(streams):
        return kept, []
    return kept, [
        f"{len(streams) - len(kept):,} of {len(streams):,} streams are left out: of other days than the last "
        f"{last - first + 1:,}, on which all of {', '.join(sorted(wanted))} ran, or of other schemes"
    ]


def report_progress(trial: Trial, done: int, days: int) -> Trial:
    """Prints the progress if there are several days, and returns the trial."""
    if days > 1:
        print(f"day {done} of {days} is read", file=sys.stderr)
    return trial
