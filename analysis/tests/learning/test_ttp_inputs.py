"""The inputs of the predictor of transmission times, compared with hand arithmetic."""

import numpy as np
import pandas as pd
import pytest
from trained_models import learn
from ttp_chunks import NAN, TCP, chunk, frame

from sammy_analysis.ttp.chunks import read_chunks
from sammy_analysis.ttp.evaluate import harmonic_mean
from sammy_analysis.ttp.inputs import make_examples, time_bins, without_tcp
from sammy_analysis.ttp.model import check, read_model


def test_bins_match_the_thesis():
    times = np.array([0, 0.249, 0.25, 0.749, 0.75, 9.249, 9.25, 9.749, 9.75, 100])
    assert time_bins(times).tolist() == [0, 0, 1, 1, 2, 18, 19, 19, 20, 20]


def test_inputs_are_past_chunks_latest_first_and_the_known_tcp_statistics():
    other = [30.0, 2.0, 41_000.0, 60_000.0, 500_000.0]
    examples = make_examples(
        frame(
            [
                chunk("a", 0, 1000, 100, tcp=TCP),
                # 2000 bytes at 160 kbit/s take 100 of the 125 ms.
                chunk("a", 1, 2000, 125, pace=160, limited=True),
                chunk("a", 2, 4000, 300, tcp=other),
                chunk("b", 0, 9000, 700),
            ]
        )
    )
    third = examples.before[2]
    assert third[:3].tolist()[:2] == [2000, 1000]
    assert np.isnan(third[2])
    assert third[8:10].tolist() == [125, 100]
    assert third[16:18].tolist() == [0.8, 0]
    assert third[24] == 2
    assert third[25:].tolist() == other
    # The first chunk of a session knows only the TCP statistics.
    assert examples.before[0][25:].tolist() == TCP
    assert np.isnan(examples.before[3][:24]).all()
    # The network of the second step gets the size of the chunk after next.
    inputs, bins, limited, rows = examples.at_step(1)
    assert rows.tolist() == [0, 1]
    assert inputs[:, -1].tolist() == [2000, 4000]
    assert bins.tolist() == [0, 1]
    assert limited.tolist() == [True, False]
    assert without_tcp(inputs)[:, -2:].tolist() == [[0, 2000], [1, 4000]]


def test_an_abandoned_chunk_is_recorded_by_its_received_bytes_and_predicted_as_a_whole():
    examples = make_examples(
        frame(
            [
                chunk("a", 0, 8000, 2000, given_up_at=500),
                chunk("a", 1, 1000, 300),
                # The next two teach nothing, because the whole size of one is unknown, and a pace held the other back.
                # Both still count as past chunks.
                chunk("a", 2, NAN, 1500, given_up_at=600),
                chunk("a", 3, 4000, 1700, pace=80, limited=True, given_up_at=900),
                chunk("a", 4, 1000, 100),
            ]
        )
    )
    inputs, bins, limited, rows = examples.at_step(0)
    assert rows.tolist() == [0, 1, 4]
    assert inputs[:, -1].tolist() == [8000, 1000, 1000]
    assert examples.given_up[rows, 0].tolist() == [True, False, False]
    # The bins of 2 s, 0.3 s and 0.1 s.
    assert bins.tolist() == [4, 1, 0]
    assert not limited.any()
    assert examples.before[4, :4].tolist() == [900, 600, 1000, 500]
    assert examples.before[4, 8:12].tolist() == [1700, 1500, 300, 2000]
    # 900 bytes at 80 kbit/s take 90 of the 1700 ms.
    assert examples.before[4, 16:18].tolist() == [90 / 1700, 0]
    assert examples.before[4, 24] == 4


def test_a_receipt_without_one_statistic_is_ignored():
    lacking = [20.0, NAN, 40_000.0, 50_000.0, 625_000.0]
    examples = make_examples(frame([chunk("a", 0, 1, 1, tcp=lacking), chunk("a", 1, 1, 1)]))
    assert np.isnan(examples.before[0, 25:]).all()
    assert examples.before[1, 25:].tolist() == TCP


def test_the_harmonic_mean_uses_chunks_that_no_pace_limited():
    inputs = np.full((1, 31), NAN)
    inputs[0, :3] = [1000, 1000, 1000]
    inputs[0, 8:11] = [500, 1000, 250]
    inputs[0, 16:19] = [0, 0, 1]
    # 2000 and 1000 bytes/s give 2 / (1/2000 + 1/1000). The third throughput, 4000 bytes/s, was limited by a pace.
    assert harmonic_mean(inputs)[0] == pytest.approx(2 / (1 / 2000 + 1 / 1000))


def test_chunks_are_received_or_abandoned_ones(trained):
    folder, chunks = trained
    every = read_chunks(folder / "data")
    given_up = every[every["given_up"]]
    # For the first abandoned chunk, another session has the size of the whole chunk.
    there = chunks[(chunks["stream"] == "001") & (chunks["sequence"] == 4)]
    assert given_up["size"].tolist() == pytest.approx([there["size"].item(), NAN], nan_ok=True)
    assert given_up["took_ms"].tolist() == [3, 4]
    assert given_up["arrived"].tolist() == [7, 8]
    read = every[~every["given_up"]]
    assert len(read) == len(chunks)
    assert (read["arrived"] == read["size"]).all()
    assert read["took_ms"].to_numpy() == pytest.approx(chunks["took_ms"].to_numpy(), abs=1e-5)
    assert read["pace_kbps"].to_numpy() == pytest.approx(chunks["pace_kbps"].to_numpy(), nan_ok=True)
    assert read["last_delivery_rate"].tolist() == chunks["last_delivery_rate"].tolist()


@pytest.mark.parametrize("spoilt", [-1.0, -5.0, 0.0, 1e30, NAN, np.inf])
def test_an_impossible_statistic_counts_as_unknown_as_in_the_page(trained, tmp_path, spoilt):
    """For a value of -1, ln(1 + x) is infinite, so a single such round-trip time would spoil the model."""
    folder, _ = trained
    (tmp_path / "data").mkdir()
    for table in ("sent", "acked"):
        chunks = pd.read_parquet(folder / "data" / f"video_{table}.parquet")
        if table == "sent":
            chunks["last_rtt"] = chunks["last_rtt"].where(chunks["sequence"] != 4, spoilt)
        chunks.to_parquet(tmp_path / "data" / f"video_{table}.parquet")
    read = read_chunks(tmp_path / "data")
    assert read["last_rtt"].isna().sum() == 12
    if spoilt == -1:
        assert learn(tmp_path) == 0
        check(read_model(tmp_path / "model.bin"))
