"""A trial's results by scheme, its flow of streams, and the precision by length (F. Yan, thesis, Fig. 2.11, A.1, C.1)."""

from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import pandas as pd

from .rules import LAB, Rules
from .streams import EXCLUSIONS, SHORTEST_WATCH_S
from .uncertainty import ITERATIONS, Interval, mean_ssim_db, stall_ratio, unweighted_mean

#: The parts of the trial for the figure of growth: about the shares of a day, a week and a month in the eight months
#: of Figure C.1 (1, 8 and 32 of 256 days), and the whole.
PARTS = (1 / 256, 1 / 32, 1 / 8, 1)
#: Minimum number of streams for an interval.
FEWEST_STREAMS = 2


@dataclass(frozen=True)
class Scheme:
    """The totals of a scheme's streams. SSIM is missing if no stream has any; `first` refers to the first chunk."""

    name: str
    streams: int
    hours: float
    stall_ratio: Interval
    ssim_db: Interval | None
    ssim_variation_db: Interval | None
    startup_s: Interval
    first_ssim_db: Interval | None


@dataclass(frozen=True)
class Flow:
    """The flow of a scheme's sessions and streams (CONSORT). `busy` sessions have no stream, because their machine was busy."""

    name: str
    sessions: int
    streams: int
    excluded: dict[str, int]
    considered: int
    truncated: int
    hours: float
    busy: int = 0


@dataclass(frozen=True)
class Part:
    """The first part of a trial: its sessions and hours, and the results so far."""

    sessions: int
    hours: float
    schemes: list[Scheme]


def schemes(
    streams: pd.DataFrame, seed: int = 1, iterations: int = ITERATIONS, rules: Rules = LAB
) -> list[Scheme]:
    """Computes the results of the included streams by scheme. The same seed gives the same intervals."""
    counted = streams[streams.excluded == ""]
    if rules.all_watch_times:
        watch_times = streams.played_s[streams.played_s >= SHORTEST_WATCH_S].to_numpy()
    else:
        watch_times = counted.watch_s.to_numpy()
    return [
        _scheme(str(name), group, watch_times, np.random.default_rng(seed), iterations, rules)
        for name, group in counted.groupby("scheme")
    ]


def _scheme(
    name: str,
    group: pd.DataFrame,
    watch_times: np.ndarray,
    random: np.random.Generator,
    iterations: int,
    rules: Rules,
) -> Scheme:
    seen = group[group.ssim_index.notna()]
    steps, first = group.ssim_variation_db.dropna(), group.first_ssim_index.dropna()
    return Scheme(
        name,
        len(group),
        float(group.watch_s.sum() / 3600),
        stall_ratio(
            group.watch_s.to_numpy(),
            group.stall_s.to_numpy(),
            watch_times,
            random,
            iterations,
            mean_of_simulated=rules.mean_of_simulated,
        ),
        mean_ssim_db(seen.watch_s.to_numpy(), seen.ssim_index.to_numpy(), rules.z) if len(seen) else None,
        unweighted_mean(steps.to_numpy(), rules.z) if len(steps) else None,
        unweighted_mean(group.startup_s.to_numpy(), rules.z),
        mean_ssim_db(np.ones(len(first)), first.to_numpy(), rules.z) if len(first) else None,
    )


def flow(streams: pd.DataFrame) -> list[Flow]:
    return [
        Flow(
            str(name),
            int(group.session_id.nunique()),
            len(group),
            {reason: int((group.excluded == reason).sum()) for reason in EXCLUSIONS},
            int((group.excluded == "").sum()),
            int(((group.excluded == "") & group.truncated).sum()),
            float(group.watch_s[group.excluded == ""].sum() / 3600),
        )
        for name, group in streams.groupby("scheme")
    ]


def growth(
    streams: pd.DataFrame,
    seed: int = 1,
    iterations: int = ITERATIONS,
    rules: Rules = LAB,
    whole: list[Scheme] | None = None,
) -> list[Part]:
    """Computes the results after parts of the trial. Every scheme must have two included streams in a part.

    `whole` are the results of the whole trial, if already known.
    """
    order = streams.groupby("session_id").began.min().reset_index()
    # Simulated sessions of different arms begin at the same time: sort such sessions by a hash.
    order["tie"] = [sha256(each.encode()).hexdigest() for each in order.session_id]
    order = order.sort_values(["began", "tie"]).session_id.tolist()
    parts = []
    for part in PARTS:
        first = streams[streams.session_id.isin(order[: max(1, round(part * len(order)))])]
        counted = first[first.excluded == ""]
        counts = counted.scheme.value_counts()
        if len(counts) == streams.scheme.nunique() and counts.min() >= FEWEST_STREAMS:
            hours = float(counted.watch_s.sum() / 3600)
            known = whole if part == 1 else None
            found = known or schemes(first, seed, iterations, rules)
            parts.append(Part(first.session_id.nunique(), hours, found))
    return parts
