"""The predictor of transmission times: its inputs by hand, its gradient by finite differences, what it learns, and its file."""

import duckdb
import numpy as np
import pandas as pd
import pytest

from sammy_analysis.ttp.chunks import COLUMNS, read_chunks
from sammy_analysis.ttp.command import main
from sammy_analysis.ttp.inputs import bins_of, examples_of, plain_of
from sammy_analysis.ttp.judge import harmonic_mean
from sammy_analysis.ttp.model import read_model
from sammy_analysis.ttp.network import allowed_bins, initial, logits, loss_and_gradient, losses
from sammy_analysis.ttp.train import Asked, train

NAN = float("nan")
TCP = [20.0, 0.0, 40_000.0, 50_000.0, 625_000.0]
DAY_NS = 86_400_000_000_000


def chunk(session, index, size, took_ms, pace=NAN, limited=False, tcp=TCP, day=0, given_up_at=None):
    """One row of `read_chunks`. given_up_at: so many bytes had arrived then."""
    arrived, given_up = (size, False) if given_up_at is None else (given_up_at, True)
    time = day * DAY_NS + 2_000_000_000 * index
    return [session, time, size, took_ms, pace, limited, *tcp, arrived, given_up]


def frame(rows):
    return pd.DataFrame(rows, columns=COLUMNS)


def test_bins_are_those_of_the_thesis():
    times = np.array([0, 0.249, 0.25, 0.749, 0.75, 9.249, 9.25, 9.749, 9.75, 100])
    assert bins_of(times).tolist() == [0, 0, 1, 1, 2, 18, 19, 19, 20, 20]


