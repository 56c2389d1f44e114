"""The smallest step that experiments on given days detect, simulated with the noise of observed days.

The design calculator and the advice of verdicts call this module, which must not depend on the result of an experiment.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .processes import RHOS
from .step_design import NOTHING, Design, Noise, step_design

#: The number of draws for a plan.
PLANS = 1200
#: The share of experiments that should detect an effect, in plans.
POWER = 0.8
#: The share of experiments with a significant step that date it to a day other than the first, and therefore get a
#: conditional verdict.
DOUBTED = 0.03


@dataclass(frozen=True)
class Detectable:
    """The step that four of five experiments detect, typically and at worst."""

    typical: float
    at_worst: float


def detectable(
    seen: Sequence[int], values: np.ndarray, days: Sequence[int], after: Sequence[float]
) -> Detectable:
    """Returns the detectable step of an experiment of these `days`, if days vary like the observed `values`.

    A few days determine neither the variance of days nor their correlation. Therefore both are drawn from their posterior given
    the observed days (by restricted likelihood, with a uniform prior of rho), and the typical step is detected in four of five
    experiments over these draws; a plan with only the most likely values would detect fewer. The step at worst is detected in
    four of five experiments in all but 5% of the draws.
    """
    of_seen = _mean_design(tuple(map(int, seen)))
    squares = of_seen.squares_without_trend(np.asarray(values, dtype=float)[None])[:, 0]
    if not (squares > NOTHING).all():
        return Detectable(0.0, 0.0)
    fits = -(of_seen.logs[of_seen.without_trend] + of_seen.freedom / 2 * np.log(squares))
    likely = np.exp(fits - fits.max())
    random = np.random.default_rng(1)
    which = random.choice(len(RHOS), size=PLANS, p=likely / likely.sum())
    sizes = np.sqrt(squares[which] / random.chisquare(of_seen.freedom, size=PLANS))
    shown = _shown_from(tuple(map(int, days)), tuple(map(float, after)))
    needed = sizes * shown[which, random.integers(shown.shape[1], size=PLANS)]
    each = sizes * np.quantile(shown, POWER + DOUBTED, axis=1)[which]
    return Detectable(float(np.quantile(needed, POWER + DOUBTED)), float(np.quantile(each, 0.95)))


@lru_cache(maxsize=64)
def _mean_design(days: tuple[int, ...]) -> "Design":
    """Returns the design of the days before an experiment, which have no step."""
    return Design(days, None)


@lru_cache(maxsize=64)
def _shown_from(days: tuple[int, ...], after: tuple[float, ...]) -> np.ndarray:
    """Returns, by rho, the smallest step that each simulated experiment detects, with a standard deviation of days of 1."""
    design = step_design(days, after)
    apart = np.abs(np.subtract.outer(days, days))
    drawn = np.random.default_rng(2).normal(size=(PLANS // 4, len(days)))
    return np.array([-design.quantile(drawn @ np.linalg.cholesky(rho**apart).T, design.tail) for rho in RHOS])


def reach(noise: Noise, days: int) -> float:
    """Returns the smallest change that experiments with this many days before and after detect, for days with this
    noise: half of the median interval length of simulated experiments."""
    return noise.size * _unit_reach(noise.rho, days)


@lru_cache
def _unit_reach(rho: float, days: int) -> float:
    every = np.arange(2 * days)
    design = step_design(tuple(every.tolist()), tuple((every >= days).astype(float).tolist()))
    root = np.linalg.cholesky(rho ** np.abs(np.subtract.outer(every, every)))
    values = np.random.default_rng(1).normal(size=(100, 2 * days)) @ root.T
    low, high = (design.quantile(values, tail) for tail in (design.tail, 1 - design.tail))
    return float(np.median(high - low) / 2)
