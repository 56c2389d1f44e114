"""Writes files of sessions with a known effect, and runs `analyze` on files.

Tests of the whole analysis call this module, which must not depend on which results a test expects.
"""

import csv
from datetime import UTC, datetime, timedelta

from sammy_analysis.experiment.command import main

HEADER = ["session_id", "unit", "cluster", "arm", "allocation", "started_at", "min_rtt_ms"]


def sessions(days=3):
    """Yields the sessions of two links, 75% and 25% treated, with four sessions per hour and link. A treated session
    has 2 ms more than its untreated neighbors, and every session of the mostly treated link has 10 ms less."""
    start = datetime(2026, 3, 2, tzinfo=UTC)
    for hour in range(24 * days):
        for link, allocation in (("one", 0.75), ("two", 0.25)):
            for number in range(4):
                treated = number < 4 * allocation
                rtt = 50 + hour % 24 + (hour % 3) + (2 if treated else 0) - (10 if link == "one" else 0)
                name = f"{link}-{hour}-{number}"
                at = (start + timedelta(hours=hour, minutes=number)).isoformat()
                yield [name, name, link, "treatment" if treated else "control", allocation, at, rtt]


def write(path, rows, header=HEADER):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return str(path)


def run(tmp_path, capsys, path, *options):
    """Analyzes a file. Returns the printed text and the report."""
    report = tmp_path / "report.html"
    status = main(["analyze", path, "--out", str(report), *options])
    captured = capsys.readouterr()
    assert status == 0, captured.err
    return captured.out, report.read_text()


def refusal(capsys, path, *options):
    """Runs `analyze`, which must refuse its input, and returns its one-line error."""
    assert main(["analyze", str(path), *options]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said.removeprefix("dashjs-sammy experiment: ").strip()


def lint(capsys, path):
    """Returns lint's output about a file with problems."""
    assert main(["lint", path]) == 1
    return capsys.readouterr().out
