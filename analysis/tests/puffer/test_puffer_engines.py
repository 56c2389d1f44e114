"""The stream rules are one query, which returns the same rows on every engine."""

import importlib.util
import shutil

import duckdb
import numpy as np
import pandas as pd
import pytest
import sqlglot
from puffer_day import NAME, write_day
from random_streams import lives

from sammy_analysis.puffer.stream_query import STREAMS, event_number

SECONDS = ["watch_s", "stall_s", "startup_s", "played_s"]


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """A Parquet file with the reports of the generated day and of random streams."""
    folder = tmp_path_factory.mktemp("engines")
    day = write_day(folder / "day")
    life = pd.DataFrame(
        [
            (f"any{number}", 0, 10**18 + round(at * 1e9), event, buffer, stalled)
            for number, rows in enumerate(lives(2, 200))
            for at, event, buffer, stalled in rows
        ],
        columns=["session_id", "stream", "time", "name", "buffer", "cum_rebuf"],
    )
    file = folder / "reports.parquet"
    with duckdb.connect() as connection:
        connection.register("life", life)
        connection.execute(
            f'COPY (SELECT session_id, "index" AS stream, "time (ns GMT)" AS time, {event_number()} AS event, '
            f"buffer::DOUBLE AS buffer, cum_rebuf::DOUBLE AS cum_rebuf FROM read_csv('{day}/client_buffer_{NAME}.csv') "
            f"UNION ALL SELECT session_id, stream, time, {event_number('name')}, buffer, cum_rebuf FROM life) "
            f"TO '{file}' (FORMAT parquet)"
        )
    return file


def ordered(rows):
    return rows.sort_values(["session_id", "stream"], ignore_index=True)


def on_duckdb(file):
    with duckdb.connect() as connection:
        connection.execute(f"CREATE VIEW reports AS SELECT * FROM '{file}'")
        return ordered(connection.execute(STREAMS).df())


def check(found, file):
    found, expected = ordered(found), on_duckdb(file)
    assert len(expected) == 260
    for name in ("session_id", "stream", "began", "fell"):
        assert found[name].tolist() == expected[name].tolist()
    assert found.cause.isna().tolist() == expected.cause.isna().tolist()
    assert found.cause.dropna().tolist() == expected.cause.dropna().tolist()
    for name in SECONDS:
        np.testing.assert_allclose(
            found[name].astype(float), expected[name].astype(float), rtol=1e-12, atol=1e-12
        )


@pytest.mark.skipif(
    importlib.util.find_spec("pyspark") is None, reason="no PySpark: pip install 'analysis/[spark]'"
)
@pytest.mark.skipif(shutil.which("java") is None, reason="PySpark needs Java")
def test_spark(reports):
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    # There are only 260 streams, so Spark's default of 200 partitions per join would be slow.
    spark = spark.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    try:
        spark.read.parquet(str(reports)).createOrReplaceTempView("reports")
        (query,) = sqlglot.transpile(STREAMS, read="duckdb", write="spark")
        rows = [row.asDict() for row in spark.sql(query).collect()]
        check(pd.DataFrame(rows), reports)
    finally:
        spark.stop()


@pytest.mark.skipif(
    importlib.util.find_spec("chdb") is None, reason="no chDB: pip install 'analysis/[clickhouse]'"
)
def test_clickhouse(reports):
    import chdb

    (query,) = sqlglot.transpile(STREAMS, read="duckdb", write="clickhouse")
    # The setting makes a join without a match return NULL instead of zeros.
    whole = (
        query.replace("FROM reports", f"FROM file('{reports}') AS reports") + " SETTINGS join_use_nulls = 1"
    )
    check(pd.DataFrame(chdb.query(whole, "DataFrame")), reports)


def test_the_query_depends_only_on_its_tables(reports):
    # A user's warehouse needs only a table with the name `reports`.
    (tree,) = sqlglot.parse(STREAMS, read="duckdb")
    made = {each.alias for each in tree.find_all(sqlglot.exp.CTE)}
    assert {each.name for each in tree.find_all(sqlglot.exp.Table)} - made == {"reports"}
    assert len(on_duckdb(reports)) == 260
