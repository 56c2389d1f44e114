"""Reads sessions from files into one table, and records why each row is left out.

The rows are in a DuckDB database in a temporary file, so that memory stays bounded. A row has its number in its file and, if it
cannot be used, a reason in `problem`.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import duckdb
import ibis
import pandas as pd

from ..problem import Problem
from .doubts import check_accounts, check_announced_arms, check_units, check_weight
from .fetch import shown_as
from .records import EXPECTED, choose_experiment, mark_other_units, mark_repeated, mark_washout, set_aside
from .schema import KNOWN, REQUIRED, SCHEMA_VERSION, stem
from .sources import SCHEME, Run, Source, name, not_read, open_sources, quoted

MEMORY = "900MB"
#: Isolated days, and allocations, are left out if their share of the sessions is smaller than this.
STRAY_SHARE = 0.01
#: A metric is not used if it occurs in a smaller share of the records than this, because pages may send metrics with
#: any name to an edge.
RARE_SHARE = 0.01
#: Decimals of an allocation. Single-precision numbers have about as many significant digits.
DIGITS = 7
#: Characters to remove around names: spaces, including no-break spaces, and the byte order mark.
BLANKS = " \t\r\n\u00a0\ufeff"
#: The largest valid value: larger values cannot be measurements, and their squares overflow.
LARGEST = 1e100
#: Columns that this program adds to rows. DuckDB ignores the case of names.
OWN = ("file", "row", "problem", "field", "started_s", "hour", "day")
#: The earliest plausible day of a session. An earlier day means that a clock was never set.
EARLIEST = "2000-01-01"


@dataclass
class Sessions:
    """The sessions to analyze, and the rows left out of the input."""

    connection: ibis.BaseBackend
    table: ibis.Table
    metrics: list[str]
    files: list[str]
    rows: int
    #: Columns: file, field, reason, count, first_row.
    left_out: pd.DataFrame
    #: The number of rows that are set aside for a reason that is not an error, by reason.
    set_aside: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _folder: str = ""

    def later(self, seconds: float) -> "Sessions":
        """Returns the sessions with their times shifted by `seconds`, so that hours and days begin as on a clock with
        this offset."""
        table = self.table.mutate(started_s=self.table.started_s + seconds) if seconds else self.table
        return replace(self, table=table)

    def check_metrics(self) -> None:
        """Raises a Problem if no metric is left."""
        if not self.metrics:
            raise Problem(f"{self.files[0]}: no metric can be analysed: {' '.join(self.notes)}")

    def close(self) -> None:
        self.connection.disconnect()
        shutil.rmtree(self._folder, ignore_errors=True)


def read(path: str, experiment: str = "") -> Sessions:
    """Reads a CSV, Parquet or NDJSON file, every such file in a folder, or a results folder of the lab.

    If rows name experiments, only the sessions of `experiment` count. The name is required if there are several
    experiments.
    """
    folder = tempfile.mkdtemp(prefix="sammy-analysis-")
    connection = None

    def run(query: str) -> pd.DataFrame:
        return connection.raw_sql(query).fetchdf()

    try:
        connection = ibis.duckdb.connect(
            f"{folder}/sessions.duckdb", memory_limit=MEMORY, temp_directory=f"{folder}/spill"
        )
        # Timestamps as text are UTC unless they name a time zone.
        run("SET TimeZone = 'UTC'")
        sources = open_sources(path, run, folder)
        for source in sources:
            _check_columns(source, run)
        metrics, notes = _metrics(sources, run)
        notes += not_read(path)
        _create(run, metrics)
        for number, source in enumerate(sources):
            _insert(run, number, source, metrics)
        mark_other_units(run)
        # This must come before the experiment is chosen, because the last record of a session may come after the end of
        # the experiment.
        mark_repeated(run)
        choose_experiment(run, experiment)
        mark_washout(run)
        _mark_stray(run)
        _mark_stray_allocations(run)
        files = [source.file for source in sources]
        left_out = _left_out(run, files, metrics)
        rows = int(run("SELECT count(*) AS n FROM rows").n[0])
        metrics, doubts = check_units(run, files, metrics)
        table = connection.table("rows").filter(lambda t: t.problem.isnull())
        notes += doubts + check_weight(run, files, metrics) + check_accounts(run) + check_announced_arms(run)
        return Sessions(connection, table, metrics, files, rows, left_out, set_aside(run), notes, folder)
    except BaseException as error:
        if connection is not None:
            connection.disconnect()
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, duckdb.Error):
            shown = shown_as(path) if SCHEME.match(path) else path
            raise Problem(f"{shown}: cannot be read: {str(error).splitlines()[0]}") from error
        raise


def _check_columns(source: Source, run: Run) -> None:
    """Raises a Problem for a file without the schema's columns, or of another version."""
    missing = [column for column in REQUIRED if column not in source.columns]
    if missing:
        raise Problem(
            f"{source.file}: no column {', '.join(missing)}; a session has {', '.join(REQUIRED)} and its metrics"
        )
    if "schema_version" in source.columns:
        versions = run(
            f"SELECT * FROM (SELECT row_number() OVER () AS row, trim(schema_version::VARCHAR) AS version, malformed "
            f"FROM ({source.query})) WHERE malformed IS NULL AND TRY_CAST(version AS DOUBLE) IS DISTINCT FROM {SCHEMA_VERSION} "
            "ORDER BY row LIMIT 1"
        )
        if len(versions):
            raise Problem(
                f"{source.file}, row {versions.row[0]}, schema_version: {versions.version[0]} is not {SCHEMA_VERSION}, "
                "the version that this program reads"
            )


