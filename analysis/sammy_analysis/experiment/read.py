"""Reads sessions from files into one table, and says of every row that is left out why.

The rows go into a DuckDB database in a temporary file, so that memory stays bounded: a row has its number in its file
and, where it cannot be used, a reason in `problem`.
"""

import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import ibis
import pandas as pd

from .problem import Problem
from .schema import KNOWN, REQUIRED, SCHEMA_VERSION, stem

MEMORY = "900MB"
#: The first day that can be a session's: before it a clock was never set.
EARLIEST = "2000-01-01"


@dataclass
class Sessions:
    """Sessions that can be analysed, and what was left out of the input."""

    connection: ibis.BaseBackend
    table: ibis.Table
    metrics: list[str]
    files: list[str]
    rows: int
    #: Columns: file, field, reason, count, first_row.
    left_out: pd.DataFrame
    notes: list[str] = field(default_factory=list)
    _folder: str = ""

    def close(self) -> None:
        self.connection.disconnect()
        shutil.rmtree(self._folder, ignore_errors=True)


def read(source: str) -> Sessions:
    """Reads a CSV, Parquet or NDJSON file, or every such file of a folder."""
    files = find_files(source)
    folder = tempfile.mkdtemp(prefix="sammy-analysis-")
    connection = ibis.duckdb.connect(
        f"{folder}/sessions.duckdb", memory_limit=MEMORY, temp_directory=f"{folder}/spill"
    )
    try:
        columns = {file: _columns(connection, file) for file in files}
        metrics, notes = _metrics(connection, columns)
        _create(connection, metrics)
        for number, file in enumerate(files):
            _insert(connection, number, file, columns[file], metrics)
        _mark_repeated(connection)
        left_out = _left_out(connection, files, metrics)
        rows = int(_sql(connection, "SELECT count(*) AS n FROM rows").n[0])
        table = connection.table("rows").filter(lambda t: t.problem.isnull())
        return Sessions(connection, table, metrics, files, rows, left_out, notes, folder)
    except BaseException:
        connection.disconnect()
        shutil.rmtree(folder, ignore_errors=True)
        raise


def find_files(source: str) -> list[str]:
    path = Path(source)
    if path.is_dir():
        found = sorted(str(f) for f in path.rglob("*") if f.suffix in SUFFIXES and f.is_file())
        if not found:
            raise Problem(f"{source}: no {', '.join(SUFFIXES)} in this folder")
        return found
    if not path.is_file():
        raise Problem(f"{source}: no such file or folder")
    if path.suffix not in SUFFIXES:
        raise Problem(f"{source}: not a known kind of file; known: {', '.join(SUFFIXES)}")
    return [source]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _csv(file: str) -> str:
    # Everything as text: what is not a number is then found by us, and named, and not guessed away.
    return f"SELECT * FROM read_csv({_quoted(file)}, header = true, all_varchar = true, strict_mode = true)"


def _parquet(file: str) -> str:
    return f"SELECT * FROM read_parquet({_quoted(file)})"


SUFFIXES = {".csv": _csv, ".parquet": _parquet}


def _sql(connection: ibis.BaseBackend, query: str) -> pd.DataFrame:
    return connection.raw_sql(query).fetchdf()


def _columns(connection: ibis.BaseBackend, file: str) -> dict[str, str]:
    """The file's columns and their types; refuses a file without the schema's columns or of another version."""
    query = SUFFIXES[Path(file).suffix](file)
    try:
        described = _sql(connection, f"DESCRIBE {query}")
    except Exception as error:
        raise Problem(f"{file}: cannot be read: {str(error).splitlines()[0]}") from error
    columns = dict(zip(described.column_name, described.column_type, strict=True))
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        raise Problem(
            f"{file}: no column {', '.join(missing)}; a session has {', '.join(REQUIRED)} and its metrics"
        )
    if "schema_version" in columns:
        versions = _sql(
            connection,
            f"SELECT row_number() OVER () AS row, schema_version::VARCHAR AS version FROM ({query}) "
            f"QUALIFY version IS DISTINCT FROM '{SCHEMA_VERSION}' LIMIT 1",
        )
        if len(versions):
            raise Problem(
                f"{file}, row {versions.row[0]}, schema_version: {versions.version[0]} is not {SCHEMA_VERSION}, "
                "the version that this program reads"
            )
    return columns


def _metrics(connection: ibis.BaseBackend, columns: dict[str, dict[str, str]]) -> tuple[list[str], list[str]]:
    """The names of the columns that have numbers, and notes on the others."""
    names = list(dict.fromkeys(name for each in columns.values() for name in each if name not in KNOWN))
    numeric, notes = [], []
    for name in names:
        finds = [
            f"SELECT 1 FROM ({SUFFIXES[Path(file).suffix](file)}) WHERE TRY_CAST({_name(name)} AS DOUBLE) IS NOT NULL"
            for file, each in columns.items()
            if name in each
        ]
        if any(len(_sql(connection, f"{find} LIMIT 1")) for find in finds):
            numeric.append(name)
        else:
            notes.append(f"The column {name} has no numbers and is not used.")
    stems: dict[str, str] = {}
    for name in numeric:
        if stem(name) in stems:
            raise Problem(
                f"{next(iter(columns))}: the metric {stem(name)} is there in two units, {stems[stem(name)]} and {name}; keep one"
            )
        stems[stem(name)] = name
    if not numeric:
        raise Problem(
            f"{next(iter(columns))}: no metric; every column with numbers beside {', '.join(REQUIRED)} is one"
        )
    return numeric, notes


