"""Event studies without an effect, before a verdict adds the assumption that nothing else changed."""

import numpy as np

from ...estimators.steps.step_design import step_design
from .days import MONDAY, noise
from .group import Group, fast


def event(kind: str, random: np.random.Generator, count: int) -> np.ndarray:
    """Returns which 14-day event studies show a false effect, without the assumption that a verdict would add."""
    after = (np.arange(14) >= 7).astype(float)
    design = step_design(tuple(range(MONDAY, MONDAY + 14)), tuple(after.tolist()))
    below = design.below(noise(kind, random, count, 14))
    return np.minimum(below, 1 - below) < design.tail


GROUPS = (
    Group(
        "event study of 7+7 days, no effect: false changes",
        0.0,
        0.05,
        (
            fast("independent days", event, "independent"),
            fast("AR(1) 0.5", event, "AR 0.5"),
            fast("AR(1) 0.9", event, "AR 0.9"),
        ),
    ),
)
