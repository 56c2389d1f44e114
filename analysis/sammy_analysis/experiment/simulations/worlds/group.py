"""A group of worlds with a common target."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

#: Takes a random generator and a number of replications. Returns for each whether a verdict was false (without an effect) or
#: given (with one), or whether an interval held the truth.
Run = Callable[[np.random.Generator, int], np.ndarray | list[bool]]
MANY = 1_000_000


class World(NamedTuple):
    name: str
    run: Run
    #: The largest number of replications.
    most: int
    #: The replications of a quick run; 0 leaves the world out, if fewer replications cannot test the target.
    quick: int


class Group(NamedTuple):
    """Worlds whose share of replications must be between `low` and `high`. Title and world name are the seed."""

    title: str
    low: float
    high: float
    worlds: tuple[World, ...]


def fast(name: str, run: Callable, *arguments: object, quick: int = 600) -> World:
    """A world in which thousands of replications take seconds."""
    return World(name, partial(run, *arguments), MANY, quick)


def slow(name: str, run: Callable, *arguments: object, most: int = 400, quick: int = 0, **more) -> World:
    return World(name, partial(run, *arguments, **more), most, quick)
