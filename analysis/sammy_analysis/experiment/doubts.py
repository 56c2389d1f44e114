"""What looks wrong with sessions that can be read: said in the report, with file, row and field."""

import pandas as pd

from .schema import unit
from .sources import Run, name

#: No two groups of sessions, and not one in a hundred sessions, differ so much in one unit; 1000 times is two units.
APART = 300
#: Groups with fewer sessions are not compared.
LEAST_SESSIONS = 20
#: Metrics in these come in other units as well.
UNITS = ("ms", "s", "kbit/s", "Mbit/s")


def check_units(run: Run, files: list[str], metrics: list[str]) -> tuple[list[str], list[str]]:
    """Drops metrics whose groups differ as units do, and notes those of which some rows do."""
    kept, notes = [], []
    for metric in metrics:
        if unit(metric) not in UNITS:
            kept.append(metric)
            continue
        column = name(metric)
        medians = run(
            f"SELECT file, cluster, arm, median({column}) AS median, min(row) AS row FROM rows WHERE problem IS NULL "
            f"AND {column} > 0 GROUP BY file, cluster, arm HAVING count(*) >= {LEAST_SESSIONS} ORDER BY ALL"
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
    return f"{group.cluster}, {group.arm} ({files[group.file]} from row {group.row})"


def check_accounts(run: Run) -> list[str]:
    """Accounts that are in both arms of a cluster at one allocation: an arm is drawn once for an account."""
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
