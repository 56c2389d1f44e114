"""`coverage --days`: false verdicts of paired links with a baseline and no effect, by process of days and lay-out of periods.

Days go straight into the test (step.py), so that thousands of experiments are quick. A verdict is false where it says a change,
unless it names the day on which a link changed as one on which that would look the same. What is said only if no holiday fell
into a short period counts as said.
"""

from collections.abc import Iterator

import numpy as np

from ..estimators.step import said_of
from .coverage import Line
from .worlds.days import MONDAY
from .worlds.periods import PERIODS, Periods
from .worlds.processes import PROCESSES, Draw, Drawn

#: At most this share of verdicts is to be false: 5%, and what processes that the model does not have may add.
MOST_FALSE = 0.06


def false_verdicts(draw: Draw, periods: Periods, random: np.random.Generator, count: int) -> np.ndarray:
    drawn = draw(random, count, periods.span)
    values = drawn.values if isinstance(drawn, Drawn) else drawn
    found, earliest, latest = said_of(MONDAY + periods.days, periods.after, values[:, periods.days])
    if isinstance(drawn, Drawn):
        at = MONDAY + drawn.changes
        found &= ~((earliest <= at) & (at <= latest)).any(axis=0)
    return found


def by_process(replications: int, seed: int = 1) -> Iterator[tuple[str, list[Line]]]:
    """Yields the lines of each process, one per layout, in the order of `PERIODS`."""
    for process, draw in PROCESSES.items():
        found = []
        for name, periods in PERIODS.items():
            random = np.random.default_rng([seed, *map(ord, process + name)])
            share = float(np.mean(false_verdicts(draw, periods, random, replications)))
            found.append(Line(process, name, replications, share, 0.0, MOST_FALSE))
        yield process, found
