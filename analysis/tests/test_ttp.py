"""The predictor of transmission times: its inputs by hand, its gradient by finite differences, what it learns, and its file."""

import itertools

import duckdb
import numpy as np
import pandas as pd
import pytest

from sammy_analysis.ttp.chunks import COLUMNS, read_chunks
from sammy_analysis.ttp.command import main
from sammy_analysis.ttp.evaluate import evaluate, harmonic_mean
from sammy_analysis.ttp.inputs import make_examples, time_bins, without_tcp
from sammy_analysis.ttp.model import Variant, check, quantized, read_model, write_model
from sammy_analysis.ttp.network import allowed_bins, initial, logits, loss_and_gradient, losses
from sammy_analysis.ttp.train import TrainingSettings, split, train, with_last_layer

NAN = float("nan")
TCP = [20.0, 0.0, 40_000.0, 50_000.0, 625_000.0]
DAY_NS = 86_400_000_000_000


def chunk(session, index, size, took_ms, pace=NAN, limited=False, tcp=TCP, day=0, given_up_at=None):
    """Returns a row of `read_chunks`. `given_up_at` is the number of bytes that had arrived when the chunk was
    abandoned."""
    arrived, given_up = (size, False) if given_up_at is None else (given_up_at, True)
    time = day * DAY_NS + 2_000_000_000 * index
    return [session, time, size, took_ms, pace, limited, *tcp, arrived, given_up, session]


def frame(rows):
    return pd.DataFrame(rows, columns=COLUMNS)


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


def test_the_gradient_matches_finite_differences():
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


def test_a_censored_row_is_judged_up_to_its_bin():
    # With p = (1/2, 1/4, 1/4), the loss in bin 1 is -ln 1/4 without censoring, -ln 3/4 if a pace held the chunk back,
    # and -ln 1/2 if it was abandoned.
    values = np.log([[0.5, 0.25, 0.25]] * 3)
    allowed = allowed_bins(np.full(3, 1), np.array([False, True, False]), np.array([False, False, True]), 3)
    assert losses(values, allowed) == pytest.approx([np.log(4), np.log(4 / 3), np.log(2)])


def test_the_harmonic_mean_uses_chunks_that_no_pace_limited():
    inputs = np.full((1, 31), NAN)
    inputs[0, :3] = [1000, 1000, 1000]
    inputs[0, 8:11] = [500, 1000, 250]
    inputs[0, 16:19] = [0, 0, 1]
    # 2000 and 1000 bytes/s give 2 / (1/2000 + 1/1000). The third throughput, 4000 bytes/s, was limited by a pace.
    assert harmonic_mean(inputs)[0] == pytest.approx(2 / (1 / 2000 + 1 / 1000))


def network_sessions(count, paced_share, seed=5):
    """Returns sessions on networks of 0.5 to 4 Mbit/s. A chunk takes its size over the rate, or four times as long if
    it is paced."""
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
    # Two sessions use each trace.
    return frame(rows).assign(
        network=lambda chunks: chunks["stream"].map(lambda name: f"trace {int(name) // 2}")
    )


@pytest.mark.long
def test_paced_chunks_teach_the_network_time():
    """Three of four chunks took four times as long as the network needs. Without censoring, the model takes these times
    for the network's."""
    chunks = network_sessions(120, 0.75)
    examples = make_examples(chunks)
    truth_s = (chunks["size"] / chunks["last_delivery_rate"]).to_numpy()
    errors = []
    for censored in (True, False):
        model, _ = train(examples, TrainingSettings(epochs=12, censored=censored))
        inputs, _, _, rows = examples.at_step(0)
        expected_s = model.probabilities(inputs, 0) @ np.array(model.times_s)
        errors.append(np.abs(expected_s - truth_s[rows]).mean())
    assert errors[0] < 2 / 3 * errors[1]


