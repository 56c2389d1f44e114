"""Opens the files with sessions. Each file is opened as a query with one row per session and unchanged values.

The query has the columns of the file, and `malformed`: the problem of the row as a whole, or null.
"""

import csv
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pandas as pd

from ..problem import Problem
from .fetch import Copy, fetch_http, shown_as
from .fetch_s3 import fetch_s3
from .schema import REQUIRED

#: Runs a query and returns its rows.
Run = Callable[[str], pd.DataFrame]


@dataclass(frozen=True)
class Source:
    """A file or lab folder: its columns with their types, and a query for its rows."""

    file: str
    columns: dict[str, str]
    query: str
    #: For JSON lines, the number of lines that contain each column; None for other kinds of files.
    filled: dict[str, int] | None = None


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def open_sources(path: str, run: Run, scratch: str) -> list[Source]:
    """Opens the sources at a path or an address: a file, a folder of files, or a folder of the lab.

    `scratch` is a folder for copies, which the caller removes.
    """
    if scheme := SCHEME.match(path):
        return _open_address(scheme[1].lower(), path, run, scratch)
    where = Path(path)
    if where.is_dir() and (where / "runs").is_dir() and (where / "manifest.json").is_file():
        return [_lab(path, run, scratch)]
    if where.is_dir():
        files = [str(file) for file in _files_in(where) if file.suffix.lower() in KINDS]
        if not files:
            raise Problem(f"{path}: no {', '.join(KINDS)} in this folder, and it is none of the lab's")
        return [KINDS[Path(file).suffix.lower()](file, run) for file in files]
    if not where.is_file():
        raise Problem(f"{path}: no such file or folder")
    if where.suffix.lower() not in KINDS:
        raise Problem(f"{path}: not a known kind of file; known: {', '.join(KINDS)}")
    return [KINDS[where.suffix.lower()](path, run)]


def _files_in(folder: Path) -> list[Path]:
    """Lists all files below a folder, except hidden files, such as caches, and the files that macOS adds to each file."""
    files = (each for each in folder.rglob("*") if each.is_file())
    return sorted(f for f in files if not any(part.startswith(".") for part in f.relative_to(folder).parts))


def not_read(path: str) -> list[str]:
    """Notes files of a folder that seem to be sessions but have an unknown suffix, such as `.csv.gz`."""
    where = Path(path)
    if SCHEME.match(path) or not where.is_dir():
        return []
    inner = [f for f in _files_in(where) if {s.lower() for s in f.suffixes[:-1]} & {*KINDS}]
    files = [str(f) for f in inner if f.suffix.lower() not in KINDS]
    if not files:
        return []
    more = f" and {len(files) - MOST_NAMED} more" if len(files) > MOST_NAMED else ""
    return [f"Not read, since only {', '.join(KINDS)} are: {', '.join(files[:MOST_NAMED])}{more}."]


#: The maximum number of files to name.
MOST_NAMED = 5

#: Matches the beginning of an address, to distinguish it from a file name.
SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)


def _open_address(scheme: str, uri: str, run: Run, scratch: str) -> list[Source]:
    if scheme == "file":
        return open_sources(url2pathname(urlsplit(uri).path), run, scratch)
    if scheme == "duckdb":
        return [_database(uri, run)]
    if scheme in ("http", "https"):
        return [_copied(copy, run) for copy in fetch_http(uri, scratch, KINDS)]
    if scheme == "s3":
        return [_copied(copy, run) for copy in fetch_s3(uri, scratch, KINDS)]
    raise Problem(
        f"{shown_as(uri)}: {scheme}:// is not read; known: https, http, s3, duckdb://FILE/TABLE and file"
    )


def _copied(copy: Copy, run: Run) -> Source:
    """Opens a fetched file under the name of its address."""
    try:
        return replace(KINDS[Path(copy.file).suffix](copy.file, run), file=copy.shown)
    except Problem as problem:
        raise Problem(str(problem).replace(copy.file, copy.shown)) from problem


def _database(uri: str, run: Run) -> Source:
    """Opens a table or view of a DuckDB file, read-only."""
    file, _, table = uri[len("duckdb://") :].rpartition("/")
    if not file or not table:
        raise Problem(f"{uri}: expected duckdb://FILE/TABLE")
    if not Path(file).is_file():
        raise Problem(f"{uri}: no such file: {file}")
    try:
        run(f"ATTACH {quoted(file)} AS given (TYPE duckdb, READ_ONLY)")
    except Exception as error:
        raise Problem(f"{uri}: is no file that DuckDB opens: {str(error).splitlines()[0]}") from error
    there = run(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = 'given' AND schema_name = 'main' UNION ALL "
        "SELECT view_name FROM duckdb_views() WHERE database_name = 'given' AND NOT internal ORDER BY ALL"
    )
    names = there.table_name.tolist()
    if table not in names:
        raise Problem(f"{uri}: no table {table}; there is {', '.join(names) or 'none'}")
    return _described(uri, f"SELECT *, NULL::VARCHAR AS malformed FROM given.main.{name(table)}", run)


def _described(file: str, query: str, run: Run) -> Source:
    try:
        described = run(f"DESCRIBE {query}")
    except Exception as error:
        raise Problem(f"{file}: cannot be read: {str(error).splitlines()[0]}") from error
    if described.column_name.str.lower().str.startswith("malformed").sum() > 1:
        raise taken(file, "malformed")
    columns = dict(zip(described.column_name, described.column_type, strict=True))
    columns.pop("malformed", None)
    return Source(file, columns, query)


def taken(file: str, column: str) -> Problem:
    return Problem(f"{file}: the column {column} has a name that this program uses itself; rename it")


