"""`bench`: measures `analyze` on many sessions, and compares its group-by with the same group-by in pandas.

Each step runs in its own process, so that its peak resident memory can be measured. Run as a program (`python -m
sammy_analysis.experiment.simulations.bench STEP ...`), this file executes one of these steps.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import duckdb
import ibis
import numpy as np
import pandas as pd

from ..estimators.cells import cells_expression, sort
from ..problem import Problem
from ..reading.read import MEMORY

METRICS = ["throughput_kbps", "min_rtt_ms", "play_delay_ms", "mean_bitrate_kbps", "rebuffer_count"]

#: Sessions of one week on two links, with metrics without an effect. `hash` assigns the accounts.
SESSIONS = """
COPY (
    SELECT 's' || i AS session_id, 'u' || (i * 7919 % 4000000) AS unit,
        CASE WHEN i % 2 = 0 THEN 'north' ELSE 'south' END AS cluster,
        CASE WHEN i % 2 = 0 THEN 0.95 ELSE 0.05 END AS allocation,
        CASE WHEN hash(i * 7919 % 4000000) / 18446744073709551615.0 < CASE WHEN i % 2 = 0 THEN 0.95 ELSE 0.05 END
            THEN 'treatment' ELSE 'control' END AS arm,
        TIMESTAMP '2026-03-02' + INTERVAL (i * 604800 // {count}) SECOND AS started_at,
        30000 * exp(random()) AS throughput_kbps, 20 + 40 * random() AS min_rtt_ms, 300 + 500 * random() AS play_delay_ms,
        2200 + 1000 * random() AS mean_bitrate_kbps, (random() < 0.02)::INTEGER AS rebuffer_count
    FROM range({count}) r(i)
) TO '{file}' (FORMAT parquet)
"""


@dataclass(frozen=True)
class Step:
    """The cost of a step. `seconds` include the start of the process, except from `_step`."""

    seconds: float
    #: Peak memory in MB (10^6 bytes); None if the system does not report it.
    peak_mb: float | None
    #: Processor time of the whole process, s; None if the system does not report it.
    cpu_s: float | None = None


@dataclass(frozen=True)
class Bench:
    file_mb: float
    analyze: Step
    duckdb: Step
    pandas: Step


def bench(count: int) -> Bench:
    """Analyzes `count` sessions in a Parquet file and writes a report. Then groups the same file with DuckDB and with
    pandas.

    Raises an AssertionError if their counts differ, or if a sum differs by more than a relative 1e-9.
    """
    with tempfile.TemporaryDirectory(prefix="sammy-bench-") as folder:
        file, report, ours, theirs = (
            str(Path(folder) / name)
            for name in ("sessions.parquet", "report.html", "duckdb.pickle", "pandas.pickle")
        )
        _step("make", file, str(count))
        whole = process("sammy_analysis", "analyze", file, "--out", report)[0]
        steps = [_step("duckdb", file, ours), _step("pandas", file, theirs)]
        _compare(pd.read_pickle(ours), pd.read_pickle(theirs))
        return Bench(Path(file).stat().st_size / 1e6, whole, *steps)


def _step(name: str, *args: str) -> Step:
    step, printed = process("sammy_analysis.experiment.simulations.bench", name, *args)
    return Step(float(printed.split()[-1]), step.peak_mb)


def process(module: str, *args: str) -> tuple[Step, str]:
    """Runs a module and returns its cost and its output."""
    began = time.perf_counter()
    with subprocess.Popen([sys.executable, "-m", module, *args], stdout=subprocess.PIPE, text=True) as child:
        printed = child.stdout.read() if child.stdout else ""
        peak_mb = cpu_s = None
        if hasattr(os, "wait4"):
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            # Linux reports KiB, and macOS bytes.
            peak_mb = usage.ru_maxrss * (1 if sys.platform == "darwin" else 2**10) / 1e6
            cpu_s = usage.ru_utime + usage.ru_stime
        status = child.wait()
    if status != 0:
        raise Problem(f"{' '.join(args)}: ended with status {status}")
    return Step(time.perf_counter() - began, peak_mb, cpu_s), printed


def _compare(ours: pd.DataFrame, theirs: pd.DataFrame) -> None:
    for column in ours:
        if not column.startswith(("sum_", "squares_")):
            assert ours[column].tolist() == theirs[column].tolist(), f"{column} differs"
        else:
            np.testing.assert_allclose(theirs[column], ours[column], rtol=1e-9, err_msg=column)


def make(file: str, count: str) -> None:
    """Writes the sessions as they are generated, so that memory stays bounded."""
    settings = {"memory_limit": MEMORY, "preserve_insertion_order": "false"}
    with duckdb.connect(config=settings) as connection:
        connection.execute("SELECT setseed(0.5)")
        connection.execute(SESSIONS.format(count=int(count), file=file))


def with_duckdb(file: str, out: str) -> None:
    """Runs the group-by of `analyze` on the file."""
    table = ibis.duckdb.connect(memory_limit=MEMORY).read_parquet(file)
    table = table.mutate(started_s=table.started_at.epoch_seconds())
    sort(cells_expression(table, METRICS).execute()).to_pickle(out)


def with_pandas(file: str, out: str) -> None:
    """Runs the same group-by in idiomatic pandas."""
    table = pd.read_parquet(file, columns=["cluster", "allocation", "arm", "started_at", *METRICS])
    table["hour"] = table.started_at.astype("int64") // (3600 * 10**6)
    table = table.assign(**{f"squares_{m}": table[m] * table[m] for m in METRICS})
    grouped = table.groupby(["cluster", "allocation", "arm", "hour"])
    cells = grouped.agg(
        sessions=("started_at", "size"),
        **{f"n_{m}": (m, "count") for m in METRICS},
        **{f"sum_{m}": (m, "sum") for m in METRICS},
        **{f"squares_{m}": (f"squares_{m}", "sum") for m in METRICS},
    )
    sort(cells.reset_index()).to_pickle(out)


STEPS: dict[str, Callable[..., None]] = {"make": make, "duckdb": with_duckdb, "pandas": with_pandas}

if __name__ == "__main__":
    began = time.perf_counter()
    STEPS[sys.argv[1]](*sys.argv[2:])
    print(time.perf_counter() - began)