@pytest.mark.long
def test_abandoned_chunks_teach_how_often_the_network_is_slow():
    """One of three chunks takes 8 s, regardless of the history, and is abandoned after 2 s; the others take half a second."""
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
    for told in (rows, [row for row in rows if not row[COLUMNS.index("given_up")]]):
        examples = make_examples(frame(told))
        model, _ = train(examples, TrainingSettings(epochs=60))
        inputs = examples.at_step(0)[0]
        slow_share.append(
            model.probabilities(inputs, 0)[:, time_bins(np.array([2.0]))[0] :].sum(axis=1).mean()
        )
    assert slow_share[0] == pytest.approx(1 / 3, abs=0.05)
    assert slow_share[1] < 0.05


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with the tables that the lab exports, and its chunks. Three more chunks were sent: one did not arrive,
    and two were abandoned."""
    folder = tmp_path_factory.mktemp("ttp")
    (folder / "data").mkdir()
    chunks = network_sessions(12, 0.2)
    chunks["sequence"] = chunks.groupby("stream").cumcount() * 2
    tcp = "last_cwnd, last_in_flight, last_min_rtt, last_rtt, last_delivery_rate"
    duckdb.register("chunks", chunks)
    duckdb.execute(f"""
        COPY (SELECT stream AS session_id, 0 AS "index", sequence, time, size, pace_kbps * 1000 / 8 AS pace, pace_limited,
                  {tcp}, 'film' AS channel, stream AS format, sequence AS video_ts, 'completed' AS outcome,
                  NULL::BIGINT AS given_up, network AS condition FROM chunks
              UNION ALL SELECT '000', 0, 97, 9, 7, NULL, false, 1, 1, 1, 1, 1, 'film', '001', 4, 'abandoned', 3_000_009, NULL
              UNION ALL SELECT '000', 0, 98, 9, 8, NULL, false, 1, 1, 1, 1, 1, 'film', '001', 5, 'abandoned', 4_000_009, NULL
              UNION ALL SELECT '000', 0, 99, 1, 5, NULL, false, 1, 1, 1, 1, 1, 'film', '001', 4, 'failed', NULL, NULL)
        TO '{folder}/data/video_sent.parquet'""")
    duckdb.execute(f"""
        COPY (SELECT stream AS session_id, 0 AS "index", sequence, time + round(took_ms * 1e6)::BIGINT AS time FROM chunks)
        TO '{folder}/data/video_acked.parquet'""")
    return folder, chunks


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


def learn(folder, *options, out="model.bin"):
    return main(
        ["ttp", "--data", str(folder / "data"), "--out", str(folder / out), "--epochs", "2", *options]
    )


def model_in(folder):
    """Returns a model that was trained on the folder's data, and trains it at the first call."""
    if not (folder / "any.bin").exists():
        assert learn(folder, "--epochs", "1", out="any.bin") == 0
    return read_model(folder / "any.bin")


def test_the_command_reproduces_the_model_and_states_its_data(trained, capsys):
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
    # Each output has a scale and a bias, and each input a mean and a deviation.
    floats = 2 * (31 + 64 + 64 + 21) + 2 * (26 + 32 + 32 + 21)
    integers = 36 * 64 + 64 * 64 + 64 * 21 + 31 * 32 + 32 * 32 + 32 * 21
    data = (folder / "model.bin").read_bytes().partition(b"\n")[2]
    assert len(data) == 4 * floats + integers
    assert (len((folder / "model.bin").read_bytes()) - len(data)) % 4 == 0


def test_training_continues_from_the_previous_days_model(trained):
    folder, _ = trained
    assert learn(folder) == 0
    assert learn(folder, "--from", str(folder / "model.bin"), out="next.bin") == 0
    before, after = (read_model(folder / name) for name in ("model.bin", "next.bin"))
    assert (before.tcp.mean == after.tcp.mean).all()
    assert after.provenance["warm"] is not None
    rows = make_examples(read_chunks(folder / "data")).at_step(0)[0]
    assert not np.allclose(before.probabilities(rows, 0), after.probabilities(rows, 0))


