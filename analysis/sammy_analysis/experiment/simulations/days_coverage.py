"""`coverage --days`: the share of false verdicts for paired links with a baseline and no effect, by process of days and
layout of periods.

The simulated days are the direct input of the test (steps/step.py), so that thousands of experiments are fast. A verdict that
reports a change is false, unless it lists the day of a real change of a link among the days on which a change would
look the same. A verdict under the assumption that a short period had no holiday counts as a verdict.
"""

from collections.abc import Iterator

import numpy as np

from ..estimators.steps.step import find_steps
from .coverage import Line
from .worlds.days import MONDAY
from .worlds.periods import PERIODS, Periods
from .worlds.processes import PROCESSES, Draw, Drawn

#: The largest allowed share of false verdicts: 5%, plus 1% for processes outside the model.
MOST_FALSE = 0.06


def false_verdicts(draw: Draw, periods: Periods, random: np.random.Generator, count: int) -> np.ndarray:
    drawn = draw(random, count, periods.span)
    values = drawn.values if isinstance(drawn, Drawn) else drawn
    found, earliest, latest = find_steps(MONDAY + periods.days, periods.after, values[:, periods.days])
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
