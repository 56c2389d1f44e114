"""Writes a reference for checking another implementation, as gzipped JSON: rows of held-out sessions with the model's
predictions.

{"rows": [{"inputs": [31 numbers or null], "tcp": [5][21], "plain": [5][21]}]}: the inputs are in their own units. The
last input, the size of the chunk, is the same for each step. Probabilities are by step and bin, to seven digits.

{"choices": [{"row", "knows_tcp", "buffer_s", "previous", "weights": [5], "rung", "pace_kbps"}]}: the rung to choose from a
ladder of 300 to 3300 kbit/s, and its lowest sufficient pace, after the history of a row, with or without TCP statistics. The
segments have a duration of 2 s, a size that is `weights` times the size implied by their rung's bitrate, and a quality of
12 + 4 ln(bitrate / 300) - 3 ln(weight) dB. The target buffer level at the end of a plan is 18 s.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np

from sammy_analysis.ttp.inputs import HORIZON, PLAIN_INPUTS, TCP_INPUTS, Examples, without_tcp
from sammy_analysis.ttp.model import Model
from sammy_analysis.ttp.plan import Question, answer

ROWS = 256
CHOICES = 1000
BITRATES_KBPS = np.array([300, 700, 1300, 2100, 3300])
DURATION_S = 2.0
RESERVE_S = 18.0


def write_check(model: Model, held_out: Examples, file: Path, seed: int) -> None:
    """Writes the reference file, from random rows that have all TCP statistics. Raises ValueError if there are none."""
    inputs = held_out.at_step(0)[0]
    known = inputs[~np.isnan(inputs[:, PLAIN_INPUTS - 1 : TCP_INPUTS - 1]).any(axis=1)]
    if len(known) == 0:
        raise ValueError(f"{file}: no held-out row has TCP's statistics")
    rows = known[np.sort(np.random.default_rng(seed).permutation(len(known))[:ROWS])]
    tcp = [model.tcp.probabilities(rows, step) for step in range(HORIZON)]
    plain = [model.plain.probabilities(without_tcp(rows), step) for step in range(HORIZON)]
    said = [
        {
            "inputs": [None if np.isnan(value) else value for value in row.tolist()],
            "tcp": [step[index].round(7).tolist() for step in tcp],
            "plain": [step[index].round(7).tolist() for step in plain],
        }
        for index, row in enumerate(rows)
    ]
    write({"rows": said, "choices": choices_after(model, rows, seed)}, file)


def write(checked: dict[str, Any], file: Path) -> None:
    """Writes gzipped JSON without a timestamp, so that equal contents give equal bytes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(checked, separators=(",", ":")).encode()
    file.write_bytes(gzip.compress(text, 9, mtime=0))


def choices_after(model: Model, rows: np.ndarray, seed: int) -> list[dict[str, Any]]:
    """Returns the choices after the histories in `rows` [rows, TCP_INPUTS], with random buffer levels, rungs and
    scenes."""
    random = np.random.default_rng(seed)
    return [choice_after(model, rows, number, random) for number in range(CHOICES)]


def choice_after(model: Model, rows: np.ndarray, number: int, random: np.random.Generator) -> dict[str, Any]:
    """Returns one choice. Every other choice is without TCP's statistics."""
    row = number % len(rows)
    # The second term alternates the order from pass to pass, so that with an even number of rows, every row
    # occurs with and without TCP's statistics.
    knows_tcp = bool((number + number // len(rows)) % 2)
    before = rows[row, :-1].copy()
    if not knows_tcp:
        before[PLAIN_INPUTS - 1 :] = np.nan
    weights = np.exp(random.normal(0, 0.3, HORIZON)).round(2)
    buffer_s = round(float(random.uniform(0, 30)), 1)
    previous = int(random.integers(len(BITRATES_KBPS)))
    question = Question(
        before=before,
        sizes=(BITRATES_KBPS * 125 * DURATION_S * weights[:, None]).round(),
        quality_db=12 + 4 * np.log(BITRATES_KBPS / 300) - 3 * np.log(weights)[:, None],
        previous=previous,
        buffer_s=buffer_s,
        duration_s=DURATION_S,
        reserve_s=RESERVE_S,
        top_kbps=float(BITRATES_KBPS[-1]),
    )
    said = answer(model, question)
    return {
        "row": row,
        "knows_tcp": knows_tcp,
        "buffer_s": buffer_s,
        "previous": previous,
        "weights": weights.tolist(),
        "rung": said.rung,
        "pace_kbps": said.pace_kbps,
    }
