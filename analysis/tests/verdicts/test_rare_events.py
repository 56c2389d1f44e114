"""Few stalls, and stalls of one arm only, give no interval that is narrower than the data allow."""

import numpy as np
import pandas as pd
import pytest
from random_sessions import START

from sammy_analysis.experiment.analyze import analyze
from sammy_analysis.experiment.estimators.estimands import Options
from sammy_analysis.experiment.reading.read import read
from sammy_analysis.experiment.sentences.overview import make_verdicts

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
    table.drop(columns=["day", "hour", "number"]).to_csv(tmp_path / "s.csv", index=False)
    found = read(str(tmp_path / "s.csv"))
    try:
        return make_verdicts(analyze(found, Options()))[0]
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