#: Column types that can be metrics. DuckDB does not convert others to numbers.
NUMBERS = (
    "VARCHAR",
    "BOOLEAN",
    "FLOAT",
    "DOUBLE",
    "DECIMAL",
    *(sign + size for sign in ("", "U") for size in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")),
)


def _metrics(sources: list[Source], run: Run) -> tuple[list[str], list[str]]:
    """Returns the names of the numeric columns, and notes on the others."""
    names = dict.fromkeys(column for source in sources for column in source.columns if column not in KNOWN)
    taken = [each for each in names if each.lower() in (*OWN, *KNOWN)]
    _refuse_capitals(sources, names)
    rare = _rare(sources, names)
    numeric, notes, first = [], [], sources[0].file
    notes += [f"The column {each} is not used: its name has another meaning here." for each in taken]
    if rare:
        notes.append(
            f"{len(rare):,} columns are not used: fewer than {RARE_SHARE:.0%} of an edge's records have them: "
            f"{', '.join(rare[:5])}{' and so on' if len(rare) > 5 else ''}."
        )
    for each in [each for each in names if each not in {*taken, *rare}]:
        having = [source for source in sources if each in source.columns]
        kinds = {source.columns[each] for source in having}
        if not all(kind.startswith(NUMBERS) and not kind.endswith("]") for kind in kinds):
            notes.append(f"The column {each} is {' and '.join(sorted(kinds))}, no number, and is not used.")
            continue
        if any(
            len(run(f"SELECT 1 FROM ({s.query}) WHERE TRY_CAST({name(each)} AS DOUBLE) IS NOT NULL LIMIT 1"))
            for s in having
        ):
            numeric.append(each)
        else:
            notes.append(f"The column {each} has no numbers and is not used.")
    stems: dict[str, str] = {}
    for each in numeric:
        if stem(each) in stems:
            raise Problem(
                f"{first}: the metric {stem(each)} is there in two units, {stems[stem(each)]} and {each}; keep one"
            )
        stems[stem(each)] = each
    if not numeric and not any(
        len(run(f"SELECT 1 FROM ({s.query}) WHERE malformed IS NULL LIMIT 1")) for s in sources
    ):
        reasons = [run(f"SELECT min(malformed) AS reason FROM ({s.query})").reason[0] for s in sources]
        reason = next((each for each in reasons if isinstance(each, str)), None)
        said = f"no session: each row is {reason}" if reason else "no session, only names of columns"
        raise Problem(f"{first}{_and_more(sources)}: {said}")
    if not numeric:
        raise Problem(f"{first}: no metric; every column with numbers beside {', '.join(REQUIRED)} is one")
    return numeric, notes


def _and_more(sources: list[Source]) -> str:
    return f" and {len(sources) - 1} more" if len(sources) > 1 else ""


def _refuse_capitals(sources: list[Source], names: Iterable[str]) -> None:
    """Raises a Problem for columns of different files that differ only in case, because they may be different metrics."""
    seen: dict[str, str] = {}
    for each in names:
        if (other := seen.setdefault(each.lower(), each)) != each:
            one, two = (next(s.file for s in sources if column in s.columns) for column in (other, each))
            raise Problem(f"{two}: the column {each} is {other} in {one}; give them one name")


def _rare(sources: list[Source], names: Iterable[str]) -> list[str]:
    """Returns the columns that occur in few of an edge's records."""
    found = [source.filled for source in sources]
    # A file that contains no JSON objects, or objects without a sequence number, is not from an edge.
    if any(each is None or (each and "sequence" not in each) for each in found):
        return []
    filled = sum((Counter(each) for each in found), Counter())
    return [each for each in names if filled[each] < RARE_SHARE * filled["sequence"]]


#: Columns of an edge's records in addition to the schema's. They are null in rows of other sources.
EDGE = {
    "sequence": "DOUBLE",
    "experiment": "VARCHAR",
    "window": "BIGINT",
    "washout": "BOOLEAN",
    "told_arm": "VARCHAR",
}


def _bad(metric: str) -> str:
    """Returns the name of the column that marks values that are not numbers. The name contains a line break, so no file
    has a column of this name."""
    return name(f"{metric}\n")


def _create(run: Run, metrics: list[str]) -> None:
    values = "".join(f", {name(m)} DOUBLE, {_bad(m)} BOOLEAN" for m in metrics)
    run(
        "CREATE TABLE rows (file INTEGER, row BIGINT, problem VARCHAR, field VARCHAR, session_id VARCHAR, "
        f"unit VARCHAR, cluster VARCHAR, arm VARCHAR, allocation DOUBLE, started_s DOUBLE, "
        f"{', '.join(f'{name(column)} {kind}' for column, kind in EDGE.items())}{values})"
    )


def _started(kind: str) -> str:
    """Returns SQL for seconds since 1970, from a column `started_at` of a type."""
    if kind.startswith(("TIMESTAMP", "DATE")):
        return "epoch(started_at::TIMESTAMPTZ)"
    number = "TRY_CAST(started_at AS DOUBLE)"
    if kind == "VARCHAR":
        return f"coalesce({number}, epoch(TRY_CAST(trim(started_at) AS TIMESTAMPTZ)))"
    return number


#: Conditions that make a row unusable, in the order of the checks: field, condition, reason.
RULES = (
    ("session_id", "coalesce(session_id, '') = ''", "empty"),
    ("unit", "coalesce(unit, '') = ''", "empty"),
    ("cluster", "coalesce(cluster, '') = ''", "empty"),
    ("arm", "coalesce(arm, '') = ''", "empty"),
    ("allocation", "allocation IS NULL OR isnan(allocation)", "not a number"),
    ("allocation", "allocation > 1 AND allocation <= 100", "above 1: a share from 0 to 1, not percent"),
    ("allocation", "allocation < 0 OR allocation > 1", "not between 0 and 1"),
    ("started_at", "started_s IS NULL OR NOT isfinite(started_s)", "not a time"),
    (
        "started_at",
        f"started_s < epoch(TIMESTAMP '{EARLIEST}') OR started_s > epoch(now()::TIMESTAMP) + 86400",
        f"before {EARLIEST} or in the future: a clock that was not set, or not in seconds",
    ),
)


def _insert(run: Run, number: int, source: Source, metrics: list[str]) -> None:
    names = ("session_id", "unit", "cluster", "arm")
    # Trim texts, because `control` and `control ` must not be different arms.
    texts = ", ".join(f"trim({each}::VARCHAR, {quoted(BLANKS)}) AS {each}" for each in names)
    here = [m for m in metrics if m in source.columns]
    told = [column for column in EDGE if column in source.columns]
    edge = "".join(f", TRY_CAST({name(c)}::VARCHAR AS {EDGE[c]}) AS {name(c)}" for c in told)
    values = "".join(f", TRY_CAST({name(m)} AS DOUBLE) AS {name(m)}" for m in here)
    given = "".join(f", {name(m)} IS NOT NULL AND trim({name(m)}::VARCHAR) <> '' AS {_bad(m)}" for m in here)
    typed = (
        f"SELECT row_number() OVER () AS row, {texts}, "
        # Round allocations, because another file may store the same share with a lower precision: 0.95 as 0.949999988.
        f"round(TRY_CAST(allocation AS DOUBLE), {DIGITS}) AS allocation, "
        f"{_started(source.columns['started_at'])} AS started_s{edge}{values}{given}, malformed FROM ({source.query})"
    )
    case = " ".join(
        f"WHEN {condition} THEN {quoted(f'{field}: {reason}')}" for field, condition, reason in RULES
    )
    finite = "".join(
        f", CASE WHEN abs({name(m)}) <= {LARGEST} THEN {name(m)} END AS {name(m)}, "
        f"{_bad(m)} AND ({name(m)} IS NULL OR NOT abs({name(m)}) <= {LARGEST}) AS {_bad(m)}"
        for m in here
    )
    insert = (
        f"INSERT INTO rows BY NAME SELECT {number} AS file, row, "
        f"CASE WHEN malformed IS NOT NULL THEN 'row: ' || malformed {case} END AS problem, "
        f"session_id, unit, cluster, arm, allocation, started_s{''.join(f', {name(c)}' for c in told)}{finite} FROM ({typed})"
    )
    try:
        run(insert)
    except Exception as error:
        raise Problem(f"{source.file}: cannot be read: {str(error).splitlines()[0]}") from error


def _mark_stray(run: Run) -> None:
    """Leaves out isolated days with very few sessions, which come from wrong clocks."""
    days = run(
        "SELECT floor(started_s / 86400)::BIGINT AS day, count(*) AS n FROM rows WHERE problem IS NULL GROUP BY day ORDER BY day"
    )
    block = (days.day.diff() > 2).cumsum()
    share = days.groupby(block).n.transform("sum") / max(days.n.sum(), 1)
    stray = days.day[share < STRAY_SHARE].tolist()
    if stray:
        run(
            "UPDATE rows SET problem = 'started_at: days away from all other sessions: a clock that jumps' "
            f"WHERE problem IS NULL AND floor(started_s / 86400)::BIGINT IN ({', '.join(map(str, stray))})"
        )


def _mark_stray_allocations(run: Run) -> None:
    """Leaves out allocations with very few sessions: as the lowest or highest allocation, they would be used in place
    of 0 or 1."""
    run(
        f"UPDATE rows SET problem = 'allocation: fewer than {STRAY_SHARE:.0%} of the sessions have it' WHERE problem IS NULL "
        "AND allocation IN (SELECT allocation FROM rows WHERE problem IS NULL GROUP BY allocation "
        f"HAVING count(*) < {STRAY_SHARE} * (SELECT count(*) FROM rows WHERE problem IS NULL))"
    )


def _left_out(run: Run, files: list[str], metrics: list[str]) -> pd.DataFrame:
    """Returns the reasons why rows or single values are not used, with their number and the first row of each file."""
    parts = [
        "SELECT file, problem, count(*) AS count, min(row) AS first_row FROM rows WHERE problem IS NOT NULL "
        f"AND NOT starts_with(problem, '{EXPECTED}') GROUP BY ALL"
    ]
    unusable = f"not a finite number, or beyond {LARGEST:g}; the session counts for its other metrics"
    parts += [
        f"SELECT file, {quoted(f'{m}: {unusable}')} AS problem, "
        f"count(*) AS count, min(row) AS first_row FROM rows WHERE problem IS NULL AND {_bad(m)} GROUP BY ALL"
        for m in metrics
    ]
    found = run(" UNION ALL ".join(parts) + " ORDER BY file, problem")
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
