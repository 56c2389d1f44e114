"""The value of each part of the transmission time predictor, measured in a world with known rules and compared with
hand arithmetic."""

import duckdb
import numpy as np
import pandas as pd
import pytest

from sammy_analysis.ttp.ablation.compare import (
    MEASURES,
    ComparisonSettings,
    Predictions,
    assign_folds,
    compare,
    over_networks,
    predict_all,
)
from sammy_analysis.ttp.ablation.predictors import PREDICTORS, TTP, UNCENSORED, Predictor, allowed_by
from sammy_analysis.ttp.ablation.rows import Rows, read_rows
from sammy_analysis.ttp.ablation.table import evaluation_groups, on_censoring, tabulate
from sammy_analysis.ttp.command import main
from sammy_analysis.ttp.inputs import BINS, TCP_INPUTS

SQUARED, ABSOLUTE, ENTROPY = MEASURES
BY_NAME = {each.name: each for each in PREDICTORS}


def world(networks, chunks=20, seed=5):
    """Returns chunks of 0.1 to 0.6 MB, each with its own random rate.

    The round-trip time in µs is 10^10 divided by the rate in bytes/s. It is exact in the statistics from the beginning
    of the response (`rtt`), and noisy in those that are known before the request (`last_rtt`). A random half of the
    chunks is paced at a quarter of the rate.
    """
    random = np.random.default_rng(seed)
    count = networks * chunks
    rate = 62_500 * 8 ** random.random(count)
    size = np.round(100_000 * 6 ** random.random(count))
    limited = random.random(count) < 0.5
    number = np.arange(count)
    unpaced_ms = 1000 * size / rate
    return pd.DataFrame(
        {
            "session_id": [f"session {each:03}" for each in number // chunks],
            "index": 0,
            "sequence": number % chunks,
            "time": 2_000_000_000 * (number % chunks),
            # Two sections of one trace are one network.
            "condition": [f"trace {each // 2:03}-at-{each % 2}.5s" for each in number // chunks],
            "size": size.astype(int),
            "pace": np.where(limited, rate / 4, np.nan),
            "pace_limited": limited,
            **dict.fromkeys(("cwnd", "last_cwnd"), 20),
            **dict.fromkeys(("in_flight", "last_in_flight"), 0),
            **dict.fromkeys(("min_rtt", "last_min_rtt"), 10000),
            **dict.fromkeys(("delivery_rate", "last_delivery_rate"), 125000),
            "rtt": 1e10 / rate,
            "last_rtt": 1e10 / rate * np.exp(0.4 * random.normal(size=count)),
            "took_ms": np.where(limited, 4, 1) * unpaced_ms,
            "unpaced_ms": unpaced_ms,
            "channel": "film",
            "format": [f"v{each}" for each in number],
            "video_ts": number,
            "outcome": "completed",
        }
    )


def write_world(chunks, folder):
    """Writes the tables that `lab report --puffer` writes for simulated sessions whose network was forked."""
    duckdb.register("chunks", chunks)
    keys = 'session_id, "index", sequence'
    tables = {
        "video_sent": "SELECT * EXCLUDE (took_ms, unpaced_ms), NULL::BIGINT AS given_up FROM chunks",
        "video_acked": f"SELECT {keys}, time + round(took_ms * 1e6)::BIGINT AS time FROM chunks",
        "unpaced": f"SELECT {keys}, unpaced_ms FROM chunks WHERE pace IS NOT NULL AND NOT isnan(pace)",
    }
    folder.mkdir(exist_ok=True)
    for name, query in tables.items():
        duckdb.execute(f"COPY ({query}) TO '{folder}/{name}.parquet'")
    return folder


def test_rows_contain_inputs_known_at_the_time_and_later_outcomes(tmp_path):
    chunks = world(6, chunks=4)
    rows = read_rows(write_world(chunks, tmp_path / "data"))
    assert rows.took_s == pytest.approx(chunks["took_ms"].to_numpy() / 1000, abs=1e-6)
    # The first chunk of a session has no earlier throughput.
    assert np.flatnonzero(np.isnan(rows.mean_s)).tolist() == [0, 4, 8, 12, 16, 20]
    assert rows.inputs[:, -1].tolist() == chunks["size"].tolist()
    assert rows.inputs[:, -3] == pytest.approx(chunks["last_rtt"].to_numpy())
    assert rows.fresh[:, -3] == pytest.approx(chunks["rtt"].to_numpy())
    truth_s = np.where(chunks["pace_limited"], chunks["unpaced_ms"] / 1000, np.nan)
    assert rows.truth_s == pytest.approx(truth_s, nan_ok=True)
    assert rows.network.tolist() == np.repeat([0, 1, 2], 8).tolist()


def test_unpaced_times_are_not_used_without_forks(tmp_path):
    folder = write_world(world(4, chunks=4), tmp_path / "data")
    (folder / "unpaced.parquet").unlink()
    rows = read_rows(folder)
    assert np.isnan(rows.truth_s).all()
    assert [each.about for each in evaluation_groups(rows)] == [
        "chunks that no pace held back",
        "first chunks of their sessions",
    ]


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """Predictions of several predictors in a world of 60 networks."""
    rows = read_rows(write_world(world(120), tmp_path_factory.mktemp("ablation") / "data"))
    names = ["TTP", "without packets in flight", "without RTT", "with fresh TCP statistics", UNCENSORED.name]
    names += ["without what a pace held back", "throughput predictor"]
    said = predict_all(rows, ComparisonSettings(parts=2, epochs=20), [BY_NAME[name] for name in names])
    return rows, said


def test_removing_an_informative_input_costs_and_removing_a_constant_one_does_not(known):
    rows, said = known
    table = tabulate(rows, said, evaluation_groups(rows)[0], 1).set_index(["measure", "predictor"])
    for measure in (SQUARED, ABSOLUTE, ENTROPY):
        lines = table.loc[measure]
        assert lines.loc["without RTT", "low"] > 0
        assert lines.loc["with fresh TCP statistics", "high"] < 0
        assert lines.loc["without packets in flight", "difference"] == 0
    # The entropy needs probabilities of times, which these two predictors do not give.
    assert (ENTROPY, "throughput predictor") not in table.index
    assert (ENTROPY, "point estimate") not in table.index
    assert table.loc[(SQUARED, "harmonic mean"), "low"] > 0


def test_censoring_recovers_the_unpaced_download_time(known):
    rows, said = known
    held_back = evaluation_groups(rows)[-1]
    assert held_back.rows.sum() == (rows.limited & np.isfinite(rows.mean_s)).sum()
    table = tabulate(rows, said, held_back, 1).set_index(["measure", "predictor"])
    errors = table.loc[ABSOLUTE, "mean"]
    assert errors["TTP"] < 2 / 3 * errors[UNCENSORED.name]
    assert "lower than without censoring" in on_censoring(rows, said, held_back, 1)


def test_each_measure_matches_hand_arithmetic():
    shares = np.full((2, BINS), 0.75 / (BINS - 1))
    shares[:, 2] = 0.25
    said = Predictions(np.array([1.5, 3.0]), shares)
    # Bin 2 is from 0.75 s to 1.25 s.
    truth_s = np.array([1.0, 1.0])
    assert MEASURES[SQUARED](said, truth_s).tolist() == [0.25, 4]
    assert MEASURES[ABSOLUTE](said, truth_s).tolist() == [0.5, 2]
    assert MEASURES[ENTROPY](said, truth_s) == pytest.approx(np.log([4, 4]))


def test_networks_are_resampled_instead_of_chunks():
    """One network has 98 chunks with a difference of 0, and two networks have one chunk each with a difference of 1. A
    draw can contain only the former or only the latter."""
    values = np.array([0.0] * 98 + [1, 1])
    networks = np.array([0] * 98 + [1, 2])
    low, high = over_networks(values, np.ones(100), networks, 1)
    assert (low, high) == (0, 1)
    found = compare(values, np.zeros(100), networks, 1)
    assert (found.mean, found.difference, found.interval) == (0.02, 0.02, (0, 1))


def make_rows(took_s, limited, given_up, network):
    count = len(took_s)
    inputs = np.full((count, TCP_INPUTS), 1000.0)
    nothing = np.full(count, np.nan)
    arrays = [np.array(each) for each in (took_s, limited, given_up)]
    return Rows(inputs, inputs, *arrays, nothing, nothing, np.array(network))


def test_paced_downloads_bound_the_time_from_above_and_abandoned_ones_from_below():
    # 1000 bytes in 0.5, 1 and 2 s are in the third, the second and the first bin, because the bins end at 700 and 1500
    # bytes/s.
    rows = make_rows([0.5, 1, 2, 1, 1], [False] * 3 + [True, False], [False] * 4 + [True], [0] * 5)
    throughputs = Predictor("throughputs", by_size=False)
    edges = np.array([700.0, 1500.0] + [9e9] * (BINS - 3))
    allowed = allowed_by(throughputs, rows, edges)
    assert [np.flatnonzero(each).tolist() for each in allowed] == [
        [2],
        [1],
        [0],
        list(range(1, BINS)),
        [0, 1],
    ]
    times = allowed_by(TTP, rows, edges)
    # The bins [0.25, 0.75), [0.75, 1.25) and [1.75, 2.25) s.
    bins = [np.flatnonzero(each).tolist() for each in times]
    assert bins == [[1], [2], [4], [0, 1, 2], list(range(2, BINS))]
    uncensored = allowed_by(UNCENSORED, rows, edges)
    assert np.flatnonzero(uncensored[3]).tolist() == [2]


def test_each_network_is_held_out_once():
    network = np.repeat(np.arange(7), 3)
    rows = make_rows(*[np.ones(21)] * 3, network)
    part_of = assign_folds(rows, ComparisonSettings(parts=3))
    assert sorted(set(part_of)) == [0, 1, 2]
    assert all(len(set(part_of[network == each])) == 1 for each in range(7))
    with pytest.raises(ValueError, match="7 networks are too few"):
        assign_folds(rows, ComparisonSettings(parts=6))


def test_the_command_writes_a_table_and_a_chart(tmp_path, capsys):
    data = write_world(world(16, chunks=6), tmp_path / "data")
    words = f"--data {data} --out {tmp_path / 'out'} --parts 2 --epochs 1"
    assert main(["ablations", *words.split()]) == 0
    out = capsys.readouterr()
    assert "100%  part 2 of 2: with fresh TCP statistics; 0 s left" in out.err
    assert "lower than without censoring" in out.out
    table = pd.read_csv(tmp_path / "out" / "ablations.csv")
    assert table["rows"].nunique() == 4
    first = table[table["rows"] == "first chunks of their sessions"]
    assert set(first["predictor"]) == {*BY_NAME, "point estimate"}
    assert set(table["predictor"]) == {*BY_NAME, "point estimate", "harmonic mean"}
    assert (tmp_path / "out" / "ablations.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--data", "nowhere", "--out", "o"], "there is no folder nowhere"),
        (["--data", ".", "--out", "o", "--parts", "1"], "--parts at least 2"),
        (["--data", "."], "the following arguments are required: --out"),
    ],
)
def test_impossible_requests_are_refused_in_one_line(words, reason, capsys):
    assert main(["ablations", *words]) == 1
    assert reason in capsys.readouterr().err
