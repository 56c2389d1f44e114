"""The report: its few lines on refused estimates, and the result of the A/B test beside that of a deployment."""

import re
from dataclasses import replace

import numpy as np
import pytest
from session_files import HEADER, run, sessions, write
from verdict_inputs import checked, estimate

from sammy_analysis.experiment.estimators.appendix_b import Interval
from sammy_analysis.experiment.estimators.refusal import Refusal, summary
from sammy_analysis.experiment.sentences.numbers import Amount, describe_change, percent, significant
from sammy_analysis.experiment.sentences.verdict import _differ, _error


def test_a_reason_is_stated_once_for_all_affected_estimates():
    refusals = [
        Refusal("τ(1)", "min_rtt_ms", "no control"),
        Refusal("s(1)", "min_rtt_ms", "no control"),
        Refusal("τ(1)", "switches", "no control"),
        Refusal("s(1)", "switches", "no control"),
        Refusal("τ(1)", "stalls", "no control"),
        Refusal("everything", "stalls", "no values"),
    ]
    assert summary(refusals, ["min_rtt_ms", "switches", "stalls"]) == [
        "no control: τ(1), s(1), for Minimum round-trip time, Quality switches; τ(1), for stalls",
        "no values: everything, for stalls",
    ]


def test_many_metrics_are_counted_instead_of_listed():
    metrics = [f"m{number}" for number in range(9)]
    of = [Refusal("τ(1)", metric, "no control") for metric in metrics]
    assert summary(of, metrics) == ["no control: τ(1), for all 9 metrics"]
    assert summary(of[:8], metrics) == ["no control: τ(1), for m0, m1, m2, m3, m4, 3 more"]
    assert summary(of[:1], ["m0"]) == ["no control: τ(1), for m0"]
    assert summary([], metrics) == []


def test_sixteen_metrics_of_one_day_take_a_few_lines(tmp_path, capsys):
    metrics = [f"m{number}_ms" for number in range(16)]
    rows = [
        [*row[:6], *(row[6] + number for number in range(16))] for row in sessions(days=1) if row[4] != 0.25
    ]
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", rows, [*HEADER[:6], *metrics]))
    assert sum(line.startswith("not estimated: ") for line in printed.splitlines()) <= 2
    assert page.count("<li>") <= 2


def cells(row):
    return [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<td.*?</td>", row)]


def test_the_verdict_shows_the_test_beside_the_deployment(tmp_path, capsys):
    """The deployment lowers the round-trip time by 18 of 67.5 ms, while each A/B test shows an increase by 2."""
    _, page = run(tmp_path, capsys, write(tmp_path / "s.csv", sessions()))
    says = page[page.index("What it says") : page.index("All effects")]
    assert cells(says) == [
        "if",
        "Minimum round-trip time",
        "−26.7% (−26.7% to −26.7%), if the links are alike",
        "25% treated: +3.0% (+3.0% to +3.0%)",
        "gets the direction wrong, if the links are alike",
    ]
    assert "Do not decide by the A/B test alone." in says


def test_sessions_without_a_value_are_counted(tmp_path, capsys):
    rows = [[*row[:6], "" if number % 8 == 0 else row[6]] for number, row in enumerate(sessions())]
    _, page = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    means = page[page.index("<h3>Means") : page.index("<h3>Quantiles")]
    # Every hour has four sessions of link one, three of them treated. Of the eight sessions of both links, the first
    # has no value.
    assert cells(means)[10:14] == ["75%", "treatment", "144", "72"]


def test_an_unobserved_deployment_is_not_called_a_design_with_one_allocation(tmp_path, capsys):
    # Four accounts per link are too few for a sample-ratio alarm.
    rows = [[row[0], f"{row[2]}-{row[0][-1]}", *row[2:]] for row in sessions()]
    rows = [row for row in rows if row[2:4] != ["one", "treatment"]]
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    for text in (printed, page):
        assert "no verdict: an arm has 1 accounts, which come back" in text
        assert "One allocation" not in text
        assert (
            "no session of treatment has a value where 75% are to be treated: A/B test at 75%, deployed to all"
            in text
        )


def test_the_report_states_that_there_is_nothing_to_compare(tmp_path, capsys):
    rows = [row for row in sessions() if row[2:4] != ["two", "control"]]
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    reason = "no session of control has a value where 25% are to be treated, the least"
    assert f"not estimated: {reason}: everything, for Minimum round-trip time" in printed
    assert page.index("Nothing can be said") < page.index(reason)


@pytest.mark.parametrize(
    ("share", "says"),
    [
        (0, "+0.0%"),
        (0.123456, "+12.3%"),
        (-0.0006, "−0.1%"),
        (0.0003, "+0.03%"),
        (-0.0001, "−0.01%"),
        (0.0000034, "+0.0003%"),
        # A rounding error of numbers that are as large as a time in microseconds.
        (-1e-13, "+0.0%"),
        (float("inf"), "+inf%"),
    ],
)
def test_a_small_change_is_not_reported_as_none(share, says):
    assert percent(share) == says


def test_large_and_small_amounts_have_no_exponent():
    assert [significant(value, 2) for value in (339, 4.96, 1234.5, 0.00072)] == [
        "340",
        "5",
        "1,200",
        "0.00072",
    ]
    kbps = Amount(-12345.0, -12400.0, 1234.0, unit="kbit/s")
    assert describe_change(kbps) == "−12,300 kbit/s (−12,400 kbit/s to +1,230 kbit/s)"


def test_an_uncertain_test_is_not_reported_as_wrong():
    deployed = Interval(-0.045, -0.08, -0.01)
    # It contains 0, and the whole interval of the deployment.
    assert _error(Interval(-0.04, -0.09, 0.01), deployed, False) == "is too uncertain to show the change"
    # It contains 0, and nothing of the deployment's interval.
    assert _error(Interval(0.01, -0.005, 0.02), deployed, True) == "misses the change"
    assert _error(Interval(0.03, 0.02, 0.04), deployed, True) == "gets the direction wrong"
    assert _error(Interval(-0.15, -0.2, -0.1), deployed, True) == "gets the size wrong"
    assert _error(Interval(-0.05, -0.09, -0.01), deployed, False) == ""


@pytest.mark.parametrize(
    ("share", "differ"),
    [
        (Interval(-0.5, -0.6, -0.4), False),
        (Interval(-0.5, -1, np.inf), False),
        (Interval(-0.2, -0.3, -0.1), True),
        (None, True),
    ],
)
def test_effects_on_two_links_differ_if_neither_the_amounts_nor_the_shares_agree(share, differ):
    # The test takes 50 of 100, and the deployment takes 5 of another link.
    deployed = replace(checked(Interval(-0.05, -0.06, -0.04)).tte, share=share)
    assert _differ(estimate("tau", Interval(-0.5, -0.6, -0.4)), deployed) == differ


def test_dates_are_in_the_viewers_time_zone(tmp_path, capsys):
    path = write(tmp_path / "s.csv", sessions())
    assert "from 02 March 2026 to 04 March 2026" in run(tmp_path, capsys, path)[1]
    assert "from 01 March 2026 to 04 March 2026" in run(tmp_path, capsys, path, "--utc-offset", "-5")[1]
    assert "from 02 March 2026 to 05 March 2026" in run(tmp_path, capsys, path, "--utc-offset", "5:30")[1]
