"""Builds chunks for the predictor of transmission times, and sessions on networks with known rates.

Tests of the predictor and of trials call this module, which must not train a model.
"""

import numpy as np
import pandas as pd

from sammy_analysis.ttp.chunks import COLUMNS

NAN = float("nan")
TCP = [20.0, 0.0, 40_000.0, 50_000.0, 625_000.0]
DAY_NS = 86_400_000_000_000


def chunk(session, index, size, took_ms, pace=NAN, limited=False, tcp=TCP, day=0, given_up_at=None):
    """Returns a row of `read_chunks`. `given_up_at` is the number of bytes that had arrived when the chunk was
    abandoned."""
    arrived, given_up = (size, False) if given_up_at is None else (given_up_at, True)
    time = day * DAY_NS + 2_000_000_000 * index
    return [session, time, size, took_ms, pace, limited, *tcp, arrived, given_up, session]


def frame(rows):
    return pd.DataFrame(rows, columns=COLUMNS)


def network_sessions(count, paced_share, seed=5):
    """Returns sessions on networks of 0.5 to 4 Mbit/s. A chunk takes its size over the rate, or four times as long if
    it is paced."""
    random = np.random.default_rng(seed)
    rows = []
    for session in range(count):
        rate = 62_500 * 8 ** random.random()
        for index in range(20):
            size = round(100_000 * 6 ** random.random())
            limited = bool(random.random() < paced_share)
            pace = rate / 4 if limited else NAN
            took_ms = 1000 * size / (pace if limited else rate)
            rows.append(
                chunk(
                    f"{session:03}",
                    index,
                    size,
                    took_ms,
                    pace * 8 / 1000,
                    limited,
                    [*TCP[:4], rate],
                    session % 3,
                )
            )
    # Two sessions use each trace.
    return frame(rows).assign(
        network=lambda chunks: chunks["stream"].map(lambda name: f"trace {int(name) // 2}")
    )
