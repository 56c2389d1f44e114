"""The findings of a trial: first with codes instead of names (blinded), then a comparison of models with the names."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from ..puffer.streams import EXCLUSIONS
from ..puffer.trial import Flow, Part, Scheme, flow, growth, schemes
from ..puffer.uncertainty import ITERATIONS
from .compare import Comparison, Day, by_day, compare
from .fairness import Fairness, fairness
from .read import LeftOut, Settings


@dataclass(frozen=True)
class Primary:
    """The table of Fig. 2.11 of F. Yan's thesis on all paths and on slow paths, the flow of its Fig. A.1, the growth of its
    Fig. C.1, and the fairness of the assignment."""

    found: list[Scheme]
    slow: list[Scheme]
    flows: list[Flow]
    parts: list[Part]
    fair: Fairness


@dataclass(frozen=True)
class ModelComparisons:
    """The differences between a model retrained daily and a frozen one, and between training in place and in emulation."""

    stale: Comparison | None
    stale_slow: Comparison | None
    days: list[Day]
    in_situ: Comparison | None
    in_situ_slow: Comparison | None


def blind(
    streams: pd.DataFrame, seed: int, iterations: int = ITERATIONS, left_out: Iterable[LeftOut] = ()
) -> Primary:
    """Computes the primary results by code of the arm, from the streams and the excluded sessions of the evaluated days."""
    seeded = {"seed": seed, "iterations": iterations}
    flows = with_left_out(flow(streams), left_out)
    return Primary(
        schemes(streams, **seeded),
        schemes(streams[streams.slow], **seeded),
        flows,
        growth(streams, **seeded),
        fairness(flows),
    )


def with_left_out(flows: list[Flow], left_out: Iterable[LeftOut]) -> list[Flow]:
    """Adds to the flows the sessions that were assigned but have no stream, including schemes without any stream."""
    busy = Counter(each.scheme for each in left_out)
    nothing = dict.fromkeys(EXCLUSIONS, 0)
    known = {each.name: each for each in flows}
    every = [known.get(name) or Flow(name, 0, 0, nothing, 0, 0, 0.0) for name in sorted({*known, *busy})]
    return [replace(each, sessions=each.sessions + busy[each.name], busy=busy[each.name]) for each in every]


def unblinded(primary: Primary, key: dict[str, str], order: list[str]) -> Primary:
    """Replaces the codes by the names of the arms, in the order of the arms."""

    def named(entries: list[Any]) -> list[Any]:
        known = [replace(each, name=key[each.name]) for each in entries]
        return sorted(known, key=lambda each: order.index(each.name))

    parts = [replace(part, schemes=named(part.schemes)) for part in primary.parts]
    return Primary(named(primary.found), named(primary.slow), named(primary.flows), parts, primary.fair)


def compare_models(
    streams: pd.DataFrame, settings: Settings, seed: int, iterations: int = ITERATIONS
) -> ModelComparisons:
    """Computes the comparisons of models, from streams with the names of their schemes."""
    retrained, frozen, emulated = settings.retrained, settings.frozen, settings.emulated
    # Leave out the first evaluated day, on which the retrained and the frozen model are identical.
    later = streams[streams.day > settings.first_day]

    def beside(group: pd.DataFrame, one: str | None, other: str | None) -> Comparison | None:
        return compare(group, one, other, seed, iterations) if one and other else None

    return ModelComparisons(
        beside(later, retrained, frozen),
        beside(later[later.slow], retrained, frozen),
        by_day(streams, [retrained, frozen], seed, iterations) if retrained and frozen else [],
        beside(streams, retrained, emulated),
        beside(streams[streams.slow], retrained, emulated),
    )


def plain(value: Any) -> Any:
    """Converts a value for JSON: dataclasses to objects, and numbers that are not finite to null."""
    if hasattr(value, "__dataclass_fields__"):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