def test_a_model_file_survives_a_round_trip(trained):
    folder, _ = trained
    assert learn(folder) == 0
    model = read_model(folder / "model.bin")
    inputs = make_examples(read_chunks(folder / "data")).at_step(0)[0]
    layers = logits(model.tcp.network, model.tcp.normalize(inputs, 0))
    assert [layer.shape for layer in layers] == [(len(inputs), width) for width in (36, 64, 64, 21)]
    # The trained model already has the precision of the file.
    write_model(model, folder / "again.bin")
    assert (folder / "again.bin").read_bytes() == (folder / "model.bin").read_bytes()


def test_a_weight_is_a_whole_multiple_of_its_outputs_scale():
    weights = np.array([[1.27, -0.634, 0.003], [0, 0, 0], [-2.54, 0.004, 2.54]])
    scale, whole = quantized(weights)
    assert scale == pytest.approx([0.01, 1 / 127, 0.02], rel=2e-5)
    assert whole.tolist() == [[127, -63, 0], [0, 0, 0], [-127, 0, 127]]
    again = quantized(scale[:, None].astype(float) * whole)
    # The second time, nothing is lost. A row of zeros has an arbitrary scale.
    assert again[0].tolist() == scale.tolist()
    assert (again[1] == whole).all()


def test_scaling_the_last_layer_scales_the_logits():
    random = np.random.default_rng(4)
    network = initial([6, 5, 4, 7], random)
    network[-1] += random.normal(size=7)
    inputs = random.normal(size=(9, 6))
    halved = logits(with_last_layer(network, 0.5), inputs)[-1]
    assert halved == pytest.approx(logits(network, inputs)[-1] / 2, rel=1e-4, abs=1e-5)


def test_the_network_gets_the_step_after_the_inputs():
    network = [np.zeros((21, 36)), np.zeros(21)]
    network[0][3, 31 + 2] = 1
    variant = Variant(np.zeros(31), np.ones(31), network)
    shares = [variant.probabilities(np.full((1, 31), NAN), step)[0] for step in range(5)]
    # e / (e + 20) in the third step, 1 / 21 in the others.
    assert [each[3] for each in shares] == pytest.approx([1 / 21, 1 / 21, np.e / (np.e + 20), 1 / 21, 1 / 21])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--data", "nowhere", "--out", "m"], "there is no folder nowhere"),
        (["--data", "."], "the following arguments are required: --out"),
        (["--data", ".", "--out", "m", "--epochs", "0"], "--epochs must be at least 1"),
        (["--data", ".", "--out", "m.png"], "m.png would be the picture's name"),
    ],
)
def test_impossible_requests_are_refused_in_one_line(options, reason, capsys):
    assert main(["ttp", *options]) == 1
    assert reason in capsys.readouterr().err


def test_a_folder_without_sessions_is_refused(tmp_path, capsys):
    assert main(["ttp", "--data", str(tmp_path), "--out", str(tmp_path / "m")]) == 1
    assert "has no video_sent.parquet" in capsys.readouterr().err


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text, data: (text, data[: len(data) // 2]),
        lambda text, data: (text, data[:-1]),
        lambda text, data: (text, data + b"\0" * 4),
        lambda text, data: (text, data[:400] + b"\0\0\xc0\x7f" + data[404:]),
        lambda text, data: (text.replace(b'"plain"', b'"other"'), data),
        lambda text, data: (text.replace(b'"hidden": [64, 64]', b'"hidden": 64'), data),
    ],
    ids=["half", "less", "more", "NaN", "no variant", "no widths"],
)
def test_a_damaged_initial_model_is_refused_in_one_line(trained, spoil, capsys):
    folder, _ = trained
    model_in(folder)
    text, _, data = (folder / "any.bin").read_bytes().partition(b"\n")
    text, data = spoil(text, data)
    (folder / "spoiled.bin").write_bytes(text + b"\n" + data)
    capsys.readouterr()
    assert learn(folder, "--from", str(folder / "spoiled.bin"), out="next.bin") == 1
    said = capsys.readouterr().err.strip()
    assert str(folder / "spoiled.bin") in said
    assert "\n" not in said


def test_the_last_bin_represents_network_times_and_not_paces():
    chunks = network_sessions(12, 0)
    late, paced = (chunks["time"] % DAY_NS == each for each in (4_000_000_000, 8_000_000_000))
    chunks.loc[late, "took_ms"] = 12_000
    chunks.loc[paced, ["took_ms", "pace_limited"]] = [60_000, True]
    model, _ = train(make_examples(chunks), TrainingSettings(epochs=1))
    assert model.times_s[-1] == 12


