"""A day of Puffer's public data: video_sent_X.csv, video_acked_X.csv, client_buffer_X.csv and logs/expt_settings.

The columns are documented at puffer.stanford.edu/data-description and in puffer-statistics, which writes the files.
Additional columns are ignored. Problems of a file are reported before anything is computed.
"""

import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..experiment.problem import Problem

TIME = "time (ns GMT)"
STREAM = {TIME: "BIGINT", "session_id": "VARCHAR", "index": "INTEGER", "expt_id": "INTEGER"}
COLUMNS = {
    "client_buffer": {**STREAM, "event": "VARCHAR", "buffer": "DOUBLE", "cum_rebuf": "DOUBLE"},
    "video_sent": {
        **STREAM,
        "video_ts": "BIGINT",
        "size": "BIGINT",
        "ssim_index": "DOUBLE",
        "delivery_rate": "DOUBLE",
    },
    "video_acked": {**STREAM, "video_ts": "BIGINT"},
}
SUFFIXES = (".csv", ".csv.gz")
GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Day:
    """The files of a day X; video_acked may be missing. `schemes` are the names by expt_id."""

    name: str
    client_buffer: Path
    video_sent: Path
    video_acked: Path | None
    schemes: dict[int, str]


def day_files(folder: Path) -> list[Day]:
    """Returns the days in a folder in order; none if it has no such files. Raises a Problem for missing or duplicate files."""
    found = {table: _files_of_table(folder, table) for table in COLUMNS}
    days = sorted({name for files in found.values() for name in files})
    return [_day(folder, name, {table: files.get(name) for table, files in found.items()}) for name in days]


def _files_of_table(folder: Path, table: str) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for file in sorted(folder.rglob(f"{table}_*.csv*")):
        suffix = next((each for each in SUFFIXES if file.name.endswith(each)), None)
        if suffix is None:
            continue
        name = file.name[len(table) + 1 : -len(suffix)]
        if name in files:
            raise Problem(f"{files[name]} and {file}: the same day twice; take one of them away")
        files[name] = file
    return files


def _day(folder: Path, name: str, files: dict[str, Path | None]) -> Day:
    for table in ("client_buffer", "video_sent"):
        if files[table] is None:
            other = next(file for file in files.values() if file)
            raise Problem(f"{other.parent}: no {table}_{name}.csv beside {other.name}")
    for table, file in files.items():
        if file is not None:
            check(file, table)
    return Day(
        name,
        files["client_buffer"],
        files["video_sent"],
        files["video_acked"],
        _schemes(folder, files["client_buffer"]),
    )


def check(file: Path, table: str) -> None:
    """Raises a Problem for a file that is not this table, or that ends within a line."""
    head = header(file)
    missing = [column for column in COLUMNS[table] if column not in head]
    if TIME in missing or len(missing) > 2:
        raise Problem(f"{file}: is no {table} of Puffer's: its first line is '{','.join(head)[:80]}'")
    if missing:
        raise Problem(
            f"{file}: has no column {' and no column '.join(missing)}; it has {', '.join(head)[:120]}"
        )
    if not is_gzip(file) and file.stat().st_size > 0:
        with file.open("rb") as read:
            read.seek(-1, 2)
            if read.read(1) != b"\n":
                raise Problem(f"{file}: ends in the middle of a line, so it is cut off; fetch it again")


def is_gzip(file: Path) -> bool:
    """Checks whether a file is compressed by its first bytes, because a store may keep a compressed file under its
    plain name."""
    with file.open("rb") as read:
        return read.read(2) == GZIP


def header(file: Path) -> list[str]:
    try:
        with gzip.open(file, "rt") if is_gzip(file) else file.open(encoding="utf8") as read:
            return read.readline(10_000).rstrip("\r\n").split(",")
    except (UnicodeDecodeError, EOFError, gzip.BadGzipFile) as error:
        raise Problem(f"{file}: is no CSV: {error}") from error


def scan(file: Path, table: str) -> str:
    """Returns SQL for a file's rows. Unused columns are read as text, which DuckDB does not parse."""
    types = {name: COLUMNS[table].get(name, "VARCHAR") for name in header(file)}
    columns = ", ".join(f"'{_text(name)}': '{kind}'" for name, kind in types.items())
    compression = "gzip" if is_gzip(file) else "none"
    return (
        f"read_csv('{_text(str(file))}', header = true, delim = ',', quote = '', escape = '', columns = {{{columns}}}, "
        f"auto_detect = false, strict_mode = true, compression = '{compression}')"
    )


def _text(text: str) -> str:
    return text.replace("'", "''")


def parquet(paths: Sequence[str]) -> str:
    """Returns SQL for the rows of the lab's tables."""
    names = ", ".join(f"'{_text(path)}'" for path in paths)
    return f"read_parquet([{names}], union_by_name = true)"


def _schemes(folder: Path, beside: Path) -> dict[int, str]:
    """Reads the schemes' names (ABR/congestion control) by expt_id from the nearest `expt_settings`, in the folder of
    the files or above."""
    for parent in (beside.parent, *beside.parent.parents):
        for file in (parent / "logs" / "expt_settings", parent / "expt_settings"):
            if file.is_file():
                return read_settings(file)
        if parent == folder:
            break
    raise Problem(
        f"{beside.parent}: has no logs/expt_settings, which says what an expt_id is; it is beside the CSVs"
    )


def read_settings(file: Path) -> dict[int, str]:
    try:
        lines: Iterable[str] = file.read_text("utf8").splitlines()
    except UnicodeDecodeError as error:
        raise Problem(f"{file}: is no text: {error}") from error
    return dict(_setting(file, number, line) for number, line in enumerate(lines, 1) if line.strip())


def _setting(file: Path, number: int, line: str) -> tuple[int, str]:
    name, _, text = line.partition(" ")
    try:
        settings = json.loads(text)
        parts = (settings.get("abr_name") or settings.get("abr") or "", settings.get("cc") or "")
        return int(name), "/".join(part for part in parts if part) or name
    except (ValueError, AttributeError) as error:
        raise Problem(f"{file}: line {number} is no expt_id and JSON: '{line[:60]}'") from error
