"""Implausible values in readable sessions. The report lists them with file, row and field."""

from datetime import UTC, datetime

import pandas as pd

from .schema import unit
from .sources import Run, name

#: The smallest suspicious ratio between two groups of sessions, or between the median and the most extreme 1% of
#: sessions. Units differ by a factor of 1000.
APART = 300
#: A single value is reported if its share of the sum is larger than this.
WEIGHTY = 0.1
#: Groups with fewer sessions are not compared.
LEAST_SESSIONS = 20
#: The units whose metrics are checked, because their values could be given in another unit by mistake.
UNITS = ("ms", "s", "bit/s", "kbit/s", "Mbit/s", "Gbit/s")


def check_units(run: Run, files: list[str], metrics: list[str]) -> tuple[list[str], list[str]]:
    """Drops metrics whose groups or days seem to have different units. Returns the other metrics, and notes on all metrics
    that seem to have two units, even if only in single rows."""
    kept, notes = [], []
    for metric in metrics:
        if unit(metric) not in UNITS:
            kept.append(metric)
            continue
        column = name(metric)
        medians = run(
            f"SELECT file, cluster, arm, floor(started_s / 86400) AS day, median({column}) AS median, min(row) AS row FROM rows "
            f"WHERE problem IS NULL AND {column} > 0 GROUP BY ALL HAVING count(*) >= {LEAST_SESSIONS} ORDER BY ALL"
        )
        if len(medians) and medians["median"].max() >= APART * medians["median"].min():
            low, high = (medians.loc[i] for i in (medians["median"].idxmin(), medians["median"].idxmax()))
            notes.append(
                f"{metric} is not analysed: two units? Its median is {low['median']:g} in {_group(low, files)} and "
                f"{high['median']:g} in {_group(high, files)}."
            )
            continue
        kept.append(metric)
        if len(medians):
            notes += _odd_rows(run, files, metric, float(medians["median"].median()))
    return kept, notes


def _odd_rows(run: Run, files: list[str], metric: str, median: float) -> list[str]:
    column = name(metric)
    odd = f"({column} > {APART * median} OR {column} < {median / APART})"
    usable = f"problem IS NULL AND {column} > 0"
    found = run(f"SELECT count(*) FILTER ({odd}) AS odd, count(*) AS n FROM rows WHERE {usable}").loc[0]
    if found.odd < 0.01 * found.n:
        return []
    first = run(f"SELECT file, row FROM rows WHERE {usable} AND {odd} ORDER BY file, row LIMIT 1").loc[0]
    return [
        f"{metric}: {int(found.odd):,} of {int(found.n):,} values are more than {APART} times off the median "
        f"{median:g}: two units? The first is row {first.row} of {files[first.file]}."
    ]


def _group(group: pd.Series, files: list[str]) -> str:
    day = f"{datetime.fromtimestamp(int(group.day) * 86400, UTC):%d %B}".lstrip("0")
    return f"{group.cluster}, {group.arm} on {day} ({files[group.file]} from row {group.row})"


def check_weight(run: Run, files: list[str], metrics: list[str]) -> list[str]:
    """Notes metrics in which a single outlier is a large share of the sum."""
    if not metrics:
        return []
    size = {metric: f"abs({name(metric)})" for metric in metrics}
    aggregates = ", ".join(f"max({x}), sum({x}), count(*) FILTER ({x} > 0)" for x in size.values())
    found = run(f"SELECT {aggregates} FROM rows WHERE problem IS NULL").iloc[0].tolist()
    notes = []
    for metric, largest, total, count in zip(metrics, found[::3], found[1::3], found[2::3], strict=True):
        if count < LEAST_SESSIONS or largest < WEIGHTY * total:
            continue
        if largest < APART * (total - largest) / (count - 1):
            continue
        row = run(
            f"SELECT file, row FROM rows WHERE problem IS NULL AND {size[metric]} = {largest!r} LIMIT 1"
        ).loc[0]
        notes.append(
            f"{metric}: a single value, {largest:g} in row {row.row} of {files[row.file]}, is {largest / total:.0%} of the sum "
            f"of {int(count):,}. Means go by it, quantiles do not."
        )
    return notes


def check_announced_arms(run: Run) -> list[str]:
    """Notes sessions that an edge counts in a different arm than the one that it announced to their page, and that the
    page played."""
    found = run(
        "SELECT count(*) FILTER (told_arm <> arm) AS other, count(*) AS n, min(session_id) FILTER (told_arm <> arm) AS first "
        "FROM rows WHERE problem IS NULL AND told_arm <> ''"
    ).loc[0]
    if found.other == 0:
        return []
    return [
        f"{int(found.other):,} of {int(found.n):,} sessions played another arm than the one that they are counted in, as "
        f"{found['first']}: effects look smaller than they are. A page has to ask for its arm with the unit that it reports."
    ]


def check_accounts(run: Run) -> list[str]:
    """Notes accounts that are in both arms of a cluster at one allocation, although an account is assigned only once."""
    found = run(
        "SELECT count(*) AS n, min(unit) AS first FROM (SELECT unit FROM rows WHERE problem IS NULL "
        "GROUP BY unit, cluster, allocation HAVING min(arm) <> max(arm))"
    ).loc[0]
    if found.n == 0:
        return []
    return [
        f"{int(found.n):,} accounts have sessions in several arms of a cluster at the same allocation, as {found['first']}; "
        "they are counted in each, and make arms look more alike."
    ]