def names_in(part, unit="session"):
    return set(getattr(part, unit).tolist())


def test_training_stopping_and_judging_data_are_disjoint():
    examples = make_examples(network_sessions(120, 0))
    parts = split(examples, TrainingSettings())
    of = [names_in(part) for part in (parts.trained, parts.ending, parts.judging)]
    assert sum(len(each) for each in of) == len(set.union(*of)) == 120
    # Each has about a tenth of the 120 sessions. Four standard deviations are 13.
    assert all(abs(len(each) - 12) < 13 for each in of[1:])
    assert sum(len(part.session) for part in (parts.trained, parts.ending, parts.judging)) == len(
        examples.session
    )


def test_held_out_data_stays_held_out_on_the_next_day():
    """Training continues the model of the previous day, which must not have learned from sessions that now stop or
    judge the training."""
    sessions = network_sessions(200, 0)
    first = split(make_examples(sessions[sessions["stream"] < "100"]), TrainingSettings())
    second = split(make_examples(sessions), TrainingSettings())
    for part in ("trained", "ending", "judging"):
        assert names_in(getattr(first, part)) <= names_in(getattr(second, part))
    other = split(make_examples(sessions), TrainingSettings(seed=2))
    assert names_in(other.judging) != names_in(second.judging)


def test_networks_are_held_out_with_all_their_sessions():
    examples = make_examples(network_sessions(60, 0))
    by_session = split(examples, TrainingSettings())
    assert names_in(by_session.trained, "network") & names_in(by_session.judging, "network")
    parts = split(examples, TrainingSettings(held_out="network"))
    of = [names_in(part, "network") for part in (parts.trained, parts.ending, parts.judging)]
    assert sum(len(each) for each in of) == 30
    assert all(of)


@pytest.mark.parametrize(("count", "expected"), [(2, [1, 1, 0]), (3, [1, 1, 1]), (9, [3, 3, 3])])
def test_some_of_few_sessions_are_held_out(count, expected):
    examples = make_examples(network_sessions(count, 0))
    units = np.unique(examples.session).tolist()
    # Find a seed for which the draw holds out no unit.
    lots = ([np.random.default_rng([seed, unit]).random() for unit in units] for seed in itertools.count())
    seed = next(seed for seed, each in enumerate(lots) if min(each) > 0.2)
    parts = split(examples, TrainingSettings(seed=seed))
    assert [len(names_in(part)) for part in (parts.trained, parts.ending, parts.judging)] == expected


def test_one_session_or_network_is_not_enough():
    with pytest.raises(ValueError, match="one session is not enough"):
        split(make_examples(network_sessions(1, 0)), TrainingSettings())
    with pytest.raises(ValueError, match="one network is not enough"):
        split(make_examples(network_sessions(2, 0)), TrainingSettings(held_out="network"))


def test_the_command_holds_out_networks_and_reports_it(trained, capsys):
    folder, _ = trained
    assert learn(folder, out="sessions.bin") == 0
    assert (
        "are of networks that other sessions taught it: with --held-out networks none is"
        in capsys.readouterr().out
    )
    assert learn(folder, "--held-out", "networks", out="networks.bin") == 0
    said = capsys.readouterr().out
    assert "chunks of held-out networks: " in said
    assert "other sessions taught it" not in said
    held_out = [
        read_model(folder / f"{name}.bin").provenance["held_out"] for name in ("sessions", "networks")
    ]
    assert held_out == ["sessions", "networks"]
    assert learn(folder, "--held-out", "days") == 1


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


