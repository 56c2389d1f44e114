"""Trains the predictor as in F. Yan's thesis (§2.3.3): for each day on a window of the preceding days, starting from the
previous day's weights, until the loss of held-out sessions stops falling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from sammy_analysis.ttp.inputs import BINS, EDGES_S, HORIZON, PLAIN_INPUTS, TCP_INPUTS, Examples, without_tcp
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

#: Days in the training window, and the half-life of a day's weight (the thesis does not give its weights).
WINDOW_DAYS, HALF_LIFE_DAYS = 14, 7
#: The widths of the hidden layers: the thesis's 64 x 64 (§2.3.5), in one network for all steps of the horizon. Half as
#: wide without TCP's statistics.
HIDDEN = {"tcp": [64, 64], "plain": [32, 32]}
#: The learning rates, used one after the other, and the number of rows per batch. The rates are chosen from 0.0003,
#: 0.001 and 0.003: the second rate lowers the held-out loss by another 1%. Larger batches learn more slowly.
RATES, BATCH = (1e-3, 3e-4), 512
#: Number of epochs without a lower early-stopping loss after which a learning rate ends.
PATIENCE = 4
#: The logits are divided by this temperature (Guo et al., 2017), because the model is overconfident on networks outside
#: the training data. On simulated networks of two other corpora, 1.4 makes the predicted number of late chunks match
#: the true number; without it, the model misses half of them (docs/results/log/fugu-small.md).
TEMPERATURE = 1.4
#: The share held out for early stopping. The same share is held out for evaluation, which must be independent of the
#: stopping.
HELD_OUT = 0.1
#: The minimum number of sessions or networks in each held-out part, or a third of all if that is fewer.
FEWEST_HELD_OUT = 3


HeldOut = Literal["session", "network"]


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of the training. `held_out`: whether to hold out single sessions, or whole networks with all their
    sessions. With `censored`, the time of a chunk that its pace limited is an upper bound, not the network's own time.
    With `latest`, only the last day is trained, starting from `warm`."""

    seed: int = 1
    epochs: int = 40
    held_out: HeldOut = "session"
    censored: bool = True
    latest: bool = False
    warm: Model | None = None
    progress: Callable[[float, str], None] = lambda done, what: None


@dataclass
class Curve:
    """The losses of one variant by epoch, nats; the best epoch; and the epochs at which a day began."""

    variant: str
    trained: list[float] = field(default_factory=list)
    held_out: list[float] = field(default_factory=list)
    best: int = 0
    days: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Split:
    """The examples for training, for early stopping, and for evaluation. The last may be empty."""

    trained: Examples
    ending: Examples
    judging: Examples


def split(examples: Examples, asked: TrainingSettings) -> Split:
    """Splits sessions or networks by a random number seeded by their identifiers. With the same seed and more data, the same
    ones are held out again, so a continued model is not evaluated on data that its predecessor was trained on. If there are
    few, the lowest numbers are held out, and this guarantee does not hold. Raises ValueError for fewer than two."""
    names = getattr(examples, asked.held_out)
    units, places = np.unique(names, return_inverse=True)
    count = len(units)
    if count < 2:
        raise ValueError(f"one {asked.held_out} is not enough: some are held out")
    lots = np.array([np.random.default_rng([asked.seed, int(unit)]).random() for unit in units])
    ranks = np.argsort(np.argsort(lots))
    fewest = min(FEWEST_HELD_OUT, max(1, count // 3))
    # The highest rank always stays in the training part.
    ending = ((lots < HELD_OUT) | (ranks < fewest)) & (ranks < count - 1)
    judging = ((lots < 2 * HELD_OUT) | (ranks < 2 * fewest)) & ~ending & (ranks < count - 1)
    return Split(*(examples.select(each[places]) for each in (~(ending | judging), ending, judging)))


def train(examples: Examples, asked: TrainingSettings) -> tuple[Model, list[Curve]]:
    """Returns the model of the last day and its loss curves. Raises ValueError for data that cannot train a model."""
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
    # Exclude chunks that their pace limited, because they carry no information about the duration of outages.
    late = trained.took_s[~trained.limited & (trained.took_s > EDGES_S[-1])]
    times_s = [*TIMES_S[:-1], round(float(np.median(late)), 3) if len(late) else TIMES_S[-1]]
    return Model(made["tcp"], made["plain"], times_s, {}), curves


def demand_times(name: str, examples: Examples, censored: bool) -> None:
    """Raises ValueError if every time is only a bound, because the model would then always predict the shortest or the
    longest bin."""
    _, bins, limited, given_up, _ = inputs_for(name, examples, 0)
    if len(bins) and ((limited & censored) | given_up).all():
        raise ValueError(
            f"{name}: each of the {len(bins)} chunks was held back by a pace or given up, so that none tells how long the "
            "network takes: let some sessions go without a pace"
        )


def inputs_for(name: str, examples: Examples, step: int) -> tuple[np.ndarray, ...]:
    """Returns the inputs of a variant, the bins, whether a pace limited a chunk, whether the player abandoned it, and
    the days. The plain variant uses all chunks."""
    inputs, bins, limited, rows = examples.at_step(step)
    given_up, day = examples.given_up[rows, step], examples.day[rows]
    if name == "plain":
        return without_tcp(inputs), bins, limited, given_up, day
    known = ~np.isnan(inputs[:, PLAIN_INPUTS - 1 : TCP_INPUTS - 1]).any(axis=1)
    return inputs[known], bins[known], limited[known], given_up[known], day[known]


def fresh(name: str, examples: Examples, seed: int) -> Variant:
    """Returns an untrained variant. The examples of the first window normalize its inputs."""
    first = examples.select(examples.day < WINDOW_DAYS)
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
    # For a constant input, which carries no information, use 1 to avoid a division by 0.
    return Variant(mean, np.where(deviation > 1e-6, deviation, 1.0), network).as_in_file()


def learn(
    variant: Variant, trained: Examples, ending: Examples, curve: Curve, asked: TrainingSettings
) -> Parameters:
    """Trains a variant day by day, starting each day from the previous day's weights. Uses float32, which takes half
    the time of float64."""
    # Undo the temperature, which the last layer of a stored model includes.
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
    """Multiplies the last layer, and thereby the logits, in float32."""
    factors = [1.0] * (len(network) - 2) + [factor] * 2
    return [(each * by).astype(np.float32) for each, by in zip(network, factors, strict=True)]


def rows_for(
    variant: Variant, name: str, examples: Examples, asked: TrainingSettings
) -> tuple[np.ndarray, ...]:
    """Returns the normalized inputs, allowed bins, and days of all steps."""
    steps = []
    for step in range(HORIZON):
        inputs, bins, limited, given_up, day = inputs_for(name, examples, step)
        allowed = allowed_bins(bins, limited & asked.censored, given_up, BINS)
        steps.append((variant.normalize(inputs, step).astype(np.float32), allowed, day))
    return tuple(np.concatenate(parts) for parts in zip(*steps, strict=True))


def window(rows: tuple[np.ndarray, ...], today: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the inputs, allowed bins and weights of the days in the window that ends today."""
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
    """Runs Adam at each learning rate until the held-out loss stops falling, for at most `epochs`. Returns the parameters with
    the lowest held-out loss."""
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
    """Processes all rows once in random order, and returns the weighted mean of the losses."""
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
    """Returns the weighted mean of the losses."""
    return float(np.average(losses(logits(parameters, inputs)[-1], allowed), weights=weights))
