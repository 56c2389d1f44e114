"""The group-by: the only step that reads every session.

A cell holds the sessions of one arm in one hour of one cluster. The result has a few thousand rows for any number of sessions,
so all later steps use pandas and numpy. The expressions are ibis expressions, which run on DuckDB, PySpark and others.
"""

import ibis
import pandas as pd

KEYS = ("cluster", "allocation", "arm", "hour")
#: Quantiles whose effects are reported.
QUANTILES = (0.1, 0.5, 0.9, 0.99)


def cells_expression(sessions: ibis.Table, metrics: list[str]) -> ibis.Table:
    """Computes the count, the sum and the sum of squares of each metric by cluster, allocation, arm and hour (since
    1970, UTC).

    If sessions contain the number of a switchback's window, cells are also grouped by window.
    """
    window = {"window": sessions.window} if "window" in sessions.columns else {}
    return sessions.group_by(
        cluster=sessions.cluster,
        allocation=sessions.allocation,
        arm=sessions.arm,
        hour=(sessions.started_s / 3600).floor().cast("int64"),
        **window,
    ).aggregate(
        sessions=sessions.count(),
        **{f"n_{m}": sessions[m].count() for m in metrics},
        **{f"sum_{m}": sessions[m].sum() for m in metrics},
        **{f"squares_{m}": (sessions[m] * sessions[m]).sum() for m in metrics},
    )


def quantiles_expression(sessions: ibis.Table, metrics: list[str], offset: int = 0) -> ibis.Table:
    """Computes the quantiles of each metric by cluster, allocation, arm and day (since 1970, `offset` hours from UTC)."""
    return sessions.group_by(
        cluster=sessions.cluster,
        allocation=sessions.allocation,
        arm=sessions.arm,
        day=((sessions.started_s / 3600 + offset) / 24).floor().cast("int64"),
    ).aggregate(**{f"q{round(100 * q)}_{m}": sessions[m].quantile(q) for m in metrics for q in QUANTILES})


def accounts_expression(
    sessions: ibis.Table, metric: str, centre: float = 0.0, scale: float = 1.0
) -> ibis.Table:
    """Computes the input of a naive A/B test by cluster, allocation and arm: number, sum and squares of the accounts' means.

    `first`, `second` and `third` are sums of the powers of the means minus `centre`, in units of `scale`, which prevents overflow
    and loss of precision. `valued` and `valued_squares` are the sums of the accounts' sessions with a value,
    and of their squares; `most_valued` is the largest number.

    An account's influence is the change of its arm's mean that it causes, in the same units. `influence_2` and `influence_4` are
    sums of its powers, `least_influence` and `most_influence` its extremes.
    """
    value = sessions[metric]
    accounts = (
        sessions.filter(value.notnull())
        .group_by(["cluster", "allocation", "arm", "unit"])
        .aggregate(mean=value.mean(), valued=value.count().cast("float64"))
    )
    accounts = accounts.mutate(apart=(accounts["mean"] - centre) / scale)
    arm = ibis.window(group_by=["allocation", "arm"])
    accounts = accounts.mutate(
        of_arm=accounts.valued.sum().over(arm),
        sum_of_arm=(accounts.valued * accounts.apart).sum().over(arm),
    )
    accounts = accounts.mutate(
        influence=accounts.valued / accounts.of_arm * (accounts.apart - accounts.sum_of_arm / accounts.of_arm)
    )
    apart, influence_2 = accounts.apart, accounts.influence * accounts.influence
    return accounts.group_by(["cluster", "allocation", "arm"]).aggregate(
        first=apart.sum(),
        second=(apart * apart).sum(),
        third=(apart * apart * apart).sum(),
        accounts=accounts.count(),
        total=accounts["mean"].sum(),
        squares=(accounts["mean"] * accounts["mean"]).sum(),
        valued=accounts.valued.sum(),
        valued_squares=(accounts.valued * accounts.valued).sum(),
        most_valued=accounts.valued.max(),
        influence_2=influence_2.sum(),
        influence_4=(influence_2 * influence_2).sum(),
        least_influence=accounts.influence.min(),
        most_influence=accounts.influence.max(),
    )


def sort(cells: pd.DataFrame) -> pd.DataFrame:
    """Sorts rows by their keys, so that floating-point sums are the same in every run."""
    return cells.sort_values([key for key in (*KEYS, "day", "window") if key in cells]).reset_index(drop=True)