def _csv(file: str, run: Run) -> Source:
    """Opens comma-separated values (RFC 4180). All columns are text, so that values that are not numbers can be found and
    reported."""
    try:
        with open(file, newline="", encoding="utf-8-sig") as text:
            header = [column.strip() for column in next(csv.reader(text), [])]
    except (UnicodeDecodeError, csv.Error) as error:
        raise Problem(f"{file}, row 0: the header is not text in UTF-8: {error}") from error
    lower = [column.lower() for column in header]
    twice = [column for column in header if lower.count(column.lower()) > 1]
    if "malformed" in lower:
        raise taken(file, "malformed")
    if twice or "" in header:
        raise Problem(
            f"{file}, row 0: the header names {'a column twice: ' + twice[0] if twice else 'a column nothing'}"
        )
    if not header:
        raise Problem(f"{file}: is empty")
    if other := next((mark for mark in (";", "\t", "|") if len(header) == 1 and mark in header[0]), None):
        shown = "tabs" if other == "\t" else f"'{other}'"
        raise Problem(f"{file}, row 0: {shown} between the columns; expected commas")
    # Read in one thread, because DuckDB's parallel reader does not pad short rows in a file with a quoted line break.
    # Declare one column more than the header has: content in this column marks a row as malformed, but does not stop
    # the reading.
    columns = ", ".join(f"{quoted(column)}: 'VARCHAR'" for column in [*header, "malformed"])
    query = (
        f"SELECT * REPLACE (CASE WHEN malformed IS NOT NULL THEN 'more values than the header has names' END AS malformed) "
        f"FROM read_csv({quoted(file)}, columns = {{{columns}}}, header = true, auto_detect = false, delim = ',', "
        "quote = '\"', escape = '\"', null_padding = true, strict_mode = false, parallel = false)"
    )
    return _described(file, query, run)


def _parquet(file: str, run: Run) -> Source:
    return _described(file, f"SELECT *, NULL::VARCHAR AS malformed FROM read_parquet({quoted(file)})", run)


def _ndjson(file: str, run: Run) -> Source:
    """Opens a file of one JSON object per line, as an edge writes. Fields of an object `metrics` count as the row's own."""
    lines = (
        f"SELECT CASE WHEN json_valid(line) AND json_type(line) = 'OBJECT' THEN line::JSON END AS j FROM "
        f"read_csv({quoted(file)}, columns = {{'line': 'VARCHAR'}}, header = false, auto_detect = false, "
        "delim = chr(1), quote = '', escape = '', strict_mode = false) WHERE trim(line) <> ''"
    )
    keys = _keys("j", lines, run)
    if not keys:
        # An empty file, or a partial line that a killed program left, has no usable row, but other files may have some.
        none = "".join(f"NULL::VARCHAR AS {column}, " for column in REQUIRED)
        query = f"SELECT {none}'not an object of JSON' AS malformed FROM ({lines})"
        return replace(_described(file, query, run), filled=keys)
    paths = {key: f"$.{json.dumps(key)}" for key in keys if key not in ("metrics", "malformed")}
    if "metrics" in keys:
        inner = f"SELECT j->'metrics' AS m FROM ({lines}) WHERE json_type(j->'metrics') = 'OBJECT'"
        nested = _keys("m", inner, run)
        paths |= {key: f"$.metrics.{json.dumps(key)}" for key in nested}
        keys |= nested
    fields = "".join(f"j->>{quoted(path)} AS {name(key)}, " for key, path in paths.items())
    query = f"SELECT {fields}CASE WHEN j IS NULL THEN 'not an object of JSON' END AS malformed FROM ({lines})"
    return replace(_described(file, query, run), filled=keys)


def _keys(column: str, rows: str, run: Run) -> dict[str, int]:
    """Counts the objects in a column that have each key, in the order of the keys."""
    keys = f"SELECT unnest(json_keys({column})) AS key FROM ({rows})"
    found = run(f"SELECT key, count(*) AS n FROM ({keys}) GROUP BY key ORDER BY key")
    return dict(zip(found.key.tolist(), found.n.tolist(), strict=True))


def _lab(folder: str, run: Run, scratch: str) -> Source:
    """Opens the results of `npm run lab`. Each run is a session that was alone on its link. Runs with the same number
    belong to the same hour.

    A simulated run has no time, so its number replaces the hour.
    """
    rows = [_lab_session(path, folder) for path in sorted(Path(folder).glob("runs/*/*/session.json"))]
    if not rows:
        raise Problem(f"{folder}: runs/ARM/NUMBER/session.json is not there once")
    copy = str(Path(scratch) / "lab.parquet")
    pd.DataFrame(rows).astype("string").to_parquet(copy)
    return replace(_described(copy, f"SELECT * FROM read_parquet({quoted(copy)})", run), file=folder)


def _lab_session(path: Path, folder: str) -> dict[str, object]:
    where = str(path.parent.relative_to(Path(folder) / "runs"))
    try:
        session = json.loads(path.read_text(encoding="utf8"))
        started = session["started"]
        if session.get("simulated"):
            started = pd.Timestamp("2000-01-01") + pd.Timedelta(hours=int(session["k"]))
        return {
            "session_id": where,
            "unit": where,
            "cluster": session.get("condition") or "lab",
            "arm": session["arm"],
            "allocation": 0.5,
            "started_at": started,
            "malformed": None,
            **{key: value for key, value in session["metrics"].items() if isinstance(value, int | float)},
        }
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        return {
            "session_id": where,
            "malformed": f"session.json cannot be read ({type(error).__name__}: {error})",
        }


KINDS: dict[str, Callable[[str, Run], Source]] = {
    ".csv": _csv,
    ".parquet": _parquet,
    ".ndjson": _ndjson,
    ".jsonl": _ndjson,
}
