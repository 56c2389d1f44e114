"""The sessions and networks that are held out to stop and to judge a training."""

import itertools

import numpy as np
import pandas as pd
import pytest
from trained_models import learn
from ttp_chunks import network_sessions

from sammy_analysis.ttp.chunks import read_chunks
from sammy_analysis.ttp.evaluate import evaluate
from sammy_analysis.ttp.inputs import make_examples
from sammy_analysis.ttp.model import read_model
from sammy_analysis.ttp.train import TrainingSettings, split


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
