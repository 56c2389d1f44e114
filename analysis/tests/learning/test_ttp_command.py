"""The command `ttp`: its model is reproducible, and requests that it refuses."""

import numpy as np
import pandas as pd
import pytest
from trained_models import learn

from sammy_analysis.ttp.chunks import read_chunks
from sammy_analysis.ttp.command import main
from sammy_analysis.ttp.inputs import make_examples
from sammy_analysis.ttp.model import read_model


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


def test_ctrl_c_ends_with_one_line(trained, monkeypatch, capsys):
    folder, _ = trained

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("sammy_analysis.ttp.command.train", interrupted)
    assert learn(folder, out="cut-off.bin") == 130
    assert not (folder / "cut-off.bin").exists()
    assert "Traceback" not in capsys.readouterr().err