@pytest.mark.parametrize("how", ["limited", "given_up"])
def test_bounds_alone_teach_nothing(how):
    """Paced chunks only say "at least as fast", so a model fits them best if every chunk arrives at once. Abandoned
    chunks only say "at least as slow"."""
    chunks = network_sessions(12, 1)
    if how == "given_up":
        chunks["pace_limited"], chunks["given_up"] = False, True
    with pytest.raises(ValueError, match=r"^tcp: each of the \d+ chunks was held back by a pace or given up"):
        train(make_examples(chunks), TrainingSettings(epochs=1))
    if how == "limited":
        train(make_examples(chunks), TrainingSettings(epochs=1, censored=False))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (
            lambda model: model.tcp.network[1].fill(np.nan),
            "'tcp' has numbers that are not finite, or above",
        ),
        (lambda model: model.plain.mean.fill(-np.inf), "'plain' has numbers that are not finite, or above"),
        (lambda model: model.plain.deviation.fill(0), "'plain' has a standard deviation that is not above 0"),
        (lambda model: model.times_s.pop(), "its times_s are not 21 times"),
        (lambda model: model.times_s.__setitem__(20, float("inf")), "its times_s are not 21 times"),
    ],
)
def test_models_that_the_page_would_refuse_are_neither_written_nor_continued(trained, spoil, reason):
    folder, _ = trained
    model = model_in(folder)
    spoil(model)
    with pytest.raises(ValueError, match=reason):
        write_model(model, folder / "never.bin")
    assert not (folder / "never.bin").exists()


def test_a_full_disk_keeps_the_previous_model_and_leaves_no_other_file(trained, monkeypatch):
    folder, _ = trained
    model = model_in(folder)
    write_model(model, folder / "kept" / "model.bin")
    before = (folder / "kept" / "model.bin").read_bytes()
    model.times_s[0] = 0.1

    def full(self, *_):
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(OSError, match="No space left on device"):
        write_model(model, folder / "kept" / "model.bin")
    assert (folder / "kept" / "model.bin").read_bytes() == before
    assert sorted(each.name for each in (folder / "kept").iterdir()) == ["model.bin"]


def test_duplicate_sessions_are_refused_instead_of_joined(trained, tmp_path, capsys):
    """Two trials have sessions of the same names. If they were joined, each chunk would have the times of both."""
    folder, _ = trained
    for name in "ab":
        (tmp_path / "data" / name).mkdir(parents=True)
        for table in ("sent", "acked"):
            chunks = pd.read_parquet(folder / "data" / f"video_{table}.parquet")
            chunks.to_parquet(tmp_path / "data" / name / f"video_{table}.parquet")
    assert learn(tmp_path) == 1
    said = capsys.readouterr().err
    assert "session '000' is in " in said
    assert said.count("\n") == 1


def test_a_folder_at_the_models_path_is_refused_before_the_training(trained, capsys):
    folder, _ = trained
    (folder / "models").mkdir()
    assert learn(folder, out="models") == 1
    assert "is a folder; expected a file" in capsys.readouterr().err
    assert not (folder / "models.png").exists()


def test_missing_judging_data_is_reported(trained, tmp_path, capsys):
    folder, _ = trained
    (tmp_path / "data").mkdir()
    for table in ("sent", "acked"):
        chunks = pd.read_parquet(folder / "data" / f"video_{table}.parquet")
        chunks[chunks.session_id.isin(["004", "007"])].to_parquet(
            tmp_path / "data" / f"video_{table}.parquet"
        )
    assert learn(tmp_path, "--seed", "3") == 0
    assert "its error is not known" in capsys.readouterr().out
    examples = make_examples(read_chunks(tmp_path / "data"))
    model = read_model(tmp_path / "model.bin")
    assert evaluate(model, split(examples, TrainingSettings(seed=3)), TrainingSettings(seed=3)) is None
    # There are no rows for the reference file either.
    assert learn(tmp_path, "--seed", "3", "--check", str(tmp_path / "new" / "check.json.gz")) == 1
    assert "no held-out row has TCP's statistics" in capsys.readouterr().err


def test_ctrl_c_ends_with_one_line(trained, monkeypatch, capsys):
    folder, _ = trained

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("sammy_analysis.ttp.command.train", interrupted)
    assert learn(folder, out="cut-off.bin") == 130
    assert not (folder / "cut-off.bin").exists()
    assert "Traceback" not in capsys.readouterr().err
