"""Few stalls, and stalls of one arm only, give no interval that is narrower than the data allow."""

import numpy as np
import pandas as pd
import pytest
from random_sessions import START

from sammy_analysis.experiment.analyze import analyze
from sammy_analysis.experiment.estimators.estimands import Options
from sammy_analysis.experiment.reading.read import read
from sammy_analysis.experiment.sentences.overview import AT_THE_SAME_TIME, design_caveat, make_verdicts

#: The hours of a day that have sessions.
HOURS = range(18, 22)


def make_links(days, an_hour, allocations=(1.0, 0.0), before=0, hours=HOURS):
    """Returns `an_hour` sessions in each hour of two links, without the treatment before day `before`."""
    rows = [
        (f"link {link}", p if day >= before else 0.0, day, hour, number)
        for link, p in enumerate(allocations)
        for day in range(days)
        for hour in hours
        for number in range(an_hour)
    ]
    table = pd.DataFrame(rows, columns=["cluster", "allocation", "day", "hour", "number"])
    table["arm"] = np.where(table.number < an_hour * table.allocation, "treatment", "control")
    table["session_id"] = table["unit"] = [f"s{row}" for row in table.index]
    table["started_at"] = START + (table.day * 24 + table.hour) * 3600
    return table


def read_verdict(tmp_path, table):
    """Returns the verdict on `stalls`."""
    return make_verdicts(read_analysis(tmp_path, table))[0]


def read_analysis(tmp_path, table):
    table.drop(columns=["day", "hour", "number"]).to_csv(tmp_path / "s.csv", index=False)
    found = read(str(tmp_path / "s.csv"))
    try:
        return analyze(found, Options())
    finally:
        found.close()


def paired(random):
    table = make_links(7, 5)
    return table, random.random(len(table)) < 0.2


def paired_with_a_quiet_baseline(random):
    table = make_links(14, 5, before=7)
    return table, (random.random(len(table)) < 0.2) & (table.day >= 7)


def switchback(random):
    table = make_links(14, 5, allocations=(1.0,))
    mostly = table.day.map(dict(enumerate([1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0])))
    table = table.assign(allocation=mostly, arm=np.where(mostly == 1, "treatment", "control"))
    return table, random.random(len(table)) < 0.2


def event_study(random):
    table = make_links(14, 5, allocations=(1.0,), before=7)
    return table, random.random(len(table)) < 0.2


@pytest.mark.parametrize("make", [paired, paired_with_a_quiet_baseline, switchback, event_study])
def test_treated_sessions_without_a_stall_do_not_tell_that_no_other_would_stall(tmp_path, make):
    # Each day's effect is minus that day's level, so that the share is the same on all days, whatever the level.
    table, stalls = make(np.random.default_rng(2))
    table["stalls"] = np.where(table.arm == "control", stalls, False).astype(int)
    found = read_verdict(tmp_path, table).interval
    assert found.estimate == found.low == pytest.approx(-1, abs=1e-6)
    assert -0.95 < found.high < 0


def test_two_days_of_the_same_result_can_be_alike_by_chance(tmp_path):
    # Beside 20 untreated sessions a day, of which two stall more, on both days.
    table = make_links(2, 20, hours=(18,))
    table["stalls"] = (table.number < table.day + np.where(table.arm == "control", 3, 1)).astype(int)
    assert "perhaps by chance" in read_verdict(tmp_path, table).sentence


def test_days_whose_hours_differ_can_have_the_same_mean_by_chance(tmp_path):
    # On each day two of 80 untreated sessions stall, at other hours than on the other day.
    table = make_links(2, 20)
    early = table.hour < HOURS[2]
    table["stalls"] = ((table.arm == "control") & (early == (table.day == 0)) & (table.number == 0)).astype(
        int
    )
    assert "perhaps by chance" in read_verdict(tmp_path, table).sentence


def test_a_metric_that_the_hour_and_the_arm_determine_needs_no_spread(tmp_path):
    table = make_links(3, 20)
    table["stalls"] = table.hour * np.where(table.arm == "control", 2, 1)
    found = read_verdict(tmp_path, table).interval
    assert found.low == found.high == pytest.approx(-0.5)


