"""Trains models on a folder of sessions with the command.

Tests of the predictor call this module, which must not depend on what a model should have learned.
"""

from sammy_analysis.ttp.command import main
from sammy_analysis.ttp.model import read_model


def learn(folder, *options, out="model.bin"):
    return main(
        ["ttp", "--data", str(folder / "data"), "--out", str(folder / out), "--epochs", "2", *options]
    )


def model_in(folder):
    """Returns a model that was trained on the folder's data, and trains it at the first call."""
    if not (folder / "any.bin").exists():
        assert learn(folder, "--epochs", "1", out="any.bin") == 0
    return read_model(folder / "any.bin")
