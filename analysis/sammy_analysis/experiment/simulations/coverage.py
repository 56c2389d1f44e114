"""`coverage`: measures the error rates of verdicts in simulated worlds that are designed to mislead.

At most 5% of experiments without an effect may get a false verdict, and at least 95% of the intervals must contain the
truth. Each line is a world with its target. A deviation of two binomial standard errors of the replications is allowed.
Noise is in units of a day's standard deviation, and every world has its own seed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from .worlds import WORLDS

#: The tolerance, in standard errors of a share.
ERRORS = 2.0


@dataclass(frozen=True)
class Line:
    group: str
    world: str
    replications: int
    #: The share of false verdicts, or of intervals that contain the truth.
    share: float
    #: The lower limit of the share.
    low: float
    #: The upper limit of the share.
    high: float

    def error_at(self, border: float) -> float:
        """Returns two binomial standard errors of a share that is at a limit of the target."""
        return ERRORS * sqrt(border * (1 - border) / self.replications)

    @property
    def error(self) -> float:
        """Two binomial standard errors at the nearest limit, ignoring the limits 0 and 1."""
        borders = [border for border in (self.low, self.high) if 0 < border < 1]
        return self.error_at(min(borders, key=lambda border: abs(border - self.share)))

    @property
    def met(self) -> bool:
        return self.low - self.error_at(self.low) <= self.share <= self.high + self.error_at(self.high)

    @property
    def target(self) -> str:
        if self.low == 0:
            return f"at most {self.high:.0%}"
        return f"at least {self.low:.0%}" if self.high == 1 else f"{self.low:.0%} to {self.high:.0%}"


def lines(replications: int, quick: bool) -> Iterator[Line]:
    for group, low, high, worlds in WORLDS:
        for name, run, most, most_quick in worlds:
            count = min(replications, most_quick if quick else most)
            if count == 0:
                continue
            random = np.random.default_rng([1, *map(ord, group + name)])
            share = float(np.mean(run(random, count)))
            yield Line(group, name, count, share, low, high)
