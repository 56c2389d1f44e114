"""The program from a file to its words."""

import csv
from datetime import UTC, datetime, timedelta

import pytest

from sammy_analysis.experiment.command import main

HEADER = ["session_id", "unit", "cluster", "arm", "allocation", "started_at", "min_rtt_ms"]


def sessions(days=3):
    """Two links, 75% and 25% treated, with four sessions an hour; what is treated counts 2 ms more beside its
    neighbour, and the mostly treated link 10 ms less."""
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


def test_a_paired_link(tmp_path, capsys):
    assert main(["analyze", write(tmp_path / "s.csv", sessions())]) == 0
    printed = capsys.readouterr().out
    # The control of link two: 50 + mean(0..23) + mean(0, 1, 2) = 62.5. TTE = -8, tau = +2, s = -10.
    assert "design: paired" in printed
    assert "TTE      -12.8%" in printed
    assert "τ(0.25)  +3.2%" in printed
    assert "τ(0.75)  +3.2%" in printed
    assert "s(0.75)  -16.0%" in printed


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ([*HEADER[:2], "link", *HEADER[3:]], "no column cluster"),
        ([*HEADER[:6], "schema_version"], "row 1, schema_version: 60.0 is not 1"),
    ],
)
def test_a_file_of_another_kind_is_refused_in_one_line(tmp_path, capsys, header, says):
    rows = [["a", "a", "one", "control", "0.5", "2026-03-02", "60.0"]]
    path = write(tmp_path / "s.csv", rows, header)
    assert main(["analyze", path]) == 1
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1
    assert path in complaint
    assert says in complaint