def test_inputs_are_the_past_the_latest_first_and_tcp_as_it_was_known():
    other = [30.0, 2.0, 41_000.0, 60_000.0, 500_000.0]
    examples = examples_of(
        frame(
            [
                chunk("a", 0, 1000, 100, tcp=TCP),
                # 2000 bytes at 160 kbit/s are 100 ms of the 125.
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
    # The first of a session knows the connection, and nothing else.
    assert examples.before[0][25:].tolist() == TCP
    assert np.isnan(examples.before[3][:24]).all()
    # The net for the second step is shown the size after the next one.
    inputs, bins, limited, rows = examples.at_step(1)
    assert rows.tolist() == [0, 1]
    assert inputs[:, -1].tolist() == [2000, 4000]
    assert bins.tolist() == [0, 1]
    assert limited.tolist() == [True, False]
    assert plain_of(inputs)[:, -2:].tolist() == [[0, 2000], [1, 4000]]


def test_what_was_given_up_is_known_by_what_had_arrived_and_asked_about_as_a_whole():
    examples = examples_of(
        frame(
            [
                chunk("a", 0, 8000, 2000, given_up_at=500),
                chunk("a", 1, 1000, 300),
                # Its whole size is not known, or a pace held it back: it teaches nothing, and is past all the same.
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
    # 2 s, 0.3 s, 0.1 s.
    assert bins.tolist() == [4, 1, 0]
    assert not limited.any()
    assert examples.before[4, :4].tolist() == [900, 600, 1000, 500]
    assert examples.before[4, 8:12].tolist() == [1700, 1500, 300, 2000]
    # 900 bytes at 80 kbit/s are 90 ms of the 1700.
    assert examples.before[4, 16:18].tolist() == [90 / 1700, 0]
    assert examples.before[4, 24] == 4


def test_a_receipt_that_lacks_one_statistic_is_none():
    lacking = [20.0, NAN, 40_000.0, 50_000.0, 625_000.0]
    examples = examples_of(frame([chunk("a", 0, 1, 1, tcp=lacking), chunk("a", 1, 1, 1)]))
    assert np.isnan(examples.before[0, 25:]).all()
    assert examples.before[1, 25:].tolist() == TCP


def test_the_gradient_is_that_of_finite_differences():
    random = np.random.default_rng(3)
    parameters = initial([6, 5, 4, 7], random)
    parameters[1] += random.normal(size=5)
    inputs = random.normal(size=(9, 6))
    allowed = allowed_bins(random.integers(7, size=9), random.random(9) < 0.3, random.random(9) < 0.3, 7)
    weights = random.random(9) + 0.1
    _, gradient = loss_and_gradient(parameters, inputs, allowed, weights)
    step = 1e-6
    for values, slopes in zip(parameters, gradient, strict=True):
        for place in np.ndindex(values.shape):
            before = values[place]
            ends = []
            for moved in (before + step, before - step):
                values[place] = moved
                ends.append(loss_and_gradient(parameters, inputs, allowed, weights)[0])
            values[place] = before
            assert slopes[place] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-7)


def test_a_censored_row_loses_what_is_beyond_its_bin():
    # p = (1/2, 1/4, 1/4): seen in bin 1, uncensored -ln 1/4, held back by a pace -ln 3/4, given up -ln 1/2.
    values = np.log([[0.5, 0.25, 0.25]] * 3)
    allowed = allowed_bins(np.full(3, 1), np.array([False, True, False]), np.array([False, False, True]), 3)
    assert losses(values, allowed) == pytest.approx([np.log(4), np.log(4 / 3), np.log(2)])


def test_harmonic_mean_goes_by_what_no_pace_held_back():
    inputs = np.full((1, 31), NAN)
    inputs[0, :3] = [1000, 1000, 1000]
    inputs[0, 8:11] = [500, 1000, 250]
    inputs[0, 16:19] = [0, 0, 1]
    # 2000 and 1000 bytes/s; the third, of 4000, is the pace's: 2 / (1/2000 + 1/1000).
    assert harmonic_mean(inputs)[0] == pytest.approx(2 / (1 / 2000 + 1 / 1000))


def network_sessions(count, paced_share, seed=5):
    """Sessions of networks of 0.5 to 4 Mbit/s: a chunk takes its size over the rate, or four times as long where it is paced."""
    random = np.random.default_rng(seed)
    rows = []
    for session in range(count):
        rate = 62_500 * 8 ** random.random()
        for index in range(20):
            size = round(100_000 * 6 ** random.random())
            limited = bool(random.random() < paced_share)
            pace = rate / 4 if limited else NAN
            took_ms = 1000 * size / (pace if limited else rate)
            rows.append(
                chunk(
                    f"{session:03}",
                    index,
                    size,
                    took_ms,
                    pace * 8 / 1000,
                    limited,
                    [*TCP[:4], rate],
                    session % 3,
                )
            )
    return frame(rows)


def test_it_learns_what_the_network_needs_from_chunks_that_a_pace_held_back():
    """Three chunks of four took four times as long as the network needs; without censoring they are believed."""
    chunks = network_sessions(120, 0.75)
    examples = examples_of(chunks)
    truth_s = (chunks["size"] / chunks["last_delivery_rate"]).to_numpy()
    errors = []
    for censored in (True, False):
        model, _ = train(examples, Asked(epochs=12, censored=censored))
        inputs, _, _, rows = examples.at_step(0)
        expected_s = model.probabilities(inputs, 0) @ np.array(model.times_s)
        errors.append(np.abs(expected_s - truth_s[rows]).mean())
    assert errors[0] < 2 / 3 * errors[1]


def test_it_learns_how_often_the_network_is_slow_from_chunks_that_were_given_up():
    """Of three chunks one takes 8 s, whatever came before, and is given up after 2 s; the others take half a second."""
    random = np.random.default_rng(7)
    rows = []
    for session in range(60):
        for index in range(20):
            slow = random.random() < 1 / 3
            given_up_at = 50_000 if slow else None
            rows.append(
                chunk(f"{session:03}", index, 200_000, 2000 if slow else 500, given_up_at=given_up_at)
            )
    slow_share = []
    for told in (rows, [row for row in rows if not row[-1]]):
        examples = examples_of(frame(told))
        model, _ = train(examples, Asked(epochs=60))
        inputs = examples.at_step(0)[0]
        slow_share.append(model.probabilities(inputs, 0)[:, bins_of(np.array([2.0]))[0] :].sum(axis=1).mean())
    assert slow_share[0] == pytest.approx(1 / 3, abs=0.05)
    assert slow_share[1] < 0.05


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with the tables that the lab exports. Three more were sent: one did not arrive, two were given up."""
    folder = tmp_path_factory.mktemp("ttp")
    (folder / "data").mkdir()
    chunks = network_sessions(12, 0.2)
    chunks["sequence"] = chunks.groupby("stream").cumcount() * 2
    tcp = "last_cwnd, last_in_flight, last_min_rtt, last_rtt, last_delivery_rate"
    duckdb.register("chunks", chunks)
    duckdb.execute(f"""
        COPY (SELECT stream AS session_id, 0 AS "index", sequence, time, size, pace_kbps * 1000 / 8 AS pace, pace_limited,
                  {tcp}, 'film' AS channel, stream AS format, sequence AS video_ts, 'completed' AS outcome,
                  NULL::BIGINT AS given_up FROM chunks
              UNION ALL SELECT '000', 0, 97, 9, 7, NULL, false, 1, 1, 1, 1, 1, 'film', '001', 4, 'abandoned', 3_000_009
              UNION ALL SELECT '000', 0, 98, 9, 8, NULL, false, 1, 1, 1, 1, 1, 'film', '001', 5, 'abandoned', 4_000_009
              UNION ALL SELECT '000', 0, 99, 1, 5, NULL, false, 1, 1, 1, 1, 1, 'film', '001', 4, 'failed', NULL)
        TO '{folder}/data/video_sent.parquet'""")
    duckdb.execute(f"""
        COPY (SELECT stream AS session_id, 0 AS "index", sequence, time + round(took_ms * 1e6)::BIGINT AS time FROM chunks)
        TO '{folder}/data/video_acked.parquet'""")
    return folder, chunks


def test_chunks_are_what_was_sent_and_arrived_or_was_given_up(trained):
    folder, chunks = trained
    every = read_chunks(folder / "data")
    given_up = every[every["given_up"]]
    # Of the first of them, the whole chunk's size is known from another session.
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


def learn(folder, *options, out="model.bin"):
    return main(
        ["ttp", "--data", str(folder / "data"), "--out", str(folder / out), "--epochs", "2", *options]
    )


def test_the_command_makes_the_same_model_again_and_says_of_what(trained, capsys):
    folder, chunks = trained
    assert learn(folder) == 0
    assert "by the harmonic mean" in capsys.readouterr().out
    assert learn(folder, out="again.bin") == 0
    assert (folder / "model.bin").read_bytes() == (folder / "again.bin").read_bytes()
    assert (folder / "model.png").read_bytes().startswith(b"\x89PNG")
    model = read_model(folder / "model.bin")
    assert model.provenance["chunks"] == len(chunks) + 2
    assert model.provenance["sessions"] == 12
    assert model.provenance["seed"] == 1
    # 2 x 31 + 5 (31 x 64 + 64 + 64 x 64 + 64 + 64 x 21 + 21) and 2 x 26 + 5 (26 x 32 + 32 + 32 x 32 + 32 + 32 x 21 + 21).
    numbers = 62 + 5 * 7573 + 52 + 5 * 2613
    data = (folder / "model.bin").read_bytes().partition(b"\n")[2]
    assert len(data) == 4 * numbers
    assert (len((folder / "model.bin").read_bytes()) - len(data)) % 4 == 0


def test_it_goes_on_from_the_model_of_the_day_before(trained):
    folder, _ = trained
    assert learn(folder) == 0
    assert learn(folder, "--from", str(folder / "model.bin"), out="next.bin") == 0
    before, after = (read_model(folder / name) for name in ("model.bin", "next.bin"))
    assert (before.tcp.mean == after.tcp.mean).all()
    assert after.provenance["warm"] is not None
    rows = examples_of(read_chunks(folder / "data")).at_step(0)[0]
    assert not np.allclose(before.probabilities(rows, 0), after.probabilities(rows, 0))


def test_a_file_is_read_as_it_was_written(trained):
    folder, _ = trained
    assert learn(folder) == 0
    model = read_model(folder / "model.bin")
    assert [len(each) for each in model.tcp.networks] == [6] * 5
    inputs = examples_of(read_chunks(folder / "data")).at_step(0)[0]
    layers = logits(model.tcp.networks[0], model.tcp.normalised(inputs))
    assert layers[-1].shape == (len(inputs), 21)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--data", "nowhere", "--out", "m"], "there is no folder nowhere"),
        (["--data", "."], "the following arguments are required: --out"),
        (["--data", ".", "--out", "m", "--epochs", "0"], "--epochs must be at least 1"),
        (["--data", ".", "--out", "m.png"], "m.png would be the picture's name"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(options, reason, capsys):
    assert main(["ttp", *options]) == 1
    assert reason in capsys.readouterr().err


def test_a_folder_without_sessions_is_refused(tmp_path, capsys):
    assert main(["ttp", "--data", str(tmp_path), "--out", str(tmp_path / "m")]) == 1
    assert "has no video_sent.parquet" in capsys.readouterr().err


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text, data: (text, data[: len(data) // 2]),
        lambda text, data: (text, data[:-3]),
        lambda text, data: (text, data + b"\0" * 4),
        lambda text, data: (text, data[:400] + b"\0\0\xc0\x7f" + data[404:]),
        lambda text, data: (text.replace(b'"plain"', b'"other"'), data),
        lambda text, data: (text.replace(b'"hidden": [64, 64]', b'"hidden": 64'), data),
    ],
    ids=["half", "part of a number", "more", "NaN", "no variant", "no widths"],
)
def test_a_spoiled_model_to_go_on_from_is_refused_in_one_line(trained, spoil, capsys):
    folder, _ = trained
    assert learn(folder) == 0
    text, _, data = (folder / "model.bin").read_bytes().partition(b"\n")
    text, data = spoil(text, data)
    (folder / "spoiled.bin").write_bytes(text + b"\n" + data)
    capsys.readouterr()
    assert learn(folder, "--from", str(folder / "spoiled.bin"), out="next.bin") == 1
    said = capsys.readouterr().err.strip()
    assert str(folder / "spoiled.bin") in said
    assert "\n" not in said
