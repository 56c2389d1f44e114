"""The coverage of Appendix B's interval and of the daily one in a model with a known effect: part of `coverage`.

The model has hourly means of two links with the same daily pattern. `ar` is the correlation of the noise of successive hours,
and `day` the standard deviation of the noise that all hours of a link's day share, in units of the hourly noise.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.signal import lfilter

from ..estimators.panel import DAY, Panel

#: The effect of the treatment in the model, in units of the hourly noise.
EFFECT = 0.5

SCENARIOS = {
    "independent hours": {"ar": 0.0, "day": 0.0},
    "autocorrelation 0.6": {"ar": 0.6, "day": 0.0},
    "days differ": {"ar": 0.0, "day": 0.5},
    "autocorrelation 0.6, days differ": {"ar": 0.6, "day": 0.5},
}
#: The number of days of each design. Paired links have the paper's five. A switchback of five days has no interval: two
#: of five days can be treated in ten ways, so a p-value is at least 1 / 10.
DESIGNS = {"paired": 5, "switchback": 10, "event": 14}


@dataclass(frozen=True)
class Coverage:
    design: str
    scenario: str
    replications: int
    paper: float
    robust: float


def coverage(design: str, scenario: str, replications: int, seed: int = 1) -> Coverage:
    """Returns the share of replications whose interval contains the effect, for Appendix B and for the day-robust
    interval."""
    random = np.random.default_rng([seed, *map(ord, design + scenario)])
    held = np.zeros(2)
    for _ in range(replications):
        panel = simulate(design, DESIGNS[design], random, **SCENARIOS[scenario])
        for which, interval in enumerate((panel.paper(), panel.robust(design == "switchback"))):
            held[which] += interval.low <= EFFECT <= interval.high
    paper, robust = held / replications
    return Coverage(design, scenario, replications, float(paper), float(robust))


def simulate(
    design: str, days: int, random: np.random.Generator, ar: float, day: float, effect: float = EFFECT
) -> Panel:
    """Simulates an experiment. In the paired design, link one is treated and link two is not. In the other designs,
    there is one link that is treated on some days."""
    hours = np.arange(days * DAY)
    course = 3 * np.sin(2 * np.pi * hours / DAY)
    links = [course + _noise(days, random, ar, day) for _ in range(2)]
    if design == "paired":
        time, treated = np.tile(hours, 2), np.repeat([1, 0], len(hours))
        z = np.concatenate(links) + effect * treated
    else:
        by_day = np.arange(days) >= days // 2
        if design == "switchback":
            by_day = random.permutation(by_day)
        time, treated = hours, np.repeat(by_day, DAY).astype(int)
        z = links[0] + effect * treated
    one = np.ones(len(z))
    return Panel(time, time // DAY, time % DAY, treated, z, one, 0 * one, np.zeros(len(z), dtype=int))


def _noise(days: int, random: np.random.Generator, ar: float, day: float) -> np.ndarray:
    """Returns hourly noise of variance 1 (stationary AR(1)) plus the daily noise."""
    steps = random.normal(size=days * DAY)
    steps[1:] *= np.sqrt(1 - ar**2)
    noise = lfilter([1], [1, -ar], steps)
    return noise + np.repeat(day * random.normal(size=days), DAY)


def table(replications: int) -> Iterator[Coverage]:
    return (coverage(design, scenario, replications) for design in DESIGNS for scenario in SCENARIOS)