def test_a_baseline_of_few_sessions_that_are_all_alike_proves_nothing(tmp_path):
    table = make_links(14, 20, before=7, hours=(18,))
    table = table[(table.day >= 7) | (table.number == 0)]
    table["stalls"] = np.where(table.arm == "treatment", 2, 3)
    assert "7 sessions that are all alike do not tell how much sessions differ" in (
        read_verdict(tmp_path, table).sentence
    )


def test_few_untreated_sessions_that_are_all_alike_leave_the_links_corrected(tmp_path):
    # 28 untreated sessions beside the treated tell nothing of a spillover, but all others tell what a deployment does.
    table = make_links(14, 20, allocations=(0.95, 0.05), before=7)
    stalls = np.random.default_rng(3).random(len(table)) < 0.1
    table["stalls"] = np.where(table.arm == "treatment", stalls, False).astype(int)
    found = read_verdict(tmp_path, table)
    assert found.outcome == "changed"
    assert found.interval.low > 0


def test_a_small_variation_beside_a_large_mean_is_no_chance(tmp_path):
    table = make_links(7, 20)
    table["stalls"] = 1e9 + np.random.default_rng(4).normal(0, 1, len(table))
    found = read_verdict(tmp_path, table).interval
    assert (found.low, found.high) == (0, 0)


def test_in_an_ab_test_nothing_can_decrease_by_more_than_all(tmp_path):
    table = make_links(7, 20, allocations=(0.5,))
    stalls = np.random.default_rng(5).random(len(table)) < 0.1
    table["stalls"] = np.where(table.arm == "control", stalls, False).astype(int)
    assert "treated ones have −100.0% (−100.0% to −" in read_verdict(tmp_path, table).sentence


@pytest.mark.parametrize(("treated", "other"), [(0.1, 0.4), (0.4, 0.1)])
def test_the_effect_on_links_that_differ_is_a_share_of_the_treated_link(tmp_path, treated, other):
    # The treatment halves the stalls. Of the other link, it would be -5 of 40 = -12.5% or -20 of 10 = -200%.
    table = make_links(28, 160, before=14)
    rate = np.where(table.cluster == "link 0", treated, other) * np.where(table.arm == "treatment", 0.5, 1)
    table["stalls"] = (np.random.default_rng(6).random(len(table)) < rate).astype(int)
    found = read_verdict(tmp_path, table)
    assert found.interval.estimate == pytest.approx(-0.5, abs=0.15)
    assert found.interval.low < -0.5 < found.interval.high


def test_links_that_become_more_different_by_chance_are_not_subtracted_to_less_than_nothing(tmp_path):
    # The other link stalls in 30%, and later in 5%, so that 10% of the treated link less 20 percentage points are none.
    table = make_links(28, 40, before=14)
    other = np.where(table.day < 14, 0.3, 0.05)
    rate = np.where(table.cluster == "link 0", 0.1, other)
    table["stalls"] = (np.random.default_rng(6).random(len(table)) < rate).astype(int)
    result = read_analysis(tmp_path, table)
    (found,) = make_verdicts(result)
    assert found.outcome == "unknown"
    assert design_caveat(result) == AT_THE_SAME_TIME
    assert "less the links' difference at the same allocation, a mean would be below 0" in found.sentence


def test_an_extrapolation_to_less_than_nothing_tells_nothing(tmp_path):
    # The treated stall less the more are treated, and not at all beside 75%, so that a line ends below 0.
    table = make_links(14, 40, allocations=(0.75, 0.25))
    of_treated, of_control = (np.where(table.allocation > 0.5, *pair) for pair in ((0.0, 0.1), (0.2, 0.3)))
    rate = np.where(table.arm == "treatment", of_treated, of_control)
    table["stalls"] = (np.random.default_rng(7).random(len(table)) < rate).astype(int)
    found = read_verdict(tmp_path, table)
    assert found.outcome == "unknown"
    assert "extrapolated linearly from 25% and 75% treated, it would be below −100%" in found.sentence
