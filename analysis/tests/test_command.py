"""The command line: `analyze` from a file to its output, invalid files and options, and `bench`."""

import csv
import re
from datetime import UTC, datetime, timedelta

import pytest

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


@pytest.mark.pictures
def test_a_paired_link(tmp_path, capsys):
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", sessions()))
    # The mean of the control on link two is 50 + mean(0..23) + mean(0, 1, 2) = 62.5. From 25% to 75% treated, tau = +2,
    # s = -10 and rho = -8. So the mean without treatment is 67.5, and from none to all treated TTE = 2 - 20.
    assert "576 sessions, read as paired links" in printed
    assert "deployed to all          −26.7%" in printed
    assert "A/B test at 25%          +3.0%" in printed
    assert "A/B test at 75%          +3.0%" in printed
    assert "untreated beside 75%     −14.8%" in printed
    assert "treated beside 75%       −11.9%" in printed
    assert "An A/B test with 25% treated says +3.0% (+3.0% to +3.0%)." in printed
    # Nothing checks whether the links have the same level without treatment, because there is no baseline.
    assert "deployed to all, only if the links are alike, which was not checked." in printed
    assert "If the links are alike, it gets the direction wrong." in printed
    # The page shows the verdict, the figure of the effects and the counts in this order, and loads nothing from other
    # addresses.
    order = (
        "class=headline",
        "class=effects",
        "576 sessions",
        "Is the sample as planned?",
        "What was left out",
    )
    places = [page.index(each) for each in order]
    assert places == sorted(places)
    assert not re.search(r"""(src|href)=["']?(?!#)\w""", page.replace("xlink:href", "href"))
    assert page.count("<svg") >= 6


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


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        *(
            (
                "--utc-offset",
                value,
                "is not the hours of a clock less UTC, from -14 to 14, such as -8 or 5:30",
            )
            for value in ("abc", "5:x", "15", "5.1")
        ),
        ("--window", "1.5", "is not a whole number, 0 or more"),
        ("--washout", "-1", "is not a whole number, 0 or more"),
    ],
)
def test_an_invalid_option_value_names_the_option_and_its_valid_values(capsys, option, value, says):
    assert main(["analyze", "s.csv", f"{option}={value}"]) == 1
    assert f"{option}: '{value}' {says}" in capsys.readouterr().err


@pytest.mark.long
def test_the_benchmark_groups_as_pandas_does(capsys):
    assert main(["bench", "--sessions", "20000"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("20,000 sessions, ")
    # Each of the three processes has a time and, if measured, a memory size. The last line says that their results are
    # equal.
    assert len(re.findall(r": \d+\.\d s(?:, at most [\d,]+ MB)?", printed)) == 3
    assert printed.endswith("times as long; equal counts, sums to 1e-9\n")
