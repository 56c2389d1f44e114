"""Comparisons of too little are refused: of skewed values, and of few accounts that come back."""

import numpy as np
import pandas as pd
import pytest
from test_command import HEADER, run, sessions, write

from sammy_analysis.experiment.estimators.sufficient import insufficient, skewness_of, skewness_of_difference
from sammy_analysis.experiment.simulations.worlds.accounts import few_accounts


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
    # 0, 0, 3: mean 1, deviations -1, -1, 2; variance 2, cubes 2: 2 / 2^1.5. The second group is the same, 10 higher.
    assert skewness_of(moments([0.0, 0, 3], [10.0, 10, 13])) == pytest.approx(2**-0.5)
    assert skewness_of(moments([5.0, 5, 5], [7.0])) == 0


def test_what_both_arms_have_cancels_out():
    assert skewness_of_difference(100, 100, 33) == 0
    # Beside far more values it is that of a mean: the skewness over the root of their number.
    assert skewness_of_difference(100, 10**9, 3) == pytest.approx(0.3, rel=1e-6)


def test_a_mean_takes_25_times_the_square_of_the_skewness():
    assert insufficient(25 * 9, 10**9, 3.0, come_back=False) == ""
    assert "it takes about 200 or more" in insufficient(25 * 8, 10**9, 3.0, come_back=False)


def test_accounts_that_come_back_must_be_many():
    assert insufficient(50, 950, 0.0, come_back=True) == ""
    assert "an arm has 49 accounts, which come back" in insufficient(49, 950, 0.0, come_back=True)
    assert insufficient(49, 950, 0.0, come_back=False) == ""


def test_a_skewed_metric_of_few_sessions_gets_no_ab_test(tmp_path, capsys):
    random = np.random.default_rng(1)
    rows = [[*row[:6], random.lognormal(5, 2)] for row in sessions(8)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows, HEADER))
    assert "An A/B test with 25% treated cannot be judged: a few large values decide the mean" in printed


def test_fixed_places_of_few_accounts_are_no_interference():
    # Of 400 accounts 20 are never treated, and as many always are, whatever the window.
    assert not any(few_accounts(400, np.random.default_rng(1), 6))
