"""The training of the predictor of transmission times: its gradient, compared with finite differences, and the models
that it gives."""

import numpy as np
import pytest
from ttp_chunks import DAY_NS, chunk, frame, network_sessions

from sammy_analysis.ttp.chunks import COLUMNS
from sammy_analysis.ttp.inputs import make_examples, time_bins
from sammy_analysis.ttp.network import allowed_bins, initial, logits, loss_and_gradient, losses
from sammy_analysis.ttp.train import TrainingSettings, train, with_last_layer


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
def test_abandoned_chunks_teach_how_often_the_network_is_slow(monkeypatch):
    """One of three chunks takes 8 s, regardless of the history, and is abandoned after 2 s; the others take half a second."""
    # The temperature makes a model less certain than its data, so that it would predict more late chunks than there are.
    monkeypatch.setattr("sammy_analysis.ttp.train.TEMPERATURE", 1.0)
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


def test_scaling_the_last_layer_scales_the_logits():
    random = np.random.default_rng(4)
    network = initial([6, 5, 4, 7], random)
    network[-1] += random.normal(size=7)
    inputs = random.normal(size=(9, 6))
    halved = logits(with_last_layer(network, 0.5), inputs)[-1]
    assert halved == pytest.approx(logits(network, inputs)[-1] / 2, rel=1e-4, abs=1e-5)


def test_the_last_bin_represents_network_times_and_not_paces():
    chunks = network_sessions(12, 0)
    late, paced = (chunks["time"] % DAY_NS == each for each in (4_000_000_000, 8_000_000_000))
    chunks.loc[late, "took_ms"] = 12_000
    chunks.loc[paced, ["took_ms", "pace_limited"]] = [60_000, True]
    model, _ = train(make_examples(chunks), TrainingSettings(epochs=1))
    assert model.times_s[-1] == 12


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
