"""A group of worlds with a common target."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

#: A function of a random generator and a number of replications. For each replication it returns whether a verdict was
#: false (in worlds without an effect) or reported the effect (in worlds with one), or whether an interval contained the
#: truth.
Run = Callable[[np.random.Generator, int], np.ndarray | list[bool]]
MANY = 1_000_000


class World(NamedTuple):
    name: str
    run: Run
    #: The largest number of replications.
    most: int
    #: The number of replications of a quick run. 0 leaves the world out, because fewer replications cannot test the
    #: target.
    quick: int


class Group(NamedTuple):
    """Worlds with a target: the share of true results must be between `low` and `high`. The title and the name of a
    world determine its seed."""

    title: str
    low: float
    high: float
    worlds: tuple[World, ...]


def fast(name: str, run: Callable, *arguments: object, quick: int = 600) -> World:
    """Makes a world in which thousands of replications take only seconds."""
    return World(name, partial(run, *arguments), MANY, quick)


def slow(name: str, run: Callable, *arguments: object, most: int = 400, quick: int = 0, **more) -> World:
    return World(name, partial(run, *arguments, **more), most, quick)
