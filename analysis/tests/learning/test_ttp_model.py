"""The file of a model: its numbers, and models that are refused."""

import numpy as np
import pytest
from trained_models import learn, model_in
from ttp_chunks import NAN

from sammy_analysis.ttp.chunks import read_chunks
from sammy_analysis.ttp.inputs import make_examples
from sammy_analysis.ttp.model import Variant, quantized, read_model, write_model
from sammy_analysis.ttp.network import logits


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


def test_the_network_gets_the_step_after_the_inputs():
    network = [np.zeros((21, 36)), np.zeros(21)]
    network[0][3, 31 + 2] = 1
    variant = Variant(np.zeros(31), np.ones(31), network)
    shares = [variant.probabilities(np.full((1, 31), NAN), step)[0] for step in range(5)]
    # e / (e + 20) in the third step, 1 / 21 in the others.
    assert [each[3] for each in shares] == pytest.approx([1 / 21, 1 / 21, np.e / (np.e + 20), 1 / 21, 1 / 21])


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
