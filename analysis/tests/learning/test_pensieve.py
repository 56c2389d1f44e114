"""Training of the ABR rule that is learned by reinforcement."""

import base64

import numpy as np
import pytest

from sammy_analysis.pensieve.__main__ import Training, answer
from sammy_analysis.pensieve.ppo import (
    CLIP,
    DISCOUNT,
    Episode,
    Learner,
    Shape,
    actor_gradient,
    discounted,
    log_probabilities,
)

SHAPE = Shape(shared=2, per_rung=1, rungs=3)


def test_derivative():
    """Compares the gradient of the clipped loss minus the weighted entropy with finite differences. Some ratios are
    clipped."""
    random = np.random.default_rng(1)
    actor = [each.astype(float) for each in Learner(SHAPE, 1, 1).actor]
    actor[-2] *= 100
    inputs, actions = random.normal(size=(40, SHAPE.inputs)), random.integers(3, size=40)
    advantages = random.normal(size=40)
    before = log_probabilities(actor, SHAPE, inputs)[np.arange(40), actions] + random.normal(0, 0.3, 40)

    def loss(parameters):
        logs = log_probabilities(parameters, SHAPE, inputs)
        ratio = np.exp(logs[np.arange(40), actions] - before)
        gained = np.minimum(ratio * advantages, np.clip(ratio, 1 - CLIP, 1 + CLIP) * advantages)
        return -gained.mean() + 0.1 * (np.exp(logs) * logs).sum(axis=1).mean()

    gradient, _ = actor_gradient(actor, SHAPE, inputs, actions, before, advantages, 0.1)
    for part, slope in zip(actor, gradient, strict=True):
        for index in list(np.ndindex(part.shape))[:10]:
            kept = part[index]
            part[index] = kept + 1e-6
            above = loss(actor)
            part[index] = kept - 1e-6
            below = loss(actor)
            part[index] = kept
            assert slope[index] == pytest.approx((above - below) / 2e-6, abs=1e-5)


def test_discounted():
    assert discounted(np.array([1.0, 2.0, 4.0]), 0.5).tolist() == [3.0, 4.0, 4.0]
    assert DISCOUNT == 0.99


def played(learner, random, compute_rewards):
    """Returns a session of 30 steps in which actions are drawn with the learner's own probabilities."""
    inputs = random.normal(size=(30, SHAPE.inputs)).astype(np.float32)
    logs = log_probabilities(learner.actor, SHAPE, inputs)
    actions = np.array([random.choice(3, p=np.exp(row) / np.exp(row).sum()) for row in logs])
    return Episode(inputs, actions, logs[np.arange(30), actions], compute_rewards(inputs, actions))


def test_learns_the_best_rung():
    """The reward is 1 for the rung whose own input is the largest, and 0 for the others."""
    random = np.random.default_rng(2)
    learner = Learner(SHAPE, 40, 3)

    def compute_rewards(inputs, actions):
        return (inputs[:, 2:].argmax(axis=1) == actions).astype(float)

    train = [learner.learn([played(learner, random, compute_rewards) for _ in range(20)]) for _ in range(40)]
    assert train[0]["reward"] < 0.45
    assert train[-1]["reward"] > 0.5


def test_refuses_samples_of_another_policy():
    """Each round checks that the page's probabilities equal those of the trainer."""
    learner = Learner(SHAPE, 1, 1)
    session = played(learner, np.random.default_rng(1), lambda inputs, actions: np.ones(len(actions)))
    session.log_probabilities[3] -= 0.5
    with pytest.raises(ValueError, match=r"the player's probabilities are not the learner's: 0\.500 apart"):
        learner.learn([session])


def test_training_is_reproducible(tmp_path):
    """The same seed and sessions give the same file, which begins with its description."""
    row = [0.5, -1, 0.1, 0.2, 0.3, 1, np.log(1 / 3), 2.0]
    episode = base64.b64encode(np.array([3, *(row * 4)], "<f4").tobytes()).decode()
    files = []
    for name in ("one", "two"):
        training: Training | None = None
        opened = {"reward": "ssim", "shared": 2, "per_rung": 1, "rounds": 1, "seed": 7}
        opened |= {"sessions": 1, "seconds": 30, "out": str(tmp_path / name), "learnt": {"paced": False}}
        for asked in ({"open": opened}, {"episodes": [episode]}, {"finish": {}}):
            training, _ = answer(training, asked)
        files.append((tmp_path / name).read_bytes())
    assert files[0] == files[1]
    assert files[0].startswith(
        b'{"format": "dashjs-sammy-policy", "version": 1, "reward": "ssim", "inputs": 3'
    )


def train(out, rounds, training=None, seed=7):
    """Begins or resumes a training with one session per round. Returns the training and its answers."""
    random, answers = np.random.default_rng(5), []
    opened = {"reward": "ssim", "shared": 2, "per_rung": 1, "rounds": 3, "seed": seed, "sessions": 1}
    opened |= {"seconds": 30, "out": str(out), "learnt": {"paced": False}}
    training, said = answer(training, {"open": opened})
    answers.append(said)
    for number in range(3):
        inputs = random.normal(size=(20, SHAPE.inputs)).astype(np.float32)
        if not said["round"] <= number < rounds:
            continue
        # A policy that has hardly been trained gives all rungs nearly the same probability.
        logs = log_probabilities(training.started(3).actor, SHAPE, inputs)
        rows = np.hstack([inputs, np.zeros((20, 1)), logs[:, :1], inputs[:, :1]])
        episode = base64.b64encode(np.append([3], rows).astype("<f4").tobytes()).decode()
        training, answered = answer(training, {"episodes": [episode]})
        answers.append(answered)
    return training, answers


def test_resumes_an_interrupted_training(tmp_path):
    """A training that is interrupted after each round writes the same file as one that is not."""
    whole, _ = train(tmp_path / "whole", 3)
    answer(whole, {"finish": {}})
    for rounds in (1, 2):
        _, answers = train(tmp_path / "cut", rounds)
        assert answers[0]["round"] == rounds - 1
    rest, answers = train(tmp_path / "cut", 3)
    assert answers[0]["round"] == 2
    answer(rest, {"finish": {}})
    assert (tmp_path / "cut").read_bytes() == (tmp_path / "whole").read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["cut", "whole"]


def test_refuses_to_resume_another_training(tmp_path):
    """It also refuses a file that is not a checkpoint."""
    train(tmp_path / "one", 1)
    with pytest.raises(ValueError, match=r"one\.part is of another training: remove it"):
        train(tmp_path / "one", 1, seed=8)
    for content in (b"", b"PK\x03\x04", b"{}", (tmp_path / "one.part").read_bytes()[:500]):
        (tmp_path / "one.part").write_bytes(content)
        with pytest.raises(ValueError, match=r"one\.part is no unfinished training: remove it"):
            train(tmp_path / "one", 1)
