"""Simulates accounts that return on other days, with the same arm and the same level."""

import duckdb
import ibis
import numpy as np
import pandas as pd

from ...estimators.cells import accounts_expression, cells_expression, sort
from ...estimators.estimands import Options, estimates, interference
from ...estimators.returning import Contrasts, widen
from ...estimators.sufficient import check_sufficient
from ...sentences.verdict import Verdict, verdict
from .days import MONDAY
from .group import Group, slow
from .switchback import unequal


def returning(random: np.random.Generator, count: int) -> list[bool]:
    """Returns which 6-day A/B tests show a false effect if the same 80 accounts come on each day and keep their
    levels."""
    false, options = [], Options(design="paired")
    for _ in range(count):
        rows = pd.DataFrame(_sessions(random))
        connection = ibis.duckdb.from_connection(duckdb.connect())
        table = connection.create_table("sessions", ibis.memtable(rows))
        cells = sort(cells_expression(table, ["x"]).execute()).assign(offset=0)
        found, _ = estimates(cells, "x", options)
        found, _, _ = widen(Contrasts(cells, cells[:0], "x", options), table, 0, found, [], None)
        false.append(next(e.robust for e in found if e.kind == "tau").excludes_zero())
        connection.disconnect()
    return false


def _sessions(random: np.random.Generator) -> dict[str, np.ndarray]:
    account, day = np.repeat(np.arange(160), 6), np.tile(np.arange(6), 160)
    p = np.where(account < 80, 0.75, 0.25)
    level = 100 + 20 * random.normal(size=160)[account]
    return {
        "unit": account.astype(str),
        "cluster": np.where(account < 80, "one", "two"),
        "arm": np.where(account % 80 < 80 * p, "treatment", "control"),
        "allocation": p,
        "started_s": 3600.0 * (24 * (MONDAY + day) + random.integers(24, size=len(day))),
        "x": level + random.normal(size=len(day)),
    }


#: Number of metrics to simulate at once for returning accounts, because counting sessions takes longer than computing
#: verdicts.
AT_ONCE = 20


def in_a_switchback(accounts: int, random: np.random.Generator, count: int) -> list[bool]:
    """Returns whether a 14-day switchback on a link with `accounts` accounts falsely reports interference. Each account
    keeps its place in the random order, so accounts with the highest places are never treated."""
    found: list[bool] = []
    while len(found) < count:
        metrics = [f"m{number}" for number in range(min(AT_ONCE, count - len(found)))]
        rows = _accounts_of_a_switchback(accounts, metrics, random)
        found += [each.interference == "shown" for each in judge_sessions(rows, metrics, "switchback")]
    return found


def _accounts_of_a_switchback(accounts: int, metrics: list[str], random: np.random.Generator) -> pd.DataFrame:
    days = 14
    high = np.ravel([(first, 1 - first) for first in random.integers(2, size=days // 2)])
    account, day = (each.ravel() for each in np.meshgrid(np.arange(accounts), np.arange(days)))
    comes = random.random(len(day)) < 0.6
    account, day = account[comes], day[comes]
    allocation = np.where(high[day], 0.95, 0.05)
    place, usual = random.random(accounts), random.integers(24, size=accounts)
    hour = (usual[account] + random.integers(-2, 3, size=len(day))) % 24
    rows = {
        "unit": account.astype(str),
        "cluster": "link",
        "arm": np.where(place[account] < allocation, "treatment", "control"),
        "allocation": allocation,
        "started_s": 3600.0 * (24 * (MONDAY + day) + hour),
        "window": day,
    }
    for metric in metrics:
        of_account, of_day = 20 * random.normal(size=accounts), 2 * random.normal(size=days)
        rows[metric] = 100 + of_account[account] + of_day[day] + 20 * random.normal(size=len(day))
    return pd.DataFrame(rows)


def judge_sessions(rows: pd.DataFrame, metrics: list[str], design: str) -> list[Verdict]:
    """Returns the verdicts on sessions of returning accounts."""
    options = Options(design=design)
    connection = ibis.duckdb.from_connection(duckdb.connect())
    table = connection.create_table("sessions", ibis.memtable(rows))
    cells = sort(cells_expression(table, metrics).execute()).assign(offset=0)
    verdicts = []
    for metric in metrics:
        found, _ = estimates(cells, metric, options)
        found = check_sufficient(found, accounts_expression(table, metric).execute(), options, True)
        tests = interference(found)
        found, tests, _ = widen(Contrasts(cells, cells[:0], metric, options), table, 0, found, tests, None)
        verdicts.append(verdict(metric, found, tests, design))
    connection.disconnect()
    return verdicts


def heavy_accounts(
    random: np.random.Generator, count: int, heavy: int = 3, sessions: int = 150, level: float = 1 / 3
) -> list[bool]:
    """Returns whether a 6-day A/B test shows a false effect if a few accounts have many sessions at their own level,
    and a thousand other accounts have three sessions each."""
    false, options = [], Options(design="ab")
    for _ in range(count):
        rows = _with_heavy_accounts(random, heavy, sessions, level)
        connection = ibis.duckdb.from_connection(duckdb.connect())
        table = connection.create_table("sessions", ibis.memtable(rows))
        cells = sort(cells_expression(table, ["x"]).execute()).assign(offset=0)
        found, _ = estimates(cells, "x", options)
        found = check_sufficient(found, accounts_expression(table, "x").execute(), options, True)
        found, _, _ = widen(Contrasts(cells, cells[:0], "x", options), table, 0, found, [], None)
        tau = next(each.robust for each in found if each.kind == "tau")
        false.append(tau is not None and tau.excludes_zero())
        connection.disconnect()
    return false


def _with_heavy_accounts(
    random: np.random.Generator, heavy: int, sessions: int, level: float
) -> pd.DataFrame:
    others, of_others = 1000, 3
    account = np.concatenate(
        [np.repeat(np.arange(heavy), sessions), np.repeat(np.arange(heavy, heavy + others), of_others)]
    )
    treated = random.random(heavy + others) < 0.5
    hours = 24 * MONDAY + random.integers(6 * 24, size=len(account))
    return pd.DataFrame(
        {
            "unit": account.astype(str),
            "cluster": "link",
            "arm": np.where(treated[account], "treatment", "control"),
            "allocation": 0.5,
            "started_s": 3600.0 * hours,
            "x": np.where(account < heavy, level, 1) * 100 + 20 * random.normal(size=len(account)),
        }
    )


GROUPS = (
    Group(
        "a switchback of 14 days on few accounts that come back: verdicts that arms interfere",
        0.0,
        0.05,
        tuple(
            slow(f"{accounts:,} accounts", in_a_switchback, accounts, most=200)
            for accounts in (60, 400, 1000, 2000)
        ),
    ),
    Group(
        "switchbacks and accounts, no effect: false changes",
        0.0,
        0.05,
        (
            slow("switchback on clusters of 1, 10 and 100", unequal, most=2000, quick=200),
            slow("accounts that come back on six days", returning, most=200),
            slow(
                "three accounts with 13% of the sessions, at a third of the value", heavy_accounts, most=200
            ),
        ),
    ),
)
