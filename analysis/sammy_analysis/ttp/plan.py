"""A reference in numpy for the choices that the page makes with a model: value iteration (F. Yan, thesis, Eq. 2.2)
and the lowest sufficient pace.

It has none of the page's optimizations: it covers every buffer level up to 100 s, and every time, however unlikely.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sammy_analysis.ttp.inputs import HISTORY, PLAIN_INPUTS
from sammy_analysis.ttp.model import Model

#: Buffer levels have the same bin width as the times, and are at most 100 s.
STEP_S = 0.5
BUFFERS_S = np.arange(0, 100 + STEP_S, STEP_S)
#: The cost of one second of stalling.
STALL_DB_PER_S = 100.0
#: The value of the first second of buffer at the end of a plan. The value of further seconds falls linearly to 0 at the
#: target level.
RESERVE_DB_PER_S = 6.0
#: For segments larger than this multiple of the largest past download, the predicted time grows in proportion to the
#: size.
FAMILIAR = 1.5
#: The step of the pace search.
GRID_KBPS = 100
#: The limit of the pace search, as a multiple of the top bitrate.
MOST_PACE = 3.2
#: The loss of plan value that the pace search tolerates.
TOLERANCE_DB = 0.05
#: The assumed round trip if no receipt reports one.
USUAL_RTT_S = 0.05


@dataclass(frozen=True)
class Question:
    """The state before a choice.

    before: [TCP_INPUTS - 1], the predictor's inputs except the size. sizes (bytes), quality_db: [steps, rungs]. previous: a rung.
    """

    before: np.ndarray
    sizes: np.ndarray
    quality_db: np.ndarray
    previous: int
    buffer_s: float
    duration_s: float
    reserve_s: float
    top_kbps: float

    @property
    def rtt_s(self) -> float:
        """The smoothed round trip, or the usual one if TCP's statistics are unknown."""
        rtt_us = self.before[PLAIN_INPUTS - 1 + 3]
        return USUAL_RTT_S if np.isnan(rtt_us) else float(rtt_us) / 1e6


@dataclass(frozen=True)
class Answer:
    """The rung, and the lowest pace that preserves the value of plans that begin with this rung; None if no pace is
    sufficient."""

    rung: int
    pace_kbps: int | None


def answer(model: Model, question: Question) -> Answer:
    """Returns the best rung and its lowest sufficient pace."""
    predicted = predict(model, question)
    values = worth(question, *predicted, least_s=np.zeros_like(question.sizes))
    rung = int(np.argmax(values))
    wanted = values[rung] - TOLERANCE_DB

    def suffices(step: int) -> bool:
        least_s = question.rtt_s + question.sizes * 8 / (step * GRID_KBPS * 1000)
        return bool(worth(question, *predicted, least_s=least_s)[rung:].max() >= wanted)

    highest = math.ceil(MOST_PACE * question.top_kbps / GRID_KBPS)
    if not suffices(highest):
        return Answer(rung, None)
    failing = 0
    while highest - failing > 1:
        middle = (failing + highest) // 2
        if suffices(middle):
            highest = middle
        else:
            failing = middle
    return Answer(rung, highest * GRID_KBPS)


def predict(model: Model, question: Question) -> tuple[np.ndarray, np.ndarray]:
    """Returns probabilities and times (s) of each segment: [steps, rungs, bins]."""
    sizes = question.sizes
    past = question.before[:HISTORY]
    known = FAMILIAR * np.nanmax(past) if np.isfinite(past).any() else math.inf
    probabilities = [
        model.probabilities(
            np.column_stack([np.tile(question.before, (sizes.shape[1], 1)), np.minimum(of_step, known)]), step
        )
        for step, of_step in enumerate(sizes)
    ]
    scale = np.maximum(1, sizes / known)
    return np.stack(probabilities), scale[..., None] * np.asarray(model.times_s)


def worth(question: Question, shares: np.ndarray, times_s: np.ndarray, least_s: np.ndarray) -> np.ndarray:
    """Returns the value of the best plan for each first rung, dB: [rungs]. No segment takes less time than `least_s`
    [steps, rungs]."""
    steps, rungs = question.sizes.shape
    lacking_s = np.maximum(0, question.reserve_s - BUFFERS_S)
    end = -RESERVE_DB_PER_S * lacking_s**2 / (2 * question.reserve_s)
    # `later` is indexed by previous rung and buffer bin.
    later = np.tile(end, (rungs, 1))
    takes_s = np.maximum(times_s, least_s[..., None])
    for step in reversed(range(steps)):
        left_s = BUFFERS_S[None, :, None] - takes_s[step][:, None, :]
        there = buffer_bin(np.maximum(0, left_s) + question.duration_s)
        follows = later[np.arange(rungs)[:, None, None], there]
        stalls_db = STALL_DB_PER_S * np.maximum(0, -left_s)
        means = (shares[step][:, None, :] * (follows - stalls_db)).sum(axis=2)
        here = question.quality_db[step]
        if step == 0:
            gains = here - np.abs(here - here[question.previous])
            return gains + means[:, buffer_bin(np.array(question.buffer_s))]
        gains = here[None, :] - np.abs(here[None, :] - here[:, None])
        later = (gains[:, :, None] + means[None, :, :]).max(axis=1)
    raise ValueError("a plan without a step")


def buffer_bin(buffer_s: np.ndarray) -> np.ndarray:
    """Returns the index of the nearest buffer bin; halves round up."""
    return np.minimum(len(BUFFERS_S) - 1, np.floor(buffer_s / STEP_S + 0.5).astype(int))
