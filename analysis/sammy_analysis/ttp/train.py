"""Training, as the thesis does it (§2.3.3): day by day over the days before, from the day before's weights, until the loss of
sessions that were held out stops falling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from sammy_analysis.ttp.inputs import BINS, EDGES_S, HORIZON, PLAIN_INPUTS, TCP_INPUTS, Examples, plain_of
from sammy_analysis.ttp.model import TIMES_S, Model, Variant
from sammy_analysis.ttp.network import (
    Adam,
    Parameters,
    allowed_bins,
    initial,
    logits,
    loss_and_gradient,
    losses,
)

#: A chunk counts for so many days; the weight of a day halves in so many (the thesis weights, and does not say how).
WINDOW_DAYS, HALF_LIFE_DAYS = 14, 7
#: The thesis's 64 x 64 (§2.3.5), for all steps of the horizon together; half as wide without TCP's statistics.
HIDDEN = {"tcp": [64, 64], "plain": [32, 32]}
#: Ours: of the rates 0.3, 1 and 3 thousandths the middle one, and then the lowest, which lowers the held-out loss by another
#: 1%; more than 512 rows a step learn slower.
RATES, BATCH = (1e-3, 3e-4), 512
#: So many epochs without a lower loss of what ends the training end a rate.
PATIENCE = 4
#: For networks that the training has not seen, a network is too sure of itself, so the logits are divided by this (Guo et al.,
#: 2017). On simulated networks of two other corpora, 1.4 makes the predicted number of late chunks the true one, where
#: without it half of them come unannounced (docs/results/log/fugu.md).
TEMPERATURE = 1.4
#: A tenth ends the training, and another tenth judges what came out of it: the first has had a say in it.
HELD_OUT = 0.1
#: Of few, at least so many of each, or a third.
FEWEST_HELD_OUT = 3


HeldOut = Literal["session", "network"]


@dataclass(frozen=True)
class Asked:
    """How to train. `held_out`: whole sessions, or whole networks with all their sessions. `censored`: what a pace held back
    counts as "at least as fast", and not as a time of the network. `latest`: only as on the last day, which goes on from
    `warm`."""

    seed: int = 1
    epochs: int = 40
    held_out: HeldOut = "session"
    censored: bool = True
    latest: bool = False
    warm: Model | None = None
    progress: Callable[[float, str], None] = lambda done, what: None


@dataclass
class Curve:
    """Of one network, the losses by epoch, ln; where it was best; and on which epochs a day began."""

    variant: str
    trained: list[float] = field(default_factory=list)
    held_out: list[float] = field(default_factory=list)
    best: int = 0
    days: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Split:
    """What is learnt from, what ends it, and what judges it, which may be nothing."""

    trained: Examples
    ending: Examples
    judging: Examples


def split(examples: Examples, asked: Asked) -> Split:
    """By a lot of each session's or network's own name: with more data the next day, and the same seed, what is held out stays
    so, and a model that goes on from another is not judged by what that one learnt from. Where there are few, the lowest lots
    are held out, and then this does not hold. Raises ValueError for fewer than two."""
    names = getattr(examples, asked.held_out)
    units, places = np.unique(names, return_inverse=True)
    count = len(units)
    if count < 2:
        raise ValueError(f"one {asked.held_out} is not enough: some are held out")
    lots = np.array([np.random.default_rng([asked.seed, int(unit)]).random() for unit in units])
    ranks = np.argsort(np.argsort(lots))
    fewest = min(FEWEST_HELD_OUT, max(1, count // 3))
    # The last one is always learnt from.
    ending = ((lots < HELD_OUT) | (ranks < fewest)) & (ranks < count - 1)
    judging = ((lots < 2 * HELD_OUT) | (ranks < 2 * fewest)) & ~ending & (ranks < count - 1)
    return Split(*(examples.of(each[places]) for each in (~(ending | judging), ending, judging)))


def train(examples: Examples, asked: Asked) -> tuple[Model, list[Curve]]:
    """The model of the last day, and how it learnt. Raises ValueError for data of which nothing can be learnt."""
    parts = split(examples, asked)
    trained, ending = parts.trained, parts.ending
    curves: list[Curve] = []
    made: dict[str, Variant] = {}
    for number, name in enumerate(HIDDEN):
        demand_times(name, trained, asked.censored)
        variant = getattr(asked.warm, name) if asked.warm else fresh(name, trained, asked.seed)
        curve = Curve(name)
        network = learn(variant, trained, ending, curve, asked)
        curves.append(curve)
        if not curve.held_out:
            raise ValueError(f"{name}: too few sessions to learn from some and hold others out")
        done = (number + 1) / len(HIDDEN)
        asked.progress(done, f"{name}: loss {curve.held_out[curve.best]:.3f} held out")
        made[name] = Variant(variant.mean, variant.deviation, network).as_in_file()
    # How long a pace held a chunk back says nothing of how long an outage lasts.
    late = trained.took_s[~trained.limited & (trained.took_s > EDGES_S[-1])]
    times_s = [*TIMES_S[:-1], round(float(np.median(late)), 3) if len(late) else TIMES_S[-1]]
    return Model(made["tcp"], made["plain"], times_s, {}), curves


def demand_times(name: str, examples: Examples, censored: bool) -> None:
    """Raises ValueError where no chunk tells how long the network takes: of bounds alone the shortest, or longest, of all times
    would be learnt."""
    _, bins, limited, given_up, _ = inputs_for(name, examples, 0)
    if len(bins) and ((limited & censored) | given_up).all():
        raise ValueError(
            f"{name}: each of the {len(bins)} chunks was held back by a pace or given up, so that none tells how long the "
            "network takes: let some sessions go without a pace"
        )


def inputs_for(name: str, examples: Examples, step: int) -> tuple[np.ndarray, ...]:
    """Inputs of a variant, bins, whether a pace limited or the player gave up, and days. All chunks teach the one without TCP."""
    inputs, bins, limited, rows = examples.at_step(step)
    given_up, day = examples.given_up[rows, step], examples.day[rows]
    if name == "plain":
        return plain_of(inputs), bins, limited, given_up, day
    known = ~np.isnan(inputs[:, PLAIN_INPUTS - 1 : TCP_INPUTS - 1]).any(axis=1)
    return inputs[known], bins[known], limited[known], given_up[known], day[known]


def fresh(name: str, examples: Examples, seed: int) -> Variant:
    """An untrained variant, whose inputs are normalised by the examples of the first window."""
    first = examples.of(examples.day < WINDOW_DAYS)
    inputs = inputs_for(name, first, 0)[0]
    if len(inputs) == 0:
        raise ValueError("no chunk has TCP's statistics: the edge's receipts lack some")
    values = np.log1p(inputs)
    known = ~np.isnan(values)
    count = np.maximum(1, known.sum(axis=0))
    mean = np.where(known, values, 0).sum(axis=0) / count
    deviation = np.sqrt(np.where(known, (values - mean) ** 2, 0).sum(axis=0) / count)
    widths = [inputs.shape[1] + HORIZON, *HIDDEN[name], BINS]
    network = initial(widths, np.random.default_rng([seed, len(name)]))
    # What never varies tells nothing.
    return Variant(mean, np.where(deviation > 1e-6, deviation, 1.0), network).as_in_file()


def learn(variant: Variant, trained: Examples, ending: Examples, curve: Curve, asked: Asked) -> Parameters:
    """The network of a variant, day by day, each from the day before's. In float32, which takes half the time."""
    # Of a model that training goes on from, the last layer is divided already.
    parameters = with_last_layer(variant.network, TEMPERATURE)
    rows, checks = (rows_for(variant, curve.variant, part, asked) for part in (trained, ending))
    random = np.random.default_rng(asked.seed)
    days = np.unique(rows[-1])
    for day in days[-1:] if asked.latest else days:
        within, checked = (window(part, day) for part in (rows, checks))
        if len(within[0]) and len(checked[0]):
            curve.days.append(len(curve.trained))
            parameters = descend(parameters, within, checked, curve, asked.epochs, random)
    return with_last_layer(parameters, 1 / TEMPERATURE)


