"""False verdicts by process of days and layout of periods, and verdicts on periods that are as short as a holiday."""

import numpy as np
import pytest
from verdict_inputs import FEWER, OPEN, checked, estimate

from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.sentences.verdict import verdict
from sammy_analysis.experiment.simulations import days_coverage
from sammy_analysis.experiment.simulations.days_coverage import false_verdicts
from sammy_analysis.experiment.simulations.worlds.periods import PERIODS
from sammy_analysis.experiment.simulations.worlds.processes import PROCESSES, Drawn


def test_the_study_reports_a_share_for_each_process_and_layout(capsys, monkeypatch):
    few = ("a cycle of 28 days, twice the noise", "a level that grows by 5% a day")
    monkeypatch.setattr(days_coverage, "PROCESSES", {name: PROCESSES[name] for name in few})
    monkeypatch.setattr(days_coverage, "PERIODS", {"7+14+7": PERIODS["7+14+7"]})
    assert main(["coverage", "--days", "--quick"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in few)
    assert printed.endswith("all targets met\n")


@pytest.mark.parametrize("process", PROCESSES)
def test_a_process_has_a_value_for_each_day(process):
    days = PERIODS["7+5"].span
    drawn = PROCESSES[process](np.random.default_rng(1), 3, days)
    values = drawn.values if isinstance(drawn, Drawn) else drawn
    assert values.shape == (3, 12)
    assert np.isfinite(values).all()


def test_a_change_is_false_unless_its_day_is_named():
    periods = PERIODS["14+14"]

    def changed_on(day):
        def draw(random, count, days):
            return Drawn(random.normal(size=(count, 28)) + 20 * (days >= 14), np.full((1, count), day))

        return false_verdicts(draw, periods, np.random.default_rng(1), 20)

    assert not changed_on(14).any()
    assert changed_on(5).all()


@pytest.mark.parametrize(
    ("periods", "condition"),
    [
        ((3, 14), "no holiday fell on the 3 days of the experiment"),
        ((14, 4), "no holiday fell on the 4 days of the baseline"),
    ],
)
def test_a_change_over_days_of_a_holiday_is_reported_conditionally(periods, condition):
    said = verdict("min_rtt_ms", [estimate("tte", FEWER)], [], "paired", checked(FEWER, periods=periods))
    assert said.outcome == "assumed"
    assert f"but only if {condition}." in said.decided
    unclear = verdict("min_rtt_ms", [estimate("tte", OPEN)], [], "paired", checked(OPEN, periods=periods))
    assert unclear.outcome == "unclear"
    assert "holiday" not in unclear.decided
