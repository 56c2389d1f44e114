"""The inputs and targets of a predictor. `ttpInputs` of the plug-in computes the same inputs during a session.

For the last eight chunks, complete or abandoned, latest first: the sizes (bytes; for an abandoned chunk, the received bytes),
the times (ms), and the shares of the times that a pace explains. Then the number of these chunks, the five statistics of TCP,
and the size of the chunk to predict (bytes). Missing values are NaN.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import pandas as pd

from sammy_analysis.ttp.chunks import TCP

HISTORY = 8
HORIZON = 5
#: The bins of transmission times, s: [0, 0.25), [0.25, 0.75) ... [9.75, ∞) (F. Yan's thesis, §2.3.5).
EDGES_S = np.arange(0.25, 10, 0.5)
BINS = len(EDGES_S) + 1
PLAIN_INPUTS = 3 * HISTORY + 2
TCP_INPUTS = PLAIN_INPUTS + len(TCP)

NS_PER_DAY = 86_400_000_000_000


@dataclass(frozen=True)
class Examples:
    """The history before each chunk, and the size and time of the chunk at each step of the horizon.

    before: [chunks, TCP_INPUTS - 1], ends with TCP's statistics; the size to predict is appended. size, took_s: [chunks,
    HORIZON], NaN beyond a session's end, and if an abandoned chunk determines no time. limited, given_up: [chunks, HORIZON],
    the network alone would have taken at most, or at least, this time. session, network: [chunks], digests of the names. day:
    [chunks], numbers from 0.
    """

    before: np.ndarray
    size: np.ndarray
    took_s: np.ndarray
    limited: np.ndarray
    given_up: np.ndarray
    session: np.ndarray
    network: np.ndarray
    day: np.ndarray

    def select(self, rows: np.ndarray) -> Examples:
        return Examples(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))

    def at_step(self, step: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Returns the inputs, the bins of the times, whether a pace limited them, and the rows, for chunks that have a
        chunk `step` positions later."""
        rows = np.flatnonzero(np.isfinite(self.took_s[:, step]))
        inputs = np.column_stack([self.before[rows], self.size[rows, step]])
        return inputs, time_bins(self.took_s[rows, step]), self.limited[rows, step], rows


def time_bins(took_s: np.ndarray) -> np.ndarray:
    return np.searchsorted(EDGES_S, took_s, side="right")


def without_tcp(inputs: np.ndarray) -> np.ndarray:
    """Removes TCP's statistics from the inputs."""
    return np.delete(inputs, np.arange(PLAIN_INPUTS - 1, TCP_INPUTS - 1), axis=1)


def make_examples(chunks: pd.DataFrame) -> Examples:
    """Returns the examples of all chunks of a frame from `read_chunks`."""
    parts = [session_examples(session) for _, session in chunks.groupby("stream")]
    joined = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in Examples.__dataclass_fields__
    }
    days = joined["day"]
    return Examples(**{**joined, "day": days - days.min()})


def stable_digest(name: str) -> int:
    """Returns a digest that is the same in every process, unlike `hash`."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")


def session_examples(session: pd.DataFrame) -> Examples:
    """Returns the examples of one session."""
    size = session["size"].to_numpy(float)
    took_ms = session["took_ms"].to_numpy(float)
    pace = session["pace_kbps"].to_numpy(float)
    limited = session["pace_limited"].to_numpy(bool)
    arrived = session["arrived"].to_numpy(float)
    given_up = session["given_up"].to_numpy(bool)
    count = len(size)
    with np.errstate(invalid="ignore"):
        share = np.nan_to_num(np.minimum(1, np.where(pace > 0, arrived * 8 / pace / took_ms, 0)))
    past = [
        np.concatenate([np.full(min(back, count), np.nan), values[: max(0, count - back)]])
        for values in (arrived, took_ms, share)
        for back in range(1, HISTORY + 1)
    ]
    known = session[TCP].to_numpy(float, copy=True)
    # The predictor with TCP's statistics needs every statistic. If any is unknown, treat all as unknown.
    known[np.isnan(known).any(axis=1)] = np.nan
    # The time of an abandoned chunk is no bound in either direction if a pace limited the chunk, or its size is unknown.
    told_s = np.where(given_up & (limited | np.isnan(size)), np.nan, took_ms / 1000)
    ahead = [
        np.concatenate([values[step:].astype(float), np.full(min(step, count), np.nan)])
        for values in (size, told_s, limited, given_up)
        for step in range(HORIZON)
    ]
    sizes, took_s, limits, ends = (
        np.column_stack(ahead[part * HORIZON : (part + 1) * HORIZON]) for part in range(4)
    )
    return Examples(
        before=np.column_stack([*past, np.minimum(np.arange(count), HISTORY), known]),
        size=sizes,
        took_s=took_s,
        limited=limits == 1,
        given_up=ends == 1,
        session=np.full(count, stable_digest(session["stream"].iloc[0]), np.uint64),
        network=np.full(count, stable_digest(session["network"].iloc[0]), np.uint64),
        day=session["time"].to_numpy(np.int64) // NS_PER_DAY,
    )
