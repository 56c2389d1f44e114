"""Comparisons of too little data, such as skewed values or few accounts that come back, are refused."""

import re
from dataclasses import replace

import ibis
import numpy as np
import pandas as pd
import pytest
from session_files import HEADER, run, sessions, write

from sammy_analysis.experiment.estimators.appendix_b import Interval
from sammy_analysis.experiment.estimators.cells import accounts_expression
from sammy_analysis.experiment.estimators.estimands import Estimate
from sammy_analysis.experiment.estimators.sufficient import (
    account_skewness,
    accounts_by_arm,
    describe_weights,
    few_accounts,
    insufficient,
    skewness_of_difference,
)
from sammy_analysis.experiment.simulations.worlds.accounts import heavy_accounts, in_a_switchback


def moments(*groups):
    return pd.DataFrame(
        {
            "accounts": [len(each) for each in groups],
            **{
                name: [(np.array(each) ** power).sum() for each in groups]
                for power, name in enumerate(("first", "second", "third"), 1)
            },
        }
    )


def test_skewness_by_hand():
    # 0, 0 and 3 have mean 1 and deviations -1, -1 and 2, with variance 2 and a mean cube of 2: 2 / 2^1.5. The second
    # group is the same, but 10 higher.
    assert account_skewness(moments([0.0, 0, 3], [10.0, 10, 13])) == pytest.approx(2**-0.5)
    assert account_skewness(moments([5.0, 5, 5], [7.0])) == 0


def test_common_effects_of_both_arms_cancel_out():
    assert skewness_of_difference(100, 100, 33) == 0
    # If the other arm has far more values, it is the skewness of this arm's mean: the skewness over the root of 100.
    assert skewness_of_difference(100, 10**9, 3) == pytest.approx(0.3, rel=1e-6)


def test_a_mean_needs_25_times_the_square_of_the_skewness():
    assert insufficient(25 * 9, 10**9, 3.0) == ""
    # 25 × 9 = 225, rounded up.
    assert "it takes about 230 or more" in insufficient(25 * 8, 10**9, 3.0)
    assert "of 224 accounts; it takes about 230 or more" in insufficient(224, 10**9, 3.0)


def make_accounts(*arms):
    """Returns the statistics of both arms that the database computes from accounts, given as (sessions, value). The
    first arm is treated."""
    rows = [
        {"unit": f"{arm}-{at}", "cluster": "link", "allocation": 0.5, "arm": arm, "x": float(value)}
        for arm, accounts in zip(("treatment", "control"), arms, strict=True)
        for at, (sessions, value) in enumerate(accounts)
        for _ in range(sessions)
    ]
    connection = ibis.duckdb.connect()
    table = connection.create_table("sessions", ibis.memtable(pd.DataFrame(rows)))
    found = accounts_by_arm(accounts_expression(table, "x").execute())
    return found[0.5, "treatment"], found[0.5, "control"]


def test_effective_accounts_by_hand():
    # Kish: (3 + 1 + 1 + 1)^2 / (9 + 1 + 1 + 1) = 3. The mean is 20; the influences are 3/6 x 10 and three times 1/6 x -10.
    treated, _ = make_accounts([(3, 30), (1, 10), (1, 10), (1, 10)], [(1, 0)])
    assert (treated.count, treated.effective, treated.largest_share) == (4, pytest.approx(3), 0.5)
    assert treated.influences == (pytest.approx(-10 / 6), pytest.approx(5))
    assert treated.influence_2 == pytest.approx(25 + 3 * 100 / 36)
    assert treated.influence_4 == pytest.approx(625 + 3 * (100 / 36) ** 2)


def make_tau(estimate=10.0, reach=5.0, mean=100.0):
    interval = Interval(estimate, estimate - reach, estimate + reach)
    return Estimate("A/B test at 50%", "tau", 0.5, "x", interval, interval, "", mean, None)


def test_returning_accounts_must_be_many():
    alike = [(1, 10 + at % 2) for at in range(200)]
    assert few_accounts(make_tau(), *make_accounts(alike[:50], alike)) == ""
    assert "an arm has 49 accounts, which come back: with fewer" in few_accounts(
        make_tau(), *make_accounts(alike[:49], alike)
    )
    # 100 accounts, of which one has half of the sessions: 198^2 / (99^2 + 99) is 3.96.
    one = [(99, 10), *alike[:99]]
    assert (
        "an arm has 100 accounts, which come back and count like 4 that come equally often"
        in few_accounts(make_tau(), *make_accounts(one, alike))
    )


def test_a_heavy_account_of_a_single_day_counts_too(tmp_path, capsys):
    rows = list(sessions(6))
    first = next(row for row in rows if row[3] == "treatment")
    rows += [[f"more-{number}", *first[1:]] for number in range(500)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert "came back" not in printed
    assert re.search(r"an arm has \d+ accounts, which count like \d+ that come equally often: with", printed)


def test_few_differing_accounts_must_not_decide():
    # Two of 3,002 accounts have 100 of 3,200 sessions each. Kish's number is 445, but these two cause nearly all of the
    # possible error.
    heavy = [(100, 0), (100, 0), *((1, 99 + 2 * (at % 2)) for at in range(3000))]
    alike = [(1, 99 + 2 * (at % 2)) for at in range(3000)]
    said = few_accounts(make_tau(estimate=-6.25, reach=2), *make_accounts(heavy, alike))
    assert said.startswith(
        "the habits of 2 accounts decide it; with fewer than 10 accounts they look like an effect"
    )
    assert "one account has 3.1% of an arm's sessions" in said
    # One of them changes the treated mean, 93.75, by 100 / 3200 x -93.75 = -2.9. Without it, the effect is -6.25 + 2.9.
    assert "without any one account, it lies between −6.3% and −3.3%" in said
    assert few_accounts(make_tau(), *make_accounts(alike, alike)) == ""
    # Nothing varies: rounding errors are no influence.
    arms = (replace(arm, influences=(0.0, 1e-15)) for arm in make_accounts(alike, alike))
    assert describe_weights(make_tau(reach=0), *arms) == []


@pytest.mark.parametrize("data_sets", [2, pytest.param(200, marks=pytest.mark.long)])
def test_heavy_accounts_create_no_effect(data_sets):
    false = sum(heavy_accounts(np.random.default_rng(1), data_sets))
    assert false <= 0.06 * data_sets


def test_a_skewed_metric_of_few_sessions_gets_no_ab_test(tmp_path, capsys):
    random = np.random.default_rng(1)
    rows = [[*row[:6], random.lognormal(5, 2)] for row in sessions(8)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows, HEADER))
    assert "An A/B test with 25% treated cannot be judged: a few large values decide the mean" in printed


def test_fixed_assignments_of_few_accounts_are_not_interference():
    # 20 of 400 accounts are never treated, and 20 are always treated, in every window.
    assert not any(in_a_switchback(400, np.random.default_rng(1), 6))
