"""Compares two arms of a trial, in total and by day: whether a model becomes stale (F. Yan, thesis, Fig. 2.10), and
whether a model trained in emulation is as good as one trained in place (Fig. 2.14)."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from ..puffer.trial import FEWEST_STREAMS, Scheme, schemes
from ..puffer.uncertainty import (
    ITERATIONS,
    Interval,
    mean_difference,
    ssim_difference_db,
    stall_difference,
)


@dataclass(frozen=True)
class Comparison:
    """The difference of two arms. SSIM is missing if an arm has none."""

    one: str
    other: str
    streams: tuple[int, int]
    #: The number of stalled streams in each arm.
    stalled: tuple[int, int]
    stall_ratio: Interval
    ssim_db: Interval | None
    ssim_variation_db: Interval | None
    startup_s: Interval


@dataclass(frozen=True)
class Day:
    """The figures of some arms on one day."""

    day: int
    schemes: list[Scheme]


def compare(
    streams: pd.DataFrame, one: str, other: str, seed: int = 1, iterations: int = ITERATIONS
) -> Comparison | None:
    """Compares two arms. None if an arm has fewer than two included streams."""
    counted = streams[streams.excluded == ""]
    arms = [counted[counted.scheme == name] for name in (one, other)]
    if min(len(arm) for arm in arms) < FEWEST_STREAMS:
        return None
    watched = [(arm.watch_s.to_numpy(), arm.stall_s.to_numpy()) for arm in arms]
    seen = [arm[arm.ssim_index.notna()] for arm in arms]
    quality = [(arm.watch_s.to_numpy(), arm.ssim_index.to_numpy()) for arm in seen]
    steps = [arm.ssim_variation_db.dropna().to_numpy() for arm in arms]
    return Comparison(
        one,
        other,
        (len(arms[0]), len(arms[1])),
        (int((arms[0].stall_s > 0).sum()), int((arms[1].stall_s > 0).sum())),
        stall_difference(watched[0], watched[1], counted.watch_s.to_numpy(), seed, iterations),
        ssim_difference_db(quality[0], quality[1]) if all(len(arm) for arm in seen) else None,
        mean_difference(steps[0], steps[1]) if all(len(arm) for arm in steps) else None,
        mean_difference(*(arm.startup_s.to_numpy() for arm in arms)),
    )


def by_day(streams: pd.DataFrame, arms: list[str], seed: int = 1, iterations: int = ITERATIONS) -> list[Day]:
    """Returns the days on which each of the arms has at least two included streams."""
    of_arms = streams[streams.scheme.isin(arms)]
    days = [Day(int(day), schemes(group, seed, iterations)) for day, group in of_arms.groupby("day")]
    return [
        day
        for day in days
        if len(day.schemes) == len(arms) and min(each.streams for each in day.schemes) >= FEWEST_STREAMS
    ]
