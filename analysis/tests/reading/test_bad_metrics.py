"""Values and units of metrics that cannot be right, and values that look odd but are right."""

import re

import numpy as np
import pytest
from good_sessions import GOOD, like
from session_files import HEADER, lint, run, sessions, write

from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.reading.schema import metric


def test_a_missing_metric_is_not_an_error(tmp_path, capsys):
    printed = lint(capsys, write(tmp_path / "s.csv", [*GOOD, like(min_rtt_ms="")]))
    assert "left out" not in printed


def test_units_that_differ_between_groups(tmp_path, capsys):
    mixed = [[*row[:6], row[6] / 1000] if row[2] == "two" and row[3] == "control" else row for row in GOOD]
    rows = [[*row, 5] for row in mixed]
    printed = lint(capsys, write(tmp_path / "s.csv", rows, [*HEADER, "switches"]))
    assert "min_rtt_ms is not analysed: two units? Its median is 0.0" in printed
    assert "in two, control on 2 March (" in printed


def test_units_that_differ_between_periods(tmp_path, capsys):
    later = [[*row[:6], row[6] / 1000] if row[5] >= "2026-03-03" else row for row in GOOD]
    printed = lint(capsys, write(tmp_path / "s.csv", [[*row, 5] for row in later], [*HEADER, "switches"]))
    assert "min_rtt_ms is not analysed: two units? Its median is 0.0" in printed
    assert " on 3 March (" in printed


def test_units_that_differ_are_the_only_message_without_another_metric(tmp_path, capsys):
    later = [[*row[:6], row[6] / 1000] if row[5] >= "2026-03-03" else row for row in GOOD]
    path = write(tmp_path / "s.csv", later)
    for name in ("analyze", "aa", "design"):
        assert main([name, path]) == 1
        said = capsys.readouterr().err
        assert said.startswith(f"dashjs-sammy experiment: {path}: no metric can be analysed: min_rtt_ms")
        assert said.count("\n") == 1


def test_units_that_differ_between_rows(tmp_path, capsys):
    mixed = [[*row[:6], row[6] * 1000] if number % 30 == 7 else row for number, row in enumerate(GOOD)]
    printed = lint(capsys, write(tmp_path / "s.csv", mixed))
    assert "min_rtt_ms: 13 of 384 values are more than 300 times off the median" in printed
    assert "two units? The first is row 8 of" in printed


def test_a_metric_in_two_units(tmp_path, capsys):
    rows = [[*row, row[6] / 1000] for row in GOOD]
    assert main(["analyze", write(tmp_path / "s.csv", rows, [*HEADER, "min_rtt_s"])]) == 1
    assert "the metric min_rtt is there in two units, min_rtt_ms and min_rtt_s" in capsys.readouterr().err


def test_a_metric_in_another_unit_is_the_same_metric():
    for name in ("throughput_bps", "throughput_mbps", "throughput_gbps"):
        assert metric(name) == metric("throughput_kbps")
    assert metric("min_rtt_s").less_is_better
    # A name without a unit is another metric, and so is one whose ending only looks like a unit.
    assert metric("throughput").less_is_better is None
    assert metric("switches_s").less_is_better is None


def test_a_single_value_that_dominates_all_others(tmp_path, capsys):
    path = write(tmp_path / "s.csv", [*GOOD, like(min_rtt_ms=1e9)])
    assert f"min_rtt_ms: a single value, 1e+09 in row 385 of {path}, is 100% of the sum of 385" in lint(
        capsys, path
    )


def test_values_whose_sums_overflow_are_omitted(tmp_path, capsys):
    huge = [["a", *like(min_rtt_ms=1e308)[1:]], ["b", *like(min_rtt_ms=1e308)[1:]]]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", [*GOOD, *huge]))
    assert "min_rtt_ms: not a finite number, or beyond 1e+100; the session counts for its other" in printed
    assert "deployed to all          −26.7%" in printed


def test_a_metric_that_only_one_arm_has(tmp_path, capsys):
    rows = [[*row, 5 if row[3] == "control" else ""] for row in sessions(days=2)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows, [*HEADER, "queue"]))
    assert (
        "not estimated: no session of treatment has a value where 75% are to be treated: A/B test at 75%, "
        "deployed to all, for queue" in printed
    )
    assert "deployed to all          −26.7%" in printed


def test_a_negative_metric_that_increases_is_reported_as_an_increase(tmp_path, capsys):
    rows = [[*row[:6], -row[6]] for row in GOOD]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows, [*HEADER[:6], "signal"]))
    # An increase from -67.5 by 18.
    assert "deployed to all          +26.7%" in printed


def test_a_mean_of_zero_is_reported(tmp_path, capsys):
    # The mean of the control on link two is 62.5, which the treated quarter beside it lowers by 5. Without treatment it
    # is 67.5.
    rows = [[*row[:6], row[6] - 67.5] for row in GOOD]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert "−18 ms (−18 ms to −18 ms) on the mostly treated link." in printed
    assert "Its mean without the treatment is too close to 0 for a percentage." in printed


def test_a_metric_that_is_zero_without_the_treatment(tmp_path, capsys):
    # Two weeks without the treatment, and two weeks in which 95% or 5% of the sessions are treated and stall.
    random = np.random.default_rng(1)
    rows = []
    for number, hour in enumerate(np.repeat(np.arange(28 * 24), 20)):
        link = "one" if number % 2 else "two"
        allocation = 0 if hour < 14 * 24 else 0.95 if number % 2 else 0.05
        treated = random.random() < allocation
        at = 1_772_409_600 + 3600 * int(hour)
        stalls = random.choice([0, 1, 2]) if treated else 0
        arm = "treatment" if treated else "control"
        rows.append([number, number, link, arm, allocation, at, stalls])
    path = write(tmp_path / "s.csv", rows, [*HEADER[:6], "rebuffer_count"])
    printed, page = run(tmp_path, capsys, path)
    beginning = re.match(r"Deployed to all, the treatment worsens rebuffers \(\+(\S+)\)\.", printed)
    # 0, 1 and 2 are equally frequent.
    assert float(beginning[1]) == pytest.approx(1, abs=0.05)
    assert "(decides the verdict)" in printed
    assert f"worse: +{beginning[1]}" in page