def with_last_layer(network: Parameters, factor: float) -> Parameters:
    """Multiplies the logits, in float32."""
    factors = [1.0] * (len(network) - 2) + [factor] * 2
    return [(each * by).astype(np.float32) for each, by in zip(network, factors, strict=True)]


def rows_for(variant: Variant, name: str, examples: Examples, asked: Asked) -> tuple[np.ndarray, ...]:
    """What the network sees, allowed bins, and days, of all steps."""
    steps = []
    for step in range(HORIZON):
        inputs, bins, limited, given_up, day = inputs_for(name, examples, step)
        allowed = allowed_bins(bins, limited & asked.censored, given_up, BINS)
        steps.append((variant.seen(inputs, step).astype(np.float32), allowed, day))
    return tuple(np.concatenate(parts) for parts in zip(*steps, strict=True))


def window(rows: tuple[np.ndarray, ...], today: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs, allowed bins and weights of the days up to today."""
    inputs, allowed, day = rows
    within = (day <= today) & (day > today - WINDOW_DAYS)
    weights = 0.5 ** ((today - day[within]) / HALF_LIFE_DAYS)
    return inputs[within], allowed[within], weights.astype(np.float32)


def descend(
    parameters: Parameters,
    rows: tuple[np.ndarray, np.ndarray, np.ndarray],
    checks: tuple[np.ndarray, np.ndarray, np.ndarray],
    curve: Curve,
    epochs: int,
    random: np.random.Generator,
) -> Parameters:
    """Adam in batches, at each rate until the held-out loss has stopped falling or for `epochs`: the parameters with the least
    of it."""
    best, best_loss = parameters, np.inf
    for rate in RATES:
        adam = Adam([each.copy() for each in best], rate)
        since = 0
        for _ in range(epochs):
            curve.trained.append(epoch(adam, rows, random))
            curve.held_out.append(mean_loss(adam.parameters, *checks))
            if curve.held_out[-1] < best_loss:
                best, best_loss, since = [each.copy() for each in adam.parameters], curve.held_out[-1], 0
                curve.best = len(curve.held_out) - 1
            else:
                since += 1
            if since >= PATIENCE:
                break
    return best


def epoch(adam: Adam, rows: tuple[np.ndarray, np.ndarray, np.ndarray], random: np.random.Generator) -> float:
    """Goes through all rows once, in random order, and returns the weighted mean of the losses."""
    inputs, allowed, weights = rows
    order = random.permutation(len(inputs))
    sums = [0.0, 0.0]
    for at in range(0, len(order), BATCH):
        batch = order[at : at + BATCH]
        loss, gradient = loss_and_gradient(adam.parameters, inputs[batch], allowed[batch], weights[batch])
        adam.step(gradient)
        total = float(weights[batch].sum())
        sums = [sums[0] + loss * total, sums[1] + total]
    return sums[0] / sums[1]


def mean_loss(parameters: Parameters, inputs: np.ndarray, allowed: np.ndarray, weights: np.ndarray) -> float:
    """The weighted mean of the losses."""
    return float(np.average(losses(logits(parameters, inputs)[-1], allowed), weights=weights))
