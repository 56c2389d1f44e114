"""The command line: `analyze` from a file to its output, invalid files and options, and `bench`."""

import re

import pytest
from session_files import HEADER, run, sessions, write

from sammy_analysis.experiment.command import main


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
