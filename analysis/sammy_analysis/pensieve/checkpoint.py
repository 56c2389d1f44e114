"""The checkpoint file of an unfinished training: its state and the command that started the training."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from sammy_analysis.pensieve.ppo import Learner, Shape
from sammy_analysis.ttp.model import write_file


def write_checkpoint(file: Path, learner: Learner, told: dict[str, Any]) -> None:
    """Writes the file atomically."""
    state = {
        "told": told,
        "shape": asdict(learner.shape),
        **{name: getattr(learner, name) for name in ("rounds", "round", "scale")},
        "random": learner.random.bit_generator.state,
        "adams": [{"rate": adam.rate, "steps": adam.steps} for adam in learner.adams],
    }
    content = io.BytesIO()
    np.savez(content, state=np.array(json.dumps(state)), **arrays(learner))
    write_file(file, content.getvalue())


def read_checkpoint(file: Path) -> tuple[Learner, dict[str, Any]]:
    """Reads the learner and the settings of the training. Raises ValueError if the file is not a checkpoint."""
    try:
        with np.load(file, allow_pickle=False) as read:
            state = json.loads(str(read["state"]))
            learner = Learner(Shape(**state["shape"]), state["rounds"], seed=0)
            for name, array in arrays(learner).items():
                array[...] = read[name]
    except (KeyError, TypeError, ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise ValueError(f"{file} is no unfinished training: remove it") from error
    learner.round, learner.scale = state["round"], state["scale"]
    learner.random.bit_generator.state = state["random"]
    for adam, said in zip(learner.adams, state["adams"], strict=True):
        adam.rate, adam.steps = said["rate"], said["steps"]
    return learner, state["told"]


def arrays(learner: Learner) -> dict[str, np.ndarray]:
    """Returns the arrays of the learner's state, by name."""
    groups = {"actor": learner.actor, "critic": learner.critic}
    for index, adam in enumerate(learner.adams):
        groups |= {f"first-{index}": adam.first, f"second-{index}": adam.second}
    return {f"{name}-{index}": each for name, group in groups.items() for index, each in enumerate(group)}