def _create(connection: ibis.BaseBackend, metrics: list[str]) -> None:
    values = "".join(f", {_name(m)} DOUBLE, {_name('bad ' + m)} BOOLEAN" for m in metrics)
    connection.raw_sql(
        "CREATE TABLE rows (file INTEGER, row BIGINT, problem VARCHAR, field VARCHAR, session_id VARCHAR, "
        f"unit VARCHAR, cluster VARCHAR, arm VARCHAR, allocation DOUBLE, started_s DOUBLE{values})"
    )


def _started(kind: str) -> str:
    """Seconds since 1970 of a column `started_at` of a type."""
    if kind.startswith("TIMESTAMP"):
        return "epoch(started_at)"
    number = "TRY_CAST(started_at AS DOUBLE)"
    if kind == "VARCHAR":
        return f"coalesce({number}, epoch(TRY_CAST(started_at AS TIMESTAMP)))"
    return number


#: What makes a row unusable, in the order in which it is looked for: field, condition, reason.
RULES = (
    ("session_id", "coalesce(session_id, '') = ''", "empty"),
    ("unit", "coalesce(unit, '') = ''", "empty"),
    ("cluster", "coalesce(cluster, '') = ''", "empty"),
    ("arm", "coalesce(arm, '') = ''", "empty"),
    ("allocation", "allocation IS NULL OR isnan(allocation)", "not a number"),
    ("allocation", "allocation > 1 AND allocation <= 100", "above 1: a share from 0 to 1, not per cent"),
    ("allocation", "allocation < 0 OR allocation > 1", "not between 0 and 1"),
    ("started_at", "started_s IS NULL OR NOT isfinite(started_s)", "not a time"),
    (
        "started_at",
        f"started_s < epoch(TIMESTAMP '{EARLIEST}') OR started_s > epoch(now()::TIMESTAMP) + 86400",
        f"before {EARLIEST} or in the future: a clock that was not set, or not in seconds",
    ),
)


def _insert(
    connection: ibis.BaseBackend, number: int, file: str, columns: dict[str, str], metrics: list[str]
) -> None:
    texts = ", ".join(f"{name}::VARCHAR AS {name}" for name in ("session_id", "unit", "cluster", "arm"))
    here = [m for m in metrics if m in columns]
    values = "".join(f", TRY_CAST({_name(m)} AS DOUBLE) AS {_name(m)}" for m in here)
    given = "".join(
        f", {_name(m)} IS NOT NULL AND trim({_name(m)}::VARCHAR) <> '' AS {_name('bad ' + m)}" for m in here
    )
    typed = (
        f"SELECT row_number() OVER () AS row, {texts}, TRY_CAST(allocation AS DOUBLE) AS allocation, "
        f"{_started(columns['started_at'])} AS started_s{values}{given} FROM ({SUFFIXES[Path(file).suffix](file)})"
    )
    case = " ".join(
        f"WHEN {condition} THEN {_quoted(f'{field}: {reason}')}" for field, condition, reason in RULES
    )
    finite = "".join(
        f", CASE WHEN isfinite({_name(m)}) THEN {_name(m)} END AS {_name(m)}, "
        f"{_name('bad ' + m)} AND ({_name(m)} IS NULL OR NOT isfinite({_name(m)})) AS {_name('bad ' + m)}"
        for m in here
    )
    connection.raw_sql(
        f"INSERT INTO rows BY NAME SELECT {number} AS file, row, CASE {case} END AS problem, session_id, unit, cluster, "
        f"arm, allocation, started_s{finite} FROM ({typed})"
    )


def _mark_repeated(connection: ibis.BaseBackend) -> None:
    """A session in two arms is left out; of a session with several records the last one counts."""
    connection.raw_sql(
        "CREATE TABLE repeated AS SELECT session_id, min(arm) <> max(arm) AS mixed, max(file) AS file "
        "FROM rows WHERE problem IS NULL GROUP BY session_id HAVING count(*) > 1"
    )
    if int(_sql(connection, "SELECT count(*) AS n FROM repeated").n[0]) == 0:
        return
    connection.raw_sql(
        "UPDATE rows SET problem = 'arm: a session in two arms' WHERE problem IS NULL "
        "AND session_id IN (SELECT session_id FROM repeated WHERE mixed)"
    )
    connection.raw_sql(
        "CREATE TABLE earlier AS SELECT file, row FROM rows JOIN (SELECT session_id FROM repeated WHERE NOT mixed) "
        "USING (session_id) WHERE problem IS NULL "
        "QUALIFY row_number() OVER (PARTITION BY session_id ORDER BY file DESC, row DESC) > 1"
    )
    connection.raw_sql(
        "UPDATE rows SET problem = 'session_id: an earlier record of a session; the last one counts' "
        "FROM earlier WHERE rows.file = earlier.file AND rows.row = earlier.row"
    )


def _left_out(connection: ibis.BaseBackend, files: list[str], metrics: list[str]) -> pd.DataFrame:
    """The reasons why rows or single values are not used, with their number and the first row of each file."""
    parts = [
        "SELECT file, problem, count(*) AS count, min(row) AS first_row FROM rows WHERE problem IS NOT NULL GROUP BY ALL"
    ]
    parts += [
        f"SELECT file, {_quoted(f'{m}: not a finite number; the session counts for its other metrics')} AS problem, "
        f"count(*) AS count, min(row) AS first_row FROM rows WHERE problem IS NULL AND {_name('bad ' + m)} GROUP BY ALL"
        for m in metrics
    ]
    found = _sql(connection, " UNION ALL ".join(parts) + " ORDER BY file, problem")
    split = found.problem.str.split(": ", n=1, expand=True)
    return pd.DataFrame(
        {
            "file": [files[number] for number in found.file],
            "field": split[0] if len(found) else [],
            "reason": split[1] if len(found) else [],
            "count": found["count"],
            "first_row": found.first_row,
        }
    )
