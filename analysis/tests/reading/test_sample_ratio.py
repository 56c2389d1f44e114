"""The sample-ratio check of each window, and of all windows of a cluster and an allocation together."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from session_files import run, write

from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.reading.sample_ratio import ALARM, Ratio, over_all_windows, ratios, shared
from sammy_analysis.experiment.simulations.worlds.ab_test import sample_ratio

DAYS = 20


def rows(shares, accounts=500, returning=False):
    """Yields one session per account and day. `shares` has for each cluster a factor and the allocation p of each day.
    The treated share of the accounts is 2p times the factor, so a factor of 0.5 follows the plan."""
    for cluster, (treated, allocations) in shares.items():
        for day, p in enumerate(allocations):
            for number in range(accounts):
                unit = f"{cluster}-{number}" if returning else f"{cluster}-{day}-{number}"
                arm = "treatment" if number < treated * accounts * 2 * p else "control"
                at = f"2026-03-{day + 1:02}T{number % 24:02}:00:00Z"
                yield [f"{cluster}-{day}-{number}", unit, cluster, arm, p, at, 50 + number % 7]


def alarms(capsys, path):
    main(["lint", path])
    return [line for line in capsys.readouterr().out.splitlines() if line.startswith("ALARM")]


def test_a_small_lasting_mismatch_raises_an_alarm(tmp_path, capsys):
    # On each day, 46% of 500 accounts are treated instead of 50%: p = 0.08, no alarm. Of 10,000 on all days, 4,600 are
    # treated and 5,400 are not: z = 8.
    path = write(tmp_path / "s.csv", rows({"north": (0.46, [0.5] * DAYS)}))
    assert stats.binomtest(230, 500).pvalue > ALARM
    assert alarms(capsys, path) == [
        "ALARM: over all 20 windows of north the arms do not have the sizes that they were given: 4,600 treated and 5,400 "
        f"untreated accounts, where 50% should be treated (p = {stats.binomtest(4600, 10_000).pvalue:.1g})"
    ]
    _, page = run(tmp_path, capsys, path)
    assert "north, all 20 windows together: 4,600 treated and 5,400 untreated accounts" in page
    assert "No: the arms do not have the sizes" in page


def test_a_sample_as_planned_raises_no_alarm(tmp_path, capsys):
    path = write(tmp_path / "s.csv", rows({"north": (0.5, [0.5] * DAYS), "south": (0.5, [0.2] * DAYS)}))
    assert alarms(capsys, path) == []
    _, page = run(tmp_path, capsys, path)
    # 20 windows of a day for each cluster, and one test for each cluster over all windows.
    assert (
        "in 40 of 40 windows of a cluster, and 2 times over all windows of a cluster and an allocation"
        in page
    )


def test_each_allocation_is_compared_with_its_own_share(tmp_path, capsys):
    """Days with 10% and days with 90% treated are tested separately, and neither raises an alarm. Together, half of all
    accounts are treated."""
    days = [0.1, 0.9] * (DAYS // 2)
    assert alarms(capsys, write(tmp_path / "s.csv", rows({"north": (0.5, days)}))) == []
    # On days with 10%, nine of fifty treated accounts are missing. 41 of 491 accounts give z = -1.2 on one day, and 410
    # of 4,910 give z = -3.9 on ten days.
    lacking = [row for row in rows({"north": (0.5, days)}) if not (row[4] == 0.1 and lacks(row[0]))]
    (alarm,) = alarms(capsys, write(tmp_path / "t.csv", lacking))
    assert "over all 10 windows of north" in alarm
    assert "where 10% should be treated" in alarm


def lacks(session):
    """Whether the session is of one of the nine missing accounts, of fifty that are treated on a day."""
    return int(session.rsplit("-", 1)[1]) < 9


def test_a_returning_account_counts_as_one_draw(tmp_path, capsys):
    # The same 230 of 500 accounts are treated every day: p = 0.08 on one day, and no less over all days.
    path = write(tmp_path / "s.csv", rows({"north": (0.46, [0.5] * DAYS)}, returning=True))
    assert alarms(capsys, path) == []


def test_an_account_that_is_drawn_again_every_day_counts_once(tmp_path, capsys):
    """Each day a different tenth of 500 accounts is untreated, so over all days every account was in both arms."""

    def drawn():
        for name, *rest in rows({"north": (0.5, [0.9] * DAYS)}, returning=True):
            _, day, number = name.split("-")
            rest[2] = "control" if (int(day) + int(number)) % 10 == 0 else "treatment"
            yield [name, *rest]

    assert alarms(capsys, write(tmp_path / "s.csv", drawn())) == []


def units(*counts):
    return pd.DataFrame(counts, columns=["cluster", "allocation", "window", "arm", "units"])


def test_numbers_match_hand_arithmetic():
    by_window = units(
        ("a", 0.5, 0, "t", 30), ("a", 0.5, 0, "c", 20), ("a", 0.5, 1, "t", 30), ("a", 0.5, 1, "c", 20)
    )
    parts = ratios(by_window, "t", "c", 24)
    assert [each.p for each in parts] == pytest.approx([stats.binomtest(30, 50).pvalue] * 2)
    (found,) = over_all_windows(units(("a", 0.5, None, "t", 60), ("a", 0.5, None, "c", 40)), "t", "c", parts)
    assert (found.p, found.windows, found.starts) == (pytest.approx(stats.binomtest(60, 100).pvalue), 2, None)
    # With a single window, the test over all windows would be the same test again.
    assert over_all_windows(by_window[:2], "t", "c", parts[:1]) == []


def test_many_windows_do_not_raise_more_false_alarms():
    """Correct samples raise an alarm in 1% of cases, regardless of the number of windows. With up to twenty windows,
    each has the threshold p < 0.0005."""
    for windows in (1, 20, 1000):
        random = np.random.default_rng(windows)
        alarms = 0
        for _ in range(400):
            found = [Ratio("a", 0.5, hour, 0, 0, p) for hour, p in enumerate(random.random(windows))]
            alarms += any(each.alarm for each in shared(found))
        # Three standard errors of a share of 1%.
        assert alarms / 400 <= 0.01 + 3 * (0.01 * 0.99 / 400) ** 0.5
    assert [each.alarm for each in shared([Ratio("a", 0.5, 0, 0, 0, p) for p in (0.0004, 0.0006, None)])] == [
        True,
        False,
        False,
    ]


def test_windows_of_a_hundred_accounts_raise_false_alarms_as_rarely():
    """Five of a hundred accounts are treated. Their number is binomial, for which the chi-square distribution is a bad
    approximation."""
    assert sum(sample_ratio(100, np.random.default_rng(1), 400)) <= 0.01 * 400 + 3 * (0.0099 * 400) ** 0.5


def test_few_accounts_are_tested_exactly():
    # All twelve accounts are treated, and half of them should be: one of 4,096 draws, and the opposite draw is as
    # unlikely.
    (found,) = ratios(units(("a", 0.5, 0, "t", 12)), "t", "c", 24)
    assert found.p == pytest.approx(2 / 2**12)
