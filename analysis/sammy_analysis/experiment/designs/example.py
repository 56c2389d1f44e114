"""`example`: a small experiment on two congested links with known true effects, as an input for the analysis.

This is a toy model, not a simulation of TCP: an hour's load is the number of sessions times their desired bitrate. Above the
link's capacity a queue forms, and the throughput of both arms falls equally. The treatment caps the bitrate (as in the paper's
section 4), so a capped session leaves capacity for all others on its link. In an A/B test it looks slightly worse, because its
chunks are smaller.
"""

import csv
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from ..estimators.panel import DAY
from ..reading.schema import REQUIRED

METRICS = ("throughput_kbps", "min_rtt_ms", "play_delay_ms", "mean_bitrate_kbps")
EXAMPLES = ("paired", "switchback", "aa", "ab")
START = datetime(2026, 3, 4, tzinfo=UTC)
ACCOUNTS = 4000


@dataclass(frozen=True)
class Allocation:
    """The share of treated accounts on each link on a day of the experiment."""

    design: str

    def at(self, link: int, day: int) -> float:
        if self.design == "paired":
            return (0.95, 0.05)[link]
        if self.design == "switchback":
            return 0.95 if day % 2 == 0 else 0.05
        if self.design == "all":
            return (1.0, 0.0)[link]
        return 0.0 if self.design == "aa" else 0.5


def example(folder: Path, design: str, days: int, seed: int = 1) -> tuple[Path, Path]:
    """Writes `sessions.csv` and `truth.json`, and returns their paths. The truth is the result if all sessions are
    treated, minus the result if none is, in the same world."""
    folder.mkdir(parents=True, exist_ok=True)
    sessions, truth = folder / "sessions.csv", folder / "truth.json"
    links = (0,) if design in ("switchback", "ab") else (0, 1)
    with sessions.open("w", newline="", encoding="utf8") as file:
        writer = csv.writer(file)
        writer.writerow([*REQUIRED, *METRICS])
        for rows in _hours(Allocation(design), days, seed, links):
            writer.writerows(rows)
    truth.write_text(json.dumps(_truth(days, seed), indent=2) + "\n", encoding="utf8")
    return sessions, truth


def _truth(days: int, seed: int) -> dict[str, dict[str, float]]:
    """Computes TTE: every session treated minus none treated, with the same link, accounts and noise.

    As in the paper's Appendix B, `tte_pct` weights hours equally. `by_session_pct` weights sessions equally, so busy hours
    count more. Both are shares of the mean of all untreated sessions.
    """
    means, by_hour = [], []
    for share in (1.0, 0.0):
        hours = [
            np.array([row[len(REQUIRED) :] for row in rows], dtype=float)
            for rows in _hours(Allocation("all"), days, seed, (0,), share)
            if rows
        ]
        means.append(np.concatenate(hours).mean(axis=0))
        by_hour.append(np.array([hour.mean(axis=0) for hour in hours]).mean(axis=0))
    control = means[1]
    return {
        name: {
            "tte_pct": round(100 * float((by_hour[0] - by_hour[1])[column] / control[column]), 2),
            "by_session_pct": round(100 * float(means[0][column] / control[column] - 1), 2),
        }
        for column, name in enumerate(METRICS)
    }


def _hours(allocation: Allocation, days: int, seed: int, links: tuple[int, ...], share: float | None = None):
    for link in links:
        random = np.random.default_rng([seed, link])
        # An account's random place determines its arm. Accounts with a place below the allocation are treated, so they
        # stay treated when the allocation grows.
        place = np.random.default_rng([seed, 99]).permuted(np.arange(ACCOUNTS) / ACCOUNTS)
        # Both links have the same daily demand, plus a small variation of each link.
        busy = np.random.default_rng([seed, 98]).lognormal(0, 0.05, size=days)
        for hour in range(days * DAY):
            weekend = (START + timedelta(hours=hour)).weekday() >= 5
            count = random.poisson(_demand(hour % DAY, weekend) * busy[hour // DAY])
            account = random.integers(ACCOUNTS, size=count)
            noise = random.normal(size=(len(METRICS), count))
            second = np.sort(random.integers(3600, size=count))
            p = allocation.at(link, hour // DAY) if share is None else share
            treated = place[account] < p
            values = _outcomes(treated, noise)
            yield [
                [
                    f"{link}-{hour}-{number}",
                    f"account-{link}-{account[number]}",
                    ("north", "south")[link],
                    "treatment" if treated[number] else "control",
                    p,
                    (START + timedelta(hours=hour, seconds=int(second[number]))).isoformat(),
                    *(f"{value:.2f}" for value in values[:, number]),
                ]
                for number in range(count)
            ]


def _demand(hour_of_day: int, weekend: bool) -> float:
    """Returns the number of sessions per hour: highest at nine in the evening, and low at dawn."""
    evening = np.exp(-(((hour_of_day - 21 + 12) % 24 - 12) ** 2) / 18)
    return (12 + 60 * evening) * (1.15 if weekend else 1)


def _outcomes(treated: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Returns the metrics of an hour's sessions, in the order of METRICS, on a link of 150 Mbit/s. Sessions want 3.3 or 2.2
    Mbit/s."""
    wanted = np.where(treated, 2200.0, 3300.0)
    congested = 1 / (1 + np.exp(-(wanted.sum() / 150e3 - 1) / 0.06))
    throughput = 30e3 * (1 - 0.7 * congested) * np.where(treated, 0.95, 1.0) * np.exp(0.3 * noise[0])
    rtt = 20 + 60 * congested + np.where(treated, 1.0, 0.0) + 4 * np.abs(noise[1])
    delay = 300 + 6 * rtt + 2e6 / throughput + 60 * np.abs(noise[2])
    bitrate = wanted * (1 - 0.2 * congested) * np.exp(0.05 * noise[3])
    return np.array([throughput, rtt, delay, bitrate])
