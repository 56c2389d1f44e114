"""Rows of held-out sessions with what the model says of them, to check another implementation by: gzipped JSON.

{"rows": [{"inputs": [31 numbers or null], "tcp": [5][21], "plain": [5][21]}]}: the inputs in their own units, the last of
which, the size in question, is the same for each step; the probabilities by step and bin, to seven digits.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np

from sammy_analysis.ttp.inputs import HORIZON, PLAIN_INPUTS, TCP_INPUTS, Examples, plain_of
from sammy_analysis.ttp.model import Model

ROWS = 256


def write_check(model: Model, held_out: Examples, file: Path, seed: int) -> None:
    """Draws the rows of which all is known of the connection."""
    inputs = held_out.at_step(0)[0]
    known = inputs[~np.isnan(inputs[:, PLAIN_INPUTS - 1 : TCP_INPUTS - 1]).any(axis=1)]
    rows = known[np.sort(np.random.default_rng(seed).permutation(len(known))[:ROWS])]
    tcp = [model.tcp.probabilities(rows, step) for step in range(HORIZON)]
    plain = [model.plain.probabilities(plain_of(rows), step) for step in range(HORIZON)]
    said = [
        {
            "inputs": [None if np.isnan(value) else value for value in row.tolist()],
            "tcp": [step[index].round(7).tolist() for step in tcp],
            "plain": [step[index].round(7).tolist() for step in plain],
        }
        for index, row in enumerate(rows)
    ]
    text = json.dumps({"rows": said}, separators=(",", ":")).encode()
    file.write_bytes(gzip.compress(text, 9, mtime=0))
