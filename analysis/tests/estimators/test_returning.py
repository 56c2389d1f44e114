"""Accounts that come back, compared with hand arithmetic and in worlds without an effect."""

from math import sqrt

import duckdb
import ibis
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from session_files import HEADER, run, write

from sammy_analysis.experiment.analyze import cells_expression
from sammy_analysis.experiment.estimators import spread, sufficient
from sammy_analysis.experiment.estimators.appendix_b import Interval
from sammy_analysis.experiment.estimators.cells import sort
from sammy_analysis.experiment.estimators.estimands import Options, estimates, interference
from sammy_analysis.experiment.estimators.returning import Contrasts, returning, widen

VALUES = {"a": ("treatment", 10), "b": ("treatment", 20), "c": ("control", 10), "d": ("control", 10)}


def sessions(come_back):
    """Yields sessions of four accounts at the same hour of two days. An account has the same value on both days."""
    for day in (2, 3):
        for account, (arm, value) in VALUES.items():
            unit = account if come_back else f"{account}-{day}"
            yield [f"{account}-{day}", unit, "link", arm, 0.5, f"2026-03-0{day}T10:00Z", value]


@pytest.fixture
def anything_suffices(monkeypatch):
    """Accepts very few sessions, which are otherwise refused, so that results can be computed by hand."""
    monkeypatch.setattr(sufficient, "LEAST_ACCOUNTS", 0)
    monkeypatch.setattr(sufficient, "LEAST_DECIDING", 0)
    monkeypatch.setattr(spread, "ALIKE_SESSIONS", 0)


@pytest.mark.usefixtures("anything_suffices")
def test_two_days_of_the_same_accounts_are_not_two_observations(tmp_path, capsys):
    # On both days, the treated have 5 more than the 10 of the others. A session of a is 20/3 below the mean of the
    # other three treated sessions, and one of b is as much above it; each counts 1/4. So an account's two sessions add
    # 2 x 5/3, which is 100/9 squared, of which its days alone explain 2 x (5/3)^2 = 50/9. For both accounts together,
    # the rest is 100/9: 5 +- 1.96 x 10/3 is -1.533 to 11.533.
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", sessions(come_back=True)))
    assert "A/B test at 50%          +50.0% (−15.3% to +115.3%)" in printed
    assert "4 accounts came back on another day." in printed
    assert "2 days, and accounts that come back" in page
    printed, _ = run(tmp_path, capsys, write(tmp_path / "t.csv", sessions(come_back=False)))
    assert "A/B test at 50%          +50.0% (+50.0% to +50.0%)" in printed
    assert "came back" not in printed


@pytest.mark.usefixtures("anything_suffices")
def test_metrics_can_have_any_name(tmp_path, capsys):
    names = ["hour", "day", "value", "usual", "c0", "days"]
    rows = [[*row, *row[6:] * 5] for row in sessions(come_back=True)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows, [*HEADER[:6], *names]))
    assert printed.count("A/B test at 50%          +50.0% (−15.3% to +115.3%)") == 4
    for taken in ("hour", "day"):
        assert f"The column {taken} is not used: its name has another meaning here." in printed


def test_an_interval_with_another_source_of_error():
    found = Interval(5, 2, 8, 1.5, "5 days", 0.01).widened(4)
    # Half of the new interval is the root of the sum of two squares: of 3, half of the old one, and of 1.96 x 2.
    assert (found.low, found.high) == pytest.approx((5 - sqrt(9 + 3.92**2), 5 + sqrt(9 + 3.92**2)))
    assert found.se == 2.5
    own = 5 / stats.norm.isf(0.005)
    assert found.p == pytest.approx(2 * stats.norm.sf(5 / sqrt(own**2 + 4)))
    assert Interval(5, -np.inf, np.inf).widened(1).high == np.inf
    assert Interval(5, 5, 5, 0.0, "", 0.0).widened(1).p == pytest.approx(2 * stats.norm.sf(5))
    assert Interval(5, 2, 8).widened(0) == Interval(5, 2, 8)


def untreated(random, days, links):
    """Yields one session per day of 80 accounts per link. An account keeps its level. A share p of the accounts is
    called treated, without any effect."""
    for link, p in links.items():
        for account in range(80):
            level = 100 + 20 * random.normal()
            treated = account < 80 * p
            for day in range(days):
                hour = int(random.integers(4))
                yield {
                    "unit": f"{link}-{account}",
                    "cluster": link,
                    "arm": "treatment" if treated else "control",
                    "allocation": p,
                    "started_s": 1_772_409_600.0 + 3600 * (24 * day + hour),
                    "x": level + random.normal(),
                }


def false_positives(worlds, wider):
    """Returns the shares of worlds that show an effect τ and interference. The worlds have returning accounts and no
    effect."""
    found = np.zeros(2)
    for seed in range(worlds):
        random = np.random.default_rng(seed)
        rows = pd.DataFrame(untreated(random, 6, {"one": 0.75, "two": 0.25}))
        connection = ibis.duckdb.from_connection(duckdb.connect())
        table = connection.create_table("sessions", ibis.memtable(rows))
        cells = sort(cells_expression(table, ["x"]).execute()).assign(offset=0)
        each, _ = estimates(cells, "x", Options(design="paired"))
        tests = interference(each)
        if wider:
            contrasts = Contrasts(cells, cells[:0], "x", Options(design="paired"))
            each, tests, _ = widen(contrasts, table, 0, each, tests, None)
        tau = next(e.robust for e in each if e.kind == "tau")
        found += [tau.excludes_zero(), next(t for t in tests if t.kind == "tau").contradicted]
        connection.disconnect()
    return found / worlds


# The gate has time for only three worlds. Without widening, most worlds show a false effect.
@pytest.mark.parametrize("worlds", [3, pytest.param(60, marks=pytest.mark.long)])
def test_returning_accounts_cause_no_false_positives(worlds):
    # Three standard errors of a share of 5%.
    assert (false_positives(worlds, wider=True) <= 0.05 + 3 * sqrt(0.05 * 0.95 / worlds)).all()
    # Intervals over days ignore that the same accounts are treated on every day.
    assert (false_positives(worlds, wider=False) >= 0.4).all()


def test_the_share_of_returning_accounts():
    rows = pd.DataFrame({"unit": ["a", "a", "b", "b", "c"], "started_s": [3600.0, 7200, 3600, 90_000, 3600]})
    table = ibis.duckdb.connect().create_table("sessions", ibis.memtable(rows))
    assert returning(table, 0) == 1
    # On the viewers' clock, which is two hours behind, the first session of a is on the previous day.
    assert returning(table, -2) == 2
