"""The learner as a program: it answers each line, a JSON object, with another line of JSON. The caller plays the sessions.

    {"open": {"reward", "shared", "per_rung", "rounds", "sessions", "seconds", "seed", "out": PATH, "learnt": {...}}}
                                -> {"policy": FILE, "round": N}
    {"episodes": [FLOATS, ...]} -> {"policy": FILE, "reward": N, "entropy": N, "steps": N}
    {"finish": {"check": PATH}} -> {"words": TEXT}

FILE is the policy's file in base64. FLOATS are float32 in base64: the number of rungs, then for each step the inputs, the
action, ln of its probability, and the reward. After each round a checkpoint is written beside OUT, from which the same training
resumes. The answer to an invalid line is {"error": TEXT}. The program ends at the end of its input.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

# Use one thread. The matrices are small, so threads would cost more than they save, and sums would depend on the number
# of threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from sammy_analysis.pensieve.checkpoint import read_checkpoint, write_checkpoint
from sammy_analysis.pensieve.ppo import HIDDEN, Episode, Learner, Shape, scores
from sammy_analysis.ttp.check import write
from sammy_analysis.ttp.command import commit
from sammy_analysis.ttp.model import LARGEST, file_bytes, rounded, write_file

FORMAT, VERSION = "dashjs-sammy-policy", 1
#: Number of bits of a weight's fraction in the file, out of float32's 23. The other bits are 0, so a package can
#: compress them.
WEIGHT_BITS = 10
#: The number of rows in the reference file for checking another implementation.
ROWS = 256
#: The number of fields of a step after its inputs: action, ln of its probability, reward.
STEP_FIELDS = 3


class Training:
    """A training run: its files, and its learner, which is created when the number of rungs is known."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.out = Path(asked.pop("out"))
        self.asked = asked
        self.learner: Learner | None = None
        self.steps, self.rewards, self.begun = 0, [], commit()
        self.latest: list[Episode] = []
        if self.part.exists():
            self.learner, told = read_checkpoint(self.part)
            if told["asked"] != asked:
                raise ValueError(f"{self.part} is of another training: remove it, or choose another --out")
            self.steps, self.rewards, self.begun = told["steps"], told["rewards"], told["begun"]

    @property
    def part(self) -> Path:
        """The checkpoint of the unfinished training."""
        return self.out.with_name(f"{self.out.name}.part")

    def policy(self, numbers: list[np.ndarray], provenance: dict[str, Any]) -> bytes:
        """Returns the content of the policy's file."""
        header = {
            "format": FORMAT,
            "version": VERSION,
            "reward": self.asked["reward"],
            "inputs": self.asked["shared"] + self.asked["per_rung"],
            "hidden": HIDDEN,
            "provenance": provenance,
        }
        return file_bytes(header, numbers)

    def started(self, rungs: int) -> Learner:
        """Returns the learner. Creates it if there is none for this number of rungs. The actor's initial weights do not
        depend on the number of rungs."""
        shape = Shape(self.asked["shared"], self.asked["per_rung"], rungs)
        if self.learner is None or self.learner.shape != shape:
            self.learner = Learner(shape, self.asked["rounds"], self.asked["seed"])
        return self.learner

    def opened(self) -> dict[str, Any]:
        """Returns the initial policy, or that of the last round if the training resumes."""
        learner = self.learner or self.started(1)
        return {"policy": encoded(self.policy(learner.actor, {})), "round": learner.round}

    def round(self, texts: list[str]) -> dict[str, Any]:
        """Learns from the sessions of a round."""
        read = [np.frombuffer(base64.b64decode(text), "<f4") for text in texts]
        rungs = int(max(each[0] for each in read))
        learner = self.started(rungs)
        self.latest = [episode(learner.shape, each[1:]) for each in read if len(each) > 1]
        told = learner.learn(self.latest)
        self.steps += int(told["steps"])
        self.rewards.append(told["reward"])
        so_far = {name: getattr(self, name) for name in ("asked", "steps", "rewards", "begun")}
        write_checkpoint(self.part, learner, so_far)
        return {"policy": encoded(self.policy(learner.actor, {})), **told}

    def finish(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Writes the policy, and the reference for other implementations."""
        learner = self.learner
        if learner is None:
            raise ValueError("nothing was learnt")
        actor = [rounded(each, WEIGHT_BITS) for each in learner.actor]
        if not all((np.abs(each) <= LARGEST).all() for each in actor):
            raise ValueError("training went astray: a weight is too large; try another --seed")
        last = float(np.mean(self.rewards[-10:]))
        provenance = {
            **self.asked["learnt"],
            **{key: self.asked[key] for key in ("seed", "rounds", "sessions", "seconds")},
            **{"steps": self.steps, "reward_at_end": round(last, 4), "commit": commit()},
            "numpy": np.__version__,
        }
        if self.begun != provenance["commit"]:
            provenance["begun_at_commit"] = self.begun
        size = write_file(self.out, self.policy(actor, provenance))
        if asked.get("check"):
            inputs = np.concatenate([each.inputs for each in self.latest])
            rows = inputs[np.sort(learner.random.permutation(len(inputs))[:ROWS])]
            said = scores([each.astype(float) for each in actor], learner.shape, rows.astype(float))
            shared = learner.shape.shared
            write(
                {
                    "rows": [
                        {"shared": row[:shared].tolist(), "rungs": row[shared:].tolist(), "scores": score}
                        for row, score in zip(rows, said.round(7).tolist(), strict=True)
                    ]
                },
                Path(asked["check"]),
            )
        self.part.unlink(missing_ok=True)
        words = (
            f"{self.out} ({size / 1000:.0f} kB): {self.steps} decisions, reward {np.mean(self.rewards[:10]):.3f} a "
            f"segment in the first ten rounds, {last:.3f} in the last"
        )
        return {"words": words}


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


def episode(shape: Shape, numbers: np.ndarray) -> Episode:
    """Decodes the steps of a session."""
    rows = numbers.reshape(-1, shape.inputs + STEP_FIELDS)
    inputs, (actions, logs, rewards) = rows[:, : shape.inputs], rows[:, shape.inputs :].T
    return Episode(inputs, actions.astype(int), logs, rewards)


def answer(training: Training | None, asked: dict[str, Any]) -> tuple[Training | None, dict[str, Any]]:
    """Answers one line, and returns the current training."""
    if "open" in asked:
        training = Training(asked["open"])
        return training, training.opened()
    if training is None:
        raise ValueError("no training is open")
    if "episodes" in asked:
        return training, training.round(asked["episodes"])
    if "finish" in asked:
        return training, training.finish(asked["finish"])
    raise ValueError(f"unknown request {', '.join(asked)}")


def main() -> int:
    """Answers line by line until the input ends."""
    # Ignore Ctrl-C: a terminal sends it to all its programs, but the caller decides when this program ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    training = None
    for line in sys.stdin:
        try:
            training, said = answer(training, json.loads(line))
        except (ValueError, OSError) as error:
            said = {"error": str(error)}
        print(json.dumps(said), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
