"""Evaluates a model on held-out sessions or networks, and compares it with the harmonic mean of throughputs.

The error is the error of the expected time (F. Yan's thesis, §2.3.6), over chunks that were neither pace-limited nor
abandoned. The harmonic mean is over the last five throughputs. Throughputs of paced chunks are left out unless all five
were paced.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sammy_analysis.ttp.inputs import HISTORY, Examples
from sammy_analysis.ttp.model import VARIANTS, Model
from sammy_analysis.ttp.train import Split, TrainingSettings, mean_loss, rows_for

SAMPLES = 5
RESAMPLES = 2000


@dataclass(frozen=True)
class Evaluation:
    """Mean absolute errors, s, and their difference (model minus harmonic mean) with its 95% interval."""

    chunks: int
    model_s: float
    harmonic_mean_s: float
    difference_s: float
    interval_s: tuple[float, float]
    #: The number of chunks whose network also occurs in training or early stopping, in other sessions.
    familiar: int


def evaluate(model: Model, parts: Split, asked: TrainingSettings, step: int = 0) -> Evaluation | None:
    """Returns the errors. None if no chunk is usable, because each was limited by a pace, abandoned, or the first of
    its session."""
    held_out = parts.judging
    inputs, _, limited, rows = held_out.at_step(step)
    mean_bytes_per_s = harmonic_mean(inputs)
    chosen = ~limited & ~held_out.given_up[rows, step] & np.isfinite(mean_bytes_per_s)
    if not chosen.any():
        return None
    took_s = held_out.took_s[rows, step][chosen]
    expected_s = model.probabilities(inputs[chosen], step) @ np.array(model.times_s)
    ours = np.abs(expected_s - took_s)
    theirs = np.abs(inputs[chosen, -1] / mean_bytes_per_s[chosen] - took_s)
    units = getattr(held_out, asked.held_out)[rows][chosen]
    familiar = np.isin(
        held_out.network[rows][chosen], np.concatenate([parts.trained.network, parts.ending.network])
    )
    return Evaluation(
        chunks=len(ours),
        model_s=float(ours.mean()),
        harmonic_mean_s=float(theirs.mean()),
        difference_s=float((ours - theirs).mean()),
        interval_s=interval(ours - theirs, units, asked.seed),
        familiar=int(familiar.sum()),
    )


def held_out_losses(model: Model, held_out: Examples, asked: TrainingSettings) -> dict[str, float]:
    """Returns the mean −ln p by variant, over all steps. Variants without held-out examples are absent."""
    found = {}
    for name in VARIANTS:
        variant = getattr(model, name)
        seen, allowed, _ = rows_for(variant, name, held_out, asked)
        if len(seen):
            found[name] = mean_loss(variant.network, seen, allowed, np.ones(len(seen)))
    return found


def harmonic_mean(inputs: np.ndarray) -> np.ndarray:
    """Returns the harmonic mean of throughputs by row, in bytes/s, over the unpaced chunks among the last five, or over
    all five if all were paced. NaN for a first chunk."""
    size, took_ms, share = (inputs[:, part * HISTORY : part * HISTORY + SAMPLES] for part in range(3))
    s_per_byte = took_ms / 1000 / size
    free = np.where(share < 0.8, s_per_byte, np.nan)
    with np.errstate(invalid="ignore"):
        chosen = np.where(np.isfinite(free).any(axis=1)[:, None], free, s_per_byte)
        counts = np.isfinite(chosen).sum(axis=1)
        return np.where(counts > 0, counts / np.nansum(chosen, axis=1), np.nan)


def interval(differences: np.ndarray, units: np.ndarray, seed: int) -> tuple[float, float]:
    """Returns the 95% interval by a bootstrap over sessions or networks: chunks within one are dependent."""
    numbers, places = np.unique(units, return_inverse=True)
    sums = np.bincount(places, weights=differences)
    counts = np.bincount(places)
    drawn = np.random.default_rng(seed).integers(len(numbers), size=(RESAMPLES, len(numbers)))
    low, high = np.quantile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), [0.025, 0.975])
    return float(low), float(high)
