"""The group-by gives the same result on every engine: equal counts, sums to 1e-12, and quantiles to 1e-14."""

import importlib.util
import shutil

import ibis
import numpy as np
import pandas as pd
import pytest

from sammy_analysis.experiment.estimators.cells import cells_expression, quantiles_expression, sort

METRICS = ["min_rtt_ms"]


def table():
    random = np.random.default_rng(3)
    count = 5000
    return pd.DataFrame(
        {
            "cluster": random.choice(["north", "south"], count),
            "allocation": 0.5,
            "arm": random.choice(["treatment", "control"], count),
            "unit": random.integers(900, size=count).astype(str),
            "started_s": 1_772_409_600 + random.integers(2 * 86400, size=count).astype(float),
            "min_rtt_ms": np.where(random.random(count) < 0.02, np.nan, random.gamma(3, 10, count)),
        }
    )


def on_duckdb():
    connection = ibis.duckdb.connect()
    return connection.create_table(
        "sessions", ibis.memtable(table()).mutate(min_rtt_ms=lambda t: t.min_rtt_ms.nullif(np.nan))
    )


def check(expected, found):
    expected, found = sort(expected), sort(found)
    assert len(expected) == len(found)
    for column in expected:
        if expected[column].dtype.kind in "if" and not column.startswith(("n_", "q")):
            np.testing.assert_allclose(
                found[column].astype(float), expected[column].astype(float), rtol=1e-12
            )
        elif column.startswith("q"):
            np.testing.assert_allclose(
                found[column].astype(float), expected[column].astype(float), rtol=1e-14
            )
        else:
            assert found[column].tolist() == expected[column].tolist()


def test_duckdb_equals_pandas():
    sessions = table()
    sessions["hour"] = (sessions.started_s // 3600).astype(int)
    by = sessions.groupby(["allocation", "arm", "cluster", "hour"]).min_rtt_ms
    expected = by.agg(n_min_rtt_ms="count", sum_min_rtt_ms="sum").reset_index()
    found = cells_expression(on_duckdb(), METRICS).execute()
    check(expected, found[expected.columns])


@pytest.mark.skipif(
    importlib.util.find_spec("pyspark") is None, reason="no PySpark: pip install 'analysis/[spark]'"
)
@pytest.mark.skipif(shutil.which("java") is None, reason="PySpark needs Java")
def test_pyspark(tmp_path):
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        file = str(tmp_path / "sessions.parquet")
        on_duckdb().to_parquet(file)
        sessions = ibis.pyspark.connect(spark).read_parquet(file)
        for expression in (cells_expression, quantiles_expression):
            check(expression(on_duckdb(), METRICS).execute(), expression(sessions, METRICS).execute())
    finally:
        spark.stop()


@pytest.mark.skipif(
    importlib.util.find_spec("chdb") is None, reason="no chDB: pip install 'analysis/[clickhouse]'"
)
def test_clickhouse(tmp_path):
    # ibis has no back end for chDB, so it only writes the SQL, and chDB runs that on the file.
    import chdb

    sessions = on_duckdb()
    file = str(tmp_path / "sessions.parquet")
    sessions.to_parquet(file)
    for expression in (cells_expression, quantiles_expression):
        query = ibis.to_sql(
            expression(ibis.table(sessions.schema(), name="sessions"), METRICS), dialect="clickhouse"
        )
        # ClickHouse's own `quantile` uses a sample. The exact function interpolates like the other engines.
        query = query.replace("quantile(", "quantileExactInclusive(").replace(
            'FROM "sessions"', f"FROM file('{file}')"
        )
        found = chdb.query(query, "DataFrame")
        check(expression(sessions, METRICS).execute(), pd.DataFrame(found))


def test_bigquery_compiles():
    # ibis has no exact quantiles for BigQuery.
    schema = {
        "cluster": "string",
        "allocation": "float64",
        "arm": "string",
        "started_s": "float64",
        "min_rtt_ms": "float64",
    }
    query = ibis.to_sql(cells_expression(ibis.table(schema, name="sessions"), METRICS), dialect="bigquery")
    assert "GROUP BY" in query
